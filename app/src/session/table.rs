//! The main thread's side of a table: takes the worker's updates, plays them at a pace that eyes can follow, and keeps
//! the models. Sends nothing but what the player confirms.

mod advice;
mod choosing;
mod follow;
mod pace;
mod turn;

pub use choosing::is_weighty;
pub use turn::Leaf;

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::VecDeque,
    sync::Arc,
};

use gtk::{gio, glib, prelude::*, subclass::prelude::*};
use shamans_core::bot::advice::Counsel;

use super::{
    lan::seen::Way,
    models::{CardModel, LineModel, SeatModel, WorldModel},
    snapshot::{Ask, Check, Snapshot, Update},
    tricks::Tricks,
    worker::Command,
};
use crate::{
    pieces::{Action, Card, Event, Seat, World},
    settings::Settings,
    words::{self, happened::Names},
};

/// The trick as it is shown: it stays on the table after the rules have cleared it, so that everyone can read it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrickShown {
    /// Who leads.
    pub guide: usize,
    /// The world led.
    pub destination: Option<World>,
    /// By seat.
    pub played: Vec<Option<Card>>,
    /// Once it is over.
    pub lowest: Option<usize>,
    /// Once it is over.
    pub highest: Option<usize>,
    /// This is the one before the one being played.
    pub last: bool,
}

/// What the screen after a round says of a seat.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeatEnd {
    /// The picture of its identity.
    pub role_art: String,
    /// Its identity in words.
    pub role_name: String,
    /// Was it out?
    pub eliminated: bool,
}

/// What is still to be shown.
#[derive(Debug)]
enum Step {
    Event(Event),
    Said(Seat, u16),
    Check(Check),
    Table(Box<Snapshot>),
}

type Heard = Box<dyn Fn(&Session, &Event)>;

mod imp {
    use std::sync::LazyLock;

    use super::*;

    #[derive(Default, glib::Properties)]
    #[properties(wrapper_type = super::Session)]
    pub struct Session {
        /// Where the pawn stands.
        #[property(get, set)]
        pawn: Cell<u32>,
        /// The last space.
        #[property(get, set)]
        moon: Cell<u32>,
        /// From 1 on.
        #[property(get, set)]
        round: Cell<u32>,
        /// What to do or what is going on.
        #[property(get, set)]
        banner: RefCell<String>,
        /// The player has something to decide.
        #[property(get, set)]
        asked: Cell<bool>,
        /// The hand is covered.
        #[property(get, set = Self::set_covered)]
        covered: Cell<bool>,
        /// A round is over and its result is being read.
        #[property(get, set)]
        resting: Cell<bool>,
        /// A table of people, not of practise.
        #[property(get, set)]
        people: Cell<bool>,
        /// Seconds to think about a move, 0 for as long as one likes.
        #[property(get, set)]
        think: Cell<u32>,
        /// Advice can be asked for.
        #[property(get, set)]
        advises: Cell<bool>,
        /// Advice is being thought out.
        #[property(get, set)]
        thinking: Cell<bool>,
        /// The table of a record: read, not played.
        #[property(get, set)]
        replayed: Cell<bool>,

        pub(super) hand: OnceCell<gio::ListStore>,
        pub(super) seats: OnceCell<gio::ListStore>,
        pub(super) worlds: OnceCell<gio::ListStore>,
        pub(super) log: OnceCell<gio::ListStore>,
        pub(super) settings: OnceCell<Settings>,
        pub(super) commands: OnceCell<async_channel::Sender<Command>>,
        pub(super) table: RefCell<Option<Snapshot>>,
        pub(super) tricks: RefCell<Tricks>,
        pub(super) ways: RefCell<Vec<Way>>,
        pub(super) show_last: Cell<bool>,
        pub(super) over: Cell<bool>,
        /// The page was laid open, not told.
        pub(super) turned: Cell<bool>,
        pub(super) ends: RefCell<Vec<SeatEnd>>,
        pub(super) steps: RefCell<VecDeque<Step>>,
        pub(super) timer: RefCell<Option<glib::SourceId>>,
        pub(super) round_events: RefCell<Vec<Event>>,
        /// Who has scored in this round, and for what.
        pub(super) scored: RefCell<Vec<Event>>,
        pub(super) check: RefCell<Option<Check>>,
        /// Ends the moment in which a Portal can be used out of turn.
        pub(super) closing: RefCell<Option<glib::SourceId>>,
        pub(super) record: RefCell<Option<Arc<Vec<u8>>>>,
        pub(super) heard: RefCell<Vec<Heard>>,
        pub(super) advice: RefCell<Vec<Counsel>>,
        /// Chosen and not yet confirmed, if it is no card.
        pub(super) picked: Cell<Option<Action>>,
    }

