//! Setting up: what a table agrees on, the numbers that follow from it, and where each deck lies.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::{
    action::Illegal,
    card::{Artefact, Card, MAX_WORLDS, Ritual, Role, Side, Values, World},
    data::{Data, MAX_FACE_UP},
};
use crate::game::{Deck, DeckId, Face, MAX_SEATS, Seat, SeatSet, Slot};

/// What a table agrees on before play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The designer's numbers.
    pub data: Data,
    /// Seats, 3 to 5 (SET-1).
    pub players: u8,
    /// Seats that no person holds (PHA-1).
    pub phantoms: SeatSet,
}

impl Setup {
    /// A table of people with the shipped data.
    pub fn new(players: u8) -> Setup {
        Setup {
            data: Data::shipped(),
            players,
            phantoms: SeatSet::EMPTY,
        }
    }

    /// The same with phantoms on some seats.
    #[must_use]
    pub fn with_phantoms(self, phantoms: SeatSet) -> Setup {
        Setup { phantoms, ..self }
    }
}

/// The decks of a round, by their place here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeckKind {
    /// World cards.
    Cards,
    /// Identities.
    Identities,
    /// Which tile is a mask.
    Marks,
    /// What the tiles are that are no masks.
    Keepsakes,
    /// After which draw the Eclipse shows: one marker is it.
    Depth,
    /// Which side up the Eclipse lies.
    Side,
    /// Who is the first Guide of the game.
    Guide,
}

impl DeckKind {
    /// All of them, in slot order.
    pub const ALL: [DeckKind; 7] = [
        DeckKind::Cards,
        DeckKind::Identities,
        DeckKind::Marks,
        DeckKind::Keepsakes,
        DeckKind::Depth,
        DeckKind::Side,
        DeckKind::Guide,
    ];

    /// Its number in requests.
    pub const fn id(self) -> DeckId {
        DeckId(self as u8)
    }
}

/// The numbers of one table, small enough to copy about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Seats.
    pub players: u8,
    /// Shaman identities; the other identities are Shadows.
    pub shamans: u8,
    /// Worlds in use.
    pub worlds: u8,
    /// The highest card of each.
    pub values: u8,
    /// Cards dealt to each.
    pub hand: u8,
    /// Steps to the Moon by number of phantoms.
    pub steps: [u8; MAX_SEATS],
    /// The last space of the track.
    pub moon: u8,
    /// How far Stabilisation goes back.
    pub back: u8,
    /// From how near portals are asked for at the end.
    pub last_call: u8,
    /// Points that end the game.
    pub goal: u8,
    /// Points of a Shaman's win.
    pub shaman_points: u8,
    /// Points of a Shadow's win.
    pub shadow_points: u8,
    /// Points of a set of moonstones.
    pub moonstone_points: u8,
    /// The size of such a set.
    pub moonstone_set: u8,
    /// Points of Illumination.
    pub illumination: u8,
    /// Ritual Daggers.
    pub daggers: u8,
    /// Portals.
    pub portals: u8,
    /// Tiles that are no masks.
    pub keepsakes: u8,
    /// Masks of Truth.
    pub masks: u8,
    /// Tiles face up at the start.
    pub face_up: u8,
    rituals: [Ritual; MAX_WORLDS],
}

impl Rules {
    /// The numbers of this set-up, or why it makes no game.
    pub fn new(setup: &Setup) -> Result<Rules, Illegal> {
        let data = &setup.data;
        data.check().map_err(|_| Illegal::BadSetup)?;
        let table = data
            .tables
            .iter()
            .find(|table| table.players == setup.players);
        let table = table.ok_or(Illegal::BadSetup)?;
        let seats = SeatSet::first(usize::from(setup.players));
        // PHA-1: at least one seat is a person's.
        if !setup.phantoms.minus(seats).is_empty() || setup.phantoms.len() >= seats.len() {
            return Err(Illegal::BadSetup);
        }
        let mut rituals = [Ritual::Neutralisation; MAX_WORLDS];
        for (to, world) in rituals.iter_mut().zip(&data.worlds) {
            *to = world.ritual;
        }
        let mut steps = [data.track.moon; MAX_SEATS];
        for (to, from) in steps.iter_mut().zip(&table.steps) {
            *to = *from;
        }
        let (tiles, track) = (data.tiles, data.track);
        Ok(Rules {
            players: table.players,
            shamans: table.shamans,
            worlds: data.worlds_at(table.players).count() as u8,
            values: table.values,
            hand: table.hand,
            steps,
            moon: track.moon,
            back: track.back,
            last_call: track.last_call,
            goal: track.goal,
            shaman_points: track.shaman,
            shadow_points: track.shadow,
            moonstone_points: track.moonstones,
            moonstone_set: track.moonstone_set,
            illumination: track.illumination,
            daggers: tiles.dagger,
            portals: tiles.portal,
            keepsakes: tiles.dagger + tiles.portal + tiles.moonstone,
            masks: tiles.mask,
            face_up: tiles.face_up.min(MAX_FACE_UP as u8),
            rituals,
        })
    }

