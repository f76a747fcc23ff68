//! The part of the start screen for playing without people: learn, go on, practise.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::{
    session::kept::Kept,
    settings::{STRENGTHS, Settings},
    words,
};

mod imp {
    use std::cell::OnceCell;

    use super::*;

    #[derive(Debug, Default)]
    pub struct Alone {
        pub learn: OnceCell<adw::ActionRow>,
        pub go_on: OnceCell<adw::ActionRow>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Alone {
        const NAME: &'static str = "ShamansAlone";
        type Type = super::Alone;
        type ParentType = adw::PreferencesGroup;
    }

    impl ObjectImpl for Alone {}
    impl WidgetImpl for Alone {}
    impl PreferencesGroupImpl for Alone {}
}

glib::wrapper! {
    /// Ways to play alone.
    pub struct Alone(ObjectSubclass<imp::Alone>)
        @extends adw::PreferencesGroup, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

/// A row with one button, which the row presses too; `spoken` is what a screen reader calls it.
fn row(title: String, label: String, spoken: &str, action: &str) -> adw::ActionRow {
    let button = gtk::Button::builder()
        .label(label)
        .valign(gtk::Align::Center)
        .action_name(action)
        .css_classes(["pill-small"])
        .build();
    let row = adw::ActionRow::builder().title(title).build();
    row.add_suffix(&button);
    row.set_activatable_widget(Some(&button));
    // The row has lent the button its title, which would be read after our own words.
    button.reset_relation(gtk::AccessibleRelation::LabelledBy);
    button.update_property(&[gtk::accessible::Property::Label(spoken)]);
    row
}

/// Who sits at a table of so many: how many of each team, and who the others are.
fn company(seats: u8, phantoms: u32) -> String {
    let (shamans, shadows) = match seats {
        3 => (2, 1),
        4 => (3, 1),
        _ => (3, 2),
    };
    let others = usize::from(seats) - 1;
    let phantoms = others.min(phantoms as usize);
    let bots = others - phantoms;
    let mut sitting = vec![words::tr("You")];
    if bots > 0 {
        sitting.push(words::tr_n("1 bot", "{n} bots", bots));
    }
    if phantoms > 0 {
        sitting.push(words::tr_n("1 phantom", "{n} phantoms", phantoms));
    }
    let teams = [
        words::tr_n("1 Shaman", "{n} Shamans", shamans),
        words::tr_n("1 Shadow", "{n} Shadows", shadows),
    ];
    format!("{} · {}", sitting.join(", "), teams.join(", "))
}

/// A button for each size of table.
fn sizes(settings: &Settings) -> gtk::Box {
    let sizes = gtk::Box::builder()
        .spacing(6)
        .valign(gtk::Align::Center)
        .build();
    for seats in 3..=5u8 {
        let start = gtk::Button::builder()
            .label(seats.to_string())
            .css_classes(["circular"])
            .build();
        let tell = glib::clone!(
            #[weak]
            start,
            move |settings: &Settings| {
                let company = company(seats, settings.phantoms());
                start.set_tooltip_text(Some(&company));
                start.update_property(&[gtk::accessible::Property::Description(&company)]);
            }
        );
        tell(settings);
        settings.connect_phantoms_notify(tell);
        start.update_property(&[gtk::accessible::Property::Label(&words::fill(
            "Practise at a table of {n}",
            &[("n", &seats.to_string())],
        ))]);
        start.set_action_target_value(Some(&seats.to_variant()));
        start.set_action_name(Some("win.practise"));
        sizes.append(&start);
    }
    sizes
}

impl Alone {
    /// Follows and changes `settings`.
    pub fn new(settings: &Settings) -> Alone {
        let alone: Alone = glib::Object::new();
        alone.set_title(&words::tr("On your own"));
        let learn = row(
            words::tr("Learn to play"),
            words::tr("Learn"),
            &words::tr("Learn to play"),
            "win.tutorial",
        );
        alone.add(&learn);
        let go_on = row(
            words::tr("Your last practise game"),
            words::tr("Go on"),
            &words::tr("Go on with your last practise game"),
            "win.continue-practise",
        );
        alone.add(&go_on);
        let practise = adw::ActionRow::builder()
            .title(words::tr("Practise"))
            .subtitle(words::tr("Against the computer, at a table of"))
            .build();
        practise.add_suffix(&sizes(settings));
        alone.add(&practise);
        let names = STRENGTHS.map(words::skill);
        let list = gtk::StringList::new(&names.each_ref().map(String::as_str));
        let strength = adw::ComboRow::builder()
            .title(words::tr("The computer plays"))
            .model(&list)
            .build();
        settings
            .bind_property("strength", &strength, "selected")
            .bidirectional()
            .sync_create()
            .build();
        alone.add(&strength);
        let numbers = ["0", "1", "2", "3", "4"];
        let phantoms = adw::ComboRow::builder()
            .title(words::tr("Phantoms"))
            .subtitle(words::tr(
                "They play blindly in place of bots; nobody knows their cards",
            ))
            .model(&gtk::StringList::new(&numbers))
            .build();
        settings
            .bind_property("phantoms", &phantoms, "selected")
            .bidirectional()
            .sync_create()
            .build();
        alone.add(&phantoms);
        let past = adw::ActionRow::builder()
            .title(words::tr("Past games"))
            .subtitle(words::tr(
                "Step through them, and check that the deals were fair",
            ))
            .activatable(true)
            .build();
        past.set_action_name(Some("app.past-games"));
        past.add_suffix(
            &gtk::Image::builder()
                .icon_name("go-next-symbolic")
                .accessible_role(gtk::AccessibleRole::Presentation)
                .build(),
        );
        alone.add(&past);
        let imp = alone.imp();
        imp.learn.set(learn).expect("set once, here");
        imp.go_on.set(go_on).expect("set once, here");
        alone.refresh(settings);
        alone
    }

    /// What can be gone on with may have changed.
    pub fn refresh(&self, settings: &Settings) {
        let imp = self.imp();
        let kept = Kept::here().load();
        let go_on = imp.go_on.get().expect("set in new");
        go_on.set_visible(kept.is_some());
        if let Some((beginning, _)) = kept {
            let others: Vec<String> = beginning.called().into_iter().skip(1).collect();
            go_on.set_subtitle(&words::fill(
                "With {names}",
                &[("names", &others.join(", "))],
            ));
        }
        let learn = imp.learn.get().expect("set in new");
        learn.set_subtitle(&if settings.lesson() > 0 {
            words::tr("Go on where you left off")
        } else {
            words::tr("One round in five minutes, you make the moves")
        });
    }
}
