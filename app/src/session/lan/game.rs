//! A game on the network as it goes on: what happened since the last look, who is missing, who was caught.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use shamans_core::{
    game::{Seat, SeatSet},
    log::TableId,
    shamans::Shamans,
    table::{Happening, Holder, Line, Notice, Options, Remedy, Suspicion},
};
use shamans_net::{identity::PublicId, proof::Proof, session::Snapshot as Now};

use super::{
    super::{
        look::look,
        snapshot::{Bot, Check, NOBODY, Update},
        worker::badge,
    },
    News,
    seen::{Absence, Said, Talk},
};
use crate::{
    pieces::{Action, Event},
    words,
};

/// How long a seat has been silent already when it is told.
const SILENT_BEFORE: Duration = Duration::from_secs(3);

/// Its channel to the screen, and what has happened since the last look.
pub struct Game {
    me: Option<Seat>,
    table: TableId,
    keys: Vec<Option<PublicId>>,
    names: Vec<String>,
    bots: Vec<Option<Bot>>,
    grace: Duration,
    updates: async_channel::Sender<Update>,
    events: Vec<Event>,
    check: Option<Check>,
    record: Option<Arc<Vec<u8>>>,
    absence: Absence,
}

impl Game {
    /// Has just begun, or goes on.
    pub fn new(
        table: TableId,
        me: Option<Seat>,
        holders: &[Holder],
        options: Options,
        updates: async_channel::Sender<Update>,
    ) -> Game {
        let names: Vec<String> = holders
            .iter()
            .enumerate()
            .map(|(seat, holder)| match holder.name() {
                Some(name) => name.to_owned(),
                None => words::phantom(seat),
            })
            .collect();
        let people = holders.iter().filter(|h| h.key().is_some()).count();
        let bots = holders.iter().map(bot).collect();
        Game {
            me,
            table,
            keys: holders
                .iter()
                .map(|holder| holder.key().map(|key| PublicId(key.0)))
                .collect(),
            absence: Absence {
                names: names.clone(),
                people,
                ..Absence::default()
            },
            names,
            bots,
            grace: Duration::from_millis(u64::from(options.grace_ms)),
            updates,
            events: Vec::new(),
            check: None,
            record: None,
        }
    }

    /// A round is over: its record, to look back on it.
    pub fn reveal(&mut self, record: Vec<u8>) {
        self.record = Some(Arc::new(record));
    }

    fn name(&self, seat: Seat) -> String {
        self.names.get(seat.index()).cloned().unwrap_or_default()
    }

    fn names(&self, seats: SeatSet) -> String {
        let names: Vec<String> = seats.iter().map(|seat| self.name(seat)).collect();
        names.join(", ")
    }

    /// Takes in what settled `step` brought.
    pub fn note(&mut self, step: u64, happening: Happening<Shamans>) -> Vec<News> {
        match happening {
            Happening::Event { by: _, event } => {
                self.events.push(event);
                Vec::new()
            }
            Happening::Audited { deal: _, verdict } => {
                self.check = Some(badge(step, &verdict));
                Vec::new()
            }
            Happening::Gone { seats, remedy } => {
                self.forget(seats);
                let names = self.names(seats);
                let text = match remedy {
                    Remedy::StandIn => words::fill(
                        "A phantom plays the cards of {names} until they are back.",
                        &[("names", &names)],
                    ),
                    Remedy::Void => words::fill(
                        "The round is void and dealt anew without {names}.",
                        &[("names", &names)],
                    ),
                };
                vec![self.absence(), News::Notice(text)]
            }
            Happening::Back(seat) => {
                self.forget([seat].into_iter().collect());
                let text = words::fill(
                    "{name} is back at the table.",
                    &[("name", &self.name(seat))],
                );
                vec![self.absence(), News::Notice(text)]
            }
            Happening::Left(seat) => {
                self.forget([seat].into_iter().collect());
                let text = words::fill(
                    "{name} has left; a phantom plays on.",
                    &[("name", &self.name(seat))],
                );
                vec![self.absence(), News::Notice(text)]
            }
            Happening::Overtaken(_) | Happening::DealBegins(_) => Vec::new(),
        }
    }

    fn forget(&mut self, seats: SeatSet) {
        self.absence
            .silent
            .retain(|(seat, _)| !seats.contains(*seat));
        self.absence.overdue = self.absence.overdue.minus(seats);
        self.absence.votes.clear();
        self.absence.failed = false;
    }

    fn absence(&self) -> News {
        News::Absence(self.absence.clone())
    }

    /// Shows how the table looks now.
    pub async fn show(&mut self, now: &Now<Shamans>) {
        let me = self.me.unwrap_or(NOBODY);
        let mut table = look(&now.game.view(self.me, &now.known), me, &self.names);
        for (seat, bot) in table.seats.iter_mut().zip(&self.bots) {
            seat.bot.clone_from(bot);
        }
        if !now.my_turn {
            // A Portal may be used on anybody's turn (POR-1).
            table
                .legal
                .retain(|action| matches!(action, Action::Portal { .. }));
        }
        let update = Update {
            events: std::mem::take(&mut self.events),
            check: self.check.take(),
            record: self.record.take(),
            advice: None,
            said: Vec::new(),
            table,
            settled: Instant::now(),
        };
        // The window may have left the table.
        let _ = self.updates.send(update).await;
    }

