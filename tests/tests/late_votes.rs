//! Votes that come late: some have gone on from the step that was voted on, others carry the vote out.

use shamans_core::codec;
use shamans_core::game::{Seat, SeatSet};
use shamans_core::log::{Kind, Lane};
use shamans_core::record::{Finding, Record, RecordError, verify};
use shamans_core::table::{Message, Options, Stored, Waits};
use shamans_tests::high_card::{HighCard, Setup};
use shamans_tests::sim::{Anything, Sim, Weather, sit_down};

const GRACE: u32 = 5_000;

fn sim(seats: u8, seed: u64) -> Sim<HighCard> {
    let setup = Setup {
        seats,
        hand: 2,
        rounds: 1,
        phantoms: SeatSet::EMPTY,
    };
    let options = Options {
        grace_ms: GRACE,
        draw_seats: false,
    };
    let genesis = sit_down::<HighCard>(&setup, &vec![true; seats.into()], options);
    Sim::new(genesis, seed, Weather::CALM, |seat| {
        Box::new(Anything::new(seed * 31 + u64::from(seat.0), 30))
    })
}

/// What a peer has signed of its open step, as its disk tells.
fn signed(sim: &Sim<HighCard>, i: usize) -> Vec<Kind> {
    let open = sim.table(i).replica().number();
    let stored = sim.peers[i].disk.iter();
    stored
        .filter_map(|bytes| match codec::decode(bytes).unwrap() {
            Stored::Signed { settle, .. } if settle.step == open => Some(settle.mark.kind),
            Stored::Signed { .. }
            | Stored::Genesis(_)
            | Stored::Settled(_)
            | Stored::Entry(_)
            | Stored::Forgetful(_) => None,
        })
        .collect()
}

fn is_forced(sim: &Sim<HighCard>, i: usize) -> bool {
    sim.table(i).replica().waits() == Waits::Absence
}

/// How often a peer has stored a settled step once more, as others have settled it.
fn taken_over(sim: &Sim<HighCard>, i: usize) -> usize {
    let mut steps: Vec<u64> = Vec::new();
    for bytes in &sim.peers[i].disk {
        if let Stored::Settled(settled) = codec::decode(bytes).unwrap() {
            steps.push(settled.step.number);
        }
    }
    steps.windows(2).filter(|pair| pair[0] == pair[1]).count()
}

/// Lets through what `seat` says of where it is, and the rest only to `to`.
fn mute(sim: &mut Sim<HighCard>, seat: Seat, to: Option<Seat>) {
    sim.tamper = Some(Box::new(move |from, there, bytes| {
        match codec::decode(bytes).unwrap() {
            Message::Status(_) => vec![bytes.to_vec()],
            _ if from == seat && Some(there) != to => vec![],
            _ => vec![bytes.to_vec()],
        }
    }));
}

fn all_end_alike(sim: &mut Sim<HighCard>) {
    let over = sim.run(300_000, Sim::all_over);
    assert!(over, "stuck: {}", sim.describe());
    let record = sim.check_end();
    assert_eq!(verify::<HighCard>(&record).finding, Finding::Fair);
}

/// How many peers hold the log in another form than the record has it: with signatures that came to count for nothing. Such a record says
/// nothing false, and is no record all the same.
fn others_forms(sim: &Sim<HighCard>) -> usize {
    let raw = sim.living().map(|table| Record {
        genesis: sim.genesis.clone(),
        steps: table.log().to_vec(),
    });
    let other = raw.filter(|raw| Record::new(&raw.genesis, &raw.steps) != *raw);
    other
        .inspect(|raw| {
            assert_eq!(verify::<HighCard>(raw).finding, Finding::Fair);
            assert_eq!(Record::read(&raw.write()), Err(RecordError::NotCanonical));
        })
        .count()
}

/// The peer takes over a step in another form than it has settled it, and dies between any two things it does then; back again it goes on
/// from where it was, from its disk as from its identity alone.
fn dies_while_it_takes_over(sim: &Sim<HighCard>, i: usize) {
    let mut before = 0;
    let mut fork = sim.fork();
    let usual = taken_over(sim, i);
    while taken_over(&fork, i) == usual {
        assert!(
            fork.step() && fork.now < sim.now + 100_000,
            "{}",
            fork.describe()
        );
        before += 1;
    }
    let from_disk = |fuse: u32| fuse % 4 != 3;
    for fuse in 0..9 {
        let mut fork = sim.fork();
        for _ in 1..before {
            fork.step();
        }
        fork.kill_after(i, fuse);
        fork.step();
        fork.kill(i);
        let stored = taken_over(&fork, i) > usual;
        assert!(stored || fuse == 0, "the first thing that it does");
        fork.restart(i, from_disk(fuse));
        all_end_alike(&mut fork);
    }
}

