//! The grammar as a table of patterns, and the reader that matches a line against them.
//!
//! A pattern is written as it is documented: small letters stand for themselves (`a|b` for either, `[a]` may be left out),
//! capitals for something to fill in. The farthest place that any pattern reached says what was expected there.

use shamans_core::{
    game::Seat,
    shamans::{Artefact, Card, Data, Ritual, Role, Side, Way, World},
};

use super::{
    tell,
    words::{FILLERS, Word, nearest, quoted},
};

/// Something filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Seat(Seat),
    Seats(Vec<Seat>),
    Number(u16),
    Card(Card),
    Cards(Vec<Card>),
    World(World),
    Worlds(Vec<World>),
    Values(Vec<u8>),
    Tile(Artefact),
    Tiles(Vec<Artefact>),
    Pile(Vec<PileItem>),
    Names(Vec<String>),
    Traits(Vec<Trait>),
    Role(Role),
    Side(Side),
    Way(Way),
    Ritual(Ritual),
}

/// What lies in the pile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PileItem {
    Tile(Artefact),
    Eclipse(Side),
}

/// What a player can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trait {
    Role(Role),
    Shown(bool),
    Eliminated(bool),
    Phantom(bool),
    Guide(bool),
}

/// What the words of a line can refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lexicon {
    /// The players, in seat order.
    pub names: Vec<String>,
    /// Worlds by name and colour, in the order of the data.
    pub worlds: Vec<(String, String)>,
}

impl Lexicon {
    pub fn new(data: &Data) -> Lexicon {
        let worlds = data.worlds.iter();
        Lexicon {
            names: Vec::new(),
            worlds: worlds.map(|w| (w.name.clone(), w.colour.clone())).collect(),
        }
    }

    fn seat(&self, word: &Word) -> Option<Seat> {
        (0..)
            .map(Seat)
            .zip(&self.names)
            .find(|(_, name)| **name == word.text)
            .map(|(seat, _)| seat)
    }

    fn world(&self, word: &Word) -> Option<World> {
        (0..)
            .map(World)
            .zip(&self.worlds)
            .find(|(_, (name, colour))| word.low == *name || word.low == *colour)
            .map(|(world, _)| world)
    }
}

/// What did not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Miss {
    /// How many words had been read.
    pub at: usize,
    /// What could have stood there.
    pub expected: Vec<String>,
}

pub(super) const TRAITS: [(&str, Trait); 10] = [
    ("shaman", Trait::Role(Role::Shaman)),
    ("shadow", Trait::Role(Role::Shadow)),
    ("shown", Trait::Shown(true)),
    ("hidden", Trait::Shown(false)),
    ("eliminated", Trait::Eliminated(true)),
    ("in-play", Trait::Eliminated(false)),
    ("phantom", Trait::Phantom(true)),
    ("person", Trait::Phantom(false)),
    ("guide", Trait::Guide(true)),
    ("follower", Trait::Guide(false)),
];

const ROLES: [(&str, Role); 4] = [
    ("shaman", Role::Shaman),
    ("shadow", Role::Shadow),
    ("shamans", Role::Shaman),
    ("shadows", Role::Shadow),
];

const RITUALS: [(&str, Ritual); 4] = [
    ("stabilisation", Ritual::Stabilisation),
    ("permutation", Ritual::Permutation),
    ("illumination", Ritual::Illumination),
    ("neutralisation", Ritual::Neutralisation),
];

const TILES: [(&str, Artefact); 8] = [
    ("dagger", Artefact::Dagger),
    ("portal", Artefact::Portal),
    ("moonstone", Artefact::Moonstone),
    ("mask", Artefact::Mask),
    ("daggers", Artefact::Dagger),
    ("portals", Artefact::Portal),
    ("moonstones", Artefact::Moonstone),
    ("masks", Artefact::Mask),
];

fn among<T: Copy>(list: &[(&str, T)], word: Option<&Word>) -> Option<T> {
    let word = word?;
    list.iter()
        .find(|(name, _)| *name == word.low)
        .map(|&(_, value)| value)
}

