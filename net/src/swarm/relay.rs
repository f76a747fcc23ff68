//! A relay: passes on what players say who cannot reach each other, and tells who is meant by an invite code (`whois`).
//!
//! It plays nothing and reads nothing: players' links are encrypted from end to end, and it sees who speaks with whom and how
//! much. Everything that it gives away is bounded; the bounds are those of whole evenings, not of stray visitors.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use futures::StreamExt;
use libp2p::multiaddr::Protocol;
use libp2p::swarm::{NetworkBehaviour, SwarmEvent};
use libp2p::{PeerId, Swarm, identify, relay, swarm};
use tokio::sync::mpsc;

use super::address::place;
use super::listen::{self, ListenError};
use super::slots::Slots;
use super::{NodeConfig, keypair, public_id, whois, with_quic, with_tcp};
use crate::identity::{Identity, PublicId};

/// How many players may wait at a relay: two dozen full tables.
const RESERVATIONS: usize = 128;
/// How many pairs may speak through it at once: as many as those tables need where nobody reaches anybody.
const CIRCUITS: usize = 256;
/// Of these, with one player: four others, some spectators, and both sides dialling.
const CIRCUITS_EACH: usize = 24;
/// How long one circuit may stand: longer than an evening.
const CIRCUIT_TIME: Duration = Duration::from_secs(12 * 60 * 60);
/// How much may go through it. A game is a few megabytes.
const CIRCUIT_BYTES: u64 = 512 * 1024 * 1024;
/// Connections in all, and from one address: many players may stand behind one router.
const CONNECTIONS: usize = 384;
const CONNECTIONS_EACH: usize = 48;
/// How many questions are answered at once.
const QUESTIONS: usize = 32;

/// What a relay says it speaks.
pub(super) const RELAY_VERSION: &str = "shamans-relay/1";

/// How to be a relay.
#[derive(Debug, Clone, Default)]
pub struct RelayConfig {
    /// The address to listen on; none for all of this machine's.
    pub ip: Option<IpAddr>,
    /// The port for TCP and QUIC; none for the first free one of the program's own.
    pub port: Option<u16>,
    /// Where others reach it, if that is not where it listens: behind a router with a forwarded port.
    pub external: Vec<SocketAddr>,
}

/// What happens at a relay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelayEvent {
    /// Others reach it here.
    Reachable {
        /// The address.
        ip: IpAddr,
        /// The port.
        port: u16,
    },
    /// How many use it.
    Used {
        /// Players who wait there.
        waiting: usize,
        /// Pairs who speak through it.
        circuits: usize,
    },
}

#[derive(NetworkBehaviour)]
struct Behaviour {
    slots: Slots,
    identify: identify::Behaviour,
    relay: relay::Behaviour,
    streams: libp2p_stream::Behaviour,
}

/// Starts a relay; it ends when the receiver is dropped. Gives its port.
pub fn start_relay(
    identity: &Identity,
    config: RelayConfig,
) -> Result<(u16, mpsc::Receiver<RelayEvent>), ListenError> {
    let keys = keypair(identity);
    let local = keys.public().to_peer_id();
    let behaviour = Behaviour {
        slots: Slots::with_room(CONNECTIONS, CONNECTIONS_EACH),
        identify: identify::Behaviour::new(
            identify::Config::new(RELAY_VERSION.to_owned(), keys.public())
                .with_hide_listen_addrs(true)
                .with_cache_size(0),
        ),
        relay: relay::Behaviour::new(local, limits()),
        streams: libp2p_stream::Behaviour::new(),
    };
    let swarm_config =
        swarm::Config::with_tokio_executor().with_idle_connection_timeout(Duration::from_secs(20));
    let mut swarm = Swarm::new(listen::transport(identity), behaviour, local, swarm_config);
    let node = NodeConfig {
        name: String::new(),
        ip: config.ip,
        port: config.port,
    };
    let port = listen::listen(&mut swarm, &node)?;
    let (events, happened) = mpsc::channel(16);
    tokio::spawn(run(swarm, config, events));
    Ok((port, happened))
}

