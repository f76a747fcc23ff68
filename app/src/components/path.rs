//! The Shadow path: a row of moon phases along which the pawn walks to the full Moon.

use std::{
    cell::{Cell, RefCell},
    f64::consts::PI,
};

use adw::prelude::*;
use gtk::{cairo, gdk, glib, graphene, subclass::prelude::*};

use super::soon::{Tip, frames_later};
use crate::{
    art::{self, Drawn},
    words,
};

/// So many moons are drawn a frame at most; until its turn comes a moon looks as it did.
const A_FRAME: usize = 6;

/// At the side of the board, in logical pixels, as `data/style.css` has it in a narrow window.
const MARGIN: f64 = 8.0;

/// All that the picture of a space depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Space {
    /// Where its middle is.
    x: f64,
    y: f64,
    radius: f64,
    scale: i32,
    /// How much of it shines, from 0 to 1.
    lit: f64,
    /// It lies behind the pawn.
    passed: bool,
    ink: gdk::RGBA,
}

impl Space {
    /// The corner of its picture, on a whole pixel.
    fn corner(&self) -> (f64, f64) {
        let out = self.radius + 1.0;
        ((self.x - out).floor(), (self.y - out).floor())
    }

    fn draw(&self) -> Option<Drawn> {
        // What cannot be drawn is not there.
        Drawn::new(&self.picture().ok()?, self.scale)
    }

    fn picture(&self) -> Result<cairo::ImageSurface, cairo::Error> {
        let across = (2.0 * self.radius + 4.0).ceil() as i32 * self.scale;
        let picture = cairo::ImageSurface::create(cairo::Format::ARgb32, across, across)?;
        let cairo = cairo::Context::new(&picture)?;
        let (left, top) = self.corner();
        cairo.scale(self.scale.into(), self.scale.into());
        cairo.translate(-left, -top);
        phase(&cairo, self)?;
        drop(cairo);
        Ok(picture)
    }
}

mod imp {
    use super::*;

    #[derive(Debug, Default, glib::Properties)]
    #[properties(wrapper_type = super::ShadowPath)]
    pub struct ShadowPath {
        /// The last space.
        #[property(get, set = Self::set_moon, default = 24)]
        moon: Cell<u32>,
        /// Where the pawn stands.
        #[property(get, set = Self::set_pawn)]
        pawn: Cell<u32>,
        /// Where it is drawn while it walks.
        #[property(get, set = Self::set_shown)]
        shown: Cell<f64>,
        /// How long a step takes, in milliseconds; 0 for no walking.
        #[property(get, set, default = 350)]
        pace: Cell<u32>,
        /// How high it is drawn.
        #[property(get, set = Self::set_high, default = 96)]
        high: Cell<u32>,
        walk: RefCell<Option<adw::TimedAnimation>>,
        /// The spaces as they were last drawn.
        drawn: RefCell<Vec<Option<(Space, Drawn)>>>,
        tip: Tip,
    }

    impl ShadowPath {
        fn set_high(&self, high: u32) {
            self.high.set(high);
            self.obj().queue_resize();
        }

        fn set_moon(&self, moon: u32) {
            self.moon.set(moon.max(1));
            self.obj().queue_draw();
            self.tell();
        }

        fn set_shown(&self, shown: f64) {
            self.shown.set(shown);
            self.obj().queue_draw();
        }

        fn set_pawn(&self, pawn: u32) {
            let before = self.pawn.replace(pawn);
            self.tell();
            if let Some(walk) = self.walk.take() {
                walk.pause();
            }
            let steps = before.abs_diff(pawn);
            let path = self.obj();
            if steps == 0 || self.pace.get() == 0 || !path.is_mapped() {
                self.set_shown(f64::from(pawn));
                return;
            }
            let target = adw::CallbackAnimationTarget::new(glib::clone!(
                #[weak]
                path,
                move |value| path.set_shown(value)
            ));
            let length = (self.pace.get() * steps.min(6)).max(1);
            let walk =
                adw::TimedAnimation::new(&*path, self.shown.get(), f64::from(pawn), length, target);
            walk.set_easing(adw::Easing::EaseInOutCubic);
            walk.play();
            self.walk.replace(Some(walk));
        }

        fn tell(&self) {
            let (pawn, moon) = (self.pawn.get(), self.moon.get());
            let left = words::steps_left(moon.saturating_sub(pawn) as usize);
            let text = words::fill(
                "Shadow path: space {pawn} of {moon}. {left}.",
                &[
                    ("pawn", &pawn.to_string()),
                    ("moon", &moon.to_string()),
                    ("left", &left),
                ],
            );
            self.obj()
                .update_property(&[gtk::accessible::Property::Label(&text)]);
            self.tip.set(&*self.obj(), &text);
        }

        /// The middle of a space, whole or between two.
        fn place(&self, space: f64, width: f64, height: f64) -> (f64, f64) {
            let t = space / f64::from(self.moon.get());
            let high = f64::from(self.high.get());
            let side = high * 0.27 - 4.0;
            // The Moon's glow may reach into the margin, not beyond it: there it would be cut off, and with it all of the board.
            let end = high * 0.6 - MARGIN;
            let x = side + t * (width - side - end);
            let rise = high * 0.17;
            let y = height * 0.68 - (PI * t).sin() * rise;
            (x, y)
        }

