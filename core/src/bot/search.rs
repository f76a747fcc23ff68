//! Looking ahead: information-set Monte Carlo tree search, as the strong bot, advice and the story of a round use it.
//!
//! Every try imagines a deal that fits what the viewer has seen, drawn with what the plays say about identities and hands
//! ([`belief`]), makes one of the actions in question and plays the round out. The others play sensibly and see only what their
//! seats would; the viewer's own later decisions grow a tree over what the viewer would have seen until then, one node a try, and
//! are chosen by what came of them before, sensible play first. A round's end is worth the chance to win the game ([`prospect`]).
//!
//! All actions in question are tried on the same deals, so that luck of the deal falls out of the comparison; what the sensible
//! bot thinks of them counts as so many tries; after each stage the worse half is dropped.

use alloc::{collections::BTreeMap, vec::Vec};

use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{Bot, Sensible, belief, prospect};
use crate::{
    game::{Awaits, ClearDealer, DeckRequest, Game, Known, PerSeat, Seat, SeatSet},
    shamans::{Action, Event, Pick, Role, Shamans, View, Way, imagine::Assumed, state::WorldSet},
};

/// More moves than the rest of any round has.
const MAX_MOVES: usize = 1000;

/// As many tries the sensible bot's opinion counts for: about as many as it takes until luck no longer drowns the differences.
const OPINION: f32 = 48.0;
/// The same further down, where there are few tries.
const OPINION_BELOW: f32 = 6.0;
/// How much the tree explores.
const EXPLORE: f32 = 0.02;
/// No opinion is held with more conviction than this, in victory points.
const CONVICTION: f32 = 2.0;

/// An action and what came of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tried {
    /// What.
    pub action: Action,
    /// The sum of the chances to win the game after each try,
    pub sum: f32,
    /// and how many tries.
    pub tries: u32,
    /// What the sensible bot thinks of it against its favourite, as a chance to win; never above 0.
    pub prior: f32,
}

impl Tried {
    /// The chance to win with it, opinion and tries together; `base` is the chance with the sensible bot's favourite.
    pub fn chance(&self, base: f32) -> f32 {
        (self.sum + OPINION * (base + self.prior)) / (self.tries as f32 + OPINION)
    }
}

/// How a round ended that was played out.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    /// Which team won it.
    pub winner: Option<Role>,
    /// Each seat's chance to win the game then.
    pub chances: PerSeat<f32>,
}

/// A decision of the viewer's further down.
#[derive(Debug, Clone, Default)]
struct Node {
    tries: u32,
    sum: f32,
    moves: Vec<Tried>,
}

/// Room to think in.
#[derive(Debug, Clone)]
pub struct Search {
    field: usize,
    legal: Vec<Action>,
    worths: Vec<f32>,
    events: Vec<Event>,
    sensible: Sensible,
    tree: BTreeMap<u64, Node>,
    path: Vec<(u64, Action)>,
    /// What one victory point more is worth to the viewer now, as a chance to win the game.
    point: f32,
}

impl Search {
    /// A search among the `field` actions that look best.
    pub fn new(field: usize) -> Search {
        Search {
            field,
            legal: Vec::new(),
            worths: Vec::new(),
            events: Vec::new(),
            sensible: Sensible::new(),
            tree: BTreeMap::new(),
            path: Vec::new(),
            point: 0.0,
        }
    }

    /// Tries what `view`'s seat can do, about `budget` times in all. Best first; empty if there is nothing to decide, and untried
    /// if there is no choice.
    pub fn run(&mut self, view: &View<'_>, budget: u32, rng: &mut dyn Rng) -> Vec<Tried> {
        let (Some(me), rules) = (view.seat(), view.rules()) else {
            return Vec::new();
        };
        let now = prospect::chances(rules, |seat| view.points(seat))[me];
        let ahead = |seat| view.points(seat) + u16::from(seat == me);
        self.point = (prospect::chances(rules, ahead)[me] - now).clamp(0.02, 0.3);
        let mut field = self.candidates(view, me, budget);
        if field.len() < 2 {
            return field;
        }
        self.tree.clear();
        let beliefs = Beliefs::new(view);
        let mut dropped = Vec::new();
        let stages = usize::BITS - (field.len() - 1).leading_zeros();
        let each = (budget / stages.max(1)).max(1) as usize;
        while field.len() > 1 {
            for _ in 0..(each / field.len()).max(1) {
                let (game, dealer) = view.imagine(&beliefs.guess(rng), rng);
                let seed = rng.next_u64();
                for tried in &mut field {
                    // The same chance for all, as far as it is asked for in the same order.
                    let mut chance = Xoshiro256PlusPlus::seed_from_u64(seed);
                    let table = (game.clone(), dealer.clone());
                    let begin = fold(0, encode(me, &tried.action, me));
                    let outcome = self.play_out(
                        Some(me),
                        table,
                        Some((me, tried.action)),
                        begin,
                        &mut chance,
                    );
                    tried.sum += outcome.map_or(0.0, |outcome| outcome.chances[me]);
                    tried.tries += 1;
                }
            }
            field.sort_by(|a, b| {
                let worth = |tried: &Tried| tried.sum + OPINION * tried.prior;
                worth(b).total_cmp(&worth(a))
            });
            let worse = field.split_off(field.len().div_ceil(2));
            dropped.splice(0..0, worse);
        }
        field.append(&mut dropped);
        field
    }