    /// News beside the log.
    pub fn hear(&mut self, notice: Notice) -> Option<News> {
        match notice {
            Notice::Chat { from, line } => Some(News::Said {
                name: self.name(from),
                talk: talk(line),
            }),
            Notice::Reconnecting(seat) => {
                let until = Instant::now() + self.grace.saturating_sub(SILENT_BEFORE);
                self.absence.silent.retain(|(silent, _)| *silent != seat);
                self.absence.silent.push((seat, until));
                Some(self.absence())
            }
            Notice::Heard(seat) => {
                self.forget([seat].into_iter().collect());
                Some(self.absence())
            }
            Notice::GraceOver(seats) => {
                self.absence.overdue = seats;
                Some(self.absence())
            }
            Notice::Vote { by, gone, remedy } => {
                let said = match remedy {
                    _ if gone.is_empty() => Said::Wait,
                    Remedy::StandIn => Said::StandIn,
                    Remedy::Void => Said::Void,
                };
                // Answers are given again by themselves until they agree: only another one is news.
                if !self.absence.votes.contains(&(by, said)) {
                    self.absence.votes.retain(|(seat, _)| *seat != by);
                    self.absence.votes.push((by, said));
                    self.absence.failed = false;
                }
                Some(self.absence())
            }
            Notice::VoteFailed => {
                self.absence.failed = true;
                Some(self.absence())
            }
            Notice::Fault {
                culprit,
                evidence,
                refusal,
            } => {
                let what = match refusal {
                    Some(refusal) => refusal.to_string(),
                    None => words::tr("two different words for one place, both signed"),
                };
                let key = self.keys.get(evidence.signer().index()).copied().flatten();
                let proof = key.map(|key| Proof {
                    who: self.name(culprit),
                    key,
                    table: self.table,
                    what: what.clone(),
                    evidence: *evidence,
                });
                Some(News::Caught {
                    name: self.name(culprit),
                    what,
                    // Only whoever has a key can be caught.
                    proof: proof.map(|proof| proof.write()).unwrap_or_default(),
                })
            }
            Notice::Suspect { seat, why } => {
                let name = self.name(seat);
                let text = match why {
                    Suspicion::Garbage => words::fill(
                        "What comes from {name}'s program cannot be read.",
                        &[("name", &name)],
                    ),
                    Suspicion::Forged => words::fill(
                        "Something under {name}'s name is not signed by them.",
                        &[("name", &name)],
                    ),
                    Suspicion::Stalling => words::fill(
                        "{name}'s program is there but does not go on.",
                        &[("name", &name)],
                    ),
                    Suspicion::FalseHistory => words::fill(
                        "{name}'s program tells another history of this game.",
                        &[("name", &name)],
                    ),
                };
                Some(News::Notice(text))
            }
        }
    }
}

/// The bot at a seat, if there is one.
pub fn bot(holder: &Holder) -> Option<Bot> {
    holder.operator().map(|name| Bot::RunBy(name.to_owned()))
}

/// A line as plain data.
pub fn talk(line: Line) -> Talk {
    match line {
        Line::Words(words) => Talk::Words(words),
        Line::Phrase(number) => Talk::Phrase(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Game {
        let names = ["Ada", "Bruno", "Cyril"];
        let person = |name: &&str| Holder::Person {
            key: shamans_core::log::Identity::from_secret(&[name.len() as u8; 32]).public(),
            name: (*name).to_owned(),
        };
        let holders: Vec<Holder> = names.iter().map(person).collect();
        let (updates, _) = async_channel::unbounded();
        Game::new(
            shamans_core::log::Digest([0; 32]),
            Some(Seat(0)),
            &holders,
            Options::default(),
            updates,
        )
    }

    fn absence(news: Option<News>) -> Absence {
        match news {
            Some(News::Absence(absence)) => absence,
            other => panic!("no word about who is missing: {other:?}"),
        }
    }

    #[test]
    fn a_silent_player_is_waited_for_then_voted_on_then_back() {
        let mut game = game();
        let silent = absence(game.hear(Notice::Reconnecting(Seat(2))));
        assert_eq!(silent.silent.len(), 1);
        assert!(silent.overdue.is_empty());
        let gone: SeatSet = [Seat(2)].into_iter().collect();
        let overdue = absence(game.hear(Notice::GraceOver(gone)));
        assert!(overdue.overdue.contains(Seat(2)));
        let vote = Notice::Vote {
            by: Seat(1),
            gone,
            remedy: Remedy::Void,
        };
        assert_eq!(
            absence(game.hear(vote.clone())).votes,
            [(Seat(1), Said::Void)]
        );
        let failed = absence(game.hear(Notice::VoteFailed));
        assert!(failed.failed, "and it is told who said what");
        assert_eq!(failed.votes, [(Seat(1), Said::Void)]);
        assert!(absence(game.hear(vote)).failed, "the same answer again");
        let other = Notice::Vote {
            by: Seat(1),
            gone,
            remedy: Remedy::StandIn,
        };
        let changed = absence(game.hear(other));
        assert!(!changed.failed && changed.votes == [(Seat(1), Said::StandIn)]);
        let back = absence(game.hear(Notice::Heard(Seat(2))));
        assert!(back.silent.is_empty() && back.overdue.is_empty() && !back.failed);
    }

    #[test]
    fn a_vote_for_nobody_is_a_wish_to_wait() {
        let mut game = game();
        let vote = Notice::Vote {
            by: Seat(1),
            gone: SeatSet::EMPTY,
            remedy: Remedy::StandIn,
        };
        assert_eq!(absence(game.hear(vote)).votes, [(Seat(1), Said::Wait)]);
    }
}
