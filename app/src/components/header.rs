//! The bar at the head of a window: where that is narrow, the title is worth more than buttons which every desktop has keys for.

use adw::prelude::*;
use gtk::glib;

use super::adaptive::is_narrow;

/// The buttons of the system's choice, without those that make a window small or large.
fn only_close(layout: &str) -> String {
    let side = |side: &str| {
        let kept = side
            .split(',')
            .filter(|button| !matches!(button.trim(), "minimize" | "maximize"));
        kept.collect::<Vec<_>>().join(",")
    };
    layout.split(':').map(side).collect::<Vec<_>>().join(":")
}

/// A bar with this in its middle.
pub fn header(title: &impl IsA<gtk::Widget>) -> adw::HeaderBar {
    let header = adw::HeaderBar::builder().title_widget(title).build();
    header.connect_realize(|header| {
        let Some(surface) = header.native().and_then(|native| native.surface()) else {
            return;
        };
        surface.connect_layout(glib::clone!(
            #[weak]
            header,
            move |_, width, _| {
                let chosen =
                    gtk::Settings::default().and_then(|system| system.gtk_decoration_layout());
                let layout = chosen
                    .filter(|_| is_narrow(width))
                    .map(|layout| only_close(&layout));
                if header.decoration_layout().as_deref() != layout.as_deref() {
                    // Not while places are being given.
                    glib::idle_add_local_once(move || {
                        header.set_decoration_layout(layout.as_deref());
                    });
                }
            }
        ));
    });
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_closes_on_the_left_closes_on_the_left() {
        assert_eq!(only_close("menu:minimize,maximize,close"), "menu:close");
        assert_eq!(only_close("close,minimize:icon"), "close:icon");
        assert_eq!(only_close(":minimize"), ":");
        assert_eq!(only_close(""), "");
    }
}
