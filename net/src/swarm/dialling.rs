//! Dialling, as the task does it: wanted peers until they are linked, with jitter; unknown ones once ([`Command::Knock`]).

use std::time::Duration;

use libp2p::multiaddr::Protocol;
use libp2p::swarm::DialError;
use libp2p::swarm::dial_opts::{DialOpts, PeerCondition};
use libp2p::{Multiaddr, PeerId};
use tokio::time::Instant;

use super::address::place;
use super::link::DownReason;
use super::listen::sentence;
use super::peer::{MAX_ADDRESSES, Peer, Wanted, is_round};
use super::relaying::Relay;
use super::task::{Knock, Task};
use super::{Command, NodeEvent, peer_id};
use crate::words::tr;

/// How long a wanted pair may be connected without a link before the connection is given up.
pub(super) const LINK_TIME: Duration = Duration::from_secs(6);
/// How long nobody is looked for where somebody else answered.
const TAKEN_TIME: Duration = Duration::from_secs(20);

impl Task {
    pub(super) fn next_due(&self) -> Option<Instant> {
        let dials = self.peers.values().filter_map(|peer| match &peer.wanted {
            Some(wanted) if peer.link.is_none() && peer.connections.is_empty() => {
                Some(wanted.dial_at)
            }
            Some(_) if peer.link.is_none() => Some(peer.connected_since + LINK_TIME),
            Some(_) | None => None,
        });
        let opens = self.peers.values().filter_map(|peer| peer.open_at);
        let relays = self.relays.iter().filter_map(Relay::due);
        dials.chain(opens).chain(relays).min()
    }

