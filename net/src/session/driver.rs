//! The task behind a [`super::Session`]: one loop over network, neighbours, wishes and time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

use libp2p::Multiaddr;
use shamans_core::codec;
use shamans_core::game::Game;
use shamans_core::log::{Identity as TableIdentity, TableId};
use shamans_core::table::{Audited, Table};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::gathering::Gathering;
use super::joining::Joining;
use super::packet::Packet;
use super::playing::Playing;
use super::room::RoomState;
use super::{Request, SessionConfig, SessionEvent};
use crate::discovery::{Discovery, Lobby, Presence, Row};
use crate::identity::{Identity, PublicId};
use crate::store::Store;
use crate::swarm::{Node, NodeEvent, addresses_of};

/// How often the list of neighbours is looked through.
const LOBBY_MS: u64 = 1_000;

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
    pub(super) nearby: (Vec<Row>, Vec<String>),
    pub(super) joining: Option<Joining>,
    pub(super) phase: Phase<G>,
    /// A game that is over, after which another was begun.
    pub(super) finished: Option<Box<Playing<G>>>,
    pub(super) listening: Vec<(IpAddr, u16)>,
    /// Ways to this player through relays.
    pub(super) rounds: Vec<Multiaddr>,
    /// A relay is wanted and not there yet: until when it is waited for before somebody is asked for a seat.
    pub(super) relay_until: u64,
    pub(super) names: HashMap<PublicId, String>,
    /// Where those who are linked are reached.
    pub(super) places: HashMap<PublicId, String>,
    /// What those from elsewhere have said lately: since when, how much.
    pub(super) strangers: HashMap<PublicId, (u64, u32)>,
    /// Those who came under somebody else's name, and when the player was last asked about them.
    pub(super) turned_away: HashMap<PublicId, u64>,
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
            rounds: Vec::new(),
            relay_until: 0,
            names: HashMap::new(),
            places: HashMap::new(),
            strangers: HashMap::new(),
            turned_away: HashMap::new(),
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
        for place in self.config.external.clone() {
            self.reachable(place.ip(), place.port());
        }
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

    pub(super) fn games(&mut self) -> impl Iterator<Item = &mut Playing<G>> {
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
        // Ways through relays first: the rest is cut off where there are many.
        let direct = all.flat_map(|(ip, port)| addresses_of(*ip, *port, None));
        let rounds = self.rounds.iter().take(4).cloned();
        rounds
            .chain(direct)
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
        let finished = self
            .finished
            .as_ref()
            .map_or(u64::MAX, |finished| finished.next_due());
        // Far enough away to mean never, near enough not to overflow a clock.
        phase
            .min(joining)
            .min(finished)
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
        self.depart();
    }

    fn on_request(&mut self, request: Request<G>) {
        let elsewhere = matches!(
            request,
            Request::Open { .. } | Request::Join { .. } | Request::Resume { .. }
        );
        if elsewhere && !matches!(self.phase, Phase::Lobby) {
            // Whoever sits at a table gets up first: the others are to know.
            self.emit(SessionEvent::Refused(crate::words::tr(
                "you sit at a table already",
            )));
            return;
        }
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
                let operator = self.config.operator.clone();
                match room.admit(local, &self.config.name, self.own_addresses(), operator) {
                    Ok(()) => {
                        self.joining = None;
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
            Request::Trust { name, key } => self.trust(&name, &key),
            Request::Join { at, watch } => self.join(at, watch),
            Request::Relay(text) => self.use_relay(text),
            Request::Resume { table } => self.resume(&table),
            Request::Ready => {
                if let Phase::Gathering(gathering) = &mut self.phase {
                    gathering.be_ready();
                }
            }
            Request::Rematch => self.rematch(),
            Request::Act(action) => {
                let done = self.at_table(|table| table.act(&action));
                if let (false, Phase::Playing(playing)) = (done, &self.phase) {
                    // Whoever asked took the move for made.
                    self.emit(SessionEvent::Now(Box::new(playing.snapshot())));
                }
            }
            Request::GoOnWithout(gone, remedy) => {
                self.at_table(|table| table.go_on_without(gone, remedy));
            }
            Request::KeepWaiting => {
                self.at_table(|table| {
                    table.keep_waiting();
                    Ok(())
                });
            }
            Request::Chat(line) => {
                if !self.say(&line) {
                    self.at_table(|table| table.chat(line).map(|_| ()));
                }
            }
            Request::Leave => match &self.phase {
                Phase::Lobby => self.joining = None,
                Phase::Gathering(_) => {
                    self.say_goodbye();
                    self.leave_room(crate::words::tr("you got up"));
                }
                Phase::Playing(_) => self.leave_table(),
            },
            Request::Close => {}
        }
    }

    /// Carries out a wish at the table, or says why not. True if it was carried out.
    fn at_table(
        &mut self,
        wish: impl FnOnce(&mut Table<G>) -> Result<(), shamans_core::table::ActError>,
    ) -> bool {
        let refused = match &mut self.phase {
            Phase::Playing(playing) => wish(&mut playing.table)
                .err()
                .map(|error| crate::account::refused(&error)),
            Phase::Lobby | Phase::Gathering(_) => Some(crate::words::tr("there is no game yet")),
        };
        let done = refused.is_none();
        if let Some(why) = refused {
            self.emit(SessionEvent::Refused(why));
        }
        done
    }
}

async fn next<T>(receiver: &mut Option<mpsc::Receiver<T>>) -> Option<T> {
    match receiver {
        Some(receiver) => receiver.recv().await,
        None => std::future::pending().await,
    }
}
