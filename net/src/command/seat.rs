//! What `peer` and `play` share: how to come to a table, how to tell what happens, and when it is over.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use shamans_core::game::{Seat, SeatSet};
use shamans_core::shamans::{Data, Setup, Shamans};
use shamans_core::table::{Happening, Holder, Line, Notice, Options};
use shamans_net::account::{Account, role_name};
use shamans_net::identity::clean_name;
use shamans_net::invite::Invite;
use shamans_net::phrase;
use shamans_net::session::{Request, Session, SessionConfig, SessionEvent, Whereto};
use shamans_net::store::{KnownPeers, write_atomically};
use shamans_net::swarm::dialable;
use shamans_net::words::{fill, mark, tr};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::lan::{Installation, Stopped, externals, listen_on};

/// Where to sit down.
#[derive(clap::Args)]
pub struct TableArgs {
    #[command(flatten)]
    pub installation: Installation,
    /// Open a table of this name.
    #[arg(long, value_name = "NAME", conflicts_with = "join")]
    create: Option<String>,
    /// Seats of the new table, phantoms included.
    #[arg(long, default_value_t = 3, requires = "create")]
    seats: u8,
    /// How many of the seats are phantoms'.
    #[arg(long, default_value_t = 0, requires = "create")]
    phantoms: u8,
    /// The new table is by invitation only.
    #[arg(long, requires = "create")]
    private: bool,
    /// Seconds to wait for a player who is gone before the others may go on.
    #[arg(long, default_value_t = 60, requires = "create")]
    grace: u32,
    /// Join a table by invite code, by address, by its name on the list, or by the name of somebody who sits there.
    #[arg(long, value_name = "CODE|ADDRESS|NAME")]
    join: Option<String>,
    /// Only watch.
    #[arg(long, requires = "join")]
    watch: bool,
    /// Begin anew even if an unfinished game lies in the data folder.
    #[arg(long)]
    fresh: bool,
    /// Listen here (address, port or both) instead of everywhere.
    #[arg(long, value_name = "ADDRESS[:PORT]|PORT")]
    listen: Option<String>,
    /// Be reachable through this relay (`shamans-table relay`), for players beyond this network.
    #[arg(long, value_name = "CODE|ADDRESS")]
    relay: Option<String>,
    /// The address by which others reach this machine from outside, if a router forwards a port to it.
    #[arg(long, value_name = "ADDRESS[:PORT]")]
    external: Vec<String>,
    /// Neither announce nor look for tables on the network; invite codes and addresses still work.
    #[arg(long)]
    no_mdns: bool,
    /// Keep the record of the game in this file too.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// How many seconds to stay after the game, for those who have not got its end yet.
    #[arg(long, default_value_t = 5, value_name = "SECONDS")]
    stay: u64,
}

/// Who sits down.
pub enum Player {
    /// A person, who is asked.
    Person,
    /// A program that agrees to everything and plays by itself.
    Bot {
        /// Who runs it, as everyone is told.
        operator: String,
    },
}

/// A session on its way to a table, at it, and after the game.
pub struct Seated {
    pub session: Session<Shamans>,
    pub events: mpsc::UnboundedReceiver<SessionEvent<Shamans>>,
    /// When to get up, once the game is over.
    pub leave_at: Option<Instant>,
    record: Option<PathBuf>,
    stay: Duration,
    code: ExitCode,
}

