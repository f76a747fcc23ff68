//! Audits run by the driver.
//!
//! When a deal's secrets are revealed, everything done with them is done again and compared: the longest piece of work at a table.
//! By itself a table does it within the step that reveals them. A driver that must not stop that long calls [`Table::defer_audits`] once, then
//! takes each [`Audit`] and runs it wherever and whenever it likes, at once on another thread or one seat after another, while
//! the next deal goes on; what it found comes back with [`Table::audited`]. No step hangs on a verdict, so all peers stay together.

use super::{Happening, Output, Table};
use crate::deal;
use crate::game::Game;

/// The audit of one deal: owns all it needs and changes nothing.
#[derive(Clone, Debug)]
pub struct Audit {
    deal: u32,
    step: u64,
    job: deal::Audit,
}

/// What an audit has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audited {
    deal: u32,
    step: u64,
    verdict: deal::Verdict,
}

impl Audit {
    /// Checks one more seat. The result once all are checked.
    pub fn advance(&mut self) -> Option<Audited> {
        let verdict = self.job.advance()?;
        Some(Audited {
            deal: self.deal,
            step: self.step,
            verdict,
        })
    }

    /// Checks all seats.
    pub fn run(mut self) -> Audited {
        loop {
            if let Some(audited) = self.advance() {
                return audited;
            }
        }
    }
}

impl<G: Game> Table<G> {
    /// From now on the driver runs the audits.
    pub fn defer_audits(&mut self) {
        self.replica.defer_audits();
    }

    /// An audit to run. Give what it finds to [`Table::audited`].
    pub fn take_audit(&mut self) -> Option<Audit> {
        self.audits.pop_front()
    }

    /// Has an audit been begun whose result is not here yet?
    pub fn is_auditing(&self) -> bool {
        self.replica.audits().len() < self.replica.revealed_deals()
    }

    /// The result of an audit that was taken.
    pub fn audited(&mut self, audited: Audited) {
        let Audited {
            deal,
            step,
            verdict,
        } = audited;
        if self.replica.note_verdict(deal, verdict.clone()) {
            let happening = Happening::Audited { deal, verdict };
            self.out.push_back(Output::Happened { step, happening });
        }
    }

    /// A step may have revealed a deal.
    pub(super) fn queue_audit(&mut self, step: u64) {
        if let Some((deal, job)) = self.replica.take_unaudited() {
            self.audits.push_back(Audit { deal, step, job });
        }
    }
}
