//! Letters made ready while the start page is read. The first text in a font takes the toolkit a millisecond or more, and a table has
//! more than a dozen fonts: together they would hold its first frames up. A font that is missing here is made when it is needed.

use std::time::Duration;

use gtk::{cairo, gdk, glib, pango, prelude::*};
use pango::Weight;
use shamans_core::shamans::Data;

use crate::{
    components::{adaptive::text_scale, face},
    pieces::{Ritual, World},
    table::card_widths,
    viewer, words,
};

/// One font each time, so that the start page stays quick too.
const APART: Duration = Duration::from_millis(40);

/// Weights, and sizes in points, as `data/style.css` asks for them at a table; without one, the size of usual text.
/// Those of the result of a round are there too; its title and points are the toolkit's.
const TABLE: [(Weight, Option<f64>); 15] = [
    (Weight::Ultrabold, Some(20.0)),
    (Weight::Ultrabold, Some(15.0)),
    (Weight::Semibold, None),
    (Weight::Bold, Some(11.25)),
    (Weight::Normal, Some(9.75)),
    (Weight::Semibold, Some(9.75)),
    (Weight::Bold, Some(9.75)),
    (Weight::Normal, Some(9.0)),
    (Weight::Bold, Some(9.0)),
    (Weight::Ultrabold, Some(9.0)),
    (Weight::Normal, Some(8.25)),
    (Weight::Bold, Some(8.25)),
    (Weight::Ultrabold, Some(8.25)),
    (Weight::Ultrabold, Some(6.75)),
    (Weight::Bold, None),
];

/// Makes the fonts ready that a table in this window has, as long as the window is there.
pub fn prepare(window: &impl IsA<gtk::Window>) {
    let window = window.as_ref();
    let pixels = |points: f64| points * text_scale() * 96.0 / 72.0;
    let texts = TABLE.map(|(weight, size)| (weight, size.map(pixels)));
    let cards = card_widths(window.height().max(window.default_height()));
    let cards = cards.into_iter().chain(viewer::hands::WIDTHS);
    let cards = cards.flat_map(face::fonts);
    let cards = cards.map(|(weight, size)| (weight, Some(size)));
    let mut fonts = texts
        .into_iter()
        .chain(cards)
        .collect::<Vec<_>>()
        .into_iter();
    let (window, text) = (window.downgrade(), written());
    glib::timeout_add_local(APART, move || match (fonts.next(), window.upgrade()) {
        (Some((weight, size)), Some(window)) => {
            // What cannot be drawn now is drawn later.
            let _ = draw(window.upcast_ref(), &text, weight, size);
            glib::ControlFlow::Continue
        }
        (None, _) | (_, None) => glib::ControlFlow::Break,
    });
}

/// Draws what is written at a table, for nobody: from then on the toolkit has the shapes of these letters.
fn draw(
    widget: &gtk::Widget,
    text: &str,
    weight: Weight,
    pixels: Option<f64>,
) -> Result<(), cairo::Error> {
    let layout = widget.create_pango_layout(Some(text));
    let mut font = widget
        .pango_context()
        .font_description()
        .unwrap_or_default();
    font.set_weight(weight);
    if let Some(pixels) = pixels {
        font.set_absolute_size(pixels * f64::from(pango::SCALE));
    }
    layout.set_font_description(Some(&font));
    let (wide, high) = layout.pixel_size();
    let snapshot = gtk::Snapshot::new();
    snapshot.append_layout(&layout, &gdk::RGBA::BLACK);
    let surface = cairo::ImageSurface::create(cairo::Format::ARgb32, wide, high)?;
    let context = cairo::Context::new(&surface)?;
    if let Some(node) = snapshot.to_node() {
        node.draw(&context);
    }
    Ok(())
}

/// Digits, and most letters of the language, small and large.
fn written() -> String {
    let rituals = [
        Ritual::Stabilisation,
        Ritual::Permutation,
        Ritual::Illumination,
        Ritual::Neutralisation,
    ];
    let names = rituals.map(|ritual| words::ritual(ritual) + &words::ritual_use(ritual));
    let worlds = Data::shipped().worlds.len() as u8;
    let worlds = (0..worlds).map(|index| words::world(World(index)));
    format!(
        "0123456789/{}{}",
        names.concat(),
        worlds.collect::<String>()
    )
}
