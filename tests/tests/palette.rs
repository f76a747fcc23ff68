//! The colours that carry meaning, as people with every kind of colour vision see them: simulated (Machado, Oliveira and Fernandes
//! 2009, the strongest form of each) and compared. Emblems, shapes, letters and names say the same without any colour; `tests/gui/eyes`
//! makes pictures for eyes to judge.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// How far apart two colours must be, in CIELAB: 2.3 is just visible, 10 is told apart at a glance.
const APART: f64 = 10.0;
/// What text needs to be readable (WCAG AA).
const READABLE: f64 = 4.5;

const WORLDS: [&str; 7] = ["dream", "river", "forest", "sun", "wind", "stone", "fire"];

type Matrix = [[f64; 3]; 3];

const EYES: [(&str, Matrix); 4] = [
    (
        "all colours",
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ),
    (
        "protanopia",
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ),
];

fn style(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../data")
        .join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The colour behind the first occurrence of `before`, in linear light.
fn colour(style: &str, before: &str) -> [f64; 3] {
    let after = style
        .split_once(before)
        .unwrap_or_else(|| panic!("no {before} in the style"))
        .1;
    let hex = after.trim_start().strip_prefix('#').expect("a colour");
    [0, 2, 4].map(|at| {
        let byte = u8::from_str_radix(&hex[at..at + 2], 16).expect("two hexadecimal digits");
        let part = f64::from(byte) / 255.0;
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    })
}

fn seen(eyes: &Matrix, colour: [f64; 3]) -> [f64; 3] {
    eyes.map(|row| {
        let sum: f64 = row.iter().zip(colour).map(|(a, b)| a * b).sum();
        sum.clamp(0.0, 1.0)
    })
}

fn lab([r, g, b]: [f64; 3]) -> [f64; 3] {
    let f = |t: f64| {
        if t > 0.008856 {
            t.cbrt()
        } else {
            7.787 * t + 16.0 / 116.0
        }
    };
    let x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
    let y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
    let z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let squares: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    squares.sqrt()
}

fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let light = |[r, g, b]: [f64; 3]| 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    let (a, b) = (light(a), light(b));
    a.max(b) / a.min(b)
}

fn palettes() -> BTreeMap<&'static str, Vec<(String, [f64; 3])>> {
    let (light, dark) = (style("style.css"), style("style-dark.css"));
    let worlds = |style: &str, before: fn(&str) -> String| {
        let find = |world: &&str| (world.to_string(), colour(style, &before(world)));
        WORLDS.iter().map(find).collect()
    };
    let defined = |world: &str| format!("@define-color {world} ");
    let laid = |world: &str| format!("world.world-{world} .chip.laid {{ background: ");
    let seats = (0..5).map(|seat| {
        let before = format!(".player-{seat} {{ color: ");
        (format!("seat {seat}"), colour(&light, &before))
    });
    BTreeMap::from([
        ("worlds by day", worlds(&light, defined)),
        ("worlds by night", worlds(&dark, defined)),
        ("worlds of laid cards", worlds(&light, laid)),
        ("seats", seats.collect()),
    ])
}

#[test]
fn whatever_eyes_one_has_no_two_worlds_and_no_two_seats_look_alike() {
    let mut alike = Vec::new();
    for (palette, colours) in palettes() {
        for (eyes, matrix) in EYES {
            for (at, (name, one)) in colours.iter().enumerate() {
                for (other_name, other) in &colours[..at] {
                    let [one, other] = [*one, *other].map(|colour| lab(seen(&matrix, colour)));
                    let apart = distance(one, other);
                    if apart < APART {
                        alike.push(format!(
                            "{palette}, {eyes}: {name} and {other_name}: {apart:.1}"
                        ));
                    }
                }
            }
        }
    }
    assert!(alike.is_empty(), "{}", alike.join("\n"));
}

#[test]
fn names_of_worlds_are_readable_on_every_sky() {
    let mut faint = Vec::new();
    for file in ["style.css", "style-dark.css"] {
        let style = style(file);
        for sky in ["sky_top", "sky_mid", "sky_low"] {
            let sky_colour = colour(&style, &format!("@define-color {sky} "));
            for ink in WORLDS.into_iter().chain(["ink", "ink_soft", "gold"]) {
                let ink_colour = colour(&style, &format!("@define-color {ink} "));
                let found = contrast(sky_colour, ink_colour);
                if found < READABLE {
                    faint.push(format!("{file}: {ink} on {sky}: {found:.1}"));
                }
            }
        }
    }
    assert!(faint.is_empty(), "{}", faint.join("\n"));
}
