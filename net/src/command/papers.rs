//! `shamans-table papers`: what a package brings beside the program. For packaging, hence hidden from the help.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::CommandFactory;

/// Arguments of `papers`.
#[derive(clap::Args)]
pub struct Args {
    /// Where to write manual pages, completions and firewall profiles.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Writes them. 0: written; 2: they could not be.
pub fn run(args: Args) -> ExitCode {
    match shamans_net::papers::write(crate::Cli::command(), "Shamans-table", &args.folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", args.folder.display());
            ExitCode::from(2)
        }
    }
}
