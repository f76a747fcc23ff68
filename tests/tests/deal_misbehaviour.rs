//! For every message of the protocol one seat tampers with it, in every field: every honest seat refuses and names that seat,
//! and a third party that has only the log comes to the same fault. Provers that cheat from inside are tests of the core.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use shamans_core::deal::{DealError, StepKind, Wrong};
use shamans_core::game::{
    Audience, Deck, DeckId, DeckOutcome, DeckRequest, Remix, Seat, SeatSet, Slot,
};
use shamans_tests::sealed::{SealedTable, context};

fn requests() -> Vec<DeckRequest> {
    vec![
        DeckRequest::Shuffle {
            decks: vec![
                Deck {
                    id: DeckId(0),
                    size: 6,
                    first: Slot(0),
                },
                Deck {
                    id: DeckId(1),
                    size: 2,
                    first: Slot(6),
                },
            ],
            sealed: SeatSet::EMPTY,
        },
        DeckRequest::Open {
            slots: (0..6)
                .map(|i| (Slot(i), Audience::One(Seat((i / 2) as u8))))
                .collect(),
        },
        DeckRequest::Open {
            slots: vec![
                (Slot(6), Audience::All),
                (Slot(7), Audience::One(Seat(1))),
                (Slot(0), Audience::All),
            ],
        },
        DeckRequest::Pass {
            slots: vec![(Slot(1), Seat(1)), (Slot(2), Seat(0))],
        },
        DeckRequest::Remix {
            hands: vec![
                Remix {
                    seat: Seat(1),
                    from: vec![Slot(1), Slot(3)],
                    into: Slot(20),
                },
                Remix {
                    seat: Seat(2),
                    from: vec![Slot(4), Slot(5)],
                    into: Slot(22),
                },
            ],
        },
        DeckRequest::Reveal,
    ]
}

/// Positions to tamper with: all of a short message; of a long one, every 16th byte (so every field) from a varying start.
fn positions(length: usize, start: usize) -> impl Iterator<Item = usize> {
    let stride = if length > 800 { 16 } else { 1 };
    (start % stride..length).step_by(stride)
}

#[test]
fn every_field_of_every_message() {
    let mut table = SealedTable::new(context(3, SeatSet::first(3), 1));
    let mut rng = ChaCha20Rng::seed_from_u64(8);
    let mut kinds = Vec::new();
    let mut tampered = 0;
    for request in requests() {
        table.open(&request);
        loop {
            let step = table.spectator().step().expect("a request is open");
            let messages = table.messages();
            let mut third = table.third_party();
            for (i, (seat, message)) in messages.iter().enumerate() {
                // The first author's message in every field, the others' here and there.
                let stride = if i == 0 { 1 } else { 29 };
                for at in positions(message.len(), tampered).step_by(stride) {
                    let mut bad = message.clone();
                    bad[at] ^= 1 << (rng.next_u32() % 8);
                    let fault = table.refused(*seat, &bad, &mut third);
                    assert_eq!(
                        (fault.culprit, fault.step),
                        (*seat, step),
                        "byte {at} of {step:?}"
                    );
                    tampered += 1;
                }
                // Cut, lengthened, empty, and another seat's.
                for bad in [
                    &message[..message.len() - 1],
                    &[message.as_slice(), &[0]].concat(),
                    &[],
                ] {
                    assert_eq!(
                        table.refused(*seat, bad, &mut third).wrong,
                        Wrong::Malformed
                    );
                }
                for (other, theirs) in messages.iter().filter(|(other, _)| other != seat) {
                    assert_eq!(
                        table.refused(*seat, theirs, &mut third).culprit,
                        *seat,
                        "sent by {}",
                        other.0
                    );
                }
            }
            if !kinds.contains(&step) {
                kinds.push(step);
            }
            if table.settle(&messages).is_some() {
                break;
            }
        }
    }
    kinds.sort();
    let all = [
        StepKind::Keys,
        StepKind::Escrow,
        StepKind::Mix,
        StepKind::Release,
        StepKind::Seed,
    ];
    assert_eq!(kinds, all, "every kind of message was tampered with");
    assert!(tampered > 1500, "{tampered}");
}

/// Who made a message does not check it again, but does check another seat's copy of it.
#[test]
fn a_copy_is_refused_by_the_author_too() {
    let mut table = SealedTable::new(context(3, SeatSet::first(3), 1));
    table.open(&requests()[0]);
    let honest = table.messages();
    let mut copied = honest.clone();
    copied[1].1 = honest[0].1.clone();
    assert_eq!(table.refused_by(Seat(0), &copied).culprit, Seat(1));
    assert!(table.settle(&honest).is_none(), "the chain comes next");
}

