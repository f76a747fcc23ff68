//! Test vectors for a second implementation: written from this one, kept as files, and compared on every run.
//!
//! `SHAMANS_WRITE_VECTORS=1 cargo test -p shamans-core vectors` writes them anew, which is right only together with a
//! new version of the protocol.

extern crate std;

use alloc::{format, string::String, vec, vec::Vec};
use core::convert::Infallible;

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use rand::{TryCryptoRng, TryRng};
use serde_json::{Value, json};

use crate::codec;
use crate::deal::claim::Claiming;
use crate::deal::escrow::{Complaining, Dealing};
use crate::deal::group::{Ciphertext, Faces, Generators, MaskKey, PointBytes};
use crate::deal::keys::{KeysMessage, SecretKeys};
use crate::deal::plan::{Group, Lock, Pile};
use crate::deal::release::{Job, Jobs};
use crate::deal::shuffle::{Before, Moves, Prepared};
use crate::deal::transcript::Transcript;
use crate::deal::{Deal, DealContext, DealSeed, Message, SeatVerdict};
use crate::game::{Audience, Claim, Deck, DeckId, DeckRequest, Face, Remix, Seat, SeatSet, Slot};

/// Gives the same 32 bytes again and again, so that a second implementation can make the very same proofs.
struct Fixed([u8; 32]);

impl TryRng for Fixed {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes([
            self.0[0], self.0[1], self.0[2], self.0[3],
        ]))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from(self.try_next_u32()?))
    }
    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        for (to, from) in to.iter_mut().zip(self.0.iter().cycle()) {
            *to = *from;
        }
        Ok(())
    }
}

impl TryCryptoRng for Fixed {}

const FRESH: [u8; 32] = [0x42; 32];

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn point(point: &RistrettoPoint) -> String {
    hex(&PointBytes::from(point).0)
}

fn scalar(scalar: &Scalar) -> String {
    hex(scalar.as_bytes())
}

fn card(card: &Ciphertext) -> Value {
    json!([point(&card.a), point(&card.b)])
}

fn context() -> DealContext {
    DealContext {
        table: [0x11; 32],
        number: 7,
        seats: 3,
        people: SeatSet::first(3),
        game: String::from("vectors/1"),
    }
}

fn identity(seat: Seat) -> [u8; 32] {
    [0xa0 + seat.0; 32]
}

fn seed(seat: Seat) -> DealSeed {
    let context = context();
    DealSeed::derive(&identity(seat), &context.table, context.number)
}

