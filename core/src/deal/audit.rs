//! After the round: every seed is known, and everything that was done is done again from the seeds and compared.
//!
//! The proofs have shown during play that nothing false was done; the audit shows that nothing was done but what the seat
//! had committed to before it saw anything. Driven by whoever wants to know, off the hot path: it changes nothing.

use alloc::{collections::BTreeMap, vec::Vec};

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};

use super::escrow::{Dealing, Escrow};
use super::fault::{DealFault, Misuse, StepKind, Wrong};
use super::group::{Ciphertext, MaskKey, PointBytes, ScalarBytes};
use super::keys::SecretKeys;
use super::plan::{Group, Lock, Pile};
use super::release::{Job, Released, switch_mask};
use super::shuffle::{Before, Moves};
use super::{Deal, Phase};
use crate::game::{Face, Seat, SeatSet, Slot};

/// What was settled and can be done again from a seed.
#[derive(Clone)]
pub(crate) enum Record {
    /// Dealer, message, and the receivers' keys at that time.
    Escrow(Seat, Escrow, BTreeMap<Seat, RistrettoPoint>),
    Mix(MixRecord),
    Release(ReleaseRecord),
}

/// One seat's mixing of the piles under one key.
#[derive(Clone)]
pub(crate) struct MixRecord {
    pub seat: Seat,
    pub serial: u32,
    pub group: Group,
    pub after: Vec<Ciphertext>,
}

/// One seat's releases in one step.
#[derive(Clone)]
pub(crate) struct ReleaseRecord {
    pub seat: Seat,
    pub serial: u32,
    pub away: SeatSet,
    pub locks: Vec<Lock>,
    pub jobs: Vec<Job>,
    pub targets: Vec<MaskKey>,
    pub released: Vec<Released>,
}

/// What the audit says of one seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeatVerdict {
    /// It held no key in this deal: there is nothing to check.
    NoKey,
    /// All it did follows from its seed.
    Audited,
    /// Its seed was never revealed: its proofs hold, and nothing more can be said.
    ProofsOnly,
    /// It did something that does not follow from its seed.
    Differs(DealFault),
}

/// What the audit of a deal says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// For each seat of the table, in order.
    pub seats: Vec<(Seat, SeatVerdict)>,
}

impl Verdict {
    /// Did nobody do anything but what follows from the seeds, as far as they are known?
    pub fn is_fair(&self) -> bool {
        self.differences().next().is_none()
    }

    /// Fair, and no seed is missing.
    pub fn is_complete(&self) -> bool {
        self.seats.iter().all(|(_, verdict)| match verdict {
            SeatVerdict::NoKey | SeatVerdict::Audited => true,
            SeatVerdict::ProofsOnly | SeatVerdict::Differs(_) => false,
        })
    }

    /// Whatever differs.
    pub fn differences(&self) -> impl Iterator<Item = DealFault> {
        self.seats.iter().filter_map(|(_, verdict)| match verdict {
            SeatVerdict::Differs(fault) => Some(*fault),
            SeatVerdict::NoKey | SeatVerdict::Audited | SeatVerdict::ProofsOnly => None,
        })
    }
}

/// An audit that owns what it checks, for whoever runs it apart from the deal: on another thread, or one seat at a time.
#[derive(Clone, Debug)]
pub struct Audit {
    deal: Deal,
    done: Vec<(Seat, SeatVerdict)>,
}

impl Audit {
    /// Checks one more seat. The verdict once all are checked.
    pub fn advance(&mut self) -> Option<Verdict> {
        let seats = SeatSet::first(usize::from(self.deal.context.seats));
        if let Some(seat) = seats.iter().nth(self.done.len()) {
            self.done.push((seat, self.deal.audit_seat(seat)));
        }
        (self.done.len() >= seats.len()).then(|| Verdict {
            seats: self.done.clone(),
        })
    }
}

impl Deal {
    /// [`Deal::audit`] as a job of its own. `Err` before the reveal.
    pub fn begin_audit(&self) -> Result<Audit, Misuse> {
        match self.phase {
            Phase::Revealed => Ok(Audit {
                deal: self.clone(),
                done: Vec::new(),
            }),
            Phase::Fresh | Phase::Dealt => Err(Misuse::NotRevealed),
        }
    }

