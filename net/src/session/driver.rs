//! The task behind a [`super::Session`]: one loop over network, neighbours, wishes and time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use shamans_core::codec;
use shamans_core::game::Game;
use shamans_core::log::{Identity as TableIdentity, TableId};
use shamans_core::table::{Audited, Consent, Seating, SignedGenesis, Table};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::gathering::Gathering;
use super::joining::Joining;
use super::packet::Packet;
use super::playing::{Playing, hex};
use super::room::{Refused, RoomState};
use super::{Request, SessionConfig, SessionEvent};
use crate::discovery::{Discovery, DiscoveryEvent, Lobby, Presence, Row};
use crate::identity::{Identity, PublicId};
use crate::invite::Invite;
use crate::store::{Store, Trust};
use crate::swarm::{Hello, Node, NodeEvent, addresses_of};

/// How often the list of neighbours is looked through.
const LOBBY_MS: u64 = 1_000;

/// How much somebody from elsewhere may say: so many messages in so much time.
const STRANGER_FRAMES: u32 = 200;
const STRANGER_MS: u64 = 10_000;

/// Where this player is.
pub(super) enum Phase<G: Game> {
    /// At no table.
    Lobby,
    /// At a table that is not full or not agreed yet.
    Gathering(Box<Gathering>),
    /// In a game.
    Playing(Box<Playing<G>>),
}

pub(super) struct Driver<G: Game> {
    pub(super) identity: Identity,
    pub(super) store: Option<Store>,
    pub(super) config: SessionConfig<G>,
    pub(super) node: Node,
    pub(super) events: mpsc::UnboundedSender<SessionEvent<G>>,
    pub(super) discovery: Option<Discovery>,
    pub(super) lobby: Lobby,
    lobby_at: u64,
    nearby: (Vec<Row>, Vec<String>),
    pub(super) joining: Option<Joining>,
    pub(super) phase: Phase<G>,
    /// A game that is over, after which another was begun.
    pub(super) finished: Option<Box<Playing<G>>>,
    listening: Vec<(IpAddr, u16)>,
    pub(super) names: HashMap<PublicId, String>,
    /// What those from elsewhere have said lately: since when, how much.
    strangers: HashMap<PublicId, (u64, u32)>,
    start: Instant,
}

impl<G: Game> Driver<G> {
    pub(super) fn new(
        identity: &Identity,
        store: Option<Store>,
        config: SessionConfig<G>,
        node: Node,
        events: mpsc::UnboundedSender<SessionEvent<G>>,
    ) -> Driver<G> {
        Driver {
            identity: identity.clone(),
            store,
            config,
            node,
            events,
            discovery: None,
            lobby: Lobby::new(),
            lobby_at: 0,
            nearby: (Vec::new(), Vec::new()),
            joining: None,
            phase: Phase::Lobby,
            finished: None,
            listening: Vec::new(),
            names: HashMap::new(),
            strangers: HashMap::new(),
            start: Instant::now(),
        }
    }

    pub(super) async fn run(
        mut self,
        mut heard: mpsc::Receiver<NodeEvent>,
        mut asked: mpsc::UnboundedReceiver<Request<G>>,
    ) {
        let (audited, mut audits) = mpsc::unbounded_channel();
        let mut nearby = None;
        if self.config.mdns {
            match Discovery::start(self.node.local(), self.node.port(), self.presence()) {
                Ok((discovery, events)) => {
                    self.discovery = Some(discovery);
                    nearby = Some(events);
                }
                Err(error) => self.emit(SessionEvent::Trouble(error.to_string())),
            }
        }
        loop {
            let due = self.start + Duration::from_millis(self.next_due());
            tokio::select! {
                event = heard.recv() => match event {
                    Some(event) => self.on_node(event),
                    None => break,
                },
                Some(event) = next(&mut nearby) => self.on_discovery(event),
                request = asked.recv() => match request {
                    None | Some(Request::Close) => break,
                    Some(request) => self.on_request(request),
                },
                Some((table, found)) = audits.recv() => self.on_audited(table, found),
                () = tokio::time::sleep_until(due) => self.on_time(),
            }
            self.carry_out();
            self.start_audits(&audited);
        }
        self.say_goodbye();
        if let Some(discovery) = self.discovery.take() {
            discovery.close().await;
        }
        // What was said last goes out before the links end.
        tokio::time::sleep(Duration::from_millis(100)).await;
        self.node.close();
        self.emit(SessionEvent::Closed);
    }

