//! Records: whole games written, verified, replayed, and damaged in every way.

use shamans_core::game::{Game, Seat, SeatSet};
use shamans_core::record::{Finding, Record, Replay, Told, verify};
use shamans_core::shamans::{Setup, Shamans};
use shamans_core::table::{Happening, Options};
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

/// Every single-byte change is refused, with the checksum fitted again too; so are cut and extended files.
#[test]
fn a_record_is_canonical() {
    for (seats, seed) in [(2, 1), (3, 2)] {
        let sim = play::<HighCard>(&toy(seats, 1), &vec![true; seats.into()], seed);
        let bytes = record_of(&sim, 0).write();
        let fair = |bytes: &[u8]| {
            Record::read(bytes).is_ok_and(|r| verify::<HighCard>(&r).finding == Finding::Fair)
        };
        assert!(fair(&bytes));
        let body = bytes.len() - 32;
        // Verifying again for each of some ten thousand bytes takes long: a stride that meets every kind of byte.
        let stride = (bytes.len() / 400).max(1);
        for at in (0..bytes.len()).step_by(stride) {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            assert!(Record::read(&changed).is_err(), "byte {at}");
            if at < body {
                let sum = shamans_tests::sim::checksum(&changed[..body]);
                changed[body..].copy_from_slice(&sum);
                assert!(!fair(&changed), "byte {at} with a fitting checksum");
            }
        }
        for cut in (0..bytes.len()).step_by(stride) {
            assert!(Record::read(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(Record::read(&longer).is_err());
        longer.truncate(body);
        longer.push(0);
        let sum = shamans_tests::sim::checksum(&longer);
        longer.extend_from_slice(&sum);
        assert!(Record::read(&longer).is_err(), "a byte too many inside");
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
