//! `shamans-table doctor`: can one play from here, and what mends it if not.

use std::process::ExitCode;
use std::time::Duration;

use shamans_net::doctor::{Kind, Report, examine};
use shamans_net::identity::{Identity, clean_name};
use shamans_net::words::{fill, tr};

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
            Kind::Lan => tr("a local network"),
            Kind::Loopback => tr("this machine alone"),
            Kind::Vpn => tr("a VPN"),
            Kind::Bridge => tr("a bridge"),
        };
        let state = if interface.up { tr("up") } else { tr("down") };
        let addresses = if addresses.is_empty() {
            tr("no address")
        } else {
            addresses.join(", ")
        };
        println!("{}: {state}, {kind}; {addresses}", interface.name);
        let [unsent4, unsent6] = &interface.unsent;
        for (version, came, unsent) in [
            ("IPv4", interface.multicast4, unsent4),
            ("IPv6", interface.multicast6, unsent6),
        ] {
            let values = [("version", version)];
            match came {
                Some(false) if let Some(why) = unsent => println!(
                    "    {}",
                    fill(
                        "multicast on {version} cannot be sent: {why}",
                        &[("version", version), ("why", why)]
                    )
                ),
                Some(true) => println!(
                    "    {}",
                    fill("multicast on {version} goes out and comes back", &values)
                ),
                Some(false) => println!(
                    "    {}",
                    fill(
                        "multicast on {version} goes out and does NOT come back",
                        &values
                    )
                ),
                None => {}
            }
        }
        match interface.port_answers {
            Some(true) => println!("    {}", tr("the game's port answers here")),
            Some(false) => println!("    {}", tr("the game's port does NOT answer here")),
            None => {}
        }
        if !interface.heard.is_empty() {
            let names = interface.heard.join(", ");
            println!("    {}", fill("heard here: {names}", &[("names", &names)]));
        }
    }
    if let Some(port) = report.port {
        println!(
            "{}",
            fill("The game's port is {port}.", &[("port", &port.to_string())])
        );
    }
    if report.heard.is_empty() {
        println!("{}", tr("Nobody else is heard."));
    } else {
        println!(
            "{}",
            fill("Heard: {names}.", &[("names", &report.heard.join(", "))])
        );
        if report.reached.is_empty() {
            println!("{}", tr("Nobody could be reached."));
        } else {
            println!(
                "{}",
                fill(
                    "Reached: {names}.",
                    &[("names", &report.reached.join(", "))]
                )
            );
        }
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
            tr("You can play from here.")
        } else {
            tr("You can NOT play from here.")
        }
    );
}
