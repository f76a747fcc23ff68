//! What lies behind everything: by day and by night a sky, at night with stars.
//!
//! Bands of one colour and points, and no gradient, picture or drawing: where there is no graphics card, these would be computed or
//! copied for every frame. A widget of its own, so that it stays as it was drawn while others change.

use adw::prelude::*;
use gtk::{gdk, glib, graphene, subclass::prelude::*};

/// The colours of the style file, from the top down, and where they are reached.
const COLOURS: [(&str, f64); 3] = [("sky_top", 0.0), ("sky_mid", 0.55), ("sky_low", 1.0)];

/// The same stars come again after so many pixels.
const TILE: i32 = 640;
/// So many on each tile.
const STARS: u32 = 95;

struct Star {
    x: i32,
    y: i32,
    size: f32,
    light: f32,
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
        x: draw(TILE.unsigned_abs()) as i32,
        y: draw(TILE.unsigned_abs()) as i32,
        size: if draw(6) == 0 { 2.0 } else { 1.0 },
        light: 0.1 + draw(30) as f32 / 100.0,
    }
}

/// So much of the other colour.
fn mixed(one: &gdk::RGBA, other: &gdk::RGBA, part: f32) -> gdk::RGBA {
    let mix = |a: f32, b: f32| a + (b - a) * part;
    gdk::RGBA::new(
        mix(one.red(), other.red()),
        mix(one.green(), other.green()),
        mix(one.blue(), other.blue()),
        1.0,
    )
}

/// The colour of this line of pixels, as finely as a screen can show it.
fn colour_at(line: i32, high: i32, colours: &[(gdk::RGBA, f64)]) -> gdk::RGBA {
    let at = f64::from(line) / f64::from((high - 1).max(1));
    let below = colours.iter().find(|(_, place)| *place >= at);
    let above = colours.iter().rfind(|(_, place)| *place <= at);
    let exact = match (above, below) {
        (Some((above, from)), Some((below, to))) if to > from => {
            mixed(above, below, ((at - from) / (to - from)) as f32)
        }
        (Some((one, _)), _) | (None, Some((one, _))) => *one,
        (None, None) => gdk::RGBA::BLACK,
    };
    let shown = |part: f32| (part * 255.0).round() / 255.0;
    gdk::RGBA::new(
        shown(exact.red()),
        shown(exact.green()),
        shown(exact.blue()),
        1.0,
    )
}

mod imp {
    use super::*;

    #[derive(Debug, Default)]
    pub struct Sky;

    impl Sky {
        /// The colours of the style file.
        fn colours(&self) -> Vec<(gdk::RGBA, f64)> {
            #[allow(deprecated)]
            let style = self.obj().style_context();
            #[allow(deprecated)]
            let look = |name: &str| style.lookup_color(name);
            COLOURS
                .iter()
                .filter_map(|(name, place)| Some((look(name)?, *place)))
                .collect()
        }

        fn bands(&self, snapshot: &gtk::Snapshot, colours: &[(gdk::RGBA, f64)]) {
            let (wide, high) = (self.obj().width() as f32, self.obj().height());
            let mut top = 0;
            while top < high {
                let colour = colour_at(top, high, colours);
                let same = (top..high).take_while(|line| colour_at(*line, high, colours) == colour);
                let lines = same.count() as i32;
                let place = graphene::Rect::new(0.0, top as f32, wide, lines as f32);
                snapshot.append_color(&colour, &place);
                top += lines;
            }
        }

        fn stars(&self, snapshot: &gtk::Snapshot, colours: &[(gdk::RGBA, f64)]) {
            let (wide, high) = (self.obj().width(), self.obj().height());
            for star in (0..STARS).map(star) {
                for y in (star.y..high).step_by(TILE as usize) {
                    // Mixed here: what lets nothing through is drawn faster.
                    let colour = mixed(&colour_at(y, high, colours), &gdk::RGBA::WHITE, star.light);
                    for x in (star.x..wide).step_by(TILE as usize) {
                        let place = graphene::Rect::new(x as f32, y as f32, star.size, star.size);
                        snapshot.append_color(&colour, &place);
                    }
                }
            }
        }
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Sky {
        const NAME: &'static str = "ShamansSky";
        type Type = super::Sky;
        type ParentType = gtk::Widget;

        fn class_init(class: &mut Self::Class) {
            class.set_accessible_role(gtk::AccessibleRole::Presentation);
        }
    }

    impl ObjectImpl for Sky {
        fn constructed(&self) {
            self.parent_constructed();
            self.obj().set_can_target(false);
            let manager = adw::StyleManager::default();
            let again = glib::clone!(
                #[weak(rename_to = sky)]
                self.obj(),
                move |_: &adw::StyleManager| sky.queue_draw()
            );
            manager.connect_dark_notify(again.clone());
            manager.connect_high_contrast_notify(again);
        }
    }

    impl WidgetImpl for Sky {
        fn snapshot(&self, snapshot: &gtk::Snapshot) {
            let style = adw::StyleManager::default();
            // Whoever asks for contrast wants nothing behind the letters.
            if style.is_high_contrast() {
                return;
            }
            let colours = self.colours();
            self.bands(snapshot, &colours);
            if style.is_dark() {
                self.stars(snapshot, &colours);
            }
        }
    }
}

glib::wrapper! {
    /// The sky.
    pub struct Sky(ObjectSubclass<imp::Sky>)
        @extends gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

/// `content` with the sky behind it.
pub fn behind(content: &impl IsA<gtk::Widget>) -> gtk::Overlay {
    let sky: Sky = glib::Object::new();
    let overlay = gtk::Overlay::builder().child(&sky).build();
    overlay.add_overlay(content);
    overlay.set_measure_overlay(content, true);
    overlay
}
