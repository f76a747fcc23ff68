//! The place to say something: an entry and a list of quick phrases. What is said goes out as window actions.

use adw::{prelude::*, subclass::prelude::*};
use gtk::{gdk, gio, glib};

use crate::words::{self, talk};

mod imp {
    use super::*;

    #[derive(Debug, Default)]
    pub struct TalkBox {
        pub entry: std::cell::OnceCell<gtk::Entry>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for TalkBox {
        const NAME: &'static str = "ShamansTalkBox";
        type Type = super::TalkBox;
        type ParentType = adw::Bin;
    }

    impl ObjectImpl for TalkBox {}
    impl WidgetImpl for TalkBox {}
    impl BinImpl for TalkBox {}
}

glib::wrapper! {
    /// An entry with quick phrases beside it.
    pub struct TalkBox(ObjectSubclass<imp::TalkBox>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl TalkBox {
    /// Nothing said yet.
    pub fn new() -> TalkBox {
        let talk_box: TalkBox = glib::Object::new();
        let entry = gtk::Entry::builder()
            .placeholder_text(words::tr("Say something"))
            .tooltip_text(words::tr(
                "Everything but colours, worlds and values may be said.",
            ))
            .max_length(200)
            .hexpand(true)
            .build();
        entry.update_property(&[gtk::accessible::Property::Label(&words::tr(
            "Say something",
        ))]);
        entry.connect_activate(|entry| {
            let text = entry.text();
            if !text.trim().is_empty() {
                let _ = entry.activate_action("win.say", Some(&text.trim().to_variant()));
                entry.set_text("");
            }
        });
        let keys = gtk::EventControllerKey::new();
        keys.set_propagation_phase(gtk::PropagationPhase::Capture);
        keys.connect_key_pressed(glib::clone!(
            #[weak]
            entry,
            #[upgrade_or]
            glib::Propagation::Proceed,
            move |_, key, _, _| {
                if key == gdk::Key::Escape {
                    let _ = entry.activate_action("win.end-talk", None);
                    return glib::Propagation::Stop;
                }
                glib::Propagation::Proceed
            }
        ));
        entry.add_controller(keys);
        let menu = gio::Menu::new();
        for number in 0..talk::PHRASES {
            let item = gio::MenuItem::new(talk::phrase(number).as_deref(), None);
            item.set_action_and_target_value(Some("win.say-phrase"), Some(&number.to_variant()));
            menu.append_item(&item);
        }
        let phrases = gtk::MenuButton::builder()
            .icon_name("user-available-symbolic")
            .menu_model(&menu)
            .direction(gtk::ArrowType::Up)
            .tooltip_text(words::tr("Quick phrases"))
            .build();
        phrases.update_property(&[gtk::accessible::Property::Label(&words::tr(
            "Quick phrases",
        ))]);
        let row = gtk::Box::builder().spacing(6).build();
        row.append(&entry);
        row.append(&phrases);
        talk_box.set_child(Some(&row));
        talk_box.imp().entry.set(entry).expect("set once, here");
        talk_box
    }

    /// Puts the focus where words are typed.
    pub fn focus(&self) {
        self.imp().entry.get().expect("set in new").grab_focus();
    }
}
