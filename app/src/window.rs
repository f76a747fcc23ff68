//! The main window: a header and the screen below it, start or table.

use std::{cell::Cell, rc::Rc, time::Duration};

use adw::{prelude::*, subclass::prelude::*};
use gtk::{gdk, gio, glib};

use crate::{
    aloud,
    application::Application,
    components::{header::header, sky},
    lobby::{Lobby, doctor::Doctor, room::Room},
    motion,
    session::{
        Session,
        lan::{Lan, Place, Who, seen::RoomSeen},
    },
    settings::Settings,
    table::TableScreen,
    words,
};

mod actions;
mod alone;
mod language;
mod people;
mod seat;
mod trouble;

use trouble::Trouble;

/// So long a window waits for its first frame before it goes on without.
const UNSEEN: Duration = Duration::from_millis(500);

mod imp {
    use std::cell::{OnceCell, RefCell};

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
        /// Phantoms at it.
        pub phantoms: Cell<usize>,
        pub seed: Cell<Option<u64>>,
        pub place: RefCell<Place>,
        /// The network, and the name it was started with.
        pub lan: RefCell<Option<(Lan, Who)>>,
        pub code: RefCell<String>,
        /// The code through a relay; empty while there is none.
        pub far_code: RefCell<String>,
        /// The four words of the table of people.
        pub phrase: RefCell<String>,
        /// The table on screen is one of people.
        pub online: Cell<bool>,
        /// The table on screen is the tutorial's.
        pub tutorial: Cell<bool>,
        /// The game of people is over.
        pub over: Cell<bool>,
        /// The table is only watched.
        pub watching: Cell<bool>,
        pub room: RefCell<Option<(Room, RoomSeen)>>,
        pub doctor: RefCell<Option<Doctor>>,
        pub trouble: Trouble,
        /// What is being told in passing.
        pub toast: RefCell<Option<adw::Toast>>,
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
        crate::watchdog::start(&window);
        window.add_actions();
        window
    }

    fn build(&self) {
        let title = adw::WindowTitle::new(&words::tr("Shamans"), "");
        let header = header(&title);
        let back = icon_button("go-previous-symbolic", &words::tr("Leave the table"));
        back.set_action_name(Some("win.leave"));
        back.set_visible(false);
        header.pack_start(&back);
        let menu = gio::Menu::new();
        let section = gio::Menu::new();
        section.append(Some(&words::tr("Past _Games")), Some("app.past-games"));
        section.append(Some(&words::tr("_Preferences")), Some("app.preferences"));
        section.append(
            Some(&words::tr("_Keyboard Shortcuts")),
            Some("win.shortcuts"),
        );
        section.append(Some(&words::tr("_Statistics")), Some("win.statistics"));
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
        aloud::name_menu(&main_menu, &words::tr("Main menu"));
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

        let stack = motion::pages();
        let lobby = Lobby::new(self.settings());
        stack.add_named(&lobby, Some("start"));
        let column = gtk::Box::new(gtk::Orientation::Vertical, 0);
        column.append(&header);
        let toasts = adw::ToastOverlay::new();
        toasts.set_child(Some(&stack));
        column.append(&toasts);
        self.set_content(Some(&sky::behind(&column)));
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

    /// What need not be waited for. A window that is not drawn, because it opened out of sight, gets it all the same.
    pub fn after_first_frame(&self, then: impl FnOnce(&Window) + 'static) {
        let then = Rc::new(Cell::new(Some(then)));
        let go = glib::clone!(
            #[weak(rename_to = window)]
            self,
            move || {
                if let Some(then) = then.take() {
                    then(&window);
                }
            }
        );
        glib::timeout_add_local_once(UNSEEN, go.clone());
        let Some(clock) = self.frame_clock() else {
            return;
        };
        let id = Rc::new(Cell::new(None));
        let painted = glib::clone!(
            #[strong]
            id,
            move |clock: &gdk::FrameClock| {
                if let Some(id) = id.take() {
                    clock.disconnect(id);
                    glib::idle_add_local_once(go.clone());
                }
            }
        );
        id.set(Some(clock.connect_after_paint(painted)));
    }

    /// Shows the start screen.
    pub fn fill(&self) {
        self.parts().lobby.fill();
    }

    fn parts(&self) -> &imp::Parts {
        self.imp().parts.get().expect("set in new")
    }

    fn settings(&self) -> &Settings {
        self.imp().settings.get().expect("set in new")
    }

    /// The newest word takes the place of the one before: together they might contradict each other.
    fn toast(&self, text: &str) {
        let toast = adw::Toast::builder()
            .title(glib::markup_escape_text(text))
            .timeout(6)
            .build();
        let before = self.imp().toast.take();
        if let Some(before) = before {
            before.dismiss();
        }
        toast.connect_dismissed(glib::clone!(
            #[weak(rename_to = window)]
            self,
            move |toast| {
                let shown = &window.imp().toast;
                if shown.borrow().as_ref() == Some(toast) {
                    shown.take();
                }
            }
        ));
        self.imp().toast.replace(Some(toast.clone()));
        let parts = self.parts();
        match parts.stack.visible_child_name().as_deref() {
            Some("table") => parts.toasts.add_css_class("at-table"),
            Some(_) | None => parts.toasts.remove_css_class("at-table"),
        }
        parts.toasts.add_toast(toast);
    }
}
