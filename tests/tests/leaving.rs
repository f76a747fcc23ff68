//! Leaving for good between two rounds: the table goes on with those who stay.

use shamans_core::game::{Seat, SeatSet};
use shamans_core::record::{Finding, Record, Report, verify};
use shamans_core::table::{ActError, Happening, Options};
use shamans_tests::high_card::{HighCard, Setup};
use shamans_tests::sim::{Anything, Sim, Weather, sit_down};

fn sim(seats: u8, rounds: u8) -> Sim<HighCard> {
    let setup = Setup {
        seats,
        hand: 2,
        rounds,
        phantoms: SeatSet::EMPTY,
    };
    let options = Options {
        grace_ms: 5_000,
        draw_seats: false,
    };
    let genesis = sit_down::<HighCard>(&setup, &vec![true; seats.into()], options);
    Sim::new(genesis, 7, Weather::CALM, |seat| {
        Box::new(Anything::new(u64::from(seat.0), 1000))
    })
}

/// The first moment of the next round.
fn next_round(sim: &mut Sim<HighCard>, living: usize) {
    let deals = sim.table(living).replica().deals();
    assert!(sim.run(60_000, |sim| sim.table(living).replica().deals() > deals));
}

/// Says so as soon as the step allows it.
fn leave(sim: &mut Sim<HighCard>, i: usize) {
    let mut tries = 0;
    while let Err(error) = sim.peers[i].table.as_mut().unwrap().leave() {
        assert_eq!(error, ActError::Settling);
        assert!(sim.step() && tries < 1000);
        tries += 1;
    }
    sim.drain(i);
}

fn report(sim: &Sim<HighCard>) -> Report {
    let mut logs = sim.peers.iter().filter_map(|peer| peer.table.as_ref());
    let first = Record::new(&sim.genesis, logs.next().unwrap().log());
    for table in logs {
        let other = Record::new(&sim.genesis, table.log());
        assert!(other.write() == first.write());
    }
    verify::<HighCard>(&first)
}

#[test]
fn the_next_round_is_dealt_to_those_who_stay() {
    let mut sim = sim(4, 3);
    next_round(&mut sim, 0);
    leave(&mut sim, 3);
    let left = |sim: &Sim<HighCard>, i: usize| !sim.table(i).replica().signers().contains(Seat(3));
    assert!(sim.run(30_000, |sim| (0..4).all(|i| left(sim, i))));
    // It says nothing more: not missed, not waited for, not given up by anyone's vote.
    sim.kill(3);
    let before = sim.now;
    assert!(sim.run(60_000, Sim::all_over), "{}", sim.describe());
    assert!(sim.now - before < 5_000, "nobody has waited for it");
    for i in 0..3 {
        let happened = &sim.peers[i].happened;
        let left = |what: &Happening<HighCard>| *what == Happening::Left(Seat(3));
        assert_eq!(happened.iter().filter(|(_, what)| left(what)).count(), 1);
        assert!(sim.table(i).replica().gone().is_empty());
    }
    let report = report(&sim);
    assert_eq!(report.finding, Finding::Fair);
    let audited: Vec<SeatSet> = report.audits.iter().map(|deal| deal.audited).collect();
    let (four, three) = (SeatSet::first(4), SeatSet::first(3));
    assert_eq!(audited, [four, three, three], "its seat is a phantom's now");
}

/// For good is for good: whoever comes back only watches.
#[test]
fn who_has_left_does_not_come_back() {
    for from_disk in [true, false] {
        let mut sim = sim(3, 3);
        next_round(&mut sim, 0);
        leave(&mut sim, 2);
        next_round(&mut sim, 0);
        sim.kill(2);
        sim.run(1_000, |_| false);
        sim.restart(2, from_disk);
        assert!(sim.run(120_000, Sim::all_over), "{}", sim.describe());
        assert_eq!(report(&sim).finding, Finding::Fair);
        let stay = SeatSet::first(2);
        for i in 0..3 {
            assert_eq!(sim.table(i).replica().signers(), stay, "peer {i}");
        }
        let back = |what: &Happening<HighCard>| matches!(what, Happening::Back(_));
        assert!(!sim.peers[0].happened.iter().any(|(_, what)| back(what)));
    }
}

/// One after another, until one is left; the last closes the table instead.
#[test]
fn the_last_one_plays_on_with_phantoms() {
    let mut sim = sim(3, 4);
    for i in [2, 1] {
        next_round(&mut sim, 0);
        leave(&mut sim, i);
        let seat = Seat(i as u8);
        let left = |sim: &Sim<HighCard>| !sim.table(0).replica().signers().contains(seat);
        assert!(sim.run(30_000, left), "{}", sim.describe());
        sim.kill(i);
    }
    next_round(&mut sim, 0);
    let last = sim.peers[0].table.as_mut().unwrap().leave();
    assert!(
        matches!(last, Err(ActError::Refused(_) | ActError::Settling)),
        "{last:?}"
    );
    assert!(sim.run(60_000, Sim::all_over), "{}", sim.describe());
    assert_eq!(report(&sim).finding, Finding::Fair);
}