/// Reads the words of one line, front to back.
#[derive(Clone)]
struct Reader<'a> {
    words: &'a [Word],
    at: usize,
    lexicon: &'a Lexicon,
}

impl Reader<'_> {
    fn word(&self) -> Option<&Word> {
        self.words.get(self.at)
    }

    fn one<T>(&mut self, read: impl Fn(&Self, &Word) -> Option<T>) -> Option<T> {
        let value = read(self, self.word()?)?;
        self.at += 1;
        Some(value)
    }

    fn number(&mut self) -> Option<u16> {
        self.one(|_, word| word.low.parse().ok())
    }

    /// `3`, or `3-6`: values of cards.
    fn values(&mut self) -> Vec<u8> {
        let mut all = Vec::new();
        while let Some((low, high)) = self.one(|_, word| {
            let (low, high) = word.low.split_once('-').unwrap_or((&word.low, &word.low));
            let (low, high) = (low.parse::<u8>().ok()?, high.parse::<u8>().ok()?);
            (1 <= low && low <= high && high <= 99).then_some((low, high))
        }) {
            all.extend(low..=high);
        }
        all
    }

    fn seats(&mut self) -> Vec<Seat> {
        let mut all = Vec::new();
        while let Some(seat) = self.one(|this, word| this.lexicon.seat(word)) {
            all.push(seat);
        }
        all
    }

    fn card(&mut self) -> Option<Card> {
        let start = self.at;
        let world = self.one(|this, word| this.lexicon.world(word))?;
        match self.number().and_then(|n| u8::try_from(n).ok()) {
            Some(value) if (1..=99).contains(&value) => Some(Card { world, value }),
            Some(_) | None => {
                self.at = start + 1;
                None
            }
        }
    }

    fn cards(&mut self) -> Option<Vec<Card>> {
        let mut all = Vec::new();
        while let Some(world) = self.one(|this, word| this.lexicon.world(word)) {
            let values = self.values();
            if values.is_empty() {
                return None;
            }
            all.extend(values.into_iter().map(|value| Card { world, value }));
        }
        (!all.is_empty()).then_some(all)
    }

    /// `dagger`, `2 daggers`.
    fn tiles(&mut self) -> Vec<Artefact> {
        let mut all = Vec::new();
        loop {
            let mut ahead = self.clone();
            let count = ahead.number().unwrap_or(1).min(12);
            match ahead.one(|_, word| among(&TILES, Some(word))) {
                Some(tile) => all.extend((0..count).map(|_| tile)),
                None => return all,
            }
            self.at = ahead.at;
        }
    }

    fn pile(&mut self) -> Vec<PileItem> {
        let mut all = Vec::new();
        loop {
            let tiles = self.tiles();
            let mut some = !tiles.is_empty();
            all.extend(tiles.into_iter().map(PileItem::Tile));
            let mut ahead = self.clone();
            let eclipse = ahead.one(|_, word| (word.low == "eclipse").then_some(()));
            if let (Some(()), Some(side)) = (eclipse, ahead.one(|_, word| side(word))) {
                all.push(PileItem::Eclipse(side));
                self.at = ahead.at;
                some = true;
            }
            if !some {
                return all;
            }
        }
    }

    fn traits(&mut self) -> Vec<Trait> {
        let mut all = Vec::new();
        while let Some(found) = self.one(|_, word| among(&TRAITS, Some(word))) {
            all.push(found);
        }
        all
    }

    fn new_names(&mut self) -> Vec<String> {
        let mut all = Vec::new();
        while let Some(name) = self.one(|_, word| Some(word.text.clone())) {
            all.push(name);
        }
        all
    }

    /// Reads what a place in capitals stands for, or says what that would be.
    fn fill(&mut self, place: &str) -> Result<Value, String> {
        fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
            (!list.is_empty()).then_some(list)
        }
        let (value, what) = match place {
            "NAME" => (
                self.one(|this, word| this.lexicon.seat(word))
                    .map(Value::Seat),
                "a player's name",
            ),
            "NAMES" => (some(self.seats()).map(Value::Seats), "players' names"),
            "NEWNAMES" => (
                some(self.new_names()).map(Value::Names),
                "the players' names",
            ),
            "NUMBER" => (self.number().map(Value::Number), "a number up to 65535"),
            "CARD" => (self.card().map(Value::Card), "a card such as dream 3"),
            "CARDS" => (
                self.cards().map(Value::Cards),
                "cards such as dream 1 4, sun 2-5",
            ),
            "WORLD" => (
                self.one(|this, word| this.lexicon.world(word))
                    .map(Value::World),
                "a world",
            ),
            "WORLDS" => {
                let mut all = Vec::new();
                while let Some(world) = self.one(|this, word| this.lexicon.world(word)) {
                    all.push(world);
                }
                (some(all).map(Value::Worlds), "worlds")
            }
            "VALUES" => (
                some(self.values()).map(Value::Values),
                "values such as 1 3 5-8",
            ),
            "TILE" => (
                self.one(|_, word| among(&TILES, Some(word)))
                    .map(Value::Tile),
                "dagger, portal, moonstone or mask",
            ),
            "TILES" => (
                some(self.tiles()).map(Value::Tiles),
                "tiles such as dagger, portal",
            ),
            "PILE" => (
                some(self.pile()).map(Value::Pile),
                "tiles from the top, with Eclipse left or Eclipse right in its place",
            ),
            "TRAITS" => (
                some(self.traits()).map(Value::Traits),
                "Shaman, Shadow, shown, hidden, eliminated, in-play, phantom, person, Guide or follower",
            ),
            "ROLE" => (
                self.one(|_, word| among(&ROLES, Some(word)))
                    .map(Value::Role),
                "Shaman or Shadow",
            ),
            "SIDE" => (
                self.one(|_, word| side(word)).map(Value::Side),
                "left or right",
            ),
            "WAY" => (
                self.one(|_, word| match word.low.as_str() {
                    "back" => Some(Way::Back),
                    "forward" => Some(Way::Forward),
                    _ => None,
                })
                .map(Value::Way),
                "back or forward",
            ),
            "RITUAL" => (
                self.one(|_, word| among(&RITUALS, Some(word)))
                    .map(Value::Ritual),
                "a ritual",
            ),
            other => unreachable!("{other} is no place that a pattern uses"),
        };
        value.ok_or_else(|| what.to_string())
    }
}

