//! The bar above the hand: what is going on or asked, and a button for each choice that is not made on the table itself.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::{
    aloud,
    pieces::Way,
    session::Session,
    words::{
        self,
        asked::{self, Choice},
        happened::Names,
    },
};

mod imp {
    use std::cell::{Cell, OnceCell, RefCell};

    use super::*;

    #[derive(Debug, Default)]
    pub struct Prompt {
        pub text: OnceCell<gtk::Label>,
        pub buttons: OnceCell<gtk::Grid>,
        pub shown: RefCell<Vec<Choice>>,
        pub row: OnceCell<gtk::Box>,
        pub narrow: Cell<bool>,
        pub taught: Cell<bool>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Prompt {
        const NAME: &'static str = "ShamansPrompt";
        type Type = super::Prompt;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("prompt");
            class.set_accessible_role(gtk::AccessibleRole::Group);
        }
    }

    impl ObjectImpl for Prompt {}
    impl WidgetImpl for Prompt {}
    impl BinImpl for Prompt {}
}

glib::wrapper! {
    /// The banner and its choices.
    pub struct Prompt(ObjectSubclass<imp::Prompt>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Prompt {
    /// Follows `session` and sends it what is chosen.
    pub fn new(session: &Session) -> Prompt {
        let prompt: Prompt = glib::Object::new();
        prompt.update_property(&[gtk::accessible::Property::Label(&words::tr("Decision"))]);
        let row = gtk::Box::builder().spacing(10).build();
        let text = gtk::Label::builder()
            .wrap(true)
            .hexpand(true)
            .justify(gtk::Justification::Center)
            .css_classes(["question"])
            .build();
        text.set_accessible_role(gtk::AccessibleRole::Status);
        let buttons = gtk::Grid::builder()
            .column_spacing(6)
            .row_spacing(4)
            .halign(gtk::Align::Center)
            .valign(gtk::Align::Center)
            .visible(false)
            .build();
        row.append(&text);
        row.append(&buttons);
        prompt.set_child(Some(&row));
        prompt.imp().row.set(row).expect("set once, here");
        session
            .bind_property("banner", &text, "label")
            .sync_create()
            .build();
        prompt.imp().text.set(text).expect("set once, here");
        prompt.imp().buttons.set(buttons).expect("set once, here");
        session.connect_changed(glib::clone!(
            #[weak]
            prompt,
            move |session| prompt.refresh(session)
        ));
        prompt
    }

    /// A teacher says what is going on: the bar is there only to ask.
    pub fn set_taught(&self) {
        self.imp().taught.set(true);
        self.set_visible(self.has_css_class("mine"));
    }

    /// The question above its buttons instead of beside them.
    pub fn set_narrow(&self, narrow: bool) {
        let imp = self.imp();
        imp.narrow.set(narrow);
        let row = imp.row.get().expect("set in new");
        row.set_orientation(if narrow {
            gtk::Orientation::Vertical
        } else {
            gtk::Orientation::Horizontal
        });
        row.set_spacing(if narrow { 4 } else { 10 });
        let buttons = imp.buttons.get().expect("set in new");
        let mut children = Vec::new();
        while let Some(child) = buttons.first_child() {
            buttons.remove(&child);
            children.push(child);
        }
        for (i, child) in children.iter().enumerate() {
            self.place(child, i);
        }
    }

    /// All in one line where there is room for it, else two and two.
    fn place(&self, button: &impl IsA<gtk::Widget>, index: usize) {
        let columns = if self.imp().narrow.get() { 2 } else { 8 };
        let buttons = self.imp().buttons.get().expect("set in new");
        buttons.attach(
            button,
            (index % columns) as i32,
            (index / columns) as i32,
            1,
            1,
        );
    }

    fn choices(session: &Session) -> Vec<Choice> {
        let ask = session.ask();
        if ask.is_none() && session.is_busy() {
            return Vec::new();
        }
        session
            .with_table(|table| {
                let names: Vec<String> = table.seats.iter().map(|seat| seat.name.clone()).collect();
                let people = Names {
                    names: &names,
                    me: table.me,
                };
                let mut choices = ask
                    .map(|ask| asked::choices(ask, table, people))
                    .unwrap_or_default();
                // A portal may be used at any moment; where it is asked for, its buttons are there already.
                if !choices.iter().any(|choice| {
                    asked::portal(table, Way::Back).is_some()
                        && choice.action == asked::portal(table, Way::Back)
                }) {
                    for (way, label) in [
                        (Way::Back, words::tr("Portal: one step away")),
                        (Way::Forward, words::tr("Portal: one step to the Moon")),
                    ] {
                        if let Some(action) = asked::portal(table, way)
                            && !choices.iter().any(|choice| choice.action == Some(action))
                        {
                            choices.push(Choice {
                                label,
                                description: words::tr("Discards your Portal."),
                                action: Some(action),
                                class: "",
                                advised: false,
                            });
                        }
                    }
                }
                choices
            })
            .unwrap_or_default()
    }

    fn refresh(&self, session: &Session) {
        let imp = self.imp();
        let class = |class: &str, on: bool| {
            if on {
                self.add_css_class(class)
            } else {
                self.remove_css_class(class)
            }
        };
        class("mine", session.asked());
        let mut choices = Prompt::choices(session);
        self.set_visible(!imp.taught.get() || session.asked() || !choices.is_empty());
        for choice in &mut choices {
            choice.mark(session.advised());
        }
        let confirm = session
            .ask()
            .zip(session.selected())
            .filter(|(_, card)| card.playable());
        if let Some((ask, card)) = &confirm {
            choices.insert(
                0,
                Choice {
                    label: asked::confirm(*ask, card.card()),
                    description: card.reason(),
                    action: None,
                    class: "suggested-action",
                    advised: false,
                },
            );
        }
        if *imp.shown.borrow() == choices {
            return;
        }
        // Its button is not where the focus is.
        if let Some(chosen) = choices.first().filter(|_| confirm.is_some())
            && imp.shown.borrow().first().map(|before| &before.label) != Some(&chosen.label)
        {
            let text = words::fill(
                "Chosen. Enter again: {choice}.",
                &[("choice", &chosen.label)],
            );
            aloud::say(self, &text);
        }
        let buttons = imp.buttons.get().expect("set in new");
        while let Some(child) = buttons.first_child() {
            buttons.remove(&child);
        }
        for (i, choice) in choices.iter().enumerate() {
            let button = gtk::Button::builder()
                .label(&choice.label)
                .css_classes(["pill"])
                .build();
            if !choice.class.is_empty() {
                button.add_css_class(choice.class);
            }
            if choice.advised {
                button.add_css_class("advised");
            }
            button.set_tooltip_text(Some(&choice.description));
            button.update_property(&[gtk::accessible::Property::Description(&choice.description)]);
            let confirms = confirm.is_some() && i == 0;
            button.set_sensitive(confirms || choice.action.is_some());
            let action = choice.action;
            button.connect_clicked(glib::clone!(
                #[weak]
                session,
                move |_| match action {
                    Some(action) => {
                        session.try_act(action);
                    }
                    None => session.confirm(),
                }
            ));
            // A long one takes two lines rather than more room than there is.
            if let Some(label) = button.child().and_downcast::<gtk::Label>() {
                label.set_wrap(true);
                label.set_justify(gtk::Justification::Center);
            }
            self.place(&button, i);
        }
        buttons.set_visible(!choices.is_empty());
        imp.shown.replace(choices);
    }
}
