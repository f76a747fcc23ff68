//! The end of a round and of the game: END-1 to END-7, ART-6.

use alloc::vec::Vec;

use super::{
    Shamans,
    card::{Artefact, Role},
    event::{EndCause, Event, PointCause},
    setup::DeckKind,
    state::{Phase, Then},
};
use crate::game::{Audience, DeckRequest, Face, Seat, SeatSet, Slot};

impl Shamans {
    /// END-1 to END-3; END-4: no other way. END-5: all identities are shown, and ART-6 needs the face-down tiles.
    pub(super) fn end_round(&mut self, winner: Role, cause: EndCause, events: &mut Vec<Event>) {
        self.tasks.clear();
        self.round.winner = Some(winner);
        events.push(Event::RoundEnded { winner, cause });
        let slots: Vec<_> = self
            .hidden_at_end()
            .map(|(_, slot)| (slot, Audience::All))
            .collect();
        if slots.is_empty() {
            self.score_opened(&[], events);
        } else {
            self.ask(DeckRequest::Open { slots }, Then::Score);
        }
    }

    /// Identities not shown yet, then face-down tiles of players in play, each with its seat.
    fn hidden_at_end(&self) -> impl Iterator<Item = (Seat, Slot)> {
        let places = || self.round.places.iter().take(self.rules.seats());
        let identities = places()
            .filter(|(_, p)| p.role.is_none())
            .map(|(seat, p)| (seat, p.identity));
        let tiles = places()
            .filter(|(_, p)| !p.eliminated)
            .flat_map(|(seat, p)| {
                let down = p.tiles.iter().filter(|tile| tile.up.is_none());
                down.map(move |tile| (seat, tile.slot))
            });
        identities.chain(tiles)
    }

    pub(super) fn score_opened(&mut self, faces: &[Option<Face>], events: &mut Vec<Event>) {
        let rules = self.rules;
        let opened: Vec<_> = self
            .hidden_at_end()
            .zip(faces.iter().copied().flatten())
            .collect();
        for ((seat, slot), face) in opened {
            let place = &mut self.round.places[seat];
            if slot == place.identity {
                if let Some(role) = rules.role(face) {
                    place.role = Some(role);
                    events.push(Event::Unmasked { seat, role });
                }
            } else if let Some(artefact) = rules.keepsake(face) {
                for tile in place.tiles.iter_mut().filter(|tile| tile.slot == slot) {
                    tile.up = Some(artefact);
                }
                events.push(Event::TileShown { seat, artefact });
            }
        }
        self.score(events);
        self.ask(DeckRequest::Reveal, Then::Close);
    }

    /// END-5, then ART-6.
    fn score(&mut self, events: &mut Vec<Event>) {
        let rules = self.rules;
        for seat in self.in_play().iter() {
            match (self.round.winner, self.round.places[seat].role) {
                (Some(Role::Shaman), Some(Role::Shaman)) => {
                    self.award(seat, rules.shaman_points, PointCause::Shaman, events);
                }
                (Some(Role::Shadow), Some(Role::Shadow)) => {
                    self.award(seat, rules.shadow_points, PointCause::Shadow, events);
                }
                (
                    Some(Role::Shaman | Role::Shadow) | None,
                    Some(Role::Shaman | Role::Shadow) | None,
                ) => {}
            }
        }
        for seat in self.in_play().iter() {
            let tiles = &self.round.places[seat].tiles;
            let stones = tiles
                .iter()
                .filter(|tile| tile.up == Some(Artefact::Moonstone))
                .count();
            if stones >= usize::from(rules.moonstone_set) {
                self.award(seat, rules.moonstone_points, PointCause::Moonstones, events);
            }
        }
    }

    pub(super) fn award(
        &mut self,
        seat: Seat,
        points: u8,
        cause: PointCause,
        events: &mut Vec<Event>,
    ) {
        self.points[seat] += u16::from(points);
        events.push(Event::Scored {
            seat,
            points,
            cause,
        });
    }

    /// The secrets are out: unplayed hands are shown, and the game ends (END-6) or goes on (END-7).
    pub(super) fn close_round(&mut self, faces: &[Option<Face>], events: &mut Vec<Event>) {
        let rules = self.rules;
        let face = |slot: Slot| faces.get(usize::from(slot.0)).copied().flatten();
        for (seat, place) in self.round.places.iter().take(rules.seats()) {
            let cards: Vec<_> = place
                .hand
                .iter()
                .filter_map(|&slot| face(slot).and_then(|f| rules.card(f)))
                .collect();
            if !cards.is_empty() {
                events.push(Event::HandOpened { seat, cards });
            }
        }
        let most = self
            .points
            .iter()
            .map(|(_, &points)| points)
            .max()
            .unwrap_or(0);
        let leaders: SeatSet = rules
            .everyone()
            .iter()
            .filter(|&seat| self.points[seat] == most)
            .collect();
        if most >= u16::from(rules.goal) {
            if let (1, Some(winner)) = (leaders.len(), leaders.iter().next()) {
                events.push(Event::GameEnded { winner });
                self.phase = Phase::Over;
                return;
            }
            events.push(Event::Tied { seats: leaders });
        }
        // SET-6
        self.first_guide = self.first_guide.map(|seat| seat.left(rules.seats()));
        self.begin_round();
    }

    /// The last slot of a deal and one more: what a reveal lists.
    pub fn slots(&self) -> usize {
        usize::from(self.round.next_slot.0).max(usize::from(self.rules.first(DeckKind::Guide).0))
    }
}
