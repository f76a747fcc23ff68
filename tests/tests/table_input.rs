//! Bytes from strangers: every decoder of table, seating and record refuses or takes them, and nothing panics or grows.
//!
//! `FUZZ_CASES` says how many cases (a few by default).

use proptest::prelude::*;
use shamans_core::codec;
use shamans_core::game::{Seat, SeatSet};
use shamans_core::record::Record;
use shamans_core::table::{Message, Options, Output, Proposal, Seating, Table};
use shamans_tests::high_card::{HighCard, Setup};
use shamans_tests::sim::{Anything, Sim, Weather, identity, sit_down};

fn cases() -> ProptestConfig {
    let cases = std::env::var("FUZZ_CASES").ok();
    let cases = cases.and_then(|text| text.parse().ok()).unwrap_or(64);
    ProptestConfig::with_cases(cases)
}

fn setup() -> Setup {
    Setup {
        seats: 3,
        hand: 2,
        rounds: 1,
        phantoms: SeatSet::EMPTY,
    }
}

/// A table in the middle of a game, and what was said at it.
fn midway() -> (Sim<HighCard>, Vec<Vec<u8>>) {
    let genesis = sit_down::<HighCard>(&setup(), &[true; 3], Options::default());
    let mut sim = Sim::<HighCard>::new(genesis, 1, Weather::CALM, |seat| {
        Box::new(Anything::new(u64::from(seat.0), 1000))
    });
    let said = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let heard = said.clone();
    sim.tamper = Some(Box::new(move |_, _, bytes| {
        heard.borrow_mut().push(bytes.to_vec());
        vec![bytes.to_vec()]
    }));
    sim.run(10_000, |sim| sim.table(0).replica().number() >= 10);
    sim.tamper = None;
    let said = said.borrow().clone();
    (sim, said)
}

fn feed(table: &mut Table<HighCard>, bytes: &[u8]) {
    table.receive(Seat(1), bytes, 100_000);
    let mut outputs = 0;
    while let Some(output) = table.poll() {
        outputs += 1;
        if let Output::Send { bytes, .. } | Output::Broadcast(bytes) = output {
            assert!(codec::decode::<Message>(&bytes).is_ok());
        }
    }
    assert!(outputs < 100, "one message makes {outputs} answers");
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_bytes_reach_a_record(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = Record::read(&bytes);
        let mut framed = b"SHAMANS\n\x01\x00".to_vec();
        framed.extend(&bytes);
        let sum = shamans_tests::damage::checksum(&framed);
        framed.extend(sum);
        let _ = Record::read(&framed);
    }

    #[test]
    fn any_bytes_reach_those_who_sit_down(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let genesis = sit_down::<HighCard>(&setup(), &[true; 3], Options::default());
        let proposal: Proposal = genesis.genesis.proposal;
        let mut seating = Seating::new::<HighCard>(proposal, identity(0), [7; 32], 0).unwrap();
        seating.be_ready();
        let _ = seating.receive(&identity(1).public(), &bytes);
        while seating.poll().is_some() {}
    }
}

#[test]
fn any_bytes_reach_a_table() {
    let (mut sim, said) = midway();
    let number = sim.table(0).replica().number();
    let mut runner = proptest::test_runner::TestRunner::new(cases());
    let damage = (
        0..said.len(),
        any::<proptest::sample::Index>(),
        any::<u8>(),
        0..3u8,
    );
    let table = std::cell::RefCell::new(sim.peers[0].table.take().unwrap());
    let ran = runner.run(&damage, |(which, at, with, how)| {
        let mut bytes = said[which].clone();
        let at = at.index(bytes.len());
        match how {
            0 => bytes[at] ^= with,
            1 => bytes.truncate(at),
            _ => bytes = vec![with; at],
        }
        feed(&mut table.borrow_mut(), &bytes);
        Ok(())
    });
    ran.unwrap();
    let table = table.into_inner();
    assert!(
        table.replica().number() <= number + 1,
        "noise settles nothing"
    );
    sim.peers[0].table = Some(table);
    sim.drain(0);
    assert!(sim.run(120_000, Sim::all_over), "{}", sim.describe());
    assert!(sim.table(0).faults().is_empty(), "noise accuses nobody");
}
