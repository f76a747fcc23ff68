//! The numbers and names that a designer may change, read from the files of `data/`, checked, and hashed.
//!
//! Wrong data is refused with a sentence that names the file, the key and what was expected.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::card::{MAX_VALUES, MAX_WORLDS, Ritual};
use crate::{codec, game::MAX_SEATS};

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

/// A place in a data file, for reading one key after another and complaining precisely.
struct Node<'a> {
    file: &'static str,
    path: String,
    table: &'a Table,
}

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

fn shown(value: Option<&Value>) -> String {
    match value {
        None => "nothing".to_string(),
        Some(Value::String(text)) => {
            format!("\"{}\"", text.chars().take(40).collect::<String>())
        }
        Some(Value::Integer(n)) => n.to_string(),
        Some(Value::Float(n)) => n.to_string(),
        Some(Value::Boolean(b)) => b.to_string(),
        Some(Value::Datetime(_)) => "a date".to_string(),
        Some(Value::Array(_)) => "a list".to_string(),
        Some(Value::Table(_)) => "a section".to_string(),
    }
}

fn parse(file: &'static str, text: &str) -> Result<Table, DataError> {
    if text.len() > MAX_FILE {
        return Err(error(
            file,
            "the file",
            format!("at most {MAX_FILE} bytes"),
            format!("{} bytes", text.len()),
        ));
    }
    text.parse::<Table>().map_err(|e| {
        error(
            file,
            "the file",
            "well-formed TOML",
            e.message().trim().to_string(),
        )
    })
}

impl<'a> Node<'a> {
    fn root(file: &'static str, table: &'a Table) -> Node<'a> {
        Node {
            file,
            path: String::new(),
            table,
        }
    }

    fn key(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_string()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    fn wrong(&self, key: &str, expected: impl Into<String>) -> DataError {
        error(
            self.file,
            self.key(key),
            expected,
            shown(self.table.get(key)),
        )
    }

    fn number(&self, key: &str, range: core::ops::RangeInclusive<u8>) -> Result<u8, DataError> {
        self.table
            .get(key)
            .and_then(Value::as_integer)
            .and_then(|n| u8::try_from(n).ok())
            .filter(|n| range.contains(n))
            .ok_or_else(|| {
                self.wrong(
                    key,
                    format!("a whole number from {} to {}", range.start(), range.end()),
                )
            })
    }

    fn word(&self, key: &str) -> Result<String, DataError> {
        self.table
            .get(key)
            .and_then(Value::as_str)
            .filter(|s| (1..=24).contains(&s.len()) && s.bytes().all(|b| b.is_ascii_lowercase()))
            .map(ToString::to_string)
            .ok_or_else(|| self.wrong(key, "a word of 1 to 24 small letters in quotes"))
    }

    fn section(&self, key: &str) -> Result<Node<'a>, DataError> {
        let table = self.table.get(key).and_then(Value::as_table);
        let table = table.ok_or_else(|| self.wrong(key, format!("a section [{key}]")))?;
        Ok(Node {
            file: self.file,
            path: self.key(key),
            table,
        })
    }

    fn list(&self, key: &str) -> Result<Vec<Node<'a>>, DataError> {
        let expected = || self.wrong(key, format!("sections [[{key}]]"));
        let list = self
            .table
            .get(key)
            .and_then(Value::as_array)
            .ok_or_else(expected)?;
        let node = |(i, value): (usize, &'a Value)| {
            let path = format!("{key}[{i}]");
            value
                .as_table()
                .map(|table| Node {
                    file: self.file,
                    path,
                    table,
                })
                .ok_or_else(expected)
        };
        list.iter().enumerate().map(node).collect()
    }

    fn only(&self, keys: &[&str]) -> Result<(), DataError> {
        match self.table.keys().find(|key| !keys.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => Err(error(
                self.file,
                self.key(key),
                format!("only the keys {}", keys.join(", ")),
                "this one",
            )),
        }
    }
}

impl Data {
    /// The data as shipped.
    pub fn shipped() -> Data {
        Data::parse(&SHIPPED).expect("the shipped data is checked by a test")
    }

    /// Reads and checks the files.
    pub fn parse(texts: &Texts<'_>) -> Result<Data, DataError> {
        let worlds = parse_worlds(texts.worlds)?;
        let tiles = parse_tiles(texts.tiles)?;
        let track = parse_track(texts.track)?;
        let tables = parse_tables(texts.tables, &worlds, &track)?;
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
        check_worlds(&self.worlds)?;
        check_tiles(&self.tiles)?;
        check_track(&self.track)?;
        check_tables(&self.tables, &self.worlds, &self.track)
    }

    /// The worlds used at a table of `players`.
    pub fn worlds_at(&self, players: u8) -> impl Iterator<Item = &WorldData> {
        self.worlds
            .iter()
            .filter(move |world| world.from_players <= players)
    }
}

