//! `shamans-table people`: who was met so far and by which key, and forgetting them.

use std::process::ExitCode;

use shamans_net::identity::PublicId;
use shamans_net::words::{fill, tr};

use super::lan::{Installation, Stopped};

/// Arguments of `people`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    installation: Installation,
    /// Forget whoever had this name: the next one to use it is taken as new.
    #[arg(long, value_name = "NAME")]
    forget: Option<String>,
    /// Print JSON instead of lines.
    #[arg(long)]
    json: bool,
}

/// Lists or forgets. 1: there is nobody of that name.
pub fn run(args: Args) -> ExitCode {
    match work(&args) {
        Ok(code) => code,
        Err(stopped) => {
            eprintln!("{stopped}");
            ExitCode::from(2)
        }
    }
}

fn work(args: &Args) -> Result<ExitCode, Stopped> {
    let (store, identity) = args.installation.open()?;
    let mut peers = store.peers()?;
    if let Some(name) = &args.forget {
        let known = peers
            .iter()
            .any(|peer| peer.name.to_lowercase() == name.to_lowercase());
        if !known {
            eprintln!(
                "{}",
                fill("nobody called “{name}” was met so far", &[("name", name)])
            );
            return Ok(ExitCode::from(1));
        }
        peers.forget(name)?;
        println!("{}", fill("{name} is forgotten.", &[("name", name)]));
        return Ok(ExitCode::SUCCESS);
    }
    let fingerprint =
        |key: &str| PublicId::from_hex(key).map_or_else(|_| tr("damaged"), |id| id.fingerprint());
    if args.json {
        let all: Vec<_> = peers.iter().map(|peer| serde_json::json!({ "name": peer.name, "key": fingerprint(&peer.key), "last_seen": peer.last_seen, "addresses": peer.addresses })).collect();
        println!(
            "{}",
            serde_json::json!({ "me": identity.public().fingerprint(), "people": all })
        );
    } else {
        println!(
            "{}",
            fill(
                "Your key: {key}",
                &[("key", &identity.public().to_string())]
            )
        );
        for peer in peers.iter() {
            println!("{}  {}", fingerprint(&peer.key), peer.name);
        }
    }
    Ok(ExitCode::SUCCESS)
}