/// Step `at` was settled by all, but only seat 3 knows, and is cut off. The others vote to go on without it; of that vote only seat 2 sees every
/// word, and is not heard.
///
/// `None` if the game is over before.
fn voted_behind_their_backs(at: u64) -> Option<Sim<HighCard>> {
    let mut sim = sim(4, at);
    sim.tamper = Some(Box::new(move |from, _, bytes| {
        match codec::decode(bytes).unwrap() {
            Message::Settle(settle) if from == Seat(3) && settle.step == at => vec![],
            Message::Steps(_) if from == Seat(3) => vec![],
            _ => vec![bytes.to_vec()],
        }
    }));
    if !sim.run(60_000, |sim| sim.reached() > at) {
        return None;
    }
    for other in 0..3 {
        sim.link(3, other, false);
    }
    mute(&mut sim, Seat(2), None);
    assert!(sim.run(u64::from(GRACE) * 3, |sim| is_forced(sim, 2)));
    Some(sim)
}

/// Then seat 3 is back for seat 0 alone, which goes on with it and signs the next step; and only then seat 2 is heard by seat 1. Now two hold
/// the next step for a move of the game, two for the absence of seat 3.
///
/// `None` if the step after `at` is none that two can sign.
fn of_two_minds(at: u64) -> Option<Sim<HighCard>> {
    let mut sim = voted_behind_their_backs(at)?;
    // Seat 1 learns nothing of what seat 0 does now.
    sim.link(0, 1, false);
    sim.link(3, 0, true);
    let goes_on = |sim: &Sim<HighCard>| {
        sim.table(0).replica().number() == at + 1 && !signed(sim, 0).is_empty()
    };
    if !sim.run(u64::from(GRACE) * 3, goes_on) {
        return None;
    }
    assert_eq!(signed(&sim, 0), [Kind::Play]);
    mute(&mut sim, Seat(2), Some(Seat(1)));
    assert!(sim.run(u64::from(GRACE) * 3, |sim| {
        is_forced(sim, 1) && signed(sim, 1) == [Kind::Absence]
    }));
    assert_eq!(signed(&sim, 2), [Kind::Absence]);
    Some(sim)
}

#[test]
fn two_and_two_come_together_again() {
    let mut others = 0;
    // A turn in the shuffle, a card to play, another.
    for at in [2, 12, 15] {
        let sim = of_two_minds(at).expect("a step that two can sign");
        // Whoever may die now: those who are left go on, or wait and go on when it is back.
        for dead in [None, Some(0), Some(1), Some(2), Some(3)] {
            let mut sim = sim.fork();
            sim.cut.clear();
            if let Some(dead) = dead {
                sim.kill(dead);
                sim.run(u64::from(GRACE) * 4, |_| false);
                sim.restart(dead, true);
            }
            all_end_alike(&mut sim);
            others += others_forms(&sim);
        }
        // Whoever has lost its memory learns what it has signed.
        for forgetful in 0..4 {
            let mut sim = sim.fork();
            sim.cut.clear();
            sim.kill(forgetful);
            sim.restart(forgetful, false);
            all_end_alike(&mut sim);
        }
    }
    assert!(others > 0, "somebody has had all signatures");
}

#[test]
fn who_changes_its_mind_may_die_of_it() {
    for at in [2, 12] {
        let mut sim = of_two_minds(at).expect("a step that two can sign");
        sim.cut.clear();
        dies_while_it_takes_over(&sim, 0);
    }
}

/// Seat 2 is still not heard when seat 3 is back: the others go on without seat 2, which holds their own vote against them and must take back
/// what it made of it.
#[test]
fn who_alone_carries_a_vote_out_goes_back() {
    for at in [2, 9, 12] {
        let mut sim = voted_behind_their_backs(at).expect("the game goes on");
        sim.cut.clear();
        let without = |sim: &Sim<HighCard>| {
            let tables = [0, 1, 3].map(|i| sim.table(i).replica());
            tables
                .iter()
                .all(|replica| replica.gone() == SeatSet::one(Seat(2)))
        };
        let goes_on = sim.run(u64::from(GRACE) * 8, without);
        assert!(goes_on, "stuck: {}", sim.describe());
        assert!(is_forced(&sim, 2));
        assert_eq!(signed(&sim, 2), [Kind::Absence]);
        dies_while_it_takes_over(&sim, 2);
    }
}

