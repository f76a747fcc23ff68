//! Whole games under everything at once: reordering, loss, doubling, cut links, split networks, killed and restarted peers.
//!
//! Each seed is one game. `CHAOS_SEEDS=from..to` chooses which (a few by default); a failure prints its seed, and the seed replays it.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use shamans_core::game::{Game, Seat, SeatSet};
use shamans_core::record::{Finding, Record, verify};
use shamans_core::shamans::{self, Shamans};
use shamans_core::table::Options;
use shamans_tests::high_card::{self, HighCard};
use shamans_tests::sim::{Anything, Sim, Weather, sit_down};

fn seeds(name: &str, default: std::ops::Range<u64>) -> std::ops::Range<u64> {
    let Ok(text) = std::env::var(name) else {
        return default;
    };
    let (from, to) = text.split_once("..").expect("from..to");
    from.parse().expect("a number")..to.parse().expect("a number")
}

/// Prints the seed if the game fails.
struct Announce(u64);

impl Drop for Announce {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the failing seed is {}", self.0);
        }
    }
}

fn storm<G: Game>(seed: u64, setup: &G::Setup, people: &[bool]) {
    let _announce = Announce(seed);
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let options = Options {
        grace_ms: 6_000,
        draw_seats: rng.random_bool(0.5),
    };
    let genesis = sit_down::<G>(setup, people, options);
    let weather = Weather {
        least: 1,
        most: rng.random_range(1..80),
        lost: rng.random_range(0..100),
        doubled: rng.random_range(0..100),
    };
    let mut sim = Sim::<G>::new(genesis, seed, weather, |seat| {
        Box::new(Anything::new(seed * 31 + u64::from(seat.0), 30))
    });
    let n = sim.peers.len();
    let mut settled = 0;
    for _ in 0..rng.random_range(2..8) {
        sim.run(rng.random_range(20..3_000), Sim::all_over);
        match rng.random_range(0..4) {
            0 => {
                let victim = rng.random_range(0..n);
                sim.kill(victim);
                // Sometimes for longer than the grace time.
                let away = if rng.random_bool(0.3) { 15_000 } else { 1_000 };
                sim.run(rng.random_range(1..away), |_| false);
                // With the identity alone only while the others have the log.
                sim.restart(victim, n == 1 || rng.random_bool(0.7));
            }
            1 => {
                let (a, b) = (rng.random_range(0..n), rng.random_range(0..n));
                sim.link(a, b, false);
                sim.run(rng.random_range(1..12_000), |_| false);
                sim.cut.clear();
            }
            2 => {
                let part = rng.random_range(1..n.max(2));
                for a in 0..part {
                    for b in part..n {
                        sim.link(a, b, false);
                    }
                }
                sim.run(rng.random_range(1..20_000), |_| false);
                sim.cut.clear();
            }
            _ => {
                // Two at once.
                let victims = [rng.random_range(0..n), rng.random_range(0..n)];
                victims.iter().for_each(|&victim| sim.kill(victim));
                sim.run(rng.random_range(1..9_000), |_| false);
                for victim in victims {
                    if sim.peers[victim].table.is_none() {
                        sim.restart(victim, true);
                    }
                }
            }
        }
        sim.check_agreement();
        let reached = (0..n).map(|i| sim.table(i).log().len()).max();
        assert!(reached >= Some(settled), "something settled was lost");
        settled = reached.unwrap_or(0);
    }
    sim.weather.lost = sim.weather.lost.min(50);
    let ended = sim.run(400_000, |sim| {
        sim.all_over() && sim.peers.iter().all(|peer| peer.table.is_some())
    });
    assert!(ended, "stuck: {}", sim.describe());
    sim.check_agreement();
    let first = Record::new(&sim.genesis, sim.table(0).log());
    for i in 0..n {
        let table = sim.table(i);
        assert!(table.faults().is_empty(), "{:?}", table.faults());
        let record = Record::new(&sim.genesis, table.log());
        for (a, b) in record.steps.iter().zip(&first.steps) {
            assert_eq!(a, b, "record of peer {i}");
        }
        assert!(record.write() == first.write(), "record of peer {i}");
    }
    // For the second verifier: records in which people went and came back are hard to come by.
    if let Some(folder) = std::env::var_os("SHAMANS_RECORDS") {
        let file = std::path::Path::new(&folder)
            .join(format!("{}-{seed}.record", G::NAME.replace('/', "-")));
        std::fs::write(file, first.write()).unwrap();
    }
    assert_eq!(verify::<G>(&first).finding, Finding::Fair);
}

#[test]
fn the_toy_game_in_a_storm() {
    for seed in seeds("CHAOS_SEEDS", 0..12) {
        let seats = 2 + (seed % 4) as u8;
        let phantoms: SeatSet = (0..seats)
            .map(Seat)
            .filter(|s| seed % 7 == 0 && s.0 == 1)
            .collect();
        let setup = high_card::Setup {
            seats,
            hand: 2,
            rounds: 3,
            phantoms,
        };
        let people: Vec<bool> = (0..seats).map(|i| !phantoms.contains(Seat(i))).collect();
        storm::<HighCard>(seed, &setup, &people);
    }
}

#[test]
fn shamans_in_a_storm() {
    for seed in seeds("CHAOS_GAMES", 0..2) {
        let players = 3 + (seed % 3) as u8;
        storm::<Shamans>(
            seed,
            &shamans::Setup::new(players),
            &vec![true; players.into()],
        );
    }
}
