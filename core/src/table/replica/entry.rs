//! Entries of the open step: making one's own, and checking anyone's at this place in the history.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::{Refusal, Replica, Waits};
use crate::codec;
use crate::game::{Game, Seat};
use crate::log::{Identity, Lane, SignedEntry};
use crate::table::words::{MAX_VOTES, Move, TableWord, Vote};

impl<G: Game> Replica<G> {
    /// My part in the sealed decks of this step.
    pub(crate) fn contribution(&self) -> Option<Vec<u8>> {
        let (seat, identity) = self.player()?;
        let Waits::Deal { awaited } = self.waits() else {
            return None;
        };
        let deal = self.deal.as_ref().filter(|_| awaited.contains(seat))?;
        deal.contribute(&mut self.nonces(identity, &[])).ok()
    }

    /// My part of this step is the one that I have made, and not one that comes from elsewhere.
    pub(crate) fn contributed(&mut self, body: &[u8]) {
        if let Some(deal) = &mut self.deal {
            deal.made(body);
        }
    }

    /// Nothing to say just now: works ahead for my turn in the shuffle.
    pub(crate) fn prepare(&mut self) {
        if let Some(deal) = &mut self.deal {
            deal.prepare();
        }
    }

    /// An action of mine as the body of an entry, with its proofs.
    pub(crate) fn movement(&self, action: &G::Action) -> Option<Vec<u8>> {
        let (seat, identity) = self.player()?;
        let mut nonces = self.nonces(identity, &codec::encode(action));
        let mut proofs = Vec::new();
        for claim in self.game.claims(seat, action) {
            let (_, proof) = self.deal.as_ref()?.claim(claim.slot, &mut nonces).ok()?;
            proofs.push(proof);
        }
        Some(codec::encode(&Move {
            action: action.clone(),
            proofs,
        }))
    }

    /// Nonces are drawn from the identity and the whole history, so that a peer that was killed between making an entry and
    /// storing it makes the same entry again, and no nonce ever serves two statements.
    fn nonces(&self, identity: &Identity, more: &[u8]) -> rand_chacha::ChaCha20Rng {
        use rand::SeedableRng;
        rand_chacha::ChaCha20Rng::from_seed(identity.derive(
            "shamans 1 proof nonces",
            &[&self.table.0, &self.prev().0, more],
        ))
    }

    /// Would this entry be in order in the open step? Its signature is not looked at.
    pub fn check_entry(&mut self, signed: &SignedEntry) -> Result<(), Refusal> {
        let entry = &signed.entry;
        let seat = entry.seat;
        if entry.step != self.number() || entry.prev != self.prev() {
            return Err(Refusal::NotNext(entry.step));
        }
        // Who does not know yet that the others have voted to go on without it is not to blame.
        let vote = matches!(entry.lane, Lane::Vote(_));
        if self.decided.is_some() && !vote {
            return Err(Refusal::NotNext(entry.step));
        }
        if !self.signers.contains(seat) {
            return Err(Refusal::NotAsked(seat));
        }
        match entry.lane {
            Lane::Game => {
                let Waits::Game {
                    awaited,
                    interrupts,
                } = self.waits()
                else {
                    return Err(Refusal::NotAsked(seat));
                };
                if !awaited.or(interrupts).contains(seat) {
                    return Err(Refusal::NotAsked(seat));
                }
                let made: Move<G::Action> =
                    codec::decode(&entry.body).map_err(|_| Refusal::Garbage(seat))?;
                self.check_claims(seat, &made)?;
                self.try_move(seat, &made).map(|_| ())
            }
            Lane::Deal => {
                let Waits::Deal { awaited } = self.waits() else {
                    return Err(Refusal::NotAsked(seat));
                };
                if !awaited.contains(seat) {
                    return Err(Refusal::NotAsked(seat));
                }
                match &mut self.deal {
                    Some(deal) => Ok(deal.check(seat, &entry.body)?),
                    None => Err(Refusal::NotAsked(seat)),
                }
            }
            Lane::Table => {
                let word: TableWord =
                    codec::decode(&entry.body).map_err(|_| Refusal::Garbage(seat))?;
                self.check_word(seat, &word)
            }
            Lane::Vote(number) => {
                let vote: Vote = codec::decode(&entry.body).map_err(|_| Refusal::Garbage(seat))?;
                if number >= MAX_VOTES {
                    return Err(Refusal::Table(seat));
                }
                self.check_vote(seat, &vote)
            }
        }
    }

    /// Are the faces proved that the move shows?
    fn check_claims(&mut self, seat: Seat, made: &Move<G::Action>) -> Result<(), Refusal> {
        let claims = self.game.claims(seat, &made.action);
        if claims.len() != made.proofs.len() {
            return Err(Refusal::Garbage(seat));
        }
        for (claim, proof) in claims.iter().zip(&made.proofs) {
            match &mut self.deal {
                Some(deal) => deal.check_claim(seat, claim, proof)?,
                None => return Err(Refusal::NotAsked(seat)),
            }
        }
        Ok(())
    }

    /// Tries a move on a copy; what the game says of it.
    pub(super) fn try_move(
        &self,
        seat: Seat,
        made: &Move<G::Action>,
    ) -> Result<(G, Vec<G::Event>), Refusal> {
        let mut game = self.game.clone();
        match game.apply(seat, made.action.clone()) {
            Ok(events) => Ok((game, events)),
            Err(illegal) => Err(Refusal::Illegal(seat, illegal.to_string())),
        }
    }
}
