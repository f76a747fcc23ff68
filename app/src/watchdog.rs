//! Watches the main thread, for tests and for whoever wants numbers: started with `SHAMANS_WATCHDOG=FILE`, the program says when its
//! first frame is on screen and keeps in that file the longest time for which the main thread could not be reached, and the longest
//! from the settling of an own card to the frame that shows it.
//!
//! A thread calls every few milliseconds and waits for the answer. Time that the main thread spent computing in between is told
//! apart from time that a busy machine kept it waiting, and beside it stands how late the calling thread itself was at worst, which
//! has nothing to do but sleep: that much is the machine's. Whoever removes the file begins anew.

use std::{
    cell::Cell,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use gtk::{glib, prelude::*};

const BEAT: Duration = Duration::from_millis(3);

/// The longest way of a settled card to the screen, in microseconds.
static SLOWEST: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// When the card that the next frame shows was settled.
    static PLAYED: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// An own card is about to be shown; it was settled then.
pub fn played(settled: Instant) {
    PLAYED.set(Some(settled));
}

/// Nanoseconds for which the main thread has computed so far, as the kernel counts them.
fn computed() -> Option<u64> {
    let path = format!("/proc/self/task/{}/schedstat", std::process::id());
    let text = fs::read_to_string(path).ok()?;
    text.split_whitespace().next()?.parse().ok()
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
    let (mut waited, mut busy, mut late) = (Duration::ZERO, 0, Duration::ZERO);
    let mut told = Instant::now();
    loop {
        let asleep = Instant::now();
        thread::sleep(BEAT);
        late = late.max(asleep.elapsed().saturating_sub(BEAT));
        let (called, before) = (Instant::now(), computed());
        let answer = answer.clone();
        // The main thread itself looks at the clocks: this thread may be kept waiting too.
        glib::MainContext::default().invoke_with_priority(glib::Priority::HIGH, move || {
            let _ = answer.send((Instant::now(), computed()));
        });
        let Ok((at, now)) = answered.recv() else {
            return;
        };
        let spent = now
            .zip(before)
            .map_or(0, |(now, before)| now.saturating_sub(before));
        waited = waited.max(at.saturating_duration_since(called));
        busy = busy.max(spent);
        if told.elapsed() > Duration::from_millis(200) {
            told = Instant::now();
            if !file.exists() {
                (waited, busy, late) = (Duration::ZERO, 0, Duration::ZERO);
                SLOWEST.store(0, Relaxed);
            }
            let line = format!(
                "{:.1} {:.1} {:.1} {:.1}\n",
                waited.as_secs_f64() * 1e3,
                busy as f64 / 1e6,
                SLOWEST.load(Relaxed) as f64 / 1e3,
                late.as_secs_f64() * 1e3
            );
            if fs::write(file, line).is_err() {
                return;
            }
        }
    }
}

fn tell_frames(window: &impl IsA<gtk::Widget>) {
    window.as_ref().connect_map(|window| {
        if let Some(clock) = window.frame_clock() {
            let told = Cell::new(false);
            clock.connect_after_paint(move |_| {
                if !told.replace(true) {
                    println!("first frame");
                }
                if let Some(settled) = PLAYED.take() {
                    SLOWEST.fetch_max(settled.elapsed().as_micros() as u64, Relaxed);
                }
            });
        }
    });
}
