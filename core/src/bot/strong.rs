//! The strong bot: plays the rest of the round many times, over deals that fit what it has seen, and takes what comes out best.
//!
//! Each imagined deal is drawn with what the plays say about identities and hands ([`belief`]); the rest of the round is played
//! by sensible bots, who see of it only what their seats would. Every action that is still in question is tried on the same
//! deals, so that luck of the deal falls out of the comparison; after each stage the worse half is dropped and the better half
//! gets the rest of the budget.

use alloc::vec::Vec;

use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{Bot, Sensible, belief};
use crate::{
    game::{Awaits, ClearDealer, DeckRequest, Game, PerSeat, Seat, SeatSet},
    shamans::{Action, Event, Shamans, View, imagine::Assumed, state::WorldSet},
};

/// Plays by looking ahead.
#[derive(Debug, Clone)]
pub struct Strong {
    /// Rounds to play out for a decision.
    budget: u32,
    legal: Vec<Action>,
    events: Vec<Event>,
    rollout: Sensible,
}

/// An action in question.
struct Candidate {
    action: Action,
    sum: f32,
}

/// More moves than the rest of any round has.
const MAX_MOVES: usize = 1000;

impl Strong {
    /// What a table gives it: a small part of a second on one core.
    pub const USUAL: u32 = 400;

    /// A strong bot that plays out about `budget` rounds for a decision.
    pub fn new(budget: u32) -> Strong {
        Strong {
            budget,
            legal: Vec::new(),
            events: Vec::new(),
            rollout: Sensible::new(),
        }
    }

    /// Plays the imagined round to its end after `action`, and says what it brought the viewer.
    fn play_out(
        &mut self,
        view: &View<'_>,
        me: Seat,
        (game, dealer): (&mut Shamans, &mut ClearDealer),
        action: Action,
        chance: &mut Xoshiro256PlusPlus,
    ) -> Option<f32> {
        self.events.clear();
        game.apply_into(me, action, &mut self.events).ok()?;
        for _ in 0..MAX_MOVES {
            while let Awaits::Decks(request) = game.awaits() {
                // The reveal comes when the round is scored.
                if *request == DeckRequest::Reveal {
                    return Some(worth(view, me, game));
                }
                let outcome = dealer.answer(request, chance).ok()?;
                game.supply_into(outcome, &mut self.events).ok()?;
            }
            let Awaits::Seats(seats) = game.awaits() else {
                return None;
            };
            let seat = seats.iter().next()?;
            let theirs = game.view(Some(seat), dealer.known(seat));
            let action = self.rollout.choose(&theirs, chance)?;
            game.apply_into(seat, action, &mut self.events).ok()?;
        }
        None
    }

    fn search(&mut self, view: &View<'_>, me: Seat, rng: &mut dyn Rng) -> Option<Action> {
        let sets = belief::shadow_sets(view);
        let everyone = SeatSet::first(view.rules().seats());
        let strayed = PerSeat::from_fn(|seat| {
            if everyone.contains(seat) && !view.phantoms().contains(seat) {
                belief::strayed_from(view, seat)
            } else {
                WorldSet::default()
            }
        });
        let mut field: Vec<Candidate> = self
            .legal
            .iter()
            .map(|&action| Candidate { action, sum: 0.0 })
            .collect();
        let mut deals = 0.0f32;
        let stages = usize::BITS - (field.len() - 1).leading_zeros();
        let each = (self.budget / stages.max(1)).max(1) as usize;
        while field.len() > 1 {
            for _ in 0..(each / field.len()).max(1) {
                let shadows = belief::guess_shadows(&sets, rng);
                let assumed = Assumed {
                    shadows,
                    // A Shadow may have strayed from what it has.
                    none_of: PerSeat::from_fn(|seat| {
                        if shadows.contains(seat) {
                            WorldSet::default()
                        } else {
                            strayed[seat]
                        }
                    }),
                };
                let (game, dealer) = view.imagine(&assumed, rng);
                let seed = rng.next_u64();
                for candidate in &mut field {
                    // The same chance for all, as far as it is asked for in the same order.
                    let mut chance = Xoshiro256PlusPlus::seed_from_u64(seed);
                    let (mut game, mut dealer) = (game.clone(), dealer.clone());
                    let table = (&mut game, &mut dealer);
                    let action = candidate.action;
                    candidate.sum += self
                        .play_out(view, me, table, action, &mut chance)
                        .unwrap_or(0.0);
                }
                deals += 1.0;
            }
            field.sort_by(|a, b| b.sum.total_cmp(&a.sum));
            field.truncate(field.len().div_ceil(2));
        }
        debug_assert!(deals > 0.0);
        field.first().map(|candidate| candidate.action)
    }
}

/// What the round brought the viewer: points, against what the others got, and the game if it is decided.
fn worth(view: &View<'_>, me: Seat, game: &Shamans) -> f32 {
    const GAME: f32 = 4.0;
    let rules = view.rules();
    let known = crate::game::Known::new();
    let after = game.view(None, &known);
    let gain = |seat: Seat| f32::from(after.points(seat)) - f32::from(view.points(seat));
    let others = SeatSet::first(rules.seats()).without(me);
    let rivals: f32 = others.iter().map(gain).sum();
    let best = others
        .iter()
        .map(|seat| after.points(seat))
        .max()
        .unwrap_or(0);
    let mine = after.points(me);
    let goal = u16::from(rules.goal);
    let decided = if mine >= goal && mine > best {
        GAME
    } else if best >= goal && best > mine {
        -GAME
    } else {
        0.0
    };
    gain(me) - 0.6 * rivals / others.len().max(1) as f32 + decided
}

impl Bot for Strong {
    fn choose(&mut self, view: &View<'_>, rng: &mut dyn Rng) -> Option<Action> {
        self.legal.clear();
        view.legal_into(&mut self.legal);
        if self.legal.len() < 2 {
            return self.legal.first().copied();
        }
        let me = view.seat()?;
        self.search(view, me, rng)
    }
}
