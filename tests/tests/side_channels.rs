//! What a peer sends, when and how much depends on public state only.
//!
//! Two tables that differ in nothing but the cards (other lots, so other seeds): up to the first difference that everyone sees, each peer
//! sends as much at the same moments.

use shamans_core::game::Game;
use shamans_core::shamans::{self, Shamans};
use shamans_core::table::{Happening, Options};
use shamans_tests::high_card::{self, HighCard};
use shamans_tests::sim::{First, Sim, Weather, sit_down_with};

fn game<G: Game>(setup: &G::Setup, seats: usize, lots: u8) -> Sim<G> {
    let genesis = sit_down_with::<G>(setup, &vec![true; seats], Options::default(), lots);
    let mut sim = Sim::new(genesis, 5, Weather::CALM, |_| Box::new(First));
    sim.run(400, |_| false);
    sim
}

/// The first step in which something else happened.
fn first_difference<G: Game>(a: &Sim<G>, b: &Sim<G>) -> usize {
    let told = |sim: &Sim<G>, step: u64| -> Vec<Happening<G>> {
        let of_step = sim.peers[0].happened.iter().filter(|(at, _)| *at == step);
        of_step.map(|(_, happening)| happening.clone()).collect()
    };
    (0..)
        .find(|&step| told(a, step) != told(b, step))
        .expect("two deals differ somewhere") as usize
}

fn same_until_seen<G: Game>(setup: &G::Setup, seats: usize, at_least: usize) {
    let first = game::<G>(setup, seats, 0);
    let mut deepest = 0;
    for lots in [40, 80, 120] {
        let second = game::<G>(setup, seats, lots);
        let differs = first_difference(&first, &second);
        deepest = deepest.max(differs);
        // The step that shows it has been sent when the one before is settled by all; until then nothing may differ.
        let until = |sim: &Sim<G>| sim.peers.iter().map(|peer| peer.settled[differs - 2]).min();
        assert_eq!(until(&first), until(&second), "the same pace");
        let sent = |sim: &Sim<G>, i: usize| -> Vec<(u64, usize)> {
            let sent = sim.peers[i].sent.iter();
            sent.filter(|(time, _)| Some(*time) < until(sim))
                .copied()
                .collect()
        };
        for i in 0..seats {
            assert!(!sent(&first, i).is_empty());
            assert_eq!(sent(&first, i), sent(&second, i), "peer {i}");
        }
    }
    assert!(
        deepest >= at_least,
        "differs too early to show anything: step {deepest}"
    );
}

#[test]
fn the_toy_game_tells_nothing_by_its_messages() {
    let setup = high_card::Setup {
        seats: 3,
        hand: 3,
        rounds: 1,
        phantoms: Default::default(),
    };
    // Keys, escrow, three shuffles, dealing, giving, passing, mixing: the first card played is the first difference.
    same_until_seen::<HighCard>(&setup, 3, 9);
}

#[test]
fn shamans_tells_nothing_by_its_messages() {
    same_until_seen::<Shamans>(&shamans::Setup::new(3), 3, 6);
}
