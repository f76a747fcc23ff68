//! Sitting down at a table and getting up again: the table screen comes and goes here.

use adw::{prelude::*, subclass::prelude::*};
use gtk::{gio, glib};

use super::Window;
use crate::{
    session::{
        Session,
        lan::Wish,
        worker::{self, Practise},
    },
    table::TableScreen,
    words,
};

/// Who one plays with while practising.
const OPPONENTS: [&str; 4] = ["Petr", "Radka", "Ruda", "Eliška"];

impl Window {
    /// The next practise game begins with this seed, for tests and pictures.
    pub fn set_seed(&self, seed: u64) {
        self.imp().seed.set(Some(seed));
    }

    /// Sits down at a practise table.
    pub fn practise(&self, seats: u8) {
        let seats = seats.clamp(3, 5);
        self.imp().seats.set(seats);
        let mut names = vec![self.settings().name_or_default()];
        names.extend(
            OPPONENTS
                .iter()
                .take(usize::from(seats) - 1)
                .map(|name| (*name).to_owned()),
        );
        let seed = self.imp().seed.take().unwrap_or_else(rand::random);
        let (commands, updates) = worker::practise(Practise { names, seed });
        self.sit_down(&Session::new(self.settings(), commands, updates));
    }

    pub(super) fn sit_down(&self, session: &Session) {
        self.stand_up();
        let parts = self.parts();
        let screen = TableScreen::new(session);
        let log = parts
            .log
            .bind_property("active", &screen, "log-shown")
            .bidirectional()
            .sync_create()
            .build();
        let round = session
            .bind_property("round", &parts.title, "subtitle")
            .transform_to(|_, round: u32| {
                Some(words::fill("Round {n}", &[("n", &round.to_string())]))
            })
            .sync_create()
            .build();
        self.imp().bindings.replace(vec![log, round]);
        parts.title.set_title(&words::tr("Practise"));
        parts.back.set_visible(true);
        parts.log.set_visible(true);
        parts.stack.add_named(&screen, Some("table"));
        parts.stack.set_visible_child_name("table");
        screen.focus_hand();
        session.connect_asked_notify(glib::clone!(
            #[weak(rename_to = window)]
            self,
            move |session| window.call(session)
        ));
        self.imp().session.replace(Some(session.clone()));
        self.imp().screen.replace(Some(screen));
    }

    /// Calls a player who looks elsewhere.
    pub(super) fn call(&self, session: &Session) {
        let Some(app) = self.application() else {
            return;
        };
        if session.asked() && !self.is_active() {
            // Nothing of the cards: others may see the screen.
            let notification = gio::Notification::new(&words::tr("Your turn"));
            notification.set_body(Some(&words::tr("The table waits for you.")));
            app.send_notification(Some("turn"), &notification);
        } else {
            app.withdraw_notification("turn");
        }
    }

    pub(super) fn stand_up(&self) {
        let parts = self.parts();
        for binding in self.imp().bindings.take() {
            binding.unbind();
        }
        self.imp().session.take();
        if let Some(screen) = self.imp().screen.take() {
            parts.stack.remove(&screen);
        }
        parts.back.set_visible(false);
        parts.log.set_visible(false);
        parts.title.set_title(&words::tr("Shamans"));
        parts.title.set_subtitle("");
        parts.stack.set_visible_child_name("start");
    }

    pub(super) fn ask_to_leave(&self) {
        if self.imp().room.borrow().is_some() {
            self.wish(Wish::Leave);
            self.leave_room();
            return;
        }
        if self.imp().session.borrow().is_none() {
            return;
        }
        let dialog = adw::MessageDialog::new(
            Some(self),
            Some(&words::tr("Leave the table?")),
            Some(&words::tr("This practise game will not be kept.")),
        );
        dialog.add_responses(&[
            ("stay", &words::tr("_Stay")),
            ("leave", &words::tr("_Leave")),
        ]);
        dialog.set_response_appearance("leave", adw::ResponseAppearance::Destructive);
        dialog.set_default_response(Some("stay"));
        dialog.set_close_response("stay");
        dialog.connect_response(
            Some("leave"),
            glib::clone!(
                #[weak(rename_to = window)]
                self,
                move |_, _| {
                    if window.imp().online.replace(false) {
                        window.wish(Wish::Leave);
                    }
                    window.stand_up();
                }
            ),
        );
        dialog.present();
    }
}
