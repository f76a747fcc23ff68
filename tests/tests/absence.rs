//! Peers that die, come back, are cut off: the others go on where the rules give a way, and nothing settled is lost.

use std::collections::BTreeSet;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use shamans_core::codec;
use shamans_core::game::{Seat, SeatSet};
use shamans_core::log::Lane;
use shamans_core::shamans::Shamans;
use shamans_core::table::{Happening, Message, Options};
use shamans_tests::high_card::{HighCard, Setup};
use shamans_tests::matrix::{FATES, Fate, Met, Plan, matrix};
use shamans_tests::phase::{Asks, DEALING, Phase};
use shamans_tests::quick::{patient, quick};
use shamans_tests::sim::{Anything, Hoarder, Sim, Weather, sit_down};

const GRACE: u32 = 5_000;

fn sim(seats: u8, rounds: u8, seed: u64, weather: Weather) -> Sim<HighCard> {
    let setup = Setup {
        seats,
        hand: 2,
        rounds,
        phantoms: SeatSet::EMPTY,
    };
    let options = Options {
        grace_ms: GRACE,
        draw_seats: false,
    };
    let genesis = sit_down::<HighCard>(&setup, &vec![true; seats.into()], options);
    Sim::new(genesis, seed, weather, |seat| {
        Box::new(Anything::new(seed * 31 + u64::from(seat.0), 30))
    })
}

/// The matrix of one or more games: whoever is killed at whichever kind of step, the others go on within the grace time, and who
/// comes back has the same cards. `KILL_MATRIX=whole` tries every moment and plays every fork to its end, which takes long.
fn plan() -> Plan {
    match std::env::var("KILL_MATRIX").as_deref() {
        Ok("whole") => Plan {
            grace: GRACE.into(),
            fuses: vec![0, 1, 2, 3, 5],
            fates: FATES.to_vec(),
            finish: true,
        },
        Ok(other) => panic!("KILL_MATRIX is whole or not set, not {other}"),
        Err(_) => Plan {
            grace: GRACE.into(),
            fuses: vec![0, 2],
            fates: FATES.to_vec(),
            finish: false,
        },
    }
}

fn phases<G: Asks>() -> BTreeSet<Phase> {
    let questions = G::QUESTIONS.iter().map(|name| Phase::Asks(name));
    DEALING.into_iter().chain(questions).collect()
}

#[test]
fn whoever_is_killed_at_whichever_step_the_others_go_on() {
    let mut met = Met::default();
    matrix(sim(3, 1, 1, Weather::CALM), &plan(), &mut met);
    assert_eq!(
        met.phases,
        phases::<HighCard>(),
        "a kind of step was not met"
    );
    assert!(
        met.excused && met.absence,
        "both ways of giving up: {met:?}"
    );
    println!("{} forks", met.forks);
}

/// At five seats every other game is one in which rare questions come up.
fn shamans(seats: u8, seed: u64) -> Sim<Shamans> {
    let options = Options {
        grace_ms: GRACE,
        draw_seats: false,
    };
    let hoard = seats == 5 && seed.is_multiple_of(2);
    let setup = if hoard { patient() } else { quick(seats) };
    let genesis = sit_down::<Shamans>(&setup, &vec![true; seats.into()], options);
    Sim::new(genesis, seed, Weather::CALM, |seat| {
        let anything = Anything::new(seed * 31 + u64::from(seat.0), 30);
        match hoard {
            true => Box::new(Hoarder(anything)),
            false => Box::new(anything),
        }
    })
}

/// What a table of so many can be asked: only with two Shadows is there an order of rituals to choose (ELI-4).
fn askable(seats: u8) -> BTreeSet<Phase> {
    let mut all = phases::<Shamans>();
    if seats < 5 {
        all.remove(&Phase::Asks("order"));
    }
    all
}

/// A trick with nobody left to take it: a quick run need not come to it.
const SELDOM: Phase = Phase::Asks("name guide");

/// At three seats every seat is killed at every kind of step, and with `KILL_MATRIX=whole` at four and five seats too.
#[test]
fn whoever_is_killed_at_shamans_the_others_go_on() {
    let whole = plan().finish;
    for seats in if whole { 3..=5 } else { 3..=3 } {
        let plan = Plan {
            // Games of Shamans to the end of every fork would take hours.
            finish: false,
            ..match (whole, seats) {
                (true, 3) => Plan {
                    fuses: vec![0, 2],
                    ..plan()
                },
                (true, _) | (false, _) => Plan {
                    fuses: vec![1],
                    fates: vec![Fate::ForGood, Fate::FromIdentity],
                    ..plan()
                },
            }
        };
        let mut met = Met::default();
        let mut missing = askable(seats);
        // At five seats the first two come to the order of rituals and to the naming of a Guide.
        for seed in [26, 16].into_iter().chain(1..80) {
            matrix(shamans(seats, seed), &plan, &mut met);
            missing = missing.difference(&met.phases).copied().collect();
            if !whole {
                missing.remove(&SELDOM);
            }
            if missing.is_empty() {
                break;
            }
        }
        println!("{seats} seats: {} forks, not met: {missing:?}", met.forks);
        assert!(missing.is_empty(), "never met: {missing:?}");
    }
}

