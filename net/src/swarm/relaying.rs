//! Relays, as the task uses them: reached again and again until a place there is reserved, and asked who is meant by a code.
//!
//! A place at a relay is a way in for those who have no other. Once somebody came that way both sides try to find a direct one
//! (libp2p's dcutr makes holes into both routers at once); if one is found the way round is given up.

use std::net::IpAddr;
use std::time::Duration;

use libp2p::core::transport::ListenerId;
use libp2p::multiaddr::Protocol;
use libp2p::swarm::dial_opts::DialOpts;
use libp2p::swarm::{ConnectionId, DialError};
use libp2p::{Multiaddr, PeerId};
use tokio::time::Instant;

use super::address::{place, resolve};
use super::dialling::jitter;
use super::listen::sentence;
use super::task::{Outcome, Task};
use super::{BadAddress, NodeEvent, addresses_of, peer_id, public_id, whois};
use crate::identity::PublicId;
use crate::invite::Invite;
use crate::words::tr;

/// How many relays are used at once.
const MAX_RELAYS: usize = 4;
/// For so long after they met through a relay, two peers look for a direct way before they link.
pub(super) const HOLE_TIME: Duration = Duration::from_millis(1500);

/// A relay that is used, or tried.
pub(super) struct Relay {
    addresses: Vec<Multiaddr>,
    /// Who should answer there, if that is known.
    expected: Option<Invite>,
    dials: Vec<ConnectionId>,
    /// What went wrong first: a refusal comes before others give up waiting.
    why: Option<String>,
    /// Who answered, and at which address.
    reached: Option<(PeerId, Multiaddr)>,
    listener: Option<ListenerId>,
    /// Where others were told to come, while a place is reserved.
    place: Option<(IpAddr, u16)>,
    try_at: Instant,
    tries: u32,
    /// It was told that this relay fails.
    complained: bool,
    /// Whom to ask for, by knock.
    seeks: Vec<(u64, Invite)>,
}

impl Relay {
    pub(super) fn is(&self, id: &PeerId) -> bool {
        self.reached.as_ref().is_some_and(|(peer, _)| peer == id)
    }

    /// Who answers there, and where.
    pub(super) fn reached(&self) -> Option<(PeerId, Multiaddr)> {
        self.reached.clone()
    }

    /// When something is to be done about it.
    pub(super) fn due(&self) -> Option<Instant> {
        self.listener.is_none().then_some(self.try_at)
    }
}

impl Task {
    /// Uses a relay that the player names, once it is known where it is.
    pub(super) fn look_up_relay(&self, text: String) {
        let inside = self.inside.clone();
        tokio::spawn(async move {
            let found = resolve(&text).await;
            inside.send(Outcome::Resolved(found)).await.ok()
        });
    }

    pub(super) fn on_resolved(
        &mut self,
        found: Result<(Vec<Multiaddr>, Option<Invite>), BadAddress>,
    ) {
        let used = found.map(|(addresses, expected)| self.use_relay(addresses, expected));
        match used {
            Ok(Some(_)) => {}
            Ok(None) => self.tell(NodeEvent::RelayLost {
                why: tr("too many relays are in use"),
            }),
            Err(error) => self.tell(NodeEvent::RelayLost {
                why: error.to_string(),
            }),
        }
    }

    /// Uses the relay at these addresses from now on. Gives its place in the list.
    fn use_relay(&mut self, addresses: Vec<Multiaddr>, expected: Option<Invite>) -> Option<usize> {
        let same = |relay: &Relay| relay.addresses.iter().any(|old| addresses.contains(old));
        if let Some(at) = self.relays.iter().position(same) {
            return Some(at);
        }
        if self.relays.len() >= MAX_RELAYS || addresses.is_empty() {
            return None;
        }
        self.relays.push(Relay {
            addresses,
            expected,
            dials: Vec::new(),
            why: None,
            reached: None,
            listener: None,
            place: None,
            try_at: Instant::now(),
            tries: 0,
            complained: false,
            seeks: Vec::new(),
        });
        Some(self.relays.len() - 1)
    }

    /// Asks the relay that a code names who is meant by it.
    pub(super) fn seek(&mut self, knock: u64, invite: Invite) {
        let addresses = addresses_of(invite.ip, invite.port, None);
        let relay = self
            .use_relay(addresses, None)
            .and_then(|at| self.relays.get_mut(at));
        match relay {
            Some(relay) => {
                relay.seeks.push((knock, invite));
                // Whoever is looked for is looked for now.
                if relay.listener.is_none() && relay.dials.is_empty() {
                    relay.try_at = Instant::now();
                }
            }
            None => self.tell(NodeEvent::Unanswered {
                knock,
                why: tr("too many relays are in use"),
            }),
        }
        self.ask_who();
    }

