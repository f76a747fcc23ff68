//! Can one play from here, and if not, what mends it? Looks at each interface, listens to multicast, tries the port.
//!
//! What it cannot see is another machine's firewall: it can only tell whether anyone is heard. Driven by `shamans-table doctor`.

use std::net::IpAddr;
use std::time::Duration;

use serde::Serialize;

use crate::identity::Identity;
use crate::invite::FIRST_PORT;
use crate::swarm::{Node, NodeConfig};

mod conclusion;
mod firewall;
mod interfaces;
mod reach;

pub use firewall::Firewall;

/// What an interface is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Ethernet, Wi-Fi.
    Lan,
    /// This machine alone.
    Loopback,
    /// A tunnel: others at its far end are not on this LAN.
    Vpn,
    /// A bridge of virtual machines or containers.
    Bridge,
}

/// What kind of interface has this address; none if no interface has it, or not any more.
pub fn kind_of(ip: IpAddr) -> Option<Kind> {
    let all = if_addrs::get_if_addrs().unwrap_or_default();
    let own = all.into_iter().find(|interface| interface.ip() == ip)?;
    Some(interfaces::kind(&own.name, own.is_loopback()))
}

/// How one interface fares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InterfaceReport {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Its addresses.
    pub addresses: Vec<IpAddr>,
    /// Is it up, with a carrier?
    pub up: bool,
    /// Did a multicast packet sent there come back on IPv4? None: no such address.
    pub multicast4: Option<bool>,
    /// The same on IPv6.
    pub multicast6: Option<bool>,
    /// Why multicast could not even be sent, where it could not: on IPv4 and IPv6.
    pub unsent: [Option<String>; 2],
    /// Does the game's port answer at its addresses, asked from this machine? None: not tried.
    pub port_answers: Option<bool>,
    /// Names of peers heard that are on its network, by their addresses.
    pub heard: Vec<String>,
    /// The codes others can join by.
    pub invites: Vec<String>,
    /// Its addresses with their masks.
    #[serde(skip)]
    nets: Vec<if_addrs::IfAddr>,
}

/// What is wrong, how bad it is, and what mends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Does it make playing impossible?
    pub fatal: bool,
    /// The cause, as a sentence.
    pub what: String,
    /// The line to type, if there is one.
    pub mend: Option<String>,
}

/// Everything found.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The port that would be played on.
    pub port: Option<u16>,
    /// Each interface.
    pub interfaces: Vec<InterfaceReport>,
    /// Names of peers heard by mDNS.
    pub heard: Vec<String>,
    /// Those of them whose port could be reached.
    pub reached: Vec<String>,
    /// The firewalls found.
    pub firewalls: Vec<Firewall>,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Can one play?
    pub fn can_play(&self) -> bool {
        !self.findings.iter().any(|finding| finding.fatal)
    }
}

/// Examines this machine. Takes `patience` to listen for others.
pub async fn examine(identity: &Identity, name: &str, patience: Duration) -> Report {
    let mut report = Report {
        port: None,
        interfaces: Vec::new(),
        heard: Vec::new(),
        reached: Vec::new(),
        firewalls: firewall::find(),
        findings: Vec::new(),
    };
    let config = NodeConfig {
        name: name.to_owned(),
        ip: None,
        port: None,
    };
    match Node::start(identity, config) {
        Ok((node, events)) => {
            report.port = Some(node.port());
            interfaces::look(&mut report, identity, node.port()).await;
            reach::listen(&mut report, &node, events, name, patience).await;
            node.close();
        }
        Err(error) => {
            report.findings.push(Finding {
                fatal: true,
                what: error.to_string(),
                mend: None,
            });
            interfaces::look(&mut report, identity, FIRST_PORT).await;
        }
    }
    conclusion::conclude(&mut report);
    report
}
