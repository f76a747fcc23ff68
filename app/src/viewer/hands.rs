//! The hands that the chosen eyes see: identity and cards of each seat, below the table of a record.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use super::book::{Eyes, Page};
use crate::{
    art::Art,
    components::{
        face::{CardFace, RATIO},
        soon::in_turn,
    },
    pieces::Card,
    words,
};

/// How wide cards are in a window that is not narrow: of one hand, and of several.
pub const WIDTHS: [i32; 2] = [62, 28];

mod imp {
    use std::cell::{Cell, OnceCell, RefCell};

    use super::*;

    /// What a row shows.
    pub type Shown = (usize, String, Option<Vec<Card>>, String);

    #[derive(Debug, Default)]
    pub struct Hands {
        pub grid: OnceCell<gtk::Grid>,
        /// What the rows show, once all are made.
        pub shown: RefCell<Vec<Shown>>,
        /// What is there of them, with the width of its cards; nothing in a place that waits for its row.
        pub rows: RefCell<Vec<(Option<Shown>, i32, gtk::Box)>>,
        pub making: Cell<bool>,
        pub narrow: Cell<bool>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Hands {
        const NAME: &'static str = "ShamansHands";
        type Type = super::Hands;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("hands");
            class.set_accessible_role(gtk::AccessibleRole::Group);
        }
    }

    impl ObjectImpl for Hands {}
    impl WidgetImpl for Hands {}
    impl BinImpl for Hands {}
}

glib::wrapper! {
    /// Open hands.
    pub struct Hands(ObjectSubclass<imp::Hands>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Hands {
    /// None yet.
    pub fn new() -> Hands {
        let hands: Hands = glib::Object::new();
        hands.update_property(&[gtk::accessible::Property::Label(&words::tr("Open hands"))]);
        let grid = gtk::Grid::builder()
            .row_spacing(4)
            .column_spacing(20)
            .build();
        let scroll = gtk::ScrolledWindow::builder()
            .child(&grid)
            .vscrollbar_policy(gtk::PolicyType::Never)
            .propagate_natural_height(true)
            .build();
        hands.set_child(Some(&scroll));
        hands.imp().grid.set(grid).expect("set once, here");
        hands.set_visible(false);
        hands
    }

    /// Smaller cards.
    pub fn set_narrow(&self, narrow: bool) {
        self.imp().narrow.set(narrow);
    }

    /// Shows what `eyes` see of `page`.
    pub fn show_page(&self, page: &Page, eyes: Eyes) {
        let seats = page.table(Eyes::All).seats;
        let wanted = |seat: &usize| match eyes {
            Eyes::Everyone => false,
            Eyes::Seat(at) => at == *seat,
            Eyes::All => true,
        };
        let rows: Vec<imp::Shown> = (0..seats.len())
            .filter(wanted)
            .filter_map(|seat| {
                let seen = seats.get(seat)?;
                let role = seen.role.map(words::role_key).unwrap_or("identity-back");
                let hand = page.own(seat)?.hand.clone();
                Some((seat, seen.name.clone(), hand, role.to_owned()))
            })
            .collect();
        self.set_visible(!rows.is_empty());
        self.imp().shown.replace(rows);
        if !self.imp().making.replace(true) {
            self.next_row();
        }
    }

    /// One a frame, in the place of the one before it: five hands of fifteen cards at once would hold the window up.
    fn next_row(&self) {
        let imp = self.imp();
        let grid = imp.grid.get().expect("set in new");
        let shown = imp.shown.borrow();
        let mut rows = imp.rows.borrow_mut();
        while rows.len() > shown.len() {
            rows.pop().iter().for_each(|(_, _, gone)| grid.remove(gone));
        }
        let wide = match (shown.len(), imp.narrow.get()) {
            (1, false) => WIDTHS[0],
            (1, true) => 40,
            (_, false) => WIDTHS[1],
            (_, true) => 26,
        };
        // Two beside each other where there is room: the table above needs the height.
        let across = if imp.narrow.get() { 1 } else { 2 };
        let attach = |row: &gtk::Box, at: usize| {
            grid.attach(row, at as i32 % across, at as i32 / across, 1, 1);
        };
        // All places at once, so that the table gives way only once; that is enough for a frame.
        if rows.len() < shown.len() {
            for at in rows.len()..shown.len() {
                let place = place(wide);
                attach(&place, at);
                rows.push((None, wide, place));
            }
            in_turn(self, Hands::next_row);
            return;
        }
        let mut both = rows.iter_mut().zip(shown.iter()).enumerate();
        let stale = both.find(|(_, (row, now))| (row.0.as_ref(), row.1) != (Some(*now), wide));
        let Some((at, (there, now))) = stale else {
            imp.making.set(false);
            return;
        };
        let (_, name, hand, role) = now;
        let made = row(name, hand.as_deref(), role, wide);
        grid.remove(&there.2);
        attach(&made, at);
        *there = (Some(now.clone()), wide, made);
        in_turn(self, Hands::next_row);
    }
}

/// An empty row, as high as one with cards of this width.
fn place(wide: i32) -> gtk::Box {
    gtk::Box::builder()
        .spacing(4)
        .css_classes(["open-hand"])
        .height_request(high(wide))
        .build()
}

fn high(wide: i32) -> i32 {
    (f64::from(wide) * RATIO).round() as i32
}

fn row(name: &str, hand: Option<&[Card]>, role: &str, wide: i32) -> gtk::Box {
    let row = place(wide);
    row.set_accessible_role(gtk::AccessibleRole::Group);
    let label = gtk::Label::builder()
        .label(name)
        .xalign(0.0)
        .width_chars(8)
        .max_width_chars(8)
        .css_classes(["name"])
        .build();
    label.set_ellipsize(gtk::pango::EllipsizeMode::End);
    row.append(&label);
    row.append(&Art::new(role, wide, high(wide)));
    let said = match hand {
        None => {
            let unknown = words::tr("cards never revealed");
            let quiet = gtk::Label::builder()
                .label(&unknown)
                .css_classes(["dim-label"])
                .build();
            row.append(&quiet);
            unknown
        }
        Some([]) => {
            let none = words::tr("no cards");
            let quiet = gtk::Label::builder()
                .label(&none)
                .css_classes(["dim-label"])
                .build();
            row.append(&quiet);
            none
        }
        Some(cards) => {
            for card in cards {
                let picture = format!("world-{}", words::world_key(card.world));
                let face = CardFace::new(&picture, &card.value.to_string(), "", wide);
                face.set_tip(&words::card(*card));
                face.set_valign(gtk::Align::Center);
                row.append(&face);
            }
            cards
                .iter()
                .map(|card| words::card(*card))
                .collect::<Vec<_>>()
                .join(", ")
        }
    };
    row.update_property(&[gtk::accessible::Property::Label(&format!("{name}: {said}"))]);
    row
}
