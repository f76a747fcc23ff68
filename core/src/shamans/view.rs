//! What one seat sees: all that a client, a bot or a test gets.
//!
//! A view borrows the public state and this seat's own [`Known`]. The state holds no secret, so there is nothing here that could
//! leak another seat's cards; what is not offered by a method is not seen.

use alloc::vec::Vec;

use super::{
    Shamans,
    action::Action,
    card::{Artefact, Card, Role, Values, World},
    setup::Rules,
    state::{Decision, Played, Trick},
};
use crate::game::{Awaits, Game, Known, Seat, SeatSet, Slot};

/// A tile in front of a seat, as the viewer sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileView {
    /// Which tile.
    pub slot: Slot,
    /// What it is, if the viewer can see it.
    pub artefact: Option<Artefact>,
    /// Does it lie face up for all?
    pub face_up: bool,
}

/// One seat's view, or a spectator's.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    pub(super) game: &'a Shamans,
    pub(super) seat: Option<Seat>,
    pub(super) known: &'a Known,
}

impl PartialEq for View<'_> {
    fn eq(&self, other: &View<'_>) -> bool {
        self.game == other.game && self.seat == other.seat && self.known == other.known
    }
}

impl<'a> View<'a> {
    pub(super) fn new(game: &'a Shamans, seat: Option<Seat>, known: &'a Known) -> View<'a> {
        View { game, seat, known }
    }

    /// Who looks; `None` for a spectator.
    pub fn seat(&self) -> Option<Seat> {
        self.seat
    }

    /// The numbers of this table.
    pub fn rules(&self) -> &'a Rules {
        &self.game.rules
    }

    /// The round, from 1 on.
    pub fn round(&self) -> u16 {
        self.game.number
    }

    /// Where the pawn is.
    pub fn pawn(&self) -> u8 {
        self.game.round.pawn
    }

    /// Steps from the pawn to the Moon.
    pub fn steps_to_moon(&self) -> u8 {
        self.game.rules.moon - self.game.round.pawn
    }

    /// A seat's points.
    pub fn points(&self, seat: Seat) -> u16 {
        self.game.points[seat]
    }

    /// The values that lie at a world.
    pub fn laid(&self, world: World) -> Values {
        self.game.round.laid[world]
    }

    /// The trick on the table.
    pub fn trick(&self) -> &'a Trick {
        &self.game.round.trick
    }

    /// The cards played in this round, in order.
    pub fn plays(&self) -> &'a [Played] {
        &self.game.round.plays
    }

    /// How many cards had been played when the Eclipse passed some on; `None` as long as it has not.
    pub fn eclipse_after(&self) -> Option<usize> {
        self.game.round.eclipse_after.map(usize::from)
    }

    /// Where a seat's identity card is: it moves when identities are swapped.
    pub fn identity(&self, seat: Seat) -> Slot {
        self.game.round.places[seat].identity
    }

    /// How many cards a seat holds, or had in hand when it was eliminated.
    pub fn hand_size(&self, seat: Seat) -> usize {
        self.game.round.places[seat].hand.len()
    }

    /// The viewer's own hand, in the order of its slots.
    pub fn hand(&self) -> impl Iterator<Item = (Slot, Card)> + use<'a> {
        let (game, known) = (self.game, self.known);
        let slots = self
            .seat
            .into_iter()
            .flat_map(|seat| game.round.places[seat].hand.iter().copied());
        slots.filter_map(move |slot| Some((slot, game.rules.card(known.face(slot)?)?)))
    }

    /// A seat's identity, if it lies face up or the viewer has seen that very card.
    pub fn role(&self, seat: Seat) -> Option<Role> {
        let place = &self.game.round.places[seat];
        place
            .role
            .or_else(|| self.game.rules.role(self.known.face(place.identity)?))
    }

    /// A seat's identity, if it lies face up for all.
    pub fn shown_role(&self, seat: Seat) -> Option<Role> {
        self.game.round.places[seat].role
    }

    /// The tiles in front of a seat.
    pub fn tiles(&self, seat: Seat) -> impl Iterator<Item = TileView> + use<'a> {
        let (game, known) = (self.game, self.known);
        game.round.places[seat]
            .tiles
            .iter()
            .map(move |tile| TileView {
                slot: tile.slot,
                artefact: tile
                    .up
                    .or_else(|| game.rules.keepsake(known.face(tile.slot)?)),
                face_up: tile.up.is_some(),
            })
    }

    /// The face-up tiles to take, by place.
    pub fn offer(&self) -> impl Iterator<Item = Option<Artefact>> + use<'a> {
        let places = usize::from(self.game.rules.face_up);
        self.game
            .round
            .offer
            .iter()
            .take(places)
            .map(|tile| tile.and_then(|tile| tile.up))
    }

    /// Tiles left in the pile, the Eclipse not counted.
    pub fn pile(&self) -> u8 {
        self.game.pile_left()
    }

    /// The Eclipse is still in the pile.
    pub fn eclipse_to_come(&self) -> bool {
        self.game.round.eclipse
    }

    /// The card the viewer gave away at the Eclipse, and to whom.
    pub fn gift(&self) -> Option<(Card, Seat)> {
        let (slot, to) = self.game.round.gifts[self.seat?]?;
        Some((self.game.rules.card(self.known.face(slot)?)?, to))
    }

    /// Out until the round ends.
    pub fn is_eliminated(&self, seat: Seat) -> bool {
        self.game.round.places[seat].eliminated
    }

    /// Seats not eliminated.
    pub fn in_play(&self) -> SeatSet {
        self.game.in_play()
    }

    /// Seats that nobody holds now.
    pub fn phantoms(&self) -> SeatSet {
        self.game.phantoms()
    }

    /// Who led the first trick of the round.
    pub fn first_guide(&self) -> Option<Seat> {
        self.game.first_guide
    }

    /// Which team has won the round that is just being closed.
    pub fn round_winner(&self) -> Option<Role> {
        self.game.round.winner
    }

    /// What is being decided, if the game waits for seats.
    pub fn decision(&self) -> Option<&'a Decision> {
        self.game.decision()
    }

    /// Whom the game waits for.
    pub fn awaited(&self) -> SeatSet {
        match self.game.awaits() {
            Awaits::Seats(seats) => seats,
            Awaits::Decks(_) | Awaits::Nothing => SeatSet::EMPTY,
        }
    }

    /// Is the game over?
    pub fn is_over(&self) -> bool {
        self.game.awaits() == Awaits::Nothing
    }

    /// All that the viewer may do now.
    pub fn legal(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        self.legal_into(&mut actions);
        actions
    }

    /// The same, appended to a list that is kept from move to move.
    pub fn legal_into(&self, actions: &mut Vec<Action>) {
        if let Some(seat) = self.seat {
            self.game.legal_into(seat, self.known, actions);
        }
    }
}
