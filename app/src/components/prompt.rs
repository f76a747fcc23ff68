//! The bar above the hand: what is going on or asked, and a button for each choice that is not made on the table itself.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::{
    pieces::Way,
    session::Session,
    words::{
        self,
        asked::{self, Choice},
        happened::Names,
    },
};

mod imp {
    use std::cell::{OnceCell, RefCell};

    use super::*;

    #[derive(Debug, Default)]
    pub struct Prompt {
        pub text: OnceCell<gtk::Label>,
        pub buttons: OnceCell<gtk::FlowBox>,
        pub shown: RefCell<Vec<Choice>>,
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
        let row = gtk::Box::builder()
            .orientation(gtk::Orientation::Vertical)
            .spacing(6)
            .build();
        let text = gtk::Label::builder()
            .wrap(true)
            .justify(gtk::Justification::Center)
            .css_classes(["question"])
            .build();
        text.set_accessible_role(gtk::AccessibleRole::Status);
        let buttons = gtk::FlowBox::builder()
            .selection_mode(gtk::SelectionMode::None)
            .max_children_per_line(6)
            .min_children_per_line(1)
            .column_spacing(6)
            .row_spacing(6)
            .halign(gtk::Align::Center)
            .visible(false)
            .build();
        row.append(&text);
        row.append(&buttons);
        prompt.set_child(Some(&row));
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

    fn choices(session: &Session) -> Vec<Choice> {
        let Some(ask) = session.ask() else {
            return Vec::new();
        };
        session
            .with_table(|table| {
                let names: Vec<String> = table.seats.iter().map(|seat| seat.name.clone()).collect();
                let people = Names {
                    names: &names,
                    me: table.me,
                };
                let mut choices = asked::choices(ask, table, people);
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
                },
            );
        }
        if *imp.shown.borrow() == choices {
            return;
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
            let child = gtk::FlowBoxChild::builder()
                .child(&button)
                .focusable(false)
                .build();
            buttons.append(&child);
        }
        buttons.set_visible(!choices.is_empty());
        imp.shown.replace(choices);
    }
}
