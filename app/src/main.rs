//! The desktop client: starts the application and nothing else.

mod aloud;
mod application;
mod art;
mod beside;
mod components;
mod help;
mod letters;
mod lobby;
mod motion;
mod options;
mod past;
mod pieces;
mod preferences;
mod session;
mod settings;
mod sound;
mod statistics;
mod story;
mod table;
mod tutorial;
mod viewer;
mod watchdog;
mod window;
mod words;

use gtk::prelude::*;

fn main() -> gtk::glib::ExitCode {
    let registered = gtk::gio::resources_register_include!("shamans.gresource");
    registered.expect("the resources were packed by the build");
    application::Application::new().run_with_args(&options::arguments())
}
