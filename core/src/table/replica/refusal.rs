//! Why something is refused, and whose wrong it is.

use alloc::string::String;

use crate::deal::{DealError, DealFault, Misuse};
use crate::game::Seat;
use crate::log::LogError;

/// Why an entry or step is refused at its place in the history. All but the last five are provable: anyone with the same history sees the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nobody asked this seat.
    #[error("seat {} was not asked", .0.0)]
    NotAsked(Seat),
    /// The bytes are no move, vote or word.
    #[error("seat {}: the entry cannot be read", .0.0)]
    Garbage(Seat),
    /// Against the rules of the game.
    #[error("seat {seat}: {1}", seat = .0.0)]
    Illegal(Seat, String),
    /// Against the rules of the decks.
    #[error(transparent)]
    Deal(#[from] DealFault),
    /// The game asks something of the decks that they cannot do, or our own bug.
    #[error(transparent)]
    Decks(#[from] Misuse),
    /// A word about the table that does not hold.
    #[error("seat {}: this is not to be said now", .0.0)]
    Table(Seat),
    /// Entries missing, too many, or out of order.
    #[error("step {0} is not put together as it must be")]
    Order(u64),
    /// A signature is missing or wrong.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Signed by too few.
    #[error("step {step}: the signature of seat {} is missing", .seat.0)]
    Unsigned {
        /// Which step.
        step: u64,
        /// Whose signature.
        seat: Seat,
    },
    /// Not the next step, or one of another history.
    #[error("step {0} does not follow here")]
    NotNext(u64),
}

impl Refusal {
    /// Whose wrong it is, if it is one seat's.
    pub fn culprit(&self) -> Option<Seat> {
        match self {
            Refusal::NotAsked(seat)
            | Refusal::Garbage(seat)
            | Refusal::Illegal(seat, _)
            | Refusal::Table(seat)
            | Refusal::Unsigned { seat, .. } => Some(*seat),
            Refusal::Deal(fault) => Some(fault.culprit),
            Refusal::Log(error) => match error {
                LogError::Signature(seat) | LogError::NoKey(seat) | LogError::TooLarge(seat) => {
                    Some(*seat)
                }
                LogError::Key => None,
            },
            Refusal::Decks(_) | Refusal::Order(_) | Refusal::NotNext(_) => None,
        }
    }
}

impl From<DealError> for Refusal {
    fn from(error: DealError) -> Refusal {
        match error {
            DealError::Misuse(misuse) => Refusal::Decks(misuse),
            DealError::Fault(fault) => Refusal::Deal(fault),
        }
    }
}
