//! From what people and announcements say (an address, a code) to what can be dialled.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;

use super::{with_quic, with_tcp};
use crate::invite::{FIRST_PORT, Invite, InviteError};
use crate::words::fill;

/// Where someone asked to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// By a code: where, and who should answer.
    Invite(Invite),
    /// By an address alone.
    Address(Vec<Multiaddr>),
}

/// Why a text is no place to go to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadAddress {
    /// Neither an address nor a code.
    #[error("{}", fill("“{text}” is neither an address (like 192.168.1.20 or [fe80::1%eth0]:47077) nor an invite code", &[("text", .0)]))]
    Unreadable(String),
    /// Meant as a code, but mistyped.
    #[error(transparent)]
    Invite(#[from] InviteError),
    /// An interface that is not there.
    #[error("{}", fill("there is no network interface “{name}” here", &[("name", .0)]))]
    NoInterface(String),
}

/// Links of this scheme are invites.
pub const SCHEME: &str = "shamans:";

/// The code of a link: `shamans:CODE`, and what browsers make of it, `shamans://code/`.
pub fn linked_code(text: &str) -> Option<&str> {
    let (scheme, code) = text.split_at_checked(SCHEME.len())?;
    scheme
        .eq_ignore_ascii_case(SCHEME)
        .then(|| code.trim_matches('/'))
}

/// Reads an address, an invite code or a link with one.
pub fn dialable(text: &str) -> Result<Target, BadAddress> {
    let text = text.trim();
    let text = linked_code(text).unwrap_or(text);
    if text.starts_with('/') {
        let address = text
            .parse()
            .map_err(|_| BadAddress::Unreadable(text.to_owned()))?;
        return Ok(Target::Address(vec![address]));
    }
    if let Ok(address) = text.parse::<SocketAddr>() {
        return Ok(Target::Address(addresses_of(
            address.ip(),
            address.port(),
            None,
        )));
    }
    if let Ok(ip) = text.parse::<IpAddr>() {
        return Ok(Target::Address(addresses_of(ip, FIRST_PORT, None)));
    }
    if let Some((ip, zone, port)) = with_zone(text) {
        if !zones().contains(&zone) {
            return Err(BadAddress::NoInterface(zone));
        }
        return Ok(Target::Address(addresses_of(ip.into(), port, Some(&zone))));
    }
    match text.parse::<Invite>() {
        Ok(invite) => Ok(Target::Invite(invite)),
        Err(error @ (InviteError::Typo | InviteError::Unknown)) => Err(error.into()),
        // With digits in it, it was meant as a code.
        Err(error @ InviteError::Length(_))
            if text.chars().any(|c| c.is_ascii_digit()) && text.len() > 6 =>
        {
            Err(error.into())
        }
        Err(InviteError::Length(_) | InviteError::Character(_)) => {
            Err(BadAddress::Unreadable(text.to_owned()))
        }
    }
}

/// Reads what is said of a relay: a code, an address, or a name of the whole world's network. Who should answer, if a code says so.
pub(super) async fn resolve(text: &str) -> Result<(Vec<Multiaddr>, Option<Invite>), BadAddress> {
    match dialable(text) {
        Ok(Target::Address(addresses)) => Ok((addresses, None)),
        Ok(Target::Invite(invite)) => {
            let expected = (!invite.relay).then_some(invite);
            Ok((addresses_of(invite.ip, invite.port, None), expected))
        }
        Err(error) => {
            let text = text.trim();
            let (host, port) = match text.rsplit_once(':') {
                Some((host, port)) => (host, port.parse().map_err(|_| error.clone())?),
                None => (text, FIRST_PORT),
            };
            let found = tokio::net::lookup_host((host, port)).await;
            let places: Vec<SocketAddr> = found.map_err(|_| error.clone())?.take(4).collect();
            let all = places
                .iter()
                .flat_map(|place| addresses_of(place.ip(), place.port(), None));
            Ok((all.collect(), None))
        }
    }
}

/// The address and port that a multiaddress begins with.
pub(super) fn place(address: &Multiaddr) -> Option<(IpAddr, u16)> {
    let mut ip = None;
    for part in address.iter() {
        match (part, ip) {
            (Protocol::Ip4(found), _) => ip = Some(IpAddr::from(found)),
            (Protocol::Ip6(found), _) => ip = Some(IpAddr::from(found)),
            (Protocol::Tcp(port) | Protocol::Udp(port), Some(ip)) => return Some((ip, port)),
            _ => {}
        }
    }
    None
}

