//! What happens at a table, told in lines for people or in JSON.

use shamans_core::game::Seat;
use shamans_core::shamans::{Data, Shamans};
use shamans_core::table::{Happening, Holder, Line, Notice};
use shamans_net::account::{Account, role_name};
use shamans_net::phrase;
use shamans_net::sentences::spoken;
use shamans_net::session::SessionEvent;
use shamans_net::words::{fill, mark, tr};

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
            SessionEvent::Trouble(what) | SessionEvent::Stuck(what) => {
                self.line("trouble", &none, what)
            }
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
            SessionEvent::Unreachable { .. } | SessionEvent::Closed => {}
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
                            ("why", &spoken(&refusal.to_string())),
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
