//! What must hold: statements looked up on the table, or through the eyes of one seat.

use shamans_core::{
    game::{Awaits, Game, Known, Seat, SeatSet},
    shamans::{Artefact, Card, Decision, Moment, Side, View, state::WorldSet},
};

use super::super::{
    grammar::{Trait, Value, filled},
    happening::{Happening, sayings},
    line::{Ask, AskMoment, Check, Eye, Secret, Sight, State},
    tell,
};
use super::{Stage, Wrong};

impl Stage<'_> {
    pub(super) fn holds(&mut self, check: &Check) -> Result<(), Wrong> {
        match check {
            Check::State(state) => self.state(state, &self.all()),
            Check::Sees(eye, state) => {
                self.state(state, &self.all())?;
                let seen = self.state(state, &self.known(*eye));
                let who = self.eye(*eye);
                seen.map_err(|(expected, found)| {
                    (
                        format!("{who} to see {expected}"),
                        format!("{who} to see {found}"),
                    )
                })
            }
            Check::Sight(sight, secret) => self.sight(sight, *secret),
            Check::Asked(seats, ask, side) => self.asks(seats, ask, *side),
            Check::NotAsked(seat) => {
                let asked = self.awaited().contains(*seat);
                self.verdict(
                    !asked,
                    || format!("{} not asked", self.name(*seat)),
                    || self.asked(),
                )
            }
            Check::MayPortal(seat, yes) => {
                let may = self.game.may_interrupt();
                let (which, who) = (if *yes { "among" } else { "not among" }, self.name(*seat));
                self.verdict(
                    may.contains(*seat) == *yes,
                    || format!("{who} {which} those who may use a portal"),
                    || tell::set(may, self.lexicon),
                )
            }
            Check::Gave(from, card, to) => self.gave(*from, *card, *to),
            Check::Happened(happening) => self.happened(happening),
        }
    }

    pub(super) fn holds_not(&mut self, check: &Check) -> Result<(), Wrong> {
        // Whatever order it came in, it must not have happened at all.
        let mut trial = self.clone();
        trial.told = 0;
        match trial.holds(check) {
            Err(_) => Ok(()),
            Ok(()) => {
                let found = match check {
                    Check::Happened(_) => self.story(),
                    Check::Asked(..) | Check::NotAsked(_) => self.asked(),
                    Check::State(_)
                    | Check::Sees(..)
                    | Check::Sight(..)
                    | Check::MayPortal(..)
                    | Check::Gave(..) => "that it is so".to_string(),
                };
                Err(("this not to be so".to_string(), found))
            }
        }
    }

    fn verdict(
        &self,
        holds: bool,
        expected: impl FnOnce() -> String,
        found: impl FnOnce() -> String,
    ) -> Result<(), Wrong> {
        if holds {
            Ok(())
        } else {
            Err((expected(), found()))
        }
    }

    fn same<T: PartialEq>(
        &self,
        expected: T,
        found: T,
        tell: impl Fn(&T) -> String,
    ) -> Result<(), Wrong> {
        self.verdict(expected == found, || tell(&expected), || tell(&found))
    }

    fn known(&self, eye: Eye) -> Known {
        match eye {
            Eye::Seat(seat) => self.dealer.known(seat).clone(),
            Eye::Spectator => Known::new(),
        }
    }

    fn eye(&self, eye: Eye) -> String {
        match eye {
            Eye::Seat(seat) => self.name(seat),
            Eye::Spectator => "a spectator".to_string(),
        }
    }

    fn awaited(&self) -> SeatSet {
        match self.game.awaits() {
            Awaits::Seats(seats) => seats,
            Awaits::Decks(_) | Awaits::Nothing => SeatSet::EMPTY,
        }
    }

    /// The cards of a hand that are known, sorted.
    fn hand(&self, seat: Seat, known: &Known) -> Vec<Card> {
        let mut cards: Vec<Card> = self
            .view(seat, known)
            .hand()
            .map(|(_, card)| card)
            .collect();
        cards.sort();
        cards
    }

    /// The tiles of one side in front of a seat: what they are, where that is known.
    fn tiles(&self, seat: Seat, up: bool, known: &Known) -> Vec<Option<Artefact>> {
        let tiles = self
            .view(seat, known)
            .tiles(seat)
            .filter(|tile| tile.face_up == up);
        let mut all: Vec<_> = tiles.map(|tile| tile.artefact).collect();
        all.sort();
        all
    }

    fn state(&self, state: &State, known: &Known) -> Result<(), Wrong> {
        let view = self.game.view(None, known);
        let rules = self.game.rules();
        let number = |what: &'static str| move |n: &u16| format!("{what} {n}");
        match state {
            State::Pawn(space) => {
                self.same(*space, view.pawn().into(), number("the pawn on space"))
            }
            State::PawnFromMoon(steps) => self.same(*steps, view.steps_to_moon().into(), |n| {
                format!("the pawn {n} steps from the Moon")
            }),
            State::PawnAtStart => {
                let start = rules.start(view.phantoms().len());
                self.same(
                    start.into(),
                    view.pawn().into(),
                    number("the pawn on space"),
                )
            }
            State::Laid(world, values) => {
                let mut wanted = values.clone();
                wanted.sort_unstable();
                wanted.dedup();
                self.laid(*world, wanted, &view)
            }
            State::LaidAllBut(world, values) => {
                let wanted = (1..=rules.values)
                    .filter(|value| !values.contains(value))
                    .collect();
                self.laid(*world, wanted, &view)
            }
            State::LaidCount(world, count) => {
                let at = tell::world(*world, self.lexicon);
                let found = view.laid(*world).len() as u16;
                self.same(*count, found, |n| format!("{n} cards at {at}"))
            }
            State::Is(seat, traits) => traits.iter().try_for_each(|&t| self.is(*seat, t, known)),
            State::Holds(seat, cards) => {
                let (who, mut wanted) = (self.name(*seat), cards.clone());
                wanted.sort();
                let found = self.hand(*seat, known);
                let hidden = view.hand_size(*seat).saturating_sub(found.len());
                let holds = hidden == 0 && wanted == found;
                let more = if hidden > 0 {
                    format!(" and {hidden} cards unseen")
                } else {
                    String::new()
                };
                self.verdict(
                    holds,
                    || format!("{who} holding {}", tell::cards(&wanted, self.lexicon)),
                    || format!("{who} holding {}{more}", tell::cards(&found, self.lexicon)),
                )
            }
            State::HoldsCount(seat, count) => {
                let (who, found) = (self.name(*seat), view.hand_size(*seat) as u16);
                self.same(*count, found, |n| format!("{who} holding {n} cards"))
            }
            State::Has { seat, up, tiles } => self.has(*seat, *up, tiles, known),
            State::HasCount { seat, up, count } => {
                let found = self.tiles(*seat, *up, known).len() as u16;
                let (who, way) = (self.name(*seat), if *up { "up" } else { "down" });
                self.same(*count, found, |n| {
                    format!("{who} with {n} tiles face {way}")
                })
            }
            State::Points(seat, points) => {
                let who = self.name(*seat);
                self.same(*points, view.points(*seat), |n| {
                    format!("{who} with {n} points")
                })
            }
            State::Offer(tiles) => {
                let found: Vec<Artefact> = view.offer().flatten().collect();
                self.same(tiles.clone(), found, |all| {
                    format!("face up: {}", tell::tiles(all))
                })
            }
            State::PileCount(count) => self.same(*count, view.pile().into(), |n| {
                format!("{n} tiles in the pile")
            }),
            State::EclipseToCome(yes) => self.same(*yes, view.eclipse_to_come(), |yes| {
                (if *yes {
                    "the Eclipse to come"
                } else {
                    "the Eclipse gone"
                })
                .to_string()
            }),
            State::Destination(world) => {
                self.same(*world, view.trick().destination, |world| match world {
                    Some(world) => format!("the Destination {}", tell::world(*world, self.lexicon)),
                    None => "no Destination".to_string(),
                })
            }
            State::Round(n) => self.same(*n, view.round(), number("round")),
            State::Over(yes) => self.same(*yes, view.is_over(), |yes| {
                (if *yes {
                    "the game over"
                } else {
                    "the game not over"
                })
                .to_string()
            }),
        }
    }

    fn laid(
        &self,
        world: shamans_core::shamans::World,
        wanted: Vec<u8>,
        view: &View<'_>,
    ) -> Result<(), Wrong> {
        let laid = view.laid(world);
        let found: Vec<u8> = (1..=8).filter(|&value| laid.contains(value)).collect();
        let at = tell::world(world, self.lexicon);
        self.same(wanted, found, |values| {
            format!("at {at}: {}", tell::numbers(values))
        })
    }

    fn has(&self, seat: Seat, up: bool, tiles: &[Artefact], known: &Known) -> Result<(), Wrong> {
        let mut wanted: Vec<Option<Artefact>> = tiles.iter().copied().map(Some).collect();
        wanted.sort();
        let found = self.tiles(seat, up, known);
        let (who, way) = (self.name(seat), if up { "up" } else { "down" });
        let told = |all: &Vec<Option<Artefact>>| {
            let names: Vec<&str> = all.iter().map(|t| t.map_or("unseen", tell::tile)).collect();
            let names = if names.is_empty() {
                "nothing".to_string()
            } else {
                names.join(", ")
            };
            format!("{who} with {names} face {way}")
        };
        self.same(wanted, found, told)
    }

    fn is(&self, seat: Seat, wanted: Trait, known: &Known) -> Result<(), Wrong> {
        let view = self.game.view(None, known);
        let who = self.name(seat);
        let yes_or_no = |wanted: bool, found: bool, yes: &str, no: &str| {
            self.same(wanted, found, |is| {
                format!("{who} {}", if *is { yes } else { no })
            })
        };
        match wanted {
            Trait::Role(role) => {
                let told = |role: &Option<_>| match role {
                    Some(role) => format!("{who} a {}", tell::role(*role)),
                    None => format!("{who}'s identity unseen"),
                };
                self.same(Some(role), view.role(seat), told)
            }
            Trait::Shown(shown) => {
                yes_or_no(shown, view.shown_role(seat).is_some(), "shown", "hidden")
            }
            Trait::Eliminated(out) => {
                yes_or_no(out, view.is_eliminated(seat), "eliminated", "in play")
            }
            Trait::Phantom(is) => {
                yes_or_no(is, view.phantoms().contains(seat), "a phantom", "a person")
            }
            Trait::Guide(is) => {
                yes_or_no(is, view.trick().guide == seat, "the Guide", "not the Guide")
            }
        }
    }

    fn sees(&self, eye: Eye, secret: Secret) -> bool {
        let known = self.known(eye);
        match secret {
            Secret::Identity(seat) => self.game.view(None, &known).role(seat).is_some(),
            Secret::Hand(seat) => !self.hand(seat, &known).is_empty(),
            Secret::FaceDown(seat) => self.tiles(seat, false, &known).iter().any(Option::is_some),
            Secret::Gift(seat) => self.view(seat, &known).gift().is_some(),
        }
    }

    fn sight(&self, sight: &Sight, secret: Secret) -> Result<(), Wrong> {
        let (whose, what) = match secret {
            Secret::Identity(seat) => (seat, "identity"),
            Secret::Hand(seat) => (seat, "hand"),
            Secret::FaceDown(seat) => (seat, "face-down tiles"),
            Secret::Gift(seat) => (seat, "gift"),
        };
        let secret_told = format!("{}'s {what}", self.name(whose));
        let seats = self.game.rules().everyone();
        let seeing: Vec<Seat> = seats
            .iter()
            .filter(|&seat| self.sees(Eye::Seat(seat), secret))
            .collect();
        let spectator = self.sees(Eye::Spectator, secret);
        let found = || {
            let too = if spectator { " and spectators" } else { "" };
            format!(
                "{secret_told} seen by {}{too}",
                tell::names(seeing.iter().copied(), self.lexicon)
            )
        };
        match sight {
            Sight::Not(eye) => self.verdict(
                !self.sees(*eye, secret),
                || format!("{secret_told} unseen by {}", self.eye(*eye)),
                found,
            ),
            Sight::Only(wanted) => {
                let wanted: SeatSet = wanted.iter().copied().collect();
                let holds = !spectator && wanted == seeing.iter().copied().collect();
                let expected =
                    || format!("{secret_told} seen by {}", tell::set(wanted, self.lexicon));
                self.verdict(holds, expected, found)
            }
            Sight::Everyone => self.verdict(
                spectator && seeing.len() == seats.len(),
                || format!("{secret_told} seen by everyone"),
                found,
            ),
        }
    }

    fn gave(&self, from: Seat, card: Card, to: Seat) -> Result<(), Wrong> {
        let known = self.all();
        let told = |gift: &Option<(Card, Seat)>| match gift {
            Some((card, to)) => {
                format!(
                    "{} given to {}",
                    tell::card(*card, self.lexicon),
                    self.name(*to)
                )
            }
            None => "nothing given".to_string(),
        };
        self.same(Some((card, to)), self.view(from, &known).gift(), told)
    }

    fn asks(&self, seats: &[Seat], ask: &Ask, way: Option<Side>) -> Result<(), Wrong> {
        let wanted: SeatSet = seats.iter().copied().collect();
        let holds = wanted == self.awaited()
            && match self.game.decision() {
                Some(decision) => fits(ask, way, decision),
                None => *ask == Ask::Anything,
            };
        let expected = || {
            let what = match ask {
                Ask::Anything => String::new(),
                Ask::Play => " to play a card".to_string(),
                Ask::Take => " to take an artefact".to_string(),
                Ask::Stabilise => " to move the pawn back or take an artefact".to_string(),
                Ask::Swap => " to swap identities".to_string(),
                Ask::Strike(None) => " to strike".to_string(),
                Ask::Strike(Some(true)) => " to strike, and must".to_string(),
                Ask::Strike(Some(false)) => " to strike or decline".to_string(),
                Ask::Order(None) => " which ritual is next".to_string(),
                Ask::Order(Some(worlds)) => {
                    let worlds = tell::value(&Value::Worlds(worlds.clone()), self.lexicon);
                    format!(" which ritual is next: {worlds}")
                }
                Ask::Portal(None) => " for a portal".to_string(),
                Ask::Portal(Some(AskMoment::Moon)) => " for a portal before the Moon".to_string(),
                Ask::Portal(Some(AskMoment::Dagger)) => {
                    " for a portal before the dagger".to_string()
                }
                Ask::Portal(Some(AskMoment::End)) => " for a portal before the end".to_string(),
                Ask::Pass => {
                    let side = way.map(|side| tell::value(&Value::Side(side), self.lexicon));
                    format!(" to pass a card {}", side.unwrap_or_default())
                }
                Ask::NameGuide => " to name the Guide".to_string(),
            };
            format!("{} asked{what}", tell::set(wanted, self.lexicon))
        };
        self.verdict(holds, expected, || self.asked())
    }

    fn happened(&mut self, wanted: &Happening) -> Result<(), Wrong> {
        let is_it = |event| sayings(event).contains(wanted);
        let after = self.events.iter().skip(self.told).position(is_it);
        if let Some(at) = after {
            self.told += at + 1;
            return Ok(());
        }
        let expected = format!(
            "that {}",
            filled(wanted.pattern, &wanted.values, self.lexicon)
        );
        let found = if self.events.iter().any(is_it) {
            format!("it before what the line above tells: {}", self.story())
        } else {
            self.story()
        };
        Err((expected, found))
    }
}

