//! How a round turned: the Shadows' chance after each move as a curve, and the moves that changed it most. Told after the round
//! and in the reader of records, from the record alone.
//!
//! [`tell`] replays and plays out on a thread of its own; [`page`] shows.

pub mod page;

use std::sync::Arc;

use shamans_core::{
    bot::moments::Story,
    game::{Known, Seat},
    record::{Record, Replay, Told},
    shamans::Shamans,
    table::Happening,
};

use crate::{
    beside,
    pieces::Event,
    words::happened::{self, Names},
};

/// The most turns that are told.
const TURNS: usize = 5;
/// A smaller change is no turn.
const SLIGHT: f32 = 0.05;

/// A moment that changed who would win.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// The step of the log in which it began.
    pub step: u64,
    /// Its place on the curve.
    pub at: usize,
    /// How likely the Shadows were to win before,
    pub before: f32,
    /// and after.
    pub after: f32,
    /// What happened.
    pub events: Vec<Event>,
}

/// The story of a round.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Turned {
    /// How likely the Shadows were to win, position after position.
    pub curve: Vec<f32>,
    /// In the order of the round.
    pub turns: Vec<Turn>,
}

/// What comes from the thread.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// How much of the round is done, from 0 to 1.
    Progress(f64),
    /// The whole story.
    Told(Turned),
    /// The record does not tell this round: it was never played to its end, or its cards were never revealed.
    Silent,
}

/// Tells round `round` (from 1 on) of a record. Ends by itself when nobody listens any more.
pub fn tell(bytes: Arc<Vec<u8>>, round: usize) -> async_channel::Receiver<News> {
    let (tell, news) = async_channel::unbounded();
    let body = move || {
        let record = Record::read(&bytes).ok();
        let progress = |done| tell.send_blocking(News::Progress(done)).is_ok();
        let told = record.and_then(|record| turned(&record, round, Story::USUAL, progress));
        drop(tell.send_blocking(told.map_or(News::Silent, News::Told)));
    };
    beside::spawn("story", body).expect("the system gives a thread to look back");
    news
}

/// A round as it is walked through.
struct Walk {
    story: Story,
    /// For each position: the step in which what led to it began, and what that was.
    led: Vec<(u64, Vec<Event>)>,
    since: Option<u64>,
    events: Vec<Event>,
}

impl Walk {
    fn new(tries: u32) -> Walk {
        Walk {
            story: Story::new(tries, 0),
            led: Vec::new(),
            since: None,
            events: Vec::new(),
        }
    }

    /// Something that can be told?
    fn is_visible(&self) -> bool {
        let nobody = Names {
            names: &[],
            me: Seat(u8::MAX),
        };
        self.events
            .iter()
            .any(|event| happened::event(event, nobody).is_some())
    }

    fn look(&mut self, step: u64, replay: &Replay<'_, Shamans>, seats: usize) {
        if !self.is_visible() {
            return;
        }
        let known = (0..seats).filter_map(|seat| replay.known(Seat(seat as u8)));
        let before = self.story.scenes().len();
        self.story.observe(step, replay.replica().game(), known);
        if self.story.scenes().len() > before {
            let since = self.since.take().unwrap_or(step);
            self.led.push((since, std::mem::take(&mut self.events)));
        }
    }

    fn end(self) -> Option<Turned> {
        let curve: Vec<f32> = self.story.scenes().iter().map(|s| s.shadows).collect();
        if curve.len() < 2 {
            return None;
        }
        let mut turns: Vec<Turn> = curve
            .windows(2)
            .zip(self.led.into_iter().skip(1))
            .enumerate()
            .filter_map(|(i, (pair, (step, events)))| match *pair {
                [before, after] if (after - before).abs() >= SLIGHT => Some(Turn {
                    step,
                    at: i + 1,
                    before,
                    after,
                    events,
                }),
                _ => None,
            })
            .collect();
        let size = |turn: &Turn| (turn.after - turn.before).abs();
        turns.sort_by(|a, b| size(b).total_cmp(&size(a)));
        turns.truncate(TURNS);
        turns.sort_by_key(|turn| turn.at);
        Some(Turned { curve, turns })
    }
}

/// Walks through the record; `None` if the round cannot be told or `go_on` says that nobody listens.
fn turned(
    record: &Record,
    round: usize,
    tries: u32,
    go_on: impl Fn(f64) -> bool,
) -> Option<Turned> {
    let people = record.genesis.genesis.people();
    let seats = record.genesis.genesis.holders().len();
    let mut replay = Replay::<Shamans>::new(record, people).ok()?;
    let mut walk: Option<Walk> = None;
    let mut told = replay.begun().to_vec();
    let mut step = 0;
    loop {
        let mut over = false;
        for told in told {
            let Told::Happened(Happening::Event { by: _, event }) = told else {
                continue;
            };
            match event {
                // A round that was void is dealt again under its number: only the last deal of it is told.
                Event::RoundBegan { round: begun, .. } if usize::from(begun) == round => {
                    walk = Some(Walk::new(tries));
                }
                Event::RoundEnded { .. } => over = true,
                _ => {}
            }
            if let Some(walk) = &mut walk {
                walk.since.get_or_insert(step);
                walk.events.push(event);
            }
        }
        if let Some(walk) = &mut walk {
            walk.look(step, &replay, seats);
            let nothing = Known::new();
            let view = replay.replica().game().view(None, &nothing);
            let rules = view.rules();
            let all = usize::from(rules.hand) * usize::from(rules.players);
            let done = view.plays().len() as f64 / all.max(1) as f64;
            if !go_on(done.min(1.0)) {
                return None;
            }
        }
        if over && let Some(walk) = walk.take() {
            return walk.end();
        }
        (step, told) = replay.next()?.ok()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped(name: &str) -> Record {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../tests/records")
            .join(name);
        Record::read(&std::fs::read(path).unwrap()).unwrap()
    }

    #[test]
    fn a_round_of_a_record_is_told_to_its_end() {
        let record = shipped("voided.record");
        let story = turned(&record, 1, 8, |_| true).unwrap();
        let last = *story.curve.last().unwrap();
        assert!(last == 0.0 || last == 1.0, "the end is certain: {last}");
        assert!(story.curve.len() > 10, "{}", story.curve.len());
        assert!(!story.turns.is_empty() && story.turns.len() <= TURNS);
        for turn in &story.turns {
            assert_eq!(story.curve.get(turn.at), Some(&turn.after));
            assert_eq!(story.curve.get(turn.at - 1), Some(&turn.before));
            assert!(!turn.events.is_empty(), "a turn has its moves");
        }
        assert!(story.turns.is_sorted_by_key(|turn| (turn.at, turn.step)));
        assert_eq!(turned(&record, 1, 8, |_| true), Some(story));
    }

    #[test]
    fn what_was_never_played_out_is_not_told() {
        assert_eq!(turned(&shipped("unfinished.record"), 1, 4, |_| true), None);
        assert_eq!(turned(&shipped("voided.record"), 99, 4, |_| true), None);
        assert_eq!(turned(&shipped("voided.record"), 1, 4, |_| false), None);
    }
}
