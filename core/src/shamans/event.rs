//! What happened, as public facts. Everyone gets the same events; what only one seat learns is in its `Known`.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::{
    action::Pick,
    card::{Artefact, Card, Ritual, Role, Side, Way, World},
};
use crate::game::{Seat, SeatSet};

/// Why the pawn moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PawnCause {
    /// TRK-4: a card of another world than the Destination.
    Stray,
    /// ELI-2: a Shaman was eliminated.
    Elimination,
    /// POR-1.
    Portal,
    /// RIT-1.
    Stabilisation,
}

/// Why a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndCause {
    /// END-1.
    Moon,
    /// END-2.
    LastShadow,
    /// END-3.
    NoCards,
}

/// What points were for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PointCause {
    /// RIT-3.
    Illumination,
    /// END-5: a Shaman of the winning team.
    Shaman,
    /// END-5: a Shadow of the winning team.
    Shadow,
    /// ART-6.
    Moonstones,
}

/// A public fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A new round is dealt (END-7); these seats are phantoms now.
    RoundBegan {
        /// From 1 on.
        round: u16,
        /// Where the pawn starts.
        pawn: u8,
        /// Seats that no person holds.
        phantoms: SeatSet,
    },
    /// SET-5: a left-over card lies at its world.
    LeftOver {
        /// Which.
        card: Card,
    },
    /// A tile lies face up to be taken (SET-3, ART-2).
    Offered {
        /// At which place.
        place: u8,
        /// What.
        artefact: Artefact,
    },
    /// SET-6: drawn as first Guide of the game.
    GuideDrawn {
        /// Who.
        seat: Seat,
    },
    /// A trick begins.
    TrickBegan {
        /// Who leads.
        guide: Seat,
    },
    /// TRK-1.
    Led {
        /// Who.
        seat: Seat,
        /// What.
        card: Card,
    },
    /// TRK-3: a card of the Destination.
    Followed {
        /// Who.
        seat: Seat,
        /// What.
        card: Card,
    },
    /// TRK-4: a card of another world.
    Strayed {
        /// Who.
        seat: Seat,
        /// What.
        card: Card,
    },
    /// The pawn went.
    PawnMoved {
        /// From this space.
        from: u8,
        /// To this.
        to: u8,
        /// Why.
        cause: PawnCause,
    },
    /// A card was laid to its world.
    Laid {
        /// Which.
        card: Card,
    },
    /// TRK-5: a world is complete and its ritual begins.
    RitualBegan {
        /// Who performs it.
        seat: Seat,
        /// Which world.
        world: World,
        /// Which ritual.
        ritual: Ritual,
    },
    /// The ritual had no effect: nobody to choose, no tile to use.
    RitualIdle {
        /// Who performed it.
        seat: Seat,
        /// Which.
        ritual: Ritual,
    },
    /// ART-2, ART-3: took a tile; `None` face down.
    Took {
        /// Who.
        seat: Seat,
        /// From where.
        from: Pick,
        /// What, if it lies face up.
        artefact: Option<Artefact>,
    },
    /// ART-4: no tile is left.
    NothingToTake {
        /// Who would have taken.
        seat: Seat,
    },
    /// An identity lies face up (ART-5, ELI-1, END-5).
    Unmasked {
        /// Whose.
        seat: Seat,
        /// What.
        role: Role,
    },
    /// ECL-1: the Eclipse shows.
    EclipseBegan {
        /// Who passes a card; fewer than two: nothing happens.
        seats: SeatSet,
        /// Which way, if it matters.
        side: Option<Side>,
    },
    /// ECL-2: this seat has chosen.
    Chose {
        /// Who.
        seat: Seat,
    },
    /// ECL-2: the cards are passed and the hands mixed (ECL-3).
    CardsPassed {
        /// Who took part.
        seats: SeatSet,
        /// Which way.
        side: Side,
    },
    /// RIT-2: identities swapped.
    Swapped {
        /// Who.
        seat: Seat,
        /// With whom.
        with: Seat,
    },
    /// RIT-4: a dagger is discarded and a target named.
    Struck {
        /// Who.
        seat: Seat,
        /// Whom.
        target: Seat,
    },
    /// RIT-4: declined.
    Spared {
        /// Who.
        seat: Seat,
    },
    /// ELI-1.
    Eliminated {
        /// Who.
        seat: Seat,
        /// By whom.
        by: Seat,
        /// As what.
        role: Role,
        /// Cards in hand.
        cards: u8,
    },
    /// ELI-4: this hand is shown and goes to the worlds.
    HandShown {
        /// Whose.
        seat: Seat,
        /// What.
        cards: Vec<Card>,
    },
    /// POR-3.
    Declined {
        /// Who.
        seat: Seat,
    },
    /// POR-1.
    PortalUsed {
        /// Who.
        seat: Seat,
        /// Which way.
        way: Way,
    },
    /// TRK-7, TRK-8, TRK-9: the trick is over.
    TrickEnded {
        /// Who takes an artefact.
        lowest: Option<Seat>,
        /// Who places the cards and leads next.
        highest: Option<Seat>,
    },
    /// TRK-9.
    GuideNamed {
        /// Who named.
        by: Seat,
        /// Whom.
        seat: Seat,
    },
    /// The round is over.
    RoundEnded {
        /// Which team won.
        winner: Role,
        /// Why.
        cause: EndCause,
    },
    /// A face-down tile is turned up when the round ends.
    TileShown {
        /// Whose.
        seat: Seat,
        /// What.
        artefact: Artefact,
    },
    /// Points.
    Scored {
        /// Who.
        seat: Seat,
        /// How many.
        points: u8,
        /// What for.
        cause: PointCause,
    },
    /// The cards that were never played, opened after the reveal.
    HandOpened {
        /// Whose.
        seat: Seat,
        /// What.
        cards: Vec<Card>,
    },
    /// END-6: tied at the top, so it goes on.
    Tied {
        /// Who.
        seats: SeatSet,
    },
    /// END-6.
    GameEnded {
        /// Who won.
        winner: Seat,
    },
    /// PHA-4: a phantom stands in.
    StoodIn {
        /// For whom.
        seat: Seat,
    },
    /// PHA-4: the player is back.
    CameBack {
        /// Who.
        seat: Seat,
    },
    /// PHA-5.
    RoundVoided,
}