    /// The actions to try, those first that the sensible bot likes: no more than the budget can tell apart.
    fn candidates(&mut self, view: &View<'_>, me: Seat, budget: u32) -> Vec<Tried> {
        self.legal.clear();
        view.legal_into(&mut self.legal);
        self.worths.clear();
        self.sensible
            .weigh_into(view, me, &self.legal, &mut self.worths);
        let best = self.worths.iter().copied().fold(f32::MIN, f32::max);
        let mut field: Vec<Tried> = self
            .legal
            .iter()
            .zip(&self.worths)
            .map(|(&action, worth)| Tried {
                action,
                sum: 0.0,
                tries: 0,
                prior: (worth - best).max(-CONVICTION) * self.point,
            })
            .collect();
        field.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        field.truncate(self.field.min(budget as usize / 4).max(2));
        field
    }

    /// Plays an imagined round to its end, after `first`. With eyes at `me`, that seat's decisions grow the tree.
    pub fn play_out(
        &mut self,
        me: Option<Seat>,
        (mut game, mut dealer): (Shamans, ClearDealer),
        first: Option<(Seat, Action)>,
        begin: u64,
        chance: &mut Xoshiro256PlusPlus,
    ) -> Option<Outcome> {
        self.events.clear();
        self.path.clear();
        let mut key = begin;
        let mut growing = me.is_some();
        if let Some((seat, action)) = first {
            game.apply_into(seat, action, &mut self.events).ok()?;
        }
        for _ in 0..MAX_MOVES {
            while let Awaits::Decks(request) = game.awaits() {
                // The reveal comes when the round is scored.
                if *request == DeckRequest::Reveal {
                    let outcome = outcome(&game);
                    if let Some(me) = me {
                        self.remember(outcome.chances[me]);
                    }
                    return Some(outcome);
                }
                let answer = dealer.answer(request, chance).ok()?;
                game.supply_into(answer, &mut self.events).ok()?;
            }
            let Awaits::Seats(seats) = game.awaits() else {
                return None;
            };
            let seat = seats.iter().next()?;
            let theirs = game.view(Some(seat), dealer.known(seat));
            let action = if growing && me == Some(seat) {
                self.descend(&theirs, seat, key, &mut growing, chance)?
            } else {
                self.sensible.choose(&theirs, chance)?
            };
            if growing {
                key = fold(key, encode(seat, &action, me.unwrap_or(seat)));
            }
            game.apply_into(seat, action, &mut self.events).ok()?;
            self.events.clear();
        }
        None
    }

    /// The viewer decides further down: by what came of it before, or sensibly at a node that is new.
    fn descend(
        &mut self,
        view: &View<'_>,
        me: Seat,
        key: u64,
        growing: &mut bool,
        chance: &mut Xoshiro256PlusPlus,
    ) -> Option<Action> {
        let Some(node) = self.tree.get_mut(&key) else {
            *growing = false;
            let action = self.sensible.choose(view, chance)?;
            self.tree.insert(key, Node::default());
            self.path.push((key, action));
            return Some(action);
        };
        self.legal.clear();
        view.legal_into(&mut self.legal);
        if self.legal.len() < 2 {
            return self.legal.first().copied();
        }
        self.worths.clear();
        self.sensible
            .weigh_into(view, me, &self.legal, &mut self.worths);
        let best = self.worths.iter().copied().fold(f32::MIN, f32::max);
        let mean = node.sum / (node.tries.max(1) as f32);
        let bold = EXPLORE * root_of(node.tries as f32);
        let mut chosen: Option<(f32, Action)> = None;
        for (&action, worth) in self.legal.iter().zip(&self.worths) {
            let prior = (worth - best).max(-CONVICTION) * self.point;
            let known = node.moves.iter().find(|tried| tried.action == action);
            let (sum, tries) = known.map_or((0.0, 0.0), |t| (t.sum, t.tries as f32));
            let score = (sum + OPINION_BELOW * (mean + prior)) / (tries + OPINION_BELOW)
                + bold / (1.0 + tries);
            if chosen.is_none_or(|(most, _)| score > most) {
                chosen = Some((score, action));
            }
        }
        let (_, action) = chosen?;
        self.path.push((key, action));
        Some(action)
    }

