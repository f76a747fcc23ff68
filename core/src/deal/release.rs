//! Taking cards from under a key: the key switch, and the share of an opening.
//!
//! Whoever holds a part `k` of the key that locks a card either gives the share `kA` (the card opens to all once every part
//! is there) or re-targets the card to another key `T` with `(uG, uT − kA)`. All that one seat releases in a step, for any
//! number of slots and receivers, is proved at once. Knows key parts, not whose they are.

use alloc::{vec, vec::Vec};

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use rand::CryptoRng;
use serde::{Deserialize, Serialize};

use super::batch::Batch;
use super::fault::Wrong;
use super::group::{MaskKey, PointBytes, Secrets};
use super::linear::{LinearProof, Row, Sum};
use super::seed::DealSeed;
use super::transcript::{Digest, Transcript};
use crate::game::{Seat, Slot};

/// What one seat has to do for one slot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Job {
    pub slot: Slot,
    /// Which of the seat's key parts.
    pub part: usize,
    /// Which of the targets; none: a share for all.
    pub target: Option<usize>,
    /// The first half of the slot's ciphertext.
    pub a: RistrettoPoint,
}

/// All that one seat has to do in a step.
#[derive(Debug, Clone)]
pub(crate) struct Jobs<'a> {
    pub step: &'a Digest,
    pub serial: u32,
    pub seat: Seat,
    pub parts: Vec<RistrettoPoint>,
    pub targets: Vec<MaskKey>,
    pub jobs: Vec<Job>,
}

/// Protocol, "Release": shares and switches, each in the order of their slots in the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReleaseMessage {
    pub shares: Vec<PointBytes>,
    pub switches: Vec<[PointBytes; 2]>,
    pub proof: LinearProof,
}

/// A checked contribution to one slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Released {
    Share(RistrettoPoint),
    Switch(RistrettoPoint, RistrettoPoint),
}

/// The mask of a seat's key switch at one slot.
pub(crate) fn switch_mask(seed: &DealSeed, root: &Digest, serial: u32, slot: Slot) -> Scalar {
    seed.scalar(root, "switch", serial, u32::from(slot.0))
}

