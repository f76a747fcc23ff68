//! `shamans-table simulate`: games between bots, in numbers.

use std::{
    io::{IsTerminal, Write, stderr},
    num::NonZero,
    path::PathBuf,
    process::ExitCode,
    thread,
};

use shamans_core::bot::{Skill, Strong};
use shamans_net::{
    data_folder,
    simulate::{Measured, Plan, Share, tune},
    words::{fill, tr},
};

use super::columns;

/// Arguments of `simulate`.
#[derive(clap::Args)]
pub struct Args {
    /// Seats at the table, phantoms included; if not given, as many as bots are named, and 5 with one bot for all.
    #[arg(long, value_parser = clap::value_parser!(u8).range(3..=5))]
    players: Option<u8>,
    /// Games to play.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// The same seed plays the same games, on any number of threads.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// One bot for all seats, or one for each seat that is no phantom's, separated by commas; these change seats from game to game.
    #[arg(long, value_delimiter = ',', default_value = "sensible")]
    bots: Vec<Skill>,
    /// Seats that nobody holds.
    #[arg(long, default_value_t = 0)]
    phantoms: u8,
    /// Threads to play on; all cores if not given.
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Rounds that a strong bot plays out for a decision.
    #[arg(long, default_value_t = Strong::USUAL, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    budget: u32,
    /// Play with the numbers in this folder's worlds.toml, tiles.toml, tables.toml and track.toml instead of the shipped ones.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Print JSON instead of lines.
    #[arg(long)]
    json: bool,
    /// Instead of playing one table, find for every table size and number of phantoms the steps to the Moon at which the Shadows
    /// win nearest to 40 % of rounds; `--games` is the number of games for each try.
    #[arg(long, conflicts_with_all = ["players", "phantoms", "json", "data"])]
    tune: bool,
}

impl Args {
    /// Seats at the table: as said, or one for each bot and phantom.
    fn seats(&self) -> u8 {
        let named = match self.bots.len() {
            0 | 1 => 5,
            // More than any table has is refused by the rules, with a sentence.
            bots => (bots + usize::from(self.phantoms)).min(6) as u8,
        };
        self.players.unwrap_or(named)
    }
}

/// Plays and prints. Exit code 1 if the rules refused a bot's action.
pub fn run(args: Args) -> ExitCode {
    let threads = args
        .threads
        .or_else(|| thread::available_parallelism().ok())
        .unwrap_or(NonZero::<usize>::MIN);
    if args.tune {
        return tune_all(&args, threads);
    }
    let players = args.seats();
    if args.phantoms >= players {
        eprintln!(
            "{}",
            fill(
                "Of {seats} seats {phantoms} cannot be phantoms': at least one is a person's.",
                &[
                    ("seats", &players.to_string()),
                    ("phantoms", &args.phantoms.to_string())
                ]
            )
        );
        return ExitCode::from(2);
    }
    let mut setup = tune::setup(players, args.phantoms);
    if let Some(folder) = &args.data {
        match data_folder::read(folder) {
            Ok(data) => setup.data = data,
            Err(trouble) => {
                eprintln!("{trouble}");
                return ExitCode::from(2);
            }
        }
    }
    let plan = match Plan::new(&setup, args.bots.clone(), args.games, args.seed) {
        Ok(plan) => plan.with_budget(args.budget),
        Err(trouble) => {
            eprintln!("{trouble}");
            return ExitCode::from(2);
        }
    };
    let bar = Bar::new(plan.games());
    let measured = plan.run(threads, |done| bar.show(done));
    bar.clear();
    if args.json {
        println!("{}", json(&args, &plan, &measured));
    } else {
        lines(&args, &plan, &measured);
    }
    if measured.tally.refused == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    }
}

fn per_core(measured: &Measured) -> f64 {
    measured.tally.actions as f64 / measured.core_seconds.max(1e-9)
}

fn json(args: &Args, plan: &Plan, measured: &Measured) -> serde_json::Value {
    let tally = &measured.tally;
    let fair = plan.fair_share();
    let shares: Vec<_> = plan
        .skills()
        .iter()
        .zip(&tally.wins)
        .map(|(skill, &wins)| {
            let share = Share::of(wins, tally.games);
            serde_json::json!({
                "bot": skill.name(),
                "wins": wins,
                "share": share.share,
                "low": share.low,
                "high": share.high,
                "times_fair": share.share / fair,
                "times_low": share.low / fair,
                "times_high": share.high / fair,
            })
        })
        .collect();
    let shadows = Share::of(tally.shadow_round_wins, tally.rounds);
    serde_json::json!({
        "players": args.seats(),
        "phantoms": args.phantoms,
        "seed": args.seed,
        "bots": args.bots.iter().map(|skill| skill.name()).collect::<Vec<_>>(),
        "games": tally.games,
        "rounds": tally.rounds,
        "actions": tally.actions,
        "shadow_round_wins": tally.shadow_round_wins,
        "shadow_round_share": shadows,
        "refused": tally.refused,
        "seconds": measured.seconds,
        "core_seconds": measured.core_seconds,
        "actions_per_second_per_core": per_core(measured),
        "wins": tally.wins,
        "phantom_wins": tally.phantom_wins,
        "points": tally.points,
        "stray_steps": tally.stray_steps,
        "elimination_steps": tally.elimination_steps,
        "shamans_eliminated": tally.shamans_eliminated,
        "shadows_eliminated": tally.shadows_eliminated,
        "fair_share": fair,
        "shares": shares,
    })
}

