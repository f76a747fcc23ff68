//! Threads for work beside the main thread: dealing, checking, drawing pictures, the network. They give way to it, so that the
//! window answers even where they have all processors busy.

use std::{
    io,
    thread::{Builder, JoinHandle},
};

use rustix::process::{getpriority_process, setpriority_process};

/// How much they give way: on the system's scale a tenth of the main thread's share, and all that nobody else wants.
const NICE: i32 = 10;

/// Starts `work` in a thread of that name.
pub fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    Builder::new().name(name.to_owned()).spawn(|| {
        give_way();
        work();
    })
}

/// This thread gives way from now on. Where the system refuses, all goes on as it was.
pub fn give_way() {
    // Nobody's number means the thread that asks, and no other of the program's. Whoever gives way more already goes on so.
    if getpriority_process(None).is_ok_and(|now| now < NICE) {
        let _ = setpriority_process(None, NICE);
    }
}