    impl Session {
        fn set_covered(&self, covered: bool) {
            self.covered.set(covered);
            for card in self.obj().hand().iter::<CardModel>().flatten() {
                card.set_covered(covered);
            }
            self.obj().emit_by_name::<()>("changed", &[]);
        }
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Session {
        const NAME: &'static str = "ShamansSession";
        type Type = super::Session;
    }

    #[glib::derived_properties]
    impl ObjectImpl for Session {
        fn signals() -> &'static [glib::subclass::Signal] {
            static SIGNALS: LazyLock<Vec<glib::subclass::Signal>> =
                LazyLock::new(|| vec![glib::subclass::Signal::builder("changed").build()]);
            &SIGNALS
        }

        fn dispose(&self) {
            for timer in [self.timer.take(), self.closing.take()]
                .into_iter()
                .flatten()
            {
                timer.remove();
            }
        }
    }
}

glib::wrapper! {
    /// One table that this player sits at.
    pub struct Session(ObjectSubclass<imp::Session>);
}

impl Session {
    /// Listens to a worker.
    pub fn new(
        settings: &Settings,
        commands: async_channel::Sender<Command>,
        updates: async_channel::Receiver<Update>,
    ) -> Session {
        let session: Session = glib::Object::new();
        let imp = session.imp();
        imp.hand
            .set(gio::ListStore::new::<CardModel>())
            .expect("set once, here");
        imp.seats
            .set(gio::ListStore::new::<SeatModel>())
            .expect("set once, here");
        imp.worlds
            .set(gio::ListStore::new::<WorldModel>())
            .expect("set once, here");
        imp.log
            .set(gio::ListStore::new::<LineModel>())
            .expect("set once, here");
        imp.settings.set(settings.clone()).expect("set once, here");
        imp.commands.set(commands).expect("set once, here");
        settings.connect_sort_by_value_notify(glib::clone!(
            #[weak]
            session,
            move |_| session.sort_hand()
        ));
        session.set_banner(words::tr("Everyone shuffles and seals the cards…"));
        let weak = session.downgrade();
        glib::spawn_future_local(async move {
            while let Ok(update) = updates.recv().await {
                let Some(session) = weak.upgrade() else { break };
                session.take_in(update);
            }
        });
        session
    }

    /// The own hand.
    pub fn hand(&self) -> &gio::ListStore {
        self.imp().hand.get().expect("set in new")
    }

    /// How the seats' players are linked, by seat.
    pub fn show_ways(&self, ways: &[Way]) {
        // It may be known before the first look at the table.
        self.imp().ways.replace(ways.to_vec());
        self.follow_ways();
    }

    fn follow_ways(&self) {
        let models = self.seats().iter::<SeatModel>().flatten();
        for (model, way) in models.zip(self.imp().ways.borrow().iter()) {
            let words = if model.me() { None } else { way.words() };
            model.set_relayed(words.is_some() && *way == Way::Relayed);
            model.set_way(words.unwrap_or_default());
        }
    }

    /// The seats, in turn order.
    pub fn seats(&self) -> &gio::ListStore {
        self.imp().seats.get().expect("set in new")
    }

    /// The worlds.
    pub fn worlds(&self) -> &gio::ListStore {
        self.imp().worlds.get().expect("set in new")
    }

    /// What happened, in words.
    pub fn log(&self) -> &gio::ListStore {
        self.imp().log.get().expect("set in new")
    }

    /// The player's preferences.
    pub fn settings(&self) -> &Settings {
        self.imp().settings.get().expect("set in new")
    }

    /// Adds a line to the log that is no event of the game.
    pub fn note(&self, text: &str, kind: &str) {
        self.log().append(&LineModel::new(text, kind));
    }