impl Jobs<'_> {
    fn statement(&self, message: (&[PointBytes], &[[PointBytes; 2]])) -> Transcript {
        let mut transcript = Transcript::new("release", self.step, self.seat);
        for part in &self.parts {
            transcript.point("part", &PointBytes::from(part));
        }
        for target in &self.targets {
            transcript.point("target", &target.bytes);
        }
        for job in &self.jobs {
            transcript.number("slot", u32::from(job.slot.0));
            transcript.number("by part", job.part as u32);
            transcript.number(
                "to target",
                job.target.map_or(u32::MAX, |target| target as u32),
            );
        }
        for share in message.0 {
            transcript.point("share", share);
        }
        for [u, d] in message.1 {
            transcript.point("u", u);
            transcript.point("d", d);
        }
        transcript
    }

    /// The statement as rows. Each job has a weight of its own: keys and masks are fixed by their points, so one
    /// false contribution makes the weighted sum false.
    fn rows(&self, weights: &[Scalar], released: &[Released]) -> Vec<Row> {
        let parts = self.parts.len();
        let mut rows: Vec<Row> = self
            .parts
            .iter()
            .enumerate()
            .map(|(i, part)| Row {
                image: Sum::Point(*part),
                terms: vec![(i, Sum::G)],
            })
            .collect();
        let mut total = Vec::new();
        let mut masks: Vec<Vec<(Scalar, RistrettoPoint)>> =
            self.targets.iter().map(|_| Vec::new()).collect();
        let mut cards: Vec<Vec<(Scalar, RistrettoPoint)>> =
            self.parts.iter().map(|_| Vec::new()).collect();
        for ((job, weight), released) in self.jobs.iter().zip(weights).zip(released) {
            if let Some(cards) = cards.get_mut(job.part) {
                cards.push((-weight, job.a));
            }
            match released {
                Released::Share(share) => total.push((-weight, *share)),
                Released::Switch(u, d) => {
                    total.push((*weight, *d));
                    if let Some(masks) = job.target.and_then(|target| masks.get_mut(target)) {
                        masks.push((*weight, *u));
                    }
                }
            }
        }
        let mut terms = Vec::with_capacity(parts + masks.len());
        for (t, (masks, target)) in masks.into_iter().zip(&self.targets).enumerate() {
            rows.push(Row {
                image: Sum::Of(masks),
                terms: vec![(parts + t, Sum::G)],
            });
            terms.push((parts + t, Sum::Point(target.point)));
        }
        terms.extend(cards.into_iter().map(Sum::Of).enumerate());
        rows.push(Row {
            image: Sum::Of(total),
            terms,
        });
        rows
    }

    /// Releases with the secret key parts, in the order of `parts`.
    pub(crate) fn message<R: CryptoRng + ?Sized>(
        &self,
        root: &Digest,
        keys: &[Scalar],
        seed: &DealSeed,
        rng: &mut R,
    ) -> ReleaseMessage {
        let mut released = Vec::with_capacity(self.jobs.len());
        let mut shares = Vec::new();
        let mut switches = Vec::new();
        let mut masks = Secrets(Vec::new());
        for job in &self.jobs {
            let share = job.a * keys.get(job.part).expect("one key for each part");
            match job.target.and_then(|target| self.targets.get(target)) {
                None => {
                    shares.push(PointBytes::from(&share));
                    masks.0.push(Scalar::ZERO);
                    released.push(Released::Share(share));
                }
                Some(target) => {
                    let mask = switch_mask(seed, root, self.serial, job.slot);
                    let (u, d) = (RistrettoPoint::mul_base(&mask), target.times(&mask) - share);
                    switches.push([PointBytes::from(&u), PointBytes::from(&d)]);
                    masks.0.push(mask);
                    released.push(Released::Switch(u, d));
                }
            }
        }
        let mut transcript = self.statement((&shares, &switches));
        let weights = transcript.weights("weights", self.jobs.len());
        let mut secrets = Secrets(keys.to_vec());
        for target in 0..self.targets.len() {
            secrets.0.push(
                self.jobs
                    .iter()
                    .zip(masks.iter())
                    .zip(&weights)
                    .filter(|((job, _), _)| job.target == Some(target))
                    .map(|((_, mask), weight)| mask * weight)
                    .sum(),
            );
        }
        let proof = LinearProof::new(
            transcript,
            &self.rows(&weights, &released),
            &secrets,
            seed,
            rng,
        );
        ReleaseMessage {
            shares,
            switches,
            proof,
        }
    }

    /// Checks the form and adds the proof's equations to `batch`; the contributions in the order of the jobs.
    pub(crate) fn verify(
        &self,
        message: &ReleaseMessage,
        batch: &mut Batch,
    ) -> Result<Vec<Released>, Wrong> {
        let (mut shares, mut switches) = (message.shares.iter(), message.switches.iter());
        let mut released = Vec::with_capacity(self.jobs.len());
        for job in &self.jobs {
            released.push(match job.target {
                None => {
                    let share = shares.next().ok_or(Wrong::Malformed)?;
                    Released::Share(share.point().ok_or(Wrong::Encoding)?)
                }
                Some(_) => {
                    let [u, d] = switches.next().ok_or(Wrong::Malformed)?;
                    Released::Switch(
                        u.point().ok_or(Wrong::Encoding)?,
                        d.point().ok_or(Wrong::Encoding)?,
                    )
                }
            });
        }
        if shares.next().is_some() || switches.next().is_some() {
            return Err(Wrong::Malformed);
        }
        let mut transcript = self.statement((&message.shares, &message.switches));
        let weights = transcript.weights("weights", self.jobs.len());
        let secrets = self.parts.len() + self.targets.len();
        message
            .proof
            .verify(transcript, &self.rows(&weights, &released), secrets, batch)
            .ok_or(Wrong::Encoding)?;
        Ok(released)
    }
}
