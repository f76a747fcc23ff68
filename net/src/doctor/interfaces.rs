//! The interfaces of this machine: what each is, whether it is up, and whether multicast sent there comes back.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::path::Path;
use std::time::Duration;

use if_addrs::{IfAddr, Interface};
use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;
use socket2::{Domain, SockRef, Socket, Type};
use tokio::net::UdpSocket;
use tokio::time::timeout;

use super::{Finding, InterfaceReport, Kind, Report};
use crate::identity::Identity;
use crate::invite::Invite;

/// The groups and the port of mDNS: firewalls let them through and nothing else, so only they tell whether tables nearby will be heard.
const GROUP4: Ipv4Addr = Ipv4Addr::new(224, 0, 0, 251);
const GROUP6: Ipv6Addr = Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 0, 0xfb);
const MDNS_PORT: u16 = 5353;

/// Looks at each.
pub(super) async fn look(report: &mut Report, identity: &Identity, port: u16) {
    let all = match if_addrs::get_if_addrs() {
        Ok(all) => all,
        Err(error) => {
            let what = crate::words::fill(
                "the network interfaces cannot be listed: {error}",
                &[("error", &error.to_string())],
            );
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
        let mut unsent = [None, None];
        for interface in own.iter().filter(|_| tried) {
            let (came, version, back) = match &interface.addr {
                IfAddr::V4(v4) => (&mut multicast4, 0, echo4(v4.ip).await),
                IfAddr::V6(v6) if v6.ip.is_unicast_link_local() => {
                    let index = interface.index.unwrap_or(0);
                    (&mut multicast6, 1, echo6(index).await)
                }
                IfAddr::V6(_) => continue,
            };
            *came = Some(*came == Some(true) || matches!(back, Ok(true)));
            if let (Err(error), Some(unsent)) = (back, unsent.get_mut(version)) {
                *unsent = Some(error.to_string());
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
            unsent,
            port_answers: None,
            heard: Vec::new(),
            nets: own.iter().map(|interface| interface.addr.clone()).collect(),
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

pub(super) fn kind(name: &str, loopback: bool) -> Kind {
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
async fn echo4(ip: Ipv4Addr) -> std::io::Result<bool> {
    let socket = listener(SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, MDNS_PORT).into())?;
    socket.join_multicast_v4(GROUP4, ip)?;
    let sender = UdpSocket::bind(SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0)).await?;
    SockRef::from(&sender).set_multicast_if_v4(&ip)?;
    sender.set_multicast_loop_v4(true)?;
    echo(&sender, &socket, (GROUP4, MDNS_PORT).into()).await
}

async fn echo6(index: u32) -> std::io::Result<bool> {
    let any = SocketAddrV6::new(Ipv6Addr::UNSPECIFIED, MDNS_PORT, 0, 0);
    let socket = listener(any.into())?;
    socket.join_multicast_v6(&GROUP6, index)?;
    let to = SocketAddrV6::new(GROUP6, MDNS_PORT, 0, index);
    let sender = UdpSocket::bind(SocketAddrV6::new(Ipv6Addr::UNSPECIFIED, 0, 0, 0)).await?;
    echo(&sender, &socket, to.into()).await
}

impl InterfaceReport {
    /// Is this address one on the interface's own network?
    pub(super) fn is_near(&self, address: &Multiaddr) -> bool {
        match address.iter().next() {
            Some(Protocol::Ip6zone(zone)) => zone == self.name,
            Some(Protocol::Ip4(ip)) => self.nets.iter().any(|net| match net {
                IfAddr::V4(own) => own.ip & own.netmask == ip & own.netmask,
                IfAddr::V6(_) => false,
            }),
            Some(Protocol::Ip6(ip)) => self.nets.iter().any(|net| match net {
                IfAddr::V4(_) => false,
                IfAddr::V6(own) => own.ip & own.netmask == ip & own.netmask,
            }),
            Some(_) | None => false,
        }
    }
}

/// Beside whoever else listens to mDNS on this machine: each hears every packet to the group.
fn listener(at: SocketAddr) -> std::io::Result<UdpSocket> {
    let socket = Socket::new(
        Domain::for_address(at),
        Type::DGRAM,
        Some(socket2::Protocol::UDP),
    )?;
    socket.set_reuse_address(true)?;
    #[cfg(unix)]
    socket.set_reuse_port(true)?;
    if at.is_ipv6() {
        socket.set_only_v6(true)?;
    }
    socket.set_nonblocking(true)?;
    socket.bind(&at.into())?;
    UdpSocket::from_std(socket.into())
}

/// The packet is a DNS query without questions: whoever else hears it has nothing to say to it.
async fn echo(sender: &UdpSocket, receiver: &UdpSocket, to: SocketAddr) -> std::io::Result<bool> {
    let own = sender.local_addr()?.port();
    let mut query = [0u8; 12];
    for (byte, random) in query
        .iter_mut()
        .zip(getrandom::u64()?.to_le_bytes())
        .take(2)
    {
        *byte = random;
    }
    for _ in 0..3 {
        sender.send_to(&query, to).await?;
        let heard = async {
            let mut got = [0u8; 64];
            loop {
                let (length, from) = receiver.recv_from(&mut got).await?;
                if from.port() == own && got.get(..length) == Some(&query) {
                    return std::io::Result::Ok(());
                }
            }
        };
        if let Ok(Ok(())) = timeout(Duration::from_millis(150), heard).await {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_tell_networks() {
        let net = if_addrs::Ifv4Addr {
            ip: Ipv4Addr::new(192, 168, 7, 3),
            netmask: Ipv4Addr::new(255, 255, 255, 0),
            prefixlen: 24,
            broadcast: None,
        };
        let interface = InterfaceReport {
            name: "eth0".to_owned(),
            kind: Kind::Lan,
            addresses: vec![net.ip.into()],
            up: true,
            multicast4: None,
            multicast6: None,
            unsent: [None, None],
            port_answers: None,
            heard: Vec::new(),
            invites: Vec::new(),
            nets: vec![IfAddr::V4(net)],
        };
        for (text, near) in [
            ("/ip4/192.168.7.99/tcp/47077", true),
            ("/ip4/192.168.8.99/tcp/47077", false),
            ("/ip6zone/eth0/ip6/fe80::1/tcp/47077", true),
            ("/ip6zone/eth1/ip6/fe80::1/tcp/47077", false),
            ("/ip6/2001:db8::1/tcp/47077", false),
        ] {
            let address: Multiaddr = text.parse().expect("a multiaddress");
            assert_eq!(interface.is_near(&address), near, "{text}");
        }
    }

    #[test]
    fn names_tell_kinds() {
        assert_eq!(kind("lo", true), Kind::Loopback);
        assert_eq!(kind("wg0", false), Kind::Vpn);
        assert_eq!(kind("docker0", false), Kind::Bridge);
        assert_eq!(kind("enp3s0", false), Kind::Lan);
    }
}
