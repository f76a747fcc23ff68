//! `shamans-table doctor`: can one play from here, and what mends it if not.

use std::process::ExitCode;
use std::time::Duration;

use shamans_net::doctor::{Kind, Report, examine};
use shamans_net::identity::{Identity, clean_name};

use super::lan::{self, Installation, Stopped};

/// Arguments of `doctor`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    installation: Installation,
    /// How long to listen for others, in seconds.
    #[arg(long, default_value_t = 4)]
    seconds: u64,
    /// Print JSON instead of lines.
    #[arg(long)]
    json: bool,
}

/// Examines. 0: one can play; 1: one cannot, and why stands there.
pub fn run(args: Args) -> ExitCode {
    lan::block_on(work(args))
}

async fn work(args: Args) -> Result<ExitCode, Stopped> {
    // A key of its own: the doctor may come while a game is going on.
    let identity = Identity::generate()?;
    let mut name = clean_name(&args.installation.name())?;
    name.truncate(name.char_indices().nth(12).map_or(name.len(), |(at, _)| at));
    let name = format!("{name} (doctor)");
    let report = examine(&identity, &name, Duration::from_secs(args.seconds)).await;
    if args.json {
        let mut value = serde_json::json!(report);
        if let Some(object) = value.as_object_mut() {
            object.insert("can_play".to_owned(), report.can_play().into());
        }
        println!("{value}");
    } else {
        print(&report);
    }
    Ok(if report.can_play() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

fn print(report: &Report) {
    for interface in &report.interfaces {
        let addresses: Vec<String> = interface
            .addresses
            .iter()
            .map(ToString::to_string)
            .collect();
        let kind = match interface.kind {
            Kind::Lan => "",
            Kind::Loopback => ", this machine alone",
            Kind::Vpn => ", a VPN",
            Kind::Bridge => ", a bridge",
        };
        let state = if interface.up { "up" } else { "down" };
        println!(
            "{}: {state}{kind}; {}",
            interface.name,
            if addresses.is_empty() {
                "no address".to_owned()
            } else {
                addresses.join(", ")
            }
        );
        for (version, came) in [
            ("IPv4", interface.multicast4),
            ("IPv6", interface.multicast6),
        ] {
            if let Some(came) = came {
                println!(
                    "    multicast on {version} goes out and {}",
                    if came {
                        "comes back"
                    } else {
                        "does NOT come back"
                    }
                );
            }
        }
    }
    if let Some(port) = report.port {
        println!("The game's port is {port}.");
    }
    match report.heard.as_slice() {
        [] => println!("Nobody else is heard."),
        heard => println!(
            "Heard: {}. Reached: {}.",
            heard.join(", "),
            if report.reached.is_empty() {
                "nobody".to_owned()
            } else {
                report.reached.join(", ")
            }
        ),
    }
    for finding in &report.findings {
        println!("{} {}", if finding.fatal { "✘" } else { "!" }, finding.what);
        if let Some(line) = &finding.mend {
            println!("    {line}");
        }
    }
    println!(
        "{}",
        if report.can_play() {
            "You can play from here."
        } else {
            "You can NOT play from here."
        }
    );
}
