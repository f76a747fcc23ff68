//! Who sits at the keyboard of a simulated peer.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use shamans_core::game::{Game, Known, Seat};
use shamans_core::shamans::{Action, Shamans};

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

/// Keeps the cards that complete worlds as long as it can, and strikes when it may. So hands are full of such cards when somebody
/// falls, and what is rare elsewhere comes up: a Shadow's hand that completes several worlds at once (ELI-4).
#[derive(Clone)]
pub struct Hoarder(pub Anything);

impl Player<Shamans> for Hoarder {
    fn choose(&mut self, game: &Shamans, seat: Seat, known: &Known, turn: bool) -> Option<Action> {
        let view = game.view(Some(seat), known);
        let legal = game.legal(seat, known);
        let plays = legal.iter().filter_map(|action| match action {
            Action::Play { card, .. } => Some((view.laid(card.world).len(), *action)),
            _ => None,
        });
        let least = plays.min_by_key(|(laid, _)| *laid).map(|(_, play)| play);
        let mut strikes = legal
            .iter()
            .filter(|action| matches!(action, Action::Strike { .. }));
        let strike = strikes.nth(self.0.rng.random_range(0..4)).copied();
        match (turn, strike.or(least)) {
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
