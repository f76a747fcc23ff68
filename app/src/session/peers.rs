//! A practise table: whole peers in one process, on a link that is memory. The deal is sealed, the log signed and each
//! round audited exactly as between people; only the distance is missing.
//!
//! Nothing is lost here, so the table's time only moves when everybody waits for it. The bots take their time by a real clock: by
//! their public pace, so that it tells nothing about what they hold.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use shamans_core::{
    bot::{Bot, pace},
    codec,
    game::{Game, Seat, SeatSet},
    log::Identity,
    shamans::{Action, Decision, Setup, Shamans},
    table::{
        ActError, GenesisError, Happening, Holder, Options, Output, PROTOCOL, Proposal, Seating,
        SeatingError, SeatingOutput, SignedGenesis, Table, Waits,
    },
};

use super::kept::Beginning;

/// The player's seat.
pub const ME: Seat = Seat(0);

/// Why no table came about.
#[derive(Debug, thiserror::Error)]
pub enum PeersError {
    /// Sitting down failed.
    #[error(transparent)]
    Seating(#[from] SeatingError),
    /// The first entry was refused.
    #[error(transparent)]
    Genesis(#[from] GenesisError),
    /// Somebody did not sit down.
    #[error("not everyone sat down")]
    NotSeated,
}

/// What the player's own peer tells.
pub enum Told<'a> {
    /// A step is settled; this came of it.
    Settled(&'a Table<Shamans>, Vec<Happening<Shamans>>),
    /// Somebody else is about to act, and the player may use a Portal first (POR-1). The answer is that, or nothing.
    MayInterrupt(&'a Table<Shamans>),
    /// Somebody's move was taken.
    Acted(Seat, Action),
    /// So was one of the list given to [`Peers::recall`].
    Recalled,
}

/// All peers of a practise table: the player's, then the bots'. Phantoms have none: their seats are the last, and what they do the
/// peers work out together (PHA-1).
pub struct Peers {
    tables: Vec<Table<Shamans>>,
    bots: Vec<Box<dyn Bot>>,
    mail: VecDeque<(usize, usize, Vec<u8>)>,
    happened: Vec<Happening<Shamans>>,
    /// What is known to come, before anyone is asked.
    script: VecDeque<(Seat, Action)>,
    rng: ChaCha20Rng,
    now: u64,
    /// Thousandths of the usual pace; 0 for at once.
    tempo: Arc<AtomicU32>,
}

/// Longest name in bytes that a table takes, with some room.
fn short(name: &str) -> String {
    let mut end = name.len().min(60);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name.get(..end).unwrap_or_default().to_owned()
}

fn sit_down(
    names: &[String],
    identities: &[[u8; 32]],
    lots: &[[u8; 32]],
) -> Result<SignedGenesis, PeersError> {
    let person = |(name, secret): (&String, &[u8; 32])| Holder::Person {
        key: Identity::from_secret(secret).public(),
        name: short(name),
    };
    let mut holders: Vec<Holder> = names.iter().zip(identities).map(person).collect();
    holders.resize(names.len(), Holder::Phantom);
    let everyone = SeatSet::first(names.len());
    let phantoms = everyone.minus(SeatSet::first(identities.len()));
    let proposal = Proposal {
        protocol: PROTOCOL,
        game: Shamans::NAME.into(),
        setup: codec::encode(&Setup::new(names.len() as u8).with_phantoms(phantoms)),
        options: Options::default(),
        holders,
        previous: None,
    };
    let keys: Vec<_> = proposal.keys().copied().collect();
    let mut seatings = Vec::new();
    for (secret, lot) in identities.iter().zip(lots) {
        let identity = Identity::from_secret(secret);
        let mut seating = Seating::new::<Shamans>(proposal.clone(), identity, *lot, 0)?;
        seating.be_ready();
        seatings.push(seating);
    }
    let mut seated = None;
    loop {
        let mut mail = Vec::new();
        for (i, seating) in seatings.iter_mut().enumerate() {
            while let Some(output) = seating.poll() {
                match output {
                    SeatingOutput::Send(bytes) => mail.push((i, bytes)),
                    SeatingOutput::Seated(genesis) => seated = Some(genesis),
                    SeatingOutput::Ready(_) | SeatingOutput::Drawn(_) => {}
                }
            }
        }
        if mail.is_empty() {
            return seated.ok_or(PeersError::NotSeated);
        }
        for (from, bytes) in mail {
            for (to, seating) in seatings.iter_mut().enumerate() {
                if let Some(key) = keys.get(from).filter(|_| to != from) {
                    seating.receive(key, &bytes)?;
                }
            }
        }
    }
}

impl Peers {
    /// Sits everyone down. The same seed gives the same keys and lots, and so the same cards.
    pub fn new(beginning: &Beginning) -> Result<Peers, PeersError> {
        let Beginning {
            names,
            phantoms: _,
            seed,
            skill,
        } = beginning;
        let mut rng = ChaCha20Rng::seed_from_u64(*seed);
        let held = beginning.held();
        let identities: Vec<[u8; 32]> = (0..held).map(|_| rng.random()).collect();
        let lots: Vec<[u8; 32]> = (0..held).map(|_| rng.random()).collect();
        let genesis = sit_down(names, &identities, &lots)?;
        let sit = |secret| Table::new(genesis.clone(), Some(Identity::from_secret(secret)), 0);
        let tables = identities.iter().map(sit).collect::<Result<Vec<_>, _>>()?;
        let bots = (0..held).map(|_| skill.bot()).collect();
        Ok(Peers {
            tables,
            bots,
            mail: VecDeque::new(),
            happened: Vec::new(),
            script: VecDeque::new(),
            rng,
            now: 0,
            tempo: Arc::default(),
        })
    }

    /// Makes these moves first, for whoever made them. One that is refused ends the list: it was made with other rules.
    pub fn recall(&mut self, moves: Vec<(Seat, Action)>) {
        self.script = moves.into();
    }

    /// The others take their time, in thousandths of what they usually take. Without a word they answer at once.
    pub fn set_tempo(&mut self, tempo: Arc<AtomicU32>) {
        self.tempo = tempo;
    }

    /// The player's own table.
    pub fn mine(&self) -> &Table<Shamans> {
        self.tables.first().expect("a practise table has seats")
    }

    /// Makes the player's move.
    pub fn act(&mut self, action: &Action) -> Result<(), ActError> {
        let mine = self.tables.first_mut();
        mine.expect("a practise table has seats").act(action)
    }

    /// Goes on until the player's move is awaited or the game is over. Stops early when `tell` says so.
    pub fn run<E>(
        &mut self,
        mut tell: impl FnMut(Told<'_>) -> Result<Option<Action>, E>,
    ) -> Result<(), E> {
        loop {
            self.carry_out(&mut tell)?;
            if let Some((from, to, bytes)) = self.mail.pop_front() {
                if let Some(table) = self.tables.get_mut(to) {
                    table.receive(Seat(from as u8), &bytes, self.now);
                }
                continue;
            }
            if self.remembered() {
                tell(Told::Recalled)?;
                continue;
            }
            if self.a_bot_is_awaited() && self.may_interrupt() {
                let portal = tell(Told::MayInterrupt(self.mine()))?;
                if let Some(portal) = portal.filter(|portal| self.act(portal).is_ok()) {
                    tell(Told::Acted(ME, portal))?;
                    continue;
                }
            }
            if let Some((seat, action)) = self.let_bots_act() {
                tell(Told::Acted(seat, action))?;
                continue;
            }
            match self.mine().replica().waits() {
                Waits::Over => return Ok(()),
                Waits::Game { .. } if self.mine().my_turn() => return Ok(()),
                Waits::Game { .. } | Waits::Deal { .. } | Waits::Absence => self.pass_time(),
            }
        }
    }

    /// Does what the peers say, in order.
    fn carry_out<E>(
        &mut self,
        tell: &mut impl FnMut(Told<'_>) -> Result<Option<Action>, E>,
    ) -> Result<(), E> {
        let seats = self.tables.len();
        for (i, table) in self.tables.iter_mut().enumerate() {
            while let Some(output) = table.poll() {
                match output {
                    Output::Send { to, bytes } => self.mail.push_back((i, to.index(), bytes)),
                    Output::Broadcast(bytes) => {
                        let others = (0..seats).filter(|to| *to != i);
                        self.mail.extend(others.map(|to| (i, to, bytes.clone())));
                    }
                    Output::Happened { step: _, happening } if i == ME.index() => {
                        self.happened.push(happening);
                    }
                    Output::Settled(_) if i == ME.index() => {
                        let happened = std::mem::take(&mut self.happened);
                        tell(Told::Settled(table, happened))?;
                    }
                    // Practise keeps nothing on disk, has no onlookers, and the other peers' news are not the player's.
                    Output::Persist(_)
                    | Output::Publish(_)
                    | Output::Notice(_)
                    | Output::Happened { .. }
                    | Output::Settled(_) => {}
                }
            }
        }
        Ok(())
    }

    fn a_bot_is_awaited(&self) -> bool {
        self.tables.iter().skip(1).any(Table::my_turn)
    }

    /// The player holds a Portal that nobody asks for now.
    fn may_interrupt(&self) -> bool {
        let mine = self.mine();
        if mine.my_turn() {
            return false;
        }
        let known = mine.known();
        let legal = mine.game().view(Some(ME), &known).legal();
        legal
            .iter()
            .any(|action| matches!(action, Action::Portal { .. }))
    }

    /// The next move of the list.
    fn remembered(&mut self) -> bool {
        let Some((seat, action)) = self.script.pop_front() else {
            return false;
        };
        let table = self.tables.get_mut(seat.index());
        let taken = table.is_some_and(|table| table.act(&action).is_ok());
        if !taken {
            self.script.clear();
        }
        taken
    }

    fn let_bots_act(&mut self) -> Option<(Seat, Action)> {
        let others = self.tables.iter_mut().zip(&mut self.bots).enumerate();
        for (i, (table, bot)) in others.skip(1) {
            if !table.my_turn() {
                continue;
            }
            let known = table.known();
            let view = table.game().view(table.me(), &known);
            let opened = Instant::now();
            let Some(action) = bot.choose(&view, &mut self.rng) else {
                continue;
            };
            if let Some(decision) = view.decision() {
                wait(decision, opened, self.tempo.load(Ordering::Relaxed));
            }
            if table.act(&action).is_ok() {
                return Some((Seat(i as u8), action));
            }
        }
        None
    }

    /// Everybody waits for a time-out: let it come.
    fn pass_time(&mut self) {
        let next = self.tables.iter().map(Table::poll_timeout).min();
        self.now = next.unwrap_or(self.now).max(self.now + 1);
        for table in &mut self.tables {
            table.handle_timeout(self.now);
        }
    }
}

/// Waits for the moment to answer a decision that was opened then.
fn wait(decision: &Decision, opened: Instant, tempo: u32) {
    if tempo == 0 {
        return;
    }
    let tempo = f64::from(tempo) / 1000.0;
    let thought = opened.elapsed().as_secs_f64() * 1000.0 / tempo;
    let answer = pace::answer_at(decision, 0, thought as u64) as f64 * tempo;
    let at = opened + Duration::from_secs_f64(answer / 1000.0);
    thread::sleep(at.saturating_duration_since(Instant::now()));
}

#[cfg(test)]
mod tests;
