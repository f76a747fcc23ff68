//! Playing updates at a pace that eyes can follow: each event is shown, stands for its time, and the next one comes.

use std::time::Duration;

use gtk::{glib, prelude::*, subclass::prelude::*};

use super::{SeatEnd, Session, Step};
use crate::{
    pieces::{Card, Event, Seat, World},
    session::{
        models::{CardModel, LineModel, SeatModel, WorldModel, mirror},
        snapshot::{Check, Update},
        worker::Command,
    },
    words::{self, happened::Names},
};

impl Session {
    pub(super) fn take_in(&self, update: Update) {
        if let Some(advice) = update.advice {
            return self.take_advice(advice);
        }
        self.forget_advice();
        let mut steps = self.imp().steps.borrow_mut();
        if self.imp().table.borrow().is_none() {
            // The first look: names and worlds are needed to tell anything.
            drop(steps);
            self.follow(update.table.clone());
            if update.events.is_empty() {
                // In the middle of a game: what lies on the table was played before.
                self.take_up_trick(&update.table);
            }
            steps = self.imp().steps.borrow_mut();
        }
        let me = self.with_table(|table| table.me);
        let mine = |event: &Event| matches!(event, Event::Led { seat, .. } | Event::Followed { seat, .. } | Event::Strayed { seat, .. } if Some(*seat) == me);
        if update.events.first().is_some_and(mine) && steps.is_empty() {
            crate::watchdog::played(update.settled);
        }
        steps.extend(update.events.into_iter().map(Step::Event));
        let said = update.said.into_iter();
        steps.extend(said.map(|(seat, phrase)| Step::Said(seat, phrase)));
        // The verdict is told with the round it is about, before the next one begins.
        if let Some(check) = update.check.filter(|check| !self.checked_at_rest(check)) {
            let next = steps
                .iter()
                .position(|step| matches!(step, Step::Event(Event::RoundBegan { .. })))
                .unwrap_or(steps.len());
            steps.insert(next, Step::Check(check));
        }
        if update.record.is_some() {
            self.imp().record.replace(update.record);
        }
        steps.push_back(Step::Table(Box::new(update.table)));
        drop(steps);
        if self.imp().timer.borrow().is_none() {
            self.run();
        }
        if self.resting() {
            self.emit_by_name::<()>("changed", &[]);
        }
    }

    /// The round's result is being read already: its badge hears the verdict at once.
    fn checked_at_rest(&self, check: &Check) -> bool {
        let waited = self.resting() && self.imp().check.borrow().is_none();
        if waited {
            self.imp().check.replace(Some(check.clone()));
        }
        waited
    }

    /// Shows steps until one wants time.
    pub(super) fn run(&self) {
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
                self.leave_open();
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
                Step::Said(seat, phrase) => {
                    self.say(seat, phrase);
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

    /// A bot of a practise table says something.
    fn say(&self, seat: Seat, phrase: u16) {
        let name = self.names().get(seat.index()).cloned().unwrap_or_default();
        if let Some(text) = words::talk::phrase(phrase) {
            self.note(&format!("{name}: {text}"), "chat");
        }
    }

    /// Where the table waits for a Portal out of turn: a moment, then the others go on.
    fn leave_open(&self) {
        if !self.with_table(|table| table.open).unwrap_or(false) {
            return;
        }
        let moment = (1400.0 * self.settings().tempo()).max(300.0) as u64;
        let timer = glib::timeout_add_local_once(
            Duration::from_millis(moment),
            glib::clone!(
                #[weak(rename_to = session)]
                self,
                move || {
                    session.imp().closing.take();
                    session.go_on();
                }
            ),
        );
        self.imp().closing.replace(Some(timer));
    }

    /// No Portal: the others may go on. Once for each time that the table stands open.
    fn go_on(&self) {
        let open = match self.imp().table.borrow_mut().as_mut() {
            Some(table) => std::mem::take(&mut table.open),
            None => false,
        };
        if open {
            self.send(Command::GoOn);
        }
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
            self.log().append(&LineModel::telling(event, &text, kind));
            self.set_banner(text);
        }
        imp.tricks.borrow_mut().hear(event, names.len());
        let played = |seat: Seat, card: Card| {
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
                imp.scored.borrow_mut().clear();
                self.set_round(u32::from(*round));
                self.set_pawn(u32::from(*pawn));
                for world in self.worlds().iter::<WorldModel>().flatten() {
                    mirror!(world, laid, set_laid, 0);
                    mirror!(world, destination, set_destination, false);
                }
                0
            }
            Event::TrickBegan { guide } => {
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
            Event::TrickEnded { .. } => {
                // Held for reading, whatever the pace of the rest.
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
                imp.scored.borrow_mut().push(event.clone());
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
    pub(super) fn remember_seats(&self) {
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
}
