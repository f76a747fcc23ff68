//! Evidence: what convinces a third party that a seat broke the protocol.
//!
//! The log proves contradictions by itself. That an entry breaks the rules or carries a false proof can only be seen with the history
//! before it: such evidence is checked with the record ([`crate::record::verify_evidence`]).

use serde::{Deserialize, Serialize};

use super::{Kind, Lane, LogError, PlayerKey, Settle, SignedEntry, TableId};
use crate::game::Seat;

/// Something signed that an honest seat never signs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Evidence {
    /// Two different entries for one place in one step.
    TwoEntries(SignedEntry, SignedEntry),
    /// Two settlements of one step that exclude each other.
    TwoSettlements(Settle, Settle),
    /// A settlement without an entry of its own signer, and that entry: who has signed a step puts nothing more into it.
    Late(Settle, SignedEntry),
    /// An entry that the game, the decks or the table refuse at its place in the history. The culprit is nearly always who signed it;
    /// a justified complaint about a wrong share accuses another.
    Refused {
        /// What is refused.
        entry: SignedEntry,
        /// Whose wrong it is.
        culprit: Seat,
    },
}

/// Why evidence proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EvidenceError {
    /// Not signed by the one it accuses.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The two halves do not contradict each other.
    #[error("the two do not contradict each other")]
    NoContradiction,
    /// The entry is fine at its place.
    #[error("the entry is in order")]
    InOrder,
    /// The record does not reach the entry's step, or has another history.
    #[error("the record does not hold the history of this entry")]
    OtherHistory,
    /// The record itself does not verify.
    #[error("the record does not verify")]
    BadRecord,
}

impl Evidence {
    /// Who is accused.
    pub fn culprit(&self) -> Seat {
        match self {
            Evidence::TwoEntries(signed, _) => signed.entry.seat,
            Evidence::Refused { culprit, .. } => *culprit,
            Evidence::TwoSettlements(settle, _) | Evidence::Late(settle, _) => settle.seat,
        }
    }

    /// Who signed it.
    pub fn signer(&self) -> Seat {
        match self {
            Evidence::TwoEntries(signed, _) | Evidence::Refused { entry: signed, .. } => {
                signed.entry.seat
            }
            Evidence::TwoSettlements(settle, _) | Evidence::Late(settle, _) => settle.seat,
        }
    }

    /// Checks signatures, and for the contradictions all there is to check. `key` is the signer's.
    /// A [`Evidence::Refused`] passes here if it is truly signed: whether it is refused needs the record.
    pub fn check(&self, table: &TableId, key: Option<&PlayerKey>) -> Result<(), EvidenceError> {
        match self {
            Evidence::TwoEntries(a, b) => {
                a.check(table, key)?;
                b.check(table, key)?;
                let same_place = a.entry.seat == b.entry.seat
                    && a.entry.step == b.entry.step
                    && a.entry.lane == b.entry.lane;
                // An entry may be said again after another history was found: only one history makes a contradiction.
                if same_place && a.entry.prev == b.entry.prev && a.entry.body != b.entry.body {
                    Ok(())
                } else {
                    Err(EvidenceError::NoContradiction)
                }
            }
            Evidence::TwoSettlements(a, b) => {
                a.check(table, key)?;
                b.check(table, key)?;
                if a.seat == b.seat && a.step == b.step && !a.mark.compatible(&b.mark, a.seat) {
                    Ok(())
                } else {
                    Err(EvidenceError::NoContradiction)
                }
            }
            Evidence::Late(settle, signed) => {
                settle.check(table, key)?;
                signed.check(table, key)?;
                let entry = &signed.entry;
                let inside = match entry.lane {
                    Lane::Game | Lane::Deal | Lane::Table => true,
                    Lane::Vote(_) => false,
                };
                if settle.seat == entry.seat
                    && settle.step == entry.step
                    && settle.mark.kind == Kind::Play
                    && inside
                    && !settle.mark.shape.contains(entry.lane, entry.seat)
                {
                    Ok(())
                } else {
                    Err(EvidenceError::NoContradiction)
                }
            }
            Evidence::Refused { entry, .. } => Ok(entry.check(table, key)?),
        }
    }
}
