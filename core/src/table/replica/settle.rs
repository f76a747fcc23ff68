//! Putting steps together, and taking over steps that others have settled.

use alloc::vec::Vec;

use super::{Happening, Refusal, Replica, Waits};
use crate::game::{Game, Seat, SeatSet};
use crate::log::{Kind, Lane, Settle, Settled, Shape, SignedEntry, Step};

impl<G: Game> Replica<G> {
    /// The open step made of these entries, put in order: interrupts, awaited moves, contributions, words about the table; each in
    /// turn order from the first awaited seat.
    pub fn put_together(&self, mut entries: Vec<SignedEntry>) -> Step {
        let awaited = match self.waits() {
            Waits::Game { awaited, .. } | Waits::Deal { awaited } => awaited,
            Waits::Absence | Waits::Over => SeatSet::EMPTY,
        };
        let seats = self.game.seats();
        let active = awaited.iter().next().unwrap_or(Seat(0));
        entries.sort_by_key(|signed| {
            let seat = signed.entry.seat;
            let rank = match signed.entry.lane {
                Lane::Game if !awaited.contains(seat) => 0,
                Lane::Game => 1,
                Lane::Deal => 2,
                Lane::Table => 3,
                Lane::Vote(_) => 4,
            };
            (rank, (seat.index() + seats - active.index()) % seats.max(1))
        });
        Step {
            number: self.number(),
            prev: self.prev(),
            kind: Kind::Play,
            entries,
        }
    }

    /// Can the open step be settled with entries of this shape? All that is awaited must be there; a game step may also settle with
    /// interrupts or words about the table alone, and what was awaited is awaited again.
    pub fn is_complete(&self, shape: &Shape) -> bool {
        match self.waits() {
            Waits::Game { awaited, .. } => {
                awaited.minus(shape.game).is_empty()
                    || !shape.game.minus(awaited).is_empty()
                    || !shape.table.is_empty()
            }
            Waits::Deal { awaited } => awaited.minus(shape.deal).is_empty(),
            // Nothing follows the end, so that there is one record of a finished game.
            Waits::Over | Waits::Absence => false,
        }
    }

    /// Whose signatures this step needs, if it may be settled at all.
    fn quorum(&self, settled: &Settled) -> Result<SeatSet, Refusal> {
        let mut quorum = self.signers;
        match settled.step.kind {
            Kind::Play => {}
            Kind::Absence => quorum = quorum.minus(self.decision_of(&settled.step)?.gone),
        }
        if !settled.excuses.is_empty() {
            for vote in &settled.excuses {
                vote.check(&self.table, self.key(vote.entry.seat))?;
            }
            let excused = self.decide(&settled.excuses, settled.step.number)?;
            // Votes that excuse nobody could as well be left out, and there is one record of a log.
            if quorum.and(excused.gone).is_empty() {
                return Err(Refusal::Order(settled.step.number));
            }
            quorum = quorum.minus(excused.gone);
        }
        Ok(quorum)
    }

    /// Checks a settled step in full: place, signatures, entries, order. Proofs take longest: they are looked at only when all have signed.
    pub fn check_settled(&mut self, settled: &Settled) -> Result<(), Refusal> {
        let step = &settled.step;
        if step.number != self.number() || step.prev != self.prev() {
            return Err(Refusal::NotNext(step.number));
        }
        for signed in &step.entries {
            signed.check(&self.table, self.key(signed.entry.seat))?;
        }
        let quorum = self.quorum(settled)?;
        self.check_signatures(settled, quorum)?;
        match step.kind {
            Kind::Play => {
                for signed in &step.entries {
                    self.check_entry(signed)?;
                }
                let places_differ = step.entries.iter().enumerate().all(|(i, a)| {
                    step.entries
                        .iter()
                        .skip(i + 1)
                        .all(|b| (a.entry.seat, a.entry.lane) != (b.entry.seat, b.entry.lane))
                });
                let votes = step
                    .entries
                    .iter()
                    .any(|signed| matches!(signed.entry.lane, Lane::Vote(_)));
                let in_order = self.put_together(step.entries.clone()) == *step;
                let complete = self.is_complete(&Shape::of(&step.entries));
                if !places_differ || votes || !in_order || !complete {
                    return Err(Refusal::Order(step.number));
                }
            }
            // Whose signatures it needs has told that its votes decide it.
            Kind::Absence => {}
        }
        Ok(())
    }

    /// Exactly these have signed.
    fn check_signatures(&self, settled: &Settled, quorum: SeatSet) -> Result<(), Refusal> {
        let step = &settled.step;
        let mut signed = settled.signatures.iter();
        for seat in quorum.iter() {
            if signed.next().map(|&(by, _)| by) != Some(seat) {
                return Err(Refusal::Unsigned {
                    step: step.number,
                    seat,
                });
            }
        }
        if signed.next().is_some() {
            return Err(Refusal::Order(step.number));
        }
        let mark = step.mark(&self.table);
        for &(seat, signature) in &settled.signatures {
            let settle = Settle {
                step: step.number,
                seat,
                mark,
                signature,
            };
            settle.check(&self.table, self.key(seat))?;
        }
        Ok(())
    }

    /// The last settled step with other signatures and excuses than those it was settled with here: what must follow it then follows from
    /// these. Some may have settled it by a vote that others never saw decided.
    pub(crate) fn settle_anew(&mut self, settled: &Settled) -> Result<(), Refusal> {
        let step = &settled.step;
        if step.number + 1 != self.number() || step.digest(&self.table) != self.prev() {
            return Err(Refusal::NotNext(step.number));
        }
        let mut quorum = match step.kind {
            Kind::Play => self.before,
            Kind::Absence => self.before.and(self.signers),
        };
        let mut decided = None;
        if !settled.excuses.is_empty() {
            for vote in &settled.excuses {
                vote.check(&self.table, self.key(vote.entry.seat))?;
            }
            let mut excused = self.decide(&settled.excuses, step.number)?;
            if quorum.and(excused.gone).is_empty() {
                return Err(Refusal::Order(step.number));
            }
            quorum = quorum.minus(excused.gone);
            excused.gone = excused.gone.and(self.signers);
            decided = Some(excused).filter(|excused| !excused.gone.is_empty());
        }
        self.check_signatures(settled, quorum)?;
        self.decided = decided;
        Ok(())
    }

    /// Checks a settled step and carries it out.
    pub fn accept(&mut self, settled: &Settled) -> Result<Vec<Happening<G>>, Refusal> {
        self.check_settled(settled)?;
        self.apply(settled)
    }
}
