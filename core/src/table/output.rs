//! What a table tells its driver.

use alloc::{boxed::Box, vec::Vec};

use super::message::Line;
use super::replica::{Happening, Refusal};
use super::words::Remedy;
use crate::game::{Game, Seat, SeatSet};
use crate::log::Evidence;

/// A request to the driver, or news for its player.
#[derive(Debug, Clone, PartialEq)]
pub enum Output<G: Game> {
    /// Append this to the journal and sync it before doing anything that comes after.
    Persist(Vec<u8>),
    /// Send to one seat.
    Send {
        /// Whom.
        to: Seat,
        /// What.
        bytes: Vec<u8>,
    },
    /// Send to every other person of the table, present or not.
    Broadcast(Vec<u8>),
    /// Send to spectators: a settled step.
    Publish(Vec<u8>),
    /// Something happened in a settled step (0: in the genesis).
    Happened {
        /// Which step.
        step: u64,
        /// What.
        happening: Happening<G>,
    },
    /// A step is settled; everything that happened in it has been said, and [`super::Table::known`] may show more.
    Settled(u64),
    /// News that are not in the log.
    Notice(Notice),
}

/// News beside the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Nothing was heard of a seat for some seconds.
    Reconnecting(Seat),
    /// The seat is heard again.
    Heard(Seat),
    /// The grace time is over: the others may go on without these seats.
    GraceOver(SeatSet),
    /// A seat votes on going on without others; nobody is a no.
    Vote {
        /// Who votes.
        by: Seat,
        /// Without whom.
        gone: SeatSet,
        /// How.
        remedy: Remedy,
    },
    /// The votes differ: nothing is decided.
    VoteFailed,
    /// A seat broke the protocol, provably.
    Fault {
        /// Who.
        culprit: Seat,
        /// The proof.
        evidence: Box<Evidence>,
        /// What is wrong with it, if it is a refused entry.
        refusal: Option<Refusal>,
    },
    /// A seat behaves wrongly in a way that cannot be proved.
    Suspect {
        /// Who.
        seat: Seat,
        /// In what way.
        why: Suspicion,
    },
    /// A line of chat.
    Chat {
        /// Who.
        from: Seat,
        /// What.
        line: Line,
    },
}

/// What makes a seat suspect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suspicion {
    /// Bytes that are no message, or too many of them.
    Garbage,
    /// A signature that does not fit.
    Forged,
    /// It is there but does not do what the table waits for.
    Stalling,
    /// Steps that do not follow from the history.
    FalseHistory,
}

/// Why a player's wish was not carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActError {
    /// Spectators only watch.
    #[error("there is no seat to act from")]
    NotSeated,
    /// The open step is already signed, voted on, or not yet known: try again when it is settled.
    #[error("the step is being settled")]
    Settling,
    /// A move was already made in this step.
    #[error("the move has already been made")]
    AlreadyMoved,
    /// The action shows a card that this seat cannot prove.
    #[error("the card cannot be shown")]
    Unproved,
    /// Against the rules.
    #[error(transparent)]
    Refused(Refusal),
}
