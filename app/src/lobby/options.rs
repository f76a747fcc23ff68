//! How the table is to be: seats, phantoms, places by lot, time to think, grace time. Whoever opened it changes, the others read.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::{
    session::lan::seen::{TableOptions, Timer},
    words,
};

/// Grace times to choose from, in seconds.
const GRACES: [u32; 4] = [15, 60, 180, 600];

mod imp {
    use std::cell::{Cell, OnceCell, RefCell};

    use super::*;

    pub struct Parts {
        pub seats: adw::ComboRow,
        pub phantoms: adw::ComboRow,
        pub timer: adw::ComboRow,
        pub grace: adw::ComboRow,
        pub shuffle: gtk::Switch,
        pub private: gtk::Switch,
        pub group: adw::PreferencesGroup,
    }

    type Changed = Box<dyn Fn(TableOptions)>;

    #[derive(Default)]
    pub struct OptionsGroup {
        pub parts: OnceCell<Parts>,
        pub shown: Cell<TableOptions>,
        /// Rows are being set, not chosen.
        pub setting: Cell<bool>,
        pub changed: RefCell<Option<Changed>>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for OptionsGroup {
        const NAME: &'static str = "ShamansOptionsGroup";
        type Type = super::OptionsGroup;
        type ParentType = adw::Bin;
    }

    impl ObjectImpl for OptionsGroup {}
    impl WidgetImpl for OptionsGroup {}
    impl BinImpl for OptionsGroup {}
}

glib::wrapper! {
    /// The options of a table.
    pub struct OptionsGroup(ObjectSubclass<imp::OptionsGroup>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

fn choice(title: &str, subtitle: &str, names: &[String]) -> adw::ComboRow {
    let list = gtk::StringList::new(&names.iter().map(String::as_str).collect::<Vec<_>>());
    adw::ComboRow::builder()
        .title(title)
        .subtitle(subtitle)
        .model(&list)
        .build()
}

fn switch(title: &str, subtitle: &str) -> (adw::ActionRow, gtk::Switch) {
    let toggle = gtk::Switch::builder().valign(gtk::Align::Center).build();
    let row = adw::ActionRow::builder()
        .title(title)
        .subtitle(subtitle)
        .activatable_widget(&toggle)
        .build();
    row.add_suffix(&toggle);
    (row, toggle)
}

impl OptionsGroup {
    /// Calls `changed` with what the player chooses.
    pub fn new(changed: impl Fn(TableOptions) + 'static) -> OptionsGroup {
        let options: OptionsGroup = glib::Object::new();
        let group = adw::PreferencesGroup::builder()
            .title(words::tr("Options"))
            .build();
        let number = |n: usize| n.to_string();
        let seats = choice(
            &words::tr("Seats"),
            "",
            &(3..=5).map(number).collect::<Vec<_>>(),
        );
        let phantoms = choice(
            &words::tr("Phantoms"),
            &words::tr("play blindly where people are missing"),
            &(0..=3).map(number).collect::<Vec<_>>(),
        );
        let timer = choice(
            &words::tr("Time to think"),
            &words::tr("only a reminder"),
            &[words::tr("Off"), words::tr("Relaxed"), words::tr("Fast")],
        );
        let grace = choice(
            &words::tr("Grace time"),
            &words::tr("for whoever loses the connection"),
            &[
                words::tr("15 s"),
                words::tr("1 min"),
                words::tr("3 min"),
                words::tr("10 min"),
            ],
        );
        let (shuffle_row, shuffle) = switch(
            &words::tr("Shuffle seats"),
            &words::tr("places are drawn by lot"),
        );
        let (private_row, private) = switch(
            &words::tr("By code only"),
            &words::tr("not on others' lists"),
        );
        for row in [&seats, &phantoms, &timer, &grace] {
            group.add(row);
            row.connect_selected_notify(glib::clone!(
                #[weak]
                options,
                move |_| options.choose()
            ));
        }
        for (row, toggle) in [(&shuffle_row, &shuffle), (&private_row, &private)] {
            group.add(row);
            toggle.connect_active_notify(glib::clone!(
                #[weak]
                options,
                move |_| options.choose()
            ));
        }
        options.set_child(Some(&group));
        options.imp().changed.replace(Some(Box::new(changed)));
        let parts = imp::Parts {
            seats,
            phantoms,
            timer,
            grace,
            shuffle,
            private,
            group,
        };
        assert!(options.imp().parts.set(parts).is_ok(), "set once, here");
        options
    }

    fn parts(&self) -> &imp::Parts {
        self.imp().parts.get().expect("set in new")
    }

    /// Shows how the table is to be; `mine` may change it.
    pub fn show(&self, options: TableOptions, mine: bool) {
        let parts = self.parts();
        self.imp().setting.set(true);
        self.imp().shown.set(options);
        parts
            .seats
            .set_selected(u32::from(options.seats.saturating_sub(3)));
        parts.phantoms.set_selected(u32::from(options.phantoms));
        parts.timer.set_selected(match options.timer {
            Timer::Off => 0,
            Timer::Relaxed => 1,
            Timer::Fast => 2,
        });
        let nearest = (0..)
            .zip(GRACES)
            .min_by_key(|(_, grace)| grace.abs_diff(options.grace));
        parts.grace.set_selected(nearest.map_or(1, |(at, _)| at));
        parts.shuffle.set_active(options.shuffle);
        parts.private.set_active(options.private);
        for row in [&parts.seats, &parts.phantoms, &parts.timer, &parts.grace] {
            row.set_sensitive(mine);
        }
        parts.shuffle.set_sensitive(mine);
        parts.private.set_sensitive(mine);
        let who = words::tr("Whoever opened the table chooses.");
        parts
            .group
            .set_description(if mine { None } else { Some(&who) });
        self.imp().setting.set(false);
    }

    fn choose(&self) {
        if self.imp().setting.get() || self.imp().parts.get().is_none() {
            return;
        }
        let parts = self.parts();
        let seats = parts.seats.selected() as u8 + 3;
        let chosen = TableOptions {
            seats,
            // Somebody has to sit there beside the player.
            phantoms: (parts.phantoms.selected() as u8).min(seats - 2),
            shuffle: parts.shuffle.is_active(),
            grace: GRACES
                .get(parts.grace.selected() as usize)
                .copied()
                .unwrap_or(60),
            timer: match parts.timer.selected() {
                1 => Timer::Relaxed,
                2 => Timer::Fast,
                _ => Timer::Off,
            },
            private: parts.private.is_active(),
        };
        if parts.phantoms.selected() != u32::from(chosen.phantoms) {
            // What cannot be had is not shown as chosen. Not from within the row that is being chosen in.
            glib::idle_add_local_once(glib::clone!(
                #[weak(rename_to = options)]
                self,
                move || {
                    options.imp().setting.set(true);
                    let row = &options.parts().phantoms;
                    row.set_selected(u32::from(chosen.phantoms));
                    options.imp().setting.set(false);
                }
            ));
        }
        if chosen != self.imp().shown.get()
            && let Some(changed) = self.imp().changed.borrow().as_ref()
        {
            changed(chosen);
        }
    }
}