    /// Does everything again from the revealed seeds and compares. `Err` before the reveal.
    pub fn audit(&self) -> Result<Verdict, Misuse> {
        match self.phase {
            Phase::Revealed => {}
            Phase::Fresh | Phase::Dealt => return Err(Misuse::NotRevealed),
        }
        let seats = SeatSet::first(usize::from(self.context.seats))
            .iter()
            .map(|seat| (seat, self.audit_seat(seat)))
            .collect();
        Ok(Verdict { seats })
    }

    /// The seeds that were revealed: with them anyone sees what their seats saw.
    pub fn revealed_seeds(&self) -> impl Iterator<Item = (Seat, &super::DealSeed)> {
        self.seeds.iter().map(|(seat, seed)| (*seat, seed))
    }

    fn audit_seat(&self, seat: Seat) -> SeatVerdict {
        let Some(public) = self.keys.get(&seat) else {
            return SeatVerdict::NoKey;
        };
        let Some(seed) = self.seeds.get(&seat) else {
            return SeatVerdict::ProofsOnly;
        };
        let differs = |slot, wrong| {
            SeatVerdict::Differs(DealFault {
                culprit: seat,
                step: StepKind::Audit,
                slot,
                wrong,
            })
        };
        let keys = SecretKeys::derive(seed, &self.root);
        let same = RistrettoPoint::mul_base(&keys.deck) == public.deck
            && RistrettoPoint::mul_base(&keys.hand) == public.hand;
        if !same {
            return differs(None, Wrong::KeyNotFromSeed);
        }
        for record in &self.records {
            match record {
                Record::Escrow(dealer, escrow, receivers) if *dealer == seat => {
                    let dealing = Dealing {
                        step: &escrow.step,
                        serial: escrow.serial,
                        dealer: seat,
                    };
                    let to = receivers.keys().copied().collect();
                    let ephemeral = dealing.ephemeral(&self.root, seed);
                    let parts = dealing.parts(&self.root, seed, &keys, to);
                    for ((to, part), (key, line)) in
                        parts.iter().zip(receivers.values().zip(&escrow.shares))
                    {
                        let again = dealing.line(*to, key, &ephemeral, part);
                        let same = again.deck == PointBytes::from(&line.deck)
                            && again.hand == PointBytes::from(&line.hand)
                            && again.masked_deck == ScalarBytes::from(&line.masked_deck)
                            && again.masked_hand == ScalarBytes::from(&line.masked_hand);
                        if !same || escrow.ephemeral != RistrettoPoint::mul_base(&ephemeral) {
                            return differs(None, Wrong::ShareNotFromSeed { to: *to });
                        }
                    }
                }
                Record::Mix(mix) if mix.seat == seat => {
                    let moves = Moves::derive(seed, &self.root, mix.serial, &mix.group.piles);
                    let before = Before {
                        key: &mix.group.key,
                        cards: &mix.group.cards,
                        tags: &mix.group.tags,
                    };
                    let places = mix
                        .group
                        .piles
                        .iter()
                        .flat_map(|pile| pile.slots().map(move |slot| (pile, slot)));
                    let again = before.mix(&moves);
                    for (((pile, slot), again), after) in places.zip(&again).zip(&mix.after) {
                        if again != after {
                            return differs(Some(slot), Wrong::MixNotFromSeed { deck: pile.deck });
                        }
                    }
                }
                Record::Release(release) if release.seat == seat => {
                    if let Some(slot) = self.release_differs(release, seed, &keys) {
                        return differs(Some(slot), Wrong::ReleaseNotFromSeed);
                    }
                }
                Record::Escrow(..) | Record::Mix(_) | Record::Release(_) => {}
            }
        }
        SeatVerdict::Audited
    }

