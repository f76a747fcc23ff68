//! Cheating provers: seats that follow the prover's algorithm on a false witness, with everything else right. What they
//! send is well-formed; only the mathematics refuses it. Tampering with honest messages is in the `tests` package.

use alloc::{vec, vec::Vec};

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::{Peers, seed};
use crate::codec;
use crate::deal::claim::Claiming;
use crate::deal::escrow::{Complaining, Complaint, Dealing};
use crate::deal::group::{Ciphertext, MaskKey, PointBytes, ScalarBytes};
use crate::deal::keys::{KeysMessage, SecretKeys};
use crate::deal::linear::{LinearProof, Row, Sum};
use crate::deal::plan::{Group, Lock};
use crate::deal::release::{Jobs, ReleaseMessage};
use crate::deal::shuffle::{Before, Moves};
use crate::deal::transcript::Transcript;
use crate::deal::{
    Deal, DealError, DealFault, DealSeed, Message, Misuse, SeatVerdict, StepKind, Wrong,
};
use crate::game::{Audience, Claim, Deck, DeckId, DeckRequest, Face, Remix, Seat, SeatSet, Slot};

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
    let mixed = before.prove(transcript, &moves, &deal.generators, &me.seed, &mut rng());
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
    let super::Stage::Release { tasks } = &open.stage else {
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

/// A round in which seat 1's peer goes astray after its keys were published; what the audit says of it.
fn audited(stray: impl FnOnce(&mut Deal, StepKind) + Clone, when: StepKind) -> SeatVerdict {
    let mut peers = Peers::new(3, SeatSet::first(3));
    let mut stray = Some(stray);
    let requests = [
        shuffle_request(),
        DeckRequest::Open {
            slots: vec![
                (Slot(6), Audience::One(Seat(0))),
                (Slot(0), Audience::One(Seat(1))),
                (Slot(1), Audience::One(Seat(1))),
            ],
        },
        DeckRequest::Remix {
            hands: vec![Remix {
                seat: Seat(1),
                from: vec![Slot(0), Slot(1)],
                into: Slot(20),
            }],
        },
        DeckRequest::Reveal,
    ];
    let honest = peers.deals[1].me.as_ref().unwrap().seed.clone();
    for request in requests {
        peers.open(&request);
        loop {
            let step = peers.deals[1].step().unwrap();
            if step == when
                && let Some(stray) = stray.take()
            {
                stray(&mut peers.deals[1], step);
            }
            if step == StepKind::Seed {
                peers.deals[1].me.as_mut().unwrap().seed = honest.clone();
            }
            if peers.step().is_some() {
                break;
            }
        }
    }
    let verdicts: Vec<_> = peers
        .deals
        .iter()
        .map(|deal| deal.audit().unwrap())
        .collect();
    assert!(verdicts.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(verdicts[0].seats[0].1, SeatVerdict::Audited);
    assert_eq!(verdicts[0].seats[2].1, SeatVerdict::Audited);
    verdicts[0].seats[1].1
}

fn differs(verdict: SeatVerdict) -> (Option<Slot>, Wrong) {
    let SeatVerdict::Differs(fault) = verdict else {
        panic!("{verdict:?}")
    };
    assert_eq!((fault.culprit, fault.step), (Seat(1), StepKind::Audit));
    (fault.slot, fault.wrong)
}

#[test]
fn the_audit_sees_what_proofs_cannot() {
    let other_seed = |deal: &mut Deal, _: StepKind| {
        deal.me.as_mut().unwrap().seed = DealSeed::from_bytes([99; 32]);
    };
    assert_eq!(audited(|_, _| {}, StepKind::Keys), SeatVerdict::Audited);
    // Keys that do not come from the committed seed.
    let other_keys = |deal: &mut Deal, _: StepKind| {
        deal.me.as_mut().unwrap().keys = SecretKeys {
            deck: Scalar::from(5u8),
            hand: Scalar::from(6u8),
        };
    };
    assert_eq!(
        differs(audited(other_keys, StepKind::Keys)).1,
        Wrong::KeyNotFromSeed
    );
    // Shares, orders and masks, and switches chosen at will: every proof holds, the audit does not.
    assert_eq!(
        differs(audited(other_seed, StepKind::Escrow)).1,
        Wrong::ShareNotFromSeed { to: Seat(0) }
    );
    let (slot, wrong) = differs(audited(other_seed, StepKind::Mix));
    assert_eq!(
        (slot, wrong),
        (Some(Slot(0)), Wrong::MixNotFromSeed { deck: DeckId(0) })
    );
    let (slot, wrong) = differs(audited(other_seed, StepKind::Release));
    assert_eq!((slot, wrong), (Some(Slot(6)), Wrong::ReleaseNotFromSeed));
}

#[test]
fn another_seed_than_the_committed_one() {
    let mut peers = dealt();
    peers.open(&DeckRequest::Reveal);
    let other = codec::encode(&Message::Seed([1; 32]));
    assert_eq!(refused(&mut peers, Seat(1), &other).wrong, Wrong::Seed);
    // Another seat's seed is no better.
    let theirs = codec::encode(&Message::Seed(*seed(Seat(0)).bytes()));
    assert_eq!(refused(&mut peers, Seat(1), &theirs).wrong, Wrong::Seed);
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
