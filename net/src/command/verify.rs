//! `shamans-table verify`: checks the record of a game, without the players.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use serde_json::{Value, json};
use shamans_core::{
    game::{Game, SeatSet},
    record::{Finding, Record, Report, verify},
    shamans::Shamans,
};
use shamans_net::phrase;

/// Exit codes: 0 fair, 1 not fair, 2 unreadable or of an unknown version, 3 unfinished but in order so far.
#[derive(clap::Args)]
pub struct Args {
    /// The record.
    file: PathBuf,
    /// Print JSON instead of lines.
    #[arg(long)]
    json: bool,
    /// Say in plain words what was checked, what that proves and what it does not.
    #[arg(long)]
    explain: bool,
}

/// A record larger than this is none: a whole game stays far below.
const MAX_FILE: u64 = 16 * 1024 * 1024;

/// Reads a record of this game, or says in a sentence why not.
pub(super) fn read(file: &Path) -> Result<Record, String> {
    let name = file.display();
    let size = std::fs::metadata(file).map_err(|error| format!("{name}: {error}"))?;
    if size.len() > MAX_FILE {
        return Err(format!("{name}: too large for a record"));
    }
    let bytes = std::fs::read(file).map_err(|error| format!("{name}: {error}"))?;
    let record = Record::read(&bytes).map_err(|error| format!("{name}: {error}"))?;
    let game = &record.genesis.genesis.proposal.game;
    if game != Shamans::NAME {
        return Err(format!(
            "{name}: a record of another game or of other rules ({game:?}); this program knows {:?}",
            Shamans::NAME
        ));
    }
    Ok(record)
}

/// Checks the record.
pub fn run(args: Args) -> ExitCode {
    let record = match read(&args.file) {
        Ok(record) => record,
        Err(sentence) => {
            if args.json {
                println!("{}", json!({ "verdict": "unreadable", "reason": sentence }));
            } else {
                eprintln!("{sentence}");
            }
            return ExitCode::from(2);
        }
    };
    let report = verify::<Shamans>(&record);
    if args.json {
        println!("{}", as_json(&report));
    } else {
        for line in lines(&report) {
            println!("{line}");
        }
        if args.explain {
            println!();
            for line in explain(&report) {
                println!("{line}");
            }
        }
    }
    ExitCode::from(match report.finding {
        Finding::Fair => 0,
        Finding::Unfair { .. } => 1,
        Finding::Unfinished => 3,
    })
}

fn numbers(seats: SeatSet) -> Vec<u8> {
    seats.iter().map(|seat| seat.0).collect()
}

fn as_json(report: &Report) -> Value {
    let audits: Vec<Value> = report
        .audits
        .iter()
        .map(|deal| {
            json!({
                "deal": deal.number,
                "audited": numbers(deal.audited),
                "proofs_only": numbers(deal.proofs_only),
            })
        })
        .collect();
    let mut value = json!({
        "table": report.table.to_string(),
        "phrase": phrase::words(report.phrase),
        "players": report.players,
        "steps": report.steps,
        "signatures": report.signatures,
        "deals": report.deals,
        "audits": audits,
    });
    let finding = match &report.finding {
        Finding::Fair => json!({ "verdict": "fair" }),
        Finding::Unfinished => json!({ "verdict": "unfinished" }),
        Finding::Unfair { step, seat, reason } => json!({
            "verdict": "unfair",
            "step": step,
            "seat": seat.map(|seat| seat.0),
            "reason": reason,
        }),
    };
    if let (Some(value), Value::Object(finding)) = (value.as_object_mut(), finding) {
        value.extend(finding);
    }
    value
}

/// A seat by name and number.
fn player(players: &[Option<String>], seat: u8) -> String {
    match players.get(usize::from(seat)) {
        Some(Some(name)) => format!("{name} (seat {seat})"),
        Some(None) => format!("phantom (seat {seat})"),
        None => format!("seat {seat}"),
    }
}

fn lines(report: &Report) -> Vec<String> {
    let players: Vec<String> = (0..)
        .zip(&report.players)
        .map(|(seat, _)| player(&report.players, seat))
        .collect();
    let mut lines = vec![
        format!(
            "table    {} ({})",
            report.table,
            phrase::words(report.phrase)
        ),
        format!("players  {}", players.join(", ")),
        format!(
            "steps    {} with {} signatures",
            report.steps, report.signatures
        ),
        format!(
            "deals    {}, of which {} revealed and checked",
            report.deals,
            report.audits.len()
        ),
    ];
    for deal in &report.audits {
        if !deal.proofs_only.is_empty() {
            let names: Vec<String> = numbers(deal.proofs_only)
                .into_iter()
                .map(|seat| player(&report.players, seat))
                .collect();
            lines.push(format!(
                "         deal {}: the seed of {} was never revealed; only the proofs were checked",
                deal.number,
                names.join(", ")
            ));
        }
    }
    lines.push(match &report.finding {
        Finding::Fair => "verdict  fair".to_owned(),
        Finding::Unfinished => "verdict  unfinished, in order so far".to_owned(),
        Finding::Unfair { step, seat, reason } => {
            let who = seat.map_or_else(
                || "nobody in particular".to_owned(),
                |seat| player(&report.players, seat.0),
            );
            format!("verdict  NOT FAIR: step {step}, {who}: {reason}")
        }
    });
    lines
}

fn explain(report: &Report) -> Vec<&'static str> {
    let mut lines = vec![
        "What was checked",
        "  Everyone who sat at the table signed who sits where, which game is played, and with which numbers.",
        "  Each move is signed by who made it, and each step by everyone who was at the table: nobody can have been",
        "  shown another history. Every move was played again under the rules, and every card that was shown was proved",
        "  to be the card that had been dealt. Every shuffle, deal and exchange of hidden cards carries a proof, and all were checked.",
        "  After each round the players' seeds were revealed: everything they did with the cards was done again from",
        "  the seeds and was the same, and each seed is the one its player had committed to before seeing a card.",
        "What that proves",
        "  Nobody chose or saw cards they were not to see, nobody changed a card or a move later, and nothing is missing",
        "  between the first step and the last one in this file.",
        "What it does not prove",
        "  That nobody looked at another's screen or told their cards; that the people behind the keys are who they say",
        "  (read the four words of the table aloud for that); or that all other players together did not share what they saw.",
    ];
    match report.finding {
        Finding::Fair => {}
        Finding::Unfinished => {
            lines.push("The game in this file is not over. What is there is in order; what came after is not in it.");
        }
        Finding::Unfair { .. } => {
            lines
                .push("The check stopped at the step named above: nothing after it was looked at.");
        }
    }
    lines
}
