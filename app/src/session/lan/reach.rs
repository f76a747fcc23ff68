//! Where others reach this player: which address a code is made of, and what the player says of a forwarded port.

use std::net::{IpAddr, SocketAddr};

use shamans_net::{doctor, invite::FIRST_PORT};

/// How far an address reaches: a code is made of the one that reaches farthest and is short. Behind a bridge are this computer's own virtual
/// machines, most times.
pub fn reach(ip: IpAddr, kind: Option<doctor::Kind>) -> u8 {
    match ip {
        ip if ip.is_loopback() => 0,
        IpAddr::V6(v6) if v6.is_unicast_link_local() => 1,
        IpAddr::V4(v4) if v4.is_link_local() => 1,
        _ if kind == Some(doctor::Kind::Bridge) => 2,
        IpAddr::V6(_) => 3,
        IpAddr::V4(v4) if v4.is_private() => 4,
        IpAddr::V4(_) => 5,
    }
}

/// What the player wrote about a forwarded port, if it can be read.
pub fn external(text: &str) -> Vec<SocketAddr> {
    let text = text.trim();
    let bare = || Some(SocketAddr::new(text.parse().ok()?, FIRST_PORT));
    text.parse().ok().or_else(bare).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_made_of_the_address_that_reaches_farthest() {
        let far = |ip: &str, kind| reach(ip.parse().unwrap(), Some(kind));
        let lan = far("192.168.1.20", doctor::Kind::Lan);
        assert!(lan > far("172.17.0.1", doctor::Kind::Bridge));
        assert!(lan > far("fd00::1", doctor::Kind::Lan));
        assert!(lan < far("203.0.113.7", doctor::Kind::Lan));
        let alone = far("127.0.0.1", doctor::Kind::Loopback);
        assert!(alone < far("172.17.0.1", doctor::Kind::Bridge));
    }

    #[test]
    fn a_forwarded_port_is_an_address_with_or_without_it() {
        let place = |text: &str| external(text).first().map(SocketAddr::to_string);
        assert_eq!(
            place(" 203.0.113.7 "),
            Some(format!("203.0.113.7:{FIRST_PORT}"))
        );
        assert_eq!(place("203.0.113.7:99"), Some("203.0.113.7:99".to_owned()));
        assert_eq!(place("my router"), None);
    }
}
