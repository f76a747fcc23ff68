//! The signed log: entries, steps, settlement and evidence.
//!
//! It knows bytes, seats, keys and digests; no rules and no decks. What an entry's bytes mean, and which seats a step
//! waits for, is the table's business ([`crate::table`]), which drives all of this.
//!
//! An [`Entry`] is one seat's signed word within one step. A [`Step`] is an ordered set of entries; it is [`Settled`] when every
//! signing seat has put its name under the same step digest. All hashes are blake3 in key-derivation mode under a context
//! of their own, over length-prefixed parts, so no signed thing can be taken for another.

mod entry;
mod evidence;
mod key;
mod step;

pub use entry::{Entry, Lane, MAX_BODY, SignedEntry};
pub use evidence::{Evidence, EvidenceError};
pub use key::{Digest, Identity, PlayerKey, Signature, TableId, digest};
pub use step::{Kind, Mark, Settle, Settled, Shape, Step};

use crate::game::Seat;

/// Why something signed was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LogError {
    /// The signature does not fit the bytes and the seat's key.
    #[error("seat {}: the signature does not fit", .0.0)]
    Signature(Seat),
    /// No person sits there, so nothing can be signed there.
    #[error("seat {}: nobody signs for this seat", .0.0)]
    NoKey(Seat),
    /// The bytes of a public key are no key.
    #[error("these bytes are no public key")]
    Key,
    /// More bytes than an entry may carry.
    #[error("seat {}: the entry is larger than {MAX_BODY} bytes", .0.0)]
    TooLarge(Seat),
}
