//! A whole game among real peers in one process: loopback sockets, links, signatures, sealed decks, everything but the distance.
//!
//! Driven by `shamans-table demo` and by measurements; it tells what happens through a callback and says at the end
//! whether all peers came to the same game.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use shamans_core::bot::Skill;
use shamans_core::game::{Seat, SeatSet};
use shamans_core::shamans::{Setup, Shamans};
use shamans_core::table::{Options, Waits};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;

use crate::identity::{Identity, PublicId};
use crate::session::{Request, Session, SessionConfig, SessionEvent, Snapshot, Whereto};
use crate::swarm::{ListenError, Target};

/// The longest time in which nothing happens.
const PATIENCE: Duration = Duration::from_secs(60);
const NAMES: [&str; 5] = ["Ada", "Bruno", "Cleo", "Dana", "Emil"];

/// What to play.
#[derive(Debug, Clone)]
pub struct DemoConfig {
    /// How many peers.
    pub players: u8,
    /// How many seats beside them are phantoms'.
    pub phantoms: u8,
    /// Makes identities, lots and decisions: the same number, the same game.
    pub seed: u64,
    /// Who decides.
    pub skill: Skill,
    /// The peers say that they are bots, and that this person runs them.
    pub operator: Option<String>,
}

/// How it went.
#[derive(Debug, Clone)]
pub struct DemoOutcome {
    /// Each peer's record.
    pub records: Vec<Vec<u8>>,
    /// From "all ready" to "cards in hand", in milliseconds.
    pub ready_to_hand_ms: f64,
    /// From a wish to its being settled on all peers, in milliseconds, one for each move that was awaited of one seat alone.
    pub settle_ms: Vec<f64>,
    /// How many steps were settled.
    pub steps: u64,
    /// From the first connection to the end, in seconds.
    pub seconds: f64,
}

/// Why there was no whole game.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// Too few or too many.
    #[error(
        "{}",
        crate::words::tr("a game takes 3 to 5 seats, phantoms included, and at least one peer")
    )]
    Seats,
    /// No port.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// Somebody could not sit down.
    #[error("{}", crate::words::fill("{name} could not sit down: {why}", &[("name", name), ("why", why)]))]
    NoSeat {
        /// Who.
        name: String,
        /// Why.
        why: String,
    },
    /// Nothing happened for long.
    #[error("{}", crate::words::fill("nothing happened for {seconds} s; {name} was waiting at step {step}", &[("seconds", &PATIENCE.as_secs().to_string()), ("name", name), ("step", &step.to_string())]))]
    Stuck {
        /// The first peer that was not done.
        name: String,
        /// Where it was.
        step: u64,
    },
}

/// The set-up of a table with these seats, phantoms last.
pub fn setup(players: u8, phantoms: u8) -> Setup {
    let seats = players + phantoms;
    let last: SeatSet = (players..seats).map(Seat).collect();
    Setup::new(seats).with_phantoms(last)
}

/// Plays. `tell` hears what the first peer hears.
pub async fn play(
    config: DemoConfig,
    tell: impl FnMut(&SessionEvent<Shamans>),
) -> Result<DemoOutcome, DemoError> {
    play_by(&Arc::default(), config, tell).await
}

/// Plays only until every peer has its cards: how long that took from "all ready" on, in milliseconds.
pub async fn deal(config: DemoConfig) -> Result<f64, DemoError> {
    let clock = Arc::<Clock>::default();
    let peers = usize::from(config.players);
    tokio::select! {
        outcome = play_by(&clock, config, |_| {}) => Ok(outcome?.ready_to_hand_ms),
        ready_to_hand_ms = clock.dealt(peers) => Ok(ready_to_hand_ms),
    }
}

