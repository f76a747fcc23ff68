//! An artefact tile that can be taken: a button with a drawn child.

use gtk::{glib, prelude::*, subclass::prelude::*};

use super::soon::Tip;
use crate::art::Art;

mod imp {
    use std::cell::{OnceCell, RefCell};

    use super::*;

    #[derive(Debug, Default)]
    pub struct TileButton {
        pub art: OnceCell<Art>,
        pub caption: OnceCell<gtk::Label>,
        pub tip: Tip,
        pub shown: RefCell<(String, String, bool)>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for TileButton {
        const NAME: &'static str = "ShamansTileButton";
        type Type = super::TileButton;
        type ParentType = gtk::Button;
    }

    impl ObjectImpl for TileButton {}
    impl WidgetImpl for TileButton {
        fn query_tooltip(&self, _x: i32, _y: i32, _by_key: bool, tooltip: &gtk::Tooltip) -> bool {
            self.tip.show(tooltip)
        }
    }
    impl ButtonImpl for TileButton {}
}

glib::wrapper! {
    /// A tile to take.
    pub struct TileButton(ObjectSubclass<imp::TileButton>)
        @extends gtk::Button, gtk::Widget,
        @implements gtk::Accessible, gtk::Actionable, gtk::Buildable, gtk::ConstraintTarget;
}

impl TileButton {
    /// An empty place.
    pub fn new() -> TileButton {
        let button: TileButton = glib::Object::new();
        button.add_css_class("flat");
        button.add_css_class("tile-button");
        let column = gtk::Box::new(gtk::Orientation::Vertical, 3);
        let art = Art::new("", 74, 74);
        let caption = gtk::Label::builder().css_classes(["caption"]).build();
        // "Maske der Wahrheit" is longer than the tile is wide.
        caption.set_wrap(true);
        caption.set_lines(2);
        caption.set_justify(gtk::Justification::Center);
        caption.set_ellipsize(gtk::pango::EllipsizeMode::End);
        caption.set_max_width_chars(13);
        column.append(&art);
        column.append(&caption);
        button.set_child(Some(&column));
        let imp = button.imp();
        imp.art.set(art).expect("set once, here");
        imp.caption.set(caption).expect("set once, here");
        button
    }

    /// Shows a picture with its name; `reason` says what pressing does or why it cannot.
    pub fn show_tile(&self, picture: &str, name: &str, enabled: bool, reason: &str) {
        let imp = self.imp();
        let art = imp.art.get().expect("set in new");
        if art.picture() != picture {
            art.set_picture(picture);
        }
        imp.caption.get().expect("set in new").set_label(name);
        let class = |class: &str, on: bool| {
            if on {
                self.add_css_class(class)
            } else {
                self.remove_css_class(class)
            }
        };
        class("choice", enabled);
        class("empty", picture.is_empty());
        let now = (name.to_owned(), reason.to_owned(), enabled);
        if *imp.shown.borrow() == now {
            return;
        }
        imp.shown.replace(now);
        imp.tip.set(self, reason);
        self.update_property(&[
            gtk::accessible::Property::Label(name),
            gtk::accessible::Property::Description(reason),
        ]);
        self.update_state(&[gtk::accessible::State::Disabled(!enabled)]);
    }

    /// Chosen and not yet taken, or not.
    pub fn select(&self, on: bool) {
        if on == self.is_chosen() {
            return;
        }
        if on {
            self.add_css_class("selected");
        } else {
            self.remove_css_class("selected");
        }
        self.update_state(&[gtk::accessible::State::Selected(Some(on))]);
    }

    /// Is it chosen and not yet taken?
    pub fn is_chosen(&self) -> bool {
        self.has_css_class("selected")
    }

    /// The advice is to take this one, or not.
    pub fn mark(&self, advised: bool) {
        if advised {
            self.add_css_class("advised");
        } else {
            self.remove_css_class("advised");
        }
    }

    /// Sets the size of the picture.
    pub fn set_size(&self, size: i32) {
        let art = self.imp().art.get().expect("set in new");
        art.set_wide(size);
        art.set_high(size);
    }
}
