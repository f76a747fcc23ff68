//! The badge of a deal or a record: checking, fair, failed, or not checked. Shape and words, never colour alone; one press says
//! what it proves and what not.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::{art::Art, session::standing::Standing, words};

mod imp {
    use std::cell::OnceCell;

    use super::*;

    #[derive(Debug)]
    pub struct Parts {
        pub art: Art,
        pub text: gtk::Label,
        pub meaning: gtk::Label,
        pub button: gtk::MenuButton,
    }

    #[derive(Debug, Default)]
    pub struct Badge {
        pub parts: OnceCell<Parts>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Badge {
        const NAME: &'static str = "ShamansBadge";
        type Type = super::Badge;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("badge");
        }
    }

    impl ObjectImpl for Badge {}
    impl WidgetImpl for Badge {}
    impl BinImpl for Badge {}
}

glib::wrapper! {
    /// What the check found.
    pub struct Badge(ObjectSubclass<imp::Badge>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Badge {
    /// Shows `standing`.
    pub fn new(standing: &Standing) -> Badge {
        let badge: Badge = glib::Object::new();
        let row = gtk::Box::builder().spacing(8).build();
        let art = Art::new("", 20, 20);
        let text = gtk::Label::builder().wrap(true).xalign(0.0).build();
        row.append(&art);
        row.append(&text);
        let meaning = gtk::Label::builder()
            .wrap(true)
            .max_width_chars(44)
            .xalign(0.0)
            .margin_top(6)
            .margin_bottom(6)
            .margin_start(6)
            .margin_end(6)
            .build();
        let popover = gtk::Popover::builder().child(&meaning).build();
        let button = gtk::MenuButton::builder()
            .child(&row)
            .popover(&popover)
            .halign(gtk::Align::Center)
            .css_classes(["flat"])
            .build();
        badge.set_child(Some(&button));
        let parts = imp::Parts {
            art,
            text,
            meaning,
            button,
        };
        badge.imp().parts.set(parts).expect("set once, here");
        badge.show_standing(standing);
        badge
    }

    /// Shows another state.
    pub fn show_standing(&self, standing: &Standing) {
        let parts = self.imp().parts.get().expect("set in new");
        self.set_css_classes(&[standing.class()]);
        parts.art.set_picture(standing.glyph());
        let text = standing.words();
        parts.text.set_label(&text);
        parts.meaning.set_label(&standing.meaning());
        let help = words::tr("What does this prove?");
        parts.button.set_tooltip_text(Some(&help));
        parts.button.update_property(&[
            gtk::accessible::Property::Label(&text),
            gtk::accessible::Property::Description(&help),
        ]);
    }
}
