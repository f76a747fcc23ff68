//! A seeded network of peers in memory: messages are delayed, reordered, doubled and lost, links are cut, peers are killed and come back.
//!
//! Everything follows from the seed: time is a number, and there is no thread. A test that fails prints the seed, and the
//! same seed fails again. Drives [`Table`] the way a real driver does: outputs are carried out in order, and
//! a killed peer keeps only what it had stored.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use shamans_core::codec;
use shamans_core::game::{Game, Known, Seat};
use shamans_core::log::Identity;
use shamans_core::table::{
    Consent, Happening, Holder, Notice, Options, Output, PROTOCOL, Proposal, Seating,
    SeatingOutput, SignedGenesis, Table,
};

/// How bad the network is.
#[derive(Debug, Clone, Copy)]
pub struct Weather {
    /// Shortest delay, in milliseconds.
    pub least: u64,
    /// Longest delay.
    pub most: u64,
    /// Lost, of a thousand.
    pub lost: u32,
    /// Doubled, of a thousand.
    pub doubled: u32,
}

impl Weather {
    /// Nothing is lost, everything takes a millisecond.
    pub const CALM: Weather = Weather {
        least: 1,
        most: 1,
        lost: 0,
        doubled: 0,
    };
    /// Reordered, lost and doubled.
    pub const ROUGH: Weather = Weather {
        least: 1,
        most: 60,
        lost: 50,
        doubled: 50,
    };
}

/// The identity of the `i`th person of a simulation.
pub fn identity(i: usize) -> Identity {
    Identity::from_secret(&[i as u8 + 1; 32])
}

/// Sits everyone down in memory. `people` says which seats are held.
pub fn sit_down<G: Game>(setup: &G::Setup, people: &[bool], options: Options) -> SignedGenesis {
    sit_down_with::<G>(setup, people, options, 0)
}

/// The same with other lots: another table, other cards.
pub fn sit_down_with<G: Game>(
    setup: &G::Setup,
    people: &[bool],
    options: Options,
    lots: u8,
) -> SignedGenesis {
    let holders = people
        .iter()
        .enumerate()
        .map(|(i, person)| match person {
            true => Holder::Person {
                key: identity(i).public(),
                name: format!("P{i}"),
            },
            false => Holder::Phantom,
        })
        .collect();
    let proposal = Proposal {
        protocol: PROTOCOL,
        game: G::NAME.into(),
        setup: codec::encode(setup),
        options,
        holders,
        previous: None,
    };
    let mut seatings: Vec<Seating> = (0..people.len())
        .filter(|&i| people[i])
        .map(|i| {
            let mut seating =
                Seating::new::<G>(proposal.clone(), identity(i), [i as u8 + lots; 32], 0).unwrap();
            seating.be_ready();
            seating
        })
        .collect();
    let keys: Vec<_> = proposal.keys().copied().collect();
    let mut seated: Vec<SignedGenesis> = Vec::new();
    for round in 0..10 {
        for i in 0..seatings.len() {
            while let Some(output) = seatings[i].poll() {
                match output {
                    SeatingOutput::Send(bytes) => {
                        for (j, other) in seatings.iter_mut().enumerate() {
                            if i != j {
                                other.receive(&keys[i], &bytes).unwrap();
                            }
                        }
                    }
                    SeatingOutput::Seated(genesis) => seated.push(genesis),
                    SeatingOutput::Ready(_) | SeatingOutput::Drawn(_) => {}
                }
            }
            seatings[i].handle_timeout(round * 1000);
        }
    }
    assert_eq!(seated.len(), seatings.len(), "all are seated");
    assert!(seated.windows(2).all(|pair| pair[0] == pair[1]));
    seated.swap_remove(0)
}

/// What a simulated player does when it may act.
pub trait Player<G: Game> {
    /// Chooses among legal actions; `None` waits.
    fn choose(&mut self, game: &G, seat: Seat, known: &Known, turn: bool) -> Option<G::Action>;
}

/// Plays any legal move; interrupts one time in so many.
pub struct Anything {
    rng: ChaCha20Rng,
    interrupt_one_in: u32,
}

