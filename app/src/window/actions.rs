//! What the window can be asked to do, by name: buttons, menus and keys all go through here.

use gtk::{gio, prelude::*};

use super::Window;
use crate::{
    aloud,
    session::lan::{Wish, seen::Talk},
    statistics,
};

/// An action without a parameter.
fn plain(name: &str, act: impl Fn(&Window) + 'static) -> gio::ActionEntry<Window> {
    gio::ActionEntry::builder(name)
        .activate(move |window: &Window, _, _| act(window))
        .build()
}

/// An action with one.
fn with<T: StaticVariantType + gtk::glib::variant::FromVariant>(
    name: &str,
    act: impl Fn(&Window, T) + 'static,
) -> gio::ActionEntry<Window> {
    gio::ActionEntry::builder(name)
        .parameter_type(Some(&T::static_variant_type()))
        .activate(move |window: &Window, _, value| {
            value
                .and_then(|value| value.get::<T>())
                .into_iter()
                .for_each(|value| act(window, value));
        })
        .build()
}

impl Window {
    pub(super) fn add_actions(&self) {
        aloud::remember_title(self);
        self.connect_map(|window| aloud::quiet(&window.parts().stack));
        self.connect_is_active_notify(Window::answer_call);
        self.add_action_entries([
            with("practise", |window, seats: u8| window.practise(seats)),
            plain("practise-again", Window::practise_again),
            plain("continue-practise", Window::continue_practise),
            plain("tutorial", Window::learn),
            plain("finish-tutorial", Window::stand_up),
            plain("statistics", |window| {
                statistics::page::present(window.settings(), Some(window.upcast_ref()));
            }),
            plain("leave", Window::ask_to_leave),
            plain("toggle-log", |window| {
                let button = &window.parts().log;
                button.set_active(!button.is_active());
            }),
            plain("new-table", |window| {
                if window.is_free() {
                    window.new_table();
                }
            }),
            plain("focus-join", |window| {
                if window.is_free() {
                    window.parts().lobby.nearby().focus_join();
                }
            }),
            with("join-table", |window, id: u64| window.wish(Wish::Join(id))),
            with("watch-table", |window, id: u64| {
                window.wish(Wish::Watch(id));
            }),
            with("join-text", |window, text: String| {
                if window.is_free() {
                    window.wish(Wish::JoinText(text));
                }
            }),
            with("resume", |window, table: String| {
                window.wish(Wish::Resume(table));
            }),
            with("forget-game", |window, table: String| {
                window.ask_to_forget(table);
            }),
            plain("talk", Window::begin_talk),
            plain("end-talk", Window::end_talk),
            with("say", |window, text: String| {
                window.say(Talk::Words(text));
            }),
            with("say-phrase", |window, number: u16| {
                window.say(Talk::Phrase(number));
            }),
            plain("ready", |window| window.wish(Wish::Ready)),
            with("vote", |window, word: String| window.vote(&word)),
            plain("save-proof", Window::save_proof),
            plain("rematch", |window| window.wish(Wish::Rematch)),
            plain("doctor", Window::show_doctor),
            plain("shortcuts", |window| {
                let keys = crate::preferences::shortcuts();
                keys.set_transient_for(Some(window));
                keys.present();
            }),
            with("tell", |window, text: String| window.toast(&text)),
        ]);
    }
}
