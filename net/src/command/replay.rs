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
    shamans::{Data, DeckKind, Rules, Shamans},
    table::{Happening, Holder, Remedy},
};

use super::verify::{player, read};

/// Without `--as` the game is told as everyone saw it. Exit codes: 0 told to its end, 1 something in it is wrong, 2 unreadable.
#[derive(clap::Args)]
pub struct Args {
    /// The record.
    file: PathBuf,
    /// From whose eyes: a seat's number or name, or `all`. Hidden cards are known from the seeds revealed after each round.
    #[arg(long = "as", value_name = "SEAT")]
    eyes: Option<String>,
    /// Print one JSON value a line instead of words.
    #[arg(long)]
    json: bool,
}

struct Teller {
    players: Vec<Option<String>>,
    data: Data,
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
    let mut replay = Replay::<Shamans>::new(&record, eyes).map_err(|error| error.to_string())?;
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
                    writeln!(out, "{step:5}  REFUSED  {reason}")
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
        let players = genesis
            .holders()
            .into_iter()
            .map(|holder| match holder {
                Holder::Person { name, .. } => Some(name),
                Holder::Phantom => None,
            })
            .collect();
        let setup: shamans_core::shamans::Setup =
            shamans_core::codec::decode(&genesis.proposal.setup).map_err(|e| e.to_string())?;
        Ok(Teller {
            players,
            data: setup.data,
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
        let by_number = wanted.parse().ok().map(Seat);
        let by_name = (0..)
            .map(Seat)
            .zip(&self.players)
            .find(|(_, name)| name.as_deref() == Some(wanted))
            .map(|(seat, _)| seat);
        by_name
            .or(by_number)
            .filter(|seat| people.contains(*seat))
            .map(SeatSet::one)
            .ok_or_else(|| format!("nobody called {wanted:?} sat at this table"))
    }

    fn say(
        &self,
        out: &mut impl Write,
        step: u64,
        told: &Told<Shamans>,
        rules: &Rules,
    ) -> io::Result<()> {
        let (kind, value) = match told {
            Told::Happened(happening) => self.happening(happening),
            Told::Saw { seat, slot, face } => (
                "saw",
                json!({ "seat": seat.0, "slot": slot.0, "shows": self.face(rules, *slot, *face) }),
            ),
        };
        if self.json {
            let mut line = json!({ "step": step });
            if let Some(line) = line.as_object_mut() {
                line.insert(kind.to_owned(), value);
            }
            writeln!(out, "{line}")
        } else {
            writeln!(out, "{step:5}  {}", self.words(kind, &value))
        }
    }

    fn happening(&self, happening: &Happening<Shamans>) -> (&'static str, Value) {
        match happening {
            Happening::Event { by, event } => {
                let value = serde_json::to_value(event).unwrap_or(Value::Null);
                ("event", json!({ "by": by.map(|seat| seat.0), "is": value }))
            }
            Happening::Overtaken(seat) => ("overtaken", json!({ "seat": seat.0 })),
            Happening::DealBegins(number) => ("deal", json!({ "number": number })),
            Happening::Audited { deal, verdict } => (
                "audited",
                json!({ "deal": deal, "fair": verdict.is_fair(), "complete": verdict.is_complete() }),
            ),
            Happening::Gone { seats, remedy } => {
                let seats: Vec<u8> = seats.iter().map(|seat| seat.0).collect();
                let remedy = match remedy {
                    Remedy::StandIn => "stand-in",
                    Remedy::Void => "void",
                };
                ("gone", json!({ "seats": seats, "remedy": remedy }))
            }
            Happening::Back(seat) => ("back", json!({ "seat": seat.0 })),
            Happening::Left(seat) => ("left", json!({ "seat": seat.0 })),
        }
    }

    fn face(&self, rules: &Rules, slot: Slot, face: Face) -> String {
        let named = match rules.deck_of(slot) {
            Some(DeckKind::Identities) => rules.role(face).map(|role| format!("{role:?}")),
            Some(DeckKind::Keepsakes) => rules.keepsake(face).map(|tile| format!("{tile:?}")),
            // Mixed hands lie behind all decks, and only world cards are ever mixed.
            Some(DeckKind::Cards) | None => rules
                .card(face)
                .map(|card| self.card(card.world.0.into(), card.value.into())),
            Some(DeckKind::Marks | DeckKind::Depth | DeckKind::Side | DeckKind::Guide) => None,
        };
        named.unwrap_or_else(|| face.0.to_string())
    }

    fn card(&self, world: u64, value: u64) -> String {
        let name = usize::try_from(world)
            .ok()
            .and_then(|world| self.data.worlds.get(world))
            .map_or("?", |world| world.name.as_str());
        format!("{name} {value}")
    }

    /// A JSON value in words: `led: seat Jan, card dream 1`.
    fn words(&self, kind: &str, value: &Value) -> String {
        if let ("event", Some(event)) = (kind, value.get("is")) {
            return match event {
                Value::Object(fields) => fields
                    .iter()
                    .map(|(name, inner)| self.words(name, inner))
                    .collect::<Vec<_>>()
                    .join("; "),
                Value::String(name) => name.replace('_', " "),
                other => other.to_string(),
            };
        }
        let name = kind.replace('_', " ");
        match value {
            Value::Object(fields) => {
                let parts: Vec<String> = fields
                    .iter()
                    .filter(|(_, value)| !value.is_null())
                    .map(|(key, value)| format!("{key} {}", self.plain(key, value)))
                    .collect();
                format!("{name}: {}", parts.join(", "))
            }
            other => format!("{name}: {}", self.plain(kind, other)),
        }
    }

    fn plain(&self, key: &str, value: &Value) -> String {
        let is_seat = [
            "seat", "guide", "target", "with", "highest", "lowest", "other",
        ]
        .contains(&key);
        match value {
            Value::Number(number) if is_seat => number
                .as_u64()
                .and_then(|seat| u8::try_from(seat).ok())
                .map_or_else(|| number.to_string(), |seat| player(&self.players, seat)),
            Value::Number(number) if ["seats", "phantoms"].contains(&key) => {
                let bits = number.as_u64().unwrap_or(0);
                let names: Vec<String> = (0..8u8)
                    .filter(|seat| bits & (1 << seat) != 0)
                    .map(|seat| player(&self.players, seat))
                    .collect();
                match names.is_empty() {
                    true => "none".to_owned(),
                    false => names.join(" and "),
                }
            }
            Value::Number(number) if key == "world" => {
                let world = number.as_u64().and_then(|at| usize::try_from(at).ok());
                world
                    .and_then(|at| self.data.worlds.get(at))
                    .map_or_else(|| number.to_string(), |world| world.name.clone())
            }
            Value::Object(fields) => {
                match (
                    fields.get("world").and_then(Value::as_u64),
                    fields.get("value").and_then(Value::as_u64),
                ) {
                    (Some(world), Some(value)) => self.card(world, value),
                    _ => fields
                        .iter()
                        .map(|(key, value)| format!("{key} {}", self.plain(key, value)))
                        .collect::<Vec<_>>()
                        .join(" "),
                }
            }
            Value::Array(values) => values
                .iter()
                .map(|value| self.plain(key, value))
                .collect::<Vec<_>>()
                .join(", "),
            Value::String(text) => text.replace('_', " "),
            Value::Number(number) => number.to_string(),
            Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
            Value::Null => "-".to_owned(),
        }
    }
}
