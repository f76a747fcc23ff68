//! The play screen: lays the components out for wide and narrow windows and hands keys to the session.

use adw::{prelude::*, subclass::prelude::*};
use gtk::{gdk, glib};

use crate::{
    components::{
        adaptive::Adaptive, hand::Hand, identity::Identity, log::Log, path::ShadowPath,
        prompt::Prompt, seat::SeatPanel, tiles::Tiles, trick::Trick, worlds::Worlds,
    },
    pieces::Event,
    session::{Session, models::SeatModel, snapshot::Ask},
    words,
};

pub mod round_end;

mod imp {
    use std::cell::{Cell, OnceCell, RefCell};

    use super::*;

    #[derive(Debug)]
    pub struct Parts {
        pub session: Session,
        pub frame: Adaptive,
        pub flap: adw::Flap,
        pub board: gtk::Box,
        pub scroll: gtk::ScrolledWindow,
        pub seats: gtk::Box,
        pub path: ShadowPath,
        pub worlds: Worlds,
        pub middle: gtk::Box,
        pub trick: Trick,
        pub tiles: Tiles,
        pub prompt: Prompt,
        pub bottom: gtk::Box,
        pub identity: Identity,
        pub hand: Hand,
        pub log: Log,
        pub steps: gtk::Label,
        pub stack: gtk::Stack,
    }

    #[derive(Debug, Default, glib::Properties)]
    #[properties(wrapper_type = super::TableScreen)]
    pub struct TableScreen {
        /// The log is shown beside the table.
        #[property(get, set)]
        log_shown: Cell<bool>,
        pub parts: OnceCell<Parts>,
        pub panels: RefCell<Vec<SeatPanel>>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for TableScreen {
        const NAME: &'static str = "ShamansTableScreen";
        type Type = super::TableScreen;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("tablescreen");
            class.set_accessible_role(gtk::AccessibleRole::Group);
        }
    }

    #[glib::derived_properties]
    impl ObjectImpl for TableScreen {}
    impl WidgetImpl for TableScreen {}
    impl BinImpl for TableScreen {}
}

