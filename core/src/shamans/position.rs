//! Any position of a round, made by hand: for scenarios, the tutorial and tests. Always at the start of a trick.

use alloc::vec::Vec;

use super::{
    Shamans,
    action::Illegal,
    card::{Artefact, Card, Role, Side},
    setup::{DeckKind, Rules, Setup},
    state::{Round, Tile},
};
use crate::game::{ClearDealer, Face, Game, Seat, Slot};

/// One seat of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatPosition {
    /// Identity.
    pub role: Role,
    /// It lies face up.
    pub shown: bool,
    /// Out of the round.
    pub eliminated: bool,
    /// Cards in hand.
    pub hand: Vec<Card>,
    /// Tiles face up in front.
    pub tiles_up: Vec<Artefact>,
    /// Tiles face down in front.
    pub tiles_down: Vec<Artefact>,
    /// Victory points.
    pub points: u16,
}

/// A whole position. World cards that are nowhere in it are out of the round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// Seats and data.
    pub setup: Setup,
    /// One for each seat.
    pub seats: Vec<SeatPosition>,
    /// Cards at their worlds.
    pub laid: Vec<Card>,
    /// The pawn's space.
    pub pawn: u8,
    /// Who leads.
    pub guide: Seat,
    /// Face-up tiles to take.
    pub offer: Vec<Artefact>,
    /// The pile from the top.
    pub pile: Vec<Artefact>,
    /// After how many draws the Eclipse shows, and its side; `None` if it is gone.
    pub eclipse: Option<(u8, Side)>,
}

/// What does not fit together in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The set-up itself.
    #[error(transparent)]
    Setup(#[from] Illegal),
    /// Not one entry for each seat, or a Guide who has no seat.
    #[error("a position needs one entry for each seat and a Guide among them")]
    Seats,
    /// The identities are not those of this table.
    #[error("the identities do not add up: this table has {shamans} Shamans and {shadows} Shadows")]
    Roles {
        /// Shamans of the table.
        shamans: u8,
        /// Shadows of the table.
        shadows: u8,
    },
    /// A card that this table does not have.
    #[error("there is no card {0:?} at this table")]
    NoSuchCard(Card),
    /// A card in two places.
    #[error("the card {0:?} lies in two places")]
    CardTwice(Card),
    /// More cards in a hand than fit.
    #[error("a hand has too many cards")]
    HandTooLarge,
    /// The pawn is off the track or on the Moon.
    #[error("the pawn must stand on a space from 0 to {0}, before the Moon")]
    Pawn(u8),
    /// More of an artefact than there are, or more tiles than there are.
    #[error("there are not so many tiles of this kind: {0:?}")]
    TooMany(Artefact),
    /// More tiles face up or in the pile than there can be.
    #[error("too many tiles: {up} can lie face up, {pile} in the pile, {all} in all")]
    TooManyTiles {
        /// Places for face-up tiles.
        up: u8,
        /// Tiles in a full pile.
        pile: u8,
        /// All tiles.
        all: u8,
    },
    /// The Eclipse is not within the pile.
    #[error("the Eclipse must show after 1 to {0} draws")]
    Eclipse(usize),
    /// An eliminated player's identity is always shown; the last Shadow's elimination ends the round.
    #[error(
        "the eliminated players do not fit: their identities are shown, one Shadow at least is in play, and somebody holds a card"
    )]
    Eliminated,
}

/// Deals out faces of one kind so that none is given twice.
struct Faces {
    free: Vec<Face>,
}

impl Faces {
    fn new(size: u16) -> Faces {
        Faces {
            free: (0..size as u8).map(Face).collect(),
        }
    }

    fn take(&mut self, wanted: impl Fn(Face) -> bool) -> Option<Face> {
        let at = self.free.iter().position(|&face| wanted(face))?;
        Some(self.free.remove(at))
    }
}

/// A position while it is being laid out.
struct Layout {
    rules: Rules,
    dealer: ClearDealer,
    round: Round,
    marks: Faces,
    keepsakes: Faces,
    /// Mark slots given to tiles that lie on the table.
    masks_out: usize,
    /// Keepsake slots given out, to tiles on the table and in the pile.
    keepsakes_out: usize,
}

