//! One link: frames in order over one stream, a heartbeat of its own, bounded in every direction.
//!
//! A frame is its length (u32, big-endian) and its bytes; length 0 is a heartbeat. The first frame each way is the [`Hello`].
//! One task for each link reads and writes at once, and ends with it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, watch};
use tokio::time::{MissedTickBehavior, timeout};

pub use crate::wire::Hello;

/// The largest frame: a table's largest message in its envelope.
pub const FRAME_LIMIT: usize = shamans_core::table::MAX_MESSAGE + 64 * 1024;
/// How much may wait to be read by a slow peer.
pub const QUEUE_LIMIT: usize = 16 * 1024 * 1024;

/// How often a heartbeat goes out.
const BEAT: Duration = Duration::from_millis(1000);
/// How long a link may be silent.
const SILENCE: Duration = Duration::from_millis(4000);
/// How long one frame may take on its way: a megabyte within this is less than the slowest network does.
const FRAME_TIME: Duration = Duration::from_secs(20);
/// How long the first frame may take.
const HELLO_TIME: Duration = Duration::from_secs(5);
const HELLO_LIMIT: usize = 1024;
/// How much goes out at once.
const BATCH: usize = 256 * 1024;

/// Why a link ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DownReason {
    /// Nothing heard for four seconds.
    #[error("nothing was heard for {} s", SILENCE.as_secs())]
    Silent,
    /// The other side closed it, or the network did.
    #[error("the connection was closed")]
    Closed,
    /// A frame larger than [`FRAME_LIMIT`].
    #[error("a message was larger than allowed")]
    Giant,
    /// It did not take what was sent to it.
    #[error("it takes messages too slowly")]
    TooSlow,
    /// Its first frame was no [`Hello`], or one with an impossible name.
    #[error("it did not say who it is")]
    NoHello,
    /// A newer link to the same peer took its place.
    #[error("a newer connection took its place")]
    Replaced,
    /// We ended it.
    #[error("it was closed here")]
    Dropped,
}

/// The near end of a link's queue.
#[derive(Clone)]
pub(super) struct Outgoing {
    frames: mpsc::UnboundedSender<Vec<u8>>,
    waiting: Arc<AtomicUsize>,
    end: Arc<watch::Sender<Option<DownReason>>>,
}

impl Outgoing {
    /// Queues a frame, or ends the link if too much waits already.
    pub(super) fn send(&self, frame: Vec<u8>) {
        let size = frame.len();
        if size > FRAME_LIMIT {
            self.end(DownReason::Giant);
            return;
        }
        if self.waiting.fetch_add(size, Ordering::Relaxed) + size > QUEUE_LIMIT {
            self.end(DownReason::TooSlow);
            return;
        }
        if self.frames.send(frame).is_err() {
            self.end(DownReason::Closed);
        }
    }

    /// Ends the link; the first reason counts.
    pub(super) fn end(&self, why: DownReason) {
        self.end.send_if_modified(|reason| {
            let first = reason.is_none();
            if first {
                *reason = Some(why);
            }
            first
        });
    }
}

/// Says hello both ways.
pub(super) async fn greet<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    hello: &Hello,
) -> Result<Hello, DownReason> {
    let both = async {
        let mut first = Vec::new();
        push_frame(&mut first, &hello.encode());
        stream
            .write_all(&first)
            .await
            .map_err(|_| DownReason::Closed)?;
        stream.flush().await.map_err(|_| DownReason::Closed)?;
        let bytes = read_frame(stream, HELLO_LIMIT).await?;
        Hello::decode(&bytes).ok_or(DownReason::NoHello)
    };
    timeout(HELLO_TIME, both)
        .await
        .unwrap_or(Err(DownReason::NoHello))
}

