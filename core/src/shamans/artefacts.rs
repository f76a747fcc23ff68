//! Artefacts: ART-1 to ART-5. (ART-6 is in scoring, ART-7 in elimination.)

use alloc::vec::Vec;

use super::{
    Shamans,
    action::Pick,
    card::Artefact,
    event::Event,
    setup::DeckKind,
    state::{Decision, Drawer, Task, Then, Tile},
};
use crate::game::{Audience, DeckRequest, Face, Seat, Slot};

impl Shamans {
    /// Tiles left in the pile.
    pub(super) fn pile_left(&self) -> u8 {
        self.rules.pile() - self.round.drawn
    }

    /// ART-1: is this to be had?
    pub(super) fn can_take(&self, pick: Pick) -> bool {
        match pick {
            Pick::FaceUp(place) => {
                matches!(self.round.offer.get(usize::from(place)), Some(Some(_)))
            }
            Pick::Pile => self.pile_left() > 0,
        }
    }

    pub(super) fn anything_to_take(&self) -> bool {
        self.pile_left() > 0 || self.round.offer.iter().any(Option::is_some)
    }

    /// ART-1; ART-4: with no tile left there is nothing to take.
    pub(super) fn offer_artefact(&mut self, seat: Seat, events: &mut Vec<Event>) {
        if self.anything_to_take() {
            self.decide(Decision::Take { seat });
        } else {
            events.push(Event::NothingToTake { seat });
        }
    }

    pub(super) fn take(&mut self, seat: Seat, pick: Pick, events: &mut Vec<Event>) {
        match pick {
            Pick::FaceUp(place) => {
                let tile = self
                    .round
                    .offer
                    .get_mut(usize::from(place))
                    .and_then(Option::take);
                // ART-4: the tile's own effect, the refill, then the Eclipse.
                self.resume_with(Task::Refill(place));
                if let Some(tile) = tile {
                    // ART-2: it stays face up.
                    self.keep(seat, tile, pick, events);
                }
            }
            Pick::Pile => self.draw(Drawer::Seat(seat)),
        }
    }

    /// Puts a tile in front of a seat and brings on its effect.
    fn keep(&mut self, seat: Seat, tile: Tile, from: Pick, events: &mut Vec<Event>) {
        self.round.places[seat].tiles.push(tile);
        events.push(Event::Took {
            seat,
            from,
            artefact: tile.up,
        });
        if tile.up == Some(Artefact::Mask) {
            // ART-5
            self.push(Task::Unmask(seat));
        }
    }

    /// ART-2: the top of the pile fills the gap; ART-4: an empty pile refills nothing.
    pub(super) fn refill(&mut self, gap: u8) {
        if self.pile_left() > 0 {
            self.draw(Drawer::Gap(gap));
        }
    }

    /// Draws the top of the pile: its mark is opened to all, and so is the marker that says whether the Eclipse is now on top.
    fn draw(&mut self, drawer: Drawer) {
        let drawn = usize::from(self.round.drawn);
        self.round.drawn += 1;
        let mark = self
            .rules
            .first(DeckKind::Marks)
            .after(usize::from(self.rules.face_up) + drawn);
        let mut slots = Vec::from([(mark, Audience::All)]);
        if self.round.eclipse {
            slots.push((
                self.rules.first(DeckKind::Depth).after(drawn),
                Audience::All,
            ));
        }
        self.ask(DeckRequest::Open { slots }, Then::Drawn(drawer));
    }

    pub(super) fn drawn(
        &mut self,
        drawer: Drawer,
        faces: &[Option<Face>],
        events: &mut Vec<Event>,
    ) {
        let mut faces = faces.iter().copied().flatten();
        let (mark, depth) = (faces.next(), faces.next());
        // ART-4: the Eclipse last, so it is pushed first.
        if depth.is_some_and(|face| self.rules.is_eclipse(face)) {
            self.push(Task::Eclipse);
        }
        if mark.is_some_and(|face| self.rules.is_mask(face)) {
            let at = usize::from(self.rules.face_up) + usize::from(self.round.drawn) - 1;
            let slot = self.rules.first(DeckKind::Marks).after(at);
            self.place(
                drawer,
                Tile {
                    slot,
                    up: Some(Artefact::Mask),
                },
                events,
            );
        } else {
            let slot = self.next_keepsake();
            let audience = self.audience(drawer);
            self.ask(
                DeckRequest::Open {
                    slots: Vec::from([(slot, audience)]),
                },
                Then::Kept(drawer),
            );
        }
    }

    /// ART-3: face down in front of its taker, or face up in the gap.
    pub(super) fn kept(&mut self, drawer: Drawer, faces: &[Option<Face>], events: &mut Vec<Event>) {
        let slot: Slot = self
            .rules
            .first(DeckKind::Keepsakes)
            .after(usize::from(self.round.kept) - 1);
        let up = faces
            .first()
            .copied()
            .flatten()
            .and_then(|face| self.rules.keepsake(face));
        self.place(drawer, Tile { slot, up }, events);
    }

    fn place(&mut self, drawer: Drawer, tile: Tile, events: &mut Vec<Event>) {
        match drawer {
            Drawer::Seat(seat) => self.keep(seat, tile, Pick::Pile, events),
            Drawer::Gap(place) => {
                if let Some(gap) = self.round.offer.get_mut(usize::from(place)) {
                    *gap = Some(tile);
                }
                if let Some(artefact) = tile.up {
                    events.push(Event::Offered { place, artefact });
                }
            }
        }
    }

    /// ART-5: the identity card is turned up, if it is not already.
    pub(super) fn unmask(&mut self, seat: Seat) {
        let place = &self.round.places[seat];
        if place.role.is_none() {
            let slots = Vec::from([(place.identity, Audience::All)]);
            self.ask(DeckRequest::Open { slots }, Then::Unmask(seat));
        }
    }

    pub(super) fn unmasked(&mut self, seat: Seat, faces: &[Option<Face>], events: &mut Vec<Event>) {
        if let Some(role) = faces
            .first()
            .copied()
            .flatten()
            .and_then(|face| self.rules.role(face))
        {
            self.round.places[seat].role = Some(role);
            events.push(Event::Unmasked { seat, role });
        }
    }
}
