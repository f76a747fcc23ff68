//! What a table waits for, and what happens at it.

use super::super::words::Remedy;
use crate::deal::Verdict;
use crate::game::{Game, Seat, SeatSet};

/// What the open step waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    /// Moves of these seats; others may interrupt.
    Game {
        /// Must move.
        awaited: SeatSet,
        /// May move.
        interrupts: SeatSet,
    },
    /// Contributions of these seats to the decks.
    Deal {
        /// Must contribute.
        awaited: SeatSet,
    },
    /// Nothing: the votes are cast, the absence step follows.
    Absence,
    /// Nothing: the game is over.
    Over,
}

/// Something that happened in a settled step.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening<G: Game> {
    /// The game reports.
    Event {
        /// Whose move brought it about; `None` if the decks did.
        by: Option<Seat>,
        /// What.
        event: G::Event,
    },
    /// A move came too late: an interrupt of the same step had made it impossible.
    Overtaken(Seat),
    /// A deal begins.
    DealBegins(u32),
    /// The secrets of the deal are revealed and checked.
    Audited {
        /// Which deal.
        deal: u32,
        /// What the check found.
        verdict: Verdict,
    },
    /// The others go on without these seats.
    Gone {
        /// Whom.
        seats: SeatSet,
        /// How.
        remedy: Remedy,
    },
    /// The player is back.
    Back(Seat),
    /// The player has left for good.
    Left(Seat),
}
