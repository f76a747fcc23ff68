//! One seed, one game in which messages are lost by kind: of one seat its votes, of another its signatures, to some but not to all.
//!
//! A storm loses messages blindly, so it seldom leaves the seats with different halves of a vote; this one does so all the time.
//! Afterwards everything comes through again, and the game must end like any other.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use shamans_core::codec;
use shamans_core::game::{Seat, SeatSet};
use shamans_core::log::{Kind, Lane};
use shamans_core::record::Record;
use shamans_core::table::{Message, Options};

use crate::high_card::{HighCard, Setup};
use crate::sim::{Anything, Sim, Tamper, Weather, sit_down};
use crate::storm::Announce;

/// How long a silent seat is waited for, in milliseconds.
const GRACE: u32 = 5_000;
/// How long a calm sea may take to the end of a game.
const PATIENCE: u64 = 600_000;

/// What a message is, as far as it matters who gets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Words,
    Votes,
    Signatures,
    Absences,
    Statuses,
    Steps,
    Rest,
}

impl Sort {
    fn of(bytes: &[u8]) -> Sort {
        match codec::decode(bytes).expect("peers send messages") {
            Message::Entry(signed) => match signed.entry.lane {
                Lane::Game | Lane::Deal | Lane::Table => Sort::Words,
                Lane::Vote(_) => Sort::Votes,
            },
            Message::Settle(settle) => match settle.mark.kind {
                Kind::Play => Sort::Signatures,
                Kind::Absence => Sort::Absences,
            },
            Message::Status(_) => Sort::Statuses,
            Message::Steps(_) => Sort::Steps,
            Message::Evidence(_) | Message::Chat(_) => Sort::Rest,
        }
    }
}

/// These sorts of messages do not come through from some to some.
#[derive(Debug, Clone)]
struct Rule {
    from: SeatSet,
    to: SeatSet,
    lost: Vec<Sort>,
}

impl Rule {
    fn draw(rng: &mut ChaCha20Rng, seats: u8) -> Rule {
        let some = |rng: &mut ChaCha20Rng| match rng.random_range(0..3) {
            0 => SeatSet::first(seats.into()),
            _ => (0..seats)
                .filter(|_| rng.random_bool(0.4))
                .map(Seat)
                .collect(),
        };
        let lost: &[Sort] = match rng.random_range(0..8) {
            0 => &[Sort::Votes],
            1 => &[Sort::Signatures, Sort::Steps],
            2 => &[Sort::Votes, Sort::Steps, Sort::Absences],
            3 => &[Sort::Absences],
            4 => &[Sort::Steps],
            // It is heard, and that is all.
            5 => &[
                Sort::Words,
                Sort::Votes,
                Sort::Signatures,
                Sort::Absences,
                Sort::Steps,
            ],
            6 => &[Sort::Words, Sort::Signatures],
            // It is not heard at all.
            _ => &[
                Sort::Words,
                Sort::Votes,
                Sort::Signatures,
                Sort::Absences,
                Sort::Statuses,
                Sort::Steps,
                Sort::Rest,
            ],
        };
        Rule {
            from: SeatSet::one(Seat(rng.random_range(0..seats))).or(some(rng)),
            to: some(rng),
            lost: lost.to_vec(),
        }
    }

    fn loses(&self, from: Seat, to: Seat, sort: Sort) -> bool {
        self.from.contains(from) && self.to.contains(to) && self.lost.contains(&sort)
    }
}

fn muffle(rules: Vec<Rule>) -> Tamper {
    Box::new(move |from, to, bytes| {
        let sort = Sort::of(bytes);
        match rules.iter().any(|rule| rule.loses(from, to, sort)) {
            true => vec![],
            false => vec![bytes.to_vec()],
        }
    })
}

/// Plays the toy game of this seed to its end and returns the record.
pub fn muffled(seed: u64, seats: u8) -> Record {
    let _announce = Announce("muffled", seed);
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let setup = Setup {
        seats,
        hand: 2,
        rounds: 2,
        phantoms: SeatSet::EMPTY,
    };
    let options = Options {
        grace_ms: GRACE,
        draw_seats: false,
    };
    let genesis = sit_down::<HighCard>(&setup, &vec![true; seats.into()], options);
    let mut sim = Sim::<HighCard>::new(genesis, seed, Weather::CALM, |seat| {
        Box::new(Anything::new(seed * 31 + u64::from(seat.0), 30))
    });
    for _ in 0..rng.random_range(1..4) {
        let further = sim.reached() + rng.random_range(1..8);
        sim.run(3_000, |sim| sim.reached() >= further);
        for _ in 0..rng.random_range(2..7) {
            let rules = (0..rng.random_range(1..4))
                .map(|_| Rule::draw(&mut rng, seats))
                .collect();
            sim.tamper = Some(muffle(rules));
            if rng.random_bool(0.2) {
                let victim = rng.random_range(0..seats.into());
                sim.kill_after(victim, rng.random_range(0..6));
            }
            let time = match rng.random_range(0..3) {
                0 => rng.random_range(1..600),
                1 => rng.random_range(600..4_000),
                _ => rng.random_range(4_000..9_000),
            };
            sim.run(time, |_| false);
            rise(&mut sim, &mut rng);
        }
        sim.check_agreement();
        sim.tamper = None;
    }
    rise(&mut sim, &mut rng);
    let over = sim.run(PATIENCE, Sim::all_over);
    assert!(over, "stuck: {}", sim.describe());
    sim.check_end()
}

/// Whoever is dead comes back, nearly always from the disk.
fn rise(sim: &mut Sim<HighCard>, rng: &mut ChaCha20Rng) {
    for i in 0..sim.peers.len() {
        if sim.peers[i].table.is_none() {
            sim.restart(i, rng.random_bool(0.8));
        }
    }
}
