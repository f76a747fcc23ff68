//! The thread with the network's runtime on it: drives the network session and turns what it says into plain data.

use std::{collections::HashMap, path::PathBuf, time::Duration};

use shamans_core::{
    codec,
    game::{Seat, SeatSet},
    log::TableId,
    shamans::{Data, Setup, Shamans},
    table::{Holder, Line, Options, Remedy, Stored},
};
use shamans_net::{
    discovery::{Row, TableState},
    doctor,
    identity::{Identity, PublicId},
    phrase,
    session::{Request, RoomState, Session, SessionConfig, SessionEvent, Whereto},
    store::Store,
    swarm::dialable,
};
use tokio::sync::mpsc::UnboundedReceiver;

use super::{
    super::worker::Command,
    Begun, News, Place, Who, Wish,
    advice::{advice, quiet},
    game::{Game, talk},
    reach::{Places, external},
    seen::{Interrupted, MemberSeen, RoomSeen, TableOptions, TableRow, Talk, Timer, Way},
};
use crate::{beside, words};

/// How long the doctor listens for others.
const LISTENS: Duration = Duration::from_secs(4);

/// Starts the thread; it ends when the window drops its side.
pub fn start(
    who: Who,
    place: Place,
    wanted: async_channel::Receiver<Wish>,
    tell: async_channel::Sender<News>,
) {
    let body = move || {
        let trouble = tell.clone();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .on_thread_start(beside::give_way)
            .enable_all()
            .build();
        let ended = match runtime {
            Ok(runtime) => runtime.block_on(run(who, place, wanted, tell)),
            Err(error) => Err(error.to_string()),
        };
        if let Err(why) = ended {
            // The window may be gone.
            let _ = trouble.send_blocking(News::Offline(why));
        }
    };
    beside::spawn("network", body).expect("the system gives a thread at the start");
}

fn accepts(setup: &Setup) -> Result<(), String> {
    if setup.data == Data::shipped() {
        Ok(())
    } else {
        Err(words::tr(
            "The table plays with other numbers or names than this program has.",
        ))
    }
}

/// One life of the network after another: a new name begins a new one.
async fn run(
    mut who: Who,
    place: Place,
    wanted: async_channel::Receiver<Wish>,
    tell: async_channel::Sender<News>,
) -> Result<(), String> {
    loop {
        let store = Store::open(place.folder.as_deref()).map_err(|error| error.to_string())?;
        let identity = store.identity().map_err(|error| error.to_string())?;
        let folder = store.folder().to_owned();
        let games = interrupted(&store, &identity.public());
        let _ = tell.send(News::Interrupted(games.clone())).await;
        let forwarded = external(&who.external);
        if forwarded.is_empty() && !who.external.trim().is_empty() {
            let text = words::fill(
                "“{text}” is no address: others are not told of it.",
                &[("text", who.external.trim())],
            );
            let _ = tell.send(News::Trouble(text)).await;
        }
        let config = SessionConfig {
            name: who.name.clone(),
            operator: None,
            ip: place.ip,
            port: None,
            external: forwarded,
            mdns: !place.quiet,
            auto_ready: false,
            auto_go_on: false,
            lot: None,
            accepts,
        };
        let (session, heard) = Session::<Shamans>::start(&identity, Some(store), config)
            .map_err(|error| error.to_string())?;
        if !who.relay.trim().is_empty() {
            session.request(Request::Relay(who.relay.clone()));
        }
        let mut life = Life {
            local: session.local(),
            who,
            quiet: place.quiet,
            session,
            tell: tell.clone(),
            room: None,
            members: Vec::new(),
            ways: HashMap::new(),
            seats: Vec::new(),
            places: Places::default(),
            games,
            with: Vec::new(),
            folder,
            game: None,
            phrase: String::new(),
            got_up: false,
        };
        match life.go_on(&wanted, heard).await {
            Some(next) => who = next,
            None => return Ok(()),
        }
    }
}

/// From one name to the next.
struct Life {
    local: PublicId,
    who: Who,
    quiet: bool,
    session: Session<Shamans>,
    tell: async_channel::Sender<News>,
    room: Option<RoomSeen>,
    /// Keys by place in the room.
    members: Vec<PublicId>,
    /// How the others are linked.
    ways: HashMap<PublicId, Way>,
    /// Whose each seat is; none for phantoms.
    seats: Vec<Option<PublicId>>,
    places: Places,
    /// Games to go on with.
    games: Vec<Interrupted>,
    /// Who else sits at the present table.
    with: Vec<String>,
    folder: PathBuf,
    game: Option<Game>,
    phrase: String,
    /// The player has just got up from a table before play.
    got_up: bool,
}

