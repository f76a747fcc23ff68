//! A whole game among peers over loopback sockets, measured: links, signatures and decks together.

use serde::Serialize;
use shamans_core::bot::Skill;
use shamans_net::demo::{self, DemoConfig, DemoError};
use shamans_net::words::fill;

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
    #[error("{}", fill("the program cannot start its threads: {error}", &[("error", &.0.to_string())]))]
    Threads(std::io::Error),
    /// No game.
    #[error(transparent)]
    Demo(#[from] DemoError),
}

/// Whole games that are played for the moves.
const GAMES: u64 = 3;

/// Deals that are measured, each beside a deal without sockets: the speed of a machine wanders, and what is compared must not be
/// minutes apart.
const DEALS: u64 = 9;

/// Plays and looks at the clock; medians over all games. `beside` is done before each deal.
pub fn whole_games<E>(
    players: u8,
    mut beside: impl FnMut() -> Result<(), E>,
) -> Result<NetFigures, E>
where
    E: From<NetError>,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(NetError::Threads)?;
    let config = |seed| DemoConfig {
        players,
        phantoms: 0,
        seed,
        skill: Skill::Random,
        operator: None,
    };
    let (mut ready_to_hand, mut settle, mut net_steps) = (Vec::new(), Vec::new(), 0);
    for seed in 1..=DEALS {
        beside()?;
        let took = runtime.block_on(demo::deal(config(seed)));
        ready_to_hand.push(took.map_err(NetError::Demo)?);
    }
    for seed in 1..=GAMES {
        let outcome = runtime.block_on(demo::play(config(seed), |_| {}));
        let outcome = outcome.map_err(NetError::Demo)?;
        settle.extend(outcome.settle_ms);
        net_steps += outcome.steps;
    }
    Ok(NetFigures {
        ready_to_hand_ms: super::median(ready_to_hand),
        settle_ms: super::median(settle),
        net_steps,
    })
}
