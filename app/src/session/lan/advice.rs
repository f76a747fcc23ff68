//! The doctor's report as plain words.

use shamans_net::doctor::{InterfaceReport, Kind, Report};

use super::seen::Advice;
use crate::words;

/// What to show of a report. `me` is this player, whose own program the doctor hears too.
pub fn advice(report: Report, me: &str) -> Advice {
    let mut heard = report.heard.clone();
    if let Some(own) = heard.iter().position(|name| name == me) {
        heard.remove(own);
    }
    Advice {
        can_play: report.can_play(),
        findings: report
            .findings
            .into_iter()
            .map(|finding| (finding.what, finding.mend))
            .collect(),
        interfaces: report
            .interfaces
            .iter()
            .filter(|interface| interface.kind != Kind::Loopback)
            .map(|interface| (interface.name.clone(), fares(interface)))
            .collect(),
        heard,
    }
}

/// Nothing is announced, so nothing is to be examined.
pub fn quiet() -> Advice {
    Advice {
        can_play: true,
        findings: vec![(
            words::tr(
                "This program was started with --no-mdns: it announces nothing and hears nobody. Tables are joined by code or address.",
            ),
            None,
        )],
        ..Advice::default()
    }
}

fn fares(interface: &InterfaceReport) -> String {
    let kind = match interface.kind {
        Kind::Lan => words::tr("local network"),
        Kind::Loopback => words::tr("this computer alone"),
        Kind::Vpn => words::tr("tunnel"),
        Kind::Bridge => words::tr("virtual machines or containers"),
    };
    if !interface.up {
        return format!("{kind}, {}", words::tr("not connected"));
    }
    let addresses: Vec<String> = interface
        .addresses
        .iter()
        .map(ToString::to_string)
        .collect();
    let heard = match (interface.multicast4, interface.multicast6) {
        (Some(true), _) | (_, Some(true)) => words::tr("announcements pass"),
        (None, None) => words::tr("no address to announce on"),
        _ => words::tr("announcements do not pass: join by code"),
    };
    let parts = [kind, addresses.join(", "), heard];
    let said: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    said.join(" · ")
}
