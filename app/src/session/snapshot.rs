//! The table as one seat sees it, as plain data that can cross threads. Nothing here is hidden from that seat.

use std::{sync::Arc, time::Instant};

use shamans_core::bot::advice::Counsel;

use crate::pieces::{
    Action, Artefact, Card, Event, Moment, Ritual, Role, Seat, SeatSet, Side, Slot, World,
};

/// Whose eyes a spectator has.
pub const NOBODY: Seat = Seat(u8::MAX);

/// A tile in front of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileSeen {
    /// What it is, if this seat may know.
    pub artefact: Option<Artefact>,
    /// It lies face up for all.
    pub up: bool,
}

/// A program that plays by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bot {
    /// At a practise table: it runs on this computer, and nobody sees its cards.
    Here,
    /// This person runs it and can see its cards.
    RunBy(String),
}

/// A seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatSeen {
    /// The player's name.
    pub name: String,
    /// Cards in hand.
    pub cards: usize,
    /// Victory points.
    pub points: usize,
    /// Its identity, where it lies face up.
    pub role: Option<Role>,
    /// In the order taken.
    pub tiles: Vec<TileSeen>,
    /// Out until the round ends.
    pub eliminated: bool,
    /// Nobody holds the seat.
    pub phantom: bool,
    /// A bot holds it.
    pub bot: Option<Bot>,
}

/// A world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorldSeen {
    /// Which.
    pub world: World,
    /// What completing it does.
    pub ritual: Ritual,
    /// Values that lie at it, as bits from 1 on.
    pub laid: u8,
    /// The highest value.
    pub values: u8,
}

/// A card in the own hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CardSeen {
    /// Where it is: the same until an Eclipse mixes the hand.
    pub slot: Slot,
    /// What it is.
    pub card: Card,
}

/// The trick on the table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrickSeen {
    /// Who leads it.
    pub guide: Option<Seat>,
    /// The world led.
    pub destination: Option<World>,
    /// Cards played so far, by seat.
    pub played: Vec<Option<Card>>,
}

/// What somebody has to decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// Play a card.
    Play,
    /// Take an artefact.
    Take,
    /// Move the pawn back, or take an artefact.
    Stabilise,
    /// Choose with whom to swap identities.
    Permute,
    /// Choose whom to eliminate.
    Strike {
        /// A face-up dagger leaves no choice.
        must: bool,
    },
    /// Choose the next ritual.
    Order,
    /// Use a portal or let it be.
    React(Moment),
    /// Choose a card to pass.
    Give(Side),
    /// Name the next Guide.
    NameGuide,
}

/// The whole table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// From 1 on.
    pub round: usize,
    /// Which seat looks; [`NOBODY`] for a spectator.
    pub me: Seat,
    /// Where the pawn is.
    pub pawn: u8,
    /// The last space.
    pub moon: u8,
    /// By seat.
    pub seats: Vec<SeatSeen>,
    /// In the order of the data.
    pub worlds: Vec<WorldSeen>,
    /// The own hand.
    pub hand: Vec<CardSeen>,
    /// The own identity.
    pub role: Option<Role>,
    /// Face-up tiles to take.
    pub offer: Vec<Option<Artefact>>,
    /// Tiles in the pile.
    pub pile: usize,
    /// The trick.
    pub trick: TrickSeen,
    /// Who is awaited.
    pub awaited: SeatSet,
    /// For what.
    pub ask: Option<Ask>,
    /// All that this seat may do now, portals out of turn too.
    pub legal: Vec<Action>,
    /// Others are to act, and the table waits a moment so that this seat can use a Portal unasked (POR-1).
    pub open: bool,
    /// Set once the round is over.
    pub winner: Option<Role>,
}

/// What this computer found when it checked a deal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// Everything follows from the revealed seeds.
    Fair,
    /// Fair as far as proofs go; a seed is missing.
    ProofsOnly,
    /// Somebody did something wrong.
    Failed {
        /// In which step of the game it came out.
        step: u64,
        /// Who.
        who: Seat,
        /// What.
        what: String,
    },
}

/// One step of the table: what happened and how it looks now.
#[derive(Debug, Clone)]
pub struct Update {
    /// Facts, in order.
    pub events: Vec<Event>,
    /// Quick phrases that bots of a practise table say to that, by number.
    pub said: Vec<(Seat, u16)>,
    /// The check of the deal that has just ended.
    pub check: Option<Check>,
    /// The record of the game so far, whenever a round is over and its cards are revealed.
    pub record: Option<Arc<Vec<u8>>>,
    /// Nothing happened: this is what the player asked for, best first (practise only).
    pub advice: Option<Vec<Counsel>>,
    /// The table after them.
    pub table: Snapshot,
    /// When all this was settled, for whoever measures how long it takes to the screen.
    pub settled: Instant,
}
