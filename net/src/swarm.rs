//! Peers on the network: libp2p over TCP and QUIC with noise, and on top of it one long-lived ordered link for each pair.
//!
//! [`Node`] is a handle; the work is done by a task that owns libp2p's swarm (`task`) and one for each link. Both sides of
//! a wanted pair dial, with jitter, until a link stands; a dead link is noticed by its own heartbeat and made anew.
//! Not here: how peers find each other (`discovery`, `invite`) and what they say (`session`).

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use libp2p::identity::{Keypair, PublicKey, ed25519};
use libp2p::multiaddr::Protocol;
use libp2p::{Multiaddr, PeerId};
use tokio::sync::mpsc;

use crate::identity::{Identity, PublicId};
use crate::invite::Invite;

mod address;
mod dialling;
mod greeting;
mod link;
mod listen;
mod peer;
mod relay;
mod relaying;
mod scoped;
mod slots;
mod task;
mod whois;

pub use address::{BadAddress, SCHEME, Target, addresses_of, dialable, linked_code};
pub use link::{DownReason, FRAME_LIMIT, Hello, QUEUE_LIMIT};
pub use listen::ListenError;
pub use relay::{RelayConfig, RelayEvent, start_relay};

/// How to take part.
#[derive(Debug, Clone)]
pub struct NodeConfig {
    /// The name others see.
    pub name: String,
    /// The address to listen on; none for all of this machine's, IPv4 and IPv6.
    pub ip: Option<IpAddr>,
    /// The port for TCP and QUIC; none for the first free one of the program's own.
    pub port: Option<u16>,
}

/// What happens on the network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeEvent {
    /// Another program, elsewhere, has this one's key. Told once.
    Copy,
    /// A link to this peer stands; frames may be sent.
    Up {
        /// Who it is: proven, not claimed.
        peer: PublicId,
        /// What it said of itself.
        hello: Hello,
        /// Where it was reached, for remembering; none if it reached us.
        address: Option<String>,
        /// Does it go round a relay?
        relayed: bool,
    },
    /// The link is gone. If the peer is wanted, a new one is being made.
    Down {
        /// Who it was.
        peer: PublicId,
        /// Why.
        why: DownReason,
    },
    /// A frame came in.
    Frame {
        /// From whom.
        peer: PublicId,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// Someone speaks our protocol in another version: no link is made.
    OtherVersion {
        /// Who.
        peer: PublicId,
        /// What it speaks, as it says.
        version: String,
    },
    /// A knock ([`Node::knock`]) reached someone.
    Answered {
        /// The knock.
        knock: u64,
        /// Who answered.
        peer: PublicId,
    },
    /// Nobody answered a knock.
    Unanswered {
        /// The knock.
        knock: u64,
        /// The network's word, for people.
        why: String,
    },
    /// A relay knows who is meant by a code ([`Node::seek`]).
    Found {
        /// The knock.
        knock: u64,
        /// Who.
        peer: PublicId,
        /// The way there, through the relay.
        address: Multiaddr,
    },
    /// Whoever answers there is a relay, and no player.
    IsRelay {
        /// Who.
        peer: PublicId,
    },
    /// A place at a relay is reserved: others can come through it.
    Relayed {
        /// The relay's address.
        ip: IpAddr,
        /// Its port.
        port: u16,
        /// The ways through it to this peer.
        addresses: Vec<Multiaddr>,
    },
    /// A relay does not work, or not any more; it is tried again.
    RelayLost {
        /// The network's word, for people.
        why: String,
    },
    /// Another address of this machine is listened on.
    Listening {
        /// The address.
        ip: IpAddr,
        /// The port.
        port: u16,
    },
    /// This address is gone, with its network.
    NotListening {
        /// The address.
        ip: IpAddr,
        /// The port.
        port: u16,
    },
}

enum Command {
    Want {
        peer: PublicId,
        addresses: Vec<Multiaddr>,
    },
    Unwant {
        peer: PublicId,
    },
    Knock {
        knock: u64,
        addresses: Vec<Multiaddr>,
    },
    Relay {
        text: String,
    },
    Seek {
        knock: u64,
        invite: Invite,
    },
    Drop {
        peer: PublicId,
    },
    Close,
}

/// Links that stand, shared between the node's handles and its task.
#[derive(Clone, Default)]
struct Links(Arc<Mutex<HashMap<PublicId, link::Outgoing>>>);

