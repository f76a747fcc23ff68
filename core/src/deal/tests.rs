//! Whole deals between seats in one process, against the clear-text dealer's behaviour.

use alloc::{string::String, vec, vec::Vec};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::*;
use crate::game::{Audience, Deck, DeckOutcome, Face, Remix};

fn context(seats: u8, people: SeatSet) -> DealContext {
    DealContext {
        table: [7; 32],
        number: 3,
        seats,
        people,
        game: String::from("toy/1"),
    }
}

fn seed(seat: Seat) -> DealSeed {
    DealSeed::derive(&[seat.0; 32], &[7; 32], 3)
}

mod cheats;
mod secrets;
mod vectors;

struct Peers {
    deals: Vec<Deal>,
    rng: ChaCha20Rng,
}

impl Peers {
    fn new(seats: u8, people: SeatSet) -> Peers {
        Peers::numbered(seats, people, 3)
    }

    /// The deal of another number, with other seeds.
    fn numbered(seats: u8, people: SeatSet, number: u32) -> Peers {
        let context = |seats, people| DealContext {
            number,
            ..context(seats, people)
        };
        let seed = |seat: Seat| DealSeed::derive(&[seat.0; 32], &[7; 32], number);
        let mut deals: Vec<Deal> = people
            .iter()
            .map(|seat| Deal::new(context(seats, people), Some((seat, seed(seat)))).unwrap())
            .collect();
        deals.push(Deal::new(context(seats, people), None).unwrap());
        Peers {
            deals,
            rng: ChaCha20Rng::seed_from_u64(1),
        }
    }

    fn step(&mut self) -> Option<DeckOutcome> {
        let awaits = self.deals[0].awaits();
        let mut messages = Vec::new();
        for deal in &self.deals {
            if let Some(me) = &deal.me
                && awaits.contains(me.seat)
            {
                messages.push((me.seat, deal.contribute(&mut self.rng).unwrap()));
            }
        }
        let mut outcomes: Vec<Option<DeckOutcome>> = Vec::new();
        for (i, deal) in self.deals.iter_mut().enumerate() {
            if i % 2 == 0 {
                for (seat, bytes) in &messages {
                    deal.check(*seat, bytes).unwrap();
                }
            }
            outcomes.push(deal.settle(messages.clone()).unwrap());
        }
        assert!(outcomes.windows(2).all(|pair| pair[0] == pair[1]));
        outcomes.pop().unwrap()
    }

    fn open(&mut self, request: &DeckRequest) {
        for deal in &mut self.deals {
            deal.request(request).unwrap();
        }
    }

    fn ask(&mut self, request: DeckRequest) -> DeckOutcome {
        self.open(&request);
        loop {
            if let Some(outcome) = self.step() {
                return outcome;
            }
        }
    }
}

#[test]
fn a_whole_deal() {
    for (seats, people) in [(1, 1), (3, 2), (3, 3), (5, 5)] {
        let people = SeatSet::first(people);
        let mut peers = Peers::new(seats, people);
        let sealed = SeatSet::first(usize::from(seats)).minus(people);
        let decks = vec![
            Deck {
                id: DeckId(0),
                size: 20,
                first: Slot(0),
            },
            Deck {
                id: DeckId(1),
                size: 5,
                first: Slot(20),
            },
        ];
        assert_eq!(
            peers.ask(DeckRequest::Shuffle { decks, sealed }),
            DeckOutcome::Shuffled
        );
        // Four cards each, one to all.
        let mut slots = Vec::new();
        for seat in 0..seats {
            for i in 0..4 {
                slots.push((Slot(u16::from(seat) * 4 + i), Audience::One(Seat(seat))));
            }
        }
        slots.push((Slot(20), Audience::All));
        let DeckOutcome::Opened(faces) = peers.ask(DeckRequest::Open { slots }) else {
            panic!()
        };
        assert_eq!(faces.len(), 1);
        for deal in &peers.deals {
            for slot in 0..20 {
                let mine = deal
                    .me
                    .as_ref()
                    .is_some_and(|me| slot / 4 == u16::from(me.seat.0));
                assert_eq!(deal.known.face(Slot(slot)).is_some(), mine);
            }
        }
        // A play.
        let (claim, proof) = peers.deals[0].claim(Slot(1), &mut peers.rng).unwrap();
        for deal in &mut peers.deals {
            let mut other = claim;
            other.face = Face(claim.face.0 ^ 1);
            assert!(deal.check_claim(Seat(0), &other, &proof).is_err());
            deal.check_claim(Seat(0), &claim, &proof).unwrap();
            deal.open_claim(Seat(0), &claim, &proof).unwrap();
        }
        // Everyone passes the third card left, then hands are mixed.
        let n = usize::from(seats);
        let slots = (0..seats)
            .map(|s| (Slot(u16::from(s) * 4 + 2), Seat(s).left(n)))
            .collect();
        assert_eq!(peers.ask(DeckRequest::Pass { slots }), DeckOutcome::Passed);
        let hands = (0..seats)
            .map(|s| {
                let right = Seat(s).right(n);
                Remix {
                    seat: Seat(s),
                    from: vec![Slot(u16::from(s) * 4 + 3), Slot(u16::from(right.0) * 4 + 2)],
                    into: Slot(100 + 2 * u16::from(s)),
                }
            })
            .collect();
        assert_eq!(
            peers.ask(DeckRequest::Remix { hands }),
            DeckOutcome::Remixed
        );
        let DeckOutcome::Revealed(faces) = peers.ask(DeckRequest::Reveal) else {
            panic!()
        };
        for deal in &peers.deals {
            assert!(deal.audit().unwrap().is_complete());
            for (slot, face) in (0..).map(Slot).zip(&faces) {
                if let Some(known) = deal.known.face(slot) {
                    assert_eq!(Some(known), *face);
                }
            }
        }
        let mut deck: Vec<u8> = faces[..20].iter().map(|face| face.unwrap().0).collect();
        deck.sort();
        assert_eq!(deck, (0..20).collect::<Vec<u8>>());
        assert_eq!(faces.len(), 100 + 2 * n);
        assert!(faces[100..].iter().all(Option::is_some));
    }
}

