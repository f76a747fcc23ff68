//! One world: emblem, colour and name, its cards laid so that every value shows, how many are missing, and its ritual.

use std::cell::OnceCell;

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use super::soon::{Region, Said, Tip, once_a_frame_in};
use crate::{art::Art, session::models::WorldModel, words};

/// Between the parts of a line, and what the edges of a panel take of its width.
const SPACING: i32 = 4;
const EDGES: i32 = 12;

mod imp {
    use std::cell::Cell;

    use super::*;

    #[derive(Debug, Default)]
    pub struct WorldPanel {
        pub model: OnceCell<WorldModel>,
        pub name: OnceCell<gtk::Label>,
        pub counts: OnceCell<[gtk::Label; 2]>,
        pub glyph: OnceCell<Art>,
        pub mark: OnceCell<Art>,
        pub ritual: OnceCell<gtk::Label>,
        pub grid: OnceCell<gtk::Grid>,
        pub chips: OnceCell<Vec<gtk::Label>>,
        pub tip: Tip,
        pub said: Said,
        pub narrow: Cell<bool>,
        /// The width that its words were last fitted into.
        pub fitted: Cell<i32>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for WorldPanel {
        const NAME: &'static str = "ShamansWorldPanel";
        type Type = super::WorldPanel;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("world");
            class.set_accessible_role(gtk::AccessibleRole::Group);
        }
    }

    impl ObjectImpl for WorldPanel {}
    impl WidgetImpl for WorldPanel {
        fn query_tooltip(&self, _x: i32, _y: i32, _by_key: bool, tooltip: &gtk::Tooltip) -> bool {
            self.tip.show(tooltip)
        }
    }
    impl BinImpl for WorldPanel {}
}

