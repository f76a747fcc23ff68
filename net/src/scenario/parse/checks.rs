//! The lines that state what must hold: who is asked, who sees what, what happened.

use shamans_core::shamans::Card;

use super::{
    super::{
        grammar::{Lexicon, Misses, Value, read, read_front},
        happening::{self, Happening},
        line::*,
        words::Word,
    },
    note, read_state,
};

pub(super) fn read_check(
    words: &[Word],
    lexicon: &Lexicon,
    before: usize,
    misses: &mut Misses,
) -> Option<Check> {
    for &(pattern, form) in SIGHTS {
        match read_front(pattern, words, lexicon) {
            Ok((values, left)) => {
                let used = words.len() - left;
                let rest = words.get(used..).unwrap_or_default();
                return read_sight(form, values, rest, lexicon, before + used, misses);
            }
            Err(miss) => note(misses, miss, before),
        }
    }
    if let Some(state) = read_state(words, lexicon, before, misses) {
        return Some(Check::State(state));
    }
    for &(pattern, form) in CHECKS {
        match read(pattern, words, lexicon) {
            Ok(values) => {
                if let Some(check) = check(form, values) {
                    return Some(check);
                }
            }
            Err(miss) => note(misses, miss, before),
        }
    }
    for &pattern in happening::PATTERNS {
        match read(pattern, words, lexicon) {
            Ok(values) => return Some(Check::Happened(Happening::new(pattern, values))),
            Err(miss) => note(misses, miss, before),
        }
    }
    None
}

fn read_sight(
    form: SightForm,
    values: Vec<Value>,
    rest: &[Word],
    lexicon: &Lexicon,
    before: usize,
    misses: &mut Misses,
) -> Option<Check> {
    let eye = match values.first() {
        Some(Value::Seat(seat)) => Eye::Seat(*seat),
        Some(_) | None => Eye::Spectator,
    };
    let sight = match (form, values.into_iter().next()) {
        (SightForm::SeesThat | SightForm::SpectatorSeesThat, _) => {
            return read_state(rest, lexicon, before, misses).map(|state| Check::Sees(eye, state));
        }
        (SightForm::DoesNotSee | SightForm::SpectatorDoesNotSee, _) => Sight::Not(eye),
        (SightForm::Only, Some(Value::Seats(seats))) => Sight::Only(seats),
        (SightForm::Only | SightForm::Nobody, _) => Sight::Only(Vec::new()),
        (SightForm::Everyone, _) => Sight::Everyone,
    };
    for &(pattern, form) in SECRETS {
        match read(pattern, rest, lexicon) {
            Ok(values) => {
                let Some(&Value::Seat(seat)) = values.first() else {
                    continue;
                };
                let secret = match form {
                    SecretForm::Identity => Secret::Identity(seat),
                    SecretForm::Hand => Secret::Hand(seat),
                    SecretForm::FaceDown => Secret::FaceDown(seat),
                    SecretForm::Gift => Secret::Gift(seat),
                };
                return Some(Check::Sight(sight, secret));
            }
            Err(miss) => note(misses, miss, before),
        }
    }
    None
}

fn check(form: CheckForm, values: Vec<Value>) -> Option<Check> {
    let mut values = values.into_iter();
    let (first, second, third) = (values.next(), values.next(), values.next());
    let seat = match first {
        Some(Value::Seat(seat)) => Some(seat),
        Some(_) | None => None,
    };
    let mut side = None;
    let ask = match form {
        CheckForm::NobodyAsked => return Some(Check::Asked(Vec::new(), Ask::Anything, None)),
        CheckForm::NotAsked => return seat.map(Check::NotAsked),
        CheckForm::MayPortal(yes) => return seat.map(|seat| Check::MayPortal(seat, yes)),
        CheckForm::Gave => {
            return match (seat, second, third) {
                (Some(from), Some(Value::Card(card)), Some(Value::Seat(to))) => {
                    Some(Check::Gave(from, card, to))
                }
                (None | Some(_), ..) => None,
            };
        }
        CheckForm::Asked => Ask::Anything,
        CheckForm::AskedPlay => Ask::Play,
        CheckForm::AskedTake => Ask::Take,
        CheckForm::AskedStabilise => Ask::Stabilise,
        CheckForm::AskedSwap => Ask::Swap,
        CheckForm::AskedStrike => Ask::Strike(None),
        CheckForm::MustStrike => Ask::Strike(Some(true)),
        CheckForm::MayStrike => Ask::Strike(Some(false)),
        CheckForm::AskedOrder => Ask::Order(None),
        CheckForm::AskedOrderOf => match second {
            Some(Value::Worlds(worlds)) => Ask::Order(Some(worlds)),
            Some(_) | None => return None,
        },
        CheckForm::AskedPortal(moment) => Ask::Portal(moment),
        CheckForm::AskedPass => Ask::Pass,
        CheckForm::AskedPassWay => {
            if let Some(Value::Side(way)) = second {
                side = Some(way);
            }
            Ask::Pass
        }
        CheckForm::AskedName => Ask::NameGuide,
    };
    match first {
        Some(Value::Seats(seats)) => Some(Check::Asked(seats, ask, side)),
        Some(_) | None => None,
    }
}

/// The cards that a check names.
pub(in crate::scenario) fn cards_of(check: &Check) -> Vec<Card> {
    match check {
        Check::State(state) | Check::Sees(_, state) => match state {
            State::Holds(_, cards) => cards.clone(),
            State::Laid(world, values) | State::LaidAllBut(world, values) => {
                let cards = values.iter().map(|&value| Card {
                    world: *world,
                    value,
                });
                cards
                    .chain([Card {
                        world: *world,
                        value: 1,
                    }])
                    .collect()
            }
            State::LaidCount(world, _) | State::Destination(Some(world)) => {
                vec![Card {
                    world: *world,
                    value: 1,
                }]
            }
            State::Pawn(_)
            | State::PawnFromMoon(_)
            | State::PawnAtStart
            | State::Is(..)
            | State::HoldsCount(..)
            | State::Has { .. }
            | State::HasCount { .. }
            | State::Points(..)
            | State::Offer(_)
            | State::PileCount(_)
            | State::EclipseToCome(_)
            | State::Destination(None)
            | State::Round(_)
            | State::Over(_) => Vec::new(),
        },
        Check::Gave(_, card, _) => vec![*card],
        Check::Happened(happening) => {
            let mut cards = Vec::new();
            for value in &happening.values {
                match value {
                    Value::Card(card) => cards.push(*card),
                    Value::Cards(all) => cards.extend(all),
                    Value::World(world) => cards.push(Card {
                        world: *world,
                        value: 1,
                    }),
                    Value::Seat(_)
                    | Value::Seats(_)
                    | Value::Number(_)
                    | Value::Worlds(_)
                    | Value::Values(_)
                    | Value::Tile(_)
                    | Value::Tiles(_)
                    | Value::Pile(_)
                    | Value::Names(_)
                    | Value::Traits(_)
                    | Value::Role(_)
                    | Value::Side(_)
                    | Value::Way(_)
                    | Value::Ritual(_) => {}
                }
            }
            cards
        }
        Check::Asked(_, Ask::Order(Some(worlds)), _) => worlds
            .iter()
            .map(|&world| Card { world, value: 1 })
            .collect(),
        Check::Asked(..) | Check::Sight(..) | Check::NotAsked(_) | Check::MayPortal(..) => {
            Vec::new()
        }
    }
}
