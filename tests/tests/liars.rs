//! Peers that lie: refused, named with evidence where it can be proved, and the others play on. On the toy game and on Shamans.

use shamans_core::codec;
use shamans_core::game::{Face, Game, Seat, SeatSet, Slot};
use shamans_core::log::{
    Digest, Entry, Evidence, Identity, Kind, Lane, Settle, Settled, SignedEntry, Step, TableId,
};
use shamans_core::record::{Finding, Record, verify, verify_evidence};
use shamans_core::shamans::{self, Card, Shamans};
use shamans_core::table::{
    Line, MAX_MESSAGE, Message, Move, Notice, Options, Output, Refusal, Suspicion, Table,
};
use shamans_tests::high_card::{Action, HighCard, Setup};
use shamans_tests::sim::{Anything, Sim, Tamper, Weather, sit_down};

const LIAR: Seat = Seat(1);

struct Liar {
    identity: Identity,
    table: TableId,
}

impl Liar {
    fn sign(&self, entry: Entry) -> Vec<u8> {
        codec::encode(&Message::Entry(entry.sign(&self.table, &self.identity)))
    }

    fn settle(&self, settle: &Settle, digest: Digest) -> Vec<u8> {
        let mut mark = settle.mark;
        mark.digest = digest;
        let settle = Settle::sign(&self.table, settle.step, settle.seat, mark, &self.identity);
        codec::encode(&Message::Settle(settle))
    }
}

/// What the liar does to an own entry on its way to one seat; `None` lets it pass.
type Twist = fn(&Liar, &Entry, Seat) -> Option<Vec<Vec<u8>>>;

const OPTIONS: Options = Options {
    grace_ms: 4_000,
    draw_seats: false,
};

fn table<G: Game>(setup: &G::Setup, seats: usize, seed: u64) -> Sim<G> {
    let genesis = sit_down::<G>(setup, &vec![true; seats], OPTIONS);
    Sim::new(genesis, seed, Weather::CALM, |seat| {
        Box::new(Anything::new(seed + u64::from(seat.0), 1000))
    })
}

fn toy(seed: u64) -> Sim<HighCard> {
    let setup = Setup {
        seats: 4,
        hand: 2,
        rounds: 2,
        phantoms: SeatSet::EMPTY,
    };
    table(&setup, 4, seed)
}

fn game(seed: u64) -> Sim<Shamans> {
    table(&shamans::Setup::new(3), 3, seed)
}

fn liar<G: Game>(sim: &Sim<G>) -> Liar {
    Liar {
        identity: sim.identity_of(LIAR),
        table: sim.genesis.genesis.table(),
    }
}

fn honest<G: Game>(sim: &Sim<G>) -> Vec<usize> {
    let peers = 0..sim.peers.len();
    peers.filter(|&i| sim.peers[i].seat != LIAR).collect()
}

/// The honest finish, agree, have a fair record, and accuse nobody but the liar; anyone with the record sees that they are right.
fn honest_finish<G: Game>(sim: &mut Sim<G>) {
    let everyone = honest(sim);
    let over = |sim: &Sim<G>| everyone.iter().all(|&i| sim.table(i).replica().is_over());
    assert!(sim.run(4_000_000, over), "{}", sim.describe());
    let first = Record::new(&sim.genesis, sim.table(0).log());
    assert_eq!(verify::<G>(&first).finding, Finding::Fair);
    for i in everyone {
        let record = Record::new(&sim.genesis, sim.table(i).log());
        assert!(record.write() == first.write(), "records differ");
        for (culprit, evidence) in sim.table(i).faults() {
            assert_eq!(*culprit, LIAR, "{evidence:?}");
            assert_eq!(verify_evidence::<G>(&record, evidence), Ok(()));
        }
    }
}

fn caught<G: Game>(sim: &Sim<G>) -> Vec<&Evidence> {
    let honest = honest(sim).into_iter();
    honest
        .map(|i| sim.table(i).faults().get(&LIAR).expect("everyone knows"))
        .collect()
}

