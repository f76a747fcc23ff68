//! Invite codes: an address and a few bits of who answers there, short enough to read aloud.
//!
//! Letters and digits without lookalikes (o is 0, i and l are 1, u is v); case, blanks and dashes do not matter. The last three
//! characters are a checksum over the others: a wrong character, wrong neighbours or characters swapped are always recognised.
//! A code is no secret and no permission: it says where to knock. One that goes through a relay names the relay's address, and the
//! relay is asked which of those waiting there is meant ([`Invite::bits`]).

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use crate::identity::PublicId;
use crate::words::{fill, tr};

/// The first of the ports that the program listens on unless told otherwise. One line in a firewall covers all of them.
pub const FIRST_PORT: u16 = 47077;
/// How many ports there are from [`FIRST_PORT`] on, for several peers on one machine.
pub const PORTS: u16 = 8;

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Characters of the checksum.
const CHECK: usize = 3;

/// Where to knock, and who should answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Invite {
    /// The address; a link-local one (fe80::) is to be tried on every interface.
    pub ip: IpAddr,
    /// The port, for TCP and QUIC alike.
    pub port: u16,
    /// Is it a relay's address, behind which the inviting player waits?
    pub relay: bool,
    who: u32,
    who_bits: u32,
}

/// Why a text is no invite code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InviteError {
    /// No code has this many characters.
    #[error("{}", fill("an invite code has 10, 11, 13, 15, 16, 22, 35 or 36 characters, this one has {count}: some are missing or too many", &[("count", &.0.to_string())]))]
    Length(usize),
    /// A character that is in no code.
    #[error("{}", fill("there is no “{letter}” in invite codes", &[("letter", &.0.to_string())]))]
    Character(char),
    /// The checksum does not fit.
    #[error(
        "{}",
        tr("there is a typing mistake in the invite code: please compare it again")
    )]
    Typo,
    /// The checksum fits, but a newer program made it.
    #[error(
        "{}",
        tr("this invite code is of a kind that this version does not know")
    )]
    Unknown,
}

/// The layouts. Which one is the first three bits; each has its own length, so that a lost character is noticed by it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// 192.168.x.y, one of our ports.
    Home,
    /// 10.x.y.z, one of our ports.
    Ten,
    /// Any IPv4 address, one of our ports.
    V4,
    /// Any IPv4 address and port.
    V4Port,
    /// fe80::/64 and any port.
    LinkLocal,
    /// Any IPv6 address and port.
    V6,
    /// A relay at any IPv4 address and port.
    RelayV4,
    /// A relay at any IPv6 address and port.
    RelayV6,
}

impl Layout {
    const ALL: [Layout; 8] = [
        Layout::Home,
        Layout::Ten,
        Layout::V4,
        Layout::V4Port,
        Layout::LinkLocal,
        Layout::V6,
        Layout::RelayV4,
        Layout::RelayV6,
    ];

    fn number(self) -> u128 {
        match self {
            Layout::Home => 0,
            Layout::Ten => 1,
            Layout::V4 => 2,
            Layout::V4Port => 3,
            Layout::LinkLocal => 4,
            Layout::V6 => 5,
            Layout::RelayV4 => 6,
            Layout::RelayV6 => 7,
        }
    }

    /// Bits of address, port and peer: with the three of the layout they fill whole characters.
    fn bits(self) -> (u32, u32, u32) {
        match self {
            Layout::Home => (16, 3, 13),
            Layout::Ten => (24, 3, 10),
            Layout::V4 => (32, 3, 12),
            Layout::V4Port => (32, 16, 9),
            Layout::LinkLocal => (64, 16, 12),
            Layout::V6 => (128, 16, 13),
            Layout::RelayV4 => (32, 16, 14),
            Layout::RelayV6 => (128, 16, 18),
        }
    }

    fn length(self) -> usize {
        let (address, port, who) = self.bits();
        (3 + address + port + who).div_ceil(5) as usize + CHECK
    }

