//! What the window can be asked to do, by name: buttons, menus and keys all go through here.

use gtk::{gio, prelude::*, subclass::prelude::*};

use super::Window;
use crate::{session::lan::Wish, words};

impl Window {
    pub(super) fn add_actions(&self) {
        let practise = gio::ActionEntry::builder("practise")
            .parameter_type(Some(&u8::static_variant_type()))
            .activate(|window: &Window, _, seats| {
                window.practise(seats.and_then(|v| v.get()).unwrap_or(4))
            })
            .build();
        let again = gio::ActionEntry::builder("practise-again")
            .activate(|window: &Window, _, _| window.practise(window.imp().seats.get()))
            .build();
        let leave = gio::ActionEntry::builder("leave")
            .activate(|window: &Window, _, _| window.ask_to_leave())
            .build();
        let log = gio::ActionEntry::builder("toggle-log")
            .activate(|window: &Window, _, _| {
                let button = &window.parts().log;
                button.set_active(!button.is_active());
            })
            .build();
        let open = gio::ActionEntry::builder("open-table")
            .parameter_type(Some(&u8::static_variant_type()))
            .activate(|window: &Window, _, seats| {
                let seats = seats.and_then(|v| v.get()).unwrap_or(4);
                let owner = window.settings().name_or_default();
                let name = words::fill("{name}'s table", &[("name", &owner)]);
                window.wish(Wish::Open {
                    name,
                    seats,
                    phantoms: 0,
                });
            })
            .build();
        let join = gio::ActionEntry::builder("join-table")
            .parameter_type(Some(&u64::static_variant_type()))
            .activate(|window: &Window, _, id| {
                id.and_then(|v| v.get())
                    .into_iter()
                    .for_each(|id| window.wish(Wish::Join(id)));
            })
            .build();
        let join_text = gio::ActionEntry::builder("join-text")
            .parameter_type(Some(&String::static_variant_type()))
            .activate(|window: &Window, _, text| {
                text.and_then(|v| v.get())
                    .into_iter()
                    .for_each(|text| window.wish(Wish::JoinText(text)));
            })
            .build();
        let resume = gio::ActionEntry::builder("resume")
            .parameter_type(Some(&String::static_variant_type()))
            .activate(|window: &Window, _, table| {
                let table = table.and_then(|v| v.get());
                table
                    .into_iter()
                    .for_each(|table| window.wish(Wish::Resume(table)));
            })
            .build();
        let say = gio::ActionEntry::builder("say")
            .parameter_type(Some(&String::static_variant_type()))
            .activate(|window: &Window, _, text| {
                let text: Option<String> = text.and_then(|v| v.get());
                if let Some(text) = text {
                    if let Some(session) = window.imp().session.borrow().as_ref() {
                        session.note(&words::fill("You: {text}", &[("text", &text)]), "chat");
                    }
                    window.wish(Wish::Say(text));
                }
            })
            .build();
        let ready = gio::ActionEntry::builder("ready")
            .activate(|window: &Window, _, _| {
                if let Some((room, _)) = window.imp().room.borrow().as_ref() {
                    room.agreed();
                }
                window.wish(Wish::Ready);
            })
            .build();
        self.add_action_entries([
            practise, again, leave, log, open, join, join_text, resume, say, ready,
        ]);
        self.set_help_overlay(Some(&crate::preferences::shortcuts()));
    }
}
