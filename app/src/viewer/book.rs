//! A record as a book: read, checked and told again on threads of its own, page by page, in plain data. No widget here.
//!
//! Every page holds the table as everyone saw it, as each player saw it, and with everything open. Which of them is shown is the
//! reader's choice ([`Eyes`]).

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use shamans_core::{
    game::{Game, Known, Seat},
    record::{Finding, Record, Replay, Report, Told, verify},
    shamans::{Shamans, View},
    table::{Happening, Holder, Remedy},
};
use shamans_net::sentences::spoken;

use crate::{
    beside,
    pieces::{Card, Event},
    session::{
        lan::bot,
        look::look,
        snapshot::{Bot, Check, Snapshot},
        standing::Standing,
        tricks::Tricks,
        worker::badge,
    },
    words,
};

/// A whole game stays far below.
const MAX_FILE: u64 = 16 * 1024 * 1024;

/// Through whose eyes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Eyes {
    /// What everyone saw.
    #[default]
    Everyone,
    /// What this seat saw.
    Seat(usize),
    /// Everything that was hidden.
    All,
}

/// One seat's own: what only its eyes show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Own {
    /// Its cards; `None` when they are not known from the record.
    pub hand: Option<Vec<Card>>,
    /// Its part of the table.
    pub seat: Option<crate::session::snapshot::SeatSeen>,
}

/// The table after one step.
#[derive(Debug, Clone)]
pub struct Page {
    /// The number of the step in the log.
    pub step: u64,
    /// What happened in it.
    pub events: Vec<Event>,
    /// Sentences about it that are no events of the game.
    pub notes: Vec<String>,
    /// The check of a deal that ended in it.
    pub check: Option<Check>,
    /// As everyone saw it.
    table: Snapshot,
    /// By seat.
    own: Vec<Own>,
    /// The trick and the one before.
    pub tricks: Tricks,
}

impl Page {
    /// The table as `eyes` see it.
    pub fn table(&self, eyes: Eyes) -> Snapshot {
        let mut table = self.table.clone();
        for (i, (seat, own)) in table.seats.iter_mut().zip(&self.own).enumerate() {
            let open = match eyes {
                Eyes::Everyone => false,
                Eyes::Seat(at) => at == i,
                Eyes::All => true,
            };
            if let Some(seen) = own.seat.as_ref().filter(|_| open) {
                seat.clone_from(seen);
            }
        }
        table
    }

    /// Marks the bots.
    fn mark(&mut self, bots: &[Option<Bot>]) {
        for (seat, bot) in self.table.seats.iter_mut().zip(bots) {
            seat.bot.clone_from(bot);
        }
        for (own, bot) in self.own.iter_mut().zip(bots) {
            if let Some(seat) = &mut own.seat {
                seat.bot.clone_from(bot);
            }
        }
    }

    /// A seat's own cards.
    pub fn own(&self, seat: usize) -> Option<&Own> {
        self.own.get(seat)
    }

    /// The round, from 1 on.
    pub fn round(&self) -> usize {
        self.table.round
    }
}

/// What comes from the threads.
#[derive(Debug)]
pub enum News {
    /// It is a record; these played. Pages follow.
    Cover {
        /// By seat.
        names: Vec<String>,
        /// The file itself, to be saved elsewhere.
        bytes: Arc<Vec<u8>>,
    },
    /// The next page.
    Page(Box<Page>),
    /// That was the last page.
    End,
    /// The check is done.
    Checked(Standing),
    /// It is no record that can be read; why.
    Unreadable(String),
}

/// Where a record comes from.
#[derive(Debug, Clone)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// A game that is still in memory.
    Memory(Arc<Vec<u8>>),
}

impl Source {
    fn read(&self) -> Result<(Arc<Vec<u8>>, Record), String> {
        match self {
            Source::File(path) => read(path).map(|(bytes, record)| (Arc::new(bytes), record)),
            Source::Memory(bytes) => match Record::read(bytes) {
                Ok(record) => Ok((Arc::clone(bytes), record)),
                Err(error) => Err(spoken(&error.to_string())),
            },
        }
    }
}

/// Reads a record of this game, or says in a sentence why not.
fn read(path: &Path) -> Result<(Vec<u8>, Record), String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let told = |why: String| words::fill("{file}: {why}", &[("file", &name), ("why", &why)]);
    let size = std::fs::metadata(path).map_err(|error| told(error.to_string()))?;
    if size.len() > MAX_FILE {
        return Err(told(words::tr("too large for a record of a game")));
    }
    let bytes = std::fs::read(path).map_err(|error| told(error.to_string()))?;
    let record = Record::read(&bytes).map_err(|error| told(spoken(&error.to_string())))?;
    if record.genesis.genesis.proposal.game != Shamans::NAME {
        return Err(told(words::tr(
            "a record of another game, or of rules that this program does not know",
        )));
    }
    Ok((bytes, record))
}

