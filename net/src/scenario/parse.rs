//! From text to a scenario: every line is read and understood before anything is run.

use std::sync::LazyLock;

use shamans_core::shamans::Data;

use super::{
    Flaw,
    grammar::{Lexicon, Miss, Misses, Value, is_reserved, read},
    happening,
    line::*,
    position::{self, Start},
    tell::REASONS,
    words::{Word, quoted, words},
};

mod checks;

pub(super) use checks::cards_of;
use checks::read_check;

/// A scenario that can be run.
#[derive(Debug, Clone)]
pub(super) struct Parsed {
    pub lexicon: Lexicon,
    pub start: Start,
    pub seed: u64,
    pub steps: Vec<(usize, Step)>,
    pub rules: Vec<String>,
}

/// Every pattern of the grammar.
pub(super) fn patterns() -> impl Iterator<Item = &'static str> {
    let settings = SETTINGS.iter().map(|(pattern, _)| *pattern);
    let states = STATES.iter().map(|(pattern, _)| *pattern);
    let moves = MOVES.iter().map(|(pattern, _)| *pattern);
    let checks = CHECKS.iter().map(|(pattern, _)| *pattern);
    let sights = SIGHTS.iter().map(|(pattern, _)| *pattern);
    let secrets = SECRETS.iter().map(|(pattern, _)| *pattern);
    let happened = happening::PATTERNS.iter().copied();
    settings
        .chain(states)
        .chain(moves)
        .chain(checks)
        .chain(sights)
        .chain(secrets)
        .chain(happened)
}

pub(super) fn parse(text: &str) -> Result<Parsed, Flaw> {
    // Read once: a folder of scenarios need not parse the same data again and again.
    static SHIPPED: LazyLock<Data> = LazyLock::new(Data::shipped);
    let data: &Data = &SHIPPED;
    let mut lexicon = Lexicon::new(data);
    let mut given = Vec::new();
    let mut steps = Vec::new();
    let mut start = None;
    let mut last = 1;
    for (number, line) in (1..).zip(text.lines()) {
        last = number;
        let words = words(line);
        let Some(first) = words.first() else { continue };
        let is_rule = first.text.len() >= 3 && first.text.bytes().all(|b| b == b'-');
        if is_rule && words.len() == 1 {
            if start.is_some() {
                return Err(Flaw::new(number, "one line --- only", "a second one"));
            }
            start = Some(position::assemble(number, &given, &lexicon, data)?);
        } else if lexicon.names.is_empty() {
            lexicon.names = read_players(number, &words, &lexicon)?;
        } else if let Some(start) = &start {
            steps.push((number, read_step(number, &words, &lexicon, start)?));
        } else {
            given.push((number, read_given(number, &words, &lexicon)?));
        }
    }
    if lexicon.names.is_empty() {
        return Err(Flaw::new(
            last,
            "a line such as Players: Jan, Petr, Radka",
            "no such line",
        ));
    }
    let Some((start, seed)) = start else {
        // What is wrong with the position itself is worth more than that the play is missing.
        position::assemble(last, &given, &lexicon, data)?;
        return Err(Flaw::new(
            last,
            "a line --- after the position",
            "the end of the file",
        ));
    };
    if steps.is_empty() {
        return Err(Flaw::new(
            last,
            "moves and statements after the line ---",
            "the end of the file",
        ));
    }
    Ok(Parsed {
        lexicon,
        start,
        seed,
        steps,
        rules: rule_ids(text),
    })
}

/// The rule ids in the comment at the top.
fn rule_ids(text: &str) -> Vec<String> {
    let comment = text
        .lines()
        .take_while(|line| line.trim_start().starts_with('#'));
    let words =
        comment.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '-'));
    let is_id = |word: &&str| {
        word.split_once('-').is_some_and(|(area, number)| {
            area.len() == 3
                && area.bytes().all(|b| b.is_ascii_uppercase())
                && !number.is_empty()
                && number.bytes().all(|b| b.is_ascii_digit())
        })
    };
    words.filter(is_id).map(str::to_string).collect()
}