/// Compares a vector file with what this implementation gives, or writes it.
fn compare(name: &str, value: &Value) {
    let path = format!("{}/../tests/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = serde_json::to_string_pretty(value).unwrap() + "\n";
    if std::env::var_os("SHAMANS_WRITE_VECTORS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let file = std::fs::read_to_string(&path).unwrap();
    assert!(file == text, "{name} is not what this implementation gives");
}

#[test]
fn primitives() {
    let context = context();
    let root = context.root();
    let step = [0x33; 32];
    let one = seed(Seat(1));
    let keys = SecretKeys::derive(&one, &root);
    let mut rng = Fixed(FRESH);

    let mut transcript = Transcript::new("example", &step, Seat(2));
    transcript.bytes("bytes", b"abc");
    transcript.number("number", 258);
    let challenge = transcript.challenge("x");
    let weights = transcript.weights("weights", 2);
    let nonce = transcript.nonces(&one, &mut rng).scalar();

    let keys_message = KeysMessage::new(&step, &root, Seat(1), &one, &keys, &mut rng);
    let hand_of =
        |seat: Seat| RistrettoPoint::mul_base(&SecretKeys::derive(&seed(seat), &root).hand);

    let dealing = Dealing {
        step: &step,
        serial: 2,
        dealer: Seat(1),
    };
    let to = vec![(Seat(0), hand_of(Seat(0))), (Seat(2), hand_of(Seat(2)))];
    let escrow_message = dealing.message(&root, &one, &keys, &to, &mut rng);
    let public = crate::deal::keys::PublicKeys {
        commitment: one.commitment(&root, Seat(1)),
        deck: RistrettoPoint::mul_base(&keys.deck),
        hand: RistrettoPoint::mul_base(&keys.hand),
    };
    let mut batch = crate::deal::batch::WeightKey::new([0; 32]).batch(&step, 1, &[]);
    let receivers = SeatSet::EMPTY.with(Seat(0)).with(Seat(2));
    let escrow = dealing
        .verify(&escrow_message, &public, receivers, &mut batch)
        .unwrap();
    let zero = seed(Seat(0));
    let zero_keys = SecretKeys::derive(&zero, &root);
    let share = escrow
        .open(Seat(1), Seat(0), &(escrow.ephemeral * zero_keys.hand))
        .unwrap();
    let complaining = Complaining {
        step: &step,
        by: Seat(0),
        key: &hand_of(Seat(0)),
        escrow: &escrow,
    };
    let complaint = complaining.message(Seat(1), &zero_keys.hand, &zero, &mut rng);

    let faces = Faces::new(&context.game, DeckId(0), 4);
    let more = Faces::new(&context.game, DeckId(1), 2);
    let key = MaskKey::new(RistrettoPoint::mul_base(&Scalar::from(5u8)));
    let group = Group {
        key: key.clone(),
        piles: vec![
            Pile {
                deck: DeckId(0),
                first: Slot(0),
                size: 4,
                lock: Lock::Joint,
            },
            Pile {
                deck: DeckId(1),
                first: Slot(4),
                size: 2,
                lock: Lock::Joint,
            },
        ],
        cards: faces
            .points()
            .chain(more.points())
            .map(Ciphertext::bare)
            .collect(),
        tags: vec![0, 0, 0, 0, 1, 1],
    };
    let moves = Moves::derive(&one, &root, 3, &group.piles);
    let before = Before {
        key: &group.key,
        cards: &group.cards,
        tags: &group.tags,
    };
    let generators = Generators::new(6);
    let mixed = before.prove(
        group.statement(&step, Seat(1)),
        (&moves, &Prepared::new(&group.key, &moves, &generators)),
        &generators,
        &one,
        &mut rng,
    );
    let after = before.mix(&moves);

    let jobs = Jobs {
        step: &step,
        serial: 4,
        seat: Seat(1),
        parts: vec![public.deck],
        targets: vec![MaskKey::new(hand_of(Seat(0)))],
        jobs: vec![
            Job {
                slot: Slot(0),
                part: 0,
                target: None,
                a: after[0].a,
            },
            Job {
                slot: Slot(1),
                part: 0,
                target: Some(0),
                a: after[1].a,
            },
        ],
    };
    let release = jobs.message(&root, &[keys.deck], &one, &mut rng);

    let held = Ciphertext::bare(faces.point(Face(2)).unwrap())
        .masked(&Scalar::from(11u8), &MaskKey::new(public.hand));
    let claiming = Claiming {
        dealt: &step,
        by: Seat(1),
        claim: Claim {
            slot: Slot(9),
            face: Face(2),
        },
        deck: DeckId(0),
        key: &public.hand,
        card: &held,
        face: faces.point(Face(2)).unwrap(),
    };
    let claim = claiming.prove(&keys.hand, &one, &mut rng);

    let value = json!({
        "protocol": "shamans deal 1",
        "context": {
            "table": hex(&context.table), "number": context.number, "seats": context.seats, "people": [0, 1, 2],
            "game": context.game, "encoded": hex(&codec::encode(&context)), "root": hex(&root),
        },
        "seed": {
            "identity": hex(&identity(Seat(1))), "seat": 1, "seed": hex(one.bytes()),
            "commitment": hex(&one.commitment(&root, Seat(1))),
            "deck_key": scalar(&keys.deck), "hand_key": scalar(&keys.hand),
        },
        "secrets": {
            "purpose": "mask", "serial": 3, "at": 40,
            "scalars": one.scalars(&root, "mask", 3, 40, 3).iter().map(scalar).collect::<Vec<_>>(),
        },
        "order": { "serial": 3, "at": 40, "order": one.order(&root, 3, 40, 12).iter().collect::<Vec<_>>() },
        "faces": {
            "game": context.game, "deck": 0, "points": faces.points().map(point).collect::<Vec<_>>(),
            "deck 1": more.points().map(point).collect::<Vec<_>>(),
        },
        "generators": generators.points().iter().map(point).collect::<Vec<_>>(),
        "transcript": {
            "statement": "example", "step": hex(&step), "seat": 2,
            "items": [{"label": "bytes", "bytes": hex(b"abc")}, {"label": "number", "number": 258}],
            "challenge": {"label": "x", "scalar": scalar(&challenge)},
            "weights": {"label": "weights", "scalars": weights.iter().map(scalar).collect::<Vec<_>>()},
            "nonce": {"seed": hex(one.bytes()), "fresh": hex(&FRESH), "first": scalar(&nonce)},
        },
        "keys": { "step": hex(&step), "seat": 1, "fresh": hex(&FRESH), "message": hex(&codec::encode(&Message::Keys(keys_message))) },
        "escrow": {
            "step": hex(&step), "serial": 2, "dealer": 1, "to": [0, 2], "fresh": hex(&FRESH),
            "message": hex(&codec::encode(&Message::Escrow(escrow_message))),
            "opened_by_0": { "hand_key": scalar(&zero_keys.hand), "deck": scalar(&share.deck), "hand": scalar(&share.hand) },
        },
        "complaint": {
            "step": hex(&step), "by": 0, "against": 1, "seed": hex(zero.bytes()), "fresh": hex(&FRESH),
            "message": hex(&codec::encode(&Message::Complaint(complaint))),
        },
        "shuffle": {
            "step": hex(&step), "seat": 1, "serial": 3, "key": point(&key.point),
            "piles": [{"deck": 0, "first": 0, "size": 4}, {"deck": 1, "first": 4, "size": 2}],
            "before": group.cards.iter().map(card).collect::<Vec<_>>(),
            "order": moves.order.clone(), "masks": moves.masks.iter().map(scalar).collect::<Vec<_>>(),
            "after": after.iter().map(card).collect::<Vec<_>>(),
            "fresh": hex(&FRESH), "message": hex(&codec::encode(&Message::Mixed(vec![mixed]))),
        },
        "release": {
            "step": hex(&step), "seat": 1, "serial": 4, "key": scalar(&keys.deck), "target": point(&hand_of(Seat(0))),
            "jobs": [{"slot": 0, "a": point(&after[0].a), "share": true}, {"slot": 1, "a": point(&after[1].a), "share": false}],
            "fresh": hex(&FRESH), "message": hex(&codec::encode(&Message::Release(release))),
        },
        "claim": {
            "dealt": hex(&step), "by": 1, "slot": 9, "deck": 0, "face": 2, "card": card(&held), "hand_key": scalar(&keys.hand),
            "fresh": hex(&FRESH), "proof": hex(&codec::encode(&claim)),
        },
    });
    compare("deal-primitives.json", &value);
}

#[test]
fn a_whole_round() {
    let context = context();
    let mut deals: Vec<Deal> = context
        .people
        .iter()
        .map(|seat| Deal::new(context.clone(), Some((seat, seed(seat)))).unwrap())
        .collect();
    let mut entries = Vec::new();
    let ask = |deals: &mut Vec<Deal>, entries: &mut Vec<Value>, request: DeckRequest| {
        let encoded = hex(&codec::encode(&request));
        entries
            .push(json!({"request": serde_json::to_value(&request).unwrap(), "encoded": encoded}));
        for deal in deals.iter_mut() {
            deal.request(&request).unwrap();
        }
        settle(deals, entries);
    };
    let decks = vec![
        Deck {
            id: DeckId(0),
            size: 8,
            first: Slot(0),
        },
        Deck {
            id: DeckId(3),
            size: 2,
            first: Slot(8),
        },
    ];
    ask(
        &mut deals,
        &mut entries,
        DeckRequest::Shuffle {
            decks,
            sealed: SeatSet::EMPTY,
        },
    );
    let slots = (0..6)
        .map(|i| (Slot(i), Audience::One(Seat((i / 2) as u8))))
        .collect();
    ask(&mut deals, &mut entries, DeckRequest::Open { slots });
    let slots = vec![
        (Slot(6), Audience::All),
        (Slot(8), Audience::All),
        (Slot(4), Audience::All),
    ];
    ask(&mut deals, &mut entries, DeckRequest::Open { slots });
    let (claim, proof) = deals[0].claim(Slot(0), &mut Fixed(FRESH)).unwrap();
    entries.push(json!({"claim": {"by": 0, "slot": claim.slot.0, "face": claim.face.0, "proof": hex(&proof)}}));
    for deal in &mut deals {
        deal.open_claim(Seat(0), &claim, &proof).unwrap();
    }
    let slots = vec![(Slot(1), Seat(1)), (Slot(2), Seat(2))];
    ask(&mut deals, &mut entries, DeckRequest::Pass { slots });
    let hands = vec![
        Remix {
            seat: Seat(1),
            from: vec![Slot(1), Slot(3)],
            into: Slot(20),
        },
        Remix {
            seat: Seat(2),
            from: vec![Slot(2), Slot(5)],
            into: Slot(22),
        },
    ];
    ask(&mut deals, &mut entries, DeckRequest::Remix { hands });
    // Seat 2 goes away, the others open its card; it comes back.
    entries.push(json!({"away": 2}));
    for deal in &mut deals {
        deal.absent(Seat(2)).unwrap();
    }
    ask(
        &mut deals,
        &mut entries,
        DeckRequest::Open {
            slots: vec![(Slot(22), Audience::All), (Slot(7), Audience::All)],
        },
    );
    entries.push(json!({"back": 2}));
    for deal in &mut deals {
        deal.present(Seat(2)).unwrap();
    }
    ask(&mut deals, &mut entries, DeckRequest::Reveal);
    let verdict = deals[0].audit().unwrap();
    assert!(
        verdict
            .seats
            .iter()
            .all(|(_, verdict)| *verdict == SeatVerdict::Audited)
    );
    let value = json!({
        "protocol": "shamans deal 1",
        "context": {
            "table": hex(&context.table), "number": context.number, "seats": context.seats, "people": [0, 1, 2],
            "game": context.game, "root": hex(&context.root()),
        },
        "identities": context.people.iter().map(|seat| hex(&identity(seat))).collect::<Vec<_>>(),
        "seeds": context.people.iter().map(|seat| hex(seed(seat).bytes())).collect::<Vec<_>>(),
        "fresh": hex(&FRESH),
        "entries": entries,
        "digest": hex(&deals[0].digest),
    });
    compare("deal-round.json", &value);
}

/// Settles steps until the request is answered, writing them down.
fn settle(deals: &mut [Deal], entries: &mut Vec<Value>) {
    loop {
        let awaits = deals[0].awaits();
        let open = deals[0].open.as_ref().unwrap();
        let (kind, serial, step) = (open.stage.kind(), open.serial, hex(&open.step));
        let messages: Vec<(Seat, Vec<u8>)> = awaits
            .iter()
            .map(|seat| {
                (
                    seat,
                    deals[seat.index()].contribute(&mut Fixed(FRESH)).unwrap(),
                )
            })
            .collect();
        let sent: Vec<Value> = messages
            .iter()
            .map(|(seat, bytes)| json!({"seat": seat.0, "bytes": hex(bytes)}))
            .collect();
        entries.push(json!({"step": format!("{kind:?}"), "serial": serial, "digest": step, "messages": sent}));
        let outcomes: Vec<_> = deals
            .iter_mut()
            .map(|deal| deal.settle(messages.clone()).unwrap())
            .collect();
        if let Some(outcome) = &outcomes[0] {
            entries.push(json!({"outcome": serde_json::to_value(outcome).unwrap()}));
            return;
        }
    }
}
