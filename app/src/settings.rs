//! The player's preferences: an object that widgets bind to, kept in a key file in the user's configuration folder.

use std::{
    cell::{Cell, RefCell},
    path::PathBuf,
};

use gtk::{glib, prelude::*, subclass::prelude::*};
use shamans_core::bot::Skill;

const GROUP: &str = "preferences";

/// A finished trick can be read: it stays at least this long, in tenths of a second.
pub const SHORTEST_HOLD: u32 = 15;
/// And at most this long.
pub const LONGEST_HOLD: u32 = 100;

/// How well the others may play at a practise table, from weak to strong.
pub const STRENGTHS: [Skill; 3] = Skill::LEVELS;

mod imp {
    use super::*;

    #[derive(Debug, glib::Properties)]
    #[properties(wrapper_type = super::Settings)]
    pub struct Settings {
        /// The player's name.
        #[property(get, set)]
        player: RefCell<String>,
        /// A language's code; empty for the system's.
        #[property(get, set)]
        language: RefCell<String>,
        /// 0 off, 1 slow, 2 normal, 3 fast.
        #[property(get, set, maximum = 3)]
        pace: Cell<u32>,
        /// How long a finished trick stays, in tenths of a second.
        #[property(get, set, minimum = SHORTEST_HOLD, maximum = LONGEST_HOLD, default = SHORTEST_HOLD)]
        trick_hold: Cell<u32>,
        /// A click on a card plays it.
        #[property(get, set)]
        single_click: Cell<bool>,
        /// The hand sorted by value instead of by world.
        #[property(get, set)]
        sort_by_value: Cell<bool>,
        /// 0 as the system says, 1 light, 2 dark.
        #[property(get, set, maximum = 2)]
        scheme: Cell<u32>,
        /// Which animal stands for the player.
        #[property(get, set, maximum = 9)]
        avatar: Cell<u32>,
        /// Things make a sound.
        #[property(get, set)]
        sound: Cell<bool>,
        /// How well the others play at a practise table, as a place in [`STRENGTHS`].
        #[property(get, set, maximum = 2)]
        strength: Cell<u32>,
        /// How many of the others are phantoms there; all of them, at a table with fewer.
        #[property(get, set, maximum = 4)]
        phantoms: Cell<u32>,
        /// Keep statistics.
        #[property(get, set)]
        statistics: Cell<bool>,
        /// A relay to be reached through from beyond this network: its code, address or name; empty for none.
        #[property(get, set)]
        relay: RefCell<String>,
        /// Where a router forwards a port to this computer, as others reach it; empty for nowhere.
        #[property(get, set)]
        external: RefCell<String>,
        /// Moves of the tutorial that are done.
        #[property(get, set)]
        lesson: Cell<u32>,
        pub path: RefCell<Option<PathBuf>>,
    }

    impl Default for Settings {
        fn default() -> Settings {
            Settings {
                player: RefCell::default(),
                language: RefCell::default(),
                pace: Cell::new(2),
                trick_hold: Cell::new(SHORTEST_HOLD),
                single_click: Cell::new(false),
                sort_by_value: Cell::new(false),
                scheme: Cell::new(2),
                avatar: Cell::new(0),
                sound: Cell::new(true),
                strength: Cell::new(1),
                phantoms: Cell::new(0),
                statistics: Cell::new(true),
                lesson: Cell::new(0),
                relay: RefCell::default(),
                external: RefCell::default(),
                path: RefCell::default(),
            }
        }
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Settings {
        const NAME: &'static str = "ShamansSettings";
        type Type = super::Settings;
    }

