//! What core and the links say, in the reader's language. They are wordless themselves: why something is refused is an English
//! sentence for developers. Those that people meet too are listed here and looked up, with whatever stands in their places.

use crate::words::{fill, mark};

/// A sentence of an error as the reader reads it; an unknown one stays as it is.
pub fn spoken(text: &str) -> String {
    let found = SENTENCES
        .iter()
        .find_map(|sentence| Some((sentence, places(sentence, text)?)));
    let Some((sentence, places)) = found else {
        return text.to_owned();
    };
    // What stands in a place may be a sentence of its own.
    let said: Vec<(&str, String)> = places
        .into_iter()
        .map(|(name, value)| match value.parse::<u8>() {
            // Core counts seats from 0, people from 1.
            Ok(seat) if name == "seat" => (name, (u16::from(seat) + 1).to_string()),
            Ok(_) | Err(_) => (name, spoken(value)),
        })
        .collect();
    let said: Vec<(&str, &str)> = said
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    fill(sentence, &said)
}

/// What stands in the `{places}` of a sentence, if the text is that sentence.
fn places<'a>(sentence: &'static str, text: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
    let (mut sentence, mut text) = (sentence, text);
    let mut found = Vec::new();
    while let Some((before, after)) = sentence.split_once('{') {
        text = text.strip_prefix(before)?;
        let (name, rest) = after.split_once('}')?;
        let upto = rest.split('{').next().unwrap_or_default();
        let value = if upto.len() == rest.len() {
            text.strip_suffix(rest)?
        } else {
            text.split_once(upto)?.0
        };
        if value.is_empty() {
            return None;
        }
        found.push((name, value));
        text = text.strip_prefix(value)?;
        sentence = rest;
    }
    (sentence == text).then_some(found)
}

