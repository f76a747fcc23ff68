//! Motion: pages that fade, and things in flight on a layer above the table, where cards and tiles travel from place to place. The
//! layer catches no clicks, says nothing to a screen reader, and shows only what it is given, so nothing hidden can flash by.

use std::cell::{Cell, RefCell};

use adw::prelude::*;
use gtk::{gdk, glib, graphene, gsk, subclass::prelude::*};

mod imp {
    use super::*;

    pub struct Flight {
        pub number: u64,
        pub piece: gtk::Widget,
        pub from: graphene::Rect,
        pub to: graphene::Rect,
        pub at: f64,
    }

    #[derive(Default)]
    pub struct Flights {
        pub flights: RefCell<Vec<Flight>>,
        pub next: Cell<u64>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Flights {
        const NAME: &'static str = "ShamansFlights";
        type Type = super::Flights;
        type ParentType = gtk::Widget;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("flights");
            class.set_accessible_role(gtk::AccessibleRole::Presentation);
        }
    }

    impl ObjectImpl for Flights {
        fn dispose(&self) {
            for flight in self.flights.take() {
                flight.piece.unparent();
            }
        }
    }

    impl WidgetImpl for Flights {
        fn measure(&self, _orientation: gtk::Orientation, _for_size: i32) -> (i32, i32, i32, i32) {
            (0, 0, -1, -1)
        }

        fn size_allocate(&self, _width: i32, _height: i32, _baseline: i32) {
            for flight in self.flights.borrow().iter() {
                let (least_wide, ..) = flight.piece.measure(gtk::Orientation::Horizontal, -1);
                let (least_high, ..) = flight.piece.measure(gtk::Orientation::Vertical, -1);
                let size = (flight.to.width() as i32, flight.to.height() as i32);
                let (wide, high) = (size.0.max(least_wide), size.1.max(least_high));
                flight.piece.allocate(wide, high, -1, None);
            }
        }

        // Moved where it is drawn, not where it is laid out: that would lay out the whole window for every frame.
        fn snapshot(&self, snapshot: &gtk::Snapshot) {
            // At the side, where the log comes first.
            hold_place(snapshot, self.obj().width() - 1, 0);
            for flight in self.flights.borrow().iter() {
                let (from, to, t) = (&flight.from, &flight.to, flight.at as f32);
                let between = |a: f32, b: f32| a + (b - a) * t;
                let wide = between(from.width(), to.width()).max(1.0);
                let high = between(from.height(), to.height()).max(1.0);
                // A low arc: things are lifted, not pushed.
                let lift = (t * std::f32::consts::PI).sin() * 26.0;
                let place = graphene::Point::new(
                    between(from.x(), to.x()),
                    between(from.y(), to.y()) - lift,
                );
                snapshot.save();
                snapshot.translate(&place);
                // Drawn at its last size and scaled, so that its picture is made only once.
                snapshot.scale(wide / to.width().max(1.0), high / to.height().max(1.0));
                self.obj().snapshot_child(&flight.piece, snapshot);
                snapshot.restore();
            }
        }
    }
}

glib::wrapper! {
    /// The layer of things in flight.
    pub struct Flights(ObjectSubclass<imp::Flights>)
        @extends gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Flights {
    /// Nothing flies.
    pub fn new() -> Flights {
        let flights: Flights = glib::Object::new();
        flights.set_can_target(false);
        flights.set_can_focus(false);
        flights
    }

    /// Where `widget` is on this layer; `None` while it is not shown.
    pub fn place(&self, widget: &impl IsA<gtk::Widget>) -> Option<graphene::Rect> {
        let widget = widget.as_ref();
        if !widget.is_mapped() {
            return None;
        }
        widget
            .compute_bounds(self)
            .filter(|area| area.width() > 1.0)
    }

    /// Lets `piece` fly; `landed` is called when it arrives, or at once when nothing moves here.
    pub fn fly(
        &self,
        piece: &impl IsA<gtk::Widget>,
        from: graphene::Rect,
        to: graphene::Rect,
        milliseconds: u32,
        landed: impl Fn() + 'static,
    ) {
        if milliseconds == 0 || !self.is_mapped() {
            landed();
            return;
        }
        let imp = self.imp();
        let number = imp.next.get();
        imp.next.set(number + 1);
        piece.as_ref().set_parent(self);
        imp.flights.borrow_mut().push(imp::Flight {
            number,
            piece: piece.as_ref().clone(),
            from,
            to,
            at: 0.0,
        });
        let layer = self;
        let target = adw::CallbackAnimationTarget::new(glib::clone!(
            #[weak]
            layer,
            move |value| {
                for flight in layer.imp().flights.borrow_mut().iter_mut() {
                    if flight.number == number {
                        flight.at = value;
                    }
                }
                layer.queue_draw();
            }
        ));
        let animation = adw::TimedAnimation::new(self, 0.0, 1.0, milliseconds, target);
        animation.set_easing(adw::Easing::EaseInOutCubic);
        animation.connect_done(glib::clone!(
            #[weak]
            layer,
            move |_| {
                let mut flights = layer.imp().flights.borrow_mut();
                let at = flights.iter().position(|flight| flight.number == number);
                let gone = at.map(|at| flights.remove(at));
                drop(flights);
                if let Some(flight) = gone {
                    flight.piece.unparent();
                }
                landed();
            }
        ));
        animation.play();
    }
}

/// A rectangle of the shape of `like`, `part` of its width, in the middle of `area`.
pub fn centred(area: &graphene::Rect, like: &graphene::Rect, part: f32) -> graphene::Rect {
    let (wide, high) = (like.width() * part, like.height() * part);
    let middle = area.center();
    graphene::Rect::new(middle.x() - wide / 2.0, middle.y() - high / 2.0, wide, high)
}

/// Something that nobody sees, for widgets that are empty at times. The toolkit leaves out a level of the drawing that has fewer than
/// two parts; when they come, all that lies beside them would be taken for changed and be painted anew.
pub fn hold_place(snapshot: &gtk::Snapshot, x: i32, y: i32) {
    let nothing = gdk::RGBA::new(0.0, 0.0, 0.0, 0.0);
    for _ in 0..2 {
        snapshot.append_color(&nothing, &graphene::Rect::new(x as f32, y as f32, 1.0, 1.0));
    }
}

/// Pages in one place. They fade into each other where that is drawn by a graphics card: without one, each step of it takes longer
/// than a frame. Those out of sight are not measured with the one on screen.
pub fn pages() -> gtk::Stack {
    let stack = gtk::Stack::builder()
        .vexpand(true)
        .hhomogeneous(false)
        .vhomogeneous(false)
        .build();
    stack.connect_realize(|stack| {
        let renderer = stack.native().and_then(|native| native.renderer());
        let by_hand = renderer.is_none_or(|renderer| renderer.is::<gsk::CairoRenderer>());
        stack.set_transition_type(if by_hand {
            gtk::StackTransitionType::None
        } else {
            gtk::StackTransitionType::Crossfade
        });
    });
    stack
}
