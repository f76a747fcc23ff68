//! A world card in the hand: a real button whose child draws the face.

use gtk::{glib, prelude::*, subclass::prelude::*};

use super::{
    face::CardFace,
    soon::{Tip, once_a_frame},
};
use crate::{session::models::CardModel, words};

mod imp {
    use std::cell::{OnceCell, RefCell};

    use super::*;

    /// What it was last made to look and sound like.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Shown {
        pub name: String,
        pub reason: String,
        pub playable: bool,
        pub selected: bool,
    }

    #[derive(Debug, Default)]
    pub struct CardButton {
        pub model: OnceCell<CardModel>,
        pub face: OnceCell<CardFace>,
        pub tip: Tip,
        pub shown: RefCell<Option<Shown>>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for CardButton {
        const NAME: &'static str = "ShamansCardButton";
        type Type = super::CardButton;
        type ParentType = gtk::Button;
    }

    impl ObjectImpl for CardButton {}
    impl WidgetImpl for CardButton {
        fn query_tooltip(&self, _x: i32, _y: i32, _by_key: bool, tooltip: &gtk::Tooltip) -> bool {
            self.tip.show(tooltip)
        }
    }
    impl ButtonImpl for CardButton {}
}

glib::wrapper! {
    /// A card that can be chosen.
    pub struct CardButton(ObjectSubclass<imp::CardButton>)
        @extends gtk::Button, gtk::Widget,
        @implements gtk::Accessible, gtk::Actionable, gtk::Buildable, gtk::ConstraintTarget;
}

impl CardButton {
    /// Shows `model` and follows it.
    pub fn new(model: &CardModel, wide: i32) -> CardButton {
        let button: CardButton = glib::Object::new();
        button.add_css_class("flat");
        button.add_css_class("card-button");
        let face = CardFace::new("", "", "", wide);
        button.set_child(Some(&face));
        let imp = button.imp();
        imp.face.set(face).expect("set once, here");
        imp.model.set(model.clone()).expect("set once, here");
        let refresh = once_a_frame(&button, CardButton::refresh);
        let refresh = move |_: &CardModel| refresh();
        model.connect_selected_notify(refresh.clone());
        model.connect_playable_notify(refresh.clone());
        model.connect_reason_notify(refresh.clone());
        model.connect_advised_notify(refresh.clone());
        model.connect_covered_notify(refresh);
        button.refresh();
        button
    }

    /// What it shows.
    pub fn model(&self) -> &CardModel {
        self.imp().model.get().expect("set in new")
    }

    /// Sets the width of the face.
    pub fn set_wide(&self, wide: i32) {
        let face = self.imp().face.get().expect("set in new");
        if face.wide() != wide {
            face.set_wide(wide);
        }
    }

    fn refresh(&self) {
        let model = self.model();
        let face = self.imp().face.get().expect("set in new");
        let card = model.card();
        let name = if model.covered() {
            face.set_picture("card-back");
            face.set_value("");
            face.set_caption("");
            words::tr("Covered card")
        } else {
            face.set_picture(format!("world-{}", words::world_key(card.world)));
            face.set_value(card.value.to_string());
            face.set_caption(words::world(card.world));
            words::card(card)
        };
        let class = |class: &str, on: bool| {
            if on {
                self.add_css_class(class)
            } else {
                self.remove_css_class(class)
            }
        };
        class("selected", model.selected());
        class("unplayable", !model.playable());
        // A covered card stays covered, whatever the advice.
        let advised = model.advised() && !model.covered();
        class("advised", advised);
        let reason = match advised {
            true => format!("{} {}", words::tr("Advised."), model.reason()),
            false => model.told_reason(),
        };
        let now = imp::Shown {
            name,
            reason,
            playable: model.playable(),
            selected: model.selected(),
        };
        // Whoever listens is told of each of these once more, changed or not.
        if self.imp().shown.borrow().as_ref() == Some(&now) {
            return;
        }
        self.imp().tip.set(self, &now.reason);
        self.update_property(&[
            gtk::accessible::Property::Label(&now.name),
            gtk::accessible::Property::Description(&now.reason),
        ]);
        self.update_state(&[
            gtk::accessible::State::Disabled(!now.playable),
            gtk::accessible::State::Selected(Some(now.selected)),
        ]);
        self.imp().shown.replace(Some(now));
    }
}
