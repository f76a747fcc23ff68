//! A scenario taken move by move, with a look at the table from a seat between the moves: what a tutorial is made of.
//!
//! Statements of the scenario are passed over here; `Scenario::run` is what checks them.

use shamans_core::{
    game::Seat,
    shamans::{Action, Event, View},
};

use super::{Finding, Scenario, line::Move, line::Step, stage::Stage};

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextMove {
    /// Its line, from 1 on.
    pub line: usize,
    /// Who moves and what; `None` where the line is no seat's own move.
    pub by: Option<(Seat, Action)>,
}

/// A scenario being played.
#[derive(Clone)]
pub struct Walk<'a> {
    scenario: &'a Scenario,
    stage: Stage<'a>,
    at: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(scenario: &'a Scenario) -> Option<Walk<'a>> {
        let stage = Stage::new(&scenario.parsed)?;
        let walk = Walk {
            scenario,
            stage,
            at: 0,
        };
        Some(walk)
    }

    fn moves(&self) -> impl Iterator<Item = (usize, usize, &'a Move)> {
        let steps = self.scenario.parsed.steps.iter().enumerate();
        steps
            .skip(self.at)
            .filter_map(|(at, (line, step))| match step {
                Step::Move(wanted) => Some((at, *line, wanted)),
                Step::Refused(..) | Step::Holds(_) | Step::HoldsNot(_) => None,
            })
    }

    /// The next move; `None` at the end.
    pub fn next_move(&self) -> Option<NextMove> {
        let (_, line, wanted) = self.moves().next()?;
        let by = match *wanted {
            Move::Act(seat, deed) => {
                let action = self.stage.meant(seat, deed).ok();
                action.map(|action| (seat, action))
            }
            Move::GoesAway(_)
            | Move::ComesBack(_)
            | Move::Void
            | Move::Close
            | Move::EveryoneDeclines => None,
        };
        Some(NextMove { line, by })
    }

    /// Carries out the next move and tells what came of it; nothing at the end.
    pub fn advance(&mut self) -> Result<Vec<Event>, Finding> {
        let Some((at, line, wanted)) = self.moves().next() else {
            return Ok(Vec::new());
        };
        self.at = at + 1;
        let carried = self.stage.carry_out(wanted);
        carried.map_err(|(expected, found)| Finding {
            line,
            expected,
            found,
        })?;
        Ok(self.stage.events.clone())
    }

    /// Looks at the table from `seat`, which sees what it would see in play.
    pub fn look<T>(&self, seat: Seat, look: impl FnOnce(&View<'_>) -> T) -> T {
        let known = self.stage.dealer.known(seat);
        look(&self.stage.game.view(Some(seat), known))
    }
}
