//! Opening one's own slot together with an action: the holder says what it shows and proves it.
//!
//! The proof shows that the card minus the claimed face is the holder's hand key times the card's first half, so no
//! share is sent at all. It is bound to the deal, the slot, the card and the face, not to the running digest: claims of
//! one table step may be ordered after they are made.

use alloc::{vec, vec::Vec};

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use rand::CryptoRng;

use super::batch::Batch;
use super::fault::{DealFault, Misuse, StepKind, Wrong};
use super::group::{Ciphertext, PointBytes};
use super::linear::{LinearProof, Row, Sum};
use super::plan::{Lock, Place};
use super::seed::DealSeed;
use super::transcript::{Digest, Transcript};
use super::{Deal, Me};
use crate::codec;
use crate::game::{Claim, DeckId, Face, Seat, Slot};

/// One claim and all that it is about.
pub(crate) struct Claiming<'a> {
    /// The digest when the decks were shuffled.
    pub dealt: &'a Digest,
    pub by: Seat,
    pub claim: Claim,
    pub deck: DeckId,
    pub key: &'a RistrettoPoint,
    pub card: &'a Ciphertext,
    pub face: &'a RistrettoPoint,
}

impl Claiming<'_> {
    fn statement(&self) -> Transcript {
        let mut transcript = Transcript::new("claim", self.dealt, self.by);
        transcript.number("slot", u32::from(self.claim.slot.0));
        transcript.bytes("deck", &[self.deck.0]);
        transcript.bytes("face", &[self.claim.face.0]);
        transcript.point("key", &PointBytes::from(self.key));
        transcript.point("a", &PointBytes::from(&self.card.a));
        transcript.point("b", &PointBytes::from(&self.card.b));
        transcript
    }

    fn rows(&self) -> Vec<Row> {
        vec![
            Row {
                image: Sum::Point(*self.key),
                terms: vec![(0, Sum::G)],
            },
            Row {
                image: Sum::Point(self.card.b - self.face),
                terms: vec![(0, Sum::Point(self.card.a))],
            },
        ]
    }

    pub(crate) fn prove<R: CryptoRng + ?Sized>(
        &self,
        hand: &Scalar,
        seed: &DealSeed,
        rng: &mut R,
    ) -> LinearProof {
        LinearProof::new(self.statement(), &self.rows(), &[*hand], seed, rng)
    }

    pub(crate) fn verify(&self, proof: &LinearProof, batch: &mut Batch) -> Option<()> {
        proof.verify(self.statement(), &self.rows(), 1, batch)
    }
}

impl Deal {
    /// Opens one of our own slots: the claim and its proof, for the log entry of the action that needs it.
    pub fn claim<R: CryptoRng + ?Sized>(
        &self,
        slot: Slot,
        rng: &mut R,
    ) -> Result<(Claim, Vec<u8>), Misuse> {
        let me = self.me.as_ref().ok_or(Misuse::NotHeld(slot))?;
        let place = self.place(slot)?;
        if let Some(face) = place.face {
            return Ok((Claim { slot, face }, Vec::new()));
        }
        if place.lock != Lock::Hand(me.seat) {
            return Err(Misuse::NotHeld(slot));
        }
        let claim = Claim {
            slot,
            face: self.read(me, slot, place)?,
        };
        let claiming = self
            .claiming(me.seat, &claim)
            .map_err(|_| Misuse::NoFace(slot))?;
        let proof = claiming.prove(&me.keys.hand, &me.seed, rng);
        Ok((claim, codec::encode(&proof)))
    }

    /// What lies under our own hand key.
    pub(super) fn read(&self, me: &Me, slot: Slot, place: &Place) -> Result<Face, Misuse> {
        if let Some(face) = self.known.face(slot) {
            return Ok(face);
        }
        let point = place.card.b - place.card.a * me.keys.hand;
        self.faces
            .get(&place.deck)
            .and_then(|faces| faces.find(&point))
            .ok_or(Misuse::NoFace(slot))
    }

    fn claiming(&self, by: Seat, claim: &Claim) -> Result<Claiming<'_>, DealFault> {
        let fault = |wrong| DealFault {
            culprit: by,
            step: StepKind::Claim,
            slot: Some(claim.slot),
            wrong,
        };
        let place = self.slots.get(&claim.slot).ok_or(fault(Wrong::NotHeld))?;
        let key = self.keys.get(&by).ok_or(fault(Wrong::NotHeld))?;
        if place.lock != Lock::Hand(by) {
            return Err(fault(Wrong::NotHeld));
        }
        let face = self
            .faces
            .get(&place.deck)
            .and_then(|faces| faces.point(claim.face))
            .ok_or(fault(Wrong::NoSuchFace))?;
        Ok(Claiming {
            dealt: &self.dealt,
            by,
            claim: *claim,
            deck: place.deck,
            key: &key.hand,
            card: &place.card,
            face,
        })
    }

    /// Checks that the slot is `by`'s and shows what is claimed.
    pub fn check_claim(&mut self, by: Seat, claim: &Claim, proof: &[u8]) -> Result<(), DealFault> {
        self.verify_claim(by, claim, proof)?;
        self.claims.push(claim_hash(by, claim, proof));
        Ok(())
    }

    fn verify_claim(&self, by: Seat, claim: &Claim, proof: &[u8]) -> Result<(), DealFault> {
        let fault = |wrong| DealFault {
            culprit: by,
            step: StepKind::Claim,
            slot: Some(claim.slot),
            wrong,
        };
        if let Some(face) = self.slots.get(&claim.slot).and_then(|place| place.face) {
            return if face == claim.face && proof.is_empty() {
                Ok(())
            } else {
                Err(fault(Wrong::FalseClaim))
            };
        }
        let claiming = self.claiming(by, claim)?;
        let parsed: LinearProof = codec::decode(proof).map_err(|_| fault(Wrong::Malformed))?;
        let mut batch = self.weights.batch(&self.dealt, by.0, proof);
        claiming
            .verify(&parsed, &mut batch)
            .ok_or(fault(Wrong::Encoding))?;
        if batch.holds(&self.generators) {
            Ok(())
        } else {
            Err(fault(Wrong::FalseClaim))
        }
    }

    /// Takes a claim in: the slot lies open to all. Checks it unless [`Deal::check_claim`] just did.
    pub fn open_claim(&mut self, by: Seat, claim: &Claim, proof: &[u8]) -> Result<(), DealFault> {
        let hash = claim_hash(by, claim, proof);
        match self.claims.iter().position(|known| *known == hash) {
            Some(at) => {
                self.claims.swap_remove(at);
            }
            None => self.verify_claim(by, claim, proof)?,
        }
        if let Some(place) = self.slots.get_mut(&claim.slot) {
            place.face = Some(claim.face);
        }
        Ok(())
    }
}

fn claim_hash(by: Seat, claim: &Claim, proof: &[u8]) -> blake3::Hash {
    let mut hash = blake3::Hasher::new();
    hash.update(&[by.0, claim.face.0]);
    hash.update(&claim.slot.0.to_le_bytes());
    hash.update(proof);
    hash.finalize()
}
