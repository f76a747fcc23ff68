//! `shamans-table verify`: checks the record of a game, without the players.

use std::{
    io::Read,
    path::{Path, PathBuf},
    process::ExitCode,
};

use serde_json::{Value, json};
use shamans_core::{
    game::{Game, SeatSet},
    log::Evidence,
    record::{Finding, Record, Report, verify},
    shamans::Shamans,
};
use shamans_net::{
    phrase,
    proof::{NoProof, Proof, Worth},
    sentences::spoken,
    words::{fill, fill_n, tr, tr_n},
};

use super::{columns, explanation};

/// Exit codes: 0 fair, 1 not fair, 2 unreadable or of an unknown version, 3 unfinished but in order so far.
#[derive(clap::Args)]
pub struct Args {
    /// The record, or a proof against a player.
    file: PathBuf,
    /// Print JSON instead of lines. Seats count from 0 there.
    #[arg(long)]
    json: bool,
    /// Say in plain words what was checked, what that proves and what it does not.
    #[arg(long)]
    explain: bool,
}

/// A record larger than this is none: a whole game stays far below.
const MAX_FILE: u64 = 16 * 1024 * 1024;

/// The bytes of a file that may be a record or a proof.
fn load(file: &Path) -> Result<Vec<u8>, String> {
    let name = file.display().to_string();
    let mut bytes = Vec::new();
    std::fs::File::open(file)
        .and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes))
        .map_err(|error| format!("{name}: {error}"))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(fill("{file}: too large for a record", &[("file", &name)]));
    }
    Ok(bytes)
}

/// Reads a record of this game, or says in a sentence why not.
pub(super) fn read(file: &Path) -> Result<Record, String> {
    record(file, &load(file)?)
}

fn record(file: &Path, bytes: &[u8]) -> Result<Record, String> {
    let name = file.display();
    let record =
        Record::read(bytes).map_err(|error| format!("{name}: {}", spoken(&error.to_string())))?;
    let game = &record.genesis.genesis.proposal.game;
    if game != Shamans::NAME {
        return Err(fill(
            "{file}: a record of another game or of other rules ({game}); this program knows {known}",
            &[
                ("file", &name.to_string()),
                ("game", game),
                ("known", Shamans::NAME),
            ],
        ));
    }
    Ok(record)
}

/// The proof in these bytes, if it is one.
fn proof(bytes: &[u8]) -> Option<Result<Proof, NoProof>> {
    let text = Proof::begins(bytes).then(|| str::from_utf8(bytes))?;
    Some(text.map_or(Err(NoProof::Damaged), Proof::read))
}

/// Says what a proof against a player is worth.
fn run_proof(proof: Result<Proof, NoProof>, as_json: bool) -> ExitCode {
    let (sentence, code, who) = match &proof {
        Err(why) => (why.to_string(), 2, None),
        Ok(proof) => {
            let key = proof.key.to_string();
            // The words of the file are whoever's who wrote it; what was signed speaks for itself.
            let what = match &proof.evidence {
                Evidence::TwoEntries(..) => tr("two different words for one place, both signed"),
                Evidence::TwoSettlements(..) => tr("two different ends of one step, both signed"),
                Evidence::Late(..) => tr("a word that their own signature leaves out"),
                Evidence::Refused { .. } => spoken(&proof.what),
            };
            let parts = [
                ("name", proof.who.as_str()),
                ("key", key.as_str()),
                ("what", what.as_str()),
            ];
            let (sentence, code) = match proof.check() {
                Ok(Worth::Holds) => (
                    fill(
                        "The proof holds. The key {key} ({name}, as this file says) signed what no honest program signs: {what}.",
                        &parts,
                    ),
                    0,
                ),
                Ok(Worth::WithRecord) => (
                    fill(
                        "The signature is right: the key {key} ({name}, as this file says) made it. Whether that was wrong ({what}) shows only in the record of that game.",
                        &parts,
                    ),
                    3,
                ),
                Err(why) => (
                    fill(
                        "The proof does not hold: {why}.",
                        &[("why", &spoken(&why.to_string()))],
                    ),
                    1,
                ),
            };
            (sentence, code, Some(&proof.who))
        }
    };
    if as_json {
        println!(
            "{}",
            json!({ "proof": code == 0, "who": who, "text": sentence })
        );
    } else if code == 2 {
        eprintln!("{sentence}");
    } else {
        println!("{sentence}");
    }
    ExitCode::from(code)
}

