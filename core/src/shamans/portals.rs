//! Portals and the moments that ask for them: POR-1 to POR-4. Also the pawn's way to the Moon.

use alloc::vec::Vec;

use super::{
    Shamans,
    card::{Role, Way},
    event::{EndCause, Event, PawnCause},
    state::{Decision, Moment, Phase, Task},
};
use crate::game::{Seat, SeatSet, Slot};

impl Shamans {
    /// POR-3: who is asked, and who may use one unasked (POR-1). A phantom never does (PHA-2), and all know that.
    pub(super) fn may_use_portal(&self) -> SeatSet {
        let people = self.rules.everyone().minus(self.phantoms());
        people
            .iter()
            .filter(|&seat| self.round.places[seat].may_hold_portal())
            .collect()
    }

    /// POR-2: asks everyone in turn order if the moment holds; POR-4: it is worked out anew each time.
    pub(super) fn reach_moment(&mut self, moment: Moment) {
        let distance = self.rules.moon - self.round.pawn;
        let holds = match moment {
            Moment::Moon { steps } => steps >= distance,
            Moment::Dagger { by: _, target: _ } => true,
            Moment::LastCards => distance <= self.rules.last_call,
        };
        let asked = if holds {
            self.may_use_portal()
        } else {
            SeatSet::EMPTY
        };
        self.ask_for_portal(moment, asked);
    }

    fn ask_for_portal(&mut self, moment: Moment, asked: SeatSet) {
        match asked.next_from(self.round.turn, self.rules.seats()) {
            Some(seat) => self.decide(Decision::React {
                seat,
                waiting: asked.without(seat),
                moment,
            }),
            None => self.phase = Phase::Running,
        }
    }

    /// POR-3: the next in turn order; when all have declined in a row, play goes on.
    pub(super) fn ask_next_for_portal(&mut self) {
        if let Phase::Deciding(Decision::React {
            seat: _,
            waiting,
            moment,
        }) = self.phase
        {
            self.ask_for_portal(moment, waiting);
        }
    }

    /// POR-1: the portal is discarded; its own step asks nobody, and the Moon ends the round at once.
    pub(super) fn use_portal(&mut self, seat: Seat, tile: Slot, way: Way, events: &mut Vec<Event>) {
        self.round.places[seat]
            .tiles
            .retain(|held| held.slot != tile);
        events.push(Event::PortalUsed { seat, way });
        match way {
            Way::Forward => self.advance(1, PawnCause::Portal, events),
            Way::Back => self.retreat(1, PawnCause::Portal, events),
        }
        // POR-3: a use asks everyone again.
        if let Phase::Deciding(Decision::React {
            seat: _,
            waiting: _,
            moment,
        }) = self.phase
        {
            self.resume_with(Task::Moment(moment));
        }
    }

    /// Towards the Moon. END-1: there the Shadows win at once.
    pub(super) fn advance(&mut self, steps: u8, cause: PawnCause, events: &mut Vec<Event>) {
        let from = self.round.pawn;
        let to = from.saturating_add(steps).min(self.rules.moon);
        self.round.pawn = to;
        events.push(Event::PawnMoved { from, to, cause });
        if to == self.rules.moon {
            self.end_round(Role::Shadow, EndCause::Moon, events);
        }
    }

    /// Away from it, never below the first space (SET-1).
    pub(super) fn retreat(&mut self, steps: u8, cause: PawnCause, events: &mut Vec<Event>) {
        let from = self.round.pawn;
        let to = from.saturating_sub(steps);
        self.round.pawn = to;
        events.push(Event::PawnMoved { from, to, cause });
    }
}
