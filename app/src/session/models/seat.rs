//! A seat at the table.

use std::cell::{Cell, RefCell};

use gtk::{glib, prelude::*, subclass::prelude::*};

use super::{super::snapshot::SeatSeen, mirror};
use crate::{pieces::Role, words};

mod imp {
    use super::*;

    #[derive(Debug, Default, glib::Properties)]
    #[properties(wrapper_type = super::SeatModel)]
    pub struct SeatModel {
        #[property(get, construct_only)]
        index: Cell<u32>,
        #[property(get, set)]
        name: RefCell<String>,
        #[property(get, set)]
        me: Cell<bool>,
        /// The art key of its animal.
        #[property(get, set)]
        avatar: RefCell<String>,
        #[property(get, set)]
        cards: Cell<u32>,
        #[property(get, set)]
        points: Cell<u32>,
        #[property(get, set)]
        guide: Cell<bool>,
        #[property(get, set)]
        awaited: Cell<bool>,
        #[property(get, set)]
        eliminated: Cell<bool>,
        #[property(get, set)]
        phantom: Cell<bool>,
        /// How its player is linked, in words; empty for not, or not known.
        #[property(get, set)]
        way: RefCell<String>,
        /// Through a relay.
        #[property(get, set)]
        relayed: Cell<bool>,
        /// Empty for whoever is no bot, else its honest mark in words.
        #[property(get, set)]
        bot: RefCell<String>,
        /// Empty while hidden, else the art key of the identity.
        #[property(get, set)]
        role_art: RefCell<String>,
        /// Empty while hidden, else the identity in words.
        #[property(get, set)]
        role_name: RefCell<String>,
        /// Art key and words of each tile, alternating.
        #[property(get, set)]
        tiles: RefCell<Vec<String>>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for SeatModel {
        const NAME: &'static str = "ShamansSeatModel";
        type Type = super::SeatModel;
    }

    #[glib::derived_properties]
    impl ObjectImpl for SeatModel {}
}

glib::wrapper! {
    /// A seat at the table.
    pub struct SeatModel(ObjectSubclass<imp::SeatModel>);
}

/// Identity of a seat as the player may know it.
fn role_words(role: Option<Role>) -> (String, String) {
    match role {
        Some(role) => (words::role_key(role).to_owned(), words::role(role)),
        None => (String::new(), String::new()),
    }
}

impl SeatModel {
    /// The seat with this number.
    pub fn new(index: usize) -> SeatModel {
        glib::Object::builder()
            .property("index", index as u32)
            .build()
    }

    /// Takes over what the worker saw.
    pub fn follow(&self, seen: &SeatSeen) {
        mirror!(self, name, set_name, seen.name.clone());
        mirror!(self, cards, set_cards, seen.cards as u32);
        mirror!(self, points, set_points, seen.points as u32);
        mirror!(self, eliminated, set_eliminated, seen.eliminated);
        mirror!(self, phantom, set_phantom, seen.phantom);
        let bot = seen.bot.as_ref().map(words::bot).unwrap_or_default();
        mirror!(self, bot, set_bot, bot);
        let (art, name) = role_words(seen.role);
        mirror!(self, role_art, set_role_art, art);
        mirror!(self, role_name, set_role_name, name);
        let tiles = seen.tiles.iter().flat_map(|tile| {
            let (art, name) = match tile.artefact {
                Some(artefact) => (words::artefact_key(artefact), words::artefact(artefact)),
                None => ("tile-back", words::tr("a face-down tile")),
            };
            let name = match (tile.up, tile.artefact) {
                (false, Some(_)) => words::fill("{tile}, face down", &[("tile", &name)]),
                (true, _) | (false, None) => name,
            };
            let art = if tile.up || tile.artefact.is_none() {
                art.to_owned()
            } else {
                format!("secret:{art}")
            };
            [art, name]
        });
        mirror!(self, tiles, set_tiles, tiles.collect::<Vec<_>>());
    }
}
