//! A seat's keys shared out among the others, so that a round survives the loss of one player.
//!
//! Every one of the others is needed, so the sharing is additive: the parts sum to the key, and the commitments to the parts
//! sum to the public key. A part travels masked to its receiver; one that is wrong is shown to all by a complaint, which
//! opens that one mask and nothing else. Not here: using the parts (see `release`).

use alloc::{vec, vec::Vec};
use core::fmt;

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use rand::CryptoRng;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::batch::Batch;
use super::fault::Wrong;
use super::group::{PointBytes, ScalarBytes};
use super::keys::{PublicKeys, SecretKeys};
use super::linear::{LinearProof, Row, Sum};
use super::seed::DealSeed;
use super::transcript::{Digest, Transcript, wide_scalar};
use crate::game::{Seat, SeatSet};

/// A part of another seat's keys that this seat holds.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub(crate) struct Share {
    pub deck: Scalar,
    pub hand: Scalar,
}

impl fmt::Debug for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Share(..)")
    }
}

/// One receiver's line of an escrow message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ShareLine {
    /// Commitments to the parts.
    pub deck: PointBytes,
    pub hand: PointBytes,
    /// The parts under the receiver's mask.
    pub masked_deck: ScalarBytes,
    pub masked_hand: ScalarBytes,
}

/// Protocol, "Escrow": one line for each other seat with keys, in ascending order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EscrowMessage {
    pub ephemeral: PointBytes,
    pub lines: Vec<ShareLine>,
    pub proof: LinearProof,
}

/// A checked line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PublicShare {
    pub to: Seat,
    pub deck: RistrettoPoint,
    pub hand: RistrettoPoint,
    pub masked_deck: Scalar,
    pub masked_hand: Scalar,
}

/// A checked escrow message. Whether the masked parts are right only their receivers can see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Escrow {
    pub step: Digest,
    pub serial: u32,
    pub ephemeral: RistrettoPoint,
    pub shares: Vec<PublicShare>,
}

/// Where an escrow happens.
#[derive(Clone, Copy)]
pub(crate) struct Dealing<'a> {
    pub step: &'a Digest,
    pub serial: u32,
    pub dealer: Seat,
}

impl Dealing<'_> {
    fn statement(&self, ephemeral: &PointBytes, lines: &[ShareLine]) -> Transcript {
        let mut transcript = Transcript::new("escrow", self.step, self.dealer);
        transcript.point("ephemeral", ephemeral);
        for line in lines {
            transcript.point("deck", &line.deck);
            transcript.point("hand", &line.hand);
            transcript.bytes("masked deck", &line.masked_deck.0);
            transcript.bytes("masked hand", &line.masked_hand.0);
        }
        transcript
    }

    /// The two masks for a receiver, from the point that only dealer and receiver can compute.
    fn masks(&self, to: Seat, ephemeral: &RistrettoPoint, common: &RistrettoPoint) -> Share {
        let mut hash = blake3::Hasher::new_derive_key("shamans deal 1 escrow");
        hash.update(self.step);
        hash.update(&[self.dealer.0, to.0]);
        hash.update(&PointBytes::from(ephemeral).0);
        hash.update(&PointBytes::from(common).0);
        let mut stream = hash.finalize_xof();
        let share = Share {
            deck: wide_scalar(&mut stream),
            hand: wide_scalar(&mut stream),
        };
        stream.zeroize();
        hash.zeroize();
        share
    }

    /// The parts for each receiver: derived from the seed, the last one what is left of the key.
    pub(crate) fn parts(
        &self,
        root: &Digest,
        seed: &DealSeed,
        keys: &SecretKeys,
        to: SeatSet,
    ) -> Vec<(Seat, Share)> {
        let mut rest = keys.clone();
        let mut parts = Vec::new();
        let last = to.iter().last();
        for seat in to.iter() {
            let share = if Some(seat) == last {
                Share {
                    deck: rest.deck,
                    hand: rest.hand,
                }
            } else {
                Share {
                    deck: seed.scalar(root, "deck part", self.serial, u32::from(seat.0)),
                    hand: seed.scalar(root, "hand part", self.serial, u32::from(seat.0)),
                }
            };
            rest.deck -= share.deck;
            rest.hand -= share.hand;
            parts.push((seat, share));
        }
        parts
    }

    /// The ephemeral secret of the message.
    pub(crate) fn ephemeral(&self, root: &Digest, seed: &DealSeed) -> Scalar {
        seed.scalar(root, "ephemeral", self.serial, 0)
    }

    /// One receiver's line.
    pub(crate) fn line(
        &self,
        to: Seat,
        key: &RistrettoPoint,
        ephemeral: &Scalar,
        share: &Share,
    ) -> ShareLine {
        let masks = self.masks(to, &RistrettoPoint::mul_base(ephemeral), &(key * ephemeral));
        ShareLine {
            deck: PointBytes::from(&RistrettoPoint::mul_base(&share.deck)),
            hand: PointBytes::from(&RistrettoPoint::mul_base(&share.hand)),
            masked_deck: ScalarBytes::from(&(share.deck + masks.deck)),
            masked_hand: ScalarBytes::from(&(share.hand + masks.hand)),
        }
    }

    pub(crate) fn message<R: CryptoRng + ?Sized>(
        &self,
        root: &Digest,
        seed: &DealSeed,
        keys: &SecretKeys,
        to: &[(Seat, RistrettoPoint)],
        rng: &mut R,
    ) -> EscrowMessage {
        let mut secret = self.ephemeral(root, seed);
        let receivers: SeatSet = to.iter().map(|(seat, _)| *seat).collect();
        let lines: Vec<ShareLine> = self
            .parts(root, seed, keys, receivers)
            .iter()
            .zip(to)
            .map(|((seat, share), (_, key))| self.line(*seat, key, &secret, share))
            .collect();
        let point = RistrettoPoint::mul_base(&secret);
        let ephemeral = PointBytes::from(&point);
        let proof = LinearProof::new(
            self.statement(&ephemeral, &lines),
            &knows(point),
            &[secret],
            seed,
            rng,
        );
        secret.zeroize();
        EscrowMessage {
            ephemeral,
            lines,
            proof,
        }
    }

    /// Checks all that is public of it.
    pub(crate) fn verify(
        &self,
        message: &EscrowMessage,
        keys: &PublicKeys,
        to: SeatSet,
        batch: &mut Batch,
    ) -> Result<Escrow, Wrong> {
        if message.lines.len() != to.len() {
            return Err(Wrong::Malformed);
        }
        let ephemeral = message.ephemeral.key().ok_or(Wrong::Encoding)?;
        let mut shares = Vec::with_capacity(to.len());
        for (to, line) in to.iter().zip(&message.lines) {
            shares.push(PublicShare {
                to,
                deck: line.deck.point().ok_or(Wrong::Encoding)?,
                hand: line.hand.point().ok_or(Wrong::Encoding)?,
                masked_deck: line.masked_deck.scalar().ok_or(Wrong::Encoding)?,
                masked_hand: line.masked_hand.scalar().ok_or(Wrong::Encoding)?,
            });
        }
        let deck: RistrettoPoint = shares.iter().map(|share| share.deck).sum();
        let hand: RistrettoPoint = shares.iter().map(|share| share.hand).sum();
        if deck != keys.deck || hand != keys.hand {
            return Err(Wrong::EscrowSum);
        }
        // Knowing the ephemeral secret keeps a dealer from copying another's, which a complaint would then open.
        message
            .proof
            .verify(
                self.statement(&message.ephemeral, &message.lines),
                &knows(ephemeral),
                1,
                batch,
            )
            .ok_or(Wrong::Encoding)?;
        Ok(Escrow {
            step: *self.step,
            serial: self.serial,
            ephemeral,
            shares,
        })
    }
}

