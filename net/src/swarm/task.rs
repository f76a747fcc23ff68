//! The task that owns libp2p's swarm: listens, dials what is wanted until it is linked, opens one stream a pair.
//!
//! Of each pair the peer with the smaller id opens the stream, on whatever connection stands first; the other waits for it.
//! A dead link takes the connections it stood on with it, never those made since.

use std::collections::HashMap;
use std::net::IpAddr;

use futures::StreamExt;
use libp2p::multiaddr::Protocol;
use libp2p::swarm::{self, ConnectionId, DialError, SwarmEvent};
use libp2p::{Multiaddr, PeerId, Stream, Swarm, identify, relay};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::address::place;
use super::dialling::jitter;
use super::link::{DownReason, Hello};
use super::listen::{
    self, Behaviour, BehaviourEvent, ListenError, link_protocol, protocol_version, sentence,
};
use super::peer::{Peer, is_round};
use super::relaying::Relay;
use super::{BadAddress, Command, Links, Node, NodeConfig, NodeEvent, public_id};
use crate::PROTOCOL_VERSION;
use crate::identity::{Identity, PublicId};
use crate::invite::Invite;

/// Few: what waits here is memory that others can fill.
const EVENTS: usize = 64;

pub(super) fn start(
    identity: &Identity,
    config: NodeConfig,
) -> Result<(Node, mpsc::Receiver<NodeEvent>), ListenError> {
    let (swarm, port) = listen::swarm(identity, &config)?;

    let mut control = swarm.behaviour().streams.new_control();
    let incoming = control
        .accept(link_protocol())
        .expect("a new swarm has no protocols yet");
    let (commands, commanded) = mpsc::unbounded_channel();
    let (events, happened) = mpsc::channel(EVENTS);
    let (inside, outcomes) = mpsc::channel(EVENTS);
    let links = Links::default();
    let hello = Hello {
        protocol: PROTOCOL_VERSION,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        name: config.name,
        port,
    };
    let task = Task {
        swarm,
        control,
        local: identity.public(),
        hello,
        peers: HashMap::new(),
        knocks: HashMap::new(),
        relays: Vec::new(),
        links: links.clone(),
        generation: 0,
        greeting: 0,
        told_copy: false,
        events,
        inside,
    };
    tokio::spawn(task.run(commanded, outcomes, incoming));
    Ok((
        Node {
            local: identity.public(),
            port,
            commands,
            links,
        },
        happened,
    ))
}

/// What the tasks of single streams report.
pub(super) enum Outcome {
    Greeted {
        peer: PeerId,
        opened: bool,
        result: Result<(Hello, Stream), DownReason>,
    },
    Ended {
        peer: PeerId,
        generation: u64,
        why: DownReason,
    },
    Resolved(Result<(Vec<Multiaddr>, Option<Invite>), BadAddress>),
    Found {
        knock: u64,
        through: Multiaddr,
        found: Result<Vec<PublicId>, String>,
    },
}

pub(super) struct Knock {
    pub(super) pending: Vec<ConnectionId>,
    pub(super) why: String,
}

pub(super) struct Task {
    pub(super) swarm: Swarm<Behaviour>,
    pub(super) control: libp2p_stream::Control,
    pub(super) local: PublicId,
    pub(super) hello: Hello,
    pub(super) peers: HashMap<PeerId, Peer>,
    pub(super) knocks: HashMap<u64, Knock>,
    pub(super) relays: Vec<Relay>,
    pub(super) links: Links,
    pub(super) generation: u64,
    pub(super) greeting: usize,
    told_copy: bool,
    pub(super) events: mpsc::Sender<NodeEvent>,
    pub(super) inside: mpsc::Sender<Outcome>,
}

impl Task {
    async fn run(
        mut self,
        mut commands: mpsc::UnboundedReceiver<Command>,
        mut outcomes: mpsc::Receiver<Outcome>,
        mut incoming: libp2p_stream::IncomingStreams,
    ) {
        loop {
            let due = self.next_due();
            tokio::select! {
                event = self.swarm.select_next_some() => self.on_swarm(event).await,
                command = commands.recv() => match command {
                    None | Some(Command::Close) => break,
                    Some(command) => self.on_command(command),
                },
                Some(outcome) = outcomes.recv() => self.on_outcome(outcome).await,
                Some((peer, stream)) = incoming.next() => self.on_incoming(peer, stream),
                () = sleep_until(due) => self.on_due(),
            }
        }
        for (_, outgoing) in self.links.lock().drain() {
            outgoing.end(DownReason::Dropped);
        }
    }

