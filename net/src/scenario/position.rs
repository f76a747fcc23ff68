//! From the lines before `---` to the position they describe, with the defaults for what they leave out.

use std::collections::HashMap;

use shamans_core::{
    game::{Seat, SeatSet},
    shamans::{
        Artefact, Card, Data, Role, Rules, Setup,
        position::{Position, SeatPosition},
    },
};

use super::{
    Flaw,
    grammar::{Lexicon, PileItem, Trait},
    line::{Check, FIRST_TO_FILL, Given, State},
    parse::cards_of,
    tell,
};

/// Where a scenario starts.
#[derive(Debug, Clone)]
pub(super) enum Start {
    /// A whole deal from the seed.
    Dealt(Setup),
    /// A position made by hand.
    Position(Box<Position>),
}

impl Start {
    fn setup(&self) -> &Setup {
        match self {
            Start::Dealt(setup) => setup,
            Start::Position(position) => &position.setup,
        }
    }
}

fn not_at_table(line: usize, card: Card, rules: &Rules, lexicon: &Lexicon) -> Flaw {
    let worlds: Vec<String> = rules
        .all_worlds()
        .map(|w| tell::world(w, lexicon))
        .collect();
    let expected = format!(
        "a card of this table of {}: {} with values 1 to {}",
        rules.players,
        worlds.join(", "),
        rules.values
    );
    Flaw::new(line, expected, tell::card(card, lexicon))
}

/// A check about cards that this table does not have is a mistake, not a failure.
pub(super) fn check_at_table(
    line: usize,
    check: &Check,
    lexicon: &Lexicon,
    start: &Start,
) -> Result<(), Flaw> {
    let cards = cards_of(check);
    if cards.is_empty() {
        return Ok(());
    }
    let rules = rules_of(line, start.setup())?;
    match cards.into_iter().find(|&card| rules.face(card).is_none()) {
        Some(card) => Err(not_at_table(line, card, &rules, lexicon)),
        None => Ok(()),
    }
}

fn rules_of(line: usize, setup: &Setup) -> Result<Rules, Flaw> {
    Rules::new(setup)
        .map_err(|error| Flaw::new(line, "a table that can be played at", error.to_string()))
}

/// A position while its lines are read.
struct Draft<'a> {
    lexicon: &'a Lexicon,
    rules: Rules,
    seats: Vec<SeatPosition>,
    roles: Vec<Option<Role>>,
    laid: Vec<Card>,
    placed: HashMap<Card, usize>,
    tiles: HashMap<Artefact, u8>,
    /// How many cards each seat still gets, and in which line that stands.
    others: Vec<(usize, Seat, u16)>,
    pawn: Option<u8>,
    guide: Option<Seat>,
    offer: Option<Vec<Artefact>>,
    pile: Option<Vec<PileItem>>,
}

/// Puts the lines together; also the seed.
pub(super) fn assemble(
    end: usize,
    given: &[(usize, Given)],
    lexicon: &Lexicon,
    data: &Data,
) -> Result<(Start, u64), Flaw> {
    let traits = || {
        given.iter().filter_map(|(_, given)| match given {
            Given::State(State::Is(seat, traits)) => Some((*seat, traits)),
            Given::State(_)
            | Given::Seed(_)
            | Given::Dealt
            | Given::Pile(_)
            | Given::HoldsOther(..) => None,
        })
    };
    let phantoms: SeatSet = traits()
        .filter(|(_, traits)| traits.contains(&Trait::Phantom(true)))
        .map(|(seat, _)| seat)
        .collect();
    let setup = Setup {
        data: data.clone(),
        players: lexicon.names.len() as u8,
        phantoms,
    };
    let rules = rules_of(end, &setup)?;
    let mut seed = 0;
    let mut dealt = None;
    for (line, given) in given {
        match given {
            Given::Seed(number) => seed = u64::from(*number),
            Given::Dealt => dealt = Some(*line),
            Given::Pile(_) | Given::HoldsOther(..) | Given::State(_) => {}
        }
    }
    if dealt.is_some() {
        let other = given.iter().find(|(_, given)| match given {
            Given::Seed(_) | Given::Dealt => false,
            Given::State(State::Is(_, traits)) => {
                !traits.iter().all(|t| matches!(t, Trait::Phantom(_)))
            }
            Given::State(_) | Given::Pile(_) | Given::HoldsOther(..) => true,
        });
        return match other {
            Some((line, _)) => Err(Flaw::new(
                *line,
                "only a seed and phantoms where everything is dealt",
                "a line that sets something else",
            )),
            None => Ok((Start::Dealt(setup), seed)),
        };
    }
    let n = rules.seats();
    let mut draft = Draft {
        lexicon,
        rules,
        seats: vec![SeatPosition::default(); n],
        roles: vec![None; n],
        laid: Vec::new(),
        placed: HashMap::new(),
        tiles: HashMap::new(),
        others: Vec::new(),
        pawn: None,
        guide: None,
        offer: None,
        pile: None,
    };
    for (line, given) in given {
        draft.add(*line, given)?;
    }
    let position = draft.finish(end, setup)?;
    position
        .build()
        .map_err(|error| Flaw::new(end, "a position that fits together", error.to_string()))?;
    Ok((Start::Position(Box::new(position)), seed))
}

