//! Checking a record: every signature, every move, every proof, every revealed seed.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Record;
use crate::deal::{SeatVerdict, Verdict};
use crate::game::{Game, Seat, SeatSet};
use crate::log::TableId;
use crate::table::{Happening, Replica};

/// What the check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The game is over and everything was as it should be.
    Fair,
    /// Everything so far was as it should be, but the game is not over.
    Unfinished,
    /// Something is wrong.
    Unfair {
        /// In which step; 0 is the genesis.
        step: u64,
        /// Whose wrong it is, if it is one seat's.
        seat: Option<Seat>,
        /// What.
        reason: String,
    },
}

/// What is known of one deal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DealReport {
    /// Its number at this table.
    pub number: u32,
    /// Seats that held keys and whose revealed seeds explain all they did.
    pub audited: SeatSet,
    /// Seats whose seed was never revealed: only their proofs hold.
    pub proofs_only: SeatSet,
}

/// The result of checking a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The table's name.
    pub table: TableId,
    /// The four numbers of its phrase.
    pub phrase: [u8; 4],
    /// Who held the seats; `None` for phantoms.
    pub players: Vec<Option<String>>,
    /// Who ran the bots among them; `None` for everyone else.
    pub operators: Vec<Option<String>>,
    /// What was found.
    pub finding: Finding,
    /// How many steps were checked.
    pub steps: u64,
    /// How many signatures, of entries and of settlements.
    pub signatures: u64,
    /// Deals begun.
    pub deals: u32,
    /// Deals whose secrets were revealed and checked.
    pub audits: Vec<DealReport>,
}

/// Checks a record from the first byte to the last.
pub fn verify<G: Game>(record: &Record) -> Report {
    let genesis = &record.genesis.genesis;
    let mut report = Report {
        table: genesis.table(),
        phrase: genesis.phrase(),
        players: genesis
            .holders()
            .into_iter()
            .map(|holder| holder.name().map(String::from))
            .collect(),
        operators: genesis
            .holders()
            .into_iter()
            .map(|holder| holder.operator().map(String::from))
            .collect(),
        finding: Finding::Unfinished,
        steps: 0,
        signatures: 0,
        deals: 0,
        audits: Vec::new(),
    };
    let mut replica = match Replica::<G>::new(&record.genesis, None) {
        Ok((replica, _)) => replica,
        Err(error) => {
            report.finding = Finding::Unfair {
                step: 0,
                seat: None,
                reason: error.to_string(),
            };
            return report;
        }
    };
    report.signatures += record.genesis.signatures.len() as u64;
    for settled in &record.steps {
        let step = replica.number();
        let happened = match replica.accept(settled) {
            Ok(happened) => happened,
            Err(refusal) => {
                report.finding = Finding::Unfair {
                    step,
                    seat: refusal.culprit(),
                    reason: refusal.to_string(),
                };
                return report;
            }
        };
        report.steps = step;
        report.signatures +=
            (settled.step.entries.len() + settled.signatures.len() + settled.excuses.len()) as u64;
        report.deals = replica.deals();
        for happening in happened {
            if let Happening::Audited { deal, verdict } = happening {
                if let Some(fault) = verdict.differences().next() {
                    report.finding = Finding::Unfair {
                        step,
                        seat: Some(fault.culprit),
                        reason: fault.to_string(),
                    };
                    return report;
                }
                report.audits.push(deal_report(deal, &verdict));
            }
        }
    }
    if replica.is_over() {
        report.finding = Finding::Fair;
    }
    report
}

fn deal_report(number: u32, verdict: &Verdict) -> DealReport {
    let seats = |wanted: fn(&SeatVerdict) -> bool| {
        verdict
            .seats
            .iter()
            .filter(|(_, verdict)| wanted(verdict))
            .map(|(seat, _)| *seat)
            .collect()
    };
    DealReport {
        number,
        audited: seats(|verdict| *verdict == SeatVerdict::Audited),
        proofs_only: seats(|verdict| *verdict == SeatVerdict::ProofsOnly),
    }
}
