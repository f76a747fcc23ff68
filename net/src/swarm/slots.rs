//! Who may take how many connections: room is kept for those we want, and no stranger, nor one address, takes all the rest.
//!
//! A behaviour of the swarm that only says yes or no. Until a connection is greeted nobody knows whose it is, so those under
//! way are counted by address alone; our own dialling to wanted peers needs none of that room.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::net::IpAddr;
use std::task::{Context, Poll};

use libp2p::core::Endpoint;
use libp2p::core::transport::PortUse;
use libp2p::multiaddr::Protocol;
use libp2p::swarm::{
    ConnectionDenied, ConnectionId, FromSwarm, NetworkBehaviour, THandler, THandlerInEvent,
    THandlerOutEvent, ToSwarm, dummy,
};
use libp2p::{Multiaddr, PeerId};

/// Connections with one peer: both sides of a pair dial, over TCP and QUIC.
const EACH_PEER: usize = 4;
/// Connections with peers that we do not want: those who ask for a seat, and spectators.
const STRANGERS: usize = 48;
/// Of these, from one address.
const STRANGERS_EACH: usize = 16;
/// Incoming connections that are not greeted yet.
const PENDING: usize = 96;
/// Of these, from one address.
const PENDING_EACH: usize = 24;

/// No room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoRoom {
    #[error("this peer has enough connections")]
    Peer,
    #[error("too many connections with strangers")]
    Strangers,
    #[error("too many connections from one address")]
    Address,
    #[error("too many connections are being made at once")]
    Pending,
}

/// What is taken.
#[derive(Debug)]
pub(super) struct Slots {
    strangers: usize,
    strangers_each: usize,
    wanted: HashSet<PeerId>,
    pending: HashMap<ConnectionId, Option<IpAddr>>,
    standing: HashMap<ConnectionId, (PeerId, Option<IpAddr>)>,
}

impl Default for Slots {
    fn default() -> Slots {
        Slots::with_room(STRANGERS, STRANGERS_EACH)
    }
}

impl Slots {
    /// Room for so many connections with strangers, and so many of them from one address.
    pub(super) fn with_room(strangers: usize, strangers_each: usize) -> Slots {
        Slots {
            strangers,
            strangers_each,
            wanted: HashSet::new(),
            pending: HashMap::new(),
            standing: HashMap::new(),
        }
    }

    /// Keeps room for `peer`.
    pub(super) fn reserve(&mut self, peer: PeerId) {
        self.wanted.insert(peer);
    }

    /// `peer` is a stranger again.
    pub(super) fn release(&mut self, peer: &PeerId) {
        self.wanted.remove(peer);
    }

    fn knock(&self, ip: Option<IpAddr>) -> Result<(), NoRoom> {
        if self.pending.len() >= PENDING {
            return Err(NoRoom::Pending);
        }
        let same = self.pending.values().filter(|other| **other == ip).count();
        if ip.is_some() && same >= PENDING_EACH {
            return Err(NoRoom::Address);
        }
        Ok(())
    }

    fn enter(&self, peer: &PeerId, ip: Option<IpAddr>) -> Result<(), NoRoom> {
        let own = self.standing.values().filter(|(other, _)| other == peer);
        if own.count() >= EACH_PEER {
            return Err(NoRoom::Peer);
        }
        if self.wanted.contains(peer) {
            return Ok(());
        }
        let strangers = self
            .standing
            .values()
            .filter(|(other, _)| !self.wanted.contains(other));
        let (mut all, mut same) = (0, 0);
        for (_, other) in strangers {
            all += 1;
            same += usize::from(*other == ip);
        }
        if all >= self.strangers {
            return Err(NoRoom::Strangers);
        }
        if ip.is_some() && same >= self.strangers_each {
            return Err(NoRoom::Address);
        }
        Ok(())
    }
}

/// None for this machine itself: its programs share one address and are not counted by it.
fn ip(address: &Multiaddr) -> Option<IpAddr> {
    let ip: IpAddr = address.iter().find_map(|part| match part {
        Protocol::Ip4(ip) => Some(ip.into()),
        Protocol::Ip6(ip) => Some(ip.into()),
        _ => None,
    })?;
    (!ip.is_loopback()).then_some(ip)
}

