//! Can one play from here, and if not, what mends it? Looks at each interface, listens to multicast, tries the port.
//!
//! What it cannot see is another machine's firewall: it can only tell whether anyone is heard. Driven by `shamans-table doctor`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::path::Path;
use std::time::Duration;

use if_addrs::{IfAddr, Interface};
use serde::Serialize;
use tokio::net::UdpSocket;
use tokio::time::{Instant, timeout};

use crate::discovery::{Discovery, DiscoveryEvent, Presence};
use crate::identity::Identity;
use crate::invite::{FIRST_PORT, Invite, PORTS};
use crate::swarm::{Node, NodeConfig, NodeEvent, addresses_of};

mod firewall;
pub use firewall::Firewall;

/// A group of our own for the echo test: that of mDNS is busy.
const GROUP4: Ipv4Addr = Ipv4Addr::new(239, 255, 77, 77);
const GROUP6: Ipv6Addr = Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 0x77, 0x77);

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
    /// The codes others can join by.
    pub invites: Vec<String>,
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
            interfaces(&mut report, identity, node.port()).await;
            listen(&mut report, &node, events, name, patience).await;
            node.close();
        }
        Err(error) => {
            report.findings.push(Finding {
                fatal: true,
                what: error.to_string(),
                mend: None,
            });
            interfaces(&mut report, identity, FIRST_PORT).await;
        }
    }
    conclude(&mut report);
    report
}

async fn interfaces(report: &mut Report, identity: &Identity, port: u16) {
    let all = match if_addrs::get_if_addrs() {
        Ok(all) => all,
        Err(error) => {
            let what = format!("the network interfaces cannot be listed: {error}");
            report.findings.push(Finding {
                fatal: true,
                what,
                mend: None,
            });
            return;
        }
    };
    let mut names: Vec<String> = all
        .iter()
        .map(|interface| interface.name.clone())
        .chain(down_interfaces())
        .collect();
    names.sort();
    names.dedup();
    for name in names {
        let own: Vec<&Interface> = all
            .iter()
            .filter(|interface| interface.name == name)
            .collect();
        let addresses: Vec<IpAddr> = own.iter().map(|interface| interface.ip()).collect();
        let kind = kind(&name, addresses.iter().any(IpAddr::is_loopback));
        let up = is_up(&name);
        let tried = up && kind != Kind::Loopback;
        let mut multicast4 = None;
        let mut multicast6 = None;
        for interface in own.iter().filter(|_| tried) {
            match &interface.addr {
                IfAddr::V4(v4) => multicast4 = Some(multicast4 == Some(true) || echo4(v4.ip).await),
                IfAddr::V6(v6) if v6.ip.is_unicast_link_local() => {
                    multicast6 = Some(echo6(interface.index.unwrap_or(0)).await)
                }
                IfAddr::V6(_) => {}
            }
        }
        let invites = match kind {
            Kind::Loopback => Vec::new(),
            Kind::Lan | Kind::Vpn | Kind::Bridge => addresses
                .iter()
                .map(|ip| Invite::new(*ip, port, &identity.public()).to_string())
                .collect(),
        };
        report.interfaces.push(InterfaceReport {
            name,
            kind,
            addresses,
            up,
            multicast4,
            multicast6,
            invites,
        });
    }
}

/// Interfaces without any address are not listed with the others.
fn down_interfaces() -> Vec<String> {
    let Ok(entries) = std::fs::read_dir("/sys/class/net") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}

fn is_up(name: &str) -> bool {
    match std::fs::read_to_string(format!("/sys/class/net/{name}/operstate")) {
        // Loopback and tunnels do not know.
        Ok(state) => matches!(state.trim(), "up" | "unknown"),
        // Without that folder the address itself says that it is up.
        Err(_) => true,
    }
}

fn kind(name: &str, loopback: bool) -> Kind {
    if loopback || name == "lo" {
        return Kind::Loopback;
    }
    let begins = |all: &[&str]| all.iter().any(|start| name.starts_with(start));
    if begins(&[
        "tun",
        "tap",
        "wg",
        "ppp",
        "tailscale",
        "zt",
        "nordlynx",
        "proton",
        "vpn",
        "ipsec",
        "utun",
    ]) {
        Kind::Vpn
    } else if begins(&[
        "docker", "virbr", "br-", "lxc", "lxd", "podman", "cni", "vmnet", "vboxnet",
    ]) || Path::new(&format!("/sys/class/net/{name}/bridge")).exists()
    {
        Kind::Bridge
    } else {
        Kind::Lan
    }
}

