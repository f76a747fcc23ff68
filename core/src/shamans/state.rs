//! The public state of a round, and the stack of things that are still to happen in it.

use core::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::{
    card::{Artefact, Card, MAX_CARDS, MAX_WORLDS, Role, Side, Values, World},
    data::{MAX_FACE_UP, MAX_HAND, MAX_TILES},
    event::PawnCause,
};
use crate::game::{DeckRequest, PerSeat, Seat, SeatSet, Slot};

/// One value for each world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PerWorld<T>([T; MAX_WORLDS]);

impl<T> Index<World> for PerWorld<T> {
    type Output = T;
    fn index(&self, world: World) -> &T {
        self.0
            .get(world.index())
            .expect("worlds are below MAX_WORLDS: checked where they enter")
    }
}

impl<T> IndexMut<World> for PerWorld<T> {
    fn index_mut(&mut self, world: World) -> &mut T {
        self.0
            .get_mut(world.index())
            .expect("worlds are below MAX_WORLDS: checked where they enter")
    }
}

/// A set of worlds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
pub struct WorldSet(u8);

impl WorldSet {
    /// Is `world` in it?
    pub const fn contains(self, world: World) -> bool {
        world.0 < 8 && self.0 & (1 << world.0) != 0
    }

    /// This set and `world`.
    #[must_use]
    pub const fn with(self, world: World) -> WorldSet {
        WorldSet(self.0 | 1 << world.0)
    }

    /// This set but `world`.
    #[must_use]
    pub const fn without(self, world: World) -> WorldSet {
        WorldSet(self.0 & !(1 << world.0))
    }

    /// How many.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// None?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The worlds in the order of `data/`.
    pub fn iter(self) -> impl Iterator<Item = World> {
        (0..8).map(World).filter(move |&world| self.contains(world))
    }
}

/// A tile in front of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tile {
    /// Where its face is.
    pub slot: Slot,
    /// What it shows, if it lies face up.
    pub up: Option<Artefact>,
}

/// What lies in front of one seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The hand, face down to others.
    pub hand: ArrayVec<Slot, MAX_HAND>,
    /// The identity card.
    pub identity: Slot,
    /// What it says, if it lies face up.
    pub role: Option<Role>,
    /// Tiles, in the order taken.
    pub tiles: ArrayVec<Tile, MAX_TILES>,
    /// ELI-1.
    pub eliminated: bool,
}

impl Place {
    pub(super) const EMPTY: Place = Place {
        hand: ArrayVec::new_const(),
        identity: Slot(0),
        role: None,
        tiles: ArrayVec::new_const(),
        eliminated: false,
    };

    /// POR-3: has a face-up portal or any face-down tile.
    pub(super) fn may_hold_portal(&self) -> bool {
        !self.eliminated
            && self
                .tiles
                .iter()
                .any(|tile| matches!(tile.up, None | Some(Artefact::Portal)))
    }

    /// The first face-up dagger.
    pub(super) fn face_up_dagger(&self) -> Option<Slot> {
        self.tiles
            .iter()
            .find(|tile| tile.up == Some(Artefact::Dagger))
            .map(|tile| tile.slot)
    }

    /// Any tile lies face down.
    pub(super) fn has_face_down(&self) -> bool {
        self.tiles.iter().any(|tile| tile.up.is_none())
    }
}

/// The trick on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trick {
    /// Who leads.
    pub guide: Seat,
    /// The world led.
    pub destination: Option<World>,
    /// Cards of the Destination in front of their players (TRK-3).
    pub cards: PerSeat<Option<Card>>,
    /// Who is still to play.
    pub to_play: SeatSet,
    /// TRK-4: a card of another world whose pawn move is not made yet.
    pub stray: Option<(Seat, Card)>,
}

/// A card that was played, in the order of the round: what everyone remembers who paid attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// Who.
    pub seat: Seat,
    /// Which identity card the player held then: what a play tells, it tells about that card, wherever a swap takes it (RIT-2).
    pub identity: Slot,
    /// What.
    pub card: Card,
    /// The world led; the card's own for the Guide's.
    pub destination: World,
    /// It was led.
    pub led: bool,
    /// Cards the player had left.
    pub left: u8,
}

/// A moment that asks for portals (POR-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// The pawn is about to move this far, and that reaches the Moon.
    Moon {
        /// Steps.
        steps: u8,
    },
    /// A dagger has a target.
    Dagger {
        /// Who strikes.
        by: Seat,
        /// Whom.
        target: Seat,
    },
    /// The round is about to end for want of cards, with the Moon near.
    LastCards,
}

