//! The record of a game: the whole log in one file that anyone can check again, on another machine, without the players.
//!
//! [`Record::write`] and [`Record::read`] are bytes only; [`verify`] replays every step with the rules and the decks and
//! says whether all was as it should be; [`Replay`] tells the game again, from any seat's eyes. Driven by `shamans-table`,
//! the client and the tests. It reads no file itself.
//!
//! Every byte of a record is signed, derived or checked: there is exactly one file for one log.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::codec::{self, CodecError};
use crate::game::Game;
use crate::log::{Evidence, EvidenceError, Kind, Settled};
use crate::table::{PROTOCOL, Refusal, Replica, SignedGenesis};

mod replay;
mod verify;

pub use replay::{Chapter, Replay, Told, seeds_of};
pub use verify::{DealReport, Finding, Report, verify};

/// The first bytes of every record.
pub const MAGIC: &[u8; 8] = b"SHAMANS\n";
/// The version of the format.
pub const VERSION: u16 = 1;

const HEADER: usize = MAGIC.len() + 2;
const CHECKSUM: usize = 32;

/// A table's genesis and its settled steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Step 0.
    pub genesis: SignedGenesis,
    /// Steps from 1 on.
    pub steps: Vec<Settled>,
}

/// Why a file is no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// It begins with something else.
    #[error("this is not a record of a game")]
    NoRecord,
    /// A newer or unknown version wrote it.
    #[error("the record has version {0}, this program knows {VERSION}")]
    Version(u16),
    /// The table was one of another version of the protocol.
    #[error("the record was made by another version: protocol {0}, this program speaks {PROTOCOL}")]
    Protocol(u16),
    /// Its checksum does not fit: it was damaged or cut off.
    #[error("the record is damaged or cut off: its checksum does not fit")]
    Checksum,
    /// It could be written in another way.
    #[error("the record is not in its canonical form")]
    NotCanonical,
    /// The bytes inside are damaged.
    #[error("the record cannot be read: {0}")]
    Codec(#[from] CodecError),
}

impl Record {
    /// The record of a log. Peers that settled a step with different signatures, because one of them was just being given up,
    /// write the same bytes: only the signatures that count are kept.
    pub fn new(genesis: &SignedGenesis, log: &[Settled]) -> Record {
        let mut steps = log.to_vec();
        for (settled, next) in steps.iter_mut().zip(log.iter().skip(1)) {
            let about_it = next.step.kind == Kind::Absence
                && next
                    .step
                    .entries
                    .iter()
                    .all(|vote| vote.entry.step == settled.step.number);
            if about_it {
                settled.excuses = next.step.entries.clone();
                let voters = settled.excuses.iter().map(|vote| vote.entry.seat);
                let voters: crate::game::SeatSet = voters.collect();
                settled
                    .signatures
                    .retain(|(seat, _)| voters.contains(*seat));
            }
        }
        Record {
            genesis: genesis.clone(),
            steps,
        }
    }

    /// Its one file.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&codec::encode(self));
        bytes.extend_from_slice(&checksum(&bytes));
        bytes
    }

    /// Reads a file. Nothing in it is checked but its form: that is [`verify`].
    pub fn read(bytes: &[u8]) -> Result<Record, RecordError> {
        if bytes.get(..MAGIC.len()) != Some(MAGIC.as_slice()) {
            return Err(RecordError::NoRecord);
        }
        let version = match bytes.get(MAGIC.len()..HEADER) {
            Some(&[low, high]) => u16::from_le_bytes([low, high]),
            _ => return Err(RecordError::NoRecord),
        };
        if version != VERSION {
            return Err(RecordError::Version(version));
        }
        let end = bytes
            .len()
            .checked_sub(CHECKSUM)
            .filter(|&end| end >= HEADER)
            .ok_or(RecordError::Checksum)?;
        let (signed, sum) = bytes.split_at(end);
        if checksum(signed) != *sum {
            return Err(RecordError::Checksum);
        }
        let record: Record = codec::decode(signed.get(HEADER..).unwrap_or_default())?;
        let protocol = record.genesis.genesis.proposal.protocol;
        if protocol != PROTOCOL {
            return Err(RecordError::Protocol(protocol));
        }
        if Record::new(&record.genesis, &record.steps) != record {
            return Err(RecordError::NotCanonical);
        }
        Ok(record)
    }
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    *blake3::hash(bytes).as_bytes()
}

/// Does the evidence prove that its culprit broke the protocol? Contradictions prove themselves; that an entry is refused is seen by
/// replaying the record up to its step.
pub fn verify_evidence<G: Game>(record: &Record, evidence: &Evidence) -> Result<(), EvidenceError> {
    let (mut replica, _) =
        Replica::<G>::new(&record.genesis, None).map_err(|_| EvidenceError::BadRecord)?;
    let table = *replica.table();
    evidence.check(&table, replica.key(evidence.signer()))?;
    match evidence {
        Evidence::TwoEntries(..) | Evidence::TwoSettlements(..) | Evidence::Late(..) => Ok(()),
        Evidence::Refused { entry, culprit } => {
            for settled in &record.steps {
                if replica.number() == entry.entry.step {
                    break;
                }
                replica
                    .accept(settled)
                    .map_err(|_| EvidenceError::BadRecord)?;
            }
            match replica.check_entry(entry) {
                Ok(()) => Err(EvidenceError::InOrder),
                Err(Refusal::NotNext(_)) => Err(EvidenceError::OtherHistory),
                Err(refusal) if refusal.culprit() == Some(*culprit) => Ok(()),
                Err(_) => Err(EvidenceError::NoContradiction),
            }
        }
    }
}