impl Anything {
    /// Seeded.
    pub fn new(seed: u64, interrupt_one_in: u32) -> Anything {
        Anything {
            rng: ChaCha20Rng::seed_from_u64(seed),
            interrupt_one_in,
        }
    }
}

impl<G: Game> Player<G> for Anything {
    fn choose(&mut self, game: &G, seat: Seat, known: &Known, turn: bool) -> Option<G::Action> {
        if !turn && !self.rng.random_ratio(1, self.interrupt_one_in) {
            return None;
        }
        let mut legal = game.legal(seat, known);
        if legal.is_empty() {
            return None;
        }
        let i = self.rng.random_range(0..legal.len());
        Some(legal.swap_remove(i))
    }
}

/// Plays the first legal move and never interrupts: what it does depends on no face.
pub struct First;

impl<G: Game> Player<G> for First {
    fn choose(&mut self, game: &G, seat: Seat, known: &Known, turn: bool) -> Option<G::Action> {
        game.legal(seat, known).into_iter().next().filter(|_| turn)
    }
}

enum What {
    Arrive {
        to: usize,
        from: usize,
        bytes: Vec<u8>,
    },
    Wake {
        peer: usize,
        life: u32,
    },
    Act {
        peer: usize,
        life: u32,
    },
}

/// One peer with its disk.
pub struct Peer<G: Game> {
    /// Its seat.
    pub seat: Seat,
    /// `None` while it is dead.
    pub table: Option<Table<G>>,
    /// What it has stored.
    pub disk: Vec<Vec<u8>>,
    /// What it was told.
    pub notices: Vec<Notice>,
    /// What happened, by step.
    pub happened: Vec<(u64, Happening<G>)>,
    /// What it sent: time and size, for the side channels.
    pub sent: Vec<(u64, usize)>,
    /// When each step was settled, from step 1 on.
    pub settled: Vec<u64>,
    life: u32,
    wake: u64,
    act_at: u64,
    player: Box<dyn Player<G>>,
}

/// Sees a message from one seat to another and says what goes out instead.
pub type Tamper = Box<dyn FnMut(Seat, Seat, &[u8]) -> Vec<Vec<u8>>>;

/// The whole simulation.
pub struct Sim<G: Game> {
    /// The genesis of the table.
    pub genesis: SignedGenesis,
    /// People only.
    pub peers: Vec<Peer<G>>,
    /// Milliseconds since the beginning.
    pub now: u64,
    /// How bad the network is.
    pub weather: Weather,
    /// Pairs that do not hear each other.
    pub cut: BTreeSet<(usize, usize)>,
    /// Seeds delays and losses.
    pub rng: ChaCha20Rng,
    /// Messages to each other are shown to this before they go out; it may change or drop them.
    pub tamper: Option<Tamper>,
    queue: BinaryHeap<Reverse<(u64, u64)>>,
    events: std::collections::HashMap<u64, What>,
    count: u64,
}

impl<G: Game> Sim<G> {
    /// All peers alive at time 0.
    pub fn new(
        genesis: SignedGenesis,
        seed: u64,
        weather: Weather,
        player: impl Fn(Seat) -> Box<dyn Player<G>>,
    ) -> Sim<G> {
        let mut sim = Sim {
            peers: Vec::new(),
            now: 0,
            weather,
            cut: BTreeSet::new(),
            rng: ChaCha20Rng::seed_from_u64(seed),
            tamper: None,
            queue: BinaryHeap::new(),
            events: Default::default(),
            count: 0,
            genesis: genesis.clone(),
        };
        for seat in genesis.genesis.people().iter() {
            let identity = sim.identity_of(seat);
            let mut table = Table::new(genesis.clone(), Some(identity), 0).unwrap();
            table.set_consent(Consent::Auto);
            sim.peers.push(Peer {
                seat,
                table: Some(table),
                disk: Vec::new(),
                notices: Vec::new(),
                happened: Vec::new(),
                sent: Vec::new(),
                settled: Vec::new(),
                life: 0,
                wake: u64::MAX,
                act_at: u64::MAX,
                player: player(seat),
            });
        }
        for i in 0..sim.peers.len() {
            sim.drain(i);
        }
        sim
    }

