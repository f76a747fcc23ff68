//! The pieces: worlds and their cards, artefacts, identities, rituals. Values only, no rules.

use core::fmt;

use serde::{Deserialize, Serialize};

/// The most worlds a table can have, and the most values a world.
pub const MAX_WORLDS: usize = 7;
/// The highest value of a world card.
pub const MAX_VALUES: usize = 8;
/// The most world cards a table can have.
pub const MAX_CARDS: usize = MAX_WORLDS * MAX_VALUES;

/// A world, by its place in `data/worlds.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct World(pub u8);

impl World {
    /// The world's position, for use as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A world card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Card {
    /// Its suit.
    pub world: World,
    /// From 1 on.
    pub value: u8,
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.world.0, self.value)
    }
}

/// Cards of one world, as bits from value 1 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
pub struct Values(pub u8);

impl Values {
    /// Is this value among them?
    pub const fn contains(self, value: u8) -> bool {
        value >= 1 && self.0 & (1 << (value - 1)) != 0
    }

    /// These and one more.
    #[must_use]
    pub const fn with(self, value: u8) -> Values {
        Values(self.0 | 1 << (value - 1))
    }

    /// All of 1 to `highest`.
    pub const fn all(highest: u8) -> Values {
        Values(((1u16 << highest) - 1) as u8)
    }

    /// How many.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// None?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The two teams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Keeps the pawn from the Moon.
    Shaman,
    /// Brings it there.
    Shadow,
}

/// A tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Artefact {
    /// Ritual Dagger: eliminates at a Neutralisation (RIT-4).
    Dagger,
    /// Portal: moves the pawn one step at any moment (POR-1).
    Portal,
    /// Moonstone: a set of them pays at the end (ART-6).
    Moonstone,
    /// Mask of Truth: reveals its taker's identity (ART-5).
    Mask,
}

/// What happens when a world is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ritual {
    /// RIT-1
    Stabilisation,
    /// RIT-2
    Permutation,
    /// RIT-3
    Illumination,
    /// RIT-4
    Neutralisation,
}

/// Which way the pawn goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// Towards the Moon.
    Forward,
    /// Away from it.
    Back,
}

/// Which way the cards go at an Eclipse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// To the next player in turn order.
    Left,
    /// To the one before.
    Right,
}