#[test]
fn every_byte_of_a_claim() {
    let mut table = SealedTable::new(context(3, SeatSet::first(3), 1));
    let requests = requests();
    table.ask(&requests[0]);
    table.ask(&requests[1]);
    let mut rng = ChaCha20Rng::seed_from_u64(8);
    let (claim, proof) = table
        .peer(Seat(1))
        .claim(Slot(2), &mut rng)
        .expect("its own");
    for at in 0..proof.len() {
        let mut bad = proof.clone();
        bad[at] ^= 1 << (rng.next_u32() % 8);
        let mut third = table.third_party();
        let fault = third
            .check_claim(Seat(1), &claim, &bad)
            .expect_err("tampered");
        assert_eq!(
            (fault.culprit, fault.step, fault.slot),
            (Seat(1), StepKind::Claim, Some(Slot(2)))
        );
        for (seat, deal) in &mut table.peers {
            if *seat != Some(Seat(1)) {
                assert_eq!(deal.check_claim(Seat(1), &claim, &bad), Err(fault));
            }
        }
    }
}

/// A message of one place sent in another: every message of a deal, against the same step of a deal that differs in the
/// table, the number, the game, the seats or the decks.
#[test]
fn replays_from_elsewhere() {
    let home = context(3, SeatSet::first(3), 1);
    let mut elsewhere = Vec::new();
    let mut other = home.clone();
    other.table[0] ^= 1;
    elsewhere.push((other, requests()));
    let mut other = home.clone();
    other.number += 1;
    elsewhere.push((other, requests()));
    let mut other = home.clone();
    other.game.push('x');
    elsewhere.push((other, requests()));
    let mut other_decks = requests();
    if let DeckRequest::Shuffle { decks, .. } = &mut other_decks[0] {
        decks[1].id = DeckId(2);
    }
    elsewhere.push((home.clone(), other_decks));
    for (context, other_requests) in elsewhere {
        let mut there = SealedTable::new(context);
        let mut here = SealedTable::new(home.clone());
        for (request, other) in requests().iter().zip(&other_requests) {
            here.open(request);
            there.open(other);
            loop {
                let (ours, theirs) = (here.messages(), there.messages());
                let mut third = here.third_party();
                let step = here.spectator().step();
                for (seat, message) in &theirs {
                    // Seeds hang on identity, table and number alone: with the same ones it is the same message.
                    let same = ours.contains(&(*seat, message.clone()));
                    assert!(!same || step == Some(StepKind::Seed));
                    if same {
                        continue;
                    }
                    assert_eq!(here.refused(*seat, message, &mut third).culprit, *seat);
                }
                there.settle(&theirs);
                if here.settle(&ours).is_some() {
                    break;
                }
            }
        }
    }
}

#[test]
fn what_the_rules_did_not_open_is_not_opened() {
    // A seat that sends shares for another slot than the one asked for is refused, and so is one nobody asked.
    let mut table = SealedTable::new(context(3, SeatSet::first(3), 1));
    table.ask(&requests()[0]);
    let mut other = table.clone();
    table.open(&DeckRequest::Open {
        slots: vec![(Slot(6), Audience::All)],
    });
    other.open(&DeckRequest::Open {
        slots: vec![(Slot(7), Audience::All)],
    });
    let mut third = table.third_party();
    for (seat, message) in other.messages() {
        assert_eq!(
            table.refused(seat, &message, &mut third).wrong,
            Wrong::Release
        );
    }
    let messages = table.messages();
    assert!(matches!(
        table.settle(&messages),
        Some(DeckOutcome::Opened(_))
    ));
    table.open(&DeckRequest::Open {
        slots: vec![(Slot(6), Audience::One(Seat(0)))],
    });
    assert!(table.spectator().awaits().is_empty());
    let mut third = table.third_party();
    assert_eq!(
        table.refused(Seat(1), &messages[1].1, &mut third).wrong,
        Wrong::NotAwaited
    );
}

#[test]
fn garbage_is_refused_without_harm() {
    let mut table = SealedTable::new(context(3, SeatSet::first(3), 1));
    let mut rng = ChaCha20Rng::seed_from_u64(9);
    for request in requests() {
        table.open(&request);
        loop {
            let messages = table.messages();
            let mut third = table.third_party();
            for tag in 0..8 {
                for length in [0, 1, 31, 97, 400, 3000] {
                    let mut garbage = vec![0; length];
                    rng.fill_bytes(&mut garbage);
                    garbage.insert(0, tag);
                    for seat in 0..6 {
                        let fault = third.check(Seat(seat), &garbage);
                        assert!(
                            matches!(fault, Err(DealError::Fault(fault)) if fault.culprit == Seat(seat))
                        );
                    }
                }
            }
            if table.settle(&messages).is_some() {
                break;
            }
        }
    }
}
