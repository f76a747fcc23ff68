//! The subcommands of `shamans-table`. To add one: a module with `pub struct Args` (clap) and `pub fn run(Args) -> ExitCode`,
//! a variant and a line in [`Command::run`].

use std::process::ExitCode;

use clap::Subcommand;

mod bench;
mod columns;
#[cfg(feature = "lan")]
mod demo;
#[cfg(feature = "lan")]
mod doctor;
mod explanation;
pub mod help;
#[cfg(feature = "lan")]
mod lan;
#[cfg(feature = "lan")]
mod nearby;
mod papers;
#[cfg(feature = "lan")]
mod peer;
#[cfg(feature = "lan")]
mod people;
#[cfg(feature = "lan")]
mod play;
#[cfg(feature = "lan")]
mod relay;
mod replay;
mod scenario;
#[cfg(feature = "lan")]
mod seat;
mod simulate;
mod teller;
mod verify;
mod versions;

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Measure a round's sealed deal on this machine.
    Bench(bench::Args),
    /// Play whole games between bots, without network, and tell who won and how fast it went.
    Simulate(simulate::Args),
    /// Tell a recorded game again.
    Replay(replay::Args),
    /// Check the record of a game.
    Verify(verify::Args),
    /// Play scenario files: positions, moves and what must hold. Exit code 0 if all hold, else 1.
    Scenario(scenario::Args),
    /// Tell which program, protocol and rules these are: peers play together when the last two agree.
    Versions(versions::Args),
    /// Write manual pages, completions and firewall profiles for a package.
    #[command(hide = true)]
    Papers(papers::Args),
    /// Play a whole game among real peers on this machine, and tell it.
    #[cfg(feature = "lan")]
    Demo(demo::Args),
    /// Play at a table on the network by typing.
    #[cfg(feature = "lan")]
    Play(play::Args),
    /// Play by itself at a table on the network.
    #[cfg(feature = "lan")]
    Peer(peer::Args),
    /// Be a relay: players who cannot reach each other meet through it.
    #[cfg(feature = "lan")]
    Relay(relay::Args),
    /// Find out whether one can play from here, and what mends it if not.
    #[cfg(feature = "lan")]
    Doctor(doctor::Args),
    /// List the people met so far and their keys, or forget one.
    #[cfg(feature = "lan")]
    People(people::Args),
    /// List the tables and people nearby.
    #[cfg(feature = "lan")]
    Nearby(nearby::Args),
}

impl Command {
    /// Does it; the exit code is the answer.
    pub fn run(self) -> ExitCode {
        match self {
            Command::Bench(args) => bench::run(args),
            Command::Simulate(args) => simulate::run(args),
            Command::Replay(args) => replay::run(args),
            Command::Verify(args) => verify::run(args),
            Command::Scenario(args) => scenario::run(args),
            Command::Versions(args) => versions::run(args),
            Command::Papers(args) => papers::run(args),
            #[cfg(feature = "lan")]
            Command::Demo(args) => demo::run(args),
            #[cfg(feature = "lan")]
            Command::Play(args) => play::run(args),
            #[cfg(feature = "lan")]
            Command::Peer(args) => peer::run(args),
            #[cfg(feature = "lan")]
            Command::Relay(args) => relay::run(args),
            #[cfg(feature = "lan")]
            Command::Doctor(args) => doctor::run(args),
            #[cfg(feature = "lan")]
            Command::People(args) => people::run(args),
            #[cfg(feature = "lan")]
            Command::Nearby(args) => nearby::run(args),
        }
    }
}