fn twisted<G: Game>(mut sim: Sim<G>, lane: Lane, twist: Twist) -> Sim<G> {
    let liar = liar(&sim);
    let tamper: Tamper = Box::new(move |from, to, bytes| {
        if from == LIAR
            && let Ok(Message::Entry(signed)) = codec::decode::<Message>(bytes)
            && signed.entry.seat == LIAR
            && signed.entry.lane == lane
            && let Some(instead) = twist(&liar, &signed.entry, to)
        {
            return instead;
        }
        vec![bytes.to_vec()]
    });
    // The genesis round has already been sent: the liar's first words are honest.
    sim.tamper = Some(tamper);
    honest_finish(&mut sim);
    sim
}

fn with_body(entry: &Entry, body: Vec<u8>) -> Entry {
    Entry {
        body,
        ..entry.clone()
    }
}

fn action<A: serde::Serialize>(action: A) -> Vec<u8> {
    let proofs = Vec::new();
    codec::encode(&Move { action, proofs })
}

#[test]
fn two_entries_for_one_place() {
    let sim = twisted(toy(3), Lane::Game, |liar, entry, to| {
        let made: Move<Action> = codec::decode(&entry.body).ok()?;
        let Action::Give(slot) = made.action else {
            return None;
        };
        // The other card of the two, to one seat only.
        let other = Slot(if slot.0 % 2 == 0 {
            slot.0 + 1
        } else {
            slot.0 - 1
        });
        (to == Seat(2)).then(|| vec![liar.sign(with_body(entry, action(Action::Give(other))))])
    });
    assert!(
        caught(&sim)
            .iter()
            .all(|evidence| matches!(evidence, Evidence::TwoEntries(..)))
    );
}

/// The liar runs two programs with one key, and each plays honestly with some of the others.
fn two_faces<G: Game>(mut sim: Sim<G>, at: u64, seed: u64) {
    sim.run(60_000, |sim| sim.reached() >= at);
    let i = sim.peers.iter().position(|peer| peer.seat == LIAR).unwrap();
    sim.twin(i, Box::new(Anything::new(seed, 10)), &[0]);
    honest_finish(&mut sim);
    caught(&sim);
}

#[test]
fn a_player_with_two_faces() {
    for (at, seed) in [(2, 21), (9, 22), (12, 23)] {
        two_faces(toy(seed), at, 100 + seed);
    }
}

#[test]
fn a_player_with_two_faces_at_shamans() {
    two_faces(game(24), 12, 124);
}

fn refused(evidence: &[&Evidence]) -> bool {
    let refused = |evidence: &&Evidence| matches!(evidence, Evidence::Refused { .. });
    evidence.iter().all(refused)
}

#[test]
fn an_illegal_move() {
    let sim = twisted(toy(4), Lane::Game, |liar, entry, _| {
        let body = action(Action::Give(Slot(77)));
        Some(vec![liar.sign(with_body(entry, body))])
    });
    assert!(refused(&caught(&sim)));
    let sim = twisted(game(4), Lane::Game, |liar, entry, _| {
        let body = action(shamans::Action::Give { slot: Slot(2) });
        Some(vec![liar.sign(with_body(entry, body))])
    });
    assert!(refused(&caught(&sim)));
}

#[test]
fn a_card_that_is_not_there() {
    let sim = twisted(toy(5), Lane::Game, |liar, entry, _| {
        let mut made: Move<Action> = codec::decode(&entry.body).ok()?;
        let Action::Play(slot, face) = made.action else {
            return None;
        };
        made.action = Action::Play(slot, Face(face.0 ^ 1));
        Some(vec![liar.sign(with_body(entry, codec::encode(&made)))])
    });
    assert!(refused(&caught(&sim)));
    let sim = twisted(game(5), Lane::Game, |liar, entry, _| {
        let mut made: Move<shamans::Action> = codec::decode(&entry.body).ok()?;
        let shamans::Action::Play { slot, card } = made.action else {
            return None;
        };
        let card = Card {
            value: if card.value == 1 { 2 } else { 1 },
            ..card
        };
        made.action = shamans::Action::Play { slot, card };
        Some(vec![liar.sign(with_body(entry, codec::encode(&made)))])
    });
    assert!(refused(&caught(&sim)));
}