fn knows(point: RistrettoPoint) -> Vec<Row> {
    vec![Row {
        image: Sum::Point(point),
        terms: vec![(0, Sum::G)],
    }]
}

impl Escrow {
    /// The line of `to`.
    pub(crate) fn share(&self, to: Seat) -> Option<&PublicShare> {
        self.shares.iter().find(|share| share.to == to)
    }

    /// Takes the mask off with the point that dealer and receiver have in common; `None` if the part is not the
    /// committed one.
    pub(crate) fn open(&self, dealer: Seat, to: Seat, common: &RistrettoPoint) -> Option<Share> {
        let line = self.share(to)?;
        let dealing = Dealing {
            step: &self.step,
            serial: self.serial,
            dealer,
        };
        let masks = dealing.masks(to, &self.ephemeral, common);
        let share = Share {
            deck: line.masked_deck - masks.deck,
            hand: line.masked_hand - masks.hand,
        };
        let right = RistrettoPoint::mul_base(&share.deck) == line.deck
            && RistrettoPoint::mul_base(&share.hand) == line.hand;
        right.then_some(share)
    }
}

/// Protocol, "Complaint": the receiver shows the common point of one line, with proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Complaint {
    pub against: Seat,
    pub common: PointBytes,
    pub proof: LinearProof,
}

/// Who complains, and where.
pub(crate) struct Complaining<'a> {
    pub step: &'a Digest,
    pub by: Seat,
    pub key: &'a RistrettoPoint,
    pub escrow: &'a Escrow,
}

impl Complaining<'_> {
    fn statement(&self, against: Seat, common: &PointBytes) -> Transcript {
        let mut transcript = Transcript::new("complaint", self.step, self.by);
        transcript.bytes("against", &[against.0]);
        transcript.bytes("escrow step", &self.escrow.step);
        transcript.point("ephemeral", &PointBytes::from(&self.escrow.ephemeral));
        transcript.point("common", common);
        transcript
    }

    fn rows(&self, common: RistrettoPoint) -> Vec<Row> {
        vec![
            Row {
                image: Sum::Point(*self.key),
                terms: vec![(0, Sum::G)],
            },
            Row {
                image: Sum::Point(common),
                terms: vec![(0, Sum::Point(self.escrow.ephemeral))],
            },
        ]
    }

    pub(crate) fn message<R: CryptoRng + ?Sized>(
        &self,
        against: Seat,
        hand: &Scalar,
        seed: &DealSeed,
        rng: &mut R,
    ) -> Complaint {
        let point = self.escrow.ephemeral * hand;
        let common = PointBytes::from(&point);
        let proof = LinearProof::new(
            self.statement(against, &common),
            &self.rows(point),
            &[*hand],
            seed,
            rng,
        );
        Complaint {
            against,
            common,
            proof,
        }
    }

    /// Adds the proof's equations to `batch`; the common point that it is about.
    pub(crate) fn verify(
        &self,
        complaint: &Complaint,
        batch: &mut Batch,
    ) -> Option<RistrettoPoint> {
        let common = complaint.common.point()?;
        complaint.proof.verify(
            self.statement(complaint.against, &complaint.common),
            &self.rows(common),
            1,
            batch,
        )?;
        Some(common)
    }
}
