//! A world and what lies at it.

use std::cell::Cell;

use gtk::{glib, prelude::*, subclass::prelude::*};

use super::super::snapshot::WorldSeen;
use crate::pieces::{Ritual, World};

mod imp {
    use super::*;

    #[derive(Debug, Default, glib::Properties)]
    #[properties(wrapper_type = super::WorldModel)]
    pub struct WorldModel {
        #[property(get, construct_only)]
        index: Cell<u32>,
        #[property(get, construct_only)]
        values: Cell<u32>,
        /// As bits from value 1 on.
        #[property(get, set)]
        laid: Cell<u32>,
        /// The world led in this trick.
        #[property(get, set)]
        destination: Cell<bool>,
        /// Those of the cards at it that were laid before everyone's eyes, as bits too.
        pub arriving: Cell<u32>,
        pub ritual: Cell<Option<Ritual>>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for WorldModel {
        const NAME: &'static str = "ShamansWorldModel";
        type Type = super::WorldModel;
    }

    #[glib::derived_properties]
    impl ObjectImpl for WorldModel {}
}

glib::wrapper! {
    /// A world.
    pub struct WorldModel(ObjectSubclass<imp::WorldModel>);
}

impl WorldModel {
    /// As the worker saw it.
    pub fn new(seen: &WorldSeen) -> WorldModel {
        let model: WorldModel = glib::Object::builder()
            .property("index", u32::from(seen.world.0))
            .property("values", u32::from(seen.values))
            .property("laid", u32::from(seen.laid))
            .build();
        model.imp().ritual.set(Some(seen.ritual));
        model
    }

    /// Which world.
    pub fn world(&self) -> World {
        World(self.index() as u8)
    }

    /// What completing it does.
    pub fn ritual(&self) -> Ritual {
        self.imp().ritual.get().unwrap_or(Ritual::Neutralisation)
    }

    /// The values at it, ascending.
    pub fn laid_values(&self) -> Vec<u32> {
        (1..=self.values())
            .filter(|value| self.laid() & (1 << (value - 1)) != 0)
            .collect()
    }

    /// One more card lies at it.
    pub fn lay(&self, value: u8) {
        let card = 1 << u32::from(value).saturating_sub(1);
        let arriving = &self.imp().arriving;
        arriving.set(arriving.get() | card);
        self.set_laid(self.laid() | card);
    }

    /// Was this card laid before everyone's eyes since this was last asked?
    pub fn arrives(&self, value: u32) -> bool {
        let card = 1 << value.saturating_sub(1);
        let arriving = &self.imp().arriving;
        arriving.replace(arriving.get() & !card) & card != 0
    }
}
