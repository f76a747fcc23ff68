//! A row of small pictures that move together when there is little room: a player's tiles never make the table wider.

use std::cell::Cell;

use gtk::{glib, prelude::*, subclass::prelude::*};

use crate::art::Art;

mod imp {
    use super::*;

    #[derive(Debug, Default)]
    pub struct Strip {
        pub size: Cell<i32>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Strip {
        const NAME: &'static str = "ShamansStrip";
        type Type = super::Strip;
        type ParentType = gtk::Widget;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("strip");
            class.set_accessible_role(gtk::AccessibleRole::Presentation);
        }
    }

    impl ObjectImpl for Strip {
        fn dispose(&self) {
            while let Some(child) = self.obj().first_child() {
                child.unparent();
            }
        }
    }

    impl WidgetImpl for Strip {
        fn measure(&self, orientation: gtk::Orientation, _for_size: i32) -> (i32, i32, i32, i32) {
            let size = self.size.get();
            let count = self.obj().count();
            match orientation {
                gtk::Orientation::Horizontal if count == 0 => (0, 0, -1, -1),
                gtk::Orientation::Horizontal => (size.min(14), count * (size + 2), -1, -1),
                _ => (size, size, -1, -1),
            }
        }

        fn size_allocate(&self, width: i32, height: i32, _baseline: i32) {
            let strip = self.obj();
            let size = self.size.get().min(width).max(1);
            let count = strip.count();
            let step = if count > 1 {
                ((width - size) / (count - 1)).min(size + 2)
            } else {
                0
            };
            let mut child = strip.first_child();
            let mut x = 0;
            while let Some(widget) = child {
                let place = gtk::Allocation::new(x, (height - size) / 2, size, size);
                widget.size_allocate(&place, -1);
                x += step;
                child = widget.next_sibling();
            }
        }
    }
}

glib::wrapper! {
    /// Small pictures in a row.
    pub struct Strip(ObjectSubclass<imp::Strip>)
        @extends gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Strip {
    /// An empty row for pictures of `size` logical pixels.
    pub fn new(size: i32) -> Strip {
        let strip: Strip = glib::Object::new();
        strip.imp().size.set(size);
        strip
    }

    /// How many pictures there are.
    pub fn count(&self) -> i32 {
        let mut count = 0;
        let mut child = self.first_child();
        while let Some(widget) = child {
            count += 1;
            child = widget.next_sibling();
        }
        count
    }

    /// Sets the size of the pictures to come.
    pub fn set_size(&self, size: i32) {
        self.imp().size.set(size);
        self.queue_resize();
    }

    /// One more.
    pub fn add(&self, picture: &Art) {
        picture.set_least(8);
        picture.set_parent(self);
    }

    /// None.
    pub fn clear(&self) {
        while let Some(child) = self.first_child() {
            child.unparent();
        }
    }
}
