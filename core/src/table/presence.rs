//! Who is heard, and since when not.

use crate::game::{PerSeat, Seat, SeatSet};

/// After this long without a word a seat is shown as reconnecting, in milliseconds.
pub(super) const RECONNECTING_MS: u64 = 3_000;

#[derive(Clone)]
pub(super) struct Presence {
    /// When each seat was last heard, by me or by someone I hear.
    heard: PerSeat<u64>,
    /// When I last heard it myself.
    directly: PerSeat<u64>,
    silent: SeatSet,
    /// Seats for which the grace time was announced as over.
    pub announced: SeatSet,
}

impl Presence {
    pub fn new(now: u64) -> Presence {
        Presence {
            heard: PerSeat::from_fn(|_| now),
            directly: PerSeat::default(),
            silent: SeatSet::EMPTY,
            announced: SeatSet::EMPTY,
        }
    }

    /// Something came from `seat`. True if it was shown as reconnecting.
    pub fn hear(&mut self, seat: Seat, now: u64) -> bool {
        self.directly[seat] = now;
        self.hear_of(seat, now)
    }

    /// Someone else has just heard `seat`.
    pub fn hear_of(&mut self, seat: Seat, now: u64) -> bool {
        self.heard[seat] = now;
        let was = self.silent.contains(seat);
        self.silent = self.silent.without(seat);
        was
    }

    pub fn silence(&self, seat: Seat, now: u64) -> u64 {
        now.saturating_sub(self.heard[seat])
    }

    /// Seats of `all` that I have heard myself of late.
    pub fn heard_directly(&self, all: SeatSet, now: u64) -> SeatSet {
        all.iter()
            .filter(|&seat| {
                self.directly[seat] > 0
                    && now.saturating_sub(self.directly[seat]) < RECONNECTING_MS / 2
            })
            .collect()
    }

    /// Seats of `all` that have just become silent.
    pub fn newly_silent(&mut self, all: SeatSet, now: u64) -> SeatSet {
        let new: SeatSet = all
            .minus(self.silent)
            .iter()
            .filter(|&seat| self.silence(seat, now) > RECONNECTING_MS)
            .collect();
        self.silent = self.silent.or(new);
        new
    }
}
