//! `shamans-table replay`: tells a recorded game again, from anyone's eyes or from all.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use serde_json::{Value, json};
use shamans_core::{
    game::{Face, Known, Seat, SeatSet, Slot},
    record::{Record, Replay, Told},
    shamans::{DeckKind, Rules, Shamans},
    table::{Happening, Remedy},
};

use shamans_net::{
    account::{Account, artefact_name, role_name},
    sentences::spoken,
    words::fill,
};

use super::verify::read;

/// Without `--as` the game is told as everyone saw it. Exit codes: 0 told to its end, 1 something in it is wrong, 2 unreadable.
#[derive(clap::Args)]
pub struct Args {
    /// The record.
    file: PathBuf,
    /// From whose eyes: a name, a seat's number (the first is 1), or `all`. Hidden cards are known from the seeds revealed after each round.
    #[arg(long = "as", value_name = "SEAT")]
    eyes: Option<String>,
    /// Print one JSON value a line instead of words. Seats count from 0 there.
    #[arg(long)]
    json: bool,
}

struct Teller {
    players: Vec<Option<String>>,
    account: Account,
    json: bool,
}

/// Tells the game.
pub fn run(args: Args) -> ExitCode {
    match tell(&args) {
        Ok(code) => code,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::from(2)
        }
    }
}

fn tell(args: &Args) -> Result<ExitCode, String> {
    let record = read(&args.file)?;
    let teller = Teller::new(&record, args.json)?;
    let eyes = teller.eyes(&record, args.eyes.as_deref())?;
    let mut replay =
        Replay::<Shamans>::new(&record, eyes).map_err(|error| spoken(&error.to_string()))?;
    let begun = replay.begun().to_vec();
    let mut out = io::stdout().lock();
    for told in &begun {
        if teller.say(&mut out, 0, told, rules(&replay)).is_err() {
            return Ok(ExitCode::SUCCESS);
        }
    }
    while let Some(next) = replay.next() {
        match next {
            Ok((step, told)) => {
                for told in &told {
                    // Nobody reads on: the rest need not be told.
                    if teller.say(&mut out, step, told, rules(&replay)).is_err() {
                        return Ok(ExitCode::SUCCESS);
                    }
                }
            }
            Err(refusal) => {
                let step = replay.replica().number();
                let reason = refusal.to_string();
                let told = if args.json {
                    writeln!(out, "{}", json!({ "step": step, "refused": reason }))
                } else {
                    writeln!(
                        out,
                        "{step:5}  {}",
                        fill("REFUSED: {reason}", &[("reason", &spoken(&reason))])
                    )
                };
                drop(told);
                return Ok(ExitCode::from(1));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn rules<'a>(replay: &'a Replay<'_, Shamans>) -> &'a Rules {
    const NOTHING: &Known = &Known::new();
    replay.replica().game().view(None, NOTHING).rules()
}

impl Teller {
    fn new(record: &Record, json: bool) -> Result<Teller, String> {
        let genesis = &record.genesis.genesis;
        let players: Vec<Option<String>> = genesis
            .holders()
            .into_iter()
            .map(|holder| holder.name().map(str::to_owned))
            .collect();
        let setup: shamans_core::shamans::Setup =
            shamans_core::codec::decode(&genesis.proposal.setup)
                .map_err(|e| spoken(&e.to_string()))?;
        let names = (0..)
            .zip(&players)
            .map(|(seat, name)| match name {
                Some(name) => name.clone(),
                None => fill("Phantom {n}", &[("n", &(seat + 1).to_string())]),
            })
            .collect();
        Ok(Teller {
            account: Account::new(names, &setup.data),
            players,
            json,
        })
    }

    fn eyes(&self, record: &Record, wanted: Option<&str>) -> Result<SeatSet, String> {
        let people = record.genesis.genesis.people();
        let Some(wanted) = wanted else {
            return Ok(SeatSet::EMPTY);
        };
        if wanted.eq_ignore_ascii_case("all") {
            return Ok(people);
        }
        let number: Option<u8> = wanted.parse().ok();
        let by_number = number.and_then(|number| number.checked_sub(1)).map(Seat);
        let by_name = (0..)
            .map(Seat)
            .zip(&self.players)
            .find(|(_, name)| name.as_deref() == Some(wanted))
            .map(|(seat, _)| seat);
        by_name
            .or(by_number)
            .filter(|seat| people.contains(*seat))
            .map(SeatSet::one)
            .ok_or_else(|| {
                fill(
                    "nobody called “{name}” sat at this table",
                    &[("name", wanted)],
                )
            })
    }

    fn say(
        &self,
        out: &mut impl Write,
        step: u64,
        told: &Told<Shamans>,
        rules: &Rules,
    ) -> io::Result<()> {
        if self.json {
            writeln!(out, "{}", self.value(step, told, rules))
        } else {
            writeln!(out, "{step:5}  {}", self.sentence(told, rules))
        }
    }

    fn sentence(&self, told: &Told<Shamans>, rules: &Rules) -> String {
        let name = |seat: &Seat| self.account.seat(*seat);
        match told {
            Told::Saw { seat, slot, face } => {
                let face = self.face(rules, *slot, *face);
                format!(
                    "  {}",
                    fill(
                        "({name} sees: {face})",
                        &[("name", name(seat)), ("face", &face)]
                    )
                )
            }
            Told::Happened(happening) => self.account.happening(happening),
        }
    }

    fn value(&self, step: u64, told: &Told<Shamans>, rules: &Rules) -> Value {
        match told {
            Told::Saw { seat, slot, face } => json!({
                "step": step,
                "saw": { "seat": seat.0, "slot": slot.0, "shows": self.face(rules, *slot, *face) },
            }),
            Told::Happened(happening) => match happening {
                Happening::Event { by, event } => {
                    json!({ "step": step, "by": by.map(|seat| seat.0), "event": event })
                }
                Happening::Overtaken(seat) => json!({ "step": step, "overtaken": seat.0 }),
                Happening::DealBegins(number) => json!({ "step": step, "deal": number }),
                Happening::Audited { deal, verdict } => json!({
                    "step": step,
                    "audited": deal,
                    "fair": verdict.is_fair(),
                    "complete": verdict.is_complete(),
                }),
                Happening::Gone { seats, remedy } => {
                    let seats: Vec<u8> = seats.iter().map(|seat| seat.0).collect();
                    let remedy = match remedy {
                        Remedy::StandIn => "stand-in",
                        Remedy::Void => "void",
                    };
                    json!({ "step": step, "gone": seats, "remedy": remedy })
                }
                Happening::Back(seat) => json!({ "step": step, "back": seat.0 }),
                Happening::Left(seat) => json!({ "step": step, "left": seat.0 }),
            },
        }
    }

    fn face(&self, rules: &Rules, slot: Slot, face: Face) -> String {
        let named = match rules.deck_of(slot) {
            Some(DeckKind::Identities) => rules.role(face).map(role_name),
            Some(DeckKind::Keepsakes) => rules.keepsake(face).map(artefact_name),
            // Mixed hands lie behind all decks, and only world cards are ever mixed.
            Some(DeckKind::Cards) | None => rules.card(face).map(|card| self.account.card(card)),
            Some(DeckKind::Marks | DeckKind::Depth | DeckKind::Side | DeckKind::Guide) => None,
        };
        named.unwrap_or_else(|| face.0.to_string())
    }
}
