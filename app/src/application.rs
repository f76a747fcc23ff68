//! The application object: style, actions and accelerators that hold for the whole program.
//!
//! Knows no game; the window holds the screens.

use adw::{prelude::*, subclass::prelude::*};
use gtk::{gdk, gio, glib};

use crate::{
    help, letters, options, past, preferences,
    session::{lan::Place, scripted::Script},
    settings::Settings,
    window::Window,
    words::{self, Language},
};

/// Reverse-domain name of the program: application id, desktop file, icon.
pub const APP_ID: &str = "io.github.shamans_table.Shamans";

/// Where the packed resources lie.
pub const RESOURCES: &str = "/io/github/shamans_table/Shamans";

mod imp {
    use std::{
        cell::{Cell, OnceCell, RefCell},
        ops::ControlFlow,
        path::PathBuf,
    };

    use super::*;

    #[derive(Debug, Default)]
    pub struct Application {
        pub settings: OnceCell<Settings>,
        /// Seats of a practise table asked for on the command line.
        pub practise: Cell<Option<u8>>,
        /// The seed of the next one.
        pub seed: Cell<Option<u64>>,
        /// A scenario to sit down in.
        pub script: RefCell<Option<Script>>,
        /// How to take part in the network.
        pub place: RefCell<Place>,
        /// The code or address of the table to join.
        pub invite: RefCell<Option<String>>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Application {
        const NAME: &'static str = "ShamansApplication";
        type Type = super::Application;
        type ParentType = adw::Application;
    }

    impl ObjectImpl for Application {}

    impl ApplicationImpl for Application {
        fn startup(&self) {
            self.parent_startup();
            self.settings
                .set(Settings::load())
                .expect("startup happens once");
            self.obj().set_up_language();
            self.obj().set_up_icons();
            self.obj().set_up_scheme();
            self.obj().set_up_actions();
        }

        fn activate(&self) {
            self.parent_activate();
            let app = self.obj();
            match Window::current() {
                Some(window) => window.present(),
                None => {
                    let window = app.open_window();
                    window.present();
                    window.set_place(self.place.borrow().clone());
                    let invite = self.invite.take();
                    window.after_first_frame(move |window| {
                        window.fill();
                        window.go_online();
                        letters::prepare(window);
                        if let Some(code) = invite {
                            let code = code.to_variant();
                            WidgetExt::activate_action(window, "win.join-text", Some(&code))
                                .expect("the window has this action");
                        }
                    });
                    if let Some(script) = self.script.take() {
                        window.follow_script(script);
                    }
                    let seed = self.seed.take();
                    seed.into_iter().for_each(|seed| window.set_seed(seed));
                    if let Some(seats) = self.practise.take() {
                        window.practise(seats);
                    }
                }
            }
        }

        /// `shamans FILE`: reads and checks a record.
        fn open(&self, files: &[gio::File], _hint: &str) {
            for path in files.iter().filter_map(|file| file.path()) {
                past::open(&*self.obj(), self.obj().settings(), &path);
            }
        }

        fn handle_local_options(&self, options: &glib::VariantDict) -> ControlFlow<glib::ExitCode> {
            if let Some(code) = options::answer(options) {
                return ControlFlow::Break(code);
            }
            let number = |name: &str| options.lookup::<i32>(name).ok().flatten();
            let seats = number("practise").map(|seats| seats.clamp(3, 5) as u8);
            self.practise.set(seats);
            let seed = number("seed").map(|seed| u64::from(seed.unsigned_abs()));
            self.seed.set(seed);
            let text = options.lookup::<String>("listen").ok().flatten();
            if let Some(text) = text {
                match text.parse() {
                    Ok(ip) => self.place.borrow_mut().ip = Some(ip),
                    Err(_) => {
                        eprintln!(
                            "{}",
                            words::fill("“{text}” is no address to listen on.", &[("text", &text)])
                        );
                        return ControlFlow::Break(glib::ExitCode::from(2));
                    }
                }
            }
            match options::script(options) {
                Some(Ok(script)) => drop(self.script.replace(Some(script))),
                Some(Err(code)) => return ControlFlow::Break(code),
                None => {}
            }
            self.invite.replace(options::invite(options));
            let mut place = self.place.borrow_mut();
            place.quiet = options.contains("no-mdns");
            place.relay = options.lookup("relay").ok().flatten();
            place.external = options.lookup("external").ok().flatten();
            place.folder = options.lookup::<PathBuf>("data-dir").ok().flatten();
            drop(place);
            let app = self.obj();
            if options::apart(options) {
                app.set_flags(app.flags() | gio::ApplicationFlags::NON_UNIQUE);
            } else if app.hand_over_invite() {
                return ControlFlow::Break(glib::ExitCode::SUCCESS);
            }
            ControlFlow::Continue(())
        }
    }

    impl GtkApplicationImpl for Application {}
    impl AdwApplicationImpl for Application {}
}

glib::wrapper! {
    /// One running program.
    pub struct Application(ObjectSubclass<imp::Application>)
        @extends adw::Application, gtk::Application, gio::Application,
        @implements gio::ActionGroup, gio::ActionMap;
}

impl Application {
    /// Not yet running.
    pub fn new() -> Application {
        let app: Application = glib::Object::builder()
            .property("application-id", APP_ID)
            .property("flags", gio::ApplicationFlags::HANDLES_OPEN)
            .build();
        options::add_to(&app);
        app
    }

