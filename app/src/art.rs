//! Pictures: the packed vector files of `data/art/`, drawn sharp at the size and scale where they stand.
//!
//! [`draw`] has them rendered, beside the main thread, and remembers; [`Art`] is the widget that shows one picture and takes the text colour of its place
//! for files that say `currentColor`.

use std::{cell::RefCell, collections::HashMap, sync::mpsc};

use gtk::{cairo, gdk, gdk_pixbuf, gio, glib, graphene, gsk, prelude::*, subclass::prelude::*};

use crate::{application::RESOURCES, beside, components::soon::Tip};

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    name: String,
    width: i32,
    height: i32,
    scale: i32,
    colour: Option<String>,
}

/// A picture ready to be shown, at the origin. One and the same each time: the toolkit then sees what has not changed.
#[derive(Debug, Clone)]
pub struct Drawn {
    node: gsk::RenderNode,
    /// In device pixels.
    size: (i32, i32),
}

/// A table needs about a hundred pictures; beyond that a resize has left stale ones.
const KEPT: usize = 400;

thread_local! {
    static SOURCES: RefCell<HashMap<String, Option<String>>> = RefCell::default();
    static DRAWN: RefCell<HashMap<Key, Option<Drawn>>> = RefCell::default();
    /// Who waits for which picture.
    static WAITING: RefCell<HashMap<Key, Vec<glib::WeakRef<gtk::Widget>>>> = RefCell::default();
    static PAINTER: mpsc::Sender<(Key, String)> = painter();
}

fn source(name: &str) -> Option<String> {
    SOURCES.with_borrow_mut(|sources| {
        let read = || {
            let path = format!("{RESOURCES}/art/{name}.svg");
            let bytes = gio::resources_lookup_data(&path, gio::ResourceLookupFlags::NONE).ok()?;
            String::from_utf8(bytes.to_vec()).ok()
        };
        sources.entry(name.to_owned()).or_insert_with(read).clone()
    })
}

fn hex(colour: &gdk::RGBA) -> String {
    let byte = |part: f32| (part.clamp(0.0, 1.0) * 255.0).round() as u8;
    format!(
        "#{:02x}{:02x}{:02x}",
        byte(colour.red()),
        byte(colour.green()),
        byte(colour.blue())
    )
}

/// The picture in device pixels; `None` while it is being drawn, and when there is none of that name or no loader for vector files.
fn picture(
    widget: &gtk::Widget,
    name: &str,
    (width, height): (i32, i32),
    scale: i32,
    colour: &gdk::RGBA,
) -> Option<Drawn> {
    if width <= 0 || height <= 0 {
        return None;
    }
    let text = source(name)?;
    let coloured = text.contains("currentColor");
    let key = Key {
        name: name.to_owned(),
        width,
        height,
        scale,
        colour: coloured.then(|| hex(colour)),
    };
    let drawn = DRAWN.with_borrow(|drawn| drawn.get(&key).cloned());
    drawn.unwrap_or_else(|| {
        let text = match &key.colour {
            Some(colour) => text.replace("currentColor", colour),
            None => text,
        };
        order(widget, key, text);
        None
    })
}

/// Has a picture drawn, and the widget after it.
fn order(widget: &gtk::Widget, key: Key, text: String) {
    let first = WAITING.with_borrow_mut(|waiting| {
        let widgets = waiting.entry(key.clone()).or_default();
        widgets.push(widget.downgrade());
        widgets.len() == 1
    });
    if first {
        // Without a painter there is a table without pictures, where everything is written too.
        PAINTER.with(|painter| painter.send((key, text)).ok());
    }
}

/// Draws in a thread of its own, in the order of the orders: there are some sixty pictures when a table is first shown.
fn painter() -> mpsc::Sender<(Key, String)> {
    let (orders, ordered) = mpsc::channel::<(Key, String)>();
    let paint = move || {
        for (key, text) in ordered {
            let pixels = pixels(&key, text);
            glib::MainContext::default().invoke(move || deliver(key, pixels));
        }
    };
    // See above.
    let _ = beside::spawn("pictures", paint);
    orders
}

