//! The toy game on the real table, in a simulated network.

use shamans_core::game::{Seat, SeatSet};
use shamans_core::table::Options;
use shamans_tests::high_card::{HighCard, Setup};
use shamans_tests::sim::{Anything, Sim, Weather, sit_down};

fn sim(seats: u8, phantoms: SeatSet, seed: u64, weather: Weather) -> Sim<HighCard> {
    let setup = Setup {
        seats,
        hand: 3,
        rounds: 2,
        phantoms,
    };
    let people: Vec<bool> = (0..seats).map(|i| !phantoms.contains(Seat(i))).collect();
    let options = Options {
        grace_ms: 10_000,
        draw_seats: false,
    };
    let genesis = sit_down::<HighCard>(&setup, &people, options);
    Sim::new(genesis, seed, weather, |seat| {
        Box::new(Anything::new(seed * 31 + u64::from(seat.0), 20))
    })
}

#[test]
fn calm_games_end_and_all_agree() {
    for seats in 1..=5 {
        let mut sim = sim(seats, SeatSet::EMPTY, 7, Weather::CALM);
        assert!(
            sim.run(60_000, Sim::all_over),
            "{seats} seats: {:?}",
            sim.table(0)
        );
        sim.check_agreement();
        for peer in &sim.peers {
            assert!(peer.notices.is_empty(), "{:?}", peer.notices);
        }
    }
}

#[test]
fn phantoms_fill_seats() {
    for (seats, phantoms) in [(3, 1), (3, 2), (5, 4), (4, 2)] {
        let phantoms: SeatSet = (seats - phantoms..seats).map(Seat).collect();
        let mut sim = sim(seats, phantoms, 3, Weather::CALM);
        assert!(sim.run(60_000, Sim::all_over), "{:?}", sim.table(0));
        sim.check_agreement();
    }
}

#[test]
fn rough_weather_changes_nothing() {
    for seed in 0..20 {
        let mut sim = sim(3 + (seed % 3) as u8, SeatSet::EMPTY, seed, Weather::ROUGH);
        assert!(
            sim.run(200_000, Sim::all_over),
            "seed {seed}: {:?}",
            sim.table(0)
        );
        sim.check_agreement();
    }
}
