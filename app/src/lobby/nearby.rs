//! The part of the start screen about people: tables nearby, a new table, joining by code or address.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::{session::lan::TableRow, words};

mod imp {
    use std::cell::{OnceCell, RefCell};

    use super::*;

    #[derive(Debug)]
    pub struct Parts {
        pub group: adw::PreferencesGroup,
        pub empty: adw::ActionRow,
        pub unfinished: adw::ActionRow,
        pub go_on: gtk::Button,
        pub code: adw::ActionRow,
        pub trouble: gtk::Label,
    }

    #[derive(Debug, Default)]
    pub struct Nearby {
        pub parts: OnceCell<Parts>,
        pub rows: RefCell<Vec<adw::ActionRow>>,
        pub shown: RefCell<Vec<TableRow>>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Nearby {
        const NAME: &'static str = "ShamansNearby";
        type Type = super::Nearby;
        type ParentType = adw::Bin;
    }

    impl ObjectImpl for Nearby {}
    impl WidgetImpl for Nearby {}
    impl BinImpl for Nearby {}
}

glib::wrapper! {
    /// People and tables nearby.
    pub struct Nearby(ObjectSubclass<imp::Nearby>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

fn button(label: &str, name: &str) -> gtk::Button {
    let button = gtk::Button::builder()
        .label(label)
        .valign(gtk::Align::Center)
        .css_classes(["pill-small"])
        .build();
    button.update_property(&[gtk::accessible::Property::Label(name)]);
    button
}

impl Nearby {
    /// Nobody yet. What is pressed becomes window actions.
    pub fn new() -> Nearby {
        let nearby: Nearby = glib::Object::new();
        let group = adw::PreferencesGroup::builder()
            .title(words::tr("With people nearby"))
            .build();
        let unfinished = adw::ActionRow::builder()
            .title(words::tr("An interrupted game"))
            .subtitle(words::tr("The others can go on as soon as you are back."))
            .visible(false)
            .build();
        let go_on = button(
            &words::tr("Continue"),
            &words::tr("Continue the interrupted game"),
        );
        go_on.add_css_class("suggested-action");
        unfinished.add_suffix(&go_on);
        group.add(&unfinished);
        let open = adw::ActionRow::builder()
            .title(words::tr("New table"))
            .subtitle(words::tr("Three to five seats; phantoms can fill some"))
            .build();
        let seats = gtk::DropDown::from_strings(&[
            &words::tr("3 seats"),
            &words::tr("4 seats"),
            &words::tr("5 seats"),
        ]);
        seats.set_selected(1);
        seats.set_valign(gtk::Align::Center);
        seats.update_property(&[gtk::accessible::Property::Label(&words::tr(
            "Seats of the new table",
        ))]);
        let go = button(&words::tr("Open"), &words::tr("Open a new table"));
        go.add_css_class("suggested-action");
        go.connect_clicked(glib::clone!(
            #[weak]
            seats,
            move |button| {
                let count = seats.selected() as u8 + 3;
                let _ = button.activate_action("win.open-table", Some(&count.to_variant()));
            }
        ));
        open.add_suffix(&seats);
        open.add_suffix(&go);
        group.add(&open);
        let join = adw::EntryRow::builder()
            .title(words::tr("Join by code or address"))
            .show_apply_button(true)
            .build();
        join.connect_apply(|row| {
            let text = row.text();
            if !text.trim().is_empty() {
                let _ = row.activate_action("win.join-text", Some(&text.to_variant()));
            }
        });
        group.add(&join);
        let code = adw::ActionRow::builder()
            .title(words::tr("Your own code"))
            .subtitle(words::tr("not reachable yet"))
            .build();
        let copy = gtk::Button::builder()
            .icon_name("edit-copy-symbolic")
            .valign(gtk::Align::Center)
            .tooltip_text(words::tr("Copy the code"))
            .css_classes(["flat"])
            .build();
        copy.update_property(&[gtk::accessible::Property::Label(&words::tr(
            "Copy the code",
        ))]);
        copy.connect_clicked(glib::clone!(
            #[weak]
            code,
            move |copy| copy
                .clipboard()
                .set_text(&code.subtitle().unwrap_or_default())
        ));
        code.add_suffix(&copy);
        group.add(&code);
        let empty = adw::ActionRow::builder()
            .title(words::tr("No tables nearby"))
            .subtitle(words::tr("Tables on this network show up here by themselves. If one does not, join it by its code."))
            .build();
        group.add(&empty);
        let trouble = gtk::Label::builder()
            .wrap(true)
            .xalign(0.0)
            .visible(false)
            .css_classes(["trouble"])
            .build();
        let column = gtk::Box::new(gtk::Orientation::Vertical, 6);
        column.append(&group);
        column.append(&trouble);
        nearby.set_child(Some(&column));
        let parts = imp::Parts {
            group,
            empty,
            unfinished,
            go_on,
            code,
            trouble,
        };
        nearby.imp().parts.set(parts).expect("set once, here");
        nearby
    }

    fn parts(&self) -> &imp::Parts {
        self.imp().parts.get().expect("set in new")
    }

    /// A game that can be gone on with.
    pub fn show_unfinished(&self, tables: &[String]) {
        let parts = self.parts();
        parts.unfinished.set_visible(!tables.is_empty());
        if let Some(table) = tables.first() {
            parts
                .go_on
                .set_action_target_value(Some(&table.to_variant()));
            parts.go_on.set_action_name(Some("win.resume"));
        }
    }

    /// The code by which others find this player.
    pub fn show_code(&self, code: &str) {
        self.parts().code.set_subtitle(code);
    }

    /// Something does not work.
    pub fn show_trouble(&self, text: &str) {
        self.parts().trouble.set_label(text);
        self.parts().trouble.set_visible(!text.is_empty());
    }

    /// Who is around now.
    pub fn show(&self, tables: Vec<TableRow>, people: &[String]) {
        let parts = self.parts();
        if !people.is_empty() {
            let names = people.join(", ");
            parts
                .empty
                .set_subtitle(&words::fill("Also around: {names}", &[("names", &names)]));
        }
        parts
            .empty
            .set_visible(tables.is_empty() || !people.is_empty());
        parts.empty.set_title(&if tables.is_empty() {
            words::tr("No tables nearby")
        } else {
            words::tr("People nearby")
        });
        if *self.imp().shown.borrow() == tables {
            return;
        }
        for row in self.imp().rows.take() {
            parts.group.remove(&row);
        }
        for table in &tables {
            let (taken, seats) = table.seats;
            let who = table.who.join(", ");
            let row = adw::ActionRow::builder()
                .title(glib::markup_escape_text(&table.name))
                .subtitle(glib::markup_escape_text(&format!(
                    "{who} · {taken}/{seats}"
                )))
                .build();
            let join = button(
                &words::tr("Join"),
                &words::fill("Join {table}", &[("table", &table.name)]),
            );
            join.set_sensitive(table.closed.is_none());
            join.set_tooltip_text(table.closed.as_deref());
            join.set_action_name(Some("win.join-table"));
            join.set_action_target_value(Some(&table.id.to_variant()));
            row.add_suffix(&join);
            parts.group.add(&row);
            self.imp().rows.borrow_mut().push(row);
        }
        self.imp().shown.replace(tables);
    }
}
