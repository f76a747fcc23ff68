//! Dealing a round: SET-3 to SET-6, END-7. Also where every outcome of the decks comes in.

use alloc::vec::Vec;

use arrayvec::ArrayVec;

use super::{
    Shamans,
    action::Illegal,
    card::{Artefact, Card},
    event::Event,
    setup::{DeckKind, Rules},
    state::{Drawer, Phase, Place, Round, Then, Tile, Trick},
};
use crate::game::{Audience, DeckOutcome, DeckRequest, Face, PerSeat, Seat, SeatSet, Slot};

impl Round {
    /// A table without cards.
    pub(super) fn empty(rules: &Rules) -> Round {
        Round {
            pawn: 0,
            laid: Default::default(),
            places: PerSeat::from_fn(|_| Place::EMPTY),
            trick: Trick {
                guide: Seat(0),
                destination: None,
                cards: PerSeat::default(),
                to_play: SeatSet::EMPTY,
                stray: None,
            },
            offer: [None; 2],
            drawn: 0,
            kept: 0,
            eclipse: true,
            gifts: PerSeat::default(),
            next_slot: rules.end(),
            turn: Seat(0),
            sealed: SeatSet::EMPTY,
            plays: ArrayVec::new_const(),
            eclipse_after: None,
            winner: None,
        }
    }
}

impl Shamans {
    /// END-7: everything is dealt anew, everyone is back in; only points stay.
    pub(super) fn begin_round(&mut self) {
        self.number += 1;
        self.points_before = self.points;
        self.tasks.clear();
        let sealed = self.phantoms.or(self.absent);
        self.round = Round {
            sealed,
            ..Round::empty(&self.rules)
        };
        self.round.pawn = self.rules.start(sealed.len());
        let decks = self.rules.decks(self.first_guide.is_none());
        self.ask(DeckRequest::Shuffle { decks, sealed }, Then::Deal);
    }

    /// Goes on with an answer of the decks; checks all of it before anything changes.
    pub(super) fn take_outcome(
        &mut self,
        outcome: DeckOutcome,
        events: &mut Vec<Event>,
    ) -> Result<(), Illegal> {
        let Phase::Asking { request, then } = &self.phase else {
            return Err(match self.phase {
                Phase::Over => Illegal::GameOver,
                Phase::Running | Phase::Asking { .. } | Phase::Deciding(_) => Illegal::WrongOutcome,
            });
        };
        let then = *then;
        let faces = self.checked(request, outcome)?;
        self.phase = Phase::Running;
        match then {
            Then::Deal => self.deal(),
            Then::Begin => self.begin_play(&faces, events),
            Then::Offer => self.lay_out_offer(&faces, events),
            Then::PhantomPlays(seat) => self.phantom_plays(seat, &faces, events),
            Then::Drawn(drawer) => self.drawn(drawer, &faces, events),
            Then::Kept(drawer) => self.kept(drawer, &faces, events),
            Then::Unmask(seat) => self.unmasked(seat, &faces, events),
            Then::Unveil { by, target } => {
                self.unmasked(target, &faces, events);
                self.eliminate(by, target, events);
            }
            Then::ShowHand { by, target } => self.show_hand(by, target, &faces, events),
            Then::Turn(seats) => self.turn_eclipse(seats, &faces, events),
            Then::Mix(seats, side) => self.mix_hands(seats, side),
            Then::Mixed(seats, side) => self.hands_mixed(seats, side, events),
            Then::Swapped { seat, with } => self.swapped(seat, with, events),
            Then::Score => self.score_opened(&faces, events),
            Then::Close => self.close_round(&faces, events),
        }
        Ok(())
    }

    /// The faces of an outcome, if it is one of `request`: as many as asked for, each one that its deck has.
    fn checked(
        &self,
        request: &DeckRequest,
        outcome: DeckOutcome,
    ) -> Result<Vec<Option<Face>>, Illegal> {
        match (request, outcome) {
            (DeckRequest::Shuffle { .. }, DeckOutcome::Shuffled)
            | (DeckRequest::Pass { .. }, DeckOutcome::Passed)
            | (DeckRequest::Remix { .. }, DeckOutcome::Remixed) => Ok(Vec::new()),
            (DeckRequest::Open { slots }, DeckOutcome::Opened(faces)) => {
                let to_all = slots
                    .iter()
                    .filter(|(_, audience)| *audience == Audience::All);
                if to_all.clone().count() != faces.len()
                    || !to_all
                        .zip(&faces)
                        .all(|(&(slot, _), &face)| u16::from(face.0) < self.faces_at(slot))
                {
                    return Err(Illegal::WrongOutcome);
                }
                Ok(faces.into_iter().map(Some).collect())
            }
            (DeckRequest::Reveal, DeckOutcome::Revealed(faces)) => {
                let slots = (0..).map(Slot);
                let fits = |(slot, face): (Slot, &Option<Face>)| {
                    face.is_none_or(|f| u16::from(f.0) < self.faces_at(slot))
                };
                if !slots.zip(&faces).all(fits) {
                    return Err(Illegal::WrongOutcome);
                }
                Ok(faces)
            }
            (
                DeckRequest::Shuffle { .. }
                | DeckRequest::Open { .. }
                | DeckRequest::Pass { .. }
                | DeckRequest::Remix { .. }
                | DeckRequest::Reveal,
                DeckOutcome::Shuffled
                | DeckOutcome::Opened(_)
                | DeckOutcome::Passed
                | DeckOutcome::Remixed
                | DeckOutcome::Revealed(_),
            ) => Err(Illegal::WrongOutcome),
        }
    }

