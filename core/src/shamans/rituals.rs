//! Rituals: RIT-1 to RIT-4.

use alloc::vec::Vec;

use super::{
    Shamans,
    card::{Ritual, World},
    event::{Event, PawnCause, PointCause},
    state::{Decision, Moment, Phase, Task, Then, WorldSet},
};
use crate::game::{DeckRequest, Seat, SeatSet, Slot};

impl Shamans {
    /// Whom `seat` can choose: others who are not eliminated.
    pub(super) fn others(&self, seat: Seat) -> SeatSet {
        self.in_play().without(seat)
    }

    pub(super) fn begin_ritual(&mut self, seat: Seat, world: World, events: &mut Vec<Event>) {
        let ritual = self.rules.ritual(world);
        events.push(Event::RitualBegan {
            seat,
            world,
            ritual,
        });
        let alone = self.others(seat).is_empty();
        match ritual {
            // RIT-1: without a tile to take there is no choice.
            Ritual::Stabilisation if self.anything_to_take() => {
                self.decide(Decision::Stabilise { seat })
            }
            Ritual::Stabilisation => self.move_back(seat, events),
            Ritual::Permutation if !alone => self.decide(Decision::Permute { seat }),
            Ritual::Illumination => self.award(
                seat,
                self.rules.illumination,
                PointCause::Illumination,
                events,
            ),
            Ritual::Neutralisation
                if !alone && self.round.places[seat].face_up_dagger().is_some() =>
            {
                self.decide(Decision::Strike { seat, must: true });
            }
            // RIT-4: whoever has a face-down tile is asked, dagger or not, so that the question tells nothing.
            Ritual::Neutralisation if !alone && self.round.places[seat].has_face_down() => {
                self.decide(Decision::Strike { seat, must: false });
            }
            Ritual::Permutation | Ritual::Neutralisation => {
                events.push(Event::RitualIdle { seat, ritual })
            }
        }
    }

    /// ELI-4: one by one, in an order of the seat's choice.
    pub(super) fn choose_ritual(&mut self, seat: Seat, worlds: WorldSet) {
        let mut all = worlds.iter();
        match (all.next(), all.next()) {
            (None, _) => {}
            (Some(world), None) => self.push(Task::Ritual(seat, world)),
            (Some(_), Some(_)) => self.decide(Decision::Order { seat, worlds }),
        }
    }

    pub(super) fn perform_ritual(&mut self, seat: Seat, world: World) {
        if let Phase::Deciding(Decision::Order { seat: _, worlds }) = self.phase {
            self.resume_with(Task::Rituals(seat, worlds.without(world)));
            self.push(Task::Ritual(seat, world));
        }
    }

    /// RIT-1
    pub(super) fn move_back(&mut self, _seat: Seat, events: &mut Vec<Event>) {
        self.phase = Phase::Running;
        self.retreat(self.rules.back, PawnCause::Stabilisation, events);
    }

    /// RIT-2: both cards are passed, so that each reads its new one and nobody else learns either. ART-5: one that lies face up stays so.
    pub(super) fn swap(&mut self, seat: Seat, with: Seat, events: &mut Vec<Event>) {
        let hidden = [(seat, with), (with, seat)]
            .into_iter()
            .filter(|&(from, _)| self.round.places[from].role.is_none());
        let slots: Vec<_> = hidden
            .map(|(from, to)| (self.round.places[from].identity, to))
            .collect();
        if slots.is_empty() {
            self.phase = Phase::Running;
            self.swapped(seat, with, events);
        } else {
            self.ask(DeckRequest::Pass { slots }, Then::Swapped { seat, with });
        }
    }

    pub(super) fn swapped(&mut self, seat: Seat, with: Seat, events: &mut Vec<Event>) {
        let card = |place: &super::state::Place| (place.identity, place.role);
        let (one, other) = (
            card(&self.round.places[seat]),
            card(&self.round.places[with]),
        );
        for (seat, (identity, role)) in [(seat, other), (with, one)] {
            self.round.places[seat].identity = identity;
            self.round.places[seat].role = role;
        }
        events.push(Event::Swapped { seat, with });
    }

    /// RIT-4: the dagger is discarded, the target named; POR-2 asks before the elimination.
    pub(super) fn strike(&mut self, by: Seat, dagger: Slot, target: Seat, events: &mut Vec<Event>) {
        self.round.places[by]
            .tiles
            .retain(|tile| tile.slot != dagger);
        events.push(Event::Struck { seat: by, target });
        self.resume_with(Task::Eliminate { by, target });
        self.push(Task::Moment(Moment::Dagger { by, target }));
    }
}