impl NetworkBehaviour for Slots {
    type ConnectionHandler = dummy::ConnectionHandler;
    type ToSwarm = Infallible;

    fn handle_pending_inbound_connection(
        &mut self,
        connection: ConnectionId,
        _: &Multiaddr,
        remote: &Multiaddr,
    ) -> Result<(), ConnectionDenied> {
        self.knock(ip(remote)).map_err(ConnectionDenied::new)?;
        self.pending.insert(connection, ip(remote));
        Ok(())
    }

    fn handle_established_inbound_connection(
        &mut self,
        connection: ConnectionId,
        peer: PeerId,
        _: &Multiaddr,
        remote: &Multiaddr,
    ) -> Result<THandler<Self>, ConnectionDenied> {
        self.pending.remove(&connection);
        self.enter(&peer, ip(remote))
            .map_err(ConnectionDenied::new)?;
        Ok(dummy::ConnectionHandler)
    }

    fn handle_established_outbound_connection(
        &mut self,
        _: ConnectionId,
        peer: PeerId,
        remote: &Multiaddr,
        _: Endpoint,
        _: PortUse,
    ) -> Result<THandler<Self>, ConnectionDenied> {
        self.enter(&peer, ip(remote))
            .map_err(ConnectionDenied::new)?;
        Ok(dummy::ConnectionHandler)
    }

    fn on_swarm_event(&mut self, event: FromSwarm) {
        if let FromSwarm::ConnectionEstablished(made) = event {
            let place = (made.peer_id, ip(made.endpoint.get_remote_address()));
            self.standing.insert(made.connection_id, place);
        } else if let FromSwarm::ConnectionClosed(closed) = event {
            self.standing.remove(&closed.connection_id);
        } else if let FromSwarm::ListenFailure(failure) = event {
            self.pending.remove(&failure.connection_id);
        }
    }

    fn on_connection_handler_event(
        &mut self,
        _: PeerId,
        _: ConnectionId,
        event: THandlerOutEvent<Self>,
    ) {
        match event {}
    }

    fn poll(&mut self, _: &mut Context<'_>) -> Poll<ToSwarm<Self::ToSwarm, THandlerInEvent<Self>>> {
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(strangers: usize, ip: impl Fn(usize) -> IpAddr) -> Slots {
        let mut slots = Slots::default();
        for number in 0..strangers {
            let place = (PeerId::random(), Some(ip(number)));
            let connection = ConnectionId::new_unchecked(number);
            slots.standing.insert(connection, place);
        }
        slots
    }

    #[test]
    fn strangers_never_take_the_room_of_wanted_peers() {
        let everywhere = |number: usize| IpAddr::from([10, 0, 0, number as u8]);
        let mut slots = taken(STRANGERS, everywhere);
        let friend = PeerId::random();
        let from = Some(IpAddr::from([10, 0, 1, 1]));
        assert_eq!(slots.enter(&friend, from), Err(NoRoom::Strangers));
        slots.reserve(friend);
        assert_eq!(slots.enter(&friend, from), Ok(()));
        for number in STRANGERS..STRANGERS + EACH_PEER {
            let connection = ConnectionId::new_unchecked(number);
            slots.standing.insert(connection, (friend, from));
        }
        assert_eq!(slots.enter(&friend, from), Err(NoRoom::Peer));
        slots.release(&friend);
        assert!(slots.wanted.is_empty());
    }

    #[test]
    fn one_address_leaves_room_for_others() {
        let one = IpAddr::from([10, 0, 0, 9]);
        let mut slots = taken(STRANGERS_EACH, |_| one);
        let other = Some(IpAddr::from([10, 0, 0, 8]));
        assert_eq!(
            slots.enter(&PeerId::random(), Some(one)),
            Err(NoRoom::Address)
        );
        assert_eq!(slots.enter(&PeerId::random(), other), Ok(()));
        for number in 0..PENDING_EACH {
            let connection = ConnectionId::new_unchecked(number);
            slots.pending.insert(connection, Some(one));
        }
        assert_eq!(slots.knock(Some(one)), Err(NoRoom::Address));
        assert_eq!(slots.knock(other), Ok(()));
    }
}
