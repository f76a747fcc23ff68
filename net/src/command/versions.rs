//! `shamans-table versions`: what has to agree before peers can sit down together.

use std::process::ExitCode;

use shamans_net::PROTOCOL_VERSION;
use shamans_net::words::fill;

/// Arguments of `versions`.
#[derive(clap::Args)]
pub struct Args {
    /// Print JSON instead of lines.
    #[arg(long)]
    json: bool,
}

/// Prints the versions.
pub fn run(args: Args) -> ExitCode {
    let program = env!("CARGO_PKG_VERSION");
    if args.json {
        println!(
            "{}",
            serde_json::json!({ "program": program, "protocol": PROTOCOL_VERSION })
        );
    } else {
        println!("{}", fill("program {version}", &[("version", program)]));
        let version = PROTOCOL_VERSION.to_string();
        println!("{}", fill("protocol {version}", &[("version", &version)]));
    }
    ExitCode::SUCCESS
}
