//! What a peer sends, when and how much depends on public state only.
//!
//! Two tables that differ in nothing but the cards (other lots, so other seeds): up to the first difference that everyone sees, each peer
//! sends as much at the same moments.

use shamans_core::game::{Game, Known, Seat};
use shamans_core::shamans::{self, Action, Shamans};
use shamans_core::table::{Happening, Options};
use shamans_tests::high_card::{self, HighCard};
use shamans_tests::quick;
use shamans_tests::sim::{First, Player, Sim, Weather, sit_down_with};

const SEATS: usize = 3;

/// Plays the lowest card it may: hands that differ are often played alike for a while.
struct Lowest;

impl Player<Shamans> for Lowest {
    fn choose(&mut self, game: &Shamans, seat: Seat, known: &Known, turn: bool) -> Option<Action> {
        let legal = game.legal(seat, known);
        let card = |action: &Action| match action {
            Action::Play { card, .. } => Some((card.world, card.value)),
            _other => None,
        };
        legal.into_iter().min_by_key(card).filter(|_| turn)
    }

    fn fork(&self) -> Box<dyn Player<Shamans>> {
        Box::new(Lowest)
    }
}

fn game<G: Game>(setup: &G::Setup, lots: u8, player: Seated<G>) -> Sim<G> {
    let genesis = sit_down_with::<G>(setup, &[true; SEATS], Options::default(), lots);
    let mut sim = Sim::new(genesis, 5, Weather::CALM, |_| player());
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

type Seated<G> = fn() -> Box<dyn Player<G>>;

fn same_until_seen<G: Game>(
    setup: &G::Setup,
    player: Seated<G>,
    pairs: [(u8, u8); 3],
    at_least: usize,
) {
    let mut deepest = 0;
    for (one, other) in pairs {
        let first = game::<G>(setup, one, player);
        let second = game::<G>(setup, other, player);
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
        for i in 0..SEATS {
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
        seats: SEATS as u8,
        hand: 3,
        rounds: 1,
        phantoms: Default::default(),
    };
    // Keys, escrow, three shuffles, dealing, giving, passing, mixing: the first card played is the first difference.
    let pairs = [(0, 40), (0, 80), (0, 120)];
    same_until_seen::<HighCard>(&setup, || Box::new(First), pairs, 9);
}

/// The cards that are left over lie open at once: up to there.
#[test]
fn shamans_tells_nothing_by_its_messages() {
    let pairs = [(0, 40), (0, 80), (0, 120)];
    let setup = shamans::Setup::new(SEATS as u8);
    same_until_seen::<Shamans>(&setup, || Box::new(First), pairs, 6);
}

/// All cards are dealt, and of many deals these are played alike for longest: a whole trick with its artefact and ritual, and two moves of
/// the next, from hands that differ.
#[test]
fn hands_tell_nothing_while_they_are_played_alike() {
    let pairs = [(168, 123), (147, 42), (87, 69)];
    let setup = quick::quick(SEATS as u8);
    same_until_seen::<Shamans>(&setup, || Box::new(Lowest), pairs, 16);
}