impl Links {
    fn lock(&self) -> MutexGuard<'_, HashMap<PublicId, link::Outgoing>> {
        // The map is whole between any two statements that touch it, so a panic elsewhere does not spoil it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// There is no link to this peer now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not connected")]
pub struct NotLinked(pub PublicId);

/// A handle to this peer's presence on the network. Dropping the last one closes it.
#[derive(Clone)]
pub struct Node {
    local: PublicId,
    port: u16,
    commands: mpsc::UnboundedSender<Command>,
    links: Links,
}

impl Node {
    /// Starts listening; events come out of the receiver and must be taken, or the peers are made to wait.
    pub fn start(
        identity: &Identity,
        config: NodeConfig,
    ) -> Result<(Node, mpsc::Receiver<NodeEvent>), ListenError> {
        task::start(identity, config)
    }

    /// This peer.
    pub fn local(&self) -> PublicId {
        self.local
    }

    /// The port, for TCP and QUIC.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Makes and keeps a link to `peer`, at these addresses and those already known, until [`Node::unwant`].
    pub fn want(&self, peer: PublicId, addresses: Vec<Multiaddr>) {
        self.command(Command::Want { peer, addresses });
    }

    /// Links to `peer` are no longer made anew; one that stands stays.
    pub fn unwant(&self, peer: PublicId) {
        self.command(Command::Unwant { peer });
    }

    /// Tries addresses without knowing who lives there. Answered by [`NodeEvent::Answered`] or [`NodeEvent::Unanswered`].
    pub fn knock(&self, knock: u64, addresses: Vec<Multiaddr>) {
        self.command(Command::Knock { knock, addresses });
    }

    /// Reserves and keeps a place at this relay: by its code, address or name. Answered by [`NodeEvent::Relayed`] or
    /// [`NodeEvent::RelayLost`].
    pub fn relay(&self, text: String) {
        self.command(Command::Relay { text });
    }

    /// Asks the relay that a code names who is meant by it, and uses that relay from then on. Answered by [`NodeEvent::Found`] or
    /// [`NodeEvent::Unanswered`].
    pub fn seek(&self, knock: u64, invite: Invite) {
        self.command(Command::Seek { knock, invite });
    }

    /// Ends the link to `peer`.
    pub fn drop_link(&self, peer: PublicId) {
        self.command(Command::Drop { peer });
    }

    /// Ends everything.
    pub fn close(&self) {
        self.command(Command::Close);
    }

    /// Queues a frame for `peer`. A peer that reads too slowly loses its link ([`DownReason::TooSlow`]) instead of our memory.
    pub fn send(&self, peer: PublicId, frame: Vec<u8>) -> Result<(), NotLinked> {
        let links = self.links.lock();
        links.get(&peer).ok_or(NotLinked(peer))?.send(frame);
        Ok(())
    }

    /// Who is linked now.
    pub fn linked(&self) -> Vec<PublicId> {
        let mut peers: Vec<PublicId> = self.links.lock().keys().copied().collect();
        peers.sort();
        peers
    }

    fn command(&self, command: Command) {
        // The task only ends when told to; what is asked of a closed node is asked for nothing.
        self.commands.send(command).ok();
    }
}

/// libp2p's name for a peer.
pub(crate) fn peer_id(id: &PublicId) -> Option<PeerId> {
    let key = ed25519::PublicKey::try_from_bytes(&id.0).ok()?;
    Some(PublicKey::from(key).to_peer_id())
}

/// The key behind libp2p's name; ed25519 keys are short enough to be the name itself.
pub(crate) fn public_id(peer: &PeerId) -> Option<PublicId> {
    let hash = peer.as_ref();
    if hash.code() != 0 {
        return None;
    }
    let key = PublicKey::try_decode_protobuf(hash.digest())
        .ok()?
        .try_into_ed25519()
        .ok()?;
    Some(PublicId(key.to_bytes()))
}

fn keypair(identity: &Identity) -> Keypair {
    let mut seed = identity.seed();
    Keypair::ed25519_from_bytes(seed.as_mut_slice()).expect("any 32 bytes are an ed25519 seed")
}

fn with_tcp(ip: IpAddr, port: u16) -> Multiaddr {
    Multiaddr::from(ip).with(Protocol::Tcp(port))
}

fn with_quic(ip: IpAddr, port: u16) -> Multiaddr {
    Multiaddr::from(ip)
        .with(Protocol::Udp(port))
        .with(Protocol::QuicV1)
}

#[cfg(test)]
mod tests;
