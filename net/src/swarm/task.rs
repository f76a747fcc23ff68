//! The task that owns libp2p's swarm: listens, dials what is wanted until it is linked, opens one stream a pair.
//!
//! Of each pair the peer with the smaller id opens the stream, on whatever connection stands first; the other waits for it.
//! A dead link takes the connections it stood on with it, never those made since.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

use futures::StreamExt;
use libp2p::multiaddr::Protocol;
use libp2p::swarm::dial_opts::DialOpts;
use libp2p::swarm::{ConnectionId, SwarmEvent};
use libp2p::{PeerId, Stream, Swarm, identify};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::link::{self, DownReason, Hello};
use super::listen::{
    self, Behaviour, BehaviourEvent, ListenError, link_protocol, protocol_version, sentence,
};
use super::peer::{LinkState, MAX_ADDRESSES, Peer, Wanted, remember};
use super::{Command, Links, Node, NodeConfig, NodeEvent, peer_id, public_id};
use crate::PROTOCOL_VERSION;
use crate::identity::{Identity, PublicId};

/// How many peers are linked at most: a full table and its spectators.
pub const MAX_LINKS: usize = 32;
/// How long a wanted pair may be connected without a link before the connection is given up.
const LINK_TIME: Duration = Duration::from_secs(6);
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
        links: links.clone(),
        generation: 0,
        greeting: 0,
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
enum Outcome {
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
}

struct Knock {
    pending: Vec<ConnectionId>,
    why: String,
}

struct Task {
    swarm: Swarm<Behaviour>,
    control: libp2p_stream::Control,
    local: PublicId,
    hello: Hello,
    peers: HashMap<PeerId, Peer>,
    knocks: HashMap<u64, Knock>,
    links: Links,
    generation: u64,
    greeting: usize,
    events: mpsc::Sender<NodeEvent>,
    inside: mpsc::Sender<Outcome>,
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

    fn next_due(&self) -> Option<Instant> {
        let dials = self.peers.values().filter_map(|peer| match &peer.wanted {
            Some(wanted) if peer.link.is_none() && peer.connections.is_empty() => {
                Some(wanted.dial_at)
            }
            Some(_) if peer.link.is_none() => Some(peer.connected_since + LINK_TIME),
            Some(_) | None => None,
        });
        let opens = self.peers.values().filter_map(|peer| peer.open_at);
        dials.chain(opens).min()
    }

    fn on_due(&mut self) {
        let now = Instant::now();
        let mut open = Vec::new();
        let mut close = Vec::new();
        for (id, peer) in &mut self.peers {
            if peer.open_at.is_some_and(|at| at <= now) {
                peer.open_at = None;
                open.push(*id);
            }
            let Some(wanted) = &mut peer.wanted else {
                continue;
            };
            if peer.link.is_some() {
                continue;
            }
            if peer.connections.is_empty() {
                if wanted.dial_at <= now {
                    wanted.tries += 1;
                    let most = (300 * u64::from(wanted.tries)).min(2000);
                    wanted.dial_at = now + Duration::from_millis(300) + jitter(most);
                    let dial = DialOpts::peer_id(*id)
                        .addresses(wanted.addresses.clone())
                        .allocate_new_port()
                        .build();
                    if let Err(error) = self.swarm.dial(dial) {
                        tracing::debug!(peer = %peer.id, %error, "not dialled");
                    }
                }
            } else if peer.connected_since + LINK_TIME <= now {
                peer.connected_since = now;
                close.extend(peer.connections.iter().map(|(connection, _)| *connection));
            }
        }
        for connection in close {
            self.swarm.close_connection(connection);
        }
        for id in open {
            self.open(id);
        }
    }

