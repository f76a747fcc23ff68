//! Records: whole games written, verified, replayed, and damaged in every way.

use shamans_core::game::{Game, Seat, SeatSet};
use shamans_core::log::{Kind, Settled, SignedEntry};
use shamans_core::record::{Finding, Record, Replay, Told, verify};
use shamans_core::shamans::{Setup, Shamans};
use shamans_core::table::{Happening, Options, Replica};
use shamans_tests::damage::{Whole, fitted, is_refused};
use shamans_tests::high_card::{self, HighCard};
use shamans_tests::sim::{Anything, Sim, Weather, sit_down};

fn play<G: Game>(setup: &G::Setup, people: &[bool], seed: u64) -> Sim<G> {
    let genesis = sit_down::<G>(setup, people, Options::default());
    let mut sim = Sim::new(genesis, seed, Weather::CALM, |seat| {
        Box::new(Anything::new(seed * 31 + u64::from(seat.0), 40))
    });
    assert!(sim.run(3_000_000, Sim::all_over), "{:?}", sim.table(0));
    sim.check_agreement();
    sim
}

fn toy(seats: u8, rounds: u8) -> high_card::Setup {
    high_card::Setup {
        seats,
        hand: 2,
        rounds,
        phantoms: SeatSet::EMPTY,
    }
}

fn record_of<G: Game>(sim: &Sim<G>, i: usize) -> Record {
    Record::new(&sim.genesis, sim.table(i).log())
}

#[test]
fn every_peer_writes_the_same_fair_record() {
    let sim = play::<HighCard>(&toy(4, 1), &[true; 4], 5);
    let bytes = record_of(&sim, 0).write();
    for i in 1..4 {
        assert!(record_of(&sim, i).write() == bytes, "peer {i}");
    }
    let record = Record::read(&bytes).unwrap();
    let report = verify::<HighCard>(&record);
    assert_eq!(report.finding, Finding::Fair);
    assert_eq!(report.audits.len(), 1);
    assert_eq!(report.audits[0].audited, SeatSet::first(4));
    // All but the last step: in order so far.
    let mut cut = record.clone();
    cut.steps.pop();
    assert_eq!(verify::<HighCard>(&cut).finding, Finding::Unfinished);
}

/// Every single-byte change of the file is refused, with the checksum fitted again too; so are cut and extended files. Of a large record
/// some thousand places are tried; with `DAMAGE=whole` every place of every record, each with several changes.
fn is_canonical<G: Game>(name: &str, bytes: Vec<u8>, whole: bool)
where
    Replica<G>: Sync,
{
    let record = Whole::<G>::new(bytes);
    let length = record.bytes.len();
    let everything = std::env::var("DAMAGE").is_ok_and(|value| value == "whole");
    let stride = if whole || everything {
        1
    } else {
        length / 1500 + 1
    };
    let flips = |at: usize| -> Vec<u8> {
        // One bit, a different one at each place; the whole byte; one added to small numbers.
        let one = 1 << (at % 8);
        if everything {
            vec![one, 0xff, 1 | one, one.rotate_left(3)]
        } else {
            vec![one]
        }
    };
    let genesis = 0..record.first_step().min(length);
    let places = genesis.chain((0..length).step_by(stride));
    let places = places.flat_map(|at| flips(at).into_iter().map(move |flip| (at, flip)));
    assert_eq!(record.first_accepted(places), None, "{name}: byte, change");
    // The short way says what the long one says.
    for at in (0..length).step_by(length / 12 + 1) {
        let mut changed = record.bytes.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(
            is_refused::<G>(&changed) && is_refused::<G>(&fitted(changed)),
            "{name}: byte {at}"
        );
    }
    assert_eq!(
        record.first_cut_accepted((0..length).step_by(stride)),
        None,
        "{name}: cut"
    );
    assert!(record.refuses_more(), "{name}: longer");
    println!("{name}: {length} bytes, every {stride}");
}

#[test]
fn a_small_record_is_canonical() {
    let sim = play::<HighCard>(&toy(2, 1), &[true; 2], 1);
    let record = record_of(&sim, 0);
    for at in 0..record.steps.len() {
        for left_out in 0..2 {
            let mut other = record.clone();
            other.steps[at].signatures.remove(left_out);
            assert!(is_refused::<HighCard>(&other.write()), "step {}", at + 1);
        }
    }
    is_canonical::<HighCard>("two seats", record_of(&sim, 0).write(), true);
}

#[test]
fn an_unfinished_record_is_canonical() {
    let sim = play::<HighCard>(&toy(3, 1), &[true; 3], 2);
    let mut record = record_of(&sim, 0);
    record.steps.truncate(record.steps.len() / 2);
    is_canonical::<HighCard>("unfinished", record.write(), false);
}