/// Runs a greeted stream as a link. Frames go to `deliver`; the future ends with the link and says why.
pub(super) fn run<S>(
    stream: S,
    deliver: impl AsyncFn(Vec<u8>) + Send + 'static,
) -> (Outgoing, impl Future<Output = DownReason>)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (frames, queue) = mpsc::unbounded_channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    let (end, mut ended) = watch::channel(None);
    let outgoing = Outgoing {
        frames,
        waiting: waiting.clone(),
        end: Arc::new(end),
    };
    let running = async move {
        let (reader, writer) = stream.split();
        let told = async {
            match ended.wait_for(Option::is_some).await {
                Ok(reason) => reason.unwrap_or(DownReason::Closed),
                // All handles are gone: nobody can use this link any more.
                Err(_) => DownReason::Dropped,
            }
        };
        tokio::select! {
            why = read_frames(reader, deliver) => why,
            why = write_frames(writer, queue, waiting) => why,
            why = told => why,
        }
    };
    (outgoing, running)
}

async fn read_frames<R: AsyncRead + Unpin>(
    mut reader: R,
    deliver: impl AsyncFn(Vec<u8>),
) -> DownReason {
    loop {
        match read_frame(&mut reader, FRAME_LIMIT).await {
            Ok(frame) if frame.is_empty() => {}
            // Waiting here is what makes a flooding peer wait.
            Ok(frame) => deliver(frame).await,
            Err(why) => return why,
        }
    }
}

async fn read_frame<R: AsyncRead + Unpin>(
    reader: &mut R,
    limit: usize,
) -> Result<Vec<u8>, DownReason> {
    let mut head = [0u8; 4];
    timeout(SILENCE, reader.read_exact(&mut head))
        .await
        .map_err(|_| DownReason::Silent)?
        .map_err(|_| DownReason::Closed)?;
    let length = u32::from_be_bytes(head) as usize;
    if length > limit {
        return Err(DownReason::Giant);
    }
    let whole = async {
        // Memory is only taken as bytes arrive: a length alone costs nothing.
        let mut frame = Vec::with_capacity(length.min(64 * 1024));
        let mut part = [0u8; 16 * 1024];
        while frame.len() < length {
            let room = (length - frame.len()).min(part.len());
            let space = part.get_mut(..room).unwrap_or_default();
            let got = timeout(SILENCE, reader.read(space))
                .await
                .map_err(|_| DownReason::Silent)?
                .map_err(|_| DownReason::Closed)?;
            if got == 0 {
                return Err(DownReason::Closed);
            }
            frame.extend_from_slice(space.get(..got).unwrap_or_default());
        }
        Ok(frame)
    };
    timeout(FRAME_TIME, whole)
        .await
        .unwrap_or(Err(DownReason::TooSlow))
}

fn push_frame(batch: &mut Vec<u8>, frame: &[u8]) {
    let length = u32::try_from(frame.len()).expect("the queue takes no frame above the limit");
    batch.extend_from_slice(&length.to_be_bytes());
    batch.extend_from_slice(frame);
}

async fn write_frames<W: AsyncWrite + Unpin>(
    mut writer: W,
    mut queue: mpsc::UnboundedReceiver<Vec<u8>>,
    waiting: Arc<AtomicUsize>,
) -> DownReason {
    let mut batch = Vec::new();
    let mut beat = tokio::time::interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let frame = tokio::select! {
            frame = queue.recv() => match frame {
                Some(frame) => frame,
                None => return DownReason::Dropped,
            },
            _ = beat.tick() => Vec::new(),
        };
        // What waits already goes out in the same breath, up to a bound.
        batch.clear();
        waiting.fetch_sub(frame.len(), Ordering::Relaxed);
        push_frame(&mut batch, &frame);
        while batch.len() < BATCH
            && let Ok(frame) = queue.try_recv()
        {
            waiting.fetch_sub(frame.len(), Ordering::Relaxed);
            push_frame(&mut batch, &frame);
        }
        let sent = async {
            writer.write_all(&batch).await?;
            writer.flush().await
        };
        match timeout(FRAME_TIME, sent).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return DownReason::Closed,
            Err(_) => return DownReason::TooSlow,
        }
    }
}

#[cfg(test)]
mod tests;