        /// Shows the spaces before the Moon, and draws those that have changed.
        fn show_spaces(&self, snapshot: &gtk::Snapshot) {
            let path = self.obj();
            let (width, height) = (f64::from(path.width()), f64::from(path.height()));
            #[allow(deprecated)]
            let ink = path.style_context().color();
            let moon = self.moon.get();
            let passed = (self.shown.get().ceil() as u32).min(moon);
            let mut drawn = self.drawn.borrow_mut();
            drawn.resize(moon as usize, None);
            let mut left = A_FRAME;
            for (number, kept) in (0..moon).zip(drawn.iter_mut()) {
                let (x, y) = self.place(f64::from(number), width, height);
                let space = Space {
                    x,
                    y,
                    radius: self.radius(width),
                    scale: path.scale_factor(),
                    lit: f64::from(number) / f64::from(moon),
                    passed: number < passed,
                    ink,
                };
                if kept.as_ref().is_none_or(|(before, _)| *before != space) && left > 0 {
                    left -= 1;
                    *kept = space.draw().map(|picture| (space, picture));
                }
                if let Some((_, picture)) = kept {
                    let (x, y) = space.corner();
                    snapshot.save();
                    snapshot.translate(&graphene::Point::new(x as f32, y as f32));
                    picture.show(snapshot);
                    snapshot.restore();
                }
            }
            if left == 0 {
                // There may be more to draw.
                frames_later(&*path, 0, |path| path.queue_draw());
            }
        }

        fn radius(&self, width: f64) -> f64 {
            (width / (f64::from(self.moon.get()) * 3.4))
                .clamp(4.0, f64::from(self.high.get()) * 0.105)
        }
    }

    #[glib::object_subclass]
    impl ObjectSubclass for ShadowPath {
        const NAME: &'static str = "ShamansShadowPath";
        type Type = super::ShadowPath;
        type ParentType = gtk::Widget;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("shadowpath");
            class.set_accessible_role(gtk::AccessibleRole::Img);
        }
    }

    #[glib::derived_properties]
    impl ObjectImpl for ShadowPath {}

    impl WidgetImpl for ShadowPath {
        fn query_tooltip(&self, _x: i32, _y: i32, _by_key: bool, tooltip: &gtk::Tooltip) -> bool {
            self.tip.show(tooltip)
        }

        fn measure(&self, orientation: gtk::Orientation, _for_size: i32) -> (i32, i32, i32, i32) {
            match orientation {
                gtk::Orientation::Horizontal => (280, 700, -1, -1),
                _ => {
                    let high = self.high.get() as i32;
                    (high, high, -1, -1)
                }
            }
        }

        fn snapshot(&self, snapshot: &gtk::Snapshot) {
            let path = self.obj();
            let (width, height) = (f64::from(path.width()), f64::from(path.height()));
            let (moon, shown) = (self.moon.get(), self.shown.get());
            let radius = self.radius(width);
            self.show_spaces(snapshot);
            let (x, y) = self.place(f64::from(moon), width, height);
            let size = height * 1.2;
            let area = graphene::Rect::new(
                (x - size / 2.0) as f32,
                (y - size / 2.0) as f32,
                size as f32,
                size as f32,
            );
            art::draw(&*path, snapshot, "moon", area);
            // The pawn hops a little between spaces.
            let (x, y) = self.place(shown, width, height);
            let hop = ((shown.fract() * PI).sin() * radius * 0.7).abs();
            let high = height * 0.6;
            let wide = high * 2.0 / 3.0;
            let area = graphene::Rect::new(
                (x - wide / 2.0) as f32,
                (y + radius * 0.8 - high - hop) as f32,
                wide as f32,
                high as f32,
            );
            art::draw(&*path, snapshot, "pawn", area);
        }
    }
}

/// One space: the dark disc and its lit part, waxing from new to full.
fn phase(cairo: &cairo::Context, space: &Space) -> Result<(), cairo::Error> {
    let Space {
        x,
        y,
        radius,
        scale: _,
        lit,
        passed,
        ink,
    } = *space;
    cairo.new_path();
    cairo.arc(x, y, radius, 0.0, 2.0 * PI);
    cairo.set_source_rgba(0.06, 0.07, 0.17, if passed { 0.55 } else { 0.95 });
    cairo.fill_preserve()?;
    cairo.set_source_rgba(
        f64::from(ink.red()),
        f64::from(ink.green()),
        f64::from(ink.blue()),
        if passed { 0.35 } else { 0.8 },
    );
    cairo.set_line_width(1.2);
    cairo.stroke()?;
    if lit <= 0.0 {
        return Ok(());
    }
    let inner = radius - 1.2;
    cairo.new_path();
    cairo.arc(x, y, inner, -PI / 2.0, PI / 2.0);
    // The edge between light and dark is half an ellipse that swings from one side to the other.
    let swing = 1.0 - 2.0 * lit;
    let squeeze = if swing.abs() < 0.02 {
        0.02
    } else {
        swing.abs()
    };
    cairo.save()?;
    cairo.translate(x, y);
    cairo.scale(squeeze, 1.0);
    if swing > 0.0 {
        cairo.arc_negative(0.0, 0.0, inner, PI / 2.0, -PI / 2.0);
    } else {
        cairo.arc(0.0, 0.0, inner, PI / 2.0, 3.0 * PI / 2.0);
    }
    cairo.restore()?;
    let strength = if passed { 0.35 } else { 0.55 + 0.45 * lit };
    cairo.set_source_rgba(0.97, 0.89, 0.66, strength);
    cairo.fill()
}

glib::wrapper! {
    /// The Shadow path.
    pub struct ShadowPath(ObjectSubclass<imp::ShadowPath>)
        @extends gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl ShadowPath {
    /// An empty path of 24 steps.
    pub fn new() -> ShadowPath {
        let path: ShadowPath = glib::Object::builder()
            .property("moon", 24u32)
            .property("high", 96u32)
            .build();
        path.set_pace(350);
        path
    }

    /// The pawn stands there, without a walk.
    pub fn stand(&self, pawn: u32) {
        let pace = self.pace();
        self.set_pace(0);
        self.set_pawn(pawn);
        self.set_pace(pace);
    }
}