    fn of(ip: IpAddr, port: u16, relay: bool) -> Layout {
        if relay {
            return match ip {
                IpAddr::V4(_) => Layout::RelayV4,
                IpAddr::V6(_) => Layout::RelayV6,
            };
        }
        let ours = (FIRST_PORT..FIRST_PORT + PORTS).contains(&port);
        match ip {
            IpAddr::V4(v4) => match (v4.octets(), ours) {
                ([192, 168, _, _], true) => Layout::Home,
                ([10, _, _, _], true) => Layout::Ten,
                (_, true) => Layout::V4,
                (_, false) => Layout::V4Port,
            },
            IpAddr::V6(v6) if v6.segments().starts_with(&[0xfe80, 0, 0, 0]) => Layout::LinkLocal,
            IpAddr::V6(_) => Layout::V6,
        }
    }

    fn address(self, bits: u128) -> IpAddr {
        let low = bits as u32;
        match self {
            Layout::Home => Ipv4Addr::from_bits(0xc0a8_0000 | low).into(),
            Layout::Ten => Ipv4Addr::from_bits(0x0a00_0000 | low).into(),
            Layout::V4 | Layout::V4Port | Layout::RelayV4 => Ipv4Addr::from_bits(low).into(),
            Layout::LinkLocal => Ipv6Addr::from_bits((0xfe80 << 112) | bits).into(),
            Layout::V6 | Layout::RelayV6 => Ipv6Addr::from_bits(bits).into(),
        }
    }
}

impl Invite {
    /// A code for a peer that listens there.
    pub fn new(ip: IpAddr, port: u16, who: &PublicId) -> Invite {
        Invite::of(ip, port, false, who)
    }

    /// A code for a peer that waits at the relay there.
    pub fn through_relay(ip: IpAddr, port: u16, who: &PublicId) -> Invite {
        Invite::of(ip, port, true, who)
    }

    fn of(ip: IpAddr, port: u16, relay: bool, who: &PublicId) -> Invite {
        let (_, _, who_bits) = Layout::of(ip, port, relay).bits();
        Invite {
            ip,
            port,
            relay,
            who: peer_bits(who, who_bits),
            who_bits,
        }
    }

    /// What the code knows of who should answer, as a relay is asked for it: bits of a hash, and how many.
    pub fn bits(&self) -> (u32, u8) {
        (self.who, self.who_bits as u8)
    }

    /// Whether whoever answered can be the one who invited.
    pub fn is_from(&self, who: &PublicId) -> bool {
        peer_bits(who, self.who_bits) == self.who
    }

    /// Whether a text could only be meant as a code: right length, only characters of codes.
    pub fn looks_like(text: &str) -> bool {
        symbols(text).is_ok_and(|symbols| {
            Layout::ALL
                .iter()
                .any(|layout| layout.length() == symbols.len())
        })
    }

    fn symbols(&self) -> Vec<u8> {
        let layout = Layout::of(self.ip, self.port, self.relay);
        let (address_bits, port_bits, who_bits) = layout.bits();
        let address = match self.ip {
            IpAddr::V4(v4) => u128::from(v4.to_bits()),
            IpAddr::V6(v6) => v6.to_bits(),
        };
        let port = if port_bits == 3 {
            self.port - FIRST_PORT
        } else {
            self.port
        };
        let mut bits = Bits::default();
        bits.push(layout.number(), 3);
        bits.push(address, address_bits);
        bits.push(u128::from(port), port_bits);
        bits.push(u128::from(self.who), who_bits);
        let mut symbols = bits.into_symbols();
        let check = checksum(&symbols);
        symbols.extend([
            (check >> 10) as u8 & 31,
            (check >> 5) as u8 & 31,
            check as u8 & 31,
        ]);
        symbols
    }
}

