//! Audits that the driver runs: the table goes on meanwhile, and the verdict is the same.

use shamans_core::game::SeatSet;
use shamans_core::table::{Audit, Audited, Happening, Options};
use shamans_tests::high_card::{HighCard, Setup};
use shamans_tests::sim::{Anything, Sim, Weather, sit_down};

fn sim() -> Sim<HighCard> {
    let setup = Setup {
        seats: 3,
        hand: 2,
        rounds: 3,
        phantoms: SeatSet::EMPTY,
    };
    let genesis = sit_down::<HighCard>(&setup, &[true; 3], Options::default());
    let mut sim = Sim::new(genesis, 5, Weather::CALM, |seat| {
        Box::new(Anything::new(u64::from(seat.0), 1000))
    });
    sim.peers[0].table.as_mut().unwrap().defer_audits();
    sim
}

fn told(sim: &Sim<HighCard>, i: usize) -> Vec<&Happening<HighCard>> {
    let happened = sim.peers[i].happened.iter().map(|(_, what)| what);
    happened
        .filter(|what| matches!(what, Happening::Audited { .. }))
        .collect()
}

/// Never waited for, run at the very end on threads of their own: the game and all peers go on as if they were done.
#[test]
fn the_table_goes_on_while_audits_run() {
    let mut sim = sim();
    assert!(sim.run(60_000, Sim::all_over), "{}", sim.describe());
    sim.check_agreement();
    assert!(told(&sim, 0).is_empty() && sim.table(0).replica().audits().is_empty());
    assert_eq!(told(&sim, 1).len(), 3);
    let table = sim.peers[0].table.as_mut().unwrap();
    assert!(table.is_auditing());
    let jobs: Vec<Audit> = std::iter::from_fn(|| table.take_audit()).collect();
    assert_eq!(jobs.len(), 3);
    let threads: Vec<_> = jobs
        .into_iter()
        .map(|job| std::thread::spawn(move || job.run()))
        .collect();
    let found: Vec<Audited> = threads.into_iter().map(|t| t.join().unwrap()).collect();
    for audited in &found {
        assert!(table.is_auditing());
        table.audited(audited.clone());
        // Told twice is told once.
        table.audited(audited.clone());
    }
    assert!(!table.is_auditing());
    sim.drain(0);
    assert_eq!(told(&sim, 0), told(&sim, 1), "the same verdicts");
    let steps = |i: usize| -> Vec<u64> {
        let audited = sim.peers[i]
            .happened
            .iter()
            .filter(|(_, what)| matches!(what, Happening::Audited { .. }));
        audited.map(|(step, _)| *step).collect()
    };
    assert_eq!(steps(0), steps(1), "of the same steps");
}

/// One seat at a time, for a driver without threads.
#[test]
fn an_audit_in_slices_finds_the_same() {
    let mut sim = sim();
    let first = |sim: &Sim<HighCard>| !told(sim, 1).is_empty();
    assert!(sim.run(60_000, first));
    assert!(sim.run(60_000, |sim| sim.table(0).is_auditing()));
    let table = sim.peers[0].table.as_mut().unwrap();
    let mut job = table.take_audit().expect("one was revealed");
    let whole = job.clone().run();
    assert_eq!(job.advance(), None);
    assert_eq!(job.advance(), None);
    assert_eq!(job.advance(), Some(whole), "three seats");
}
