//! What happened, in words: a list that follows its end. Each line is said by the window (see [`crate::aloud`]) or, with
//! the focus on the heading, by that: its name is the latest news. One key reads again what came since the last decision.

use std::{cell::Cell, rc::Rc};

use adw::{prelude::*, subclass::prelude::*};
use gtk::{gio, glib};

use super::{
    line::Line,
    soon::{Region, in_turn, once_a_frame, once_a_frame_in},
    talk::TalkBox,
};
use crate::{aloud, session::models::LineModel, words};

/// As many are read again at most.
const NEWS: usize = 30;

/// Whoever is so near to the end, in logical pixels, reads the end.
const NEAR: f64 = 24.0;

/// So many lines come a frame at most: measuring them takes time.
const A_FRAME: u32 = 3;

mod imp {
    use std::cell::{OnceCell, RefCell};

    use super::*;

    #[derive(Debug, Default)]
    pub struct Log {
        pub entry: OnceCell<TalkBox>,
        pub column: OnceCell<gtk::Box>,
        pub news: OnceCell<gtk::Box>,
        /// What was told since the player's last decision.
        pub since: RefCell<Vec<String>>,
        /// What is about to be said.
        pub aloud: RefCell<Vec<String>>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Log {
        const NAME: &'static str = "ShamansLog";
        type Type = super::Log;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("gamelog");
        }
    }

    impl ObjectImpl for Log {}
    impl WidgetImpl for Log {}
    impl BinImpl for Log {}
}

