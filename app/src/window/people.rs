//! The window's ear to the network: starts it, passes wishes on, and shows what comes back.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use super::Window;
use crate::{
    aloud,
    lobby::{doctor::Doctor, room::Room},
    session::{
        Session,
        lan::{
            self, Begun, News, Place, Who, Wish,
            seen::{RoomSeen, TableOptions, Talk},
        },
    },
    words::{self, talk},
};

impl Window {
    /// How to take part in the network, before it is started.
    pub fn set_place(&self, place: Place) {
        self.imp().place.replace(place);
    }

    /// Starts the network, or tells it the player's present name and how to be reached.
    pub fn go_online(&self) {
        let (settings, place) = (self.settings(), self.imp().place.borrow().clone());
        let who = Who {
            name: settings.name_or_default(),
            relay: place.relay.unwrap_or_else(|| settings.relay()),
            external: place.external.unwrap_or_else(|| settings.external()),
        };
        if let Some((lan, under)) = self.imp().lan.borrow_mut().as_mut() {
            if *under != who {
                *under = who.clone();
                self.imp().code.take();
                self.imp().far_code.take();
                let _ = lan.wishes.try_send(Wish::Be(who));
            }
            return;
        }
        let lan = lan::start(who.clone(), self.imp().place.borrow().clone());
        let news = lan.news.clone();
        self.imp().lan.replace(Some((lan, who)));
        glib::spawn_future_local(async move {
            while let Ok(news) = news.recv().await {
                let Some(window) = Window::current() else {
                    break;
                };
                window.hear(news);
            }
        });
    }

    /// Asks the network for something. At a table the name stays what it was.
    pub(super) fn wish(&self, wish: Wish) {
        let seated = self.imp().room.borrow().is_some() || self.imp().online.get();
        if !seated {
            self.go_online();
        }
        // What was wrong before is said again if it still is.
        self.parts().lobby.nearby().show_trouble("");
        if let Some((lan, _)) = self.imp().lan.borrow().as_ref() {
            // If the thread has ended, it has said why.
            let _ = lan.wishes.try_send(wish);
        }
    }

    fn hear(&self, news: News) {
        let parts = self.parts();
        let nearby = parts.lobby.nearby();
        match news {
            News::Code { code, relay } => {
                let place = if relay {
                    &self.imp().far_code
                } else {
                    &self.imp().code
                };
                place.replace(code);
                if relay && self.imp().trouble.relay.take() {
                    // It is back.
                    nearby.show_trouble("");
                }
                self.in_room(|room| self.show_codes(room));
            }
            News::Links(ways) => {
                if let Some(session) = self.imp().session.borrow().as_ref() {
                    session.show_ways(&ways);
                }
            }
            News::Nearby { tables, people } => nearby.show(&tables, &people),
            News::Interrupted(games) => nearby.show_interrupted(&games),
            News::Offline(why) => {
                // Started anew when it is needed next.
                self.imp().lan.take();
                nearby.show_trouble(&sentence(&why));
            }
            News::Trouble(text) => {
                self.imp().trouble.relay.set(false);
                self.show_trouble(&text);
            }
            News::RelayLost(text) => {
                self.imp().trouble.relay.set(true);
                self.show_trouble(&text);
            }
            News::Stuck(text) => self.show_stuck(&text),
            News::ChangedKey {
                name,
                before,
                now,
                key,
            } => self.ask_about_key(&name, &before, &now, key),
            News::Advice(advice) => {
                if let Some(doctor) = self.imp().doctor.borrow().as_ref() {
                    doctor.show(&advice);
                }
            }
            News::Joining => nearby.show_wrong(&words::tr("Knocking…")),
            News::Room(seen) => {
                nearby.show_wrong("");
                self.enter_room(seen);
            }
            News::NoSeat(why) => {
                // In a room, or after a game: asked for another one there.
                let sat = self.imp().room.borrow().is_some() || self.imp().online.get();
                self.leave_room();
                if let Some(screen) = self.imp().screen.borrow().as_ref() {
                    screen.let_ask_again();
                }
                if sat {
                    self.toast(&sentence(&why));
                } else {
                    nearby.show_wrong(&sentence(&why));
                }
            }
            News::Begun(begun) => {
                nearby.show_wrong("");
                self.begin(begun);
            }
            News::Said { name, talk } => self.show_said(&name, &talk),
            News::Absence(absence) => self.show_absence(absence),
            News::Caught { name, what, proof } => self.show_caught(&name, &what, proof),
            News::Notice(text) => {
                let text = sentence(&text);
                if let Some(session) = self.imp().session.borrow().as_ref() {
                    session.note(&text, "strike");
                }
                self.toast(&text);
                // What was chosen may not have come about.
                if let Some((room, seen)) = self.imp().room.borrow().as_ref() {
                    room.show(seen);
                }
            }
            News::Over(record) => {
                self.imp().over.set(true);
                if let Some(session) = self.imp().session.borrow().as_ref() {
                    session.set_record(record);
                }
            }
        }
    }

