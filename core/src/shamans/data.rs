//! The numbers and names that a designer may change, read from the files of `data/`, checked, and hashed.
//!
//! Wrong data is refused with a sentence that names the file, the key and what was expected.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::card::Ritual;
use crate::codec;

mod check;
mod read;

/// The largest data file that is read.
pub const MAX_FILE: usize = 64 * 1024;

/// The texts of the data files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texts<'a> {
    /// `worlds.toml`
    pub worlds: &'a str,
    /// `tiles.toml`
    pub tiles: &'a str,
    /// `tables.toml`
    pub tables: &'a str,
    /// `track.toml`
    pub track: &'a str,
}

/// The files as shipped.
pub const SHIPPED: Texts<'static> = Texts {
    worlds: include_str!("../../../data/worlds.toml"),
    tiles: include_str!("../../../data/tiles.toml"),
    tables: include_str!("../../../data/tables.toml"),
    track: include_str!("../../../data/track.toml"),
};

/// What is wrong with a data file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("data/{file}: {key}: expected {expected}, found {found}")]
pub struct DataError {
    /// Which file.
    pub file: &'static str,
    /// Which key in it.
    pub key: String,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// A world as the designer describes it (SET-2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorldData {
    /// Its name in English, lower case; also how scenarios call it.
    pub name: String,
    /// The name of its colour.
    pub colour: String,
    /// The name of its emblem.
    pub emblem: String,
    /// What completing it does.
    pub ritual: Ritual,
    /// The smallest table that uses it.
    pub from_players: u8,
}

/// How many of each tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TileData {
    /// Ritual Daggers.
    pub dagger: u8,
    /// Portals.
    pub portal: u8,
    /// Moonstones.
    pub moonstone: u8,
    /// Masks of Truth.
    pub mask: u8,
    /// How many lie face up at the start.
    pub face_up: u8,
}

/// The set-up for one number of players (SET-1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableData {
    /// Seats.
    pub players: u8,
    /// Shaman identities.
    pub shamans: u8,
    /// Shadow identities.
    pub shadows: u8,
    /// The highest card of each world.
    pub values: u8,
    /// Cards dealt to each.
    pub hand: u8,
    /// Steps to the Moon by number of phantoms.
    pub steps: Vec<u8>,
}

/// Track and points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackData {
    /// The last space.
    pub moon: u8,
    /// How far Stabilisation goes back.
    pub back: u8,
    /// From how near portals are asked for at the end.
    pub last_call: u8,
    /// Points that end the game.
    pub goal: u8,
    /// Points for a Shaman's win.
    pub shaman: u8,
    /// Points for a Shadow's win.
    pub shadow: u8,
    /// Points for a set of moonstones.
    pub moonstones: u8,
    /// The size of such a set.
    pub moonstone_set: u8,
    /// Points for Illumination.
    pub illumination: u8,
}

/// All of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Data {
    /// Sorted by `from_players`.
    pub worlds: Vec<WorldData>,
    /// The tiles.
    pub tiles: TileData,
    /// One for each number of players, ascending.
    pub tables: Vec<TableData>,
    /// Track and points.
    pub track: TrackData,
}

/// The most tiles there can be, and the most that lie face up at once.
pub(super) const MAX_TILES: usize = 12;
pub(super) const MAX_FACE_UP: usize = 2;

/// The most cards in a hand.
pub(super) const MAX_HAND: usize = 18;

