//! A few words that wrap: for lists that grow while one plays.
//!
//! The toolkit's label first looks for the narrowest room that its words could stand in, which takes longer than all the rest. A list
//! that has its width from elsewhere needs no such answer.

use std::cell::RefCell;

use gtk::{glib, pango, prelude::*, subclass::prelude::*};

/// The room it is content with, in logical pixels.
const LEAST: i32 = 40;
const USUAL: i32 = 200;

mod imp {
    use super::*;

    #[derive(Debug, Default)]
    pub struct Line {
        pub text: RefCell<String>,
        /// Follows the font of its place by itself.
        shaped: RefCell<Option<pango::Layout>>,
    }

    impl Line {
        /// The words in this room.
        fn shaped(&self, width: i32) -> pango::Layout {
            let mut shaped = self.shaped.borrow_mut();
            let layout = shaped.get_or_insert_with(|| {
                let layout = self.obj().create_pango_layout(Some(&self.text.borrow()));
                layout.set_wrap(pango::WrapMode::WordChar);
                layout
            });
            layout.set_width(width * pango::SCALE);
            layout.clone()
        }
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Line {
        const NAME: &'static str = "ShamansLine";
        type Type = super::Line;
        type ParentType = gtk::Widget;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("label");
            class.set_accessible_role(gtk::AccessibleRole::Label);
        }
    }

    impl ObjectImpl for Line {}

    impl WidgetImpl for Line {
        fn request_mode(&self) -> gtk::SizeRequestMode {
            gtk::SizeRequestMode::HeightForWidth
        }

        fn measure(&self, orientation: gtk::Orientation, for_size: i32) -> (i32, i32, i32, i32) {
            match orientation {
                gtk::Orientation::Horizontal => (LEAST, USUAL, -1, -1),
                _ => {
                    let width = if for_size < 0 { USUAL } else { for_size };
                    let (_, high) = self.shaped(width).pixel_size();
                    (high, high, -1, -1)
                }
            }
        }

        fn snapshot(&self, snapshot: &gtk::Snapshot) {
            let line = self.obj();
            let layout = self.shaped(line.width());
            #[allow(deprecated)]
            let colour = line.style_context().color();
            snapshot.append_layout(&layout, &colour);
        }
    }
}

glib::wrapper! {
    /// Words that wrap.
    pub struct Line(ObjectSubclass<imp::Line>)
        @extends gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Line {
    /// These words.
    pub fn new(text: &str) -> Line {
        let line: Line = glib::Object::new();
        line.imp().text.replace(text.to_owned());
        line.update_property(&[gtk::accessible::Property::Label(text)]);
        line
    }
}
