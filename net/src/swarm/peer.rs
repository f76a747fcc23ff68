//! What the task knows of one peer.

use std::net::IpAddr;

use libp2p::core::ConnectedPoint;
use libp2p::multiaddr::Protocol;
use libp2p::swarm::ConnectionId;
use libp2p::{Multiaddr, PeerId};
use tokio::time::Instant;

use super::{addresses_of, peer_id};
use crate::identity::PublicId;

/// How many addresses of one wanted peer are kept.
pub(super) const MAX_ADDRESSES: usize = 16;

pub(super) struct Wanted {
    pub(super) addresses: Vec<Multiaddr>,
    pub(super) dial_at: Instant,
    pub(super) tries: u32,
    /// Being dialled through a relay.
    pub(super) round: Option<ConnectionId>,
    /// Where somebody else answered, and until when it is not tried again.
    pub(super) taken: Vec<(Multiaddr, Instant)>,
}

impl Wanted {
    pub(super) fn new(dial_at: Instant) -> Wanted {
        Wanted {
            addresses: Vec::new(),
            dial_at,
            tries: 0,
            round: None,
            taken: Vec::new(),
        }
    }
}

pub(super) struct LinkState {
    pub(super) generation: u64,
    /// Connections that stood when the link did: one of them carries it.
    pub(super) on: Vec<ConnectionId>,
    /// Where the peer listens, unless the link goes round a relay.
    pub(super) home: Option<(IpAddr, u16)>,
}

pub(super) struct Peer {
    pub(super) id: PublicId,
    pub(super) connections: Vec<(ConnectionId, ConnectedPoint)>,
    pub(super) connected_since: Instant,
    pub(super) link: Option<LinkState>,
    pub(super) opening: bool,
    pub(super) open_at: Option<Instant>,
    pub(super) wanted: Option<Wanted>,
    /// It is a relay, and no player.
    pub(super) is_relay: bool,
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
            is_relay: false,
        }
    }

    /// Is there a connection that needs no relay?
    pub(super) fn is_direct(&self) -> bool {
        self.connections.iter().any(|(_, end)| !end.is_relayed())
    }

    /// Are there also connections that need one?
    pub(super) fn is_relayed(&self) -> bool {
        self.connections.iter().any(|(_, end)| end.is_relayed())
    }

    pub(super) fn is_idle(&self) -> bool {
        self.connections.is_empty() && self.link.is_none() && self.wanted.is_none() && !self.opening
    }
}

/// Is it a way through a relay?
pub(super) fn is_round(address: &Multiaddr) -> bool {
    address.iter().any(|part| part == Protocol::P2pCircuit)
}

/// Notes where a peer lives and tells it, whoever dialled: its own port at the address it came from, or the relay (one of `relays`,
/// by their addresses) that both know.
pub(super) fn remember(
    peer: &mut Peer,
    port: u16,
    relays: &[(PeerId, Multiaddr)],
) -> Option<Multiaddr> {
    let (_, endpoint) = peer.connections.last()?;
    if endpoint.is_relayed() {
        let address = match endpoint {
            ConnectedPoint::Dialer { address, .. } => address.clone(),
            ConnectedPoint::Listener { local_addr, .. } => {
                let came_by = |relay: &&(PeerId, Multiaddr)| {
                    local_addr.to_string().starts_with(&relay.1.to_string())
                };
                let (relay, address) = relays.iter().find(came_by)?;
                address
                    .clone()
                    .with(Protocol::P2p(*relay))
                    .with(Protocol::P2pCircuit)
                    .with(Protocol::P2p(peer_id(&peer.id)?))
            }
        };
        let first = address.clone();
        if let Some(wanted) = &mut peer.wanted
            && !wanted.addresses.contains(&address)
        {
            wanted.addresses.push(address);
        }
        return Some(first);
    }
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
    let first = addresses.first().cloned();
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
