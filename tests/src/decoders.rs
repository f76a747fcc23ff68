//! Every decoder that bytes from strangers reach, each as one function that takes any bytes, with valid bytes to begin from.
//!
//! The property tests of `table_input.rs` and the fuzz targets of `tests/fuzz` feed the same ones. Whatever comes in may be refused or
//! taken; a panic is a finding.

use std::cell::OnceCell;

use shamans_core::codec;
use shamans_core::game::{Game, Seat, SeatSet};
use shamans_core::log::{Entry, Evidence, Lane, Settled, SignedEntry};
use shamans_core::record::{Record, Replay, verify};
use shamans_core::shamans::data::{self, Data, Texts};
use shamans_core::shamans::{self, Shamans};
use shamans_core::table::{
    Message, Options, Output, Proposal, Remedy, Replica, Seating, SignedGenesis, Stored, Table,
    TableWord, Vote,
};
use shamans_net::scenario::Scenario;

use crate::damage;
use crate::high_card::{HighCard, Setup};
use crate::house;
use crate::phase::{Asks, Phase};
use crate::sim::{Anything, Sim, Weather, identity, sit_down};

mod kept;
mod net;

/// A decoder by its name.
#[derive(Clone, Copy)]
pub struct Decoder {
    /// What comes in.
    pub name: &'static str,
    /// Takes any bytes.
    pub feed: fn(&[u8]),
    /// Valid bytes.
    pub valid: fn() -> Vec<Vec<u8>>,
}

/// All of them.
pub const ALL: [Decoder; 20] = [
    Decoder {
        name: "message",
        feed: message,
        valid: messages,
    },
    Decoder {
        name: "entry",
        feed: entry,
        valid: || with_toy(Midway::entries),
    },
    Decoder {
        name: "step",
        feed: step,
        valid: || with_toy(|toy| toy.log.iter().map(codec::encode).collect()),
    },
    Decoder {
        name: "stored",
        feed: stored,
        valid: || with_toy(|toy| toy.disk.clone()),
    },
    Decoder {
        name: "genesis",
        feed: genesis,
        valid: || {
            vec![
                with_toy(|toy| codec::encode(&toy.genesis)),
                with_shamans(|game| codec::encode(&game.genesis)),
            ]
        },
    },
    Decoder {
        name: "seating",
        feed: seating,
        valid: seating_words,
    },
    Decoder {
        name: "deal",
        feed: deal,
        valid: || with_toy(|toy| toy.bodies(Lane::Deal)),
    },
    Decoder {
        name: "move",
        feed: moves,
        valid: || with_shamans(|game| game.bodies(Lane::Game)),
    },
    Decoder {
        name: "word",
        feed: words,
        valid: votes_and_words,
    },
    Decoder {
        name: "setup",
        feed: setup,
        valid: || {
            (3..=5)
                .map(|n| codec::encode(&shamans::Setup::new(n)))
                .collect()
        },
    },
    Decoder {
        name: "record",
        feed: record,
        valid: || with_toy(|toy| vec![Record::new(&toy.genesis, &toy.log).write()]),
    },
    Decoder {
        name: "invite",
        feed: net::invite,
        valid: net::invites,
    },
    Decoder {
        name: "hello",
        feed: net::hello,
        valid: net::hellos,
    },
    Decoder {
        name: "packet",
        feed: net::packet,
        valid: net::packets,
    },
    Decoder {
        name: "announcement",
        feed: net::announcement,
        valid: net::announcements,
    },
    Decoder {
        name: "proof",
        feed: kept::proof,
        valid: kept::proofs,
    },
    Decoder {
        name: "journal",
        feed: kept::journal,
        valid: kept::journals,
    },
    Decoder {
        name: "peers",
        feed: kept::peers,
        valid: kept::lists,
    },
    Decoder {
        name: "scenario",
        feed: scenario,
        valid: || files("tests/scenarios", "txt"),
    },
    Decoder {
        name: "data",
        feed: designer,
        valid: || files("data", "toml"),
    },
];

/// A table in the middle of a game, what was said at it, and the state at each kind of step.
struct Midway<G: Game> {
    genesis: SignedGenesis,
    table: Table<G>,
    said: Vec<Vec<u8>>,
    log: Vec<Settled>,
    disk: Vec<Vec<u8>>,
    states: Vec<Replica<G>>,
}

