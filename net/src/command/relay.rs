//! `shamans-table relay`: a small relay on a reachable machine, for players who cannot reach each other.

use std::process::ExitCode;

use shamans_net::identity::PublicId;
use shamans_net::invite::Invite;
use shamans_net::swarm::{RelayConfig, RelayEvent, start_relay};
use shamans_net::words::{fill, tr, tr_n};

use super::lan::{self, Installation, Stopped, externals, listen_on};

/// Arguments of `relay`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    installation: Installation,
    /// Listen here (address, port or both) instead of everywhere.
    #[arg(long, value_name = "ADDRESS[:PORT]|PORT")]
    listen: Option<String>,
    /// The address by which players reach this machine, if a router forwards a port to it.
    #[arg(long, value_name = "ADDRESS[:PORT]")]
    external: Vec<String>,
    /// Print events as JSON lines.
    #[arg(long)]
    json: bool,
}

/// Relays until it is interrupted. 0: it was; 2: it could not be tried.
pub fn run(args: Args) -> ExitCode {
    lan::block_on(relay(args))
}

async fn relay(args: Args) -> Result<ExitCode, Stopped> {
    let (ip, port) = listen_on(args.listen.as_deref())?;
    let external = externals(&args.external)?;
    let (_, identity) = args.installation.open()?;
    let config = RelayConfig { ip, port, external };
    let (_, mut events) = start_relay(&identity, config)?;
    if !args.json {
        println!(
            "{}",
            tr(
                "A relay for players who cannot reach each other. It sees who plays with whom, and no cards. Ctrl+C ends it."
            )
        );
    }
    let mut stop = std::pin::pin!(tokio::signal::ctrl_c());
    loop {
        tokio::select! {
            event = events.recv() => match event {
                Some(event) => println!("{}", tell(event, &identity.public(), args.json)),
                None => return Ok(ExitCode::SUCCESS),
            },
            _ = &mut stop => return Ok(ExitCode::SUCCESS),
        }
    }
}

fn tell(event: RelayEvent, who: &PublicId, json: bool) -> String {
    match event {
        RelayEvent::Reachable { ip, port } => {
            let code = Invite::new(ip, port, who).to_string();
            if json {
                return serde_json::json!({ "event": "reachable", "ip": ip, "port": port, "relay": code }).to_string();
            }
            let known: &[(&str, &str)] = &[
                ("ip", &ip.to_string()),
                ("port", &port.to_string()),
                ("code", &code),
            ];
            fill(
                "Reachable at {ip} port {port}: players name it with --relay {code}, or in the preferences.",
                known,
            )
        }
        RelayEvent::Used { waiting, circuits } => {
            if json {
                return serde_json::json!({ "event": "used", "waiting": waiting, "circuits": circuits }).to_string();
            }
            let waiting = tr_n("{n} player waits here", "{n} players wait here", waiting);
            let circuits = tr_n(
                "{n} pair speaks through it",
                "{n} pairs speak through it",
                circuits,
            );
            format!("{waiting}, {circuits}.")
        }
    }
}
