//! Permuting and re-masking, with a proof that nothing else was done.
//!
//! The proof is Bayer and Groth's ("Efficient zero-knowledge argument for correctness of a shuffle", 2012) with one row:
//! a commitment to the permutation, one to the permuted powers of a challenge, a product argument that the two belong
//! together, and a multi-exponentiation argument that the outputs are re-masked inputs in that order. Against Terelius
//! and Wikström's it needs no chain of commitments: 3 instead of 5 values a card on the wire, 5 instead of 8 points a card
//! to check, and the prover works in 8 large multiplications. All piles under one key go through a single proof; a public
//! tag on every place keeps the cards of one pile in it. Knows ciphertexts, not who holds them.

use alloc::vec::Vec;

use curve25519_dalek::{
    ristretto::RistrettoPoint,
    scalar::Scalar,
    traits::{Identity, MultiscalarMul},
};
use rand::CryptoRng;
use serde::{Deserialize, Serialize};
use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroize;

use super::batch::Batch;
use super::group::{Ciphertext, Generators, MaskKey, PointBytes, ScalarBytes, Secrets};
use super::seed::DealSeed;
use super::transcript::Transcript;

/// What a seat sends for the piles under one key: the masked cards, and the proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mixed {
    pub cards: Vec<[PointBytes; 2]>,
    pub proof: ShuffleProof,
}

/// Protocol, "Proof of shuffle".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ShuffleProof {
    /// Commitment to the permutation.
    pub order: PointBytes,
    /// Commitment to the permuted powers.
    pub powers: PointBytes,
    /// The product argument's three commitments.
    pub blind: PointBytes,
    pub low: PointBytes,
    pub high: PointBytes,
    /// The multi-exponentiation argument's commitment and ciphertext.
    pub mask: PointBytes,
    pub sum: [PointBytes; 2],
    /// Answers.
    pub factors: Vec<ScalarBytes>,
    pub factors_blind: ScalarBytes,
    pub products: Vec<ScalarBytes>,
    pub products_blind: ScalarBytes,
    pub exponents: Vec<ScalarBytes>,
    pub exponents_blind: ScalarBytes,
    pub remask: ScalarBytes,
}

/// The public side of one shuffle: the cards before it and how they lie in piles.
pub(crate) struct Before<'a> {
    pub key: &'a MaskKey,
    pub cards: &'a [Ciphertext],
    /// One tag for each place: the number of its pile.
    pub tags: &'a [u32],
}

/// The secret side: place `i` takes `cards[order[i]]` under the further mask `masks[i]`.
pub(crate) struct Moves {
    pub order: Vec<usize>,
    pub masks: Secrets,
}

impl Drop for Moves {
    fn drop(&mut self) {
        self.order.zeroize();
    }
}

/// The part of a shuffle that does not hang on the cards, so that a seat can do it while others have their turn. Made
/// from the moves alone: using it twice tells nothing. As secret as the moves.
#[derive(Clone)]
pub(crate) struct Prepared {
    /// Each place's mask times base point and key.
    masks: Vec<[RistrettoPoint; 2]>,
    /// The commitment to the order, yet without blind.
    order: RistrettoPoint,
}

impl Prepared {
    pub(crate) fn new(key: &MaskKey, moves: &Moves, generators: &Generators) -> Prepared {
        Prepared {
            masks: moves
                .masks
                .iter()
                .map(|mask| [RistrettoPoint::mul_base(mask), key.times(mask)])
                .collect(),
            order: small_sum(&moves.order, generators.points()),
        }
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        self.masks.iter_mut().for_each(Zeroize::zeroize);
        self.order.zeroize();
    }
}

