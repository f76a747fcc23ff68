//! Advice: what the strong bot would do in a player's place, how likely the game is won with each choice, and why, from what that
//! player sees and nothing else.
//!
//! Data only: the words are the client's. Driven by whoever shows hints, away from the thread that draws.

use alloc::vec::Vec;

use arrayvec::ArrayVec;
use rand::Rng;

use super::{Sensible, search::Search};
use crate::{
    game::Seat,
    shamans::{Action, Artefact, Ritual, View, World},
};

/// What an action does, or may do. Likelihoods go from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reason {
    /// TRK-3: it follows the Destination; the pawn stays.
    Follows,
    /// TRK-4: it strays; the pawn goes one step. `forced`: there was nothing to follow with.
    Strays {
        /// No card of the Destination in hand.
        forced: bool,
    },
    /// TRK-1: so many others will probably stray from this world.
    OthersStray {
        /// About how many steps.
        steps: f32,
    },
    /// The pawn goes this far, back if below 0.
    MovesPawn {
        /// Steps.
        steps: i8,
    },
    /// END-1: the round is won or lost with it, at once.
    ReachesMoon,
    /// POR-2: the pawn is kept from the Moon.
    KeepsFromMoon,
    /// TRK-7: the card may stay the lowest and bring a tile.
    Lowest {
        /// How likely.
        likely: f32,
    },
    /// TRK-7: the card may stay the highest and bring the next lead.
    Highest {
        /// How likely.
        likely: f32,
    },
    /// TRK-5: a world may be complete with it.
    Completes {
        /// Which world,
        world: World,
        /// and what then happens.
        ritual: Ritual,
    },
    /// The last card of this world leaves the hand: the next time it is led, the player strays.
    LastOf {
        /// Which world.
        world: World,
    },
    /// Others see a player stray who could have followed.
    GivesAway,
    /// The Shadow plays like a Shaman and stays hidden.
    StaysHidden,
    /// ART-5: the identity lies open from now on.
    ShowsIdentity,
    /// ART-1: this tile; `None` for the top of the pile.
    Takes {
        /// What.
        artefact: Option<Artefact>,
    },
    /// ART-6: with this tile the Moonstones pay.
    CompletesMoonstones,
    /// RIT-4: eliminates this player.
    Hits {
        /// Whom.
        target: Seat,
        /// How likely a Shadow.
        shadow: f32,
    },
    /// RIT-2: takes the identity of this player.
    Becomes {
        /// Whose.
        with: Seat,
        /// How likely a Shadow's.
        shadow: f32,
    },
    /// Keeps a tile for a better moment.
    Waits,
    /// Keeps a rival from the lead.
    HoldsBack {
        /// Whom.
        seat: Seat,
    },
}

/// A reason and its weight in victory points: above 0 it speaks for the action, below against it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Argument {
    /// What.
    pub reason: Reason,
    /// How much.
    pub weight: f32,
}

/// The most reasons one action has.
pub const MAX_ARGUMENTS: usize = 8;

/// What speaks for and against an action, the weightiest first.
pub type Arguments = ArrayVec<Argument, MAX_ARGUMENTS>;

/// One of the choices.
#[derive(Debug, Clone, PartialEq)]
pub struct Counsel {
    /// What to do.
    pub action: Action,
    /// How likely the player wins the game with it, from 0 to 1.
    pub chance: f32,
    /// Rounds played out to find that.
    pub tries: u32,
    /// Why.
    pub arguments: Arguments,
}

/// What `view`'s seat can do now, best first; empty when it is not awaited. About `budget` rounds are played out; the same view and
/// chance give the same advice.
pub fn advise(view: &View<'_>, budget: u32, rng: &mut dyn Rng) -> Vec<Counsel> {
    let Some(me) = view.seat() else {
        return Vec::new();
    };
    let tried = Search::new(usize::MAX).run(view, budget, rng);
    let base = tried
        .first()
        .filter(|best| best.tries > 0)
        .map_or(0.0, |best| best.sum / best.tries as f32 - best.prior);
    let arguments = Sensible::new().arguments(view, me, tried.iter().map(|tried| tried.action));
    tried
        .iter()
        .zip(arguments)
        .map(|(tried, arguments)| Counsel {
            action: tried.action,
            chance: tried.chance(base).clamp(0.0, 1.0),
            tries: tried.tries,
            arguments,
        })
        .collect()
}
