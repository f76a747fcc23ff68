//! False shuffles.

use alloc::{vec, vec::Vec};

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};

use super::{Peers, at_chain, refused, rng, shuffle_request};
use crate::codec;
use crate::deal::group::{Ciphertext, MaskKey};
use crate::deal::plan::Group;
use crate::deal::shuffle::{Before, Moves, Prepared};
use crate::deal::{Message, StepKind, Wrong};
use crate::game::{Seat, SeatSet};

/// The honest first turn of seat 0 with the statement or the moves bent.
fn bent_turn(peers: &Peers, bend: impl FnOnce(&mut Group, &mut Moves)) -> Vec<u8> {
    let deal = &peers.deals[0];
    let open = deal.open.as_ref().unwrap();
    let me = deal.me.as_ref().unwrap();
    let mut group = deal.groups(&open.stage, me.seat).remove(0);
    let transcript = group.statement(&open.step, me.seat);
    let mut moves = Moves::derive(&me.seed, &deal.root, open.serial, &group.piles);
    bend(&mut group, &mut moves);
    let before = Before {
        key: &group.key,
        cards: &group.cards,
        tags: &group.tags,
    };
    let prepared = Prepared::new(&group.key, &moves, &deal.generators);
    let moves = (&moves, &prepared);
    let mixed = before.prove(transcript, moves, &deal.generators, &me.seed, &mut rng());
    codec::encode(&Message::Mixed(vec![mixed]))
}

fn mixed_wrong(bend: impl FnOnce(&mut Group, &mut Moves)) {
    let mut peers = at_chain();
    let message = bent_turn(&peers, bend);
    let fault = refused(&mut peers, Seat(0), &message);
    assert_eq!(
        (fault.culprit, fault.step, fault.wrong),
        (Seat(0), StepKind::Mix, Wrong::Shuffle)
    );
}

#[test]
fn the_unbent_turn_is_taken() {
    let mut peers = at_chain();
    let message = bent_turn(&peers, |_, _| {});
    for deal in &mut peers.deals {
        deal.check(Seat(0), &message).unwrap();
    }
}

#[test]
fn duplicate() {
    mixed_wrong(|group, _| group.cards[1] = group.cards[0]);
    mixed_wrong(|_, moves| moves.order[1] = moves.order[0]);
}

#[test]
fn swap_between_decks() {
    // Both are honest permutations of all nine cards; only the tags forbid them.
    mixed_wrong(|_, moves| moves.order.swap(0, 8));
    mixed_wrong(|group, _| group.cards.swap(0, 8));
}

#[test]
fn scale() {
    mixed_wrong(|group, _| {
        let two = Scalar::from(2u8);
        let card = group.cards[2];
        group.cards[2] = Ciphertext {
            a: card.a * two,
            b: card.b * two,
        };
    });
}

#[test]
fn add() {
    mixed_wrong(|group, _| {
        let other = group.cards[3].b;
        group.cards[2].b += other;
    });
    // What is added to one card is taken from another: sums stay the same.
    mixed_wrong(|group, _| {
        let point = RistrettoPoint::mul_base(&Scalar::from(9u8));
        group.cards[2].b += point;
        group.cards[3].b -= point;
    });
}

#[test]
fn replace() {
    mixed_wrong(|group, _| {
        group.cards[4] = Ciphertext::bare(&RistrettoPoint::mul_base(&Scalar::from(77u8)));
    });
}

#[test]
fn non_permutation() {
    mixed_wrong(|_, moves| moves.order = vec![0; 9]);
    mixed_wrong(|_, moves| moves.order = vec![0, 1, 2, 3, 4, 4, 6, 7, 8]);
}

#[test]
fn wrong_key() {
    mixed_wrong(|group, _| {
        let bytes = group.key.bytes;
        group.key = MaskKey::new(RistrettoPoint::mul_base(&Scalar::from(3u8)));
        // The statement names the right key; the masks are under another.
        group.key.bytes = bytes;
    });
}

#[test]
fn a_turn_of_another_deck_deal_seat_or_attempt() {
    let mut peers = at_chain();
    let honest = peers.deals[0].contribute(&mut rng()).unwrap();
    // The same turn in a deal of another number.
    let mut other = Peers::numbered(3, SeatSet::first(3), 4);
    other.open(&shuffle_request());
    other.step();
    other.step();
    assert_eq!(refused(&mut other, Seat(0), &honest).wrong, Wrong::Shuffle);
    // Another seat's turn.
    let mut later = at_chain();
    let turn = later.deals[0].contribute(&mut rng()).unwrap();
    for deal in &mut later.deals {
        deal.settle(vec![(Seat(0), turn.clone())]).unwrap();
    }
    assert_eq!(refused(&mut later, Seat(1), &turn).wrong, Wrong::Shuffle);
    // After the chain began anew.
    for deal in &mut peers.deals {
        deal.absent(Seat(2)).unwrap();
    }
    assert_eq!(refused(&mut peers, Seat(0), &honest).wrong, Wrong::Shuffle);
    // Out of turn.
    let mut early = at_chain();
    assert_eq!(
        refused(&mut early, Seat(1), &honest).wrong,
        Wrong::NotAwaited
    );
}