    fn on_command(&mut self, command: Command) {
        match command {
            Command::Want { peer, addresses } => {
                let Some(id) = peer_id(&peer) else { return };
                if peer == self.local {
                    return;
                }
                let peer = self.peers.entry(id).or_insert_with(|| Peer::new(peer));
                let wanted = peer.wanted.get_or_insert_with(|| Wanted {
                    addresses: Vec::new(),
                    dial_at: Instant::now() + jitter(20),
                    tries: 0,
                });
                let news = addresses
                    .into_iter()
                    .filter(|address| !wanted.addresses.contains(address))
                    .collect::<Vec<_>>();
                if !news.is_empty() {
                    wanted.dial_at = wanted.dial_at.min(Instant::now() + jitter(20));
                    wanted.addresses.splice(0..0, news);
                    wanted.addresses.truncate(MAX_ADDRESSES);
                }
                self.open(id);
            }
            Command::Unwant { peer } => {
                if let Some(id) = peer_id(&peer)
                    && let Some(peer) = self.peers.get_mut(&id)
                {
                    peer.wanted = None;
                    self.forget_idle(id);
                }
            }
            Command::Knock { knock, addresses } => {
                let mut state = Knock {
                    pending: Vec::new(),
                    why: "there was no address to try".to_owned(),
                };
                for address in addresses {
                    let dial = DialOpts::unknown_peer_id()
                        .address(address)
                        .allocate_new_port()
                        .build();
                    let connection = dial.connection_id();
                    match self.swarm.dial(dial) {
                        Ok(()) => state.pending.push(connection),
                        Err(error) => state.why = sentence(&error),
                    }
                }
                self.knocks.insert(knock, state);
                self.settle_knocks();
            }
            Command::Drop { peer } => {
                if let Some(outgoing) = self.links.lock().get(&peer) {
                    outgoing.end(DownReason::Dropped);
                }
            }
            Command::Close => {}
        }
    }

    /// Knocks whose every address failed.
    fn settle_knocks(&mut self) {
        let done: Vec<u64> = self
            .knocks
            .iter()
            .filter(|(_, state)| state.pending.is_empty())
            .map(|(knock, _)| *knock)
            .collect();
        for knock in done {
            if let Some(state) = self.knocks.remove(&knock) {
                // A full channel only delays what a waiting joiner hears; the task itself must not wait here.
                let events = self.events.clone();
                tokio::spawn(async move {
                    events
                        .send(NodeEvent::Unanswered {
                            knock,
                            why: state.why,
                        })
                        .await
                        .ok()
                });
            }
        }
    }