    /// Called when models and table have changed.
    pub fn connect_changed(&self, changed: impl Fn(&Session) + 'static) {
        self.connect_local("changed", false, move |values| {
            let session = values.first().and_then(|value| value.get::<Session>().ok());
            changed(&session.expect("a signal carries its object"));
            None
        });
    }

    /// Called for each event when it is shown.
    pub fn connect_heard(&self, heard: impl Fn(&Session, &Event) + 'static) {
        self.imp().heard.borrow_mut().push(Box::new(heard));
    }

    /// Looks at the table, if there is one yet.
    pub fn with_table<T>(&self, look: impl FnOnce(&Snapshot) -> T) -> Option<T> {
        self.imp().table.borrow().as_ref().map(look)
    }

    /// The trick to show.
    pub fn trick(&self) -> TrickShown {
        if self.imp().show_last.get() {
            return TrickShown {
                last: true,
                ..self.imp().tricks.borrow().last.clone()
            };
        }
        self.imp().tricks.borrow().now.clone()
    }

    /// Shows the last trick while `on`.
    pub fn peek_last_trick(&self, on: bool) {
        if self.imp().tricks.borrow().last.played.is_empty() {
            return;
        }
        if self.imp().show_last.replace(on) != on {
            self.emit_by_name::<()>("changed", &[]);
        }
    }

    /// What happened since play ended, for the screen after the round.
    pub fn round_events(&self) -> Vec<Event> {
        self.imp().round_events.borrow().clone()
    }

    /// Who has scored in this round, and for what: also before play ended.
    pub fn scored(&self) -> Vec<Event> {
        self.imp().scored.borrow().clone()
    }

    /// What the check of the last deal found; `None` while it is not over.
    pub fn check(&self) -> Option<Check> {
        self.imp().check.borrow().clone()
    }

    /// The record of the game up to the end of the last round.
    pub fn record(&self) -> Option<Arc<Vec<u8>>> {
        self.imp().record.borrow().clone()
    }

    /// Keeps the record of the game, to be saved.
    pub fn set_record(&self, record: Vec<u8>) {
        self.imp().record.replace(Some(Arc::new(record)));
        self.emit_by_name::<()>("changed", &[]);
    }

    /// Names by seat, the player's own as "You".
    pub fn names(&self) -> Vec<String> {
        self.with_table(|table| {
            let names: Vec<String> = table.seats.iter().map(|seat| seat.name.clone()).collect();
            let people = Names {
                names: &names,
                me: table.me,
            };
            (0..names.len()).map(|i| people.of(Seat(i as u8))).collect()
        })
        .unwrap_or_default()
    }

    /// Sends `action` if it is legal now and everything before it has been shown.
    pub fn try_act(&self, action: Action) -> bool {
        let legal = self
            .with_table(|table| table.legal.contains(&action))
            .unwrap_or(false);
        if !legal || self.is_busy() {
            return false;
        }
        self.clear_selection();
        if let Some(table) = self.imp().table.borrow_mut().as_mut() {
            // Sent once: a second press before the answer finds nothing legal.
            table.legal.clear();
            table.open = false;
        }
        if let Some(timer) = self.imp().closing.take() {
            timer.remove();
        }
        self.set_asked(false);
        self.forget_advice();
        let sent = self.send(Command::Act(action));
        self.emit_by_name::<()>("changed", &[]);
        sent
    }

    fn send(&self, command: Command) -> bool {
        let commands = self.imp().commands.get().expect("set in new");
        commands.try_send(command).is_ok()
    }

    /// Something is still being shown.
    pub fn is_busy(&self) -> bool {
        !self.imp().steps.borrow().is_empty()
            || self.imp().timer.borrow().is_some()
            || self.resting()
    }

    /// Goes on after the round's result has been read.
    pub fn next_round(&self) {
        if self.resting() {
            self.set_resting(false);
            self.imp().round_events.borrow_mut().clear();
            self.run();
        }
    }

    /// How the round ended for a seat.
    pub fn seat_end(&self, seat: usize) -> SeatEnd {
        self.imp()
            .ends
            .borrow()
            .get(seat)
            .cloned()
            .unwrap_or_default()
    }

    /// What is asked of the player right now.
    pub fn ask(&self) -> Option<Ask> {
        if !self.asked() {
            return None;
        }
        self.with_table(|table| table.ask).flatten()
    }
}
