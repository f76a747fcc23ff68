//! Watches the main thread, for tests and for whoever wants numbers: started with `SHAMANS_WATCHDOG=FILE`, the program says when its
//! first frame is on screen and keeps in that file how long the main thread could not be reached at worst, and the longest way of an
//! own card from its settling to the frame that shows it, in time and in frames.
//!
//! A thread calls every few milliseconds and waits for the answer. Beside the time without an answer stands the time that the main
//! thread computed, which is the client's own, and how late the calling thread was, which has nothing to do but sleep: that much is
//! the machine's. Of the longest blocks it tells what the frame among them took for its parts. Whoever removes the file begins anew.

use std::{
    cell::Cell,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use gtk::{glib, prelude::*};
use rustix::time::{ClockId, clock_gettime};

const BEAT: Duration = Duration::from_millis(3);

/// So many of the longest blocks are told, each with its parts.
const TOLD: usize = 8;

/// So many of the last frames are remembered, for those that a card missed.
const REMEMBERED: usize = 8;

/// The longest way of a settled card to the screen, in microseconds.
static SLOWEST: AtomicU64 = AtomicU64::new(0);

/// The same in frames: those that were begun after its settling, with the one that shows it.
static MOST_FRAMES: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// When the card that the next frame shows was settled.
    static PLAYED: Cell<Option<Instant>> = const { Cell::new(None) };
    static FRAME: Cell<Frame> = const { Cell::new(Frame::NONE) };
    /// When the last frames were begun, the newest first.
    static BEGUN: Cell<[Option<Instant>; REMEMBERED]> = const { Cell::new([None; REMEMBERED]) };
    /// What the main thread had computed when it answered last.
    static ANSWERED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// An own card is about to be shown; it was settled then.
pub fn played(settled: Instant) {
    PLAYED.set(Some(settled));
}

/// For how long this thread has computed so far.
fn computed() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        time.tv_nsec.unsigned_abs() as u32,
    )
}

/// What a frame has computed since it began, after each of its parts.
#[derive(Debug, Clone, Copy)]
struct Frame {
    begun: Duration,
    updated: Duration,
    laid_out: Duration,
    painted: Duration,
}

impl Frame {
    const NONE: Frame = Frame::at(Duration::ZERO);

    /// One that begins then.
    const fn at(begun: Duration) -> Frame {
        Frame {
            begun,
            updated: begun,
            laid_out: begun,
            painted: begun,
        }
    }
}

/// A time in which the main thread could not be reached.
#[derive(Debug, Clone, Copy, Default)]
struct Block {
    waited: Duration,
    computing: Duration,
    /// Of the frame that was drawn meanwhile, if there was one: changing, laying out, painting.
    frame: [Duration; 3],
}

/// The main thread answers a call made then.
fn answer(called: Instant) -> Block {
    let now = computed();
    let frame = FRAME.replace(Frame::NONE);
    Block {
        waited: called.elapsed(),
        computing: now.saturating_sub(ANSWERED.replace(now)),
        frame: [
            frame.updated.saturating_sub(frame.begun),
            frame.laid_out.saturating_sub(frame.updated),
            frame.painted.saturating_sub(frame.laid_out),
        ],
    }
}

/// Begins to watch if the environment asks for it.
pub fn start(window: &impl IsA<gtk::Widget>) {
    let Some(file) = std::env::var_os("SHAMANS_WATCHDOG").map(PathBuf::from) else {
        return;
    };
    tell_frames(window);
    // Without a thread there is nothing to watch with.
    let _ = thread::Builder::new()
        .name("watchdog".into())
        .spawn(move || watch(&file));
}

