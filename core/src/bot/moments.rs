//! What happened in a round: how likely each team and each seat was to win after every step, and the steps that changed it most.
//!
//! For the time after the round, when all eyes may look into all hands: each position is played out many times with everybody's
//! own cards and identities as they were; only what nobody had seen yet, such as the order of the pile, is dealt anew. No search: the
//! players play on sensibly. Driven by whoever walks through a finished round, a record's replay or a practise table, away from the
//! thread that draws. The same seed gives the same curve; the work is bounded by positions times tries.

use alloc::vec::Vec;

use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use super::search::{self, Beliefs, Outcome, Search};
use crate::{
    game::{Awaits, Game, Known, PerSeat},
    shamans::{Role, Shamans, View},
};

/// How things stood at one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scene {
    /// The step, as the caller counts.
    pub step: u64,
    /// How likely the Shadows win the round.
    pub shadows: f32,
    /// How likely each seat wins the game.
    pub chances: PerSeat<f32>,
}

/// A change from one scene to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Swing {
    /// The step that brought it.
    pub step: u64,
    /// How likely the Shadows were to win the round before,
    pub before: f32,
    /// and after.
    pub after: f32,
}

impl Swing {
    /// How much it was, whichever way.
    pub fn size(&self) -> f32 {
        (self.after - self.before).abs()
    }

    /// Whom it helped.
    pub fn helped(&self) -> Role {
        if self.after > self.before {
            Role::Shadow
        } else {
            Role::Shaman
        }
    }
}

/// The story of one round, as it is being walked through.
#[derive(Debug, Clone)]
pub struct Story {
    search: Search,
    tries: u32,
    seed: u64,
    scenes: Vec<Scene>,
}

impl Story {
    /// Rounds to play out for a position: a curve that is right to a few per cent.
    pub const USUAL: u32 = 120;

    /// A story that plays out `tries` rounds for each position.
    pub fn new(tries: u32, seed: u64) -> Story {
        Story {
            search: Search::new(0),
            tries: tries.max(1),
            seed,
            scenes: Vec::new(),
        }
    }

    /// Looks at the table after a step. `seen` is what each seat had seen by then, in any order; a phantom has seen nothing. A
    /// position in which cards are under way is passed over: the next one tells.
    pub fn observe<'a>(
        &mut self,
        step: u64,
        game: &Shamans,
        seen: impl IntoIterator<Item = &'a Known>,
    ) {
        let mut all = Known::new();
        for known in seen {
            for (slot, face) in known.faces() {
                all.learn(slot, face);
            }
        }
        let view = game.view(None, &all);
        if let Some((shadows, chances)) = self.look(&view, game) {
            self.scenes.push(Scene {
                step,
                shadows,
                chances,
            });
        }
    }

    fn look(&mut self, view: &View<'_>, game: &Shamans) -> Option<(f32, PerSeat<f32>)> {
        if let Some(winner) = view.round_winner() {
            let outcome = search::outcome(game);
            let shadows = f32::from(u8::from(winner == Role::Shadow));
            return Some((shadows, outcome.chances));
        }
        match game.awaits() {
            Awaits::Seats(_) => {}
            Awaits::Decks(_) | Awaits::Nothing => return None,
        }
        let beliefs = Beliefs::new(view);
        // The same luck in every position, as far as it is asked for in the same order.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let (mut shadows, mut chances, mut rounds) = (0.0, PerSeat::<f32>::default(), 0.0f32);
        for _ in 0..self.tries {
            let table = view.imagine(&beliefs.guess(&mut rng), &mut rng);
            let played = self.search.play_out(None, table, None, 0, &mut rng);
            let Some(Outcome {
                winner,
                chances: won,
            }) = played
            else {
                continue;
            };
            shadows += f32::from(u8::from(winner == Some(Role::Shadow)));
            chances = PerSeat::from_fn(|seat| chances[seat] + won[seat]);
            rounds += 1.0;
        }
        let rounds = rounds.max(1.0);
        Some((
            shadows / rounds,
            PerSeat::from_fn(|seat| chances[seat] / rounds),
        ))
    }

    /// The curve: every position looked at, in order.
    pub fn scenes(&self) -> &[Scene] {
        &self.scenes
    }

    /// The `most` greatest changes of the round's odds, in the order of the round.
    pub fn swings(&self, most: usize) -> Vec<Swing> {
        let mut swings: Vec<Swing> = self
            .scenes
            .iter()
            .zip(self.scenes.iter().skip(1))
            .map(|(from, to)| Swing {
                step: to.step,
                before: from.shadows,
                after: to.shadows,
            })
            .filter(|swing| swing.size() > 0.0)
            .collect();
        swings.sort_by(|a, b| b.size().total_cmp(&a.size()));
        swings.truncate(most);
        swings.sort_by_key(|swing| swing.step);
        swings
    }
}
