//! `shamans-table demo`: a whole game among real peers on this machine, told as it happens, with the verdict at the end.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use shamans_core::bot::Skill;
use shamans_core::record::{self, Finding, Record};
use shamans_core::shamans::{Data, Shamans};
use shamans_core::table::{Happening, Waits};
use shamans_net::account::Account;
use shamans_net::demo::{self, DemoConfig, DemoOutcome};
use shamans_net::identity::clean_name;
use shamans_net::phrase;
use shamans_net::sentences::spoken;
use shamans_net::session::SessionEvent;
use shamans_net::store::write_atomically;
use shamans_net::words::{fill, fill_n, tr};

use super::lan::{self, Stopped};

/// Arguments of `demo`.
#[derive(clap::Args)]
pub struct Args {
    /// How many peers play.
    #[arg(long, default_value_t = 3)]
    players: u8,
    /// How many phantoms play beside them.
    #[arg(long, default_value_t = 0)]
    phantoms: u8,
    /// The same number gives the same game (default: a random one, which is told).
    #[arg(long)]
    seed: Option<u64>,
    /// Who decides: easy, sensible or strong (or random).
    #[arg(long, default_value = "sensible")]
    bot: Skill,
    /// The peers say that they are bots, and that this person runs them.
    #[arg(long, value_name = "NAME")]
    operator: Option<String>,
    /// Keep the record of the game in this file.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Only the result, not the account.
    #[arg(long)]
    quiet: bool,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Plays. 0: one game, the same for all, and fair; 1: not so; 2: it could not be played.
pub fn run(args: Args) -> ExitCode {
    lan::block_on(play(args))
}

async fn play(args: Args) -> Result<ExitCode, Stopped> {
    let seed = match args.seed {
        Some(seed) => seed,
        None => getrandom::u32().map_or(0, u64::from),
    };
    let config = DemoConfig {
        players: args.players,
        phantoms: args.phantoms,
        seed,
        skill: args.bot,
        operator: args.operator.as_deref().map(clean_name).transpose()?,
    };
    let mut teller = Teller::new(!args.quiet && !args.json);
    if teller.speaks {
        let values = [("seed", &*seed.to_string())];
        let text = fill_n(
            "1 peer on this machine, seed {seed}.",
            "{n} peers on this machine, seed {seed}.",
            usize::from(args.players),
            &values,
        );
        println!("{text}");
    }
    let outcome = match demo::play(config, |event| teller.tell(event)).await {
        Ok(outcome) => outcome,
        Err(error) => {
            teller.end_progress();
            eprintln!("{error}");
            return Ok(ExitCode::from(2));
        }
    };
    if let (Some(file), Some(record)) = (&args.record, outcome.records.first()) {
        write_atomically(file, record)?;
    }
    Ok(verdict(&args, seed, &outcome, &teller))
}

fn verdict(args: &Args, seed: u64, outcome: &DemoOutcome, teller: &Teller) -> ExitCode {
    let same = outcome
        .records
        .windows(2)
        .all(|pair| pair.first() == pair.last());
    let bytes = outcome.records.first().map_or(0, Vec::len);
    let median = median(&outcome.settle_ms);
    let checked = outcome.records.first().map(|bytes| check(bytes));
    let fair = same && teller.audits > 0 && teller.unfair == 0 && checked == Some(Ok(()));
    if args.json {
        println!(
            "{}",
            serde_json::json!({
                "seed": seed, "peers": args.players, "phantoms": args.phantoms, "same_record": same, "fair": fair,
                "deals": teller.audits, "steps": outcome.steps, "record_bytes": bytes, "seconds": outcome.seconds,
                "ready_to_hand_ms": outcome.ready_to_hand_ms, "settle_ms": median, "winner": teller.winner,
            })
        );
    } else {
        println!();
        let values = [
            ("steps", &*outcome.steps.to_string()),
            ("seconds", &*format!("{:.1}", outcome.seconds)),
            ("hand", &*format!("{:.0}", outcome.ready_to_hand_ms)),
            ("settled", &*format!("{median:.1}")),
        ];
        let text = fill(
            "Steps: {steps}, in {seconds} s; cards in hand {hand} ms after all were ready; a move settled on all peers in {settled} ms (median).",
            &values,
        );
        println!("{text}");
        if same {
            let text = fill(
                "All peers have the same record, signed by all ({bytes} bytes).",
                &[("bytes", &bytes.to_string())],
            );
            println!("{text}");
        } else {
            println!("{}", tr("The peers' records differ."));
        }
        match (fair, checked) {
            (true, _) => println!(
                "{}",
                tr(
                    "Verdict: fair. The secrets of all deals were revealed and checked by every peer, and the record holds up from first to last."
                )
            ),
            (false, Some(Err(why))) => {
                println!("{}", fill("Verdict: NOT fair. {why}", &[("why", &why)]))
            }
            (false, Some(Ok(())) | None) => println!(
                "{}",
                fill(
                    "Verdict: NOT fair. {wrong} of {all} deals did not hold up.",
                    &[
                        ("wrong", &teller.unfair.to_string()),
                        ("all", &teller.audits.to_string()),
                    ],
                )
            ),
        }
    }
    if fair {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    }
}

/// The record checked once more as a stranger would.
fn check(bytes: &[u8]) -> Result<(), String> {
    let record = Record::read(bytes).map_err(|error| spoken(&error.to_string()))?;
    match record::verify::<Shamans>(&record).finding {
        Finding::Fair => Ok(()),
        Finding::Unfinished => Err(tr("The game is not over.")),
        Finding::Unfair { step, seat, reason } => {
            let (step, reason) = (step.to_string(), spoken(&reason));
            let place = [("step", step.as_str()), ("reason", &reason)];
            Err(match seat {
                Some(seat) => fill(
                    "Step {step}, seat {seat}: {reason}",
                    &[place.as_slice(), &[("seat", &(seat.0 + 1).to_string())]].concat(),
                ),
                None => fill("Step {step}: {reason}", &place),
            })
        }
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Tells the account; counts what the verdict needs.
struct Teller {
    speaks: bool,
    progress: bool,
    account: Account,
    dealing: u32,
    audits: usize,
    unfair: usize,
    winner: Option<String>,
}

impl Teller {
    fn new(speaks: bool) -> Teller {
        Teller {
            speaks,
            progress: false,
            account: Account::new(Vec::new(), &Data::shipped()),
            dealing: 0,
            audits: 0,
            unfair: 0,
            winner: None,
        }
    }

    fn say(&mut self, line: &str) {
        if self.speaks {
            self.end_progress();
            println!("{line}");
        }
    }

    /// A line that is written over while cards are dealt; only where somebody watches.
    fn show_progress(&mut self, line: &str) {
        if self.speaks && std::io::stdout().is_terminal() {
            print!("\r\x1b[K{line}");
            // A terminal that does not take it is no reason to stop.
            std::io::stdout().flush().ok();
            self.progress = true;
        }
    }

    fn end_progress(&mut self) {
        if self.progress {
            print!("\r\x1b[K");
            self.progress = false;
        }
    }

    fn tell(&mut self, event: &SessionEvent<Shamans>) {
        match event {
            SessionEvent::Room(room) => {
                let who: Vec<&str> = room
                    .members
                    .iter()
                    .map(|member| member.name.as_str())
                    .collect();
                let values = [
                    ("table", &*room.name),
                    ("names", &*who.join(", ")),
                    ("taken", &*who.len().to_string()),
                    ("seats", &*room.seats().to_string()),
                ];
                self.say(&fill(
                    "Table {table}: {names} ({taken} of {seats})",
                    &values,
                ));
            }
            SessionEvent::Phrase(numbers) => {
                let words = phrase::words(*numbers);
                self.say(&fill("Table phrase: {words}.", &[("words", &words)]));
            }
            SessionEvent::Seated { holders, .. } => {
                let seats = holders
                    .iter()
                    .enumerate()
                    .map(|(number, holder)| match holder.name() {
                        Some(name) => name.to_owned(),
                        None => fill("Phantom {n}", &[("n", &(number + 1).to_string())]),
                    })
                    .collect();
                self.account = Account::new(seats, &Data::shipped());
            }
            SessionEvent::Now(now) => match now.waits {
                Waits::Deal { .. } => {
                    self.dealing += 1;
                    let line = fill(
                        "The cards are being mixed, sealed and dealt … {n}",
                        &[("n", &self.dealing.to_string())],
                    );
                    self.show_progress(&line);
                }
                Waits::Game { .. } | Waits::Absence | Waits::Over => self.dealing = 0,
            },
            SessionEvent::Happened { happening, .. } => self.tell_happening(happening),
            SessionEvent::Notice(notice) => tracing::debug!(?notice, "demo"),
            SessionEvent::Trouble(what) | SessionEvent::Stuck(what) => self.say(what),
            SessionEvent::Reachable { .. }
            | SessionEvent::Unreachable { .. }
            | SessionEvent::RelayLost(_)
            | SessionEvent::Nearby { .. }
            | SessionEvent::ChangedKey { .. }
            | SessionEvent::Copy
            | SessionEvent::Said { .. }
            | SessionEvent::OtherVersion(_)
            | SessionEvent::NoSeat(_)
            | SessionEvent::Proposed
            | SessionEvent::Ready(_)
            | SessionEvent::Refused(_)
            | SessionEvent::Link { .. }
            | SessionEvent::Revealed { .. }
            | SessionEvent::Over { .. }
            | SessionEvent::Left { .. }
            | SessionEvent::Closed => {}
        }
    }

    fn tell_happening(&mut self, happening: &Happening<Shamans>) {
        match happening {
            Happening::Event { event, .. } => {
                if let shamans_core::shamans::Event::GameEnded { winner } = event {
                    self.winner = Some(self.account.seat(*winner).to_owned());
                }
                let line = self.account.event(event);
                self.say(&line);
            }
            Happening::Audited { verdict, .. } => {
                self.audits += 1;
                self.unfair += usize::from(!verdict.is_fair());
                let line = self.account.happening(happening);
                self.say(&line);
            }
            Happening::DealBegins(_) => {
                let line = self.account.happening(happening);
                self.show_progress(&line);
            }
            Happening::Overtaken(_)
            | Happening::Gone { .. }
            | Happening::Back(_)
            | Happening::Left(_) => {
                let line = self.account.happening(happening);
                self.say(&line);
            }
        }
    }
}