    pub(super) fn on_relays_due(&mut self) {
        let now = Instant::now();
        for relay in &mut self.relays {
            if relay.listener.is_some() || relay.try_at > now {
                continue;
            }
            relay.tries += 1;
            let most = (1000 * u64::from(relay.tries)).min(15_000);
            relay.try_at = now + Duration::from_secs(6) + jitter(most);
            if let Some((id, address)) = &relay.reached {
                let circuit = address
                    .clone()
                    .with(Protocol::P2p(*id))
                    .with(Protocol::P2pCircuit);
                match self.swarm.listen_on(circuit) {
                    Ok(listener) => relay.listener = Some(listener),
                    Err(error) => tracing::warn!(%error, "no place at a relay"),
                }
            } else if relay.dials.is_empty() {
                for address in &relay.addresses {
                    // From the port that is listened on: what the relay sees of it is what a hole can be made through.
                    let dial = DialOpts::unknown_peer_id().address(address.clone()).build();
                    relay.dials.push(dial.connection_id());
                    if let Err(error) = self.swarm.dial(dial) {
                        tracing::debug!(%error, "relay not dialled");
                        relay.dials.pop();
                    }
                }
            }
        }
    }

    /// Is this peer a relay that we use?
    pub(super) fn is_relay(&self, id: &PeerId) -> bool {
        self.relays.iter().any(|relay| relay.is(id))
            || self.peers.get(id).is_some_and(|peer| peer.is_relay)
    }

    /// A connection stands: one that was made to a relay?
    pub(super) fn relay_reached(
        &mut self,
        connection: ConnectionId,
        id: PeerId,
        address: &Multiaddr,
    ) {
        let Some(at) = self.relay_dialled_by(connection) else {
            return;
        };
        let Some(relay) = self.relays.get_mut(at) else {
            return;
        };
        relay.dials.retain(|dial| *dial != connection);
        let other = relay
            .expected
            .zip(public_id(&id))
            .is_some_and(|(invite, who)| !invite.is_from(&who));
        if other {
            self.relay_failed(at, tr("another than expected answers there"));
            return;
        }
        if relay.reached.is_none() {
            relay.reached = Some((id, address.clone()));
            relay.try_at = Instant::now();
        }
        self.swarm.behaviour_mut().slots.reserve(id);
        self.ask_who();
    }

    /// A connection was not made: one to a relay?
    pub(super) fn relay_not_reached(&mut self, connection: ConnectionId, error: &DialError) {
        let Some(at) = self.relay_dialled_by(connection) else {
            return;
        };
        if let Some(relay) = self.relays.get_mut(at) {
            relay.dials.retain(|dial| *dial != connection);
            let why = relay.why.take().unwrap_or_else(|| sentence(error));
            if relay.dials.is_empty() && relay.reached.is_none() {
                self.relay_failed(at, why);
            } else {
                relay.why = Some(why);
            }
        }
    }

    fn relay_dialled_by(&self, connection: ConnectionId) -> Option<usize> {
        let mine = |relay: &Relay| relay.dials.contains(&connection);
        self.relays.iter().position(mine)
    }

    /// The last connection to this peer is gone.
    pub(super) fn relay_gone(&mut self, id: &PeerId) {
        for relay in self.relays.iter_mut().filter(|relay| relay.is(id)) {
            relay.reached = None;
            relay.try_at = Instant::now() + jitter(500);
        }
    }

    /// A place at a relay is reserved, one of its addresses says.
    pub(super) fn relay_listens(&mut self, listener: ListenerId, announced: &Multiaddr) {
        let local = peer_id(&self.local);
        let mine = |relay: &&mut Relay| relay.listener == Some(listener);
        let Some(relay) = self.relays.iter_mut().find(mine) else {
            return;
        };
        let (Some((id, address)), Some(local)) = (&relay.reached, local) else {
            return;
        };
        relay.tries = 0;
        relay.complained = false;
        // As we came there ourselves, unless that is private and the relay knows a public way.
        let [own, theirs] = [address, announced].map(place);
        let own_is_private = own.is_some_and(|(ip, _)| !is_public(ip));
        let best = match theirs {
            Some((ip, _)) if own_is_private && is_public(ip) => theirs,
            Some(_) | None => own,
        };
        let Some((ip, port)) = best.filter(|_| best != relay.place) else {
            return;
        };
        // One better than before may be told later; a worse one is not.
        if relay.place.is_some_and(|(before, _)| is_public(before)) {
            return;
        }
        relay.place = best;
        let through = |address: Multiaddr| {
            address
                .with(Protocol::P2p(*id))
                .with(Protocol::P2pCircuit)
                .with(Protocol::P2p(local))
        };
        // Some networks let only TCP out: both are told, whichever we took.
        let mut addresses: Vec<Multiaddr> = addresses_of(ip, port, None);
        if best != own {
            addresses.push(address.clone());
        }
        let addresses = addresses.into_iter().map(through).collect();
        self.tell(NodeEvent::Relayed {
            ip,
            port,
            addresses,
        });
    }

