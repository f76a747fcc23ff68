//! The strong bot: takes what [`search`](super::search) finds best.

use rand::Rng;

use super::{Bot, search::Search};
use crate::shamans::{Action, View};

/// The most actions it looks into.
const FIELD: usize = 8;

/// Plays by looking ahead.
#[derive(Debug, Clone)]
pub struct Strong {
    /// Rounds to play out for a decision.
    budget: u32,
    search: Search,
}

impl Strong {
    /// What a table gives it: some hundredths of a second on one core, far from the second that [`pace`](super::pace) allows.
    pub const USUAL: u32 = 400;

    /// A strong bot that plays out about `budget` rounds for a decision.
    pub fn new(budget: u32) -> Strong {
        Strong {
            budget,
            search: Search::new(FIELD),
        }
    }
}

impl Bot for Strong {
    fn choose(&mut self, view: &View<'_>, rng: &mut dyn Rng) -> Option<Action> {
        let tried = self.search.run(view, self.budget, rng);
        tried.first().map(|tried| tried.action)
    }
}
