//! A seeded network of peers in memory: messages are delayed, reordered, doubled and lost, links are cut, peers are killed and come back.
//!
//! Everything follows from the seed: time is a number, and there is no thread. A test that fails prints the seed, and the
//! same seed fails again. Drives [`Table`] the way a real driver does: outputs are carried out in order, and
//! a killed peer keeps only what it had stored. [`Sim::fork`] goes on from one state in several ways.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use shamans_core::game::{Game, Seat};
use shamans_core::log::{Digest, Identity};
use shamans_core::table::{Output, SignedGenesis, Table};

mod check;
mod peer;
mod player;
mod seating;
mod weather;

pub use peer::Peer;
pub use player::{Anything, First, Hoarder, Player};
pub use seating::{identity, sit_down, sit_down_with};
pub use weather::Weather;

#[derive(Clone)]
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
    /// From whom to whom nothing comes through.
    pub cut: BTreeSet<(usize, usize)>,
    /// Seeds delays and losses.
    pub rng: ChaCha20Rng,
    /// Messages to each other are shown to this before they go out; it may change or drop them.
    pub tamper: Option<Tamper>,
    /// Every step that any peer has ever held as settled.
    history: BTreeMap<u64, Digest>,
    queue: BinaryHeap<Reverse<(u64, u64)>>,
    events: BTreeMap<u64, What>,
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
            history: BTreeMap::new(),
            queue: BinaryHeap::new(),
            events: BTreeMap::new(),
            count: 0,
            genesis: genesis.clone(),
        };
        for seat in genesis.genesis.people().iter() {
            let identity = sim.identity_of(seat);
            let table = Table::new(genesis.clone(), Some(identity), 0).unwrap();
            sim.peers.push(Peer::new(seat, table, player(seat)));
        }
        for i in 0..sim.peers.len() {
            sim.drain(i);
        }
        sim
    }

    /// The same simulation once more, to go on from here in another way. Nobody tampers with messages in it.
    pub fn fork(&self) -> Sim<G> {
        Sim {
            genesis: self.genesis.clone(),
            peers: self.peers.iter().map(Peer::fork).collect(),
            now: self.now,
            weather: self.weather,
            cut: self.cut.clone(),
            rng: self.rng.clone(),
            tamper: None,
            history: self.history.clone(),
            queue: self.queue.clone(),
            events: self.events.clone(),
            count: self.count,
        }
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
            let peer = &mut self.peers[i];
            let Some(table) = &mut peer.table else {
                return;
            };
            let Some(output) = table.poll() else { break };
            if peer.burns_out() {
                return self.kill(i);
            }
            self.carry_out(i, output);
        }
        let peer = &mut self.peers[i];
        let Some(table) = &peer.table else { return };
        let (wake, life) = (table.poll_timeout(), peer.life);
        let act = peer.may_act() && peer.act_at == u64::MAX;
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

    fn carry_out(&mut self, i: usize, output: Output<G>) {
        let now = self.now;
        let peer = &mut self.peers[i];
        match output {
            Output::Persist(bytes) => peer.disk.push(bytes),
            Output::Send { to, bytes } => {
                let there = |&at: &usize| self.peers[at].seat == to;
                let there: Vec<usize> = (0..self.peers.len()).filter(there).collect();
                for to in there {
                    self.post(i, to, bytes.clone());
                }
            }
            Output::Broadcast(bytes) => {
                for to in (0..self.peers.len()).filter(|&to| to != i) {
                    self.post(i, to, bytes.clone());
                }
            }
            Output::Settled(step) => {
                peer.settled.push(now);
                let digest = self.table(i).replica().digest_of(step);
                self.note_settled(step, digest);
            }
            Output::Publish(_) => {}
            Output::Happened { step, happening } => peer.happened.push((step, happening)),
            Output::Notice(notice) => peer.notices.push(notice),
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
                    self.peers[peer].act();
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
        self.peers[i].die();
    }

    /// The peer dies after it has carried out so many more outputs: between storing and sending, or between two sends.
    pub fn kill_after(&mut self, i: usize, outputs: u32) {
        self.peers[i].fuse = Some(outputs);
    }

    /// The peer comes back, from its disk or from its identity alone.
    pub fn restart(&mut self, i: usize, from_disk: bool) {
        let identity = self.identity_of(self.peers[i].seat);
        let genesis = (!from_disk).then_some(&self.genesis);
        self.peers[i].rise(identity, genesis, self.now);
        // What was on the disk was settled, whether or not there was time to say so.
        for step in 1..self.table(i).replica().number() {
            let digest = self.table(i).replica().digest_of(step);
            self.note_settled(step, digest);
        }
        self.drain(i);
    }

    /// A liar with two faces: a second program with the same key and memory that goes on by itself. From now on the first one hears and is
    /// heard by the others in `first` only, the second one by the rest.
    pub fn twin(&mut self, i: usize, player: Box<dyn Player<G>>, first: &[usize]) {
        let twin = self.peers.len();
        let mut peer = self.peers[i].fork();
        peer.begin_again(player);
        self.peers.push(peer);
        self.link(i, twin, false);
        for other in (0..twin).filter(|&other| other != i) {
            let deaf = if first.contains(&other) { twin } else { i };
            self.link(deaf, other, false);
        }
        self.drain(twin);
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
}
