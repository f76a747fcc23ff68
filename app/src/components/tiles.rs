//! The artefacts to take: those face up, and the pile.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use super::tile::TileButton;
use crate::{
    pieces::{Action, Pick},
    session::{Session, snapshot::Snapshot},
    words,
};

mod imp {
    use std::cell::OnceCell;

    use super::*;

    #[derive(Debug, Default)]
    pub struct Tiles {
        pub buttons: OnceCell<Vec<(Pick, TileButton)>>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Tiles {
        const NAME: &'static str = "ShamansTiles";
        type Type = super::Tiles;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("tiles");
            class.set_accessible_role(gtk::AccessibleRole::Group);
        }
    }

    impl ObjectImpl for Tiles {}
    impl WidgetImpl for Tiles {}
    impl BinImpl for Tiles {}
}

glib::wrapper! {
    /// The artefacts on the table.
    pub struct Tiles(ObjectSubclass<imp::Tiles>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Tiles {
    /// Follows `session` and sends it what is taken.
    pub fn new(session: &Session) -> Tiles {
        let tiles: Tiles = glib::Object::new();
        tiles.update_property(&[gtk::accessible::Property::Label(&words::tr("Artefacts"))]);
        let column = gtk::Box::new(gtk::Orientation::Vertical, 4);
        column.append(
            &gtk::Label::builder()
                .label(words::tr("Artefacts"))
                .xalign(0.0)
                .css_classes(["section"])
                .build(),
        );
        let row = gtk::Box::new(gtk::Orientation::Horizontal, 6);
        let picks = [Pick::FaceUp(0), Pick::FaceUp(1), Pick::Pile];
        let buttons: Vec<(Pick, TileButton)> = picks
            .into_iter()
            .map(|pick| (pick, TileButton::new()))
            .collect();
        for (pick, button) in &buttons {
            let pick = *pick;
            row.append(button);
            button.connect_clicked(glib::clone!(
                #[weak]
                session,
                move |_| session.pick(Action::Take(pick))
            ));
        }
        column.append(&row);
        tiles.set_child(Some(&column));
        tiles.imp().buttons.set(buttons).expect("set once, here");
        session.connect_changed(glib::clone!(
            #[weak]
            tiles,
            move |session| {
                session.with_table(|table| {
                    tiles.refresh(table, session.advised(), session.picked());
                });
            }
        ));
        tiles
    }

    /// The button of a place.
    pub fn button(&self, pick: Pick) -> Option<gtk::Widget> {
        let buttons = self.imp().buttons.get().expect("set in new");
        let found = buttons.iter().find(|(at, _)| *at == pick);
        found.map(|(_, button)| button.clone().upcast())
    }

    /// Sets the size of the pictures.
    pub fn set_size(&self, size: i32) {
        for (_, button) in self.imp().buttons.get().expect("set in new") {
            button.set_size(size);
        }
    }

    fn refresh(&self, table: &Snapshot, advised: Option<Action>, picked: Option<Action>) {
        for (pick, button) in self.imp().buttons.get().expect("set in new") {
            let enabled = table.legal.contains(&Action::Take(*pick));
            let (picture, name, does) = match *pick {
                Pick::FaceUp(place) => match table.offer.get(usize::from(place)).copied().flatten()
                {
                    Some(artefact) => (
                        words::artefact_key(artefact),
                        words::artefact(artefact),
                        words::artefact_use(artefact),
                    ),
                    None => (
                        "",
                        words::tr("no tile"),
                        words::tr("There is no tile here to take."),
                    ),
                },
                Pick::Pile if table.pile > 0 => {
                    let name = words::fill("pile of {n}", &[("n", &table.pile.to_string())]);
                    (
                        "tile-back",
                        name,
                        words::tr("Look at the top tile in secret and keep it face down."),
                    )
                }
                Pick::Pile => (
                    "",
                    words::tr("empty pile"),
                    words::tr("There is no tile left in the pile."),
                ),
            };
            let reason = if enabled || picture.is_empty() {
                does
            } else {
                format!("{does}\n{}", words::tr("Nothing to take right now."))
            };
            let advised = enabled && advised == Some(Action::Take(*pick));
            let reason = match advised {
                true => format!("{}\n{reason}", words::tr("Advised.")),
                false => reason,
            };
            button.mark(advised);
            button.show_tile(picture, &name, enabled, &reason);
            button.select(picked == Some(Action::Take(*pick)));
        }
    }
}