impl Seated {
    /// What an event means for staying: ends a session without a seat, keeps the record of a game. False when all is over.
    pub fn hear(&mut self, event: &SessionEvent<Shamans>) -> Result<bool, Stopped> {
        match event {
            SessionEvent::OtherVersion(_) => self.code = ExitCode::from(2),
            SessionEvent::NoSeat(_) => self.session.request(Request::Close),
            SessionEvent::Over { record, .. } => {
                if let Some(file) = &self.record {
                    write_atomically(file, record)?;
                }
                self.code = ExitCode::SUCCESS;
                self.leave_at = Some(Instant::now() + self.stay);
            }
            SessionEvent::Left { .. } => {
                self.code = ExitCode::SUCCESS;
                self.leave_at = Some(Instant::now() + self.stay);
            }
            SessionEvent::Closed => return Ok(false),
            SessionEvent::Reachable { .. }
            | SessionEvent::Nearby { .. }
            | SessionEvent::Trouble(_)
            | SessionEvent::RelayLost(_)
            | SessionEvent::ChangedKey { .. }
            | SessionEvent::Copy
            | SessionEvent::Said { .. }
            | SessionEvent::Room(_)
            | SessionEvent::Proposed
            | SessionEvent::Ready(_)
            | SessionEvent::Phrase(_)
            | SessionEvent::Seated { .. }
            | SessionEvent::Happened { .. }
            | SessionEvent::Revealed { .. }
            | SessionEvent::Now(_)
            | SessionEvent::Notice(_)
            | SessionEvent::Refused(_)
            | SessionEvent::Link { .. } => {}
        }
        Ok(true)
    }

    /// Time has passed: gets up if that is due.
    pub fn leave_if_due(&mut self) {
        if self.leave_at.is_some_and(|at| at <= Instant::now()) {
            self.leave_at = None;
            self.session.request(Request::Close);
        }
    }

    /// 0: a game is over; 1: there was none; 2: it could not be tried.
    pub fn code(&self) -> ExitCode {
        self.code
    }
}

impl TableArgs {
    /// Starts a session and asks for the table.
    pub fn sit_down(self, player: Player) -> Result<Seated, Stopped> {
        let (ip, port) = listen_on(self.listen.as_deref())?;
        let name = clean_name(&self.installation.name())?;
        let (store, identity) = self.installation.open()?;
        let request = self.request(&store.peers()?)?;
        let unfinished = if self.fresh {
            None
        } else {
            store.tables()?.into_iter().next()
        };
        let (auto, operator) = match player {
            Player::Person => (false, None),
            Player::Bot { operator } => (true, Some(clean_name(&operator)?)),
        };
        let config = SessionConfig {
            name,
            operator,
            ip,
            port,
            external: externals(&self.external)?,
            mdns: !self.no_mdns,
            auto_ready: auto,
            auto_go_on: auto,
            lot: None,
            accepts,
        };
        let (session, events) = Session::start(&identity, Some(store), config)?;
        if let Some(relay) = self.relay {
            session.request(Request::Relay(relay));
        }
        match (unfinished, request) {
            (Some(table), _) => session.request(Request::Resume { table }),
            (None, Some(request)) => session.request(request),
            (None, None) => return Err(Stopped::NothingToDo),
        }
        Ok(Seated {
            session,
            events,
            leave_at: None,
            record: self.record,
            stay: Duration::from_secs(self.stay),
            code: ExitCode::from(1),
        })
    }

    fn request(&self, met: &KnownPeers) -> Result<Option<Request<Shamans>>, Stopped> {
        if let Some(name) = &self.create {
            if !(3..=5).contains(&self.seats) || self.phantoms >= self.seats {
                return Err(Stopped::BadSeats);
            }
            let people = self.seats - self.phantoms;
            let phantoms: SeatSet = (people..self.seats).map(Seat).collect();
            return Ok(Some(Request::Open {
                name: clean_name(name)?,
                setup: Setup::new(self.seats).with_phantoms(phantoms),
                phantoms: (0..self.seats).map(|seat| seat >= people).collect(),
                options: Options {
                    grace_ms: self.grace.saturating_mul(1000),
                    ..Options::default()
                },
                private: self.private,
            }));
        }
        let Some(text) = &self.join else {
            return Ok(None);
        };
        let by_name = met
            .iter()
            .any(|known| known.name.to_lowercase() == text.to_lowercase());
        let at = match dialable(text) {
            Ok(target) => Whereto::At(target),
            // Whoever was met before can be asked even where nobody is heard.
            Err(_) if by_name => Whereto::Named(text.clone()),
            // Not an address and no code: then it is a name, unless it could only have been meant as a code.
            Err(error) if Invite::looks_like(text) && text.chars().any(|c| c.is_ascii_digit()) => {
                return Err(error.into());
            }
            Err(error) if self.no_mdns => return Err(error.into()),
            Err(_) => Whereto::Named(text.clone()),
        };
        Ok(Some(Request::Join {
            at,
            watch: self.watch,
        }))
    }
}

