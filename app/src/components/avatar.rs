//! Avatars: an animal in the seat's colour, with the seat's shape and the first letter of the name, so that nobody is told by
//! colour alone.
//!
//! Everyone gets an animal by their name, no two at a table the same; which one stands for you on your own screen you may choose.

use adw::prelude::*;

use crate::{
    art::Art,
    session::models::SeatModel,
    words::{self, mark},
};

/// Shapes in seat order.
const SHAPES: [&str; 5] = ["diamond", "triangle", "square", "circle", "star"];

/// The animals: art key and name.
pub const ANIMALS: [(&str, &str); 10] = [
    ("avatar-fox", mark("Fox")),
    ("avatar-owl", mark("Owl")),
    ("avatar-bear", mark("Bear")),
    ("avatar-wolf", mark("Wolf")),
    ("avatar-deer", mark("Deer")),
    ("avatar-raven", mark("Raven")),
    ("avatar-hare", mark("Hare")),
    ("avatar-cat", mark("Cat")),
    ("avatar-frog", mark("Frog")),
    ("avatar-moth", mark("Moth")),
];

/// An animal for each name. `own` is a seat and the animal chosen for it.
pub fn assign(names: &[String], own: Option<(usize, usize)>) -> Vec<&'static str> {
    let wanted = |name: &String| {
        let sum = name
            .bytes()
            .fold(0usize, |sum, byte| sum * 31 % 9973 + usize::from(byte));
        sum % ANIMALS.len()
    };
    let mut taken: Vec<usize> = own.iter().map(|(_, animal)| *animal).collect();
    // By name and not by seat: the places are drawn by lot after the animals have been seen.
    let mut order: Vec<(usize, &String)> = names.iter().enumerate().collect();
    order.sort_by_key(|(_, name)| *name);
    let mut animals = vec![""; names.len()];
    for (seat, name) in order {
        let animal = match own.filter(|(at, _)| *at == seat) {
            Some((_, animal)) => animal,
            None => {
                let first = wanted(name);
                let mut free = (0..ANIMALS.len()).map(|i| (first + i) % ANIMALS.len());
                let animal = free.find(|animal| !taken.contains(animal)).unwrap_or(first);
                taken.push(animal);
                animal
            }
        };
        if let (Some(place), Some((key, _))) = (animals.get_mut(seat), ANIMALS.get(animal)) {
            *place = key;
        }
    }
    animals
}

/// The avatar of a seat.
pub fn avatar(model: &SeatModel, size: i32) -> gtk::Widget {
    let index = model.index() as usize;
    let disc = gtk::Overlay::builder()
        .css_classes(["avatar", &format!("player-{index}")])
        .halign(gtk::Align::Center)
        .valign(gtk::Align::Center)
        .build();
    let animal = Art::new("", size, size);
    model
        .bind_property("avatar", &animal, "picture")
        .sync_create()
        .build();
    disc.set_child(Some(&animal));
    let shape = SHAPES.get(index).copied().unwrap_or("circle");
    let small = size * 9 / 20;
    let letter = gtk::Label::builder().css_classes(["letter"]).build();
    letter.set_accessible_role(gtk::AccessibleRole::Presentation);
    model
        .bind_property("name", &letter, "label")
        .transform_to(|_, name: String| Some(initial(&name)))
        .sync_create()
        .build();
    let mark = Art::new(&format!("glyph-{shape}"), small, small);
    mark.add_css_class("seat-shape");
    for corner in [mark.upcast_ref::<gtk::Widget>(), letter.upcast_ref()] {
        corner.set_halign(gtk::Align::Start);
        corner.set_valign(gtk::Align::End);
        disc.add_overlay(corner);
    }
    letter.set_size_request(small, small);
    disc.upcast()
}

fn initial(name: &str) -> String {
    let first = name.chars().next();
    first
        .map(|c| c.to_uppercase().to_string())
        .unwrap_or_default()
}

/// A row of animals to choose from, bound to the preference.
pub fn chooser(settings: &crate::settings::Settings) -> gtk::Widget {
    let flow = gtk::FlowBox::builder()
        .selection_mode(gtk::SelectionMode::None)
        .min_children_per_line(5)
        .max_children_per_line(10)
        .css_classes(["avatars", "player-0"])
        .build();
    flow.update_property(&[gtk::accessible::Property::Label(&words::tr("Your animal"))]);
    let mut group: Option<gtk::ToggleButton> = None;
    for (i, (key, name)) in ANIMALS.iter().enumerate() {
        let name = words::tr(name);
        let button = gtk::ToggleButton::builder()
            .child(&Art::new(key, 40, 40))
            .tooltip_text(&name)
            .css_classes(["flat", "circular"])
            .active(settings.avatar() == i as u32)
            .build();
        button.update_property(&[gtk::accessible::Property::Label(&name)]);
        button.set_group(group.as_ref());
        group.get_or_insert_with(|| button.clone());
        let settings = settings.clone();
        button.connect_toggled(move |button| {
            if button.is_active() {
                settings.set_avatar(i as u32);
            }
        });
        let child = gtk::FlowBoxChild::builder()
            .child(&button)
            .focusable(false)
            .build();
        flow.append(&child);
    }
    flow.upcast()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_at_a_table_are_the_same_and_a_choice_holds() {
        let names: Vec<String> = ["Jana", "Jana", "Jana", "Petr", "Ruda"]
            .map(String::from)
            .to_vec();
        let mut animals = assign(&names, Some((2, 7)));
        assert_eq!(animals.get(2), Some(&"avatar-cat"));
        animals.sort();
        animals.dedup();
        assert_eq!(animals.len(), 5);
    }

    #[test]
    fn an_animal_stays_with_its_player_when_the_places_are_drawn() {
        let names: Vec<String> = ["Ada", "Jana", "Petr", "Ruda", "Eva"]
            .map(String::from)
            .to_vec();
        let drawn: Vec<String> = names.iter().rev().cloned().collect();
        let mut after = assign(&drawn, Some((4, 7)));
        after.reverse();
        assert_eq!(assign(&names, Some((0, 7))), after);
    }
}