const RITUALS: [(&str, Ritual); 4] = [
    ("stabilisation", Ritual::Stabilisation),
    ("permutation", Ritual::Permutation),
    ("illumination", Ritual::Illumination),
    ("neutralisation", Ritual::Neutralisation),
];

fn parse_worlds(text: &str) -> Result<Vec<WorldData>, DataError> {
    let table = parse("worlds.toml", text)?;
    let root = Node::root("worlds.toml", &table);
    root.only(&["world"])?;
    let mut worlds = Vec::new();
    for node in root.list("world")? {
        node.only(&["name", "colour", "emblem", "ritual", "from_players"])?;
        let ritual = node.word("ritual")?;
        let ritual = RITUALS.iter().find(|(name, _)| *name == ritual);
        let (_, ritual) = ritual.ok_or_else(|| {
            node.wrong(
                "ritual",
                "stabilisation, permutation, illumination or neutralisation",
            )
        })?;
        worlds.push(WorldData {
            name: node.word("name")?,
            colour: node.word("colour")?,
            emblem: node.word("emblem")?,
            ritual: *ritual,
            from_players: node.number("from_players", 3..=5)?,
        });
    }
    check_worlds(&worlds)?;
    Ok(worlds)
}

fn check_worlds(worlds: &[WorldData]) -> Result<(), DataError> {
    let wrong =
        |key: &str, expected: &str, found: String| Err(error("worlds.toml", key, expected, found));
    if worlds.len() > MAX_WORLDS {
        return wrong("world", "at most seven worlds", format!("{}", worlds.len()));
    }
    for (i, world) in worlds.iter().enumerate() {
        let before = worlds.iter().take(i);
        let (name, colour) = (&world.name, &world.colour);
        if before
            .clone()
            .any(|w| [&w.name, &w.colour].contains(&name) || [&w.name, &w.colour].contains(&colour))
        {
            return wrong(
                &format!("world[{i}].name"),
                "a name and a colour that no other world has",
                format!("{name}, {colour}"),
            );
        }
        if before.clone().any(|w| w.from_players > world.from_players) {
            return wrong(
                &format!("world[{i}].from_players"),
                "worlds sorted by from_players",
                format!("{}", world.from_players),
            );
        }
    }
    for (name, ritual) in RITUALS {
        if !worlds
            .iter()
            .any(|w| w.ritual == ritual && w.from_players == 3)
        {
            return wrong(
                "world",
                "a world with every ritual at three players",
                format!("none with {name}"),
            );
        }
    }
    Ok(())
}

fn parse_tiles(text: &str) -> Result<TileData, DataError> {
    let table = parse("tiles.toml", text)?;
    let root = Node::root("tiles.toml", &table);
    root.only(&["tiles"])?;
    let node = root.section("tiles")?;
    node.only(&["dagger", "portal", "moonstone", "mask", "face_up"])?;
    let tiles = TileData {
        dagger: node.number("dagger", 0..=12)?,
        portal: node.number("portal", 0..=12)?,
        moonstone: node.number("moonstone", 0..=12)?,
        mask: node.number("mask", 0..=12)?,
        face_up: node.number("face_up", 1..=MAX_FACE_UP as u8)?,
    };
    check_tiles(&tiles)?;
    Ok(tiles)
}

/// The most tiles there can be, and the most that lie face up at once.
pub(super) const MAX_TILES: usize = 12;
pub(super) const MAX_FACE_UP: usize = 2;

fn check_tiles(tiles: &TileData) -> Result<(), DataError> {
    let keepsakes =
        usize::from(tiles.dagger) + usize::from(tiles.portal) + usize::from(tiles.moonstone);
    let all = keepsakes + usize::from(tiles.mask);
    let face_up = usize::from(tiles.face_up);
    if !(4..=MAX_TILES).contains(&all) || keepsakes < 2 || !(1..=MAX_FACE_UP).contains(&face_up) {
        let found = format!("{all} with {keepsakes} that are no masks, {face_up} face up");
        return Err(error(
            "tiles.toml",
            "tiles",
            "4 to 12 tiles, two of them no masks, one or two face up",
            found,
        ));
    }
    Ok(())
}

fn parse_track(text: &str) -> Result<TrackData, DataError> {
    let table = parse("track.toml", text)?;
    let root = Node::root("track.toml", &table);
    root.only(&["track", "points"])?;
    let node = root.section("track")?;
    node.only(&["moon", "back", "last_call"])?;
    let points = root.section("points")?;
    points.only(&[
        "goal",
        "shaman",
        "shadow",
        "moonstones",
        "moonstone_set",
        "illumination",
    ])?;
    let track = TrackData {
        moon: node.number("moon", 4..=60)?,
        back: node.number("back", 1..=10)?,
        last_call: node.number("last_call", 0..=10)?,
        goal: points.number("goal", 1..=100)?,
        shaman: points.number("shaman", 1..=10)?,
        shadow: points.number("shadow", 1..=10)?,
        moonstones: points.number("moonstones", 0..=10)?,
        moonstone_set: points.number("moonstone_set", 1..=12)?,
        illumination: points.number("illumination", 0..=10)?,
    };
    check_track(&track)?;
    Ok(track)
}

