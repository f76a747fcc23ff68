//! Entries: one seat's signed bytes within one step.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::{Digest, Identity, LogError, PlayerKey, Signature, TableId, digest};
use crate::game::Seat;

/// The most bytes an entry carries: a shuffle of the largest decks with its proof fits well.
pub const MAX_BODY: usize = 512 * 1024;

/// Which of the table's conversations an entry belongs to. A seat has at most one entry of each lane in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Lane {
    /// A move of the game.
    Game,
    /// A contribution to the sealed decks.
    Deal,
    /// The table itself: somebody comes back or leaves.
    Table,
    /// The vote with this number about the step, should someone be missing. Votes are about a step, not part of it.
    Vote(u8),
}

/// One seat's word in one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The step it is meant for.
    pub step: u64,
    /// The digest of the step before.
    pub prev: Digest,
    /// Whose word.
    pub seat: Seat,
    /// Which conversation.
    pub lane: Lane,
    /// What is said.
    pub body: Vec<u8>,
}

impl Entry {
    /// What is signed: everything, and the table.
    pub fn digest(&self, table: &TableId) -> Digest {
        let (lane, vote) = match self.lane {
            Lane::Game => (0, 0),
            Lane::Deal => (1, 0),
            Lane::Table => (2, 0),
            Lane::Vote(number) => (3, number),
        };
        digest(
            "shamans 1 entry",
            &[
                &table.0,
                &self.step.to_le_bytes(),
                &self.prev.0,
                &[self.seat.0, lane, vote],
                &self.body,
            ],
        )
    }

    /// Signs it.
    pub fn sign(self, table: &TableId, identity: &Identity) -> SignedEntry {
        let signature = identity.sign(&self.digest(table));
        SignedEntry {
            entry: self,
            signature,
        }
    }
}

/// An entry with its signature. Nothing is checked by having one: see [`SignedEntry::check`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedEntry {
    /// The entry.
    pub entry: Entry,
    /// By the key of the entry's seat.
    pub signature: Signature,
}

impl SignedEntry {
    /// Did the seat's key sign this for this table? `key` is the key of the entry's seat.
    pub fn check(&self, table: &TableId, key: Option<&PlayerKey>) -> Result<(), LogError> {
        let seat = self.entry.seat;
        if self.entry.body.len() > MAX_BODY {
            return Err(LogError::TooLarge(seat));
        }
        let key = key.ok_or(LogError::NoKey(seat))?;
        if key.verifies(&self.entry.digest(table), &self.signature) {
            Ok(())
        } else {
            Err(LogError::Signature(seat))
        }
    }
}
