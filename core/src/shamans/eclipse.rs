//! The Eclipse: ECL-1 to ECL-4.

use alloc::vec::Vec;

use super::{
    Shamans,
    card::Side,
    event::Event,
    setup::DeckKind,
    state::{Decision, Phase, Then},
};
use crate::game::{Audience, DeckRequest, Face, PerSeat, Remix, Seat, SeatSet, Slot};

impl Shamans {
    /// ECL-1: resolved at once and removed. ECL-2: with fewer than two players who hold a card nothing happens.
    pub(super) fn begin_eclipse(&mut self, events: &mut Vec<Event>) {
        self.round.eclipse = false;
        let seats = self.holders();
        if seats.len() < 2 {
            events.push(Event::EclipseBegan { seats, side: None });
            return;
        }
        let slots = Vec::from([(self.rules.first(DeckKind::Side), Audience::All)]);
        self.ask(DeckRequest::Open { slots }, Then::Turn(seats));
    }

    pub(super) fn turn_eclipse(
        &mut self,
        seats: SeatSet,
        faces: &[Option<Face>],
        events: &mut Vec<Event>,
    ) {
        let side = faces
            .first()
            .copied()
            .flatten()
            .map_or(Side::Left, |face| self.rules.side(face));
        events.push(Event::EclipseBegan {
            seats,
            side: Some(side),
        });
        self.decide(Decision::Give {
            waiting: seats,
            side,
            chosen: PerSeat::default(),
        });
    }

    /// ECL-2: chosen; when all have, all pass at once to the next such player. ECL-4: cards in the trick are in no hand any more.
    pub(super) fn give(&mut self, by: Seat, slot: Slot, events: &mut Vec<Event>) {
        let Phase::Deciding(Decision::Give {
            waiting,
            side,
            chosen,
        }) = &mut self.phase
        else {
            return;
        };
        *waiting = waiting.without(by);
        chosen[by] = Some(slot);
        events.push(Event::Chose { seat: by });
        if waiting.is_empty() {
            let (side, chosen) = (*side, *chosen);
            self.pass_cards(side, chosen);
        }
    }

    fn pass_cards(&mut self, side: Side, chosen: PerSeat<Option<Slot>>) {
        self.round.eclipse_after = Some(self.round.plays.len() as u8);
        let n = self.rules.seats();
        let givers: SeatSet = chosen
            .iter()
            .filter_map(|(seat, slot)| slot.map(|_| seat))
            .collect();
        let mut slots = Vec::with_capacity(givers.len());
        for giver in givers.iter() {
            let mut receiver = giver;
            loop {
                receiver = match side {
                    Side::Left => receiver.left(n),
                    Side::Right => receiver.right(n),
                };
                if givers.contains(receiver) {
                    break;
                }
            }
            if let Some(slot) = chosen[giver] {
                slots.push((slot, receiver));
                self.round.gifts[giver] = Some((slot, receiver));
                self.round.places[giver].hand.retain(|held| *held != slot);
            }
        }
        for &(slot, receiver) in &slots {
            self.round.places[receiver].hand.push(slot);
        }
        self.ask(DeckRequest::Pass { slots }, Then::Mix(givers, side));
    }

    /// ECL-3: every hand that received a card is mixed into new slots, so that nobody can follow the card.
    pub(super) fn mix_hands(&mut self, seats: SeatSet, side: Side) {
        let mut hands = Vec::with_capacity(seats.len());
        for seat in seats.iter() {
            let hand = &mut self.round.places[seat].hand;
            let into = self.round.next_slot;
            self.round.next_slot = into.after(hand.len());
            hands.push(Remix {
                seat,
                from: hand.iter().copied().collect(),
                into,
            });
            for (i, slot) in hand.iter_mut().enumerate() {
                *slot = into.after(i);
            }
        }
        self.ask(DeckRequest::Remix { hands }, Then::Mixed(seats, side));
    }

    pub(super) fn hands_mixed(&mut self, seats: SeatSet, side: Side, events: &mut Vec<Event>) {
        events.push(Event::CardsPassed { seats, side });
    }
}