fn side(word: &Word) -> Option<Side> {
    match word.low.as_str() {
        "left" => Some(Side::Left),
        "right" => Some(Side::Right),
        _ => None,
    }
}

/// Is this piece of a pattern something to fill in?
fn is_place(piece: &str) -> bool {
    piece.chars().all(|c| c.is_ascii_uppercase())
}

/// Matches all words against one pattern.
pub(super) fn read(pattern: &str, words: &[Word], lexicon: &Lexicon) -> Result<Vec<Value>, Miss> {
    let (values, rest) = read_front(pattern, words, lexicon)?;
    match rest {
        0 => Ok(values),
        _ => Err(Miss {
            at: words.len() - rest,
            expected: vec!["the end of the line".to_string()],
        }),
    }
}

/// Matches the first words against a pattern; also how many words are left.
pub(super) fn read_front(
    pattern: &str,
    words: &[Word],
    lexicon: &Lexicon,
) -> Result<(Vec<Value>, usize), Miss> {
    let mut reader = Reader {
        words,
        at: 0,
        lexicon,
    };
    let mut values = Vec::new();
    let mut skipped: Vec<String> = Vec::new();
    for piece in pattern.split_whitespace() {
        if is_place(piece) {
            let value = reader.fill(piece).map_err(|what| {
                let mut expected = std::mem::take(&mut skipped);
                expected.push(what);
                Miss {
                    at: reader.at,
                    expected,
                }
            })?;
            skipped.clear();
            values.push(value);
            continue;
        }
        let optional = piece.strip_prefix('[').and_then(|p| p.strip_suffix(']'));
        let wanted = optional.unwrap_or(piece);
        let here = reader
            .word()
            .is_some_and(|word| wanted.split('|').any(|w| w == word.low));
        if here {
            reader.at += 1;
            skipped.clear();
        } else if optional.is_some() {
            skipped.push(wanted.replace('|', " or "));
        } else {
            let mut expected = std::mem::take(&mut skipped);
            expected.push(format!("\"{}\"", wanted.replace('|', "\" or \"")));
            return Err(Miss {
                at: reader.at,
                expected,
            });
        }
    }
    Ok((values, words.len() - reader.at))
}