#[test]
fn the_others_act_for_one_who_is_gone() {
    let people = SeatSet::first(3);
    let mut peers = Peers::new(3, people);
    let decks = vec![Deck {
        id: DeckId(0),
        size: 9,
        first: Slot(0),
    }];
    peers.ask(DeckRequest::Shuffle {
        decks,
        sealed: SeatSet::EMPTY,
    });
    let slots = (0..6)
        .map(|i| (Slot(i), Audience::One(Seat((i / 2) as u8))))
        .collect();
    peers.ask(DeckRequest::Open { slots });
    let open = DeckRequest::Open {
        slots: vec![
            (Slot(0), Audience::All),
            (Slot(8), Audience::All),
            (Slot(7), Audience::One(Seat(0))),
        ],
    };
    for deal in &mut peers.deals {
        deal.request(&open).unwrap();
        deal.absent(Seat(0)).unwrap();
        assert_eq!(deal.absent(Seat(1)), Err(Misuse::NoEscrow(Seat(1))));
        assert_eq!(deal.awaits(), people.without(Seat(0)));
    }
    let DeckOutcome::Opened(faces) = peers.step().unwrap() else {
        panic!()
    };
    assert_eq!(peers.deals[0].known.face(Slot(0)), Some(faces[0]));
    // Back: it reads what came while it was away, and acts for itself.
    for deal in &mut peers.deals {
        deal.present(Seat(0)).unwrap();
    }
    let (claim, proof) = peers.deals[0].claim(Slot(7), &mut peers.rng).unwrap();
    for deal in &mut peers.deals {
        deal.open_claim(Seat(0), &claim, &proof).unwrap();
    }
    for deal in &mut peers.deals {
        deal.absent(Seat(2)).unwrap();
    }
    let DeckOutcome::Revealed(faces) = peers.ask(DeckRequest::Reveal) else {
        panic!()
    };
    assert!(faces.iter().all(Option::is_some));
    let verdict = peers.deals[3].audit().unwrap();
    assert!(verdict.is_fair() && !verdict.is_complete());
    assert_eq!(verdict.seats[2], (Seat(2), SeatVerdict::ProofsOnly));
}

#[test]
fn every_flipped_byte_of_a_chain_is_refused() {
    let people = SeatSet::first(3);
    let mut peers = Peers::new(3, people);
    let decks = vec![Deck {
        id: DeckId(0),
        size: 3,
        first: Slot(0),
    }];
    let request = DeckRequest::Shuffle {
        decks,
        sealed: SeatSet::EMPTY,
    };
    for deal in &mut peers.deals {
        deal.request(&request).unwrap();
    }
    peers.step();
    peers.step();
    assert_eq!(peers.deals[0].step(), Some(StepKind::Mix));
    let message = peers.deals[0].contribute(&mut peers.rng).unwrap();
    peers.deals[1].check(Seat(0), &message).unwrap();
    for at in 0..message.len() {
        let mut bad = message.clone();
        bad[at] ^= 1 << (peers.rng.next_u32() % 8);
        let Err(DealError::Fault(fault)) = peers.deals[1].check(Seat(0), &bad) else {
            panic!("byte {at}")
        };
        assert_eq!(fault.culprit, Seat(0));
    }
}
