//! The coach: a card beside the table or above the prompt with the lesson, where one stands in the tutorial, and the way on.
//! Shows and reports presses; decides nothing.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::words;

/// How a page is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// With the button.
    Next,
    /// With the move it asks for.
    Move,
    /// It is the last: back to the start.
    End,
}

mod imp {
    use std::{
        cell::{Cell, OnceCell},
        sync::LazyLock,
    };

    use super::*;

    #[derive(Debug)]
    pub struct Parts {
        pub title: gtk::Label,
        pub text: gtk::Label,
        pub place: gtk::Label,
        pub next: gtk::Button,
        pub skip: gtk::Button,
        pub column: gtk::Box,
        pub head: gtk::Box,
        pub ways: gtk::Box,
    }

    #[derive(Debug, Default, glib::Properties)]
    #[properties(wrapper_type = super::Coach)]
    pub struct Coach {
        /// It stands beside the table, where there is height and little width.
        #[property(get, set = Self::set_beside)]
        beside: Cell<bool>,
        /// The last page is shown.
        pub last: Cell<bool>,
        pub parts: OnceCell<Parts>,
    }

    impl Coach {
        /// Above the prompt there is no room for it, and the window has a way back too.
        pub fn show_skip(&self) {
            let skip = &self.parts.get().expect("set in new").skip;
            skip.set_visible(self.beside.get() && !self.last.get());
        }

        fn set_beside(&self, beside: bool) {
            if self.beside.replace(beside) == beside {
                return;
            }
            let Parts {
                next,
                column,
                head,
                ways,
                ..
            } = self.parts.get().expect("set in new");
            let had_focus = next.is_focus();
            // Beside the title where the table needs the height, below the text where it does not.
            let (from, to) = if beside {
                (head, column)
            } else {
                (column, head)
            };
            from.remove(ways);
            to.append(ways);
            ways.set_orientation(if beside {
                gtk::Orientation::Vertical
            } else {
                gtk::Orientation::Horizontal
            });
            self.show_skip();
            if had_focus {
                next.grab_focus();
            }
        }
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Coach {
        const NAME: &'static str = "ShamansCoach";
        type Type = super::Coach;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("coach");
            class.set_accessible_role(gtk::AccessibleRole::Group);
        }
    }

    #[glib::derived_properties]
    impl ObjectImpl for Coach {
        fn signals() -> &'static [glib::subclass::Signal] {
            static SIGNALS: LazyLock<Vec<glib::subclass::Signal>> =
                LazyLock::new(|| vec![glib::subclass::Signal::builder("next").build()]);
            &SIGNALS
        }
    }
    impl WidgetImpl for Coach {}
    impl BinImpl for Coach {}
}

glib::wrapper! {
    /// The voice of the tutorial.
    pub struct Coach(ObjectSubclass<imp::Coach>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Coach {
    /// Says nothing yet.
    pub fn new() -> Coach {
        let coach: Coach = glib::Object::new();
        coach.update_property(&[gtk::accessible::Property::Label(&words::tr("Tutorial"))]);
        let title = gtk::Label::builder()
            .xalign(0.0)
            .wrap(true)
            .hexpand(true)
            .css_classes(["heading"])
            .build();
        let place = gtk::Label::builder()
            .css_classes(["dim-label", "caption", "numeric"])
            .build();
        let head = gtk::Box::builder().spacing(12).build();
        head.append(&title);
        head.append(&place);
        let text = gtk::Label::builder().xalign(0.0).wrap(true).build();
        text.set_accessible_role(gtk::AccessibleRole::Status);
        let skip = gtk::Button::builder()
            .label(words::tr("Leave the tutorial"))
            .tooltip_text(words::tr("You can go on from here later."))
            .action_name("win.leave")
            .css_classes(["flat"])
            .build();
        let next = gtk::Button::builder()
            .css_classes(["suggested-action"])
            .build();
        let ways = gtk::Box::builder().spacing(6).build();
        ways.append(&next);
        ways.append(&skip);
        head.append(&ways);
        let column = gtk::Box::builder()
            .orientation(gtk::Orientation::Vertical)
            .spacing(6)
            .build();
        column.append(&head);
        column.append(&text);
        let clamp = adw::Clamp::builder()
            .maximum_size(760)
            .child(&column)
            .build();
        coach.set_child(Some(&clamp));
        coach.set_visible(false);
        next.connect_clicked(glib::clone!(
            #[weak]
            coach,
            move |_| coach.emit_by_name::<()>("next", &[])
        ));
        let parts = imp::Parts {
            title,
            text,
            place,
            next,
            skip,
            column,
            head,
            ways,
        };
        coach.imp().parts.set(parts).expect("set once, here");
        coach
    }

    /// Called when the player wants to go on.
    pub fn connect_next(&self, next: impl Fn() + 'static) {
        self.connect_local("next", false, move |_| {
            next();
            None
        });
    }

    /// Shows page `at` (from 1 on) of `pages`.
    pub fn show_page(&self, (title, text): (String, String), at: usize, pages: usize, way: Way) {
        let parts = self.imp().parts.get().expect("set in new");
        parts.title.set_label(&title);
        parts.text.set_label(&text);
        parts.place.set_label(&words::fill(
            "{at} of {all}",
            &[("at", &at.to_string()), ("all", &pages.to_string())],
        ));
        let label = match way {
            Way::Next | Way::Move => words::tr("Next"),
            Way::End => words::tr("To the start"),
        };
        parts.next.set_label(&label);
        parts.next.set_visible(way != Way::Move);
        self.imp().last.set(way == Way::End);
        self.imp().show_skip();
        self.set_visible(true);
        if way != Way::Move {
            parts.next.grab_focus();
        }
    }

    /// Is quiet while something happens on the table.
    pub fn hush(&self) {
        let parts = self.imp().parts.get().expect("set in new");
        parts.next.set_visible(false);
    }
}