/// The misses of several patterns as one: what was expected where they came farthest.
#[derive(Default)]
pub(super) struct Misses {
    at: usize,
    expected: Vec<String>,
}

impl Misses {
    pub fn add(&mut self, miss: Miss) {
        if miss.at > self.at {
            self.at = miss.at;
            self.expected.clear();
        }
        if miss.at == self.at {
            for what in miss.expected {
                if !self.expected.contains(&what) {
                    self.expected.push(what);
                }
            }
        }
    }

    /// What was expected and what was found, as the two halves of a sentence.
    pub fn sentence(self, words: &[Word], lexicon: &Lexicon, beginning: &str) -> (String, String) {
        let found = words.get(self.at);
        let read: Vec<&str> = words
            .iter()
            .take(self.at)
            .map(|word| word.text.as_str())
            .collect();
        let mut expected = if self.at == 0 {
            beginning.to_string()
        } else {
            let mut list = self.expected.clone();
            let many = list.len() > 8;
            list.truncate(8);
            let list = list.join(", or ");
            let more = if many { ", or …" } else { "" };
            format!("{list}{more} after {}", quoted(&read.join(" ")))
        };
        let literal = self.expected.iter().flat_map(|what| what.split('"'));
        let known = lexicon.names.iter().map(String::as_str);
        let worlds = lexicon
            .worlds
            .iter()
            .flat_map(|(name, colour)| [name.as_str(), colour.as_str()]);
        let tables = TILES
            .iter()
            .map(|(name, _)| *name)
            .chain(TRAITS.iter().map(|(name, _)| *name));
        let candidates = known.chain(literal).chain(worlds).chain(tables);
        if let Some(near) = found.and_then(|word| nearest(&word.text, candidates)) {
            expected.push_str(&format!(" (did you mean {near}?)"));
        }
        let found = found.map_or("the end of the line".to_string(), |word| quoted(&word.text));
        (expected, found)
    }
}

/// May a player be called so? Not by a word that the grammar needs.
pub(super) fn is_reserved<'a>(
    name: &str,
    lexicon: &Lexicon,
    mut patterns: impl Iterator<Item = &'a str>,
) -> bool {
    let low = name.to_lowercase();
    let in_pattern = |pattern: &str| {
        pattern
            .split(|c: char| c.is_whitespace() || "[]|".contains(c))
            .any(|word| word == low)
    };
    FILLERS.contains(&low.as_str())
        || lexicon
            .worlds
            .iter()
            .any(|(name, colour)| low == *name || low == *colour)
        || TILES.iter().any(|(name, _)| low == *name)
        || TRAITS.iter().any(|(name, _)| low == *name)
        || ROLES.iter().any(|(name, _)| low == *name)
        || RITUALS.iter().any(|(name, _)| low == *name)
        || [
            "spectator",
            "refused",
            "left",
            "right",
            "back",
            "forward",
            "(",
            ")",
            "'s",
        ]
        .contains(&low.as_str())
        || patterns.any(in_pattern)
}

/// A pattern with its places filled in: how a fact is told in the words of the grammar.
pub(super) fn filled(pattern: &str, values: &[Value], lexicon: &Lexicon) -> String {
    let mut values = values.iter();
    let pieces = pattern.split_whitespace().filter_map(|piece| {
        if is_place(piece) {
            return values.next().map(|value| tell::value(value, lexicon));
        }
        let plain = piece.trim_matches(['[', ']']);
        plain.split('|').next_back().map(str::to_string)
    });
    pieces.collect::<Vec<_>>().join(" ").replace(" 's", "'s")
}
