//! Seats that nobody holds: PHA-1 and PHA-2. Their choices are fixed, so every peer makes them alike.

use alloc::vec::Vec;

use super::{
    Shamans,
    action::{Action, Pick},
    event::Event,
    state::{Decision, Then},
};
use crate::game::{Audience, DeckRequest, Face, Seat};

impl Shamans {
    /// PHA-2: makes the decision that the table waits for from `seat`.
    pub(super) fn decide_for(&mut self, seat: Seat, decision: Decision, events: &mut Vec<Event>) {
        let action = match decision {
            Decision::Play { seat: _ } => return self.open_first_card(seat),
            Decision::Take { seat: _ } => Action::Take(self.first_tile()),
            Decision::Stabilise { seat: _ } => Action::MoveBack,
            Decision::Permute { seat: _ } => Action::Swap {
                with: self.next_other(seat),
            },
            Decision::Strike { seat: _, must: _ } => match self.round.places[seat].face_up_dagger()
            {
                Some(tile) => Action::Strike {
                    tile,
                    face: None,
                    target: self.next_other(seat),
                },
                None => Action::Spare,
            },
            // Rituals in the order of data/.
            Decision::Order { seat: _, worlds } => match worlds.iter().next() {
                Some(world) => Action::Perform { world },
                None => return,
            },
            // It never uses a Portal; that is no news to anyone, so there is no event.
            Decision::React {
                seat: _,
                waiting: _,
                moment: _,
            } => return self.ask_next_for_portal(),
            Decision::Give {
                waiting: _,
                side: _,
                chosen: _,
            } => match self.round.places[seat].hand.first() {
                Some(&slot) => Action::Give { slot },
                None => return,
            },
            Decision::NameGuide { seat: _ } => Action::NameGuide {
                seat: self.next_other(seat),
            },
        };
        self.carry_out(seat, action, events);
    }

    /// PHA-1: its first sealed card is opened and played.
    fn open_first_card(&mut self, seat: Seat) {
        if let Some(&slot) = self.round.places[seat].hand.first() {
            let slots = Vec::from([(slot, Audience::All)]);
            self.ask(DeckRequest::Open { slots }, Then::PhantomPlays(seat));
        }
    }

    pub(super) fn phantom_plays(
        &mut self,
        seat: Seat,
        faces: &[Option<Face>],
        events: &mut Vec<Event>,
    ) {
        let card = faces
            .first()
            .copied()
            .flatten()
            .and_then(|face| self.rules.card(face));
        if let (Some(card), Some(&slot)) = (card, self.round.places[seat].hand.first()) {
            self.play(seat, slot, card, events);
        }
    }

    /// The first face-up tile, else the top of the pile.
    fn first_tile(&self) -> Pick {
        let up = self.round.offer.iter().position(Option::is_some);
        up.map_or(Pick::Pile, |place| Pick::FaceUp(place as u8))
    }

    /// The next player in turn order who is not eliminated.
    fn next_other(&self, seat: Seat) -> Seat {
        let n = self.rules.seats();
        self.others(seat).next_from(seat.left(n), n).unwrap_or(seat)
    }
}
