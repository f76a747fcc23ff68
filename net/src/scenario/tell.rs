//! Cards, tiles, decisions and refusals in the words of the scenario format: what a report says it found.

use shamans_core::{
    game::{Seat, SeatSet},
    shamans::{
        Artefact, Card, Decision, Illegal, Moment, Ritual, Role, Shamans, Side, View, Way, World,
    },
};

use super::grammar::{Lexicon, PileItem, TRAITS, Value};

pub(super) fn name(seat: Seat, lexicon: &Lexicon) -> String {
    let name = lexicon.names.get(seat.index());
    name.map_or_else(|| format!("seat {}", seat.0), Clone::clone)
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = parts.collect();
    if all.is_empty() {
        "nothing".to_string()
    } else {
        all.join(", ")
    }
}

pub(super) fn names(seats: impl Iterator<Item = Seat>, lexicon: &Lexicon) -> String {
    let all: Vec<String> = seats.map(|seat| name(seat, lexicon)).collect();
    if all.is_empty() {
        "nobody".to_string()
    } else {
        all.join(", ")
    }
}

pub(super) fn world(world: World, lexicon: &Lexicon) -> String {
    let name = lexicon
        .worlds
        .get(world.index())
        .map(|(name, _)| name.clone());
    name.unwrap_or_else(|| format!("world {}", world.0))
}

pub(super) fn card(card: Card, lexicon: &Lexicon) -> String {
    format!("{} {}", world(card.world, lexicon), card.value)
}

pub(super) fn cards(cards: &[Card], lexicon: &Lexicon) -> String {
    let mut sorted = cards.to_vec();
    sorted.sort();
    joined(sorted.into_iter().map(|c| card(c, lexicon)))
}

pub(super) const fn tile(artefact: Artefact) -> &'static str {
    match artefact {
        Artefact::Dagger => "dagger",
        Artefact::Portal => "portal",
        Artefact::Moonstone => "moonstone",
        Artefact::Mask => "mask",
    }
}

pub(super) fn tiles(tiles: &[Artefact]) -> String {
    joined(tiles.iter().map(|&t| tile(t).to_string()))
}

pub(super) const fn role(role: Role) -> &'static str {
    match role {
        Role::Shaman => "Shaman",
        Role::Shadow => "Shadow",
    }
}

