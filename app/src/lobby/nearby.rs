//! The part of the start screen about people: tables and people nearby, a new table, joining by code or address.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use super::listed::Listed;
use crate::{
    session::lan::seen::{Interrupted, TableRow},
    words,
};

mod imp {
    use std::cell::{OnceCell, RefCell};

    use super::*;

    #[derive(Debug)]
    pub struct Parts {
        pub unfinished: adw::PreferencesGroup,
        pub group: adw::PreferencesGroup,
        pub empty: adw::ActionRow,
        pub missing: gtk::Button,
        pub people: adw::ActionRow,
        pub join: adw::EntryRow,
        pub wrong: gtk::Label,
        pub trouble: gtk::Label,
    }

    #[derive(Debug, Default)]
    pub struct Nearby {
        pub parts: OnceCell<Parts>,
        pub tables: RefCell<Vec<Listed>>,
        pub games: RefCell<Vec<adw::ActionRow>>,
        pub people: RefCell<Vec<String>>,
        pub interrupted: RefCell<Vec<Interrupted>>,
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

/// A small button of a row; `name` says all, for whoever does not see the row.
pub(super) fn button(label: &str, name: &str) -> gtk::Button {
    let button = gtk::Button::builder()
        .label(label)
        .valign(gtk::Align::Center)
        .css_classes(["pill-small"])
        .build();
    call(&button, name);
    button
}

/// Gives a button its name.
pub(super) fn call(button: &gtk::Button, name: &str) {
    button.update_property(&[gtk::accessible::Property::Label(name)]);
}

fn sentence(class: &str) -> gtk::Label {
    let label = gtk::Label::builder()
        .wrap(true)
        .xalign(0.0)
        .visible(false)
        .css_classes([class])
        .build();
    label.set_accessible_role(gtk::AccessibleRole::Alert);
    label
}

fn say(label: &gtk::Label, text: &str) {
    label.set_label(text);
    label.set_visible(!text.is_empty());
}

impl Nearby {
    /// Nobody yet. What is pressed becomes window actions.
    pub fn new() -> Nearby {
        let nearby: Nearby = glib::Object::new();
        let unfinished = adw::PreferencesGroup::builder()
            .title(words::tr("Interrupted"))
            .visible(false)
            .build();
        let group = adw::PreferencesGroup::builder()
            .title(words::tr("With people nearby"))
            .build();
        let open = adw::ActionRow::builder()
            .title(words::tr("New table"))
            .subtitle(words::tr("Others on this network see it and sit down"))
            .build();
        let go = button(&words::tr("Open"), &words::tr("Open a new table"));
        go.add_css_class("suggested-action");
        go.set_action_name(Some("win.new-table"));
        open.add_suffix(&go);
        group.add(&open);
        let join = adw::EntryRow::builder()
            .title(words::tr("Join by code or address"))
            .show_apply_button(true)
            .build();
        join.connect_apply(|row| {
            let text = row.text();
            if !text.trim().is_empty() {
                let _ = row.activate_action("win.join-text", Some(&text.trim().to_variant()));
            }
        });
        group.add(&join);
        let empty = adw::ActionRow::builder()
            .title(words::tr("No tables nearby"))
            .subtitle(words::tr("They show up here by themselves. If one does not: are you on the same network? Else join it by its code."))
            .build();
        let doctor = button(
            &words::tr("What is wrong?"),
            &words::tr("Find out why no table shows up"),
        );
        doctor.set_action_name(Some("win.doctor"));
        empty.add_suffix(&doctor);
        group.add(&empty);
        // Also where some tables are listed: the one that is looked for may be missing.
        let missing = button(
            &words::tr("Somebody missing?"),
            &words::tr("Find out why a table does not show up"),
        );
        missing.add_css_class("flat");
        missing.set_action_name(Some("win.doctor"));
        missing.set_visible(false);
        group.set_header_suffix(Some(&missing));
        let people = adw::ActionRow::builder()
            .title(words::tr("People nearby"))
            .visible(false)
            .build();
        group.add(&people);
        let wrong = sentence("trouble");
        let trouble = sentence("trouble");
        let column = gtk::Box::new(gtk::Orientation::Vertical, 10);
        column.append(&unfinished);
        column.append(&group);
        column.append(&wrong);
        column.append(&trouble);
        nearby.set_child(Some(&column));
        join.connect_changed(glib::clone!(
            #[weak]
            wrong,
            move |_| say(&wrong, "")
        ));
        let parts = imp::Parts {
            unfinished,
            group,
            empty,
            missing,
            people,
            join,
            wrong,
            trouble,
        };
        nearby.imp().parts.set(parts).expect("set once, here");
        nearby
    }