    async fn on_swarm(&mut self, event: SwarmEvent<BehaviourEvent>) {
        match event {
            SwarmEvent::NewListenAddr {
                address,
                listener_id,
            } if is_round(&address) => self.relay_listens(listener_id, &address),
            SwarmEvent::ListenerClosed {
                listener_id,
                reason,
                ..
            } => {
                let why = reason.err().map(|error| format!("{error:?}"));
                self.relay_listener_closed(listener_id, why);
            }
            SwarmEvent::NewListenAddr { address, .. } => {
                if let Some((ip, port)) = tcp_place(&address) {
                    self.emit(NodeEvent::Listening { ip, port }).await;
                }
            }
            SwarmEvent::ExpiredListenAddr { address, .. } => {
                if let Some((ip, port)) = tcp_place(&address) {
                    self.emit(NodeEvent::NotListening { ip, port }).await;
                }
            }
            SwarmEvent::ConnectionEstablished {
                peer_id,
                connection_id,
                endpoint,
                ..
            } => {
                let Some(id) = public_id(&peer_id) else {
                    self.swarm.close_connection(connection_id);
                    return;
                };
                let peer = self.peers.entry(peer_id).or_insert_with(|| Peer::new(id));
                if peer.connections.is_empty() {
                    peer.connected_since = Instant::now();
                }
                if let Some(wanted) = &mut peer.wanted
                    && wanted.round == Some(connection_id)
                {
                    wanted.round = None;
                }
                let address = endpoint.get_remote_address().clone();
                peer.connections.push((connection_id, endpoint));
                self.relay_reached(connection_id, peer_id, &address);
                self.prefer_direct(&peer_id);
                let answered: Vec<u64> = self
                    .knocks
                    .iter()
                    .filter(|(_, state)| state.pending.contains(&connection_id))
                    .map(|(knock, _)| *knock)
                    .collect();
                for knock in answered {
                    self.knocks.remove(&knock);
                    self.emit(NodeEvent::Answered { knock, peer: id }).await;
                }
                self.open(peer_id);
            }
            SwarmEvent::ConnectionClosed {
                peer_id,
                connection_id,
                ..
            } => {
                if let Some(peer) = self.peers.get_mut(&peer_id) {
                    peer.connections.retain(|(id, _)| *id != connection_id);
                    // Dead connections first, quickly: the next dial is due at once, with a little jitter.
                    if peer.connections.is_empty()
                        && let Some(wanted) = &mut peer.wanted
                    {
                        wanted.dial_at = Instant::now() + jitter(200);
                        wanted.tries = 0;
                    }
                    if peer.connections.is_empty() {
                        self.relay_gone(&peer_id);
                    }
                    self.forget_idle(peer_id);
                    // Perhaps only a way round was given up.
                    self.open(peer_id);
                }
            }
            SwarmEvent::OutgoingConnectionError {
                connection_id,
                peer_id,
                error,
                ..
            } => {
                if let DialError::LocalPeerId { address } = &error {
                    self.met_own_key(place(address), true).await;
                }
                self.somebody_else(peer_id, &error);
                for wanted in self
                    .peers
                    .values_mut()
                    .filter_map(|peer| peer.wanted.as_mut())
                {
                    if wanted.round == Some(connection_id) {
                        wanted.round = None;
                    }
                }
                self.relay_not_reached(connection_id, &error);
                let why = sentence(&error);
                for state in self.knocks.values_mut() {
                    if state.pending.contains(&connection_id) {
                        state.pending.retain(|pending| *pending != connection_id);
                        state.why = why.clone();
                    }
                }
                self.settle_knocks();
            }
            SwarmEvent::IncomingConnectionError {
                error: swarm::ListenError::LocalPeerId { address },
                ..
            } => self.met_own_key(place(&address), false).await,
            SwarmEvent::Behaviour(BehaviourEvent::Identify(identify::Event::Received {
                peer_id,
                info,
                ..
            })) => {
                if info.protocols.contains(&relay::HOP_PROTOCOL_NAME) {
                    // No player. Whoever took it for one is told.
                    if let (Some(peer), Some(id)) =
                        (self.peers.get_mut(&peer_id), public_id(&peer_id))
                        && !std::mem::replace(&mut peer.is_relay, true)
                    {
                        self.emit(NodeEvent::IsRelay { peer: id }).await;
                    }
                } else if info.protocol_version != protocol_version() {
                    if let (Some(version), Some(peer)) = (
                        info.protocol_version.strip_prefix("shamans/"),
                        public_id(&peer_id),
                    ) {
                        let version: String = version
                            .chars()
                            .filter(|c| !c.is_control())
                            .take(16)
                            .collect();
                        self.emit(NodeEvent::OtherVersion { peer, version }).await;
                    }
                    if let Some(peer) = self.peers.get_mut(&peer_id) {
                        peer.wanted = None;
                        self.swarm.behaviour_mut().slots.release(&peer_id);
                    }
                    // Already gone is as good.
                    self.swarm.disconnect_peer_id(peer_id).ok();
                }
            }
            other => tracing::trace!(?other, "swarm"),
        }
    }

    /// Somebody with this program's own key is at the other end: this program itself, unless that place is not its own. Whoever comes in
    /// does so from any port.
    async fn met_own_key(&mut self, at: Option<(IpAddr, u16)>, dialled: bool) {
        let Some((ip, port)) = at else { return };
        let is_own = |(own, at): (IpAddr, u16)| own == ip && (!dialled || at == port);
        let ours = self.swarm.listeners().filter_map(place).any(is_own);
        if !ours && !std::mem::replace(&mut self.told_copy, true) {
            self.emit(NodeEvent::Copy).await;
        }
    }

    pub(super) fn forget_idle(&mut self, id: PeerId) {
        if self.peers.get(&id).is_some_and(Peer::is_idle) {
            self.peers.remove(&id);
        }
    }

    pub(super) async fn emit(&mut self, event: NodeEvent) {
        // Nobody listening any more: the node is about to be closed.
        self.events.send(event).await.ok();
    }
}

async fn sleep_until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}

/// Where a plain TCP address leads.
fn tcp_place(address: &Multiaddr) -> Option<(IpAddr, u16)> {
    match address.iter().nth(1) {
        Some(Protocol::Tcp(_)) => place(address),
        Some(_) | None => None,
    }
}
