//! What the numbers must fulfil, whether they come from our files or from a peer.

use alloc::{format, string::String, vec::Vec};

use super::{
    DataError, MAX_FACE_UP, MAX_HAND, MAX_TILES, TableData, TileData, TrackData, WorldData, error,
};
use crate::{
    game::MAX_SEATS,
    shamans::card::{MAX_VALUES, MAX_WORLDS, Ritual},
};

pub(super) const RITUALS: [(&str, Ritual); 4] = [
    ("stabilisation", Ritual::Stabilisation),
    ("permutation", Ritual::Permutation),
    ("illumination", Ritual::Illumination),
    ("neutralisation", Ritual::Neutralisation),
];

pub(super) fn worlds(worlds: &[WorldData]) -> Result<(), DataError> {
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

pub(super) fn tiles(tiles: &TileData) -> Result<(), DataError> {
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

pub(super) fn track(track: &TrackData) -> Result<(), DataError> {
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

pub(super) fn tables(
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
