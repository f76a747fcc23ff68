//! Points, scalars, ciphertexts, and the points that faces and commitments stand on.
//!
//! Everything here is public; secrets live in `seed`. No protocol: the steps use these values.

use alloc::{sync::Arc, vec::Vec};
use core::fmt;

use curve25519_dalek::{
    constants::RISTRETTO_BASEPOINT_POINT,
    ristretto::{CompressedRistretto, RistrettoBasepointTable, RistrettoPoint},
    scalar::Scalar,
    traits::{Identity, IsIdentity},
};
use serde::{Deserialize, Serialize};
use zeroize::Zeroize;

use crate::game::{DeckId, Face};

/// The canonical encoding of a point, not yet decoded.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PointBytes(pub [u8; 32]);

/// The canonical encoding of a scalar, not yet decoded. Scalars of messages only: nothing secret.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ScalarBytes(pub [u8; 32]);

impl fmt::Debug for PointBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PointBytes(..)")
    }
}

impl fmt::Debug for ScalarBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ScalarBytes(..)")
    }
}

impl From<&RistrettoPoint> for PointBytes {
    fn from(point: &RistrettoPoint) -> PointBytes {
        PointBytes(point.compress().to_bytes())
    }
}

impl From<&Scalar> for ScalarBytes {
    fn from(scalar: &Scalar) -> ScalarBytes {
        ScalarBytes(scalar.to_bytes())
    }
}

impl PointBytes {
    /// The point, if the encoding is the canonical one.
    pub(crate) fn point(&self) -> Option<RistrettoPoint> {
        CompressedRistretto(self.0).decompress()
    }

    /// The point, if it can be a key: canonical and not the identity.
    pub(crate) fn key(&self) -> Option<RistrettoPoint> {
        self.point().filter(|point| !point.is_identity())
    }
}

impl ScalarBytes {
    /// The scalar, if the encoding is the canonical one.
    pub(crate) fn scalar(&self) -> Option<Scalar> {
        Scalar::from_canonical_bytes(self.0).into_option()
    }
}

/// A masked card: `(rG, M + rK)` for the key `K` that locks it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ciphertext {
    pub a: RistrettoPoint,
    pub b: RistrettoPoint,
}

impl fmt::Debug for Ciphertext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ciphertext(..)")
    }
}

impl Ciphertext {
    /// A face with the mask zero: how every deck begins, the same for everyone.
    pub(crate) fn bare(face: &RistrettoPoint) -> Ciphertext {
        Ciphertext {
            a: RistrettoPoint::identity(),
            b: *face,
        }
    }

    /// The same card under a further mask `r`.
    pub(crate) fn masked(&self, r: &Scalar, key: &MaskKey) -> Ciphertext {
        Ciphertext {
            a: self.a + RistrettoPoint::mul_base(r),
            b: self.b + key.times(r),
        }
    }
}

/// A public key under which cards are masked.
#[derive(Clone)]
pub(crate) struct MaskKey {
    pub point: RistrettoPoint,
    pub bytes: PointBytes,
    table: Option<Arc<RistrettoBasepointTable>>,
}

impl fmt::Debug for MaskKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MaskKey(..)")
    }
}

impl MaskKey {
    pub(crate) fn new(point: RistrettoPoint) -> MaskKey {
        MaskKey {
            bytes: PointBytes::from(&point),
            table: None,
            point,
        }
    }

    /// For a key that whole decks are masked under: a table halves the time of each mask and costs as much as forty.
    pub(crate) fn with_table(point: RistrettoPoint) -> MaskKey {
        MaskKey {
            table: Some(Arc::new(RistrettoBasepointTable::create(&point))),
            ..MaskKey::new(point)
        }
    }

    /// `r` times the key, in constant time.
    pub(crate) fn times(&self, r: &Scalar) -> RistrettoPoint {
        match &self.table {
            Some(table) => &**table * r,
            None => self.point * r,
        }
    }
}

/// A point that nobody knows a logarithm of: 64 bytes of `hash` mapped to the group.
fn hash_to_group(hash: &blake3::Hasher) -> RistrettoPoint {
    let mut wide = [0; 64];
    hash.finalize_xof().fill(&mut wide);
    RistrettoPoint::from_uniform_bytes(&wide)
}

/// The points of a deck's faces.
#[derive(Debug, Clone)]
pub(crate) struct Faces {
    points: Arc<Vec<(RistrettoPoint, PointBytes)>>,
}

impl Faces {
    /// Protocol, "Faces": each face is a hash of game, deck and number, never a multiple of a known point.
    pub(crate) fn new(game: &str, deck: DeckId, size: u16) -> Faces {
        let points = (0..size)
            .map(|face| {
                let mut hash = blake3::Hasher::new_derive_key("shamans deal 1 face");
                hash.update(&(game.len() as u32).to_le_bytes());
                hash.update(game.as_bytes());
                hash.update(&[deck.0]);
                hash.update(&face.to_le_bytes());
                let point = hash_to_group(&hash);
                (point, PointBytes::from(&point))
            })
            .collect();
        Faces {
            points: Arc::new(points),
        }
    }

    /// The faces in order of their number.
    pub(crate) fn points(&self) -> impl Iterator<Item = &RistrettoPoint> {
        self.points.iter().map(|(point, _)| point)
    }

    /// The point of one face.
    pub(crate) fn point(&self, face: Face) -> Option<&RistrettoPoint> {
        self.points.get(usize::from(face.0)).map(|(point, _)| point)
    }

    /// Which face a point is. Looks at all of them, so that time tells nothing of the card.
    pub(crate) fn find(&self, point: &RistrettoPoint) -> Option<Face> {
        let bytes = point.compress().to_bytes();
        let mut found = None;
        for (face, (_, known)) in (0..=u8::MAX).zip(self.points.iter()) {
            let differs = known
                .0
                .iter()
                .zip(&bytes)
                .fold(0, |acc, (a, b)| acc | (a ^ b));
            if differs == 0 {
                found = Some(Face(face));
            }
        }
        found
    }
}

/// The bases of vector commitments `com(v; r) = rG + Σ vᵢhᵢ`.
#[derive(Debug, Clone)]
pub(crate) struct Generators(Arc<Vec<RistrettoPoint>>);

impl Generators {
    /// The first `n`.
    pub(crate) fn new(n: usize) -> Generators {
        let points = (0..n as u32)
            .map(|i| {
                let mut hash = blake3::Hasher::new_derive_key("shamans deal 1 generator");
                hash.update(&i.to_le_bytes());
                hash_to_group(&hash)
            })
            .collect();
        Generators(Arc::new(points))
    }

    pub(crate) fn points(&self) -> &[RistrettoPoint] {
        &self.0
    }
}

/// The base point `G`.
pub(crate) const G: RistrettoPoint = RISTRETTO_BASEPOINT_POINT;

/// Secret scalars that are wiped when they go.
pub(crate) struct Secrets(pub Vec<Scalar>);

impl Drop for Secrets {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl core::ops::Deref for Secrets {
    type Target = [Scalar];
    fn deref(&self) -> &[Scalar] {
        &self.0
    }
}

impl FromIterator<Scalar> for Secrets {
    fn from_iter<I: IntoIterator<Item = Scalar>>(scalars: I) -> Secrets {
        Secrets(scalars.into_iter().collect())
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(..)")
    }
}
