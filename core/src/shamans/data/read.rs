//! Reading the data files: one key after another, with a complaint that names file, key and what was expected.
//!
//! What the numbers must fulfil together is in `check`, since a peer's data comes without files.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use toml::{Table, Value};

use super::{
    DataError, MAX_FACE_UP, MAX_FILE, MAX_HAND, TableData, TileData, TrackData, WorldData, check,
    error,
};
use crate::shamans::card::MAX_VALUES;

/// A place in a data file, for reading one key after another and complaining precisely.
struct Node<'a> {
    file: &'static str,
    path: String,
    table: &'a Table,
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

pub(super) fn worlds(text: &str) -> Result<Vec<WorldData>, DataError> {
    let table = parse("worlds.toml", text)?;
    let root = Node::root("worlds.toml", &table);
    root.only(&["world"])?;
    let mut worlds = Vec::new();
    for node in root.list("world")? {
        node.only(&["name", "colour", "emblem", "ritual", "from_players"])?;
        let ritual = node.word("ritual")?;
        let ritual = check::RITUALS.iter().find(|(name, _)| *name == ritual);
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
    check::worlds(&worlds)?;
    Ok(worlds)
}

pub(super) fn tiles(text: &str) -> Result<TileData, DataError> {
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
    check::tiles(&tiles)?;
    Ok(tiles)
}

pub(super) fn track(text: &str) -> Result<TrackData, DataError> {
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
    check::track(&track)?;
    Ok(track)
}

pub(super) fn tables(
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
    check::tables(&tables, worlds, track)?;
    Ok(tables)
}
