//! After the round: who was who, what the points were for, the hands that were left, how the round turned, and the way on.

use std::sync::Arc;

use adw::{prelude::*, subclass::prelude::*};
use gtk::{gio, glib};

use crate::{
    art::Art,
    components::{
        badge::Badge,
        soon::{after_first_frame, in_turn},
    },
    past,
    pieces::{Event, Role, Seat},
    session::{Session, snapshot::NOBODY, standing::Standing},
    story::{self, page::StoryPage},
    words,
};

mod standings;

use standings::Standings;

mod imp {
    use std::cell::{Cell, OnceCell};

    use super::*;

    #[derive(Debug, Default)]
    pub struct RoundEnd {
        /// The way on, if there is one.
        pub way_on: OnceCell<gtk::Button>,
        /// Another game was asked for.
        pub asked: Cell<bool>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for RoundEnd {
        const NAME: &'static str = "ShamansRoundEnd";
        type Type = super::RoundEnd;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("roundend");
        }
    }

    impl ObjectImpl for RoundEnd {}
    impl WidgetImpl for RoundEnd {}
    impl BinImpl for RoundEnd {}
}

glib::wrapper! {
    /// The result of a round or of the game.
    pub struct RoundEnd(ObjectSubclass<imp::RoundEnd>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl RoundEnd {
    /// Tells how the round of `session` went.
    pub fn new(session: &Session) -> RoundEnd {
        let page: RoundEnd = glib::Object::new();
        let events = session.round_events();
        let winner = events.iter().find_map(|event| match event {
            Event::RoundEnded { winner, cause } => Some((*winner, *cause)),
            _ => None,
        });
        let champion = events.iter().find_map(|event| match event {
            Event::GameEnded { winner } => Some(*winner),
            _ => None,
        });
        let names = session.names();
        let name_of = |seat: Seat| names.get(seat.index()).cloned().unwrap_or_default();

        let column = gtk::Box::builder()
            .orientation(gtk::Orientation::Vertical)
            .spacing(16)
            .css_classes(["result"])
            .build();
        if let Some((role, cause)) = winner {
            page.add_css_class(match role {
                Role::Shaman => "dawn",
                Role::Shadow => "dusk",
            });
            let title = match champion {
                Some(seat) => {
                    words::fill("{name}: winner of the game", &[("name", &name_of(seat))])
                }
                None => match role {
                    Role::Shaman => words::tr("The Shamans have won"),
                    Role::Shadow => words::tr("The Shadows have won"),
                },
            };
            let why = words::happened::round_end(role, cause);
            column.append(&headline(role, &title, &why));
        }

        let standings = Standings::new(session, &events, &names);
        column.append(&standings.list);
        let standing =
            move |session: &Session| Standing::of_deal(session.check().as_ref(), &session.names());
        let badge = Badge::new(&standing(session));
        // The check may still be going on.
        session.connect_changed(glib::clone!(
            #[weak]
            badge,
            move |session| badge.show_standing(&standing(session))
        ));
        // Among people the record of the whole game may come a moment later.
        if !session.replayed() && (session.people() || session.record().is_some()) {
            column.append(&look_back(session));
        }

        if session.replayed() && champion.is_some() {
            // The last page: nothing to go on to.
        } else if champion.is_none() {
            let next = gtk::Button::builder()
                .label(words::tr("Next round"))
                .halign(gtk::Align::Center)
                .css_classes(["pill", "suggested-action"])
                .build();
            next.connect_clicked(glib::clone!(
                #[weak]
                session,
                move |_| session.next_round()
            ));
            page.imp().way_on.set(next).expect("set once, here");
        } else if session.with_table(|table| table.me) == Some(NOBODY) {
            // Whoever only watched has no seat to play from again.
            column.append(&save_button(session));
        } else {
            let again = gtk::Button::builder()
                .label(if session.people() {
                    words::tr("Rematch")
                } else {
                    words::tr("Play again")
                })
                .halign(gtk::Align::Center)
                .css_classes(["pill", "suggested-action"])
                .build();
            if session.people() {
                page.ask_once(&again);
            } else {
                again.set_action_name(Some("win.practise-again"));
            }
            column.append(&save_button(session));
            page.imp().way_on.set(again).expect("set once, here");
        }
        let clamp = adw::Clamp::builder()
            .maximum_size(620)
            .child(&column)
            .build();
        let scroll = gtk::ScrolledWindow::builder()
            .child(&clamp)
            .hscrollbar_policy(gtk::PolicyType::Never)
            .propagate_natural_height(true)
            .build();
        let all = gtk::Box::builder()
            .orientation(gtk::Orientation::Vertical)
            .valign(gtk::Align::Center)
            .visible(false)
            .build();
        all.append(&scroll);
        // In view however much there is to read above them: was it fair, and the way on.
        let foot = gtk::Box::builder()
            .orientation(gtk::Orientation::Vertical)
            .spacing(8)
            .css_classes(["foot"])
            .build();
        foot.append(&badge);
        let way_on = page.imp().way_on.get();
        way_on.into_iter().for_each(|way_on| foot.append(way_on));
        all.append(&foot);
        page.set_child(Some(&all));
        unveil(&page, all, scroll, foot, standings);
        page
    }

    /// Asks for a rematch, and says that it waits for the one who opened the table, who may take their time.
    fn ask_once(&self, again: &gtk::Button) {
        again.connect_clicked(glib::clone!(
            #[weak(rename_to = page)]
            self,
            move |again| {
                if page.imp().asked.replace(true) {
                    return;
                }
                again.set_label(&words::tr("Waiting for the others…"));
                // There is a window around it: it was just pressed there.
                let _ = again.activate_action("win.rematch", None);
            }
        ));
    }

    /// Nothing came of the rematch: it may be asked for again.
    pub fn let_ask_again(&self) {
        if let Some(again) = self.imp().way_on.get().filter(|_| self.imp().asked.take()) {
            again.set_label(&words::tr("Rematch"));
        }
    }

    /// Puts the focus on the way on.
    pub fn focus_way_on(&self) {
        self.imp().way_on.get().into_iter().for_each(|way_on| {
            way_on.grab_focus();
        });
    }
}

/// As the table before it: the sky alone; everything in its place, unseen, and one line a frame; the way on; and what happened. At
/// once that would hold the window up.
fn unveil(
    page: &RoundEnd,
    all: gtk::Box,
    result: gtk::ScrolledWindow,
    foot: gtk::Box,
    standings: Standings,
) {
    result.set_opacity(0.0);
    foot.set_opacity(0.0);
    after_first_frame(page, move |page| {
        all.set_visible(true);
        page.focus_way_on();
        standings.fill(move || {
            foot.set_opacity(1.0);
            in_turn(&foot, move |_| result.set_opacity(1.0));
        });
    });
}

/// Who has won and why, beside their picture: above it, it would leave a low window no room for the rest.
fn headline(role: Role, title: &str, why: &str) -> gtk::Box {
    let line = |text, class: &[&str]| {
        gtk::Label::builder()
            .label(text)
            .wrap(true)
            .natural_wrap_mode(gtk::NaturalWrapMode::None)
            .xalign(0.0)
            .css_classes(class)
            .build()
    };
    let lines = gtk::Box::builder()
        .orientation(gtk::Orientation::Vertical)
        .spacing(8)
        .valign(gtk::Align::Center)
        .build();
    lines.append(&line(title, &["title-1"]));
    lines.append(&line(why, &[]));
    let headline = gtk::Box::builder()
        .spacing(20)
        .halign(gtk::Align::Center)
        .css_classes(["headline"])
        .build();
    headline.append(&Art::new(words::role_key(role), 88, 123));
    headline.append(&lines);
    headline
}

/// A button that makes room for the story of the round.
fn look_back(session: &Session) -> adw::Bin {
    let place = adw::Bin::new();
    let button = gtk::Button::builder()
        .label(story::page::title())
        .halign(gtk::Align::Center)
        .css_classes(["pill"])
        .build();
    button.connect_clicked(glib::clone!(
        #[weak]
        session,
        #[weak]
        place,
        move |_| {
            let names = session.with_table(|table| {
                let names: Vec<String> = table.seats.iter().map(|seat| seat.name.clone()).collect();
                (names, table.me)
            });
            let (Some(names), Some(record)) = (names, session.record()) else {
                return;
            };
            let round = session.round() as usize;
            let settings = session.settings().clone();
            let bytes = Arc::clone(&record);
            let go_to = move |step| {
                if let Some(app) = gio::Application::default().and_downcast::<gtk::Application>() {
                    past::open_at(&app, &settings, Arc::clone(&bytes), step);
                }
            };
            let story = StoryPage::new(Arc::clone(&record), round, names, go_to);
            place.set_child(Some(&story));
        }
    ));
    needs_record(session, &button);
    place.set_child(Some(&button));
    place
}

/// The record may come a moment after the page: until then nothing can be done with it.
fn needs_record(session: &Session, button: &gtk::Button) {
    button.set_sensitive(session.record().is_some());
    session.connect_changed(glib::clone!(
        #[weak]
        button,
        move |session| button.set_sensitive(session.record().is_some())
    ));
}

/// Saves the record of the game where the player wants it; says on itself how that went.
fn save_button(session: &Session) -> gtk::Button {
    let save = gtk::Button::builder()
        .label(words::tr("Save the record…"))
        .halign(gtk::Align::Center)
        .css_classes(["pill", "flat"])
        .build();
    save.connect_clicked(glib::clone!(
        #[weak]
        session,
        move |save| {
            let window = save.root().and_downcast::<gtk::Window>();
            if let Some((window, bytes)) = window.zip(session.record()) {
                let save = save.clone();
                past::save_as(&window, bytes, move |text| save.set_label(text));
            }
        }
    ));
    needs_record(session, &save);
    save
}
