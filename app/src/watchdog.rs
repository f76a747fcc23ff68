//! Watches the main thread, for tests and for whoever wants numbers: started with `SHAMANS_WATCHDOG=FILE`, the program says when its
//! first frame is on screen and keeps in that file the longest time for which the main thread could not be reached.
//!
//! A thread calls every few milliseconds and waits for the answer. Time that the main thread spent computing in between is told
//! apart from time that a busy machine kept it waiting. Whoever removes the file begins anew.

use std::{
    cell::Cell,
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use gtk::{glib, prelude::*};

const BEAT: Duration = Duration::from_millis(3);

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
    tell_first_frame(window);
    // Without a thread there is nothing to watch with.
    let _ = thread::Builder::new()
        .name("watchdog".into())
        .spawn(move || watch(&file));
}

fn watch(file: &Path) {
    let (answer, answered) = std::sync::mpsc::channel();
    let (mut waited, mut busy, mut told) = (Duration::ZERO, 0, Instant::now());
    loop {
        thread::sleep(BEAT);
        let (called, before) = (Instant::now(), computed());
        let answer = answer.clone();
        glib::MainContext::default().invoke_with_priority(glib::Priority::HIGH, move || {
            let _ = answer.send(());
        });
        if answered.recv().is_err() {
            return;
        }
        let spent = computed()
            .zip(before)
            .map_or(0, |(now, before)| now.saturating_sub(before));
        waited = waited.max(called.elapsed());
        busy = busy.max(spent);
        if told.elapsed() > Duration::from_millis(200) {
            told = Instant::now();
            if !file.exists() {
                (waited, busy) = (Duration::ZERO, 0);
            }
            let line = format!(
                "{:.1} {:.1}\n",
                waited.as_secs_f64() * 1e3,
                busy as f64 / 1e6
            );
            if fs::write(file, line).is_err() {
                return;
            }
        }
    }
}

fn tell_first_frame(window: &impl IsA<gtk::Widget>) {
    window.as_ref().connect_map(|window| {
        if let Some(clock) = window.frame_clock() {
            let told = Cell::new(false);
            clock.connect_after_paint(move |_| {
                if !told.replace(true) {
                    println!("first frame");
                }
            });
        }
    });
}
