//! What the table costs beside the deal: a whole game between peers in one thread, messages handed over at once.

use std::collections::VecDeque;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use serde::Serialize;
use shamans_core::codec;
use shamans_core::game::{Game, Seat};
use shamans_core::log::Identity;
use shamans_core::record::{Finding, Record, verify};
use shamans_core::shamans::{Setup, Shamans};
use shamans_core::table::{
    Genesis, Holder, Options, Output, PROTOCOL, Proposal, SignedGenesis, Table, Waits,
};

use super::{BenchError, median, timed};

/// Figures of one whole game.
#[derive(Serialize)]
pub(super) struct TableFigures {
    /// One peer's CPU for one settled step with a move in it: every signature, the move, the proof of its card if it shows one. The median.
    pub step_ms: f64,
    /// Settled steps of the game.
    pub steps: u64,
    /// The game's record.
    pub record_bytes: usize,
    /// Checking it, on one core.
    pub record_verify_ms: f64,
    /// The most memory this process has had, with all peers of the game in it; none where the system does not tell.
    pub memory_mb: Option<f64>,
}

fn sit_down(players: u8) -> Result<(SignedGenesis, Vec<Identity>), BenchError> {
    let people: Vec<Identity> = (1..=players)
        .map(|i| Identity::from_secret(&[i; 32]))
        .collect();
    let holders = people.iter().map(|identity| Holder::Person {
        key: identity.public(),
        name: "P".to_owned(),
    });
    let genesis = Genesis {
        proposal: Proposal {
            protocol: PROTOCOL,
            game: Shamans::NAME.to_owned(),
            setup: codec::encode(&Setup::new(players)),
            options: Options::default(),
            holders: holders.collect(),
            previous: None,
        },
        lots: (0..players).map(|i| [i; 32]).collect(),
    };
    let signed = genesis.signed();
    let signatures = people
        .iter()
        .map(|identity| identity.sign(&signed))
        .collect();
    Ok((
        SignedGenesis {
            genesis,
            signatures,
        },
        people,
    ))
}

/// Plays a game with any legal moves and measures the first peer.
pub(super) fn whole_game(players: u8) -> Result<TableFigures, BenchError> {
    let (genesis, people) = sit_down(players)?;
    let mut tables = Vec::new();
    for identity in people {
        let table = Table::<Shamans>::new(genesis.clone(), Some(identity), 0);
        tables.push(table.map_err(|_| BenchError::Unexpected)?);
    }
    let mut rng = ChaCha20Rng::seed_from_u64(u64::from(players));
    let mut mail: VecDeque<(usize, Seat, Vec<u8>)> = VecDeque::new();
    let mut step_ms = Vec::new();
    let mut spent = 0.0;
    loop {
        for at in 0..tables.len() {
            let in_game = tables
                .first()
                .is_some_and(|table| matches!(table.replica().waits(), Waits::Game { .. }));
            let Some(table) = tables.get_mut(at) else {
                continue;
            };
            let from = Seat(at as u8);
            while let Some(output) = table.poll() {
                match output {
                    Output::Broadcast(bytes) => {
                        for to in (0..usize::from(players)).filter(|&to| to != at) {
                            mail.push_back((to, from, bytes.clone()));
                        }
                    }
                    Output::Send { to, bytes } => mail.push_back((to.index(), from, bytes)),
                    Output::Settled(_) if at == 0 => {
                        step_ms.push((std::mem::take(&mut spent), in_game));
                    }
                    Output::Settled(_)
                    | Output::Persist(_)
                    | Output::Publish(_)
                    | Output::Happened { .. }
                    | Output::Notice(_) => {}
                }
            }
        }
        if let Some((to, from, bytes)) = mail.pop_front() {
            if let Some(table) = tables.get_mut(to) {
                let ((), ms) = timed(|| table.receive(from, &bytes, 0));
                if to == 0 {
                    spent += ms;
                }
            }
            continue;
        }
        let Some((at, table)) = tables
            .iter_mut()
            .enumerate()
            .find(|(_, table)| table.my_turn())
        else {
            break;
        };
        let seat = Seat(at as u8);
        let legal = table.game().legal(seat, &table.known());
        let pick = rng.random_range(0..legal.len().max(1));
        let action = legal.get(pick).ok_or(BenchError::Unexpected)?;
        let (done, ms) = timed(|| table.act(action));
        done.map_err(|_| BenchError::Unexpected)?;
        if at == 0 {
            spent += ms;
        }
    }
    let table = tables.first().ok_or(BenchError::Unexpected)?;
    let record = Record::new(&genesis, table.log());
    let bytes = record.write();
    let (report, record_verify_ms) = timed(|| verify::<Shamans>(&record));
    if report.finding != Finding::Fair {
        return Err(BenchError::Unexpected);
    }
    // A step whose successor waits for moves held a move itself, all but the first of a round; steps of the decks are the deal's.
    let moves = step_ms.iter().zip(step_ms.iter().skip(1));
    let moves = moves.filter(|((_, before), (_, now))| *before && *now);
    Ok(TableFigures {
        step_ms: median(moves.map(|(_, (ms, _))| *ms).collect()),
        steps: report.steps,
        record_bytes: bytes.len(),
        record_verify_ms,
        memory_mb: peak_memory(),
    })
}

/// The process's largest resident size, from the kernel.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
