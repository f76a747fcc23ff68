//! Cheating provers: seats that follow the prover's algorithm on a false witness, with everything else right. What they
//! send is well-formed; only the mathematics refuses it. Tampering with honest messages is in the `tests` package.

use alloc::{vec, vec::Vec};

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::Peers;
use crate::deal::{DealError, DealFault, StepKind, Wrong};
use crate::game::{Audience, Deck, DeckId, DeckRequest, Seat, SeatSet, Slot};

mod audit;
mod keys;
mod mix;
mod release;

fn rng() -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(5)
}

fn shuffle_request() -> DeckRequest {
    DeckRequest::Shuffle {
        decks: vec![
            Deck {
                id: DeckId(0),
                size: 6,
                first: Slot(0),
            },
            Deck {
                id: DeckId(1),
                size: 3,
                first: Slot(6),
            },
        ],
        sealed: SeatSet::EMPTY,
    }
}

/// Three seats at the first turn of the chain.
fn at_chain() -> Peers {
    let mut peers = Peers::new(3, SeatSet::first(3));
    peers.open(&shuffle_request());
    peers.step();
    peers.step();
    assert_eq!(peers.deals[0].step(), Some(StepKind::Mix));
    peers
}

/// Three seats with two cards each.
fn dealt() -> Peers {
    let mut peers = Peers::new(3, SeatSet::first(3));
    peers.ask(shuffle_request());
    let slots = (0..6)
        .map(|i| (Slot(i), Audience::One(Seat((i / 2) as u8))))
        .collect();
    peers.ask(DeckRequest::Open { slots });
    peers
}

/// Every peer but the author refuses and names `culprit`; so does a third party that only has the log.
fn refused(peers: &mut Peers, by: Seat, message: &[u8]) -> DealFault {
    let mut faults = Vec::new();
    for deal in &mut peers.deals {
        if deal.me.as_ref().is_some_and(|me| me.seat == by) {
            continue;
        }
        match deal.check(by, message) {
            Err(DealError::Fault(fault)) => faults.push(fault),
            other => panic!("taken or misused: {other:?}"),
        }
    }
    assert!(faults.windows(2).all(|pair| pair[0] == pair[1]));
    faults[0]
}

#[test]
fn in_a_batch_the_culprit_is_still_found() {
    let mut peers = dealt();
    let request = DeckRequest::Open {
        slots: vec![(Slot(6), Audience::All)],
    };
    peers.open(&request);
    let mut messages: Vec<(Seat, Vec<u8>)> = (0..3)
        .map(|s| {
            (
                Seat(s),
                peers.deals[usize::from(s)].contribute(&mut rng()).unwrap(),
            )
        })
        .collect();
    // Seat 2 sends what it would send for another card: well-formed, false.
    let mut other = dealt();
    other.open(&DeckRequest::Open {
        slots: vec![(Slot(7), Audience::All)],
    });
    let honest = core::mem::replace(
        &mut messages[2].1,
        other.deals[2].contribute(&mut rng()).unwrap(),
    );
    for deal in &mut peers.deals {
        let Err(DealError::Fault(fault)) = deal.settle(messages.clone()) else {
            panic!()
        };
        assert_eq!((fault.culprit, fault.wrong), (Seat(2), Wrong::Release));
    }
    // The step is still open and goes on with the right message.
    messages[2].1 = honest;
    for deal in &mut peers.deals {
        assert!(deal.settle(messages.clone()).unwrap().is_some());
    }
}
