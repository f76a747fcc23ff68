//! The one secret of a seat in a deal, and everything that is derived from it.
//!
//! Revealing the seed after the round fixes every key, permutation and mask; so nothing else that shapes the deal may be
//! random. Proof nonces are not derived here alone: see `transcript`.

use alloc::{string::String, vec::Vec};
use core::fmt;

use curve25519_dalek::scalar::Scalar;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::group::Secrets;
use super::transcript::{Digest, digest, wide_scalar};
use crate::codec;
use crate::game::{MAX_SEATS, Seat, SeatSet};

/// What makes one deal different from every other: all proofs and secrets are bound to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealContext {
    /// The table's id.
    pub table: [u8; 32],
    /// The deal's number at this table; a repeated deal has a number of its own.
    pub number: u32,
    /// How many seats.
    pub seats: u8,
    /// The seats that people hold. The rest are phantoms and have no key.
    pub people: SeatSet,
    /// [`crate::game::Game::NAME`].
    pub game: String,
}

impl DealContext {
    /// The digest that every hash of the deal starts from.
    pub(crate) fn root(&self) -> Digest {
        digest("shamans deal 1 root", &[&codec::encode(self)])
    }

    /// Do the seats fit?
    pub(crate) fn is_sound(&self) -> bool {
        let seats = usize::from(self.seats);
        (1..=MAX_SEATS).contains(&seats)
            && !self.people.is_empty()
            && self.people.minus(SeatSet::first(seats)).is_empty()
    }
}

/// A seat's secret seed for one deal.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct DealSeed([u8; 32]);

impl fmt::Debug for DealSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DealSeed(..)")
    }
}

impl DealSeed {
    /// The seed of the player with this identity key in this deal: who kept the key can come back.
    pub fn derive(identity: &[u8; 32], table: &[u8; 32], number: u32) -> DealSeed {
        let mut hash = blake3::Hasher::new_derive_key("shamans deal 1 seed");
        hash.update(identity);
        hash.update(table);
        hash.update(&number.to_le_bytes());
        let seed = DealSeed(*hash.finalize().as_bytes());
        hash.zeroize();
        seed
    }

    /// A seed from its bytes: tests, vectors and revealed seeds.
    pub fn from_bytes(bytes: [u8; 32]) -> DealSeed {
        DealSeed(bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Protocol, "Keys": what a seat publishes before anything else, so that it cannot choose its seed later.
    pub(crate) fn commitment(&self, root: &Digest, seat: Seat) -> [u8; 32] {
        digest("shamans deal 1 commit", &[root, &[seat.0], &self.0])
    }

    /// The stream of secret bytes for one purpose. `serial` and `at` never repeat for two different statements.
    fn stream(&self, root: &Digest, purpose: &str, serial: u32, at: u32) -> blake3::OutputReader {
        let mut hash = blake3::Hasher::new_derive_key("shamans deal 1 secret");
        hash.update(&self.0);
        hash.update(root);
        hash.update(&[purpose.len() as u8]);
        hash.update(purpose.as_bytes());
        hash.update(&serial.to_le_bytes());
        hash.update(&at.to_le_bytes());
        let stream = hash.finalize_xof();
        hash.zeroize();
        stream
    }

    /// The first secret scalar of a purpose.
    pub(crate) fn scalar(&self, root: &Digest, purpose: &str, serial: u32, at: u32) -> Scalar {
        let mut stream = self.stream(root, purpose, serial, at);
        let scalar = wide_scalar(&mut stream);
        stream.zeroize();
        scalar
    }

    /// The first `n` secret scalars of a purpose.
    pub(crate) fn scalars(
        &self,
        root: &Digest,
        purpose: &str,
        serial: u32,
        at: u32,
        n: usize,
    ) -> Secrets {
        let mut stream = self.stream(root, purpose, serial, at);
        let mut scalars = Secrets(Vec::with_capacity(n));
        for _ in 0..n {
            scalars.0.push(wide_scalar(&mut stream));
        }
        stream.zeroize();
        scalars
    }

    /// A uniform permutation of `0..n` (Fisher–Yates): place `i` takes what lay at `order[i]`.
    pub(crate) fn order(&self, root: &Digest, serial: u32, at: u32, n: usize) -> Order {
        let mut stream = self.stream(root, "order", serial, at);
        let mut order: Vec<u16> = (0..n as u16).collect();
        for i in (1..n).rev() {
            order.swap(i, below(&mut stream, i as u32 + 1) as usize);
        }
        stream.zeroize();
        Order(order)
    }
}

/// A secret permutation.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(crate) struct Order(Vec<u16>);

impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Order(..)")
    }
}

impl Order {
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|&from| usize::from(from))
    }
}

/// A uniform number below `bound`: 4 bytes, little-endian, drawn again while they lie beyond the last whole multiple.
fn below(stream: &mut blake3::OutputReader, bound: u32) -> u32 {
    let whole = u64::from(bound) * ((1 << 32) / u64::from(bound));
    loop {
        let mut bytes = [0; 4];
        stream.fill(&mut bytes);
        let number = u32::from_le_bytes(bytes);
        if u64::from(number) < whole {
            return number % bound;
        }
    }
}
