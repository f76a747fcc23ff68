//! Whole games of Shamans on sealed decks between seats in one process: the same cards on the clear-text dealer give the same
//! game, step by step, and every seat knows the same.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shamans_core::deal::{DealContext, SeatVerdict};
use shamans_core::game::{Awaits, DeckOutcome, DeckRequest, Face, Game, Known, Seat, SeatSet};
use shamans_core::shamans::{Action, Setup, Shamans};
use shamans_tests::sealed::{Mirror, SealedTable};

/// One input, and after an answer of the decks what each person knows.
enum Input {
    Act(Seat, Action),
    Decks(DeckOutcome, Vec<(Seat, Known)>),
    Away(Seat),
    Back(Seat),
}

struct Played {
    end: Shamans,
    inputs: Vec<Input>,
    /// The faces of each deal.
    deals: Vec<Vec<Option<Face>>>,
    absences: usize,
}

/// Plays a game on sealed decks with random legal moves, at most `rounds` rounds.
fn play(setup: &Setup, seed: u64, rounds: u32, absences: bool) -> Played {
    let mut game = Shamans::new(setup).expect("a sound set-up");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut table: Option<SealedTable> = None;
    let mut played = Played {
        end: game.clone(),
        inputs: Vec::new(),
        deals: Vec::new(),
        absences: 0,
    };
    let everyone = SeatSet::first(game.seats());
    let mut away: Option<Seat> = None;
    for step in 0.. {
        match game.awaits() {
            Awaits::Nothing => break,
            Awaits::Decks(request) => {
                let request = request.clone();
                if let DeckRequest::Shuffle { sealed, .. } = &request {
                    let number = played.deals.len() as u32;
                    if number == rounds {
                        break;
                    }
                    table = Some(SealedTable::new(DealContext {
                        table: [seed as u8; 32],
                        number,
                        seats: game.seats() as u8,
                        people: everyone.minus(*sealed),
                        game: Shamans::NAME.into(),
                    }));
                }
                let table = table.as_mut().expect("a shuffle comes first");
                let outcome = table.ask(&request);
                if let DeckOutcome::Revealed(faces) = &outcome {
                    let verdict = table.spectator().audit().expect("revealed");
                    assert!(verdict.is_fair());
                    for (seat, verdict) in &verdict.seats {
                        let missing = table.context.people.contains(*seat) && away == Some(*seat);
                        assert_eq!(*verdict == SeatVerdict::ProofsOnly, missing);
                    }
                    played.deals.push(faces.clone());
                }
                let known = table
                    .peers
                    .iter()
                    .filter_map(|(seat, deal)| Some(((*seat)?, deal.known().clone())))
                    .collect();
                played.inputs.push(Input::Decks(outcome.clone(), known));
                game.supply(outcome).expect("an answer of the right kind");
            }
            Awaits::Seats(seats) => {
                let table = table.as_mut().expect("cards are dealt before anyone acts");
                if absences && step % 11 == 5 {
                    match away {
                        None => {
                            let seat = Seat(rng.random_range(0..game.seats() as u8));
                            let mut tried = game.clone();
                            if tried.stand_in(seat).is_ok() && table.away(seat) {
                                (game, away) = (tried, Some(seat));
                                played.inputs.push(Input::Away(seat));
                                played.absences += 1;
                            }
                        }
                        Some(seat) => {
                            let mut tried = game.clone();
                            if tried.take_back(seat).is_ok() && table.back(seat) {
                                (game, away) = (tried, None);
                                played.inputs.push(Input::Back(seat));
                            }
                        }
                    }
                    continue;
                }
                let seats: Vec<Seat> = seats.iter().collect();
                let seat = seats[rng.random_range(0..seats.len())];
                let actions = game.legal(seat, table.peer(seat).known());
                let action = actions[rng.random_range(0..actions.len())];
                for claim in game.claims(seat, &action) {
                    assert_eq!(
                        table.claim(seat, claim.slot),
                        claim,
                        "what a seat knows is what it can prove"
                    );
                }
                played.inputs.push(Input::Act(seat, action));
                game.apply(seat, action).expect("a legal action");
            }
        }
    }
    played.end = game;
    played
}

/// The same inputs with the same cards in clear text.
fn compare(setup: &Setup, played: &Played) {
    let mut game = Shamans::new(setup).expect("a sound set-up");
    let mut deals = played.deals.iter();
    let mut mirror: Option<Mirror> = None;
    for input in &played.inputs {
        match input {
            Input::Act(seat, action) => {
                let mirror = mirror.as_ref().expect("cards are dealt");
                mirror
                    .dealer
                    .check(&game.claims(*seat, action))
                    .expect("a true claim");
                let legal = game.legal(*seat, mirror.dealer.known(*seat));
                assert!(legal.contains(action));
                game.apply(*seat, *action).expect("a legal action");
            }
            Input::Decks(outcome, known) => {
                let Awaits::Decks(request) = game.awaits() else {
                    panic!("the decks are asked")
                };
                if let DeckRequest::Shuffle { .. } = request {
                    let faces = deals.next().expect("one for each deal").clone();
                    mirror = Some(Mirror::new(game.seats(), faces));
                }
                let mirror = mirror.as_mut().expect("cards are dealt");
                assert_eq!(mirror.answer(request), *outcome);
                for (seat, known) in known {
                    assert_eq!(mirror.dealer.known(*seat), known);
                }
                game.supply(outcome.clone())
                    .expect("an answer of the right kind");
            }
            Input::Away(seat) => {
                game.stand_in(*seat).expect("taken once, taken again");
            }
            Input::Back(seat) => {
                game.take_back(*seat).expect("taken once, taken again");
            }
        }
    }
    assert_eq!(game, played.end);
}

#[test]
fn a_whole_game_of_three() {
    let setup = Setup::new(3);
    let played = play(&setup, 1, 100, false);
    assert_eq!(played.end.awaits(), Awaits::Nothing, "played to the end");
    compare(&setup, &played);
}

#[test]
fn a_round_of_five() {
    let setup = Setup::new(5);
    compare(&setup, &play(&setup, 2, 1, false));
}

#[test]
fn rounds_with_phantoms() {
    for (players, phantoms) in [(3, [1, 2].as_slice()), (4, &[3])] {
        let phantoms = phantoms.iter().map(|&seat| Seat(seat)).collect();
        let setup = Setup::new(players).with_phantoms(phantoms);
        compare(&setup, &play(&setup, 3, 2, false));
    }
}

#[test]
fn rounds_in_which_players_go_and_come_back() {
    let setup = Setup::new(4);
    let played = play(&setup, 4, 3, true);
    assert!(played.absences > 1, "{}", played.absences);
    compare(&setup, &played);
}