fn read_players(number: usize, words: &[Word], lexicon: &Lexicon) -> Result<Vec<String>, Flaw> {
    let expected = "a line such as Players: Jan, Petr, Radka before all others";
    let values = read("players NEWNAMES", words, lexicon).map_err(|_| {
        let found: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        Flaw::new(number, expected, quoted(&found.join(" ")))
    })?;
    let Some(Value::Names(names)) = values.into_iter().next() else {
        return Err(Flaw::new(number, expected, "no names"));
    };
    // SET-1
    if !(3..=5).contains(&names.len()) {
        return Err(Flaw::new(number, "3 to 5 players", names.len().to_string()));
    }
    for (i, name) in names.iter().enumerate() {
        let plain = name.chars().all(char::is_alphanumeric);
        let letter = name.chars().next().is_some_and(char::is_alphabetic);
        if !plain || !letter || name.chars().count() > 24 || is_reserved(name, lexicon, patterns())
        {
            return Err(Flaw::new(
                number,
                "names of at most 24 letters and digits that are no words of the format",
                quoted(name),
            ));
        }
        if names.iter().take(i).any(|other| other == name) {
            return Err(Flaw::new(
                number,
                "names that differ",
                format!("{} twice", quoted(name)),
            ));
        }
    }
    Ok(names)
}

fn read_given(number: usize, words: &[Word], lexicon: &Lexicon) -> Result<Given, Flaw> {
    let mut misses = Misses::default();
    for &(pattern, form) in SETTINGS {
        match read(pattern, words, lexicon) {
            Ok(values) => {
                let mut values = values.into_iter();
                match (form, values.next(), values.next(), values.next()) {
                    (Setting::Players, ..) => {
                        return Err(Flaw::new(
                            number,
                            "one line of players only",
                            "a second one",
                        ));
                    }
                    (Setting::Seed, Some(Value::Number(seed)), ..) => return Ok(Given::Seed(seed)),
                    (Setting::Dealt, ..) => return Ok(Given::Dealt),
                    (Setting::Pile, Some(Value::Pile(items)), ..) => return Ok(Given::Pile(items)),
                    (
                        Setting::HoldsOther,
                        Some(Value::Seat(seat)),
                        Some(Value::Number(count)),
                        _,
                    ) => {
                        return Ok(Given::HoldsOther(seat, Vec::new(), count));
                    }
                    (
                        Setting::HoldsPlus,
                        Some(Value::Seat(seat)),
                        Some(Value::Cards(cards)),
                        Some(Value::Number(count)),
                    ) => return Ok(Given::HoldsOther(seat, cards, count)),
                    (
                        Setting::Seed | Setting::Pile | Setting::HoldsOther | Setting::HoldsPlus,
                        ..,
                    ) => {}
                }
            }
            Err(miss) => misses.add(miss),
        }
    }
    if let Some(state) = read_state(words, lexicon, 0, &mut misses) {
        return Ok(Given::State(state));
    }
    let (expected, found) =
        misses.sentence(words, lexicon, "a line of the position, or --- to end it");
    Err(Flaw::new(number, expected, found))
}

/// Adds what several patterns missed, `before` words into the line.
fn note(misses: &mut Misses, miss: Miss, before: usize) {
    misses.add(Miss {
        at: miss.at + before,
        ..miss
    });
}

fn read_state(
    words: &[Word],
    lexicon: &Lexicon,
    before: usize,
    misses: &mut Misses,
) -> Option<State> {
    for &(pattern, form) in STATES {
        match read(pattern, words, lexicon) {
            Ok(values) => {
                if let Some(state) = state(form, values) {
                    return Some(state);
                }
            }
            Err(miss) => note(misses, miss, before),
        }
    }
    None
}