    fn games(&mut self) -> impl Iterator<Item = &mut Playing<G>> {
        let playing = match &mut self.phase {
            Phase::Lobby | Phase::Gathering(_) => None,
            Phase::Playing(playing) => Some(playing.as_mut()),
        };
        playing.into_iter().chain(self.finished.as_deref_mut())
    }

    /// An audit takes long: the table goes on meanwhile.
    fn start_audits(&mut self, audited: &mpsc::UnboundedSender<(TableId, Audited)>) {
        for playing in self.games() {
            while let Some(audit) = playing.table.take_audit() {
                let (table, audited) = (playing.id, audited.clone());
                tokio::task::spawn_blocking(move || audited.send((table, audit.run())).ok());
            }
        }
    }

    fn on_audited(&mut self, table: TableId, found: Audited) {
        if let Some(playing) = self.games().find(|playing| playing.id == table) {
            playing.table.audited(found);
        }
    }

    pub(super) fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    pub(super) fn emit(&self, event: SessionEvent<G>) {
        // Nobody listening any more: the session is about to be closed.
        self.events.send(event).ok();
    }

    pub(super) fn send(&self, peer: PublicId, packet: &Packet) {
        // Whoever is not linked now is told again when it is, or by repetition.
        self.node.send(peer, packet.encode()).ok();
    }

    pub(super) fn table_identity(&self) -> TableIdentity {
        TableIdentity::from_secret(&self.identity.seed())
    }

    pub(super) fn own_addresses(&self) -> Vec<String> {
        let all = self
            .listening
            .iter()
            .filter(|(ip, _)| !ip.is_loopback() || self.config.ip.is_some());
        all.flat_map(|(ip, port)| addresses_of(*ip, *port, None))
            .map(|address| address.to_string())
            .take(12)
            .collect()
    }

    fn presence(&self) -> Presence {
        let table = match &self.phase {
            Phase::Lobby => None,
            Phase::Gathering(gathering) => Some(gathering.room.advert(false)),
            Phase::Playing(playing) => playing.room.as_ref().map(|room| room.advert(true)),
        };
        Presence {
            name: self.config.name.clone(),
            table,
        }
    }

    pub(super) fn announce(&self) {
        if let Some(discovery) = &self.discovery {
            discovery.announce(self.presence());
        }
    }

    fn next_due(&self) -> u64 {
        let phase = match &self.phase {
            Phase::Lobby => u64::MAX,
            Phase::Gathering(gathering) => gathering.next_due(),
            Phase::Playing(playing) => playing.next_due(),
        };
        let joining = self
            .joining
            .as_ref()
            .map_or(u64::MAX, |joining| joining.again);
        // Far enough away to mean never, near enough not to overflow a clock.
        phase
            .min(joining)
            .min(self.lobby_at)
            .min(self.now() + 60_000)
    }

    fn on_time(&mut self) {
        let now = self.now();
        if self.lobby_at <= now {
            self.lobby_at = now + LOBBY_MS;
            if self.lobby.expire(now) {
                self.tell_nearby();
            }
        }
        if self
            .joining
            .as_ref()
            .is_some_and(|joining| joining.again <= now)
        {
            self.look();
        }
        match &mut self.phase {
            Phase::Lobby => {}
            Phase::Gathering(_) => self.on_gathering_time(now),
            Phase::Playing(playing) => playing.handle_timeout(now),
        }
        if let Some(finished) = &mut self.finished {
            finished.handle_timeout(now);
        }
    }

