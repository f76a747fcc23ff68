//! What flies when something happens: cards from hand or seat to the trick and on to their worlds, tiles to their takers, backs of
//! cards at an Eclipse. Only what the event itself shows to all.

use gtk::{graphene, prelude::*, subclass::prelude::*};

use super::TableScreen;
use crate::{
    art::Art,
    components::face::CardFace,
    motion::centred,
    pieces::{Card, Event, Pick, Seat, SeatSet, Side, World},
    session::models::WorldModel,
    words,
};

/// How long a flight takes at the usual pace, in milliseconds.
const FLIGHT: f64 = 340.0;

fn face(card: Card, wide: f32) -> CardFace {
    CardFace::new(
        &format!("world-{}", words::world_key(card.world)),
        &card.value.to_string(),
        &words::world(card.world),
        wide as i32,
    )
}

impl TableScreen {
    /// Lets fly what the event moves.
    pub(super) fn fly(&self, event: &Event) {
        let parts = self.parts();
        if parts.session.settings().tempo() == 0.0 || !parts.flights.is_mapped() {
            return;
        }
        match event {
            Event::Led { seat, card }
            | Event::Followed { seat, card }
            | Event::Strayed { seat, card } => self.fly_to_trick(*seat, *card),
            Event::Laid { card } => self.fly_to_world(*card),
            Event::Took {
                seat,
                from,
                artefact,
            } => {
                let picture = artefact.map_or("tile-back", words::artefact_key);
                self.fly_tile(*seat, *from, picture);
            }
            Event::CardsPassed { seats, side } => self.fly_round(*seats, *side),
            Event::Swapped { seat, with } => {
                self.fly_between(*seat, *with, "identity-back");
                self.fly_between(*with, *seat, "identity-back");
            }
            Event::Struck { seat, target } => self.fly_between(*seat, *target, "tile-dagger"),
            Event::PortalUsed { seat, way: _ } => self.fly_portal(*seat),
            _ => {}
        }
    }

    fn milliseconds(&self, times: f64) -> u32 {
        (FLIGHT * times * self.parts().session.settings().tempo()) as u32
    }

    fn seat_place(&self, seat: Seat) -> Option<graphene::Rect> {
        let panels = self.imp().panels.borrow();
        let panel = panels.iter().find(|panel| panel.index() == seat.index())?;
        self.parts().flights.place(panel)
    }

    fn fly_to_trick(&self, seat: Seat, card: Card) {
        let parts = self.parts();
        let place = parts.trick.place_of(&parts.session.trick(), seat.index());
        let Some((frame, to)) = place.and_then(|frame| {
            let to = parts.flights.place(&frame)?;
            Some((frame, to))
        }) else {
            return;
        };
        let mine = parts.session.with_table(|table| table.me) == Some(seat);
        let from = match parts.hand.left_from().filter(|_| mine) {
            Some(area) => parts
                .hand
                .compute_point(&parts.flights, &area.top_left())
                .map(|point| {
                    graphene::Rect::new(point.x(), point.y(), area.width(), area.height())
                }),
            None => self.seat_place(seat).map(|area| centred(&area, &to, 0.5)),
        };
        let Some(from) = from else { return };
        frame.add_css_class("landing");
        let piece = face(card, to.width());
        parts
            .flights
            .fly(&piece, from, to, self.milliseconds(1.0), move || {
                frame.remove_css_class("landing");
            });
    }

    fn fly_to_world(&self, card: Card) {
        let parts = self.parts();
        let trick = parts.session.trick();
        let seat = trick.played.iter().position(|played| *played == Some(card));
        let frame = seat.and_then(|seat| parts.trick.place_of(&trick, seat));
        let from = frame.and_then(|frame| parts.flights.place(&frame));
        if let Some((from, area)) = from.zip(self.world_place(card.world)) {
            let to = centred(&area, &from, 0.45);
            let piece = face(card, to.width());
            parts
                .flights
                .fly(&piece, from, to, self.milliseconds(1.2), || {});
        }
    }

    fn world_place(&self, world: World) -> Option<graphene::Rect> {
        let parts = self.parts();
        let mut models = parts.session.worlds().iter::<WorldModel>().flatten();
        let index = models.position(|model| model.world() == world)?;
        parts.flights.place(&parts.worlds.panel(index)?)
    }

    fn fly_tile(&self, seat: Seat, from: Pick, picture: &str) {
        let parts = self.parts();
        let from = parts
            .tiles
            .button(from)
            .and_then(|button| parts.flights.place(&button));
        if let Some((from, area)) = from.zip(self.seat_place(seat)) {
            let side = from.width().min(from.height()) * 0.8;
            let start = centred(&from, &graphene::Rect::new(0.0, 0.0, side, side), 1.0);
            let to = centred(&area, &start, 0.4);
            let piece = Art::new(picture, to.width() as i32, to.height() as i32);
            parts
                .flights
                .fly(&piece, start, to, self.milliseconds(1.3), || {});
        }
    }

    fn fly_between(&self, seat: Seat, other: Seat, picture: &str) {
        if let Some((a, b)) = self.seat_place(seat).zip(self.seat_place(other)) {
            let high = if picture.starts_with("tile") {
                40.0
            } else {
                56.0
            };
            let shape = graphene::Rect::new(0.0, 0.0, 40.0, high);
            let (from, to) = (centred(&a, &shape, 1.0), centred(&b, &shape, 1.0));
            let piece = Art::new(picture, to.width() as i32, to.height() as i32);
            self.parts()
                .flights
                .fly(&piece, from, to, self.milliseconds(1.8), || {});
        }
    }

    /// Each to the next who takes part, as the Eclipse's side says.
    fn fly_round(&self, seats: SeatSet, side: Side) {
        let seats: Vec<Seat> = seats.iter().collect();
        for (i, seat) in seats.iter().enumerate() {
            let next = match side {
                Side::Left => (i + 1) % seats.len(),
                Side::Right => (i + seats.len() - 1) % seats.len(),
            };
            if let Some(other) = seats.get(next) {
                self.fly_between(*seat, *other, "card-back");
            }
        }
    }

    fn fly_portal(&self, seat: Seat) {
        let parts = self.parts();
        if let Some((a, b)) = self.seat_place(seat).zip(parts.flights.place(&parts.path)) {
            let shape = graphene::Rect::new(0.0, 0.0, 44.0, 44.0);
            let piece = Art::new("tile-portal", 44, 44);
            let (from, to) = (centred(&a, &shape, 0.6), centred(&b, &shape, 1.0));
            parts
                .flights
                .fly(&piece, from, to, self.milliseconds(1.6), || {});
        }
    }
}
