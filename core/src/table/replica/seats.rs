//! Who is here: votes, giving up, coming back, leaving.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::{Decided, Happening, Refusal, Replica};
use crate::codec;
use crate::game::{Awaits, DeckRequest, Game, Seat, SeatSet};
use crate::log::{Lane, SignedEntry, Step};
use crate::table::words::{MAX_VOTES, Remedy, TableWord, Vote};

impl<G: Game> Replica<G> {
    /// May the signers go on without `gone`, and so? More than half of them must be left, so that of a split table at most one
    /// part goes on; and a phantom can only stand in if the others hold the shares for it.
    pub fn may_go_on(&self, gone: SeatSet, remedy: Remedy) -> bool {
        self.enough_stay(gone)
            && match remedy {
                Remedy::StandIn => self.can_stand_in(gone),
                Remedy::Void => self.can_void(gone),
            }
    }

    fn enough_stay(&self, gone: SeatSet) -> bool {
        !gone.is_empty()
            && gone.minus(self.signers).is_empty()
            && self.signers.minus(gone).len() * 2 > self.signers.len()
    }

    /// Can phantoms stand in for these seats without a new deal?
    pub fn can_stand_in(&self, gone: SeatSet) -> bool {
        // Tried on a copy: only the game knows.
        let mut game = self.game.clone();
        if !self.stand_in_all(&mut game, gone) {
            return false;
        }
        match &self.deal {
            Some(deal) if !matches!(game.awaits(), Awaits::Nothing) => {
                let mut deal = deal.clone();
                let anew = game.awaits() != self.game.awaits() && shuffling(&game);
                anew || gone.iter().all(|seat| deal.absent(seat).is_ok())
            }
            _ => true,
        }
    }

    fn can_void(&self, gone: SeatSet) -> bool {
        let mut game = self.game.clone();
        self.stand_in_all(&mut game, gone) && game.void_round().is_ok()
    }

    /// Who came back and waits for the next deal is a phantom to the game already.
    fn stand_in_all(&self, game: &mut G, gone: SeatSet) -> bool {
        let mut held = gone.minus(self.waiting).iter();
        held.all(|seat| game.stand_in(seat).is_ok())
    }

    pub(super) fn check_vote(&self, seat: Seat, vote: &Vote) -> Result<(), Refusal> {
        let no = vote.gone.is_empty();
        if self.is_over() {
            return Err(Refusal::Table(seat));
        }
        if no || (!vote.gone.contains(seat) && self.may_go_on(vote.gone, vote.remedy)) {
            Ok(())
        } else {
            Err(Refusal::Table(seat))
        }
    }

    /// What these votes about step `at` decide: all who stay say the same.
    pub(crate) fn decide(&self, votes: &[SignedEntry], at: u64) -> Result<Decided, Refusal> {
        let order = || Refusal::Order(at);
        let before = at.checked_sub(1).ok_or_else(order)?;
        let prev = self.digest_of(before).ok_or_else(order)?;
        let first = votes.first().ok_or_else(order)?;
        let said = read_vote(first)?;
        for signed in votes {
            let entry = &signed.entry;
            let vote = read_vote(signed)?;
            let same = entry.step == at
                && entry.prev == prev
                && entry.lane == first.entry.lane
                && matches!(entry.lane, Lane::Vote(number) if number < MAX_VOTES)
                && vote.gone == said.gone
                && vote.remedy == said.remedy;
            if !same {
                return Err(Refusal::Table(entry.seat));
            }
        }
        let signers = if at == self.number() {
            self.signers
        } else {
            self.before
        };
        let stay = signers.minus(said.gone);
        let voters = votes.iter().map(|signed| signed.entry.seat);
        let enough = !said.gone.is_empty()
            && said.gone.minus(signers).is_empty()
            && stay.len() * 2 > signers.len();
        if !enough || !voters.eq(stay.iter()) {
            return Err(order());
        }
        Ok(Decided {
            gone: said.gone,
            remedy: said.remedy,
            entries: votes.to_vec(),
        })
    }

