//! Links over a pipe.

use std::sync::{Arc, Mutex};

use tokio::io::DuplexStream;
use tokio_util::compat::{Compat, TokioAsyncReadCompatExt};

use super::*;

fn pipe() -> (Compat<DuplexStream>, Compat<DuplexStream>) {
    let (near, far) = tokio::io::duplex(256 * 1024);
    (near.compat(), far.compat())
}

fn hello(name: &str) -> Hello {
    Hello {
        protocol: 1,
        program: "0".to_owned(),
        name: name.to_owned(),
        port: 1,
    }
}

/// A link on the near end that keeps what it hears.
fn listen(
    near: Compat<DuplexStream>,
) -> (
    Outgoing,
    impl Future<Output = DownReason>,
    Arc<Mutex<Vec<usize>>>,
) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let keep = heard.clone();
    let (outgoing, running) = run(near, async move |frame: Vec<u8>| {
        keep.lock().expect("no panic while held").push(frame.len());
    });
    (outgoing, running, heard)
}

#[tokio::test]
async fn silence_ends_a_link_and_not_too_early() {
    let (near, _far) = pipe();
    let (_outgoing, running, _) = listen(near);
    let start = tokio::time::Instant::now();
    assert_eq!(running.await, DownReason::Silent);
    assert!(start.elapsed() >= SILENCE);
}

#[tokio::test]
async fn a_giant_length_costs_nothing_and_ends_the_link() {
    let (near, mut far) = pipe();
    let (_outgoing, running, heard) = listen(near);
    far.write_all(&u32::MAX.to_be_bytes()).await.expect("room");
    assert_eq!(running.await, DownReason::Giant);
    assert!(heard.lock().expect("no panic while held").is_empty());
}

#[tokio::test]
async fn heartbeats_keep_two_ends_alive_and_are_not_delivered() {
    let (near, far) = pipe();
    let (here, running, heard) = listen(near);
    let (_there, other, _) = listen(far);
    let long = tokio::time::sleep(SILENCE + 2 * BEAT);
    tokio::select! {
        why = running => panic!("ended: {why}"),
        why = other => panic!("ended: {why}"),
        () = long => {}
    }
    assert!(heard.lock().expect("no panic while held").is_empty());
    here.end(DownReason::Dropped);
}

#[tokio::test]
async fn who_says_nothing_or_nonsense_is_not_greeted() {
    let (eva, jan) = (hello("Eva"), hello("Jan"));
    let (mut near, _far) = pipe();
    assert_eq!(greet(&mut near, &eva).await, Err(DownReason::Silent));
    for name in ["", "a\u{202e}b", "  Eva"] {
        let (mut near, mut far) = pipe();
        let odd = hello(name);
        let (ours, _theirs) = tokio::join!(greet(&mut near, &eva), greet(&mut far, &odd));
        assert_eq!(ours, Err(DownReason::NoHello), "{name:?}");
    }
    let (mut near, mut far) = pipe();
    let (ours, theirs) = tokio::join!(greet(&mut near, &eva), greet(&mut far, &jan));
    assert_eq!((ours, theirs), (Ok(jan), Ok(eva)));
}
