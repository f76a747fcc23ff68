//! Who decides in a seat that no person plays from here.

use std::fmt;
use std::str::FromStr;

use rand::{Rng, RngExt};
use shamans_core::shamans::{Action, View};

/// How well it is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skill {
    /// Anything that is legal.
    Random,
}

/// There is no player of this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no such player; there is: random")]
pub struct NoSuchSkill;

impl FromStr for Skill {
    type Err = NoSuchSkill;

    fn from_str(name: &str) -> Result<Skill, NoSuchSkill> {
        match name {
            "random" => Ok(Skill::Random),
            _ => Err(NoSuchSkill),
        }
    }
}

impl fmt::Display for Skill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Skill::Random => f.write_str("random"),
        }
    }
}

impl Skill {
    /// What to do now; nothing if there is nothing to decide.
    pub fn choose(self, view: &View<'_>, rng: &mut impl Rng) -> Option<Action> {
        match self {
            Skill::Random => {
                let mut legal = view.legal();
                if legal.is_empty() {
                    return None;
                }
                let at = rng.random_range(0..legal.len());
                Some(legal.swap_remove(at))
            }
        }
    }
}
