//! The easy bot: plays as somebody who knows the rules and not the game.
//!
//! It weighs its actions like the sensible bot but misjudges each of them, now and then it follows a whim, and it never holds on
//! to a good card for later. It does not do what anybody sees to be absurd, such as a Portal for the other team.

use alloc::vec::Vec;

use rand::{Rng, RngExt};

use super::{Bot, Sensible};
use crate::shamans::{Action, View};

/// How far each action is misjudged, in victory points.
const MISJUDGED: f32 = 0.8;
/// One decision in so many is a whim.
const WHIM_IN: u32 = 4;
/// What is worse than the best by this much, in victory points, is absurd.
const ABSURD: f32 = 3.0;

/// Plays with goodwill and little thought.
#[derive(Debug, Clone, Default)]
pub struct Easy {
    legal: Vec<Action>,
    worths: Vec<f32>,
    judge: Sensible,
}

impl Easy {
    /// An easy bot.
    pub fn new() -> Easy {
        Easy::default()
    }
}

impl Bot for Easy {
    fn choose(&mut self, view: &View<'_>, rng: &mut dyn Rng) -> Option<Action> {
        self.legal.clear();
        view.legal_into(&mut self.legal);
        if self.legal.len() < 2 {
            return self.legal.first().copied();
        }
        self.worths.clear();
        let me = view.seat()?;
        self.judge
            .weigh_into(view, me, &self.legal, &mut self.worths);
        let best = self.worths.iter().copied().fold(f32::MIN, f32::max);
        let misjudged = if rng.random_ratio(1, WHIM_IN) {
            ABSURD
        } else {
            MISJUDGED
        };
        let mut chosen: Option<(f32, Action)> = None;
        for (&action, &worth) in self.legal.iter().zip(&self.worths) {
            if worth < best - ABSURD {
                continue;
            }
            let seems = worth + misjudged * rng.random::<f32>();
            if chosen.is_none_or(|(most, _)| seems > most) {
                chosen = Some((seems, action));
            }
        }
        chosen.map(|(_, action)| action)
    }
}
