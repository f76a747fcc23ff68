//! The game in plain words, one sentence for each event: for the terminal, for screen readers over ssh, for the demonstration.
//!
//! Only words here, in the reader's language. The window speaks to one of the players and has sentences of its own.

use shamans_core::game::{Seat, SeatSet};
use shamans_core::shamans::event::{EndCause, PawnCause, PointCause};
use shamans_core::shamans::{
    Action, Artefact, Card, Data, Event, Pick, Ritual, Role, Side, Way, World,
};

use crate::words::{fill, mark, tr, tr_n};

mod table;

pub use table::refused;

/// Names of seats and worlds, to put into sentences.
#[derive(Debug, Clone)]
pub struct Account {
    seats: Vec<String>,
    worlds: Vec<String>,
}

impl Account {
    /// For a table with these people (phantoms are named here too) and this data.
    pub fn new(seats: Vec<String>, data: &Data) -> Account {
        Account {
            seats,
            worlds: data
                .worlds
                .iter()
                .map(|world| world_name(&world.name))
                .collect(),
        }
    }

    /// A seat's name.
    pub fn seat(&self, seat: Seat) -> &str {
        self.seats
            .get(usize::from(seat.0))
            .map_or("?", String::as_str)
    }

    fn seats(&self, seats: SeatSet) -> String {
        let names: Vec<&str> = seats.iter().map(|seat| self.seat(seat)).collect();
        names.join(", ")
    }

    fn world(&self, world: World) -> &str {
        self.worlds.get(world.index()).map_or("?", String::as_str)
    }

    /// A card's name.
    pub fn card(&self, card: Card) -> String {
        let value = card.value.to_string();
        fill(
            "{world} {value}",
            &[("world", self.world(card.world)), ("value", &value)],
        )
    }

    fn cards(&self, cards: &[Card]) -> String {
        let names: Vec<String> = cards.iter().map(|card| self.card(*card)).collect();
        names.join(", ")
    }

    /// A sentence about somebody.
    fn of(&self, seat: Seat, message: &str) -> String {
        fill(message, &[("name", self.seat(seat))])
    }

    /// A sentence about somebody and one thing more.
    fn with(&self, seat: Seat, message: &str, key: &str, value: &str) -> String {
        fill(message, &[("name", self.seat(seat)), (key, value)])
    }

