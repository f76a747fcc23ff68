//! For whoever listens instead of looking: what a screen reader says of itself, and what it leaves out.
//!
//! GTK 4.8 has no live regions, and Orca says a changed name only of what has the focus and of the window. So the window is what speaks.

use std::time::Duration;

use gtk::{accessible::Property, glib, prelude::*};

/// What comes within this time is said in one go: the next would cut it off.
pub const BREATH: Duration = Duration::from_millis(250);

/// Says this, wherever the focus in the window of `widget` is. Nothing is said of a window behind others.
pub fn say(widget: &impl IsA<gtk::Widget>, text: &str) {
    let window = widget.root().and_downcast::<gtk::Window>();
    if let Some(window) = window.filter(gtk::Window::is_active) {
        window.update_property(&[Property::Label(text)]);
    }
}

/// A window that speaks is called by its title again when another comes in front.
pub fn remember_title(window: &(impl IsA<gtk::Window> + IsA<gtk::Accessible>)) {
    window.connect_is_active_notify(|window| {
        if !window.is_active() {
            let title = window.title().unwrap_or_default();
            window.update_property(&[Property::Label(&title)]);
        }
    });
}

/// The pages of a stack are places, not things: without this each is read out as "GtkStackPage".
pub fn quiet(stack: &gtk::Stack) {
    for page in stack.pages().iter::<glib::Object>().flatten() {
        if let Ok(page) = page.downcast::<gtk::StackPage>() {
            page.update_property(&[Property::Label("")]);
        }
    }
}

/// The menu of a button is called what the button is: without this it and its page are read out by their classes.
pub fn name_menu(button: &gtk::MenuButton, name: &str) {
    if let Some(menu) = button.popover() {
        menu.update_property(&[Property::Label(name)]);
        quiet_below(menu.upcast_ref());
    }
}

fn quiet_below(widget: &gtk::Widget) {
    if let Some(stack) = widget.downcast_ref::<gtk::Stack>() {
        return quiet(stack);
    }
    let mut child = widget.first_child();
    while let Some(widget) = child {
        quiet_below(&widget);
        child = widget.next_sibling();
    }
}