impl Before<'_> {
    /// The bare masking: what the seat does to the cards.
    pub(crate) fn mix(&self, moves: &Moves) -> Vec<Ciphertext> {
        moves
            .order
            .iter()
            .zip(moves.masks.iter())
            .map(|(&from, mask)| {
                self.cards
                    .get(from)
                    .expect("an order of as many places as cards")
                    .masked(mask, self.key)
            })
            .collect()
    }

    fn begin(&self, transcript: &mut Transcript, after: &[[PointBytes; 2]]) {
        transcript.point("key", &self.key.bytes);
        transcript.number("cards", self.cards.len() as u32);
        for tag in self.tags {
            transcript.number("tag", *tag);
        }
        for [a, b] in after {
            transcript.point("a", a);
            transcript.point("b", b);
        }
    }

    /// Mixes and proves it, with what was prepared of it.
    pub(crate) fn prove<R: CryptoRng + ?Sized>(
        &self,
        mut transcript: Transcript,
        (moves, prepared): (&Moves, &Prepared),
        generators: &Generators,
        seed: &DealSeed,
        rng: &mut R,
    ) -> Mixed {
        let n = self.cards.len();
        let bases = generators
            .points()
            .get(..n)
            .expect("as many generators as cards");
        let after: Vec<Ciphertext> = moves
            .order
            .iter()
            .zip(&prepared.masks)
            .map(|(&from, [a, b])| {
                let card = self
                    .cards
                    .get(from)
                    .expect("an order of as many places as cards");
                Ciphertext {
                    a: card.a + a,
                    b: card.b + b,
                }
            })
            .collect();
        let wire: Vec<[PointBytes; 2]> = after
            .iter()
            .map(|card| [PointBytes::from(&card.a), PointBytes::from(&card.b)])
            .collect();
        self.begin(&mut transcript, &wire);
        let mut nonces = transcript.nonces(seed, rng);
        let mut fresh = |n: usize| -> Secrets { (0..n).map(|_| nonces.scalar()).collect() };

        // 1. Commit to the permutation, counted from 1.
        let r = fresh(6);
        let [r_order, r_powers, r_blind, r_low, r_high, r_mask] = r[..] else {
            unreachable!("six blinds were drawn")
        };
        let order_point = prepared.order + RistrettoPoint::mul_base(&r_order);
        let order = PointBytes::from(&order_point);
        transcript.point("order", &order);

        // 2. Commit to the powers of x in that order.
        let x = transcript.challenge("x");
        let ladder = powers(x, n);
        let permuted: Secrets = moves
            .order
            .iter()
            .map(|&from| *ladder.get(from).expect("one power for each card"))
            .collect();
        let powers_point = commit(&permuted, &r_powers, bases);
        let powers = PointBytes::from(&powers_point);
        transcript.point("powers", &powers);

        // 3. The product argument: Π(y·π(i) + x^π(i) + w·tag(i) − z) over places is the same as over cards.
        let (y, z, w) = (
            transcript.challenge("y"),
            transcript.challenge("z"),
            transcript.challenge("w"),
        );
        let factors: Secrets = moves
            .order
            .iter()
            .zip(permuted.iter())
            .zip(self.tags)
            .map(|((&from, power), &tag)| {
                y * Scalar::from(from as u64 + 1) + power + w * Scalar::from(tag) - z
            })
            .collect();
        let mut running = Scalar::ONE;
        let products: Secrets = factors
            .iter()
            .map(|factor| {
                running *= factor;
                running
            })
            .collect();
        let d = fresh(n);
        let mut delta = fresh(n);
        if let (Some(first), Some(d_first)) = (delta.0.first_mut(), d.first()) {
            *first = *d_first;
        }
        if let Some(last) = delta.0.last_mut() {
            *last = Scalar::ZERO;
        }
        let blind = PointBytes::from(&commit(&d, &r_blind, bases));
        let steps = || delta.iter().zip(d.iter().skip(1));
        let low_values: Secrets = steps().map(|(delta, d_next)| -(delta * d_next)).collect();
        let high_values: Secrets = steps()
            .zip(delta.iter().skip(1))
            .zip(factors.iter().skip(1))
            .zip(products.iter())
            .map(|((((delta, d_next), delta_next), factor_next), product)| {
                delta_next - factor_next * delta - product * d_next
            })
            .collect();
        let low = PointBytes::from(&commit(&low_values, &r_low, bases));
        let high = PointBytes::from(&commit(&high_values, &r_high, bases));

        // 4. The multi-exponentiation argument: Σ x^j C_j is Σ x^π(i) C'_i under another mask.
        let m = fresh(n);
        let tau = fresh(1);
        let tau = tau.first().expect("one was drawn");
        let mask = PointBytes::from(&commit(&m, &r_mask, bases));
        let bare = RistrettoPoint::identity();
        let sum_a = if self.cards.iter().all(|card| card.a == bare) {
            // The first turn: the first halves are nothing but this seat's masks, whose logarithms it knows.
            let masks = m.iter().zip(moves.masks.iter());
            let sum: Scalar = masks.map(|(m, mask)| m * mask).sum();
            RistrettoPoint::mul_base(&(sum + tau))
        } else {
            RistrettoPoint::multiscalar_mul(m.iter(), after.iter().map(|card| card.a))
                + RistrettoPoint::mul_base(tau)
        };
        let sum_b = RistrettoPoint::multiscalar_mul(m.iter(), after.iter().map(|card| card.b))
            + self.key.times(tau);
        let sum = [PointBytes::from(&sum_a), PointBytes::from(&sum_b)];

        for point in [&blind, &low, &high, &mask, &sum[0], &sum[1]] {
            transcript.point("argument", point);
        }
        let e = transcript.challenge("e");
        let answer = |secrets: &[Scalar], blinds: &[Scalar]| -> Vec<ScalarBytes> {
            secrets
                .iter()
                .zip(blinds)
                .map(|(secret, blind)| ScalarBytes::from(&(e * secret + blind)))
                .collect()
        };
        let back: Scalar = permuted
            .iter()
            .zip(moves.masks.iter())
            .map(|(power, mask)| power * mask)
            .sum();
        let mut products = answer(&products, &delta);
        // The first is the first factor's, the last is known: neither is sent.
        products.pop();
        if !products.is_empty() {
            products.remove(0);
        }
        Mixed {
            cards: wire,
            proof: ShuffleProof {
                order,
                powers,
                blind,
                low,
                high,
                mask,
                sum,
                factors: answer(&factors, &d),
                factors_blind: ScalarBytes::from(&(e * (y * r_order + r_powers) + r_blind)),
                products,
                products_blind: ScalarBytes::from(&(e * r_high + r_low)),
                exponents: answer(&permuted, &m),
                exponents_blind: ScalarBytes::from(&(e * r_powers + r_mask)),
                remask: ScalarBytes::from(&(tau - e * back)),
            },
        }
    }

    /// Adds the equations of the proof to `batch`; the cards after the shuffle, or `None` if something is not even
    /// of the right form.
    pub(crate) fn verify(
        &self,
        mut transcript: Transcript,
        mixed: &Mixed,
        batch: &mut Batch,
    ) -> Option<Vec<Ciphertext>> {
        let n = self.cards.len();
        let proof = &mixed.proof;
        if mixed.cards.len() != n
            || proof.factors.len() != n
            || proof.products.len() + 2 != n
            || proof.exponents.len() != n
        {
            return None;
        }
        let mut after = Vec::with_capacity(n);
        for [a, b] in &mixed.cards {
            after.push(Ciphertext {
                a: a.point()?,
                b: b.point()?,
            });
        }
        self.begin(&mut transcript, &mixed.cards);
        transcript.point("order", &proof.order);
        let x = transcript.challenge("x");
        transcript.point("powers", &proof.powers);
        let (y, z, w) = (
            transcript.challenge("y"),
            transcript.challenge("z"),
            transcript.challenge("w"),
        );
        for point in [
            &proof.blind,
            &proof.low,
            &proof.high,
            &proof.mask,
            &proof.sum[0],
            &proof.sum[1],
        ] {
            transcript.point("argument", point);
        }
        let e = transcript.challenge("e");

        let ladder = powers(x, n);
        let factors = scalars(&proof.factors)?;
        let exponents = scalars(&proof.exponents)?;
        // Π over the cards, which everybody knows.
        let product: Scalar = (1u64..)
            .zip(&ladder)
            .zip(self.tags)
            .map(|((j, power), &tag)| y * Scalar::from(j) + power + w * Scalar::from(tag) - z)
            .product();
        let mut products = Vec::with_capacity(n);
        products.push(*factors.first()?);
        products.extend(scalars(&proof.products)?);
        products.push(e * product);

        let (w1, w2, w3, wa, wb) = (
            batch.weight(),
            batch.weight(),
            batch.weight(),
            batch.weight(),
            batch.weight(),
        );
        // e·(y·order + powers + Σ(w·tagᵢ − z)hᵢ) + blind = com(factors)
        // e·high + low = com(e·productsᵢ₊₁ − productsᵢ·factorsᵢ₊₁)
        // e·powers + mask = com(exponents)
        let chain = products
            .iter()
            .zip(products.iter().skip(1))
            .zip(factors.iter().skip(1))
            .map(|((product, next), factor)| e * next - product * factor)
            .chain(core::iter::once(Scalar::ZERO));
        batch.generators(
            factors
                .iter()
                .zip(&exponents)
                .zip(self.tags)
                .zip(chain)
                .map(|(((factor, exponent), &tag), chain)| {
                    w1 * (e * (w * Scalar::from(tag) - z) - factor) - w2 * chain - w3 * exponent
                }),
        );
        batch.term(w1 * e * y, &proof.order.point()?);
        batch.term((w1 + w3) * e, &proof.powers.point()?);
        batch.term(w1, &proof.blind.point()?);
        batch.term(w2 * e, &proof.high.point()?);
        batch.term(w2, &proof.low.point()?);
        batch.term(w3, &proof.mask.point()?);
        let remask = proof.remask.scalar()?;
        batch.base(
            -(w1 * proof.factors_blind.scalar()?
                + w2 * proof.products_blind.scalar()?
                + w3 * proof.exponents_blind.scalar()?
                + wa * remask),
        );
        // sum + e·Σ x^j C_j = Enc(0; remask) + Σ exponentsᵢ C'ᵢ, in both halves
        batch.term(-(wb * remask), &self.key.point);
        batch.term(wa, &proof.sum[0].point()?);
        batch.term(wb, &proof.sum[1].point()?);
        for (card, power) in self.cards.iter().zip(&ladder) {
            if card.a != RistrettoPoint::identity() {
                batch.term(wa * e * power, &card.a);
            }
            batch.term(wb * e * power, &card.b);
        }
        for (card, exponent) in after.iter().zip(&exponents) {
            batch.term(-(wa * exponent), &card.a);
            batch.term(-(wb * exponent), &card.b);
        }
        Some(after)
    }
}