    /// The first slot at which a release is not what the seed gives.
    fn release_differs(
        &self,
        release: &ReleaseRecord,
        seed: &super::DealSeed,
        keys: &SecretKeys,
    ) -> Option<Slot> {
        let share = |dealer: Seat| {
            let escrow = self.escrow.get(&dealer)?;
            escrow.open(dealer, release.seat, &(escrow.ephemeral * keys.hand))
        };
        let part = |lock: &Lock| -> Option<Scalar> {
            match lock {
                Lock::Joint => {
                    let mut part = keys.deck;
                    for gone in release.away.iter() {
                        part += share(gone)?.deck;
                    }
                    Some(part)
                }
                Lock::Hand(holder) if *holder == release.seat => Some(keys.hand),
                Lock::Hand(holder) => Some(share(*holder)?.hand),
            }
        };
        let parts: Vec<Option<Scalar>> = release.locks.iter().map(part).collect();
        for (job, released) in release.jobs.iter().zip(&release.released) {
            let Some(part) = parts.get(job.part).copied().flatten() else {
                return Some(job.slot);
            };
            let target = job.target.and_then(|target| release.targets.get(target));
            let again = match target {
                None => Released::Share(job.a * part),
                Some(target) => {
                    let mask = switch_mask(seed, &self.root, release.serial, job.slot);
                    Released::Switch(
                        RistrettoPoint::mul_base(&mask),
                        target.times(&mask) - job.a * part,
                    )
                }
            };
            if again != *released {
                return Some(job.slot);
            }
        }
        None
    }

    /// The secret keys of every seat: from its seed, or, for one that is gone, from the parts that the others' seeds open.
    fn revealed_keys(&self) -> BTreeMap<Seat, SecretKeys> {
        let mut keys: BTreeMap<Seat, SecretKeys> = self
            .seeds
            .iter()
            .map(|(seat, seed)| (*seat, SecretKeys::derive(seed, &self.root)))
            .collect();
        for (gone, escrow) in &self.escrow {
            if keys.contains_key(gone) {
                continue;
            }
            let mut whole = SecretKeys {
                deck: Scalar::ZERO,
                hand: Scalar::ZERO,
            };
            let complete = escrow.shares.iter().all(|line| {
                let Some(receiver) = self.seeds.get(&line.to) else {
                    return false;
                };
                let hand = SecretKeys::derive(receiver, &self.root).hand;
                let Some(share) = escrow.open(*gone, line.to, &(escrow.ephemeral * hand)) else {
                    return false;
                };
                whole.deck += share.deck;
                whole.hand += share.hand;
                true
            });
            if complete {
                keys.insert(*gone, whole);
            }
        }
        keys
    }

    /// What every slot shows, by slot number.
    pub(super) fn revealed_faces(&self) -> Vec<Option<Face>> {
        let keys = self.revealed_keys();
        let joint: Option<Scalar> = self
            .keyed()
            .iter()
            .map(|seat| keys.get(&seat).map(|keys| keys.deck))
            .sum();
        let mut faces = Vec::new();
        for (slot, place) in &self.slots {
            let secret = match place.lock {
                Lock::Joint => joint,
                Lock::Hand(seat) => keys.get(&seat).map(|keys| keys.hand),
            };
            let face = place.face.or_else(|| {
                let point = place.card.b - place.card.a * secret?;
                self.faces.get(&place.deck)?.find(&point)
            });
            faces.resize(usize::from(slot.0), None);
            faces.push(face);
        }
        faces
    }
}

impl Moves {
    /// A seat's moves in one turn: order and masks of each pile from the seed.
    pub(crate) fn derive(
        seed: &super::DealSeed,
        root: &super::Digest,
        serial: u32,
        piles: &[Pile],
    ) -> Moves {
        let cards = piles.iter().map(|pile| pile.size).sum();
        let mut order = Vec::with_capacity(cards);
        let mut masks = super::group::Secrets(Vec::with_capacity(cards));
        for pile in piles {
            let at = u32::from(pile.first.0);
            let start = order.len();
            order.extend(
                seed.order(root, serial, at, pile.size)
                    .iter()
                    .map(|from| start + from),
            );
            masks
                .0
                .extend(seed.scalars(root, "mask", serial, at, pile.size).iter());
        }
        Moves { order, masks }
    }
}
