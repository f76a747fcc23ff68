//! What lies behind everything: at night, stars.
//!
//! Points and not a picture: where there is no graphics card, a picture as large as the window is copied for every frame.

use adw::{prelude::*, subclass::prelude::*};
use gtk::{glib, graphene};

/// The same stars come again after so many pixels.
const TILE: i32 = 640;
/// So many on each tile.
const STARS: u32 = 95;

struct Star {
    x: f64,
    y: f64,
    size: f64,
    light: f64,
}

/// The star of this number: scattered, and the same in every window.
fn star(number: u32) -> Star {
    let mut bits = number.wrapping_add(1);
    let mut draw = |below: u32| {
        for _ in 0..2 {
            bits ^= bits << 13;
            bits ^= bits >> 17;
            bits ^= bits << 5;
            bits = bits.wrapping_mul(0x9E37_79B1);
        }
        (bits >> 8) % below
    };
    Star {
        x: f64::from(draw(TILE.unsigned_abs())),
        y: f64::from(draw(TILE.unsigned_abs())),
        size: if draw(6) == 0 { 2.0 } else { 1.0 },
        light: 0.1 + f64::from(draw(30)) / 100.0,
    }
}

mod imp {
    use super::*;

    #[derive(Debug, Default)]
    pub struct Sky;

    #[glib::object_subclass]
    impl ObjectSubclass for Sky {
        const NAME: &'static str = "ShamansSky";
        type Type = super::Sky;
        type ParentType = adw::Bin;
    }

    impl ObjectImpl for Sky {
        fn constructed(&self) {
            self.parent_constructed();
            adw::StyleManager::default().connect_dark_notify(glib::clone!(
                #[weak(rename_to = sky)]
                self.obj(),
                move |_| sky.queue_draw()
            ));
        }
    }

    impl WidgetImpl for Sky {
        fn snapshot(&self, snapshot: &gtk::Snapshot) {
            let style = adw::StyleManager::default();
            // Whoever asks for contrast wants nothing behind the letters.
            if style.is_dark() && !style.is_high_contrast() {
                let (wide, high) = (self.obj().width(), self.obj().height());
                let all = graphene::Rect::new(0.0, 0.0, wide as f32, high as f32);
                let context = snapshot.append_cairo(&all);
                for star in (0..STARS).map(star) {
                    context.set_source_rgba(1.0, 1.0, 1.0, star.light);
                    for left in (0..wide).step_by(TILE as usize) {
                        for top in (0..high).step_by(TILE as usize) {
                            let (x, y) = (f64::from(left) + star.x, f64::from(top) + star.y);
                            context.rectangle(x, y, star.size, star.size);
                        }
                    }
                    // A sky without a star is a sky.
                    let _ = context.fill();
                }
            }
            self.parent_snapshot(snapshot);
        }
    }

    impl BinImpl for Sky {}
}

glib::wrapper! {
    /// The sky around `child`.
    pub struct Sky(ObjectSubclass<imp::Sky>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Sky {
    /// Behind `child`.
    pub fn new(child: &impl IsA<gtk::Widget>) -> Sky {
        glib::Object::builder()
            .property("child", child.as_ref())
            .build()
    }
}
