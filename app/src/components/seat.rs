//! A player at the table: colour, shape and letter, name, cards, points, tiles, and whether they lead or are awaited.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use super::{
    avatar::avatar,
    soon::{Region, Said, Tip, once_a_frame_in},
    strip::Strip,
};
use crate::{art::Art, session::models::SeatModel, words};

mod imp {
    use std::cell::{Cell, OnceCell, RefCell};

    use super::*;

    /// The small pictures of a seat.
    #[derive(Debug, Default, PartialEq, Eq)]
    pub struct Pictures {
        /// Key and name of each tile.
        pub tiles: Vec<(String, String)>,
        pub marks: Vec<&'static str>,
        pub size: i32,
    }

    #[derive(Debug)]
    pub struct Parts {
        pub model: SeatModel,
        pub column: gtk::Box,
        pub name: gtk::Label,
        pub cards: gtk::Label,
        pub points: gtk::Label,
        pub status: gtk::Box,
        pub tiles: Strip,
        pub role: Art,
        pub line: gtk::Box,
        pub top: gtk::Box,
        pub texts: gtk::Box,
        pub over: gtk::Overlay,
        pub size: Cell<i32>,
        pub tip: Tip,
        pub pictures: RefCell<Pictures>,
        pub said: Said,
    }

    #[derive(Debug, Default)]
    pub struct SeatPanel {
        pub parts: OnceCell<Parts>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for SeatPanel {
        const NAME: &'static str = "ShamansSeatPanel";
        type Type = super::SeatPanel;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("seat");
            class.set_accessible_role(gtk::AccessibleRole::Group);
        }
    }

    impl ObjectImpl for SeatPanel {}
    impl WidgetImpl for SeatPanel {
        fn query_tooltip(&self, _x: i32, _y: i32, _by_key: bool, tooltip: &gtk::Tooltip) -> bool {
            self.parts
                .get()
                .is_some_and(|parts| parts.tip.show(tooltip))
        }
    }
    impl BinImpl for SeatPanel {}
}

