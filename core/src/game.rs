//! The seam between a game's rules and everything else: who sits where, what the game waits for, and how it asks for
//! cards that nobody may see.
//!
//! A [`Game`] is public state only: every peer replays the same inputs into an equal value. Hidden cards are [`Slot`]s;
//! what a slot shows is known to the seats it was opened to and stands in their [`Known`], never in the game.
//! Chance is an input: the game asks with [`DeckRequest`] and goes on when [`DeckOutcome`] arrives. Who answers
//! (the clear-text dealer of tests and simulation, or sealed decks between peers) is not the game's business.

use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

mod seats;
pub use seats::{MAX_SEATS, PerSeat, Seat, SeatSet};

mod dealer;
pub use dealer::{ClearDealer, DealerError};

/// Which of a round's decks: faces of different decks are different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DeckId(pub u8);

/// One place for a card in a deal. Numbers are given out by the game, are unique within a deal and start anew with the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Slot(pub u16);

impl Slot {
    /// The slot `n` places after this one.
    pub const fn after(self, n: usize) -> Slot {
        Slot(self.0 + n as u16)
    }
}

/// What a slot shows: the number of a card within its deck. `Debug` hides it, since most faces are somebody's secret.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Face(pub u8);

impl fmt::Debug for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Face(..)")
    }
}

/// A deck to shuffle: faces `0..size` come to lie in random order in the slots from `first` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deck {
    /// Its name within the round.
    pub id: DeckId,
    /// How many cards, 2 to 256 (a deck of one needs no shuffle).
    pub size: u16,
    /// Its first slot.
    pub first: Slot,
}

/// Who gets to see a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Audience {
    /// Everyone: the face comes back in the outcome.
    All,
    /// One seat, which keeps the card: the face goes into that seat's [`Known`] only.
    One(Seat),
}

/// What a game asks of the decks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeckRequest {
    /// A new deal: fresh secrets, every deck of the round shuffled by everyone. `sealed` seats are phantoms: they hold no key,
    /// and what is dealt to them stays sealed to all.
    Shuffle {
        /// The decks, none twice, their slots not overlapping.
        decks: Vec<Deck>,
        /// Seats that no person holds.
        sealed: SeatSet,
    },
    /// Open slots, each to its audience. A slot that a seat holds can be opened to all by that seat; a sealed one by everyone together.
    Open {
        /// In the order in which the faces of those opened to all come back.
        slots: Vec<(Slot, Audience)>,
    },
    /// The holder hands each slot over to another seat; the giver still remembers it, the receiver learns it. Open slots are passed
    /// without a request: they are no secret.
    Pass {
        /// Slot and receiver.
        slots: Vec<(Slot, Seat)>,
    },
    /// Each listed hand is mixed by its holder (a phantom's by everyone), so that no one else can follow a card through it:
    /// the cards of the old slots come to lie in as many new ones.
    Remix {
        /// One hand each.
        hands: Vec<Remix>,
    },
    /// The round is over: all secrets of this deal are revealed and checked.
    Reveal,
}

/// One hand to be mixed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remix {
    /// Who holds it.
    pub seat: Seat,
    /// The old slots, in hand order.
    pub from: Vec<Slot>,
    /// The first of the new slots.
    pub into: Slot,
}

/// The public side of an answer to one [`DeckRequest`], of the same name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeckOutcome {
    /// All decks are shuffled.
    Shuffled,
    /// The faces of the slots that were opened to all, in request order.
    Opened(Vec<Face>),
    /// Receivers hold what was passed.
    Passed,
    /// The hands are mixed.
    Remixed,
    /// What every slot of the deal showed, by slot number; `None` where a secret was never revealed.
    Revealed(Vec<Option<Face>>),
}

/// What the game waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaits<'a> {
    /// An action from each of these seats. Others may act too if the game has them [`Game::may_interrupt`].
    Seats(SeatSet),
    /// An outcome for this request.
    Decks(&'a DeckRequest),
    /// Nothing: the game is over.
    Nothing,
}