    /// What happened.
    pub fn event(&self, event: &Event) -> String {
        match event {
            Event::RoundBegan {
                round,
                pawn,
                phantoms,
            } => {
                let names = self.seats(*phantoms);
                let values = [
                    ("round", &*round.to_string()),
                    ("pawn", &*pawn.to_string()),
                    ("names", &*names),
                ];
                if phantoms.is_empty() {
                    fill("— Round {round}. The pawn stands on space {pawn}.", &values)
                } else {
                    fill(
                        "— Round {round}. The pawn stands on space {pawn}. Phantoms: {names}.",
                        &values,
                    )
                }
            }
            Event::LeftOver { card } => fill(
                "{card} is left over and lies at its world.",
                &[("card", &self.card(*card))],
            ),
            Event::Offered { place: _, artefact } => fill(
                "{tile} lies face up.",
                &[("tile", &artefact_name(*artefact))],
            ),
            Event::GuideDrawn { seat } => {
                self.of(*seat, mark("{name} is drawn as the first Guide."))
            }
            Event::TrickBegan { guide } => self.of(*guide, mark("{name} is the Guide.")),
            Event::Led { seat, card } => self.with(
                *seat,
                mark("{name} leads {card}."),
                "card",
                &self.card(*card),
            ),
            Event::Followed { seat, card } => self.with(
                *seat,
                mark("{name} follows with {card}."),
                "card",
                &self.card(*card),
            ),
            Event::Strayed { seat, card } => self.with(
                *seat,
                mark("{name} strays with {card}."),
                "card",
                &self.card(*card),
            ),
            Event::PawnMoved { from, to, cause } => fill(
                "The pawn goes from {from} to {to} ({why}).",
                &[
                    ("from", &from.to_string()),
                    ("to", &to.to_string()),
                    ("why", &pawn_cause(*cause)),
                ],
            ),
            Event::Laid { card } => fill(
                "{card} is laid to its world.",
                &[("card", &self.card(*card))],
            ),
            Event::RitualBegan {
                seat,
                world,
                ritual,
            } => fill(
                "{world} is complete: {name} performs {ritual}.",
                &[
                    ("world", self.world(*world)),
                    ("name", self.seat(*seat)),
                    ("ritual", &ritual_name(*ritual)),
                ],
            ),
            Event::RitualIdle { seat: _, ritual } => fill(
                "{ritual} has no effect.",
                &[("ritual", &ritual_name(*ritual))],
            ),
            Event::Took {
                seat,
                from,
                artefact,
            } => match (from, artefact) {
                (Pick::FaceUp(_), Some(tile)) => self.with(
                    *seat,
                    mark("{name} takes the {tile}."),
                    "tile",
                    &artefact_name(*tile),
                ),
                (Pick::Pile, Some(tile)) => self.with(
                    *seat,
                    mark("{name} draws the {tile} from the pile."),
                    "tile",
                    &artefact_name(*tile),
                ),
                (Pick::FaceUp(_) | Pick::Pile, None) => self.of(
                    *seat,
                    mark("{name} takes a tile from the pile and keeps it face down."),
                ),
            },
            Event::NothingToTake { seat } => {
                self.of(*seat, mark("No tile is left for {name} to take."))
            }
            Event::Unmasked { seat, role } => self.of(
                *seat,
                match role {
                    Role::Shaman => mark("{name} is a Shaman."),
                    Role::Shadow => mark("{name} is a Shadow."),
                },
            ),
            Event::EclipseBegan { seats: _, side } => match side {
                Some(Side::Left) => tr("Eclipse! Everyone passes a card to the left."),
                Some(Side::Right) => tr("Eclipse! Everyone passes a card to the right."),
                None => tr("Eclipse, but too few hold cards to pass any."),
            },
            Event::Chose { seat } => self.of(*seat, mark("{name} has chosen a card to pass.")),
            Event::CardsPassed { seats: _, side: _ } => {
                tr("The cards are passed and the hands mixed.")
            }
            Event::Swapped { seat, with } => self.with(
                *seat,
                mark("{name} swaps identity cards with {other}."),
                "other",
                self.seat(*with),
            ),
            Event::Struck { seat, target } => self.with(
                *seat,
                mark("{name} raises a Ritual Dagger against {other}."),
                "other",
                self.seat(*target),
            ),
            Event::Spared { seat } => self.of(*seat, mark("{name} eliminates nobody.")),
            Event::Eliminated {
                seat,
                by: _,
                role,
                cards,
            } => {
                let held = tr_n("1 card", "{n} cards", usize::from(*cards));
                let values = [
                    ("name", self.seat(*seat)),
                    ("role", &*role_name(*role)),
                    ("cards", &*held),
                ];
                fill(
                    "{name} is eliminated: a {role} with {cards} in hand.",
                    &values,
                )
            }
            Event::HandShown { seat, cards } => self.with(
                *seat,
                mark("{name}'s hand goes to the worlds: {list}."),
                "list",
                &self.cards(cards),
            ),
            Event::Declined { seat } => self.of(*seat, mark("{name} uses no Portal.")),
            Event::PortalUsed { seat, way } => self.of(
                *seat,
                match way {
                    Way::Forward => mark("{name} opens a Portal towards the Moon."),
                    Way::Back => mark("{name} opens a Portal away from the Moon."),
                },
            ),
            Event::TrickEnded { lowest, highest } => match (lowest, highest) {
                (Some(low), Some(high)) => fill(
                    "The trick is over: lowest {low}, highest {high}.",
                    &[("low", self.seat(*low)), ("high", self.seat(*high))],
                ),
                (None, _) | (_, None) => tr("Nobody in play served the Destination: no artefact."),
            },
            Event::GuideNamed { by, seat } => self.with(
                *by,
                mark("{name} names {other} as the next Guide."),
                "other",
                self.seat(*seat),
            ),
            Event::RoundEnded { winner, cause } => {
                let why = end_cause(*cause);
                match winner {
                    Role::Shaman => fill("The Shamans win the round: {why}.", &[("why", &why)]),
                    Role::Shadow => fill("The Shadows win the round: {why}.", &[("why", &why)]),
                }
            }
            Event::TileShown { seat, artefact } => self.with(
                *seat,
                mark("{name} had a {tile} face down."),
                "tile",
                &artefact_name(*artefact),
            ),
            Event::Scored {
                seat,
                points,
                cause,
            } => {
                let points = tr_n("1 point", "{n} points", usize::from(*points));
                let values = [
                    ("name", self.seat(*seat)),
                    ("points", &*points),
                    ("why", &*point_cause(*cause)),
                ];
                fill("{name} gets {points}: {why}.", &values)
            }
            Event::HandOpened { seat, cards } if cards.is_empty() => {
                self.of(*seat, mark("{name} held no cards."))
            }
            Event::HandOpened { seat, cards } => self.with(
                *seat,
                mark("{name} still held {list}."),
                "list",
                &self.cards(cards),
            ),
            Event::Tied { seats } => fill(
                "Tied at the top: {names}. Another round decides.",
                &[("names", &self.seats(*seats))],
            ),
            Event::GameEnded { winner } => self.of(*winner, mark("{name} wins the game.")),
            Event::StoodIn { seat } => self.of(*seat, mark("A phantom stands in for {name}.")),
            Event::CameBack { seat } => self.of(*seat, mark("{name} is back.")),
            Event::RoundVoided => tr("The round counts for nothing and is dealt again."),
        }
    }

