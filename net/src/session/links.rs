//! What the links bring, as the driver takes it: who comes and goes, who is trusted, and which message goes where.

use std::net::IpAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use shamans_core::game::Game;

use super::SessionEvent;
use super::driver::{Driver, Phase};
use super::packet::{Packet, Word};
use super::room::Refused;
use crate::identity::PublicId;
use crate::invite::Invite;
use crate::store::Trust;
use crate::swarm::{Hello, NodeEvent};

/// How much somebody from elsewhere may say: so many messages in so much time.
const STRANGER_FRAMES: u32 = 200;
const STRANGER_MS: u64 = 10_000;
/// After how long the player is asked again about somebody who was turned away.
const ASK_AGAIN_MS: u64 = 60_000;
/// About how many at most within that time.
const ASK_MOST: usize = 16;

impl<G: Game> Driver<G> {
    pub(super) fn on_node(&mut self, event: NodeEvent) {
        match event {
            NodeEvent::Up {
                peer,
                hello,
                address,
                relayed,
            } => self.on_up(peer, &hello, address.as_deref(), relayed),
            NodeEvent::Down { peer, .. } => {
                let name = self.names.remove(&peer).unwrap_or_default();
                self.places.remove(&peer);
                self.emit(SessionEvent::Link {
                    peer,
                    name,
                    up: false,
                    relayed: false,
                });
                self.strangers.remove(&peer);
                let now = self.now();
                match &mut self.phase {
                    Phase::Lobby => {}
                    Phase::Gathering(gathering) => gathering.lose(peer, now),
                    Phase::Playing(playing) => playing.unwatched_by(&peer),
                }
            }
            NodeEvent::Frame { peer, .. } if !self.may_speak(peer) => self.node.drop_link(peer),
            NodeEvent::Frame { peer, bytes } => match Packet::decode(&bytes) {
                Ok(packet) => self.on_packet(peer, packet),
                Err(error) => {
                    tracing::warn!(%peer, %error, "not a message");
                    self.node.drop_link(peer);
                }
            },
            NodeEvent::OtherVersion { peer, version } => {
                if self.has_asked(&peer) {
                    self.other_version(version);
                }
            }
            NodeEvent::Copy => self.emit(SessionEvent::Copy),
            NodeEvent::Answered { peer, .. } => self.answered(peer),
            NodeEvent::Unanswered { why, .. } => self.unanswered(why),
            NodeEvent::Listening { ip, port } => self.reachable(ip, port),
            NodeEvent::NotListening { ip, port } => self.unreachable(ip, port),
            NodeEvent::Found { peer, address, .. } => self.found(peer, address),
            NodeEvent::IsRelay { peer } => self.is_relay(peer),
            NodeEvent::Relayed {
                ip,
                port,
                addresses,
            } => self.relayed(ip, port, addresses),
            NodeEvent::RelayLost { why } => self.relay_lost(why),
        }
    }

    /// Others can come here.
    pub(super) fn reachable(&mut self, ip: IpAddr, port: u16) {
        if !self.listening.contains(&(ip, port)) {
            self.listening.push((ip, port));
            let invite = Invite::new(ip, port, &self.node.local());
            self.emit(SessionEvent::Reachable { ip, port, invite });
        }
    }

    /// Nobody can come here any more.
    fn unreachable(&mut self, ip: IpAddr, port: u16) {
        let before = self.listening.len();
        self.listening.retain(|place| *place != (ip, port));
        if self.listening.len() != before {
            self.emit(SessionEvent::Unreachable { ip, port });
        }
    }

    /// Whoever does not belong to our table has little to say, and little room to say it in.
    fn may_speak(&mut self, peer: PublicId) -> bool {
        if self.is_of_our_table(&peer) {
            return true;
        }
        let now = self.now();
        let (since, count) = self.strangers.entry(peer).or_insert((now, 0));
        if now.saturating_sub(*since) >= STRANGER_MS {
            (*since, *count) = (now, 0);
        }
        *count += 1;
        *count <= STRANGER_FRAMES
    }

    fn on_up(&mut self, peer: PublicId, hello: &Hello, address: Option<&str>, relayed: bool) {
        if !self.is_trusted(peer, hello) {
            return;
        }
        self.names.insert(peer, hello.name.clone());
        if let Some(address) = address {
            self.places.insert(peer, address.to_owned());
        }
        let chosen = self.is_of_our_table(&peer) || self.has_asked(&peer);
        if chosen || !self.remembered(&peer).is_empty() {
            self.remember(peer);
        }
        self.emit(SessionEvent::Link {
            peer,
            name: hello.name.clone(),
            up: true,
            relayed,
        });
        self.ask(peer);
        let now = self.now();
        match &mut self.phase {
            Phase::Lobby => {}
            Phase::Gathering(_) => self.found_again(peer),
            Phase::Playing(_) => {}
        }
        for playing in self.games() {
            if let Some(seat) = playing.seat_of(&peer) {
                playing.table.connected(seat, now);
            }
        }
    }

