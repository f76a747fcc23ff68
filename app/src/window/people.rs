//! The window's ear to the network: starts it, passes wishes on, and shows what comes back.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use super::Window;
use crate::{
    lobby::room::Room,
    session::{
        Session,
        lan::{self, News, Place, RoomSeen, Wish},
    },
    words,
};

impl Window {
    /// How to take part in the network, before it is started.
    pub fn set_place(&self, place: Place) {
        self.imp().place.replace(place);
    }

    /// Starts the network if it is not running under the player's present name.
    pub fn go_online(&self) {
        let name = self.settings().name_or_default();
        if self
            .imp()
            .lan
            .borrow()
            .as_ref()
            .is_some_and(|(_, under)| *under == name)
        {
            return;
        }
        let lan = lan::start(name.clone(), self.imp().place.borrow().clone());
        let news = lan.news.clone();
        self.imp().lan.replace(Some((lan, name)));
        let weak = self.downgrade();
        glib::spawn_future_local(async move {
            while let Ok(news) = news.recv().await {
                let Some(window) = weak.upgrade() else { break };
                window.hear(news);
            }
        });
    }

    pub(super) fn wish(&self, wish: Wish) {
        self.go_online();
        if let Some((lan, _)) = self.imp().lan.borrow().as_ref() {
            // The network thread lives as long as the window holds this end.
            let _ = lan.wishes.try_send(wish);
        }
    }

    pub(super) fn hear(&self, news: News) {
        let parts = self.parts();
        match news {
            News::Code(code) => {
                parts.lobby.nearby().show_code(&code);
                self.imp().code.replace(code);
            }
            News::Nearby { tables, people } => parts.lobby.nearby().show(tables, &people),
            News::Unfinished(tables) => parts.lobby.nearby().show_unfinished(&tables),
            News::Trouble(text) => parts.lobby.nearby().show_trouble(&text),
            News::Room(seen) => self.enter_room(seen),
            News::NoSeat(why) => {
                self.leave_room();
                self.toast(&why);
            }
            News::Proposed => self.in_room(Room::ask_ready),
            News::Ready(count) => self.in_room(|room| room.count_ready(count)),
            News::Begun(begun) => {
                self.leave_room();
                self.sit_down(&Session::new(
                    self.settings(),
                    begun.commands,
                    begun.updates,
                ));
                self.imp().online.set(true);
                if let Some(screen) = self.imp().screen.borrow().as_ref() {
                    screen.let_talk();
                }
                parts.title.set_title(&words::fill(
                    "Four words: {phrase}",
                    &[("phrase", &begun.phrase)],
                ));
                parts.title.set_tooltip_text(Some(&words::tr("Read these four words aloud: if everyone sees the same, you all sit at the same table and nobody stands between you.")));
            }
            News::Said { name, text } => {
                let line = format!("{name}: {text}");
                match self.imp().session.borrow().as_ref() {
                    Some(session) => session.note(&line, "chat"),
                    None => self.in_room(|room| room.tell(&line)),
                }
            }
            News::Notice(text) => {
                if let Some(session) = self.imp().session.borrow().as_ref() {
                    session.note(&text, "strike");
                }
                self.toast(&text);
            }
        }
    }

    pub(super) fn in_room(&self, show: impl FnOnce(&Room)) {
        if let Some((room, _)) = self.imp().room.borrow().as_ref() {
            show(room);
        }
    }

    pub(super) fn enter_room(&self, seen: RoomSeen) {
        let parts = self.parts();
        let mut place = self.imp().room.borrow_mut();
        let room = match place.take() {
            Some((room, before)) => {
                if before != seen {
                    room.show(&seen, &self.imp().code.borrow());
                }
                room
            }
            None => {
                let room = Room::new();
                room.show(&seen, &self.imp().code.borrow());
                parts.stack.add_named(&room, Some("room"));
                parts.stack.set_visible_child_name("room");
                parts.back.set_visible(true);
                room
            }
        };
        place.replace((room, seen));
    }

    pub(super) fn leave_room(&self) {
        let parts = self.parts();
        if let Some((room, _)) = self.imp().room.take() {
            parts.stack.remove(&room);
            parts.back.set_visible(false);
            parts.stack.set_visible_child_name("start");
        }
    }
}
