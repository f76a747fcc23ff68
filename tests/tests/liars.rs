//! Peers that lie: refused, named with evidence where it can be proved, and the others play on.

use shamans_core::codec;
use shamans_core::game::{Face, Seat, SeatSet, Slot};
use shamans_core::log::{Digest, Entry, Evidence, Identity, Lane, Settle, TableId};
use shamans_core::record::{Finding, Record, verify, verify_evidence};
use shamans_core::table::{MAX_MESSAGE, Message, Move, Notice, Options, Suspicion};
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

fn sim(seed: u64) -> Sim<HighCard> {
    let setup = Setup {
        seats: 4,
        hand: 2,
        rounds: 2,
        phantoms: SeatSet::EMPTY,
    };
    let options = Options {
        grace_ms: 4_000,
        draw_seats: false,
    };
    let genesis = sit_down::<HighCard>(&setup, &[true; 4], options);
    Sim::new(genesis, seed, Weather::CALM, |seat| {
        Box::new(Anything::new(seed + u64::from(seat.0), 1000))
    })
}

fn liar(sim: &Sim<HighCard>) -> Liar {
    Liar {
        identity: sim.identity_of(LIAR),
        table: sim.genesis.genesis.table(),
    }
}

fn honest(sim: &Sim<HighCard>) -> impl Iterator<Item = usize> + use<> {
    let liar = sim.peers.iter().position(|peer| peer.seat == LIAR);
    (0..sim.peers.len()).filter(move |i| Some(*i) != liar)
}

/// The honest finish, agree, have a fair record, and accuse nobody but the liar.
fn honest_finish(sim: &mut Sim<HighCard>) {
    let done = |sim: &Sim<HighCard>| honest(sim).all(|i| sim.table(i).replica().is_over());
    assert!(sim.run(120_000, done), "{:?}", sim.table(0));
    let first = Record::new(&sim.genesis, sim.table(0).log()).write();
    for i in honest(sim) {
        let record = Record::new(&sim.genesis, sim.table(i).log());
        assert!(record.write() == first, "records differ");
        assert_eq!(verify::<HighCard>(&record).finding, Finding::Fair);
        for (culprit, evidence) in sim.table(i).faults() {
            assert_eq!(*culprit, LIAR, "{evidence:?}");
            assert_eq!(verify_evidence::<HighCard>(&record, evidence), Ok(()));
        }
    }
}

fn caught(sim: &Sim<HighCard>) -> Vec<&Evidence> {
    honest(sim)
        .map(|i| sim.table(i).faults().get(&LIAR).expect("everyone knows"))
        .collect()
}

fn twisted(seed: u64, lane: Lane, twist: Twist) -> Sim<HighCard> {
    let mut sim = sim(seed);
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

fn action(action: Action) -> Vec<u8> {
    let proofs = Vec::new();
    codec::encode(&Move { action, proofs })
}

#[test]
fn two_entries_for_one_place() {
    let sim = twisted(3, Lane::Game, |liar, entry, to| {
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

#[test]
fn an_illegal_move() {
    let sim = twisted(4, Lane::Game, |liar, entry, _| {
        Some(vec![
            liar.sign(with_body(entry, action(Action::Give(Slot(77))))),
        ])
    });
    assert!(
        caught(&sim)
            .iter()
            .all(|evidence| matches!(evidence, Evidence::Refused { .. }))
    );
}

#[test]
fn a_card_that_is_not_there() {
    let sim = twisted(5, Lane::Game, |liar, entry, _| {
        let mut made: Move<Action> = codec::decode(&entry.body).ok()?;
        let Action::Play(slot, face) = made.action else {
            return None;
        };
        made.action = Action::Play(slot, Face(face.0 ^ 1));
        Some(vec![liar.sign(with_body(entry, codec::encode(&made)))])
    });
    caught(&sim);
}

#[test]
fn a_false_proof_in_the_decks() {
    let sim = twisted(6, Lane::Deal, |liar, entry, _| {
        let mut body = entry.body.clone();
        let at = body.len() / 2;
        body[at] ^= 1;
        Some(vec![liar.sign(with_body(entry, body))])
    });
    caught(&sim);
}

#[test]
fn a_move_out_of_turn() {
    let sim = twisted(7, Lane::Deal, |liar, entry, _| {
        let shout = Entry {
            lane: Lane::Game,
            ..with_body(entry, action(Action::Shout))
        };
        Some(vec![liar.sign(shout), liar.sign(entry.clone())])
    });
    caught(&sim);
}

#[test]
fn a_settlement_for_something_else() {
    for everyone in [true, false] {
        let mut sim = sim(8);
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
        if !everyone {
            assert!(
                caught(&sim)
                    .iter()
                    .all(|evidence| matches!(evidence, Evidence::TwoSettlements(..)))
            );
        }
    }
}

#[test]
fn forged_replayed_oversized_and_endless_messages() {
    let mut sim = sim(9);
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
            signed.entry.seat = Seat(3);
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
fn an_interrupt_after_signing() {
    let mut sim = sim(10);
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

#[test]
fn a_silent_signer_is_given_up() {
    let mut sim = sim(11);
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
    let stalling = |notice: &Notice| matches!(notice, Notice::Suspect { seat, why: Suspicion::Stalling } if *seat == LIAR);
    assert!(sim.peers[0].notices.iter().any(stalling));
}
