//! Seats whose proofs all hold and whose moves do not come from their seeds.

use alloc::{vec, vec::Vec};

use curve25519_dalek::scalar::Scalar;

use super::super::seed;
use super::{Peers, dealt, refused, shuffle_request};
use crate::codec;
use crate::deal::keys::SecretKeys;
use crate::deal::{Deal, DealSeed, Message, SeatVerdict, StepKind, Wrong};
use crate::game::{Audience, DeckId, DeckRequest, Remix, Seat, SeatSet, Slot};

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