async fn play_by(
    clock: &Arc<Clock>,
    config: DemoConfig,
    mut tell: impl FnMut(&SessionEvent<Shamans>),
) -> Result<DemoOutcome, DemoError> {
    let seats = config.players.saturating_add(config.phantoms);
    if !(3..=5).contains(&seats) || config.players == 0 {
        return Err(DemoError::Seats);
    }
    let start = Instant::now();
    // Whoever stops waiting for the game ends it.
    let mut peers = JoinSet::new();
    let (finished, mut results) = mpsc::unbounded_channel();
    let (told, mut telling) = mpsc::unbounded_channel();
    let mut invite = None;
    for (number, name) in (0..config.players).zip(NAMES) {
        let (session, mut events) = Session::start(
            &identity(&config, number),
            None,
            session_config(&config, number, name),
        )?;
        let mut linked = BTreeSet::new();
        if number == 0 {
            let phantoms = (0..seats).map(|seat| seat >= config.players).collect();
            session.request(Request::Open {
                name: "Demonstration".to_owned(),
                setup: setup(config.players, config.phantoms),
                phantoms,
                options: Options::default(),
                private: false,
            });
            // The others join by the code that the first one would read out.
            while let Some(event) = events.recv().await {
                if let SessionEvent::Reachable { invite: code, .. } = event {
                    invite = Some(code);
                    break;
                }
            }
        } else if let Some(code) = invite {
            session.request(Request::Join {
                at: Whereto::At(Target::Invite(code)),
                watch: false,
            });
            // One after another: who sits where belongs to the game that the seed makes.
            loop {
                match tokio::time::timeout(PATIENCE, events.recv()).await {
                    Ok(Some(SessionEvent::Room(_))) => break,
                    Ok(Some(SessionEvent::Link { peer, up: true, .. })) => {
                        linked.insert(peer);
                    }
                    Ok(Some(SessionEvent::NoSeat(why))) => {
                        let name = name.to_owned();
                        return Err(DemoError::NoSeat { name, why });
                    }
                    Ok(Some(_)) => {}
                    Ok(None) | Err(_) => {
                        let name = name.to_owned();
                        return Err(DemoError::Stuck { name, step: 0 });
                    }
                }
            }
        }
        let rng = ChaCha20Rng::seed_from_u64(config.seed ^ (u64::from(number) << 56));
        let peer = Peer {
            number,
            name,
            session,
            skill: config.skill,
            rng,
            others: usize::from(config.players - 1),
            linked,
            proposed: false,
            clock: clock.clone(),
            told: (number == 0).then(|| told.clone()),
        };
        peers.spawn(peer.play(events, finished.clone()));
    }
    drop((finished, told));

    let mut records: Vec<Option<Vec<u8>>> = vec![None; usize::from(config.players)];
    let mut open = true;
    // Peers stay at the table until all are done: somebody may still need their last signature.
    let mut done = Vec::new();
    while records.iter().any(Option::is_none) || open {
        tokio::select! {
            event = telling.recv(), if open => match event {
                Some(event) => {
                    let over = matches!(event, SessionEvent::Over { .. });
                    tell(&event);
                    open = !over;
                }
                None => open = false,
            },
            Some((number, result, session)) = results.recv() => {
                if let Some(place) = records.get_mut(usize::from(number)) {
                    *place = Some(result?);
                }
                done.push(session);
            }
            else => break,
        }
    }
    let (ready_to_hand_ms, settle_ms, steps) = clock.measure(usize::from(config.players));
    Ok(DemoOutcome {
        records: records.into_iter().flatten().collect(),
        ready_to_hand_ms,
        settle_ms,
        steps,
        seconds: start.elapsed().as_secs_f64(),
    })
}

pub(crate) fn identity(config: &DemoConfig, number: u8) -> Identity {
    Identity::from_seed(&derive(
        "shamans 2026 demo identity v1",
        config.seed,
        number,
    ))
}

fn derive(context: &str, seed: u64, number: u8) -> [u8; 32] {
    let mut bytes = seed.to_le_bytes().to_vec();
    bytes.push(number);
    blake3::derive_key(context, &bytes)
}

fn session_config(config: &DemoConfig, number: u8, name: &str) -> SessionConfig<Shamans> {
    SessionConfig {
        name: name.to_owned(),
        operator: config.operator.clone(),
        ip: Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        port: Some(0),
        external: Vec::new(),
        mdns: false,
        auto_ready: false,
        auto_go_on: true,
        lot: Some(derive("shamans 2026 demo lot v1", config.seed, number)),
        accepts: |_| Ok(()),
    }
}

struct Peer {
    number: u8,
    name: &'static str,
    session: Session<Shamans>,
    skill: Skill,
    rng: ChaCha20Rng,
    /// How many other peers there are.
    others: usize,
    linked: BTreeSet<PublicId>,
    proposed: bool,
    clock: Arc<Clock>,
    told: Option<mpsc::UnboundedSender<SessionEvent<Shamans>>>,
}

type Finished = (u8, Result<Vec<u8>, DemoError>, Session<Shamans>);

impl Peer {
    async fn play(
        mut self,
        mut events: mpsc::UnboundedReceiver<SessionEvent<Shamans>>,
        finished: mpsc::UnboundedSender<Finished>,
    ) {
        let result = self.decide(&mut events).await;
        // Nobody waits any more if another peer failed first.
        finished.send((self.number, result, self.session)).ok();
    }

