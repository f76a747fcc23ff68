//! The toy game: it proves that a second game needs nothing but the seam.
//!
//! Everyone gets a hand, gives one card to the left, and plays the rest one by one; the highest card takes the trick. Whoever is not
//! to move may shout once a round, at any moment. Not a good game: it has every kind of deck request and a simultaneous
//! choice, an interrupt, phantoms and several rounds, so that everything below the rules can be tried on it.

use serde::{Deserialize, Serialize};
use shamans_core::game::{
    Audience, Awaits, Claim, Deck, DeckId, DeckOutcome, DeckRequest, Face, Game, Known, Remix,
    Seat, SeatSet, Slot,
};

/// How a table plays it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// Seats, 1 to 5.
    pub seats: u8,
    /// Cards in a hand, at least 2.
    pub hand: u8,
    /// Rounds.
    pub rounds: u8,
    /// Seats that nobody holds.
    pub phantoms: SeatSet,
}

/// A move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Action {
    /// Give this card to the left.
    Give(Slot),
    /// Play this card, which shows this.
    Play(Slot, Face),
    /// Shout.
    Shout,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// A new round.
    Round(u8),
    /// A card was chosen to be given.
    Chosen(Seat),
    /// A card was played: its number.
    Played(Seat, u8),
    /// A trick was taken.
    Taken(Seat),
    /// Somebody shouts.
    Shouted(Seat),
    /// The round counts for nothing.
    Voided,
    /// All cards were shown: the sum of what they show.
    Shown(u32),
}

/// Why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not now")]
pub struct Illegal;

#[derive(Debug, Clone, PartialEq)]
enum Stage {
    Shuffle,
    Deal,
    Give,
    Pass,
    Remix,
    Play,
    Turn,
    Reveal,
    Over,
}

/// The game's state.
#[derive(Debug, Clone, PartialEq)]
pub struct HighCard {
    setup: Setup,
    round: u8,
    sealed: SeatSet,
    stage: Stage,
    request: Option<DeckRequest>,
    hands: Vec<Vec<Slot>>,
    given: Vec<Option<Slot>>,
    turn: Seat,
    trick: Vec<(Seat, Face)>,
    shouted: SeatSet,
    points: Vec<u32>,
}

impl HighCard {
    fn n(&self) -> usize {
        usize::from(self.setup.seats)
    }

    fn all(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.setup.seats).map(Seat)
    }

    fn ask(&mut self, stage: Stage, request: DeckRequest) {
        self.stage = stage;
        self.request = Some(request);
    }

    fn begin(&mut self) {
        let size = u16::from(self.setup.seats) * u16::from(self.setup.hand);
        let request = DeckRequest::Shuffle {
            decks: vec![Deck {
                id: DeckId(0),
                size,
                first: Slot(0),
            }],
            sealed: self.sealed,
        };
        let hand = u16::from(self.setup.hand);
        self.hands = (0..u16::from(self.setup.seats))
            .map(|i| (0..hand).map(|j| Slot(i * hand + j)).collect())
            .collect();
        self.given = vec![None; self.n()];
        self.trick.clear();
        self.shouted = SeatSet::EMPTY;
        self.turn = Seat(self.round % self.setup.seats);
        self.ask(Stage::Shuffle, request);
    }

    fn choose_for_phantoms(&mut self) {
        for seat in self.all().filter(|&s| self.sealed.contains(s)) {
            let first = self.hands[seat.index()][0];
            self.given[seat.index()].get_or_insert(first);
        }
        if self.given.iter().all(Option::is_some) {
            let slots: Vec<(Slot, Seat)> = self
                .all()
                .filter_map(|s| Some((self.given[s.index()]?, s.left(self.n()))))
                .collect();
            let n = self.n();
            for &(slot, to) in &slots {
                self.hands[to.right(n).index()].retain(|&s| s != slot);
            }
            for &(slot, to) in &slots {
                self.hands[to.index()].push(slot);
            }
            self.ask(Stage::Pass, DeckRequest::Pass { slots });
        }
    }

    /// Whose turn it is, or the end of trick or round.
    fn next(&mut self, events: &mut Vec<Event>) {
        if self.trick.len() == self.n() {
            let best = self.trick.iter().max_by_key(|(_, face)| face.0);
            let winner = best.expect("a full trick").0;
            self.points[winner.index()] += 1;
            events.push(Event::Taken(winner));
            self.trick.clear();
            self.turn = winner;
        }
        if self.hands.iter().all(Vec::is_empty) {
            self.ask(Stage::Reveal, DeckRequest::Reveal);
        } else {
            self.turn_up();
        }
    }

    fn turn_up(&mut self) {
        self.stage = Stage::Play;
        if self.sealed.contains(self.turn) {
            let slot = self.hands[self.turn.index()][0];
            let slots = vec![(slot, Audience::All)];
            self.ask(Stage::Turn, DeckRequest::Open { slots });
        }
    }

    fn lay(&mut self, seat: Seat, slot: Slot, face: Face) -> Vec<Event> {
        self.hands[seat.index()].retain(|&s| s != slot);
        self.trick.push((seat, face));
        self.turn = seat.left(self.n());
        let mut events = vec![Event::Played(seat, face.0)];
        self.next(&mut events);
        events
    }

    /// Tricks taken by each seat, plus shouts.
    pub fn points(&self) -> &[u32] {
        &self.points
    }

    /// The hand of a seat, as slots.
    pub fn hand(&self, seat: Seat) -> &[Slot] {
        &self.hands[seat.index()]
    }
}