glib::wrapper! {
    /// A player's place.
    pub struct SeatPanel(ObjectSubclass<imp::SeatPanel>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

fn small(class: &str) -> gtk::Label {
    gtk::Label::builder()
        .css_classes([class, "numeric"])
        .build()
}

impl SeatPanel {
    /// Shows `model` and follows it.
    pub fn new(model: &SeatModel) -> SeatPanel {
        let panel: SeatPanel = glib::Object::new();
        let row = gtk::Box::builder().spacing(6).build();
        let mark = gtk::Overlay::builder().child(&avatar(model, 36)).build();
        let role = Art::new("", 22, 31);
        role.set_visible(false);
        role.set_halign(gtk::Align::End);
        role.set_valign(gtk::Align::End);
        mark.add_overlay(&role);
        row.append(&mark);
        let column = gtk::Box::builder()
            .orientation(gtk::Orientation::Vertical)
            .spacing(2)
            .hexpand(true)
            .valign(gtk::Align::Center)
            .build();

        let top = gtk::Box::new(gtk::Orientation::Horizontal, 6);
        let name = gtk::Label::builder()
            .xalign(0.0)
            .hexpand(true)
            .css_classes(["name"])
            .build();
        name.set_ellipsize(gtk::pango::EllipsizeMode::End);
        name.set_width_chars(3);
        let status = gtk::Box::builder()
            .spacing(3)
            .css_classes(["status"])
            .build();
        top.append(&name);
        top.append(&status);
        column.append(&top);

        let line = gtk::Box::builder().spacing(4).css_classes(["line"]).build();
        let (cards, points) = (small("cards"), small("points"));
        line.append(&Art::new("glyph-cards", 13, 13));
        line.append(&cards);
        line.append(&Art::new("glyph-star", 12, 12));
        line.append(&points);
        let tiles = Strip::new(22);
        tiles.set_margin_start(2);
        tiles.set_hexpand(true);
        line.append(&tiles);
        column.append(&line);
        row.append(&column);
        let over = gtk::Overlay::builder().child(&row).build();
        panel.set_child(Some(&over));

        let parts = imp::Parts {
            model: model.clone(),
            column: row,
            name,
            cards,
            points,
            status,
            tiles,
            role,
            line,
            top,
            texts: column,
            over,
            size: std::cell::Cell::new(22),
            tip: Tip::default(),
            pictures: Default::default(),
            said: Default::default(),
        };
        panel.imp().parts.set(parts).expect("set once, here");
        let refresh = once_a_frame_in(Region::Seats, &panel, SeatPanel::refresh);
        model.connect_notify_local(None, move |_, _| refresh());
        panel.refresh();
        panel
    }

    /// Which seat it shows.
    pub fn index(&self) -> usize {
        self.imp().parts.get().expect("set in new").model.index() as usize
    }

    /// Stacked, for narrow windows; pictures so many times `larger` than usual.
    pub fn set_narrow(&self, narrow: bool, larger: f64) {
        let parts = self.imp().parts.get().expect("set in new");
        let orientation = if narrow {
            gtk::Orientation::Vertical
        } else {
            gtk::Orientation::Horizontal
        };
        parts.column.set_orientation(orientation);
        parts.column.set_spacing(if narrow { 2 } else { 6 });
        parts.line.set_spacing(if narrow { 2 } else { 3 });
        // Five players on a phone: what stands in one line elsewhere finds room beside the avatar and below.
        let in_line = parts.status.parent().as_ref() == Some(parts.top.upcast_ref());
        if narrow && in_line {
            parts.top.remove(&parts.status);
            parts.over.add_overlay(&parts.status);
            parts.line.remove(&parts.tiles);
            parts.texts.append(&parts.tiles);
        } else if !narrow && !in_line {
            parts.over.remove_overlay(&parts.status);
            parts.top.append(&parts.status);
            parts.texts.remove(&parts.tiles);
            parts.line.append(&parts.tiles);
        }
        let (across, down) = if narrow {
            (gtk::Align::End, gtk::Align::Start)
        } else {
            (gtk::Align::Fill, gtk::Align::Fill)
        };
        parts.status.set_halign(across);
        parts.status.set_valign(down);
        let usual = if narrow { 13.0 } else { 22.0 };
        parts.size.set((usual * larger).round() as i32);
        parts.tiles.set_size(parts.size.get());
        // As high without tiles as with them: what lies below would be pushed down by the first one.
        let high = if narrow { -1 } else { parts.size.get() };
        parts.line.set_height_request(high);
        self.refresh();
    }

    fn refresh(&self) {
        let parts = self.imp().parts.get().expect("set in new");
        let model = &parts.model;
        parts.name.set_label(&model.name());
        parts.cards.set_label(&model.cards().to_string());
        parts.points.set_label(&model.points().to_string());
        parts.role.set_visible(!model.role_art().is_empty());
        parts.role.set_picture(model.role_art());

        let tiles: Vec<(String, String)> = model
            .tiles()
            .chunks_exact(2)
            .filter_map(|pair| match pair {
                [key, name] => Some((key.clone(), name.clone())),
                _ => None,
            })
            .collect();
        let tile_names: Vec<String> = tiles.iter().map(|(_, name)| name.clone()).collect();
        let class = |class: &str, on: bool| {
            if on {
                self.add_css_class(class)
            } else {
                self.remove_css_class(class)
            }
        };
        class("awaited", model.awaited());
        class("eliminated", model.eliminated());
        let mut said = vec![
            model.name(),
            words::cards(model.cards() as usize),
            words::points(model.points() as usize),
        ];
        let marks = [
            (model.guide(), "glyph-guide"),
            (model.awaited(), "glyph-waiting"),
            (model.eliminated(), "glyph-out"),
            (model.phantom(), "glyph-sealed"),
            (model.relayed(), "glyph-relay"),
            (!model.bot().is_empty(), "glyph-bot"),
        ];
        let marks = marks.into_iter().filter(|(on, _)| *on);
        self.show_pictures(imp::Pictures {
            tiles,
            marks: marks.map(|(_, glyph)| glyph).collect(),
            size: parts.size.get(),
        });
        if model.guide() {
            said.push(words::tr("Guide"));
        }
        if model.awaited() {
            said.push(words::tr("to act"));
        }
        if model.eliminated() {
            said.push(words::tr("eliminated"));
        }
        if !model.role_name().is_empty() {
            said.push(model.role_name());
        }
        said.extend(tile_names);
        if model.phantom() {
            said.push(words::tr("phantom, nobody knows its cards"));
        }
        if !model.bot().is_empty() {
            said.push(model.bot());
        }
        if model.relayed() {
            said.push(model.way());
        }
        parts.said.set(self, &said.join(", "));
        // That all is as usual is there for whoever asks.
        if !model.relayed() && !model.way().is_empty() {
            said.push(model.way());
        }
        parts.tip.set(self, &said.join(", "));
    }

    /// Tiles and marks are made anew only when they change.
    fn show_pictures(&self, pictures: imp::Pictures) {
        let parts = self.imp().parts.get().expect("set in new");
        if *parts.pictures.borrow() == pictures {
            return;
        }
        parts.tiles.clear();
        for (key, name) in &pictures.tiles {
            let secret = key.strip_prefix("secret:");
            let art = Art::new(secret.unwrap_or(key), pictures.size, pictures.size);
            if secret.is_some() {
                art.add_css_class("secret");
            }
            art.set_tip(name);
            parts.tiles.add(&art);
        }
        parts.tiles.set_visible(!pictures.tiles.is_empty());
        while let Some(mark) = parts.status.first_child() {
            parts.status.remove(&mark);
        }
        for glyph in &pictures.marks {
            parts.status.append(&Art::new(glyph, 14, 14));
        }
        parts.pictures.replace(pictures);
    }
}
