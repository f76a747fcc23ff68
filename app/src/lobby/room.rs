//! The table before play: who sits there, the code for the others, the ready check, and talk.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::{art::Art, components::seat::SHAPES, session::lan::RoomSeen, words};

mod imp {
    use std::cell::OnceCell;

    use super::*;

    #[derive(Debug)]
    pub struct Parts {
        pub title: gtk::Label,
        pub seats: gtk::ListBox,
        pub state: gtk::Label,
        pub code: gtk::Label,
        pub ready: gtk::Button,
        pub said: gtk::Label,
    }

    #[derive(Debug, Default)]
    pub struct Room {
        pub parts: OnceCell<Parts>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Room {
        const NAME: &'static str = "ShamansRoom";
        type Type = super::Room;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("lobby");
        }
    }

    impl ObjectImpl for Room {}
    impl WidgetImpl for Room {}
    impl BinImpl for Room {}
}

glib::wrapper! {
    /// The table before play.
    pub struct Room(ObjectSubclass<imp::Room>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Room {
    /// An empty room.
    pub fn new() -> Room {
        let room: Room = glib::Object::new();
        let column = gtk::Box::builder()
            .orientation(gtk::Orientation::Vertical)
            .spacing(14)
            .valign(gtk::Align::Center)
            .css_classes(["start"])
            .build();
        column.append(&Art::new("card-back", 90, 126));
        let title = gtk::Label::builder()
            .css_classes(["title-1"])
            .wrap(true)
            .build();
        column.append(&title);
        let state = gtk::Label::builder()
            .wrap(true)
            .justify(gtk::Justification::Center)
            .css_classes(["tagline"])
            .build();
        state.set_accessible_role(gtk::AccessibleRole::Status);
        column.append(&state);
        let seats = gtk::ListBox::builder()
            .selection_mode(gtk::SelectionMode::None)
            .css_classes(["boxed-list"])
            .build();
        seats.update_property(&[gtk::accessible::Property::Label(&words::tr("Seats"))]);
        column.append(&seats);
        let code = gtk::Label::builder()
            .selectable(true)
            .wrap(true)
            .justify(gtk::Justification::Center)
            .css_classes(["numeric"])
            .build();
        column.append(&code);
        let ready = gtk::Button::builder()
            .label(words::tr("I am ready"))
            .halign(gtk::Align::Center)
            .sensitive(false)
            .css_classes(["pill", "suggested-action"])
            .action_name("win.ready")
            .build();
        column.append(&ready);
        let said = gtk::Label::builder().wrap(true).visible(false).build();
        column.append(&said);
        let clamp = adw::Clamp::builder()
            .maximum_size(440)
            .child(&column)
            .build();
        let scroll = gtk::ScrolledWindow::builder()
            .child(&clamp)
            .hscrollbar_policy(gtk::PolicyType::Never)
            .vexpand(true)
            .build();
        room.set_child(Some(&scroll));
        let parts = imp::Parts {
            title,
            seats,
            state,
            code,
            ready,
            said,
        };
        room.imp().parts.set(parts).expect("set once, here");
        room
    }

    fn parts(&self) -> &imp::Parts {
        self.imp().parts.get().expect("set in new")
    }

    /// How things stand.
    pub fn show(&self, seen: &RoomSeen, code: &str) {
        let parts = self.parts();
        parts.title.set_label(&seen.name);
        let free = seen.seats.saturating_sub(seen.members.len());
        parts.state.set_label(&match free {
            0 => words::tr("Everyone is here."),
            _ => words::tr_n(
                "Waiting for 1 more player.",
                "Waiting for {n} more players.",
                free,
            ),
        });
        if !code.is_empty() {
            parts.code.set_label(&words::fill(
                "Others join by this code: {code}",
                &[("code", code)],
            ));
        }
        while let Some(row) = parts.seats.first_child() {
            parts.seats.remove(&row);
        }
        for i in 0..seen.seats + seen.phantoms {
            let (name, class) = match seen.members.get(i) {
                Some(name) => (name.clone(), "taken"),
                None if i < seen.seats => (words::tr("free"), "dim-label"),
                None => (words::tr("Phantom"), "dim-label"),
            };
            let line = gtk::Box::builder()
                .spacing(12)
                .margin_top(8)
                .margin_bottom(8)
                .margin_start(12)
                .margin_end(12)
                .build();
            let shape = Art::new(
                &format!("glyph-{}", SHAPES.get(i).copied().unwrap_or("circle")),
                24,
                24,
            );
            shape.add_css_class(&format!("player-{i}"));
            line.append(&shape);
            line.append(
                &gtk::Label::builder()
                    .label(&name)
                    .css_classes([class])
                    .build(),
            );
            let row = gtk::ListBoxRow::builder()
                .activatable(false)
                .child(&line)
                .build();
            row.update_property(&[gtk::accessible::Property::Label(&words::fill(
                "Seat {n}: {name}",
                &[("n", &(i + 1).to_string()), ("name", &name)],
            ))]);
            parts.seats.append(&row);
        }
    }

    /// Everyone is there: the ready check.
    pub fn ask_ready(&self) {
        self.parts()
            .state
            .set_label(&words::tr("Everyone is here. Begin?"));
        self.parts().ready.set_sensitive(true);
        self.parts().ready.grab_focus();
    }

    /// The player has agreed; so many have.
    pub fn count_ready(&self, ready: usize) {
        self.parts().state.set_label(&words::tr_n(
            "1 player is ready.",
            "{n} players are ready.",
            ready,
        ));
    }

    /// The player has pressed.
    pub fn agreed(&self) {
        self.parts().ready.set_sensitive(false);
    }

    /// Something was said, or went wrong.
    pub fn tell(&self, text: &str) {
        self.parts().said.set_label(text);
        self.parts().said.set_visible(true);
    }
}
