//! The sensible bot: weighs every legal action in expected victory points, from what lies on the table and what it holds.
//!
//! A Shaman follows the Destination and leads what others can follow; a Shadow hides while the pawn is far and pushes when a step
//! counts; daggers go to whom the plays speak against; swaps, portals, tiles and rituals are weighed by what they change. It looks
//! one move ahead and no further.
//!
//! `belief` says who is probably a Shadow, `outlook` what the round is worth, `cards` and `rites` what an action is.

use alloc::vec::Vec;

use rand::Rng;

use super::{Bot, advice::Arguments};
use crate::{
    game::Seat,
    shamans::{Action, Decision, Moment, Role, View, Way, World},
};

mod cards;
mod outlook;
mod reasons;
mod rites;

use outlook::Outlook;

/// Differences smaller than this, in victory points, are left to chance, so that the bot cannot be read like a book.
const WHIM: f32 = 0.03;

/// Plays by weighing what each action is worth.
#[derive(Debug, Clone, Default)]
pub struct Sensible {
    legal: Vec<Action>,
}

impl Sensible {
    /// A sensible bot.
    pub fn new() -> Sensible {
        Sensible::default()
    }

    /// What each of these actions is worth to `me`, in victory points.
    pub(super) fn weigh_into(
        &self,
        view: &View<'_>,
        me: Seat,
        actions: &[Action],
        worths: &mut Vec<f32>,
    ) {
        if let Some(decision) = view.decision() {
            let outlook = Outlook::new(view, me);
            let worth = |&action| outlook.worth(decision, action);
            worths.extend(actions.iter().map(worth));
        }
    }

    /// What speaks for and against each of these actions, in victory points.
    pub(super) fn arguments(
        &self,
        view: &View<'_>,
        me: Seat,
        actions: impl Iterator<Item = Action>,
    ) -> Vec<Arguments> {
        let outlook = Outlook::new(view, me);
        actions.map(|action| outlook.arguments(action)).collect()
    }
}

impl Bot for Sensible {
    fn choose(&mut self, view: &View<'_>, rng: &mut dyn Rng) -> Option<Action> {
        self.legal.clear();
        view.legal_into(&mut self.legal);
        if self.legal.len() < 2 {
            return self.legal.first().copied();
        }
        let (me, decision) = (view.seat()?, view.decision()?);
        let outlook = Outlook::new(view, me);
        let mut best: Option<(f32, Action)> = None;
        for &action in &self.legal {
            let whim = (rng.next_u32() >> 8) as f32 * (WHIM / 16_777_216.0);
            let worth = outlook.worth(decision, action) + whim;
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, action));
            }
        }
        best.map(|(_, action)| action)
    }
}

impl Outlook<'_> {
    /// What an action is worth in victory points, compared with others of the same decision.
    fn worth(&self, decision: &Decision, action: Action) -> f32 {
        match action {
            Action::Play { slot: _, card } => self.play(card),
            Action::Take(pick) => self.tile(pick),
            Action::MoveBack => self.back(),
            Action::TakeInstead => self.best_tile(),
            Action::Swap { with } => self.swap(with),
            Action::Strike {
                tile: _,
                face: _,
                target,
            } => self.strike(target),
            Action::Spare | Action::Decline => 0.0,
            Action::Portal {
                tile: _,
                face: _,
                way,
            } => self.portal(decision, way),
            Action::Give { slot } => self.give(slot),
            Action::Perform { world } => self.ritual(world),
            // Whoever is out gains nothing any more: the lead goes to whom it helps least.
            Action::NameGuide { seat } => -f32::from(self.view.points(seat)),
        }
    }

    /// POR-1, POR-2: a portal wins or saves the round, or waits.
    fn portal(&self, decision: &Decision, way: Way) -> f32 {
        const NEVER: f32 = -100.0;
        const AT_ONCE: f32 = 100.0;
        let distance = self.view.steps_to_moon();
        match (self.role, way) {
            (Role::Shadow, Way::Forward) if distance <= self.portals => AT_ONCE,
            (Role::Shaman, Way::Back) => {
                let saves = match *decision {
                    Decision::React {
                        seat: _,
                        waiting: _,
                        moment,
                    } => match moment {
                        // Each portal of ours undoes one step.
                        Moment::Moon { steps } => {
                            steps >= distance && steps < distance + self.portals
                        }
                        Moment::Dagger { by: _, target: _ } => false,
                        // The last chance to use it.
                        Moment::LastCards => true,
                    },
                    Decision::Play { .. }
                    | Decision::Take { .. }
                    | Decision::Stabilise { .. }
                    | Decision::Permute { .. }
                    | Decision::Strike { .. }
                    | Decision::Order { .. }
                    | Decision::Give { .. }
                    | Decision::NameGuide { .. } => false,
                };
                if saves { AT_ONCE } else { NEVER }
            }
            (Role::Shadow | Role::Shaman, Way::Forward) | (Role::Shadow, Way::Back) => NEVER,
        }
    }

    /// What performing a world's ritual is worth to the viewer.
    fn ritual(&self, world: World) -> f32 {
        self.rite(self.view.rules().ritual(world))
    }

    /// Everybody else who is still in.
    fn others(&self) -> impl Iterator<Item = Seat> + use<> {
        self.view.in_play().without(self.me).iter()
    }
}