    #[glib::derived_properties]
    impl ObjectImpl for Settings {}
}

glib::wrapper! {
    /// Preferences.
    pub struct Settings(ObjectSubclass<imp::Settings>);
}

impl Settings {
    /// Reads the user's file; what is missing or unreadable keeps its default.
    pub fn load() -> Settings {
        let settings: Settings = glib::Object::new();
        let path = glib::user_config_dir()
            .join("shamans")
            .join("preferences.ini");
        let file = glib::KeyFile::new();
        if file.load_from_file(&path, glib::KeyFileFlags::NONE).is_ok() {
            if let Ok(name) = file.string(GROUP, "player") {
                settings.set_player(name.chars().take(24).collect::<String>());
            }
            if let Ok(code) = file.string(GROUP, "language") {
                settings.set_language(code.as_str());
            }
            if let Ok(relay) = file.string(GROUP, "relay") {
                settings.set_relay(relay.as_str());
            }
            if let Ok(external) = file.string(GROUP, "external") {
                settings.set_external(external.as_str());
            }
            let number = |key: &str, most: i32| {
                file.integer(GROUP, key)
                    .ok()
                    .map(|n| n.clamp(0, most) as u32)
            };
            number("pace", 3)
                .into_iter()
                .for_each(|n| settings.set_pace(n));
            number("trick-hold", 100)
                .into_iter()
                .for_each(|n| settings.set_trick_hold(n.clamp(SHORTEST_HOLD, LONGEST_HOLD)));
            number("scheme", 2)
                .into_iter()
                .for_each(|n| settings.set_scheme(n));
            number("avatar", 9)
                .into_iter()
                .for_each(|n| settings.set_avatar(n));
            number("strength", 2)
                .into_iter()
                .for_each(|n| settings.set_strength(n));
            number("phantoms", 4)
                .into_iter()
                .for_each(|n| settings.set_phantoms(n));
            number("lesson", 1000)
                .into_iter()
                .for_each(|n| settings.set_lesson(n));
            let flag = |key: &str| file.boolean(GROUP, key).ok();
            flag("single-click")
                .into_iter()
                .for_each(|on| settings.set_single_click(on));
            flag("sound")
                .into_iter()
                .for_each(|on| settings.set_sound(on));
            flag("statistics")
                .into_iter()
                .for_each(|on| settings.set_statistics(on));
            flag("sort-by-value")
                .into_iter()
                .for_each(|on| settings.set_sort_by_value(on));
        }
        settings.imp().path.replace(Some(path));
        settings.connect_notify_local(None, |settings, _| settings.save());
        settings
    }

    /// The player's name, or the system's, or a word.
    pub fn name_or_default(&self) -> String {
        let own = self.player();
        if !own.trim().is_empty() {
            return own.trim().to_owned();
        }
        let system = glib::real_name().to_string_lossy().into_owned();
        let first = system.split_whitespace().next().unwrap_or_default();
        if first.is_empty() || first == "Unknown" || first == "root" {
            crate::words::tr("You")
        } else {
            first.to_owned()
        }
    }

    /// How well the others play at a practise table.
    pub fn skill(&self) -> Skill {
        let chosen = STRENGTHS.get(self.strength() as usize);
        chosen.copied().unwrap_or(Skill::Sensible)
    }

    /// How many times as long things take; 0 for at once.
    pub fn tempo(&self) -> f64 {
        let animations = gtk::Settings::default().is_none_or(|s| s.is_gtk_enable_animations());
        match self.pace() {
            0 => 0.0,
            _ if !animations => 0.0,
            1 => 1.8,
            3 => 0.45,
            _ => 1.0,
        }
    }

    fn save(&self) {
        let Some(path) = self.imp().path.borrow().clone() else {
            return;
        };
        let file = glib::KeyFile::new();
        file.set_string(GROUP, "player", &self.player());
        file.set_string(GROUP, "language", &self.language());
        file.set_string(GROUP, "relay", &self.relay());
        file.set_string(GROUP, "external", &self.external());
        file.set_integer(GROUP, "pace", self.pace() as i32);
        file.set_integer(GROUP, "trick-hold", self.trick_hold() as i32);
        file.set_integer(GROUP, "scheme", self.scheme() as i32);
        file.set_integer(GROUP, "avatar", self.avatar() as i32);
        file.set_boolean(GROUP, "sound", self.sound());
        file.set_integer(GROUP, "strength", self.strength() as i32);
        file.set_integer(GROUP, "phantoms", self.phantoms() as i32);
        file.set_integer(GROUP, "lesson", self.lesson() as i32);
        file.set_boolean(GROUP, "statistics", self.statistics());
        file.set_boolean(GROUP, "single-click", self.single_click());
        file.set_boolean(GROUP, "sort-by-value", self.sort_by_value());
        // A preference that cannot be kept holds until the program ends; that is no reason to stop play.
        let _ = path.parent().map(std::fs::create_dir_all);
        let _ = file.save_to_file(&path);
    }
}
