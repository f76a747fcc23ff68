//! Notices above the table: somebody is missing, a vote, a caught cheat, a full disk, the four words. Each says what is going
//! on and what can be done; a countdown runs where there is one.

use std::time::{Duration, Instant};

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::words::{
    self,
    trouble::{Answer, Bar, Kind},
};

/// What a notice is about: there is at most one of each. The most pressing comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum About {
    /// Keeping the game.
    Disk,
    /// A caught cheat.
    Caught,
    /// Who is missing.
    Absence,
    /// The four words.
    Phrase,
}

mod imp {
    use std::cell::{Cell, OnceCell, RefCell};
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Debug, Default)]
    pub struct Notices {
        pub column: OnceCell<gtk::Box>,
        pub stacked: Cell<bool>,
        /// One at a time.
        pub alone: Cell<bool>,
        pub shown: RefCell<BTreeMap<About, (Bar, gtk::Widget)>>,
        pub clocks: RefCell<Vec<(Instant, gtk::Label)>>,
        pub tick: RefCell<Option<glib::SourceId>>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Notices {
        const NAME: &'static str = "ShamansNotices";
        type Type = super::Notices;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("notices");
        }
    }

    impl ObjectImpl for Notices {
        fn dispose(&self) {
            if let Some(tick) = self.tick.take() {
                tick.remove();
            }
        }
    }
    impl WidgetImpl for Notices {}
    impl BinImpl for Notices {}
}

