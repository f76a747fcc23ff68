//! The game in plain English, one sentence for each event: for the terminal, for screen readers over ssh, for the demonstration.
//!
//! Only words here. What the window says is its own, translated.

use shamans_core::game::{Seat, SeatSet};
use shamans_core::shamans::event::{EndCause, PawnCause, PointCause};
use shamans_core::shamans::{
    Action, Artefact, Card, Data, Event, Pick, Ritual, Role, Side, Way, World,
};

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
                .map(|world| capital(&world.name))
                .collect(),
        }
    }

    /// A seat's name.
    pub fn seat(&self, seat: Seat) -> &str {
        self.seats
            .get(usize::from(seat.0))
            .map_or("nobody", String::as_str)
    }

    fn seats(&self, seats: SeatSet) -> String {
        let names: Vec<&str> = seats.iter().map(|seat| self.seat(seat)).collect();
        names.join(", ")
    }

    fn world(&self, world: World) -> &str {
        self.worlds
            .get(world.index())
            .map_or("a world", String::as_str)
    }

    /// A card's name.
    pub fn card(&self, card: Card) -> String {
        format!("{} {}", self.world(card.world), card.value)
    }

    fn cards(&self, cards: &[Card]) -> String {
        if cards.is_empty() {
            return "no cards".to_owned();
        }
        cards
            .iter()
            .map(|card| self.card(*card))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// What happened.
    pub fn event(&self, event: &Event) -> String {
        match event {
            Event::RoundBegan {
                round,
                pawn,
                phantoms,
            } if phantoms.is_empty() => {
                format!("— Round {round}. The pawn stands on space {pawn}.")
            }
            Event::RoundBegan {
                round,
                pawn,
                phantoms,
            } => {
                format!(
                    "— Round {round}. The pawn stands on space {pawn}. Phantoms: {}.",
                    self.seats(*phantoms)
                )
            }
            Event::LeftOver { card } => {
                format!("{} is left over and lies at its world.", self.card(*card))
            }
            Event::Offered { place, artefact } => format!(
                "A {} lies at place {}.",
                artefact_name(*artefact),
                place + 1
            ),
            Event::GuideDrawn { seat } => {
                format!("{} is drawn as the first Guide.", self.seat(*seat))
            }
            Event::TrickBegan { guide } => format!("{} leads.", self.seat(*guide)),
            Event::Led { seat, card } => {
                format!("{} leads {}.", self.seat(*seat), self.card(*card))
            }
            Event::Followed { seat, card } => {
                format!("{} follows with {}.", self.seat(*seat), self.card(*card))
            }
            Event::Strayed { seat, card } => {
                format!("{} strays with {}.", self.seat(*seat), self.card(*card))
            }
            Event::PawnMoved { from, to, cause } => format!(
                "The pawn goes from {from} to {to} ({}).",
                pawn_cause(*cause)
            ),
            Event::Laid { card } => format!("{} is laid to its world.", self.card(*card)),
            Event::RitualBegan {
                seat,
                world,
                ritual,
            } => {
                format!(
                    "{} is complete: {} performs {}.",
                    self.world(*world),
                    self.seat(*seat),
                    ritual_name(*ritual)
                )
            }
            Event::RitualIdle { seat, ritual } => format!(
                "{} of {} has no effect.",
                ritual_name(*ritual),
                self.seat(*seat)
            ),
            Event::Took {
                seat,
                from,
                artefact,
            } => {
                let what = artefact.map_or("tile face down", artefact_name);
                let source = match from {
                    Pick::FaceUp(place) => format!("from place {}", place + 1),
                    Pick::Pile => "from the pile".to_owned(),
                };
                format!("{} takes a {what} {source}.", self.seat(*seat))
            }
            Event::NothingToTake { seat } => {
                format!("There is no tile left for {}.", self.seat(*seat))
            }
            Event::Unmasked { seat, role } => {
                format!("{} is a {}.", self.seat(*seat), role_name(*role))
            }
            Event::EclipseBegan { seats, side } => match side {
                Some(side) => format!(
                    "Eclipse! {} pass a card to the {}.",
                    self.seats(*seats),
                    side_name(*side)
                ),
                None => "Eclipse! Nobody has to pass a card.".to_owned(),
            },
            Event::Chose { seat } => format!("{} has chosen a card to pass.", self.seat(*seat)),
            Event::CardsPassed { seats, side } => {
                format!(
                    "{} have passed their cards to the {}.",
                    self.seats(*seats),
                    side_name(*side)
                )
            }
            Event::Swapped { seat, with } => format!(
                "{} and {} swap identities.",
                self.seat(*seat),
                self.seat(*with)
            ),
            Event::Struck { seat, target } => format!(
                "{} raises a Ritual Dagger against {}.",
                self.seat(*seat),
                self.seat(*target)
            ),
            Event::Spared { seat } => format!("{} spares everyone.", self.seat(*seat)),
            Event::Eliminated {
                seat,
                by,
                role,
                cards,
            } => {
                format!(
                    "{} is eliminated by {}: a {} with {cards} cards.",
                    self.seat(*seat),
                    self.seat(*by),
                    role_name(*role)
                )
            }
            Event::HandShown { seat, cards } => {
                format!("{} shows {}.", self.seat(*seat), self.cards(cards))
            }
            Event::Declined { seat } => format!("{} uses no Portal.", self.seat(*seat)),
            Event::PortalUsed { seat, way } => format!(
                "{} uses a Portal: the pawn goes {}.",
                self.seat(*seat),
                way_name(*way)
            ),
            Event::TrickEnded { lowest, highest } => {
                let name =
                    |seat: &Option<Seat>| seat.map_or("nobody", |seat| self.seat(seat)).to_owned();
                format!(
                    "The trick is over: lowest {}, highest {}.",
                    name(lowest),
                    name(highest)
                )
            }
            Event::GuideNamed { by, seat } => format!(
                "{} names {} the next Guide.",
                self.seat(*by),
                self.seat(*seat)
            ),
            Event::RoundEnded { winner, cause } => format!(
                "The round is over, {}: the {}s win.",
                end_cause(*cause),
                role_name(*winner)
            ),
            Event::TileShown { seat, artefact } => format!(
                "{} turns up a {}.",
                self.seat(*seat),
                artefact_name(*artefact)
            ),
            Event::Scored {
                seat,
                points,
                cause,
            } => {
                let s = if *points == 1 { "" } else { "s" };
                format!(
                    "{} gets {points} point{s} ({}).",
                    self.seat(*seat),
                    point_cause(*cause)
                )
            }
            Event::HandOpened { seat, cards } => {
                format!("{} had {}.", self.seat(*seat), self.cards(cards))
            }
            Event::Tied { seats } => format!("{} are tied: another round.", self.seats(*seats)),
            Event::GameEnded { winner } => format!("{} wins the game!", self.seat(*winner)),
            Event::StoodIn { seat } => format!("A phantom stands in for {}.", self.seat(*seat)),
            Event::CameBack { seat } => format!("{} is back.", self.seat(*seat)),
            Event::RoundVoided => "The round counts for nothing and is dealt again.".to_owned(),
        }
    }

    /// What a player can do, as a choice in a list.
    pub fn action(&self, action: &Action) -> String {
        match action {
            Action::Play { card, .. } => format!("play {}", self.card(*card)),
            Action::Take(Pick::FaceUp(place)) => format!("take the tile at place {}", place + 1),
            Action::Take(Pick::Pile) => "take from the pile".to_owned(),
            Action::MoveBack => "move the pawn back".to_owned(),
            Action::TakeInstead => "take an artefact instead".to_owned(),
            Action::Swap { with } => format!("swap identities with {}", self.seat(*with)),
            Action::Strike { target, .. } => {
                format!("strike {} with a Ritual Dagger", self.seat(*target))
            }
            Action::Spare => "spare everyone".to_owned(),
            Action::Portal { way, .. } => format!("use a Portal: pawn {}", way_name(*way)),
            Action::Decline => "use no Portal".to_owned(),
            Action::Give { slot } => format!("pass the card in slot {}", slot.0),
            Action::Perform { world } => format!("perform the ritual of {}", self.world(*world)),
            Action::NameGuide { seat } => format!("name {} the next Guide", self.seat(*seat)),
        }
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// A tile's name.
pub fn artefact_name(artefact: Artefact) -> &'static str {
    match artefact {
        Artefact::Dagger => "Ritual Dagger",
        Artefact::Portal => "Portal",
        Artefact::Moonstone => "Moonstone",
        Artefact::Mask => "Mask of Truth",
    }
}

/// A role's name.
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Shaman => "Shaman",
        Role::Shadow => "Shadow",
    }
}

