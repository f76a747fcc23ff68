//! A window with nothing in it: what the toolkit alone takes to start. `tests/gui/speed` measures the client against it.

use adw::prelude::*;

fn main() -> gtk::glib::ExitCode {
    let app = adw::Application::builder()
        .application_id("io.github.shamans_table.Bare")
        .flags(gtk::gio::ApplicationFlags::NON_UNIQUE)
        .build();
    app.connect_activate(|app| {
        let window = adw::ApplicationWindow::builder()
            .application(app)
            .default_width(1180)
            .default_height(780)
            .content(&adw::HeaderBar::new())
            .build();
        window.connect_map(|window| {
            if let Some(clock) = window.frame_clock() {
                let told = std::cell::Cell::new(false);
                clock.connect_after_paint(move |_| {
                    if !told.replace(true) {
                        println!("first frame");
                    }
                });
            }
        });
        window.present();
    });
    app.run()
}