/// A bit of the liar's part in the decks is another.
fn false_proof(liar: &Liar, entry: &Entry, _: Seat) -> Option<Vec<Vec<u8>>> {
    let mut body = entry.body.clone();
    let at = body.len() / 2;
    body[at] ^= 1;
    Some(vec![liar.sign(with_body(entry, body))])
}

#[test]
fn a_false_proof_in_the_decks() {
    assert!(refused(&caught(&twisted(toy(6), Lane::Deal, false_proof))));
    assert!(refused(&caught(&twisted(game(6), Lane::Deal, false_proof))));
}

/// It is signed and could stand here, but names another step before: nobody takes it, and nobody can prove anything by it.
#[test]
fn an_entry_of_another_history() {
    let other = |liar: &Liar, entry: &Entry, _: Seat| {
        let prev = Digest([7; 32]);
        let entry = Entry {
            prev,
            ..entry.clone()
        };
        Some(vec![liar.sign(entry)])
    };
    let sim = twisted(toy(6), Lane::Deal, other);
    for i in honest(&sim) {
        assert!(sim.table(i).faults().is_empty());
        let told = |notice: &Notice| {
            matches!(
                notice,
                Notice::Suspect {
                    seat: LIAR,
                    why: Suspicion::FalseHistory
                }
            )
        };
        assert!(sim.peers[i].notices.iter().any(told));
        let entries = sim.table(i).log().iter().flat_map(|settled| {
            let step = &settled.step;
            step.entries.iter().map(move |signed| (signed, step))
        });
        let inside = |lane: Lane| !matches!(lane, Lane::Vote(_));
        for (signed, step) in entries.filter(|(signed, _)| inside(signed.entry.lane)) {
            assert_eq!(signed.entry.prev, step.prev);
        }
    }
}

#[test]
fn a_move_out_of_turn() {
    let sim = twisted(toy(7), Lane::Deal, |liar, entry, _| {
        let shout = Entry {
            lane: Lane::Game,
            ..with_body(entry, action(Action::Shout))
        };
        Some(vec![liar.sign(shout), liar.sign(entry.clone())])
    });
    assert!(refused(&caught(&sim)));
    let sim = twisted(game(7), Lane::Deal, |liar, entry, _| {
        let decline = Entry {
            lane: Lane::Game,
            ..with_body(entry, action(shamans::Action::Decline))
        };
        Some(vec![liar.sign(decline), liar.sign(entry.clone())])
    });
    assert!(refused(&caught(&sim)));
}

fn settles_something_else<G: Game>(mut sim: Sim<G>, everyone: bool) {
    let liar = liar(&sim);
    sim.tamper = Some(Box::new(move |from, to, bytes| {
        if from == LIAR
            && let Ok(Message::Settle(settle)) = codec::decode::<Message>(bytes)
            && settle.seat == LIAR
            && settle.step > 8
            && (everyone || to == Seat(2))
        {
            return vec![liar.settle(&settle, Digest([9; 32]))];
        }
        vec![bytes.to_vec()]
    }));
    honest_finish(&mut sim);
    // Told to all, it shows with the step that the liar's own program settles and passes on.
    assert!(
        caught(&sim)
            .iter()
            .all(|evidence| matches!(evidence, Evidence::TwoSettlements(..)))
    );
}

fn stalls<G: Game>(sim: &Sim<G>) -> bool {
    let stalling = |notice: &Notice| matches!(notice, Notice::Suspect { seat, why: Suspicion::Stalling } if *seat == LIAR);
    sim.peers[0].notices.iter().any(stalling)
}