    /// Whose key sits there.
    pub fn identity_of(&self, seat: Seat) -> Identity {
        let keys = self.genesis.genesis.keys();
        (0..5)
            .map(identity)
            .find(|identity| keys[seat] == Some(identity.public()))
            .unwrap()
    }

    /// The peer at a seat.
    pub fn peer(&self, seat: Seat) -> &Peer<G> {
        self.peers.iter().find(|peer| peer.seat == seat).unwrap()
    }

    /// The table of a living peer.
    pub fn table(&self, i: usize) -> &Table<G> {
        self.peers[i].table.as_ref().unwrap()
    }

    fn at(&mut self, time: u64, what: What) {
        self.count += 1;
        self.events.insert(self.count, what);
        self.queue.push(Reverse((time, self.count)));
    }

    fn post(&mut self, from: usize, to: usize, bytes: Vec<u8>) {
        self.peers[from].sent.push((self.now, bytes.len()));
        let copies = match &mut self.tamper {
            Some(tamper) => {
                let (a, b) = (self.peers[from].seat, self.peers[to].seat);
                tamper(a, b, &bytes)
            }
            None => vec![bytes],
        };
        for bytes in copies {
            let weather = self.weather;
            let times = 1 + usize::from(self.rng.random_ratio(weather.doubled, 1000));
            for _ in 0..times {
                if self.rng.random_ratio(weather.lost, 1000) || self.cut.contains(&(from, to)) {
                    continue;
                }
                let delay = self.rng.random_range(weather.least..=weather.most);
                let bytes = bytes.clone();
                self.at(self.now + delay, What::Arrive { to, from, bytes });
            }
        }
    }

    /// Carries out what the peer wants, in order, then lets its player act.
    pub fn drain(&mut self, i: usize) {
        loop {
            let Some(table) = &mut self.peers[i].table else {
                return;
            };
            let Some(output) = table.poll() else { break };
            match output {
                Output::Persist(bytes) => self.peers[i].disk.push(bytes),
                Output::Send { to, bytes } => {
                    if let Some(to) = self.peers.iter().position(|peer| peer.seat == to) {
                        self.post(i, to, bytes);
                    }
                }
                Output::Broadcast(bytes) => {
                    for to in (0..self.peers.len()).filter(|&to| to != i) {
                        self.post(i, to, bytes.clone());
                    }
                }
                Output::Settled(_) => {
                    let now = self.now;
                    self.peers[i].settled.push(now);
                }
                Output::Publish(_) => {}
                Output::Happened { step, happening } => {
                    self.peers[i].happened.push((step, happening));
                }
                Output::Notice(notice) => self.peers[i].notices.push(notice),
            }
        }
        let peer = &mut self.peers[i];
        let Some(table) = &peer.table else { return };
        let (wake, life) = (table.poll_timeout(), peer.life);
        let may = table.my_turn()
            || matches!((table.me(), table.replica().waits()), (Some(me), shamans_core::table::Waits::Game { interrupts, .. }) if interrupts.contains(me));
        let act = may && peer.act_at == u64::MAX;
        if peer.wake != wake {
            peer.wake = wake;
            self.at(wake, What::Wake { peer: i, life });
        }
        if act {
            // People take a moment.
            let when = self.now + self.rng.random_range(1..=20);
            self.peers[i].act_at = when;
            self.at(when, What::Act { peer: i, life });
        }
    }

    fn act(&mut self, i: usize) {
        let peer = &mut self.peers[i];
        peer.act_at = u64::MAX;
        let Some(table) = &mut peer.table else { return };
        let Some(me) = table.me() else { return };
        let turn = table.my_turn();
        let choice = peer.player.choose(table.game(), me, &table.known(), turn);
        if let Some(action) = choice {
            // Refusals are normal: the step may be settling.
            let _ = table.act(&action);
        }
    }