impl<G: Asks> Midway<G> {
    fn new(setup: &G::Setup, seats: usize, until: u64) -> Midway<G> {
        let genesis = sit_down::<G>(setup, &vec![true; seats], Options::default());
        let mut sim = Sim::<G>::new(genesis.clone(), 1, Weather::CALM, |seat| {
            Box::new(Anything::new(u64::from(seat.0), 1000))
        });
        let said = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
        let heard = said.clone();
        sim.tamper = Some(Box::new(move |from, _, bytes| {
            if from != Seat(0) {
                heard.borrow_mut().push(bytes.to_vec());
            }
            vec![bytes.to_vec()]
        }));
        let mut phases = std::collections::BTreeSet::new();
        let mut states = Vec::new();
        while sim.reached() < until && !sim.all_over() && sim.step() {
            let replica = sim.table(0).replica();
            if let Some(phase) = Phase::of(replica)
                && phases.insert(phase)
            {
                states.push(replica.clone());
            }
        }
        let table = sim.table(0).clone();
        Midway {
            genesis,
            log: table.log().to_vec(),
            table,
            said: said.take(),
            disk: sim.peers[0].disk.clone(),
            states,
        }
    }

    fn entries(&self) -> Vec<Vec<u8>> {
        let steps = self.log.iter();
        steps
            .flat_map(|settled| settled.step.entries.iter().map(codec::encode))
            .collect()
    }

    fn bodies(&self, lane: Lane) -> Vec<Vec<u8>> {
        let entries = self.log.iter().flat_map(|settled| &settled.step.entries);
        entries
            .filter(|signed| signed.entry.lane == lane)
            .map(|signed| signed.entry.body.clone())
            .collect()
    }

    /// The bytes as what every seat says at every kind of step.
    fn say(&self, lane: Lane, body: &[u8]) {
        for state in &self.states {
            let mut state = state.clone();
            for seat in state.people().iter() {
                let entry = Entry {
                    step: state.number(),
                    prev: state.prev(),
                    seat,
                    lane,
                    body: body.to_vec(),
                };
                // The signature is not looked at here: a liar's would fit.
                let signed = entry.sign(state.table(), &identity(0));
                let _ = state.check_entry(&signed);
            }
        }
    }
}

thread_local! {
    static TOY: OnceCell<Midway<HighCard>> = const { OnceCell::new() };
    static GAME: OnceCell<Midway<Shamans>> = const { OnceCell::new() };
}

fn with_toy<T>(then: impl FnOnce(&Midway<HighCard>) -> T) -> T {
    let setup = Setup {
        seats: 3,
        hand: 2,
        rounds: 1,
        phantoms: SeatSet::EMPTY,
    };
    TOY.with(|toy| then(toy.get_or_init(|| Midway::new(&setup, 3, 17))))
}

fn with_shamans<T>(then: impl FnOnce(&Midway<Shamans>) -> T) -> T {
    GAME.with(|game| then(game.get_or_init(|| Midway::new(&shamans::Setup::new(3), 3, 45))))
}

fn message(bytes: &[u8]) {
    with_toy(|toy| {
        let mut table = toy.table.clone();
        while table.poll().is_some() {}
        table.receive(Seat(1), bytes, 100_000);
        let mut outputs = 0;
        while let Some(output) = table.poll() {
            outputs += 1;
            if let Output::Send { bytes, .. } | Output::Broadcast(bytes) = output {
                assert!(codec::decode::<Message>(&bytes).is_ok());
            }
        }
        assert!(outputs < 100, "one message makes {outputs} answers");
        let _ = table.answer_spectator(bytes);
    });
}

/// What was said, and evidence of each kind, true or not.
fn messages() -> Vec<Vec<u8>> {
    let mut all = with_toy(|toy| toy.said.clone());
    let evidence = evidence().into_iter().map(Message::Evidence);
    all.extend(evidence.map(|message| codec::encode(&message)));
    all
}

fn evidence() -> Vec<Evidence> {
    with_toy(|toy| {
        let state = toy.table.replica();
        let entry = |body: &[u8]| {
            let entry = Entry {
                step: state.number(),
                prev: state.prev(),
                seat: Seat(2),
                lane: Lane::Deal,
                body: body.to_vec(),
            };
            entry.sign(state.table(), &identity(2))
        };
        let settled = toy.log.last().expect("a step");
        let settle = settled.settle(state.table(), Seat(2)).expect("it signed");
        vec![
            Evidence::TwoEntries(entry(&[1]), entry(&[2])),
            Evidence::TwoSettlements(settle, settle),
            Evidence::Late(settle, entry(&[1])),
            Evidence::Refused {
                entry: entry(&[1]),
                culprit: Seat(2),
            },
        ]
    })
}

fn votes_and_words() -> Vec<Vec<u8>> {
    let signed = with_toy(|toy| {
        let settled = toy.log.last().expect("a step");
        settled.step.mark(toy.table.replica().table())
    });
    let back = with_toy(|toy| toy.log[0].step.entries[0].clone());
    let mut all: Vec<Vec<u8>> = [
        TableWord::Back,
        TableWord::Readmit(Box::new(back)),
        TableWord::Leave,
    ]
    .iter()
    .map(codec::encode)
    .collect();
    for (gone, remedy, signed) in [
        (SeatSet::EMPTY, Remedy::StandIn, None),
        (SeatSet::one(Seat(1)), Remedy::Void, Some(signed)),
    ] {
        all.push(codec::encode(&Vote {
            gone,
            remedy,
            signed,
        }));
    }
    all
}