#[test]
fn a_settlement_for_something_else() {
    settles_something_else(toy(8), true);
    settles_something_else(toy(8), false);
    settles_something_else(game(8), true);
    settles_something_else(game(8), false);
}

fn noise<G: Game>(mut sim: Sim<G>) {
    let mut old: Vec<Vec<u8>> = Vec::new();
    let mut count = 0u32;
    sim.tamper = Some(Box::new(move |from, _, bytes| {
        let mut out = vec![bytes.to_vec()];
        if from != LIAR {
            return out;
        }
        count += 1;
        old.push(bytes.to_vec());
        // Whatever was said before is said again.
        out.push(old[(count as usize * 7919) % old.len()].clone());
        out.push(vec![0xff; 40]);
        if count.is_multiple_of(50) {
            out.push(vec![0; MAX_MESSAGE + 1]);
        }
        // Somebody else's word with one bit changed.
        if let Ok(Message::Entry(mut signed)) = codec::decode::<Message>(bytes) {
            signed.entry.seat = Seat(2);
            out.push(codec::encode(&Message::Entry(signed)));
        }
        out
    }));
    honest_finish(&mut sim);
    for i in honest(&sim) {
        assert!(
            sim.table(i).faults().is_empty(),
            "nothing of this is provable"
        );
        let suspected = |why: Suspicion| {
            sim.peers[i].notices.iter().any(
                |notice| matches!(notice, Notice::Suspect { seat, why: w } if *seat == LIAR && *w == why),
            )
        };
        assert!(suspected(Suspicion::Garbage) && suspected(Suspicion::Forged));
        let others = sim.peers[i]
            .notices
            .iter()
            .filter(|notice| matches!(notice, Notice::Suspect { seat, .. } if *seat != LIAR));
        assert_eq!(others.count(), 0, "nobody else is suspected");
    }
}

#[test]
fn forged_replayed_and_oversized_messages() {
    noise(toy(9));
    noise(game(9));
}

/// Well-formed and signed, but larger than any message may be: it is not even read. And whoever sends words for the step to come without end
/// has a few of them looked at when it comes.
#[test]
fn messages_too_large_and_too_early() {
    let mut sim = toy(4);
    sim.run(60_000, |sim| sim.reached() >= 6);
    let (liar, now) = (liar(&sim), sim.now);
    let table = sim.peers[0].table.as_mut().unwrap();
    let suspicions = |table: &mut Table<HighCard>| {
        let mut all = Vec::new();
        while let Some(output) = table.poll() {
            if let Output::Notice(Notice::Suspect { seat: LIAR, why }) = output {
                all.push(why);
            }
        }
        all
    };
    suspicions(table);
    let entry = |step: u64, body: Vec<u8>| Entry {
        step,
        prev: Digest([7; 32]),
        seat: LIAR,
        lane: Lane::Game,
        body,
    };
    let open = table.replica().number();
    let large = liar.sign(entry(open, vec![0; MAX_MESSAGE]));
    table.receive(LIAR, &large, now);
    assert_eq!(suspicions(table), [Suspicion::Garbage]);
    for i in 0..2_000u32 {
        let early = entry(open + 1, i.to_le_bytes().to_vec());
        table.receive(LIAR, &liar.sign(early), now);
    }
    assert!(suspicions(table).is_empty(), "not looked at yet");
    assert!(sim.run(10_000, |sim| sim.table(0).replica().number() > open));
    let told = sim.peers[0].notices.iter();
    let told = told.filter(|notice| {
        matches!(
            notice,
            Notice::Suspect {
                seat: LIAR,
                why: Suspicion::FalseHistory
            }
        )
    });
    assert!((1..=64).contains(&told.count()));
    honest_finish(&mut sim);
}

