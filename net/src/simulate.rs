//! Whole games between bots, without network, on all cores: for measuring bots, rules and speed.
//!
//! Every game has its own sources of chance, made from the seed and the game's number, so the same plan gives the same tally on one
//! thread or many. Driven by `shamans-table simulate`; knows no terminal.

use std::{
    num::NonZero,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Instant,
};

use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use shamans_core::{
    bot::{Bot, Skill, Strong},
    game::{Awaits, ClearDealer, Game, Seat, SeatSet},
    shamans::{Event, Illegal, Role, Setup, Shamans, event::PawnCause},
};

mod clock;
mod share;
#[cfg(test)]
mod tests;
pub mod tune;

pub use share::Share;

/// How many games a thread takes at a time.
const CHUNK: u64 = 16;

/// What to play.
#[derive(Debug, Clone)]
pub struct Plan {
    start: Shamans,
    people: Vec<Seat>,
    bots: Vec<Skill>,
    games: u64,
    seed: u64,
    budget: u32,
}

/// Why there is nothing to simulate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The set-up makes no game.
    #[error("{}", crate::sentences::spoken(&.0.to_string()))]
    Setup(#[from] Illegal),
    /// Neither one bot nor one for each seat that somebody holds.
    #[error("{}", crate::words::fill("named bots: {given}; name one for all seats, or {seats}, one for each seat that is no phantom's", &[("given", &given.to_string()), ("seats", &seats.to_string())]))]
    Bots {
        /// Named.
        given: usize,
        /// Seats to fill.
        seats: usize,
    },
    /// No games.
    #[error("{}", crate::words::tr("a simulation needs at least one game"))]
    NoGames,
}

/// What came out, added up over games. Equal for equal plans.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games played to their end.
    pub games: u64,
    /// Rounds in them.
    pub rounds: u64,
    /// Actions that were accepted.
    pub actions: u64,
    /// Rounds the Shadows won.
    pub shadow_round_wins: u64,
    /// Actions of bots that the rules refused. Anything but 0 is a bug.
    pub refused: u64,
    /// Games won by each bot, in the plan's order; by each seat if one bot fills all.
    pub wins: Vec<u64>,
    /// Games won by phantoms.
    pub phantom_wins: u64,
    /// Points of each bot at the ends of games, in the same order.
    pub points: Vec<u64>,
    /// Steps towards the Moon by cards that strayed,
    pub stray_steps: u64,
    /// and by eliminated Shamans.
    pub elimination_steps: u64,
    /// Shamans eliminated.
    pub shamans_eliminated: u64,
    /// Shadows eliminated.
    pub shadows_eliminated: u64,
}

/// A tally and what it cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// What came out.
    pub tally: Tally,
    /// From the first game to the last.
    pub seconds: f64,
    /// Spent by all threads together: time on a core where the system tells it, else time passed.
    pub core_seconds: f64,
}

impl Plan {
    /// A plan: `bots` is one skill for all seats, or one for each seat that is no phantom's.
    pub fn new(setup: &Setup, bots: Vec<Skill>, games: u64, seed: u64) -> Result<Plan, PlanError> {
        let start = Shamans::new(setup)?;
        let everyone = SeatSet::first(usize::from(setup.players));
        let people: Vec<Seat> = everyone.minus(setup.phantoms).iter().collect();
        if bots.len() != 1 && bots.len() != people.len() {
            return Err(PlanError::Bots {
                given: bots.len(),
                seats: people.len(),
            });
        }
        if games == 0 {
            return Err(PlanError::NoGames);
        }
        Ok(Plan {
            start,
            people,
            bots,
            games,
            seed,
            budget: Strong::USUAL,
        })
    }

    /// The same with another budget for bots that search: rounds to play out for a decision.
    #[must_use]
    pub fn with_budget(self, budget: u32) -> Plan {
        Plan { budget, ..self }
    }

    /// Who sits where: the place in the list of bots whose turn it is to hold `seat` in this game; `None` for a phantom's seat.
    /// Rotated by one seat from game to game.
    pub fn holder(&self, game: u64, seat: Seat) -> Option<usize> {
        let place = self.people.iter().position(|&s| s == seat)?;
        let n = self.people.len();
        if self.bots.len() == 1 {
            return Some(place);
        }
        Some((place + n - (game % n as u64) as usize) % n)
    }

    /// The skill at a place of the list.
    fn skill(&self, holder: usize) -> Skill {
        let place = if self.bots.len() == 1 { 0 } else { holder };
        self.bots
            .get(place)
            .copied()
            .expect("a holder is a place in the list")
    }

    /// The bots in the order of [`Tally::wins`].
    pub fn skills(&self) -> Vec<Skill> {
        (0..self.people.len()).map(|i| self.skill(i)).collect()
    }

    /// A seat's share of games if all were equal.
    pub fn fair_share(&self) -> f64 {
        1.0 / self.start.seats() as f64
    }

