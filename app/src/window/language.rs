//! The window in another language: a new one opens in its place and takes over everything that goes on.
//!
//! Widgets say their words when they are made. Making them anew leaves none behind, whoever wrote it; session and network do not
//! notice.

use adw::{prelude::*, subclass::prelude::*};
use gtk::gio;

use super::Window;

impl Window {
    /// The window in use: what the network says is heard there.
    pub fn current() -> Option<Window> {
        let app = gio::Application::default().and_downcast::<gtk::Application>()?;
        app.windows()
            .into_iter()
            .find_map(|window| window.downcast().ok())
    }

    /// Goes on where `old` is, and closes it. Pages that only show something are left.
    pub fn take_over(&self, old: &Window) {
        let (new, was) = (self.imp(), old.imp());
        self.set_default_size(old.width(), old.height());
        self.set_maximized(old.is_maximized());
        new.place.replace(was.place.take());
        new.lan.replace(was.lan.take());
        new.code.replace(was.code.take());
        new.far_code.replace(was.far_code.take());
        new.phrase.replace(was.phrase.take());
        new.seats.set(was.seats.get());
        new.phantoms.set(was.phantoms.get());
        new.seed.set(was.seed.get());
        self.parts()
            .lobby
            .nearby()
            .take_over(old.parts().lobby.nearby());
        if let Some((room, seen)) = was.room.take() {
            self.enter_room(seen);
            self.in_room(|now| room.said().iter().for_each(|line| now.tell(line)));
        }
        let session = was.session.borrow().clone();
        if was.tutorial.get() {
            // Goes on where it was left.
            old.stand_up();
            self.learn();
        } else if let Some(session) = session {
            let (online, over, watching) = (was.online.get(), was.over.get(), was.watching.get());
            let screen = was.screen.borrow().clone();
            old.stand_up();
            session.speak_again();
            self.sit_down(&session);
            if online {
                self.show_people(watching);
                new.trouble.take_over(&was.trouble);
                screen
                    .into_iter()
                    .for_each(|screen| self.show_again(&screen));
            }
            new.over.set(over);
        }
        self.present();
        old.destroy();
    }
}
