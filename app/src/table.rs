//! The play screen: puts the components together. How they lie, what they follow and which keys they take is below.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::{
    components::{
        adaptive::Adaptive,
        hand::Hand,
        hint::{self, HintPanel},
        identity::Identity,
        log::Log,
        path::ShadowPath,
        prompt::Prompt,
        seat::SeatPanel,
        tiles::Tiles,
        trick::Trick,
        worlds::Worlds,
    },
    motion::{self, Flights},
    pieces::Card,
    session::{Session, snapshot::Ask},
    sound,
    words::{self, trouble::Bar},
};

mod flying;
mod follow;
mod keys;
mod layout;
pub mod notices;
pub mod round_end;
mod think;
mod veil;

pub use layout::card_widths;
use notices::{About, Notices};
use round_end::RoundEnd;

mod imp {
    use std::cell::{Cell, OnceCell, RefCell};

    use super::*;

    type InView = (Option<Ask>, Vec<Option<Card>>);

    #[derive(Debug)]
    pub struct Parts {
        pub session: Session,
        pub frame: Adaptive,
        pub flap: adw::Flap,
        pub board: gtk::Box,
        pub column: gtk::Box,
        pub scroll: gtk::ScrolledWindow,
        pub speakers: gtk::Box,
        pub side: gtk::Box,
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
        pub notices: Notices,
        /// What is no trouble and can be read in passing.
        pub aside: Notices,
        pub flights: Flights,
    }

    #[derive(Debug, Default, glib::Properties)]
    #[properties(wrapper_type = super::TableScreen)]
    pub struct TableScreen {
        /// The log is shown beside the table.
        #[property(get, set)]
        log_shown: Cell<bool>,
        /// Whoever explains does so beside the table, above the log, and not between board and prompt.
        #[property(get, set)]
        beside: Cell<bool>,
        pub parts: OnceCell<Parts>,
        pub panels: RefCell<Vec<SeatPanel>>,
        /// What was asked and played when the board was last scrolled to it.
        pub in_view: RefCell<Option<InView>>,
        /// How far the board was scrolled for that.
        pub scrolled: Cell<f64>,
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
    impl WidgetImpl for TableScreen {
        fn snapshot(&self, snapshot: &gtk::Snapshot) {
            // In the middle, where the page before it was painted too.
            motion::hold_place(snapshot, self.obj().width() / 2, self.obj().height() / 2);
            self.parent_snapshot(snapshot);
        }
    }
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
        let steps = gtk::Label::builder()
            .css_classes(["steps", "numeric"])
            .halign(gtk::Align::Center)
            .valign(gtk::Align::End)
            .build();
        steps.set_accessible_role(gtk::AccessibleRole::Presentation);
        let path_area = gtk::Overlay::builder().child(&path).build();
        path_area.add_overlay(&steps);
        path_area.add_overlay(&think::clock(session));

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
        let speakers = gtk::Box::new(gtk::Orientation::Vertical, 0);
        let aside = Notices::new(true);
        speakers.append(&aside);
        speakers.append(&HintPanel::new(session));
        column.append(&speakers);
        let asking = gtk::Box::new(gtk::Orientation::Horizontal, 0);
        prompt.set_hexpand(true);
        asking.append(&prompt);
        asking.append(&hint::button(session));
        column.append(&asking);
        column.append(&bottom);
        let frame = Adaptive::new(&column);
        frame.set_hexpand(true);

        let log = Log::new(session.log());
        log.set_vexpand(true);
        let side = gtk::Box::builder()
            .orientation(gtk::Orientation::Vertical)
            .hexpand(false)
            .css_classes(["side"])
            .build();
        side.append(&log);
        let flap = adw::Flap::builder()
            .content(&frame)
            .flap(&side)
            .flap_position(gtk::PackType::End)
            .separator(&gtk::Separator::new(gtk::Orientation::Vertical))
            .fold_policy(adw::FlapFoldPolicy::Auto)
            .build();
        screen
            .bind_property("log-shown", &flap, "reveal-flap")
            .bidirectional()
            .sync_create()
            .build();

        let stack = motion::pages();
        let flights = Flights::new();
        let sky = gtk::Overlay::builder().child(&flap).build();
        sky.add_overlay(&flights);
        stack.add_named(&sky, Some("play"));
        // Above the page after a round too: what is to be decided there does not wait for the next one.
        let notices = Notices::new(false);
        let all = gtk::Box::new(gtk::Orientation::Vertical, 0);
        all.append(&notices);
        all.append(&stack);
        screen.set_child(Some(&all));

        let parts = imp::Parts {
            session: session.clone(),
            frame,
            flap,
            board,
            column,
            scroll,
            speakers,
            side,
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
            notices,
            aside,
            flights,
        };
        screen.imp().parts.set(parts).expect("set once, here");
        screen.veil();
        screen.follow();
        sound::attach(session);
        screen.add_keys();
        screen
    }

    /// Whoever has nothing in focus is led to where the player goes on.
    fn mind_focus(&self) {
        let focus = self.root().and_then(|root| root.focus());
        if focus.is_none_or(|widget| !widget.is_mapped()) {
            self.focus_place();
        }
    }

    fn parts(&self) -> &imp::Parts {
        self.imp().parts.get().expect("set in new")
    }

    /// The room that it will have, the log's included.
    pub fn prepare(&self, width: i32, height: i32) {
        let parts = self.parts();
        let beside = match self.log_shown() {
            true => parts.side.width_request(),
            false => 0,
        };
        // A window that is not on screen yet has no room to tell.
        if width > beside {
            parts.frame.prepare(width - beside, height);
        }
    }

    /// A teacher speaks, and is told by the property `beside` where.
    pub fn add_coach(&self, coach: &impl IsA<gtk::Widget>) {
        self.parts().speakers.prepend(coach);
        self.parts().prompt.set_taught();
        self.bind_property("beside", coach, "beside")
            .sync_create()
            .build();
    }

    /// Shows or takes away a notice above the table.
    pub fn notice(&self, about: About, bar: Option<Bar>) {
        let parts = self.parts();
        match about {
            About::Phrase => parts.aside.show(about, bar),
            About::Disk | About::Caught | About::Absence => parts.notices.show(about, bar),
        }
        self.mind_focus();
    }

    /// Puts the focus where the player goes on: on the first card, or on the way on after a round.
    pub fn focus_place(&self) {
        let page = self.parts().stack.visible_child();
        match page.and_downcast::<RoundEnd>() {
            Some(page) => page.focus_way_on(),
            None => self.focus_hand(),
        }
    }

    /// Nothing came of the rematch that was asked for.
    pub fn let_ask_again(&self) {
        let page = self.parts().stack.visible_child();
        page.and_downcast::<RoundEnd>()
            .iter()
            .for_each(RoundEnd::let_ask_again);
    }

    /// Does a notice about this stand there?
    pub fn notices(&self, about: About) -> bool {
        let parts = self.parts();
        parts.notices.shows(about) || parts.aside.shows(about)
    }

    /// There are people at this table: let them talk.
    pub fn let_talk(&self) {
        self.parts().log.let_talk();
    }

    /// Puts the focus where words are typed, if there are people to read them.
    pub fn focus_talk(&self) {
        if self.parts().log.focus_talk() {
            self.set_log_shown(true);
        }
    }

    /// A table that is watched: without hand and identity.
    pub fn watch_only(&self) {
        self.parts().bottom.set_visible(false);
    }

    /// Puts the focus on the first card.
    fn focus_hand(&self) {
        self.parts().hand.focus_first();
    }
}