    /// Does the next thing. False when nothing is left to do.
    pub fn step(&mut self) -> bool {
        let Some(Reverse((time, id))) = self.queue.pop() else {
            return false;
        };
        self.now = self.now.max(time);
        match self.events.remove(&id).expect("each event once") {
            What::Arrive { to, from, bytes } => {
                let seat = self.peers[from].seat;
                if let Some(table) = &mut self.peers[to].table {
                    table.receive(seat, &bytes, self.now);
                }
                self.drain(to);
            }
            What::Wake { peer, life } => {
                if self.peers[peer].life == life
                    && let Some(table) = &mut self.peers[peer].table
                {
                    table.handle_timeout(self.now);
                    self.drain(peer);
                }
            }
            What::Act { peer, life } => {
                if self.peers[peer].life == life {
                    self.act(peer);
                    self.drain(peer);
                }
            }
        }
        true
    }

    /// Goes on until `done` or until `limit` milliseconds have passed. True if done.
    pub fn run(&mut self, limit: u64, mut done: impl FnMut(&Sim<G>) -> bool) -> bool {
        let end = self.now + limit;
        while self.now < end {
            if done(self) {
                return true;
            }
            if !self.step() {
                break;
            }
        }
        done(self)
    }

    /// The peer dies; its disk stays.
    pub fn kill(&mut self, i: usize) {
        self.peers[i].table = None;
        self.peers[i].life += 1;
        self.peers[i].act_at = u64::MAX;
        self.peers[i].wake = u64::MAX;
    }

    /// The peer comes back, from its disk or from its identity alone.
    pub fn restart(&mut self, i: usize, from_disk: bool) {
        let identity = self.identity_of(self.peers[i].seat);
        let now = self.now;
        let peer = &mut self.peers[i];
        let mut table = if from_disk {
            Table::resume(peer.disk.iter().map(Vec::as_slice), identity, now).unwrap()
        } else {
            peer.disk.clear();
            Table::recover(self.genesis.clone(), identity, now).unwrap()
        };
        table.set_consent(Consent::Auto);
        peer.table = Some(table);
        self.drain(i);
    }

    /// Cuts or mends the link between two peers.
    pub fn link(&mut self, a: usize, b: usize, up: bool) {
        for pair in [(a, b), (b, a)] {
            if up {
                self.cut.remove(&pair);
            } else {
                self.cut.insert(pair);
            }
        }
    }

    /// All logs agree as far as they go. Fails with the reason otherwise.
    pub fn check_agreement(&self) {
        let logs: Vec<_> = self
            .peers
            .iter()
            .filter_map(|peer| peer.table.as_ref())
            .collect();
        for pair in logs.windows(2) {
            let (a, b) = (pair[0].replica(), pair[1].replica());
            for step in 0..a.number().min(b.number()) {
                assert_eq!(
                    a.digest_of(step),
                    b.digest_of(step),
                    "histories differ at {step}"
                );
            }
            if a.number() == b.number() {
                assert!(a.game() == b.game(), "games differ at {}", a.number());
            }
        }
    }

    /// Where everyone is, for a failing test.
    pub fn describe(&self) -> String {
        let mut text = format!("at {} ms\n", self.now);
        for peer in &self.peers {
            match &peer.table {
                Some(table) => {
                    let replica = table.replica();
                    text += &format!(
                        "  seat {}: step {} {:?}, signers {:?}, gone {:?}, missing {:?}, faults {:?}\n    {}\n",
                        peer.seat.0,
                        replica.number(),
                        replica.waits(),
                        replica.signers(),
                        replica.gone(),
                        table.missing(),
                        table.faults(),
                        table.describe_open(),
                    );
                    for notice in peer.notices.iter().rev().take(6) {
                        text += &format!("    {notice:.300?}\n")
                            .chars()
                            .take(300)
                            .collect::<String>();
                    }
                }
                None => text += &format!("  seat {} is dead\n", peer.seat.0),
            }
        }
        text
    }

    /// Are all living peers at the end?
    pub fn all_over(&self) -> bool {
        self.peers
            .iter()
            .filter_map(|peer| peer.table.as_ref())
            .all(|table| table.replica().is_over())
    }
}

/// The checksum of a record's bytes, as the format has it.
pub fn checksum(bytes: &[u8]) -> [u8; 32] {
    *blake3::hash(bytes).as_bytes()
}