    /// The decision that an absence step at the open place carries out.
    pub(crate) fn decision_of(&self, step: &Step) -> Result<Decided, Refusal> {
        match &self.decided {
            Some(decided) if decided.entries == step.entries => Ok(decided.clone()),
            Some(_) => Err(Refusal::Order(step.number)),
            None => {
                // Who holds every signature under the step that the votes were about has had no need of them to settle it.
                let about = step.entries.first().map(|vote| vote.entry.step);
                let at = about.filter(|&about| about + 1 == step.number);
                // Nothing follows the end but what was voted before it.
                if at.is_none() && self.is_over() {
                    return Err(Refusal::Order(step.number));
                }
                let mut decided = self.decide(&step.entries, at.unwrap_or(step.number))?;
                decided.gone = decided.gone.and(self.signers);
                if decided.gone.is_empty() {
                    return Err(Refusal::Order(step.number));
                }
                Ok(decided)
            }
        }
    }

    pub(super) fn apply_absence(
        &mut self,
        step: &Step,
        happened: &mut Vec<Happening<G>>,
    ) -> Result<(), Refusal> {
        let decided = self.decision_of(step)?;
        self.decided = None;
        // What was voted before the last step settled may have become impossible with it: voiding is then what is left.
        let remedy = match decided.remedy {
            Remedy::StandIn if self.can_stand_in(decided.gone) => Remedy::StandIn,
            Remedy::StandIn | Remedy::Void => Remedy::Void,
        };
        self.lose(decided.gone, remedy, step.number, happened)
    }

    /// Goes on without `gone`.
    fn lose(
        &mut self,
        gone: SeatSet,
        remedy: Remedy,
        since: u64,
        happened: &mut Vec<Happening<G>>,
    ) -> Result<(), Refusal> {
        let over = matches!(self.game.awaits(), Awaits::Nothing);
        self.signers = self.signers.minus(gone);
        happened.push(Happening::Gone {
            seats: gone,
            remedy,
        });
        for seat in gone.iter() {
            self.gone[seat] = Some(since);
            // Who had come back and was waiting for the next deal is a phantom to the game already.
            let phantom = self.waiting.contains(seat);
            if !over && !phantom {
                let events = self.game.stand_in(seat);
                self.note(seat, events, happened)?;
            }
        }
        self.waiting = self.waiting.minus(gone);
        if over {
            return Ok(());
        }
        match remedy {
            Remedy::StandIn => {
                // A game that asks for another shuffle gets a new deal; in any other the decks go on without the seat.
                let anew = shuffling(&self.game) && !self.asks_the_same();
                if let (Some(deal), false) = (&mut self.deal, anew) {
                    for seat in gone.iter() {
                        deal.absent(seat)?;
                    }
                }
            }
            Remedy::Void => {
                self.take_back_waiting(happened)?;
                let events = self.game.void_round();
                self.note(gone.iter().next().unwrap_or(Seat(0)), events, happened)?;
                self.request = None;
                self.deal = None;
            }
        }
        self.advance(happened)
    }

    pub(super) fn note(
        &self,
        seat: Seat,
        events: Result<Vec<G::Event>, G::Illegal>,
        happened: &mut Vec<Happening<G>>,
    ) -> Result<(), Refusal> {
        let events = events.map_err(|illegal| Refusal::Illegal(seat, illegal.to_string()))?;
        happened.extend(
            events
                .into_iter()
                .map(|event| Happening::Event { by: None, event }),
        );
        Ok(())
    }

