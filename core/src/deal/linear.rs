//! Proofs of knowledge for linear statements between points: Schnorr, Chaum–Pedersen and their sums.
//!
//! A statement is a list of rows, each an image that is a sum of secrets times public bases. Keys, escrow, complaints,
//! key switches, shares and claims are all of this kind. Written here because the crates at hand need `std` or do not
//! let several proofs be checked in one multiplication.

use alloc::vec::Vec;

use curve25519_dalek::{
    ristretto::RistrettoPoint,
    scalar::Scalar,
    traits::{Identity, MultiscalarMul, VartimeMultiscalarMul},
};
use rand::CryptoRng;
use serde::{Deserialize, Serialize};

use super::batch::Batch;
use super::group::{PointBytes, ScalarBytes, Secrets};
use super::seed::DealSeed;
use super::transcript::Transcript;

/// A public point, as a sum that only the verifier's one multiplication works out.
#[derive(Clone)]
pub(crate) enum Sum {
    /// The base point.
    G,
    /// One point.
    Point(RistrettoPoint),
    /// `Σ sᵢPᵢ`.
    Of(Vec<(Scalar, RistrettoPoint)>),
}

impl Sum {
    fn value(&self) -> RistrettoPoint {
        match self {
            Sum::G => super::group::G,
            Sum::Point(point) => *point,
            Sum::Of(terms) => RistrettoPoint::vartime_multiscalar_mul(
                terms.iter().map(|(s, _)| s),
                terms.iter().map(|(_, point)| point),
            ),
        }
    }

    fn add_to(&self, batch: &mut Batch, factor: Scalar) {
        match self {
            Sum::G => batch.base(factor),
            Sum::Point(point) => batch.term(factor, point),
            Sum::Of(terms) => {
                for (s, point) in terms {
                    batch.term(factor * s, point);
                }
            }
        }
    }
}

/// `image = Σ secretᵢ · baseᵢ`, secrets named by their number.
#[derive(Clone)]
pub(crate) struct Row {
    pub image: Sum,
    pub terms: Vec<(usize, Sum)>,
}

/// Announcements, one a row, and answers, one a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LinearProof {
    pub announcements: Vec<PointBytes>,
    pub answers: Vec<ScalarBytes>,
}

impl LinearProof {
    /// Proves the rows. The statement itself must already be in the transcript.
    pub(crate) fn new<R: CryptoRng + ?Sized>(
        mut transcript: Transcript,
        rows: &[Row],
        secrets: &[Scalar],
        seed: &DealSeed,
        rng: &mut R,
    ) -> LinearProof {
        let mut stream = transcript.nonces(seed, rng);
        let nonces: Secrets = secrets.iter().map(|_| stream.scalar()).collect();
        let announcements: Vec<PointBytes> = rows
            .iter()
            .map(|row| {
                let mut sum = RistrettoPoint::identity();
                let mut scalars = Secrets(Vec::new());
                let mut points = Vec::new();
                for (secret, base) in &row.terms {
                    let nonce = nonces
                        .get(*secret)
                        .expect("rows name the secrets there are");
                    match base {
                        Sum::G => sum += RistrettoPoint::mul_base(nonce),
                        Sum::Point(_) | Sum::Of(_) => {
                            scalars.0.push(*nonce);
                            points.push(base.value());
                        }
                    }
                }
                if !points.is_empty() {
                    sum += RistrettoPoint::multiscalar_mul(scalars.iter(), points);
                }
                PointBytes::from(&sum)
            })
            .collect();
        for point in &announcements {
            transcript.point("announcement", point);
        }
        let c = transcript.challenge("c");
        let answers = secrets
            .iter()
            .zip(nonces.iter())
            .map(|(secret, nonce)| ScalarBytes::from(&(nonce + c * secret)))
            .collect();
        LinearProof {
            announcements,
            answers,
        }
    }

    /// Adds the proof's equations to `batch`, or `None` if it is not even of the right form.
    pub(crate) fn verify(
        &self,
        mut transcript: Transcript,
        rows: &[Row],
        secrets: usize,
        batch: &mut Batch,
    ) -> Option<()> {
        if self.announcements.len() != rows.len() || self.answers.len() != secrets {
            return None;
        }
        for point in &self.announcements {
            transcript.point("announcement", point);
        }
        let c = transcript.challenge("c");
        let answers: Vec<Scalar> = self
            .answers
            .iter()
            .map(ScalarBytes::scalar)
            .collect::<Option<_>>()?;
        for (row, announcement) in rows.iter().zip(&self.announcements) {
            // Σ answerᵢ·baseᵢ − c·image − announcement = 0
            let weight = batch.weight();
            batch.term(-weight, &announcement.point()?);
            row.image.add_to(batch, -(weight * c));
            for (secret, base) in &row.terms {
                base.add_to(batch, weight * answers.get(*secret)?);
            }
        }
        Some(())
    }
}
