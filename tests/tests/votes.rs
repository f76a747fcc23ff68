//! Votes on going on without someone: signatures that reached only some, votes that reached only some, voters who stall or lie,
//! and players who are asked.

use shamans_core::codec;
use shamans_core::game::{Seat, SeatSet};
use shamans_core::log::{Digest, Entry, Evidence, Identity, Kind, Lane, Mark, Shape, TableId};
use shamans_core::record::{Finding, Record, verify, verify_evidence};
use shamans_core::table::{
    Consent, Happening, MAX_VOTES, Message, Notice, Options, Output, Remedy, Suspicion, Vote,
};
use shamans_tests::high_card::{HighCard, Setup};
use shamans_tests::sim::{Anything, Sim, Tamper, Weather, sit_down};

const GRACE: u32 = 5_000;

fn sim(seats: u8, rounds: u8, seed: u64) -> Sim<HighCard> {
    let setup = Setup {
        seats,
        hand: 2,
        rounds,
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

fn reached(sim: &Sim<HighCard>) -> u64 {
    let tables = sim.peers.iter().filter_map(|peer| peer.table.as_ref());
    tables.map(|table| table.replica().number()).max().unwrap()
}

/// All who live end with the same fair record, and nobody honest is accused.
fn all_agree(sim: &mut Sim<HighCard>, liar: Option<Seat>) {
    let honest: Vec<usize> = (0..sim.peers.len())
        .filter(|&i| sim.peers[i].table.is_some() && Some(sim.peers[i].seat) != liar)
        .collect();
    let over = |sim: &Sim<HighCard>| honest.iter().all(|&i| sim.table(i).replica().is_over());
    assert!(sim.run(300_000, over), "stuck: {}", sim.describe());
    let record = |i: usize| Record::new(&sim.genesis, sim.table(i).log());
    let first = record(honest[0]);
    assert_eq!(verify::<HighCard>(&first).finding, Finding::Fair);
    for &i in &honest {
        assert!(record(i).write() == first.write(), "record of peer {i}");
        for (culprit, evidence) in sim.table(i).faults() {
            assert_eq!(Some(*culprit), liar, "{evidence:?}");
        }
    }
}

fn message(bytes: &[u8]) -> Message {
    codec::decode(bytes).unwrap()
}

struct Liar {
    seat: Seat,
    identity: Identity,
    table: TableId,
}

impl Liar {
    fn new(sim: &Sim<HighCard>, seat: Seat) -> Liar {
        Liar {
            seat,
            identity: sim.identity_of(seat),
            table: sim.genesis.genesis.table(),
        }
    }

    fn say(&self, entry: Entry, vote: Vote) -> Vec<u8> {
        let entry = Entry {
            seat: self.seat,
            body: codec::encode(&vote),
            ..entry
        };
        codec::encode(&Message::Entry(entry.sign(&self.table, &self.identity)))
    }
}

/// Somebody signs, only some of the others get the signature, and it is gone: in every step, for every half of a few.
#[test]
fn a_signature_that_reached_only_some() {
    for (seats, seed) in [(3u8, 1u64), (4, 2), (5, 3)] {
        let steps = {
            let mut sim = sim(seats, 1, seed);
            assert!(sim.run(60_000, Sim::all_over));
            reached(&sim)
        };
        let stride = if seats == 3 { 2 } else { 5 };
        for at in (1..steps).step_by(stride) {
            let victim = Seat((at % u64::from(seats)) as u8);
            let others: Vec<Seat> = (0..seats).map(Seat).filter(|s| *s != victim).collect();
            // One half of the others, another one in each step.
            let got: SeatSet = others
                .iter()
                .enumerate()
                .filter(|(i, _)| (at >> i) & 1 == 1)
                .map(|(_, seat)| *seat)
                .collect();
            let mut sim = sim(seats, 1, seed);
            let signed = std::rc::Rc::new(std::cell::Cell::new(false));
            let seen = signed.clone();
            sim.tamper = Some(Box::new(move |from, to, bytes| {
                if from != victim {
                    return vec![bytes.to_vec()];
                }
                match message(bytes) {
                    Message::Settle(settle) if settle.seat == victim && settle.step >= at => {
                        seen.set(true);
                        match got.contains(to) {
                            true => vec![bytes.to_vec()],
                            false => vec![],
                        }
                    }
                    _ if seen.get() => vec![],
                    _ => vec![bytes.to_vec()],
                }
            }));
            assert!(sim.run(60_000, |_| signed.get()));
            sim.kill(victim.index());
            sim.tamper = None;
            // With three or more the others go on; back again, it is on the same history.
            let on = |sim: &Sim<HighCard>| reached(sim) > at + 1 || sim.all_over();
            assert!(sim.run(30_000, on), "step {at}: {}", sim.describe());
            sim.check_agreement();
            sim.restart(victim.index(), at % 2 == 0);
            all_agree(&mut sim, None);
        }
    }
}

/// One holds a step signed by all and was away; the others voted on it, saw one voter stall, and take the step over after all; then the
/// voter turns out to have decided the vote.
#[test]
fn a_vote_decided_behind_the_backs_of_the_others() {
    for at in [3, 6, 9, 11, 13] {
        let (away, slow) = (Seat(3), Seat(2));
        let mut sim = sim(4, 1, at);
        sim.tamper = Some(Box::new(move |from, _, bytes| match message(bytes) {
            Message::Settle(settle) if from == away && settle.step == at => vec![],
            Message::Steps(_) if from == away => vec![],
            _ => vec![bytes.to_vec()],
        }));
        assert!(sim.run(60_000, |sim| reached(sim) > at));
        for other in 0..3 {
            sim.link(away.index(), other, false);
        }
        // Of the slow one the others hear no vote, no settled step and no signature from now on, only that it is there.
        sim.tamper = Some(Box::new(move |from, _, bytes| match message(bytes) {
            Message::Status(_) => vec![bytes.to_vec()],
            _ if from == slow => vec![],
            _ => vec![bytes.to_vec()],
        }));
        sim.run(u64::from(GRACE) + 2_000, |_| false);
        sim.cut.clear();
        sim.run(u64::from(GRACE) * 2, |sim| {
            sim.table(0).replica().number() > at && sim.table(1).replica().number() > at
        });
        sim.tamper = None;
        all_agree(&mut sim, None);
    }
}

/// What a bad voter says when it has seen the vote of another, instead of all that an honest one would say.
type Words = fn(&Liar, &Entry, &Vote) -> Vec<Vec<u8>>;

/// The last seat goes for good in the middle of the game. As soon as there are votes about it the seat before says only where it is, and `words`.
fn with_a_bad_voter(seats: u8, seed: u64, words: Words) -> Sim<HighCard> {
    let (gone, bad) = (Seat(seats - 1), Seat(seats - 2));
    let mut sim = sim(seats, 1, seed);
    assert!(sim.run(60_000, |sim| reached(sim) >= 4 + seed));
    let liar = Liar::new(&sim, bad);
    let mut seen: Option<(Entry, Vote)> = None;
    let tamper: Tamper = Box::new(move |from, _, bytes| {
        let message = message(bytes);
        if from != bad {
            if let Message::Entry(signed) = &message
                && signed.entry.seat == from
                && matches!(signed.entry.lane, Lane::Vote(_))
            {
                let vote = codec::decode(&signed.entry.body).unwrap();
                seen = Some((signed.entry.clone(), vote));
            }
            return vec![bytes.to_vec()];
        }
        match (&seen, message) {
            (None, _) => vec![bytes.to_vec()],
            (Some((entry, vote)), Message::Status(_)) => {
                let mut all = vec![bytes.to_vec()];
                all.extend(words(&liar, entry, vote));
                all
            }
            (Some(_), _) => vec![],
        }
    });
    sim.tamper = Some(tamper);
    sim.kill(gone.index());
    sim
}

fn suspected(sim: &Sim<HighCard>, by: usize, whom: Seat) -> bool {
    let stalls = |notice: &Notice| matches!(notice, Notice::Suspect { seat, why: Suspicion::Stalling } if *seat == whom);
    sim.peers[by].notices.iter().any(stalls)
}

/// At five seats the others go on without both.
fn others_go_on(sim: &mut Sim<HighCard>) {
    let both = SeatSet::one(Seat(3)).with(Seat(4));
    let without = |sim: &Sim<HighCard>| {
        let gone = sim.table(0).replica().gone();
        both.minus(gone).is_empty()
    };
    assert!(
        sim.run(u64::from(GRACE) * 6, without),
        "stuck: {}",
        sim.describe()
    );
    all_agree(sim, Some(Seat(3)));
}

#[test]
fn a_voter_who_never_votes() {
    for seed in 0..3 {
        let mut sim = with_a_bad_voter(5, seed, |_, _, _| vec![]);
        others_go_on(&mut sim);
        assert!((0..3).all(|i| suspected(&sim, i, Seat(3))), "and is named");
    }
    // With four seats two are no majority: all know for whom they wait, and the game goes on as soon as there is a word.
    let mut sim = with_a_bad_voter(4, 1, |_, _, _| vec![]);
    sim.run(u64::from(GRACE) * 4, |_| false);
    assert!((0..2).all(|i| suspected(&sim, i, Seat(2))));
    let over =
        |notice: &Notice| matches!(notice, Notice::GraceOver(seats) if seats.contains(Seat(2)));
    assert!(sim.peers[0].notices.iter().any(over));
    sim.tamper = None;
    all_agree(&mut sim, None);
}

/// A no is a voter's right, and so is changing one's mind. When such a one goes too, the others go on, however often they have voted.
#[test]
fn a_voter_who_says_something_else_each_time() {
    for seed in 0..2 {
        let mut sim = with_a_bad_voter(5, seed, |liar, entry, vote| {
            let Lane::Vote(number) = entry.lane else {
                return vec![];
            };
            let gone = match number % 3 {
                0 => SeatSet::EMPTY,
                1 => SeatSet::one(Seat(0)),
                _ => SeatSet::one(Seat(1)).with(Seat(4)),
            };
            let remedy = Remedy::Void;
            let other = Vote {
                gone,
                remedy,
                ..*vote
            };
            vec![liar.say(entry.clone(), other)]
        });
        sim.run(120_000, |_| false);
        sim.kill(3);
        others_go_on(&mut sim);
    }
}

/// Numbers far ahead would leave no room for the others to vote in: too high a number is caught, others are not heeded before their turn.
#[test]
fn a_voter_who_jumps_ahead() {
    let mut sim = with_a_bad_voter(5, 1, |liar, entry, vote| {
        let lane = Lane::Vote(MAX_VOTES);
        let entry = Entry {
            lane,
            ..entry.clone()
        };
        vec![liar.say(entry, *vote)]
    });
    others_go_on(&mut sim);
    let record = Record::new(&sim.genesis, sim.table(0).log());
    let evidence = &sim.table(0).faults()[&Seat(3)];
    assert!(matches!(evidence, Evidence::Refused { .. }));
    assert_eq!(verify_evidence::<HighCard>(&record, evidence), Ok(()));
    for from in [1, MAX_VOTES - 5] {
        let words: Words = match from {
            1 => |liar, entry, vote| ahead(liar, entry, vote, 1..9),
            _ => |liar, entry, vote| ahead(liar, entry, vote, MAX_VOTES - 5..MAX_VOTES),
        };
        let mut sim = with_a_bad_voter(5, 2, words);
        sim.run(60_000, |_| false);
        sim.kill(3);
        others_go_on(&mut sim);
    }
}

fn ahead(liar: &Liar, entry: &Entry, vote: &Vote, numbers: std::ops::Range<u8>) -> Vec<Vec<u8>> {
    let word = |number: u8| {
        let gone = match number % 2 {
            0 => SeatSet::EMPTY,
            _ => SeatSet::one(Seat(4)),
        };
        let entry = Entry {
            lane: Lane::Vote(number),
            ..entry.clone()
        };
        liar.say(entry, Vote { gone, ..*vote })
    };
    numbers.map(word).collect()
}

/// A voter says that it has signed more than anyone can put together.
#[test]
fn a_voter_who_claims_a_step_that_is_not_there() {
    for seed in 0..3 {
        let mut sim = with_a_bad_voter(5, seed, |liar, entry, vote| {
            let claimed = Mark {
                kind: Kind::Play,
                shape: Shape {
                    table: SeatSet::first(5),
                    ..Shape::default()
                },
                digest: Digest([7; 32]),
            };
            let mut shape = vote.signed.map_or(claimed.shape, |mark| mark.shape);
            shape.table = SeatSet::first(5);
            let signed = Some(Mark { shape, ..claimed });
            vec![liar.say(entry.clone(), Vote { signed, ..*vote })]
        });
        others_go_on(&mut sim);
        assert!((0..3).all(|i| suspected(&sim, i, Seat(3))));
    }
}

/// It votes as the others do, but does not sign what follows from it.
#[test]
fn a_voter_who_does_not_sign_the_absence() {
    for seed in 0..3 {
        let mut sim = with_a_bad_voter(5, seed, |liar, entry, vote| {
            vec![liar.say(entry.clone(), *vote)]
        });
        others_go_on(&mut sim);
        assert!((0..3).all(|i| suspected(&sim, i, Seat(3))));
    }
}

// Players who are asked.

fn asked(seats: u8, at: u64) -> Sim<HighCard> {
    let mut sim = sim(seats, 1, at);
    for peer in &mut sim.peers {
        peer.table.as_mut().unwrap().set_consent(Consent::Ask);
    }
    assert!(sim.run(60_000, |sim| reached(sim) >= at));
    sim
}

fn agree(sim: &mut Sim<HighCard>, i: usize, gone: Seat, remedy: Remedy) {
    let table = sim.peers[i].table.as_mut().unwrap();
    table.go_on_without(SeatSet::one(gone), remedy).unwrap();
    sim.drain(i);
}

fn told(sim: &Sim<HighCard>, i: usize, wanted: impl Fn(&Notice) -> bool) -> bool {
    sim.peers[i].notices.iter().any(wanted)
}

fn gone_at(sim: &Sim<HighCard>, i: usize) -> SeatSet {
    sim.table(i).replica().gone()
}

#[test]
fn nobody_is_given_up_before_all_others_agree() {
    for remedy in [Remedy::StandIn, Remedy::Void] {
        let mut sim = asked(4, 10);
        let gone = Seat(3);
        // Not while it is there, and not before the grace time is over.
        for kill in [false, true] {
            if kill {
                sim.kill(3);
                sim.run(1_000, |_| false);
            }
            let table = sim.peers[0].table.as_mut().unwrap();
            assert!(table.go_on_without(SeatSet::one(gone), remedy).is_err());
        }
        sim.run(60_000, |_| false);
        for i in 0..3 {
            let over = |notice: &Notice| *notice == Notice::GraceOver(SeatSet::one(gone));
            assert!(told(&sim, i, over), "the player is asked");
        }
        for i in 0..3 {
            assert!(gone_at(&sim, 0).is_empty(), "{i} of 3 agree");
            agree(&mut sim, i, gone, remedy);
            sim.run(2_000, |_| false);
        }
        let happened = |happening: &Happening<HighCard>| matches!(happening, Happening::Gone { seats, remedy: how } if *seats == SeatSet::one(gone) && *how == remedy);
        for peer in &sim.peers[..3] {
            assert!(peer.happened.iter().any(|(_, what)| happened(what)));
        }
        // A person again: nobody needs to be asked about that.
        sim.restart(3, true);
        all_agree(&mut sim, None);
    }
}

#[test]
fn one_refusal_is_enough() {
    let mut sim = asked(4, 10);
    let gone = Seat(3);
    sim.kill(3);
    sim.run(30_000, |_| false);
    agree(&mut sim, 0, gone, Remedy::StandIn);
    agree(&mut sim, 1, gone, Remedy::StandIn);
    sim.run(2_000, |_| false);
    sim.peers[2].table.as_mut().unwrap().keep_waiting();
    sim.drain(2);
    sim.run(20_000, |_| false);
    assert!(gone_at(&sim, 0).is_empty(), "still waited for");
    for i in 0..2 {
        assert!(told(&sim, i, |notice| *notice == Notice::VoteFailed));
        assert!(told(
            &sim,
            i,
            |notice| matches!(notice, Notice::Vote { by: Seat(2), gone, .. } if gone.is_empty())
        ));
    }
    // Back in time: as if nothing had been, and nobody stood in.
    sim.restart(3, true);
    all_agree(&mut sim, None);
    let stood_in = |happening: &Happening<HighCard>| matches!(happening, Happening::Gone { .. });
    assert!(!sim.peers[0].happened.iter().any(|(_, what)| stood_in(what)));
}

/// The one who would have to say something says nothing, and the missing player returns: the vote ends by itself.
#[test]
fn who_is_back_before_the_vote_is_over_stays() {
    let mut sim = asked(4, 10);
    sim.kill(3);
    sim.run(30_000, |_| false);
    agree(&mut sim, 0, Seat(3), Remedy::StandIn);
    agree(&mut sim, 1, Seat(3), Remedy::StandIn);
    sim.run(1_000, |_| false);
    sim.restart(3, true);
    all_agree(&mut sim, None);
    let stood_in = |happening: &Happening<HighCard>| matches!(happening, Happening::Gone { .. });
    assert!(!sim.peers[0].happened.iter().any(|(_, what)| stood_in(what)));
}

/// Stand-in or void: different wishes decide nothing, and the players are asked again.
#[test]
fn different_remedies_decide_nothing() {
    let mut sim = asked(3, 10);
    sim.kill(2);
    sim.run(30_000, |_| false);
    agree(&mut sim, 0, Seat(2), Remedy::StandIn);
    agree(&mut sim, 1, Seat(2), Remedy::Void);
    sim.run(20_000, |_| false);
    assert!(gone_at(&sim, 0).is_empty());
    assert!(told(&sim, 0, |notice| *notice == Notice::VoteFailed));
    agree(&mut sim, 0, Seat(2), Remedy::Void);
    agree(&mut sim, 1, Seat(2), Remedy::Void);
    sim.run(20_000, |_| false);
    assert_eq!(gone_at(&sim, 0), SeatSet::one(Seat(2)));
    all_agree(&mut sim, None);
}

/// Each vote needs one of somebody else before it: nobody uses the numbers up alone.
#[test]
fn a_vote_before_its_turn_is_not_heeded() {
    let mut sim = sim(5, 1, 4);
    assert!(sim.run(60_000, |sim| reached(sim) >= 6));
    let number = sim.table(0).replica().number();
    let prev = sim.table(0).replica().prev();
    let now = sim.now;
    let voters = [3, 2].map(|seat| Liar::new(&sim, Seat(seat)));
    let table = sim.peers[0].table.as_mut().unwrap();
    while table.poll().is_some() {}
    let mut heeded = |voter: &Liar, vote: u8| {
        let entry = Entry {
            step: number,
            prev,
            seat: voter.seat,
            lane: Lane::Vote(vote),
            body: Vec::new(),
        };
        let no = Vote {
            gone: SeatSet::EMPTY,
            remedy: Remedy::StandIn,
            signed: None,
        };
        table.receive(voter.seat, &voter.say(entry, no), now);
        let mut told = false;
        while let Some(output) = table.poll() {
            told |= matches!(output, Output::Notice(Notice::Vote { by, .. }) if by == voter.seat);
        }
        told
    };
    let [three, two] = &voters;
    assert!(!heeded(three, 1), "nobody has opened the first");
    assert!(heeded(three, 0));
    assert!(!heeded(three, 1), "nobody else has");
    assert!(heeded(two, 0));
    assert!(heeded(three, 1));
}
