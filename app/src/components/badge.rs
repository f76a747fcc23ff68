//! The badge of a deal: checked and fair, failed, or not checked. Shape and words, never colour alone; one press says what it proves.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::{art::Art, session::snapshot::Check, words};

mod imp {
    use super::*;

    #[derive(Debug, Default)]
    pub struct Badge;

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
    /// What the check of a deal found.
    pub struct Badge(ObjectSubclass<imp::Badge>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Badge {
    /// Shows `check`; `None` while it is still going on.
    pub fn new(check: Option<&Check>) -> Badge {
        let badge: Badge = glib::Object::new();
        let (class, glyph, text) = match check {
            None => ("open", "glyph-check-open", words::tr("Checking the deal…")),
            Some(Check::Fair) => (
                "fair",
                "glyph-check",
                words::tr("Fair deal, checked by your computer"),
            ),
            Some(Check::ProofsOnly) => (
                "open",
                "glyph-check-open",
                words::tr("Checked by proofs; a seed is missing"),
            ),
            Some(Check::Failed(what)) => (
                "failed",
                "glyph-check-failed",
                words::fill("The deal was not fair: {what}", &[("what", what)]),
            ),
        };
        badge.add_css_class(class);
        let row = gtk::Box::builder().spacing(8).build();
        row.append(&Art::new(glyph, 20, 20));
        row.append(
            &gtk::Label::builder()
                .label(&text)
                .wrap(true)
                .xalign(0.0)
                .build(),
        );
        let proof = gtk::Label::builder()
            .label(words::deal_proof())
            .wrap(true)
            .max_width_chars(44)
            .xalign(0.0)
            .build();
        let popover = gtk::Popover::builder().child(&proof).build();
        proof.set_margin_top(6);
        proof.set_margin_bottom(6);
        proof.set_margin_start(6);
        proof.set_margin_end(6);
        let button = gtk::MenuButton::builder()
            .child(&row)
            .popover(&popover)
            .halign(gtk::Align::Center)
            .css_classes(["flat"])
            .build();
        let help = words::tr("What does this prove?");
        button.set_tooltip_text(Some(&help));
        button.update_property(&[
            gtk::accessible::Property::Label(&text),
            gtk::accessible::Property::Description(&help),
        ]);
        badge.set_child(Some(&button));
        badge
    }
}
