//! Making this peer's own message for the open step.

use alloc::{vec, vec::Vec};

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use rand::CryptoRng;

use super::escrow::{Complaining, Complaint, Dealing};
use super::fault::Misuse;
use super::group::Secrets;
use super::keys::KeysMessage;
use super::plan::{Lock, Stage};
use super::shuffle::{Before, Mixed, Moves, Prepared};
use super::{Deal, Me, Message, Open};
use crate::codec;
use crate::game::Seat;

impl Deal {
    /// This peer's message for the open step. `rng` gives proof nonces only, which are mixed with the statement; a second
    /// call makes another valid message, so a driver keeps the first.
    pub fn contribute<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> Result<Vec<u8>, Misuse> {
        let open = self.open.as_ref().ok_or(Misuse::Idle)?;
        let me = self.me.as_ref().ok_or(Misuse::NotAwaited)?;
        if !self.awaits().contains(me.seat) {
            return Err(Misuse::NotAwaited);
        }
        let message = match &open.stage {
            Stage::Keys => Message::Keys(KeysMessage::new(
                &open.step, &self.root, me.seat, &me.seed, &me.keys, rng,
            )),
            Stage::Escrow => {
                let to: Vec<(Seat, RistrettoPoint)> = self
                    .keys
                    .iter()
                    .filter(|(seat, _)| **seat != me.seat)
                    .map(|(seat, keys)| (*seat, keys.hand))
                    .collect();
                Message::Escrow(
                    self.dealing(open, me.seat)
                        .message(&self.root, &me.seed, &me.keys, &to, rng),
                )
            }
            Stage::Chain { .. } | Stage::Own { .. } => match self.complaint(open, me, rng) {
                Some(complaint) => Message::Complaint(complaint),
                None => Message::Mixed(self.mix(open, me, rng)),
            },
            Stage::Release { tasks } => match self.complaint(open, me, rng) {
                Some(complaint) => Message::Complaint(complaint),
                None => {
                    let jobs = self.jobs(&open.step, open.serial, me.seat, tasks);
                    let locks = self.job_locks(me.seat, tasks);
                    let mut parts = Secrets(Vec::with_capacity(locks.len()));
                    for lock in locks {
                        parts.0.push(self.secret_part(me, lock)?);
                    }
                    Message::Release(jobs.message(&self.root, &parts, &me.seed, rng))
                }
            },
            Stage::Seeds => Message::Seed(*me.seed.bytes()),
        };
        Ok(codec::encode(&message))
    }

    /// Remembers what [`Deal::contribute`] made here: what was proved here need not be checked here.
    pub fn made(&mut self, bytes: &[u8]) {
        self.made = Some(blake3::hash(bytes));
    }

    pub(super) fn dealing<'a>(&self, open: &'a Open, dealer: Seat) -> Dealing<'a> {
        Dealing {
            step: &open.step,
            serial: open.serial,
            dealer,
        }
    }

    fn complaint<R: CryptoRng + ?Sized>(
        &self,
        open: &Open,
        me: &Me,
        rng: &mut R,
    ) -> Option<Complaint> {
        let against = me.cheated_by?;
        let complaining = Complaining {
            step: &open.step,
            by: me.seat,
            key: &self.keys.get(&me.seat)?.hand,
            escrow: self.escrow.get(&against)?,
        };
        Some(complaining.message(against, &me.keys.hand, &me.seed, rng))
    }

    fn mix<R: CryptoRng + ?Sized>(&self, open: &Open, me: &Me, rng: &mut R) -> Vec<Mixed> {
        let ready = self
            .prepared
            .as_ref()
            .filter(|(serial, _)| *serial == open.serial);
        self.groups(&open.stage, me.seat)
            .iter()
            .enumerate()
            .map(|(i, group)| {
                let moves = Moves::derive(&me.seed, &self.root, open.serial, &group.piles);
                let prepared = match ready.and_then(|(_, groups)| groups.get(i)) {
                    Some(prepared) => prepared.clone(),
                    None => Prepared::new(&group.key, &moves, &self.generators),
                };
                let before = Before {
                    key: &group.key,
                    cards: &group.cards,
                    tags: &group.tags,
                };
                let transcript = group.statement(&open.step, me.seat);
                let moves = (&moves, &prepared);
                before.prove(transcript, moves, &self.generators, &me.seed, rng)
            })
            .collect()
    }

    /// Works ahead for this peer's turn in a chain while it is another's, so that the turn is shorter. A driver calls it when
    /// it has nothing better to do; it changes nothing but the time that [`Deal::contribute`] takes.
    pub fn prepare(&mut self) {
        let (Some(open), Some(me)) = (&self.open, &self.me) else {
            return;
        };
        let Stage::Chain { piles, turns } = &open.stage else {
            return;
        };
        let Some(wait) = turns.iter().position(|seat| *seat == me.seat) else {
            return;
        };
        // Every turn is a step, and steps are numbered one by one.
        let serial = open.serial + wait as u32;
        let done = self.prepared.as_ref().is_some_and(|(of, _)| *of == serial);
        if wait == 0 || done {
            return;
        }
        let mine = Stage::Chain {
            piles: piles.clone(),
            turns: vec![me.seat],
        };
        let groups = self.groups(&mine, me.seat);
        let prepared = groups
            .iter()
            .map(|group| {
                let moves = Moves::derive(&me.seed, &self.root, serial, &group.piles);
                Prepared::new(&group.key, &moves, &self.generators)
            })
            .collect();
        self.prepared = Some((serial, prepared));
    }

    /// The secret of [`Deal::part`].
    pub(super) fn secret_part(&self, me: &Me, lock: Lock) -> Result<Scalar, Misuse> {
        let share = |seat: Seat| me.shares.get(&seat).ok_or(Misuse::NoEscrow(seat));
        Ok(match lock {
            Lock::Joint => {
                let mut part = me.keys.deck;
                for gone in self.keyed().and(self.absent).iter() {
                    part += share(gone)?.deck;
                }
                part
            }
            Lock::Hand(seat) if seat == me.seat => me.keys.hand,
            Lock::Hand(seat) => share(seat)?.hand,
        })
    }
}