    pub(super) fn on_due(&mut self) {
        self.on_relays_due();
        let now = Instant::now();
        let mut open = Vec::new();
        let mut close = Vec::new();
        let leads = self.leads();
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
                    wanted.taken.retain(|(_, until)| *until > now);
                    let is_taken = |address: &Multiaddr| {
                        wanted.taken.iter().any(|(known, _)| known == address)
                    };
                    let mut addresses = wanted.addresses.clone();
                    if wanted.tries > 1 {
                        addresses.extend(leads.iter().cloned());
                    }
                    addresses.retain(|address| !is_taken(address));
                    let addresses = addresses.into_iter();
                    let (round, straight): (Vec<_>, Vec<_>) = addresses.partition(is_round);
                    let mut dials = Vec::new();
                    // The way round a relay is taken when the straight one takes long, or is not known.
                    if !round.is_empty()
                        && wanted.round.is_none()
                        && (wanted.tries > 1 || straight.is_empty())
                    {
                        let dial = DialOpts::peer_id(*id)
                            .addresses(round)
                            .condition(PeerCondition::Disconnected)
                            .build();
                        wanted.round = Some(dial.connection_id());
                        dials.push(dial);
                    }
                    if !straight.is_empty() || dials.is_empty() {
                        let dial = DialOpts::peer_id(*id).addresses(straight);
                        dials.push(dial.allocate_new_port().build());
                    }
                    for dial in dials {
                        if let Err(error) = self.swarm.dial(dial) {
                            tracing::debug!(peer = %peer.id, %error, "not dialled");
                        }
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

    pub(super) fn on_command(&mut self, command: Command) {
        match command {
            Command::Want { peer, addresses } => {
                let Some(id) = peer_id(&peer) else { return };
                if peer == self.local {
                    return;
                }
                let peer = self.peers.entry(id).or_insert_with(|| Peer::new(peer));
                let wanted = peer
                    .wanted
                    .get_or_insert_with(|| Wanted::new(Instant::now() + jitter(20)));
                let news = addresses
                    .into_iter()
                    .filter(|address| !wanted.addresses.contains(address))
                    .collect::<Vec<_>>();
                if !news.is_empty() {
                    wanted.dial_at = wanted.dial_at.min(Instant::now() + jitter(20));
                    wanted.addresses.splice(0..0, news);
                    wanted.addresses.truncate(MAX_ADDRESSES);
                }
                self.swarm.behaviour_mut().slots.reserve(id);
                self.open(id);
            }
            Command::Unwant { peer } => {
                if let Some(id) = peer_id(&peer)
                    && let Some(peer) = self.peers.get_mut(&id)
                {
                    peer.wanted = None;
                    self.swarm.behaviour_mut().slots.release(&id);
                    self.forget_idle(id);
                }
            }
            Command::Knock { knock, addresses } => {
                let mut state = Knock {
                    pending: Vec::new(),
                    why: tr("there was no address to try"),
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
            Command::Relay { text } => self.look_up_relay(text),
            Command::Seek { knock, invite } => self.seek(knock, invite),
            Command::Drop { peer } => {
                if let Some(outgoing) = self.links.lock().get(&peer) {
                    outgoing.end(DownReason::Dropped);
                }
            }
            Command::Close => {}
        }
    }

    /// Somebody else answered where `expected` was looked for: since programs take the first free port, two on one computer change
    /// places easily. One wrong answer spoils a whole dial, so it is not tried there again for a while; and if whoever answered is
    /// wanted too, that is where they live now.
    pub(super) fn somebody_else(&mut self, expected: Option<PeerId>, error: &DialError) {
        let (address, obtained) = match error {
            DialError::WrongPeerId { obtained, address } => (address, Some(obtained)),
            DialError::LocalPeerId { address } => (address, None),
            DialError::Transport(_)
            | DialError::NoAddresses
            | DialError::Aborted
            | DialError::DialPeerConditionFalse(_)
            | DialError::Denied { .. } => return,
        };
        let mut place = address.clone();
        if matches!(place.iter().last(), Some(Protocol::P2p(_))) {
            place.pop();
        }
        let now = Instant::now();
        if let Some(wanted) = expected.and_then(|id| self.unlinked(&id)) {
            // With and without who was expected there.
            wanted.taken.push((address.clone(), now + TAKEN_TIME));
            wanted.taken.push((place.clone(), now + TAKEN_TIME));
        }
        if let Some(wanted) = obtained.and_then(|id| self.unlinked(id))
            && !wanted.addresses.contains(&place)
        {
            wanted.addresses.insert(0, place);
            wanted.addresses.truncate(MAX_ADDRESSES);
            wanted.dial_at = wanted.dial_at.min(now + jitter(20));
        }
    }

    /// Where linked peers were looked for and do not live, at another port of their computer: perhaps whoever is missing lives there,
    /// if they have changed places.
    fn leads(&self) -> Vec<Multiaddr> {
        let homes = |peer: &Peer| peer.link.as_ref().and_then(|link| link.home);
        let homes: Vec<_> = self.peers.values().filter_map(homes).collect();
        let linked = self.peers.values().filter(|peer| peer.link.is_some());
        let wanted = linked.filter_map(|peer| peer.wanted.as_ref());
        let sought = wanted.flat_map(|wanted| &wanted.addresses);
        let is_lead = |address: &&Multiaddr| {
            !is_round(address)
                && place(address).is_some_and(|at| {
                    !homes.contains(&at) && homes.iter().any(|home| home.0 == at.0)
                })
        };
        sought.filter(is_lead).cloned().collect()
    }

    fn unlinked(&mut self, id: &PeerId) -> Option<&mut Wanted> {
        let peer = self.peers.get_mut(id)?;
        peer.wanted.as_mut().filter(|_| peer.link.is_none())
    }

    /// Knocks whose every address failed.
    pub(super) fn settle_knocks(&mut self) {
        let done: Vec<u64> = self
            .knocks
            .iter()
            .filter(|(_, state)| state.pending.is_empty())
            .map(|(knock, _)| *knock)
            .collect();
        for knock in done {
            if let Some(state) = self.knocks.remove(&knock) {
                self.tell(NodeEvent::Unanswered {
                    knock,
                    why: state.why,
                });
            }
        }
    }
}

/// A random time below `most` milliseconds, so that two peers do not keep getting in each other's way.
pub(super) fn jitter(most: u64) -> Duration {
    // Without randomness there is no jitter, which is only slower.
    let random = getrandom::u32().unwrap_or(0);
    Duration::from_millis(u64::from(random) % most.max(1))
}
