//! What stands between this computer and the others, and the line that mends it.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::{session::lan::seen::Advice, words};

mod imp {
    use std::cell::OnceCell;

    use super::*;

    #[derive(Debug, Default)]
    pub struct Doctor {
        pub column: OnceCell<gtk::Box>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Doctor {
        const NAME: &'static str = "ShamansDoctor";
        type Type = super::Doctor;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("lobby");
        }
    }

    impl ObjectImpl for Doctor {}
    impl WidgetImpl for Doctor {}
    impl BinImpl for Doctor {}
}

glib::wrapper! {
    /// The page with the doctor's report.
    pub struct Doctor(ObjectSubclass<imp::Doctor>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

fn label(text: &str, class: &str) -> gtk::Label {
    gtk::Label::builder()
        .label(text)
        .wrap(true)
        .xalign(0.0)
        .css_classes([class])
        .build()
}

impl Doctor {
    /// Still looking.
    pub fn new() -> Doctor {
        let doctor: Doctor = glib::Object::new();
        let column = gtk::Box::builder()
            .orientation(gtk::Orientation::Vertical)
            .spacing(16)
            .css_classes(["start"])
            .build();
        let clamp = adw::Clamp::builder()
            .maximum_size(620)
            .child(&column)
            .build();
        let scroll = gtk::ScrolledWindow::builder()
            .child(&clamp)
            .hscrollbar_policy(gtk::PolicyType::Never)
            .vexpand(true)
            .build();
        doctor.set_child(Some(&scroll));
        doctor.imp().column.set(column).expect("set once, here");
        doctor.wait();
        doctor
    }

    fn clear(&self) -> &gtk::Box {
        let column = self.imp().column.get().expect("set in new");
        while let Some(child) = column.first_child() {
            column.remove(&child);
        }
        column.append(&label(&words::tr("Finding each other"), "title-1"));
        column
    }

    /// It takes a moment.
    pub fn wait(&self) {
        let column = self.clear();
        let line = gtk::Box::builder().spacing(10).build();
        line.append(&gtk::Spinner::builder().spinning(true).build());
        line.append(&label(
            &words::tr("Looking at your network and listening for others…"),
            "tagline",
        ));
        column.append(&line);
    }

    /// What was found.
    pub fn show(&self, advice: &Advice) {
        let column = self.clear();
        let state = if !advice.can_play {
            words::tr("You cannot be reached from here yet. This is in the way:")
        } else if advice.findings.is_empty() {
            words::tr(
                "Everything looks right. If a friend's table does not show up, something is in the way on their side: let them look here too, or use an invite code.",
            )
        } else {
            words::tr("You can play from here, but not everything works:")
        };
        let state = label(&state, "tagline");
        state.set_accessible_role(gtk::AccessibleRole::Status);
        column.append(&state);
        if !advice.findings.is_empty() {
            let group = adw::PreferencesGroup::new();
            for (what, mend) in &advice.findings {
                group.add(&finding(what, mend.as_deref()));
            }
            column.append(&group);
        }
        let heard = adw::PreferencesGroup::builder()
            .title(words::tr("Who is heard"))
            .build();
        let names = if advice.heard.is_empty() {
            words::tr("nobody")
        } else {
            advice.heard.join(", ")
        };
        heard.add(
            &adw::ActionRow::builder()
                .title(glib::markup_escape_text(&names))
                .build(),
        );
        column.append(&heard);
        if !advice.interfaces.is_empty() {
            let group = adw::PreferencesGroup::builder()
                .title(words::tr("Networks of this computer"))
                .build();
            for (name, about) in &advice.interfaces {
                group.add(
                    &adw::ActionRow::builder()
                        .title(glib::markup_escape_text(name))
                        .subtitle(glib::markup_escape_text(about))
                        .build(),
                );
            }
            column.append(&group);
        }
        let again = gtk::Button::builder()
            .label(words::tr("Look again"))
            .halign(gtk::Align::Center)
            .css_classes(["pill"])
            .action_name("win.doctor")
            .build();
        column.append(&again);
        again.grab_focus();
    }
}

/// What is wrong, and the line to copy into a terminal.
fn finding(what: &str, mend: Option<&str>) -> adw::ActionRow {
    let row = adw::ActionRow::builder()
        .title(glib::markup_escape_text(what))
        .build();
    if let Some(mend) = mend {
        row.set_subtitle(&glib::markup_escape_text(mend));
        let copy = gtk::Button::builder()
            .icon_name("edit-copy-symbolic")
            .valign(gtk::Align::Center)
            .css_classes(["flat"])
            .tooltip_text(words::tr("Copy the line"))
            .build();
        copy.update_property(&[gtk::accessible::Property::Label(&words::tr(
            "Copy the line",
        ))]);
        let line = mend.to_owned();
        copy.connect_clicked(move |copy| copy.clipboard().set_text(&line));
        row.add_suffix(&copy);
    }
    row
}
