//! The start screen: what this is, and the ways to a table.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::{
    art::Art,
    components::{adaptive::Adaptive, face::CardFace},
    pieces::World,
    settings::Settings,
    words,
};

pub mod alone;
pub mod doctor;
mod invite;
mod listed;
pub mod nearby;
mod options;
pub mod room;

use alone::Alone;
use nearby::Nearby;

mod imp {
    use std::cell::OnceCell;

    use super::*;

    #[derive(Debug)]
    pub struct Parts {
        pub frame: Adaptive,
        pub halves: gtk::Box,
        pub fan: gtk::Box,
        pub nearby: Nearby,
        pub alone: Alone,
    }

    #[derive(Debug, Default)]
    pub struct Lobby {
        pub parts: OnceCell<Parts>,
        pub settings: OnceCell<Settings>,
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

fn column() -> gtk::Box {
    gtk::Box::builder()
        .orientation(gtk::Orientation::Vertical)
        .spacing(14)
        .hexpand(true)
        .valign(gtk::Align::Center)
        .build()
}

impl Lobby {
    /// Empty until it is filled or asked for a part: the window is on screen sooner without.
    pub fn new(settings: &Settings) -> Lobby {
        let lobby: Lobby = glib::Object::new();
        let own = lobby.imp().settings.set(settings.clone());
        own.expect("set once, here");
        lobby
    }

    /// Shows the ways to a table.
    pub fn fill(&self) {
        self.parts();
    }

    fn build(&self) {
        let settings = self.imp().settings.get().expect("set in new");
        let left = column();
        let scene = gtk::Overlay::builder()
            .halign(gtk::Align::Center)
            .child(&Art::new("moon", 170, 170))
            .build();
        let pawn = Art::new("pawn", 54, 82);
        pawn.set_valign(gtk::Align::End);
        scene.add_overlay(&pawn);
        left.append(&scene);
        left.append(
            &gtk::Label::builder()
                .label(words::tr("Shamans"))
                .css_classes(["game-title"])
                .build(),
        );
        let tagline = words::tr(
            "Keep the worlds in balance, or lead the Shadow to the Moon. Nobody knows who is who.",
        );
        left.append(
            &gtk::Label::builder()
                .label(&tagline)
                .wrap(true)
                .justify(gtk::Justification::Center)
                .css_classes(["tagline"])
                .build(),
        );
        let fan = fan();
        left.append(&fan);

        let right = column();
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
        right.append(&you);
        let nearby = Nearby::new();
        right.append(&nearby);
        let alone = Alone::new(settings);
        right.append(&alone);

        let halves = gtk::Box::builder()
            .spacing(36)
            .homogeneous(true)
            .css_classes(["start"])
            .build();
        halves.append(&left);
        halves.append(&right);
        let clamp = adw::Clamp::builder()
            .maximum_size(980)
            .child(&halves)
            .build();
        let scroll = gtk::ScrolledWindow::builder()
            .child(&clamp)
            .hscrollbar_policy(gtk::PolicyType::Never)
            .vexpand(true)
            .build();
        let frame = Adaptive::new(&scroll);
        self.set_child(Some(&frame));
        frame.connect_narrow_notify(glib::clone!(
            #[weak(rename_to = lobby)]
            self,
            move |_| lobby.lay_out()
        ));
        let parts = imp::Parts {
            frame,
            halves,
            fan,
            nearby,
            alone,
        };
        self.imp().parts.set(parts).expect("set once, here");
        self.lay_out();
    }

    fn parts(&self) -> &imp::Parts {
        let parts = &self.imp().parts;
        if parts.get().is_none() {
            self.build();
        }
        parts.get().expect("set in build")
    }

    fn lay_out(&self) {
        let parts = self.parts();
        let narrow = parts.frame.narrow();
        parts.halves.set_homogeneous(!narrow);
        parts.halves.set_spacing(if narrow { 14 } else { 36 });
        parts.halves.set_orientation(if narrow {
            gtk::Orientation::Vertical
        } else {
            gtk::Orientation::Horizontal
        });
        parts.fan.set_visible(!narrow);
    }

    /// The part about playing without people.
    pub fn alone(&self) -> &Alone {
        &self.parts().alone
    }

    /// The part about people.
    pub fn nearby(&self) -> &Nearby {
        &self.parts().nearby
    }
}

/// The seven worlds as a row of small cards.
fn fan() -> gtk::Box {
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
            42,
        );
        fan.append(&face);
    }
    fan
}
