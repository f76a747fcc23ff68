//! The thread with the network's runtime on it: drives the network session and turns what it says into plain data.

use std::thread;

use shamans_core::{
    game::{Seat, SeatSet},
    shamans::{Data, Setup, Shamans},
    table::{Holder, Line, Notice, Options},
};
use shamans_net::{
    phrase,
    session::{Request, Session, SessionConfig, SessionEvent, Snapshot as Now, Whereto},
    store::Store,
    swarm::dialable,
};

use super::{
    super::{
        look::look,
        snapshot::{Check, Update},
        worker::{Command, badge},
    },
    Begun, News, Place, RoomSeen, TableRow, Wish,
};
use crate::{pieces::Event, words};

/// Starts the thread; it ends when the window drops its side.
pub fn start(
    name: String,
    place: Place,
    wanted: async_channel::Receiver<Wish>,
    tell: async_channel::Sender<News>,
) {
    let body = move || {
        let trouble = tell.clone();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build();
        let ended = match runtime {
            Ok(runtime) => runtime.block_on(run(name, place, wanted, tell)),
            Err(error) => Err(error.to_string()),
        };
        if let Err(why) = ended {
            let _ = trouble.send_blocking(News::Trouble(why));
        }
    };
    thread::Builder::new()
        .name("network".into())
        .spawn(body)
        .expect("the system gives a thread at the start");
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

/// A game going on: its channels and what has happened since the last look.
struct Game {
    me: Option<Seat>,
    names: Vec<String>,
    updates: async_channel::Sender<Update>,
    events: Vec<Event>,
    check: Option<Check>,
}

async fn run(
    name: String,
    place: Place,
    wanted: async_channel::Receiver<Wish>,
    tell: async_channel::Sender<News>,
) -> Result<(), String> {
    let store = Store::open(place.folder.as_deref()).map_err(|error| error.to_string())?;
    let identity = store.identity().map_err(|error| error.to_string())?;
    if let Ok(tables) = store.tables() {
        let _ = tell.send(News::Unfinished(tables)).await;
    }
    let config = SessionConfig {
        name,
        ip: place.ip,
        port: None,
        mdns: !place.quiet,
        auto_ready: false,
        auto_go_on: false,
        lot: None,
        accepts,
    };
    let (session, mut heard) = Session::<Shamans>::start(&identity, Some(store), config)
        .map_err(|error| error.to_string())?;
    let mut phrase_words = String::new();
    let mut ready = 0;
    let mut game: Option<Game> = None;
    let (moves, moved) = async_channel::unbounded::<Command>();
    loop {
        tokio::select! {
            wish = wanted.recv() => match wish {
                Ok(wish) => if let Err(why) = ask(&session, wish) {
                    let _ = tell.send(News::NoSeat(why)).await;
                },
                Err(_) => return Ok(()),
            },
            Ok(Command::Act(action)) = moved.recv() => session.request(Request::Act(action)),
            event = heard.recv() => {
                let Some(event) = event else { return Ok(()) };
                let news = match event {
                    SessionEvent::Phrase(numbers) => {
                        phrase_words = phrase::words(numbers);
                        None
                    }
                    SessionEvent::Proposed => {
                        ready = 0;
                        Some(News::Proposed)
                    }
                    SessionEvent::Ready(_) => {
                        ready += 1;
                        Some(News::Ready(ready))
                    }
                    SessionEvent::Seated { table: _, me, holders } => {
                        let (updates, shown) = async_channel::unbounded();
                        let names = holders.iter().map(|holder| match holder {
                            Holder::Person { key: _, name } => name.clone(),
                            Holder::Phantom => words::tr("Phantom"),
                        }).collect();
                        game = Some(Game { me, names, updates, events: Vec::new(), check: None });
                        Some(News::Begun(Begun { commands: moves.clone(), updates: shown, phrase: phrase_words.clone() }))
                    }
                    SessionEvent::Happened { step: _, happening } => {
                        note(&mut game, happening);
                        None
                    }
                    SessionEvent::Now(now) => {
                        show(&mut game, &now).await;
                        None
                    }
                    SessionEvent::Notice(notice) => notice_news(&game, notice),
                    other => plain(other),
                };
                if let Some(news) = news && tell.send(news).await.is_err() {
                    return Ok(());
                }
            }
        }
    }
}

fn ask(session: &Session<Shamans>, wish: Wish) -> Result<(), String> {
    let request = match wish {
        Wish::Open {
            name,
            seats,
            phantoms,
        } => {
            let people = seats.saturating_sub(phantoms);
            let last: SeatSet = (people..seats).map(Seat).collect();
            Request::Open {
                name,
                setup: Setup::new(seats).with_phantoms(last),
                phantoms: (0..seats).map(|seat| seat >= people).collect(),
                options: Options::default(),
                private: false,
            }
        }
        Wish::Join(id) => Request::Join {
            at: Whereto::Listed(id),
            watch: false,
        },
        Wish::JoinText(text) => {
            let target = dialable(&text).map_err(|error| error.to_string())?;
            Request::Join {
                at: Whereto::At(target),
                watch: false,
            }
        }
        Wish::Resume(table) => Request::Resume { table },
        Wish::Ready => Request::Ready,
        Wish::Say(text) => Request::Chat(Line::Words(text)),
        Wish::Leave => Request::Leave,
    };
    session.request(request);
    Ok(())
}

fn note(game: &mut Option<Game>, happening: shamans_core::table::Happening<Shamans>) {
    use shamans_core::table::Happening;
    let Some(game) = game else { return };
    match happening {
        Happening::Event { by: _, event } => game.events.push(event),
        Happening::Audited { deal: _, verdict } => game.check = Some(badge(&verdict)),
        Happening::Overtaken(_)
        | Happening::DealBegins(_)
        | Happening::Gone { .. }
        | Happening::Back(_)
        | Happening::Left(_) => {}
    }
}

async fn show(game: &mut Option<Game>, now: &Now<Shamans>) {
    let Some(game) = game else { return };
    let me = game.me.unwrap_or(Seat(0));
    let mut table = look(&now.game.view(game.me, &now.known), me, &game.names);
    if !now.my_turn {
        table.legal.clear();
    }
    let update = Update {
        events: std::mem::take(&mut game.events),
        check: game.check.take(),
        table,
    };
    // The window may have left the table.
    let _ = game.updates.send(update).await;
}

fn notice_news(game: &Option<Game>, notice: Notice) -> Option<News> {
    let name = |seat: Seat| {
        game.as_ref()
            .and_then(|game| game.names.get(seat.index()))
            .cloned()
            .unwrap_or_default()
    };
    let text = match notice {
        Notice::Chat { from, line } => {
            let text = match line {
                Line::Words(text) => text,
                Line::Phrase(_) => return None,
            };
            return Some(News::Said {
                name: name(from),
                text,
            });
        }
        Notice::Reconnecting(seat) => words::fill(
            "{name} is not heard at the moment.",
            &[("name", &name(seat))],
        ),
        Notice::Heard(seat) => words::fill("{name} is back.", &[("name", &name(seat))]),
        Notice::GraceOver(seats) => {
            let names = seats.iter().map(name).collect::<Vec<_>>().join(", ");
            words::fill("{names} did not come back in time.", &[("names", &names)])
        }
        Notice::Fault { culprit, .. } => words::fill(
            "{name} broke the rules of the protocol, and this can be proved. The game cannot go on with them.",
            &[("name", &name(culprit))],
        ),
        Notice::Suspect { seat, .. } => {
            words::fill("{name} behaves strangely.", &[("name", &name(seat))])
        }
        Notice::Vote { by, .. } => words::fill("{name} votes on going on.", &[("name", &name(by))]),
        Notice::VoteFailed => words::tr("The votes differ: nothing is decided."),
    };
    Some(News::Notice(text))
}

/// News that need nothing but translation.
fn plain(event: SessionEvent<Shamans>) -> Option<News> {
    match event {
        SessionEvent::Reachable {
            ip: _,
            port: _,
            invite,
        } => Some(News::Code(invite.to_string())),
        SessionEvent::Nearby { tables, people } => {
            let row = |row: shamans_net::discovery::Row| TableRow {
                id: row.id,
                name: row.name,
                who: row.who,
                seats: (row.taken, row.seats),
                closed: row.greyed,
            };
            Some(News::Nearby {
                tables: tables.into_iter().map(row).collect(),
                people,
            })
        }
        SessionEvent::Trouble(text) => Some(News::Trouble(text)),
        SessionEvent::ChangedKey { name, .. } => Some(News::Trouble(words::fill(
            "{name} comes with another key than before. Ask them in person before you play with them.",
            &[("name", &name)],
        ))),
        SessionEvent::Copy => Some(News::Trouble(words::tr(
            "Another program plays with your identity on this network.",
        ))),
        SessionEvent::Room(room) => Some(News::Room(RoomSeen {
            seats: room.seats(),
            phantoms: room.phantoms.len() - room.seats(),
            members: room
                .members
                .iter()
                .map(|member| member.name.clone())
                .collect(),
            name: room.name,
        })),
        SessionEvent::NoSeat(why) => Some(News::NoSeat(why)),
        SessionEvent::Refused(why) => Some(News::Notice(why)),
        SessionEvent::Proposed
        | SessionEvent::Ready(_)
        | SessionEvent::Phrase(_)
        | SessionEvent::Seated { .. }
        | SessionEvent::Happened { .. }
        | SessionEvent::Now(_)
        | SessionEvent::Notice(_)
        | SessionEvent::Link { .. }
        | SessionEvent::Over { .. }
        | SessionEvent::Closed => None,
    }
}
