//! The main window: a header and the screen below it, start or table.

use adw::{prelude::*, subclass::prelude::*};
use gtk::{gio, glib};

use crate::{
    application::Application,
    lobby::Lobby,
    session::{
        Session,
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
        stack.add_named(&Lobby::new(self.settings()), Some("start"));
        let column = gtk::Box::new(gtk::Orientation::Vertical, 0);
        column.append(&header);
        column.append(&stack);
        self.set_content(Some(&column));
        self.add_css_class("night");
        self.imp()
            .parts
            .set(imp::Parts {
                stack,
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
        self.add_action_entries([practise, again, leave, log]);
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
        self.imp().session.replace(Some(session.clone()));
        self.imp().screen.replace(Some(screen));
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
                move |_, _| window.stand_up()
            ),
        );
        dialog.present();
    }
}
