//! The rules of *Shamans* (`core/docs/rules.md`), as a [`Game`] of public state.
//!
//! Hidden cards are slots here; what they show is in each seat's `Known`. Rule ids stand at the code that carries a rule out.
//! A move is checked whole before anything changes; then it and all that follows from it is worked off as a stack of tasks, until
//! somebody must decide or the decks must answer.

use alloc::vec::Vec;

use arrayvec::ArrayVec;

use crate::game::{Awaits, Claim, DeckOutcome, DeckRequest, Game, Known, PerSeat, Seat, SeatSet};

pub mod action;
mod artefacts;
pub mod card;
pub mod data;
mod eclipse;
mod elimination;
pub mod event;
pub mod imagine;
mod legal;
mod phantom;
mod portals;
pub mod position;
mod rituals;
mod round;
mod scoring;
pub mod setup;
pub mod state;
mod trick;
pub mod view;

pub use action::{Action, Illegal, Pick};
pub use card::{Artefact, Card, Ritual, Role, Side, Values, Way, World};
pub use data::{Data, DataError};
pub use event::Event;
pub use setup::{DeckKind, Rules, Setup};
pub use state::{Decision, Moment};
pub use view::View;

use state::{Phase, Round, Task, Then};

/// More tasks than can ever wait at once: every open elimination, ritual and reaction of a turn.
const MAX_TASKS: usize = 32;

/// A game of Shamans: all that is public about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shamans {
    rules: Rules,
    /// Seats that no person ever holds.
    phantoms: SeatSet,
    /// Seats whose player is away.
    absent: SeatSet,
    /// From 1 on.
    number: u16,
    /// Who led the first trick of this round, once drawn (SET-6).
    first_guide: Option<Seat>,
    points: PerSeat<u16>,
    /// Points when this round began: what a void goes back to (PHA-5).
    points_before: PerSeat<u16>,
    round: Round,
    tasks: ArrayVec<Task, MAX_TASKS>,
    phase: Phase,
}

impl Shamans {
    /// The numbers of this table.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What one seat sees, or a spectator who sits nowhere.
    pub fn view<'a>(&'a self, seat: Option<Seat>, known: &'a Known) -> View<'a> {
        View::new(self, seat, known)
    }

    /// What is being decided, if the game waits for seats.
    pub fn decision(&self) -> Option<&Decision> {
        match &self.phase {
            Phase::Deciding(decision) => Some(decision),
            Phase::Running | Phase::Asking { .. } | Phase::Over => None,
        }
    }

    /// Seats that nobody holds now: permanent phantoms, those away, and those who were away when this round was dealt.
    pub fn phantoms(&self) -> SeatSet {
        self.phantoms.or(self.absent).or(self.round.sealed)
    }

    /// Seats not eliminated.
    pub fn in_play(&self) -> SeatSet {
        self.rules
            .everyone()
            .iter()
            .filter(|&seat| !self.round.places[seat].eliminated)
            .collect()
    }

    fn push(&mut self, task: Task) {
        self.tasks.push(task);
    }

    fn decide(&mut self, decision: Decision) {
        self.phase = Phase::Deciding(decision);
    }

    fn ask(&mut self, request: DeckRequest, then: Then) {
        self.phase = Phase::Asking { request, then };
    }

    /// Works off tasks until the decks or a person are awaited.
    fn run(&mut self, events: &mut Vec<Event>) {
        loop {
            match &self.phase {
                Phase::Running => match self.tasks.pop() {
                    Some(task) => self.perform(task, events),
                    None => unreachable!("a round goes on until its end asks for the reveal"),
                },
                Phase::Deciding(decision) => {
                    match decision.seats().and(self.phantoms()).iter().next() {
                        Some(phantom) => self.decide_for(phantom, *decision, events),
                        None => return,
                    }
                }
                Phase::Asking { .. } | Phase::Over => return,
            }
        }
    }

    fn perform(&mut self, task: Task, events: &mut Vec<Event>) {
        match task {
            Task::NextTurn => self.next_turn(events),
            Task::Moment(moment) => self.reach_moment(moment),
            Task::Advance(steps, cause) => self.advance(steps, cause, events),
            Task::LayStray => self.lay_stray(events),
            Task::Ritual(seat, world) => self.begin_ritual(seat, world, events),
            Task::Rituals(seat, worlds) => self.choose_ritual(seat, worlds),
            Task::Take(seat) => self.offer_artefact(seat, events),
            Task::Refill(gap) => self.refill(gap),
            Task::Unmask(seat) => self.unmask(seat),
            Task::Eclipse => self.begin_eclipse(events),
            Task::Eliminate { by, target } => self.eliminate(by, target, events),
            Task::Collect(highest) => self.collect(highest, events),
            Task::NextTrick(guide) => self.next_trick(guide, events),
            Task::OutOfCards => self.end_round(Role::Shaman, event::EndCause::NoCards, events),
        }
    }

