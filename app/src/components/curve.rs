//! A small curve of shares from 0 to 1.

use gtk::{cairo, gdk, prelude::*};

/// Draws `shares`, from 0 to 1, with a dot at each of `marks` and at the end; `label` says the same in words.
pub fn plot(shares: Vec<f64>, marks: Vec<usize>, label: &str) -> gtk::DrawingArea {
    let area = gtk::DrawingArea::builder()
        .content_height(110)
        .hexpand(true)
        .accessible_role(gtk::AccessibleRole::Img)
        .css_classes(["plot"])
        .build();
    area.update_property(&[gtk::accessible::Property::Label(label)]);
    area.set_draw_func(move |area, cr, width, height| {
        let colour = area.style_context().color();
        // A picture that cannot be drawn is left out; the rows say the same.
        let _ = draw(
            cr,
            &shares,
            &marks,
            f64::from(width),
            f64::from(height),
            colour,
        );
    });
    area
}

fn draw(
    cr: &cairo::Context,
    shares: &[f64],
    marks: &[usize],
    width: f64,
    height: f64,
    colour: gdk::RGBA,
) -> Result<(), cairo::Error> {
    let edge = 6.0;
    let across = (width - 2.0 * edge) / (shares.len().saturating_sub(1)).max(1) as f64;
    let down = |share: f64| edge + (1.0 - share) * (height - 2.0 * edge);
    let ink = |alpha: f64| {
        let part = f64::from;
        cr.set_source_rgba(
            part(colour.red()),
            part(colour.green()),
            part(colour.blue()),
            alpha,
        );
    };
    ink(0.25);
    cr.set_line_width(1.0);
    for share in [0.0, 0.5, 1.0] {
        cr.move_to(edge, down(share));
        cr.line_to(width - edge, down(share));
        cr.stroke()?;
    }
    ink(0.9);
    cr.set_line_width(2.0);
    cr.set_line_join(cairo::LineJoin::Round);
    for (i, share) in shares.iter().enumerate() {
        cr.line_to(edge + i as f64 * across, down(*share));
    }
    cr.stroke()?;
    let end = shares.len().saturating_sub(1);
    for at in marks.iter().copied().chain([end]) {
        if let Some(share) = shares.get(at) {
            let across = edge + at as f64 * across;
            cr.arc(across, down(*share), 3.5, 0.0, std::f64::consts::TAU);
            cr.fill()?;
        }
    }
    Ok(())
}
