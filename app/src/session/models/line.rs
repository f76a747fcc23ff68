//! A line of the log.

use std::cell::RefCell;

use gtk::{glib, prelude::*, subclass::prelude::*};

mod imp {
    use super::*;

    #[derive(Debug, Default, glib::Properties)]
    #[properties(wrapper_type = super::LineModel)]
    pub struct LineModel {
        #[property(get, construct_only)]
        text: RefCell<String>,
        /// A style class.
        #[property(get, construct_only)]
        kind: RefCell<String>,
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
}