impl fmt::Display for Invite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, symbol) in self.symbols().into_iter().enumerate() {
            if i > 0 && i % 4 == 0 {
                f.write_str("-")?;
            }
            let letter = ALPHABET
                .get(usize::from(symbol))
                .expect("a symbol has five bits");
            write!(f, "{}", char::from(*letter))?;
        }
        Ok(())
    }
}

impl FromStr for Invite {
    type Err = InviteError;

    fn from_str(text: &str) -> Result<Invite, InviteError> {
        let symbols = symbols(text)?;
        let layout = Layout::ALL
            .into_iter()
            .find(|layout| layout.length() == symbols.len())
            .ok_or(InviteError::Length(symbols.len()))?;
        let (data, check) = symbols.split_at(symbols.len() - CHECK);
        let check = check
            .iter()
            .fold(0u16, |sum, symbol| (sum << 5) | u16::from(*symbol));
        if checksum(data) != check {
            return Err(InviteError::Typo);
        }
        let mut bits = Bits::from_symbols(data);
        let (address_bits, port_bits, who_bits) = layout.bits();
        if bits.take(3) != layout.number() {
            return Err(InviteError::Unknown);
        }
        let ip = layout.address(bits.take(address_bits));
        let port = bits.take(port_bits) as u16;
        let port = if port_bits == 3 {
            FIRST_PORT + port
        } else {
            port
        };
        let who = bits.take(who_bits) as u32;
        let invite = Invite {
            ip,
            port,
            relay: matches!(layout, Layout::RelayV4 | Layout::RelayV6),
            who,
            who_bits,
        };
        // One address has one code: another layout for it was not made by this program.
        if invite.symbols() != symbols {
            return Err(InviteError::Unknown);
        }
        Ok(invite)
    }
}

fn symbols(text: &str) -> Result<Vec<u8>, InviteError> {
    let mut symbols = Vec::new();
    for c in text
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '–' | '_' | '.'))
    {
        let plain = match c.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            'U' => 'V',
            other => other,
        };
        let at = ALPHABET
            .iter()
            .position(|letter| char::from(*letter) == plain)
            .ok_or(InviteError::Character(c))?;
        symbols.push(at as u8);
    }
    Ok(symbols)
}

/// The first bits, at most 32, of a hash of who it is.
pub(crate) fn peer_bits(who: &PublicId, bits: u32) -> u32 {
    let hash = blake3::derive_key("shamans 2026 invite code v1", &who.0);
    let [a, b, c, d, ..] = hash;
    u32::from_be_bytes([a, b, c, d])
        .checked_shr(32u32.saturating_sub(bits))
        .unwrap_or(0)
}

/// A CRC with the primitive polynomial x¹⁵ + x + 1: finds every burst of 15 bits, which is any three neighbouring characters.
/// The start value keeps a code of nothing but zeros from being right.
fn checksum(symbols: &[u8]) -> u16 {
    let mut sum = 0x2a5bu16;
    for symbol in symbols {
        for bit in (0..5).rev() {
            let top = ((sum >> 14) & 1) ^ u16::from((symbol >> bit) & 1);
            sum = (sum << 1) & 0x7fff;
            if top == 1 {
                sum ^= 0b11;
            }
        }
    }
    sum
}

#[derive(Default)]
struct Bits {
    bits: std::collections::VecDeque<bool>,
}

impl Bits {
    fn push(&mut self, value: u128, count: u32) {
        self.bits
            .extend((0..count).rev().map(|bit| (value >> bit) & 1 == 1));
    }

    fn from_symbols(symbols: &[u8]) -> Bits {
        let mut bits = Bits::default();
        for symbol in symbols {
            bits.push(u128::from(*symbol), 5);
        }
        bits
    }

    fn take(&mut self, count: u32) -> u128 {
        self.bits
            .drain(..count as usize)
            .fold(0, |value, bit| (value << 1) | u128::from(bit))
    }

