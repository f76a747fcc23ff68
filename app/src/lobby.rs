//! The start screen: what this is, and the ways to a table.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::{art::Art, components::face::CardFace, pieces::World, settings::Settings, words};

pub mod nearby;
pub mod room;

use nearby::Nearby;

mod imp {
    use std::cell::OnceCell;

    use super::*;

    #[derive(Debug, Default)]
    pub struct Lobby {
        pub nearby: OnceCell<Nearby>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Lobby {
        const NAME: &'static str = "ShamansLobby";
        type Type = super::Lobby;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("lobby");
        }
    }

    impl ObjectImpl for Lobby {}
    impl WidgetImpl for Lobby {}
    impl BinImpl for Lobby {}
}

glib::wrapper! {
    /// The start screen.
    pub struct Lobby(ObjectSubclass<imp::Lobby>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Lobby {
    /// The ways to a table.
    pub fn new(settings: &Settings) -> Lobby {
        let lobby: Lobby = glib::Object::new();
        let column = gtk::Box::builder()
            .orientation(gtk::Orientation::Vertical)
            .spacing(14)
            .valign(gtk::Align::Center)
            .css_classes(["start"])
            .build();

        let scene = gtk::Overlay::builder()
            .halign(gtk::Align::Center)
            .child(&Art::new("moon", 170, 170))
            .build();
        let pawn = Art::new("pawn", 54, 82);
        pawn.set_valign(gtk::Align::End);
        scene.add_overlay(&pawn);
        column.append(&scene);
        column.append(
            &gtk::Label::builder()
                .label(words::tr("Shamans"))
                .css_classes(["game-title"])
                .build(),
        );
        let tagline = words::tr(
            "Keep the worlds in balance, or lead the Shadow to the Moon. Nobody knows who is who.",
        );
        column.append(
            &gtk::Label::builder()
                .label(&tagline)
                .wrap(true)
                .justify(gtk::Justification::Center)
                .css_classes(["tagline"])
                .build(),
        );

        let you = adw::PreferencesGroup::new();
        let name = adw::EntryRow::builder()
            .title(words::tr("Your name"))
            .build();
        settings
            .bind_property("player", &name, "text")
            .bidirectional()
            .sync_create()
            .build();
        you.add(&name);
        column.append(&you);
        let nearby = Nearby::new();
        column.append(&nearby);
        lobby.imp().nearby.set(nearby).expect("set once, here");

        let group = adw::PreferencesGroup::builder()
            .title(words::tr("Practise"))
            .build();
        for seats in 3..=5u8 {
            let (shamans, shadows) = match seats {
                3 => (2, 1),
                4 => (3, 1),
                _ => (3, 2),
            };
            let row = adw::ActionRow::builder()
                .title(words::fill("Table of {n}", &[("n", &seats.to_string())]))
                .subtitle(format!(
                    "{}, {}",
                    words::tr_n("1 Shaman", "{n} Shamans", shamans),
                    words::tr_n("1 Shadow", "{n} Shadows", shadows)
                ))
                .build();
            let start = gtk::Button::builder()
                .label(words::tr("Play"))
                .valign(gtk::Align::Center)
                .css_classes(["pill-small"])
                .build();
            start.update_property(&[gtk::accessible::Property::Label(&words::fill(
                "Practise at a table of {n}",
                &[("n", &seats.to_string())],
            ))]);
            start.set_action_name(Some("win.practise"));
            start.set_action_target_value(Some(&seats.to_variant()));
            if seats == 4 {
                start.add_css_class("suggested-action");
            }
            row.add_suffix(&start);
            row.set_activatable_widget(Some(&start));
            group.add(&row);
        }
        column.append(&group);

        let fan = gtk::Box::builder()
            .spacing(4)
            .halign(gtk::Align::Center)
            .css_classes(["fan"])
            .build();
        for index in 0..7 {
            let world = World(index);
            let face = CardFace::new(
                &format!("world-{}", words::world_key(world)),
                "",
                &words::world(world),
                38,
            );
            fan.append(&face);
        }
        column.append(&fan);

        let clamp = adw::Clamp::builder()
            .maximum_size(460)
            .child(&column)
            .build();
        let scroll = gtk::ScrolledWindow::builder()
            .child(&clamp)
            .hscrollbar_policy(gtk::PolicyType::Never)
            .vexpand(true)
            .build();
        lobby.set_child(Some(&scroll));
        lobby
    }

    /// The part about people.
    pub fn nearby(&self) -> &Nearby {
        self.imp().nearby.get().expect("set in new")
    }
}