    /// Is this a word of a seat that was given up, said since, in this history?
    pub fn check_back(&self, signed: &SignedEntry) -> Result<(), Refusal> {
        let entry = &signed.entry;
        let seat = entry.seat;
        let since = self
            .gone
            .iter()
            .find(|(at, _)| *at == seat)
            .and_then(|(_, since)| *since)
            .ok_or(Refusal::Table(seat))?;
        signed.check(&self.table, self.key(seat))?;
        let word: TableWord = codec::decode(&entry.body).map_err(|_| Refusal::Garbage(seat))?;
        let fits = word == TableWord::Back
            && entry.lane == Lane::Table
            && entry.step > since
            && entry.step <= self.number()
            && self.digest_of(entry.step - 1) == Some(entry.prev);
        if fits {
            Ok(())
        } else {
            Err(Refusal::Table(seat))
        }
    }

    pub(super) fn check_word(&self, seat: Seat, word: &TableWord) -> Result<(), Refusal> {
        let fine = match word {
            _ if self.is_over() => false,
            TableWord::Back => false,
            TableWord::Readmit(back) => self.check_back(back).is_ok(),
            TableWord::Leave => {
                let one = SeatSet::one(seat);
                !self.signers.without(seat).is_empty()
                    && (self.can_stand_in(one) || self.can_void(one))
            }
        };
        if fine {
            Ok(())
        } else {
            Err(Refusal::Table(seat))
        }
    }

    pub(super) fn apply_word(
        &mut self,
        seat: Seat,
        word: TableWord,
        happened: &mut Vec<Happening<G>>,
    ) -> Result<(), Refusal> {
        match word {
            TableWord::Back => Err(Refusal::Table(seat)),
            TableWord::Readmit(back) => {
                // Two seats may have passed on the same word.
                if self.check_back(&back).is_ok() {
                    self.readmit(back.entry.seat, happened)?;
                }
                Ok(())
            }
            TableWord::Leave => {
                // Of two who leave in one step the second may be the last.
                if self.check_word(seat, &TableWord::Leave).is_err() {
                    return Ok(());
                }
                let one = SeatSet::one(seat);
                let remedy = if self.can_stand_in(one) {
                    Remedy::StandIn
                } else {
                    Remedy::Void
                };
                self.left = self.left.with(seat);
                happened.push(Happening::Left(seat));
                self.lose(one, remedy, self.number(), happened)?;
                self.gone[seat] = None;
                Ok(())
            }
        }
    }

    fn readmit(&mut self, seat: Seat, happened: &mut Vec<Happening<G>>) -> Result<(), Refusal> {
        self.gone[seat] = None;
        self.signers = self.signers.with(seat);
        happened.push(Happening::Back(seat));
        if matches!(self.game.awaits(), Awaits::Nothing) {
            return Ok(());
        }
        let has_cards = match &mut self.deal {
            Some(deal) if deal.context().people.contains(seat) => deal.present(seat).is_ok(),
            _ => false,
        };
        if has_cards {
            let events = self.game.take_back(seat);
            self.note(seat, events, happened)?;
        } else {
            self.waiting = self.waiting.with(seat);
        }
        self.advance(happened)
    }

    /// Between two deals: who came back while a deal without them went on has the seat again.
    pub(super) fn take_back_waiting(
        &mut self,
        happened: &mut Vec<Happening<G>>,
    ) -> Result<(), Refusal> {
        for seat in core::mem::take(&mut self.waiting).iter() {
            let events = self.game.take_back(seat);
            self.note(seat, events, happened)?;
        }
        Ok(())
    }

    /// Does the game still ask what the decks are working on?
    fn asks_the_same(&self) -> bool {
        match self.game.awaits() {
            Awaits::Decks(request) => self.request.as_ref() == Some(request),
            Awaits::Seats(_) | Awaits::Nothing => self.request.is_none(),
        }
    }
}

fn shuffling<G: Game>(game: &G) -> bool {
    matches!(game.awaits(), Awaits::Decks(DeckRequest::Shuffle { .. }))
}

fn read_vote(signed: &SignedEntry) -> Result<Vote, Refusal> {
    codec::decode(&signed.entry.body).map_err(|_| Refusal::Garbage(signed.entry.seat))
}