/// Who sat where.
pub fn names(record: &Record) -> Vec<String> {
    let holders = record.genesis.genesis.holders();
    let name = |(i, holder): (usize, Holder)| match holder.name() {
        Some(name) => name.to_owned(),
        None => words::phantom(i),
    };
    holders.into_iter().enumerate().map(name).collect()
}

/// Opens a record. Everything comes over the channel; nothing blocks here.
pub fn open(source: Source) -> async_channel::Receiver<News> {
    let (tell, news) = async_channel::unbounded();
    let body = move || match source.read() {
        Err(why) => drop(tell.send_blocking(News::Unreadable(why))),
        Ok((bytes, record)) => {
            let cover = News::Cover {
                names: names(&record),
                bytes,
            };
            if tell.send_blocking(cover).is_ok() {
                check_and_tell(record, &tell);
            }
        }
    };
    beside::spawn("record", body).expect("the system gives a thread to read a file");
    news
}

/// Both at once: the reader need not wait for the verdict. A closed channel means that nobody reads any more.
fn check_and_tell(record: Record, tell: &async_channel::Sender<News>) {
    let record = Arc::new(record);
    let (again, teller) = (Arc::clone(&record), tell.clone());
    let checker = beside::spawn("check", move || {
        let standing = standing(&verify::<Shamans>(&again), &names(&again));
        drop(teller.send_blocking(News::Checked(standing)));
    });
    if pages(&record, |page| {
        tell.send_blocking(News::Page(Box::new(page))).is_ok()
    }) {
        drop(tell.send_blocking(News::End));
    }
    drop(checker);
}

fn standing(report: &Report, names: &[String]) -> Standing {
    let name = |seat: Seat| names.get(seat.index()).cloned();
    match &report.finding {
        Finding::Unfair { step, seat, reason } => Standing::Failed {
            step: Some(*step),
            who: seat.and_then(name),
            what: reason.clone(),
        },
        Finding::Unfinished => Standing::Unfinished,
        Finding::Fair => {
            let silent = report
                .audits
                .iter()
                .flat_map(|deal| deal.proofs_only.iter());
            let mut silent: Vec<String> = silent.filter_map(name).collect();
            silent.sort();
            silent.dedup();
            match silent.is_empty() {
                true => Standing::Fair,
                false => Standing::ProofsOnly(silent.join(", ")),
            }
        }
    }
}

/// Setting the table: read as one with the first thing that somebody does.
fn sets_up(page: &Page) -> bool {
    page.notes.is_empty()
        && page.check.is_none()
        && page.events.iter().all(|event| {
            matches!(
                event,
                Event::RoundBegan { .. }
                    | Event::LeftOver { .. }
                    | Event::Offered { .. }
                    | Event::GuideDrawn { .. }
            )
        })
}

/// Tells the record page by page for as long as `tell` wants more; steps in which nothing can be seen make no page.
fn pages(record: &Record, mut tell: impl FnMut(Page) -> bool) -> bool {
    let names = names(record);
    let people = record.genesis.genesis.people();
    let Ok(mut replay) = Replay::<Shamans>::new(record, people) else {
        return true;
    };
    let mut tricks = Tricks::default();
    let bots: Vec<Option<Bot>> = record.genesis.genesis.holders().iter().map(bot).collect();
    let begun = replay.begun().to_vec();
    let mut first = page(&replay, &names, 0, begun, &mut tricks);
    first.mark(&bots);
    let mut before = Some(first);
    while let Some(Ok((step, told))) = replay.next() {
        let mut page = page(&replay, &names, step, told, &mut tricks);
        page.mark(&bots);
        if let Some(set) = before.take() {
            page.events.splice(0..0, set.events);
            page.notes.splice(0..0, set.notes);
        }
        let seen = !page.events.is_empty() || !page.notes.is_empty() || page.check.is_some();
        if sets_up(&page) {
            before = Some(page);
        } else if seen && !tell(page) {
            return false;
        }
    }
    before.is_none_or(tell)
}

