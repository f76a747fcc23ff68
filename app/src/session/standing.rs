//! How far a deal or a whole record has been checked, and what came of it: what the badge shows.

use shamans_net::sentences::spoken;

use super::snapshot::Check;
use crate::words;

/// A state of the check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Standing {
    /// Nobody has looked yet.
    #[default]
    NotChecked,
    /// It is being checked.
    Checking,
    /// In order from the first step to the last.
    Fair,
    /// In order; the seeds of some (named, where they are known) were never revealed, so that only proofs speak for them.
    ProofsOnly(String),
    /// In order so far, but the game is not over.
    Unfinished,
    /// Something is wrong.
    Failed {
        /// In which step of the record.
        step: Option<u64>,
        /// Whose wrong it is, if it is one player's.
        who: Option<String>,
        /// What.
        what: String,
    },
}

impl Standing {
    /// The check of one deal; `None` while it goes on. `names` by seat.
    pub fn of_deal(check: Option<&Check>, names: &[String]) -> Standing {
        match check {
            None => Standing::Checking,
            Some(Check::Fair) => Standing::Fair,
            Some(Check::ProofsOnly) => Standing::ProofsOnly(String::new()),
            Some(Check::Failed { step, who, what }) => Standing::Failed {
                step: Some(*step),
                who: names.get(who.index()).cloned(),
                what: what.clone(),
            },
        }
    }

    /// In one line.
    pub fn words(&self) -> String {
        match self {
            Standing::NotChecked => words::tr("Not checked"),
            Standing::Checking => words::tr("Checking…"),
            Standing::Fair => words::tr("Fair, checked by your computer"),
            Standing::ProofsOnly(who) if who.is_empty() => {
                words::tr("Fair by its proofs; a seed is missing")
            }
            Standing::ProofsOnly(who) => {
                words::fill("Fair by its proofs; no seed from {who}", &[("who", who)])
            }
            Standing::Unfinished => words::tr("In order so far; the game is not over"),
            Standing::Failed { step, who, what: _ } => {
                let step = step.map(|step| step.to_string());
                match (step, who) {
                    (Some(step), Some(who)) => words::fill(
                        "Check failed: step {step}, {who}",
                        &[("step", &step), ("who", who)],
                    ),
                    (Some(step), None) => {
                        words::fill("Check failed: step {step}", &[("step", &step)])
                    }
                    (None, Some(who)) => {
                        words::fill("Check of the deal failed: {who}", &[("who", who)])
                    }
                    (None, None) => words::tr("Check of the deal failed"),
                }
            }
        }
    }

    /// What that proves and what not.
    pub fn meaning(&self) -> String {
        match self {
            Standing::NotChecked => words::tr(
                "Nothing is known yet about how these cards were dealt. Open the game to have your computer check it.",
            ),
            Standing::Checking => words::tr(
                "Your computer is doing every shuffle and every deal again and compares. You need not wait for it.",
            ),
            Standing::Fair => words::deal_proof(),
            Standing::ProofsOnly(_) => format!(
                "{}\n\n{}",
                words::tr(
                    "Somebody left before revealing their secrets, so what they did with the cards is shown by proofs only. The proofs hold: no card was swapped, doubled or chosen."
                ),
                words::deal_limits()
            ),
            Standing::Unfinished => format!(
                "{}\n\n{}",
                words::tr(
                    "Every signature, move and proof in this file is in order. The game in it is not over; what came after is not in it."
                ),
                words::deal_limits()
            ),
            Standing::Failed { step: _, who, what } => {
                let next = match who {
                    Some(who) => words::fill(
                        "This came from the program of {who}, and everybody's copy of the game shows it. It may be a damaged program or a cheating one; nothing after this point was looked at.",
                        &[("who", who)],
                    ),
                    None => words::tr(
                        "No single player can be blamed: this file may have been changed after the game. Nothing after this point was looked at.",
                    ),
                };
                format!(
                    "{}\n\n{next}",
                    words::fill("What is wrong: {what}.", &[("what", &spoken(what))])
                )
            }
        }
    }

    /// The picture: a shape of its own for each outcome.
    pub fn glyph(&self) -> &'static str {
        match self {
            Standing::NotChecked | Standing::Checking => "glyph-check-open",
            Standing::Fair => "glyph-check",
            Standing::ProofsOnly(_) | Standing::Unfinished => "glyph-check-half",
            Standing::Failed { .. } => "glyph-check-failed",
        }
    }

    /// The style class.
    pub fn class(&self) -> &'static str {
        match self {
            Standing::NotChecked | Standing::Checking => "open",
            Standing::Fair => "fair",
            Standing::ProofsOnly(_) | Standing::Unfinished => "half",
            Standing::Failed { .. } => "failed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_check_names_step_and_player() {
        let failed = Standing::Failed {
            step: Some(12),
            who: Some("Petr".into()),
            what: "a proof does not hold".into(),
        };
        assert_eq!(failed.words(), "Check failed: step 12, Petr");
        assert!(failed.meaning().contains("a proof does not hold"));
    }
}