/// Seat 1 goes at this step after so many more outputs, is given up, and comes back.
fn absence_at(step: u64, outputs: u32) -> Record {
    let options = Options {
        grace_ms: 4_000,
        draw_seats: true,
    };
    let genesis = sit_down::<HighCard>(&toy(3, 2), &[true; 3], options);
    let mut sim = Sim::<HighCard>::new(genesis, 4, Weather::CALM, |seat| {
        Box::new(Anything::new(u64::from(seat.0), 40))
    });
    sim.run(60_000, |sim| sim.reached() >= step);
    sim.kill_after(1, outputs);
    assert!(sim.run(60_000, |sim| !sim.table(0).replica().gone().is_empty()));
    sim.restart(1, true);
    assert!(sim.run(200_000, Sim::all_over), "{}", sim.describe());
    let record = sim.check_end();
    let kinds = |settled: &Settled| settled.step.kind == Kind::Absence;
    assert!(record.steps.iter().any(kinds));
    record
}

#[test]
fn a_record_with_absence_is_canonical() {
    is_canonical::<HighCard>("absence", absence_at(11, 2).write(), false);
}

/// They could be put in or left out.
#[test]
fn votes_that_excuse_nobody_are_refused() {
    let mut tried = 0;
    for step in 8..12 {
        let record = absence_at(step, 0);
        for at in 0..record.steps.len() {
            let mut other = record.clone();
            let settled = &mut other.steps[at];
            let step = &settled.step;
            let about_it = |vote: &SignedEntry| vote.entry.step == step.number;
            if step.kind == Kind::Absence && step.entries.iter().all(about_it) {
                settled.excuses = step.entries.clone();
                assert!(is_refused::<HighCard>(&other.write()), "step {}", at + 1);
                tried += 1;
            }
        }
    }
    assert!(tried > 0, "an absence that is about itself");
}

#[test]
fn shipped_records_are_canonical() {
    for name in ["away-and-back", "voided", "unfinished"] {
        let file = shamans_tests::house::root().join(format!("tests/records/{name}.record"));
        is_canonical::<Shamans>(name, std::fs::read(file).unwrap(), false);
    }
}

#[test]
fn a_replay_shows_each_seat_its_own_cards() {
    let sim = play::<HighCard>(&toy(3, 2), &[true; 3], 9);
    let record = record_of(&sim, 0);
    let mut all = Replay::<HighCard>::new(&record, SeatSet::first(3)).unwrap();
    let mut saw = [0; 3];
    while let Some(next) = all.next() {
        for told in next.unwrap().1 {
            if let Told::Saw { seat, .. } = told {
                saw[seat.index()] += 1;
            }
        }
    }
    // In each of two rounds: two cards dealt, one passed on by another, two after mixing.
    assert_eq!(saw, [10; 3]);
    let mut public = Replay::<HighCard>::new(&record, SeatSet::EMPTY).unwrap();
    let mut told = Vec::new();
    while let Some(next) = public.next() {
        told.extend(next.unwrap().1);
    }
    assert!(told.iter().all(|told| matches!(told, Told::Happened(_))));
    let events = |told: &Told<HighCard>| matches!(told, Told::Happened(Happening::Event { .. }));
    assert!(told.iter().filter(|told| events(told)).count() > 8);
    let peer = sim
        .peer(Seat(1))
        .happened
        .iter()
        .filter(|(step, _)| *step > 0);
    assert!(
        peer.map(|(_, happening)| Told::Happened(happening.clone()))
            .eq(told.iter().cloned()),
        "a replay tells what the peers were told"
    );
}

/// A whole game of Shamans at each size, on the real table with sealed decks. Writes the records to `target/records` for others to check.
#[test]
fn whole_games_of_shamans_are_fair() {
    for players in 3..=5u8 {
        let people: Vec<bool> = (0..players).map(|i| players != 4 || i != 3).collect();
        let phantoms = (0..players)
            .map(Seat)
            .filter(|s| !people[s.index()])
            .collect();
        let setup = Setup::new(players).with_phantoms(phantoms);
        let sim = play::<Shamans>(&setup, &people, u64::from(players));
        let bytes = record_of(&sim, 0).write();
        let report = verify::<Shamans>(&Record::read(&bytes).unwrap());
        assert_eq!(report.finding, Finding::Fair);
        assert!(bytes.len() < 3_000_000, "{} bytes", bytes.len());
        let folder = shamans_tests::house::root().join("target/records");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("shamans-{players}.record")), &bytes).unwrap();
        println!(
            "{players} players: {} bytes, {} steps, {} rounds",
            bytes.len(),
            report.steps,
            report.deals
        );
    }
}
