//! Many equations between points, checked as one.
//!
//! Each equation `Σ sᵢPᵢ = 0` is multiplied with a weight of its own that its author could not foresee; the sum is one
//! multiscalar multiplication. Who drives it: every check of a message; on failure of several messages together the
//! caller checks them one by one and so finds the culprit.

use alloc::vec::Vec;

use curve25519_dalek::{
    ristretto::RistrettoPoint,
    scalar::Scalar,
    traits::{IsIdentity, VartimeMultiscalarMul},
};

use super::group::{G, Generators};

/// A secret of this peer (or nothing, for a spectator) that makes its weights unforeseeable.
#[derive(Clone)]
pub(crate) struct WeightKey([u8; 32]);

impl WeightKey {
    pub(crate) fn new(key: [u8; 32]) -> WeightKey {
        WeightKey(key)
    }

    /// Weights for checking `message` in the step `digest` stands for. They hang on the whole message, so even
    /// without a secret nobody can fit a message to them.
    pub(crate) fn batch(&self, digest: &[u8; 32], seat: u8, message: &[u8]) -> Batch {
        let mut hash = blake3::Hasher::new_keyed(&self.0);
        hash.update(b"shamans deal 1 weights");
        hash.update(digest);
        hash.update(&[seat]);
        hash.update(message);
        Batch {
            weights: hash.finalize_xof(),
            base: Scalar::ZERO,
            generators: Vec::new(),
            scalars: Vec::new(),
            points: Vec::new(),
        }
    }
}

impl Drop for WeightKey {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.0);
    }
}

/// Equations waiting to be checked together.
pub(crate) struct Batch {
    weights: blake3::OutputReader,
    base: Scalar,
    generators: Vec<Scalar>,
    scalars: Vec<Scalar>,
    points: Vec<RistrettoPoint>,
}

impl Batch {
    /// The weight of the next equation: 128 bits, not zero.
    pub(crate) fn weight(&mut self) -> Scalar {
        let mut bytes = [0; 16];
        self.weights.fill(&mut bytes);
        Scalar::from(u128::from_le_bytes(bytes) | 1)
    }

    /// Adds `s·P`.
    pub(crate) fn term(&mut self, s: Scalar, point: &RistrettoPoint) {
        self.scalars.push(s);
        self.points.push(*point);
    }

    /// Adds `s·G`.
    pub(crate) fn base(&mut self, s: Scalar) {
        self.base += s;
    }

    /// Adds `Σ sᵢhᵢ`.
    pub(crate) fn generators(&mut self, scalars: impl IntoIterator<Item = Scalar>) {
        let mut rest = Vec::new();
        let mut old = self.generators.iter_mut();
        for s in scalars {
            match old.next() {
                Some(sum) => *sum += s,
                None => rest.push(s),
            }
        }
        self.generators.extend(rest);
    }

    /// Takes over the equations of another batch, which keep their own weights.
    pub(crate) fn append(&mut self, other: Batch) {
        self.base += other.base;
        self.generators(other.generators);
        self.scalars.extend(other.scalars);
        self.points.extend(other.points);
    }

    /// Do all equations hold?
    pub(crate) fn holds(mut self, generators: &Generators) -> bool {
        if self.generators.len() > generators.points().len() {
            return false;
        }
        self.points
            .extend(generators.points().iter().take(self.generators.len()));
        self.scalars.append(&mut self.generators);
        self.scalars.push(self.base);
        self.points.push(G);
        RistrettoPoint::vartime_multiscalar_mul(&self.scalars, &self.points).is_identity()
    }
}
