//! The random bot: any legal action, each as likely as the other.

use alloc::vec::Vec;

use rand::{Rng, RngExt};

use super::Bot;
use crate::shamans::{Action, View};

/// Plays anything legal.
#[derive(Debug, Clone, Default)]
pub struct Random {
    legal: Vec<Action>,
}

impl Random {
    /// A random bot.
    pub fn new() -> Random {
        Random::default()
    }
}

impl Bot for Random {
    fn choose(&mut self, view: &View<'_>, rng: &mut dyn Rng) -> Option<Action> {
        self.legal.clear();
        view.legal_into(&mut self.legal);
        match self.legal.len() {
            0 => None,
            1 => self.legal.first().copied(),
            n => self.legal.get(rng.random_range(0..n)).copied(),
        }
    }
}
