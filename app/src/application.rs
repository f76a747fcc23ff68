//! The application object: style, actions and accelerators that hold for the whole program.
//!
//! Knows no game; the window holds the screens.

use adw::{prelude::*, subclass::prelude::*};
use gtk::{gdk, gio, glib};

use crate::window::Window;

/// Reverse-domain name of the program: application id, desktop file, icon.
pub const APP_ID: &str = "io.github.shamans_table.Shamans";

/// Where the packed resources lie.
pub const RESOURCES: &str = "/io/github/shamans_table/Shamans";

mod imp {
    use super::*;

    #[derive(Debug, Default)]
    pub struct Application;

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
            self.obj().set_up_icons();
            self.obj().set_up_actions();
        }

        fn activate(&self) {
            self.parent_activate();
            let app = self.obj();
            let window = app
                .active_window()
                .unwrap_or_else(|| Window::new(&app).upcast());
            window.present();
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
        glib::Object::builder()
            .property("application-id", APP_ID)
            .property("flags", gio::ApplicationFlags::NON_UNIQUE)
            .build()
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
        self.add_action_entries([quit]);
        self.set_accels_for_action("app.quit", &["<Control>q"]);
        self.set_accels_for_action("window.close", &["<Control>w"]);
    }
}
