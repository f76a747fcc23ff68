//! The same plan gives the same tally; bots change seats fairly; bad plans are refused with a sentence.

use std::num::NonZero;

use super::*;

fn threads(n: usize) -> NonZero<usize> {
    NonZero::new(n).expect("not zero")
}

fn plan(players: u8, phantoms: u8, bots: &[Skill], games: u64, seed: u64) -> Plan {
    Plan::new(&tune::setup(players, phantoms), bots.to_vec(), games, seed).expect("a sound plan")
}

#[test]
fn a_seed_gives_the_same_tally_on_any_number_of_threads() {
    use Skill::{Random, Sensible};
    let bots = [Sensible, Random, Sensible, Random];
    let run = |n, seed| plan(5, 1, &bots, 60, seed).run(threads(n), |_| {}).tally;
    let one = run(1, 9);
    assert_eq!(one, run(4, 9));
    assert_ne!(one, run(1, 10));
    assert_eq!(one.games, 60);
    assert_eq!(one.refused, 0);
    assert_eq!(one.wins.iter().sum::<u64>() + one.phantom_wins, 60);
    assert!(one.rounds >= 60 && one.shadow_round_wins <= one.rounds);
}

#[test]
fn bots_change_seats_from_game_to_game() {
    use Skill::{Random, Sensible};
    let plan = plan(5, 2, &[Sensible, Random, Random], 9, 1);
    for game in 0..9 {
        let mut held: Vec<_> = (0..5).filter_map(|s| plan.holder(game, Seat(s))).collect();
        held.sort_unstable();
        assert_eq!(held, [0, 1, 2], "everyone sits once");
        let first = (0..3).find(|&s| plan.holder(game, Seat(s)) == Some(0));
        assert_eq!(first, Some((game % 3) as u8), "one seat on each game");
    }
    assert_eq!(plan.holder(0, Seat(4)), None, "a phantom's seat");
}

#[test]
fn progress_ends_at_all_games() {
    let last = std::sync::Mutex::new(0);
    plan(3, 0, &[Skill::Random], 40, 1).run(threads(2), |done| {
        *last.lock().expect("not poisoned") = done;
    });
    assert_eq!(*last.lock().expect("not poisoned"), 40);
}

#[test]
fn plans_that_make_no_sense_are_refused() {
    let refused = |players, bots: usize, games| {
        Plan::new(&Setup::new(players), vec![Skill::Random; bots], games, 1)
            .expect_err("refused")
            .to_string()
    };
    assert!(refused(4, 3, 1).contains("name one for all seats, or 4"));
    assert!(refused(3, 1, 0).contains("at least one game"));
    assert!(refused(6, 1, 1).contains("3 to 5 seats"));
}

#[test]
fn sensible_play_beats_random_play() {
    for players in 3..=5u8 {
        let mut bots = vec![Skill::Random; players.into()];
        *bots.first_mut().expect("three at least") = Skill::Sensible;
        let tally = plan(players, 0, &bots, 300, 4)
            .run(threads(2), |_| {})
            .tally;
        let wins = *tally.wins.first().expect("three at least") as f64;
        let times = wins / 300.0 * f64::from(players);
        assert!(times >= 1.6, "{players} players: {times} x fair");
    }
}
