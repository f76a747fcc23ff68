//! Fiat–Shamir transcripts, proof nonces and the weights of batch checks, all from blake3.
//!
//! A transcript starts from the digest of the step, which covers the table, the deal, every request and every message
//! before it; so a proof is worth nothing in any other place.

use alloc::vec::Vec;

use curve25519_dalek::scalar::Scalar;
use rand::CryptoRng;
use zeroize::{Zeroize, Zeroizing};

use super::group::PointBytes;
use super::seed::DealSeed;
use crate::game::Seat;

/// 32 bytes that stand for everything that has happened in a deal.
pub(crate) type Digest = [u8; 32];

/// Hashes labelled items and gives challenges.
#[derive(Clone)]
pub(crate) struct Transcript(blake3::Hasher);

impl Transcript {
    /// For one statement of `seat` in the step or deal that `digest` stands for.
    pub(crate) fn new(statement: &str, digest: &Digest, seat: Seat) -> Transcript {
        let mut transcript =
            Transcript(blake3::Hasher::new_derive_key("shamans deal 1 transcript"));
        transcript.bytes("statement", statement.as_bytes());
        transcript.bytes("step", digest);
        transcript.bytes("seat", &[seat.0]);
        transcript
    }

    /// Protocol, "Transcripts": length and bytes of the label, length and bytes of the item.
    pub(crate) fn bytes(&mut self, label: &str, bytes: &[u8]) {
        self.0.update(&[label.len() as u8]);
        self.0.update(label.as_bytes());
        self.0.update(&(bytes.len() as u32).to_le_bytes());
        self.0.update(bytes);
    }

    pub(crate) fn point(&mut self, label: &str, point: &PointBytes) {
        self.bytes(label, &point.0);
    }

    pub(crate) fn number(&mut self, label: &str, number: u32) {
        self.bytes(label, &number.to_le_bytes());
    }

    /// A scalar that depends on all items before.
    pub(crate) fn challenge(&mut self, label: &str) -> Scalar {
        self.bytes(label, &[]);
        wide_scalar(&mut self.0.finalize_xof())
    }

    /// `n` weights of 128 bits that depend on all items before.
    pub(crate) fn weights(&mut self, label: &str, n: usize) -> Vec<Scalar> {
        self.bytes(label, &[]);
        let mut stream = self.0.finalize_xof();
        (0..n)
            .map(|_| {
                let mut bytes = [0; 16];
                stream.fill(&mut bytes);
                Scalar::from(u128::from_le_bytes(bytes))
            })
            .collect()
    }

    /// Nonces for a proof of this statement: fresh randomness, the prover's seed and the statement together, so that
    /// neither a broken random source nor a resend ever uses one nonce for two challenges.
    pub(crate) fn nonces<R: CryptoRng + ?Sized>(&self, seed: &DealSeed, rng: &mut R) -> Nonces {
        let mut fresh = Zeroizing::new([0; 32]);
        rng.fill_bytes(&mut *fresh);
        let mut hash = blake3::Hasher::new_derive_key("shamans deal 1 nonce");
        hash.update(seed.bytes());
        hash.update(&*fresh);
        hash.update(self.0.finalize().as_bytes());
        let nonces = Nonces(hash.finalize_xof());
        hash.zeroize();
        nonces
    }
}

/// A stream of secret scalars for one proof.
pub(crate) struct Nonces(blake3::OutputReader);

impl Nonces {
    pub(crate) fn scalar(&mut self) -> Scalar {
        wide_scalar(&mut self.0)
    }
}

impl Drop for Nonces {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// 64 bytes of a stream, reduced.
pub(crate) fn wide_scalar(stream: &mut blake3::OutputReader) -> Scalar {
    let mut wide = Zeroizing::new([0; 64]);
    stream.fill(&mut *wide);
    Scalar::from_bytes_mod_order_wide(&wide)
}

/// Hashes the parts, each with its length, under a context of ours.
pub(crate) fn digest(context: &'static str, parts: &[&[u8]]) -> Digest {
    let mut hash = blake3::Hasher::new_derive_key(context);
    for part in parts {
        hash.update(&(part.len() as u32).to_le_bytes());
        hash.update(part);
    }
    *hash.finalize().as_bytes()
}
