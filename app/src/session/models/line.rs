//! A line of the log.

use std::cell::RefCell;

use gtk::{glib, prelude::*, subclass::prelude::*};

use crate::pieces::Event;

mod imp {
    use super::*;

    #[derive(Debug, Default, glib::Properties)]
    #[properties(wrapper_type = super::LineModel)]
    pub struct LineModel {
        #[property(get, set, construct)]
        text: RefCell<String>,
        /// A style class.
        #[property(get, construct_only)]
        kind: RefCell<String>,
        /// What it tells, where it tells an event of the game.
        pub event: RefCell<Option<Event>>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for LineModel {
        const NAME: &'static str = "ShamansLineModel";
        type Type = super::LineModel;
    }

    #[glib::derived_properties]
    impl ObjectImpl for LineModel {}
}

glib::wrapper! {
    /// A line of the log.
    pub struct LineModel(ObjectSubclass<imp::LineModel>);
}

impl LineModel {
    /// A sentence and its style class.
    pub fn new(text: &str, kind: &str) -> LineModel {
        glib::Object::builder()
            .property("text", text)
            .property("kind", kind)
            .build()
    }

    /// An event in words; kept, so that it can be told again in another language.
    pub fn telling(event: &Event, text: &str, kind: &str) -> LineModel {
        let line = LineModel::new(text, kind);
        line.imp().event.replace(Some(event.clone()));
        line
    }

    /// The event it tells, if it tells one.
    pub fn event(&self) -> Option<Event> {
        self.imp().event.borrow().clone()
    }
}
