//! The proof that a player's program broke the rules, as a file: readable by people, and checked by anyone with
//! `shamans-table verify`. What is proved is in [`Evidence`]; here is who, what and where, around it.

use shamans_core::codec;
use shamans_core::log::{Digest, Evidence, EvidenceError, PlayerKey, TableId};

use crate::identity::PublicId;

/// The first line of such a file.
const HEAD: &str = "shamans-proof 1";
/// Larger is none: two signed words at most.
const MAX_EVIDENCE: usize = 1024 * 1024;

/// A proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// Whom it accuses, by the name they had at the table.
    pub who: String,
    /// The key of whoever signed it.
    pub key: PublicId,
    /// The table it happened at.
    pub table: TableId,
    /// What they did, in words.
    pub what: String,
    /// What was signed.
    pub evidence: Evidence,
}

/// Why a file is no proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoProof {
    /// It is another kind of file.
    #[error("{}", crate::words::tr("this is no file with a proof"))]
    OtherFile,
    /// A line is missing or cannot be read.
    #[error("{}", crate::words::tr("this file with a proof is damaged"))]
    Damaged,
}

/// What a proof is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// It convinces by itself.
    Holds,
    /// The signature is right; whether what was signed was wrong shows only together with the record of that game.
    WithRecord,
}

impl Proof {
    /// Is this the beginning of such a file?
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(HEAD.as_bytes())
    }

    /// The file.
    pub fn write(&self) -> String {
        let hex = |bytes: &[u8]| {
            let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
            digits.collect::<String>()
        };
        // One line each: a name with a line break in it would be another line.
        let line = |text: &str| text.replace(char::is_control, " ");
        format!(
            "{HEAD}\nwho: {}\nwhat: {}\nkey: {}\ntable: {}\nevidence: {}\n",
            line(&self.who),
            line(&self.what),
            self.key.to_hex(),
            hex(&self.table.0),
            hex(&codec::encode(&self.evidence)),
        )
    }

    /// Reads what [`Proof::write`] wrote.
    pub fn read(text: &str) -> Result<Proof, NoProof> {
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return Err(NoProof::OtherFile);
        }
        let mut field = |name: &str| {
            let line = lines.next().ok_or(NoProof::Damaged)?;
            let value = line.strip_prefix(name).and_then(|r| r.strip_prefix(": "));
            value.map(str::to_owned).ok_or(NoProof::Damaged)
        };
        let (who, what) = (field("who")?, field("what")?);
        let key = PublicId::from_hex(&field("key")?).map_err(|_| NoProof::Damaged)?;
        let table = unhex(&field("table")?)?
            .try_into()
            .map_err(|_| NoProof::Damaged)?;
        let bytes = unhex(&field("evidence")?)?;
        if bytes.len() > MAX_EVIDENCE {
            return Err(NoProof::Damaged);
        }
        let evidence = codec::decode(&bytes).map_err(|_| NoProof::Damaged)?;
        Ok(Proof {
            who,
            key,
            table: Digest(table),
            what,
            evidence,
        })
    }

    /// Checks it, as far as that goes without the record of the game.
    pub fn check(&self) -> Result<Worth, EvidenceError> {
        self.evidence
            .check(&self.table, Some(&PlayerKey(self.key.0)))?;
        Ok(match &self.evidence {
            Evidence::TwoEntries(..) | Evidence::TwoSettlements(..) | Evidence::Late(..) => {
                Worth::Holds
            }
            Evidence::Refused { .. } => Worth::WithRecord,
        })
    }
}

/// Bytes from pairs of digits.
fn unhex(text: &str) -> Result<Vec<u8>, NoProof> {
    let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
    let digits = digits.ok_or(NoProof::Damaged)?;
    let bytes = digits.chunks(2).map(|pair| match pair {
        [high, low] => Ok((high << 4 | low) as u8),
        _ => Err(NoProof::Damaged),
    });
    bytes.collect()
}

#[cfg(test)]
mod tests {
    use shamans_core::game::Seat;
    use shamans_core::log::{Entry, Identity, Lane};

    use super::*;

    fn proof() -> Proof {
        let liar = Identity::from_secret(&[7; 32]);
        let table = Digest([9; 32]);
        let entry = |body: &[u8]| {
            let entry = Entry {
                seat: Seat(2),
                step: 5,
                prev: Digest([1; 32]),
                lane: Lane::Game,
                body: body.to_vec(),
            };
            entry.sign(&table, &liar)
        };
        Proof {
            who: "Radka".to_owned(),
            key: PublicId(liar.public().0),
            table,
            what: "two different words for one place, both signed".to_owned(),
            evidence: Evidence::TwoEntries(entry(b"one"), entry(b"other")),
        }
    }

    #[test]
    fn a_proof_is_read_back_and_holds() {
        let text = proof().write();
        assert!(Proof::begins(text.as_bytes()));
        assert!(text.contains("\nwho: Radka\n"), "{text}");
        let read = Proof::read(&text).expect("as it was written");
        assert_eq!(read, proof());
        assert_eq!(read.check(), Ok(Worth::Holds));
    }

    #[test]
    fn nobody_is_accused_by_a_proof_that_was_changed() {
        let other = Proof {
            key: PublicId(Identity::from_secret(&[8; 32]).public().0),
            ..proof()
        };
        assert!(other.check().is_err(), "another's key");
        let elsewhere = Proof {
            table: Digest([3; 32]),
            ..proof()
        };
        assert!(elsewhere.check().is_err(), "another table");
        let text = proof().write();
        for end in 0..text.len() - 1 {
            if let Some(Ok(cut)) = text.get(..end).map(Proof::read) {
                panic!("cut at {end}: {cut:?}");
            }
        }
        assert_eq!(Proof::read("a game"), Err(NoProof::OtherFile));
    }
}