/// Checks the record, or the proof.
pub fn run(args: Args) -> ExitCode {
    let bytes = load(&args.file);
    if let Some(proof) = bytes.as_deref().ok().and_then(proof) {
        return run_proof(proof, args.json);
    }
    let record = match bytes.and_then(|bytes| record(&args.file, &bytes)) {
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
    let explained = if args.explain {
        explanation::lines(&report)
    } else {
        Vec::new()
    };
    if args.json {
        let mut value = as_json(&report);
        if let Some(value) = value.as_object_mut().filter(|_| args.explain) {
            value.insert("explain".to_owned(), json!(explained));
        }
        println!("{value}");
    } else {
        for line in lines(&report) {
            println!("{line}");
        }
        if args.explain {
            println!();
        }
        for line in explained {
            println!("{line}");
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
        "operators": report.operators,
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

/// A seat by name and number, as people count.
fn player(players: &[Option<String>], seat: u8) -> String {
    let number = (seat + 1).to_string();
    match players.get(usize::from(seat)) {
        Some(Some(name)) => fill("{name} (seat {n})", &[("name", name), ("n", &number)]),
        Some(None) => fill("phantom (seat {n})", &[("n", &number)]),
        None => fill("seat {n}", &[("n", &number)]),
    }
}

/// What there is, each with its heading.
fn lines(report: &Report) -> Vec<String> {
    let players: Vec<String> = (0..)
        .zip(&report.players)
        .map(|(seat, _)| player(&report.players, seat))
        .zip(&report.operators)
        .map(|(player, operator)| match operator {
            Some(operator) => fill(
                "{player}, a bot run by {operator}",
                &[("player", &player), ("operator", operator)],
            ),
            None => player,
        })
        .collect();
    let steps = tr_n("1 step", "{n} steps", report.steps as usize);
    let signed = tr_n("1 signature", "{n} signatures", report.signatures as usize);
    let dealt = tr_n("1 deal", "{n} deals", report.deals as usize);
    let checked = tr_n(
        "1 revealed and checked",
        "{n} revealed and checked",
        report.audits.len(),
    );
    let mut rows = vec![
        (
            tr("table"),
            format!("{} ({})", report.table, phrase::words(report.phrase)),
        ),
        (tr("players"), players.join(", ")),
        (tr("log"), format!("{steps}, {signed}")),
        (tr("cards"), format!("{dealt}, {checked}")),
    ];
    for deal in &report.audits {
        if !deal.proofs_only.is_empty() {
            let names: Vec<String> = numbers(deal.proofs_only)
                .into_iter()
                .map(|seat| player(&report.players, seat))
                .collect();
            let text = fill_n(
                "deal {deal}: a seed was never revealed ({names}); only the proofs were checked",
                "deal {deal}: {n} seeds were never revealed ({names}); only the proofs were checked",
                names.len(),
                &[
                    ("deal", &deal.number.to_string()),
                    ("names", &names.join(", ")),
                ],
            );
            rows.push((String::new(), text));
        }
    }
    let verdict = match &report.finding {
        Finding::Fair => tr("fair"),
        Finding::Unfinished => tr("unfinished, in order so far"),
        Finding::Unfair { step, seat, reason } => {
            let who = seat.map_or_else(
                || tr("nobody in particular"),
                |seat| player(&report.players, seat.0),
            );
            fill(
                "NOT FAIR: step {step}, {who}: {reason}",
                &[
                    ("step", &step.to_string()),
                    ("who", &who),
                    ("reason", &spoken(reason)),
                ],
            )
        }
    };
    rows.push((tr("verdict"), verdict));
    columns::lines(&rows)
}