    pub(super) fn carry_out(&mut self) {
        let now = self.now();
        match &mut self.phase {
            Phase::Lobby => {}
            Phase::Gathering(_) => self.carry_out_seating(),
            Phase::Playing(playing) => {
                playing.carry_out(&self.node, &self.events, self.store.as_ref(), now)
            }
        }
        if let Some(finished) = &mut self.finished {
            finished.carry_out(&self.node, &self.events, self.store.as_ref(), now);
        }
    }

    // Neighbours.

    fn on_discovery(&mut self, event: DiscoveryEvent) {
        match event {
            DiscoveryEvent::Seen(neighbour) => {
                // Whoever belongs to our table is linked wherever they turn up.
                if self.is_of_our_table(&neighbour.id) {
                    self.node.want(neighbour.id, neighbour.addresses.clone());
                }
                self.lobby.seen(neighbour, self.now());
                self.tell_nearby();
            }
            DiscoveryEvent::Gone(id) => {
                self.lobby.gone(&id);
                self.tell_nearby();
            }
            DiscoveryEvent::Copy { .. } => self.emit(SessionEvent::Copy),
            DiscoveryEvent::Trouble(what) => self.emit(SessionEvent::Trouble(what)),
        }
    }

    /// Tells the list if it is another than before.
    fn tell_nearby(&mut self) {
        let nowhere = self
            .lobby
            .people()
            .filter(|peer| peer.presence.table.is_none());
        let people: Vec<String> = nowhere.map(|peer| peer.presence.name.clone()).collect();
        let list = (self.lobby.tables(), people);
        if list != self.nearby {
            self.nearby = list.clone();
            let (tables, people) = list;
            self.emit(SessionEvent::Nearby { tables, people });
        }
        if self.joining.is_some() {
            self.look();
        }
    }

    fn is_of_our_table(&self, id: &PublicId) -> bool {
        match &self.phase {
            Phase::Lobby => false,
            Phase::Gathering(gathering) => gathering.room.has(id),
            Phase::Playing(playing) => playing.seat_of(id).is_some(),
        }
    }

    // Links.

