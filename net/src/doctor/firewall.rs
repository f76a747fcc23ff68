//! Which firewall rules here, and the line that lets the game through.

use std::path::Path;

use serde::Serialize;

use crate::invite::{FIRST_PORT, PORTS};

mod rules;
pub(super) use rules::{Blocked, Kept};

/// A firewall with a command of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Firewall {
    /// Ubuntu's.
    Ufw,
    /// Fedora's.
    Firewalld,
    /// The kernel's own, and Debian's.
    Nftables,
}

/// Those that look switched on, the most likely first.
pub(super) fn find() -> Vec<Firewall> {
    let mut found = Vec::new();
    let ufw = std::fs::read_to_string("/etc/ufw/ufw.conf");
    if ufw.is_ok_and(|text| {
        text.lines()
            .any(|line| line.trim().eq_ignore_ascii_case("ENABLED=yes"))
    }) {
        found.push(Firewall::Ufw);
    }
    if Path::new("/run/firewalld").exists() {
        found.push(Firewall::Firewalld);
    }
    if Path::new("/etc/nftables.conf").exists() || Path::new("/usr/sbin/nft").exists() {
        found.push(Firewall::Nftables);
    }
    found
}

/// What the packet filter's own rules keep out, as far as they may be read.
pub(super) fn blocked() -> Vec<Blocked> {
    rules::read()
}

impl Firewall {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Firewall::Ufw => "ufw",
            Firewall::Firewalld => "firewalld",
            Firewall::Nftables => "nftables",
        }
    }

    /// Does it, once switched on, keep out what nobody allowed? nftables alone is only a tool that is there.
    pub(super) fn is_strict(self) -> bool {
        match self {
            Firewall::Ufw | Firewall::Firewalld => true,
            Firewall::Nftables => false,
        }
    }

    /// Does it say itself that the game's ports are open? False also if it may not be asked.
    pub(super) fn lets_in(self) -> bool {
        let (first, last) = (FIRST_PORT, FIRST_PORT + PORTS - 1);
        match self {
            Firewall::Ufw => {
                let status = rules::run("ufw", &["status"]).unwrap_or_default();
                ["tcp", "udp"].into_iter().all(|transport| {
                    let wanted = format!("{first}:{last}/{transport}");
                    status
                        .lines()
                        .any(|line| line.starts_with(&wanted) && line.contains("ALLOW"))
                })
            }
            Firewall::Firewalld => ["tcp", "udp"].into_iter().all(|transport| {
                let query = format!("--query-port={first}-{last}/{transport}");
                rules::run("firewall-cmd", &[&query]).is_some()
            }),
            Firewall::Nftables => true,
        }
    }

    /// The line that opens the game's ports, if one can be named.
    pub fn allow_game(self) -> Option<String> {
        let (first, last) = (FIRST_PORT, FIRST_PORT + PORTS - 1);
        match self {
            Firewall::Ufw => Some(format!(
                "sudo ufw allow {first}:{last}/tcp && sudo ufw allow {first}:{last}/udp"
            )),
            Firewall::Firewalld => Some(format!(
                "sudo firewall-cmd --permanent --add-port={first}-{last}/tcp --add-port={first}-{last}/udp && sudo firewall-cmd --reload"
            )),
            Firewall::Nftables => ask_as_root(),
        }
    }

    /// The line that lets mDNS through.
    pub fn allow_mdns(self) -> Option<String> {
        match self {
            Firewall::Ufw => Some("sudo ufw allow 5353/udp".to_owned()),
            Firewall::Firewalld => Some(
                "sudo firewall-cmd --permanent --add-service=mdns && sudo firewall-cmd --reload"
                    .to_owned(),
            ),
            Firewall::Nftables => ask_as_root(),
        }
    }
}

/// Tables and chains of the kernel's filter have any names, and only root may read them: with those rights the doctor names the rule
/// and the line that mends it. Whoever may read them has been told already.
fn ask_as_root() -> Option<String> {
    (!rules::are_readable()).then(|| "sudo shamans-table doctor".to_owned())
}
