//! `shamans-table scenario`: plays scenario files and says which of their lines do not hold.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use shamans_net::{
    scenario::{MAX_SCENARIO, Scenario},
    words::{fill, tr, tr_n},
};

/// Arguments of `scenario`.
#[derive(clap::Args)]
pub struct Args {
    /// Scenario files; a folder stands for all its files that end in .txt.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Say nothing about scenarios that hold.
    #[arg(long, short)]
    quiet: bool,
}

/// Plays them all. Exit code 0: all hold. 1: a line does not, or a file cannot be read or is no scenario.
pub fn run(args: Args) -> ExitCode {
    let (mut held, mut failed, mut unread) = (0u32, 0u32, 0u32);
    for path in &args.files {
        let files = match listed(path) {
            Ok(files) => files,
            Err(trouble) => {
                eprintln!("{}: {trouble}", path.display());
                unread += 1;
                continue;
            }
        };
        for file in files {
            let name = file.display();
            let scenario = match read(&file) {
                Ok(bytes) => Scenario::read(&bytes),
                Err(trouble) => {
                    eprintln!("{name}: {trouble}");
                    unread += 1;
                    continue;
                }
            };
            match scenario {
                Err(flaw) => {
                    eprintln!("{name}:{flaw}");
                    unread += 1;
                }
                Ok(scenario) => {
                    let report = scenario.run();
                    for finding in &report.findings {
                        println!("{name}:{finding}");
                    }
                    if !report.holds() {
                        failed += 1;
                        continue;
                    }
                    held += 1;
                    if !args.quiet {
                        let moves = tr_n("1 move", "{n} moves", report.moves);
                        let checks = tr_n("1 check", "{n} checks", report.checks);
                        let counts = [("moves", moves.as_str()), ("checks", checks.as_str())];
                        println!("{name}: {}", fill("holds ({moves}, {checks})", &counts));
                    }
                }
            }
        }
    }
    let (passed, not) = (held.to_string(), (failed + unread).to_string());
    let counts = [("passed", passed.as_str()), ("failed", not.as_str())];
    println!("{}", fill("{passed} passed, {failed} failed", &counts));
    if failed + unread == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The file itself, or the scenarios in a folder, by name.
fn listed(path: &Path) -> Result<Vec<PathBuf>, String> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let entries = fs::read_dir(path).map_err(|error| error.to_string())?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|file| file.extension().is_some_and(|ending| ending == "txt"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(tr(
            "expected scenarios, files that end in .txt, found none in this folder",
        ));
    }
    Ok(files)
}

/// Reads a file, but never more than shows that it is too large.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    use std::io::Read;
    let file = fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let mut start = file.take(MAX_SCENARIO as u64 + 1);
    start
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    Ok(bytes)
}
