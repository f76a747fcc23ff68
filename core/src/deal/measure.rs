//! The bare arithmetic under a deal, for a bench to compare whole steps with. No part of the protocol.

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};

use super::fault::Misuse;
use super::group::G;
use super::shuffle::{Before, Moves};
use super::{Deal, Digest};

impl Deal {
    /// Permutes and masks the cards of this peer's turn, without proof and without sending: a byte that hangs on all of
    /// it, so that no compiler leaves the work out.
    pub fn mask_alone(&self) -> Result<u8, Misuse> {
        let open = self.open.as_ref().ok_or(Misuse::Idle)?;
        let me = self.me.as_ref().ok_or(Misuse::NotAwaited)?;
        let mut sum = RistrettoPoint::default();
        for group in self.groups(&open.stage, me.seat) {
            let moves = Moves::derive(&me.seed, &self.root, open.serial, &group.piles);
            let before = Before {
                key: &group.key,
                cards: &group.cards,
                tags: &group.tags,
            };
            for card in before.mix(&moves) {
                sum += card.a + card.b;
            }
        }
        Ok(first_byte(&sum))
    }
}

/// Multiplies a point by a scalar `times` times, in constant time, each product the next one's point.
pub fn multiply(times: u32, seed: Digest) -> u8 {
    let scalar = Scalar::from_bytes_mod_order(seed);
    let mut point = G;
    for _ in 0..times {
        point *= scalar;
    }
    first_byte(&point)
}

fn first_byte(point: &RistrettoPoint) -> u8 {
    point
        .compress()
        .to_bytes()
        .first()
        .copied()
        .unwrap_or_default()
}