    async fn decide(
        &mut self,
        events: &mut mpsc::UnboundedReceiver<SessionEvent<Shamans>>,
    ) -> Result<Vec<u8>, DemoError> {
        let mut step = 0;
        let mut last: Option<Box<Snapshot<Shamans>>> = None;
        loop {
            let event = match tokio::time::timeout(PATIENCE, events.recv()).await {
                Ok(Some(event)) => event,
                Ok(None) | Err(_) => {
                    return Err(DemoError::Stuck {
                        name: self.name.to_owned(),
                        step,
                    });
                }
            };
            if let Some(told) = &self.told {
                told.send(event.clone()).ok();
            }
            match event {
                // As people do: ready when everybody is there.
                SessionEvent::Proposed => {
                    self.proposed = true;
                    self.be_ready();
                }
                SessionEvent::Link { peer, up, .. } => {
                    if up {
                        self.linked.insert(peer);
                    } else {
                        self.linked.remove(&peer);
                    }
                    self.be_ready();
                }
                SessionEvent::Now(now) => {
                    step = now.step;
                    self.clock.reached(step, &now);
                    self.act(&now);
                    last = Some(now);
                }
                // The step was being settled: the same decision again, a moment later.
                SessionEvent::Refused(why) => {
                    tracing::debug!(name = self.name, why, "again");
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    if let Some(now) = &last {
                        self.act(now);
                    }
                }
                SessionEvent::NoSeat(why) => {
                    return Err(DemoError::NoSeat {
                        name: self.name.to_owned(),
                        why,
                    });
                }
                SessionEvent::Over { record, .. } => return Ok(record),
                SessionEvent::Closed => {
                    return Err(DemoError::Stuck {
                        name: self.name.to_owned(),
                        step,
                    });
                }
                SessionEvent::Reachable { .. }
                | SessionEvent::Unreachable { .. }
                | SessionEvent::RelayLost(_)
                | SessionEvent::Nearby { .. }
                | SessionEvent::Trouble(_)
                | SessionEvent::Stuck(_)
                | SessionEvent::ChangedKey { .. }
                | SessionEvent::Copy
                | SessionEvent::Said { .. }
                | SessionEvent::Room(_)
                | SessionEvent::OtherVersion(_)
                | SessionEvent::Left { .. }
                | SessionEvent::Ready(_)
                | SessionEvent::Phrase(_)
                | SessionEvent::Seated { .. }
                | SessionEvent::Happened { .. }
                | SessionEvent::Revealed { .. }
                | SessionEvent::Notice(_) => {}
            }
        }
    }

    fn be_ready(&mut self) {
        if self.proposed && self.linked.len() >= self.others {
            self.clock.ready(self.number);
            self.session.request(Request::Ready);
        }
    }

    fn act(&mut self, now: &Snapshot<Shamans>) {
        if !now.my_turn {
            return;
        }
        let choice = self
            .skill
            .bot()
            .choose(&now.game.view(now.me, &now.known), &mut self.rng);
        if let Some(action) = choice {
            self.clock.acted(now);
            self.session.request(Request::Act(action));
        }
    }
}

/// When what happened, over all peers.
#[derive(Default)]
struct Clock {
    times: Mutex<Times>,
    hand: Notify,
}

#[derive(Default)]
struct Times {
    /// When each peer was ready, the first time.
    ready: BTreeMap<u8, Instant>,
    hands: Vec<Instant>,
    acted: Vec<(u64, Instant)>,
    reached: Vec<(u64, Instant)>,
}

impl Times {
    /// Milliseconds from the last peer's being ready to the last one's having its cards.
    fn ready_to_hand(&self, peers: usize) -> Option<f64> {
        let ready = self.ready.values().max()?;
        let hand = self.hands.get(peers.checked_sub(1)?)?;
        Some(hand.saturating_duration_since(*ready).as_secs_f64() * 1000.0)
    }
}

impl Clock {
    fn with<T>(&self, what: impl FnOnce(&mut Times) -> T) -> T {
        what(&mut self.times.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn ready(&self, peer: u8) {
        self.with(|times| {
            times.ready.entry(peer).or_insert_with(Instant::now);
        });
    }

    fn reached(&self, step: u64, now: &Snapshot<Shamans>) {
        let at = Instant::now();
        self.with(|times| {
            times.reached.push((step, at));
            if matches!(now.waits, Waits::Game { .. }) {
                times.hands.push(at);
                self.hand.notify_one();
            }
        });
    }

    /// Waits until so many peers have their cards.
    async fn dealt(&self, peers: usize) -> f64 {
        loop {
            self.hand.notified().await;
            if let Some(took) = self.with(|times| times.ready_to_hand(peers)) {
                return took;
            }
        }
    }

    /// Only moves that the table awaits of one seat alone: with several, the last one's wish is not known here.
    fn acted(&self, now: &Snapshot<Shamans>) {
        if let Waits::Game { awaited, .. } = now.waits
            && awaited.len() == 1
        {
            self.with(|times| times.acted.push((now.step, Instant::now())));
        }
    }

    fn measure(&self, peers: usize) -> (f64, Vec<f64>, u64) {
        self.with(|times| {
            let hands = times.ready_to_hand(peers).unwrap_or(f64::NAN);
            let mut settled = Vec::new();
            for (step, at) in &times.acted {
                // The first arrival of each peer at the step after; a move repeated after a refusal counts from its first wish.
                let after: Vec<Instant> = times
                    .reached
                    .iter()
                    .filter(|(reached, _)| reached == &(step + 1))
                    .map(|(_, at)| *at)
                    .collect();
                if let Some(last) = after.iter().take(peers).max() {
                    settled.push(last.saturating_duration_since(*at).as_secs_f64() * 1000.0);
                }
            }
            let steps = times
                .reached
                .iter()
                .map(|(step, _)| *step)
                .max()
                .unwrap_or(0);
            (hands, settled, steps)
        })
    }
}
