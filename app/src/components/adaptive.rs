//! A frame that lets its content be as small as a phone, and says when the width, the height or the size of the system's text asks
//! for another layout: with text twice as large a window holds as much as one of half the size.
//!
//! The platform's breakpoints came after the versions this program must run on.

use std::cell::{Cell, RefCell};

use gtk::{glib, prelude::*, subclass::prelude::*};

/// Narrower than this is narrow.
const NARROW: i32 = 720;
/// Narrower than this nothing lies side by side.
const PHONE: i32 = 600;
/// Heights at which cards get larger: below the first a small laptop, from the last on a large screen.
const HEIGHTS: [i32; 2] = [720, 900];

/// How much larger than usual the system's text is; what is smaller counts as usual.
pub fn text_scale() -> f64 {
    let dpi = gtk::Settings::default().map_or(0, |settings| settings.gtk_xft_dpi());
    // In 1024ths of a dot per inch; 96 are usual.
    (f64::from(dpi) / 1024.0 / 96.0).clamp(1.0, 3.0)
}

/// Is this width a narrow one, with text as large as it is?
pub fn is_narrow(width: i32) -> bool {
    f64::from(width) < f64::from(NARROW) * text_scale()
}

/// How high this is, with text as large as it is: 0 low, 1 usual, 2 high.
pub fn height_class(height: i32) -> u32 {
    let at_scale = |length: i32| (f64::from(length) * text_scale()) as i32;
    let reached = HEIGHTS.iter().filter(|least| height >= at_scale(**least));
    reached.count() as u32
}

/// What a room asks for.
#[derive(PartialEq)]
struct Fit {
    narrow: bool,
    height_class: u32,
    phone: bool,
    text_scale: f64,
}

impl Fit {
    fn of(width: i32, height: i32) -> Fit {
        Fit {
            narrow: is_narrow(width),
            height_class: height_class(height),
            phone: width < PHONE,
            text_scale: text_scale(),
        }
    }
}

mod imp {
    use super::*;

    #[derive(Debug, Default, glib::Properties)]
    #[properties(wrapper_type = super::Adaptive)]
    pub struct Adaptive {
        /// A phone's width.
        #[property(get, set)]
        narrow: Cell<bool>,
        /// How high it is: 0 low, 1 usual, 2 high.
        #[property(get, set)]
        height_class: Cell<u32>,
        /// Less wide than anything but a phone, however large the text is.
        #[property(get, set)]
        phone: Cell<bool>,
        /// How much larger than usual the system's text is: 1 for not at all.
        #[property(get, set, default = 1.0)]
        text_scale: Cell<f64>,
        #[property(get, set = Self::set_content, nullable)]
        content: RefCell<Option<gtk::Widget>>,
    }

    impl Adaptive {
        fn set_content(&self, content: Option<gtk::Widget>) {
            if let Some(old) = self.content.take() {
                old.unparent();
            }
            if let Some(new) = &content {
                new.set_parent(&*self.obj());
            }
            self.content.replace(content);
        }
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Adaptive {
        const NAME: &'static str = "ShamansAdaptive";
        type Type = super::Adaptive;
        type ParentType = gtk::Widget;
    }

    #[glib::derived_properties]
    impl ObjectImpl for Adaptive {
        fn constructed(&self) {
            self.parent_constructed();
            self.obj().set_overflow(gtk::Overflow::Hidden);
            self.text_scale.set(text_scale());
            if let Some(settings) = gtk::Settings::default() {
                settings.connect_gtk_xft_dpi_notify(glib::clone!(
                    #[weak(rename_to = frame)]
                    self.obj(),
                    move |_| frame.queue_resize()
                ));
            }
        }

        fn dispose(&self) {
            if let Some(content) = self.content.take() {
                content.unparent();
            }
        }
    }

    impl WidgetImpl for Adaptive {
        // The window is as large as the player makes it. Asking the content, which the window does for every change, would lay out all its
        // texts for sizes that it never gets.
        fn measure(&self, orientation: gtk::Orientation, _for_size: i32) -> (i32, i32, i32, i32) {
            let least = match orientation {
                // A table with large letters has no room beside it; but the window may be small all the same.
                gtk::Orientation::Horizontal => (340.0 * text_scale().min(2.0)) as i32,
                _ => 360,
            };
            (least, least, -1, -1)
        }

        fn size_allocate(&self, width: i32, height: i32, baseline: i32) {
            if let Some(content) = self.content.borrow().as_ref() {
                // Until the new layout is in place the old one may need more room than there is; it is cut for one frame.
                let (wide, _, _, _) = content.measure(gtk::Orientation::Horizontal, -1);
                let wide = wide.max(width);
                let (high, _, _, _) = content.measure(gtk::Orientation::Vertical, wide);
                content.allocate(wide, high.max(height), baseline, None);
            }
            if Fit::of(width, height) != self.obj().fit() {
                // Not in the middle of an allocation.
                glib::idle_add_local_once(glib::clone!(
                    #[weak(rename_to = frame)]
                    self.obj(),
                    move || frame.prepare(width, height)
                ));
            }
        }

        fn snapshot(&self, snapshot: &gtk::Snapshot) {
            // At the side, beside the log.
            crate::motion::hold_place(snapshot, self.obj().width() - 1, 0);
            self.parent_snapshot(snapshot);
        }
    }
}

glib::wrapper! {
    /// A frame that adapts.
    pub struct Adaptive(ObjectSubclass<imp::Adaptive>)
        @extends gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Adaptive {
    fn fit(&self) -> Fit {
        Fit {
            narrow: self.narrow(),
            height_class: self.height_class(),
            phone: self.phone(),
            text_scale: self.text_scale(),
        }
    }

    /// Takes the layout for this room; ahead, where the room is known, so that nothing is laid out twice.
    pub fn prepare(&self, width: i32, height: i32) {
        let (fit, now) = (Fit::of(width, height), self.fit());
        if (fit.phone, fit.text_scale) != (now.phone, now.text_scale) {
            self.set_phone(fit.phone);
            self.set_text_scale(fit.text_scale);
        }
        if fit.narrow != now.narrow {
            self.set_narrow(fit.narrow);
        }
        if fit.height_class != now.height_class {
            self.set_height_class(fit.height_class);
        }
    }

    /// Around `content`.
    pub fn new(content: &impl IsA<gtk::Widget>) -> Adaptive {
        glib::Object::builder()
            .property("content", content.as_ref())
            .build()
    }
}