    /// Carries out an action that was checked.
    fn carry_out(&mut self, by: Seat, action: Action, events: &mut Vec<Event>) {
        match action {
            Action::Play { slot, card } => self.play(by, slot, card, events),
            Action::Take(pick) => self.take(by, pick, events),
            Action::MoveBack => self.move_back(by, events),
            Action::TakeInstead => self.resume_with(Task::Take(by)),
            Action::Swap { with } => self.swap(by, with, events),
            Action::Strike {
                tile,
                face: _,
                target,
            } => self.strike(by, tile, target, events),
            Action::Spare => {
                events.push(Event::Spared { seat: by });
                self.phase = Phase::Running;
            }
            Action::Portal { tile, face: _, way } => self.use_portal(by, tile, way, events),
            Action::Decline => {
                events.push(Event::Declined { seat: by });
                self.ask_next_for_portal();
            }
            Action::Give { slot } => self.give(by, slot, events),
            Action::Perform { world } => self.perform_ritual(by, world),
            Action::NameGuide { seat } => {
                events.push(Event::GuideNamed { by, seat });
                self.begin_trick(seat, events);
            }
        }
    }

    /// [`Game::apply`] that appends to a list kept from move to move.
    pub fn apply_into(
        &mut self,
        by: Seat,
        action: Action,
        events: &mut Vec<Event>,
    ) -> Result<(), Illegal> {
        self.check(by, &action)?;
        self.carry_out(by, action, events);
        self.run(events);
        Ok(())
    }

    fn resume_with(&mut self, task: Task) {
        self.phase = Phase::Running;
        self.push(task);
    }
}

impl Game for Shamans {
    type Setup = Setup;
    type Action = Action;
    type Event = Event;
    type Illegal = Illegal;

    const NAME: &'static str = "shamans/1";

    fn new(setup: &Setup) -> Result<Shamans, Illegal> {
        let rules = Rules::new(setup)?;
        let mut game = Shamans {
            rules,
            phantoms: setup.phantoms,
            absent: SeatSet::EMPTY,
            number: 0,
            first_guide: None,
            points: PerSeat::default(),
            points_before: PerSeat::default(),
            round: Round::empty(&rules),
            tasks: ArrayVec::new(),
            phase: Phase::Running,
        };
        game.begin_round();
        Ok(game)
    }

    fn seats(&self) -> usize {
        self.rules.seats()
    }

    fn permanent_phantoms(&self) -> SeatSet {
        self.phantoms
    }

    fn awaits(&self) -> Awaits<'_> {
        match &self.phase {
            Phase::Asking { request, then: _ } => Awaits::Decks(request),
            Phase::Deciding(decision) => Awaits::Seats(decision.seats()),
            Phase::Over => Awaits::Nothing,
            Phase::Running => unreachable!("run leaves no task undone"),
        }
    }

    fn may_interrupt(&self) -> SeatSet {
        match &self.phase {
            Phase::Deciding(_) => self.may_use_portal(),
            Phase::Running | Phase::Asking { .. } | Phase::Over => SeatSet::EMPTY,
        }
    }

    fn legal(&self, seat: Seat, known: &Known) -> Vec<Action> {
        let mut actions = Vec::new();
        self.legal_into(seat, known, &mut actions);
        actions
    }

    fn claims(&self, by: Seat, action: &Action) -> Vec<Claim> {
        self.claim(by, action).into_iter().collect()
    }

    fn apply(&mut self, by: Seat, action: Action) -> Result<Vec<Event>, Illegal> {
        let mut events = Vec::with_capacity(4);
        self.apply_into(by, action, &mut events)?;
        Ok(events)
    }

    fn supply(&mut self, outcome: DeckOutcome) -> Result<Vec<Event>, Illegal> {
        let mut events = Vec::new();
        self.supply_into(outcome, &mut events)?;
        Ok(events)
    }

    fn supply_into(
        &mut self,
        outcome: DeckOutcome,
        events: &mut Vec<Event>,
    ) -> Result<(), Illegal> {
        self.take_outcome(outcome, events)?;
        self.run(events);
        Ok(())
    }

    // PHA-4
    fn stand_in(&mut self, seat: Seat) -> Result<Vec<Event>, Illegal> {
        self.check_seat(seat)?;
        if self.phase == Phase::Over {
            return Err(Illegal::GameOver);
        }
        if self.phantoms.or(self.absent).contains(seat) {
            return Err(Illegal::NotAway);
        }
        self.absent = self.absent.with(seat);
        let mut events = Vec::from([Event::StoodIn { seat }]);
        self.run(&mut events);
        Ok(events)
    }

    // PHA-4: a round that was dealt without the player stays sealed; the seat is theirs again from the next deal on.
    fn take_back(&mut self, seat: Seat) -> Result<Vec<Event>, Illegal> {
        self.check_seat(seat)?;
        if self.phase == Phase::Over {
            return Err(Illegal::GameOver);
        }
        if !self.absent.contains(seat) {
            return Err(Illegal::NotAway);
        }
        self.absent = self.absent.without(seat);
        Ok(Vec::from([Event::CameBack { seat }]))
    }

    // PHA-5
    fn void_round(&mut self) -> Result<Vec<Event>, Illegal> {
        if self.phase == Phase::Over {
            return Err(Illegal::GameOver);
        }
        self.points = self.points_before;
        self.number -= 1;
        self.begin_round();
        Ok(Vec::from([Event::RoundVoided]))
    }
}