/// The same numbers and names, or none.
fn accepts(setup: &Setup) -> Result<(), String> {
    if setup.data == Data::shipped() {
        Ok(())
    } else {
        Err(tr(
            "the table plays with other numbers or names than this installation has",
        ))
    }
}

/// Makes lines of events.
pub struct Teller {
    json: bool,
    /// In JSON, tell this player's own cards too.
    pub hand: bool,
    pub account: Account,
    me: Option<Seat>,
    tables: String,
}

impl Teller {
    /// Lines for people, or JSON.
    pub fn new(json: bool) -> Teller {
        Teller {
            json,
            hand: false,
            account: Account::new(Vec::new(), &Data::shipped()),
            me: None,
            tables: String::new(),
        }
    }

    /// One line, under this heading in JSON.
    pub fn line(&self, kind: &str, more: &serde_json::Value, text: &str) {
        if self.json {
            let mut object = serde_json::json!({ "event": kind, "text": text });
            if let (Some(object), Some(more)) = (object.as_object_mut(), more.as_object()) {
                object.extend(more.clone());
            }
            println!("{object}");
        } else if !text.is_empty() {
            println!("{text}");
        }
    }

    /// Tells one event.
    pub fn tell(&mut self, event: &SessionEvent<Shamans>) {
        let none = serde_json::json!({});
        match event {
            SessionEvent::Reachable { ip, port, invite } => {
                if !ip.is_loopback() {
                    let more = serde_json::json!({ "ip": ip, "port": port, "invite": invite.to_string(), "relay": invite.relay });
                    let known: &[(&str, &str)] = &[
                        ("ip", &ip.to_string()),
                        ("port", &port.to_string()),
                        ("code", &invite.to_string()),
                    ];
                    let text = if invite.relay {
                        fill(
                            "Reachable from anywhere through the relay at {ip} port {port}; invite code {code}",
                            known,
                        )
                    } else {
                        fill("Reachable at {ip} port {port}; invite code {code}", known)
                    };
                    self.line("reachable", &more, &text);
                }
            }
            SessionEvent::Nearby { tables, people } => {
                let more = serde_json::json!({ "tables": tables, "people": people });
                let names: Vec<String> = tables
                    .iter()
                    .map(|row| format!("{} ({}/{})", row.name, row.taken, row.seats))
                    .collect();
                let text = if names.is_empty() {
                    String::new()
                } else {
                    fill("Tables nearby: {list}", &[("list", &names.join(", "))])
                };
                if self.json || text != self.tables {
                    self.line("nearby", &more, &text);
                    self.tables = text;
                }
            }
            SessionEvent::Trouble(what) => self.line("trouble", &none, what),
            SessionEvent::RelayLost(what) => self.line("relay_lost", &none, what),
            SessionEvent::ChangedKey { name, before, now } => {
                let text = fill(
                    "{name} comes with another key ({now}) than before ({before}). Is it really {name}? Not let in. If {name} has a new installation: shamans-table people --forget \"{name}\"",
                    &[
                        ("name", name),
                        ("now", &now.to_string()),
                        ("before", &before.to_string()),
                    ],
                );
                self.line("changed_key", &serde_json::json!({ "name": name }), &text);
            }
            SessionEvent::Copy => self.line(
                "copy",
                &none,
                &tr("Another program on this network plays with your key: close one of them."),
            ),
            SessionEvent::Room(room) => {
                let who: Vec<String> = room
                    .members
                    .iter()
                    .map(|member| known_as(&member.name, member.operator.as_deref()))
                    .collect();
                let operators: Vec<Option<&str>> = room
                    .members
                    .iter()
                    .map(|member| member.operator.as_deref())
                    .collect();
                let names: Vec<&str> = room.members.iter().map(|m| m.name.as_str()).collect();
                let more = serde_json::json!({ "table": room.name, "who": names, "operators": operators, "seats": room.seats() });
                self.line(
                    "room",
                    &more,
                    &fill(
                        "Table {table}: {names} ({taken} of {seats})",
                        &[
                            ("table", &*room.name),
                            ("names", &*who.join(", ")),
                            ("taken", &*who.len().to_string()),
                            ("seats", &*room.seats().to_string()),
                        ],
                    ),
                );
            }
            SessionEvent::Said { name, line } => {
                let text = format!("{name}: {}", said(line));
                self.line("said", &serde_json::json!({ "name": name }), &text);
            }
            SessionEvent::OtherVersion(_) => {}
            SessionEvent::NoSeat(why) => self.line("no_seat", &none, why),
            SessionEvent::Proposed => self.line("proposed", &none, &tr("Everyone is there.")),
            SessionEvent::Ready(_) | SessionEvent::Revealed { .. } => {}
            SessionEvent::Phrase(numbers) => {
                let words = phrase::words(*numbers);
                self.line(
                    "phrase",
                    &serde_json::json!({ "phrase": words }),
                    &fill(
                        "Table phrase: {words}. Everyone must read the same.",
                        &[("words", &words)],
                    ),
                );
            }
            SessionEvent::Seated {
                table, me, holders, ..
            } => {
                let seats: Vec<String> = holders
                    .iter()
                    .enumerate()
                    .map(|(number, holder)| match holder.name() {
                        Some(name) => name.to_owned(),
                        None => fill("Phantom {n}", &[("n", &(number + 1).to_string())]),
                    })
                    .collect();
                let operators: Vec<Option<&str>> = holders.iter().map(Holder::operator).collect();
                let more = serde_json::json!({ "table": table.to_string(), "seat": me.map(|seat| seat.0), "seats": seats, "operators": operators });
                self.me = *me;
                let who: Vec<String> = seats
                    .iter()
                    .zip(&operators)
                    .map(|(name, operator)| known_as(name, *operator))
                    .collect();
                let text = fill("At the table: {names}", &[("names", &who.join(", "))]);
                self.account = Account::new(seats, &Data::shipped());
                self.line("seated", &more, &text);
            }
            SessionEvent::Happened { step, happening } => self.happening(*step, happening),
            SessionEvent::Now(now) => {
                if self.json {
                    let mut more = serde_json::json!({ "step": now.step, "my_turn": now.my_turn });
                    if self.hand {
                        let view = now.game.view(now.me, &now.known);
                        let cards: Vec<String> = view
                            .hand()
                            .map(|(_, card)| self.account.card(card))
                            .collect();
                        let role = now.me.and_then(|me| view.role(me)).map(role_name);
                        more = serde_json::json!({ "step": now.step, "my_turn": now.my_turn, "round": view.round(), "hand": cards, "role": role });
                    }
                    self.line("step", &more, "");
                }
            }
            SessionEvent::Notice(notice) => self.notice(notice),
            SessionEvent::Refused(why) => {
                self.line("refused", &none, &fill("Refused: {why}", &[("why", why)]))
            }
            SessionEvent::Link {
                name, up, relayed, ..
            } => {
                let known: &[(&str, &str)] = &[("name", name)];
                let text = match (up, relayed) {
                    (true, false) => fill("{name} is connected.", known),
                    (true, true) => fill("{name} is connected through a relay.", known),
                    (false, _) => fill("{name} is not connected any more.", known),
                };
                let more = serde_json::json!({ "name": name, "up": up, "relayed": relayed });
                self.line("link", &more, &text);
            }
            SessionEvent::Over { record, kept } => {
                let hash = blake3::hash(record).to_hex();
                let more = serde_json::json!({ "record_bytes": record.len(), "record_hash": hash.as_str(), "kept": kept });
                let text = match kept {
                    Some(path) => fill(
                        "The game is over. Its record is kept in {file}.",
                        &[("file", &path.display().to_string())],
                    ),
                    None => tr("The game is over."),
                };
                self.line("over", &more, &text);
            }
            SessionEvent::Left { for_good, .. } => {
                let text = if *for_good {
                    tr("You have left the table; a phantom plays on.")
                } else {
                    tr("The others cannot go on without you; your seat is kept.")
                };
                self.line("left", &serde_json::json!({ "for_good": for_good }), &text);
            }
            SessionEvent::Closed => {}
        }
    }