    fn begin(&self, begun: Begun) {
        self.leave_room();
        self.close_doctor();
        let session = Session::new(self.settings(), begun.commands, begun.updates);
        session.set_people(true);
        session.set_think(u32::from(begun.think));
        if !begun.watching {
            crate::statistics::follow(&session, self.settings(), true);
        }
        self.sit_down(&session);
        self.imp().phrase.replace(begun.phrase);
        self.forget_trouble();
        self.show_people(begun.watching);
    }

    /// What a table of people has and one of bots has not.
    pub(super) fn show_people(&self, watching: bool) {
        self.imp().online.set(true);
        self.imp().watching.set(watching);
        if let Some(screen) = self.imp().screen.borrow().as_ref() {
            if watching {
                screen.watch_only();
            } else {
                screen.let_talk();
            }
        }
        let title = &self.parts().title;
        if watching {
            title.set_title(&words::tr("Watching"));
        } else {
            let phrase = self.imp().phrase.borrow().clone();
            title.set_title(&words::fill("Four words: {phrase}", &[("phrase", &phrase)]));
            self.show_phrase(&phrase);
        }
        self.parts().title.set_tooltip_text(Some(&words::tr("The same four words on every screen: all sit at the same table and nobody stands between.")));
    }

    /// The focus goes where words are typed.
    pub(super) fn begin_talk(&self) {
        self.in_room(Room::focus_talk);
        if let Some(screen) = self.imp().screen.borrow().as_ref() {
            screen.focus_talk();
        }
    }

    /// The focus goes back to the table.
    pub(super) fn end_talk(&self) {
        self.in_room(Room::end_talk);
        if let Some(screen) = self.imp().screen.borrow().as_ref() {
            screen.focus_place();
        }
    }

    pub(super) fn say(&self, talk: Talk) {
        let text = match &talk {
            Talk::Words(text) => Some(text.clone()),
            Talk::Phrase(number) => talk::phrase(*number),
        };
        if let Some(text) = text {
            let line = words::fill("You: {text}", &[("text", &text)]);
            self.show_line(&line);
            self.wish(Wish::Say(talk));
        }
    }

    fn show_said(&self, name: &str, talk: &Talk) {
        let text = match talk {
            Talk::Words(text) => Some(text.clone()),
            Talk::Phrase(number) => talk::phrase(*number),
        };
        if let Some(text) = text {
            self.show_line(&format!("{name}: {text}"));
        }
    }

    fn show_line(&self, line: &str) {
        match self.imp().session.borrow().as_ref() {
            Some(session) => session.note(line, "chat"),
            None => self.in_room(|room| room.tell(line)),
        }
    }