impl Life {
    /// Until the window goes, or the player takes another name, which is given back.
    async fn go_on(
        &mut self,
        wanted: &async_channel::Receiver<Wish>,
        mut heard: UnboundedReceiver<SessionEvent<Shamans>>,
    ) -> Option<Who> {
        let (moves, moved) = async_channel::unbounded::<Command>();
        loop {
            tokio::select! {
                wish = wanted.recv() => match wish {
                    Ok(Wish::Be(who)) if who != self.who => {
                        self.session.request(Request::Close);
                        while let Some(event) = heard.recv().await {
                            if matches!(event, SessionEvent::Closed) {
                                break;
                            }
                        }
                        return Some(who);
                    }
                    Ok(Wish::Examine) => self.examine(),
                    Ok(Wish::Forget(table)) => self.forget(&table).await,
                    Ok(wish) => self.ask(wish).await,
                    Err(_) => {
                        self.session.request(Request::Close);
                        return None;
                    }
                },
                Ok(Command::Act(action)) = moved.recv() => self.session.request(Request::Act(action)),
                event = heard.recv() => {
                    for news in self.hear(event?, &moves).await {
                        if self.tell.send(news).await.is_err() {
                            return None;
                        }
                    }
                }
            }
        }
    }

    /// Looks for what stands in the way, beside everything else.
    fn examine(&self) {
        let (tell, name, hushed) = (self.tell.clone(), self.who.name.clone(), self.quiet);
        tokio::spawn(async move {
            let found = match Identity::generate() {
                _ if hushed => quiet(),
                // Under a key of its own: two of one key look like a copy of this installation.
                Ok(identity) => advice(doctor::examine(&identity, &name, LISTENS).await, &name),
                Err(error) => super::seen::Advice {
                    findings: vec![(error.to_string(), None)],
                    ..Default::default()
                },
            };
            // The window may be gone.
            let _ = tell.send(News::Advice(found)).await;
        });
    }

    async fn ask(&mut self, wish: Wish) {
        let request = match wish {
            // Taken care of where they are heard.
            Wish::Be(_) | Wish::Examine | Wish::Forget(_) => return,
            Wish::Open { name, options } => {
                self.session.request(Request::Open {
                    name,
                    setup: setup(&options),
                    phantoms: phantoms(&options),
                    options: table_options(&options),
                    private: options.private,
                });
                change(&options)
            }
            Wish::Change(options) => change(&options),
            Wish::Join(id) => self.join(Whereto::Listed(id), false).await,
            Wish::Watch(id) => self.join(Whereto::Listed(id), true).await,
            Wish::JoinText(text) => match dialable(&text) {
                Ok(target) => self.join(Whereto::At(target), false).await,
                Err(error) => {
                    let _ = self.tell.send(News::NoSeat(error.to_string())).await;
                    return;
                }
            },
            Wish::Resume(table) => Request::Resume { table },
            Wish::Ready => Request::Ready,
            Wish::Say(Talk::Words(words)) => Request::Chat(Line::Words(words)),
            Wish::Say(Talk::Phrase(number)) => Request::Chat(Line::Phrase(number)),
            Wish::GoOn { gone, void } => {
                Request::GoOnWithout(gone, if void { Remedy::Void } else { Remedy::StandIn })
            }
            Wish::KeepWaiting => Request::KeepWaiting,
            Wish::Rematch => Request::Rematch,
            Wish::Trust { name, key } => Request::Trust {
                name,
                key: PublicId(key),
            },
            Wish::Leave => {
                self.game = None;
                self.got_up = self.room.is_some();
                Request::Leave
            }
        };
        self.session.request(request);
    }

    /// Knocks; that is told, for the answer may take its time.
    async fn join(&self, at: Whereto, watch: bool) -> Request<Shamans> {
        // The window may be gone.
        let _ = self.tell.send(News::Joining).await;
        Request::Join { at, watch }
    }

