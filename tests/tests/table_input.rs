//! Bytes from strangers: every decoder refuses or takes them, and nothing panics or grows.

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;
use shamans_core::game::{Seat, SeatSet};
use shamans_core::table::Options;
use shamans_tests::decoders::{self, Decoder};
use shamans_tests::high_card::{HighCard, Setup};
use shamans_tests::property;
use shamans_tests::sim::{Anything, Sim, Weather, sit_down};

/// There are many decoders, so each gets fewer cases than a test of its own would.
fn runner(usual: u32) -> TestRunner {
    let cases = property::cases(usual).min(500);
    TestRunner::new(ProptestConfig::with_cases(cases))
}

/// Something done to valid bytes: a byte changed, cut off, filled, doubled, a piece of others put in.
fn damage() -> impl Strategy<Value = (Index, Index, Index, u8, u8)> {
    (
        any::<Index>(),
        any::<Index>(),
        any::<Index>(),
        any::<u8>(),
        0..5u8,
    )
}

fn damaged(
    valid: &[Vec<u8>],
    (which, other, at, with, how): (Index, Index, Index, u8, u8),
) -> Vec<u8> {
    let mut bytes = which.get(valid).clone();
    let at = at.index(bytes.len().max(1)).min(bytes.len());
    match how {
        0 => bytes
            .iter_mut()
            .skip(at)
            .take(1)
            .for_each(|byte| *byte ^= with),
        1 => bytes.truncate(at),
        2 => bytes.insert(at, with),
        3 => bytes.extend_from_within(at..),
        _ => bytes.extend(other.get(valid).iter().skip(at)),
    }
    bytes
}

fn arbitrary(decoder: &Decoder) {
    let bytes = proptest::collection::vec(any::<u8>(), 0..400);
    let ran = runner(16).run(&bytes, |bytes| {
        (decoder.feed)(&bytes);
        Ok(())
    });
    ran.unwrap_or_else(|why| panic!("{}: {why}", decoder.name));
}

fn changed(decoder: &Decoder) {
    let valid = (decoder.valid)();
    assert!(!valid.is_empty(), "{}", decoder.name);
    valid.iter().for_each(|bytes| (decoder.feed)(bytes));
    let ran = runner(32).run(&damage(), |how| {
        (decoder.feed)(&damaged(&valid, how));
        Ok(())
    });
    ran.unwrap_or_else(|why| panic!("{}: {why}", decoder.name));
}

#[test]
fn arbitrary_bytes_reach_every_decoder() {
    decoders::ALL.iter().for_each(arbitrary);
}

#[test]
fn arbitrary_changes_of_valid_bytes_reach_every_decoder() {
    decoders::ALL.iter().for_each(changed);
}

/// A table that has heard much noise plays on as if there had been none.
#[test]
fn arbitrary_noise_changes_nothing_at_a_table() {
    let setup = Setup {
        seats: 3,
        hand: 2,
        rounds: 1,
        phantoms: SeatSet::EMPTY,
    };
    let genesis = sit_down::<HighCard>(&setup, &[true; 3], Options::default());
    let mut sim = Sim::<HighCard>::new(genesis, 1, Weather::CALM, |seat| {
        Box::new(Anything::new(u64::from(seat.0), 1000))
    });
    let said = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let heard = said.clone();
    sim.tamper = Some(Box::new(move |_, _, bytes| {
        heard.borrow_mut().push(bytes.to_vec());
        vec![bytes.to_vec()]
    }));
    sim.run(10_000, |sim| sim.reached() >= 10);
    sim.tamper = None;
    let said = said.take();
    let number = sim.table(0).replica().number();
    let table = std::cell::RefCell::new(sim.peers[0].table.take().unwrap());
    let ran = runner(64).run(&damage(), |how| {
        let mut table = table.borrow_mut();
        table.receive(Seat(1), &damaged(&said, how), 100_000);
        while table.poll().is_some() {}
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
