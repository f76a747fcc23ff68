//! Checking a seat's message in full: form, encodings, proofs. What one peer refuses, every peer refuses.

use alloc::vec::Vec;

use super::batch::Batch;
use super::escrow::{Complaining, Complaint};
use super::fault::{DealError, DealFault, Misuse, StepKind, Wrong};
use super::plan::Stage;
use super::seed::DealSeed;
use super::shuffle::Before;
use super::{Checked, Deal, Message, Open};
use crate::codec;
use crate::game::Seat;

impl Deal {
    /// Checks the message of `by` in the open step in full. What is refused here every peer refuses, with the same culprit.
    pub fn check(&mut self, by: Seat, bytes: &[u8]) -> Result<(), DealError> {
        let hash = blake3::hash(bytes);
        let (checked, batch) = self.examine(by, bytes)?;
        if !batch.holds(&self.generators) {
            return Err(self.unproved(by).into());
        }
        if let Some(open) = &mut self.open {
            open.checked.insert(by, (hash, checked));
        }
        Ok(())
    }

    /// The fault of a message of the open step whose equations do not hold.
    pub(super) fn unproved(&self, by: Seat) -> DealFault {
        let step = self.step().unwrap_or(StepKind::Claim);
        let wrong = match step {
            StepKind::Keys | StepKind::Escrow => Wrong::Possession,
            StepKind::Mix => Wrong::Shuffle,
            StepKind::Release => Wrong::Release,
            StepKind::Claim => Wrong::FalseClaim,
            StepKind::Seed | StepKind::Audit => Wrong::Seed,
        };
        DealFault {
            culprit: by,
            step,
            slot: None,
            wrong,
        }
    }

    /// Decodes a message, checks all but its equations, and gathers those.
    pub(super) fn examine(&self, by: Seat, bytes: &[u8]) -> Result<(Checked, Batch), DealError> {
        let open = self.open.as_ref().ok_or(Misuse::Idle)?;
        let fault = |wrong| DealFault {
            culprit: by,
            step: open.stage.kind(),
            slot: None,
            wrong,
        };
        if !self.awaits().contains(by) {
            return Err(fault(Wrong::NotAwaited).into());
        }
        let message: Message = codec::decode(bytes).map_err(|_| fault(Wrong::Malformed))?;
        let mut batch = self.weights.batch(&open.step, by.0, bytes);
        let checked = match (&open.stage, message) {
            (Stage::Keys, Message::Keys(message)) => {
                Checked::Keys(message.verify(&open.step, by, &mut batch).map_err(fault)?)
            }
            (Stage::Escrow, Message::Escrow(message)) => {
                let keys = self.keys.get(&by).ok_or(fault(Wrong::NotAwaited))?;
                let to = self.keyed().without(by);
                let escrow = self
                    .dealing(open, by)
                    .verify(&message, keys, to, &mut batch);
                Checked::Escrow(escrow.map_err(fault)?)
            }
            (Stage::Chain { .. } | Stage::Own { .. }, Message::Mixed(mixed)) => {
                let groups = self.groups(&open.stage, by);
                if groups.len() != mixed.len() {
                    return Err(fault(Wrong::Malformed).into());
                }
                let mut after = Vec::with_capacity(groups.len());
                for (group, mixed) in groups.iter().zip(&mixed) {
                    let before = Before {
                        key: &group.key,
                        cards: &group.cards,
                        tags: &group.tags,
                    };
                    let transcript = group.statement(&open.step, by);
                    let cards = before.verify(transcript, mixed, &mut batch);
                    after.push(cards.ok_or(fault(Wrong::Encoding))?);
                }
                Checked::Mixed(after)
            }
            (
                Stage::Chain { .. } | Stage::Own { .. } | Stage::Release { .. },
                Message::Complaint(complaint),
            ) => {
                return Err(self.judge(open, by, &complaint, batch).into());
            }
            (Stage::Release { tasks }, Message::Release(message)) => {
                let jobs = self.jobs(&open.step, open.serial, by, tasks);
                Checked::Release(jobs.verify(&message, &mut batch).map_err(fault)?)
            }
            (Stage::Seeds, Message::Seed(bytes)) => {
                let seed = DealSeed::from_bytes(bytes);
                let keys = self.keys.get(&by).ok_or(fault(Wrong::NotAwaited))?;
                if seed.commitment(&self.root, by) != keys.commitment {
                    return Err(fault(Wrong::Seed).into());
                }
                Checked::Seed(seed)
            }
            (
                Stage::Keys
                | Stage::Escrow
                | Stage::Chain { .. }
                | Stage::Own { .. }
                | Stage::Release { .. }
                | Stage::Seeds,
                _,
            ) => return Err(fault(Wrong::Malformed).into()),
        };
        Ok((checked, batch))
    }

    /// Who is wrong when `by` complains: the accused if the proved point does not open the committed part, else `by`.
    fn judge(&self, open: &Open, by: Seat, complaint: &Complaint, mut batch: Batch) -> DealFault {
        let against = complaint.against;
        let false_complaint = DealFault {
            culprit: by,
            step: open.stage.kind(),
            slot: None,
            wrong: Wrong::FalseComplaint { against },
        };
        let (Some(keys), Some(escrow)) = (self.keys.get(&by), self.escrow.get(&against)) else {
            return false_complaint;
        };
        let complaining = Complaining {
            step: &open.step,
            by,
            key: &keys.hand,
            escrow,
        };
        let Some(common) = complaining.verify(complaint, &mut batch) else {
            return false_complaint;
        };
        if against == by
            || !batch.holds(&self.generators)
            || escrow.open(against, by, &common).is_some()
        {
            return false_complaint;
        }
        DealFault {
            culprit: against,
            step: StepKind::Escrow,
            slot: None,
            wrong: Wrong::FalseShare { to: by },
        }
    }
}