    async fn hear(
        &mut self,
        event: SessionEvent<Shamans>,
        moves: &async_channel::Sender<Command>,
    ) -> Vec<News> {
        let news = match event {
            SessionEvent::Happened { step, happening } => {
                let Some(game) = &mut self.game else {
                    return Vec::new();
                };
                return game.note(step, happening);
            }
            SessionEvent::Revealed { record } => {
                if let Some(game) = &mut self.game {
                    game.reveal(record);
                }
                None
            }
            SessionEvent::Now(now) => {
                if let Some(game) = &mut self.game {
                    game.show(&now).await;
                }
                None
            }
            SessionEvent::Notice(notice) => self.game.as_mut().and_then(|game| game.hear(notice)),
            SessionEvent::Phrase(numbers) => {
                self.phrase = phrase::words(numbers);
                None
            }
            SessionEvent::Seated {
                table,
                me,
                holders,
                options,
                think_s,
            } => {
                let (updates, shown) = async_channel::unbounded();
                self.game = Some(Game::new(table, me, &holders, options, updates));
                self.room = None;
                let key = |holder: &Holder| holder.key().map(|key| PublicId(key.0));
                self.seats = holders.iter().map(key).collect();
                // What goes on is no longer interrupted.
                let table = hex(&table);
                self.games.retain(|game| game.table != table);
                self.with = others(&holders, &self.local);
                let begun = News::Begun(Begun {
                    commands: moves.clone(),
                    updates: shown,
                    phrase: self.phrase.clone(),
                    watching: me.is_none(),
                    think: think_s,
                });
                let games = News::Interrupted(self.games.clone());
                return vec![games, begun, News::Links(self.links())];
            }
            SessionEvent::Room(room) => {
                let seen = self.seen(&room);
                self.room = Some(seen.clone());
                Some(News::Room(seen))
            }
            SessionEvent::Proposed => self.in_room(|room| room.asked = true),
            SessionEvent::Ready(who) => {
                let known = self.members.iter().position(|id| *id == who);
                self.in_room(|room| {
                    let member = known.and_then(|at| room.members.get_mut(at));
                    if let Some(member) = member {
                        member.ready = true;
                    }
                })
            }
            SessionEvent::Reachable { invite, .. } if invite.relay => Some(News::Code {
                code: invite.to_string(),
                relay: true,
            }),
            SessionEvent::Reachable { ip, port, invite } => {
                self.places.add((ip, port), invite.to_string()).map(near)
            }
            SessionEvent::Unreachable { ip, port } => self.places.remove((ip, port)).map(near),
            SessionEvent::Nearby { tables, people } => Some(News::Nearby {
                tables: tables.into_iter().map(row).collect(),
                people,
            }),
            SessionEvent::Trouble(text) => Some(News::Trouble(text)),
            SessionEvent::RelayLost(text) => Some(News::RelayLost(text)),
            SessionEvent::Stuck(text) => Some(News::Stuck(text)),
            SessionEvent::ChangedKey { name, before, now } => Some(News::ChangedKey {
                name,
                before: before.to_string(),
                now: now.to_string(),
                key: now.0,
            }),
            SessionEvent::Copy => Some(News::Trouble(words::tr(
                "Another program plays with your identity on this network. Close one of them.",
            ))),
            SessionEvent::Said { name, line } => Some(News::Said {
                name,
                talk: talk(line),
            }),
            SessionEvent::NoSeat(why) => {
                self.room = None;
                // Whoever gets up knows why.
                let own = std::mem::take(&mut self.got_up);
                Some(News::NoSeat(why)).filter(|_| !own)
            }
            SessionEvent::Refused(why) => Some(News::Notice(why)),
            SessionEvent::Over { record, kept: _ } => Some(News::Over(record)),
            SessionEvent::Left { table, for_good } => {
                let table = hex(&table);
                self.games.retain(|game| game.table != table);
                if !for_good {
                    // The others cannot go on without this player, who may come back.
                    self.games.push(Interrupted {
                        with: std::mem::take(&mut self.with),
                        table,
                    });
                }
                Some(News::Interrupted(self.games.clone()))
            }
            SessionEvent::Link {
                peer, up, relayed, ..
            } => {
                let way = match (up, relayed) {
                    (false, _) => Way::None,
                    (true, false) => Way::Direct,
                    (true, true) => Way::Relayed,
                };
                self.ways.insert(peer, way);
                let links = self.game.is_some().then(|| News::Links(self.links()));
                let known = self.members.iter().position(|id| *id == peer);
                let room = self.in_room(|room| {
                    let member = known.and_then(|at| room.members.get_mut(at));
                    member.into_iter().for_each(|member| member.way = way);
                });
                return links.into_iter().chain(room).collect();
            }
            SessionEvent::OtherVersion(_) | SessionEvent::Closed => None,
        };
        news.into_iter().collect()
    }

