//! What the task knows of one peer.

use std::net::IpAddr;

use libp2p::Multiaddr;
use libp2p::core::ConnectedPoint;
use libp2p::multiaddr::Protocol;
use libp2p::swarm::ConnectionId;
use tokio::time::Instant;

use super::addresses_of;
use crate::identity::PublicId;

/// How many addresses of one wanted peer are kept.
pub(super) const MAX_ADDRESSES: usize = 16;

pub(super) struct Wanted {
    pub(super) addresses: Vec<Multiaddr>,
    pub(super) dial_at: Instant,
    pub(super) tries: u32,
}

pub(super) struct LinkState {
    pub(super) generation: u64,
    /// Connections that stood when the link did: one of them carries it.
    pub(super) on: Vec<ConnectionId>,
}

pub(super) struct Peer {
    pub(super) id: PublicId,
    pub(super) connections: Vec<(ConnectionId, ConnectedPoint)>,
    pub(super) connected_since: Instant,
    pub(super) link: Option<LinkState>,
    pub(super) opening: bool,
    pub(super) open_at: Option<Instant>,
    pub(super) wanted: Option<Wanted>,
}

impl Peer {
    pub(super) fn new(id: PublicId) -> Peer {
        Peer {
            id,
            connections: Vec::new(),
            connected_since: Instant::now(),
            link: None,
            opening: false,
            open_at: None,
            wanted: None,
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.connections.is_empty() && self.link.is_none() && self.wanted.is_none() && !self.opening
    }
}

/// Notes where a peer lives, whoever dialled: its own port at the address it came from.
pub(super) fn remember(peer: &mut Peer, port: u16) -> Option<String> {
    let (_, endpoint) = peer.connections.last()?;
    let zone = match endpoint.get_remote_address().iter().next() {
        Some(Protocol::Ip6zone(zone)) => Some(zone.into_owned()),
        Some(_) | None => None,
    };
    let ip: IpAddr = endpoint
        .get_remote_address()
        .iter()
        .find_map(|part| match part {
            Protocol::Ip4(ip) => Some(ip.into()),
            Protocol::Ip6(ip) => Some(ip.into()),
            _ => None,
        })?;
    let addresses = addresses_of(ip, port, zone.as_deref());
    let first = addresses.first().map(Multiaddr::to_string);
    if let Some(wanted) = &mut peer.wanted {
        wanted.tries = 0;
        for address in addresses {
            if !wanted.addresses.contains(&address) {
                wanted.addresses.insert(0, address);
            }
        }
        wanted.addresses.truncate(MAX_ADDRESSES);
    }
    first
}