    /// A known name with another key is not let in before the player has decided.
    fn is_trusted(&mut self, peer: PublicId, hello: &Hello) -> bool {
        let Some(store) = &self.store else {
            return true;
        };
        match store.peers().map(|peers| peers.trust(&hello.name, &peer)) {
            Ok(Trust::New | Trust::Known | Trust::Renamed { .. }) => true,
            Ok(Trust::ChangedKey { before }) => {
                self.ask_about_key(hello.name.clone(), before, peer);
                self.send(peer, &Packet::Refused(Refused::OtherKey));
                self.node.unwant(peer);
                false
            }
            Err(error) => {
                self.emit(SessionEvent::Trouble(error.to_string()));
                true
            }
        }
    }

    /// Remembers somebody who is linked: one who is or was at a table with this player, or whom this player asked for a seat. Whoever only
    /// comes along leaves nothing behind: else strangers could push out friends, and take names before those to whom they belong.
    pub(super) fn remember(&mut self, peer: PublicId) {
        let played = match &self.phase {
            Phase::Lobby | Phase::Gathering(_) => false,
            Phase::Playing(playing) => playing.seat_of(&peer).is_some(),
        };
        let (Some(store), Some(name)) = (&self.store, self.names.get(&peer)) else {
            return;
        };
        let address = self.places.get(&peer).map(String::as_str);
        let kept = store
            .peers()
            .and_then(|mut peers| peers.remember(name, &peer, address, played, since_1970()));
        if let Err(error) = kept {
            self.emit(SessionEvent::Trouble(error.to_string()));
        }
    }

    /// Whoever is turned away tries again, over every way there is: the player is asked once, and once more when they still come
    /// after a while.
    pub(super) fn ask_about_key(&mut self, name: String, before: PublicId, peer: PublicId) {
        let now = self.now();
        self.turned_away.retain(|_, at| *at + ASK_AGAIN_MS > now);
        if !self.turned_away.contains_key(&peer) && self.turned_away.len() < ASK_MOST {
            self.turned_away.insert(peer, now);
            self.emit(SessionEvent::ChangedKey {
                name,
                before,
                now: peer,
            });
        }
    }

    /// The player says that a name with this other key is all right: the old key is forgotten, and the name belongs to this one. To a
    /// third key it does not: that one was not compared.
    pub(super) fn trust(&mut self, name: &str, key: &PublicId) {
        self.turned_away.remove(key);
        let seconds = since_1970();
        let trusted = self.store.as_ref().map(|store| {
            let mut peers = store.peers()?;
            peers.forget(name)?;
            peers.remember(name, key, None, false, seconds)
        });
        if let Some(Err(error)) = trusted {
            self.emit(SessionEvent::Trouble(error.to_string()));
        }
    }

    pub(super) fn on_packet(&mut self, peer: PublicId, packet: Packet) {
        // Whoever was not let in is not listened to.
        if !self.names.contains_key(&peer) {
            return;
        }
        match packet {
            Packet::Ask {
                table,
                watch,
                addresses,
                operator,
            } => self.on_ask(peer, table, watch, addresses, operator),
            Packet::Refused(refused) => self.refused(peer, refused),
            Packet::AskThere { opener, addresses } => {
                if self.has_asked(&peer) {
                    self.ask_there(opener, addresses);
                }
            }
            Packet::Room(room) => self.on_room(peer, room),
            Packet::GetUp => self.get_up(peer),
            Packet::Said(line) => self.on_said(peer, line),
            Packet::Closed => {
                if let Phase::Gathering(gathering) = &self.phase
                    && gathering.room.opener == peer
                {
                    self.leave_room(crate::words::tr("the table was closed"));
                }
            }
            Packet::Word(word) => self.on_word(peer, word),
            Packet::PassOn { to, word } => self.pass_on(peer, to, word),
            Packet::Passed { from, word } => self.passed(peer, from, word),
            Packet::Genesis(genesis) => self.on_genesis(peer, genesis),
            Packet::Watching { table, bytes } => {
                if let Phase::Playing(playing) = &mut self.phase
                    && playing.id == table
                    && playing.is_watched_by(&peer)
                    && let Some(bytes) = playing.table.answer_spectator(&bytes)
                {
                    self.send(peer, &Packet::Word(Word::Table { table, bytes }));
                }
            }
        }
    }

    /// What a player of the table says.
    pub(super) fn on_word(&mut self, peer: PublicId, word: Word) {
        let now = self.now();
        match word {
            Word::Seating { attempt, bytes } => self.on_seating(peer, attempt, &bytes),
            Word::Table { table, bytes } => {
                let current = match &mut self.phase {
                    Phase::Playing(playing) => Some(playing),
                    // Somebody got all signatures a moment before us.
                    Phase::Gathering(gathering) => {
                        gathering.keep_early(peer, table, &bytes);
                        None
                    }
                    Phase::Lobby => None,
                };
                for playing in current.into_iter().chain(&mut self.finished) {
                    if playing.id == table
                        && let Some(seat) = playing.seat_of(&peer)
                    {
                        playing.table.receive(seat, &bytes, now);
                    }
                }
            }
        }
    }
}

fn since_1970() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_secs())
}