fn percent(share: Share) -> String {
    format!(
        "{:5.1} % ({:.1}–{:.1})",
        share.share * 100.0,
        share.low * 100.0,
        share.high * 100.0
    )
}

fn lines(args: &Args, plan: &Plan, measured: &Measured) {
    let tally = &measured.tally;
    let shadows = Share::of(tally.shadow_round_wins, tally.rounds);
    let rows = [
        (tr("games"), tally.games.to_string()),
        (tr("rounds"), tally.rounds.to_string()),
        (tr("actions"), tally.actions.to_string()),
        (tr("time"), format!("{:.1} s", measured.seconds)),
        (
            tr("actions a second on one core"),
            format!("{:.0}", per_core(measured)),
        ),
        (tr("rounds won by the Shadows"), percent(shadows)),
        (tr("actions refused"), tally.refused.to_string()),
    ];
    for line in columns::lines(&rows) {
        println!("{line}");
    }
    let fair = plan.fair_share();
    let percents = format!("{:.1}", fair * 100.0);
    println!(
        "{}",
        fill(
            "games won (fair share {percents} %):",
            &[("percents", &percents)]
        )
    );
    let mut rows = Vec::new();
    for (number, (skill, &wins)) in (1..).zip(plan.skills().iter().zip(&tally.wins)) {
        let share = Share::of(wins, tally.games);
        let times = |share: f64| format!("{:.2}", share / fair);
        let fairly = fill(
            "{times} × fair ({low}–{high})",
            &[
                ("times", &times(share.share)),
                ("low", &times(share.low)),
                ("high", &times(share.high)),
            ],
        );
        let won = format!("{wins:>8}  {}  {fairly}", percent(share));
        // The bot as the option names it.
        rows.push((format!("  {number} {}", skill.name()), won));
    }
    if args.phantoms > 0 {
        let phantoms = format!("    {}", tr("phantoms"));
        rows.push((phantoms, format!("{:>8}", tally.phantom_wins)));
    }
    for line in columns::lines(&rows) {
        println!("{line}");
    }
}

fn tune_all(args: &Args, threads: NonZero<usize>) -> ExitCode {
    let [skill] = args.bots.as_slice() else {
        eprintln!("{}", tr("Name one bot to tune with: it fills all seats."));
        return ExitCode::from(2);
    };
    let heads = [tr("players"), tr("phantoms"), tr("steps"), tr("rounds")];
    let widths = heads.each_ref().map(|head| head.chars().count());
    println!("{}  {}", heads.join("  "), tr("won by the Shadows"));
    for players in 3..=5 {
        for phantoms in 0..players {
            match tune::cell(players, phantoms, *skill, args.games, args.seed, threads) {
                Ok(cell) => {
                    let numbers = [
                        cell.players.to_string(),
                        cell.phantoms.to_string(),
                        cell.steps.to_string(),
                        cell.rounds.to_string(),
                    ];
                    let numbers = numbers.iter().zip(widths);
                    let numbers: Vec<String> = numbers
                        .map(|(number, width)| format!("{number:>width$}"))
                        .collect();
                    println!("{}  {}", numbers.join("  "), percent(cell.shadows));
                }
                Err(trouble) => {
                    eprintln!("{trouble}");
                    return ExitCode::from(2);
                }
            }
        }
    }
    ExitCode::SUCCESS
}

/// A bar on a terminal; nothing where nobody looks.
struct Bar {
    all: u64,
    shown: bool,
}

impl Bar {
    fn new(all: u64) -> Bar {
        Bar {
            all,
            shown: stderr().is_terminal(),
        }
    }

    fn show(&self, done: u64) {
        if self.shown {
            let width = 40;
            let full = (done * width / self.all.max(1)) as usize;
            let bar: String = (0..width as usize)
                .map(|i| if i < full { '#' } else { '.' })
                .collect();
            // A terminal that cannot be written to loses a bar, nothing else.
            let so_far = fill(
                "{done} of {all}",
                &[("done", &done.to_string()), ("all", &self.all.to_string())],
            );
            let _ = write!(stderr(), "\r{bar} {so_far}");
        }
    }

    fn clear(&self) {
        if self.shown {
            let _ = write!(stderr(), "\r{:70}\r", "");
        }
    }
}
