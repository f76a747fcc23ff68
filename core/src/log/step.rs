//! Steps and their settlement.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::{Digest, Identity, Lane, LogError, PlayerKey, Signature, SignedEntry, TableId, digest};
use crate::game::{Seat, SeatSet};

/// What a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// What the table waited for, with interrupts.
    Play,
    /// The votes by which the others go on without someone.
    Absence,
}

/// Whose entries a step holds, by lane. For an absence step: the voters, under `table`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Shape {
    /// Moves.
    pub game: SeatSet,
    /// Contributions to the decks.
    pub deal: SeatSet,
    /// Words about the table.
    pub table: SeatSet,
}

impl Shape {
    /// The shape of these entries.
    pub fn of<'a>(entries: impl IntoIterator<Item = &'a SignedEntry>) -> Shape {
        let mut shape = Shape::default();
        for signed in entries {
            let seat = signed.entry.seat;
            match signed.entry.lane {
                Lane::Game => shape.game = shape.game.with(seat),
                Lane::Deal => shape.deal = shape.deal.with(seat),
                Lane::Table | Lane::Vote(_) => shape.table = shape.table.with(seat),
            }
        }
        shape
    }

    /// Does it hold the entry of `seat` in `lane`?
    pub fn contains(&self, lane: Lane, seat: Seat) -> bool {
        match lane {
            Lane::Game => self.game.contains(seat),
            Lane::Deal => self.deal.contains(seat),
            Lane::Table | Lane::Vote(_) => self.table.contains(seat),
        }
    }

    /// Is everything of this one in `other`?
    pub fn within(&self, other: &Shape) -> bool {
        self.game.minus(other.game).is_empty()
            && self.deal.minus(other.deal).is_empty()
            && self.table.minus(other.table).is_empty()
    }

    /// Does `seat` have the same entries in both?
    pub fn agree_on(&self, other: &Shape, seat: Seat) -> bool {
        [Lane::Game, Lane::Deal, Lane::Table]
            .into_iter()
            .all(|lane| self.contains(lane, seat) == other.contains(lane, seat))
    }

    fn bytes(&self) -> [u8; 3] {
        [self.game, self.deal, self.table].map(|set| {
            set.iter().fold(0u8, |bits, seat| {
                bits | 1u8.checked_shl(seat.0.into()).unwrap_or(0)
            })
        })
    }
}

/// A step: entries in their one order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Its number; the genesis is 0.
    pub number: u64,
    /// The digest of the step before.
    pub prev: Digest,
    /// What it is.
    pub kind: Kind,
    /// In the order in which they take effect.
    pub entries: Vec<SignedEntry>,
}

impl Step {
    /// The step's digest: what the next step names and every seat signs. Signatures of entries are not part of it.
    pub fn digest(&self, table: &TableId) -> Digest {
        let mut entries = Vec::with_capacity(self.entries.len() * 32);
        for signed in &self.entries {
            entries.extend_from_slice(&signed.entry.digest(table).0);
        }
        digest(
            "shamans 1 step",
            &[
                &table.0,
                &self.number.to_le_bytes(),
                &self.prev.0,
                &[kind_byte(self.kind)],
                &entries,
            ],
        )
    }

    /// What a seat signs to settle it.
    pub fn mark(&self, table: &TableId) -> Mark {
        Mark {
            kind: self.kind,
            shape: Shape::of(&self.entries),
            digest: self.digest(table),
        }
    }
}

const fn kind_byte(kind: Kind) -> u8 {
    match kind {
        Kind::Play => 0,
        Kind::Absence => 1,
    }
}

/// A step as a settlement names it. Kind and shape stand beside the digest so that two marks can be compared without the entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mark {
    /// What the step is.
    pub kind: Kind,
    /// Whose entries it holds.
    pub shape: Shape,
    /// Its digest.
    pub digest: Digest,
}

impl Mark {
    fn signed(&self, table: &TableId, step: u64) -> Digest {
        digest(
            "shamans 1 settle",
            &[
                &table.0,
                &step.to_le_bytes(),
                &[kind_byte(self.kind)],
                &self.shape.bytes(),
                &self.digest.0,
            ],
        )
    }

    /// May an honest `seat` sign both? Only if one of the steps grew into the other by entries of other seats.
    pub fn compatible(&self, other: &Mark, seat: Seat) -> bool {
        if self == other || self.kind != other.kind {
            return true;
        }
        self.kind == Kind::Play
            && self.shape != other.shape
            && (self.shape.within(&other.shape) || other.shape.within(&self.shape))
            && self.shape.agree_on(&other.shape, seat)
    }
}

/// One seat's signature under a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settle {
    /// The step's number.
    pub step: u64,
    /// Who signs.
    pub seat: Seat,
    /// What is signed.
    pub mark: Mark,
    /// By the key of `seat`.
    pub signature: Signature,
}

impl Settle {
    /// Signs a step.
    pub fn sign(table: &TableId, step: u64, seat: Seat, mark: Mark, identity: &Identity) -> Settle {
        Settle {
            step,
            seat,
            mark,
            signature: identity.sign(&mark.signed(table, step)),
        }
    }

    /// Did the seat's key sign this?
    pub fn check(&self, table: &TableId, key: Option<&PlayerKey>) -> Result<(), LogError> {
        let key = key.ok_or(LogError::NoKey(self.seat))?;
        if key.verifies(&self.mark.signed(table, self.step), &self.signature) {
            Ok(())
        } else {
            Err(LogError::Signature(self.seat))
        }
    }
}

/// A step with the signatures that settle it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// The step.
    pub step: Step,
    /// Who signed it, ascending by seat.
    pub signatures: Vec<(Seat, Signature)>,
    /// The votes that excuse missing signatures; empty unless the step was settled while someone was being given up.
    pub excuses: Vec<SignedEntry>,
}

impl Settled {
    /// Who signed it.
    pub fn signers(&self) -> SeatSet {
        self.signatures.iter().map(|&(seat, _)| seat).collect()
    }

    /// The settlement of one seat, as it was sent.
    pub fn settle(&self, table: &TableId, seat: Seat) -> Option<Settle> {
        let &(_, signature) = self.signatures.iter().find(|(by, _)| *by == seat)?;
        Some(Settle {
            step: self.step.number,
            seat,
            mark: self.step.mark(table),
            signature,
        })
    }
}