fn watch(file: &Path) {
    let (answer, answered) = std::sync::mpsc::channel();
    let (mut longest, mut late) = (Longest::default(), Duration::ZERO);
    let mut told = Instant::now();
    loop {
        let asleep = Instant::now();
        thread::sleep(BEAT);
        late = late.max(asleep.elapsed().saturating_sub(BEAT));
        let called = Instant::now();
        let answer = answer.clone();
        // The main thread itself looks at the clocks: this thread may be kept waiting too.
        glib::MainContext::default().invoke_with_priority(glib::Priority::HIGH, move || {
            let _ = answer.send(self::answer(called));
        });
        let Ok(block) = answered.recv() else {
            return;
        };
        longest.keep(block);
        if told.elapsed() > Duration::from_millis(200) {
            told = Instant::now();
            if !file.exists() {
                (longest, late) = (Longest::default(), Duration::ZERO);
                SLOWEST.store(0, Relaxed);
                MOST_FRAMES.store(0, Relaxed);
            }
            if fs::write(file, longest.report(late)).is_err() {
                return;
            }
        }
    }
}

/// The longest blocks so far.
#[derive(Debug, Default)]
struct Longest {
    /// By each measure by itself.
    waited: Duration,
    computing: Duration,
    /// By computing, the longest first.
    blocks: Vec<Block>,
}

impl Longest {
    fn keep(&mut self, block: Block) {
        self.waited = self.waited.max(block.waited);
        self.computing = self.computing.max(block.computing);
        let shorter = |kept: &Block| kept.computing < block.computing;
        let place = self.blocks.iter().position(shorter);
        self.blocks
            .insert(place.unwrap_or(self.blocks.len()), block);
        self.blocks.truncate(TOLD);
    }

    /// Milliseconds. One line of the longest without an answer and computing, the slowest card, also in frames, and the latest call;
    /// then a line for each long block: the same two, and what its frame took for changing, laying out and painting.
    fn report(&self, late: Duration) -> String {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let mut text = format!(
            "{:.1} {:.1} {:.1} {} {:.1}\n",
            ms(self.waited),
            ms(self.computing),
            SLOWEST.load(Relaxed) as f64 / 1e3,
            MOST_FRAMES.load(Relaxed),
            ms(late),
        );
        for block in &self.blocks {
            let [changing, layout, painting] = block.frame.map(ms);
            // A text takes whatever is written to it.
            let _ = writeln!(
                text,
                "{:.1} {:.1} frame {changing:.1} {layout:.1} {painting:.1}",
                ms(block.waited),
                ms(block.computing),
            );
        }
        text
    }
}

fn tell_frames(window: &impl IsA<gtk::Widget>) {
    window.as_ref().connect_map(|window| {
        if let Some(clock) = window.frame_clock() {
            let part = |note: fn(&mut Frame, Duration)| {
                move |_: &gtk::gdk::FrameClock| {
                    let mut frame = FRAME.get();
                    note(&mut frame, computed());
                    FRAME.set(frame);
                }
            };
            clock.connect_before_paint(|_| {
                let mut begun = BEGUN.get();
                begun.rotate_right(1);
                begun[0] = Some(Instant::now());
                BEGUN.set(begun);
            });
            clock.connect_before_paint(part(|frame, at| *frame = Frame::at(at)));
            // Parts may be missing: what comes later has not begun to differ yet.
            clock.connect_update(part(|frame, at| {
                *frame = Frame {
                    begun: frame.begun,
                    ..Frame::at(at)
                }
            }));
            clock.connect_layout(part(|frame, at| {
                frame.laid_out = at;
                frame.painted = at;
            }));
            clock.connect_paint(part(|frame, at| frame.painted = at));
            let told = Cell::new(false);
            clock.connect_after_paint(move |_| {
                if !told.replace(true) {
                    println!("first frame");
                }
                if let Some(settled) = PLAYED.take() {
                    SLOWEST.fetch_max(settled.elapsed().as_micros() as u64, Relaxed);
                    let since = |begun: &&Instant| **begun > settled;
                    let frames = BEGUN.get().iter().flatten().filter(since).count();
                    MOST_FRAMES.fetch_max(frames, Relaxed);
                }
            });
        }
    });
}
