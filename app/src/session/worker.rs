//! The other side of the channels: a thread that runs a practise table and speaks in [`Command`]s and [`Update`]s only.
//! The main thread neither deals nor thinks.

use std::{
    sync::{Arc, atomic::AtomicU32},
    time::Instant,
};

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use shamans_core::{
    bot::{
        Manners, Strong,
        advice::{Counsel, advise},
    },
    deal::Verdict,
    record::Record,
    shamans::Shamans,
    table::{Happening, Table},
};

use super::{
    kept::{Beginning, Kept},
    look::look,
    peers::{ME, Peers, Told},
    snapshot::{Bot, Check, Update},
};
use crate::{
    beside,
    past::shelf,
    pieces::{Action, Seat},
};

/// What the player wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Do this.
    Act(Action),
    /// No Portal: the others may go on.
    GoOn,
    /// Say what the strong bot would do. At a practise table only.
    Advise,
}

/// A table to practise at.
#[derive(Debug, Clone)]
pub struct Practise {
    /// How it began.
    pub beginning: Beginning,
    /// What was done before today.
    pub done: Vec<(Seat, Action)>,
    /// Where what is done is kept.
    pub kept: Kept,
    /// How many thousandths of their usual time the others take to answer; may change while they play.
    pub tempo: Arc<AtomicU32>,
}

/// Rounds played out for a piece of advice: it looks at every choice, so it has more than a bot that plays.
const ADVICE: u32 = 3 * Strong::USUAL;

/// The window is gone.
struct Gone;

/// Starts the table; it ends when both channels are dropped or the game is over.
pub fn practise(
    table: Practise,
) -> (
    async_channel::Sender<Command>,
    async_channel::Receiver<Update>,
) {
    let (commands, orders) = async_channel::unbounded();
    let (reports, updates) = async_channel::unbounded();
    let body = move || {
        // Ends quietly when the window has dropped its side.
        let _ = run(&table, &orders, &reports);
    };
    beside::spawn("table", body).expect("the system gives a thread at the start of a game");
    (commands, updates)
}

fn run(
    practise: &Practise,
    orders: &async_channel::Receiver<Command>,
    reports: &async_channel::Sender<Update>,
) -> Result<(), Gone> {
    let beginning = &practise.beginning;
    let names = &beginning.called();
    let mut peers =
        Peers::new(beginning).expect("one to five fresh keys with the shipped data make a table");
    peers.recall(practise.done.clone());
    peers.set_tempo(Arc::clone(&practise.tempo));
    let mut manners: Vec<Manners> = (1..beginning.held())
        .map(|i| Manners::new(Seat(i as u8)))
        .collect();
    let mut whims = ChaCha20Rng::seed_from_u64(beginning.seed);
    let mut recalled = 0;
    let mut report = |table: &Table<Shamans>, happened: Vec<Happening<Shamans>>| {
        let mut update = update(table, happened, names);
        for event in &update.events {
            for (at, bot) in manners.iter_mut().enumerate() {
                let phrase = bot.hear(event, &mut whims);
                update.said.extend(phrase.map(|n| (Seat(at as u8 + 1), n)));
            }
        }
        if update.check.is_some() {
            // The cards are revealed: from here on the round can be looked back on.
            update.record = Some(Arc::new(Record::new(table.genesis(), table.log()).write()));
        }
        reports.send_blocking(update).map_err(|_| Gone)
    };
    // Without a disk the game is played all the same, it only cannot go on another day.
    let keep = |seat, action| drop(practise.kept.add(seat, &action));
    loop {
        peers.run(|told| match told {
            Told::Acted(seat, action) => {
                keep(seat, action);
                Ok(None)
            }
            Told::Recalled => {
                recalled += 1;
                Ok(None)
            }
            // What was seen before is not shown again.
            Told::Settled(..) if recalled < practise.done.len() => Ok(None),
            Told::Settled(table, happened) => report(table, happened).map(|()| None),
            Told::MayInterrupt(table) => {
                let mut asked = update(table, Vec::new(), names);
                asked.table.open = true;
                reports.send_blocking(asked).map_err(|_| Gone)?;
                loop {
                    match orders.recv_blocking().map_err(|_| Gone)? {
                        Command::Act(portal) => return Ok(Some(portal)),
                        Command::GoOn => return Ok(None),
                        // Nothing is asked of the player now.
                        Command::Advise => {}
                    }
                }
            }
        })?;
        if peers.mine().replica().is_over() {
            practise.kept.forget();
            let mine = peers.mine();
            let record = Record::new(mine.genesis(), mine.log());
            // A full disk does not spoil the end of a game: the record is in the update, to be saved elsewhere.
            let _ = shelf::keep(&shelf::folder(), &record);
            let last = Update {
                record: Some(Arc::new(record.write())),
                ..update(mine, Vec::new(), names)
            };
            return reports.send_blocking(last).map_err(|_| Gone);
        }
        // What is awaited now may differ from what the last step said.
        report(peers.mine(), Vec::new())?;
        let action = loop {
            match orders.recv_blocking().map_err(|_| Gone)? {
                Command::Act(action) => break Some(action),
                Command::GoOn => break None,
                Command::Advise => {
                    let advised = Update {
                        advice: Some(advice(peers.mine())),
                        ..update(peers.mine(), Vec::new(), names)
                    };
                    reports.send_blocking(advised).map_err(|_| Gone)?;
                }
            }
        };
        let Some(action) = action else { continue };
        if peers.act(&action).is_ok() {
            keep(ME, action);
        } else {
            // Nothing was sent; the table as it is goes back, so that the player can choose again.
            report(peers.mine(), Vec::new())?;
        }
    }
}

/// What the strong bot would do in the player's place, with the player's eyes. The same position gives the same advice.
fn advice(table: &Table<Shamans>) -> Vec<Counsel> {
    let known = table.known();
    let view = table.game().view(Some(ME), &known);
    advise(&view, ADVICE, &mut ChaCha20Rng::seed_from_u64(0))
}

fn update(table: &Table<Shamans>, happened: Vec<Happening<Shamans>>, names: &[String]) -> Update {
    let mut events = Vec::new();
    let mut check = None;
    // The step that was settled just now.
    let step = table.replica().number().saturating_sub(1);
    for happening in happened {
        match happening {
            Happening::Event { by: _, event } => events.push(event),
            Happening::Audited { deal: _, verdict } => check = Some(badge(step, &verdict)),
            // A practise table loses nobody.
            Happening::Overtaken(_)
            | Happening::DealBegins(_)
            | Happening::Gone { .. }
            | Happening::Back(_)
            | Happening::Left(_) => {}
        }
    }
    let known = table.known();
    let mut seen = look(&table.game().view(Some(ME), &known), ME, names);
    for seat in seen.seats.iter_mut().skip(1) {
        if !seat.phantom {
            seat.bot = Some(Bot::Here);
        }
    }
    if !table.my_turn() {
        seen.legal
            .retain(|action| matches!(action, Action::Portal { .. }));
    }
    Update {
        events,
        check,
        record: None,
        advice: None,
        said: Vec::new(),
        table: seen,
        settled: Instant::now(),
    }
}

/// What the check of a deal found in `step`.
pub fn badge(step: u64, verdict: &Verdict) -> Check {
    match verdict.differences().next() {
        Some(fault) => Check::Failed {
            step,
            who: fault.culprit,
            what: fault.wrong.to_string(),
        },
        None if verdict.is_complete() => Check::Fair,
        None => Check::ProofsOnly,
    }
}
