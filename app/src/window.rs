//! The main window: a header and the screen shown below it.

use adw::{prelude::*, subclass::prelude::*};
use gtk::{gio, glib};

use crate::application::Application;

mod imp {
    use super::*;

    #[derive(Debug, Default)]
    pub struct Window;

    #[glib::object_subclass]
    impl ObjectSubclass for Window {
        const NAME: &'static str = "ShamansWindow";
        type Type = super::Window;
        type ParentType = adw::ApplicationWindow;
    }

    impl ObjectImpl for Window {
        fn constructed(&self) {
            self.parent_constructed();
            let window = self.obj();
            window.set_title(Some("Shamans"));
            window.set_default_size(1180, 760);
            let column = gtk::Box::new(gtk::Orientation::Vertical, 0);
            column.append(&adw::HeaderBar::new());
            let greeting = adw::StatusPage::builder()
                .title("Shamans")
                .vexpand(true)
                .build();
            column.append(&greeting);
            window.set_content(Some(&column));
        }
    }

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

impl Window {
    /// A window of `app`, not yet shown.
    pub fn new(app: &Application) -> Window {
        glib::Object::builder().property("application", app).build()
    }
}
