//! A seat's two keys of a deal and the message that publishes them.
//!
//! The deck key locks cards together with everybody else's; the hand key locks what the seat alone may see. Driven by the
//! deal's first step.

use core::fmt;

use alloc::vec;
use alloc::vec::Vec;

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use rand::CryptoRng;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::batch::Batch;
use super::fault::Wrong;
use super::group::PointBytes;
use super::linear::{LinearProof, Row, Sum};
use super::seed::DealSeed;
use super::transcript::{Digest, Transcript};
use crate::game::Seat;

/// The secret keys of one seat.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(crate) struct SecretKeys {
    pub deck: Scalar,
    pub hand: Scalar,
}

impl fmt::Debug for SecretKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKeys(..)")
    }
}

impl SecretKeys {
    pub(crate) fn derive(seed: &DealSeed, root: &Digest) -> SecretKeys {
        SecretKeys {
            deck: seed.scalar(root, "deck key", 0, 0),
            hand: seed.scalar(root, "hand key", 0, 0),
        }
    }
}

/// What a seat has published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PublicKeys {
    pub commitment: [u8; 32],
    pub deck: RistrettoPoint,
    pub hand: RistrettoPoint,
}

/// Protocol, "Keys".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeysMessage {
    pub commitment: [u8; 32],
    pub deck: PointBytes,
    pub hand: PointBytes,
    pub proof: LinearProof,
}

fn statement(
    step: &Digest,
    seat: Seat,
    message: (&[u8; 32], &PointBytes, &PointBytes),
) -> Transcript {
    let mut transcript = Transcript::new("keys", step, seat);
    transcript.bytes("commitment", message.0);
    transcript.point("deck", message.1);
    transcript.point("hand", message.2);
    transcript
}

fn rows(deck: RistrettoPoint, hand: RistrettoPoint) -> Vec<Row> {
    vec![
        Row {
            image: Sum::Point(deck),
            terms: vec![(0, Sum::G)],
        },
        Row {
            image: Sum::Point(hand),
            terms: vec![(1, Sum::G)],
        },
    ]
}

impl KeysMessage {
    pub(crate) fn new<R: CryptoRng + ?Sized>(
        step: &Digest,
        root: &Digest,
        seat: Seat,
        seed: &DealSeed,
        keys: &SecretKeys,
        rng: &mut R,
    ) -> KeysMessage {
        let commitment = seed.commitment(root, seat);
        let deck_point = RistrettoPoint::mul_base(&keys.deck);
        let hand_point = RistrettoPoint::mul_base(&keys.hand);
        let (deck, hand) = (PointBytes::from(&deck_point), PointBytes::from(&hand_point));
        let transcript = statement(step, seat, (&commitment, &deck, &hand));
        let proof = LinearProof::new(
            transcript,
            &rows(deck_point, hand_point),
            &[keys.deck, keys.hand],
            seed,
            rng,
        );
        KeysMessage {
            commitment,
            deck,
            hand,
            proof,
        }
    }

    pub(crate) fn verify(
        &self,
        step: &Digest,
        seat: Seat,
        batch: &mut Batch,
    ) -> Result<PublicKeys, Wrong> {
        let key = |bytes: &PointBytes| match bytes.point() {
            None => Err(Wrong::Encoding),
            Some(_) => bytes.key().ok_or(Wrong::IdentityKey),
        };
        let (deck, hand) = (key(&self.deck)?, key(&self.hand)?);
        let transcript = statement(step, seat, (&self.commitment, &self.deck, &self.hand));
        self.proof
            .verify(transcript, &rows(deck, hand), 2, batch)
            .ok_or(Wrong::Encoding)?;
        Ok(PublicKeys {
            commitment: self.commitment,
            deck,
            hand,
        })
    }
}
