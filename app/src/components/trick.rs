//! The trick in seat order: a place for each player, with the card they played.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use super::{face::CardFace, soon::Said};
use crate::{
    session::{Session, TrickShown},
    words,
};

mod imp {
    use std::cell::{Cell, OnceCell, RefCell};

    use super::*;

    #[derive(Debug)]
    pub struct Place {
        pub column: gtk::Box,
        pub frame: adw::Bin,
        pub name: gtk::Label,
        pub note: gtk::Label,
        pub said: Said,
    }

    #[derive(Debug, Default)]
    pub struct Trick {
        pub title: OnceCell<gtk::Label>,
        pub row: OnceCell<gtk::Box>,
        pub places: RefCell<Vec<Place>>,
        pub said: Said,
        pub shown: RefCell<Option<(TrickShown, Vec<String>)>>,
        pub wide: Cell<i32>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Trick {
        const NAME: &'static str = "ShamansTrick";
        type Type = super::Trick;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("trick");
            class.set_accessible_role(gtk::AccessibleRole::Group);
        }
    }

    impl ObjectImpl for Trick {}
    impl WidgetImpl for Trick {}
    impl BinImpl for Trick {}
}

glib::wrapper! {
    /// The trick on the table.
    pub struct Trick(ObjectSubclass<imp::Trick>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Trick {
    /// Follows `session`.
    pub fn new(session: &Session) -> Trick {
        let trick: Trick = glib::Object::new();
        trick.imp().wide.set(70);
        let column = gtk::Box::new(gtk::Orientation::Vertical, 4);
        let title = gtk::Label::builder()
            .xalign(0.0)
            .css_classes(["section"])
            .build();
        title.set_ellipsize(gtk::pango::EllipsizeMode::End);
        let row = gtk::Box::builder()
            .spacing(8)
            .homogeneous(true)
            .halign(gtk::Align::Start)
            .build();
        column.append(&title);
        column.append(&row);
        trick.set_child(Some(&column));
        trick.imp().title.set(title).expect("set once, here");
        trick.imp().row.set(row).expect("set once, here");
        session.connect_changed(glib::clone!(
            #[weak]
            trick,
            move |session| {
                let names = session.names();
                trick.refresh(session.trick(), names);
            }
        ));
        trick
    }

    /// The place of a seat's card in `shown`.
    pub fn place_of(&self, shown: &TrickShown, seat: usize) -> Option<gtk::Widget> {
        let places = self.imp().places.borrow();
        let seats = shown.played.len().max(1);
        let offset = (seat + seats - shown.guide) % seats;
        places.get(offset).map(|place| place.frame.clone().upcast())
    }

    /// Sets the width of the cards.
    pub fn set_wide(&self, wide: i32) {
        if self.imp().wide.replace(wide) != wide {
            let shown = self.imp().shown.take();
            self.imp().places.borrow_mut().clear();
            if let Some((shown, names)) = shown {
                self.refresh(shown, names);
            }
        }
    }

    fn place(&self) -> imp::Place {
        let wide = self.imp().wide.get();
        let column = gtk::Box::new(gtk::Orientation::Vertical, 3);
        let frame = adw::Bin::builder()
            .css_classes(["place"])
            .halign(gtk::Align::Center)
            .build();
        frame.set_size_request(wide, (f64::from(wide) * super::face::RATIO) as i32);
        let name = gtk::Label::builder().css_classes(["caption"]).build();
        name.set_ellipsize(gtk::pango::EllipsizeMode::End);
        name.set_max_width_chars(8);
        let note = gtk::Label::builder().css_classes(["note"]).build();
        note.set_ellipsize(gtk::pango::EllipsizeMode::End);
        note.set_max_width_chars(9);
        column.append(&frame);
        column.append(&name);
        column.append(&note);
        column.set_accessible_role(gtk::AccessibleRole::Group);
        imp::Place {
            column,
            frame,
            name,
            note,
            said: Said::default(),
        }
    }

    fn refresh(&self, shown: TrickShown, names: Vec<String>) {
        let imp = self.imp();
        let now = Some((shown, names));
        if *imp.shown.borrow() == now {
            return;
        }
        imp.shown.replace(now);
        let held = imp.shown.borrow();
        let Some((shown, names)) = held.as_ref() else {
            return;
        };
        let row = imp.row.get().expect("set in new");
        if imp.places.borrow().len() != names.len() {
            while let Some(child) = row.first_child() {
                row.remove(&child);
            }
            let places: Vec<imp::Place> = names.iter().map(|_| self.place()).collect();
            for place in &places {
                row.append(&place.column);
            }
            imp.places.replace(places);
        }
        let title = match (shown.destination, shown.last) {
            (Some(world), false) => {
                words::fill("Destination: {world}", &[("world", &words::world(world))])
            }
            (Some(world), true) => {
                words::fill("Last trick: {world}", &[("world", &words::world(world))])
            }
            (None, _) => words::tr("The trick"),
        };
        imp.title.get().expect("set in new").set_label(&title);
        let mut said = vec![title];
        let seats = names.len();
        for (offset, place) in imp.places.borrow().iter().enumerate() {
            // The Guide stands first, the others follow in turn order.
            let seat = (shown.guide + offset) % seats.max(1);
            let name = names.get(seat).map(String::as_str).unwrap_or_default();
            place.name.set_label(name);
            let card = shown.played.get(seat).copied().flatten();
            let stray = card.is_some_and(|card| Some(card.world) != shown.destination);
            let class = |class: &str, on: bool| {
                if on {
                    place.column.add_css_class(class)
                } else {
                    place.column.remove_css_class(class)
                }
            };
            class("stray", stray);
            class("lowest", shown.lowest == Some(seat));
            class("highest", shown.highest == Some(seat));
            let note = match (shown.lowest == Some(seat), shown.highest == Some(seat)) {
                (true, true) => words::tr("alone"),
                (true, false) => words::tr("lowest"),
                (false, true) => words::tr("highest"),
                (false, false) if stray => words::tr("astray"),
                (false, false) if offset == 0 => words::tr("Guide"),
                (false, false) => String::new(),
            };
            place.note.set_label(&note);
            let text = match card {
                Some(card) => {
                    let picture = format!("world-{}", words::world_key(card.world));
                    let same = place.frame.child().and_downcast::<CardFace>();
                    match same {
                        Some(face) => {
                            face.set_picture(picture);
                            face.set_value(card.value.to_string());
                            face.set_caption(words::world(card.world));
                        }
                        None => {
                            let face = CardFace::new(
                                &picture,
                                &card.value.to_string(),
                                &words::world(card.world),
                                imp.wide.get(),
                            );
                            place.frame.set_child(Some(&face));
                        }
                    }
                    place.frame.remove_css_class("vacant");
                    format!("{name}: {}", words::card(card))
                }
                None => {
                    place.frame.set_child(gtk::Widget::NONE);
                    place.frame.add_css_class("vacant");
                    words::fill("{name}: no card yet", &[("name", name)])
                }
            };
            let text = if note.is_empty() {
                text
            } else {
                format!("{text}, {note}")
            };
            place.said.set(&place.column, &text);
            said.push(text);
        }
        imp.said.set(self, &said.join(". "));
    }
}
