//! A practise table on a thread of its own: deals, lets the opponents act, and waits for the player.
//!
//! Speaks in [`Command`]s and [`Update`]s only, so that what stands behind the channels can be another: the main thread
//! neither deals nor thinks.

use std::thread;

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use shamans_core::{
    game::{Awaits, ClearDealer, Game, Seat, SeatSet},
    shamans::{Decision, Setup, Shamans},
};

use super::snapshot::{Ask, CardSeen, SeatSeen, Snapshot, TileSeen, TrickSeen, Update, WorldSeen};
use crate::pieces::{Action, Event};

/// What the player wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Do this.
    Act(Action),
}

/// A table to practise at.
#[derive(Debug, Clone)]
pub struct Practise {
    /// Names by seat; the player sits on the first.
    pub names: Vec<String>,
    /// Where the randomness begins; the same gives the same cards.
    pub seed: u64,
}

const ME: Seat = Seat(0);

/// Starts the table; it ends when both channels are dropped or the game is over.
pub fn practise(
    table: Practise,
) -> (
    async_channel::Sender<Command>,
    async_channel::Receiver<Update>,
) {
    let (commands, orders) = async_channel::unbounded();
    let (reports, updates) = async_channel::unbounded();
    let body = move || {
        // Ends quietly when the window has dropped its side.
        let _ = Worker::new(table, reports).run(&orders);
    };
    thread::Builder::new()
        .name("table".into())
        .spawn(body)
        .expect("the system gives a thread at the start of a game");
    (commands, updates)
}

/// The window is gone.
struct Gone;

struct Worker {
    names: Vec<String>,
    game: Shamans,
    dealer: ClearDealer,
    rng: StdRng,
    reports: async_channel::Sender<Update>,
}

impl Worker {
    fn new(table: Practise, reports: async_channel::Sender<Update>) -> Worker {
        let setup = Setup::new(table.names.len() as u8);
        let game =
            Shamans::new(&setup).expect("a practise table has 3 to 5 seats and the shipped data");
        let dealer = ClearDealer::new(table.names.len());
        Worker {
            names: table.names,
            game,
            dealer,
            rng: StdRng::seed_from_u64(table.seed),
            reports,
        }
    }

    fn run(&mut self, orders: &async_channel::Receiver<Command>) -> Result<(), Gone> {
        loop {
            match self.game.awaits() {
                Awaits::Decks(request) => {
                    let outcome = self
                        .dealer
                        .answer(request, &mut self.rng)
                        .expect("the dealer knows every slot it dealt");
                    let events = self
                        .game
                        .supply(outcome)
                        .expect("an answer of the request's own kind is taken");
                    self.report(events)?;
                }
                Awaits::Seats(seats) => match seats.without(ME).iter().next() {
                    Some(seat) => {
                        let action = self.opponent(seat);
                        self.act(seat, action)?;
                    }
                    None => {
                        let Command::Act(action) = orders.recv_blocking().map_err(|_| Gone)?;
                        self.act(ME, action)?;
                    }
                },
                Awaits::Nothing => return Ok(()),
            }
        }
    }

    fn act(&mut self, seat: Seat, action: Action) -> Result<(), Gone> {
        let claims = self.game.claims(seat, &action);
        let events = match self.dealer.check(&claims) {
            Ok(()) => self.game.apply(seat, action).unwrap_or_default(),
            Err(_) => Vec::new(),
        };
        // A refused command changes nothing; the table as it is goes back, so that the player can choose again.
        self.report(events)
    }

    fn report(&self, events: Vec<Event>) -> Result<(), Gone> {
        let table = self.look();
        self.reports
            .send_blocking(Update { events, table })
            .map_err(|_| Gone)
    }

    /// A plain opponent: serves the Destination if it can, keeps its portals, and is random for the rest.
    fn opponent(&mut self, seat: Seat) -> Action {
        let view = self.game.view(Some(seat), self.dealer.known(seat));
        let legal = view.legal();
        let calm: Vec<Action> = legal
            .iter()
            .copied()
            .filter(|action| !matches!(action, Action::Portal { .. }))
            .collect();
        let led = view.trick().destination;
        let serving: Vec<Action> = calm
            .iter()
            .copied()
            .filter(|action| matches!(action, Action::Play { card, .. } if Some(card.world) == led))
            .collect();
        let pool = if !serving.is_empty() && self.rng.random_ratio(3, 4) {
            &serving
        } else {
            &calm
        };
        *pool
            .choose(&mut self.rng)
            .or(legal.first())
            .expect("whoever is awaited has something to do")
    }

    fn look(&self) -> Snapshot {
        let view = self.game.view(Some(ME), self.dealer.known(ME));
        let rules = view.rules();
        let seat_seen = |(i, name): (usize, &String)| {
            let seat = Seat(i as u8);
            SeatSeen {
                name: name.clone(),
                cards: view.hand_size(seat),
                points: usize::from(view.points(seat)),
                role: view.shown_role(seat),
                tiles: view
                    .tiles(seat)
                    .map(|tile| TileSeen {
                        artefact: tile.artefact,
                        up: tile.face_up,
                    })
                    .collect(),
                eliminated: view.is_eliminated(seat),
                phantom: view.phantoms().contains(seat),
            }
        };
        let seats: Vec<SeatSeen> = self.names.iter().enumerate().map(seat_seen).collect();
        let world_seen = |world| WorldSeen {
            world,
            ritual: rules.ritual(world),
            laid: view.laid(world).0,
            values: rules.values,
        };
        let trick = view.trick();
        let ask = view.decision().map(ask);
        Snapshot {
            round: usize::from(view.round()),
            me: ME,
            pawn: view.pawn(),
            moon: rules.moon,
            worlds: rules.all_worlds().map(world_seen).collect(),
            hand: view
                .hand()
                .map(|(slot, card)| CardSeen { slot, card })
                .collect(),
            role: view.role(ME),
            offer: view.offer().collect(),
            pile: usize::from(view.pile()),
            trick: TrickSeen {
                guide: Some(trick.guide),
                destination: trick.destination,
                played: (0..seats.len())
                    .map(|i| trick.cards[Seat(i as u8)])
                    .collect(),
            },
            seats,
            awaited: view.awaited(),
            ask,
            legal: if view.awaited().contains(ME) || view.awaited() == SeatSet::EMPTY {
                view.legal()
            } else {
                Vec::new()
            },
            winner: view.round_winner(),
        }
    }
}

fn ask(decision: &Decision) -> Ask {
    match *decision {
        Decision::Play { seat: _ } => Ask::Play,
        Decision::Take { seat: _ } => Ask::Take,
        Decision::Stabilise { seat: _ } => Ask::Stabilise,
        Decision::Permute { seat: _ } => Ask::Permute,
        Decision::Strike { seat: _, must } => Ask::Strike { must },
        Decision::Order { seat: _, worlds: _ } => Ask::Order,
        Decision::React {
            seat: _,
            waiting: _,
            moment,
        } => Ask::React(moment),
        Decision::Give {
            waiting: _,
            side,
            chosen: _,
        } => Ask::Give(side),
        Decision::NameGuide { seat: _ } => Ask::NameGuide,
    }
}
