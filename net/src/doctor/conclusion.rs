//! What the whole of it means: sentences, and the lines that mend it. Pure.

use super::firewall::Firewall;
use super::{Finding, InterfaceReport, Kind, Report};
use crate::invite::{FIRST_PORT, PORTS};

/// Adds what is wrong to the report.
pub(super) fn conclude(report: &mut Report) {
    let usable: Vec<&InterfaceReport> = report
        .interfaces
        .iter()
        .filter(|interface| {
            interface.up && interface.kind != Kind::Loopback && !interface.addresses.is_empty()
        })
        .collect();
    let lan = usable.iter().any(|interface| interface.kind == Kind::Lan);
    let mut findings = Vec::new();
    if usable.is_empty() {
        let what =
            crate::words::tr("this machine is on no network: plug in a cable or join a Wi-Fi");
        findings.push(Finding {
            fatal: true,
            what,
            mend: None,
        });
    } else if !lan {
        let what = crate::words::tr(
            "there is only a tunnel or a bridge here, no LAN: others nearby will not be found through it",
        );
        findings.push(Finding {
            fatal: false,
            what,
            mend: None,
        });
    }
    for interface in &usable {
        let deaf = interface.multicast4 != Some(true) && interface.multicast6 != Some(true);
        let unsent: Vec<&str> = interface
            .unsent
            .iter()
            .flatten()
            .map(String::as_str)
            .collect();
        match interface.kind {
            Kind::Lan if deaf && !unsent.is_empty() => {
                let what = crate::words::fill(
                    "multicast cannot be sent on {interface} ({why}): tables nearby will not be listed there; join by invite code instead",
                    &[("interface", &interface.name), ("why", &unsent.join(", "))],
                );
                findings.push(Finding {
                    fatal: false,
                    what,
                    mend: None,
                });
            }
            Kind::Lan if deaf => {
                let what = crate::words::fill(
                    "multicast sent on {interface} does not come back: tables nearby will not be listed there; join by invite code instead",
                    &[("interface", &interface.name)],
                );
                let mend = report
                    .firewalls
                    .first()
                    .and_then(|firewall| firewall.allow_mdns());
                findings.push(Finding {
                    fatal: false,
                    what,
                    mend,
                });
            }
            Kind::Vpn => {
                let what = crate::words::fill(
                    "{interface} looks like a VPN: if it takes all traffic, tables nearby stay hidden; switch it off to play",
                    &[("interface", &interface.name)],
                );
                findings.push(Finding {
                    fatal: false,
                    what,
                    mend: None,
                });
            }
            Kind::Bridge => {
                let what = crate::words::fill(
                    "{interface} is a bridge for virtual machines or containers: invite codes for it are of no use to others",
                    &[("interface", &interface.name)],
                );
                findings.push(Finding {
                    fatal: false,
                    what,
                    mend: None,
                });
            }
            Kind::Lan | Kind::Loopback => {}
        }
    }
    let unreached: Vec<&String> = report
        .heard
        .iter()
        .filter(|name| !report.reached.contains(name))
        .collect();
    if !unreached.is_empty() {
        let names: Vec<&str> = unreached.iter().map(|name| name.as_str()).collect();
        let last = FIRST_PORT + PORTS - 1;
        let what = crate::words::fill(
            "{names} can be heard but not connected to: a firewall, there or here, blocks ports {first} to {last}",
            &[
                ("names", &names.join(", ")),
                ("first", &FIRST_PORT.to_string()),
                ("last", &last.to_string()),
            ],
        );
        let mend = report
            .firewalls
            .first()
            .copied()
            .unwrap_or(Firewall::Nftables)
            .allow_game();
        // If nobody at all can be reached, nobody can be played with.
        findings.push(Finding {
            fatal: report.reached.is_empty(),
            what,
            mend,
        });
    }
    report.findings.extend(findings);
    report.findings.dedup();
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn report(interfaces: Vec<InterfaceReport>, heard: &[&str]) -> Report {
        let heard = heard.iter().map(|name| (*name).to_owned()).collect();
        Report {
            port: Some(1),
            interfaces,
            heard,
            reached: Vec::new(),
            firewalls: vec![Firewall::Ufw],
            findings: Vec::new(),
        }
    }

    fn interface(kind: Kind, multicast: bool) -> InterfaceReport {
        let addresses = vec![IpAddr::from([10, 0, 0, 1])];
        InterfaceReport {
            name: "eth0".to_owned(),
            kind,
            addresses,
            up: true,
            multicast4: Some(multicast),
            multicast6: None,
            unsent: [None, None],
            port_answers: None,
            heard: Vec::new(),
            invites: Vec::new(),
            nets: Vec::new(),
        }
    }

    #[test]
    fn a_sound_machine_has_no_findings() {
        let mut sound = report(vec![interface(Kind::Lan, true)], &[]);
        conclude(&mut sound);
        assert!(
            sound.can_play() && sound.findings.is_empty(),
            "{:?}",
            sound.findings
        );
    }

    #[test]
    fn no_network_is_fatal_and_deaf_ears_are_not() {
        let mut none = report(Vec::new(), &[]);
        conclude(&mut none);
        assert!(!none.can_play());
        let mut deaf = report(vec![interface(Kind::Lan, false)], &[]);
        conclude(&mut deaf);
        assert!(deaf.can_play());
        let mend = deaf
            .findings
            .first()
            .and_then(|finding| finding.mend.clone());
        assert!(mend.is_some_and(|line| line.contains("ufw") && line.contains("5353")));
    }

    #[test]
    fn what_was_never_sent_is_not_said_to_be_lost() {
        let mut mute = interface(Kind::Lan, false);
        mute.unsent = [Some("Operation not permitted".to_owned()), None];
        let mut mute = report(vec![mute], &[]);
        conclude(&mut mute);
        let finding = mute.findings.first().expect("one");
        assert!(
            finding
                .what
                .contains("cannot be sent on eth0 (Operation not permitted)")
        );
        assert!(!finding.what.contains("come back"));
    }

    #[test]
    fn heard_but_out_of_reach_is_the_firewall() {
        let mut blocked = report(vec![interface(Kind::Lan, true)], &["Eva"]);
        conclude(&mut blocked);
        assert!(!blocked.can_play());
        let finding = blocked.findings.first().expect("one");
        assert!(
            finding.what.contains("Eva")
                && finding
                    .mend
                    .as_ref()
                    .is_some_and(|line| line.contains("47077"))
        );
    }
}
