//! Sitting down at a table and getting up again: the table screen comes and goes here.

use adw::{prelude::*, subclass::prelude::*};
use gtk::{gio, glib};

use super::Window;
use crate::{
    aloud,
    components::soon::frames_later,
    session::{Session, lan::Wish},
    table::TableScreen,
    words,
};

/// The name of the call to the table: there is at most one.
const CALL: &str = "turn";

impl Window {
    /// The next practise game begins with this seed, for tests and pictures.
    pub fn set_seed(&self, seed: u64) {
        self.imp().seed.set(Some(seed));
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
        screen.prepare(parts.stack.width(), parts.stack.height());
        parts.title.set_title(&words::tr("Practise"));
        parts.stack.add_named(&screen, Some("table"));
        aloud::quiet(&parts.stack);
        parts.stack.set_visible_child_name("table");
        screen.focus_place();
        // From one end of the bar to the other: not while the page changes.
        let buttons = [
            parts.back.clone().upcast::<gtk::Widget>(),
            parts.log.clone().upcast(),
        ];
        frames_later(&screen, 3, move |screen| {
            // Unless the player is up again.
            if screen.parent().is_some() {
                buttons.iter().for_each(|button| button.set_visible(true));
            }
        });
        session.connect_asked_notify(glib::clone!(
            #[weak(rename_to = window)]
            self,
            move |session| window.call(session)
        ));
        self.imp().over.set(false);
        self.imp().watching.set(false);
        self.imp().session.replace(Some(session.clone()));
        self.imp().screen.replace(Some(screen));
    }

    /// Calls a player who looks elsewhere.
    pub(super) fn call(&self, session: &Session) {
        if session.asked() {
            self.ring(&words::tr("Your turn"));
        } else if let Some(app) = self.application() {
            app.withdraw_notification(CALL);
        }
    }

    /// Tells who looks elsewhere that they are needed, and what for.
    pub(super) fn ring(&self, what: &str) {
        if let Some(app) = self.application().filter(|_| !self.is_active()) {
            // Nothing of the cards: others may see the screen.
            let notification = gio::Notification::new(what);
            notification.set_body(Some(&words::tr("The table waits for you.")));
            app.send_notification(Some(CALL), &notification);
        }
    }

    /// Whoever looks here need not be called any more.
    pub(super) fn answer_call(&self) {
        if let Some(app) = self.application().filter(|_| self.is_active()) {
            app.withdraw_notification(CALL);
        }
    }

    pub(super) fn stand_up(&self) {
        let parts = self.parts();
        for binding in self.imp().bindings.take() {
            binding.unbind();
        }
        self.imp().session.take();
        self.imp().tutorial.set(false);
        parts.lobby.alone().refresh(self.settings());
        if let Some(screen) = self.imp().screen.take() {
            parts.stack.remove(&screen);
        }
        parts.back.set_visible(false);
        parts.log.set_visible(false);
        parts.title.set_title(&words::tr("Shamans"));
        parts.title.set_subtitle("");
        parts.stack.set_visible_child_name("start");
    }

    /// Back to where one came from; a table is only left after a question.
    pub(super) fn ask_to_leave(&self) {
        if self.close_doctor() {
            return;
        }
        if self.imp().room.borrow().is_some() {
            self.wish(Wish::Leave);
            self.leave_room();
            return;
        }
        if self.imp().session.borrow().is_none() {
            return;
        }
        let imp = self.imp();
        let at_ease = imp.watching.get() || imp.over.get() || imp.tutorial.get();
        let asked = match (imp.online.get(), at_ease) {
            (_, true) => {
                self.get_up();
                return;
            }
            (true, false) => words::tr(
                "A phantom plays your cards until the end of the game. If you only close the window, you can come back to your seat.",
            ),
            (false, false) => words::tr("This game is kept: you can go on with it later."),
        };
        self.ask(
            &words::tr("Leave the table?"),
            &asked,
            (&words::tr("_Stay"), &words::tr("_Leave")),
            |window| window.get_up(),
        );
    }

    /// Leaves whatever table there is.
    fn get_up(&self) {
        if self.imp().online.replace(false)
            && let Some((lan, _)) = self.imp().lan.borrow().as_ref()
        {
            // If the thread has ended, it has said why.
            let _ = lan.wishes.try_send(Wish::Leave);
        }
        self.stand_up();
    }

    pub(super) fn ask_to_forget(&self, table: String) {
        self.ask(
            &words::tr("Throw this game away?"),
            &words::tr("You lose your seat there, and the others go on without you."),
            (&words::tr("_Keep"), &words::tr("_Throw away")),
            move |window| window.wish(Wish::Forget(table.clone())),
        );
    }

    /// A question with a way out.
    fn ask(
        &self,
        title: &str,
        text: &str,
        (no, yes): (&str, &str),
        then: impl Fn(&Window) + 'static,
    ) {
        let dialog = adw::MessageDialog::new(Some(self), Some(title), Some(text));
        let (no, yes) = (words::answer(no), words::answer(yes));
        dialog.add_responses(&[("no", &no), ("yes", &yes)]);
        dialog.set_response_appearance("yes", adw::ResponseAppearance::Destructive);
        dialog.set_default_response(Some("no"));
        dialog.set_close_response("no");
        dialog.connect_response(
            Some("yes"),
            glib::clone!(
                #[weak(rename_to = window)]
                self,
                move |_, _| then(&window)
            ),
        );
        dialog.present();
    }
}