/// Killed and restarted at once, from its disk or with the identity alone: same seat, same cards, the game goes on.
#[test]
fn a_restarted_peer_is_back() {
    for seed in 0..12 {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let seats = rng.random_range(2..=4u8);
        let mut sim = sim(seats, 2, seed, Weather::ROUGH);
        for _ in 0..4 {
            let at = sim.reached() + rng.random_range(1..6);
            if !sim.run(60_000, |sim| sim.reached() >= at) {
                break;
            }
            let victim = rng.random_range(0..seats.into());
            let known = sim.table(victim).known();
            let (before, deals) = (
                sim.table(victim).replica().number(),
                sim.table(victim).replica().deals(),
            );
            sim.kill(victim);
            let from_disk = rng.random_bool(0.6);
            sim.run(rng.random_range(1..500), |_| false);
            sim.restart(victim, from_disk);
            let behind = |sim: &Sim<HighCard>| sim.table(victim).replica().number() < before;
            assert!(
                sim.run(60_000, |sim| !behind(sim)),
                "seed {seed}: never caught up"
            );
            if sim.table(victim).replica().deals() == deals {
                let now = sim.table(victim).known();
                assert!(
                    known
                        .faces()
                        .all(|(slot, face)| now.face(slot) == Some(face)),
                    "seed {seed}: other cards after a restart"
                );
            }
        }
        assert!(
            sim.run(120_000, Sim::all_over),
            "seed {seed}: {:?}",
            sim.table(0)
        );
        sim.check_end();
        for peer in &sim.peers {
            let faults = peer.table.as_ref().unwrap().faults();
            assert!(faults.is_empty(), "seed {seed}: {faults:?}");
        }
    }
}

/// Away for longer than the grace time: a phantom stands in; back again: the seat is theirs again.
#[test]
fn who_comes_back_has_the_seat_again() {
    for (seed, at) in [(1, 3), (2, 8), (3, 9), (4, 10), (5, 12), (6, 14)] {
        for from_disk in [true, false] {
            let mut sim = sim(3, 4, seed, Weather::CALM);
            assert!(sim.run(60_000, |sim| sim.reached() >= at));
            sim.kill(1);
            let gone = |sim: &Sim<HighCard>| sim.table(0).replica().gone() == SeatSet::one(Seat(1));
            assert!(sim.run(30_000, gone), "seed {seed}: {:?}", sim.table(0));
            sim.run(30, |_| false);
            sim.restart(1, from_disk);
            let back = |sim: &Sim<HighCard>| sim.table(0).replica().gone().is_empty();
            assert!(sim.run(30_000, back), "seed {seed}: {:?}", sim.table(1));
            assert!(
                sim.run(120_000, Sim::all_over),
                "seed {seed}: {:?}",
                sim.table(0)
            );
            sim.check_end();
            let told =
                |happening: &Happening<HighCard>| matches!(happening, Happening::Back(Seat(1)));
            assert!(
                sim.peers[0]
                    .happened
                    .iter()
                    .any(|(_, happening)| told(happening))
            );
        }
    }
}

/// Two of four are no majority: neither half goes on without the other, and together they do.
#[test]
fn halves_wait_for_each_other() {
    let mut sim = sim(4, 1, 3, Weather::CALM);
    sim.run(60_000, |sim| sim.reached() >= 8);
    for (a, b) in [(0, 2), (0, 3), (1, 2), (1, 3)] {
        sim.link(a, b, false);
    }
    // What was under way may still settle.
    sim.run(1_000, |_| false);
    let reached = sim.reached();
    sim.run(u64::from(GRACE) * 4, |_| false);
    assert_eq!(sim.reached(), reached);
    assert!(sim.living().all(|table| table.replica().gone().is_empty()));
    sim.cut.clear();
    assert!(sim.run(300_000, Sim::all_over), "{}", sim.describe());
    sim.check_end();
}

