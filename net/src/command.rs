//! The subcommands of `shamans-table`. To add one: a module with `pub struct Args` (clap) and `pub fn run(Args) -> ExitCode`,
//! a variant and a line in [`Command::run`].

use std::process::ExitCode;

use clap::Subcommand;

mod bench;
mod versions;

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Measure a round's sealed deal on this machine.
    Bench(bench::Args),
    /// Tell which program, protocol and rules these are: peers play together when the last two agree.
    Versions(versions::Args),
}

impl Command {
    /// Does it; the exit code is the answer.
    pub fn run(self) -> ExitCode {
        match self {
            Command::Bench(args) => bench::run(args),
            Command::Versions(args) => versions::run(args),
        }
    }
}