fn state(form: StateForm, values: Vec<Value>) -> Option<State> {
    use Value::{Number, Seat};
    let mut values = values.into_iter();
    Some(match (form, values.next(), values.next()) {
        (StateForm::PawnOn, Some(Number(n)), _) => State::Pawn(n),
        (StateForm::PawnFromMoon, Some(Number(n)), _) => State::PawnFromMoon(n),
        (StateForm::PawnAtStart, ..) => State::PawnAtStart,
        (StateForm::LieNothing, Some(Value::World(world)), _) => State::Laid(world, Vec::new()),
        (StateForm::Lie, Some(Value::World(world)), Some(Value::Values(all))) => {
            State::Laid(world, all)
        }
        (StateForm::LieAll, Some(Value::World(world)), _) => State::LaidAllBut(world, Vec::new()),
        (StateForm::LieAllBut, Some(Value::World(world)), Some(Value::Values(all))) => {
            State::LaidAllBut(world, all)
        }
        (StateForm::LieCount, Some(Value::World(world)), Some(Number(n))) => {
            State::LaidCount(world, n)
        }
        (StateForm::Is, Some(Seat(seat)), Some(Value::Traits(all))) => State::Is(seat, all),
        (StateForm::HoldsNothing, Some(Seat(seat)), _) => State::Holds(seat, Vec::new()),
        (StateForm::Holds, Some(Seat(seat)), Some(Value::Cards(cards))) => {
            State::Holds(seat, cards)
        }
        (StateForm::HoldsCount, Some(Seat(seat)), Some(Number(n))) => State::HoldsCount(seat, n),
        (StateForm::Has(up), Some(Seat(seat)), Some(Value::Tiles(tiles))) => {
            State::Has { seat, up, tiles }
        }
        (StateForm::HasNothing(up), Some(Seat(seat)), _) => State::Has {
            seat,
            up,
            tiles: Vec::new(),
        },
        (StateForm::HasCount(up), Some(Seat(seat)), Some(Number(count))) => {
            State::HasCount { seat, up, count }
        }
        (StateForm::Points, Some(Seat(seat)), Some(Number(n))) => State::Points(seat, n),
        (StateForm::FaceUp, Some(Value::Tiles(tiles)), _) => State::Offer(tiles),
        (StateForm::FaceUpNothing, ..) => State::Offer(Vec::new()),
        (StateForm::PileCount, Some(Number(n)), _) => State::PileCount(n),
        (StateForm::PileEmpty, ..) => State::PileCount(0),
        (StateForm::EclipseToCome(yes), ..) => State::EclipseToCome(yes),
        (StateForm::Destination, Some(Value::World(world)), _) => State::Destination(Some(world)),
        (StateForm::NoDestination, ..) => State::Destination(None),
        (StateForm::Round, Some(Number(n)), _) => State::Round(n),
        (StateForm::Over(yes), ..) => State::Over(yes),
        (
            StateForm::PawnOn
            | StateForm::PawnFromMoon
            | StateForm::LieNothing
            | StateForm::Lie
            | StateForm::LieAll
            | StateForm::LieAllBut
            | StateForm::LieCount
            | StateForm::Is
            | StateForm::HoldsNothing
            | StateForm::Holds
            | StateForm::HoldsCount
            | StateForm::Has(_)
            | StateForm::HasNothing(_)
            | StateForm::HasCount(_)
            | StateForm::Points
            | StateForm::FaceUp
            | StateForm::PileCount
            | StateForm::Destination
            | StateForm::Round,
            ..,
        ) => return None,
    })
}

fn read_step(
    number: usize,
    words: &[Word],
    lexicon: &Lexicon,
    start: &(Start, u64),
) -> Result<Step, Flaw> {
    let flaw = |(expected, found): (String, String)| Flaw::new(number, expected, found);
    let mut misses = Misses::default();
    let head = words.first().map(|word| word.low.as_str());
    if head == Some("refused") {
        return read_refused(number, words, lexicon);
    }
    let negated = head == Some("not");
    let before = usize::from(negated);
    let rest = words.get(before..).unwrap_or_default();
    if !negated && let Some(deed) = read_move(rest, lexicon, 0, &mut misses) {
        return Ok(Step::Move(deed));
    }
    match read_check(rest, lexicon, before, &mut misses) {
        Some(check) => {
            position::check_at_table(number, &check, lexicon, &start.0)?;
            Ok(if negated {
                Step::HoldsNot(check)
            } else {
                Step::Holds(check)
            })
        }
        None => Err(flaw(misses.sentence(
            words,
            lexicon,
            "a move, a statement, or Refused:, or Not:",
        ))),
    }
}

