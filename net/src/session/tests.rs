//! Whole games over loopback sockets.

use crate::demo::{DemoConfig, DemoError, play};
use shamans_core::bot::Skill;

fn config(players: u8, phantoms: u8, seed: u64) -> DemoConfig {
    DemoConfig {
        players,
        phantoms,
        seed,
        skill: Skill::Random,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_peers_play_one_game_and_have_one_record() {
    let outcome = play(config(3, 0, 11), |_| {}).await.expect("they play");
    assert_eq!(outcome.records.len(), 3);
    assert!(
        outcome
            .records
            .windows(2)
            .all(|pair| pair.first() == pair.last())
    );
    assert!(outcome.steps > 50, "{}", outcome.steps);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_and_a_phantom_play() {
    let outcome = play(config(2, 1, 12), |_| {}).await.expect("they play");
    assert!(
        outcome
            .records
            .windows(2)
            .all(|pair| pair.first() == pair.last())
    );
}

#[tokio::test]
async fn no_game_without_enough_seats() {
    for (players, phantoms) in [(2, 0), (6, 0), (0, 3), (200, 100)] {
        let result = play(config(players, phantoms, 1), |_| {}).await;
        assert!(matches!(result, Err(DemoError::Seats)));
    }
}
