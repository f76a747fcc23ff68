//! Greeting, as the task does it: one stream for each pair, a first frame each way, and a link out of that.

use std::time::Duration;

use libp2p::{PeerId, Stream};
use tokio::time::Instant;

use super::address::place;
use super::dialling::{LINK_TIME, jitter};
use super::link::{self, DownReason, Hello};
use super::listen::link_protocol;
use super::peer::{LinkState, is_round, remember};
use super::relaying::{HOLE_TIME, Relay};
use super::task::{Outcome, Task};
use super::{NodeEvent, public_id};
use crate::PROTOCOL_VERSION;

/// How many peers that we do not want are linked at most: those who ask for a seat, and spectators.
const MAX_STRANGERS: usize = 24;

impl Task {
    /// Opens the stream of a pair if that is our part and there is none.
    pub(super) fn open(&mut self, id: PeerId) {
        if self.is_relay(&id) {
            return;
        }
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        let ours = self.local < peer.id;
        if !ours || peer.opening || peer.link.is_some() || peer.connections.is_empty() {
            return;
        }
        // A stream takes any connection: not before those round a relay are gone if there is a direct one, and where there is none
        // it is looked for first.
        if peer.is_relayed() {
            if peer.is_direct() {
                return;
            }
            let at = peer.connected_since + HOLE_TIME;
            if at > Instant::now() {
                peer.open_at = Some(at);
                return;
            }
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

    pub(super) fn on_incoming(&mut self, id: PeerId, mut stream: Stream) {
        let ours = public_id(&id).is_none_or(|peer| self.local < peer);
        // Only the other side of a pair opens its stream, and strangers not all at once.
        let room = self.is_wanted(&id) || self.greeting < MAX_STRANGERS;
        if ours || !room {
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

    pub(super) async fn on_outcome(&mut self, outcome: Outcome) {
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
            Outcome::Resolved(found) => self.on_resolved(found),
            Outcome::Found {
                knock,
                through,
                found,
            } => self.on_found(knock, through, found),
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
        let strangers = self
            .peers
            .values()
            .filter(|peer| peer.link.is_some() && peer.wanted.is_none())
            .count();
        let relays: Vec<_> = self.relays.iter().filter_map(Relay::reached).collect();
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
        if peer.link.is_none() && peer.wanted.is_none() && strangers >= MAX_STRANGERS {
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
        let relayed = !peer.is_direct();
        let address = remember(peer, hello.port, &relays);
        let home = address.as_ref().filter(|address| !is_round(address));
        peer.link = Some(LinkState {
            generation,
            on,
            home: home.and_then(place),
        });
        // `Up` before the first frame: the link runs only from here on.
        self.emit(NodeEvent::Up {
            peer: from,
            hello,
            address: address.map(|address| address.to_string()),
            relayed,
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

    fn is_wanted(&self, id: &PeerId) -> bool {
        self.peers.get(id).is_some_and(|peer| peer.wanted.is_some())
    }
}
