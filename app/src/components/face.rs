//! The drawn face of a world card or of an identity: picture, value and name. No button, no name for the screen reader:
//! what it shows is said by the widget around it.

use std::cell::{Cell, RefCell};

use gtk::{gdk, glib, graphene, pango, prelude::*, subclass::prelude::*};

use super::soon::Tip;
use crate::art;

/// Height of a card in widths.
pub const RATIO: f64 = 1.4;

/// What to print and how; with `room` above 0 it shrinks to fit.
#[derive(Debug, Clone, PartialEq)]
struct Print {
    text: String,
    size: f64,
    weight: pango::Weight,
    room: f32,
}

/// The letters of the last print: a card is drawn many times while it flies.
type Printed = RefCell<Option<(Print, pango::Layout)>>;

/// Weight and size in pixels of the letters on a card `wide` pixels wide: its value, and its name where there is room. Whole pixels:
/// every size is a font of its own, which takes time when it is first seen.
pub fn fonts(wide: i32) -> [(pango::Weight, f64); 2] {
    let unit = f64::from(wide) / 100.0;
    [
        (pango::Weight::Heavy, (30.0 * unit).round()),
        (pango::Weight::Bold, (13.5 * unit).round().max(8.0)),
    ]
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
        value_print: Printed,
        caption_print: Printed,
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

        fn shaped(&self, printed: &Printed, print: Print) -> pango::Layout {
            let mut printed = printed.borrow_mut();
            match &*printed {
                Some((before, layout)) if *before == print => layout.clone(),
                _ => {
                    let layout = self.shape(&print);
                    *printed = Some((print, layout.clone()));
                    layout
                }
            }
        }

        fn shape(&self, print: &Print) -> pango::Layout {
            let layout = self.obj().create_pango_layout(Some(&print.text));
            let mut font = pango::FontDescription::new();
            font.set_weight(print.weight);
            font.set_absolute_size(print.size * f64::from(pango::SCALE));
            layout.set_font_description(Some(&font));
            if print.room > 0.0 {
                // A long translation gets smaller, never cut.
                let (width, _) = layout.pixel_size();
                if width as f32 > print.room {
                    let size = print.size * f64::from(print.room) / f64::from(width);
                    let size = (size * 2.0).floor() / 2.0;
                    font.set_absolute_size(size * f64::from(pango::SCALE));
                    layout.set_font_description(Some(&font));
                }
            }
            layout
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
            let print = |layout: &pango::Layout, colour: gdk::RGBA, (x, y): (f32, f32)| {
                snapshot.save();
                snapshot.translate(&graphene::Point::new(x, y));
                snapshot.append_layout(layout, &colour);
                snapshot.restore();
            };
            let [(heavy, large), (bold, small)] = fonts(face.width());
            let value = self.value.borrow();
            if !value.is_empty() {
                let layout = self.shaped(
                    &self.value_print,
                    Print {
                        text: value.clone(),
                        size: large,
                        weight: heavy,
                        room: 0.0,
                    },
                );
                let ink = gdk::RGBA::new(0.07, 0.06, 0.15, 1.0);
                let high = layout.pixel_size().1 as f32;
                print(&layout, ink, (10.0 * unit, 21.0 * unit - high / 2.0));
            }
            let caption = self.caption.borrow();
            if !caption.is_empty() {
                let layout = self.shaped(
                    &self.caption_print,
                    Print {
                        text: caption.clone(),
                        size: small,
                        weight: bold,
                        room: 84.0 * unit,
                    },
                );
                let ivory = gdk::RGBA::new(1.0, 0.97, 0.89, 1.0);
                let (wide, high) = layout.pixel_size();
                let x = (width - wide as f32) / 2.0;
                let y = height - 11.5 * unit - high as f32 / 2.0;
                print(&layout, ivory, (x, y));
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
