//! A whole game among peers over loopback sockets, measured: links, signatures and decks together.

use serde::Serialize;
use shamans_core::bot::Skill;
use shamans_net::demo::{self, DemoConfig, DemoError};

/// What it took.
#[derive(Serialize)]
pub struct NetFigures {
    /// From "all are ready" to "every peer has its cards", all peers in this one process.
    pub ready_to_hand_ms: f64,
    /// From a player's wish to its being settled on all peers, the median.
    pub settle_ms: f64,
    /// Steps of all games.
    pub net_steps: u64,
}

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// No threads.
    #[error("the program cannot start its threads: {0}")]
    Threads(std::io::Error),
    /// No game.
    #[error(transparent)]
    Demo(#[from] DemoError),
}

/// Whole games that are played: "all are ready" comes once in each.
const GAMES: u64 = 3;

/// Plays and looks at the clock; medians over all games.
pub fn whole_games(players: u8) -> Result<NetFigures, NetError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(NetError::Threads)?;
    let (mut ready_to_hand, mut settle, mut net_steps) = (Vec::new(), Vec::new(), 0);
    for seed in 1..=GAMES {
        let config = DemoConfig {
            players,
            phantoms: 0,
            seed,
            skill: Skill::Random,
            operator: None,
        };
        let outcome = runtime.block_on(demo::play(config, |_| {}))?;
        ready_to_hand.push(outcome.ready_to_hand_ms);
        settle.extend(outcome.settle_ms);
        net_steps += outcome.steps;
    }
    Ok(NetFigures {
        ready_to_hand_ms: super::median(ready_to_hand),
        settle_ms: super::median(settle),
        net_steps,
    })
}
