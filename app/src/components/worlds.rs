//! The worlds side by side, in as many rows as the width asks for.

use std::cell::{Cell, RefCell};

use gtk::{gio, glib, prelude::*, subclass::prelude::*};

use super::{soon::in_turn, world::WorldPanel};
use crate::{session::models::WorldModel, words};

const GAP: i32 = 6;
/// Below this a panel gets no narrower; a new row begins.
const NARROWEST: i32 = 76;
/// Wider than this looks empty.
const WIDEST: i32 = 240;

mod imp {
    use super::*;

    #[derive(Debug, Default)]
    pub struct Worlds {
        pub panels: RefCell<Vec<WorldPanel>>,
        /// Those that have no panel yet, the next one last.
        pub coming: RefCell<Vec<WorldModel>>,
        pub narrow: Cell<bool>,
        pub larger: Cell<f64>,
    }

    impl Worlds {
        /// Columns and rows at this width.
        fn grid(&self, width: i32) -> (i32, i32) {
            let count = self.count();
            let narrowest = self
                .panels
                .borrow()
                .iter()
                .map(|p| p.measure(gtk::Orientation::Horizontal, -1).0)
                .max()
                .unwrap_or(0)
                .max(self.narrowest());
            let fit = ((width + GAP) / (narrowest + GAP)).clamp(1, count);
            let rows = (count + fit - 1) / fit;
            // Rows of nearly equal length look better than a full one and a remainder.
            let columns = (count + rows - 1) / rows;
            (columns, rows)
        }

        /// Those that are coming have their places already.
        fn count(&self) -> i32 {
            let all = self.panels.borrow().len() + self.coming.borrow().len();
            all.max(1) as i32
        }

        fn narrowest(&self) -> i32 {
            (f64::from(NARROWEST) * self.larger.get().max(1.0)) as i32
        }

        fn row_height(&self) -> i32 {
            self.panels
                .borrow()
                .iter()
                .map(|p| p.measure(gtk::Orientation::Vertical, -1).1)
                .max()
                .unwrap_or(0)
        }
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Worlds {
        const NAME: &'static str = "ShamansWorlds";
        type Type = super::Worlds;
        type ParentType = gtk::Widget;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("worlds");
            class.set_accessible_role(gtk::AccessibleRole::Group);
        }
    }

    impl ObjectImpl for Worlds {
        fn dispose(&self) {
            for panel in self.panels.take() {
                panel.unparent();
            }
        }
    }

    impl WidgetImpl for Worlds {
        fn request_mode(&self) -> gtk::SizeRequestMode {
            gtk::SizeRequestMode::HeightForWidth
        }

        fn measure(&self, orientation: gtk::Orientation, for_size: i32) -> (i32, i32, i32, i32) {
            let count = self.count();
            match orientation {
                gtk::Orientation::Horizontal => (
                    NARROWEST * 3,
                    (count * (WIDEST * 3 / 4 + GAP)).max(NARROWEST * 3),
                    -1,
                    -1,
                ),
                _ => {
                    let rows = if for_size < 0 {
                        1
                    } else {
                        self.grid(for_size).1
                    };
                    let high = rows * (self.row_height() + GAP) - GAP;
                    (high, high, -1, -1)
                }
            }
        }

        fn size_allocate(&self, width: i32, _height: i32, _baseline: i32) {
            let (columns, _) = self.grid(width);
            let high = self.row_height();
            let wide = ((width + GAP) / columns - GAP).min(WIDEST);
            let panels = self.panels.borrow();
            let count = self.count();
            for (i, panel) in panels.iter().enumerate() {
                let (row, column) = (i as i32 / columns, i as i32 % columns);
                let in_row = columns.min(count - row * columns);
                let left = (width - in_row * (wide + GAP) + GAP) / 2;
                let place = gtk::Allocation::new(
                    left + column * (wide + GAP),
                    row * (high + GAP),
                    wide,
                    high,
                );
                panel.size_allocate(&place, -1);
                panel.fit(wide);
            }
        }
    }
}

glib::wrapper! {
    /// All worlds.
    pub struct Worlds(ObjectSubclass<imp::Worlds>)
        @extends gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Worlds {
    /// Follows a list of [`WorldModel`]s.
    pub fn new(models: &gio::ListStore) -> Worlds {
        let worlds: Worlds = glib::Object::new();
        worlds.update_property(&[gtk::accessible::Property::Label(&words::tr("Worlds"))]);
        models.connect_items_changed(glib::clone!(
            #[weak]
            worlds,
            move |models, _, _, _| worlds.rebuild(models)
        ));
        worlds.rebuild(models);
        worlds
    }

    /// Smaller panels for narrow windows, with pictures so many times `larger` than usual.
    pub fn set_narrow(&self, narrow: bool, larger: f64) {
        for panel in self.imp().panels.borrow().iter() {
            panel.set_narrow(narrow, larger);
        }
        self.imp().narrow.set(narrow);
        self.imp().larger.set(larger);
        self.queue_resize();
    }

    /// The panels' places, for cards that fly there.
    pub fn panel(&self, index: usize) -> Option<WorldPanel> {
        self.imp().panels.borrow().get(index).cloned()
    }

    // Worlds come once a game, so a change means all of them. One a frame: all at once they would hold the window up.
    fn rebuild(&self, models: &gio::ListStore) {
        for panel in self.imp().panels.take() {
            panel.unparent();
        }
        let mut coming = models.iter::<WorldModel>().flatten().collect::<Vec<_>>();
        coming.reverse();
        self.imp().coming.replace(coming);
        self.next_panel();
    }

    fn next_panel(&self) {
        let Some(model) = self.imp().coming.borrow_mut().pop() else {
            return;
        };
        let panel = WorldPanel::new(&model);
        panel.set_narrow(self.imp().narrow.get(), self.imp().larger.get().max(1.0));
        panel.set_parent(self);
        self.imp().panels.borrow_mut().push(panel);
        self.queue_resize();
        in_turn(self, Worlds::next_panel);
    }
}