impl Layout {
    /// A tile that already lies on the table.
    fn tile(&mut self, artefact: Artefact, face_up: bool) -> Result<Tile, PositionError> {
        let up = face_up.then_some(artefact);
        if artefact == Artefact::Mask {
            let slot = self.rules.first(DeckKind::Marks).after(self.masks_out);
            self.masks_out += 1;
            self.mark(slot, true)?;
            return Ok(Tile {
                slot,
                up: Some(Artefact::Mask),
            });
        }
        let slot = self.keepsake(artefact)?;
        self.round.kept += 1;
        Ok(Tile { slot, up })
    }

    fn keepsake(&mut self, artefact: Artefact) -> Result<Slot, PositionError> {
        let rules = self.rules;
        let slot = rules.first(DeckKind::Keepsakes).after(self.keepsakes_out);
        self.keepsakes_out += 1;
        let face = self
            .keepsakes
            .take(|face| rules.keepsake(face) == Some(artefact));
        self.dealer
            .place(slot, face.ok_or(PositionError::TooMany(artefact))?);
        Ok(slot)
    }

    fn mark(&mut self, slot: Slot, mask: bool) -> Result<(), PositionError> {
        let rules = self.rules;
        let face = self.marks.take(|face| rules.is_mask(face) == mask);
        self.dealer
            .place(slot, face.ok_or(PositionError::TooMany(Artefact::Mask))?);
        Ok(())
    }
}

impl Position {
    /// The game at this position, and a dealer that holds its hidden cards.
    pub fn build(&self) -> Result<(Shamans, ClearDealer), PositionError> {
        let mut game = Shamans::new(&self.setup)?;
        let rules = game.rules;
        self.check(&rules)?;
        let drawn = usize::from(rules.pile()) - self.pile.len();
        let mut layout = Layout {
            rules,
            dealer: ClearDealer::new(rules.seats()),
            round: Round {
                sealed: self.setup.phantoms,
                ..Round::empty(&rules)
            },
            marks: Faces::new(rules.size(DeckKind::Marks)),
            keepsakes: Faces::new(rules.size(DeckKind::Keepsakes)),
            masks_out: 0,
            keepsakes_out: 0,
        };
        layout.round.pawn = self.pawn;
        layout.round.drawn = drawn as u8;
        self.deal_cards(&mut layout)?;
        self.deal_seats(&mut layout)?;
        self.deal_tiles(&mut layout, drawn)?;

        game.number = 1;
        game.first_guide = Some(self.guide);
        for (seat, at) in (0..).map(Seat).zip(&self.seats) {
            game.points[seat] = at.points;
        }
        game.points_before = game.points;
        game.round = layout.round;
        let mut events = Vec::new();
        game.begin_trick(self.guide, &mut events);
        game.run(&mut events);
        Ok((game, layout.dealer))
    }

    fn check(&self, rules: &Rules) -> Result<(), PositionError> {
        if self.seats.len() != rules.seats() || self.guide.index() >= rules.seats() {
            return Err(PositionError::Seats);
        }
        let shamans = self
            .seats
            .iter()
            .filter(|seat| seat.role == Role::Shaman)
            .count();
        if shamans != usize::from(rules.shamans) {
            return Err(PositionError::Roles {
                shamans: rules.shamans,
                shadows: rules.players - rules.shamans,
            });
        }
        if self.pawn >= rules.moon {
            return Err(PositionError::Pawn(rules.moon - 1));
        }
        let in_front: usize = self
            .seats
            .iter()
            .map(|seat| seat.tiles_up.len() + seat.tiles_down.len())
            .sum();
        let on_table = in_front + self.offer.len();
        if self.offer.len() > usize::from(rules.face_up)
            || self.pile.len() > usize::from(rules.pile())
            || on_table + self.pile.len() > usize::from(rules.tiles())
        {
            return Err(PositionError::TooManyTiles {
                up: rules.face_up,
                pile: rules.pile(),
                all: rules.tiles(),
            });
        }
        if self
            .eclipse
            .is_some_and(|(after, _)| after == 0 || usize::from(after) > self.pile.len())
        {
            return Err(PositionError::Eclipse(self.pile.len()));
        }
        let standing = || self.seats.iter().filter(|seat| !seat.eliminated);
        if !standing().any(|seat| seat.role == Role::Shadow)
            || !standing().any(|seat| !seat.hand.is_empty())
        {
            return Err(PositionError::Eliminated);
        }
        Ok(())
    }