fn fits(ask: &Ask, way: Option<Side>, decision: &Decision) -> bool {
    match (ask, decision) {
        (Ask::Anything, _)
        | (Ask::Play, Decision::Play { .. })
        | (Ask::Take, Decision::Take { .. })
        | (Ask::Stabilise, Decision::Stabilise { .. })
        | (Ask::Swap, Decision::Permute { .. })
        | (Ask::NameGuide, Decision::NameGuide { .. }) => true,
        (Ask::Strike(wanted), Decision::Strike { seat: _, must }) => {
            wanted.is_none_or(|wanted| wanted == *must)
        }
        (Ask::Order(wanted), Decision::Order { seat: _, worlds }) => {
            wanted.as_ref().is_none_or(|wanted| {
                wanted
                    .iter()
                    .fold(WorldSet::default(), |set, &world| set.with(world))
                    == *worlds
            })
        }
        (
            Ask::Portal(wanted),
            Decision::React {
                seat: _,
                waiting: _,
                moment,
            },
        ) => {
            let now = match moment {
                Moment::Moon { steps: _ } => AskMoment::Moon,
                Moment::Dagger { by: _, target: _ } => AskMoment::Dagger,
                Moment::LastCards => AskMoment::End,
            };
            wanted.is_none_or(|wanted| wanted == now)
        }
        (
            Ask::Pass,
            Decision::Give {
                waiting: _,
                side,
                chosen: _,
            },
        ) => way.is_none_or(|way| way == *side),
        (
            Ask::Play
            | Ask::Take
            | Ask::Stabilise
            | Ask::Swap
            | Ask::Strike(_)
            | Ask::Order(_)
            | Ask::Portal(_)
            | Ask::Pass
            | Ask::NameGuide,
            Decision::Play { .. }
            | Decision::Take { .. }
            | Decision::Stabilise { .. }
            | Decision::Permute { .. }
            | Decision::Strike { .. }
            | Decision::Order { .. }
            | Decision::React { .. }
            | Decision::Give { .. }
            | Decision::NameGuide { .. },
        ) => false,
    }
}