/// Every sentence; of two that fit the first counts.
const SENTENCES: &[&str] = &[
    // Whose, and where.
    mark("seat {seat}, step {step}, slot {slot}: {why}"),
    mark("seat {seat}, step {step}: {why}"),
    mark("seat {seat}: {why}"),
    mark("step {step}: the signature of seat {seat} is missing"),
    mark("step {step} is not put together as it must be"),
    mark("step {step} does not follow here"),
    mark("seat {seat} was not asked"),
    mark("the entry cannot be read"),
    mark("this is not to be said now"),
    // Signatures.
    mark("the signature does not fit"),
    mark("nobody signs for this seat"),
    mark("these bytes are no public key"),
    mark("the entry is larger than {n} bytes"),
    // The deal.
    mark("the message is not of the expected form"),
    mark("the seat has no part in this step"),
    mark("a point or scalar is not in its canonical form"),
    mark("a key is the identity"),
    mark("the proof of possession does not hold"),
    mark("the shares do not add up to the key"),
    mark("the share for seat {seat} is wrong"),
    mark("the complaint about seat {seat} is false"),
    mark("the shuffle is not proved"),
    mark("the key switch or share is not proved"),
    mark("the seat does not hold the slot"),
    mark("the deck has no such face"),
    mark("the slot is not proved to show what was claimed"),
    mark("the revealed seed is not the committed one"),
    mark("a key does not come from the seed"),
    mark("the share for seat {seat} does not come from the seed"),
    mark("a slot of deck {deck} was not mixed as the seed says"),
    mark("a key switch or share does not come from the seed"),
    mark("slot {slot} does not show what was claimed"),
    // The deal used wrongly: our own bug, or a game that asks for what cannot be.
    mark("the deal's context does not fit the table"),
    mark("a request is already open"),
    mark("no request is open"),
    mark("the request does not fit the state of the deal"),
    mark("the decks cannot be laid out"),
    mark("the sealed seats are not those of the context"),
    mark("slot {slot} is not of this deal or is named twice"),
    mark("slot {slot} is not of this deal"),
    mark("slot {slot} is not ours to open"),
    mark("slot {slot} shows no face of its deck"),
    mark("seat {seat} is not of this table"),
    mark("seat {seat} has no key in this deal"),
    mark("the hand of seat {seat} cannot be mixed"),
    mark("this peer has no part in the open step"),
    mark("the messages are not those of the awaited seats"),
    mark("nobody can stand in for seat {seat}"),
    mark("the deal is not revealed"),
    // Proofs and records.
    mark("the two do not contradict each other"),
    mark("the entry is in order"),
    mark("the record does not hold the history of this entry"),
    mark("the record does not verify"),
    mark("this is not a record of a game"),
    mark("the record has version {version}, this program knows {known}"),
    mark("the record was made by another version: protocol {version}, this program speaks {known}"),
    mark("the record is damaged or cut off: its checksum does not fit"),
    mark("the record is not in its canonical form"),
    mark("the record cannot be read: {why}"),
    mark("the data is larger than {n} bytes"),
    mark("the data is damaged or cut off"),
    mark("the data is not in its canonical form"),
    // Sitting down.
    mark("protocol version {version}, this program speaks {known}"),
    mark("this is a table of another game: {name}"),
    mark("the game's set-up is refused: {why}"),
    mark("the seats are refused: {why}"),
    mark("seat {seat} has not signed"),
    mark("not as many as the game has"),
    mark("the game's phantoms are not the seats that nobody holds"),
    mark("too large"),
    mark("one to five seats"),
    mark("a key that is none"),
    mark("one key at two seats"),
    mark("a name that is too long or not plain"),
    mark("a bot that nobody runs"),
    mark("nobody sits there"),
    mark("not one lot for each person"),
    mark("not one signature for each person"),
    mark("a stranger speaks"),
    mark("not a message of this protocol"),
    mark("it is about another proposal"),
    mark("the lot is not the one committed to"),
    mark("it was said before, differently"),
    mark("the signature is not under this table"),
    // The rules.
    mark(
        "this set-up makes no game: it takes 3 to 5 seats, at least one of them a person's, and sound data",
    ),
    mark("there is no seat {seat}"),
    mark("the game is over"),
    mark("the cards are on their way: nobody can act until they have arrived"),
    mark("it is not this seat's turn"),
    mark("this seat has something else to decide now"),
    mark("nobody holds this seat: a phantom plays it"),
    mark("this card is not in the hand"),
    mark("there is no such card"),
    mark("there is no tile to take there"),
    mark("this tile does not lie in front of the seat"),
    mark("this tile is not a Ritual Dagger"),
    mark("this tile is not a Portal"),
    mark("a face-up Ritual Dagger must be used"),
    mark("a player cannot choose themselves"),
    mark("an eliminated player is out until the round ends"),
    mark("the pawn is on the first space and cannot go back"),
    mark("this world's ritual is not to be performed now"),
    mark("this is no answer to what the game asked of the decks"),
    mark("this seat is not away, or is away already"),
    mark("there is no seat to act from"),
    mark("the step is being settled"),
    mark("the move has already been made"),
    mark("the card cannot be shown"),
    mark("there is no such bot; the bots are easy, sensible and strong, and random for tests"),
    // Positions.
    mark("a position needs one entry for each seat and a Guide among them"),
    mark("the identities do not add up: this table has {shamans} Shamans and {shadows} Shadows"),
    mark("there is no card {card} at this table"),
    mark("the card {card} lies in two places"),
    mark("a hand has too many cards"),
    mark("the pawn must stand on a space from 0 to {last}, before the Moon"),
    mark("there are not so many tiles of this kind: {tile}"),
    mark("too many tiles: {up} can lie face up, {pile} in the pile, {all} in all"),
    mark("the Eclipse must show after 1 to {n} draws"),
    mark(
        "the eliminated players do not fit: their identities are shown, one Shadow at least is in play, and somebody holds a card",
    ),
    // A designer's data.
    mark("data/{file}: {key}: expected {expected}, found {found}"),
    mark("at most seven worlds"),
    mark("a name and a colour that no other world has"),
    mark("worlds sorted by from_players"),
    mark("a world with every ritual at three players"),
    mark("none with {name}"),
    mark("4 to 12 tiles, two of them no masks, one or two face up"),
    mark("{all} with {keepsakes} that are no masks, {up} face up"),
    mark("numbers within their ranges, here {least} to {most}"),
    mark("tables for 3, 4 and 5 players, in this order"),
    mark("Shamans and one or two Shadows, {n} in all"),
    mark("2 to {values} values, 1 to {cards} cards in a hand"),
    mark("a hand size that deals nearly all of the {cards} cards to {n} players"),
    mark("{n} numbers from 1 to {most}, for none to {phantoms} phantoms"),
    mark("at most {n} bytes"),
    mark("well-formed TOML"),
    mark("a whole number from {least} to {most}"),
    mark("a word of 1 to 24 small letters in quotes"),
    mark("a section {name}"),
    mark("sections {name}"),
    mark("only the keys {keys}"),
    mark("nothing"),
    mark("this one"),
    mark("a date"),
    mark("a list"),
    mark("a section"),
    mark("the file"),
    // Connections.
    mark("nothing was heard for {n} s"),
    mark("the connection was closed"),
    mark("a message was larger than allowed"),
    mark("it takes messages too slowly"),
    mark("it did not say who it is"),
    mark("a newer connection took its place"),
    mark("it was closed here"),
    mark("this peer has enough connections"),
    mark("too many connections with strangers"),
    mark("too many connections from one address"),
    mark("too many connections are being made at once"),
    mark("{name} is not connected"),
    // Last: these begin with anything.
    mark("{n} bytes too many follow the data"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{Language, in_language};

    #[test]
    fn sentences_stand_in_each_other() {
        let english = "seat 2, step Mix, slot 17: the share for seat 3 is wrong";
        in_language(Language::English, || {
            assert_eq!(
                spoken(english),
                "seat 3, step Mix, slot 17: the share for seat 4 is wrong",
                "people count from 1"
            )
        });
        in_language(Language::German, || {
            assert_eq!(
                spoken(english),
                "Platz 3, Schritt Mix, Kartenplatz 17: der Anteil für Platz 4 ist falsch"
            );
            assert_eq!(spoken("kernel: it burns"), "kernel: it burns");
        });
    }

    #[test]
    fn places_are_found_from_the_front() {
        let sentence = "data/{file}: {key}: expected {expected}, found {found}";
        assert_eq!(
            places(sentence, "data/a.toml: b: expected c, or d, found e"),
            Some(vec![
                ("file", "a.toml"),
                ("key", "b"),
                ("expected", "c, or d"),
                ("found", "e")
            ])
        );
        assert_eq!(places("a section {name}", "a section "), None);
        assert_eq!(places("at most {n} bytes", "at most 3 byte"), None);
    }
}