glib::wrapper! {
    /// A world on the table.
    pub struct WorldPanel(ObjectSubclass<imp::WorldPanel>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl WorldPanel {
    /// Shows `model` and follows it.
    pub fn new(model: &WorldModel) -> WorldPanel {
        let panel: WorldPanel = glib::Object::new();
        let key = words::world_key(model.world());
        panel.add_css_class(&format!("world-{key}"));
        let column = gtk::Box::new(gtk::Orientation::Vertical, 0);

        let head = gtk::Box::builder()
            .spacing(SPACING)
            .css_classes(["head"])
            .build();
        let glyph = Art::new(&format!("glyph-{key}"), 16, 16);
        head.append(&glyph);
        let name = gtk::Label::builder()
            .label(words::world(model.world()))
            .xalign(0.0)
            .hexpand(true)
            .css_classes(["name"])
            .build();
        name.set_ellipsize(gtk::pango::EllipsizeMode::End);
        head.append(&name);
        let count = gtk::Label::builder()
            .css_classes(["count", "numeric"])
            .build();
        head.append(&count);
        column.append(&head);

        let grid = gtk::Grid::builder()
            .row_spacing(3)
            .column_spacing(3)
            .row_homogeneous(true)
            .column_homogeneous(true)
            .build();
        grid.add_css_class("chips");
        grid.set_halign(gtk::Align::Center);
        let columns = model.values().div_ceil(2).max(1);
        let chips: Vec<gtk::Label> = (0..model.values())
            .map(|i| {
                let chip = gtk::Label::builder()
                    .label((i + 1).to_string())
                    .css_classes(["chip", "numeric"])
                    .build();
                grid.attach(&chip, (i % columns) as i32, (i / columns) as i32, 1, 1);
                chip
            })
            .collect();
        column.append(&grid);

        let ritual = model.ritual();
        let foot = gtk::Box::builder()
            .spacing(SPACING)
            .halign(gtk::Align::Center)
            .css_classes(["foot"])
            .build();
        let mark = Art::new(words::ritual_key(ritual), 12, 12);
        foot.append(&mark);
        let label = gtk::Label::builder().label(words::ritual(ritual)).build();
        label.set_ellipsize(gtk::pango::EllipsizeMode::End);
        foot.append(&label);
        let small_count = gtk::Label::builder()
            .css_classes(["count", "numeric"])
            .visible(false)
            .build();
        foot.append(&small_count);
        column.append(&foot);

        panel.set_child(Some(&column));
        let imp = panel.imp();
        imp.name.set(name).expect("set once, here");
        imp.counts
            .set([count, small_count])
            .expect("set once, here");
        imp.glyph.set(glyph).expect("set once, here");
        imp.mark.set(mark).expect("set once, here");
        imp.ritual.set(label).expect("set once, here");
        imp.grid.set(grid).expect("set once, here");
        imp.chips.set(chips).expect("set once, here");
        imp.model.set(model.clone()).expect("set once, here");
        panel.update_property(&[gtk::accessible::Property::Description(&words::ritual_use(
            model.ritual(),
        ))]);
        let region = Region::World(model.world());
        let refresh = once_a_frame_in(region, &panel, WorldPanel::refresh);
        let refresh = move |_: &WorldModel| refresh();
        model.connect_laid_notify(refresh.clone());
        model.connect_destination_notify(refresh);
        panel.refresh();
        panel
    }

    /// Without the ritual's name, and the count at the foot; pictures so many times `larger` than usual.
    pub fn set_narrow(&self, narrow: bool, larger: f64) {
        let imp = self.imp();
        let [head, foot] = imp.counts.get().expect("set in new");
        head.set_visible(!narrow);
        foot.set_visible(narrow);
        imp.mark.get().expect("set in new").set_visible(true);
        imp.narrow.set(narrow);
        imp.fitted.set(0);
        imp.grid
            .get()
            .expect("set in new")
            .set_column_spacing(if narrow { 2 } else { 3 });
        imp.ritual.get().expect("set in new").set_visible(!narrow);
        let glyph = if narrow { 14.0 } else { 16.0 };
        for (art, usual) in [(&imp.glyph, glyph), (&imp.mark, 12.0)] {
            let size = (usual * larger).round() as i32;
            let art = art.get().expect("set in new");
            art.set_wide(size);
            art.set_high(size);
        }
    }

    /// Where a language has long words and many worlds lie beside each other: the names are worth more than the count, which the cards
    /// tell too, and the ritual's sign.
    pub fn fit(&self, width: i32) {
        let imp = self.imp();
        if imp.fitted.replace(width) == width || imp.narrow.get() {
            return;
        }
        let label = |label: &gtk::Label| {
            let whole = label.create_pango_layout(Some(&label.text()));
            whole.pixel_size().0
        };
        let sign = |art: &OnceCell<Art>| art.get().expect("set in new").wide();
        let [count, _] = imp.counts.get().expect("set in new");
        let name = imp.name.get().expect("set in new");
        let ritual = imp.ritual.get().expect("set in new");
        let with_count = sign(&imp.glyph) + label(name) + label(count) + 2 * SPACING + EDGES;
        let with_sign = sign(&imp.mark) + label(ritual) + SPACING + EDGES;
        let shown = [
            (count.clone().upcast::<gtk::Widget>(), with_count <= width),
            (
                imp.mark.get().expect("set in new").clone().upcast(),
                with_sign <= width,
            ),
        ];
        // Not while places are being given; and what has become narrow meanwhile has its own rule.
        let narrow = glib::clone!(
            #[weak(rename_to = panel)]
            self,
            #[upgrade_or]
            true,
            move || panel.imp().narrow.get()
        );
        glib::idle_add_local_once(move || {
            for (part, shown) in shown.into_iter().filter(|_| !narrow()) {
                part.set_visible(shown);
            }
        });
    }

    fn refresh(&self) {
        let imp = self.imp();
        let model = imp.model.get().expect("set in new");
        let laid = model.laid_values();
        let total = model.values();
        for count in imp.counts.get().expect("set in new") {
            count.set_label(&format!("{}/{total}", laid.len()));
        }
        for (i, chip) in imp.chips.get().expect("set in new").iter().enumerate() {
            let there = laid.contains(&(i as u32 + 1));
            let had = chip.has_css_class("laid");
            let arrives = model.arrives(i as u32 + 1);
            if there && !had {
                chip.add_css_class("laid");
                if arrives {
                    chip.add_css_class("arrives");
                }
            } else if !there && had {
                chip.remove_css_class("laid");
                chip.remove_css_class("arrives");
            }
        }
        let class = |class: &str, on: bool| {
            if on {
                self.add_css_class(class)
            } else {
                self.remove_css_class(class)
            }
        };
        let complete = laid.len() as u32 == total;
        class("complete", complete);
        class("destination", model.destination());
        let values: Vec<String> = laid.iter().map(u32::to_string).collect();
        let list = if values.is_empty() {
            words::tr("none")
        } else {
            values.join(", ")
        };
        let ritual = words::ritual(model.ritual());
        let mut text = words::fill(
            "{world}: {n} of {total} cards laid ({list}). Ritual: {ritual}.",
            &[
                ("world", &words::world(model.world())),
                ("n", &laid.len().to_string()),
                ("total", &total.to_string()),
                ("list", &list),
                ("ritual", &ritual),
            ],
        );
        if model.destination() {
            text.push(' ');
            text.push_str(&words::tr("Destination of this trick."));
        }
        if complete {
            text.push(' ');
            text.push_str(&words::tr("Complete."));
        }
        let tip = format!("{text}\n{}", words::ritual_use(model.ritual()));
        imp.tip.set(self, &tip);
        imp.said.set(self, &text);
    }
}