fn check_track(track: &TrackData) -> Result<(), DataError> {
    // The same ranges as in the file; a peer's data did not go through it.
    let fields = [
        (track.moon, 4..=60),
        (track.back, 1..=10),
        (track.last_call, 0..=10),
        (track.goal, 1..=100),
        (track.shaman, 1..=10),
        (track.shadow, 1..=10),
        (track.moonstones, 0..=10),
        (track.moonstone_set, 1..=12),
        (track.illumination, 0..=10),
    ];
    match fields.iter().find(|(value, range)| !range.contains(value)) {
        None => Ok(()),
        Some((value, range)) => {
            let expected = format!(
                "numbers within their ranges, here {} to {}",
                range.start(),
                range.end()
            );
            Err(error("track.toml", "track", expected, format!("{value}")))
        }
    }
}

fn parse_tables(
    text: &str,
    worlds: &[WorldData],
    track: &TrackData,
) -> Result<Vec<TableData>, DataError> {
    let table = parse("tables.toml", text)?;
    let root = Node::root("tables.toml", &table);
    root.only(&["table"])?;
    let mut tables = Vec::new();
    for node in root.list("table")? {
        node.only(&["players", "shamans", "shadows", "values", "hand", "steps"])?;
        let players = node.number("players", 3..=5)?;
        let steps = node
            .table
            .get("steps")
            .and_then(Value::as_array)
            .and_then(|list| {
                let step = |v: &Value| v.as_integer().and_then(|n| u8::try_from(n).ok());
                list.iter().map(step).collect::<Option<Vec<u8>>>()
            });
        let steps = steps
            .ok_or_else(|| node.wrong("steps", format!("a list of {players} whole numbers")))?;
        tables.push(TableData {
            players,
            shamans: node.number("shamans", 1..=4)?,
            shadows: node.number("shadows", 1..=4)?,
            values: node.number("values", 2..=MAX_VALUES as u8)?,
            hand: node.number("hand", 1..=MAX_HAND as u8)?,
            steps,
        });
    }
    check_tables(&tables, worlds, track)?;
    Ok(tables)
}

/// The most cards in a hand.
pub(super) const MAX_HAND: usize = 18;

fn check_tables(
    tables: &[TableData],
    worlds: &[WorldData],
    track: &TrackData,
) -> Result<(), DataError> {
    let wrong = |key: String, expected: String, found: String| {
        Err(error("tables.toml", key, expected, found))
    };
    let players: Vec<u8> = tables.iter().map(|t| t.players).collect();
    if players != [3, 4, MAX_SEATS as u8] {
        return wrong(
            "table".into(),
            "tables for 3, 4 and 5 players, in this order".into(),
            format!("{players:?}"),
        );
    }
    for (i, table) in tables.iter().enumerate() {
        let n = table.players;
        if table.shamans < 1
            || table.shadows < 1
            || table.shadows > 2
            || table.shamans.saturating_add(table.shadows) != n
        {
            let found = format!("{} and {}", table.shamans, table.shadows);
            return wrong(
                format!("table[{i}].shamans"),
                format!("Shamans and one or two Shadows, {n} in all"),
                found,
            );
        }
        if !(2..=MAX_VALUES as u8).contains(&table.values)
            || !(1..=MAX_HAND as u8).contains(&table.hand)
        {
            let found = format!("{} and {}", table.values, table.hand);
            return wrong(
                format!("table[{i}].values"),
                format!("2 to {MAX_VALUES} values, 1 to {MAX_HAND} cards in a hand"),
                found,
            );
        }
        let in_use = worlds.iter().filter(|w| w.from_players <= n).count();
        let cards = in_use * usize::from(table.values);
        let dealt = usize::from(table.hand) * usize::from(n);
        // Less than one world may be left over, else a world could be complete before the first trick.
        if dealt > cards || cards - dealt >= usize::from(table.values) {
            let expected =
                format!("a hand size that deals nearly all of the {cards} cards to {n} players");
            return wrong(
                format!("table[{i}].hand"),
                expected,
                format!("{}", table.hand),
            );
        }
        if table.steps.len() != usize::from(n)
            || !table.steps.iter().all(|s| (1..=track.moon).contains(s))
        {
            let expected = format!(
                "{n} numbers from 1 to {}, for none to {} phantoms",
                track.moon,
                n - 1
            );
            return wrong(
                format!("table[{i}].steps"),
                expected,
                format!("{:?}", table.steps),
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
