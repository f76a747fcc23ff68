//! Work that is put off for a moment so that the window stays quick: once before the next frame instead of at every change, some
//! frames later where a frame has enough to do, tooltips when somebody points at something, and names when they change.
//!
//! Without a graphics card a frame costs as much as the rectangle around all that changed in it, so what lies at opposite ends of the
//! window had better not change in the same one: what is put off takes turns, one a frame.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use gtk::{gdk, glib, prelude::*};

use crate::pieces::World;

/// `refresh`, once before the next frame, however often what is returned here is called until then.
pub fn once_a_frame<W: IsA<gtk::Widget>>(
    widget: &W,
    refresh: impl Fn(&W) + 'static,
) -> impl Fn() + Clone + 'static {
    let (widget, due, refresh) = (
        widget.downgrade(),
        Rc::new(Cell::new(false)),
        Rc::new(refresh),
    );
    move || {
        if due.replace(true) {
            return;
        }
        let (widget, due, refresh) = (widget.clone(), due.clone(), refresh.clone());
        let now = move || {
            due.set(false);
            if let Some(widget) = widget.upgrade() {
                refresh(&widget);
            }
            glib::ControlFlow::Break
        };
        glib::idle_add_local_full(glib::Priority::HIGH_IDLE, now);
    }
}

/// What of the play screen changes later than the trick, the tiles and the hand: one region a frame, in this order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Region {
    Seats,
    Path,
    /// Each by itself: on a jump in a record many change.
    World(World),
    /// What stands below a record: open hands, and where the reader is.
    Foot,
    /// What happened, in words.
    Log,
}

impl Region {
    /// So many frames it lets pass.
    fn wait(self) -> u32 {
        match self {
            Region::Seats => 1,
            Region::Path => 2,
            Region::World(_) => 3,
            Region::Foot => 4,
            Region::Log => 5,
        }
    }
}

/// A frame that is taken, by its number, with all before it.
#[derive(Clone, Copy)]
struct Turn {
    /// Whose frames they are: each window has a clock of its own.
    clock: *mut gdk::ffi::GdkFrameClock,
    frame: i64,
    region: Option<Region>,
}

thread_local! {
    static LAST: Cell<Option<Turn>> = const { Cell::new(None) };
}

/// Takes this frame, if nobody else has.
fn take_turn(clock: &gdk::FrameClock, region: Option<Region>) -> bool {
    let now = Turn {
        clock: clock.as_ptr(),
        frame: clock.frame_counter(),
        region,
    };
    let taken = |last: Turn| {
        let together = region.is_some() && (last.frame, last.region) == (now.frame, region);
        last.clock == now.clock && last.frame >= now.frame && !together
    };
    let free = !LAST.get().is_some_and(taken);
    if free {
        LAST.set(Some(now));
    }
    free
}

/// Takes so many frames more, for something that moves for so long.
pub fn take_frames(widget: &impl IsA<gtk::Widget>, frames: i64) {
    if let Some(clock) = widget.frame_clock() {
        LAST.set(Some(Turn {
            clock: clock.as_ptr(),
            frame: clock.frame_counter() + frames,
            region: None,
        }));
    }
}

/// The same, but in the frame of this region.
pub fn once_a_frame_in<W: IsA<gtk::Widget>>(
    region: Region,
    widget: &W,
    refresh: impl Fn(&W) + 'static,
) -> impl Fn() + Clone + 'static {
    let due = Rc::new(Cell::new(false));
    let refresh = Rc::new(refresh);
    once_a_frame(widget, move |widget| {
        if due.replace(true) {
            return;
        }
        let (due, refresh) = (due.clone(), refresh.clone());
        let then = move |widget: &W| {
            due.set(false);
            refresh(widget);
        };
        match widget.is_mapped() {
            true => wait(widget, region.wait(), Some(region), then),
            false => then(widget),
        }
    })
}

/// `then`, so many frames after the next or when its turn comes; at once where nothing is on screen.
pub fn frames_later<W: IsA<gtk::Widget>>(widget: &W, frames: u32, then: impl FnOnce(&W) + 'static) {
    match widget.is_mapped() {
        true => wait(widget, frames, None, then),
        false => then(widget),
    }
}

/// `then`, in the next frame that is nobody else's turn; not before it is on screen.
pub fn in_turn<W: IsA<gtk::Widget>>(widget: &W, then: impl FnOnce(&W) + 'static) {
    wait(widget, 0, None, then);
}

/// `then`, once, in the frame after the first that shows `widget`.
pub fn after_first_frame<W: IsA<gtk::Widget>>(widget: &W, then: impl FnOnce(&W) + 'static) {
    let then = Cell::new(Some(then));
    widget.connect_map(move |widget| {
        if let Some(then) = then.take() {
            frames_later(widget, 1, then);
        }
    });
}

fn wait<W: IsA<gtk::Widget>>(
    widget: &W,
    frames: u32,
    region: Option<Region>,
    then: impl FnOnce(&W) + 'static,
) {
    let (left, then) = (Cell::new(frames), Cell::new(Some(then)));
    widget.add_tick_callback(move |widget, clock| {
        if let Some(less) = left.get().checked_sub(1) {
            left.set(less);
            return glib::ControlFlow::Continue;
        }
        if !take_turn(clock, region) {
            return glib::ControlFlow::Continue;
        }
        if let Some(then) = then.take() {
            then(widget);
        }
        glib::ControlFlow::Break
    });
}

/// What stands in a tooltip, kept until it is asked for: handing it over at every change makes the toolkit ask the display each
/// time where the pointer is, and wait for the answer.
#[derive(Debug, Default)]
pub struct Tip(RefCell<String>);

impl Tip {
    /// Another text; empty for no tooltip.
    pub fn set(&self, widget: &impl IsA<gtk::Widget>, text: &str) {
        self.0.replace(text.to_owned());
        if !widget.has_tooltip() {
            widget.set_has_tooltip(true);
        }
    }

    /// For `query_tooltip`: is there something to show?
    pub fn show(&self, tooltip: &gtk::Tooltip) -> bool {
        let text = self.0.borrow();
        tooltip.set_text(Some(text.as_str()));
        !text.is_empty()
    }
}

/// What a widget is called to whoever listens, handed over when it changes: otherwise they are told once more each time.
#[derive(Debug, Default)]
pub struct Said(RefCell<String>);

impl Said {
    /// Another name.
    pub fn set(&self, widget: &impl IsA<gtk::Accessible>, text: &str) {
        if *self.0.borrow() != text {
            self.0.replace(text.to_owned());
            widget.update_property(&[gtk::accessible::Property::Label(text)]);
        }
    }
}
