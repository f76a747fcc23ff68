//! A small curve: the share of rounds won, over the rounds played.

use gtk::{cairo, gdk, prelude::*};

/// How many rounds a point of the curve looks back on.
const WINDOW: usize = 10;

/// The share of the last rounds won, after each round.
pub fn shares(won: &[bool]) -> Vec<f64> {
    let share = |end: usize| {
        let last = won.get(end.saturating_sub(WINDOW)..end).unwrap_or_default();
        let wins = last.iter().filter(|won| **won).count();
        wins as f64 / last.len().max(1) as f64
    };
    (1..=won.len()).map(share).collect()
}

/// Draws `shares`; `label` says the same in words.
pub fn plot(shares: Vec<f64>, label: &str) -> gtk::DrawingArea {
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
        let _ = draw(cr, &shares, f64::from(width), f64::from(height), colour);
    });
    area
}

fn draw(
    cr: &cairo::Context,
    shares: &[f64],
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
    if let Some(last) = shares.last() {
        let at = edge + (shares.len() - 1) as f64 * across;
        cr.arc(at, down(*last), 3.5, 0.0, std::f64::consts::TAU);
        cr.fill()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_looks_back_on_the_last_rounds_only() {
        assert_eq!(shares(&[]), Vec::<f64>::new());
        assert_eq!(shares(&[true, false]), [1.0, 0.5]);
        let mut won = vec![false; 10];
        won.extend([true; 10]);
        assert_eq!(shares(&won).last(), Some(&1.0));
    }
}
