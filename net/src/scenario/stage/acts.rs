//! From what a line says a seat does to the action it means, with the slots and faces that go with it.

use shamans_core::{
    game::{Face, Game, Known, Seat, Slot},
    shamans::{
        Action, Artefact, Card, Decision, Event, Illegal, Pick, setup::DeckKind, view::TileView,
    },
};

use super::{super::line::Deed, super::tell::Reason, Stage};

impl Stage<'_> {
    /// Does it, if rules and dealer allow.
    pub(super) fn act(&mut self, seat: Seat, deed: Deed) -> Result<Vec<Event>, Reason> {
        let action = self.meant(seat, deed)?;
        self.game.check(seat, &action).map_err(Reason::Rules)?;
        let claims = self.game.claims(seat, &action);
        self.dealer.check(&claims).map_err(|_| Reason::FalseClaim)?;
        self.game.apply(seat, action).map_err(Reason::Rules)
    }

    /// The action that is meant.
    pub(in crate::scenario) fn meant(&self, seat: Seat, deed: Deed) -> Result<Action, Reason> {
        self.action(seat, deed, &self.all())
    }

    fn action(&self, seat: Seat, deed: Deed, known: &Known) -> Result<Action, Reason> {
        let view = self.view(seat, known);
        Ok(match deed {
            Deed::Play(Some(card)) => Action::Play {
                slot: self.slot(seat, card, known),
                card,
            },
            Deed::Play(None) => {
                let (slot, card) = view
                    .hand()
                    .next()
                    .ok_or(Reason::Rules(Illegal::NotInHand))?;
                Action::Play { slot, card }
            }
            Deed::Give(Some(card)) => Action::Give {
                slot: self.slot(seat, card, known),
            },
            Deed::Give(None) => {
                let (slot, _) = view
                    .hand()
                    .next()
                    .ok_or(Reason::Rules(Illegal::NotInHand))?;
                Action::Give { slot }
            }
            Deed::TakePile => Action::Take(Pick::Pile),
            Deed::Take(artefact) => {
                let place = (0..)
                    .zip(view.offer())
                    .find(|(_, tile)| *tile == Some(artefact));
                // Where there is none of the kind, a place that does not exist says so.
                Action::Take(Pick::FaceUp(place.map_or(u8::MAX, |(place, _)| place)))
            }
            Deed::TakeInstead => Action::TakeInstead,
            Deed::MoveBack => Action::MoveBack,
            Deed::Swap(with) => Action::Swap { with },
            Deed::Strike { target, tile, up } => {
                let (tile, face) = self.tile(seat, tile, up, Artefact::Dagger, known);
                Action::Strike { tile, face, target }
            }
            Deed::Portal { tile, way, up } => {
                let (tile, face) = self.tile(seat, tile, up, Artefact::Portal, known);
                Action::Portal { tile, face, way }
            }
            // One word for both ways of saying no: which one is meant follows from what is asked.
            Deed::Decline => match self.game.decision() {
                Some(Decision::Strike { .. }) => Action::Spare,
                Some(_) | None => Action::Decline,
            },
            Deed::Perform(world) => Action::Perform { world },
            Deed::NameGuide(seat) => Action::NameGuide { seat },
        })
    }

    /// Where a card is: in the seat's own hand if it is there, else wherever it lies.
    fn slot(&self, seat: Seat, card: Card, known: &Known) -> Slot {
        let rules = self.game.rules();
        let own = || self.view(seat, known).hand();
        if let Some((slot, _)) = own().find(|&(_, held)| held == card) {
            return slot;
        }
        let Some(face) = rules.face(card) else {
            // A card that the table does not have can only be claimed of one's own.
            return own().next().map_or(Slot(0), |(slot, _)| slot);
        };
        let others = rules
            .everyone()
            .iter()
            .flat_map(|other| self.view(other, known).hand());
        if let Some((slot, _)) = others.into_iter().find(|&(_, held)| held == card) {
            return slot;
        }
        let first = rules.first(DeckKind::Cards);
        let mut deck = (0..usize::from(rules.cards())).map(|i| first.after(i));
        deck.find(|&slot| self.dealer.face(slot) == Some(face))
            .unwrap_or(first)
    }

    /// The tile that is meant, and the face to claim for one that lies down.
    ///
    /// A player who has no such tile but a face-down one claims that one to be it, as a cheat would; a player with none at all
    /// reaches for somebody else's.
    fn tile(
        &self,
        seat: Seat,
        wanted: Artefact,
        up: Option<bool>,
        use_as: Artefact,
        known: &Known,
    ) -> (Slot, Option<Face>) {
        let fits = |tile: &TileView| up.is_none_or(|up| up == tile.face_up);
        let mut own: Vec<TileView> = self.view(seat, known).tiles(seat).filter(fits).collect();
        // Face up before face down.
        own.sort_by_key(|tile| !tile.face_up);
        let found = own.iter().find(|tile| tile.artefact == Some(wanted));
        if let Some(tile) = found {
            let face = if tile.face_up {
                None
            } else {
                self.dealer.face(tile.slot)
            };
            return (tile.slot, face);
        }
        if let Some(tile) = own.iter().find(|tile| !tile.face_up && wanted == use_as) {
            return (tile.slot, self.face_of(use_as));
        }
        (Slot(u16::MAX), None)
    }

    fn face_of(&self, artefact: Artefact) -> Option<Face> {
        let rules = self.game.rules();
        (0..rules.keepsakes)
            .map(Face)
            .find(|&face| rules.keepsake(face) == Some(artefact))
    }
}
