//! The code by which others join: shown or hidden, copied with one press.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;
use shamans_net::swarm::SCHEME;

use crate::words;

mod imp {
    use std::cell::{Cell, OnceCell, RefCell};

    use super::*;

    #[derive(Debug, Default)]
    pub struct InviteRow {
        pub row: OnceCell<adw::ActionRow>,
        pub hide: OnceCell<gtk::ToggleButton>,
        pub copies: OnceCell<[gtk::Button; 2]>,
        pub code: RefCell<String>,
        pub hidden: Cell<bool>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for InviteRow {
        const NAME: &'static str = "ShamansInviteRow";
        type Type = super::InviteRow;
        type ParentType = adw::Bin;
    }

    impl ObjectImpl for InviteRow {}
    impl WidgetImpl for InviteRow {}
    impl BinImpl for InviteRow {}
}

glib::wrapper! {
    /// A row with the invite code.
    pub struct InviteRow(ObjectSubclass<imp::InviteRow>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

/// A button that puts what `say` makes of the code into the clipboard, and tells so.
fn copy_button(
    invite: &InviteRow,
    icon: &str,
    name: &str,
    say: impl Fn(&str) -> (String, String) + 'static,
) -> gtk::Button {
    let button = gtk::Button::builder()
        .icon_name(icon)
        .valign(gtk::Align::Center)
        .css_classes(["flat"])
        .tooltip_text(name)
        .build();
    button.update_property(&[gtk::accessible::Property::Label(name)]);
    button.connect_clicked(glib::clone!(
        #[weak]
        invite,
        move |button| {
            let (text, told) = say(&invite.imp().code.borrow());
            button.clipboard().set_text(&text);
            let _ = button.activate_action("win.tell", Some(&told.to_variant()));
        }
    ));
    button
}

impl InviteRow {
    /// Not reachable yet.
    pub fn new(title: &str) -> InviteRow {
        let invite: InviteRow = glib::Object::new();
        let row = adw::ActionRow::builder()
            .title(title)
            .css_classes(["invite"])
            .build();
        let hide = gtk::ToggleButton::builder()
            .icon_name("view-conceal-symbolic")
            .valign(gtk::Align::Center)
            .css_classes(["flat"])
            .tooltip_text(words::tr("Hide the code"))
            .build();
        hide.update_property(&[gtk::accessible::Property::Label(&words::tr(
            "Hide the code",
        ))]);
        hide.connect_toggled(glib::clone!(
            #[weak]
            invite,
            move |hide| {
                invite.imp().hidden.set(hide.is_active());
                invite.refresh();
            }
        ));
        let copy = copy_button(
            &invite,
            "edit-copy-symbolic",
            &words::tr("Copy the code"),
            |code| (code.to_owned(), words::tr("The code is in the clipboard.")),
        );
        let link = copy_button(
            &invite,
            "emblem-shared-symbolic",
            &words::tr("Copy the code as a link"),
            |code| {
                let link = format!("{SCHEME}{code}");
                (link, words::tr("The link is in the clipboard."))
            },
        );
        row.add_suffix(&hide);
        row.add_suffix(&copy);
        row.add_suffix(&link);
        let list = gtk::ListBox::builder()
            .selection_mode(gtk::SelectionMode::None)
            .css_classes(["boxed-list"])
            .build();
        list.append(&row);
        invite.set_child(Some(&list));
        let imp = invite.imp();
        imp.row.set(row).expect("set once, here");
        imp.hide.set(hide).expect("set once, here");
        imp.copies.set([copy, link]).expect("set once, here");
        invite.refresh();
        invite
    }

    /// The code to show.
    pub fn show_code(&self, code: &str) {
        self.imp().code.replace(code.to_owned());
        self.refresh();
    }

    fn refresh(&self) {
        let imp = self.imp();
        let code = imp.code.borrow();
        let text = if code.is_empty() {
            words::tr("This computer is on no network.")
        } else if imp.hidden.get() {
            "••••  ••••  ••••".to_owned()
        } else {
            code.clone()
        };
        imp.row.get().expect("set in new").set_subtitle(&text);
        for copy in imp.copies.get().expect("set in new") {
            copy.set_sensitive(!code.is_empty());
        }
        imp.hide
            .get()
            .expect("set in new")
            .set_sensitive(!code.is_empty());
    }
}