glib::wrapper! {
    /// The log of the table.
    pub struct Log(ObjectSubclass<imp::Log>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Log {
    /// Follows a list of [`LineModel`]s.
    pub fn new(lines: &gio::ListStore) -> Log {
        let log: Log = glib::Object::new();
        let column = gtk::Box::new(gtk::Orientation::Vertical, 6);
        let heading = gtk::Label::builder()
            .label(words::tr("What happened"))
            .xalign(0.0)
            .css_classes(["heading"])
            .build();
        let news = gtk::Box::builder()
            .focusable(true)
            .accessible_role(gtk::AccessibleRole::Status)
            .css_classes(["news"])
            .build();
        news.append(&heading);
        news.update_property(&[gtk::accessible::Property::Label(&words::tr(
            "What happened",
        ))]);
        column.append(&news);
        log.imp().news.set(news).expect("set once, here");
        lines.connect_items_changed(glib::clone!(
            #[weak]
            log,
            move |lines, at, _, added| {
                let fresh = (at..at + added).filter_map(|i| lines.item(i));
                let fresh = fresh.filter_map(|line| line.downcast::<LineModel>().ok());
                log.announce_all(fresh.map(|line| line.text()));
            }
        ));
        let shown = gio::ListStore::new::<LineModel>();
        let more = once_a_frame_in(
            Region::Log,
            &log,
            glib::clone!(
                #[weak]
                lines,
                #[weak]
                shown,
                move |log| show_more(log, &lines, &shown)
            ),
        );
        more();
        lines.connect_items_changed(move |_, _, _, _| more());
        let list = gtk::ListBox::builder()
            .selection_mode(gtk::SelectionMode::None)
            .css_classes(["lines"])
            .build();
        list.update_property(&[gtk::accessible::Property::Label(&words::tr(
            "What happened",
        ))]);
        list.bind_model(Some(&shown), |line| {
            let line = line
                .downcast_ref::<LineModel>()
                .expect("the log holds lines");
            let row = gtk::ListBoxRow::builder()
                .activatable(false)
                .child(&Line::new(&line.text()))
                .build();
            row.add_css_class(&line.kind());
            row.update_property(&[gtk::accessible::Property::Label(&line.text())]);
            row.upcast()
        });
        let scroll = gtk::ScrolledWindow::builder()
            .child(&list)
            .vexpand(true)
            .hscrollbar_policy(gtk::PolicyType::Never)
            .build();
        follow_end(&log, &scroll.vadjustment());
        column.append(&scroll);
        log.set_child(Some(&column));
        log.imp().column.set(column).expect("set once, here");
        log
    }

    /// Says this to whoever listens.
    pub fn announce(&self, text: &str) {
        self.announce_all([text.to_owned()]);
    }

    /// Of what comes at once the heading says the last; the window says all, and all can be read again.
    fn announce_all(&self, texts: impl IntoIterator<Item = String>) {
        let mut since = self.imp().since.borrow_mut();
        let before = since.len();
        since.extend(texts);
        let new = since.get(before..).unwrap_or_default();
        if let Some(last) = new.last() {
            let news = self.imp().news.get().expect("set in new");
            news.update_property(&[gtk::accessible::Property::Label(last)]);
            // Who has the focus there hears it already.
            if !news.has_focus() {
                self.say(new);
            }
        }
        // Whoever only watches never decides.
        let old = since.len().saturating_sub(NEWS);
        since.drain(..old);
    }

    fn say(&self, texts: &[String]) {
        let mut aloud = self.imp().aloud.borrow_mut();
        if aloud.is_empty() {
            let log = self.downgrade();
            glib::timeout_add_local_once(aloud::BREATH, move || {
                if let Some(log) = log.upgrade() {
                    let texts = log.imp().aloud.take();
                    let from = texts.len().saturating_sub(NEWS);
                    let texts = texts.get(from..).unwrap_or_default();
                    aloud::say(&log, &texts.join(" "));
                }
            });
        }
        aloud.extend_from_slice(texts);
    }

    /// The player has decided: what comes now is new.
    pub fn decided(&self) {
        self.imp().since.take();
    }

    /// Puts the focus on the news, all since the last decision. False if it was there.
    pub fn focus_news(&self) -> bool {
        let news = self.imp().news.get().expect("set in new");
        if news.has_focus() {
            return false;
        }
        let since = self.imp().since.borrow().join(" ");
        if !since.is_empty() {
            news.update_property(&[gtk::accessible::Property::Label(&since)]);
        }
        news.grab_focus()
    }

    /// Puts the focus where words are typed. False where nobody would hear them.
    pub fn focus_talk(&self) -> bool {
        let entry = self.imp().entry.get();
        entry.into_iter().for_each(TalkBox::focus);
        entry.is_some()
    }

    /// Shows the place to write.
    pub fn let_talk(&self) {
        let imp = self.imp();
        imp.entry.get_or_init(|| {
            let entry = TalkBox::new();
            imp.column.get().expect("set in new").append(&entry);
            entry
        });
    }
}

/// Keeps the end in view unless the reader has scrolled up, however many lines come at once and whether anybody sees them come or not.
fn follow_end(log: &Log, adjustment: &gtk::Adjustment) {
    let follows = Rc::new(Cell::new(true));
    adjustment.connect_value_changed(glib::clone!(
        #[strong]
        follows,
        move |adjustment| {
            let end = adjustment.upper() - adjustment.page_size();
            follows.set(adjustment.value() >= end - NEAR);
        }
    ));
    // Not in the middle of an allocation, where it grows.
    let to_end = once_a_frame(
        log,
        glib::clone!(
            #[weak]
            adjustment,
            move |_| {
                if follows.get() {
                    adjustment.set_value(adjustment.upper());
                }
            }
        ),
    );
    adjustment.connect_changed(move |_| to_end());
}

/// A few lines are there at once, many come some a frame.
fn show_more(log: &Log, lines: &gio::ListStore, shown: &gio::ListStore) {
    if show_some(lines, shown) {
        let (lines, shown) = (lines.clone(), shown.clone());
        in_turn(log, move |log| show_more(log, &lines, &shown));
    }
}

/// Takes away what has gone and shows a few more of `lines`; is there more?
fn show_some(lines: &gio::ListStore, shown: &gio::ListStore) -> bool {
    let pairs = shown.iter::<LineModel>().zip(lines.iter::<LineModel>());
    let from = pairs.take_while(|(there, line)| there == line).count() as u32;
    let fresh: Vec<LineModel> = (from..lines.n_items().min(from + A_FRAME))
        .filter_map(|i| lines.item(i).and_downcast())
        .collect();
    shown.splice(from, shown.n_items() - from, &fresh);
    shown.n_items() < lines.n_items()
}