impl Draft<'_> {
    fn seat(&mut self, seat: Seat) -> &mut SeatPosition {
        self.seats
            .get_mut(seat.index())
            .expect("a name stands for a seat of the table")
    }

    fn once<T>(line: usize, place: &mut Option<T>, what: &str, value: T) -> Result<(), Flaw> {
        match place.replace(value) {
            None => Ok(()),
            Some(_) => Err(Flaw::new(line, format!("{what} once"), "a second time")),
        }
    }

    /// Sets a card down somewhere, which can happen only once.
    fn put(&mut self, line: usize, card: Card) -> Result<Card, Flaw> {
        if self.rules.face(card).is_none() {
            return Err(not_at_table(line, card, &self.rules, self.lexicon));
        }
        match self.placed.insert(card, line) {
            None => Ok(card),
            Some(before) => Err(Flaw::new(
                line,
                "every card in one place",
                format!(
                    "{} here and in line {before}",
                    tell::card(card, self.lexicon)
                ),
            )),
        }
    }

    fn put_tile(&mut self, line: usize, tile: Artefact) -> Result<Artefact, Flaw> {
        let rules = &self.rules;
        let all = match tile {
            Artefact::Dagger => rules.daggers,
            Artefact::Portal => rules.portals,
            Artefact::Moonstone => rules.keepsakes - rules.daggers - rules.portals,
            Artefact::Mask => rules.masks,
        };
        let used = self.tiles.entry(tile).or_default();
        *used += 1;
        if *used > all {
            let expected = format!("at most {all} of the tile {}", tell::tile(tile));
            return Err(Flaw::new(line, expected, "one more"));
        }
        Ok(tile)
    }

    fn add(&mut self, line: usize, given: &Given) -> Result<(), Flaw> {
        match given {
            Given::Seed(_) | Given::Dealt => Ok(()),
            Given::Pile(items) => {
                for item in items {
                    if let PileItem::Tile(tile) = item {
                        self.put_tile(line, *tile)?;
                    }
                }
                Self::once(line, &mut self.pile, "the pile", items.clone())?;
                self.check_pile(line, items)
            }
            Given::HoldsOther(seat, cards, count) => {
                self.hold(line, *seat, cards)?;
                self.others.push((line, *seat, *count));
                Ok(())
            }
            Given::State(state) => self.set(line, state),
        }
    }

    fn check_pile(&self, line: usize, items: &[PileItem]) -> Result<(), Flaw> {
        let eclipses = items
            .iter()
            .filter(|item| matches!(item, PileItem::Eclipse(_)))
            .count();
        let tiles = items.len() - eclipses;
        if eclipses > 1 {
            return Err(Flaw::new(line, "one Eclipse", eclipses.to_string()));
        }
        if matches!(items.first(), Some(PileItem::Eclipse(_))) {
            return Err(Flaw::new(
                line,
                "a tile on top: the Eclipse never lies there",
                "the Eclipse",
            ));
        }
        if tiles > usize::from(self.rules.pile()) {
            let expected = format!("at most {} tiles in the pile", self.rules.pile());
            return Err(Flaw::new(line, expected, tiles.to_string()));
        }
        Ok(())
    }

    fn hold(&mut self, line: usize, seat: Seat, cards: &[Card]) -> Result<(), Flaw> {
        for &card in cards {
            let card = self.put(line, card)?;
            self.seat(seat).hand.push(card);
        }
        self.check_hand(line, seat)
    }

    fn check_hand(&mut self, line: usize, seat: Seat) -> Result<(), Flaw> {
        let (most, held) = (usize::from(self.rules.hand), self.seat(seat).hand.len());
        if held > most {
            let expected = format!("at most {most} cards in a hand at this table");
            return Err(Flaw::new(line, expected, held.to_string()));
        }
        Ok(())
    }

    fn set(&mut self, line: usize, state: &State) -> Result<(), Flaw> {
        let only_checked = |instead: &str| {
            Err(Flaw::new(
                line,
                format!("{instead} in a position"),
                "a line that only states",
            ))
        };
        let moon = self.rules.moon;
        match state {
            State::Pawn(space) => self.set_pawn(line, *space),
            State::PawnFromMoon(steps) => match u16::from(moon).checked_sub(*steps) {
                Some(space) => self.set_pawn(line, space),
                None => Err(Flaw::new(
                    line,
                    format!("1 to {moon} steps"),
                    steps.to_string(),
                )),
            },
            State::PawnAtStart => Ok(()),
            State::Laid(world, values) => {
                for &value in values {
                    let card = self.put(
                        line,
                        Card {
                            world: *world,
                            value,
                        },
                    )?;
                    self.laid.push(card);
                }
                Ok(())
            }
            State::LaidAllBut(world, values) => {
                for &value in values {
                    let card = Card {
                        world: *world,
                        value,
                    };
                    if self.rules.face(card).is_none() {
                        return Err(not_at_table(line, card, &self.rules, self.lexicon));
                    }
                }
                for value in (1..=self.rules.values).filter(|value| !values.contains(value)) {
                    let card = self.put(
                        line,
                        Card {
                            world: *world,
                            value,
                        },
                    )?;
                    self.laid.push(card);
                }
                Ok(())
            }
            State::Is(seat, traits) => traits
                .iter()
                .try_for_each(|&given| self.set_trait(line, *seat, given)),
            State::Holds(seat, cards) => self.hold(line, *seat, cards),
            State::Has { seat, up, tiles } => {
                for &tile in tiles {
                    if !up && tile == Artefact::Mask {
                        return Err(Flaw::new(
                            line,
                            "masks face up: they are shown at once",
                            "a mask face down",
                        ));
                    }
                    let tile = self.put_tile(line, tile)?;
                    let place = self.seat(*seat);
                    if *up {
                        place.tiles_up.push(tile)
                    } else {
                        place.tiles_down.push(tile)
                    }
                }
                Ok(())
            }
            State::Points(seat, points) => {
                if *points > 999 {
                    return Err(Flaw::new(line, "at most 999 points", points.to_string()));
                }
                self.seat(*seat).points = *points;
                Ok(())
            }
            State::Offer(tiles) => {
                let places = usize::from(self.rules.face_up);
                if tiles.len() > places {
                    return Err(Flaw::new(
                        line,
                        format!("at most {places} tiles face up"),
                        tiles.len().to_string(),
                    ));
                }
                for &tile in tiles {
                    self.put_tile(line, tile)?;
                }
                Self::once(
                    line,
                    &mut self.offer,
                    "the tiles that lie face up",
                    tiles.clone(),
                )
            }
            State::LaidCount(..) => only_checked("the values of the cards"),
            State::HoldsCount(..) => only_checked("cards by name, or N other cards,"),
            State::HasCount { .. } => only_checked("tiles by name"),
            State::PileCount(0) => Ok(()),
            State::PileCount(_) => only_checked("a line Pile: with its tiles"),
            State::EclipseToCome(_) => only_checked("the Eclipse in a line Pile:"),
            State::Destination(_) => only_checked("only what lies there before a trick"),
            State::Round(_) | State::Over(_) => only_checked("only the first round of a game"),
        }
    }

    fn set_pawn(&mut self, line: usize, space: u16) -> Result<(), Flaw> {
        let moon = self.rules.moon;
        match u8::try_from(space).ok().filter(|&space| space < moon) {
            Some(space) => Self::once(line, &mut self.pawn, "the pawn", space),
            None => Err(Flaw::new(
                line,
                format!("a space from 0 to {}", moon - 1),
                space.to_string(),
            )),
        }
    }

    fn set_trait(&mut self, line: usize, seat: Seat, given: Trait) -> Result<(), Flaw> {
        match given {
            Trait::Role(role) => {
                let place = self
                    .roles
                    .get_mut(seat.index())
                    .expect("a name stands for a seat of the table");
                Self::once(line, place, "a player's role", role)
            }
            Trait::Shown(shown) => {
                self.seat(seat).shown = shown;
                Ok(())
            }
            Trait::Eliminated(out) => {
                self.seat(seat).eliminated = out;
                Ok(())
            }
            Trait::Guide(true) => Self::once(line, &mut self.guide, "the Guide", seat),
            // Phantoms were collected before; the rest is the default.
            Trait::Phantom(_) | Trait::Guide(false) => Ok(()),
        }
    }

    fn finish(mut self, end: usize, setup: Setup) -> Result<Position, Flaw> {
        self.fill_roles(end)?;
        self.fill_hands()?;
        let pile = self.pile.unwrap_or_default();
        let eclipse = (0u8..).zip(&pile).find_map(|(after, item)| match item {
            PileItem::Eclipse(side) => Some((after, *side)),
            PileItem::Tile(_) => None,
        });
        let tiles = pile.iter().filter_map(|item| match item {
            PileItem::Tile(tile) => Some(*tile),
            PileItem::Eclipse(_) => None,
        });
        Ok(Position {
            pawn: self
                .pawn
                .unwrap_or_else(|| self.rules.start(setup.phantoms.len())),
            setup,
            seats: self.seats,
            laid: self.laid,
            guide: self.guide.unwrap_or(Seat(0)),
            offer: self.offer.unwrap_or_default(),
            pile: tiles.collect(),
            eclipse,
        })
    }

    /// Players without a stated role get what is left, Shamans first, in seat order.
    fn fill_roles(&mut self, end: usize) -> Result<(), Flaw> {
        let (shamans, players) = (usize::from(self.rules.shamans), self.rules.seats());
        let stated = |role| self.roles.iter().filter(|r| **r == Some(role)).count();
        let (mut shamans_left, shadows) = (
            shamans.checked_sub(stated(Role::Shaman)),
            stated(Role::Shadow),
        );
        if shamans_left.is_none() || shadows > players - shamans {
            return Err(Flaw::new(
                end,
                format!(
                    "{shamans} Shamans and {} Shadows at this table",
                    players - shamans
                ),
                format!("{} Shamans and {shadows} Shadows", stated(Role::Shaman)),
            ));
        }
        for (seat, role) in self.seats.iter_mut().zip(&self.roles) {
            seat.role = match (role, shamans_left) {
                (Some(role), _) => *role,
                (None, Some(left)) if left > 0 => {
                    shamans_left = Some(left - 1);
                    FIRST_TO_FILL
                }
                (None, _) => Role::Shadow,
            };
        }
        Ok(())
    }

    /// "N other cards": cards that stand nowhere else, in the order of the worlds.
    fn fill_hands(&mut self) -> Result<(), Flaw> {
        for (line, seat, count) in std::mem::take(&mut self.others) {
            for _ in 0..count.min(99) {
                let values = 1..=self.rules.values;
                let all = self
                    .rules
                    .all_worlds()
                    .flat_map(|world| values.clone().map(move |value| Card { world, value }));
                let free = all.into_iter().find(|card| !self.placed.contains_key(card));
                let Some(card) = free else {
                    return Err(Flaw::new(line, "cards that are left for it", "none left"));
                };
                self.hold(line, seat, &[card])?;
            }
        }
        Ok(())
    }
}