    fn on_node(&mut self, event: NodeEvent) {
        match event {
            NodeEvent::Up {
                peer,
                hello,
                address,
            } => self.on_up(peer, &hello, address.as_deref()),
            NodeEvent::Down { peer, .. } => {
                let name = self.names.remove(&peer).unwrap_or_default();
                self.emit(SessionEvent::Link {
                    peer,
                    name,
                    up: false,
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
                if self.has_asked(&peer) || self.joining.is_some() {
                    let ours = crate::PROTOCOL_VERSION;
                    self.unanswered(format!("protocol {version} is spoken there, here it is {ours}: one of you needs to update"));
                }
            }
            NodeEvent::Answered { peer, .. } => self.answered(peer),
            NodeEvent::Unanswered { why, .. } => self.unanswered(why),
            NodeEvent::Listening { ip, port } => {
                if !self.listening.contains(&(ip, port)) {
                    self.listening.push((ip, port));
                    let invite = Invite::new(ip, port, &self.node.local());
                    self.emit(SessionEvent::Reachable { ip, port, invite });
                }
            }
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

    fn on_up(&mut self, peer: PublicId, hello: &Hello, address: Option<&str>) {
        if !self.is_trusted(peer, hello, address) {
            return;
        }
        self.names.insert(peer, hello.name.clone());
        self.emit(SessionEvent::Link {
            peer,
            name: hello.name.clone(),
            up: true,
        });
        self.ask(peer);
        let now = self.now();
        match &mut self.phase {
            Phase::Lobby => {}
            Phase::Gathering(_) => self.found_again(peer),
            Phase::Playing(playing) => {
                if let Some(seat) = playing.seat_of(&peer) {
                    playing.table.connected(seat, now);
                }
            }
        }
    }

    /// Remembers who was met; a known name with another key is not let in before the player has decided.
    fn is_trusted(&mut self, peer: PublicId, hello: &Hello, address: Option<&str>) -> bool {
        let Some(store) = &self.store else {
            return true;
        };
        let seconds = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |time| time.as_secs());
        let known = store
            .peers()
            .and_then(|mut peers| match peers.trust(&hello.name, &peer) {
                Trust::ChangedKey { before } => Ok(Some(before)),
                Trust::New | Trust::Known | Trust::Renamed { .. } => peers
                    .remember(&hello.name, &peer, address, seconds)
                    .map(|()| None),
            });
        match known {
            Ok(None) => true,
            Ok(Some(before)) => {
                self.emit(SessionEvent::ChangedKey {
                    name: hello.name.clone(),
                    before,
                    now: peer,
                });
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

    /// The player says that a name with another key is all right: the old key is forgotten.
    fn trust(&mut self, name: &str) {
        let forgotten = self
            .store
            .as_ref()
            .map(|store| store.peers().and_then(|mut peers| peers.forget(name)));
        if let Some(Err(error)) = forgotten {
            self.emit(SessionEvent::Trouble(error.to_string()));
        }
    }

    pub(super) fn on_packet(&mut self, peer: PublicId, packet: Packet) {
        // Whoever was not let in is not listened to.
        if !self.names.contains_key(&peer) {
            return;
        }
        let now = self.now();
        match packet {
            Packet::Ask {
                table,
                watch,
                addresses,
            } => self.on_ask(peer, table, watch, addresses),
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
                    self.leave_room("the table was closed".to_owned());
                }
            }
            Packet::Seating { attempt, bytes } => self.on_seating(peer, attempt, &bytes),
            Packet::Genesis(genesis) => self.on_genesis(peer, genesis),
            Packet::Table { table, bytes } => {
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
            Packet::Watching { table, bytes } => {
                if let Phase::Playing(playing) = &mut self.phase
                    && playing.id == table
                    && playing.is_watched_by(&peer)
                    && let Some(bytes) = playing.table.answer_spectator(&bytes)
                {
                    self.send(peer, &Packet::Table { table, bytes });
                }
            }
        }
    }

    // The game.

    pub(super) fn begin(
        &mut self,
        table: Result<Table<G>, shamans_core::table::GenesisError>,
        seating: Option<Seating>,
        room: Option<RoomState>,
    ) {
        let mut table = match table {
            Ok(table) => table,
            Err(error) => {
                self.phase = Phase::Lobby;
                self.emit(SessionEvent::NoSeat(error.to_string()));
                return;
            }
        };
        table.set_consent(if self.config.auto_go_on {
            Consent::Auto
        } else {
            Consent::Ask
        });
        let journal = match (&self.store, table.me()) {
            (Some(store), Some(_)) => match store.journal(&hex(table.replica().table())) {
                Ok(journal) => Some(journal),
                Err(error) => {
                    self.emit(SessionEvent::Trouble(error.to_string()));
                    None
                }
            },
            (Some(_), None) | (None, _) => None,
        };
        let genesis = &table.genesis().genesis;
        let seated = SessionEvent::Seated {
            table: genesis.table(),
            me: table.me(),
            holders: genesis.holders(),
            options: genesis.proposal.options,
        };
        self.emit(SessionEvent::Phrase(genesis.phrase()));
        self.emit(seated);
        let playing = Playing::new(table, journal, seating, room);
        self.joining = None;
        for peer in playing.others() {
            let addresses = self.lobby.addresses(&peer);
            self.node.want(
                peer,
                self.remembered(&peer)
                    .into_iter()
                    .chain(addresses)
                    .collect(),
            );
        }
        self.emit(SessionEvent::Now(Box::new(playing.snapshot())));
        self.phase = Phase::Playing(Box::new(playing));
        self.announce();
    }

    fn remembered(&self, peer: &PublicId) -> Vec<libp2p::Multiaddr> {
        let Some(peers) = self.store.as_ref().and_then(|store| store.peers().ok()) else {
            return Vec::new();
        };
        let hex = peer.to_hex();
        let known = peers.iter().find(|known| known.key == hex);
        known
            .map(|known| {
                known
                    .addresses
                    .iter()
                    .filter_map(|text| text.parse().ok())
                    .collect()
            })
            .unwrap_or_default()
    }

    /// A running game: ours, which we lost, or one to watch.
    fn on_genesis(&mut self, peer: PublicId, genesis: SignedGenesis) {
        if !matches!(self.phase, Phase::Lobby) || !self.has_asked(&peer) {
            return;
        }
        let ours = genesis
            .genesis
            .proposal
            .keys()
            .any(|key| key.0 == self.node.local().0);
        let now = self.now();
        if ours {
            self.begin(
                Table::recover(genesis, self.table_identity(), now),
                None,
                None,
            );
        } else if self.wants_to_watch() {
            self.begin(Table::new(genesis, None, now), None, None);
        }
    }

    fn resume(&mut self, name: &str) {
        let Some(store) = &self.store else { return };
        let frames = match store.journal(name) {
            Ok(mut journal) => journal.take_frames(),
            Err(error) => {
                self.emit(SessionEvent::Trouble(error.to_string()));
                return;
            }
        };
        let table = Table::resume(
            frames.iter().map(Vec::as_slice),
            self.table_identity(),
            self.now(),
        );
        self.begin(table, None, None);
    }

    fn on_request(&mut self, request: Request<G>) {
        match request {
            Request::Open {
                name,
                setup,
                phantoms,
                options,
                private,
            } => {
                let id = getrandom::u64().unwrap_or(0);
                let local = self.node.local();
                let mut room = RoomState {
                    id,
                    name,
                    private,
                    opener: local,
                    game: G::NAME.to_owned(),
                    setup: codec::encode(&setup),
                    options,
                    phantoms,
                    think_s: 0,
                    attempt: 0,
                    previous: None,
                    members: Vec::new(),
                };
                match room.admit(local, &self.config.name, self.own_addresses()) {
                    Ok(()) => {
                        self.phase = Phase::Gathering(Gathering::new(room, false));
                        self.tell_room();
                    }
                    Err(refused) => self.emit(SessionEvent::NoSeat(refused.to_string())),
                }
            }
            Request::Change {
                setup,
                phantoms,
                options,
                private,
                think_s,
            } => self.change(&setup, phantoms, options, private, think_s),
            Request::Trust { name } => self.trust(&name),
            Request::Join { at, watch } => self.join(at, watch),
            Request::Resume { table } => self.resume(&table),
            Request::Ready => {
                if let Phase::Gathering(gathering) = &mut self.phase {
                    gathering.be_ready();
                }
            }
            Request::Rematch => self.rematch(),
            Request::Act(action) => self.at_table(|table| table.act(&action)),
            Request::GoOnWithout(gone, remedy) => {
                self.at_table(|table| table.go_on_without(gone, remedy))
            }
            Request::KeepWaiting => self.at_table(|table| {
                table.keep_waiting();
                Ok(())
            }),
            Request::Chat(line) => {
                if !self.say(&line) {
                    self.at_table(|table| table.chat(line).map(|_| ()));
                }
            }
            Request::Leave => match &self.phase {
                Phase::Lobby => self.joining = None,
                Phase::Gathering(_) => {
                    self.say_goodbye();
                    self.leave_room("you got up".to_owned());
                }
                Phase::Playing(_) => self.at_table(Table::leave),
            },
            Request::Close => {}
        }
    }

    fn at_table(
        &mut self,
        wish: impl FnOnce(&mut Table<G>) -> Result<(), shamans_core::table::ActError>,
    ) {
        let refused = match &mut self.phase {
            Phase::Playing(playing) => wish(&mut playing.table)
                .err()
                .map(|error| error.to_string()),
            Phase::Lobby | Phase::Gathering(_) => Some("there is no game yet".to_owned()),
        };
        if let Some(why) = refused {
            self.emit(SessionEvent::Refused(why));
        }
    }
}

async fn next<T>(receiver: &mut Option<mpsc::Receiver<T>>) -> Option<T> {
    match receiver {
        Some(receiver) => receiver.recv().await,
        None => std::future::pending().await,
    }
}