/// One hears the others but is not heard: it sees a vote decided that the others have left behind for another.
#[test]
fn a_vote_that_only_one_saw_decided() {
    for at in [2, 5, 9, 12, 14] {
        let (gone, lone) = (Seat(4), Seat(3));
        let mut sim = sim(5, at);
        // The signature of the one who goes is lost, so that votes must excuse it.
        sim.tamper = Some(Box::new(move |from, _, bytes| {
            match codec::decode(bytes).unwrap() {
                Message::Settle(settle) if from == gone && settle.step >= at => vec![],
                Message::Steps(_) if from == gone => vec![],
                _ => vec![bytes.to_vec()],
            }
        }));
        assert!(sim.run(60_000, |sim| sim.reached() > at), "{at}");
        sim.kill(gone.index());
        // Heard for a while yet: the others miss only the dead one at first.
        sim.run(3_000, |_| false);
        for other in 0..3 {
            sim.cut.insert((lone.index(), other));
        }
        let both = SeatSet::one(gone).with(lone);
        let on = |sim: &Sim<HighCard>| both.minus(sim.table(0).replica().gone()).is_empty();
        assert!(sim.run(60_000, on), "{at}: {}", sim.describe());
        sim.cut.clear();
        sim.tamper = None;
        sim.restart(gone.index(), true);
        all_end_alike(&mut sim);
    }
}

/// Hands a message to a peer, as if it came from `from`.
fn hand(sim: &mut Sim<HighCard>, to: usize, from: Seat, message: &Message) {
    let now = sim.now;
    let table = sim.peers[to].table.as_mut().unwrap();
    table.receive(from, &codec::encode(message), now);
    sim.drain(to);
}

/// Who is bound by a vote settles nothing by signatures, and takes the step only from one who stays: those who voted could part ways else.
#[test]
fn who_is_bound_by_a_vote_settles_nothing_by_signatures() {
    for at in [2, 12, 15] {
        let mut sim = voted_behind_their_backs(at).expect("the game goes on");
        sim.tamper = None;
        let whole = sim.table(3).log()[at as usize - 1].clone();
        let table = sim.genesis.genesis.table();
        let signature = whole.settle(&table, Seat(3)).expect("it has signed");
        let steps = Message::Steps(vec![whole]);
        let told = [
            (Seat(1), Message::Settle(signature), at),
            (Seat(3), steps.clone(), at),
            (Seat(1), steps, at + 1),
        ];
        assert_eq!(sim.table(0).replica().number(), at);
        for (from, message, then) in told {
            let mut fork = sim.fork();
            hand(&mut fork, 0, from, &message);
            assert_eq!(
                fork.table(0).replica().number(),
                then,
                "{at}: from {from:?}"
            );
            fork.cut.clear();
            all_end_alike(&mut fork);
        }
    }
}

/// A step that an earlier vote excuses is not taken from one who was given up in a later one, but from any other.
#[test]
fn an_earlier_vote_is_not_taken_from_one_who_was_given_up() {
    let mut seen = 0;
    for at in [2, 5, 9, 12, 14] {
        let (gone, lone) = (Seat(4), Seat(3));
        let mut sim = sim(5, at);
        let again = std::rc::Rc::new(std::cell::Cell::new(false));
        let voted = again.clone();
        // The signature of the one who goes is lost, and so are all votes but the first.
        sim.tamper = Some(Box::new(move |from, _, bytes| {
            match codec::decode(bytes).unwrap() {
                Message::Settle(settle) if from == gone && settle.step >= at => vec![],
                Message::Steps(_) if from == gone => vec![],
                Message::Entry(signed) if matches!(signed.entry.lane, Lane::Vote(1..)) => {
                    voted.set(voted.get() || from == Seat(0));
                    vec![]
                }
                _ => vec![bytes.to_vec()],
            }
        }));
        assert!(sim.run(60_000, |sim| sim.reached() > at), "{at}");
        sim.kill(gone.index());
        sim.run(3_000, |_| false);
        for other in 0..3 {
            sim.cut.insert((lone.index(), other));
        }
        let ready = |sim: &Sim<HighCard>| {
            again.get() && sim.table(lone.index()).replica().number() == at + 1
        };
        assert!(sim.run(60_000, ready), "{at}: {}", sim.describe());
        if sim.table(0).replica().number() != at {
            continue;
        }
        sim.tamper = None;
        let last = sim.table(lone.index()).log().last().cloned();
        let steps = Message::Steps(vec![last.expect("it has settled one")]);
        for (from, then) in [(lone, at), (Seat(1), at + 1)] {
            let mut fork = sim.fork();
            hand(&mut fork, 0, from, &steps);
            assert_eq!(
                fork.table(0).replica().number(),
                then,
                "{at}: from {from:?}"
            );
            fork.cut.clear();
            fork.restart(gone.index(), true);
            all_end_alike(&mut fork);
        }
        seen += 1;
    }
    assert!(seen > 0, "{seen}");
}