/// Of a split table only a majority goes on; healed, everyone is back on one history.
#[test]
fn a_split_table_goes_on_on_one_side_at_most() {
    for seed in 0..6 {
        let mut sim = sim(5, 3, seed, Weather::ROUGH);
        let at = 2 + seed * 3;
        assert!(sim.run(60_000, |sim| sim.reached() >= at));
        for a in [0, 1] {
            for b in [2, 3, 4] {
                sim.link(a, b, false);
            }
        }
        sim.run(u64::from(GRACE) * 4, |_| false);
        let minority = sim.table(0).replica().number();
        let majority = sim.table(2).replica().number();
        assert!(
            majority > minority + 1 || sim.all_over(),
            "seed {seed}: {:?}",
            sim.table(2)
        );
        sim.check_agreement();
        sim.cut.clear();
        assert!(
            sim.run(240_000, Sim::all_over),
            "seed {seed}: {:?}",
            sim.table(0)
        );
        sim.check_end();
    }
}

/// How a peer without its disk comes back.
#[derive(Debug, Clone, Copy)]
enum Return {
    /// All hear each other.
    Heard,
    /// It gets the settled steps, and then hears nobody for longer than the grace time.
    Unheard,
    /// The same, and it is killed and comes back from what it has stored since.
    UnheardTwice,
}

/// Its entry reached nobody, its signature under it did, and its disk is gone: it finds out what it had said, and nobody is stuck.
#[test]
fn own_words_that_nobody_holds_are_found_again() {
    let lanes = [(Lane::Deal, 1), (Lane::Game, 2), (Lane::Game, 3)];
    for (lane, seed) in lanes {
        for back in [Return::Heard, Return::Unheard, Return::UnheardTwice] {
            forgets_its_words(lane, seed, back);
        }
    }
}

fn forgets_its_words(lane: Lane, seed: u64, back: Return) {
    let mut sim = sim(2, 2, seed, Weather::CALM);
    let lost = std::rc::Rc::new(std::cell::Cell::new(None));
    let losing = lost.clone();
    sim.tamper = Some(Box::new(move |from, _, bytes| {
        match codec::decode::<Message>(bytes) {
            // One entry of seat 1 is lost, and every time it is said again.
            Ok(Message::Entry(signed)) if from == Seat(1) && signed.entry.lane == lane => {
                let step = signed.entry.step;
                if step > 3 && losing.get().is_none() {
                    losing.set(Some(step));
                }
                if losing.get() == Some(step) {
                    return vec![];
                }
            }
            _ => {}
        }
        vec![bytes.to_vec()]
    }));
    let signed = |sim: &Sim<HighCard>| {
        let open = sim.table(0).describe_open();
        lost.get() == Some(sim.reached()) && open.contains("settles: [(Seat(1)")
    };
    assert!(sim.run(60_000, signed), "{lane:?}: {}", sim.describe());
    sim.kill(1);
    sim.tamper = None;
    // What was on its way is gone too.
    sim.run(50, |_| false);
    sim.restart(1, false);
    match back {
        Return::Heard => {}
        Return::Unheard | Return::UnheardTwice => {
            sim.tamper = Some(Box::new(|_, to, bytes| {
                match codec::decode::<Message>(bytes) {
                    Ok(Message::Steps(_)) => vec![bytes.to_vec()],
                    Ok(Message::Status(status)) if to == Seat(0) && status.step == 1 => {
                        vec![bytes.to_vec()]
                    }
                    _ => vec![],
                }
            }));
            let caught_up = |sim: &Sim<HighCard>| {
                sim.table(1).replica().number() == sim.table(0).replica().number()
            };
            assert!(sim.run(5_000, caught_up), "{lane:?}: {}", sim.describe());
            if let Return::UnheardTwice = back {
                sim.kill(1);
                sim.restart(1, true);
            }
            sim.run(3 * u64::from(GRACE), |_| false);
            sim.tamper = None;
        }
    }
    assert!(
        sim.run(120_000, Sim::all_over),
        "{lane:?}, {back:?}: {}",
        sim.describe()
    );
    sim.check_end();
}

/// One person leaves for good; the others finish.
#[test]
fn the_table_goes_on_with_those_who_stay() {
    for at in [1, 4, 8, 11, 14] {
        let mut sim = sim(3, 2, at, Weather::CALM);
        assert!(sim.run(60_000, |sim| sim.reached() >= at));
        let mut tries = 0;
        while sim.peers[2].table.as_mut().unwrap().leave().is_err() && tries < 1000 {
            sim.step();
            tries += 1;
        }
        sim.drain(2);
        if sim.all_over() {
            continue;
        }
        let gone = |sim: &Sim<HighCard>| !sim.table(0).replica().signers().contains(Seat(2));
        assert!(sim.run(60_000, gone), "{:?}", sim.table(0));
        sim.kill(2);
        assert!(sim.run(60_000, Sim::all_over), "{:?}", sim.table(0));
        sim.check_end();
    }
}
