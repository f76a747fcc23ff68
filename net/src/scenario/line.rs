//! What the lines of a scenario mean, and the pattern of each: the grammar's meaning, without running anything.

use shamans_core::{
    game::Seat,
    shamans::{Artefact, Card, Role, Way, World},
};

use super::grammar::{PileItem, Trait};
use super::happening::Happening;

/// A line of the position that only a position has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    Players,
    Seed,
    Dealt,
    Pile,
    HoldsOther,
    HoldsPlus,
}

/// The patterns of a position only.
pub(super) const SETTINGS: &[(&str, Setting)] = &[
    ("players NEWNAMES", Setting::Players),
    ("seed NUMBER", Setting::Seed),
    ("everything is dealt", Setting::Dealt),
    ("pile PILE", Setting::Pile),
    ("NAME holds NUMBER other card|cards", Setting::HoldsOther),
    (
        "NAME holds CARDS plus NUMBER other card|cards",
        Setting::HoldsPlus,
    ),
];

/// The form of a statement about the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StateForm {
    PawnOn,
    PawnFromMoon,
    PawnAtStart,
    Lie,
    LieNothing,
    LieAll,
    LieAllBut,
    LieCount,
    Is,
    Holds,
    HoldsNothing,
    HoldsCount,
    Has(bool),
    HasNothing(bool),
    HasCount(bool),
    Points,
    FaceUp,
    FaceUpNothing,
    PileCount,
    PileEmpty,
    EclipseToCome(bool),
    Destination,
    NoDestination,
    Round,
    Over(bool),
}

/// The patterns of statements: in the position they set (where they can), after `---` they must hold.
pub(super) const STATES: &[(&str, StateForm)] = &[
    ("pawn is on NUMBER", StateForm::PawnOn),
    (
        "pawn is NUMBER step|steps from moon",
        StateForm::PawnFromMoon,
    ),
    ("pawn is at start", StateForm::PawnAtStart),
    ("at WORLD lies|lie nothing", StateForm::LieNothing),
    ("at WORLD lies|lie all but VALUES", StateForm::LieAllBut),
    ("at WORLD lies|lie all", StateForm::LieAll),
    ("at WORLD lies|lie NUMBER card|cards", StateForm::LieCount),
    ("at WORLD lies|lie VALUES", StateForm::Lie),
    ("NAME is TRAITS", StateForm::Is),
    ("NAME holds nothing", StateForm::HoldsNothing),
    ("NAME holds NUMBER card|cards", StateForm::HoldsCount),
    ("NAME holds CARDS", StateForm::Holds),
    ("NAME has nothing face up", StateForm::HasNothing(true)),
    ("NAME has nothing face down", StateForm::HasNothing(false)),
    (
        "NAME has NUMBER tile|tiles face up",
        StateForm::HasCount(true),
    ),
    (
        "NAME has NUMBER tile|tiles face down",
        StateForm::HasCount(false),
    ),
    ("NAME has TILES face up", StateForm::Has(true)),
    ("NAME has TILES face down", StateForm::Has(false)),
    ("NAME has NUMBER point|points", StateForm::Points),
    ("face up nothing", StateForm::FaceUpNothing),
    ("face up TILES", StateForm::FaceUp),
    ("pile has NUMBER tile|tiles", StateForm::PileCount),
    ("pile is empty", StateForm::PileEmpty),
    ("eclipse is to come", StateForm::EclipseToCome(true)),
    ("eclipse is gone", StateForm::EclipseToCome(false)),
    ("destination is WORLD", StateForm::Destination),
    ("there is no destination", StateForm::NoDestination),
    ("this is round NUMBER", StateForm::Round),
    ("game is over", StateForm::Over(true)),
    ("game is not over", StateForm::Over(false)),
];

/// A statement about the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    Pawn(u16),
    PawnFromMoon(u16),
    PawnAtStart,
    Laid(World, Vec<u8>),
    LaidAllBut(World, Vec<u8>),
    LaidCount(World, u16),
    Is(Seat, Vec<Trait>),
    Holds(Seat, Vec<Card>),
    HoldsCount(Seat, u16),
    Has {
        seat: Seat,
        up: bool,
        tiles: Vec<Artefact>,
    },
    HasCount {
        seat: Seat,
        up: bool,
        count: u16,
    },
    Points(Seat, u16),
    Offer(Vec<Artefact>),
    PileCount(u16),
    EclipseToCome(bool),
    Destination(Option<World>),
    Round(u16),
    Over(bool),
}