fn scalars(bytes: &[ScalarBytes]) -> Option<Vec<Scalar>> {
    bytes.iter().map(ScalarBytes::scalar).collect()
}

/// `x¹ … xⁿ`.
fn powers(x: Scalar, n: usize) -> Vec<Scalar> {
    let mut power = Scalar::ONE;
    (0..n)
        .map(|_| {
            power *= x;
            power
        })
        .collect()
}

/// `com(values; blind)`, in constant time.
fn commit(values: &[Scalar], blind: &Scalar, bases: &[RistrettoPoint]) -> RistrettoPoint {
    RistrettoPoint::multiscalar_mul(values, bases.iter().take(values.len()))
        + RistrettoPoint::mul_base(blind)
}

/// `Σ (orderᵢ + 1)hᵢ`: the values are below 2⁹ or so, few doublings do, and every bit takes the same time.
fn small_sum(order: &[usize], bases: &[RistrettoPoint]) -> RistrettoPoint {
    let mut sum = RistrettoPoint::identity();
    let nothing = RistrettoPoint::identity();
    let bits = usize::BITS - order.len().leading_zeros();
    for bit in (0..bits).rev() {
        sum = sum + sum;
        for (&from, base) in order.iter().zip(bases) {
            let set = Choice::from((((from + 1) >> bit) & 1) as u8);
            sum += RistrettoPoint::conditional_select(&nothing, base, set);
        }
    }
    sum
}