    /// Sits at no table, and may go to one: the start page is in front then. Otherwise says what is in the way.
    pub(super) fn is_free(&self) -> bool {
        let seated = self.imp().room.borrow().is_some() || self.imp().session.borrow().is_some();
        if seated {
            self.toast(&words::tr("You sit at a table: leave it first."));
        } else {
            self.close_doctor();
        }
        !seated
    }

    pub(super) fn new_table(&self) {
        let owner = self.settings().name_or_default();
        let name = words::fill("{name}'s table", &[("name", &owner)]);
        self.wish(Wish::Open {
            name,
            options: TableOptions::default(),
        });
    }

    pub(super) fn show_doctor(&self) {
        let parts = self.parts();
        let mut page = self.imp().doctor.borrow_mut();
        let doctor = page.get_or_insert_with(|| {
            let doctor = Doctor::new();
            parts.stack.add_named(&doctor, Some("doctor"));
            aloud::quiet(&parts.stack);
            doctor
        });
        doctor.wait();
        parts.stack.set_visible_child(doctor);
        parts.back.set_visible(true);
        drop(page);
        self.wish(Wish::Examine);
    }

    /// Back from the doctor to where the player was. False if he was not asked.
    pub(super) fn close_doctor(&self) -> bool {
        let parts = self.parts();
        let Some(doctor) = self.imp().doctor.take() else {
            return false;
        };
        let place = if self.imp().screen.borrow().is_some() {
            "table"
        } else if self.imp().room.borrow().is_some() {
            "room"
        } else {
            "start"
        };
        parts.stack.set_visible_child_name(place);
        parts.back.set_visible(place != "start");
        parts.stack.remove(&doctor);
        true
    }

    fn show_codes(&self, room: &Room) {
        room.show_codes(&self.imp().code.borrow(), &self.imp().far_code.borrow());
    }

    pub(super) fn in_room(&self, show: impl FnOnce(&Room)) {
        if let Some((room, _)) = self.imp().room.borrow().as_ref() {
            show(room);
        }
    }

    pub(super) fn enter_room(&self, seen: RoomSeen) {
        let parts = self.parts();
        if self.imp().online.replace(false) {
            // A rematch: the finished table makes room.
            self.stand_up();
        }
        let mut place = self.imp().room.borrow_mut();
        let room = match place.take() {
            Some((room, _)) => room,
            None => {
                let window = self.downgrade();
                let room = Room::new(self.settings(), move |options| {
                    if let Some(window) = window.upgrade() {
                        window.wish(Wish::Change(options));
                    }
                });
                self.show_codes(&room);
                parts.stack.add_named(&room, Some("room"));
                aloud::quiet(&parts.stack);
                parts.stack.set_visible_child_name("room");
                parts.back.set_visible(true);
                room
            }
        };
        room.show(&seen);
        if GtkWindowExt::focus(self).is_none_or(|widget| !widget.is_mapped()) {
            room.child_focus(gtk::DirectionType::TabForward);
        }
        place.replace((room, seen));
    }

    pub(super) fn leave_room(&self) {
        let parts = self.parts();
        if let Some((room, _)) = self.imp().room.take() {
            parts.stack.set_visible_child_name("start");
            parts.back.set_visible(false);
            parts.stack.remove(&room);
        }
    }
}

/// A reason as a sentence: with a large letter and a full stop.
pub(super) fn sentence(why: &str) -> String {
    let mut letters = why.chars();
    let first: String = letters
        .next()
        .map(|c| c.to_uppercase().collect())
        .unwrap_or_default();
    let rest = letters.as_str();
    let stop = if rest.ends_with(['.', '!', '?', '…']) {
        ""
    } else {
        "."
    };
    format!("{first}{rest}{stop}")
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn a_reason_becomes_a_sentence() {
        assert_eq!(sentence("all seats are taken"), "All seats are taken.");
        assert_eq!(sentence("Done!"), "Done!");
        assert_eq!(sentence("échec"), "Échec.");
    }
}