/// A line of the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Given {
    Seed(u16),
    Dealt,
    Pile(Vec<PileItem>),
    HoldsOther(Seat, Vec<Card>, u16),
    State(State),
}

/// The form of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveForm {
    Play,
    PlayAny,
    TakePile,
    TakeInstead,
    Take,
    MoveBack,
    Swap,
    Strike(Option<bool>),
    Decline,
    Portal(Option<bool>),
    Give,
    GiveAny,
    Perform,
    NameGuide,
    GoesAway,
    ComesBack,
    Void,
    Close,
    EveryoneDeclines,
}

/// The patterns of moves.
pub(super) const MOVES: &[(&str, MoveForm)] = &[
    ("NAME plays any card", MoveForm::PlayAny),
    ("NAME plays CARD", MoveForm::Play),
    ("NAME takes from pile", MoveForm::TakePile),
    ("NAME takes artefact instead", MoveForm::TakeInstead),
    ("NAME takes TILE", MoveForm::Take),
    ("NAME moves pawn back", MoveForm::MoveBack),
    ("NAME swaps [identities] with NAME", MoveForm::Swap),
    (
        "NAME strikes NAME with face up TILE",
        MoveForm::Strike(Some(true)),
    ),
    (
        "NAME strikes NAME with face down TILE",
        MoveForm::Strike(Some(false)),
    ),
    ("NAME strikes NAME with TILE", MoveForm::Strike(None)),
    ("NAME declines", MoveForm::Decline),
    ("NAME uses face up TILE WAY", MoveForm::Portal(Some(true))),
    (
        "NAME uses face down TILE WAY",
        MoveForm::Portal(Some(false)),
    ),
    ("NAME uses TILE WAY", MoveForm::Portal(None)),
    ("NAME passes any card", MoveForm::GiveAny),
    ("NAME passes CARD", MoveForm::Give),
    ("NAME performs WORLD", MoveForm::Perform),
    ("NAME names NAME [as] [guide]", MoveForm::NameGuide),
    ("NAME goes away", MoveForm::GoesAway),
    ("NAME comes back", MoveForm::ComesBack),
    ("round is voided", MoveForm::Void),
    ("round is closed", MoveForm::Close),
    ("everyone declines", MoveForm::EveryoneDeclines),
];

/// What a seat does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    Play(Option<Card>),
    TakePile,
    Take(Artefact),
    TakeInstead,
    MoveBack,
    Swap(Seat),
    Strike {
        target: Seat,
        tile: Artefact,
        up: Option<bool>,
    },
    Decline,
    Portal {
        tile: Artefact,
        way: Way,
        up: Option<bool>,
    },
    Give(Option<Card>),
    Perform(World),
    NameGuide(Seat),
}

/// A move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    Act(Seat, Deed),
    GoesAway(Seat),
    ComesBack(Seat),
    Void,
    Close,
    EveryoneDeclines,
}

/// What somebody is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ask {
    Anything,
    Play,
    Take,
    Stabilise,
    Swap,
    Strike(Option<bool>),
    Order(Option<Vec<World>>),
    Portal(Option<AskMoment>),
    Pass,
    NameGuide,
}

/// Before what a portal is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AskMoment {
    Moon,
    Dagger,
    End,
}

/// Who looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Eye {
    Seat(Seat),
    Spectator,
}

/// Something that not everyone can see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Secret {
    Identity(Seat),
    Hand(Seat),
    FaceDown(Seat),
    Gift(Seat),
}

/// The form of a check that is neither statement nor event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckForm {
    Asked,
    AskedPlay,
    AskedTake,
    AskedStabilise,
    AskedSwap,
    AskedStrike,
    MustStrike,
    MayStrike,
    AskedOrder,
    AskedOrderOf,
    AskedPortal(Option<AskMoment>),
    AskedPass,
    AskedPassWay,
    AskedName,
    NobodyAsked,
    NotAsked,
    MayPortal(bool),
    Gave,
}