    fn parts(&self) -> &imp::Parts {
        self.imp().parts.get().expect("set in new")
    }

    /// Puts the focus where a code is typed.
    pub fn focus_join(&self) {
        self.parts().join.grab_focus();
    }

    /// Games that can be gone on with.
    pub fn show_interrupted(&self, games: &[Interrupted]) {
        self.imp().interrupted.replace(games.to_vec());
        let parts = self.parts();
        for row in self.imp().games.take() {
            parts.unfinished.remove(&row);
        }
        for game in games {
            let with = game.with.join(", ");
            let row = adw::ActionRow::builder()
                .title(glib::markup_escape_text(&if with.is_empty() {
                    words::tr("A game")
                } else {
                    words::fill("With {names}", &[("names", &with)])
                }))
                .subtitle(words::tr("Your seat and your cards are kept."))
                .build();
            let forget = gtk::Button::builder()
                .icon_name("user-trash-symbolic")
                .valign(gtk::Align::Center)
                .css_classes(["flat"])
                .tooltip_text(words::tr("Throw this game away"))
                .build();
            forget.update_property(&[gtk::accessible::Property::Label(&words::tr(
                "Throw this game away",
            ))]);
            forget.set_action_target_value(Some(&game.table.to_variant()));
            forget.set_action_name(Some("win.forget-game"));
            row.add_suffix(&forget);
            let go_on = button(
                &words::tr("Continue"),
                &words::tr("Continue the interrupted game"),
            );
            go_on.add_css_class("suggested-action");
            go_on.set_action_target_value(Some(&game.table.to_variant()));
            go_on.set_action_name(Some("win.resume"));
            row.add_suffix(&go_on);
            parts.unfinished.add(&row);
            self.imp().games.borrow_mut().push(row);
        }
        parts.unfinished.set_visible(!games.is_empty());
    }

    /// What was typed leads nowhere; why.
    pub fn show_wrong(&self, text: &str) {
        say(&self.parts().wrong, text);
    }

    /// Something does not work.
    pub fn show_trouble(&self, text: &str) {
        say(&self.parts().trouble, text);
    }

    /// Shows what `other` showed.
    pub fn take_over(&self, other: &Nearby) {
        let (tables, people) = (other.imp().tables.borrow(), other.imp().people.take());
        let tables: Vec<TableRow> = tables.iter().map(|one| one.table.clone()).collect();
        self.show(&tables, &people);
        self.show_interrupted(&other.imp().interrupted.take());
    }

    /// Who is around now.
    pub fn show(&self, tables: &[TableRow], people: &[String]) {
        self.imp().people.replace(people.to_vec());
        let parts = self.parts();
        parts
            .people
            .set_subtitle(&glib::markup_escape_text(&people.join(", ")));
        parts.people.set_visible(!people.is_empty());
        parts.empty.set_visible(tables.is_empty());
        parts.missing.set_visible(!tables.is_empty());
        // Each keeps its place: newcomers stand at the end.
        let mut listed = self.imp().tables.borrow_mut();
        listed.retain(|one| {
            let stays = tables.iter().any(|table| table.id == one.table.id);
            if !stays {
                parts.group.remove(&one.row);
            }
            stays
        });
        for table in tables {
            match listed.iter_mut().find(|one| one.table.id == table.id) {
                Some(one) => one.follow(table),
                None => {
                    let one = Listed::new(table);
                    parts.group.add(&one.row);
                    listed.push(one);
                }
            }
        }
    }
}