/// Sends a packet to a group on this interface and waits for it. The interface is named to the system: routes play no part,
/// since there may be none.
async fn echo4(ip: Ipv4Addr) -> bool {
    let tried = async {
        let socket = UdpSocket::bind(SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0)).await?;
        socket.join_multicast_v4(GROUP4, ip)?;
        let sender = UdpSocket::bind(SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0)).await?;
        socket2::SockRef::from(&sender).set_multicast_if_v4(&ip)?;
        sender.set_multicast_loop_v4(true)?;
        let to = SocketAddr::from((GROUP4, socket.local_addr()?.port()));
        echo(&sender, &socket, to).await
    };
    tried.await.unwrap_or(false)
}

async fn echo6(index: u32) -> bool {
    let tried = async {
        let socket = UdpSocket::bind(SocketAddrV6::new(Ipv6Addr::UNSPECIFIED, 0, 0, 0)).await?;
        socket.join_multicast_v6(&GROUP6, index)?;
        let to = SocketAddrV6::new(GROUP6, socket.local_addr()?.port(), 0, index);
        let sender = UdpSocket::bind(SocketAddrV6::new(Ipv6Addr::UNSPECIFIED, 0, 0, 0)).await?;
        echo(&sender, &socket, to.into()).await
    };
    tried.await.unwrap_or(false)
}

async fn echo(sender: &UdpSocket, receiver: &UdpSocket, to: SocketAddr) -> std::io::Result<bool> {
    let word = getrandom::u64().unwrap_or(7).to_le_bytes();
    for _ in 0..3 {
        sender.send_to(&word, to).await?;
        let mut got = [0u8; 16];
        if let Ok(Ok((length, _))) =
            timeout(Duration::from_millis(150), receiver.recv_from(&mut got)).await
            && got.get(..length) == Some(&word)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Hears who is there, and knocks at everyone's port.
async fn listen(
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
                    node.want(peer.id, peer.addresses);
                }
                DiscoveryEvent::Gone(_) => {}
                DiscoveryEvent::Copy { .. } => {
                    let what = "another program on this network plays with your key: close one of them".to_owned();
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
        .iter()
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
            if !matches!(reached, Ok(Ok(_))) {
                blocked.push(format!("{ip} ({})", interface.name));
            }
        }
    }
    if !blocked.is_empty() {
        let what = format!(
            "the game's port {port} is blocked on {}: others cannot reach this machine",
            blocked.join(", ")
        );
        let mend = report
            .firewalls
            .first()
            .copied()
            .unwrap_or(Firewall::Nftables)
            .allow_game();
        // Whoever can reach others from here can still sit down at their tables.
        let fatal = report.reached.is_empty();
        report.findings.push(Finding {
            fatal,
            what,
            mend: Some(mend),
        });
    } else if let Some(firewall) = report
        .firewalls
        .first()
        .filter(|firewall| firewall.is_strict())
    {
        let what = format!(
            "{} is switched on here: it may keep others out unless its ports are open",
            firewall.name()
        );
        let mend = Some(format!(
            "{} && {}",
            firewall.allow_game(),
            firewall.allow_mdns()
        ));
        report.findings.push(Finding {
            fatal: false,
            what,
            mend,
        });
    }
}

fn conclude(report: &mut Report) {
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
        let what = "this machine is on no network: plug in a cable or join a Wi-Fi".to_owned();
        findings.push(Finding {
            fatal: true,
            what,
            mend: None,
        });
    } else if !lan {
        let what = "there is only a tunnel or a bridge here, no LAN: others nearby will not be found through it".to_owned();
        findings.push(Finding {
            fatal: false,
            what,
            mend: None,
        });
    }
    for interface in &usable {
        let deaf = interface.multicast4 != Some(true) && interface.multicast6 != Some(true);
        match interface.kind {
            Kind::Lan if deaf => {
                let what = format!(
                    "multicast sent on {} does not come back: tables nearby will not be listed there; join by invite code instead",
                    interface.name
                );
                let mend = report
                    .firewalls
                    .first()
                    .map(|firewall| firewall.allow_mdns());
                findings.push(Finding {
                    fatal: false,
                    what,
                    mend,
                });
            }
            Kind::Vpn => {
                let what = format!(
                    "{} looks like a VPN: if it takes all traffic, tables nearby stay hidden; switch it off to play",
                    interface.name
                );
                findings.push(Finding {
                    fatal: false,
                    what,
                    mend: None,
                });
            }
            Kind::Bridge => {
                let what = format!(
                    "{} is a bridge for virtual machines or containers: invite codes for it are of no use to others",
                    interface.name
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
        let what = format!(
            "{} can be heard but not connected to: a firewall, there or here, blocks ports {FIRST_PORT} to {last}",
            names.join(", ")
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
            mend: Some(mend),
        });
    }
    report.findings.extend(findings);
    report.findings.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_kinds() {
        assert_eq!(kind("lo", true), Kind::Loopback);
        assert_eq!(kind("wg0", false), Kind::Vpn);
        assert_eq!(kind("docker0", false), Kind::Bridge);
        assert_eq!(kind("enp3s0", false), Kind::Lan);
    }

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
            invites: Vec::new(),
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
