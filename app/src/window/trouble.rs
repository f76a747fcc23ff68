//! What the window does when something goes wrong at a table of people: notices above the table, votes, proofs, keys.

use std::{
    cell::{Cell, RefCell},
    collections::HashSet,
    path::PathBuf,
    time::Duration,
};

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;
use shamans_net::sentences::spoken;

use super::{Window, people::sentence};
use crate::{
    pieces::SeatSet,
    session::lan::{
        Wish,
        seen::{Absence, Said},
    },
    sound,
    table::{TableScreen, notices::About},
    words::{self, trouble},
};

/// A disk that refuses is tried every two seconds: if nothing is said for longer, it is mended.
const MENDED: Duration = Duration::from_secs(5);

/// What is known of it.
#[derive(Debug, Default)]
pub struct Trouble {
    absence: RefCell<Absence>,
    mine: Cell<Option<Said>>,
    caught: RefCell<Option<Caught>>,
    /// The start page speaks of a lost relay.
    pub(super) relay: Cell<bool>,
    /// When the last word about the disk came.
    disk: Cell<u32>,
    /// Names that came with another key, and about which the player is being asked.
    asked: RefCell<HashSet<String>>,
}

/// Somebody broke the rules.
#[derive(Debug, Clone)]
struct Caught {
    name: String,
    /// What they did.
    what: String,
    /// The file that proves it.
    proof: String,
}

impl Trouble {
    /// The same table in another window.
    pub(super) fn take_over(&self, old: &Trouble) {
        self.absence.replace(old.absence.take());
        self.mine.set(old.mine.get());
        self.caught.replace(old.caught.take());
    }
}

impl Window {
    /// Another table: nothing is wrong there yet.
    pub(super) fn forget_trouble(&self) {
        let state = &self.imp().trouble;
        state.absence.replace(Absence::default());
        state.mine.set(None);
        state.caught.replace(None);
    }

    /// Says again what `before` still said about the table.
    pub(super) fn show_again(&self, before: &TableScreen) {
        self.refresh_absence();
        if before.notices(About::Caught) {
            self.refresh_caught();
        }
        if !before.notices(About::Phrase)
            && let Some(screen) = self.imp().screen.borrow().as_ref()
        {
            screen.notice(About::Phrase, None);
        }
    }

    pub(super) fn show_phrase(&self, phrase: &str) {
        if let Some(screen) = self.imp().screen.borrow().as_ref() {
            screen.notice(About::Phrase, Some(trouble::phrase(phrase)));
        }
    }

    pub(super) fn show_absence(&self, absence: Absence) {
        let state = &self.imp().trouble;
        // An answer that came to nothing is not given again by itself.
        let failed = absence.failed && !state.absence.borrow().failed;
        if absence.overdue.is_empty() || failed {
            state.mine.set(None);
        }
        let before = state.absence.replace(absence.clone());
        if before.overdue.is_empty() && !absence.overdue.is_empty() {
            self.ring(&words::tr("Somebody did not come back. How to go on?"));
            sound::call(self.settings());
        }
        let newly: SeatSet = absence
            .silent
            .iter()
            .map(|(seat, _)| *seat)
            .filter(|seat| before.silent.iter().all(|(known, _)| known != seat))
            .collect();
        if let Some(session) = self.imp().session.borrow().as_ref() {
            for seat in newly.iter() {
                let name = absence.names.get(seat.index()).cloned();
                session.note(&trouble::lost(&name.unwrap_or_default()), "strike");
            }
        }
        self.refresh_absence();
    }

    fn refresh_absence(&self) {
        let state = &self.imp().trouble;
        let bar = trouble::absence(&state.absence.borrow(), state.mine.get());
        if let Some(screen) = self.imp().screen.borrow().as_ref() {
            screen.notice(About::Absence, bar);
        }
    }

    pub(super) fn vote(&self, word: &str) {
        let state = &self.imp().trouble;
        let gone = state.absence.borrow().overdue;
        if gone.is_empty() {
            return;
        }
        let said = match word {
            "stand-in" => Said::StandIn,
            "void" => Said::Void,
            _ => Said::Wait,
        };
        state.mine.set(Some(said));
        self.wish(match said {
            Said::StandIn => Wish::GoOn { gone, void: false },
            Said::Void => Wish::GoOn { gone, void: true },
            Said::Wait => Wish::KeepWaiting,
        });
        self.refresh_absence();
    }

    pub(super) fn show_caught(&self, name: &str, what: &str, proof: String) {
        let (name, what) = (name.to_owned(), what.to_owned());
        let caught = Caught { name, what, proof };
        self.imp().trouble.caught.replace(Some(caught));
        self.refresh_caught();
    }