fn entry(bytes: &[u8]) {
    let Ok(signed) = codec::decode::<SignedEntry>(bytes) else {
        return;
    };
    with_toy(|toy| {
        for state in &toy.states {
            let _ = signed.check(state.table(), state.key(signed.entry.seat));
            let _ = state.clone().check_entry(&signed);
            let _ = state.check_back(&signed);
        }
    });
}

fn step(bytes: &[u8]) {
    let Ok(settled) = codec::decode::<Settled>(bytes) else {
        return;
    };
    with_toy(|toy| {
        for state in &toy.states {
            let _ = state.clone().accept(&settled);
        }
    });
}

fn stored(bytes: &[u8]) {
    let genesis = with_toy(|toy| codec::encode(&Stored::Genesis(toy.genesis.clone())));
    let journal = [genesis.as_slice(), bytes];
    let _ = Table::<HighCard>::resume(journal, identity(0), 0);
    let _ = Table::<HighCard>::resume([bytes], identity(0), 0);
}

fn genesis(bytes: &[u8]) {
    if let Ok(signed) = codec::decode::<SignedGenesis>(bytes) {
        let _ = Replica::<HighCard>::new(&signed, None);
        let _ = Replica::<Shamans>::new(&signed, None);
        let _ = signed.genesis.phrase();
    }
}

fn sit(i: usize) -> Seating {
    let proposal: Proposal = with_toy(|toy| toy.genesis.genesis.proposal.clone());
    let mut seating = Seating::new::<HighCard>(proposal, identity(i), [7; 32], 0)
        .expect("the proposal of a game that is being played");
    seating.be_ready();
    seating
}

fn seating(bytes: &[u8]) {
    let mut seating = sit(0);
    let _ = seating.receive(&identity(1).public(), bytes);
    while seating.poll().is_some() {}
}

fn seating_words() -> Vec<Vec<u8>> {
    let mut seating = sit(1);
    let mut words = Vec::new();
    while let Some(output) = seating.poll() {
        if let shamans_core::table::SeatingOutput::Send(bytes) = output {
            words.push(bytes);
        }
    }
    words
}

fn deal(bytes: &[u8]) {
    with_toy(|toy| toy.say(Lane::Deal, bytes));
}

fn moves(bytes: &[u8]) {
    with_shamans(|game| game.say(Lane::Game, bytes));
    with_toy(|toy| toy.say(Lane::Game, bytes));
}

fn words(bytes: &[u8]) {
    with_toy(|toy| {
        toy.say(Lane::Table, bytes);
        toy.say(Lane::Vote(1), bytes);
        toy.say(Lane::Vote(255), bytes);
    });
}

fn setup(bytes: &[u8]) {
    if let Ok(setup) = codec::decode::<shamans::Setup>(bytes) {
        let _ = Shamans::new(&setup);
    }
    if let Ok(setup) = codec::decode::<Setup>(bytes) {
        let _ = HighCard::new(&setup);
    }
}

/// As it is, and with a frame that fits.
fn record(bytes: &[u8]) {
    let body = bytes.get(10..).unwrap_or_default();
    let mut framed = b"SHAMANS\n\x01\x00".to_vec();
    framed.extend(
        body.get(..body.len().saturating_sub(32))
            .unwrap_or_default(),
    );
    let sum = damage::checksum(&framed);
    framed.extend(sum);
    for file in [bytes, &framed] {
        if let Ok(record) = Record::read(file) {
            let _ = verify::<HighCard>(&record);
            if let Ok(mut replay) = Replay::<HighCard>::new(&record, SeatSet::first(3)) {
                while replay.next().is_some_and(|next| next.is_ok()) {}
            }
        }
    }
}

fn scenario(bytes: &[u8]) {
    if let Ok(scenario) = Scenario::read(bytes) {
        scenario.run();
    }
}

/// In place of each of the files in turn.
fn designer(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    let shipped = data::SHIPPED;
    let worlds = Texts {
        worlds: text,
        ..shipped
    };
    let tiles = Texts {
        tiles: text,
        ..shipped
    };
    let tables = Texts {
        tables: text,
        ..shipped
    };
    let track = Texts {
        track: text,
        ..shipped
    };
    for texts in [worlds, tiles, tables, track] {
        let _ = Data::parse(&texts);
    }
}

fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let folder = house::root().join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder of this project")
        .map(|item| item.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).expect("readable"))
        .collect()
}
