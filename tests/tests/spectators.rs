//! Spectators: the settled log and nothing else.

use shamans_core::codec;
use shamans_core::game::{Game, Seat, SeatSet};
use shamans_core::record::{Finding, Record, verify};
use shamans_core::table::{
    ActError, Line, Message, Notice, Options, Output, Remedy, Suspicion, Table,
};
use shamans_tests::high_card::{Action, HighCard, Setup};
use shamans_tests::sim::{Anything, Sim, Weather, identity, sit_down};

fn sim(seed: u64) -> Sim<HighCard> {
    let setup = Setup {
        seats: 3,
        hand: 3,
        rounds: 2,
        phantoms: SeatSet::EMPTY,
    };
    let genesis = sit_down::<HighCard>(&setup, &[true; 3], Options::default());
    Sim::new(genesis, seed, Weather::CALM, |seat| {
        Box::new(Anything::new(seed + u64::from(seat.0), 20))
    })
}

fn spectator(sim: &Sim<HighCard>) -> Table<HighCard> {
    Table::new(sim.genesis.clone(), None, sim.now).unwrap()
}

/// Asks `peer` for what it does not have, as a driver does. True if it got something.
fn ask(watching: &mut Table<HighCard>, sim: &Sim<HighCard>, peer: usize) -> bool {
    let mut said = Vec::new();
    watching.handle_timeout(watching.poll_timeout());
    while let Some(output) = watching.poll() {
        match output {
            Output::Broadcast(bytes) | Output::Send { bytes, .. } => said.push(bytes),
            Output::Persist(_)
            | Output::Publish(_)
            | Output::Happened { .. }
            | Output::Settled(_)
            | Output::Notice(_) => {}
        }
    }
    let mut got = false;
    for bytes in said {
        let word: Message = codec::decode(&bytes).unwrap();
        assert!(matches!(word, Message::Status(_)), "says only where it is");
        if let Some(answer) = sim.table(peer).answer_spectator(&bytes) {
            watching.receive(Seat(peer as u8), &answer, sim.now);
            got = true;
        }
    }
    got
}

fn catch_up(watching: &mut Table<HighCard>, sim: &Sim<HighCard>, peer: usize) {
    while ask(watching, sim, peer) {}
}

/// Whoever comes late sees the same game as whoever came first, as far as it is settled, and never a hidden card.
#[test]
fn late_or_early_they_see_the_settled_log() {
    let mut sim = sim(1);
    let mut first = spectator(&sim);
    let mut late = None;
    while !sim.all_over() {
        sim.run(50, |_| false);
        catch_up(&mut first, &sim, 0);
        if sim.now > 400 {
            let late = late.get_or_insert_with(|| spectator(&sim));
            catch_up(late, &sim, 1);
        }
        assert_eq!(first.log(), sim.table(0).log());
        assert_eq!(first.replica().number(), sim.table(0).replica().number());
        assert!(first.game() == sim.table(0).game());
        assert_eq!(first.known().faces().count(), 0, "no card in private");
    }
    let mut late = late.expect("the game is longer than that");
    catch_up(&mut late, &sim, 2);
    assert_eq!(late.log(), first.log());
    let record = Record::new(&sim.genesis, late.log());
    assert_eq!(verify::<HighCard>(&record).finding, Finding::Fair);
}

/// Nothing of the open step goes to those who watch, whatever they say.
#[test]
fn nothing_unsettled_is_shown() {
    let mut sim = sim(2);
    sim.run(10_000, |sim| sim.table(0).replica().number() >= 9);
    // From now on nothing settles: entries lie open.
    sim.tamper = Some(Box::new(|_, _, bytes| {
        match codec::decode::<Message>(bytes).unwrap() {
            Message::Settle(_) | Message::Steps(_) => vec![],
            _ => vec![bytes.to_vec()],
        }
    }));
    let heard = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    sim.run(2_000, |_| false);
    let keep = heard.clone();
    sim.tamper = Some(Box::new(move |_, _, bytes| {
        keep.borrow_mut().push(bytes.to_vec());
        vec![]
    }));
    sim.run(2_000, |_| false);
    let mut watching = spectator(&sim);
    catch_up(&mut watching, &sim, 0);
    assert_eq!(watching.log(), sim.table(0).log());
    let open = sim.table(0).describe_open();
    assert!(open.contains("Seat"), "something lies open: {open}");
    // Every word that a player could say, said by someone who only watches: only where it is gets an answer, with settled steps.
    let number = sim.table(0).replica().number();
    let chat = Message::Chat(Line::Phrase(1));
    let mut words = heard.borrow().clone();
    words.push(codec::encode(&chat));
    words.push(vec![0xff; 50]);
    assert!(words.len() > 5);
    for bytes in words {
        let Some(answer) = sim.table(0).answer_spectator(&bytes) else {
            continue;
        };
        let asked = codec::decode::<Message>(&bytes).unwrap();
        assert!(matches!(asked, Message::Status(status) if status.step < number));
        let Message::Steps(steps) = codec::decode(&answer).unwrap() else {
            panic!("something else than settled steps");
        };
        assert!(steps.iter().all(|settled| settled.step.number < number));
    }
}