glib::wrapper! {
    /// The play screen.
    pub struct TableScreen(ObjectSubclass<imp::TableScreen>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl TableScreen {
    /// Shows `session`.
    pub fn new(session: &Session) -> TableScreen {
        let screen: TableScreen = glib::Object::new();
        screen.update_property(&[gtk::accessible::Property::Label(&words::tr("The table"))]);

        let seats = gtk::Box::builder()
            .spacing(8)
            .homogeneous(true)
            .css_classes(["seats"])
            .build();
        let path = ShadowPath::new();
        session
            .bind_property("moon", &path, "moon")
            .sync_create()
            .build();
        session
            .bind_property("pawn", &path, "pawn")
            .sync_create()
            .build();
        let steps = gtk::Label::builder()
            .css_classes(["steps", "numeric"])
            .halign(gtk::Align::Center)
            .valign(gtk::Align::End)
            .build();
        steps.set_accessible_role(gtk::AccessibleRole::Presentation);
        let path_area = gtk::Overlay::builder().child(&path).build();
        path_area.add_overlay(&steps);

        let worlds = Worlds::new(session.worlds());
        let trick = Trick::new(session);
        let tiles = Tiles::new(session);
        let middle = gtk::Box::builder()
            .spacing(18)
            .halign(gtk::Align::Center)
            .build();
        middle.append(&trick);
        middle.append(&tiles);

        let board = gtk::Box::builder()
            .orientation(gtk::Orientation::Vertical)
            .spacing(8)
            .valign(gtk::Align::Center)
            .css_classes(["board"])
            .build();
        board.append(&seats);
        board.append(&path_area);
        board.append(&worlds);
        board.append(&middle);
        let scroll = gtk::ScrolledWindow::builder()
            .child(&board)
            .vexpand(true)
            .hscrollbar_policy(gtk::PolicyType::Never)
            .build();

        let prompt = Prompt::new(session);
        let identity = Identity::new(session);
        let hand = Hand::new(
            session.hand(),
            glib::clone!(
                #[weak]
                session,
                move |card| session.choose(card)
            ),
        );
        hand.set_hexpand(true);
        let bottom = gtk::Box::builder()
            .spacing(14)
            .css_classes(["bottom"])
            .build();
        bottom.append(&identity);
        bottom.append(&hand);

        let column = gtk::Box::new(gtk::Orientation::Vertical, 0);
        column.append(&scroll);
        column.append(&prompt);
        column.append(&bottom);
        let frame = Adaptive::new(&column);
        frame.set_hexpand(true);

        let log = Log::new(session.log());
        log.set_width_request(250);
        let flap = adw::Flap::builder()
            .content(&frame)
            .flap(&log)
            .flap_position(gtk::PackType::End)
            .separator(&gtk::Separator::new(gtk::Orientation::Vertical))
            .fold_policy(adw::FlapFoldPolicy::Auto)
            .build();
        screen
            .bind_property("log-shown", &flap, "reveal-flap")
            .bidirectional()
            .sync_create()
            .build();

        let stack = gtk::Stack::builder()
            .transition_type(gtk::StackTransitionType::Crossfade)
            .build();
        stack.add_named(&flap, Some("play"));
        screen.set_child(Some(&stack));

        let parts = imp::Parts {
            session: session.clone(),
            frame,
            flap,
            board,
            scroll,
            seats,
            path,
            worlds,
            middle,
            trick,
            tiles,
            prompt,
            bottom,
            identity,
            hand,
            log,
            steps,
            stack,
        };
        screen.imp().parts.set(parts).expect("set once, here");
        screen.follow();
        screen.add_keys();
        screen
    }

    fn parts(&self) -> &imp::Parts {
        self.imp().parts.get().expect("set in new")
    }

    fn follow(&self) {
        let parts = self.parts();
        let session = &parts.session;
        let screen = self;
        session.seats().connect_items_changed(glib::clone!(
            #[weak]
            screen,
            move |_, _, _, _| screen.seat_players()
        ));
        self.seat_players();
        for property in ["pawn", "moon"] {
            session.connect_notify_local(
                Some(property),
                glib::clone!(
                    #[weak]
                    screen,
                    move |session, _| {
                        let left = session.moon().saturating_sub(session.pawn());
                        screen
                            .parts()
                            .steps
                            .set_label(&words::steps_left(left as usize));
                    }
                ),
            );
        }
        for property in ["narrow", "height-class"] {
            parts.frame.connect_notify_local(
                Some(property),
                glib::clone!(
                    #[weak]
                    screen,
                    move |_, _| screen.lay_out()
                ),
            );
        }
        self.lay_out();
        let settings = session.settings();
        session.connect_heard(glib::clone!(
            #[weak]
            screen,
            move |_, event| screen.feel(event)
        ));
        session.connect_changed(glib::clone!(
            #[weak]
            screen,
            move |session| screen.bring_into_view(session)
        ));
        let pace = glib::clone!(
            #[weak]
            screen,
            move |settings: &crate::settings::Settings| {
                screen
                    .parts()
                    .path
                    .set_pace((300.0 * settings.tempo()) as u32);
                if settings.tempo() > 0.0 {
                    screen.remove_css_class("still");
                } else {
                    screen.add_css_class("still");
                }
            }
        );
        settings.connect_pace_notify(pace.clone());
        pace(settings);
        session.connect_asked_notify(glib::clone!(
            #[weak]
            screen,
            move |session| {
                let focus = screen.root().and_then(|root| root.focus());
                // Whoever has nothing in focus gets a card, so that keys and screen reader have a place to begin.
                if session.asked() && focus.is_none_or(|widget| !widget.is_ancestor(&screen)) {
                    screen.focus_hand();
                }
            }
        ));
        session.connect_resting_notify(glib::clone!(
            #[weak]
            screen,
            move |session| screen.rest(session.resting())
        ));
    }

    fn seat_players(&self) {
        let parts = self.parts();
        while let Some(child) = parts.seats.first_child() {
            parts.seats.remove(&child);
        }
        // Opponents in turn order from the left, the player last.
        let models: Vec<SeatModel> = parts
            .session
            .seats()
            .iter::<SeatModel>()
            .flatten()
            .collect();
        let me = models.iter().position(SeatModel::me).unwrap_or(0);
        let order = (1..=models.len()).map(|i| (me + i) % models.len().max(1));
        let panels: Vec<SeatPanel> = order
            .filter_map(|i| models.get(i))
            .map(SeatPanel::new)
            .collect();
        for panel in &panels {
            panel.set_narrow(parts.frame.narrow());
            parts.seats.append(panel);
        }
        if let Some(own) = panels.last() {
            own.add_css_class("own");
        }
        self.imp().panels.replace(panels);
    }

    fn lay_out(&self) {
        let parts = self.parts();
        let (narrow, high) = (parts.frame.narrow(), parts.frame.height_class());
        let class = |class: &str, on: bool| {
            if on {
                self.add_css_class(class)
            } else {
                self.remove_css_class(class)
            }
        };
        class("narrow", narrow);
        class("short", high == 0);
        class("tall", high == 2 && !narrow);
        for panel in self.imp().panels.borrow().iter() {
            panel.set_narrow(narrow);
        }
        parts.seats.set_spacing(if narrow { 4 } else { 8 });
        parts.path.set_high(if narrow {
            62
        } else {
            [88, 100, 140].get(high as usize).copied().unwrap_or(96)
        });
        parts.middle.set_orientation(if narrow {
            gtk::Orientation::Vertical
        } else {
            gtk::Orientation::Horizontal
        });
        parts.middle.set_spacing(if narrow { 6 } else { 48 });
        parts.tiles.set_size(if narrow {
            54
        } else {
            [70, 86, 112].get(high as usize).copied().unwrap_or(70)
        });
        let (trick, hand) = match (narrow, high) {
            (true, _) => (52, 66),
            (false, 0) => (68, 80),
            (false, 1) => (92, 96),
            (false, _) => (124, 128),
        };
        parts.worlds.set_narrow(narrow);
        parts.prompt.set_narrow(narrow);
        parts.trick.set_wide(trick);
        parts.hand.set_wide(hand);
        parts.identity.set_wide(if narrow { 50 } else { hand });
        parts.board.set_spacing(if narrow {
            6
        } else {
            [8, 10, 22].get(high as usize).copied().unwrap_or(8)
        });
        parts.bottom.set_spacing(if narrow { 6 } else { 14 });
        parts
            .flap
            .set_fold_threshold_policy(adw::FoldThresholdPolicy::Minimum);
    }

    fn rest(&self, resting: bool) {
        let parts = self.parts();
        if resting {
            let page = round_end::RoundEnd::new(&parts.session);
            if let Some(old) = parts.stack.child_by_name("rest") {
                parts.stack.remove(&old);
            }
            parts.stack.add_named(&page, Some("rest"));
            parts.stack.set_visible_child_name("rest");
            page.grab_focus();
        } else {
            parts.stack.set_visible_child_name("play");
            if let Some(old) = parts.stack.child_by_name("rest") {
                parts.stack.remove(&old);
            }
            self.focus_hand();
        }
    }

    /// Big moments are felt: the style darkens the sky or shakes a seat, once.
    fn feel(&self, event: &Event) {
        let class = match event {
            Event::EclipseBegan { .. } => "eclipse",
            Event::Eliminated { .. } => "struck",
            Event::RoundEnded { .. } | Event::RoundBegan { .. } | Event::CardsPassed { .. } => "",
            _ => return,
        };
        for old in ["eclipse", "struck"] {
            self.remove_css_class(old);
        }
        if !class.is_empty() {
            self.add_css_class(class);
        }
    }

    /// In a narrow window the artefacts lie below the edge: when one is to be taken, show them.
    fn bring_into_view(&self, session: &Session) {
        let parts = self.parts();
        if parts.frame.narrow() && session.ask() == Some(Ask::Take) {
            let adjustment = parts.scroll.vadjustment();
            adjustment.set_value(adjustment.upper());
        }
    }

    /// There are people at this table: let them talk.
    pub fn let_talk(&self) {
        self.parts().log.let_talk();
    }

    /// Puts the focus on the first card.
    pub fn focus_hand(&self) {
        if let Some(card) = self.parts().hand.card_at(0) {
            card.grab_focus();
        }
    }

    fn add_keys(&self) {
        let keys = gtk::EventControllerKey::new();
        keys.set_propagation_phase(gtk::PropagationPhase::Capture);
        keys.connect_key_pressed(glib::clone!(
            #[weak(rename_to = screen)]
            self,
            #[upgrade_or]
            glib::Propagation::Proceed,
            move |_, key, _, state| {
                let control =
                    state.intersects(gdk::ModifierType::CONTROL_MASK | gdk::ModifierType::ALT_MASK);
                if control || !screen.key(key, true) {
                    glib::Propagation::Proceed
                } else {
                    glib::Propagation::Stop
                }
            }
        ));
        keys.connect_key_released(glib::clone!(
            #[weak(rename_to = screen)]
            self,
            move |_, key, _, _| {
                screen.key(key, false);
            }
        ));
        // On the window: keys work wherever the focus is, as long as this screen is shown.
        self.connect_map(glib::clone!(
            #[strong]
            keys,
            move |screen| {
                if let Some(root) = screen.root() {
                    root.add_controller(keys.clone());
                }
            }
        ));
        self.connect_unmap(move |_| {
            if let Some(widget) = keys.widget() {
                widget.remove_controller(&keys);
            }
        });
    }

    /// Digits choose a card, Escape lets it go, Enter on the chosen card confirms; H covers the hand, L shows the last
    /// trick, I the identity while held.
    fn key(&self, key: gdk::Key, pressed: bool) -> bool {
        let parts = self.parts();
        let session = &parts.session;
        let typing = self.root().and_then(|root| root.focus());
        if typing.is_some_and(|widget| widget.is::<gtk::Text>()) {
            return false;
        }
        if parts.stack.visible_child_name().as_deref() != Some("play") {
            return false;
        }
        match key {
            gdk::Key::i | gdk::Key::I => parts.identity.peek(pressed),
            gdk::Key::l | gdk::Key::L => session.peek_last_trick(pressed),
            gdk::Key::h | gdk::Key::H if pressed => session.set_covered(!session.covered()),
            gdk::Key::Escape if pressed && session.selected().is_some() => session.unchoose(),
            gdk::Key::Return | gdk::Key::KP_Enter if pressed => {
                let focus = self.root().and_then(|root| root.focus());
                let on_chosen = focus
                    .and_downcast::<crate::components::card::CardButton>()
                    .is_some_and(|card| card.model().selected());
                if !on_chosen {
                    return false;
                }
                session.confirm();
            }
            _ if pressed => {
                let Some(digit) = key.to_unicode().and_then(|c| c.to_digit(10)) else {
                    return false;
                };
                let index = if digit == 0 { 9 } else { digit as usize - 1 };
                let Some(card) = parts.hand.card_at(index) else {
                    return false;
                };
                card.grab_focus();
                session.choose(card.model());
            }
            _ => return false,
        }
        true
    }
}
