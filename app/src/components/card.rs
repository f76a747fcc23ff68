//! A world card in the hand: a real button whose child draws the face.

use gtk::{glib, prelude::*, subclass::prelude::*};

use super::face::CardFace;
use crate::{session::models::CardModel, words};

mod imp {
    use std::cell::OnceCell;

    use super::*;

    #[derive(Debug, Default)]
    pub struct CardButton {
        pub model: OnceCell<CardModel>,
        pub face: OnceCell<CardFace>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for CardButton {
        const NAME: &'static str = "ShamansCardButton";
        type Type = super::CardButton;
        type ParentType = gtk::Button;
    }

    impl ObjectImpl for CardButton {}
    impl WidgetImpl for CardButton {}
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
        let refresh = glib::clone!(
            #[weak]
            button,
            move |_: &CardModel| button.refresh()
        );
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
            false => model.reason(),
        };
        self.set_tooltip_text(if reason.is_empty() {
            None
        } else {
            Some(reason.as_str())
        });
        self.update_property(&[
            gtk::accessible::Property::Label(&name),
            gtk::accessible::Property::Description(&reason),
        ]);
        self.update_state(&[
            gtk::accessible::State::Disabled(!model.playable()),
            gtk::accessible::State::Selected(Some(model.selected())),
        ]);
    }
}