fn error(
    file: &'static str,
    key: impl Into<String>,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> DataError {
    DataError {
        file,
        key: key.into(),
        expected: expected.into(),
        found: found.into(),
    }
}

impl Data {
    /// The data as shipped.
    pub fn shipped() -> Data {
        // A designer who builds with wrong numbers is told which; a test tells everyone else first.
        Data::parse(&SHIPPED).unwrap_or_else(|wrong| panic!("{wrong}"))
    }

    /// Reads and checks the files.
    pub fn parse(texts: &Texts<'_>) -> Result<Data, DataError> {
        let worlds = read::worlds(texts.worlds)?;
        let tiles = read::tiles(texts.tiles)?;
        let track = read::track(texts.track)?;
        let tables = read::tables(texts.tables, &worlds, &track)?;
        Ok(Data {
            worlds,
            tiles,
            tables,
            track,
        })
    }

    /// What peers compare before they sit down together: equal for equal numbers and names, whatever the layout of the files.
    pub fn hash(&self) -> [u8; 32] {
        blake3::derive_key("Shamans 1 data", &codec::encode(self))
    }

    /// Checks data that did not come from files: a peer's.
    pub fn check(&self) -> Result<(), DataError> {
        check::worlds(&self.worlds)?;
        check::tiles(&self.tiles)?;
        check::track(&self.track)?;
        check::tables(&self.tables, &self.worlds, &self.track)
    }

    /// The worlds used at a table of `players`.
    pub fn worlds_at(&self, players: u8) -> impl Iterator<Item = &WorldData> {
        self.worlds
            .iter()
            .filter(move |world| world.from_players <= players)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::ToString};

    fn refused(change: impl Fn(&mut Texts<'static>), names: &[&str]) {
        let mut texts = SHIPPED;
        change(&mut texts);
        let sentence = Data::parse(&texts).unwrap_err().to_string();
        for name in names {
            assert!(
                sentence.contains(name),
                "{sentence:?} does not name {name:?}"
            );
        }
    }

    #[test]
    fn shipped_data_is_sound_and_survives_the_codec() {
        // SET-1, SET-2, SET-3
        let data = Data::shipped();
        assert_eq!(data.check(), Ok(()));
        assert_eq!(codec::decode::<Data>(&codec::encode(&data)).unwrap(), data);
        assert_eq!(data.worlds_at(3).count(), 5);
        assert_eq!(data.worlds_at(4).count(), 6);
        assert_eq!(data.worlds_at(5).count(), 7);
        let neutral = data
            .worlds
            .iter()
            .filter(|w| w.ritual == Ritual::Neutralisation)
            .count();
        assert_eq!(neutral, 4);
    }

    #[test]
    fn wrong_data_names_file_key_and_what_was_expected() {
        refused(
            |t| t.worlds = "",
            &["worlds.toml", "world", "[[world]]", "nothing"],
        );
        refused(|t| t.tiles = "[tiles]\ndagger = ", &["tiles.toml", "TOML"]);
        refused(
            |t| t.tiles = "[tiles]\ndagger = 99",
            &["tiles.toml", "tiles.dagger", "0 to 12", "99"],
        );
        refused(
            |t| t.tiles = "[tiles]\nknife = 1",
            &["tiles.knife", "dagger, portal"],
        );
        refused(
            |t| t.track = "[track]\nmoon = \"x\"\n[points]",
            &["track.toml", "track.moon", "4 to 60", "\"x\""],
        );
        refused(
            |t| t.tables = "[[table]]\nplayers = 3",
            &["tables.toml", "table[0].steps", "nothing"],
        );
        static LONG: [u8; MAX_FILE + 1] = [b'#'; MAX_FILE + 1];
        refused(
            |t| t.track = core::str::from_utf8(&LONG).unwrap(),
            &["track.toml", "at most"],
        );
    }

    #[test]
    fn hash_follows_numbers_not_layout() {
        let data = Data::shipped();
        let comment = format!("# another comment\n{}", SHIPPED.track);
        let same = Data::parse(&Texts {
            track: &comment,
            ..SHIPPED
        })
        .unwrap();
        assert_eq!(same.hash(), data.hash());
        let moon = SHIPPED.track.replace("moon = 24", "moon = 25");
        let other = Data::parse(&Texts {
            track: &moon,
            ..SHIPPED
        })
        .unwrap();
        assert_ne!(other.hash(), data.hash());
    }
}
