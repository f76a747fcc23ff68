//! What a table can be waiting for, by kind: every kind of step of the protocol and every decision of the games.
//!
//! The kill matrix goes through all of them. Matches are without `_`: a new kind does not compile until it has its place here.

use shamans_core::deal::StepKind;
use shamans_core::game::{Awaits, DeckRequest, Game};
use shamans_core::shamans::{Decision, Shamans};
use shamans_core::table::Replica;

use crate::high_card::HighCard;

/// A kind of step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Commitments and keys.
    Keys,
    /// Shares of keys.
    Escrow,
    /// A turn in the shuffle.
    Shuffle,
    /// Slots are opened.
    Open,
    /// Cards are passed on.
    Pass,
    /// Hands are mixed.
    Remix,
    /// Seeds are revealed.
    Reveal,
    /// The game asks, by the name of its question.
    Asks(&'static str),
}

/// What every game has.
pub const DEALING: [Phase; 7] = [
    Phase::Keys,
    Phase::Escrow,
    Phase::Shuffle,
    Phase::Open,
    Phase::Pass,
    Phase::Remix,
    Phase::Reveal,
];

/// A game whose questions have names.
pub trait Asks: Game {
    /// All names.
    const QUESTIONS: &'static [&'static str];
    /// What it asks now, if it asks seats.
    fn question(&self) -> Option<&'static str>;
}

impl Asks for HighCard {
    const QUESTIONS: &'static [&'static str] = &["give", "play"];

    fn question(&self) -> Option<&'static str> {
        match self.awaits() {
            Awaits::Seats(seats) if seats.len() > 1 => Some("give"),
            Awaits::Seats(_) => Some("play"),
            Awaits::Decks(_) | Awaits::Nothing => None,
        }
    }
}

impl Asks for Shamans {
    const QUESTIONS: &'static [&'static str] = &[
        "play",
        "take",
        "stabilise",
        "permute",
        "strike",
        "order",
        "react",
        "give",
        "name guide",
    ];

    fn question(&self) -> Option<&'static str> {
        Some(match self.decision()? {
            Decision::Play { .. } => "play",
            Decision::Take { .. } => "take",
            Decision::Stabilise { .. } => "stabilise",
            Decision::Permute { .. } => "permute",
            Decision::Strike { .. } => "strike",
            Decision::Order { .. } => "order",
            Decision::React { .. } => "react",
            Decision::Give { .. } => "give",
            Decision::NameGuide { .. } => "name guide",
        })
    }
}

impl Phase {
    /// What the open step is; `None` when the game is over.
    pub fn of<G: Asks>(replica: &Replica<G>) -> Option<Phase> {
        match (replica.game().awaits(), replica.deal_step()) {
            (Awaits::Nothing, _) => None,
            (Awaits::Seats(_), _) => replica.game().question().map(Phase::Asks),
            (Awaits::Decks(_), None) => None,
            (Awaits::Decks(request), Some(step)) => Some(Phase::of_decks(request, step)),
        }
    }

    fn of_decks(request: &DeckRequest, step: StepKind) -> Phase {
        match (step, request) {
            (StepKind::Keys, _) => Phase::Keys,
            (StepKind::Escrow, _) => Phase::Escrow,
            (StepKind::Seed, _) => Phase::Reveal,
            (StepKind::Mix, DeckRequest::Shuffle { .. }) => Phase::Shuffle,
            (StepKind::Mix, DeckRequest::Remix { .. }) => Phase::Remix,
            (StepKind::Release, DeckRequest::Open { .. }) => Phase::Open,
            (StepKind::Release, DeckRequest::Pass { .. }) => Phase::Pass,
            (StepKind::Mix | StepKind::Release | StepKind::Claim | StepKind::Audit, request) => {
                panic!("{step:?} is no step of {request:?}")
            }
        }
    }
}