/// Two players by hand: what is published is each settled step, once, and that alone is enough to follow.
#[test]
fn what_is_published_is_enough() {
    let setup = Setup {
        seats: 2,
        hand: 2,
        rounds: 1,
        phantoms: SeatSet::EMPTY,
    };
    let genesis = sit_down::<HighCard>(&setup, &[true; 2], Options::default());
    let mut tables: Vec<Table<HighCard>> = (0..2)
        .map(|i| Table::new(genesis.clone(), Some(identity(i)), 0).unwrap())
        .collect();
    let mut watching: Table<HighCard> = Table::new(genesis, None, 0).unwrap();
    let mut published = 0;
    let mut now = 0;
    while !tables.iter().all(|table| table.replica().is_over()) {
        now += 10;
        assert!(now < 100_000, "{:?}", tables[0]);
        for i in 0..2 {
            let table = &mut tables[i];
            table.handle_timeout(now);
            // They talk, too: those who watch do not hear it.
            table.chat(Line::Words("hm".into())).unwrap();
            if table.my_turn() {
                let legal = table.game().legal(Seat(i as u8), &table.known());
                table.act(&legal[0]).unwrap();
            }
            while let Some(output) = tables[i].poll() {
                match output {
                    Output::Send { bytes, .. } | Output::Broadcast(bytes) => {
                        tables[1 - i].receive(Seat(i as u8), &bytes, now);
                    }
                    Output::Publish(bytes) if i == 0 => {
                        published += 1;
                        let word: Message = codec::decode(&bytes).unwrap();
                        assert!(matches!(word, Message::Steps(steps) if steps.len() == 1));
                        watching.receive(Seat(0), &bytes, now);
                    }
                    Output::Publish(_)
                    | Output::Persist(_)
                    | Output::Happened { .. }
                    | Output::Settled(_)
                    | Output::Notice(_) => {}
                }
            }
        }
    }
    assert_eq!(published, tables[0].log().len());
    assert_eq!(watching.log(), tables[0].log());
    assert!(watching.replica().is_over());
}

#[test]
fn they_cannot_act() {
    let mut sim = sim(3);
    sim.run(10_000, |sim| sim.table(0).replica().number() >= 10);
    let mut watching = spectator(&sim);
    catch_up(&mut watching, &sim, 0);
    let nobody = Err(ActError::NotSeated);
    assert_eq!(watching.me(), None);
    assert!(!watching.my_turn());
    assert_eq!(watching.act(&Action::Shout), nobody);
    assert_eq!(watching.leave(), nobody);
    let one = SeatSet::one(Seat(1));
    assert_eq!(watching.go_on_without(one, Remedy::Void), nobody);
    assert_eq!(
        watching.chat(Line::Phrase(1)),
        Err(ActError::NotSeated),
        "nor talk"
    );
    // Long after everybody has fallen silent it has still nothing to say but where it is.
    for _ in 0..400 {
        assert!(!ask(&mut watching, &sim, 0));
    }
}

/// A player who shows those who watch another history is not believed, and the next one is asked.
#[test]
fn a_false_history_is_not_believed() {
    let mut sim = sim(4);
    sim.run(10_000, |sim| sim.table(0).replica().number() >= 6);
    let mut watching = spectator(&sim);
    let mut steps = sim.table(0).log().to_vec();
    steps[3].signatures[1].1 = steps[2].signatures[1].1;
    watching.receive(Seat(1), &codec::encode(&Message::Steps(steps)), sim.now);
    assert_eq!(watching.replica().number(), 4, "as far as it is true");
    let suspect = |output: Output<HighCard>| {
        matches!(
            output,
            Output::Notice(Notice::Suspect {
                seat: Seat(1),
                why: Suspicion::FalseHistory
            })
        )
    };
    assert!(std::iter::from_fn(|| watching.poll()).any(suspect));
    catch_up(&mut watching, &sim, 0);
    assert_eq!(watching.log(), sim.table(0).log());
}