/// What a surface is made of.
struct Pixels {
    bytes: Vec<u8>,
    width: i32,
    height: i32,
    stride: i32,
}

fn pixels(key: &Key, text: String) -> Option<Pixels> {
    let bytes = glib::Bytes::from_owned(text.into_bytes());
    let pixels = gdk_pixbuf::Pixbuf::from_stream_at_scale(
        &gio::MemoryInputStream::from_bytes(&bytes),
        key.width,
        key.height,
        true,
        gio::Cancellable::NONE,
    )
    .ok()?;
    let (width, height) = (pixels.width(), pixels.height());
    let surface = cairo::ImageSurface::create(cairo::Format::ARgb32, width, height).ok()?;
    let context = cairo::Context::new(&surface).ok()?;
    context.set_source_pixbuf(&pixels, 0.0, 0.0);
    context.paint().ok()?;
    drop(context);
    let stride = surface.stride();
    Some(Pixels {
        bytes: surface.take_data().ok()?.to_vec(),
        width,
        height,
        stride,
    })
}

fn deliver(key: Key, pixels: Option<Pixels>) {
    let picture = pixels.and_then(|pixels| {
        let Pixels {
            bytes,
            width,
            height,
            stride,
        } = pixels;
        let format = cairo::Format::ARgb32;
        let surface = cairo::ImageSurface::create_for_data(bytes, format, width, height, stride);
        Drawn::new(&surface.ok()?, key.scale)
    });
    DRAWN.with_borrow_mut(|drawn| {
        if drawn.len() > KEPT {
            drawn.clear();
        }
        drawn.insert(key.clone(), picture);
    });
    let waiting = WAITING.with_borrow_mut(|waiting| waiting.remove(&key));
    for widget in waiting.unwrap_or_default() {
        if let Some(widget) = widget.upgrade() {
            widget.queue_draw();
        }
    }
}

/// Has `name` drawn as large as fits into this room, if that was not done yet. For widgets that know their place some frames before they are seen.
pub fn prepare(widget: &impl IsA<gtk::Widget>, name: &str, room: (f32, f32)) -> Option<Drawn> {
    let widget = widget.as_ref();
    let scale = widget.scale_factor();
    #[allow(deprecated)]
    let colour = widget.style_context().color();
    let device = |length: f32| (length * scale as f32).round() as i32;
    let size = (device(room.0), device(room.1));
    picture(widget, name, size, scale, &colour)
}

/// Draws `name` into `area`, as large as fits and in its middle.
pub fn draw(
    widget: &impl IsA<gtk::Widget>,
    snapshot: &gtk::Snapshot,
    name: &str,
    area: graphene::Rect,
) {
    let scale = widget.as_ref().scale_factor();
    let Some(picture) = prepare(widget, name, (area.width(), area.height())) else {
        return;
    };
    // On whole pixels: between them it would be blurred, and computed for every frame.
    let middle = |start: f32, room: f32, length: i32| {
        ((start + room / 2.0) * scale as f32 - length as f32 / 2.0).round()
    };
    let x = middle(area.x(), area.width(), picture.size.0);
    let y = middle(area.y(), area.height(), picture.size.1);
    let part = 1.0 / scale as f32;
    snapshot.save();
    snapshot.translate(&graphene::Point::new(x * part, y * part));
    picture.show(snapshot);
    snapshot.restore();
}

