//! `shamans-table demo`: a whole game among real peers on this machine, told as it happens, with the verdict at the end.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use shamans_core::bot::Skill;
use shamans_core::record::{self, Finding, Record};
use shamans_core::shamans::{Data, Shamans};
use shamans_core::table::{Happening, Holder, Waits};
use shamans_net::account::Account;
use shamans_net::demo::{self, DemoConfig, DemoOutcome};
use shamans_net::phrase;
use shamans_net::session::SessionEvent;
use shamans_net::store::write_atomically;

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
    };
    let mut teller = Teller::new(!args.quiet && !args.json);
    if teller.speaks {
        println!("{} peers on this machine, seed {seed}.", args.players);
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
        println!(
            "{} steps in {:.1} s; cards in hand {:.0} ms after all were ready; a move settled on all peers in {median:.1} ms (median).",
            outcome.steps, outcome.seconds, outcome.ready_to_hand_ms
        );
        if same {
            println!(
                "All {} peers have the same record, signed by all ({bytes} bytes).",
                outcome.records.len()
            );
        } else {
            println!("The peers' records differ.");
        }
        match (fair, checked) {
            (true, _) => println!(
                "Verdict: fair. The secrets of all {} deals were revealed and checked by every peer, and the record holds up from first to last.",
                teller.audits
            ),
            (false, Some(Err(why))) => println!("Verdict: NOT fair. {why}"),
            (false, Some(Ok(())) | None) => println!(
                "Verdict: NOT fair. {} of {} deals did not hold up.",
                teller.unfair, teller.audits
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
    let record = Record::read(bytes).map_err(|error| error.to_string())?;
    match record::verify::<Shamans>(&record).finding {
        Finding::Fair => Ok(()),
        Finding::Unfinished => Err("The game is not over.".to_owned()),
        Finding::Unfair { step, seat, reason } => {
            let who = seat.map_or(String::new(), |seat| format!(", seat {}", seat.0));
            Err(format!("Step {step}{who}: {reason}"))
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
                self.say(&format!(
                    "At the table: {} ({} of {}).",
                    who.join(", "),
                    who.len(),
                    room.seats()
                ));
            }
            SessionEvent::Phrase(numbers) => {
                self.say(&format!("Table phrase: {}.", phrase::words(*numbers)))
            }
            SessionEvent::Seated { holders, .. } => {
                let seats = holders
                    .iter()
                    .enumerate()
                    .map(|(number, holder)| match holder {
                        Holder::Person { name, .. } => name.clone(),
                        Holder::Phantom => format!("Phantom {}", number + 1),
                    })
                    .collect();
                self.account = Account::new(seats, &Data::shipped());
            }
            SessionEvent::Now(now) => match now.waits {
                Waits::Deal { .. } => {
                    self.dealing += 1;
                    let line = format!(
                        "The cards are being mixed, sealed and dealt … {}",
                        self.dealing
                    );
                    self.show_progress(&line);
                }
                Waits::Game { .. } | Waits::Absence | Waits::Over => self.dealing = 0,
            },
            SessionEvent::Happened { happening, .. } => self.tell_happening(happening),
            SessionEvent::Notice(notice) => tracing::debug!(?notice, "demo"),
            SessionEvent::Trouble(what) => self.say(what),
            SessionEvent::Reachable { .. }
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
            | SessionEvent::Over { .. }
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
            Happening::Audited { deal, verdict } => {
                self.audits += 1;
                if !verdict.is_fair() {
                    self.unfair += 1;
                    self.say(&format!("Deal {deal} does not hold up: {verdict:?}"));
                } else {
                    self.say(&format!(
                        "The secrets of deal {deal} are revealed and checked: it was fair."
                    ));
                }
            }
            Happening::Overtaken(seat) => {
                let line = format!(
                    "{} was overtaken by an interruption.",
                    self.account.seat(*seat)
                );
                self.say(&line);
            }
            Happening::DealBegins(deal) => self.show_progress(&format!("Deal {deal} begins …")),
            Happening::Gone { seats, .. } => {
                for seat in seats.iter() {
                    let line = format!("The others go on without {}.", self.account.seat(seat));
                    self.say(&line);
                }
            }
            Happening::Back(seat) => {
                let line = format!("{} is back.", self.account.seat(*seat));
                self.say(&line);
            }
            Happening::Left(seat) => {
                let line = format!("{} has left.", self.account.seat(*seat));
                self.say(&line);
            }
        }
    }
}