/// For each of its messages the liar sends a hundred: the others do not answer in kind, and play on.
#[test]
fn endless_messages() {
    let calm = {
        let mut sim = toy(12);
        honest_finish(&mut sim);
        sim.peers[0].sent.len()
    };
    let mut sim = toy(12);
    let liar = liar(&sim);
    let mut count = 0u64;
    sim.tamper = Some(Box::new(move |from, _, bytes| {
        let mut out = vec![bytes.to_vec()];
        if from != LIAR {
            return out;
        }
        for _ in 0..100 {
            count += 1;
            let mut digest = [0; 32];
            digest[..8].copy_from_slice(&count.to_le_bytes());
            out.push(match codec::decode::<Message>(bytes) {
                // Always something new: for a step that is yet to come, from behind, or beside the log.
                Ok(Message::Entry(signed)) => match count % 4 {
                    0 => codec::encode(&complaint(&signed)),
                    1 => codec::encode(&Message::Steps(vec![unsigned(&signed)])),
                    _ => liar.sign(Entry {
                        step: signed.entry.step + 1 + count % 3,
                        prev: Digest(digest),
                        ..signed.entry
                    }),
                },
                Ok(Message::Status(mut status)) => {
                    status.step = 1 + count % status.step;
                    codec::encode(&Message::Status(status))
                }
                _ => codec::encode(&Message::Chat(Line::Words(format!("more {count}")))),
            });
        }
        out
    }));
    honest_finish(&mut sim);
    for i in honest(&sim) {
        let sent = sim.peers[i].sent.len();
        assert!(sent < 20 * calm, "{sent} messages instead of {calm}");
        let chat = sim.peers[i].notices.iter();
        let lines = chat.filter(|notice| matches!(notice, Notice::Chat { .. }));
        assert!(
            lines.count() as u64 <= 5 + sim.now / 2_000,
            "chat is limited"
        );
        let notices = sim.peers[i].notices.iter();
        let told = notices.filter(|notice| matches!(notice, Notice::Suspect { seat: LIAR, .. }));
        let (told, steps) = (told.count(), sim.table(i).log().len());
        assert!(
            (1..=4 * steps).contains(&told),
            "{told} suspicions in {steps} steps"
        );
    }
}

/// Says that an entry is against the rules.
fn complaint(signed: &SignedEntry) -> Message {
    Message::Evidence(Evidence::Refused {
        entry: signed.clone(),
        culprit: signed.entry.seat,
    })
}

/// A step of this entry alone, under which nobody's signature stands.
fn unsigned(signed: &SignedEntry) -> Settled {
    Settled {
        step: Step {
            number: signed.entry.step,
            prev: signed.entry.prev,
            kind: Kind::Play,
            entries: vec![signed.clone()],
        },
        signatures: Vec::new(),
        excuses: Vec::new(),
    }
}

/// Proofs take long to check. So nobody makes the others check them without end: not by steps that nobody signed, and not by complaints.
#[test]
fn nobody_has_proofs_checked_for_nothing() {
    let mut sim = toy(13);
    let (liar, now) = (liar(&sim), sim.now);
    let contribution = |seat: Seat, sim: &Sim<HighCard>| {
        let replica = sim.table(0).replica();
        Entry {
            step: replica.number(),
            prev: replica.prev(),
            seat,
            lane: Lane::Deal,
            body: vec![7; 40],
        }
    };
    let table = sim.genesis.genesis.table();
    let bad = contribution(LIAR, &sim).sign(&table, &liar.identity);
    let mut replica = sim.table(0).replica().clone();
    let without = replica.check_settled(&unsigned(&bad));
    assert!(
        matches!(without, Err(Refusal::Unsigned { .. })),
        "{without:?}"
    );
    // What another one has really said, and all may say of it that it is against the rules; only the first words are heeded.
    let other = contribution(Seat(3), &sim).sign(&table, &sim.identity_of(Seat(3)));
    let complaint_of = |entry: &SignedEntry, culprit: Seat| {
        codec::encode(&Message::Evidence(Evidence::Refused {
            entry: entry.clone(),
            culprit,
        }))
    };
    let table = sim.peers[0].table.as_mut().unwrap();
    for _ in 0..100 {
        // It is, but that is the fault of somebody else.
        table.receive(LIAR, &complaint_of(&other, Seat(2)), now);
    }
    table.receive(LIAR, &complaint_of(&other, Seat(3)), now);
    assert!(table.faults().is_empty());
    table.receive(Seat(2), &complaint_of(&other, Seat(3)), now);
    assert!(table.faults().contains_key(&Seat(3)));
}

