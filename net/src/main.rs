//! `shamans-table`: everything a terminal can do. Needs no window system.
//!
//! Each subcommand is a module of [`command`] with its own `Args` and `run`; this file only chooses among them.
//! Exit codes: 0 done, 1 the answer is no, 2 it could not be tried (wrong arguments, unreadable file); what a
//! subcommand adds to that stands in its own help.

mod command;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

/// Shamans in the terminal: find tables, play, check records.
#[derive(Parser)]
#[command(name = "shamans-table", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: command::Command,
}

fn main() -> ExitCode {
    let read = command::help::spoken(Cli::command())
        .try_get_matches()
        .and_then(|matches| Cli::from_arg_matches(&matches));
    match read {
        Ok(cli) => cli.command.run(),
        Err(error) => command::help::answer(&error),
    }
}
