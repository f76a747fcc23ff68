//! What must not be told: by `Debug`, by public values, by the shape of the bytes; and that chance is even.

extern crate std;

use alloc::{format, string::String, vec, vec::Vec};

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::{Peers, context, seed};
use crate::codec;
use crate::deal::escrow::Share;
use crate::deal::group::{Ciphertext, Secrets};
use crate::deal::keys::SecretKeys;
use crate::deal::plan::Stage;
use crate::deal::{Deal, DealSeed, Message};
use crate::game::{
    Audience, Claim, Deck, DeckId, DeckOutcome, DeckRequest, Face, Known, Remix, Seat, SeatSet,
    Slot,
};

/// Does a text show some of the bytes, in decimal or hex, one after another?
fn shows(text: &str, bytes: &[u8]) -> bool {
    let hex: String = bytes
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let decimal: Vec<String> = bytes.iter().take(4).map(|byte| format!("{byte}")).collect();
    let text = text.to_lowercase();
    text.contains(&hex) || text.contains(&decimal.join(", ")) || text.contains(&decimal.join(","))
}

#[test]
fn debug_is_silent() {
    let root = context(3, SeatSet::first(3)).root();
    let secret = seed(Seat(1));
    let keys = SecretKeys::derive(&secret, &root);
    let scalar = secret.scalar(&root, "mask", 1, 2);
    let share = Share {
        deck: scalar,
        hand: keys.hand,
    };
    let secrets = Secrets(vec![scalar]);
    let order = secret.order(&root, 1, 1, 30);
    let positions: Vec<u8> = order.iter().map(|from| from as u8).collect();
    let deal = Deal::new(
        context(3, SeatSet::first(3)),
        Some((Seat(1), secret.clone())),
    )
    .unwrap();
    let mut known = Known::new();
    known.learn(Slot(0), Face(77));
    let texts = [
        format!("{secret:?} {secret:#?}"),
        format!("{keys:?} {keys:#?}"),
        format!("{share:?} {share:#?}"),
        format!("{secrets:?} {secrets:#?}"),
        format!("{order:?} {order:#?}"),
        format!("{deal:?} {deal:#?}"),
        format!(
            "{known:?} {:?} {:?}",
            Face(77),
            Claim {
                slot: Slot(1),
                face: Face(77)
            }
        ),
    ];
    for text in &texts {
        for bytes in [
            secret.bytes().as_slice(),
            keys.deck.as_bytes(),
            keys.hand.as_bytes(),
            scalar.as_bytes(),
            &positions,
        ] {
            assert!(!shows(text, bytes), "{text}");
        }
        assert!(!text.contains("77"), "{text}");
    }
    // The watcher is not blind.
    assert!(shows(&format!("{:?}", secret.bytes()), secret.bytes()));
}

#[test]
fn secrets_are_wiped() {
    use zeroize::Zeroize;
    let mut secret = seed(Seat(1));
    secret.zeroize();
    assert_eq!(secret.bytes(), &[0; 32]);
    let mut keys = SecretKeys {
        deck: Scalar::ONE,
        hand: Scalar::ONE,
    };
    keys.zeroize();
    assert_eq!((keys.deck, keys.hand), (Scalar::ZERO, Scalar::ZERO));
    let mut share = Share {
        deck: Scalar::ONE,
        hand: Scalar::ONE,
    };
    share.zeroize();
    assert_eq!((share.deck, share.hand), (Scalar::ZERO, Scalar::ZERO));
    fn wiped_on_drop<T: zeroize::ZeroizeOnDrop>() {}
    wiped_on_drop::<DealSeed>();
    wiped_on_drop::<SecretKeys>();
    wiped_on_drop::<Share>();
    wiped_on_drop::<crate::deal::seed::Order>();
}

#[test]
fn no_public_value_is_output_minus_input() {
    let mut peers = Peers::new(3, SeatSet::first(3));
    let decks = vec![Deck {
        id: DeckId(0),
        size: 8,
        first: Slot(0),
    }];
    peers.open(&DeckRequest::Shuffle {
        decks,
        sealed: SeatSet::EMPTY,
    });
    peers.step();
    peers.step();
    while let Some(deal) = peers.deals.iter().find(|deal| {
        deal.me
            .as_ref()
            .is_some_and(|me| deal.awaits().contains(me.seat))
    }) {
        let open = deal.open.as_ref().unwrap();
        let Stage::Chain { .. } = &open.stage else {
            panic!()
        };
        let seat = deal.me.as_ref().unwrap().seat;
        let before = deal.groups(&open.stage, seat).remove(0);
        let bytes = deal.contribute(&mut ChaCha20Rng::seed_from_u64(2)).unwrap();
        let Ok(Message::Mixed(mixed)) = codec::decode(&bytes) else {
            panic!()
        };
        let mixed = &mixed[0];
        let after: Vec<Ciphertext> = mixed
            .cards
            .iter()
            .map(|[a, b]| Ciphertext {
                a: a.point().unwrap(),
                b: b.point().unwrap(),
            })
            .collect();
        let proof = &mixed.proof;
        let mut public: Vec<RistrettoPoint> = [
            proof.order,
            proof.powers,
            proof.blind,
            proof.low,
            proof.high,
            proof.mask,
            proof.sum[0],
            proof.sum[1],
        ]
        .iter()
        .map(|point| point.point().unwrap())
        .collect();
        public.extend(after.iter().flat_map(|card| [card.a, card.b]));
        public.extend(before.cards.iter().flat_map(|card| [card.a, card.b]));
        public.extend(deal.generators.points());
        public.push(before.key.point);
        public.push(crate::deal::group::G);
        let public: std::collections::BTreeSet<[u8; 32]> = public
            .iter()
            .flat_map(|point| [point.compress().0, (-point).compress().0])
            .filter(|bytes| *bytes != [0; 32])
            .collect();
        let mut differences = std::collections::BTreeSet::new();
        for output in &after {
            for input in &before.cards {
                for difference in [output.a - input.a, output.b - input.b] {
                    let bytes = difference.compress().0;
                    // The first input halves are the identity, so these differences are the outputs themselves.
                    let trivial = input.a == RistrettoPoint::default() && difference == output.a;
                    assert!(trivial || !public.contains(&bytes));
                    differences.insert(bytes);
                }
            }
        }
        // Nor do two differences coincide, as they would if one mask were used twice.
        let distinct = if before
            .cards
            .iter()
            .all(|card| card.a == RistrettoPoint::default())
        {
            8 + 64
        } else {
            128
        };
        assert_eq!(differences.len(), distinct);
        if peers.step().is_some() {
            break;
        }
    }
}

