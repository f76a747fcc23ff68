//! Where others reach this player: which address a code is made of, and what the player says of a forwarded port.

use std::net::{IpAddr, SocketAddr};

use shamans_net::{doctor, invite::FIRST_PORT};

/// Where others reach this player on this network.
#[derive(Debug, Default)]
pub struct Places {
    /// Each with how far it reaches and its code; the newest last.
    all: Vec<((IpAddr, u16), u8, String)>,
    /// The code that was told last.
    told: String,
}

impl Places {
    /// Another one. The code to tell from now on, if it is another.
    pub fn add(&mut self, place: (IpAddr, u16), code: String) -> Option<String> {
        let reach = reach(place.0, doctor::kind_of(place.0));
        self.all.push((place, reach, code));
        self.tell()
    }

    /// One is gone with its network. The code to tell from now on, if it is another; empty if there is none.
    pub fn remove(&mut self, place: (IpAddr, u16)) -> Option<String> {
        self.all.retain(|(at, _, _)| *at != place);
        self.tell()
    }

    fn tell(&mut self) -> Option<String> {
        // Of those that reach as far the newest: networks are changed.
        let best = self.all.iter().max_by_key(|(_, reach, _)| *reach);
        let code = best.map(|(_, _, code)| code.clone()).unwrap_or_default();
        (code != self.told).then(|| {
            self.told.clone_from(&code);
            code
        })
    }
}

/// How far an address reaches: a code is made of the one that reaches farthest and is short. Behind a bridge are this computer's own virtual
/// machines, most times.
fn reach(ip: IpAddr, kind: Option<doctor::Kind>) -> u8 {
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
    fn the_code_follows_the_network() {
        let at = |ip: &str| (ip.parse().unwrap(), FIRST_PORT);
        let mut places = Places::default();
        let home = places.add(at("192.0.2.1"), "home".to_owned());
        assert_eq!(home.as_deref(), Some("home"));
        assert_eq!(places.add(at("fe80::1"), "near".to_owned()), None);
        let office = places.add(at("192.0.2.2"), "office".to_owned());
        assert_eq!(office.as_deref(), Some("office"), "the newer of two");
        assert_eq!(places.remove(at("192.0.2.1")), None);
        assert_eq!(places.remove(at("192.0.2.2")).as_deref(), Some("near"));
        assert_eq!(places.remove(at("fe80::1")).as_deref(), Some(""));
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