    /// What a player can do, as a choice in a list.
    pub fn action(&self, action: &Action) -> String {
        match action {
            Action::Play { card, .. } => fill("play {card}", &[("card", &self.card(*card))]),
            Action::Take(Pick::FaceUp(place)) => fill(
                "take the tile at place {place}",
                &[("place", &(place + 1).to_string())],
            ),
            Action::Take(Pick::Pile) => tr("take from the pile"),
            Action::MoveBack => tr("move the pawn back"),
            Action::TakeInstead => tr("take an artefact instead"),
            Action::Swap { with } => self.of(*with, mark("swap identity cards with {name}")),
            Action::Strike { target, .. } => {
                self.of(*target, mark("strike {name} with a Ritual Dagger"))
            }
            Action::Spare => tr("eliminate nobody"),
            Action::Portal {
                way: Way::Forward, ..
            } => tr("use a Portal: the pawn goes towards the Moon"),
            Action::Portal { way: Way::Back, .. } => tr("use a Portal: the pawn goes back"),
            Action::Decline => tr("use no Portal"),
            Action::Give { slot } => fill(
                "pass the card in slot {slot}",
                &[("slot", &slot.0.to_string())],
            ),
            Action::Perform { world } => fill(
                "perform the ritual of {world}",
                &[("world", self.world(*world))],
            ),
            Action::NameGuide { seat } => self.of(*seat, mark("name {name} the next Guide")),
        }
    }
}

/// A shipped world's name in the reader's language; a designer's own as it stands in the data.
fn world_name(key: &str) -> String {
    match key {
        "dream" => tr("Dream"),
        "river" => tr("River"),
        "forest" => tr("Forest"),
        "sun" => tr("Sun"),
        "wind" => tr("Wind"),
        "stone" => tr("Stone"),
        "fire" => tr("Fire"),
        other => capital(other),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// A tile's name.
pub fn artefact_name(artefact: Artefact) -> String {
    match artefact {
        Artefact::Dagger => tr("Ritual Dagger"),
        Artefact::Portal => tr("Portal"),
        Artefact::Moonstone => tr("Moonstone"),
        Artefact::Mask => tr("Mask of Truth"),
    }
}

/// A role's name.
pub fn role_name(role: Role) -> String {
    match role {
        Role::Shaman => tr("Shaman"),
        Role::Shadow => tr("Shadow"),
    }
}

fn ritual_name(ritual: Ritual) -> String {
    match ritual {
        Ritual::Stabilisation => tr("Stabilisation"),
        Ritual::Permutation => tr("Permutation"),
        Ritual::Illumination => tr("Illumination"),
        Ritual::Neutralisation => tr("Neutralisation"),
    }
}

fn pawn_cause(cause: PawnCause) -> String {
    match cause {
        PawnCause::Stray => tr("a card strayed"),
        PawnCause::Elimination => tr("a Shaman was eliminated"),
        PawnCause::Portal => tr("Portal"),
        PawnCause::Stabilisation => tr("Stabilisation"),
    }
}

fn end_cause(cause: EndCause) -> String {
    match cause {
        EndCause::Moon => tr("the Shadow has reached the Moon"),
        EndCause::LastShadow => tr("the last Shadow is eliminated"),
        EndCause::NoCards => tr("the worlds have held until the last card"),
    }
}

fn point_cause(cause: PointCause) -> String {
    match cause {
        PointCause::Illumination => tr("Illumination"),
        PointCause::Shaman => tr("a Shaman's victory"),
        PointCause::Shadow => tr("a Shadow's victory"),
        PointCause::Moonstones => tr("a pair of Moonstones"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{Language, in_language};

    #[test]
    fn sentences_name_people_and_cards_in_each_language() {
        let led = Event::Led {
            seat: Seat(1),
            card: Card {
                world: World(0),
                value: 3,
            },
        };
        let said = |language, event: &Event| {
            in_language(language, || {
                let names = vec!["Eva".to_owned(), "Jan".to_owned()];
                Account::new(names, &Data::shipped()).event(event)
            })
        };
        assert_eq!(said(Language::English, &led), "Jan leads Dream 3.");
        assert_eq!(said(Language::Czech, &led), "Jan vynáší Sen\u{a0}3.");
        let won = Event::GameEnded { winner: Seat(0) };
        assert_eq!(said(Language::English, &won), "Eva wins the game.");
        assert_eq!(said(Language::German, &won), "Eva gewinnt das Spiel.");
    }
}
