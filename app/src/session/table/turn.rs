//! A table that is read, not played: any page of a record can be laid open at once, or told on at the usual pace.

use gtk::{prelude::*, subclass::prelude::*};

use super::Session;
use crate::{
    pieces::Event,
    session::{
        models::{LineModel, SeatModel, WorldModel, mirror},
        snapshot::{Check, Snapshot, Update},
        tricks::Tricks,
    },
    settings::Settings,
};

/// One page of a record, ready to be shown.
#[derive(Debug, Clone)]
pub struct Leaf {
    /// The table.
    pub table: Snapshot,
    /// The trick and the one before.
    pub tricks: Tricks,
    /// What the log says up to here, with style classes.
    pub lines: Vec<(String, &'static str)>,
    /// What happened since the round was decided, if the next one has not begun.
    pub closing: Vec<Event>,
    /// Who has scored in the round.
    pub scored: Vec<Event>,
    /// The check of the deal, if it is known at this page.
    pub check: Option<Check>,
}

impl Session {
    /// A table that only shows what it is given.
    pub fn of_record(settings: &Settings) -> Session {
        let (commands, _) = async_channel::bounded(1);
        let (_, updates) = async_channel::bounded(1);
        let session = Session::new(settings, commands, updates);
        session.set_replayed(true);
        session
    }

    /// Lays this page open at once: nothing walks or sounds.
    pub fn turn_to(&self, leaf: Leaf) {
        let imp = self.imp();
        imp.turned.set(true);
        imp.steps.borrow_mut().clear();
        if let Some(timer) = imp.timer.take() {
            timer.remove();
        }
        imp.over.set(false);
        imp.show_last.set(false);
        let (guide, destination) = (leaf.tricks.now.guide, leaf.tricks.now.destination);
        imp.tricks.replace(leaf.tricks);
        imp.check.replace(leaf.check);
        imp.round_events.replace(leaf.closing);
        imp.scored.replace(leaf.scored);
        imp.ends.borrow_mut().clear();
        let banner = leaf.lines.last().map(|(text, _)| text.clone());
        self.show_lines(&leaf.lines);
        self.follow(leaf.table);
        for seat in self.seats().iter::<SeatModel>().flatten() {
            mirror!(seat, guide, set_guide, seat.index() as usize == guide);
        }
        for world in self.worlds().iter::<WorldModel>().flatten() {
            let led = Some(world.world()) == destination;
            mirror!(world, destination, set_destination, led);
        }
        if !imp.round_events.borrow().is_empty() {
            self.remember_seats();
        }
        if self.resting() {
            self.set_resting(false);
        }
        self.set_banner(banner.unwrap_or_default());
        self.refresh();
    }

    /// The log by its difference: what stands already stays.
    fn show_lines(&self, lines: &[(String, &'static str)]) {
        let log = self.log();
        let same = log
            .iter::<LineModel>()
            .flatten()
            .zip(lines)
            .take_while(|(line, (text, _))| line.text() == *text)
            .count();
        let fresh: Vec<LineModel> = lines
            .iter()
            .skip(same)
            .map(|(text, kind)| LineModel::new(text, kind))
            .collect();
        let gone = log.n_items() - same as u32;
        if gone > 0 || !fresh.is_empty() {
            log.splice(same as u32, gone, &fresh);
        }
    }

    /// Tells this on, at the player's pace.
    pub fn tell_on(&self, update: Update) {
        self.imp().turned.set(false);
        self.take_in(update);
    }

    /// Was the page just laid open, so that nothing is to be seen on its way?
    pub fn turned(&self) -> bool {
        self.imp().turned.get()
    }
}