/// What a seat, or several, must decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// TRK-1, TRK-2: play a card.
    Play {
        /// Who.
        seat: Seat,
    },
    /// ART-1: take an artefact.
    Take {
        /// Who.
        seat: Seat,
    },
    /// RIT-1: back, or an artefact.
    Stabilise {
        /// Who.
        seat: Seat,
    },
    /// RIT-2: with whom to swap.
    Permute {
        /// Who.
        seat: Seat,
    },
    /// RIT-4: whom to eliminate; without a face-up dagger it may be declined.
    Strike {
        /// Who.
        seat: Seat,
        /// A face-up dagger forces the strike.
        must: bool,
    },
    /// ELI-4: which ritual is next.
    Order {
        /// Who.
        seat: Seat,
        /// Those to come.
        worlds: WorldSet,
    },
    /// POR-3: a portal, or none.
    React {
        /// Who is asked.
        seat: Seat,
        /// Who is asked after.
        waiting: SeatSet,
        /// What about.
        moment: Moment,
    },
    /// ECL-2: which card to pass.
    Give {
        /// Who has yet to choose.
        waiting: SeatSet,
        /// Which way.
        side: Side,
        /// What was chosen so far.
        chosen: PerSeat<Option<Slot>>,
    },
    /// TRK-9: who leads next.
    NameGuide {
        /// Who names.
        seat: Seat,
    },
}

impl Decision {
    /// Whose decision it is.
    pub fn seats(&self) -> SeatSet {
        match *self {
            Decision::Play { seat }
            | Decision::Take { seat }
            | Decision::Stabilise { seat }
            | Decision::Permute { seat }
            | Decision::Strike { seat, must: _ }
            | Decision::Order { seat, worlds: _ }
            | Decision::React {
                seat,
                waiting: _,
                moment: _,
            }
            | Decision::NameGuide { seat } => SeatSet::one(seat),
            Decision::Give {
                waiting,
                side: _,
                chosen: _,
            } => waiting,
        }
    }
}

/// Where a drawn tile goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Drawer {
    /// In front of a seat (ART-3).
    Seat(Seat),
    /// To a gap among the face-up tiles (ART-2).
    Gap(u8),
}

/// What an awaited outcome is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    /// The decks are shuffled: deal.
    Deal,
    /// Hands are dealt, left-over cards, first marks and the Guide are open.
    Begin,
    /// The first face-up tiles are open.
    Offer,
    /// PHA-1: a phantom's card is open.
    PhantomPlays(Seat),
    /// The mark of a drawn tile is open, and the next depth marker.
    Drawn(Drawer),
    /// The face of a drawn keepsake is open to whom it may concern.
    Kept(Drawer),
    /// ART-5.
    Unmask(Seat),
    /// ELI-1.
    Unveil { by: Seat, target: Seat },
    /// ELI-4.
    ShowHand { by: Seat, target: Seat },
    /// ECL-2: the side is open.
    Turn(SeatSet),
    /// ECL-2: the cards are passed.
    Mix(SeatSet, Side),
    /// ECL-3: the hands are mixed.
    Mixed(SeatSet, Side),
    /// RIT-2.
    Swapped { seat: Seat, with: Seat },
    /// END-5: identities and tiles are open.
    Score,
    /// All secrets are revealed.
    Close,
}

/// Something that is still to happen. The last pushed happens first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// The next player of the trick, or its end (TRK-2, TRK-7).
    NextTurn,
    /// Ask for portals if the moment holds (POR-2, POR-4).
    Moment(Moment),
    /// Move the pawn towards the Moon.
    Advance(u8, PawnCause),
    /// TRK-4: the stray card goes to its world.
    LayStray,
    /// Perform a ritual.
    Ritual(Seat, World),
    /// ELI-4: perform these, in an order of the seat's choice.
    Rituals(Seat, WorldSet),
    /// ART-1.
    Take(Seat),
    /// ART-2: fill a gap.
    Refill(u8),
    /// ART-5: reveal the identity.
    Unmask(Seat),
    /// ECL-1.
    Eclipse,
    /// ELI-1.
    Eliminate { by: Seat, target: Seat },
    /// TRK-7: the highest puts the cards to the world.
    Collect(Option<Seat>),
    /// TRK-7, TRK-9, END-3: who leads next, if anyone.
    NextTrick(Option<Seat>),
    /// END-3.
    OutOfCards,
}

/// Where the game stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Phase {
    /// Tasks are being worked off. Never seen from outside.
    Running,
    /// The decks are asked.
    Asking { request: DeckRequest, then: Then },
    /// Seats are asked.
    Deciding(Decision),
    /// END-6.
    Over,
}

/// One round on the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Round {
    /// Where the pawn is.
    pub pawn: u8,
    /// Cards at the worlds.
    pub laid: PerWorld<Values>,
    /// In front of the seats.
    pub places: PerSeat<Place>,
    /// The trick.
    pub trick: Trick,
    /// Face-up tiles to take.
    pub offer: [Option<Tile>; MAX_FACE_UP],
    /// Tiles drawn from the pile so far.
    pub drawn: u8,
    /// Keepsake slots given out so far.
    pub kept: u8,
    /// The Eclipse is still in the pile.
    pub eclipse: bool,
    /// Who gave which slot to whom at the Eclipse.
    pub gifts: PerSeat<Option<(Slot, Seat)>>,
    /// The first slot not in use.
    pub next_slot: Slot,
    /// Whose turn it is, for the order of reactions.
    pub turn: Seat,
    /// Seats without a key in this deal.
    pub sealed: SeatSet,
    /// Cards played so far.
    pub plays: ArrayVec<Played, MAX_CARDS>,
    /// How many cards had been played when the Eclipse passed some on.
    pub eclipse_after: Option<u8>,
    /// Which team has won it.
    pub winner: Option<Role>,
}
