//! False keys, false parts and false complaints.

use alloc::{vec, vec::Vec};

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};

use super::super::seed;
use super::{Peers, at_chain, refused, rng, shuffle_request};
use crate::codec;
use crate::deal::escrow::{Complaining, Complaint, Dealing};
use crate::deal::group::{PointBytes, ScalarBytes};
use crate::deal::keys::{KeysMessage, SecretKeys};
use crate::deal::linear::{LinearProof, Row, Sum};
use crate::deal::transcript::Transcript;
use crate::deal::{DealFault, Message, Misuse, StepKind, Wrong};
use crate::game::{Seat, SeatSet};

#[test]
fn rogue_keys() {
    // Seat 2 wants the joint key to be one it knows: its deck key is that key less the others'. It cannot prove it.
    let mut peers = Peers::new(3, SeatSet::first(3));
    peers.open(&shuffle_request());
    let deal = &peers.deals[2];
    let open = deal.open.as_ref().unwrap();
    let others: RistrettoPoint = [0, 1]
        .map(|s| RistrettoPoint::mul_base(&SecretKeys::derive(&seed(Seat(s)), &deal.root).deck))
        .iter()
        .sum();
    let known = Scalar::from(1234u32);
    let keys = SecretKeys {
        deck: known,
        hand: known,
    };
    let mut message = KeysMessage::new(
        &open.step,
        &deal.root,
        Seat(2),
        &seed(Seat(2)),
        &keys,
        &mut rng(),
    );
    let rogue = RistrettoPoint::mul_base(&known) - others;
    message.deck = PointBytes::from(&rogue);
    let mut transcript = Transcript::new("keys", &open.step, Seat(2));
    transcript.bytes("commitment", &message.commitment);
    transcript.point("deck", &message.deck);
    transcript.point("hand", &message.hand);
    let rows: Vec<Row> = [rogue, RistrettoPoint::mul_base(&known)]
        .into_iter()
        .enumerate()
        .map(|(i, key)| Row {
            image: Sum::Point(key),
            terms: vec![(i, Sum::G)],
        })
        .collect();
    message.proof = LinearProof::new(
        transcript,
        &rows,
        &[known, known],
        &seed(Seat(2)),
        &mut rng(),
    );
    let bytes = codec::encode(&Message::Keys(message.clone()));
    assert_eq!(
        refused(&mut peers, Seat(2), &bytes).wrong,
        Wrong::Possession
    );
    // Nor may a key be the identity.
    message.hand = PointBytes([0; 32]);
    let bytes = codec::encode(&Message::Keys(message));
    assert_eq!(
        refused(&mut peers, Seat(2), &bytes).wrong,
        Wrong::IdentityKey
    );
}

/// Three seats about to share out their keys.
fn at_escrow() -> Peers {
    let mut peers = Peers::new(3, SeatSet::first(3));
    peers.open(&shuffle_request());
    peers.step();
    assert_eq!(peers.deals[0].step(), Some(StepKind::Escrow));
    peers
}

