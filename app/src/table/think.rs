//! The time to think, where the table has agreed on one: a clock that runs while the player is asked. Only a reminder: at its
//! end nothing happens but that it says so.

use std::{
    cell::Cell,
    rc::Rc,
    time::{Duration, Instant},
};

use gtk::{glib, prelude::*};

use crate::{session::Session, words};

/// A clock that follows `session`.
pub fn clock(session: &Session) -> gtk::Label {
    let label = gtk::Label::builder()
        .css_classes(["think", "numeric"])
        .halign(gtk::Align::Start)
        .valign(gtk::Align::End)
        .visible(false)
        .build();
    // Counts the questions: a clock of an earlier one stops.
    let question = Rc::new(Cell::new(0u32));
    session.connect_asked_notify(glib::clone!(
        #[weak]
        label,
        move |session| {
            question.set(question.get().wrapping_add(1));
            let (number, question) = (question.get(), question.clone());
            let think = session.think();
            let runs = session.asked() && think > 0;
            label.set_visible(runs);
            label.remove_css_class("late");
            if !runs {
                return;
            }
            let until = Instant::now() + Duration::from_secs(u64::from(think));
            tell(&label, until);
            let clock = label.downgrade();
            glib::timeout_add_local(Duration::from_secs(1), move || match clock.upgrade() {
                Some(label) if question.get() == number && tell(&label, until) => {
                    glib::ControlFlow::Continue
                }
                Some(_) | None => glib::ControlFlow::Break,
            });
        }
    ));
    label
}

/// Shows what is left. False if the time is over.
fn tell(label: &gtk::Label, until: Instant) -> bool {
    let left = until.saturating_duration_since(Instant::now()).as_secs();
    if left == 0 {
        label.set_label(&words::tr("The others wait for you."));
        label.add_css_class("late");
        return false;
    }
    label.set_label(&words::fill(
        "{time} to think",
        &[("time", &format!("{}:{:02}", left / 60, left % 60))],
    ));
    true
}