    /// Gives the invite to the program that runs already. False if there is no invite, or no such program.
    fn hand_over_invite(&self) -> bool {
        let asked = self.imp().invite.borrow().clone();
        // What is wrong with the bus is said when the program goes on.
        let remote = || self.register(gio::Cancellable::NONE).is_ok() && self.is_remote();
        let Some(code) = asked.filter(|_| remote()) else {
            return false;
        };
        self.activate_action("join", Some(&code.to_variant()));
        if let Some(bus) = self.dbus_connection() {
            // This program ends now: it is to be on its way by then.
            let _ = bus.flush_sync(gio::Cancellable::NONE);
        }
        true
    }

    /// Follows an invite in the window that is there, or in a new one.
    fn follow_invite(&self, code: &str) {
        match Window::current() {
            Some(window) => {
                window.present();
                WidgetExt::activate_action(&window, "win.join-text", Some(&code.to_variant()))
                    .expect("the window has this action");
            }
            None => {
                self.imp().invite.replace(Some(code.to_owned()));
                self.activate();
            }
        }
    }

    fn settings(&self) -> &Settings {
        self.imp().settings.get().expect("set at startup")
    }

    fn open_window(&self) -> Window {
        Window::new(self, self.settings())
    }

    /// Before the first window, so that it opens in the right language.
    fn set_up_language(&self) {
        let apply = |settings: &Settings| words::speak(Language::from_code(&settings.language()));
        apply(self.settings());
        self.settings().connect_language_notify(glib::clone!(
            #[weak(rename_to = app)]
            self,
            move |settings| {
                apply(settings);
                glib::idle_add_local_once(glib::clone!(
                    #[weak]
                    app,
                    move || {
                        if let Some(old) = Window::current() {
                            app.open_window().take_over(&old);
                        }
                        past::speak_again(&app, app.settings());
                        help::speak_again();
                    }
                ));
            }
        ));
    }

    fn set_up_scheme(&self) {
        let apply = |settings: &Settings| {
            let scheme = match settings.scheme() {
                1 => adw::ColorScheme::ForceLight,
                2 => adw::ColorScheme::ForceDark,
                _ => adw::ColorScheme::Default,
            };
            adw::StyleManager::default().set_color_scheme(scheme);
        };
        self.settings().connect_scheme_notify(apply);
        apply(self.settings());
    }

    /// The style files are found by their names; the icons need a word.
    fn set_up_icons(&self) {
        if let Some(display) = gdk::Display::default() {
            gtk::IconTheme::for_display(&display).add_resource_path(&format!("{RESOURCES}/icons"));
        }
        gtk::Window::set_default_icon_name(APP_ID);
    }

    fn set_up_actions(&self) {
        let quit = gio::ActionEntry::builder("quit")
            .activate(|app: &Application, _, _| app.quit())
            .build();
        let preferences = gio::ActionEntry::builder("preferences")
            .activate(|app: &Application, _, _| {
                preferences::present(app.settings(), app.active_window().as_ref());
            })
            .build();
        let help = gio::ActionEntry::builder("help")
            .activate(|app: &Application, _, _| help::present(app.active_window().as_ref()))
            .build();
        let about = gio::ActionEntry::builder("about")
            .activate(|app: &Application, _, _| app.show_about())
            .build();
        let past_games = gio::ActionEntry::builder("past-games")
            .activate(|app: &Application, _, _| past::present(app, app.settings()))
            .build();
        let join = gio::ActionEntry::builder("join")
            .parameter_type(Some(&String::static_variant_type()))
            .activate(|app: &Application, _, code| {
                let code = code.and_then(|code| code.get::<String>());
                code.iter().for_each(|code| app.follow_invite(code));
            })
            .build();
        self.add_action_entries([quit, preferences, help, about, past_games, join]);
        for (action, key) in [
            ("app.quit", "<Control>q"),
            ("window.close", "<Control>w"),
            ("app.preferences", "<Control>comma"),
            ("app.help", "F1"),
            ("win.shortcuts", "<Control>question"),
            ("win.toggle-log", "F9"),
            ("win.new-table", "<Control>n"),
            ("win.focus-join", "<Control>j"),
            ("win.talk", "<Control>t"),
            ("win.leave", "<Alt>Left"),
        ] {
            self.set_accels_for_action(action, &[key]);
        }
    }

    fn show_about(&self) {
        let about = adw::AboutWindow::builder()
            .application_name(words::tr("Shamans"))
            .application_icon(APP_ID)
            .version(env!("CARGO_PKG_VERSION"))
            .comments(words::tr("A card game of hidden identities for three to five people on one network. No server, no dealer."))
            .license_type(gtk::License::MitX11)
            .developers([words::tr("The people of Shamans")])
            .debug_info(debug_info())
            .debug_info_filename("shamans-debug.txt")
            .modal(true)
            .build();
        about.set_transient_for(self.active_window().as_ref());
        about.present();
    }
}

/// What a helper wants to know about this installation. Nothing about the player or the game.
fn debug_info() -> String {
    let display = gdk::Display::default()
        .map(|d| d.type_().name().to_owned())
        .unwrap_or_default();
    format!(
        "Shamans {}\nGTK {}.{}.{}\nlibadwaita {}.{}.{}\nDisplay {display}\n{}\n",
        env!("CARGO_PKG_VERSION"),
        gtk::major_version(),
        gtk::minor_version(),
        gtk::micro_version(),
        adw::major_version(),
        adw::minor_version(),
        adw::micro_version(),
        std::env::consts::OS,
    )
}
