//! Who sits at the keyboard of a simulated peer.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use shamans_core::game::{Game, Known, Seat};
use shamans_core::shamans::{Action, Ritual, Shamans};

/// What a simulated player does when it may act.
pub trait Player<G: Game> {
    /// Chooses among legal actions; `None` waits.
    fn choose(&mut self, game: &G, seat: Seat, known: &Known, turn: bool) -> Option<G::Action>;

    /// The same player in a forked simulation.
    fn fork(&self) -> Box<dyn Player<G>>;
}

/// Plays any legal move; interrupts one time in so many.
#[derive(Clone)]
pub struct Anything {
    rng: ChaCha20Rng,
    interrupt_one_in: u32,
}

impl Anything {
    /// Seeded.
    pub fn new(seed: u64, interrupt_one_in: u32) -> Anything {
        Anything {
            rng: ChaCha20Rng::seed_from_u64(seed),
            interrupt_one_in,
        }
    }
}

impl<G: Game> Player<G> for Anything {
    fn choose(&mut self, game: &G, seat: Seat, known: &Known, turn: bool) -> Option<G::Action> {
        if !turn && !self.rng.random_ratio(1, self.interrupt_one_in) {
            return None;
        }
        let mut legal = game.legal(seat, known);
        if legal.is_empty() {
            return None;
        }
        let i = self.rng.random_range(0..legal.len());
        Some(legal.swap_remove(i))
    }

    fn fork(&self) -> Box<dyn Player<G>> {
        Box::new(self.clone())
    }
}

/// Keeps the cards that complete worlds, unless it could strike with one. So hands are full of such cards when somebody falls, and
/// what is rare elsewhere comes up: a Shadow's hand that completes several worlds at once (ELI-4).
#[derive(Clone)]
pub struct Hoarder(pub Anything);

impl Player<Shamans> for Hoarder {
    fn choose(&mut self, game: &Shamans, seat: Seat, known: &Known, turn: bool) -> Option<Action> {
        let view = game.view(Some(seat), known);
        let legal = game.legal(seat, known);
        let armed = view.tiles(seat).next().is_some();
        let plays = legal.iter().filter_map(|action| match action {
            Action::Play { card, .. } => {
                let laid = view.laid(card.world).len();
                let completes = laid + 1 == usize::from(view.rules().values);
                let strikes = view.rules().ritual(card.world) == Ritual::Neutralisation;
                // Strike; else fill a world up to all but one; else what is left.
                let worth = match completes {
                    true if armed && strikes => 100,
                    true => 0,
                    false => 1 + laid,
                };
                Some((worth, *action))
            }
            _ => None,
        });
        let best = plays.max_by_key(|(worth, _)| *worth).map(|(_, play)| play);
        let mut strikes = legal
            .iter()
            .filter(|action| matches!(action, Action::Strike { .. }));
        let strike = strikes.nth(self.0.rng.random_range(0..4)).copied();
        match (turn, strike.or(best)) {
            (true, Some(action)) => Some(action),
            (true, None) | (false, _) => self.0.choose(game, seat, known, turn),
        }
    }

    fn fork(&self) -> Box<dyn Player<Shamans>> {
        Box::new(self.clone())
    }
}

/// Plays the first legal move and never interrupts: what it does depends on no face.
pub struct First;

impl<G: Game> Player<G> for First {
    fn choose(&mut self, game: &G, seat: Seat, known: &Known, turn: bool) -> Option<G::Action> {
        game.legal(seat, known).into_iter().next().filter(|_| turn)
    }

    fn fork(&self) -> Box<dyn Player<G>> {
        Box::new(First)
    }
}
