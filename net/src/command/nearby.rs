//! `shamans-table nearby`: the tables and people that can be heard, as the window's list shows them.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use shamans_net::discovery::{Discovery, DiscoveryEvent, Lobby, Presence};
use shamans_net::identity::clean_name;
use shamans_net::words::{fill, tr};

use super::lan::{self, Installation};

/// Arguments of `nearby`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    installation: Installation,
    /// How long to listen, in seconds.
    #[arg(long, default_value_t = 4)]
    seconds: u64,
    /// Print each change as a JSON line with the time in milliseconds.
    #[arg(long)]
    json: bool,
}

/// Listens, and tells what it heard.
pub fn run(args: Args) -> ExitCode {
    lan::block_on(listen(args))
}

async fn listen(args: Args) -> Result<ExitCode, lan::Stopped> {
    let (_store, identity) = args.installation.open()?;
    let name = clean_name(&args.installation.name())?;
    // Nothing is listened on: the port only makes the announcement whole.
    let presence = Presence { name, table: None };
    let (discovery, mut events) = Discovery::start(identity.public(), 9, presence)?;
    let start = Instant::now();
    let end = start + Duration::from_secs(args.seconds);
    let mut lobby = Lobby::new();
    let mut shown = serde_json::Value::Null;
    let mut trouble = Vec::new();
    while let Some(left) = end.checked_duration_since(Instant::now()) {
        let event = tokio::time::timeout(left.min(Duration::from_millis(500)), events.recv()).await;
        let now = start.elapsed().as_millis() as u64;
        match event {
            Ok(Some(DiscoveryEvent::Seen(neighbour))) => {
                lobby.seen(neighbour, now);
            }
            Ok(Some(DiscoveryEvent::Gone(id))) => lobby.gone(&id),
            Ok(Some(DiscoveryEvent::Copy { addresses })) => {
                let at: Vec<String> = addresses.iter().map(ToString::to_string).collect();
                trouble.push(fill(
                    "another program plays with your key, at {address}",
                    &[("address", &at.join(" "))],
                ));
            }
            Ok(Some(DiscoveryEvent::Trouble(what))) => trouble.push(what),
            Ok(None) => break,
            Err(_) => {}
        }
        lobby.expire(now);
        if args.json {
            let mut people: Vec<&str> = lobby
                .people()
                .map(|peer| peer.presence.name.as_str())
                .collect();
            people.sort_unstable();
            let all = serde_json::json!({ "tables": lobby.tables(), "people": people });
            if all != shown {
                println!("{}", serde_json::json!({ "ms": now, "nearby": all }));
                shown = all;
            }
        }
    }
    discovery.close().await;
    trouble.dedup();
    for what in &trouble {
        eprintln!("{what}");
    }
    if !args.json {
        print(&lobby);
    }
    Ok(ExitCode::SUCCESS)
}

fn print(lobby: &Lobby) {
    let tables = lobby.tables();
    if tables.is_empty() {
        println!("{}", tr("No tables nearby."));
    }
    for row in tables {
        let who = row.who.join(", ");
        let note = row.greyed.map_or(String::new(), |why| format!("  ({why})"));
        println!("{}  {}/{}  {who}{note}", row.name, row.taken, row.seats);
    }
    let people: Vec<&str> = lobby
        .people()
        .filter(|peer| peer.presence.table.is_none())
        .map(|peer| peer.presence.name.as_str())
        .collect();
    if !people.is_empty() {
        println!(
            "{}",
            fill("Also around: {names}", &[("names", &people.join(", "))])
        );
    }
}
