//! Carrying settled steps out: moves, contributions and words take effect, and the decks are asked what the game asks.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Happening, Refusal, Replica, Secrets, Waits};
use crate::codec;
use crate::deal::{Deal, DealContext, DealSeed, Misuse};
use crate::game::{Awaits, DeckOutcome, DeckRequest, Game, Seat, SeatSet};
use crate::log::{Kind, Lane, Settled, Step};
use crate::table::words::{Move, TableWord};

impl<G: Game> Replica<G> {
    /// Carries out one move of a settled step. An interrupt of the same step may have made it impossible: then it counts for nothing.
    fn apply_move(&mut self, seat: Seat, made: &Move<G::Action>) -> Result<Vec<G::Event>, Refusal> {
        let claims = self.game.claims(seat, &made.action);
        if claims.len() != made.proofs.len() {
            return Err(Refusal::Garbage(seat));
        }
        let (game, events) = self.try_move(seat, made)?;
        for (claim, proof) in claims.iter().zip(&made.proofs) {
            match &mut self.deal {
                Some(deal) => deal.open_claim(seat, claim, proof)?,
                None => return Err(Refusal::NotAsked(seat)),
            }
        }
        self.game = game;
        Ok(events)
    }

    /// Carries out a settled step. Entries and signatures have been checked.
    pub(crate) fn apply(&mut self, settled: &Settled) -> Result<Vec<Happening<G>>, Refusal> {
        let step = &settled.step;
        let digest = step.digest(&self.table);
        let mut happened = Vec::new();
        let signers = self.signers;
        let excused = match settled.excuses.is_empty() {
            true => None,
            false => Some(self.decide(&settled.excuses, step.number)?),
        };
        match step.kind {
            Kind::Play => self.apply_play(step, &mut happened)?,
            Kind::Absence => self.apply_absence(step, &mut happened)?,
        }
        if let Some(mut excused) = excused {
            // Who is gone by now need not be given up again.
            excused.gone = excused.gone.and(self.signers);
            self.decided = Some(excused).filter(|excused| !excused.gone.is_empty());
        }
        self.before = signers;
        self.digests.push(digest);
        Ok(happened)
    }

    fn apply_play(&mut self, step: &Step, happened: &mut Vec<Happening<G>>) -> Result<(), Refusal> {
        let dealing = matches!(self.waits(), Waits::Deal { .. });
        let mut messages = Vec::new();
        for signed in &step.entries {
            let entry = &signed.entry;
            let seat = entry.seat;
            match entry.lane {
                Lane::Game => {
                    let made: Move<G::Action> =
                        codec::decode(&entry.body).map_err(|_| Refusal::Garbage(seat))?;
                    match self.apply_move(seat, &made) {
                        Ok(events) => {
                            happened.extend(events.into_iter().map(|event| Happening::Event {
                                by: Some(seat),
                                event,
                            }));
                        }
                        Err(_) => happened.push(Happening::Overtaken(seat)),
                    }
                    self.advance(happened)?;
                }
                Lane::Deal => messages.push((seat, entry.body.clone())),
                Lane::Table => {
                    let word: TableWord =
                        codec::decode(&entry.body).map_err(|_| Refusal::Garbage(seat))?;
                    if dealing && !messages.is_empty() {
                        self.settle_deal(core::mem::take(&mut messages), happened)?;
                    }
                    self.apply_word(seat, word, happened)?;
                }
                Lane::Vote(_) => return Err(Refusal::Order(step.number)),
            }
        }
        if dealing && !messages.is_empty() {
            self.settle_deal(messages, happened)?;
        }
        Ok(())
    }

    fn settle_deal(
        &mut self,
        messages: Vec<(Seat, Vec<u8>)>,
        happened: &mut Vec<Happening<G>>,
    ) -> Result<(), Refusal> {
        let Some(deal) = &mut self.deal else {
            return Err(Refusal::Order(self.digests.len() as u64));
        };
        let outcome = deal.settle(messages)?;
        if let Some(outcome) = outcome {
            self.supply(outcome, happened)?;
        }
        self.advance(happened)
    }

    fn supply(
        &mut self,
        outcome: DeckOutcome,
        happened: &mut Vec<Happening<G>>,
    ) -> Result<(), Refusal> {
        if let (Some(DeckRequest::Reveal), Some(deal)) = (&self.request, &self.deal) {
            self.revealed_deals += 1;
            self.revealed = deal
                .revealed_seeds()
                .map(|(seat, seed)| (seat, seed.clone()))
                .collect();
            if self.defers {
                self.unaudited = Some((self.deals, deal.begin_audit()?));
            } else {
                let verdict = deal.audit()?;
                self.audits.push((self.deals, verdict.clone()));
                happened.push(Happening::Audited {
                    deal: self.deals,
                    verdict,
                });
            }
            self.take_back_waiting(happened)?;
        }
        self.request = None;
        let events = self
            .game
            .supply(outcome)
            .map_err(|illegal| Refusal::Illegal(Seat(0), illegal.to_string()))?;
        happened.extend(
            events
                .into_iter()
                .map(|event| Happening::Event { by: None, event }),
        );
        Ok(())
    }

    /// Hands a new request of the game to the decks, until something must come from a seat.
    pub(super) fn advance(&mut self, happened: &mut Vec<Happening<G>>) -> Result<(), Refusal> {
        loop {
            let Awaits::Decks(request) = self.game.awaits() else {
                self.request = None;
                return Ok(());
            };
            if self.request.as_ref() != Some(request) {
                let request = request.clone();
                if let DeckRequest::Shuffle { sealed, .. } = &request {
                    self.deals += 1;
                    happened.push(Happening::DealBegins(self.deals));
                    self.deal = Some(self.new_deal(*sealed)?);
                }
                let Some(deal) = &mut self.deal else {
                    return Err(Refusal::Order(self.number()));
                };
                deal.request(&request)?;
                self.request = Some(request);
            }
            match &mut self.deal {
                Some(deal) if deal.awaits().is_empty() => {
                    if let Some(outcome) = deal.settle(Vec::new())? {
                        self.supply(outcome, happened)?;
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    fn new_deal(&self, sealed: SeatSet) -> Result<Deal, Misuse> {
        let people = SeatSet::first(self.game.seats()).minus(sealed);
        let me = self
            .me
            .as_ref()
            .filter(|(seat, _)| people.contains(*seat))
            .and_then(|(seat, secrets)| {
                let seed = match secrets {
                    Secrets::Identity(identity) => {
                        DealSeed::derive(&identity.secret(), &self.table.0, self.deals)
                    }
                    Secrets::Seeds(seeds) => seeds.get(&self.deals)?.clone(),
                };
                Some((*seat, seed))
            });
        let context = DealContext {
            table: self.table.0,
            number: self.deals,
            seats: self.game.seats() as u8,
            people,
            game: String::from(G::NAME),
        };
        Deal::new(context, me)
    }
}
