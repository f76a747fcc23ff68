//! Playing without people: the tutorial, and practise tables that are kept until they are played to their end.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use adw::subclass::prelude::*;
use gtk::glib;

use super::Window;
use crate::{
    session::{
        Session,
        kept::{Beginning, Kept},
        scripted::Script,
        worker::{self, Practise},
    },
    settings::Settings,
    statistics, tutorial, words,
};

/// Who one plays with while practising.
const OPPONENTS: [&str; 4] = ["Petr", "Radka", "Ruda", "Eliška"];

impl Window {
    /// Sits down at a new practise table with as many phantoms as the player wants.
    pub fn practise(&self, seats: u8) {
        self.practise_with(seats, self.settings().phantoms() as usize);
    }

    /// Another game at a table like the last one.
    pub(super) fn practise_again(&self) {
        self.practise_with(self.imp().seats.get(), self.imp().phantoms.get());
    }

    fn practise_with(&self, seats: u8, phantoms: usize) {
        let seats = usize::from(seats.clamp(3, 5));
        // PHA-1: one person can fill a table with phantoms.
        let phantoms = phantoms.min(seats - 1);
        let mut names = vec![self.settings().name_or_default()];
        let bots = OPPONENTS.iter().take(seats - 1 - phantoms);
        names.extend(bots.map(|name| (*name).to_owned()));
        names.extend((seats - phantoms..seats).map(words::phantom));
        let beginning = Beginning {
            names,
            phantoms,
            seed: self.imp().seed.take().unwrap_or_else(rand::random),
            skill: self.settings().skill(),
        };
        let kept = Kept::here();
        if let Err(error) = kept.begin(&beginning) {
            self.toast(&words::fill(
                "This game cannot be kept for later: {error}",
                &[("error", &error.to_string())],
            ));
        }
        self.practise_at(Practise {
            beginning,
            done: Vec::new(),
            kept,
            tempo: self.practise_tempo(),
        });
    }

    /// Goes on where the last practise game was left.
    pub(super) fn continue_practise(&self) {
        let kept = Kept::here();
        match kept.load() {
            Some((beginning, done)) => self.practise_at(Practise {
                beginning,
                done,
                kept,
                tempo: self.practise_tempo(),
            }),
            None => self.toast(&words::tr("There is no practise game to go on with.")),
        }
    }

    /// The pace of the others follows the preferences.
    fn practise_tempo(&self) -> Arc<AtomicU32> {
        let tempo = Arc::new(AtomicU32::new(0));
        let follow = {
            let tempo = Arc::downgrade(&tempo);
            move |settings: &Settings| {
                if let Some(tempo) = tempo.upgrade() {
                    let thousandths = (settings.tempo() * 1000.0) as u32;
                    tempo.store(thousandths, Ordering::Relaxed);
                }
            }
        };
        follow(self.settings());
        self.settings().connect_pace_notify(follow);
        tempo
    }

    fn practise_at(&self, table: Practise) {
        self.imp().seats.set(table.beginning.names.len() as u8);
        self.imp().phantoms.set(table.beginning.phantoms);
        let (commands, updates) = worker::practise(table);
        let session = Session::new(self.settings(), commands, updates);
        session.set_advises(true);
        statistics::follow(&session, self.settings(), false);
        self.imp().online.set(false);
        self.sit_down(&session);
    }

    /// Sits the player down in a scenario.
    pub fn follow_script(&self, script: Script) {
        let (orders, commands) = async_channel::unbounded();
        let (updates, seen) = async_channel::unbounded();
        let session = Session::new(self.settings(), orders, seen);
        self.imp().online.set(false);
        self.sit_down(&session);
        glib::spawn_future_local(async move {
            // Ends quietly when the window has left the table.
            let _ = script.play(commands, updates).await;
        });
    }

    /// Takes the player through the scripted round.
    pub(super) fn learn(&self) {
        let (session, coach) = tutorial::begin(self.settings());
        self.imp().online.set(false);
        self.sit_down(&session);
        self.imp().tutorial.set(true);
        self.parts().title.set_title(&words::tr("Tutorial"));
        if let Some(screen) = self.imp().screen.borrow().as_ref() {
            screen.add_coach(&coach);
        }
    }
}
