//! The drawn face of a world card or of an identity: picture, value and name. No button, no name for the screen reader:
//! what it shows is said by the widget around it.

use std::cell::{Cell, RefCell};

use gtk::{gdk, glib, graphene, pango, prelude::*, subclass::prelude::*};

use super::soon::Tip;
use crate::art;

/// Height of a card in widths.
pub const RATIO: f64 = 1.4;

/// What to print and how; with `room` above 0 it shrinks to fit.
struct Print<'a> {
    text: &'a str,
    size: f64,
    weight: pango::Weight,
    colour: gdk::RGBA,
    room: f32,
}

mod imp {
    use super::*;

    #[derive(Debug, Default, glib::Properties)]
    #[properties(wrapper_type = super::CardFace)]
    pub struct CardFace {
        /// Which picture.
        #[property(get, set = Self::set_picture)]
        picture: RefCell<String>,
        /// Printed in the corner; empty for none.
        #[property(get, set = Self::set_value)]
        value: RefCell<String>,
        /// Printed at the foot; empty for none.
        #[property(get, set = Self::set_caption)]
        caption: RefCell<String>,
        /// The width it would like.
        #[property(get, set = Self::set_wide, default = 80)]
        wide: Cell<i32>,
        pub tip: Tip,
    }

    impl CardFace {
        fn set_picture(&self, text: String) {
            if self.picture.replace(text.clone()) != text {
                self.obj().queue_draw();
            }
        }

        fn set_value(&self, text: String) {
            if self.value.replace(text.clone()) != text {
                self.obj().queue_draw();
            }
        }

        fn set_caption(&self, text: String) {
            if self.caption.replace(text.clone()) != text {
                self.obj().queue_draw();
            }
        }

        fn set_wide(&self, wide: i32) {
            self.wide.set(wide);
            self.obj().queue_resize();
        }

        fn text(
            &self,
            snapshot: &gtk::Snapshot,
            print: Print<'_>,
            place: impl Fn(f32, f32) -> (f32, f32),
        ) {
            let Print {
                text,
                size,
                weight,
                colour,
                room,
            } = print;
            let layout = self.obj().create_pango_layout(Some(text));
            let mut font = pango::FontDescription::new();
            font.set_weight(weight);
            font.set_absolute_size(size * f64::from(pango::SCALE));
            layout.set_font_description(Some(&font));
            if room > 0.0 {
                // A long translation gets smaller, never cut.
                let (width, _) = layout.pixel_size();
                if width as f32 > room {
                    font.set_absolute_size(
                        size * f64::from(room) / f64::from(width) * f64::from(pango::SCALE),
                    );
                    layout.set_font_description(Some(&font));
                }
            }
            let (width, height) = layout.pixel_size();
            let (x, y) = place(width as f32, height as f32);
            snapshot.save();
            snapshot.translate(&graphene::Point::new(x, y));
            snapshot.append_layout(&layout, &colour);
            snapshot.restore();
        }
    }

    #[glib::object_subclass]
    impl ObjectSubclass for CardFace {
        const NAME: &'static str = "ShamansCardFace";
        type Type = super::CardFace;
        type ParentType = gtk::Widget;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("cardface");
            class.set_accessible_role(gtk::AccessibleRole::Presentation);
        }
    }

    #[glib::derived_properties]
    impl ObjectImpl for CardFace {}

    impl WidgetImpl for CardFace {
        fn query_tooltip(&self, _x: i32, _y: i32, _by_key: bool, tooltip: &gtk::Tooltip) -> bool {
            self.tip.show(tooltip)
        }

        fn measure(&self, orientation: gtk::Orientation, _for_size: i32) -> (i32, i32, i32, i32) {
            let wide = self.wide.get().max(20);
            let size = match orientation {
                gtk::Orientation::Horizontal => wide,
                _ => (f64::from(wide) * RATIO).round() as i32,
            };
            (size, size, -1, -1)
        }

        fn snapshot(&self, snapshot: &gtk::Snapshot) {
            let face = self.obj();
            let (width, height) = (face.width() as f32, face.height() as f32);
            art::draw(
                &*face,
                snapshot,
                &self.picture.borrow(),
                graphene::Rect::new(0.0, 0.0, width, height),
            );
            let unit = width / 100.0;
            let value = self.value.borrow();
            if !value.is_empty() {
                let ink = gdk::RGBA::new(0.07, 0.06, 0.15, 1.0);
                let place = |_: f32, high: f32| (10.0 * unit, 21.0 * unit - high / 2.0);
                self.text(
                    snapshot,
                    Print {
                        text: &value,
                        size: f64::from(30.0 * unit),
                        weight: pango::Weight::Heavy,
                        colour: ink,
                        room: 0.0,
                    },
                    place,
                );
            }
            let caption = self.caption.borrow();
            if !caption.is_empty() {
                let ivory = gdk::RGBA::new(1.0, 0.97, 0.89, 1.0);
                let place = |wide: f32, high: f32| {
                    ((width - wide) / 2.0, height - 11.5 * unit - high / 2.0)
                };
                self.text(
                    snapshot,
                    Print {
                        text: &caption,
                        size: f64::from((13.5 * unit).max(8.0)),
                        weight: pango::Weight::Bold,
                        colour: ivory,
                        room: 84.0 * unit,
                    },
                    place,
                );
            }
        }
    }
}

glib::wrapper! {
    /// A drawn card face.
    pub struct CardFace(ObjectSubclass<imp::CardFace>)
        @extends gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl CardFace {
    /// A face `wide` logical pixels wide.
    pub fn new(picture: &str, value: &str, caption: &str, wide: i32) -> CardFace {
        glib::Object::builder()
            .property("picture", picture)
            .property("value", value)
            .property("caption", caption)
            .property("wide", wide)
            .build()
    }

    /// Says what it is to whoever points at it.
    pub fn set_tip(&self, text: &str) {
        self.imp().tip.set(self, text);
    }
}
