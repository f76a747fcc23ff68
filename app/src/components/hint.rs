//! The advice that the player has asked for: what to do, how likely it wins, and why. Shown above the prompt until something
//! happens.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::{
    art::Art,
    session::Session,
    words::{self, advice::Hint},
};

mod imp {
    use std::cell::{OnceCell, RefCell};

    use super::*;

    #[derive(Debug)]
    pub struct Parts {
        pub title: gtk::Label,
        pub text: gtk::Label,
        pub spinner: gtk::Spinner,
    }

    #[derive(Debug, Default)]
    pub struct HintPanel {
        pub parts: OnceCell<Parts>,
        pub shown: RefCell<Option<Hint>>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for HintPanel {
        const NAME: &'static str = "ShamansHintPanel";
        type Type = super::HintPanel;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("hint");
            class.set_accessible_role(gtk::AccessibleRole::Group);
        }
    }

    impl ObjectImpl for HintPanel {}
    impl WidgetImpl for HintPanel {}
    impl BinImpl for HintPanel {}
}

glib::wrapper! {
    /// The advice in words.
    pub struct HintPanel(ObjectSubclass<imp::HintPanel>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl HintPanel {
    /// Follows `session`.
    pub fn new(session: &Session) -> HintPanel {
        let panel: HintPanel = glib::Object::new();
        panel.update_property(&[gtk::accessible::Property::Label(&words::tr("Advice"))]);
        let spinner = gtk::Spinner::new();
        let title = gtk::Label::builder()
            .xalign(0.0)
            .wrap(true)
            .hexpand(true)
            .css_classes(["heading"])
            .build();
        let head = gtk::Box::builder().spacing(8).build();
        head.append(&spinner);
        head.append(&title);
        let text = gtk::Label::builder().xalign(0.0).wrap(true).build();
        // Read aloud when it comes, wherever the focus is.
        text.set_accessible_role(gtk::AccessibleRole::Status);
        let column = gtk::Box::new(gtk::Orientation::Vertical, 2);
        column.append(&head);
        column.append(&text);
        let clamp = adw::Clamp::builder()
            .maximum_size(760)
            .child(&column)
            .build();
        panel.set_child(Some(&clamp));
        panel.set_visible(false);
        let parts = imp::Parts {
            title,
            text,
            spinner,
        };
        panel.imp().parts.set(parts).expect("set once, here");
        session.connect_changed(glib::clone!(
            #[weak]
            panel,
            move |session| panel.refresh(session)
        ));
        panel
    }

    fn refresh(&self, session: &Session) {
        let parts = self.imp().parts.get().expect("set in new");
        let (thinking, hint) = (session.thinking(), session.hint());
        parts.spinner.set_visible(thinking);
        parts.spinner.set_spinning(thinking);
        self.set_visible(thinking || hint.is_some());
        if thinking {
            parts.title.set_label(&words::tr("Thinking…"));
            parts.text.set_label("");
        } else if let Some(hint) = &hint
            && *self.imp().shown.borrow() != Some(hint.clone())
        {
            parts.title.set_label(&hint.title);
            parts.text.set_label(&told(hint));
        }
        parts.text.set_visible(!parts.text.label().is_empty());
        self.imp().shown.replace(hint);
    }
}

/// Chance and reasons, a line each.
fn told(hint: &Hint) -> String {
    let mut lines = vec![hint.chance.clone()];
    if !hint.good.is_empty() {
        lines.push(words::fill("For it: {why}", &[("why", &hint.good)]));
    }
    if !hint.bad.is_empty() {
        lines.push(words::fill("Against it: {why}", &[("why", &hint.bad)]));
    }
    lines.join("\n")
}

/// Asks for advice; there only where it can be asked for. No choice of the prompt, so it stands beside it.
pub fn button(session: &Session) -> gtk::Button {
    let button = gtk::Button::builder()
        .child(&Art::new("glyph-hint", 18, 18))
        .tooltip_text(words::tr("What a strong player would do, and why (A)"))
        .css_classes(["circular", "ask-hint"])
        .valign(gtk::Align::Center)
        .visible(false)
        .build();
    button.update_property(&[
        gtk::accessible::Property::Label(&words::tr("Hint")),
        gtk::accessible::Property::Description(&words::tr(
            "What a strong player would do, and why",
        )),
    ]);
    button.connect_clicked(glib::clone!(
        #[weak]
        session,
        move |_| session.ask_advice()
    ));
    session.connect_changed(glib::clone!(
        #[weak]
        button,
        move |session| {
            button.set_visible(session.advises() && session.asked());
            button.set_sensitive(!session.thinking() && session.advised().is_none());
        }
    ));
    button
}