/// Seat 1's escrow message with its lines bent before they are proved.
fn bent_escrow(
    peers: &Peers,
    bend: impl FnOnce(&mut Dealing<'_>, &mut SecretKeys) -> bool,
) -> Vec<u8> {
    let deal = &peers.deals[1];
    let open = deal.open.as_ref().unwrap();
    let me = deal.me.as_ref().unwrap();
    let mut dealing = Dealing {
        step: &open.step,
        serial: open.serial,
        dealer: Seat(1),
    };
    let mut keys = me.keys.clone();
    let to: Vec<(Seat, RistrettoPoint)> =
        [0, 2].map(|s| (Seat(s), deal.keys[&Seat(s)].hand)).to_vec();
    let wrong_mask = bend(&mut dealing, &mut keys);
    let mut message = dealing.message(&deal.root, &me.seed, &keys, &to, &mut rng());
    if wrong_mask {
        // The part for seat 2 is committed right and sent wrong, and the dealer proves what it sends.
        let line = &mut message.lines[1];
        let sent = line.masked_hand.scalar().unwrap() + Scalar::ONE;
        line.masked_hand = ScalarBytes::from(&sent);
        let mut transcript = Transcript::new("escrow", &open.step, Seat(1));
        transcript.point("ephemeral", &message.ephemeral);
        for line in &message.lines {
            transcript.point("deck", &line.deck);
            transcript.point("hand", &line.hand);
            transcript.bytes("masked deck", &line.masked_deck.0);
            transcript.bytes("masked hand", &line.masked_hand.0);
        }
        let secret = dealing.ephemeral(&deal.root, &me.seed);
        let rows = vec![Row {
            image: Sum::Point(RistrettoPoint::mul_base(&secret)),
            terms: vec![(0, Sum::G)],
        }];
        message.proof = LinearProof::new(transcript, &rows, &[secret], &me.seed, &mut rng());
    }
    codec::encode(&Message::Escrow(message))
}

#[test]
fn parts_that_do_not_sum_to_the_key() {
    let mut peers = at_escrow();
    let message = bent_escrow(&peers, |_, keys| {
        keys.hand += Scalar::ONE;
        false
    });
    assert_eq!(
        refused(&mut peers, Seat(1), &message).wrong,
        Wrong::EscrowSum
    );
}

/// Settles the escrow step with seat 1's message replaced.
fn settle_escrow(peers: &mut Peers, bent: Option<Vec<u8>>) {
    let mut messages: Vec<(Seat, Vec<u8>)> = (0..3)
        .map(|s| {
            (
                Seat(s),
                peers.deals[usize::from(s)].contribute(&mut rng()).unwrap(),
            )
        })
        .collect();
    if let Some(bent) = bent {
        messages[1].1 = bent;
    }
    for deal in &mut peers.deals {
        assert_eq!(deal.settle(messages.clone()), Ok(None));
    }
}

#[test]
fn a_wrong_part_is_shown_to_all() {
    let mut peers = at_escrow();
    let bent = bent_escrow(&peers, |_, _| true);
    settle_escrow(&mut peers, Some(bent));
    let turn = peers.deals[0].contribute(&mut rng()).unwrap();
    let first = peers.deals[1].contribute(&mut rng());
    assert_eq!(first, Err(Misuse::NotAwaited));
    for deal in &mut peers.deals {
        deal.settle(vec![(Seat(0), turn.clone())]).unwrap();
    }
    let turn = peers.deals[1].contribute(&mut rng()).unwrap();
    for deal in &mut peers.deals {
        deal.settle(vec![(Seat(1), turn.clone())]).unwrap();
    }
    // Seat 2's turn: instead of mixing it complains, and everyone sees that seat 1 is wrong.
    let complaint = peers.deals[2].contribute(&mut rng()).unwrap();
    let fault = refused(&mut peers, Seat(2), &complaint);
    assert_eq!(
        fault,
        DealFault {
            culprit: Seat(1),
            step: StepKind::Escrow,
            slot: None,
            wrong: Wrong::FalseShare { to: Seat(2) },
        }
    );
}

#[test]
fn a_false_complaint_falls_back_on_its_author() {
    let mut peers = at_chain();
    let deal = &peers.deals[0];
    let open = deal.open.as_ref().unwrap();
    let me = deal.me.as_ref().unwrap();
    let complaining = Complaining {
        step: &open.step,
        by: Seat(0),
        key: &deal.keys[&Seat(0)].hand,
        escrow: &deal.escrow[&Seat(1)],
    };
    // The part was right.
    let honest = complaining.message(Seat(1), &me.keys.hand, &me.seed, &mut rng());
    // The common point is another.
    let forged = complaining.message(Seat(1), &(me.keys.hand + Scalar::ONE), &me.seed, &mut rng());
    let nobody = Complaint {
        against: Seat(7),
        ..honest.clone()
    };
    let itself = Complaint {
        against: Seat(0),
        ..honest.clone()
    };
    for complaint in [honest, forged, nobody, itself] {
        let against = complaint.against;
        let bytes = codec::encode(&Message::Complaint(complaint));
        let fault = refused(&mut peers, Seat(0), &bytes);
        assert_eq!(
            (fault.culprit, fault.wrong),
            (Seat(0), Wrong::FalseComplaint { against })
        );
    }
}