const fn side(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

pub(super) fn numbers(values: &[u8]) -> String {
    joined(values.iter().map(u8::to_string))
}

/// Something filled into a pattern.
pub(super) fn value(value: &Value, lexicon: &Lexicon) -> String {
    match value {
        Value::Seat(seat) => name(*seat, lexicon),
        Value::Seats(seats) => names(seats.iter().copied(), lexicon),
        Value::Number(number) => number.to_string(),
        Value::Card(c) => card(*c, lexicon),
        Value::Cards(all) => cards(all, lexicon),
        Value::World(w) => world(*w, lexicon),
        Value::Worlds(all) => joined(all.iter().map(|&w| world(w, lexicon))),
        Value::Values(all) => numbers(all),
        Value::Tile(t) => tile(*t).to_string(),
        Value::Tiles(all) => tiles(all),
        Value::Pile(all) => joined(all.iter().map(|item| match item {
            PileItem::Tile(t) => tile(*t).to_string(),
            PileItem::Eclipse(s) => format!("Eclipse {}", side(*s)),
        })),
        Value::Names(all) => joined(all.iter().cloned()),
        Value::Traits(all) => joined(all.iter().filter_map(|wanted| {
            let found = TRAITS.iter().find(|(_, t)| t == wanted);
            found.map(|(name, _)| (*name).to_string())
        })),
        Value::Role(r) => role(*r).to_string(),
        Value::Side(s) => side(*s).to_string(),
        Value::Way(Way::Back) => "back".to_string(),
        Value::Way(Way::Forward) => "forward".to_string(),
        Value::Ritual(ritual) => match ritual {
            Ritual::Stabilisation => "Stabilisation",
            Ritual::Permutation => "Permutation",
            Ritual::Illumination => "Illumination",
            Ritual::Neutralisation => "Neutralisation",
        }
        .to_string(),
    }
}

/// Who is asked, and for what.
pub(super) fn asked(game: &Shamans, view: &View<'_>, lexicon: &Lexicon) -> String {
    let Some(decision) = game.decision() else {
        return if view.is_over() {
            "nobody asked: the game is over".to_string()
        } else {
            "nobody asked: the round has ended and waits to be closed".to_string()
        };
    };
    let who = names(decision.seats().iter(), lexicon);
    let what = match *decision {
        Decision::Play { seat: _ } => "to play a card".to_string(),
        Decision::Take { seat: _ } => "to take an artefact".to_string(),
        Decision::Stabilise { seat: _ } => "to move the pawn back or take an artefact".to_string(),
        Decision::Permute { seat: _ } => "to swap identities".to_string(),
        Decision::Strike {
            seat: _,
            must: true,
        } => "to strike, and must".to_string(),
        Decision::Strike {
            seat: _,
            must: false,
        } => "to strike or decline".to_string(),
        Decision::Order { seat: _, worlds } => {
            let all = joined(worlds.iter().map(|w| world(w, lexicon)));
            format!("which ritual is next: {all}")
        }
        Decision::React {
            seat: _,
            waiting: _,
            moment,
        } => match moment {
            Moment::Moon { steps: _ } => "for a portal before the Moon",
            Moment::Dagger { by: _, target: _ } => "for a portal before the dagger",
            Moment::LastCards => "for a portal before the end",
        }
        .to_string(),
        Decision::Give {
            waiting: _,
            side: way,
            chosen: _,
        } => {
            format!("to pass a card {}", side(way))
        }
        Decision::NameGuide { seat: _ } => "to name the Guide".to_string(),
    };
    format!("{who} asked {what}")
}

pub(super) fn set(seats: SeatSet, lexicon: &Lexicon) -> String {
    names(seats.iter(), lexicon)
}

/// Why a move of a scenario is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// By the rules.
    Rules(Illegal),
    /// By the dealer: the tile shows something else than is claimed.
    FalseClaim,
}

/// The reasons as scenarios name them.
pub(super) const REASONS: [&str; 21] = [
    "not their turn",
    "something else to decide",
    "phantom plays",
    "not in hand",
    "no such card",
    "no tile there",
    "not their tile",
    "not dagger",
    "not portal",
    "face up dagger must be used",
    "not themselves",
    "eliminated",
    "pawn is on first space",
    "no such ritual",
    "not away",
    "game is over",
    "cards are on their way",
    "false claim",
    "no such seat",
    "no such table",
    "no such answer",
];

/// The words for a reason, without fillers.
pub(super) const fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Rules(illegal) => match illegal {
            Illegal::NotAwaited => "not their turn",
            Illegal::OtherDecision => "something else to decide",
            Illegal::Phantom => "phantom plays",
            Illegal::NotInHand => "not in hand",
            Illegal::NoSuchCard => "no such card",
            Illegal::NoTileThere => "no tile there",
            Illegal::NotYourTile => "not their tile",
            Illegal::NotADagger => "not dagger",
            Illegal::NotAPortal => "not portal",
            Illegal::MustUseFaceUp => "face up dagger must be used",
            Illegal::Oneself => "not themselves",
            Illegal::Eliminated => "eliminated",
            Illegal::AtStart => "pawn is on first space",
            Illegal::NoSuchRitual => "no such ritual",
            Illegal::NotAway => "not away",
            Illegal::GameOver => "game is over",
            Illegal::CardsUnderway => "cards are on their way",
            Illegal::NoSuchSeat(_) => "no such seat",
            Illegal::BadSetup => "no such table",
            Illegal::WrongOutcome => "no such answer",
        },
        Reason::FalseClaim => "false claim",
    }
}