    /// World cards: at worlds, in hands, and those that are out, so that every slot of the deck has its face.
    fn deal_cards(&self, layout: &mut Layout) -> Result<(), PositionError> {
        let rules = layout.rules;
        let mut faces = Faces::new(rules.cards());
        let mut slot = rules.first(DeckKind::Cards);
        let mut claim = |card: Card| {
            let face = rules.face(card).ok_or(PositionError::NoSuchCard(card))?;
            faces
                .take(|free| free == face)
                .ok_or(PositionError::CardTwice(card))
        };
        for &card in &self.laid {
            layout.dealer.place(slot, claim(card)?);
            slot = slot.after(1);
            let laid = &mut layout.round.laid[card.world];
            *laid = laid.with(card.value);
        }
        for (seat, at) in (0..).map(Seat).zip(&self.seats) {
            for &card in &at.hand {
                layout.dealer.place(slot, claim(card)?);
                let hand = &mut layout.round.places[seat].hand;
                hand.try_push(slot)
                    .map_err(|_| PositionError::HandTooLarge)?;
                slot = slot.after(1);
            }
        }
        for face in faces.free {
            layout.dealer.place(slot, face);
            slot = slot.after(1);
        }
        Ok(())
    }

    /// Identities and tiles in front of the seats, and what each seat knows.
    fn deal_seats(&self, layout: &mut Layout) -> Result<(), PositionError> {
        let rules = layout.rules;
        let mut identities = Faces::new(rules.size(DeckKind::Identities));
        let people = rules.everyone().minus(self.setup.phantoms);
        for (seat, at) in (0..).map(Seat).zip(&self.seats) {
            let identity = rules.first(DeckKind::Identities).after(seat.index());
            let face = identities
                .take(|face| rules.role(face) == Some(at.role))
                .ok_or(PositionError::Seats)?;
            layout.dealer.place(identity, face);
            for &artefact in &at.tiles_up {
                let tile = layout.tile(artefact, true)?;
                layout.round.places[seat].tiles.push(tile);
            }
            for &artefact in &at.tiles_down {
                let tile = layout.tile(artefact, false)?;
                layout.round.places[seat].tiles.push(tile);
            }
            let place = &mut layout.round.places[seat];
            place.identity = identity;
            place.role = (at.shown || at.eliminated).then_some(at.role);
            place.eliminated = at.eliminated;
            if people.contains(seat) {
                let tiles = place
                    .tiles
                    .iter()
                    .filter(|tile| tile.up.is_none())
                    .map(|tile| tile.slot);
                for slot in place.hand.iter().copied().chain(tiles).chain([identity]) {
                    layout
                        .dealer
                        .show(slot, seat)
                        .map_err(|_| PositionError::Seats)?;
                }
            }
        }
        Ok(())
    }

    /// Offer, pile, Eclipse.
    fn deal_tiles(&self, layout: &mut Layout, drawn: usize) -> Result<(), PositionError> {
        let rules = layout.rules;
        for (place, &artefact) in self.offer.iter().enumerate() {
            let tile = layout.tile(artefact, true)?;
            if let Some(gap) = layout.round.offer.get_mut(place) {
                *gap = Some(tile);
            }
        }
        let first = rules
            .first(DeckKind::Marks)
            .after(usize::from(rules.face_up) + drawn);
        for (i, &artefact) in self.pile.iter().enumerate() {
            layout.mark(first.after(i), artefact == Artefact::Mask)?;
            if artefact != Artefact::Mask {
                layout.keepsake(artefact)?;
            }
        }
        layout.round.eclipse = self.eclipse.is_some();
        let depth = rules.first(DeckKind::Depth);
        let mut markers = Faces::new(rules.size(DeckKind::Depth));
        let (after, side) = self.eclipse.map_or((None, Side::Left), |(after, side)| {
            (Some(usize::from(after)), side)
        });
        for i in 0..usize::from(rules.pile()) {
            let here = after.is_some_and(|after| i + 1 == drawn + after);
            if let Some(face) = markers.take(|face| rules.is_eclipse(face) == here) {
                layout.dealer.place(depth.after(i), face);
            }
        }
        let left = Face(u8::from(side == Side::Right));
        layout.dealer.place(rules.first(DeckKind::Side), left);
        layout
            .dealer
            .place(rules.first(DeckKind::Side).after(1), Face(1 - left.0));
        Ok(())
    }
}

impl Default for SeatPosition {
    fn default() -> SeatPosition {
        SeatPosition {
            role: Role::Shaman,
            shown: false,
            eliminated: false,
            hand: Vec::new(),
            tiles_up: Vec::new(),
            tiles_down: Vec::new(),
            points: 0,
        }
    }
}
