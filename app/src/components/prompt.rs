//! The bar above the hand: what is going on or asked, and a button for each choice that is not made on the table itself.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::{
    aloud,
    pieces::{Action, Way},
    session::{Session, is_weighty},
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
        pub picked: Cell<Option<Action>>,
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
        let picked = session.picked();
        // The way on from a chosen card comes first, that from a tile or player last: the others stay where they are.
        let confirm = match (confirm_card(session), confirm_pick(session, &choices)) {
            (Some(card), _) => {
                choices.insert(0, card);
                Some(0)
            }
            (None, Some(pick)) => {
                choices.push(pick);
                Some(choices.len() - 1)
            }
            (None, None) => None,
        };
        if *imp.shown.borrow() == choices && imp.picked.get() == picked {
            return;
        }
        if let Some(chosen) = confirm.and_then(|at| choices.get(at))
            && !imp
                .shown
                .borrow()
                .iter()
                .any(|before| before.action.is_none() && before.label == chosen.label)
        {
            let text = words::fill(
                "Chosen. Enter again: {choice}.",
                &[("choice", &chosen.label)],
            );
            aloud::say(self, &text);
        }
        let before = imp.picked.replace(picked);
        let buttons = imp.buttons.get().expect("set in new");
        let focus = self.root().and_then(|root| root.focus());
        let inside = focus.is_some_and(|widget| widget.is_ancestor(buttons));
        while let Some(child) = buttons.first_child() {
            buttons.remove(&child);
        }
        let mut focused = None;
        for (i, choice) in choices.iter().enumerate() {
            let button = gtk::Button::builder()
                .label(&choice.label)
                .css_classes(["pill"])
                .build();
            let weighty = choice.action.is_some_and(is_weighty);
            // Only choosing: what it leads to looks like it.
            let harmless = weighty && !session.settings().single_click();
            if !choice.class.is_empty() && !harmless {
                button.add_css_class(choice.class);
            }
            if choice.advised {
                button.add_css_class("advised");
            }
            button.set_tooltip_text(Some(&choice.description));
            button.update_property(&[gtk::accessible::Property::Description(&choice.description)]);
            let confirms = confirm == Some(i);
            button.set_sensitive(confirms || choice.action.is_some());
            let action = choice.action;
            if weighty {
                button.add_css_class("weighty");
                let on = action == picked;
                if on {
                    button.add_css_class("selected");
                }
                button.update_state(&[gtk::accessible::State::Selected(Some(on))]);
            }
            button.connect_clicked(glib::clone!(
                #[weak]
                session,
                move |_| match action {
                    Some(action) => session.pick(action),
                    None => session.confirm(),
                }
            ));
            // A long one takes two lines rather than more room than there is.
            if let Some(label) = button.child().and_downcast::<gtk::Label>() {
                label.set_wrap(true);
                label.set_justify(gtk::Justification::Center);
            }
            self.place(&button, i);
            // Who has chosen here goes on here; who has let go is where they were.
            let let_go = confirm.is_none() && before.is_some() && action == before;
            if inside && (confirms || let_go) {
                focused = Some(button);
            }
        }
        buttons.set_visible(!choices.is_empty());
        focused.iter().for_each(|button| {
            button.grab_focus();
        });
        imp.shown.replace(choices);
    }
}

/// The way on from a chosen card.
fn confirm_card(session: &Session) -> Option<Choice> {
    let (ask, card) = session.ask().zip(session.selected())?;
    card.playable().then(|| Choice {
        label: match card.covered() {
            true => asked::confirm_covered(ask),
            false => asked::confirm(ask, card.card()),
        },
        description: card.told_reason(),
        action: None,
        class: "suggested-action",
        advised: false,
    })
}

/// The way on from a chosen tile or player.
fn confirm_pick(session: &Session, choices: &[Choice]) -> Option<Choice> {
    let picked = session.picked()?;
    let label = session.with_table(|table| {
        let names: Vec<String> = table.seats.iter().map(|seat| seat.name.clone()).collect();
        let people = Names {
            names: &names,
            me: table.me,
        };
        asked::confirm_pick(picked, table, people)
    });
    let button = choices.iter().find(|choice| choice.action == Some(picked));
    Some(Choice {
        label: label.flatten()?,
        description: button.map_or_else(String::new, |choice| choice.description.clone()),
        action: None,
        class: button
            .map(|choice| choice.class)
            .filter(|class| !class.is_empty())
            .unwrap_or("suggested-action"),
        advised: false,
    })
}
