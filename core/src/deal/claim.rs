//! Opening one's own slot together with an action: the holder says what it shows and proves it.
//!
//! The proof shows that the card minus the claimed face is the holder's hand key times the card's first half, so no
//! share is sent at all. It is bound to the deal, the slot, the card and the face, not to the running digest: claims of
//! one table step may be ordered after they are made.

use alloc::{vec, vec::Vec};

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use rand::CryptoRng;

use super::batch::Batch;
use super::group::{Ciphertext, PointBytes};
use super::linear::{LinearProof, Row, Sum};
use super::seed::DealSeed;
use super::transcript::{Digest, Transcript};
use crate::game::{Claim, DeckId, Seat};

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