/// Another settlement shows when the settled step comes, even from one who tells nothing but that.
#[test]
fn another_settlement_shows_with_the_step() {
    let mut sim = toy(14);
    let liar = liar(&sim);
    let (mut opened, mut shown) = (0, 0);
    let mut copies = Vec::new();
    while !sim.table(0).replica().is_over() {
        let number = sim.table(2).replica().number();
        if number > opened {
            opened = number;
            copies.push((number, sim.table(2).clone()));
        }
        assert!(sim.step());
    }
    let log = sim.table(0).log();
    let record = Record::new(&sim.genesis, log);
    for (number, mut copy) in copies {
        let Some(settled) = log.get(number as usize - 1) else {
            continue;
        };
        let Some(signed) = settled.settle(&liar.table, LIAR) else {
            continue;
        };
        copy.receive(LIAR, &liar.settle(&signed, Digest([9; 32])), sim.now);
        assert!(copy.faults().is_empty(), "nothing to compare it with yet");
        let steps = Message::Steps(vec![settled.clone()]);
        copy.receive(Seat(0), &codec::encode(&steps), sim.now);
        let evidence = copy.faults().get(&LIAR).expect("two settlements");
        assert!(matches!(evidence, Evidence::TwoSettlements(..)));
        assert_eq!(verify_evidence::<HighCard>(&record, evidence), Ok(()));
        shown += 1;
    }
    assert!(shown > 5, "{shown}");
}

#[test]
fn an_interrupt_after_signing() {
    let mut sim = toy(10);
    let liar = liar(&sim);
    let mut prevs = std::collections::BTreeMap::new();
    sim.tamper = Some(Box::new(move |from, _, bytes| {
        let mut out = vec![bytes.to_vec()];
        match codec::decode::<Message>(bytes) {
            Ok(Message::Entry(signed)) => {
                prevs.insert(signed.entry.step, signed.entry.prev);
            }
            // After signing a step in which somebody else plays, shout into it.
            Ok(Message::Settle(settle))
                if from == LIAR
                    && settle.seat == LIAR
                    && settle.mark.shape.game.len() == 1
                    && !settle.mark.shape.game.contains(LIAR) =>
            {
                let entry = Entry {
                    step: settle.step,
                    prev: prevs[&settle.step],
                    seat: LIAR,
                    lane: Lane::Game,
                    body: action(Action::Shout),
                };
                out.push(liar.sign(entry));
            }
            _ => {}
        }
        out
    }));
    honest_finish(&mut sim);
    assert!(
        caught(&sim)
            .iter()
            .all(|evidence| matches!(evidence, Evidence::Late(..)))
    );
}

fn signs_nothing<G: Game>(mut sim: Sim<G>) {
    sim.tamper = Some(Box::new(move |from, _, bytes| {
        // Nor does it pass on settled steps, in which its signature would stand.
        let silent = |message: &Message| match message {
            Message::Settle(settle) => settle.step > 9,
            Message::Steps(_) => true,
            _ => false,
        };
        if from == LIAR && codec::decode::<Message>(bytes).is_ok_and(|m| silent(&m)) {
            vec![]
        } else {
            vec![bytes.to_vec()]
        }
    }));
    honest_finish(&mut sim);
    assert!(stalls(&sim));
}

#[test]
fn a_silent_signer_is_given_up() {
    signs_nothing(toy(11));
    signs_nothing(game(11));
}
