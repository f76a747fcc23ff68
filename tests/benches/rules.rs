//! What an action costs, by phase: applying it and answering what the decks are asked for, without the copy it is tried on.
//! `cargo bench --package shamans-tests --bench rules`.

use divan::{Bencher, black_box};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use shamans_core::{
    bot::{Bot, Random},
    game::{Awaits, ClearDealer, Game, Seat},
    shamans::{Action, Decision, Event, Setup, Shamans},
};

fn main() {
    divan::main();
}

/// A position at a table of five and what is done there.
#[derive(Clone)]
struct Moment {
    game: Shamans,
    dealer: ClearDealer,
    seat: Seat,
    action: Action,
}

impl Moment {
    /// Does it; says whether the round ended.
    fn go_on(&mut self, rng: &mut Xoshiro256PlusPlus, events: &mut Vec<Event>) -> bool {
        events.clear();
        self.game
            .apply_into(self.seat, self.action, events)
            .unwrap();
        self.dealer.serve_into(&mut self.game, rng, events).unwrap();
        events
            .iter()
            .any(|event| matches!(event, Event::RoundEnded { .. }))
    }
}

/// Positions out of random games, those that `wanted` picks by the decision and by whether the action ends the round.
fn moments(wanted: impl Fn(&Decision, bool) -> bool) -> Vec<Moment> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let (mut found, mut events, mut bot) = (Vec::new(), Vec::new(), Random::new());
    while found.len() < 200 {
        let mut game = Shamans::new(&Setup::new(5)).unwrap();
        let mut dealer = ClearDealer::new(5);
        dealer.serve(&mut game, &mut rng, |_| {}).unwrap();
        while let Awaits::Seats(seats) = game.awaits() {
            let seat = seats.iter().next().unwrap();
            let view = game.view(Some(seat), dealer.known(seat));
            let action = bot.choose(&view, &mut rng).unwrap();
            let decision = *game.decision().unwrap();
            let before = Moment {
                game,
                dealer,
                seat,
                action,
            };
            let mut after = before.clone();
            let ends = after.go_on(&mut rng, &mut events);
            if wanted(&decision, ends) {
                found.push(before);
            }
            (game, dealer) = (after.game, after.dealer);
        }
    }
    found
}

fn measure(bencher: Bencher<'_, '_>, wanted: impl Fn(&Decision, bool) -> bool) {
    let moments = moments(wanted);
    let mut next = moments.iter().cycle();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let mut events = Vec::with_capacity(64);
    bencher
        .with_inputs(|| next.next().unwrap().clone())
        .bench_local_refs(|moment| black_box(moment.go_on(&mut rng, &mut events)));
}

/// A card, up to the next decision.
#[divan::bench]
fn play(bencher: Bencher<'_, '_>) {
    measure(bencher, |decision, ends| {
        !ends && matches!(decision, Decision::Play { .. })
    });
}

/// A tile, with the refill.
#[divan::bench]
fn take(bencher: Bencher<'_, '_>) {
    measure(bencher, |decision, ends| {
        !ends && matches!(decision, Decision::Take { .. })
    });
}

/// An answer when portals are asked for.
#[divan::bench]
fn react(bencher: Bencher<'_, '_>) {
    measure(bencher, |decision, ends| {
        !ends && matches!(decision, Decision::React { .. })
    });
}

/// A choice at the Eclipse; the last one passes and mixes.
#[divan::bench]
fn eclipse(bencher: Bencher<'_, '_>) {
    measure(bencher, |decision, ends| {
        !ends && matches!(decision, Decision::Give { .. })
    });
}

/// The action that ends a round, with the scoring and the next deal.
#[divan::bench]
fn round_end(bencher: Bencher<'_, '_>) {
    measure(bencher, |_, ends| ends);
}

/// A deal.
#[divan::bench]
fn deal(bencher: Bencher<'_, '_>) {
    let game = Shamans::new(&Setup::new(5)).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut events = Vec::with_capacity(64);
    bencher
        .with_inputs(|| (game.clone(), ClearDealer::new(5)))
        .bench_local_refs(|(game, dealer)| {
            events.clear();
            dealer.serve_into(game, &mut rng, &mut events).unwrap();
        });
}

/// All legal actions of a hand.
#[divan::bench]
fn list(bencher: Bencher<'_, '_>) {
    let moments = moments(|decision, _| matches!(decision, Decision::Play { .. }));
    let mut next = moments.iter().cycle();
    let mut actions = Vec::with_capacity(32);
    bencher.bench_local(|| {
        let moment = next.next().unwrap();
        actions.clear();
        let known = moment.dealer.known(moment.seat);
        moment.game.legal_into(moment.seat, known, &mut actions);
        black_box(actions.len())
    });
}
