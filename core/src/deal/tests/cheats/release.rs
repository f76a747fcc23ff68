//! False shares, false key switches, false claims.

use alloc::{vec, vec::Vec};

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};

use super::{Peers, dealt, refused, rng, shuffle_request};
use crate::codec;
use crate::deal::claim::Claiming;
use crate::deal::group::MaskKey;
use crate::deal::plan::{Lock, Stage};
use crate::deal::release::{Jobs, ReleaseMessage};
use crate::deal::{DealFault, Message, Wrong};
use crate::game::{Audience, Claim, DeckRequest, Face, Seat, SeatSet, Slot};

/// Seat 1's release in `request` with its jobs or keys bent.
fn bent_release(
    peers: &mut Peers,
    request: &DeckRequest,
    bend: impl FnOnce(&mut Jobs<'_>, &mut Vec<Scalar>),
) -> DealFault {
    peers.open(request);
    let deal = &peers.deals[1];
    let open = deal.open.as_ref().unwrap();
    let me = deal.me.as_ref().unwrap();
    let Stage::Release { tasks } = &open.stage else {
        panic!()
    };
    let mut jobs = deal.jobs(&open.step, open.serial, Seat(1), tasks);
    let mut keys: Vec<Scalar> = deal
        .job_locks(Seat(1), tasks)
        .into_iter()
        .map(|lock| deal.secret_part(me, lock).unwrap())
        .collect();
    bend(&mut jobs, &mut keys);
    let message: ReleaseMessage = jobs.message(&deal.root, &keys, &me.seed, &mut rng());
    let bytes = codec::encode(&Message::Release(message));
    refused(peers, Seat(1), &bytes)
}

#[test]
fn false_shares_and_switches() {
    let open_all = DeckRequest::Open {
        slots: vec![(Slot(6), Audience::All), (Slot(7), Audience::All)],
    };
    let deal_out = DeckRequest::Open {
        slots: vec![
            (Slot(6), Audience::One(Seat(0))),
            (Slot(7), Audience::One(Seat(2))),
        ],
    };
    let pass = DeckRequest::Pass {
        slots: vec![(Slot(2), Seat(0))],
    };
    for request in [&open_all, &deal_out, &pass] {
        let wrong_key = bent_release(&mut dealt(), request, |_, keys| keys[0] += Scalar::ONE);
        assert_eq!(
            (wrong_key.culprit, wrong_key.wrong),
            (Seat(1), Wrong::Release)
        );
        let other_card = bent_release(&mut dealt(), request, |jobs, _| {
            jobs.jobs[0].a *= Scalar::from(2u8)
        });
        assert_eq!(
            (other_card.culprit, other_card.wrong),
            (Seat(1), Wrong::Release)
        );
    }
    for request in [&open_all, &deal_out] {
        // Each slot's share is the other's.
        let swapped = bent_release(&mut dealt(), request, |jobs, _| {
            let a = jobs.jobs[0].a;
            jobs.jobs[0].a = jobs.jobs[1].a;
            jobs.jobs[1].a = a;
        });
        assert_eq!(swapped.wrong, Wrong::Release);
        // Sums stay the same.
        let moved = bent_release(&mut dealt(), request, |jobs, _| {
            let point = RistrettoPoint::mul_base(&Scalar::from(9u8));
            jobs.jobs[0].a += point;
            jobs.jobs[1].a -= point;
        });
        assert_eq!(moved.wrong, Wrong::Release);
    }
    // To a key that is not the receiver's.
    let own = RistrettoPoint::mul_base(&Scalar::from(4u8));
    for request in [&deal_out, &pass] {
        let other = bent_release(&mut dealt(), request, |jobs, _| {
            let bytes = jobs.targets[0].bytes;
            jobs.targets[0] = MaskKey::new(own);
            jobs.targets[0].bytes = bytes;
        });
        assert_eq!(other.wrong, Wrong::Release);
    }
}

#[test]
fn a_stand_in_with_a_wrong_part() {
    let mut peers = dealt();
    for deal in &mut peers.deals {
        deal.absent(Seat(0)).unwrap();
    }
    let request = DeckRequest::Open {
        slots: vec![(Slot(0), Audience::All)],
    };
    let fault = bent_release(&mut peers, &request, |_, keys| keys[0] += Scalar::ONE);
    assert_eq!((fault.culprit, fault.wrong), (Seat(1), Wrong::Release));
}

#[test]
fn false_claims() {
    let mut peers = dealt();
    let (claim, proof) = peers.deals[1].claim(Slot(2), &mut rng()).unwrap();
    let (other, other_proof) = peers.deals[1].claim(Slot(3), &mut rng()).unwrap();
    let wrong = |peers: &mut Peers, by: Seat, claim: Claim, proof: &[u8]| {
        let faults: Vec<DealFault> = peers
            .deals
            .iter_mut()
            .map(|deal| deal.check_claim(by, &claim, proof).unwrap_err())
            .collect();
        assert!(faults.windows(2).all(|pair| pair[0] == pair[1]));
        assert_eq!((faults[0].culprit, faults[0].slot), (by, Some(claim.slot)));
        faults[0].wrong
    };
    let false_face = Claim {
        slot: Slot(2),
        face: other.face,
    };
    assert_eq!(
        wrong(&mut peers, Seat(1), false_face, &proof),
        Wrong::FalseClaim
    );
    let false_slot = Claim {
        slot: Slot(3),
        face: claim.face,
    };
    assert_eq!(
        wrong(&mut peers, Seat(1), false_slot, &proof),
        Wrong::FalseClaim
    );
    assert_eq!(
        wrong(&mut peers, Seat(1), claim, &other_proof),
        Wrong::FalseClaim
    );
    assert_eq!(wrong(&mut peers, Seat(2), claim, &proof), Wrong::NotHeld);
    assert_eq!(
        wrong(
            &mut peers,
            Seat(1),
            Claim {
                slot: Slot(8),
                face: Face(0)
            },
            &proof
        ),
        Wrong::NotHeld
    );
    assert_eq!(
        wrong(
            &mut peers,
            Seat(1),
            Claim {
                slot: Slot(2),
                face: Face(6)
            },
            &proof
        ),
        Wrong::NoSuchFace
    );
    assert_eq!(wrong(&mut peers, Seat(1), claim, &[]), Wrong::Malformed);
    // A prover that lies with its true key.
    let deal = &peers.deals[1];
    let me = deal.me.as_ref().unwrap();
    let place = &deal.slots[&Slot(2)];
    assert_eq!(place.lock, Lock::Hand(Seat(1)));
    let lying = Claiming {
        dealt: &deal.dealt,
        by: Seat(1),
        claim: false_face,
        deck: place.deck,
        key: &deal.keys[&Seat(1)].hand,
        card: &place.card,
        face: deal.faces[&place.deck].point(false_face.face).unwrap(),
    };
    let lie = codec::encode(&lying.prove(&me.keys.hand, &me.seed, &mut rng()));
    assert_eq!(
        wrong(&mut peers, Seat(1), false_face, &lie),
        Wrong::FalseClaim
    );
    // The same slot in another deal.
    let mut replay = Peers::numbered(3, SeatSet::first(3), 4);
    replay.ask(shuffle_request());
    let slots = (0..6)
        .map(|i| (Slot(i), Audience::One(Seat((i / 2) as u8))))
        .collect();
    replay.ask(DeckRequest::Open { slots });
    assert_eq!(
        wrong(&mut replay, Seat(1), claim, &proof),
        Wrong::FalseClaim
    );
}
