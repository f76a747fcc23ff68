//! Players that are programs. A bot gets a [`View`] and a source of chance, nothing else: it sees what a person in its seat
//! would see, and cannot cheat.
//!
//! Driven by simulation, by practise tables and by tests. No clock here: a bot that searches gets its budget as a number.

use alloc::boxed::Box;
use core::{fmt, str::FromStr};

use rand::Rng;

use crate::shamans::{Action, View};

pub mod advice;
mod belief;
mod easy;
mod manners;
pub mod moments;
pub mod pace;
mod prospect;
mod random;
mod search;
mod sensible;
mod strong;

pub use easy::Easy;
pub use manners::Manners;
pub use random::Random;
pub use sensible::Sensible;
pub use strong::Strong;

/// A player that decides by program. What it carries from move to move is only space to think in: every decision follows from
/// the view and the chance it is given, so a bot can be put in a seat at any moment.
pub trait Bot {
    /// What to do now, out of what is legal. To be asked when the viewer is awaited; `None` when there is nothing to decide.
    fn choose(&mut self, view: &View<'_>, rng: &mut dyn Rng) -> Option<Action>;
}

/// The bots there are, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Skill {
    /// [`Random`]: for tests.
    Random,
    /// [`Easy`].
    Easy,
    /// [`Sensible`].
    Sensible,
    /// [`Strong`], with its usual budget.
    Strong,
}

impl Skill {
    /// All of them, from weak to strong.
    pub const ALL: [Skill; 4] = [Skill::Random, Skill::Easy, Skill::Sensible, Skill::Strong];

    /// Those that a person may want to play against.
    pub const LEVELS: [Skill; 3] = [Skill::Easy, Skill::Sensible, Skill::Strong];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Skill::Random => "random",
            Skill::Easy => "easy",
            Skill::Sensible => "sensible",
            Skill::Strong => "strong",
        }
    }

    /// A bot of this skill.
    pub fn bot(self) -> Box<dyn Bot> {
        self.bot_with(Strong::USUAL)
    }

    /// A bot of this skill; one that searches plays out about `budget` rounds for a decision.
    pub fn bot_with(self, budget: u32) -> Box<dyn Bot> {
        match self {
            Skill::Random => Box::new(Random::new()),
            Skill::Easy => Box::new(Easy::new()),
            Skill::Sensible => Box::new(Sensible::new()),
            Skill::Strong => Box::new(Strong::new(budget)),
        }
    }
}

impl fmt::Display for Skill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no bot of this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no such bot; the bots are easy, sensible and strong, and random for tests")]
pub struct NoSuchBot;

impl FromStr for Skill {
    type Err = NoSuchBot;

    fn from_str(name: &str) -> Result<Skill, NoSuchBot> {
        Skill::ALL
            .into_iter()
            .find(|skill| skill.name() == name)
            .ok_or(NoSuchBot)
    }
}
