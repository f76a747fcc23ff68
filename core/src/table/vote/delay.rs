//! Who keeps the others waiting: silent, caught, or there without doing what a program does by itself.

use super::{Bound, read};
use crate::game::{Game, SeatSet};
use crate::log::{Kind, Mark, Step};
use crate::table::Table;
use crate::table::replica::{Decided, Waits};

impl<G: Game> Table<G> {
    /// The seats that the others may go on without: silent for longer than the grace time, stalling as long, or caught.
    pub fn missing(&self) -> SeatSet {
        let Some(me) = self.me() else {
            return SeatSet::EMPTY;
        };
        let grace = u64::from(self.grace());
        let stalling = if self.now.saturating_sub(self.open.since) > grace {
            self.behind()
        } else {
            SeatSet::EMPTY
        };
        self.replica
            .signers()
            .without(me)
            .iter()
            .filter(|&seat| {
                self.presence.silence(seat, self.now) > grace
                    || self.faults.contains_key(&seat)
                    || stalling.contains(seat)
            })
            .collect()
    }

    /// Who has not done what their program does by itself: contributions to the decks, signatures; and who keeps a vote waiting.
    pub(super) fn behind(&self) -> SeatSet {
        let signers = self.replica.signers();
        let shape = self.open.shape();
        let contributions = match self.replica.waits() {
            Waits::Deal { awaited } => awaited.minus(shape.deal),
            Waits::Game { .. } | Waits::Absence | Waits::Over => SeatSet::EMPTY,
        };
        let signatures = match self.open.step(&self.replica, &shape) {
            // Who has voted is bound and signs nothing for now.
            Some(step) if self.replica.is_complete(&shape) => signers
                .minus(self.signers_of(&step))
                .minus(self.bound_voters()),
            _ => SeatSet::EMPTY,
        };
        contributions.or(signatures).or(self.delaying())
    }

    fn signers_of(&self, step: &Step) -> SeatSet {
        self.open.signers_of(&step.mark(self.replica.table()))
    }

    /// Whose votes of the last number may still be decided.
    fn bound_voters(&self) -> SeatSet {
        let Some(last) = self.open.last_vote() else {
            return SeatSet::EMPTY;
        };
        self.open
            .votes(last)
            .filter(|signed| read(signed).is_some_and(|vote| !self.failed(last, &vote)))
            .map(|signed| signed.entry.seat)
            .collect()
    }

    /// Who keeps a vote of mine from leading on: has not voted, has not signed what was decided, or says to have signed something
    /// that nobody can put together.
    fn delaying(&self) -> SeatSet {
        match self.bound() {
            Bound::Free if self.replica.decided().is_none() => SeatSet::EMPTY,
            Bound::Undecided { unvoted } => unvoted,
            Bound::Free | Bound::Decided(_) => match (self.target(), self.bound()) {
                (Some((step, _, quorum)), _) => quorum.minus(self.signers_of(&step)),
                (None, Bound::Decided(decided)) => self.unmade(&decided),
                (None, Bound::Free | Bound::Undecided { .. }) => SeatSet::EMPTY,
            },
        }
    }

    /// Voters whose mark names a step of which entries or votes are not here.
    fn unmade(&self, decided: &Decided) -> SeatSet {
        let here = |mark: &Mark| match mark.kind {
            Kind::Play => self.open.step_marked(&self.replica, mark).is_some(),
            Kind::Absence => self.absence_marked(mark).is_some(),
        };
        decided
            .entries
            .iter()
            .filter(|signed| {
                read(signed)
                    .and_then(|vote| vote.signed)
                    .is_some_and(|mark| !here(&mark))
            })
            .map(|signed| signed.entry.seat)
            .collect()
    }
}
