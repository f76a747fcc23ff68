//! What a checked record proves and what it does not, in plain words: exactly as much as was found.

use shamans_core::record::{Finding, Report};
use shamans_net::words::tr;

/// The explanation, a paragraph or a heading each.
pub fn lines(report: &Report) -> Vec<String> {
    let whole = report.audits.len() == report.deals as usize
        && report.audits.iter().all(|deal| deal.proofs_only.is_empty());
    let (checked, proves, end) = match report.finding {
        Finding::Unfair { step: 0, .. } => (
            vec![
                tr("What was checked"),
                tr(
                    "  Only how the table was set up and who signed that: it is not in order, so nothing else was looked at.",
                ),
            ],
            unfair(),
            None,
        ),
        Finding::Unfair { .. } => (
            vec![tr("What was checked before the step named above"), log()],
            unfair(),
            Some(tr(
                "The check stopped at the step named above: nothing after it was looked at.",
            )),
        ),
        Finding::Fair => (
            vec![tr("What was checked"), log(), seeds(whole)],
            fair(whole),
            None,
        ),
        Finding::Unfinished => (
            vec![tr("What was checked"), log(), seeds(whole)],
            fair(whole),
            Some(tr(
                "The game in this file is not over. What is there is in order; what came after is not in it.",
            )),
        ),
    };
    let mut lines = checked;
    lines.extend([
        tr("What that proves"),
        proves,
        tr("What it does not prove"),
        tr("  That nobody looked at another's screen or told their cards; that the people behind the keys are who they say
  (read the four words of the table aloud for that); or that all other players together did not share what they saw."),
    ]);
    lines.extend(end);
    lines
}

fn log() -> String {
    tr("  Everyone who sat at the table signed who sits where, which game is played, and with which numbers.
  Each move is signed by who made it, and each step by everyone who was at the table: nobody can have been
  shown another history. Every move was played again under the rules, and every card that was shown was proved
  to be the card that had been dealt. Every shuffle, deal and exchange of hidden cards carries a proof, and all were checked.")
}

fn seeds(whole: bool) -> String {
    match whole {
        true => tr("  After each round the players' seeds were revealed: everything they did with the cards was done again from
  the seeds and was the same, and each seed is the one its player had committed to before seeing a card."),
        false => tr("  Not every seed is revealed in this file: a round is not over, was broken off, or somebody was away at its end.
  From those that are, everything was done again and was the same; for the others only the proofs were checked."),
    }
}

fn fair(whole: bool) -> String {
    match whole {
        true => tr("  Nobody chose or saw cards they were not to see, nobody changed a card or a move later, and nothing is missing
  between the first step and the last one in this file."),
        false => tr("  Nobody added, took away or exchanged a card, nobody changed a card or a move later, and nothing is missing
  between the first step and the last one in this file. How somebody shuffled whose seed is not revealed does not show;
  the deal was random all the same if only one of those who shuffled was honest."),
    }
}

fn unfair() -> String {
    tr("  This file is not the record of a fair game. If a player is named, a signed word of theirs is against the rules,
  or something of theirs is missing or damaged; the latter can also be the work of whoever passed the file on.")
}

#[cfg(test)]
mod tests {
    use shamans_core::game::{Seat, SeatSet};
    use shamans_core::log::Digest;
    use shamans_core::record::DealReport;

    use super::*;

    fn report(finding: Finding, deals: u32, away: SeatSet) -> Report {
        let deal = |number: u32| DealReport {
            number,
            audited: SeatSet::first(3).minus(away),
            proofs_only: away,
        };
        Report {
            table: Digest([0; 32]),
            phrase: [0; 4],
            players: Vec::new(),
            operators: Vec::new(),
            finding,
            steps: 9,
            signatures: 9,
            deals,
            audits: (1..=2).map(deal).collect(),
        }
    }

    #[test]
    fn no_more_is_said_than_was_found() {
        let said = |report: &Report, words: &str| lines(report).join(" ").contains(words);
        let whole = report(Finding::Fair, 2, SeatSet::EMPTY);
        assert!(said(&whole, "seeds were revealed") && said(&whole, "Nobody chose"));
        let away = report(Finding::Fair, 2, SeatSet::one(Seat(1)));
        let broken_off = report(Finding::Fair, 3, SeatSet::EMPTY);
        let unfinished = report(Finding::Unfinished, 3, SeatSet::EMPTY);
        for report in [&away, &broken_off, &unfinished] {
            assert!(!said(report, "seeds were revealed") && !said(report, "Nobody chose"));
            assert!(said(report, "only the proofs"));
        }
        assert!(said(&unfinished, "is not over") && !said(&away, "is not over."));
        for step in [0, 7] {
            let finding = Finding::Unfair {
                step,
                seat: None,
                reason: String::new(),
            };
            let unfair = report(finding, 2, SeatSet::EMPTY);
            assert!(!said(&unfair, "seeds") && !said(&unfair, "Nobody"));
            assert!(said(&unfair, "not the record of a fair game"));
            assert_eq!(said(&unfair, "Every move was played again"), step > 0);
        }
    }
}