fn page(
    replay: &Replay<'_, Shamans>,
    names: &[String],
    step: u64,
    told: Vec<Told<Shamans>>,
    tricks: &mut Tricks,
) -> Page {
    let (mut events, mut notes, mut check) = (Vec::new(), Vec::new(), None);
    let name = |seat: Seat| names.get(seat.index()).cloned().unwrap_or_default();
    for told in told {
        match told {
            // The hand that is shown says the same.
            Told::Saw { .. } => {}
            Told::Happened(happening) => match happening {
                Happening::Event { by: _, event } => {
                    tricks.hear(&event, names.len());
                    events.push(event);
                }
                Happening::Audited { deal: _, verdict } => check = Some(badge(step, &verdict)),
                Happening::Gone { seats, remedy } => match remedy {
                    // The game itself tells it.
                    Remedy::StandIn => {}
                    Remedy::Void => {
                        let who: Vec<String> = seats.iter().map(name).collect();
                        notes.push(words::fill(
                            "{who} is gone: the round is dealt again.",
                            &[("who", &who.join(", "))],
                        ));
                    }
                },
                Happening::Back(seat) => {
                    notes.push(words::fill("{who} is back.", &[("who", &name(seat))]));
                }
                Happening::Left(seat) => {
                    notes.push(words::fill(
                        "{who} leaves the table.",
                        &[("who", &name(seat))],
                    ));
                }
                Happening::Overtaken(_) | Happening::DealBegins(_) => {}
            },
        }
    }
    let game = replay.replica().game();
    let own = |i: usize| match replay.known(Seat(i as u8)) {
        Some(known) => own(&game.view(Some(Seat(i as u8)), known), Seat(i as u8), names),
        None => Own::default(),
    };
    Page {
        step,
        events,
        notes,
        check,
        table: public(&game.view(None, &Known::new()), names),
        own: (0..names.len()).map(own).collect(),
        tricks: tricks.clone(),
    }
}

/// The table as nobody in particular sees it: no seat is "you", nothing can be chosen.
fn public(view: &View<'_>, names: &[String]) -> Snapshot {
    let mut table = look(view, Seat(0), names);
    table.me = Seat(names.len() as u8);
    table.role = None;
    table.legal.clear();
    table
}

fn own(view: &View<'_>, seat: Seat, names: &[String]) -> Own {
    let mut table = look(view, seat, names);
    let known = view.hand().count() == view.hand_size(seat);
    Own {
        hand: known.then(|| {
            let mut cards: Vec<Card> = table.hand.iter().map(|seen| seen.card).collect();
            cards.sort_by_key(|card| (card.world.index(), card.value));
            cards
        }),
        seat: (seat.index() < table.seats.len()).then(|| {
            let mut seen = table.seats.swap_remove(seat.index());
            seen.role = view.role(seat);
            seen
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped(name: &str) -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../tests/records")
            .join(name)
    }

    fn whole(name: &str) -> (Vec<Page>, Option<Standing>, Option<String>) {
        let news = open(Source::File(shipped(name)));
        let (mut pages, mut checked, mut unreadable) = (Vec::new(), None, None);
        while let Ok(news) = news.recv_blocking() {
            match news {
                News::Page(page) => pages.push(*page),
                News::Checked(standing) => checked = Some(standing),
                News::Unreadable(why) => unreadable = Some(why),
                News::Cover { .. } | News::End => {}
            }
        }
        (pages, checked, unreadable)
    }

    #[test]
    fn hidden_cards_are_open_only_to_the_eyes_that_had_them() {
        let (pages, checked, _) = whole("unfinished.record");
        assert_eq!(checked, Some(Standing::Unfinished));
        // Its round never ended, so no seed was revealed and nobody's cards are known.
        let last = pages.last().unwrap();
        assert!(last.own(0).unwrap().hand.is_none());
        let (pages, checked, _) = whole("voided.record");
        assert!(matches!(
            checked,
            Some(Standing::Fair | Standing::ProofsOnly(_))
        ));
        let dealt = pages
            .iter()
            .find(|page| {
                page.own
                    .iter()
                    .any(|own| own.hand.as_ref().is_some_and(|h| h.len() > 5))
            })
            .expect("a hand is dealt somewhere");
        for seat in &dealt.table(Eyes::Everyone).seats {
            assert_eq!(seat.role, None, "nobody's identity is public at the start");
        }
        assert!(
            dealt
                .table(Eyes::All)
                .seats
                .iter()
                .any(|seat| seat.role.is_some())
        );
        assert!(dealt.table(Eyes::Everyone).hand.is_empty());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let (_, checked, _) = whole("unfair-order.record");
        assert!(
            matches!(
                checked,
                Some(Standing::Failed {
                    step: Some(1..),
                    ..
                })
            ),
            "{checked:?}"
        );
        let (pages, checked, unreadable) = whole("unreadable-cut.record");
        assert!(pages.is_empty() && checked.is_none());
        assert!(unreadable.unwrap().starts_with("unreadable-cut.record: "));
    }
}