    /// A place at a relay is lost, or was never got.
    pub(super) fn relay_listener_closed(&mut self, listener: ListenerId, why: Option<String>) {
        let mine = |relay: &Relay| relay.listener == Some(listener);
        if let Some(at) = self.relays.iter().position(mine)
            && let Some(relay) = self.relays.get_mut(at)
        {
            relay.listener = None;
            let why = match why {
                Some(why) if why.contains("Unsupported") => tr("there is no relay at that address"),
                Some(why) => why,
                None => tr("the connection was closed"),
            };
            self.relay_failed(at, why);
        }
    }

    /// Complains once, until it works again.
    fn relay_failed(&mut self, at: usize, why: String) {
        let Some(relay) = self.relays.get_mut(at) else {
            return;
        };
        relay.place = None;
        let complained = std::mem::replace(&mut relay.complained, true);
        let seeks = match relay.reached {
            Some(_) => Vec::new(),
            None => std::mem::take(&mut relay.seeks),
        };
        for (knock, _) in seeks {
            let why = why.clone();
            self.tell(NodeEvent::Unanswered { knock, why });
        }
        if !complained {
            self.tell(NodeEvent::RelayLost { why });
        }
    }

    /// Asks the relays that are reached for whoever is sought there.
    fn ask_who(&mut self) {
        for relay in &mut self.relays {
            let Some((id, address)) = relay.reached.clone() else {
                continue;
            };
            for (knock, invite) in relay.seeks.drain(..) {
                let mut control = self.control.clone();
                let inside = self.inside.clone();
                let through = address
                    .clone()
                    .with(Protocol::P2p(id))
                    .with(Protocol::P2pCircuit);
                tokio::spawn(async move {
                    let found = match control.open_stream(id, whois::protocol()).await {
                        Ok(stream) => whois::ask(stream, invite.bits())
                            .await
                            .map_err(|error| error.to_string()),
                        Err(error) => Err(error.to_string()),
                    };
                    let outcome = Outcome::Found {
                        knock,
                        through,
                        found,
                    };
                    inside.send(outcome).await.ok();
                });
            }
        }
    }

    /// A relay has answered who is meant by a code.
    pub(super) fn on_found(
        &mut self,
        knock: u64,
        through: Multiaddr,
        found: Result<Vec<PublicId>, String>,
    ) {
        let found = found.map_err(|error| {
            tracing::debug!(%error, "not asked");
            tr("there is no relay at that address")
        });
        let answer = match found.as_deref() {
            Ok([peer]) => match peer_id(peer) {
                Some(id) => NodeEvent::Found {
                    knock,
                    peer: *peer,
                    address: through.with(Protocol::P2p(id)),
                },
                None => return,
            },
            Ok([]) => NodeEvent::Unanswered {
                knock,
                why: tr("the inviting player is not at the relay now"),
            },
            Ok(_) => NodeEvent::Unanswered {
                knock,
                why: tr(
                    "two players at the relay fit this code: one of them has to use another relay",
                ),
            },
            Err(why) => NodeEvent::Unanswered {
                knock,
                why: why.clone(),
            },
        };
        self.tell(answer);
    }

    /// Ways round are given up as soon as there is a direct one.
    pub(super) fn prefer_direct(&mut self, id: &PeerId) {
        let Some(peer) = self.peers.get(id) else {
            return;
        };
        if peer.is_direct() {
            let relayed = peer.connections.iter().filter(|(_, end)| end.is_relayed());
            let relayed: Vec<ConnectionId> = relayed.map(|(connection, _)| *connection).collect();
            for connection in relayed {
                self.swarm.close_connection(connection);
            }
        }
    }

    /// Says something from where nothing can be waited for.
    pub(super) fn tell(&self, event: NodeEvent) {
        // A full channel only delays what is heard; the task itself must not wait here.
        let events = self.events.clone();
        tokio::spawn(async move { events.send(event).await.ok() });
    }
}

/// Is it an address of the whole world's network?
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(v4) => {
            let shared = matches!(v4.octets(), [100, 64..=127, _, _]);
            !(v4.is_private() || v4.is_loopback() || v4.is_link_local() || shared)
        }
        IpAddr::V6(v6) => !(v6.is_loopback() || v6.is_unicast_link_local() || v6.is_unique_local()),
    }
}