fn ritual_name(ritual: Ritual) -> &'static str {
    match ritual {
        Ritual::Stabilisation => "Stabilisation",
        Ritual::Permutation => "Permutation",
        Ritual::Illumination => "Illumination",
        Ritual::Neutralisation => "Neutralisation",
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

fn way_name(way: Way) -> &'static str {
    match way {
        Way::Forward => "towards the Moon",
        Way::Back => "back",
    }
}

fn pawn_cause(cause: PawnCause) -> &'static str {
    match cause {
        PawnCause::Stray => "a card strayed",
        PawnCause::Elimination => "a Shaman was eliminated",
        PawnCause::Portal => "Portal",
        PawnCause::Stabilisation => "Stabilisation",
    }
}

fn end_cause(cause: EndCause) -> &'static str {
    match cause {
        EndCause::Moon => "the pawn has reached the Moon",
        EndCause::LastShadow => "no Shadow is left",
        EndCause::NoCards => "nobody has cards left",
    }
}

fn point_cause(cause: PointCause) -> &'static str {
    match cause {
        PointCause::Illumination => "Illumination",
        PointCause::Shaman => "a Shaman of the winning team",
        PointCause::Shadow => "a Shadow of the winning team",
        PointCause::Moonstones => "Moonstones",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_name_people_and_cards() {
        let account = Account::new(vec!["Eva".to_owned(), "Jan".to_owned()], &Data::shipped());
        let card = Card {
            world: World(0),
            value: 3,
        };
        let said = account.event(&Event::Led {
            seat: Seat(1),
            card,
        });
        assert!(
            said.starts_with("Jan leads ") && said.ends_with(" 3."),
            "{said}"
        );
        assert_eq!(
            account.event(&Event::GameEnded { winner: Seat(0) }),
            "Eva wins the game!"
        );
        assert_eq!(account.seat(Seat(4)), "nobody");
    }
}
