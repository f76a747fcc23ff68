//! A whole game in one hand: rules, clear-text dealer and randomness together, every input noted so that it can be played again.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shamans_core::{
    game::{
        Audience, Awaits, ClearDealer, DeckId, DeckOutcome, DeckRequest, Face, Game, Seat, SeatSet,
        Slot,
    },
    shamans::{Action, Event, Setup, Shamans},
};

/// One input of a game.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A seat acted.
    Act(Seat, Action),
    /// The decks answered.
    Decks(DeckOutcome),
    /// A player went away.
    Away(Seat),
    /// And came back.
    Back(Seat),
    /// The round was voided.
    Void,
}

/// A game being played.
#[derive(Debug, Clone)]
pub struct Play {
    /// Public state.
    pub game: Shamans,
    /// Everyone's cards.
    pub dealer: ClearDealer,
    /// What happened so far.
    pub events: Vec<Event>,
    /// What made it happen.
    pub inputs: Vec<Input>,
    /// Slots of the current deal that everyone has seen.
    pub open: Vec<Slot>,
    /// Where the current deal lies in `inputs` and `events`.
    pub deal_start: (usize, usize),
    /// Chance and choice apart, so that other choices do not change the deal.
    chance: ChaCha8Rng,
    choice: ChaCha8Rng,
    /// Faces that the next shuffle is to give, for a re-dealt game.
    stacked: Option<Vec<(Slot, Face)>>,
}

impl Play {
    /// A new game, dealt as far as the first decision.
    pub fn new(setup: &Setup, seed: u64) -> Play {
        Play::stacked(setup, seed, None)
    }

    /// The same with the faces of the first deal given.
    pub fn stacked(setup: &Setup, seed: u64, stacked: Option<Vec<(Slot, Face)>>) -> Play {
        let game = Shamans::new(setup).expect("a sound set-up");
        let dealer = ClearDealer::new(game.seats());
        let mut play = Play {
            game,
            dealer,
            events: Vec::new(),
            inputs: Vec::new(),
            open: Vec::new(),
            deal_start: (0, 0),
            chance: ChaCha8Rng::seed_from_u64(seed),
            choice: ChaCha8Rng::seed_from_u64(!seed),
            stacked,
        };
        play.serve();
        play
    }

    /// Answers the decks until a seat is awaited or the game is over.
    pub fn serve(&mut self) {
        while let Awaits::Decks(request) = self.game.awaits() {
            let request = request.clone();
            let outcome = self
                .dealer
                .answer(&request, &mut self.chance)
                .expect("the game asks for slots of its deal");
            match &request {
                DeckRequest::Shuffle { .. } => {
                    for (slot, face) in self.stacked.take().into_iter().flatten() {
                        self.dealer.place(slot, face);
                    }
                    self.open.clear();
                    self.deal_start = (self.inputs.len(), self.events.len());
                }
                DeckRequest::Open { slots } => {
                    let to_all = slots
                        .iter()
                        .filter(|(_, audience)| *audience == Audience::All);
                    self.open.extend(to_all.map(|(slot, _)| *slot));
                }
                DeckRequest::Pass { .. } | DeckRequest::Remix { .. } | DeckRequest::Reveal => {}
            }
            self.inputs.push(Input::Decks(outcome.clone()));
            self.events.extend(
                self.game
                    .supply(outcome)
                    .expect("an answer of the right kind"),
            );
        }
    }

    /// Acts, with the claims checked as a table would.
    pub fn act(&mut self, seat: Seat, action: Action) {
        let claims = self.game.claims(seat, &action);
        self.dealer.check(&claims).expect("a true claim");
        self.open.extend(claims.iter().map(|claim| claim.slot));
        self.inputs.push(Input::Act(seat, action));
        self.events
            .extend(self.game.apply(seat, action).expect("a legal action"));
        self.serve();
    }

    /// All seats that can do something now.
    pub fn actors(&self) -> SeatSet {
        let Awaits::Seats(seats) = self.game.awaits() else {
            return SeatSet::EMPTY;
        };
        seats.or(self.game.may_interrupt())
    }

    /// What `seat` may do.
    pub fn legal(&self, seat: Seat) -> Vec<Action> {
        self.game.legal(seat, self.dealer.known(seat))
    }

    /// Somebody who can does something: mostly who is awaited, sometimes an interrupting portal. `false`: the game is over.
    pub fn random_step(&mut self) -> bool {
        let Awaits::Seats(awaited) = self.game.awaits() else {
            return false;
        };
        let seats = if self.choice.random_ratio(1, 16) {
            self.actors()
        } else {
            awaited
        };
        let seats: Vec<Seat> = seats.iter().collect();
        let seat = seats[self.choice.random_range(0..seats.len())];
        let actions = self.legal(seat);
        if let Some(&action) = actions.get(self.choice.random_range(0..actions.len().max(1))) {
            self.act(seat, action);
        }
        true
    }

    /// Now and then somebody goes away, comes back, or the round is voided. Keeps one person at the table.
    pub fn random_absence(&mut self) {
        let seats = self.game.seats();
        let seat = Seat(self.choice.random_range(0..seats as u8));
        let (events, input) = match self.choice.random_range(0..200) {
            0 if self.game.phantoms().len() + 1 < seats => {
                (self.game.stand_in(seat), Input::Away(seat))
            }
            1 | 2 => (self.game.take_back(seat), Input::Back(seat)),
            3 if self.choice.random_ratio(1, 8) => (self.game.void_round(), Input::Void),
            _ => return,
        };
        if let Ok(events) = events {
            self.events.extend(events);
            self.inputs.push(input);
            self.serve();
        }
    }

    /// All faces of one deck that `seat` has seen in this deal, by whatever slot.
    pub fn seen_faces(&self, deck: DeckId, seat: Seat) -> Vec<Face> {
        let rules = self.game.rules();
        let of_deck = |slot: Slot| rules.deck_of(slot).map_or(0, |kind| kind.id().0) == deck.0;
        let slots = (0..self.game.slots() as u16)
            .map(Slot)
            .filter(|&slot| of_deck(slot));
        let public = self
            .open
            .iter()
            .filter(|&&slot| of_deck(slot))
            .filter_map(|&slot| self.dealer.face(slot));
        slots
            .filter_map(|slot| self.dealer.known(seat).face(slot))
            .chain(public)
            .collect()
    }
}

/// Plays inputs again from the start.
pub fn replay(setup: &Setup, inputs: &[Input]) -> (Shamans, Vec<Event>) {
    let mut game = Shamans::new(setup).expect("a sound set-up");
    let mut events = Vec::new();
    for input in inputs {
        let more = match input.clone() {
            Input::Act(seat, action) => game.apply(seat, action),
            Input::Decks(outcome) => game.supply(outcome),
            Input::Away(seat) => game.stand_in(seat),
            Input::Back(seat) => game.take_back(seat),
            Input::Void => game.void_round(),
        };
        events.extend(more.expect("what was accepted once is accepted again"));
    }
    (game, events)
}