fn limits() -> relay::Config {
    let none = relay::Config {
        max_reservations: RESERVATIONS,
        max_reservations_per_peer: 2,
        reservation_duration: Duration::from_secs(60 * 60),
        reservation_rate_limiters: Vec::new(),
        max_circuits: CIRCUITS,
        max_circuits_per_peer: CIRCUITS_EACH,
        max_circuit_duration: CIRCUIT_TIME,
        max_circuit_bytes: CIRCUIT_BYTES,
        circuit_src_rate_limiters: Vec::new(),
    };
    // So many at once, and then one more in each interval: enough for a whole table that looks for somebody who is gone.
    let many = |count: u32| NonZeroU32::new(count).expect("not zero");
    none.reservation_rate_per_peer(many(30), Duration::from_secs(4))
        .reservation_rate_per_ip(many(240), Duration::from_millis(500))
        .circuit_src_per_peer(many(60), Duration::from_secs(1))
        .circuit_src_per_ip(many(480), Duration::from_millis(125))
}

async fn run(mut swarm: Swarm<Behaviour>, config: RelayConfig, events: mpsc::Sender<RelayEvent>) {
    let mut control = swarm.behaviour().streams.new_control();
    let mut questions = control
        .accept(whois::protocol())
        .expect("a new swarm has no protocols yet");
    for external in &config.external {
        swarm.add_external_address(with_tcp(external.ip(), external.port()));
        swarm.add_external_address(with_quic(external.ip(), external.port()));
        let (ip, port) = (external.ip(), external.port());
        events.send(RelayEvent::Reachable { ip, port }).await.ok();
    }
    let mut used = Used::default();
    let answering = std::sync::Arc::new(tokio::sync::Semaphore::new(QUESTIONS));
    loop {
        let before = (used.waiting.len(), used.circuits);
        tokio::select! {
            event = swarm.select_next_some() => match event {
                SwarmEvent::NewListenAddr { address, .. } => {
                    if let Some((ip, port)) = place(&address)
                        && config.external.is_empty()
                        && (!ip.is_loopback() || config.ip.is_some())
                    {
                        let told = matches!(address.iter().nth(1), Some(Protocol::Tcp(_)));
                        swarm.add_external_address(address);
                        if told {
                            events.send(RelayEvent::Reachable { ip, port }).await.ok();
                        }
                    }
                }
                SwarmEvent::Behaviour(BehaviourEvent::Relay(event)) => used.note(&event),
                other => tracing::trace!(?other, "relay"),
            },
            Some((_, stream)) = questions.next() => {
                if let Ok(room) = answering.clone().try_acquire_owned() {
                    let waiting: Vec<PublicId> = used.waiting.keys().filter_map(public_id).collect();
                    tokio::spawn(async move {
                        if let Err(error) = whois::answer(stream, &waiting).await {
                            tracing::debug!(%error, "a question was not answered");
                        }
                        drop(room);
                    });
                }
            },
            () = events.closed() => return,
        }
        let (waiting, circuits) = (used.waiting.len(), used.circuits);
        if (waiting, circuits) != before {
            // Only numbers: if they are not taken, the next ones will be.
            events.try_send(RelayEvent::Used { waiting, circuits }).ok();
        }
    }
}

/// Who uses it.
#[derive(Default)]
struct Used {
    /// How many reservations each has: one for a connection.
    waiting: HashMap<PeerId, usize>,
    circuits: usize,
}

impl Used {
    fn note(&mut self, event: &relay::Event) {
        if let relay::Event::ReservationReqAccepted {
            src_peer_id,
            renewed: false,
        } = event
        {
            *self.waiting.entry(*src_peer_id).or_default() += 1;
        } else if let relay::Event::ReservationClosed { src_peer_id }
        | relay::Event::ReservationTimedOut { src_peer_id } = event
        {
            if let Some(count) = self.waiting.get_mut(src_peer_id) {
                *count -= 1;
                if *count == 0 {
                    self.waiting.remove(src_peer_id);
                }
            }
        } else if let relay::Event::CircuitReqAccepted { .. } = event {
            self.circuits += 1;
        } else if let relay::Event::CircuitClosed { .. } = event {
            self.circuits = self.circuits.saturating_sub(1);
        }
    }
}
