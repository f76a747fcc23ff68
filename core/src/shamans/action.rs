//! What a seat can want, and why it may be refused.

use serde::{Deserialize, Serialize};

use super::card::{Card, Way, World};
use crate::game::{Face, Seat, Slot};

/// An artefact to take (ART-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Pick {
    /// The face-up tile at this place.
    FaceUp(u8),
    /// The top of the pile.
    Pile,
}

/// What a seat wants to do. None of it is words: talk stays outside the game (TLK-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    /// TRK-1, TRK-2: play the card in this slot of the hand.
    Play {
        /// Where it is.
        slot: Slot,
        /// What it is.
        card: Card,
    },
    /// ART-1: take an artefact.
    Take(Pick),
    /// RIT-1: move the pawn back.
    MoveBack,
    /// RIT-1: take an artefact instead.
    TakeInstead,
    /// RIT-2: swap identities with this seat.
    Swap {
        /// Whom.
        with: Seat,
    },
    /// RIT-4: discard a dagger and eliminate.
    Strike {
        /// The dagger.
        tile: Slot,
        /// What a face-down tile shows; nothing for a face-up one.
        face: Option<Face>,
        /// Whom.
        target: Seat,
    },
    /// RIT-4: keep face-down tiles down.
    Spare,
    /// POR-1: discard a portal and move the pawn.
    Portal {
        /// The portal.
        tile: Slot,
        /// What a face-down tile shows; nothing for a face-up one.
        face: Option<Face>,
        /// Which way.
        way: Way,
    },
    /// POR-3: use no portal.
    Decline,
    /// ECL-2: pass the card in this slot.
    Give {
        /// Where it is.
        slot: Slot,
    },
    /// ELI-4: perform this world's ritual next.
    Perform {
        /// Which.
        world: World,
    },
    /// TRK-9: name the next Guide.
    NameGuide {
        /// Whom.
        seat: Seat,
    },
}

/// Why a move is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// SET-1, PHA-1, or data that is not sound.
    #[error(
        "this set-up makes no game: it takes 3 to 5 seats, at least one of them a person's, and sound data"
    )]
    BadSetup,
    /// There is no such seat.
    #[error("there is no seat {}", .0.0)]
    NoSuchSeat(Seat),
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// Cards are being dealt, opened or passed.
    #[error("the cards are on their way: nobody can act until they have arrived")]
    CardsUnderway,
    /// Somebody else is awaited.
    #[error("it is not this seat's turn")]
    NotAwaited,
    /// The seat is awaited for something else.
    #[error("this seat has something else to decide now")]
    OtherDecision,
    /// PHA-2: a phantom's choices are fixed.
    #[error("nobody holds this seat: a phantom plays it")]
    Phantom,
    /// The card is not in the hand.
    #[error("this card is not in the hand")]
    NotInHand,
    /// The face named cannot be what the slot shows.
    #[error("there is no such card")]
    NoSuchCard,
    /// ART-4: there is no such tile to take.
    #[error("there is no tile to take there")]
    NoTileThere,
    /// The tile is not in front of this seat.
    #[error("this tile does not lie in front of the seat")]
    NotYourTile,
    /// RIT-4 takes a dagger.
    #[error("this tile is not a Ritual Dagger")]
    NotADagger,
    /// POR-1 takes a portal.
    #[error("this tile is not a Portal")]
    NotAPortal,
    /// RIT-4: a face-up dagger must be used, and it before any face-down one.
    #[error("a face-up Ritual Dagger must be used")]
    MustUseFaceUp,
    /// A player cannot choose themselves here.
    #[error("a player cannot choose themselves")]
    Oneself,
    /// ELI-1: out until the round ends.
    #[error("an eliminated player is out until the round ends")]
    Eliminated,
    /// The pawn is on the first space and cannot go back.
    #[error("the pawn is on the first space and cannot go back")]
    AtStart,
    /// ELI-4: this world's ritual is not among those to perform.
    #[error("this world's ritual is not to be performed now")]
    NoSuchRitual,
    /// The answer does not fit what the game asked the decks.
    #[error("this is no answer to what the game asked of the decks")]
    WrongOutcome,
    /// PHA-4: this seat is not one that can be stood in for or come back.
    #[error("this seat is not away, or is away already")]
    NotAway,
}
