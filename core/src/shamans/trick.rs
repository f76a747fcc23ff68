//! The trick: TRK-1 to TRK-9.

use alloc::vec::Vec;

use super::{
    Shamans,
    card::Card,
    event::{Event, PawnCause},
    state::{Decision, Moment, Played, Task, Trick},
};
use crate::game::{PerSeat, Seat, SeatSet, Slot};

impl Shamans {
    /// Players not eliminated who hold a card.
    pub(super) fn holders(&self) -> SeatSet {
        self.in_play()
            .iter()
            .filter(|&seat| !self.round.places[seat].hand.is_empty())
            .collect()
    }

    pub(super) fn begin_trick(&mut self, guide: Seat, events: &mut Vec<Event>) {
        let to_play = self.holders();
        // A Guide without cards cannot lead: the next player who can does.
        let guide = to_play
            .next_from(guide, self.rules.seats())
            .unwrap_or(guide);
        self.round.trick = Trick {
            guide,
            destination: None,
            cards: PerSeat::default(),
            to_play,
            stray: None,
        };
        self.round.turn = guide;
        events.push(Event::TrickBegan { guide });
        self.resume_with(Task::NextTurn);
    }

    /// TRK-2: in turn order from the Guide on; TRK-6: those eliminated before their turn were taken out.
    pub(super) fn next_turn(&mut self, events: &mut Vec<Event>) {
        let trick = &self.round.trick;
        match trick.to_play.next_from(trick.guide, self.rules.seats()) {
            Some(seat) => {
                self.round.turn = seat;
                self.decide(Decision::Play { seat });
            }
            None => self.end_trick(events),
        }
    }

    pub(super) fn play(&mut self, seat: Seat, slot: Slot, card: Card, events: &mut Vec<Event>) {
        let place = &mut self.round.places[seat];
        place.hand.retain(|held| *held != slot);
        let trick = &mut self.round.trick;
        self.round.plays.push(Played {
            seat,
            identity: place.identity,
            card,
            destination: trick.destination.unwrap_or(card.world),
            led: trick.destination.is_none(),
            left: place.hand.len() as u8,
        });
        trick.to_play = trick.to_play.without(seat);
        self.resume_with(Task::NextTurn);
        let trick = &mut self.round.trick;
        match trick.destination {
            None => {
                // TRK-1
                trick.destination = Some(card.world);
                trick.cards[seat] = Some(card);
                events.push(Event::Led { seat, card });
            }
            Some(world) if world == card.world => {
                // TRK-3
                trick.cards[seat] = Some(card);
                events.push(Event::Followed { seat, card });
            }
            Some(_) => {
                // TRK-4: the pawn first; the card goes to its world only if the round goes on.
                trick.stray = Some((seat, card));
                events.push(Event::Strayed { seat, card });
                self.push(Task::LayStray);
                self.push_advance(1, PawnCause::Stray);
            }
        }
    }

    /// Moves the pawn, after asking for portals if that reaches the Moon (POR-2).
    pub(super) fn push_advance(&mut self, steps: u8, cause: PawnCause) {
        self.push(Task::Advance(steps, cause));
        self.push(Task::Moment(Moment::Moon { steps }));
    }

    /// TRK-4: to its world, and if that is now complete its player performs the ritual.
    pub(super) fn lay_stray(&mut self, events: &mut Vec<Event>) {
        if let Some((seat, card)) = self.round.trick.stray.take() {
            self.lay(card);
            events.push(Event::Laid { card });
            // TRK-5: a card completes its world once, so a ritual happens once.
            if self.round.laid[card.world] == self.rules.whole() {
                self.push(Task::Ritual(seat, card.world));
            }
        }
    }

    /// TRK-7: compare the Destination cards of players who are not eliminated. TRK-8: one alone is both.
    fn end_trick(&mut self, events: &mut Vec<Event>) {
        let in_play = self.in_play();
        let cards = self.round.trick.cards;
        let standing = || {
            let shown = cards
                .iter()
                .filter_map(|(seat, card)| card.map(|card| (card.value, seat)));
            shown.filter(|&(_, seat)| in_play.contains(seat))
        };
        let lowest = standing().min().map(|(_, seat)| seat);
        let highest = standing().max().map(|(_, seat)| seat);
        events.push(Event::TrickEnded { lowest, highest });
        self.resume_with(Task::NextTrick(highest));
        self.push(Task::Collect(highest));
        if let Some(seat) = lowest {
            self.push(Task::Take(seat));
        }
    }

    /// TRK-7: all Destination cards go to the world, those of eliminated players too.
    pub(super) fn collect(&mut self, highest: Option<Seat>, events: &mut Vec<Event>) {
        let cards = self.round.trick.cards;
        for card in cards.iter().filter_map(|(_, card)| *card) {
            self.lay(card);
            events.push(Event::Laid { card });
        }
        if let (Some(seat), Some(world)) = (highest, self.round.trick.destination) {
            self.round.turn = seat;
            // TRK-9: without such a player no ritual happens.
            if self.round.laid[world] == self.rules.whole() {
                self.push(Task::Ritual(seat, world));
            }
        }
    }

    /// TRK-7: the highest is the next Guide if anyone holds cards; TRK-9: else an eliminated player names one. END-3.
    pub(super) fn next_trick(&mut self, highest: Option<Seat>, events: &mut Vec<Event>) {
        if self.holders().is_empty() {
            self.push(Task::OutOfCards);
            self.push(Task::Moment(Moment::LastCards));
            return;
        }
        match highest {
            Some(seat) => self.begin_trick(seat, events),
            None => {
                let cards = self.round.trick.cards;
                let named_by = cards
                    .iter()
                    .filter_map(|(seat, card)| card.map(|card| (card.value, seat)))
                    .max();
                let (_, seat) = named_by.expect("the Guide's own card is of the Destination");
                self.decide(Decision::NameGuide { seat });
            }
        }
    }
}
