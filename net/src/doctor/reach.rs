//! Who is heard, whose port answers, and whether this machine's own port does: what a rule of the packet filter shows in.

use std::net::IpAddr;
use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::firewall::{self, Blocked, Firewall, Kept};
use super::{Finding, Kind, Report};
use crate::discovery::{Discovery, DiscoveryEvent, Presence};
use crate::swarm::{Node, NodeEvent, addresses_of};

/// Hears who is there, and knocks at everyone's port.
pub(super) async fn listen(
    report: &mut Report,
    node: &Node,
    mut events: tokio::sync::mpsc::Receiver<NodeEvent>,
    name: &str,
    patience: Duration,
) {
    let presence = Presence {
        name: name.to_owned(),
        table: None,
    };
    let (discovery, mut heard) = match Discovery::start(node.local(), node.port(), presence) {
        Ok(started) => started,
        Err(error) => {
            report.findings.push(Finding {
                fatal: false,
                what: error.to_string(),
                mend: None,
            });
            return;
        }
    };
    let end = Instant::now() + patience;
    let mut names = std::collections::BTreeMap::new();
    loop {
        tokio::select! {
            () = tokio::time::sleep_until(end) => break,
            Some(event) = heard.recv() => match event {
                DiscoveryEvent::Seen(peer) => {
                    names.insert(peer.id, peer.presence.name.clone());
                    if !report.heard.contains(&peer.presence.name) {
                        report.heard.push(peer.presence.name.clone());
                    }
                    for interface in &mut report.interfaces {
                        let near = peer.addresses.iter().any(|address| interface.is_near(address));
                        if near && !interface.heard.contains(&peer.presence.name) {
                            interface.heard.push(peer.presence.name.clone());
                        }
                    }
                    node.want(peer.id, peer.addresses);
                }
                DiscoveryEvent::Gone(_) => {}
                DiscoveryEvent::Copy { .. } => {
                    let what = crate::words::tr("another program on this network plays with your key: close one of them");
                    report.findings.push(Finding { fatal: false, what, mend: None });
                }
                DiscoveryEvent::Trouble(what) => report.findings.push(Finding { fatal: false, what, mend: None }),
            },
            Some(event) = events.recv() => {
                if let NodeEvent::Up { peer, .. } = event
                    && let Some(name) = names.get(&peer)
                    && !report.reached.contains(name)
                {
                    report.reached.push(name.clone());
                }
            }
            else => break,
        }
    }
    discovery.close().await;
    own_port(report, node.port()).await;
}

/// Can this machine's own addresses be reached on the port? A rule that drops it drops it here too.
async fn own_port(report: &mut Report, port: u16) {
    let mut blocked = Vec::new();
    for interface in report
        .interfaces
        .iter_mut()
        .filter(|interface| interface.up && interface.kind == Kind::Lan)
    {
        for ip in &interface.addresses {
            let zone = Some(interface.name.as_str());
            let link_local = matches!(ip, IpAddr::V6(v6) if v6.is_unicast_link_local());
            if link_local || addresses_of(*ip, port, zone).is_empty() {
                continue;
            }
            let reached = timeout(
                Duration::from_millis(700),
                tokio::net::TcpStream::connect((*ip, port)),
            )
            .await;
            let answers = matches!(reached, Ok(Ok(_)));
            interface.port_answers = Some(answers && interface.port_answers != Some(false));
            if !answers {
                blocked.push(format!("{ip} ({})", interface.name));
            }
        }
    }
    // Whoever can reach others from here can still sit down at their tables.
    let fatal = report.reached.is_empty();
    let rules = firewall::blocked();
    let named: Vec<&Blocked> = rules
        .iter()
        .filter(|rule| rule.what == Kept::Game)
        .collect();
    for rule in &named {
        report.findings.push(Finding {
            fatal,
            what: crate::words::fill(
                "the game's port {port} is blocked, others cannot reach this machine; the rule is: {rule}",
                &[("port", &port.to_string()), ("rule", &rule.rule)],
            ),
            mend: Some(rule.mend.clone()),
        });
    }
    for rule in rules.iter().filter(|rule| rule.what == Kept::Mdns) {
        let what = crate::words::fill(
            "tables nearby will not be listed, join by invite code instead; the rule is: {rule}",
            &[("rule", &rule.rule)],
        );
        let mend = Some(rule.mend.clone());
        report.findings.push(Finding {
            fatal: false,
            what,
            mend,
        });
    }
    if !blocked.is_empty() && named.is_empty() {
        let what = crate::words::fill(
            "the game's port {port} is blocked on {where}: others cannot reach this machine",
            &[("port", &port.to_string()), ("where", &blocked.join(", "))],
        );
        let mend = report
            .firewalls
            .first()
            .copied()
            .unwrap_or(Firewall::Nftables)
            .allow_game();
        report.findings.push(Finding { fatal, what, mend });
    } else if blocked.is_empty()
        && let Some(firewall) = report
            .firewalls
            .first()
            .filter(|firewall| firewall.is_strict() && !firewall.lets_in())
    {
        let what = crate::words::fill(
            "{firewall} is switched on here: it may keep others out unless its ports are open",
            &[("firewall", firewall.name())],
        );
        let lines = [firewall.allow_game(), firewall.allow_mdns()];
        let lines: Vec<String> = lines.into_iter().flatten().collect();
        let mend = (!lines.is_empty()).then(|| lines.join(" && "));
        report.findings.push(Finding {
            fatal: false,
            what,
            mend,
        });
    }
}
