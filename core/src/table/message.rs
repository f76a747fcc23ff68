//! What peers say to each other, and what a peer writes to its own disk.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::genesis::SignedGenesis;
use crate::game::SeatSet;
use crate::log::{Digest, Evidence, Settle, Settled, Shape, SignedEntry};

/// The largest message a table takes.
pub const MAX_MESSAGE: usize = 1024 * 1024;
/// About how many bytes of settled steps go into one message.
pub const STEPS_BYTES: usize = 192 * 1024;
/// The longest line of chat, in bytes.
pub const MAX_CHAT: usize = 400;

/// Between peers. Entries, settlements and steps are signed and may come from anyone who has them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Message {
    /// An entry of the open step, a vote about it, or a word of a seat that is back.
    Entry(SignedEntry),
    /// A signature under the open step.
    Settle(Settle),
    /// Where I am and what I hold: said regularly, so that what was lost comes again and silence is noticed.
    Status(Status),
    /// Settled steps in order.
    Steps(Vec<Settled>),
    /// Somebody broke the protocol.
    Evidence(Evidence),
    /// A line beside the log.
    Chat(Line),
}

/// What a peer holds of its open step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The number of its open step.
    pub step: u64,
    /// The digest of the step before.
    pub prev: Digest,
    /// Whose entries it holds.
    pub shape: Shape,
    /// The digest of a step made of all of them.
    pub held: Digest,
    /// Who has signed that very step, as far as it knows.
    pub signed: SeatSet,
    /// Whom it has heard itself of late: two peers that do not hear each other learn so that both are there.
    pub heard: SeatSet,
    /// The number of the last vote it knows, and whose votes in it.
    pub votes: Option<(u8, SeatSet)>,
}

/// A line of chat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Line {
    /// Free words.
    Words(String),
    /// A quick phrase by its number: each reads it in their own language.
    Phrase(u16),
}

/// What a peer stores, appended in order. What is stored before a message goes out survives any crash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stored {
    /// The first item.
    Genesis(SignedGenesis),
    /// A settled step.
    Settled(Settled),
    /// An entry or vote of one's own.
    Entry(SignedEntry),
    /// A signature of one's own, with the entries it is under.
    Signed {
        /// The signature.
        settle: Settle,
        /// The entries of the step it settles.
        entries: Vec<SignedEntry>,
    },
    /// Whether words of one's own may be missing above, because an earlier journal was lost.
    Forgetful(bool),
}