impl Game for HighCard {
    type Setup = Setup;
    type Action = Action;
    type Event = Event;
    type Illegal = Illegal;
    const NAME: &'static str = "high card 1";

    fn new(setup: &Setup) -> Result<HighCard, Illegal> {
        if !(1..=5).contains(&setup.seats)
            || !(2..=8).contains(&setup.hand)
            || setup.seats * setup.hand < 2
        {
            return Err(Illegal);
        }
        let mut game = HighCard {
            setup: setup.clone(),
            round: 0,
            sealed: setup.phantoms,
            stage: Stage::Shuffle,
            request: None,
            hands: Vec::new(),
            given: Vec::new(),
            turn: Seat(0),
            trick: Vec::new(),
            shouted: SeatSet::EMPTY,
            points: vec![0; usize::from(setup.seats)],
        };
        game.begin();
        Ok(game)
    }

    fn seats(&self) -> usize {
        self.n()
    }

    fn permanent_phantoms(&self) -> SeatSet {
        self.setup.phantoms
    }

    fn awaits(&self) -> Awaits<'_> {
        match (&self.stage, &self.request) {
            (Stage::Over, _) => Awaits::Nothing,
            (Stage::Give, _) => Awaits::Seats(
                self.all()
                    .filter(|seat| self.given[seat.index()].is_none())
                    .collect(),
            ),
            (_, Some(request)) => Awaits::Decks(request),
            (_, None) => Awaits::Seats(SeatSet::one(self.turn)),
        }
    }

    fn may_interrupt(&self) -> SeatSet {
        if self.stage == Stage::Play {
            let quiet = SeatSet::first(self.n()).minus(self.sealed);
            quiet.minus(self.shouted).without(self.turn)
        } else {
            SeatSet::EMPTY
        }
    }

    fn legal(&self, seat: Seat, known: &Known) -> Vec<Action> {
        let mut legal = Vec::new();
        if self.stage == Stage::Give && self.given[seat.index()].is_none() {
            legal.extend(self.hand(seat).iter().map(|&slot| Action::Give(slot)));
        }
        if self.stage == Stage::Play && self.turn == seat {
            let faces = self.hand(seat).iter();
            legal.extend(faces.filter_map(|&slot| Some(Action::Play(slot, known.face(slot)?))));
        }
        if self.may_interrupt().contains(seat) {
            legal.push(Action::Shout);
        }
        legal
    }

    fn claims(&self, _: Seat, action: &Action) -> Vec<Claim> {
        match *action {
            Action::Play(slot, face) => vec![Claim { slot, face }],
            Action::Give(_) | Action::Shout => Vec::new(),
        }
    }

    fn apply(&mut self, by: Seat, action: Action) -> Result<Vec<Event>, Illegal> {
        let hand = self.hands.get(by.index()).ok_or(Illegal)?;
        match action {
            Action::Give(slot) => {
                let asked = self.stage == Stage::Give && self.given[by.index()].is_none();
                if !asked || !hand.contains(&slot) {
                    return Err(Illegal);
                }
                self.given[by.index()] = Some(slot);
                self.choose_for_phantoms();
                Ok(vec![Event::Chosen(by)])
            }
            Action::Play(slot, face) => {
                if self.stage != Stage::Play || self.turn != by || !hand.contains(&slot) {
                    return Err(Illegal);
                }
                Ok(self.lay(by, slot, face))
            }
            Action::Shout => {
                if !self.may_interrupt().contains(by) {
                    return Err(Illegal);
                }
                self.shouted = self.shouted.with(by);
                self.points[by.index()] += 1;
                Ok(vec![Event::Shouted(by)])
            }
        }
    }

    fn supply(&mut self, outcome: DeckOutcome) -> Result<Vec<Event>, Illegal> {
        let mut events = Vec::new();
        match (self.stage.clone(), outcome) {
            (Stage::Shuffle, DeckOutcome::Shuffled) => {
                events.push(Event::Round(self.round));
                let slots = self
                    .all()
                    .filter(|&seat| !self.sealed.contains(seat))
                    .flat_map(|seat| {
                        let hand = self.hands[seat.index()].clone();
                        hand.into_iter()
                            .map(move |slot| (slot, Audience::One(seat)))
                    })
                    .collect();
                self.ask(Stage::Deal, DeckRequest::Open { slots });
            }
            (Stage::Deal, DeckOutcome::Opened(_)) => {
                self.request = None;
                self.stage = Stage::Give;
                self.choose_for_phantoms();
            }
            (Stage::Pass, DeckOutcome::Passed) => {
                let mut into = u16::from(self.setup.seats) * u16::from(self.setup.hand);
                let mut hands = Vec::new();
                for seat in self.all() {
                    let from = self.hands[seat.index()].clone();
                    let first = Slot(into);
                    into += from.len() as u16;
                    self.hands[seat.index()] = (0..from.len()).map(|i| first.after(i)).collect();
                    hands.push(Remix {
                        seat,
                        from,
                        into: first,
                    });
                }
                self.ask(Stage::Remix, DeckRequest::Remix { hands });
            }
            (Stage::Remix, DeckOutcome::Remixed) => {
                self.request = None;
                self.turn_up();
            }
            (Stage::Turn, DeckOutcome::Opened(faces)) => {
                let &face = faces.first().ok_or(Illegal)?;
                let slot = self.hands[self.turn.index()][0];
                self.request = None;
                events = self.lay(self.turn, slot, face);
            }
            (Stage::Reveal, DeckOutcome::Revealed(faces)) => {
                self.request = None;
                let sum = faces.iter().flatten().map(|face| u32::from(face.0)).sum();
                events.push(Event::Shown(sum));
                self.round += 1;
                if self.round == self.setup.rounds {
                    self.stage = Stage::Over;
                } else {
                    self.begin();
                }
            }
            _ => return Err(Illegal),
        }
        Ok(events)
    }

    fn stand_in(&mut self, seat: Seat) -> Result<Vec<Event>, Illegal> {
        if self.stage == Stage::Over || self.sealed.contains(seat) || seat.index() >= self.n() {
            return Err(Illegal);
        }
        self.sealed = self.sealed.with(seat);
        match self.stage {
            Stage::Shuffle => self.begin(),
            Stage::Give => self.choose_for_phantoms(),
            Stage::Play if self.turn == seat => self.turn_up(),
            Stage::Play
            | Stage::Deal
            | Stage::Pass
            | Stage::Remix
            | Stage::Turn
            | Stage::Reveal
            | Stage::Over => {}
        }
        Ok(Vec::new())
    }

    fn take_back(&mut self, seat: Seat) -> Result<Vec<Event>, Illegal> {
        if self.stage == Stage::Over || !self.sealed.contains(seat) {
            return Err(Illegal);
        }
        self.sealed = self.sealed.without(seat);
        if self.stage == Stage::Shuffle {
            self.begin();
        }
        Ok(Vec::new())
    }

    fn void_round(&mut self) -> Result<Vec<Event>, Illegal> {
        if self.stage == Stage::Over {
            return Err(Illegal);
        }
        self.begin();
        Ok(vec![Event::Voided])
    }
}
