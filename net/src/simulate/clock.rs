//! How long a thread really ran: time on a core where the system tells it (Linux), else time passed. On a machine that does other
//! things too, only the first measures the program.

use std::{fs, time::Instant};

/// Started on the thread that it measures.
pub struct CoreClock {
    began: Instant,
    on_core: Option<u64>,
}

impl CoreClock {
    /// Starts.
    pub fn start() -> CoreClock {
        CoreClock {
            began: Instant::now(),
            on_core: nanoseconds(),
        }
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        match (self.on_core, nanoseconds()) {
            (Some(began), Some(now)) if now > began => (now - began) as f64 / 1e9,
            (Some(_) | None, Some(_) | None) => self.began.elapsed().as_secs_f64(),
        }
    }
}

/// This thread's time on a core so far.
fn nanoseconds() -> Option<u64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