/// The patterns of those.
pub(super) const CHECKS: &[(&str, CheckForm)] = &[
    ("NAMES is|are asked to play [card]", CheckForm::AskedPlay),
    (
        "NAMES is|are asked to take [artefact]",
        CheckForm::AskedTake,
    ),
    (
        "NAMES is|are asked to move pawn back or take artefact",
        CheckForm::AskedStabilise,
    ),
    (
        "NAMES is|are asked to swap [identities]",
        CheckForm::AskedSwap,
    ),
    ("NAMES is|are asked to strike", CheckForm::AskedStrike),
    ("NAMES must strike", CheckForm::MustStrike),
    ("NAMES may strike or decline", CheckForm::MayStrike),
    (
        "NAMES is|are asked which ritual is next",
        CheckForm::AskedOrder,
    ),
    (
        "NAMES is|are asked which ritual is next WORLDS",
        CheckForm::AskedOrderOf,
    ),
    (
        "NAMES is|are asked for portal",
        CheckForm::AskedPortal(None),
    ),
    (
        "NAMES is|are asked for portal before moon",
        CheckForm::AskedPortal(Some(AskMoment::Moon)),
    ),
    (
        "NAMES is|are asked for portal before dagger",
        CheckForm::AskedPortal(Some(AskMoment::Dagger)),
    ),
    (
        "NAMES is|are asked for portal before end",
        CheckForm::AskedPortal(Some(AskMoment::End)),
    ),
    ("NAMES is|are asked to pass [card]", CheckForm::AskedPass),
    (
        "NAMES is|are asked to pass [card] SIDE",
        CheckForm::AskedPassWay,
    ),
    ("NAMES is|are asked to name guide", CheckForm::AskedName),
    ("NAMES is|are asked", CheckForm::Asked),
    ("nobody is asked", CheckForm::NobodyAsked),
    ("NAME is not asked", CheckForm::NotAsked),
    ("NAME may use portal", CheckForm::MayPortal(true)),
    ("NAME may not use portal", CheckForm::MayPortal(false)),
    ("NAME gave CARD to NAME", CheckForm::Gave),
];

/// How a line about sight begins; a statement or a secret follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SightForm {
    SeesThat,
    SpectatorSeesThat,
    DoesNotSee,
    SpectatorDoesNotSee,
    Only,
    Nobody,
    Everyone,
}

/// The patterns of those beginnings.
pub(super) const SIGHTS: &[(&str, SightForm)] = &[
    ("NAME sees that", SightForm::SeesThat),
    ("spectator sees that", SightForm::SpectatorSeesThat),
    ("NAME does not see", SightForm::DoesNotSee),
    ("spectator does not see", SightForm::SpectatorDoesNotSee),
    ("only NAMES sees|see", SightForm::Only),
    ("nobody sees", SightForm::Nobody),
    ("everyone sees", SightForm::Everyone),
];

/// The form of a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SecretForm {
    Identity,
    Hand,
    FaceDown,
    Gift,
}

/// The patterns of secrets.
pub(super) const SECRETS: &[(&str, SecretForm)] = &[
    ("NAME 's identity", SecretForm::Identity),
    ("NAME 's hand", SecretForm::Hand),
    ("NAME 's face down tiles", SecretForm::FaceDown),
    ("NAME 's gift", SecretForm::Gift),
];

/// Who, of all, sees a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sight {
    Not(Eye),
    Only(Vec<Seat>),
    Everyone,
}

/// Something that must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Check {
    State(State),
    Sees(Eye, State),
    Sight(Sight, Secret),
    Asked(Vec<Seat>, Ask, Option<shamans_core::shamans::Side>),
    NotAsked(Seat),
    MayPortal(Seat, bool),
    Gave(Seat, Card, Seat),
    Happened(Happening),
}

/// A line after `---`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Move(Move),
    Refused(Move, &'static str),
    Holds(Check),
    HoldsNot(Check),
}

/// The role that a player gets who has none stated, in seat order.
pub(super) const FIRST_TO_FILL: Role = Role::Shaman;