    fn refresh_caught(&self) {
        let caught = self.imp().trouble.caught.borrow().clone();
        if let (Some(screen), Some(caught)) = (self.imp().screen.borrow().as_ref(), caught) {
            // First things first.
            screen.notice(About::Phrase, None);
            let what = sentence(&spoken(&caught.what));
            let bar = trouble::caught(&caught.name, what.trim_end_matches('.'));
            screen.notice(About::Caught, Some(bar));
        }
    }

    /// Keeps the proof where the player says.
    pub(super) fn save_proof(&self) {
        let Some(caught) = self.imp().trouble.caught.borrow().clone() else {
            return;
        };
        let (name, text) = (caught.name, caught.proof);
        let dialog = gtk::FileChooserNative::new(
            Some(&words::tr("Save the proof")),
            Some(self),
            gtk::FileChooserAction::Save,
            None,
            None,
        );
        dialog.set_current_name(&format!("{name}.shamans-proof"));
        dialog.connect_response(glib::clone!(
            #[weak(rename_to = window)]
            self,
            // The native dialog lives as long as somebody holds it.
            #[strong]
            dialog,
            move |_, response| {
                let path = dialog.file().and_then(|file| file.path());
                if let (gtk::ResponseType::Accept, Some(path)) = (response, path) {
                    window.write_proof(&path, &text);
                }
                dialog.destroy();
            }
        ));
        dialog.show();
    }

    fn write_proof(&self, path: &PathBuf, text: &str) {
        match std::fs::write(path, text) {
            Ok(()) => self.toast(&words::tr("The proof is saved.")),
            Err(error) => self.toast(&words::fill(
                "The proof could not be saved: {why}",
                &[("why", &error.to_string())],
            )),
        }
    }

    /// Something does not work: told in passing where people sit together, else on the start page.
    pub(super) fn show_trouble(&self, text: &str) {
        if self.imp().online.get() || self.imp().room.borrow().is_some() {
            self.toast(&sentence(text));
        } else {
            self.parts().lobby.nearby().show_trouble(&sentence(text));
        }
    }

    /// The disk refuses: that stands above the table until it is mended.
    pub(super) fn show_stuck(&self, text: &str) {
        let screen = self.imp().screen.borrow().clone();
        let Some(screen) = screen.filter(|_| self.imp().online.get()) else {
            self.show_trouble(text);
            return;
        };
        screen.notice(About::Disk, Some(trouble::disk(&sentence(text))));
        let said = &self.imp().trouble.disk;
        said.set(said.get().wrapping_add(1));
        let at = said.get();
        glib::timeout_add_local_once(
            MENDED,
            glib::clone!(
                #[weak(rename_to = window)]
                self,
                move || {
                    if window.imp().trouble.disk.get() == at {
                        screen.notice(About::Disk, None);
                    }
                }
            ),
        );
    }

    /// A known name comes with another key: only people can tell whether that is right.
    pub(super) fn ask_about_key(&self, name: &str, before: &str, now: &str, key: [u8; 32]) {
        if !self
            .imp()
            .trouble
            .asked
            .borrow_mut()
            .insert(name.to_owned())
        {
            // A question about this name stands on the screen still.
            return;
        }
        // They are read aloud: no line ends within one.
        let [before, now] = [before, now].map(|key| key.replace('-', "\u{2011}"));
        let text = words::fill(
            "This may be {name} on a new computer, or somebody else under that name. Ask in person and compare: the key was {before} and is now {now}. Until you decide, they are not let in.",
            &[("name", name), ("before", &before), ("now", &now)],
        );
        let dialog = adw::MessageDialog::new(
            Some(self),
            Some(&words::fill(
                "{name} comes with another key",
                &[("name", name)],
            )),
            Some(&text),
        );
        dialog.add_responses(&[
            ("refuse", &words::answer(&words::tr("_Do not let in"))),
            ("trust", &words::answer(&words::tr("It _is them"))),
        ]);
        // In another language it is asked anew.
        dialog.set_destroy_with_parent(true);
        dialog.set_default_response(Some("refuse"));
        dialog.set_close_response("refuse");
        let name = name.to_owned();
        dialog.connect_response(
            Some("trust"),
            glib::clone!(
                #[weak(rename_to = window)]
                self,
                #[strong]
                name,
                move |_, _| {
                    let name = name.clone();
                    window.wish(Wish::Trust { name, key });
                    window.toast(&words::tr("Ask them to join once more."));
                }
            ),
        );
        dialog.connect_response(
            None,
            glib::clone!(
                #[weak(rename_to = window)]
                self,
                move |_, _| {
                    window.imp().trouble.asked.borrow_mut().remove(&name);
                }
            ),
        );
        dialog.present();
    }
}