    /// Tells every decision on the way what came of it.
    fn remember(&mut self, worth: f32) {
        for (key, action) in self.path.drain(..) {
            let Some(node) = self.tree.get_mut(&key) else {
                continue;
            };
            node.tries += 1;
            node.sum += worth;
            match node.moves.iter_mut().find(|tried| tried.action == action) {
                Some(tried) => {
                    tried.tries += 1;
                    tried.sum += worth;
                }
                None => node.moves.push(Tried {
                    action,
                    sum: worth,
                    tries: 1,
                    prior: 0.0,
                }),
            }
        }
    }
}

/// How the round stands that has just been scored.
pub fn outcome(game: &Shamans) -> Outcome {
    let nothing = Known::new();
    let view = game.view(None, &nothing);
    Outcome {
        winner: view.round_winner(),
        chances: prospect::chances(view.rules(), |seat| view.points(seat)),
    }
}

/// What the viewer thinks of the hidden cards, worked out once for a decision.
pub struct Beliefs {
    sets: arrayvec::ArrayVec<(SeatSet, f32), { belief::MAX_SETS }>,
    strayed: PerSeat<WorldSet>,
}

impl Beliefs {
    /// What `view`'s seat thinks now; eyes that see everything think nothing.
    pub fn new(view: &View<'_>) -> Beliefs {
        let mut strayed = belief::strayed_from(view);
        for phantom in view.phantoms().iter() {
            strayed[phantom] = WorldSet::default();
        }
        Beliefs {
            sets: belief::shadow_sets(view),
            strayed,
        }
    }

    /// One way it may be, each as often as it is likely.
    pub fn guess(&self, rng: &mut dyn Rng) -> Assumed {
        let shadows = belief::guess_shadows(&self.sets, rng);
        Assumed {
            shadows,
            // A Shadow may have strayed from what it has.
            none_of: PerSeat::from_fn(|seat| {
                if shadows.contains(seat) {
                    WorldSet::default()
                } else {
                    self.strayed[seat]
                }
            }),
        }
    }
}

/// What `eyes` see of an action, as a number for each that differs.
fn encode(by: Seat, action: &Action, eyes: Seat) -> u64 {
    let (kind, what) = match *action {
        Action::Play { slot: _, card } => (1, u64::from(card.world.0) << 8 | u64::from(card.value)),
        Action::Take(Pick::FaceUp(place)) => (2, u64::from(place)),
        Action::Take(Pick::Pile) => (3, 0),
        Action::MoveBack => (4, 0),
        Action::TakeInstead => (5, 0),
        Action::Swap { with } => (6, u64::from(with.0)),
        Action::Strike {
            tile,
            face: _,
            target,
        } => (7, u64::from(tile.0) << 8 | u64::from(target.0)),
        Action::Spare => (8, 0),
        Action::Portal { tile, face: _, way } => {
            let way = match way {
                Way::Forward => 1,
                Way::Back => 2,
            };
            (9, u64::from(tile.0) << 8 | way)
        }
        Action::Decline => (10, 0),
        // ECL-2: others' choices are hidden.
        Action::Give { slot } => (11, if by == eyes { u64::from(slot.0) } else { 0 }),
        Action::Perform { world } => (12, u64::from(world.0)),
        Action::NameGuide { seat } => (13, u64::from(seat.0)),
    };
    what << 16 | kind << 8 | u64::from(by.0)
}

/// A history grown by one action.
fn fold(key: u64, action: u64) -> u64 {
    let mixed = (key ^ action).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

/// A square root good enough to explore with: `core` has none.
fn root_of(x: f32) -> f32 {
    if x <= 0.0 {
        return 0.0;
    }
    let mut root = if x > 1.0 { x / 2.0 } else { 1.0 };
    for _ in 0..8 {
        root = 0.5 * (root + x / root);
    }
    root
}
