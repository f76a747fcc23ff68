//! The main window: a header and the screen below it, start or table.

use adw::{prelude::*, subclass::prelude::*};
use gtk::{gio, glib};

use crate::{
    application::Application,
    lobby::{Lobby, room::Room},
    session::{
        Session,
        lan::{self, Lan, News, RoomSeen, Wish},
        worker::{self, Practise},
    },
    settings::Settings,
    table::TableScreen,
    words,
};

/// Who one plays with while practising.
const OPPONENTS: [&str; 4] = ["Petr", "Radka", "Ruda", "Eliška"];

mod imp {
    use std::cell::{Cell, OnceCell, RefCell};

    use super::*;

    #[derive(Debug)]
    pub struct Parts {
        pub stack: gtk::Stack,
        pub lobby: Lobby,
        pub toasts: adw::ToastOverlay,
        pub title: adw::WindowTitle,
        pub back: gtk::Button,
        pub log: gtk::ToggleButton,
    }

    #[derive(Debug, Default)]
    pub struct Window {
        pub parts: OnceCell<Parts>,
        pub settings: OnceCell<Settings>,
        pub session: RefCell<Option<Session>>,
        pub screen: RefCell<Option<TableScreen>>,
        pub bindings: RefCell<Vec<glib::Binding>>,
        pub seats: Cell<u8>,
        pub seed: Cell<Option<u64>>,
        pub listen: Cell<Option<std::net::IpAddr>>,
        /// The network, and the name it was started with.
        pub lan: RefCell<Option<(Lan, String)>>,
        pub code: RefCell<String>,
        /// The table on screen is one of people.
        pub online: Cell<bool>,
        pub room: RefCell<Option<(Room, RoomSeen)>>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Window {
        const NAME: &'static str = "ShamansWindow";
        type Type = super::Window;
        type ParentType = adw::ApplicationWindow;
    }

    impl ObjectImpl for Window {}
    impl WidgetImpl for Window {}
    impl WindowImpl for Window {}
    impl ApplicationWindowImpl for Window {}
    impl AdwApplicationWindowImpl for Window {}
}

glib::wrapper! {
    /// One window of the program.
    pub struct Window(ObjectSubclass<imp::Window>)
        @extends adw::ApplicationWindow, gtk::ApplicationWindow, gtk::Window, gtk::Widget,
        @implements gio::ActionGroup, gio::ActionMap, gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget, gtk::Native, gtk::Root, gtk::ShortcutManager;
}

fn icon_button(icon: &str, name: &str) -> gtk::Button {
    let button = gtk::Button::builder()
        .icon_name(icon)
        .tooltip_text(name)
        .build();
    button.update_property(&[gtk::accessible::Property::Label(name)]);
    button
}

impl Window {
    /// A window of `app`, not yet shown.
    pub fn new(app: &Application, settings: &Settings) -> Window {
        let window: Window = glib::Object::builder().property("application", app).build();
        window
            .imp()
            .settings
            .set(settings.clone())
            .expect("set once, here");
        window.set_title(Some(&words::tr("Shamans")));
        window.set_default_size(1180, 780);
        window.build();
        window.add_actions();
        window
    }

    fn build(&self) {
        let title = adw::WindowTitle::new(&words::tr("Shamans"), "");
        let header = adw::HeaderBar::builder().title_widget(&title).build();
        let back = icon_button("go-previous-symbolic", &words::tr("Leave the table"));
        back.set_action_name(Some("win.leave"));
        back.set_visible(false);
        header.pack_start(&back);
        let menu = gio::Menu::new();
        let section = gio::Menu::new();
        section.append(Some(&words::tr("_Preferences")), Some("app.preferences"));
        section.append(
            Some(&words::tr("_Keyboard Shortcuts")),
            Some("win.show-help-overlay"),
        );
        section.append(Some(&words::tr("_Rules")), Some("app.help"));
        section.append(Some(&words::tr("_About Shamans")), Some("app.about"));
        menu.append_section(None, &section);
        let main_menu = gtk::MenuButton::builder()
            .icon_name("open-menu-symbolic")
            .menu_model(&menu)
            .primary(true)
            .tooltip_text(words::tr("Main menu"))
            .build();
        main_menu.update_property(&[gtk::accessible::Property::Label(&words::tr("Main menu"))]);
        header.pack_end(&main_menu);
        let log = gtk::ToggleButton::builder()
            .icon_name("view-list-symbolic")
            .tooltip_text(words::tr("What happened"))
            .active(true)
            .visible(false)
            .build();
        log.update_property(&[gtk::accessible::Property::Label(&words::tr(
            "What happened",
        ))]);
        header.pack_end(&log);

        let stack = gtk::Stack::builder()
            .transition_type(gtk::StackTransitionType::Crossfade)
            .vexpand(true)
            .build();
        let lobby = Lobby::new(self.settings());
        stack.add_named(&lobby, Some("start"));
        let column = gtk::Box::new(gtk::Orientation::Vertical, 0);
        column.append(&header);
        let toasts = adw::ToastOverlay::new();
        toasts.set_child(Some(&stack));
        column.append(&toasts);
        self.set_content(Some(&column));
        self.add_css_class("night");
        self.imp()
            .parts
            .set(imp::Parts {
                stack,
                lobby,
                toasts,
                title,
                back,
                log,
            })
            .expect("set once, here");
    }

    fn parts(&self) -> &imp::Parts {
        self.imp().parts.get().expect("set in new")
    }

    fn settings(&self) -> &Settings {
        self.imp().settings.get().expect("set in new")
    }

    /// The next practise game begins with this seed, for tests and pictures.
    pub fn set_seed(&self, seed: u64) {
        self.imp().seed.set(Some(seed));
    }

    fn add_actions(&self) {
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

    /// Listens on this address only, for tests.
    pub fn set_listen(&self, ip: std::net::IpAddr) {
        self.imp().listen.set(Some(ip));
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
        let lan = lan::start(name.clone(), self.imp().listen.get());
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

    fn wish(&self, wish: Wish) {
        self.go_online();
        if let Some((lan, _)) = self.imp().lan.borrow().as_ref() {
            // The network thread lives as long as the window holds this end.
            let _ = lan.wishes.try_send(wish);
        }
    }

    fn toast(&self, text: &str) {
        self.parts().toasts.add_toast(
            adw::Toast::builder()
                .title(glib::markup_escape_text(text))
                .timeout(6)
                .build(),
        );
    }

    fn hear(&self, news: News) {
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

    fn in_room(&self, show: impl FnOnce(&Room)) {
        if let Some((room, _)) = self.imp().room.borrow().as_ref() {
            show(room);
        }
    }

    fn enter_room(&self, seen: RoomSeen) {
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

    fn leave_room(&self) {
        let parts = self.parts();
        if let Some((room, _)) = self.imp().room.take() {
            parts.stack.remove(&room);
            parts.back.set_visible(false);
            parts.stack.set_visible_child_name("start");
        }
    }

    fn sit_down(&self, session: &Session) {
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
    fn call(&self, session: &Session) {
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

    fn stand_up(&self) {
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

    fn ask_to_leave(&self) {
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