    async fn on_swarm(&mut self, event: SwarmEvent<BehaviourEvent>) {
        match event {
            SwarmEvent::NewListenAddr { address, .. } => {
                let mut parts = address.iter();
                let ip: IpAddr = match parts.next() {
                    Some(Protocol::Ip4(ip)) => ip.into(),
                    Some(Protocol::Ip6(ip)) => ip.into(),
                    Some(_) | None => return,
                };
                if let Some(Protocol::Tcp(port)) = parts.next() {
                    self.emit(NodeEvent::Listening { ip, port }).await;
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
                peer.connections.push((connection_id, endpoint));
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
                    self.forget_idle(peer_id);
                }
            }
            SwarmEvent::OutgoingConnectionError {
                connection_id,
                error,
                ..
            } => {
                let why = sentence(&error);
                for state in self.knocks.values_mut() {
                    if state.pending.contains(&connection_id) {
                        state.pending.retain(|pending| *pending != connection_id);
                        state.why = why.clone();
                    }
                }
                self.settle_knocks();
            }
            SwarmEvent::Behaviour(BehaviourEvent::Identify(identify::Event::Received {
                peer_id,
                info,
                ..
            })) => {
                if info.protocol_version != protocol_version() {
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
                    }
                    // Already gone is as good.
                    self.swarm.disconnect_peer_id(peer_id).ok();
                }
            }
            other => tracing::trace!(?other, "swarm"),
        }
    }

    /// Opens the stream of a pair if that is our part and there is none.
    fn open(&mut self, id: PeerId) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        let ours = self.local < peer.id;
        if !ours || peer.opening || peer.link.is_some() || peer.connections.is_empty() {
            return;
        }
        peer.opening = true;
        peer.open_at = None;
        let mut control = self.control.clone();
        let hello = self.hello.clone();
        let inside = self.inside.clone();
        tokio::spawn(async move {
            let opened =
                tokio::time::timeout(LINK_TIME, control.open_stream(id, link_protocol())).await;
            let result = match opened {
                Ok(Ok(mut stream)) => link::greet(&mut stream, &hello)
                    .await
                    .map(|theirs| (theirs, stream)),
                Ok(Err(error)) => {
                    tracing::debug!(%error, "no stream");
                    Err(DownReason::Closed)
                }
                Err(_) => Err(DownReason::Silent),
            };
            inside
                .send(Outcome::Greeted {
                    peer: id,
                    opened: true,
                    result,
                })
                .await
                .ok();
        });
    }

    fn on_incoming(&mut self, id: PeerId, mut stream: Stream) {
        let ours = public_id(&id).is_none_or(|peer| self.local < peer);
        // Only the other side of a pair opens its stream, and not everyone at once.
        if ours || self.greeting >= MAX_LINKS {
            return;
        }
        self.greeting += 1;
        let hello = self.hello.clone();
        let inside = self.inside.clone();
        tokio::spawn(async move {
            let result = link::greet(&mut stream, &hello)
                .await
                .map(|theirs| (theirs, stream));
            inside
                .send(Outcome::Greeted {
                    peer: id,
                    opened: false,
                    result,
                })
                .await
                .ok();
        });
    }

    async fn on_outcome(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Greeted {
                peer: id,
                opened,
                result,
            } => {
                if !opened {
                    self.greeting = self.greeting.saturating_sub(1);
                }
                if let Some(peer) = self.peers.get_mut(&id) {
                    if opened {
                        peer.opening = false;
                    }
                    match result {
                        Ok((hello, stream)) if !peer.connections.is_empty() => {
                            self.link(id, hello, stream).await
                        }
                        Ok(_) => {}
                        Err(why) => {
                            tracing::debug!(peer = %peer.id, %why, "no link");
                            if opened {
                                peer.open_at =
                                    Some(Instant::now() + Duration::from_millis(100) + jitter(300));
                            }
                        }
                    }
                }
                self.forget_idle(id);
            }
            Outcome::Ended {
                peer: id,
                generation,
                why,
            } => {
                let Some(peer) = self.peers.get_mut(&id) else {
                    return;
                };
                let current = peer
                    .link
                    .as_ref()
                    .is_some_and(|link| link.generation == generation);
                if !current {
                    return;
                }
                let Some(link) = peer.link.take() else { return };
                self.links.lock().remove(&peer.id);
                for connection in link.on {
                    self.swarm.close_connection(connection);
                }
                peer.connected_since = Instant::now();
                peer.open_at = Some(Instant::now() + jitter(100));
                let down = NodeEvent::Down { peer: peer.id, why };
                self.forget_idle(id);
                self.emit(down).await;
            }
        }
    }

    async fn link(&mut self, id: PeerId, hello: Hello, stream: Stream) {
        let standing = self.links.lock().len();
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        if hello.protocol != PROTOCOL_VERSION {
            let other = NodeEvent::OtherVersion {
                peer: peer.id,
                version: hello.protocol.to_string(),
            };
            self.emit(other).await;
            return;
        }
        if peer.link.is_none() && standing >= MAX_LINKS {
            tracing::warn!(peer = %peer.id, "no room for another link");
            return;
        }
        self.generation += 1;
        let generation = self.generation;
        let from = peer.id;
        let events = self.events.clone();
        let (outgoing, running) = link::run(stream, async move |bytes| {
            events
                .send(NodeEvent::Frame { peer: from, bytes })
                .await
                .ok();
        });
        if let Some(old) = self.links.lock().insert(peer.id, outgoing) {
            old.end(DownReason::Replaced);
        }
        let on = peer
            .connections
            .iter()
            .map(|(connection, _)| *connection)
            .collect();
        peer.link = Some(LinkState { generation, on });
        let address = remember(peer, hello.port);
        // `Up` before the first frame: the link runs only from here on.
        self.emit(NodeEvent::Up {
            peer: from,
            hello,
            address,
        })
        .await;
        let inside = self.inside.clone();
        tokio::spawn(async move {
            let why = running.await;
            inside
                .send(Outcome::Ended {
                    peer: id,
                    generation,
                    why,
                })
                .await
                .ok();
        });
    }

    fn forget_idle(&mut self, id: PeerId) {
        if self.peers.get(&id).is_some_and(Peer::is_idle) {
            self.peers.remove(&id);
        }
    }

    async fn emit(&mut self, event: NodeEvent) {
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

/// A random time below `most` milliseconds, so that two peers do not keep getting in each other's way.
fn jitter(most: u64) -> Duration {
    // Without randomness there is no jitter, which is only slower.
    let random = getrandom::u32().unwrap_or(0);
    Duration::from_millis(u64::from(random) % most.max(1))
}