/// `fe80::1%eth0`, `[fe80::1%eth0]:47077`.
fn with_zone(text: &str) -> Option<(Ipv6Addr, String, u16)> {
    let (inside, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (inside, after) = rest.split_once(']')?;
            let port = if after.is_empty() {
                FIRST_PORT
            } else {
                after.strip_prefix(':')?.parse().ok()?
            };
            (inside, port)
        }
        None => (text, FIRST_PORT),
    };
    let (ip, zone) = inside.split_once('%')?;
    Some((ip.parse().ok()?, zone.to_owned(), port))
}

/// All ways to dial one place. A link-local address without its interface is tried on every one.
pub fn addresses_of(ip: IpAddr, port: u16, zone: Option<&str>) -> Vec<Multiaddr> {
    match ip {
        IpAddr::V6(v6) if v6.is_unicast_link_local() => {
            let zones = match zone {
                Some(zone) => vec![zone.to_owned()],
                None => zones(),
            };
            zones
                .into_iter()
                .map(|zone| {
                    Multiaddr::empty()
                        .with(Protocol::Ip6zone(zone.into()))
                        .with(Protocol::Ip6(v6))
                        .with(Protocol::Tcp(port))
                })
                .collect()
        }
        IpAddr::V4(_) | IpAddr::V6(_) => vec![with_tcp(ip, port), with_quic(ip, port)],
    }
}

/// Interfaces that have a link-local address.
fn zones() -> Vec<String> {
    let mut zones: Vec<String> = match if_addrs::get_if_addrs() {
        Ok(interfaces) => interfaces
            .into_iter()
            .filter(
                |interface| matches!(interface.ip(), IpAddr::V6(ip) if ip.is_unicast_link_local()),
            )
            .map(|interface| interface.name)
            .collect(),
        Err(error) => {
            tracing::warn!(%error, "the network interfaces cannot be listed");
            Vec::new()
        }
    };
    zones.sort();
    zones.dedup();
    zones
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Identity;

    #[test]
    fn addresses_and_codes_are_told_apart() {
        let Ok(Target::Address(all)) = dialable("10.0.0.5") else {
            panic!("an address")
        };
        assert_eq!(
            all.iter().map(Multiaddr::to_string).collect::<Vec<_>>(),
            ["/ip4/10.0.0.5/tcp/47077", "/ip4/10.0.0.5/udp/47077/quic-v1"]
        );
        let Ok(Target::Address(all)) = dialable("[fd00::5]:99") else {
            panic!("an address")
        };
        assert_eq!(
            all.iter().map(Multiaddr::to_string).collect::<Vec<_>>(),
            ["/ip6/fd00::5/tcp/99", "/ip6/fd00::5/udp/99/quic-v1"]
        );
        let invite = Invite::new(
            "10.0.0.5".parse().expect("an address"),
            FIRST_PORT,
            &Identity::from_seed(&[1; 32]).public(),
        );
        assert_eq!(dialable(&invite.to_string()), Ok(Target::Invite(invite)));
    }

    #[test]
    fn a_link_is_the_code_in_it() {
        let invite = Invite::new(
            "10.0.0.5".parse().expect("an address"),
            FIRST_PORT,
            &Identity::from_seed(&[1; 32]).public(),
        );
        let code = invite.to_string();
        for link in [
            format!("shamans:{code}"),
            format!(" shamans://{code}/ "),
            format!("Shamans:{}", code.to_lowercase()),
        ] {
            assert_eq!(dialable(&link), Ok(Target::Invite(invite)), "{link}");
        }
        assert_eq!(linked_code("shama"), None);
        assert_eq!(linked_code(&code), None);
    }

    #[test]
    fn mistakes_are_named() {
        let invite = Invite::new(
            "10.0.0.5".parse().expect("an address"),
            FIRST_PORT,
            &Identity::from_seed(&[1; 32]).public(),
        );
        let mut typo = invite.to_string();
        let first = typo.remove(0);
        typo.insert(0, if first == '4' { '5' } else { '4' });
        assert_eq!(dialable(&typo), Err(BadAddress::Invite(InviteError::Typo)));
        assert_eq!(
            dialable("K7QM-3XW"),
            Err(BadAddress::Invite(InviteError::Length(7)))
        );
        assert!(matches!(
            dialable("Ann's table"),
            Err(BadAddress::Unreadable(_))
        ));
        assert_eq!(
            dialable("fe80::1%nowhere0"),
            Err(BadAddress::NoInterface("nowhere0".to_owned()))
        );
    }
}