fn read_refused(number: usize, words: &[Word], lexicon: &Lexicon) -> Result<Step, Flaw> {
    let open = words.iter().position(|word| word.low == "(");
    let closed = words.last().is_some_and(|word| word.low == ")");
    let (Some(open), true) = (open, closed) else {
        return Err(Flaw::new(
            number,
            "the reason in brackets at the end, such as (not their turn)",
            "none",
        ));
    };
    let given = words.get(open + 1..words.len() - 1).unwrap_or_default();
    let given: Vec<&str> = given.iter().map(|word| word.low.as_str()).collect();
    let given = given.join(" ");
    let Some(reason) = REASONS.iter().find(|reason| **reason == given) else {
        return Err(Flaw::new(
            number,
            format!("one of the reasons: {}", REASONS.join("; ")),
            quoted(&given),
        ));
    };
    let mut misses = Misses::default();
    let refused = words.get(1..open).unwrap_or_default();
    match read_move(refused, lexicon, 1, &mut misses) {
        Some(refused) => Ok(Step::Refused(refused, reason)),
        None => {
            let upto = words.get(..open).unwrap_or_default();
            let (expected, found) = misses.sentence(upto, lexicon, "a move after Refused:");
            Err(Flaw::new(number, expected, found))
        }
    }
}

fn read_move(
    words: &[Word],
    lexicon: &Lexicon,
    before: usize,
    misses: &mut Misses,
) -> Option<Move> {
    for &(pattern, form) in MOVES {
        match read(pattern, words, lexicon) {
            Ok(values) => {
                if let Some(found) = a_move(form, values) {
                    return Some(found);
                }
            }
            Err(miss) => note(misses, miss, before),
        }
    }
    None
}

fn a_move(form: MoveForm, values: Vec<Value>) -> Option<Move> {
    use Value::Seat;
    let mut values = values.into_iter();
    let first = values.next();
    let by = match first {
        Some(Seat(seat)) => Some(seat),
        Some(_) | None => None,
    };
    let deed = match (form, values.next(), values.next()) {
        (MoveForm::Void, ..) => return Some(Move::Void),
        (MoveForm::Close, ..) => return Some(Move::Close),
        (MoveForm::EveryoneDeclines, ..) => return Some(Move::EveryoneDeclines),
        (MoveForm::GoesAway, ..) => return by.map(Move::GoesAway),
        (MoveForm::ComesBack, ..) => return by.map(Move::ComesBack),
        (MoveForm::Play, Some(Value::Card(card)), _) => Deed::Play(Some(card)),
        (MoveForm::PlayAny, ..) => Deed::Play(None),
        (MoveForm::TakePile, ..) => Deed::TakePile,
        (MoveForm::TakeInstead, ..) => Deed::TakeInstead,
        (MoveForm::Take, Some(Value::Tile(tile)), _) => Deed::Take(tile),
        (MoveForm::MoveBack, ..) => Deed::MoveBack,
        (MoveForm::Swap, Some(Seat(with)), _) => Deed::Swap(with),
        (MoveForm::Strike(up), Some(Seat(target)), Some(Value::Tile(tile))) => {
            Deed::Strike { target, tile, up }
        }
        (MoveForm::Decline, ..) => Deed::Decline,
        (MoveForm::Portal(up), Some(Value::Tile(tile)), Some(Value::Way(way))) => {
            Deed::Portal { tile, way, up }
        }
        (MoveForm::Give, Some(Value::Card(card)), _) => Deed::Give(Some(card)),
        (MoveForm::GiveAny, ..) => Deed::Give(None),
        (MoveForm::Perform, Some(Value::World(world)), _) => Deed::Perform(world),
        (MoveForm::NameGuide, Some(Seat(seat)), _) => Deed::NameGuide(seat),
        (
            MoveForm::Play
            | MoveForm::Take
            | MoveForm::Swap
            | MoveForm::Strike(_)
            | MoveForm::Portal(_)
            | MoveForm::Give
            | MoveForm::Perform
            | MoveForm::NameGuide,
            ..,
        ) => return None,
    };
    by.map(|seat| Move::Act(seat, deed))
}
