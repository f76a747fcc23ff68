//! Looks for the number of steps to the Moon at which the Shadows win the wanted share of rounds (SET-1, PHA-3).
//!
//! More steps mean fewer wins of the Shadows, so it halves the range until one number is left. Every measurement plays whole
//! games of sensible bots on the people's seats.

use std::num::NonZero;

use shamans_core::{
    bot::Skill,
    game::{Seat, SeatSet},
    shamans::Setup,
};

use super::{Plan, PlanError, Share};

/// The Shadows' share of rounds to aim at: there 3 VP and 2 VP pay about the same.
pub const AIM: f64 = 0.4;

/// One table size and number of phantoms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// Seats.
    pub players: u8,
    /// Phantoms among them.
    pub phantoms: u8,
    /// The number of steps that comes nearest.
    pub steps: u8,
    /// Rounds played with it.
    pub rounds: u64,
    /// The Shadows' share of them.
    pub shadows: Share,
}

/// A table of `players` with phantoms on its last seats.
pub fn setup(players: u8, phantoms: u8) -> Setup {
    let people = usize::from(players.saturating_sub(phantoms));
    let phantoms: SeatSet = (people..usize::from(players))
        .map(|i| Seat(i as u8))
        .collect();
    Setup::new(players).with_phantoms(phantoms)
}

/// Finds the steps for one cell.
pub fn cell(
    players: u8,
    phantoms: u8,
    skill: Skill,
    games: u64,
    seed: u64,
    threads: NonZero<usize>,
) -> Result<Cell, PlanError> {
    let measure = |steps: u8| -> Result<Cell, PlanError> {
        let mut setup = setup(players, phantoms);
        for table in setup
            .data
            .tables
            .iter_mut()
            .filter(|t| t.players == players)
        {
            table.steps.fill(steps);
        }
        let tally = Plan::new(&setup, vec![skill], games, seed)?
            .run(threads, |_| {})
            .tally;
        Ok(Cell {
            players,
            phantoms,
            steps,
            rounds: tally.rounds,
            shadows: Share::of(tally.shadow_round_wins, tally.rounds),
        })
    };
    let moon = setup(players, phantoms).data.track.moon;
    let (mut few, mut many) = (1, moon);
    let mut best = measure(moon)?;
    while few < many {
        let middle = few + (many - few) / 2;
        let found = measure(middle)?;
        if (found.shadows.share - AIM).abs() < (best.shadows.share - AIM).abs() {
            best = found;
        }
        if found.shadows.share > AIM {
            few = middle + 1;
        } else {
            many = middle;
        }
    }
    Ok(best)
}