    fn happening(&self, step: u64, happening: &Happening<Shamans>) {
        let text = self.account.happening(happening);
        let (kind, more) = match happening {
            Happening::Event { event, .. } => {
                ("game", serde_json::json!({ "step": step, "game": event }))
            }
            Happening::Audited { deal, verdict } => (
                "audited",
                serde_json::json!({ "step": step, "deal": deal, "fair": verdict.is_fair(), "complete": verdict.is_complete() }),
            ),
            Happening::Overtaken(_)
            | Happening::DealBegins(_)
            | Happening::Gone { .. }
            | Happening::Back(_)
            | Happening::Left(_) => ("table", serde_json::json!({ "step": step })),
        };
        self.line(kind, &more, &text);
    }

    fn notice(&self, notice: &Notice) {
        let none = serde_json::json!({});
        let of = |seat: &Seat| serde_json::json!({ "seat": seat.0 });
        let about =
            |seat: &Seat, message: &str| fill(message, &[("name", self.account.seat(*seat))]);
        match notice {
            Notice::Reconnecting(who) => self.line(
                "reconnecting",
                &of(who),
                &about(who, mark("{name} is reconnecting …")),
            ),
            Notice::Heard(who) => self.line(
                "heard",
                &of(who),
                &about(who, mark("{name} is heard again.")),
            ),
            Notice::GraceOver(seats) => {
                let names: Vec<&str> = seats.iter().map(|who| self.account.seat(who)).collect();
                let text = fill(
                    "Gone for long: {names}. The table may go on without.",
                    &[("names", &names.join(", "))],
                );
                self.line("grace_over", &none, &text);
            }
            Notice::Vote { by, .. } => {
                self.line("vote", &none, &about(by, mark("{name} votes on going on.")))
            }
            Notice::VoteFailed => self.line(
                "vote_failed",
                &none,
                &tr("The votes differ: nothing is decided."),
            ),
            Notice::Fault {
                culprit, refusal, ..
            } => {
                let text = match refusal {
                    Some(refusal) => fill(
                        "{name} broke the protocol, provably: {why}.",
                        &[
                            ("name", self.account.seat(*culprit)),
                            ("why", &refusal.to_string()),
                        ],
                    ),
                    None => about(culprit, mark("{name} broke the protocol, provably.")),
                };
                self.line("fault", &of(culprit), &text);
            }
            Notice::Suspect { seat: who, why } => {
                self.line("suspect", &of(who), &self.account.suspicion(*who, why))
            }
            Notice::Chat { from, line } => {
                let text = format!("{}: {}", self.account.seat(*from), said(line));
                self.line("chat", &of(from), &text);
            }
        }
    }
}

/// A player's name, with the honest mark of a bot.
fn known_as(name: &str, operator: Option<&str>) -> String {
    match operator {
        Some(operator) => fill(
            "{name} (bot, run by {operator}, who can see its cards)",
            &[("name", name), ("operator", operator)],
        ),
        None => name.to_owned(),
    }
}

fn said(line: &Line) -> String {
    match line {
        Line::Words(words) => words.clone(),
        Line::Phrase(number) => fill("(phrase {n})", &[("n", &number.to_string())]),
    }
}
