//! A window with nothing in it: what the toolkit alone takes to start, and to paint a whole window in another colour. `tests/gui/speed`
//! measures the client against it. `bare FRAMES` paints so many times and tells the milliseconds that each frame computed.

use std::{cell::Cell, rc::Rc, time::Duration};

use adw::prelude::*;
use gtk::{gdk, glib};
use rustix::time::{ClockId, clock_gettime};

fn main() -> glib::ExitCode {
    let frames = std::env::args()
        .nth(1)
        .and_then(|frames| frames.parse().ok());
    let app = adw::Application::builder()
        .application_id("io.github.shamans_table.Bare")
        .flags(gtk::gio::ApplicationFlags::NON_UNIQUE)
        .build();
    app.connect_activate(move |app| {
        let column = gtk::Box::new(gtk::Orientation::Vertical, 0);
        column.append(&adw::HeaderBar::new());
        let window = adw::ApplicationWindow::builder()
            .application(app)
            .default_width(1180)
            .default_height(780)
            .content(&column)
            .build();
        if let Some(frames) = frames {
            paint(&column, frames);
        }
        window.connect_map(move |window| {
            if let Some(clock) = window.frame_clock() {
                tell(&clock);
            }
        });
        window.present();
    });
    app.run_with_args::<&str>(&[])
}

/// The rest of the window in another colour, again and again.
fn paint(column: &gtk::Box, frames: u32) {
    let area = gtk::DrawingArea::builder().vexpand(true).build();
    column.append(&area);
    let left = Rc::new(Cell::new(frames));
    area.set_draw_func(glib::clone!(
        #[strong]
        left,
        move |_, cairo, _, _| {
            cairo.set_source_rgb(f64::from(left.get() % 2), 0.0, 0.5);
            // What cannot be painted takes no time.
            let _ = cairo.paint();
        }
    ));
    glib::timeout_add_local(Duration::from_millis(300), move || {
        area.queue_draw();
        left.set(left.get() - 1);
        match left.get() {
            0 => glib::ControlFlow::Break,
            _ => glib::ControlFlow::Continue,
        }
    });
}

/// The first frame, and what each one computed.
fn tell(clock: &gdk::FrameClock) {
    let computed = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
    };
    let begun = Rc::new(Cell::new(0.0));
    clock.connect_before_paint(glib::clone!(
        #[strong]
        begun,
        move |_| begun.set(computed())
    ));
    let told = Cell::new(false);
    clock.connect_after_paint(move |_| match told.replace(true) {
        false => println!("first frame"),
        true => println!("{:.1}", computed() - begun.get()),
    });
}