impl Drawn {
    /// Of a picture in device pixels. `None` if it cannot be drawn.
    ///
    /// Not as a texture: where there is no graphics card, GTK 4.8 converts every texture for every frame, from any kind of pixels to any other.
    pub fn new(picture: &cairo::ImageSurface, scale: i32) -> Option<Drawn> {
        let part = 1.0 / scale as f32;
        let size = (picture.width(), picture.height());
        let (width, height) = (size.0 as f32 * part, size.1 as f32 * part);
        let snapshot = gtk::Snapshot::new();
        let context = snapshot.append_cairo(&graphene::Rect::new(0.0, 0.0, width, height));
        context.scale(part.into(), part.into());
        context.set_source_surface(picture, 0.0, 0.0).ok()?;
        context.paint().ok()?;
        drop(context);
        let node = snapshot.to_node()?;
        Some(Drawn { node, size })
    }

    /// Shows it at the origin.
    pub fn show(&self, snapshot: &gtk::Snapshot) {
        snapshot.append_node(&self.node);
    }
}

mod imp {
    use std::cell::{Cell, RefCell};

    use super::*;

    #[derive(Debug, Default, glib::Properties)]
    #[properties(wrapper_type = super::Art)]
    pub struct Art {
        /// File name without ending; empty for nothing.
        #[property(get, set = Self::set_picture)]
        picture: RefCell<String>,
        /// Width in logical pixels.
        #[property(get, set, construct, default = 24)]
        wide: Cell<i32>,
        /// The least size it can be drawn at; 0 for its own.
        #[property(get, set)]
        least: Cell<i32>,
        /// Height in logical pixels.
        #[property(get, set, construct, default = 24)]
        high: Cell<i32>,
        pub tip: Tip,
    }

    impl Art {
        fn set_picture(&self, name: String) {
            if self.picture.replace(name.clone()) != name {
                self.obj().queue_draw();
            }
        }
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Art {
        const NAME: &'static str = "ShamansArt";
        type Type = super::Art;
        type ParentType = gtk::Widget;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("art");
            // What a picture says stands in the name of the widget around it.
            class.set_accessible_role(gtk::AccessibleRole::Presentation);
        }
    }

    #[glib::derived_properties]
    impl ObjectImpl for Art {
        fn constructed(&self) {
            self.parent_constructed();
            let art = self.obj();
            art.set_valign(gtk::Align::Center);
            art.set_halign(gtk::Align::Center);
            art.connect_wide_notify(|art| art.queue_resize());
            art.connect_high_notify(|art| art.queue_resize());
        }
    }

    impl WidgetImpl for Art {
        fn query_tooltip(&self, _x: i32, _y: i32, _by_key: bool, tooltip: &gtk::Tooltip) -> bool {
            self.tip.show(tooltip)
        }

        fn measure(&self, orientation: gtk::Orientation, _for_size: i32) -> (i32, i32, i32, i32) {
            let size = match orientation {
                gtk::Orientation::Horizontal => self.wide.get(),
                _ => self.high.get(),
            };
            let least = match self.least.get() {
                0 => size,
                least => least.min(size),
            };
            (least, size, -1, -1)
        }

        fn size_allocate(&self, width: i32, height: i32, _baseline: i32) {
            prepare(
                &*self.obj(),
                &self.picture.borrow(),
                (width as f32, height as f32),
            );
        }

        fn snapshot(&self, snapshot: &gtk::Snapshot) {
            let art = self.obj();
            let area = graphene::Rect::new(0.0, 0.0, art.width() as f32, art.height() as f32);
            draw(&*art, snapshot, &self.picture.borrow(), area);
        }
    }
}

glib::wrapper! {
    /// One picture.
    pub struct Art(ObjectSubclass<imp::Art>)
        @extends gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Art {
    /// The picture `name`, `wide` × `high` logical pixels.
    pub fn new(name: &str, wide: i32, high: i32) -> Art {
        glib::Object::builder()
            .property("picture", name)
            .property("wide", wide)
            .property("high", high)
            .build()
    }

    /// Says what it is to whoever points at it.
    pub fn set_tip(&self, text: &str) {
        self.imp().tip.set(self, text);
    }
}
