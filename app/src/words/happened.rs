//! Events as sentences: the log and the banner.

use super::{artefact, card, cards, fill, points, ritual, role, tr, tr_n, world};
use crate::pieces::{EndCause, Event, PawnCause, Pick, PointCause, Role, Seat, SeatSet, Side, Way};

/// The names at the table, by seat, and which of them is the reader.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// By seat.
    pub names: &'a [String],
    /// The reader's seat.
    pub me: Seat,
}

impl Names<'_> {
    /// The player's name, or "You".
    pub fn of(&self, seat: Seat) -> String {
        if seat == self.me {
            tr("You")
        } else {
            self.names.get(seat.index()).cloned().unwrap_or_default()
        }
    }

    /// Several names, for a list in a sentence.
    pub fn all(&self, seats: SeatSet) -> String {
        seats
            .iter()
            .map(|seat| self.of(seat))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// One of two messages: the second person's or the third's.
    fn say(
        &self,
        seat: Seat,
        mine: &'static str,
        theirs: &'static str,
        values: &[(&str, &str)],
    ) -> String {
        let name = self.of(seat);
        let mut values = values.to_vec();
        values.push(("name", &name));
        fill(if seat == self.me { mine } else { theirs }, &values)
    }
}

/// A sentence of the log, with a style class; `None` for facts that another sentence tells better.
pub fn event(event: &Event, names: Names<'_>) -> Option<(String, &'static str)> {
    let n = names;
    let line = match event {
        Event::RoundBegan {
            round,
            pawn: _,
            phantoms: _,
        } => (
            fill("Round {round} is dealt.", &[("round", &round.to_string())]),
            "round",
        ),
        Event::LeftOver { card: c } => (
            fill(
                "{card} is left over and lies at its world.",
                &[("card", &card(*c))],
            ),
            "quiet",
        ),
        Event::Offered {
            place: _,
            artefact: a,
        } => (
            fill("{tile} lies face up.", &[("tile", &artefact(*a))]),
            "quiet",
        ),
        Event::GuideDrawn { seat } => (
            n.say(
                *seat,
                "You are drawn as the first Guide.",
                "{name} is drawn as the first Guide.",
                &[],
            ),
            "plain",
        ),
        Event::TrickBegan { guide: _ } => return None,
        Event::Led { seat, card: c } => {
            let values = [("card", &*card(c.to_owned())), ("world", &*world(c.world))];
            (
                n.say(
                    *seat,
                    "You lead {card}: {world} is the Destination.",
                    "{name} leads {card}: {world} is the Destination.",
                    &values,
                ),
                "lead",
            )
        }
        Event::Followed { seat, card: c } => (
            n.say(
                *seat,
                "You play {card}.",
                "{name} plays {card}.",
                &[("card", &card(*c))],
            ),
            "plain",
        ),
        Event::Strayed { seat, card: c } => {
            let text = n.say(
                *seat,
                "You play {card}: another world, so the Shadow moves.",
                "{name} plays {card}: another world, so the Shadow moves.",
                &[("card", &card(*c))],
            );
            (text, "stray")
        }
        Event::PawnMoved { from, to, cause } => {
            let steps = from.abs_diff(*to) as usize;
            let text = match (cause, to > from) {
                (PawnCause::Stray, _) => return None,
                (PawnCause::Elimination, _) => tr_n(
                    "The Shadow goes 1 step towards the Moon, for the card of the eliminated Shaman.",
                    "The Shadow goes {n} steps towards the Moon, one for each card of the eliminated Shaman.",
                    steps,
                ),
                (PawnCause::Portal, true) => tr_n(
                    "The Shadow goes 1 step towards the Moon, through a Portal.",
                    "The Shadow goes {n} steps towards the Moon, through a Portal.",
                    steps,
                ),
                (PawnCause::Portal, false) => tr_n(
                    "The Shadow goes 1 step back, through a Portal.",
                    "The Shadow goes {n} steps back, through a Portal.",
                    steps,
                ),
                (PawnCause::Stabilisation, _) => tr_n(
                    "The Shadow goes 1 step back, by Stabilisation.",
                    "The Shadow goes {n} steps back, by Stabilisation.",
                    steps,
                ),
            };
            (text, "pawn")
        }
        Event::Laid { card: _ } => return None,
        Event::RitualBegan {
            seat,
            world: w,
            ritual: r,
        } => {
            let values = [("world", &*world(*w)), ("ritual", &*ritual(*r))];
            (
                n.say(
                    *seat,
                    "{world} is complete: you perform {ritual}.",
                    "{world} is complete: {name} performs {ritual}.",
                    &values,
                ),
                "ritual",
            )
        }
        Event::RitualIdle { seat: _, ritual: r } => (
            fill("{ritual} has no effect.", &[("ritual", &ritual(*r))]),
            "quiet",
        ),
        Event::Took {
            seat,
            from,
            artefact: a,
        } => {
            let text = match (from, a) {
                (Pick::FaceUp(_), Some(a)) => n.say(
                    *seat,
                    "You take the {tile}.",
                    "{name} takes the {tile}.",
                    &[("tile", &artefact(*a))],
                ),
                (Pick::Pile, Some(a)) => n.say(
                    *seat,
                    "You draw the {tile} from the pile.",
                    "{name} draws the {tile} from the pile.",
                    &[("tile", &artefact(*a))],
                ),
                (Pick::FaceUp(_) | Pick::Pile, None) => n.say(
                    *seat,
                    "You take a tile from the pile and keep it face down.",
                    "{name} takes a tile from the pile and keeps it face down.",
                    &[],
                ),
            };
            (text, "tile")
        }
        Event::NothingToTake { seat } => (
            n.say(
                *seat,
                "No tile is left for you to take.",
                "No tile is left for {name} to take.",
                &[],
            ),
            "quiet",
        ),
        Event::Unmasked { seat, role: r } => {
            let article = match r {
                Role::Shaman => n.say(
                    *seat,
                    "You are a Shaman: your identity lies open.",
                    "{name} is a Shaman.",
                    &[],
                ),
                Role::Shadow => n.say(
                    *seat,
                    "You are a Shadow: your identity lies open.",
                    "{name} is a Shadow.",
                    &[],
                ),
            };
            (article, "role")
        }
        Event::EclipseBegan { seats, side } => {
            let text = match side {
                Some(Side::Left) => tr("Eclipse! Everyone passes a card to the left."),
                Some(Side::Right) => tr("Eclipse! Everyone passes a card to the right."),
                None if seats.len() < 2 => tr("Eclipse, but too few hold cards to pass any."),
                None => tr("Eclipse! Everyone passes a card."),
            };
            (text, "eclipse")
        }
        Event::Chose { seat: _ } => return None,
        Event::CardsPassed { seats: _, side: _ } => {
            (tr("The cards are passed and the hands mixed."), "eclipse")
        }
        Event::Swapped { seat, with } => {
            let other = n.of(*with);
            let text = if *with == n.me {
                fill(
                    "{name} swaps identity cards with you.",
                    &[("name", &n.of(*seat))],
                )
            } else {
                n.say(
                    *seat,
                    "You swap identity cards with {other}.",
                    "{name} swaps identity cards with {other}.",
                    &[("other", &other)],
                )
            };
            (text, "ritual")
        }
        Event::Struck { seat, target } => {
            let text = if *target == n.me {
                fill(
                    "{name} raises a Ritual Dagger against you.",
                    &[("name", &n.of(*seat))],
                )
            } else {
                n.say(
                    *seat,
                    "You raise a Ritual Dagger against {other}.",
                    "{name} raises a Ritual Dagger against {other}.",
                    &[("other", &n.of(*target))],
                )
            };
            (text, "strike")
        }
        Event::Spared { seat } => (
            n.say(
                *seat,
                "You eliminate nobody.",
                "{name} eliminates nobody.",
                &[],
            ),
            "plain",
        ),
        Event::Eliminated {
            seat,
            by: _,
            role: r,
            cards: held,
        } => {
            let values = [("role", &*role(*r)), ("cards", &*cards(usize::from(*held)))];
            let text = n.say(
                *seat,
                "You are eliminated: a {role} with {cards} in hand.",
                "{name} is eliminated: a {role} with {cards} in hand.",
                &values,
            );
            (text, "strike")
        }
        Event::HandShown { seat, cards: shown } => {
            let list = shown
                .iter()
                .map(|c| card(*c))
                .collect::<Vec<_>>()
                .join(", ");
            (
                n.say(
                    *seat,
                    "Your hand goes to the worlds: {list}.",
                    "{name}'s hand goes to the worlds: {list}.",
                    &[("list", &list)],
                ),
                "plain",
            )
        }
        Event::Declined { seat } => (
            n.say(*seat, "You use no Portal.", "{name} uses no Portal.", &[]),
            "quiet",
        ),
        Event::PortalUsed { seat, way } => {
            let text = match way {
                Way::Forward => n.say(
                    *seat,
                    "You open a Portal towards the Moon.",
                    "{name} opens a Portal towards the Moon.",
                    &[],
                ),
                Way::Back => n.say(
                    *seat,
                    "You open a Portal away from the Moon.",
                    "{name} opens a Portal away from the Moon.",
                    &[],
                ),
            };
            (text, "tile")
        }
        Event::TrickEnded { lowest, highest } => {
            let text = match (lowest, highest) {
                (Some(low), Some(high)) if low == high => n.say(
                    *low,
                    "You alone served the Destination: an artefact, and you lead next.",
                    "{name} alone served the Destination: an artefact, and the next lead.",
                    &[],
                ),
                (Some(low), Some(high)) => {
                    let low = n.say(
                        *low,
                        "You are lowest and take an artefact",
                        "{name} is lowest and takes an artefact",
                        &[],
                    );
                    let high = n.say(*high, "you are highest", "{name} is highest", &[]);
                    format!("{low}; {high}.")
                }
                (None, _) | (_, None) => tr("Nobody in play served the Destination: no artefact."),
            };
            (text, "trick")
        }
        Event::GuideNamed { by, seat } => {
            let text = if *seat == n.me {
                fill(
                    "{name} names you as the next Guide.",
                    &[("name", &n.of(*by))],
                )
            } else {
                n.say(
                    *by,
                    "You name {other} as the next Guide.",
                    "{name} names {other} as the next Guide.",
                    &[("other", &n.of(*seat))],
                )
            };
            (text, "plain")
        }
        Event::RoundEnded { winner, cause } => (round_end(*winner, *cause), "round"),
        Event::TileShown { seat, artefact: a } => (
            n.say(
                *seat,
                "You had a {tile} face down.",
                "{name} had a {tile} face down.",
                &[("tile", &artefact(*a))],
            ),
            "quiet",
        ),
        Event::Scored {
            seat,
            points: p,
            cause,
        } => {
            let values = [
                ("points", &*points(usize::from(*p))),
                ("why", &*point_cause(*cause)),
            ];
            (
                n.say(
                    *seat,
                    "You get {points}: {why}.",
                    "{name} gets {points}: {why}.",
                    &values,
                ),
                "score",
            )
        }
        Event::HandOpened { seat, cards: open } => {
            if open.is_empty() {
                return None;
            }
            let list = open.iter().map(|c| card(*c)).collect::<Vec<_>>().join(", ");
            (
                n.say(
                    *seat,
                    "You still held {list}.",
                    "{name} still held {list}.",
                    &[("list", &list)],
                ),
                "quiet",
            )
        }
        Event::Tied { seats } => (
            fill(
                "Tied at the top: {names}. Another round decides.",
                &[("names", &n.all(*seats))],
            ),
            "round",
        ),
        Event::GameEnded { winner } => (
            n.say(*winner, "You win the game!", "{name} wins the game.", &[]),
            "round",
        ),
        Event::StoodIn { seat } => (
            n.say(
                *seat,
                "A phantom stands in for you.",
                "A phantom stands in for {name}.",
                &[],
            ),
            "plain",
        ),
        Event::CameBack { seat } => (
            n.say(*seat, "You are back.", "{name} is back.", &[]),
            "plain",
        ),
        Event::RoundVoided => (
            tr("The round counts for nothing and is dealt again."),
            "round",
        ),
    };
    Some(line)
}

/// Who won a round and why.
pub fn round_end(winner: Role, cause: EndCause) -> String {
    let why = match cause {
        EndCause::Moon => tr("the Shadow has reached the Moon"),
        EndCause::LastShadow => tr("the last Shadow is eliminated"),
        EndCause::NoCards => tr("the worlds have held until the last card"),
    };
    match winner {
        Role::Shaman => fill("The Shamans win the round: {why}.", &[("why", &why)]),
        Role::Shadow => fill("The Shadows win the round: {why}.", &[("why", &why)]),
    }
}

/// What points were for.
pub fn point_cause(cause: PointCause) -> String {
    match cause {
        PointCause::Illumination => tr("Illumination"),
        PointCause::Shaman => tr("a Shaman's victory"),
        PointCause::Shadow => tr("a Shadow's victory"),
        PointCause::Moonstones => tr("a pair of Moonstones"),
    }
}
