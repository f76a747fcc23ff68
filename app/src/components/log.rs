//! What happened, in words: a list that follows its end.

use adw::{prelude::*, subclass::prelude::*};
use gtk::{gio, glib};

use super::talk::TalkBox;
use crate::{session::models::LineModel, words};

mod imp {
    use super::*;

    #[derive(Debug, Default)]
    pub struct Log {
        pub entry: std::cell::OnceCell<TalkBox>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Log {
        const NAME: &'static str = "ShamansLog";
        type Type = super::Log;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("gamelog");
        }
    }

    impl ObjectImpl for Log {}
    impl WidgetImpl for Log {}
    impl BinImpl for Log {}
}

glib::wrapper! {
    /// The log of the table.
    pub struct Log(ObjectSubclass<imp::Log>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Log {
    /// Follows a list of [`LineModel`]s.
    pub fn new(lines: &gio::ListStore) -> Log {
        let log: Log = glib::Object::new();
        let column = gtk::Box::new(gtk::Orientation::Vertical, 6);
        column.append(
            &gtk::Label::builder()
                .label(words::tr("What happened"))
                .xalign(0.0)
                .css_classes(["heading"])
                .build(),
        );
        let list = gtk::ListBox::builder()
            .selection_mode(gtk::SelectionMode::None)
            .css_classes(["lines"])
            .build();
        list.update_property(&[gtk::accessible::Property::Label(&words::tr(
            "What happened",
        ))]);
        list.bind_model(Some(lines), |line| {
            let line = line
                .downcast_ref::<LineModel>()
                .expect("the log holds lines");
            let label = gtk::Label::builder()
                .label(line.text())
                .xalign(0.0)
                .wrap(true)
                .selectable(false)
                .build();
            label.set_wrap_mode(gtk::pango::WrapMode::WordChar);
            let row = gtk::ListBoxRow::builder()
                .activatable(false)
                .child(&label)
                .build();
            row.add_css_class(&line.kind());
            row.update_property(&[gtk::accessible::Property::Label(&line.text())]);
            row.upcast()
        });
        let scroll = gtk::ScrolledWindow::builder()
            .child(&list)
            .vexpand(true)
            .hscrollbar_policy(gtk::PolicyType::Never)
            .build();
        // Follow the end unless the reader has scrolled up. Rows get their height after they are added, so look once more then.
        let adjustment = scroll.vadjustment();
        lines.connect_items_changed(glib::clone!(
            #[weak]
            adjustment,
            move |_, _, _, _| {
                let at_end =
                    adjustment.value() + adjustment.page_size() >= adjustment.upper() - 120.0;
                if at_end {
                    glib::timeout_add_local_once(std::time::Duration::from_millis(60), move || {
                        adjustment.set_value(adjustment.upper())
                    });
                }
            }
        ));
        column.append(&scroll);
        let entry = TalkBox::new();
        entry.set_visible(false);
        column.append(&entry);
        log.imp().entry.set(entry).expect("set once, here");
        log.set_child(Some(&column));
        log
    }

    /// Puts the focus where words are typed. False where nobody would hear them.
    pub fn focus_talk(&self) -> bool {
        let entry = self.imp().entry.get().expect("set in new");
        if entry.is_visible() {
            entry.focus();
        }
        entry.is_visible()
    }

    /// Shows the place to write.
    pub fn let_talk(&self) {
        self.imp()
            .entry
            .get()
            .expect("set in new")
            .set_visible(true);
    }
}
