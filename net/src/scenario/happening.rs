//! What can be said to have happened: a pattern for each public event, and each event in those patterns.

use shamans_core::{
    game::SeatSet,
    shamans::{
        Artefact, Card, Event, Pick, Role,
        event::{EndCause, PawnCause, PointCause},
    },
};

use super::grammar::Value;

/// Something that happened, in the words of a pattern. Two are the same if pattern and fillings are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Happening {
    pub pattern: &'static str,
    pub values: Vec<Value>,
}

macro_rules! patterns {
    ($($name:ident = $text:literal;)*) => {
        $(const $name: &str = $text;)*
        /// All of them.
        pub(super) const PATTERNS: &[&str] = &[$($text),*];
    };
}

patterns! {
    ROUND_BEGAN = "round NUMBER began";
    LEFT_OVER = "CARD was left over";
    TURNED_UP = "TILE was turned up";
    DRAWN = "NAME was drawn as guide";
    TRICK_BEGAN = "NAME began trick";
    LED = "NAME led CARD";
    FOLLOWED = "NAME followed with CARD";
    STRAYED = "NAME strayed with CARD";
    PAWN = "pawn moved from NUMBER to NUMBER";
    PAWN_STRAY = "pawn moved from NUMBER to NUMBER for stray card";
    PAWN_ELIMINATION = "pawn moved from NUMBER to NUMBER for elimination";
    PAWN_PORTAL = "pawn moved from NUMBER to NUMBER for portal";
    PAWN_STABILISATION = "pawn moved from NUMBER to NUMBER for stabilisation";
    PAWN_ANY = "pawn moved";
    LAID = "CARD was laid";
    PERFORMED = "NAME performed RITUAL at WORLD";
    IDLE = "NAME 's RITUAL had no effect";
    TOOK = "NAME took TILE";
    TOOK_FROM_PILE = "NAME took TILE from pile";
    TOOK_DOWN = "NAME took tile face down";
    NOTHING_TO_TAKE = "NAME found nothing to take";
    REVEALED = "NAME was shown as ROLE";
    ECLIPSE = "eclipse came SIDE";
    ECLIPSE_FOR = "eclipse came SIDE for NAMES";
    ECLIPSE_IDLE = "eclipse came without effect";
    CHOSE = "NAME chose card";
    PASSED = "cards were passed SIDE";
    SWAPPED = "NAME swapped with NAME";
    STRUCK = "NAME struck NAME";
    SPARED = "NAME spared everyone";
    ELIMINATED = "NAME was eliminated";
    ELIMINATED_AS = "NAME was eliminated as ROLE with NUMBER card|cards";
    ELIMINATED_BY = "NAME was eliminated by NAME";
    HAND_SHOWN = "NAME 's hand was shown CARDS";
    DECLINED = "NAME declined";
    PORTAL = "NAME used portal WAY";
    TRICK_ENDED = "trick ended with NAME lowest NAME highest";
    TRICK_WITHOUT = "trick ended without winner";
    NAMED = "NAME named NAME";
    WON_ROUND = "ROLE won round";
    WON_MOON = "ROLE won round at moon";
    WON_LAST_SHADOW = "ROLE won round with last shadow eliminated";
    WON_NO_CARDS = "ROLE won round for want of cards";
    TILE_SHOWN = "NAME turned up TILE";
    SCORED = "NAME scored NUMBER point|points";
    SCORED_ILLUMINATION = "NAME scored NUMBER point|points for illumination";
    SCORED_SHAMAN = "NAME scored NUMBER point|points as shaman";
    SCORED_SHADOW = "NAME scored NUMBER point|points as shadow";
    SCORED_MOONSTONES = "NAME scored NUMBER point|points for moonstones";
    SCORED_ANY = "NAME scored";
    HAND_OPENED = "NAME 's hand was opened CARDS";
    TIED = "NAMES tied";
    WON_GAME = "NAME won game";
    STOOD_IN = "phantom stood in for NAME";
    CAME_BACK = "NAME came back";
    VOIDED = "round was voided";
}

