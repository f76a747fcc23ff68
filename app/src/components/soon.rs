//! Work that is put off for a moment so that the window stays quick: once before the next frame instead of at every change, and
//! tooltips when somebody points at something.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use gtk::{glib, prelude::*};

/// `refresh`, once before the next frame, however often what is returned here is called until then.
pub fn once_a_frame<W: IsA<gtk::Widget>>(
    widget: &W,
    refresh: impl Fn(&W) + 'static,
) -> impl Fn() + Clone + 'static {
    let (widget, due, refresh) = (
        widget.downgrade(),
        Rc::new(Cell::new(false)),
        Rc::new(refresh),
    );
    move || {
        if due.replace(true) {
            return;
        }
        let (widget, due, refresh) = (widget.clone(), due.clone(), refresh.clone());
        let now = move || {
            due.set(false);
            if let Some(widget) = widget.upgrade() {
                refresh(&widget);
            }
            glib::ControlFlow::Break
        };
        glib::idle_add_local_full(glib::Priority::HIGH_IDLE, now);
    }
}

/// What stands in a tooltip, kept until it is asked for: handing it over at every change makes the toolkit ask the display each
/// time where the pointer is, and wait for the answer.
#[derive(Debug, Default)]
pub struct Tip(RefCell<String>);

impl Tip {
    /// Another text; empty for no tooltip.
    pub fn set(&self, widget: &impl IsA<gtk::Widget>, text: &str) {
        self.0.replace(text.to_owned());
        if !widget.has_tooltip() {
            widget.set_has_tooltip(true);
        }
    }

    /// For `query_tooltip`: is there something to show?
    pub fn show(&self, tooltip: &gtk::Tooltip) -> bool {
        let text = self.0.borrow();
        tooltip.set_text(Some(text.as_str()));
        !text.is_empty()
    }
}