    /// How many faces the deck of a slot has. Slots behind the decks are mixed hands of world cards.
    fn faces_at(&self, slot: Slot) -> u16 {
        self.rules
            .size(self.rules.deck_of(slot).unwrap_or(DeckKind::Cards))
    }

    /// SET-4, SET-5, and the openings that SET-3 and SET-6 need.
    fn deal(&mut self) {
        let rules = self.rules;
        let (cards, identities) = (
            rules.first(DeckKind::Cards),
            rules.first(DeckKind::Identities),
        );
        let hand = usize::from(rules.hand);
        let mut slots = Vec::with_capacity(usize::from(rules.cards()) + 16);
        for seat in rules.everyone().iter() {
            let place = &mut self.round.places[seat];
            place.identity = identities.after(seat.index());
            place
                .hand
                .extend((0..hand).map(|i| cards.after(seat.index() * hand + i)));
            // PHA-1: a phantom's hand and identity stay sealed.
            if !self.round.sealed.contains(seat) {
                slots.push((place.identity, Audience::One(seat)));
                slots.extend(place.hand.iter().map(|&slot| (slot, Audience::One(seat))));
            }
        }
        let left_over = hand * rules.seats()..usize::from(rules.cards());
        slots.extend(left_over.map(|i| (cards.after(i), Audience::All)));
        let marks = rules.first(DeckKind::Marks);
        slots.extend((0..rules.face_up).map(|i| (marks.after(i.into()), Audience::All)));
        if self.first_guide.is_none() {
            slots.push((rules.first(DeckKind::Guide), Audience::All));
        }
        self.ask(DeckRequest::Open { slots }, Then::Begin);
    }

    fn begin_play(&mut self, faces: &[Option<Face>], events: &mut Vec<Event>) {
        let rules = self.rules;
        let mut faces = faces.iter().copied().flatten();
        events.push(Event::RoundBegan {
            round: self.number,
            pawn: self.round.pawn,
            phantoms: self.round.sealed,
        });
        let left_over = rules.cards() - u16::from(rules.hand) * u16::from(rules.players);
        for card in faces
            .by_ref()
            .take(left_over.into())
            .filter_map(|face| rules.card(face))
        {
            // SET-5
            self.lay(card);
            events.push(Event::LeftOver { card });
        }
        let mut keepsakes = Vec::new();
        let marks = rules.first(DeckKind::Marks);
        for (i, mark) in faces.by_ref().take(rules.face_up.into()).enumerate() {
            // SET-3: two lie face up.
            let tile = if rules.is_mask(mark) {
                Tile {
                    slot: marks.after(i),
                    up: Some(Artefact::Mask),
                }
            } else {
                let slot = self.next_keepsake();
                keepsakes.push((slot, Audience::All));
                Tile { slot, up: None }
            };
            if let Some(place) = self.round.offer.get_mut(i) {
                *place = Some(tile);
            }
        }
        // SET-6: the first Guide is drawn; each later round the right has passed to the left.
        if let Some(seat) = faces.next().and_then(|face| rules.seat(face)) {
            self.first_guide = Some(seat);
            events.push(Event::GuideDrawn { seat });
        }
        if keepsakes.is_empty() {
            self.lay_out_offer(&[], events);
        } else {
            self.ask(DeckRequest::Open { slots: keepsakes }, Then::Offer);
        }
    }

    fn lay_out_offer(&mut self, faces: &[Option<Face>], events: &mut Vec<Event>) {
        let rules = self.rules;
        let mut faces = faces.iter().copied().flatten();
        for (place, tile) in (0u8..).zip(self.round.offer.iter_mut().flatten()) {
            if tile.up.is_none() {
                tile.up = faces.next().and_then(|face| rules.keepsake(face));
            }
            if let Some(artefact) = tile.up {
                events.push(Event::Offered { place, artefact });
            }
        }
        let guide = self.first_guide.unwrap_or(Seat(0));
        self.begin_trick(guide, events);
    }

    /// The next slot of the keepsake deck: tiles that are no masks get them in the order in which they come to light.
    pub(super) fn next_keepsake(&mut self) -> Slot {
        let slot = self
            .rules
            .first(DeckKind::Keepsakes)
            .after(self.round.kept.into());
        self.round.kept += 1;
        slot
    }

    /// Lays a card to its world.
    pub(super) fn lay(&mut self, card: Card) {
        let laid = &mut self.round.laid[card.world];
        *laid = laid.with(card.value);
    }

    /// Which drawer a phantom's tile goes to is the same; only who sees it differs (PHA-2).
    pub(super) fn audience(&self, drawer: Drawer) -> Audience {
        match drawer {
            Drawer::Gap(_) => Audience::All,
            Drawer::Seat(seat) if self.phantoms().contains(seat) => Audience::All,
            Drawer::Seat(seat) => Audience::One(seat),
        }
    }
}