    /// Throws an interrupted game away. Its name is hexadecimal, so it leads nowhere else.
    async fn forget(&mut self, table: &str) {
        if table.chars().all(|c| c.is_ascii_hexdigit()) {
            // If it cannot be removed it is listed again next time.
            let _ = std::fs::remove_file(self.folder.join("tables").join(format!("{table}.log")));
        }
        self.games.retain(|game| game.table != table);
        let _ = self.tell.send(News::Interrupted(self.games.clone())).await;
    }

    fn in_room(&mut self, change: impl FnOnce(&mut RoomSeen)) -> Option<News> {
        let room = self.room.as_mut()?;
        change(room);
        Some(News::Room(room.clone()))
    }

    fn way(&self, id: &PublicId) -> Way {
        self.ways.get(id).copied().unwrap_or_default()
    }

    fn links(&self) -> Vec<Way> {
        let way = |seat: &Option<PublicId>| seat.map_or(Way::None, |id| self.way(&id));
        self.seats.iter().map(way).collect()
    }

    fn seen(&mut self, room: &RoomState) -> RoomSeen {
        self.members = room.members.iter().map(|member| member.id).collect();
        let seats = room.phantoms.len();
        RoomSeen {
            name: room.name.clone(),
            members: room
                .members
                .iter()
                .map(|member| MemberSeen {
                    name: member.name.clone(),
                    ready: false,
                    me: member.id == self.local,
                    opener: member.id == room.opener,
                    way: self.way(&member.id),
                    operator: member.operator.clone(),
                })
                .collect(),
            options: TableOptions {
                seats: u8::try_from(seats).unwrap_or(u8::MAX),
                phantoms: u8::try_from(seats - room.seats()).unwrap_or(u8::MAX),
                shuffle: room.options.draw_seats,
                grace: room.options.grace_ms / 1000,
                timer: Timer::of_seconds(room.think_s),
                private: room.private,
            },
            asked: false,
        }
    }
}

/// The code of this network.
fn near(code: String) -> News {
    News::Code { code, relay: false }
}

fn setup(options: &TableOptions) -> Setup {
    let people = options.seats.saturating_sub(options.phantoms);
    let last: SeatSet = (people..options.seats).map(Seat).collect();
    Setup::new(options.seats).with_phantoms(last)
}

fn phantoms(options: &TableOptions) -> Vec<bool> {
    let people = options.seats.saturating_sub(options.phantoms);
    (0..options.seats).map(|seat| seat >= people).collect()
}

fn table_options(options: &TableOptions) -> Options {
    Options {
        grace_ms: options.grace.saturating_mul(1000),
        draw_seats: options.shuffle,
    }
}

fn change(options: &TableOptions) -> Request<Shamans> {
    Request::Change {
        setup: setup(options),
        phantoms: phantoms(options),
        options: table_options(options),
        private: options.private,
        think_s: options.timer.seconds(),
    }
}

fn row(row: Row) -> TableRow {
    TableRow {
        id: row.id,
        name: row.name,
        who: row.who,
        seats: (row.taken, row.seats),
        watch: row.state == TableState::Playing && row.protocol == shamans_net::PROTOCOL_VERSION,
        closed: row.greyed,
    }
}

/// A table's name in the store.
fn hex(table: &TableId) -> String {
    table.0.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Names of the people at a table, without this player's.
fn others(holders: &[Holder], me: &PublicId) -> Vec<String> {
    holders
        .iter()
        .filter(|holder| holder.key().is_some_and(|key| key.0 != me.0))
        .filter_map(|holder| holder.name().map(str::to_owned))
        .collect()
}

/// Games in the store, and with whom they were. One that cannot be read is listed too: trying it tells why.
fn interrupted(store: &Store, me: &PublicId) -> Vec<Interrupted> {
    let with = |table: &str| {
        let mut journal = store.journal(table).ok()?;
        let first = journal.take_frames().into_iter().next()?;
        let Ok(Stored::Genesis(genesis)) = codec::decode::<Stored>(&first) else {
            return None;
        };
        Some(others(&genesis.genesis.holders(), me))
    };
    let tables = store.tables().unwrap_or_default();
    tables
        .into_iter()
        .map(|table| Interrupted {
            with: with(&table).unwrap_or_default(),
            table,
        })
        .collect()
}