    fn into_symbols(mut self) -> Vec<u8> {
        let mut symbols = Vec::new();
        while !self.bits.is_empty() {
            symbols.push(self.take(5) as u8);
        }
        symbols
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Identity;

    fn examples() -> Vec<Invite> {
        let eva = Identity::from_seed(&[3; 32]).public();
        [
            ("192.168.1.20", 47077),
            ("10.99.0.3", 47084),
            ("172.16.5.9", 47080),
            ("169.254.7.8", 40001),
            ("192.168.1.20", 9),
            ("fe80::1234:5678:9abc:def0", 47077),
            ("fd00:99::3", 47077),
            ("2001:db8::1", 65535),
        ]
        .into_iter()
        .map(|(ip, port)| Invite::new(ip.parse().expect("an address"), port, &eva))
        .chain(
            [("203.0.113.9", 47077), ("2001:db8::9", 4001)].map(|(ip, port)| {
                Invite::through_relay(ip.parse().expect("an address"), port, &eva)
            }),
        )
        .collect()
    }

    #[test]
    fn codes_come_back_and_are_short() {
        for invite in examples() {
            let code = invite.to_string();
            assert_eq!(code.parse(), Ok(invite), "{code}");
            let sloppy = code
                .to_lowercase()
                .replace('-', " ")
                .replace('0', "o")
                .replace('1', "l");
            assert_eq!(sloppy.parse(), Ok(invite), "{sloppy}");
            assert!(Invite::looks_like(&code));
        }
        let lengths: Vec<usize> = examples()
            .iter()
            .map(|invite| invite.symbols().len())
            .collect();
        assert_eq!(lengths, [10, 11, 13, 15, 15, 22, 35, 35, 16, 36]);
    }

    #[test]
    fn every_wrong_character_every_swap_and_every_lost_character_is_a_typo() {
        for invite in examples() {
            let good: Vec<u8> = invite.symbols();
            let text = |symbols: &[u8]| -> String {
                symbols
                    .iter()
                    .map(|s| char::from(*ALPHABET.get(usize::from(*s)).expect("five bits")))
                    .collect()
            };
            for at in 0..good.len() {
                for wrong in 0..32u8 {
                    let mut bad = good.clone();
                    let place = bad.get_mut(at).expect("within");
                    if *place != wrong {
                        *place = wrong;
                        assert_eq!(text(&bad).parse::<Invite>(), Err(InviteError::Typo));
                    }
                }
                let mut lost = good.clone();
                lost.remove(at);
                assert!(text(&lost).parse::<Invite>().is_err());
            }
            for at in 1..good.len() {
                let mut bad = good.clone();
                bad.swap(at - 1, at);
                if bad != good {
                    assert_eq!(text(&bad).parse::<Invite>(), Err(InviteError::Typo));
                }
            }
        }
    }

    #[test]
    fn a_code_knows_who_should_answer() {
        let eva = Identity::from_seed(&[3; 32]).public();
        let strangers = (10..110u8).filter(|n| {
            let stranger = Identity::from_seed(&[*n; 32]).public();
            examples()
                .first()
                .expect("there are some")
                .is_from(&stranger)
        });
        assert!(examples().iter().all(|invite| invite.is_from(&eva)));
        assert_eq!(strangers.count(), 0);
    }

    #[test]
    fn what_is_no_code_is_told_why() {
        assert_eq!("".parse::<Invite>(), Err(InviteError::Length(0)));
        assert_eq!("ABC".parse::<Invite>(), Err(InviteError::Length(3)));
        assert_eq!(
            "ABCD-EFGH-1Ř".parse::<Invite>(),
            Err(InviteError::Character('Ř'))
        );
        assert_eq!("0000-0000-00".parse::<Invite>(), Err(InviteError::Typo));
    }

    #[test]
    fn no_layout_leaves_bits_over() {
        for layout in Layout::ALL {
            let (address, port, who) = layout.bits();
            assert_eq!((3 + address + port + who) % 5, 0);
        }
    }
}