fn is(pattern: &'static str, values: impl Into<Vec<Value>>) -> Happening {
    Happening {
        pattern,
        values: values.into(),
    }
}

fn seats(set: SeatSet) -> Value {
    Value::Seats(set.iter().collect())
}

fn sorted(cards: &[Card]) -> Value {
    let mut cards = cards.to_vec();
    cards.sort();
    Value::Cards(cards)
}

impl Happening {
    /// A line's own words: what has no order is put in one, so that it compares.
    pub fn new(pattern: &'static str, mut values: Vec<Value>) -> Happening {
        for value in &mut values {
            match value {
                Value::Cards(cards) => cards.sort(),
                Value::Seats(seats) => seats.sort(),
                Value::Seat(_)
                | Value::Number(_)
                | Value::Card(_)
                | Value::World(_)
                | Value::Worlds(_)
                | Value::Values(_)
                | Value::Tile(_)
                | Value::Tiles(_)
                | Value::Pile(_)
                | Value::Names(_)
                | Value::Traits(_)
                | Value::Role(_)
                | Value::Side(_)
                | Value::Way(_)
                | Value::Ritual(_) => {}
            }
        }
        Happening { pattern, values }
    }
}

/// All that can be said of an event, the fullest first.
pub(super) fn sayings(event: &Event) -> Vec<Happening> {
    use Value::{Number, Seat, Side, Tile, Way};
    match event {
        Event::RoundBegan {
            round,
            pawn: _,
            phantoms: _,
        } => vec![is(ROUND_BEGAN, [Number(*round)])],
        Event::LeftOver { card } => vec![is(LEFT_OVER, [Value::Card(*card)])],
        Event::Offered { place: _, artefact } => vec![is(TURNED_UP, [Tile(*artefact)])],
        Event::GuideDrawn { seat } => vec![is(DRAWN, [Seat(*seat)])],
        Event::TrickBegan { guide } => vec![is(TRICK_BEGAN, [Seat(*guide)])],
        Event::Led { seat, card } => vec![is(LED, [Seat(*seat), Value::Card(*card)])],
        Event::Followed { seat, card } => vec![is(FOLLOWED, [Seat(*seat), Value::Card(*card)])],
        Event::Strayed { seat, card } => vec![is(STRAYED, [Seat(*seat), Value::Card(*card)])],
        Event::PawnMoved { from, to, cause } => {
            let spaces = || [Number((*from).into()), Number((*to).into())];
            let full = match cause {
                PawnCause::Stray => PAWN_STRAY,
                PawnCause::Elimination => PAWN_ELIMINATION,
                PawnCause::Portal => PAWN_PORTAL,
                PawnCause::Stabilisation => PAWN_STABILISATION,
            };
            vec![is(full, spaces()), is(PAWN, spaces()), is(PAWN_ANY, [])]
        }
        Event::Laid { card } => vec![is(LAID, [Value::Card(*card)])],
        Event::RitualBegan {
            seat,
            world,
            ritual,
        } => {
            vec![is(
                PERFORMED,
                [Seat(*seat), Value::Ritual(*ritual), Value::World(*world)],
            )]
        }
        Event::RitualIdle { seat, ritual } => {
            vec![is(IDLE, [Seat(*seat), Value::Ritual(*ritual)])]
        }
        Event::Took {
            seat,
            from,
            artefact,
        } => took(*seat, *from, *artefact),
        Event::NothingToTake { seat } => vec![is(NOTHING_TO_TAKE, [Seat(*seat)])],
        Event::Unmasked { seat, role } => vec![is(REVEALED, [Seat(*seat), Value::Role(*role)])],
        Event::EclipseBegan {
            seats: who,
            side: Some(side),
        } => vec![
            is(ECLIPSE_FOR, [Side(*side), seats(*who)]),
            is(ECLIPSE, [Side(*side)]),
        ],
        Event::EclipseBegan {
            seats: _,
            side: None,
        } => vec![is(ECLIPSE_IDLE, [])],
        Event::Chose { seat } => vec![is(CHOSE, [Seat(*seat)])],
        Event::CardsPassed { seats: _, side } => vec![is(PASSED, [Side(*side)])],
        Event::Swapped { seat, with } => vec![is(SWAPPED, [Seat(*seat), Seat(*with)])],
        Event::Struck { seat, target } => vec![is(STRUCK, [Seat(*seat), Seat(*target)])],
        Event::Spared { seat } => vec![is(SPARED, [Seat(*seat)])],
        Event::Eliminated {
            seat,
            by,
            role,
            cards,
        } => vec![
            is(
                ELIMINATED_AS,
                [Seat(*seat), Value::Role(*role), Number((*cards).into())],
            ),
            is(ELIMINATED_BY, [Seat(*seat), Seat(*by)]),
            is(ELIMINATED, [Seat(*seat)]),
        ],
        Event::HandShown { seat, cards } => vec![is(HAND_SHOWN, [Seat(*seat), sorted(cards)])],
        Event::Declined { seat } => vec![is(DECLINED, [Seat(*seat)])],
        Event::PortalUsed { seat, way } => vec![is(PORTAL, [Seat(*seat), Way(*way)])],
        Event::TrickEnded {
            lowest: Some(low),
            highest: Some(high),
        } => {
            vec![is(TRICK_ENDED, [Seat(*low), Seat(*high)])]
        }
        Event::TrickEnded {
            lowest: _,
            highest: _,
        } => vec![is(TRICK_WITHOUT, [])],
        Event::GuideNamed { by, seat } => vec![is(NAMED, [Seat(*by), Seat(*seat)])],
        Event::RoundEnded { winner, cause } => won(*winner, *cause),
        Event::TileShown { seat, artefact } => vec![is(TILE_SHOWN, [Seat(*seat), Tile(*artefact)])],
        Event::Scored {
            seat,
            points,
            cause,
        } => {
            let values = || [Seat(*seat), Number((*points).into())];
            let full = match cause {
                PointCause::Illumination => SCORED_ILLUMINATION,
                PointCause::Shaman => SCORED_SHAMAN,
                PointCause::Shadow => SCORED_SHADOW,
                PointCause::Moonstones => SCORED_MOONSTONES,
            };
            vec![
                is(full, values()),
                is(SCORED, values()),
                is(SCORED_ANY, [Seat(*seat)]),
            ]
        }
        Event::HandOpened { seat, cards } => vec![is(HAND_OPENED, [Seat(*seat), sorted(cards)])],
        Event::Tied { seats: who } => vec![is(TIED, [seats(*who)])],
        Event::GameEnded { winner } => vec![is(WON_GAME, [Seat(*winner)])],
        Event::StoodIn { seat } => vec![is(STOOD_IN, [Seat(*seat)])],
        Event::CameBack { seat } => vec![is(CAME_BACK, [Seat(*seat)])],
        Event::RoundVoided => vec![is(VOIDED, [])],
    }
}

fn took(seat: shamans_core::game::Seat, from: Pick, artefact: Option<Artefact>) -> Vec<Happening> {
    let Some(artefact) = artefact else {
        return vec![is(TOOK_DOWN, [Value::Seat(seat)])];
    };
    let values = || [Value::Seat(seat), Value::Tile(artefact)];
    match from {
        Pick::FaceUp(_) => vec![is(TOOK, values())],
        Pick::Pile => vec![is(TOOK_FROM_PILE, values()), is(TOOK, values())],
    }
}

fn won(winner: Role, cause: EndCause) -> Vec<Happening> {
    let full = match cause {
        EndCause::Moon => WON_MOON,
        EndCause::LastShadow => WON_LAST_SHADOW,
        EndCause::NoCards => WON_NO_CARDS,
    };
    [full, WON_ROUND]
        .map(|pattern| is(pattern, [Value::Role(winner)]))
        .into()
}
