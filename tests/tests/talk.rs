//! Chat and quick phrases: beside the log, in bounds on both sides, mutable, never recorded.

use shamans_core::codec;
use shamans_core::game::{Seat, SeatSet};
use shamans_core::table::{ActError, Line, MAX_CHAT, Message, Notice, Options, Output, Table};
use shamans_tests::high_card::{HighCard, Setup};
use shamans_tests::sim::{identity, sit_down};

const ADA: Seat = Seat(0);
const BOB: Seat = Seat(1);

fn tables() -> (Table<HighCard>, Table<HighCard>) {
    let setup = Setup {
        seats: 2,
        hand: 2,
        rounds: 1,
        phantoms: SeatSet::EMPTY,
    };
    let genesis = sit_down::<HighCard>(&setup, &[true; 2], Options::default());
    let table = |i| {
        let mut table = Table::new(genesis.clone(), Some(identity(i)), 0).unwrap();
        while table.poll().is_some() {}
        table
    };
    (table(0), table(1))
}

fn words(text: &str) -> Line {
    Line::Words(text.into())
}

/// Says it and gives what goes out: one message to everyone, and nothing to the disk or to those who watch.
fn said(table: &mut Table<HighCard>, line: Line) -> Option<Vec<u8>> {
    while table.poll().is_some() {}
    let allowed = table.chat(line).unwrap();
    let outputs: Vec<Output<HighCard>> = std::iter::from_fn(|| table.poll()).collect();
    assert_eq!(outputs.len(), usize::from(allowed));
    outputs.into_iter().next().map(|output| match output {
        Output::Broadcast(bytes) => bytes,
        other => panic!("{other:?}"),
    })
}

/// What is shown of these bytes.
fn heard(table: &mut Table<HighCard>, from: Seat, bytes: &[u8], now: u64) -> Option<Line> {
    while table.poll().is_some() {}
    table.receive(from, bytes, now);
    let mut heard = None;
    while let Some(output) = table.poll() {
        match output {
            Output::Notice(Notice::Chat { from: by, line }) => {
                assert_eq!(by, from);
                assert!(heard.replace(line).is_none(), "once");
            }
            Output::Persist(_) | Output::Publish(_) | Output::Settled(_) => {
                panic!("talk is not recorded")
            }
            Output::Send { .. }
            | Output::Broadcast(_)
            | Output::Happened { .. }
            | Output::Notice(_) => {}
        }
    }
    heard
}

#[test]
fn words_and_phrases_arrive_and_leave_no_trace() {
    let (mut ada, mut bob) = tables();
    let (number, digest) = (bob.replica().number(), bob.replica().prev());
    for line in [words("Měsíc, Mond, Луна"), Line::Phrase(7)] {
        let bytes = said(&mut ada, line.clone()).expect("allowed");
        assert_eq!(heard(&mut bob, ADA, &bytes, 1), Some(line));
    }
    assert_eq!(
        (bob.replica().number(), bob.replica().prev()),
        (number, digest)
    );
    assert!(bob.log().is_empty());
}

#[test]
fn a_line_is_short_and_plain() {
    let (mut ada, mut bob) = tables();
    let longest = "x".repeat(MAX_CHAT);
    let bytes = said(&mut ada, words(&longest)).expect("just short enough");
    assert_eq!(heard(&mut bob, ADA, &bytes, 1), Some(words(&longest)));
    for bad in [
        &format!("{longest}x"),
        "",
        "two\nlines",
        "a\u{1b}[31mred",
        "bell\u{7}",
    ] {
        assert_eq!(said(&mut ada, words(bad)), None, "{bad:?} is not said");
        // Nor heard from someone whose program says it all the same.
        let bytes = codec::encode(&Message::Chat(words(bad)));
        assert_eq!(heard(&mut bob, ADA, &bytes, 60_000), None, "{bad:?}");
    }
    // What was refused has cost nothing.
    assert!(said(&mut ada, words("still here")).is_some());
}

/// Five at once, then one every two seconds; whoever sends more is not heard, whatever their program allows.
#[test]
fn nobody_floods_the_table() {
    let (mut ada, mut bob) = tables();
    let burst = (0..20).filter(|_| said(&mut ada, Line::Phrase(1)).is_some());
    assert_eq!(burst.count(), 5);
    for (now, allowed) in [(1_999, false), (2_000, true), (2_001, false), (4_000, true)] {
        ada.handle_timeout(now);
        assert_eq!(
            said(&mut ada, Line::Phrase(2)).is_some(),
            allowed,
            "at {now}"
        );
    }
    let bytes = codec::encode(&Message::Chat(Line::Phrase(3)));
    let through = |bob: &mut Table<HighCard>, now: u64| {
        let lines = (0..200).filter(|_| heard(bob, ADA, &bytes, now).is_some());
        lines.count()
    };
    assert_eq!(through(&mut bob, 10_000), 5);
    assert_eq!(through(&mut bob, 11_000), 0);
    assert_eq!(through(&mut bob, 12_000), 1);
    assert_eq!(through(&mut bob, 60_000), 5, "never more than that at once");
}

#[test]
fn the_muted_are_not_heard_until_they_are_again() {
    let (mut ada, mut bob) = tables();
    bob.mute(ADA, true);
    let bytes = said(&mut ada, Line::Phrase(1)).unwrap();
    assert_eq!(heard(&mut bob, ADA, &bytes, 1), None);
    // Only one way, and only the talk.
    assert_eq!(heard(&mut ada, BOB, &bytes, 1), Some(Line::Phrase(1)));
    bob.mute(ADA, false);
    assert_eq!(heard(&mut bob, ADA, &bytes, 2), Some(Line::Phrase(1)));
    // Nobody talks in somebody's name, or from no seat.
    assert_eq!(heard(&mut bob, BOB, &bytes, 3), None);
    assert_eq!(heard(&mut bob, Seat(4), &bytes, 3), None);
    let mut nobody: Table<HighCard> = Table::new(bob.genesis().clone(), None, 0).unwrap();
    assert_eq!(nobody.chat(Line::Phrase(1)), Err(ActError::NotSeated));
}
