//! What the bytes of entries mean at a table: moves, words about seats, votes.

use alloc::{boxed::Box, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::game::SeatSet;
use crate::log::{Mark, SignedEntry};

/// The body of an entry in the game lane: an action, and the proof of each face it claims, in the order of [`crate::game::Game::claims`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move<A> {
    /// What the seat does.
    pub action: A,
    /// One for each claim.
    pub proofs: Vec<Vec<u8>>,
}

/// The body of an entry in the table lane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum TableWord {
    /// "I am here again": said by a seat that was given up. Part of no step by itself: it takes effect inside [`TableWord::Readmit`].
    Back,
    /// A signing seat passes on such a word.
    Readmit(Box<SignedEntry>),
    /// The seat leaves for good.
    Leave,
}

/// How the others go on without someone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Remedy {
    /// PHA-4: a phantom plays the seat's cards.
    StandIn,
    /// PHA-5: the round counts for nothing and is dealt again, with a phantom in the seat.
    Void,
}

/// How many votes there may be about one step: far more than honest voters ever need.
pub const MAX_VOTES: u8 = 200;

/// The body of an entry in a vote lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// Whom to go on without; nobody is a no.
    pub gone: SeatSet,
    /// How.
    pub remedy: Remedy,
    /// What the voter has signed of the open step so far. It signs nothing else of it until the vote is decided.
    pub signed: Option<Mark>,
}
