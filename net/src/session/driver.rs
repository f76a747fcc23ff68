//! The task behind a [`super::Session`]: one loop over network, neighbours, wishes and time.

use std::net::IpAddr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use shamans_core::codec;
use shamans_core::game::Game;
use shamans_core::log::{Identity as TableIdentity, PlayerKey};
use shamans_core::table::{Consent, Proposal, Seating, SeatingOutput, SignedGenesis, Table};
use tokio::sync::mpsc;
use tokio::time::Instant;

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

/// How long a seat is kept for somebody whose link is gone before the game.
const SEAT_KEPT_MS: u64 = 10_000;
/// How long all have to agree to a proposal that needs no person's click.
const SEATING_MS: u64 = 20_000;
/// How often the list of neighbours is looked through.
const LOBBY_MS: u64 = 1_000;

/// Where this player is.
enum Phase<G: Game> {
    /// At no table.
    Lobby,
    /// At a table that is not full or not agreed yet.
    Gathering(Box<Gathering>),
    /// In a game.
    Playing(Box<Playing<G>>),
}

struct Gathering {
    room: RoomState,
    seating: Option<Seating>,
    seating_until: u64,
    /// Members whose link is gone, and since when.
    lost: Vec<(PublicId, u64)>,
}

pub(super) struct Driver<G: Game> {
    identity: Identity,
    store: Option<Store>,
    config: SessionConfig<G>,
    pub(super) node: Node,
    events: mpsc::UnboundedSender<SessionEvent<G>>,
    discovery: Option<Discovery>,
    pub(super) lobby: Lobby,
    lobby_at: u64,
    nearby: (Vec<Row>, Vec<String>),
    pub(super) joining: Option<Joining>,
    phase: Phase<G>,
    listening: Vec<(IpAddr, u16)>,
    names: std::collections::HashMap<PublicId, String>,
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
            listening: Vec::new(),
            names: std::collections::HashMap::new(),
            start: Instant::now(),
        }
    }

    pub(super) async fn run(
        mut self,
        mut heard: mpsc::Receiver<NodeEvent>,
        mut asked: mpsc::UnboundedReceiver<Request<G>>,
    ) {
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
                () = tokio::time::sleep_until(due) => self.on_time(),
            }
            self.carry_out();
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

    fn table_identity(&self) -> TableIdentity {
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

    fn announce(&self) {
        if let Some(discovery) = &self.discovery {
            discovery.announce(self.presence());
        }
    }

    fn next_due(&self) -> u64 {
        let phase = match &self.phase {
            Phase::Lobby => u64::MAX,
            Phase::Gathering(gathering) => {
                let seating = gathering.seating.as_ref().map_or(u64::MAX, |seating| {
                    seating.poll_timeout().min(gathering.seating_until)
                });
                let lost = gathering
                    .lost
                    .iter()
                    .map(|(_, since)| since + SEAT_KEPT_MS)
                    .min()
                    .unwrap_or(u64::MAX);
                seating.min(lost)
            }
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
            Phase::Gathering(gathering) => {
                if let Some(seating) = &mut gathering.seating {
                    seating.handle_timeout(now);
                    if gathering.seating_until <= now && gathering.room.opener == self.node.local()
                    {
                        // Somebody does not answer: gather again without those who are not linked.
                        gathering.seating = None;
                        let linked = self.node.linked();
                        let local = self.node.local();
                        gathering
                            .room
                            .members
                            .retain(|member| member.id == local || linked.contains(&member.id));
                        self.tell_room();
                        return;
                    }
                }
                self.remove_lost(now);
            }
            Phase::Playing(playing) => playing.handle_timeout(now),
        }
    }

    fn carry_out(&mut self) {
        let now = self.now();
        match &mut self.phase {
            Phase::Lobby => {}
            Phase::Gathering(_) => self.carry_out_seating(),
            Phase::Playing(playing) => {
                playing.carry_out(&self.node, &self.events, self.store.as_ref(), now)
            }
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
                let name = self.names.get(&peer).cloned().unwrap_or_default();
                self.emit(SessionEvent::Link {
                    peer,
                    name,
                    up: false,
                });
                let now = self.now();
                match &mut self.phase {
                    Phase::Lobby => {}
                    Phase::Gathering(gathering) => {
                        if gathering.room.has(&peer) {
                            gathering.lost.push((peer, now));
                        }
                    }
                    Phase::Playing(playing) => playing.unwatched_by(&peer),
                }
            }
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
            Phase::Gathering(gathering) => gathering.lost.retain(|(lost, _)| *lost != peer),
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

    fn on_packet(&mut self, peer: PublicId, packet: Packet) {
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
            Packet::Closed => {
                if let Phase::Gathering(gathering) = &self.phase
                    && gathering.room.opener == peer
                {
                    self.leave_room("the table was closed".to_owned());
                }
            }
            Packet::Propose(proposal) => self.on_propose(peer, proposal),
            Packet::Seating(bytes) => {
                let seating = match &mut self.phase {
                    Phase::Lobby => None,
                    Phase::Gathering(gathering) => gathering.seating.as_mut(),
                    Phase::Playing(playing) => playing.seating.as_mut(),
                };
                if let Some(seating) = seating
                    && let Err(error) = seating.receive(&PlayerKey(peer.0), &bytes)
                {
                    tracing::debug!(%peer, %error, "while sitting down");
                }
            }
            Packet::Genesis(genesis) => self.on_genesis(peer, genesis),
            Packet::Table { table, bytes } => {
                if let Phase::Playing(playing) = &mut self.phase
                    && playing.id == table
                    && let Some(seat) = playing.seat_of(&peer)
                {
                    playing.table.receive(seat, &bytes, now);
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

    // Before the game.

    fn on_ask(&mut self, peer: PublicId, table: Option<u64>, watch: bool, addresses: Vec<String>) {
        let name = self.names.get(&peer).cloned().unwrap_or_default();
        let answer = match &mut self.phase {
            Phase::Lobby => Packet::Refused(Refused::NoTable),
            Phase::Gathering(gathering)
                if table.is_some_and(|table| table != gathering.room.id) =>
            {
                Packet::Refused(Refused::NoTable)
            }
            Phase::Gathering(_) if watch => Packet::Refused(Refused::NothingToWatch),
            Phase::Gathering(gathering) if gathering.room.opener != self.node.local() => {
                let opener = gathering.room.opener;
                let addresses = gathering
                    .room
                    .members
                    .iter()
                    .find(|member| member.id == opener)
                    .map(|member| member.addresses.clone());
                Packet::AskThere {
                    opener,
                    addresses: addresses.unwrap_or_default(),
                }
            }
            Phase::Gathering(gathering) => match gathering.room.admit(peer, &name, addresses) {
                Ok(()) => {
                    self.tell_room();
                    return;
                }
                Err(refused) => Packet::Refused(refused),
            },
            // One of us, come back with nothing but the key; or somebody who may watch.
            Phase::Playing(playing) if playing.seat_of(&peer).is_some() => {
                Packet::Genesis(playing.table.genesis().clone())
            }
            Phase::Playing(playing) if watch => {
                if playing.watched_by(peer) {
                    Packet::Genesis(playing.table.genesis().clone())
                } else {
                    Packet::Refused(Refused::Full)
                }
            }
            Phase::Playing(_) => Packet::Refused(Refused::Playing),
        };
        self.send(peer, &answer);
    }

    /// The opener tells everyone how things stand, and proposes when all are there.
    fn tell_room(&mut self) {
        let local = self.node.local();
        let own = self.own_addresses();
        let Phase::Gathering(gathering) = &mut self.phase else {
            return;
        };
        if let Some(me) = gathering
            .room
            .members
            .iter_mut()
            .find(|member| member.id == local)
        {
            me.addresses = own;
        }
        let room = gathering.room.clone();
        for member in room.members.iter().filter(|member| member.id != local) {
            let addresses = member
                .addresses
                .iter()
                .filter_map(|text| text.parse().ok())
                .collect();
            self.node.want(member.id, addresses);
            self.send(member.id, &Packet::Room(room.clone()));
        }
        self.announce();
        self.emit(SessionEvent::Room(room.clone()));
        if room.is_full() {
            let proposal = room.proposal();
            for member in room.members.iter().filter(|member| member.id != local) {
                self.send(member.id, &Packet::Propose(proposal.clone()));
            }
            self.sit_down(proposal);
        }
    }

    fn on_room(&mut self, peer: PublicId, room: RoomState) {
        let local = self.node.local();
        if room.opener != peer || !room.is_sound() {
            return;
        }
        let ours = match &self.phase {
            Phase::Lobby => self.has_asked(&peer),
            Phase::Gathering(gathering) => {
                gathering.room.id == room.id && gathering.room.opener == peer
            }
            Phase::Playing(_) => false,
        };
        if !ours {
            return;
        }
        if !room.has(&local) {
            self.leave_room("the seat was given away".to_owned());
            return;
        }
        let setup: Result<(), String> = match codec::decode::<G::Setup>(&room.setup) {
            Ok(setup) if room.game == G::NAME => (self.config.accepts)(&setup),
            Ok(_) | Err(_) => {
                Err("another game, or another version of it, is played there".to_owned())
            }
        };
        if let Err(why) = setup {
            self.send(peer, &Packet::GetUp);
            self.joining = None;
            self.leave_room(why);
            return;
        }
        self.joining = None;
        for member in room.members.iter().filter(|member| member.id != local) {
            let addresses = member
                .addresses
                .iter()
                .filter_map(|text| text.parse().ok())
                .collect();
            self.node.want(member.id, addresses);
        }
        self.emit(SessionEvent::Room(room.clone()));
        self.phase = Phase::Gathering(Box::new(Gathering {
            room,
            seating: None,
            seating_until: 0,
            lost: Vec::new(),
        }));
        self.announce();
    }

    fn on_propose(&mut self, peer: PublicId, proposal: Proposal) {
        if let Phase::Gathering(gathering) = &self.phase
            && gathering.room.opener == peer
            && gathering.room.agrees_with(&proposal)
        {
            self.sit_down(proposal);
        }
    }

    fn sit_down(&mut self, proposal: Proposal) {
        let identity = self.table_identity();
        let now = self.now();
        let mut lot = self.config.lot.unwrap_or_default();
        if self.config.lot.is_none() && getrandom::fill(&mut lot).is_err() {
            self.emit(SessionEvent::Trouble(
                crate::identity::NoRandomness.to_string(),
            ));
            return;
        }
        let Phase::Gathering(gathering) = &mut self.phase else {
            return;
        };
        if gathering
            .seating
            .as_ref()
            .is_some_and(|seating| *seating.proposal() == proposal)
        {
            return;
        }
        match Seating::new(proposal, identity, lot, now) {
            Ok(mut seating) => {
                if self.config.auto_ready {
                    seating.be_ready();
                }
                gathering.seating = Some(seating);
                gathering.seating_until = if self.config.auto_ready {
                    now + SEATING_MS
                } else {
                    u64::MAX
                };
                self.emit(SessionEvent::Proposed);
            }
            Err(error) => self.emit(SessionEvent::Trouble(error.to_string())),
        }
    }

    fn carry_out_seating(&mut self) {
        let local = self.node.local();
        loop {
            let Phase::Gathering(gathering) = &mut self.phase else {
                return;
            };
            let Some(output) = gathering.seating.as_mut().and_then(Seating::poll) else {
                return;
            };
            match output {
                SeatingOutput::Send(bytes) => {
                    let packet = Packet::Seating(bytes).encode();
                    for member in gathering
                        .room
                        .members
                        .iter()
                        .filter(|member| member.id != local)
                    {
                        self.node.send(member.id, packet.clone()).ok();
                    }
                }
                SeatingOutput::Ready(key) => self.emit(SessionEvent::Ready(PublicId(key.0))),
                SeatingOutput::Drawn(genesis) => self.emit(SessionEvent::Phrase(genesis.phrase())),
                SeatingOutput::Seated(genesis) => {
                    let seating = gathering.seating.take();
                    let room = gathering.room.clone();
                    let table = Table::new(genesis, Some(self.table_identity()), self.now());
                    self.begin(table, seating, Some(room));
                    return;
                }
            }
        }
    }

    fn remove_lost(&mut self, now: u64) {
        let local = self.node.local();
        let Phase::Gathering(gathering) = &mut self.phase else {
            return;
        };
        let gone: Vec<PublicId> = gathering
            .lost
            .iter()
            .filter(|(_, since)| since + SEAT_KEPT_MS <= now)
            .map(|(id, _)| *id)
            .collect();
        if gone.is_empty() {
            return;
        }
        gathering.lost.retain(|(id, _)| !gone.contains(id));
        if gathering.room.opener == local {
            for id in gone {
                self.get_up(id);
            }
        } else if gone.contains(&gathering.room.opener) {
            self.leave_room("the one who opened the table is gone".to_owned());
        }
    }

    fn get_up(&mut self, peer: PublicId) {
        let local = self.node.local();
        if let Phase::Gathering(gathering) = &mut self.phase
            && gathering.room.opener == local
            && peer != local
            && gathering.room.remove(&peer)
        {
            gathering.seating = None;
            self.node.unwant(peer);
            self.tell_room();
        }
    }

    fn leave_room(&mut self, why: String) {
        if let Phase::Gathering(gathering) = &self.phase {
            for member in &gathering.room.members {
                self.node.unwant(member.id);
            }
        }
        self.phase = Phase::Lobby;
        self.announce();
        self.emit(SessionEvent::NoSeat(why));
    }

    fn say_goodbye(&mut self) {
        if let Phase::Gathering(gathering) = &self.phase {
            let local = self.node.local();
            if gathering.room.opener == local {
                for member in &gathering.room.members {
                    self.send(member.id, &Packet::Closed);
                }
            } else {
                self.send(gathering.room.opener, &Packet::GetUp);
            }
        }
    }

    // The game.

    fn begin(
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
                    members: Vec::new(),
                };
                match room.admit(local, &self.config.name, self.own_addresses()) {
                    Ok(()) => {
                        self.phase = Phase::Gathering(Box::new(Gathering {
                            room,
                            seating: None,
                            seating_until: 0,
                            lost: Vec::new(),
                        }));
                        self.tell_room();
                    }
                    Err(refused) => self.emit(SessionEvent::NoSeat(refused.to_string())),
                }
            }
            Request::Join { at, watch } => self.join(at, watch),
            Request::Resume { table } => self.resume(&table),
            Request::Ready => {
                if let Phase::Gathering(gathering) = &mut self.phase
                    && let Some(seating) = &mut gathering.seating
                {
                    seating.be_ready();
                }
            }
            Request::Act(action) => self.at_table(|table| table.act(&action)),
            Request::GoOnWithout(gone, remedy) => {
                self.at_table(|table| table.go_on_without(gone, remedy))
            }
            Request::KeepWaiting => self.at_table(|table| {
                table.keep_waiting();
                Ok(())
            }),
            Request::Chat(line) => self.at_table(|table| table.chat(line).map(|_| ())),
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