/// A slot that an action opens to all, and the face its owner says it shows. Whoever deals checks the claim:
/// by looking (clear-text dealer) or by a proof that comes with the action (sealed decks).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Held by the acting seat.
    pub slot: Slot,
    /// What it shows.
    pub face: Face,
}

/// The faces that one seat has seen in private in the current deal, by slot. A seat forgets nothing it has passed on.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Known {
    faces: Vec<Option<Face>>,
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Known(..)")
    }
}

impl Known {
    /// Knows nothing.
    pub const fn new() -> Known {
        Known { faces: Vec::new() }
    }

    /// What `slot` shows, if this seat has seen it.
    pub fn face(&self, slot: Slot) -> Option<Face> {
        self.faces.get(usize::from(slot.0)).copied().flatten()
    }

    /// Remembers what `slot` shows.
    pub fn learn(&mut self, slot: Slot, face: Face) {
        let at = usize::from(slot.0);
        if self.faces.len() <= at {
            self.faces.resize(at + 1, None);
        }
        if let Some(place) = self.faces.get_mut(at) {
            *place = Some(face);
        }
    }

    /// All that is known, by slot.
    pub fn faces(&self) -> impl Iterator<Item = (Slot, Face)> {
        (0..)
            .map(Slot)
            .zip(&self.faces)
            .filter_map(|(slot, face)| Some((slot, (*face)?)))
    }

    /// Forgets everything: a new deal.
    pub fn clear(&mut self) {
        self.faces.clear();
    }
}

/// The rules of one game, as public state.
///
/// Every method is deterministic. `apply` and `supply` leave the state unchanged when they refuse.
pub trait Game: Clone + PartialEq + fmt::Debug {
    /// What the table agrees on before play: options and the numbers the rules take from data.
    type Setup: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned;
    /// What a seat wants to do.
    type Action: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned;
    /// A public fact that came of it.
    type Event: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned;
    /// Why a move is refused.
    type Illegal: core::error::Error + Clone + PartialEq;

    /// Names the game and its rules version in the first log entry; two games never share one.
    const NAME: &'static str;

    /// A new game, or why this set-up makes none.
    fn new(setup: &Self::Setup) -> Result<Self, Self::Illegal>;
    /// How many seats the table has.
    fn seats(&self) -> usize;
    /// Seats that the set-up gives to no person, for the whole game. The table sees to it that exactly these have no key.
    fn permanent_phantoms(&self) -> SeatSet;
    /// What the game waits for now.
    fn awaits(&self) -> Awaits<'_>;
    /// Seats that may act now although they are not awaited. Depends on public state only.
    fn may_interrupt(&self) -> SeatSet;
    /// All that `seat` may do now, as far as it knows its cards.
    fn legal(&self, seat: Seat, known: &Known) -> Vec<Self::Action>;
    /// The slots this action opens to all, with the faces it claims. Checked by the dealing side before `apply`.
    fn claims(&self, by: Seat, action: &Self::Action) -> Vec<Claim>;
    /// Carries out an action whose claims hold.
    fn apply(&mut self, by: Seat, action: Self::Action) -> Result<Vec<Self::Event>, Self::Illegal>;
    /// Goes on with the answer to the request in [`Awaits::Decks`].
    fn supply(&mut self, outcome: DeckOutcome) -> Result<Vec<Self::Event>, Self::Illegal>;
    /// [`Game::supply`] that appends to a list kept from one answer to the next: for whoever plays millions of games.
    fn supply_into(
        &mut self,
        outcome: DeckOutcome,
        events: &mut Vec<Self::Event>,
    ) -> Result<(), Self::Illegal> {
        events.extend(self.supply(outcome)?);
        Ok(())
    }
    /// From now on nobody holds `seat` (refused once the game is over, as the two below): its decisions are the game's fixed ones.
    fn stand_in(&mut self, seat: Seat) -> Result<Vec<Self::Event>, Self::Illegal>;
    /// The player of `seat` is back.
    fn take_back(&mut self, seat: Seat) -> Result<Vec<Self::Event>, Self::Illegal>;
    /// The round counts for nothing and is dealt again.
    fn void_round(&mut self) -> Result<Vec<Self::Event>, Self::Illegal>;
}
