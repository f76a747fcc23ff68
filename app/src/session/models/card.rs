//! A card in the own hand.

use std::cell::{Cell, RefCell};

use gtk::{glib, prelude::*, subclass::prelude::*};

use super::{super::snapshot::CardSeen, mirror};
use crate::{
    pieces::{Card, Slot, World},
    words,
};

mod imp {
    use super::*;

    #[derive(Debug, Default, glib::Properties)]
    #[properties(wrapper_type = super::CardModel)]
    pub struct CardModel {
        #[property(get, set, construct)]
        slot: Cell<u32>,
        #[property(get, construct_only)]
        world: Cell<u32>,
        #[property(get, construct_only)]
        value: Cell<u32>,
        /// May be chosen now.
        #[property(get, set)]
        playable: Cell<bool>,
        /// Why not, or what choosing it does.
        #[property(get, set)]
        reason: RefCell<String>,
        /// Chosen, not yet confirmed.
        #[property(get, set)]
        selected: Cell<bool>,
        /// The advice is to take this one.
        #[property(get, set)]
        advised: Cell<bool>,
        /// Its face is covered, for people who walk by.
        #[property(get, set)]
        covered: Cell<bool>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for CardModel {
        const NAME: &'static str = "ShamansCardModel";
        type Type = super::CardModel;
    }

    #[glib::derived_properties]
    impl ObjectImpl for CardModel {}
}

glib::wrapper! {
    /// A card in the own hand.
    pub struct CardModel(ObjectSubclass<imp::CardModel>);
}

impl CardModel {
    /// As the worker saw it.
    pub fn new(seen: &CardSeen) -> CardModel {
        glib::Object::builder()
            .property("slot", u32::from(seen.slot.0))
            .property("world", u32::from(seen.card.world.0))
            .property("value", u32::from(seen.card.value))
            .build()
    }

    /// Where it is.
    pub fn place(&self) -> Slot {
        Slot(self.slot() as u16)
    }

    /// It is in another place now.
    pub fn move_to(&self, slot: Slot) {
        mirror!(self, slot, set_slot, u32::from(slot.0));
    }

    /// Why not, or what choosing it does: of a covered card nothing that tells what it is.
    pub fn told_reason(&self) -> String {
        if self.covered() && self.playable() {
            words::tr("Your hand is covered: H shows it.")
        } else {
            self.reason()
        }
    }

    /// What it is.
    pub fn card(&self) -> Card {
        Card {
            world: World(self.world() as u8),
            value: self.value() as u8,
        }
    }
}