glib::wrapper! {
    /// The notices above a table.
    pub struct Notices(ObjectSubclass<imp::Notices>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Notices {
    /// None yet. Where there is little width they are `stacked`: what can be done stands below the words.
    pub fn new(stacked: bool) -> Notices {
        let notices: Notices = glib::Object::new();
        notices.imp().stacked.set(stacked);
        let column = gtk::Box::new(gtk::Orientation::Vertical, 6);
        notices.set_child(Some(&column));
        notices.set_visible(false);
        notices.imp().column.set(column).expect("set once, here");
        notices
    }

    /// Is there one about this?
    pub fn shows(&self, about: About) -> bool {
        self.imp().shown.borrow().contains_key(&about)
    }

    /// Shows `bar`, or nothing, about something.
    pub fn show(&self, about: About, bar: Option<Bar>) {
        let imp = self.imp();
        if imp.shown.borrow().get(&about).map(|(bar, _)| bar) == bar.as_ref() {
            return;
        }
        let mut shown = imp.shown.borrow_mut();
        let column = imp.column.get().expect("set in new");
        if let Some((_, old)) = shown.remove(&about) {
            column.remove(&old);
        }
        imp.clocks
            .borrow_mut()
            .retain(|(_, label)| label.root().is_some());
        if let Some(bar) = bar {
            let widget = self.row(about, &bar);
            let before = shown
                .range(..about)
                .next_back()
                .map(|(_, (_, widget))| widget);
            column.insert_child_after(&widget, before);
            shown.insert(about, (bar, widget));
        }
        let any = !shown.is_empty();
        drop(shown);
        self.take_turns();
        self.set_visible(any);
        self.count_down();
    }

    /// Where there is little room the first stands alone, and the next comes when it is gone.
    pub fn show_one(&self, alone: bool) {
        if self.imp().alone.replace(alone) != alone {
            self.take_turns();
        }
    }

    fn take_turns(&self) {
        let alone = self.imp().alone.get();
        for (at, (_, widget)) in self.imp().shown.borrow().values().enumerate() {
            widget.set_visible(at == 0 || !alone);
        }
    }

    fn row(&self, about: About, bar: &Bar) -> gtk::Widget {
        let (class, icon) = match bar.kind {
            Kind::Info => ("info", "dialog-information-symbolic"),
            Kind::Wait => ("wait", "network-offline-symbolic"),
            Kind::Ask => ("ask", "system-users-symbolic"),
            Kind::Danger => ("danger", "dialog-warning-symbolic"),
        };
        let row = gtk::Box::builder()
            .spacing(12)
            .css_classes(["notice", class])
            .accessible_role(gtk::AccessibleRole::Alert)
            .build();
        row.append(
            &gtk::Image::builder()
                .icon_name(icon)
                .valign(gtk::Align::Start)
                .accessible_role(gtk::AccessibleRole::Presentation)
                .build(),
        );
        let column = gtk::Box::builder()
            .orientation(gtk::Orientation::Vertical)
            .spacing(2)
            .hexpand(true)
            .build();
        let label = |text: &str, class: &str| {
            let label = gtk::Label::builder()
                .label(text)
                .xalign(0.0)
                .wrap(true)
                .css_classes([class])
                .build();
            label.set_wrap_mode(gtk::pango::WrapMode::WordChar);
            label
        };
        column.append(&label(&bar.title, "notice-title"));
        column.append(&label(&bar.text, "notice-text"));
        // One button finds room beside the words, several do not.
        if let ([answer], false) = (bar.answers.as_slice(), self.imp().stacked.get()) {
            let button = self.button(about, *answer);
            button.set_valign(gtk::Align::Center);
            row.append(&column);
            row.append(&button);
        } else {
            let buttons = gtk::FlowBox::builder()
                .selection_mode(gtk::SelectionMode::None)
                .max_children_per_line(4)
                .column_spacing(6)
                .row_spacing(4)
                .margin_top(4)
                .visible(!bar.answers.is_empty())
                .build();
            for answer in &bar.answers {
                let button = self.button(about, *answer);
                button.set_halign(gtk::Align::Start);
                let child = gtk::FlowBoxChild::builder()
                    .child(&button)
                    .focusable(false)
                    .build();
                buttons.append(&child);
            }
            column.append(&buttons);
            row.append(&column);
        }
        if let Some(until) = bar.until {
            let clock = gtk::Label::builder()
                .css_classes(["numeric", "clock"])
                .valign(gtk::Align::Start)
                .build();
            row.append(&clock);
            self.imp().clocks.borrow_mut().push((until, clock));
        }
        row.update_property(&[gtk::accessible::Property::Label(&format!(
            "{}. {}",
            bar.title, bar.text
        ))]);
        row.upcast()
    }

    fn button(&self, about: About, answer: Answer) -> gtk::Button {
        let button = gtk::Button::builder()
            .label(answer.label())
            .css_classes(["pill"])
            .build();
        let vote = |word: &str| Some(("win.vote", Some(word.to_variant())));
        let action = match answer {
            Answer::StandIn => vote("stand-in"),
            Answer::Void => vote("void"),
            Answer::Wait => vote("wait"),
            Answer::Doctor => Some(("win.doctor", None)),
            Answer::SaveProof => Some(("win.save-proof", None)),
            Answer::Seen => None,
        };
        match action {
            Some((name, target)) => {
                button.set_action_target_value(target.as_ref());
                button.set_action_name(Some(name));
            }
            None => {
                button.connect_clicked(glib::clone!(
                    #[weak(rename_to = notices)]
                    self,
                    move |_| notices.show(about, None)
                ));
            }
        }
        button
    }

    /// Keeps the clocks going while there are any.
    fn count_down(&self) {
        let imp = self.imp();
        self.tell_time();
        let any = !imp.clocks.borrow().is_empty();
        if !any {
            if let Some(tick) = imp.tick.take() {
                tick.remove();
            }
        } else if imp.tick.borrow().is_none() {
            let tick = glib::timeout_add_local(
                Duration::from_secs(1),
                glib::clone!(
                    #[weak(rename_to = notices)]
                    self,
                    #[upgrade_or]
                    glib::ControlFlow::Break,
                    move || {
                        notices.tell_time();
                        glib::ControlFlow::Continue
                    }
                ),
            );
            imp.tick.replace(Some(tick));
        }
    }

    fn tell_time(&self) {
        for (until, label) in self.imp().clocks.borrow().iter() {
            let left = until.saturating_duration_since(Instant::now()).as_secs();
            label.set_label(&format!("{}:{:02}", left / 60, left % 60));
            label.update_property(&[gtk::accessible::Property::Label(&words::tr_n(
                "1 second left",
                "{n} seconds left",
                left as usize,
            ))]);
        }
    }
}