    /// Seats as a count.
    pub const fn seats(&self) -> usize {
        self.players as usize
    }

    /// All seats.
    pub const fn everyone(&self) -> SeatSet {
        SeatSet::first(self.players as usize)
    }

    /// The worlds in use.
    pub fn all_worlds(&self) -> impl Iterator<Item = World> + use<> {
        (0..self.worlds).map(World)
    }

    /// What completing `world` does.
    pub fn ritual(&self, world: World) -> Ritual {
        *self
            .rituals
            .get(world.index())
            .expect("worlds are below MAX_WORLDS: checked where they enter")
    }

    /// A whole world.
    pub const fn whole(&self) -> Values {
        Values::all(self.values)
    }

    /// World cards in the deck.
    pub const fn cards(&self) -> u16 {
        self.worlds as u16 * self.values as u16
    }

    /// Tiles in all.
    pub const fn tiles(&self) -> u8 {
        self.keepsakes + self.masks
    }

    /// Tiles in the pile at the start.
    pub const fn pile(&self) -> u8 {
        self.tiles() - self.face_up
    }

    /// The space where the pawn starts (PHA-3).
    pub fn start(&self, phantoms: usize) -> u8 {
        self.moon - self.steps.get(phantoms).copied().unwrap_or(self.moon)
    }

    /// How many cards a deck has.
    pub const fn size(&self, deck: DeckKind) -> u16 {
        match deck {
            DeckKind::Cards => self.cards(),
            DeckKind::Identities | DeckKind::Guide => self.players as u16,
            DeckKind::Marks => self.tiles() as u16,
            DeckKind::Keepsakes => self.keepsakes as u16,
            DeckKind::Depth => self.pile() as u16,
            DeckKind::Side => 2,
        }
    }

    /// The first slot of a deck.
    pub fn first(&self, deck: DeckKind) -> Slot {
        let before = DeckKind::ALL.iter().take_while(|&&d| d != deck);
        Slot(before.map(|&d| self.size(d)).sum())
    }

    /// The first slot behind all decks.
    pub fn end(&self) -> Slot {
        Slot(DeckKind::ALL.iter().map(|&d| self.size(d)).sum())
    }

    /// The decks of a round; the Guide deck only while no first Guide is drawn (SET-6).
    pub fn decks(&self, with_guide: bool) -> Vec<Deck> {
        let all = DeckKind::ALL
            .into_iter()
            .filter(|&d| with_guide || d != DeckKind::Guide);
        all.map(|d| Deck {
            id: d.id(),
            size: self.size(d),
            first: self.first(d),
        })
        .collect()
    }

    /// A world card's face.
    pub fn card(&self, face: Face) -> Option<Card> {
        let card = Card {
            world: World(face.0 / self.values),
            value: face.0 % self.values + 1,
        };
        (card.world.0 < self.worlds).then_some(card)
    }

    /// The face of a world card, if the table has it.
    pub fn face(&self, card: Card) -> Option<Face> {
        let fits = card.world.0 < self.worlds && (1..=self.values).contains(&card.value);
        fits.then(|| Face(card.world.0 * self.values + card.value - 1))
    }

    /// What an identity's face says.
    pub fn role(&self, face: Face) -> Option<Role> {
        let role = if face.0 < self.shamans {
            Role::Shaman
        } else {
            Role::Shadow
        };
        (face.0 < self.players).then_some(role)
    }

    /// Does this mark say mask?
    pub const fn is_mask(&self, mark: Face) -> bool {
        mark.0 < self.masks
    }

    /// What a keepsake's face says.
    pub fn keepsake(&self, face: Face) -> Option<Artefact> {
        let artefact = if face.0 < self.daggers {
            Artefact::Dagger
        } else if face.0 < self.daggers + self.portals {
            Artefact::Portal
        } else {
            Artefact::Moonstone
        };
        (face.0 < self.keepsakes).then_some(artefact)
    }

    /// Does this depth marker say that the Eclipse shows?
    pub const fn is_eclipse(&self, depth: Face) -> bool {
        depth.0 == 0
    }

    /// Which way the Eclipse sends the cards.
    pub const fn side(&self, face: Face) -> Side {
        if face.0 == 0 { Side::Left } else { Side::Right }
    }

    /// The deck a slot of the first hand-out belongs to; `None` for slots of mixed hands.
    pub fn deck_of(&self, slot: Slot) -> Option<DeckKind> {
        DeckKind::ALL
            .into_iter()
            .find(|&d| (self.first(d)..self.first(d).after(self.size(d).into())).contains(&slot))
    }

    /// The seat at a number, if the table has it.
    pub fn seat(&self, face: Face) -> Option<Seat> {
        (face.0 < self.players).then_some(Seat(face.0))
    }
}