/// The lengths of every message of a short round with other secrets.
fn shape(number: u32) -> (Vec<usize>, Vec<Option<Face>>) {
    let people = SeatSet::first(3);
    let mut peers = Peers::numbered(3, people, number);
    let decks = vec![
        Deck {
            id: DeckId(0),
            size: 9,
            first: Slot(0),
        },
        Deck {
            id: DeckId(1),
            size: 2,
            first: Slot(9),
        },
    ];
    let hand = |s: u16| [Slot(2 * s), Slot(2 * s + 1)];
    let mut lengths = Vec::new();
    let requests = [
        DeckRequest::Shuffle {
            decks,
            sealed: SeatSet::EMPTY,
        },
        DeckRequest::Open {
            slots: (0..3)
                .flat_map(|s| hand(s).map(|slot| (slot, Audience::One(Seat(s as u8)))))
                .collect(),
        },
        DeckRequest::Pass {
            slots: vec![(Slot(0), Seat(1)), (Slot(2), Seat(0))],
        },
        DeckRequest::Remix {
            hands: vec![Remix {
                seat: Seat(0),
                from: vec![Slot(1), Slot(2)],
                into: Slot(30),
            }],
        },
        DeckRequest::Open {
            slots: vec![(Slot(9), Audience::All)],
        },
    ];
    for request in requests {
        peers.open(&request);
        loop {
            for deal in &peers.deals {
                if let Ok(message) = deal.contribute(&mut peers.rng) {
                    lengths.push(message.len());
                }
            }
            if peers.step().is_some() {
                break;
            }
        }
    }
    let (_, proof) = peers.deals[2].claim(Slot(4), &mut peers.rng).unwrap();
    lengths.push(proof.len());
    let DeckOutcome::Revealed(faces) = peers.ask(DeckRequest::Reveal) else {
        panic!()
    };
    (lengths, faces)
}

#[test]
fn streams_have_one_shape_whatever_is_hidden() {
    let (first, cards) = shape(10);
    for number in 11..15 {
        let (lengths, other_cards) = shape(number);
        assert_eq!(lengths, first);
        assert_ne!(cards, other_cards);
    }
}

/// χ² of observed counts against an even distribution.
fn chi_square(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts
        .iter()
        .map(|&count| (f64::from(count) - expected).powi(2) / expected)
        .sum()
}

#[test]
fn orders_are_even() {
    // All 120 orders of five cards, 12000 draws: with 119 degrees of freedom χ² stays below 185 but once in 10000.
    let root = context(3, SeatSet::first(3)).root();
    let mut counts = vec![0u32; 120];
    for at in 0..12_000 {
        let order: Vec<usize> = seed(Seat(1)).order(&root, 1, at, 5).iter().collect();
        let mut rank = 0;
        for (i, from) in order.iter().enumerate() {
            rank = rank * (5 - i) + order[i + 1..].iter().filter(|later| *later < from).count();
        }
        counts[rank] += 1;
    }
    assert!(counts.iter().all(|&count| count > 0));
    let chi = chi_square(&counts);
    assert!(chi < 185.0, "{chi}");
}

#[test]
fn dealt_cards_are_even() {
    // Whole shuffles of four cards by two seats, 320 deals of fixed seeds: where each face comes to lie.
    let mut counts = vec![0u32; 24];
    for number in 0..320 {
        let mut peers = Peers::numbered(2, SeatSet::first(2), number);
        peers.deals.pop();
        let decks = vec![Deck {
            id: DeckId(0),
            size: 4,
            first: Slot(0),
        }];
        peers.ask(DeckRequest::Shuffle {
            decks,
            sealed: SeatSet::EMPTY,
        });
        let slots = (0..4).map(|slot| (Slot(slot), Audience::All)).collect();
        let DeckOutcome::Opened(faces) = peers.ask(DeckRequest::Open { slots }) else {
            panic!()
        };
        let mut rank = 0;
        for (i, face) in faces.iter().enumerate() {
            rank = rank * (4 - i) + faces[i + 1..].iter().filter(|later| *later < face).count();
        }
        counts[rank] += 1;
    }
    // 23 degrees of freedom: beyond 53 once in 3000.
    let chi = chi_square(&counts);
    assert!(chi < 53.0, "{chi}: {counts:?}");
}
