//! One seed, one game under everything at once: weather, cut links, split networks, peers that die and come back.
//!
//! Used by the storms of `chaos.rs`. The people all want to finish, so after the storm the game must end, in one history, with one
//! fair record, and with nobody accused.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use shamans_core::game::Game;
use shamans_core::record::Record;
use shamans_core::table::Options;

use crate::sim::{Anything, Sim, Weather, sit_down};

/// How long a silent seat is waited for, in milliseconds.
const GRACE: u32 = 6_000;
/// How long a calm sea may take to the end of a game.
const PATIENCE: u64 = 1_000_000;

/// What can happen to a table.
#[derive(Clone, Copy)]
enum Trouble {
    /// One dies, at any moment of its work, and comes back.
    Dies,
    /// One dies again and again, each time soon after it came back.
    DiesAgain,
    /// Two die at once and come back from their disks.
    TwoDie,
    /// Two do not hear each other.
    Cut,
    /// One does not hear another, who hears it.
    HalfCut,
    /// Two groups do not hear each other.
    Split,
    /// Most of what is said is lost.
    Gale,
}

const TROUBLES: [Trouble; 7] = [
    Trouble::Dies,
    Trouble::DiesAgain,
    Trouble::TwoDie,
    Trouble::Cut,
    Trouble::HalfCut,
    Trouble::Split,
    Trouble::Gale,
];

/// Prints the seed if the game fails.
pub(crate) struct Announce(pub &'static str, pub u64);

impl Drop for Announce {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the failing seed of {} is {}", self.0, self.1);
        }
    }
}

struct Storm<G: Game> {
    sim: Sim<G>,
    rng: ChaCha20Rng,
}

/// Plays the game of this seed to its end and returns the record. `people` says which seats are held.
pub fn storm<G: Game>(seed: u64, setup: &G::Setup, people: &[bool]) -> Record {
    let _announce = Announce(G::NAME, seed);
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let options = Options {
        grace_ms: GRACE,
        draw_seats: rng.random_bool(0.5),
    };
    let genesis = sit_down::<G>(setup, people, options);
    let weather = Weather {
        least: 1,
        most: rng.random_range(1..80),
        lost: rng.random_range(0..100),
        doubled: rng.random_range(0..100),
    };
    let sim = Sim::<G>::new(genesis, seed, weather, |seat| {
        Box::new(Anything::new(seed * 31 + u64::from(seat.0), 30))
    });
    let mut storm = Storm { sim, rng };
    for _ in 0..storm.rng.random_range(2..8) {
        let pause = storm.rng.random_range(20..3_000);
        storm.sim.run(pause, Sim::all_over);
        let trouble = TROUBLES[storm.rng.random_range(0..TROUBLES.len())];
        storm.strike(trouble);
        storm.sim.check_agreement();
    }
    storm.finish()
}

impl<G: Game> Storm<G> {
    fn wait(&mut self, most: u64) {
        let time = self.rng.random_range(1..most);
        self.sim.run(time, |_| false);
    }

    fn anyone(&mut self) -> usize {
        self.rng.random_range(0..self.sim.peers.len())
    }

    /// Dies here and now, or in the midst of its next work.
    fn kill(&mut self, victim: usize) {
        if self.rng.random_bool(0.5) {
            self.sim.kill_after(victim, self.rng.random_range(0..12));
            self.wait(1_500);
        }
        self.sim.kill(victim);
    }

    fn strike(&mut self, trouble: Trouble) {
        let people = self.sim.peers.len();
        match trouble {
            Trouble::Dies => {
                let victim = self.anyone();
                self.kill(victim);
                // Sometimes for longer than the grace time.
                let away = if self.rng.random_bool(0.3) {
                    15_000
                } else {
                    1_000
                };
                self.wait(away);
                // With the identity alone only while the others have the log.
                let from_disk = people == 1 || self.rng.random_bool(0.6);
                self.sim.restart(victim, from_disk);
            }
            Trouble::DiesAgain => {
                let victim = self.anyone();
                for _ in 0..self.rng.random_range(2..6) {
                    self.kill(victim);
                    self.sim.restart(victim, true);
                    self.wait(600);
                }
            }
            Trouble::TwoDie => {
                let victims = [self.anyone(), self.anyone()];
                victims.iter().for_each(|&victim| self.sim.kill(victim));
                self.wait(9_000);
                for victim in victims {
                    if self.sim.peers[victim].table.is_none() {
                        self.sim.restart(victim, true);
                    }
                }
            }
            Trouble::Cut => {
                let (a, b) = (self.anyone(), self.anyone());
                self.sim.link(a, b, false);
                self.wait(12_000);
                self.sim.cut.clear();
            }
            Trouble::HalfCut => {
                let pair = (self.anyone(), self.anyone());
                self.sim.cut.insert(pair);
                self.wait(12_000);
                self.sim.cut.clear();
            }
            Trouble::Split => {
                let part = self.rng.random_range(1..people.max(2));
                for a in 0..part {
                    for b in part..people {
                        self.sim.link(a, b, false);
                    }
                }
                self.wait(20_000);
                self.sim.cut.clear();
            }
            Trouble::Gale => {
                let usual = self.sim.weather;
                self.sim.weather.lost = 600;
                self.sim.weather.most = 400;
                self.wait(12_000);
                self.sim.weather = usual;
            }
        }
    }

    /// The storm is over. Sometimes one more goes, for good: the others finish without.
    fn finish(mut self) -> Record {
        let sim = &mut self.sim;
        sim.weather.lost = sim.weather.lost.min(50);
        if sim.peers.len() > 2 && self.rng.random_bool(0.2) {
            let here = |sim: &Sim<G>| {
                sim.all_over() || sim.living().all(|table| table.replica().gone().is_empty())
            };
            assert!(sim.run(PATIENCE, here), "not all back: {}", sim.describe());
            let victim = self.rng.random_range(0..sim.peers.len());
            if !sim.all_over() {
                sim.kill_after(victim, self.rng.random_range(0..12));
                sim.run(1_500, |_| false);
                sim.kill(victim);
            }
        }
        assert!(
            sim.run(PATIENCE, Sim::all_over),
            "stuck: {}",
            sim.describe()
        );
        sim.check_end()
    }
}
