//! The main thread's side of a table: takes the worker's updates, plays them at a pace that eyes can follow, and keeps
//! the models. Sends nothing but what the player confirms.

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::VecDeque,
    time::Duration,
};

use gtk::{gio, glib, prelude::*, subclass::prelude::*};

use super::{
    models::{CardModel, LineModel, SeatModel, WorldModel, mirror},
    snapshot::{Ask, Check, Snapshot, Update},
    worker::Command,
};
use crate::{
    pieces::{Action, Card, Event, Seat, World},
    settings::Settings,
    words::{self, asked, happened::Names},
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

        pub(super) hand: OnceCell<gio::ListStore>,
        pub(super) seats: OnceCell<gio::ListStore>,
        pub(super) worlds: OnceCell<gio::ListStore>,
        pub(super) log: OnceCell<gio::ListStore>,
        pub(super) settings: OnceCell<Settings>,
        pub(super) commands: OnceCell<async_channel::Sender<Command>>,
        pub(super) table: RefCell<Option<Snapshot>>,
        pub(super) trick: RefCell<TrickShown>,
        pub(super) last_trick: RefCell<TrickShown>,
        pub(super) show_last: Cell<bool>,
        pub(super) over: Cell<bool>,
        pub(super) ends: RefCell<Vec<SeatEnd>>,
        pub(super) steps: RefCell<VecDeque<Step>>,
        pub(super) timer: RefCell<Option<glib::SourceId>>,
        pub(super) round_events: RefCell<Vec<Event>>,
        pub(super) check: RefCell<Option<Check>>,
        pub(super) heard: RefCell<Vec<Heard>>,
    }

    impl Session {
        fn set_covered(&self, covered: bool) {
            self.covered.set(covered);
            for card in self.obj().hand().iter::<CardModel>().flatten() {
                card.set_covered(covered);
            }
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
            if let Some(timer) = self.timer.take() {
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
                ..self.imp().last_trick.borrow().clone()
            };
        }
        self.imp().trick.borrow().clone()
    }

    /// Shows the last trick while `on`.
    pub fn peek_last_trick(&self, on: bool) {
        if self.imp().last_trick.borrow().played.is_empty() {
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

    /// What the check of the last deal found; `None` while it is not over.
    pub fn check(&self) -> Option<Check> {
        self.imp().check.borrow().clone()
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
        }
        self.set_asked(false);
        self.imp()
            .commands
            .get()
            .expect("set in new")
            .try_send(Command::Act(action))
            .is_ok()
    }

    /// Something is still being shown.
    pub fn is_busy(&self) -> bool {
        !self.imp().steps.borrow().is_empty()
            || self.imp().timer.borrow().is_some()
            || self.resting()
    }

    /// The card chosen and not yet confirmed.
    pub fn selected(&self) -> Option<CardModel> {
        self.hand()
            .iter::<CardModel>()
            .flatten()
            .find(|card| card.selected())
    }

    fn clear_selection(&self) {
        for card in self.hand().iter::<CardModel>().flatten() {
            mirror!(card, selected, set_selected, false);
        }
    }

    /// Chooses a card, or lets it go when it was chosen. With single clicks it is played.
    pub fn choose(&self, card: &CardModel) {
        let on = !card.selected();
        if self.settings().single_click() && self.card_action(card).is_some() {
            self.play(card);
            return;
        }
        self.clear_selection();
        card.set_selected(on);
        self.emit_by_name::<()>("changed", &[]);
    }

    /// Lets the chosen card go.
    pub fn unchoose(&self) {
        self.clear_selection();
        self.emit_by_name::<()>("changed", &[]);
    }

    /// Plays or passes the chosen card.
    pub fn confirm(&self) {
        if let Some(card) = self.selected() {
            self.play(&card);
        }
    }

    fn card_action(&self, card: &CardModel) -> Option<Action> {
        let slot = card.place();
        self.with_table(|table| {
            table.legal.iter().copied().find(|action| match action {
                Action::Play { slot: at, .. } | Action::Give { slot: at } => *at == slot,
                _ => false,
            })
        })
        .flatten()
    }

    fn play(&self, card: &CardModel) {
        if let Some(action) = self.card_action(card) {
            self.try_act(action);
        }
    }

    /// Goes on after the round's result has been read.
    pub fn next_round(&self) {
        if self.resting() {
            self.set_resting(false);
            self.imp().round_events.borrow_mut().clear();
            self.run();
        }
    }

    fn take_in(&self, update: Update) {
        let mut steps = self.imp().steps.borrow_mut();
        if self.imp().table.borrow().is_none() {
            // The first look: names and worlds are needed to tell anything.
            drop(steps);
            self.follow(update.table.clone());
            steps = self.imp().steps.borrow_mut();
        }
        steps.extend(update.events.into_iter().map(Step::Event));
        // The verdict is told with the round it is about, before the next one begins.
        if let Some(check) = update.check {
            let next = steps
                .iter()
                .position(|step| matches!(step, Step::Event(Event::RoundBegan { .. })))
                .unwrap_or(steps.len());
            steps.insert(next, Step::Check(check));
        }
        steps.push_back(Step::Table(Box::new(update.table)));
        drop(steps);
        if self.imp().timer.borrow().is_none() {
            self.run();
        }
    }

    /// Shows steps until one wants time.
    fn run(&self) {
        loop {
            if self.resting() {
                return;
            }
            let rest = matches!(self.imp().steps.borrow().front(), Some(Step::Event(Event::RoundBegan { round, .. })) if *round > 1)
                && !self.imp().round_events.borrow().is_empty();
            if rest {
                self.set_resting(true);
                self.refresh();
                return;
            }
            let Some(step) = self.imp().steps.borrow_mut().pop_front() else {
                if self.imp().over.get() {
                    // All is told, the verdict on the last deal too.
                    self.set_resting(true);
                }
                break;
            };
            let wait = match step {
                Step::Table(table) => {
                    self.follow(*table);
                    0
                }
                Step::Check(check) => {
                    self.imp().check.replace(Some(check));
                    0
                }
                Step::Event(event) => self.show(&event),
            };
            if wait > 0 {
                let timer = glib::timeout_add_local_once(
                    Duration::from_millis(wait),
                    glib::clone!(
                        #[weak(rename_to = session)]
                        self,
                        move || {
                            session.imp().timer.take();
                            session.run();
                        }
                    ),
                );
                self.imp().timer.replace(Some(timer));
                break;
            }
        }
        self.refresh();
    }

    fn seat(&self, seat: Seat) -> Option<SeatModel> {
        self.seats().item(seat.index() as u32).and_downcast()
    }

    fn world(&self, world: World) -> Option<WorldModel> {
        self.worlds()
            .iter::<WorldModel>()
            .flatten()
            .find(|model| model.world() == world)
    }

    /// Shows one event and says for how many milliseconds it should stand.
    fn show(&self, event: &Event) -> u64 {
        let imp = self.imp();
        let me = self.with_table(|table| table.me);
        let names = self
            .with_table(|table| {
                table
                    .seats
                    .iter()
                    .map(|s| s.name.clone())
                    .collect::<Vec<_>>()
            })
            .unwrap_or_default();
        if let Some(me) = me
            && let Some((text, kind)) = words::happened::event(event, Names { names: &names, me })
        {
            self.log().append(&LineModel::new(&text, kind));
            self.set_banner(text);
        }
        let seats = names.len();
        let played = |seat: Seat, card: Card| {
            let mut trick = imp.trick.borrow_mut();
            trick.played.resize(seats, None);
            if let Some(place) = trick.played.get_mut(seat.index()) {
                *place = Some(card);
            }
            drop(trick);
            if let Some(model) = self.seat(seat) {
                model.set_cards(model.cards().saturating_sub(1));
                model.set_awaited(false);
            }
            if Some(seat) == me {
                let at = self
                    .hand()
                    .iter::<CardModel>()
                    .flatten()
                    .position(|c| c.card() == card);
                at.into_iter().for_each(|at| self.hand().remove(at as u32));
                300
            } else {
                800
            }
        };
        let wait = match event {
            Event::RoundBegan { round, pawn, .. } => {
                self.set_round(u32::from(*round));
                self.set_pawn(u32::from(*pawn));
                *imp.trick.borrow_mut() = TrickShown::default();
                *imp.last_trick.borrow_mut() = TrickShown::default();
                for world in self.worlds().iter::<WorldModel>().flatten() {
                    mirror!(world, laid, set_laid, 0);
                    mirror!(world, destination, set_destination, false);
                }
                0
            }
            Event::TrickBegan { guide } => {
                let over = imp.trick.replace(TrickShown {
                    guide: guide.index(),
                    played: vec![None; seats],
                    ..TrickShown::default()
                });
                if over.destination.is_some() {
                    imp.last_trick.replace(over);
                }
                for seat in self.seats().iter::<SeatModel>().flatten() {
                    mirror!(
                        seat,
                        guide,
                        set_guide,
                        seat.index() as usize == guide.index()
                    );
                }
                for world in self.worlds().iter::<WorldModel>().flatten() {
                    mirror!(world, destination, set_destination, false);
                }
                0
            }
            Event::Led { seat, card } => {
                imp.trick.borrow_mut().destination = Some(card.world);
                self.world(card.world)
                    .into_iter()
                    .for_each(|w| w.set_destination(true));
                played(*seat, *card)
            }
            Event::Followed { seat, card } | Event::Strayed { seat, card } => played(*seat, *card),
            Event::PawnMoved { to, .. } => {
                self.set_pawn(u32::from(*to));
                450
            }
            Event::Laid { card } | Event::LeftOver { card } => {
                self.world(card.world)
                    .into_iter()
                    .for_each(|w| w.lay(card.value));
                0
            }
            Event::TrickEnded { lowest, highest } => {
                let mut trick = imp.trick.borrow_mut();
                trick.lowest = lowest.map(Seat::index);
                trick.highest = highest.map(Seat::index);
                // Held for reading, whatever the pace of the rest.
                drop(trick);
                self.refresh();
                for heard in imp.heard.borrow().iter() {
                    heard(self, event);
                }
                return u64::from(self.settings().trick_hold()) * 100;
            }
            Event::Unmasked { seat, role } => {
                if let Some(model) = self.seat(*seat) {
                    model.set_role_art(words::role_key(*role));
                    model.set_role_name(words::role(*role));
                }
                900
            }
            Event::Eliminated { seat, .. } => {
                self.seat(*seat)
                    .into_iter()
                    .for_each(|model| model.set_eliminated(true));
                1300
            }
            Event::Took { .. } | Event::PortalUsed { .. } | Event::CardsPassed { .. } => 800,
            Event::RitualBegan { .. }
            | Event::Swapped { .. }
            | Event::Struck { .. }
            | Event::HandShown { .. } => 1000,
            Event::EclipseBegan { .. } => 1400,
            Event::RoundEnded { .. } => {
                imp.round_events.borrow_mut().clear();
                imp.ends.borrow_mut().clear();
                imp.check.replace(None);
                1200
            }
            Event::Spared { .. } | Event::RitualIdle { .. } | Event::GuideNamed { .. } => 600,
            Event::Scored { seat, points, .. } => {
                if let Some(model) = self.seat(*seat) {
                    model.set_points(model.points() + u32::from(*points));
                }
                300
            }
            Event::Offered { .. }
            | Event::GuideDrawn { .. }
            | Event::NothingToTake { .. }
            | Event::Chose { .. }
            | Event::Declined { .. }
            | Event::TileShown { .. }
            | Event::HandOpened { .. }
            | Event::Tied { .. }
            | Event::GameEnded { .. }
            | Event::StoodIn { .. }
            | Event::CameBack { .. }
            | Event::RoundVoided => 0,
        };
        let closing = matches!(
            event,
            Event::RoundEnded { .. }
                | Event::Unmasked { .. }
                | Event::TileShown { .. }
                | Event::Scored { .. }
                | Event::HandOpened { .. }
                | Event::Tied { .. }
                | Event::GameEnded { .. }
        );
        let begun =
            !imp.round_events.borrow().is_empty() || matches!(event, Event::RoundEnded { .. });
        if closing && begun {
            imp.round_events.borrow_mut().push(event.clone());
            self.remember_seats();
        }
        for heard in imp.heard.borrow().iter() {
            heard(self, event);
        }
        if matches!(event, Event::GameEnded { .. }) {
            imp.over.set(true);
        }
        (wait as f64 * self.settings().tempo()) as u64
    }

    /// Who was who, kept for the screen after the round: the next deal hides it again.
    fn remember_seats(&self) {
        let mut ends = self.imp().ends.borrow_mut();
        ends.resize(self.seats().n_items() as usize, SeatEnd::default());
        for (end, seat) in ends
            .iter_mut()
            .zip(self.seats().iter::<SeatModel>().flatten())
        {
            if !seat.role_name().is_empty() {
                end.role_art = seat.role_art();
                end.role_name = seat.role_name();
            }
            end.eliminated |= seat.eliminated();
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

    /// Takes over a whole table.
    fn follow(&self, table: Snapshot) {
        let seats = self.seats();
        if seats.n_items() as usize != table.seats.len() {
            let models: Vec<SeatModel> = (0..table.seats.len()).map(SeatModel::new).collect();
            for (i, (model, seen)) in models.iter().zip(&table.seats).enumerate() {
                model.set_me(i == table.me.index());
                model.follow(seen);
            }
            seats.splice(0, seats.n_items(), &models);
        }
        for (model, seen) in seats.iter::<SeatModel>().flatten().zip(&table.seats) {
            model.follow(seen);
        }
        let worlds = self.worlds();
        if worlds.n_items() as usize != table.worlds.len() {
            let models: Vec<WorldModel> = table.worlds.iter().map(WorldModel::new).collect();
            worlds.splice(0, worlds.n_items(), &models);
        }
        for (model, seen) in worlds.iter::<WorldModel>().flatten().zip(&table.worlds) {
            mirror!(model, laid, set_laid, u32::from(seen.laid));
        }
        mirror!(self, pawn, set_pawn, u32::from(table.pawn));
        mirror!(self, moon, set_moon, u32::from(table.moon));
        mirror!(self, round, set_round, table.round as u32);
        self.deal(&table);
        self.imp().table.replace(Some(table));
        self.sort_hand();
    }

    /// The hand by its differences: what is gone goes, what is new comes, the rest stays.
    fn deal(&self, table: &Snapshot) {
        let hand = self.hand();
        let mut at = 0;
        while let Some(card) = hand.item(at).and_downcast::<CardModel>() {
            let held = table
                .hand
                .iter()
                .any(|seen| seen.slot == card.place() && seen.card == card.card());
            if held { at += 1 } else { hand.remove(at) }
        }
        for seen in &table.hand {
            let there = hand
                .iter::<CardModel>()
                .flatten()
                .any(|card| card.place() == seen.slot);
            if !there {
                let card = CardModel::new(seen);
                card.set_covered(self.covered());
                hand.append(&card);
            }
        }
    }

    fn sort_hand(&self) {
        let by_value = self.settings().sort_by_value();
        let key = move |card: &CardModel| {
            if by_value {
                (card.value(), card.world())
            } else {
                (card.world(), card.value())
            }
        };
        let hand = self.hand();
        let cards: Vec<CardModel> = hand.iter::<CardModel>().flatten().collect();
        if !cards.is_sorted_by_key(key) {
            hand.sort(move |a, b| {
                let key_of = |object: &glib::Object| object.downcast_ref::<CardModel>().map(key);
                key_of(a).cmp(&key_of(b))
            });
        }
    }

    /// What follows from the table and from whether something is still being shown.
    fn refresh(&self) {
        let busy = self.is_busy();
        let held = self.imp().table.borrow();
        let Some(table) = held.as_ref() else { return };
        let mine = !busy && table.awaited.contains(table.me) && table.ask.is_some();
        for seat in self.seats().iter::<SeatModel>().flatten() {
            let awaited = !busy && table.awaited.contains(Seat(seat.index() as u8));
            mirror!(seat, awaited, set_awaited, awaited);
        }
        for card in self.hand().iter::<CardModel>().flatten() {
            let slot = card.place();
            let playable = mine
                && table.legal.iter().any(|action| match action {
                    Action::Play { slot: at, .. } | Action::Give { slot: at } => *at == slot,
                    _ => false,
                });
            mirror!(card, playable, set_playable, playable);
            mirror!(
                card,
                reason,
                set_reason,
                asked::card_reason(table, mine, card.card())
            );
        }
        let names: Vec<String> = table.seats.iter().map(|s| s.name.clone()).collect();
        let people = Names {
            names: &names,
            me: table.me,
        };
        let banner = match table.ask {
            Some(ask) if mine => Some(asked::question(ask, table, people)),
            Some(ask) if !busy => Some(asked::waiting(ask, &people.all(table.awaited))),
            Some(_) | None => None,
        };
        drop(held);
        if let Some(banner) = banner {
            mirror!(self, banner, set_banner, banner);
        }
        mirror!(self, asked, set_asked, mine);
        self.emit_by_name::<()>("changed", &[]);
    }

    /// What is asked of the player right now.
    pub fn ask(&self) -> Option<Ask> {
        if !self.asked() {
            return None;
        }
        self.with_table(|table| table.ask).flatten()
    }
}