    /// How many games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Plays all games on `threads` threads; `progress` hears how many are done, now and then.
    pub fn run(&self, threads: NonZero<usize>, progress: impl Fn(u64)) -> Measured {
        let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
        let began = Instant::now();
        let mut tally = self.empty();
        let mut core_seconds = 0.0;
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.get())
                .map(|_| scope.spawn(|| self.work(&next, &done)))
                .collect();
            while !workers.iter().all(thread::ScopedJoinHandle::is_finished) {
                progress(done.load(Ordering::Relaxed));
                thread::park_timeout(std::time::Duration::from_millis(20));
            }
            for worker in workers {
                let (part, spent) = worker.join().expect("a worker that panics is a bug");
                tally.add(&part);
                core_seconds += spent;
            }
        });
        progress(self.games);
        Measured {
            tally,
            seconds: began.elapsed().as_secs_f64(),
            core_seconds,
        }
    }

    fn empty(&self) -> Tally {
        Tally {
            wins: vec![0; self.people.len()],
            points: vec![0; self.people.len()],
            ..Tally::default()
        }
    }

    fn work(&self, next: &AtomicU64, done: &AtomicU64) -> (Tally, f64) {
        let clock = clock::CoreClock::start();
        let mut tally = self.empty();
        let mut table = Table::new(self);
        loop {
            let first = next.fetch_add(CHUNK, Ordering::Relaxed);
            if first >= self.games {
                break;
            }
            let last = (first + CHUNK).min(self.games);
            for game in first..last {
                table.play(self, game, &mut tally);
            }
            done.fetch_add(last - first, Ordering::Relaxed);
        }
        (tally, clock.seconds())
    }
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.rounds += other.rounds;
        self.actions += other.actions;
        self.shadow_round_wins += other.shadow_round_wins;
        self.refused += other.refused;
        self.phantom_wins += other.phantom_wins;
        self.stray_steps += other.stray_steps;
        self.elimination_steps += other.elimination_steps;
        self.shamans_eliminated += other.shamans_eliminated;
        self.shadows_eliminated += other.shadows_eliminated;
        for (to, from) in self.wins.iter_mut().zip(&other.wins) {
            *to += from;
        }
        for (to, from) in self.points.iter_mut().zip(&other.points) {
            *to += from;
        }
    }
}

/// One thread's table, kept from game to game.
struct Table {
    dealer: ClearDealer,
    bots: Vec<Box<dyn Bot>>,
    events: Vec<Event>,
}

impl Table {
    fn new(plan: &Plan) -> Table {
        Table {
            dealer: ClearDealer::new(plan.start.seats()),
            bots: plan
                .skills()
                .into_iter()
                .map(|skill| skill.bot_with(plan.budget))
                .collect(),
            events: Vec::new(),
        }
    }

    fn play(&mut self, plan: &Plan, number: u64, tally: &mut Tally) {
        // Chance of the deals and of the bots apart: other bots get the same first deal.
        let source = |lane: u64| {
            let mixed = plan.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number;
            Xoshiro256PlusPlus::seed_from_u64(mixed.wrapping_mul(2).wrapping_add(lane))
        };
        let (mut deals, mut whims) = (source(0), source(1));
        let mut game = plan.start.clone();
        let holders: Vec<Option<usize>> = (0..plan.start.seats())
            .map(|seat| plan.holder(number, Seat(seat as u8)))
            .collect();
        let holder = |seat: Seat| holders.get(seat.index()).copied().flatten();
        loop {
            self.dealer
                .serve_into(&mut game, &mut deals, &mut self.events)
                .expect("the game asks only for slots of its deal");
            self.note(&holder, tally);
            let seats = match game.awaits() {
                Awaits::Seats(seats) => seats,
                Awaits::Decks(_) | Awaits::Nothing => break,
            };
            let seat = seats.iter().next().expect("somebody is awaited");
            let bot = holder(seat)
                .and_then(|holder| self.bots.get_mut(holder))
                .expect("a phantom is never awaited");
            let view = game.view(Some(seat), self.dealer.known(seat));
            let chosen = bot.choose(&view, &mut whims);
            let accepted = chosen.is_some_and(|action| {
                let claim = game.claim(seat, &action);
                self.dealer.check(claim.as_slice()).is_ok()
                    && game.apply_into(seat, action, &mut self.events).is_ok()
            });
            if !accepted {
                tally.refused += 1;
                // The game must go on: the first legal action instead.
                let legal = game.legal(seat, self.dealer.known(seat));
                let action = legal.first().expect("an awaited seat can act");
                game.apply_into(seat, *action, &mut self.events)
                    .expect("what is listed is accepted");
            }
            tally.actions += 1;
        }
        tally.games += 1;
        for seat in SeatSet::first(plan.start.seats()).iter() {
            if let Some(points) = holder(seat).and_then(|at| tally.points.get_mut(at)) {
                *points += u64::from(game.view(None, self.dealer.known(seat)).points(seat));
            }
        }
    }

    /// Counts what the events say, and forgets them.
    fn note(&mut self, holder: &impl Fn(Seat) -> Option<usize>, tally: &mut Tally) {
        for event in self.events.drain(..) {
            if let Event::RoundEnded { winner, cause: _ } = event {
                tally.rounds += 1;
                tally.shadow_round_wins += u64::from(winner == Role::Shadow);
            } else if let Event::PawnMoved { from, to, cause } = event {
                let steps = u64::from(to.saturating_sub(from));
                if cause == PawnCause::Stray {
                    tally.stray_steps += steps;
                } else if cause == PawnCause::Elimination {
                    tally.elimination_steps += steps;
                }
            } else if let Event::Eliminated { role, .. } = event {
                match role {
                    Role::Shaman => tally.shamans_eliminated += 1,
                    Role::Shadow => tally.shadows_eliminated += 1,
                }
            } else if let Event::GameEnded { winner } = event {
                match holder(winner).and_then(|at| tally.wins.get_mut(at)) {
                    Some(wins) => *wins += 1,
                    None => tally.phantom_wins += 1,
                }
            }
        }
    }
}
