//! Sitting down: readiness, lots that nobody can steer, drawn seats, the phrase, phantoms, rematches.

use std::collections::BTreeMap;

use shamans_core::codec;
use shamans_core::game::{Game, Seat, SeatSet};
use shamans_core::log::{Digest, Identity, PlayerKey};
use shamans_core::record::{Finding, Record, verify};
use shamans_core::table::{
    Genesis, GenesisError, Holder, Lot, Options, PROTOCOL, Proposal, Replica, Seating,
    SeatingError, SeatingOutput, SignedGenesis, commitment,
};
use shamans_tests::high_card::{HighCard, Setup};
use shamans_tests::sim::{Anything, Sim, Weather, identity, sit_down};

fn setup(seats: u8, phantoms: SeatSet) -> Setup {
    Setup {
        seats,
        hand: 2,
        rounds: 1,
        phantoms,
    }
}

/// Everyone sits, but for phantoms.
fn proposal(seats: u8, phantoms: SeatSet, draw_seats: bool) -> Proposal {
    let holder = |i: u8| match phantoms.contains(Seat(i)) {
        true => Holder::Phantom,
        false => Holder::Person {
            key: identity(i.into()).public(),
            name: format!("P{i}"),
        },
    };
    Proposal {
        protocol: PROTOCOL,
        game: HighCard::NAME.into(),
        setup: codec::encode(&setup(seats, phantoms)),
        options: Options {
            draw_seats,
            ..Options::default()
        },
        holders: (0..seats).map(holder).collect(),
        previous: None,
    }
}

fn sit(proposal: &Proposal, i: u8, lot: Lot) -> Result<Seating, SeatingError> {
    Seating::new::<HighCard>(proposal.clone(), identity(i.into()), lot, 0)
}

fn key(i: u8) -> PlayerKey {
    identity(i.into()).public()
}

/// What this person says now.
fn said(seating: &mut Seating) -> Vec<Vec<u8>> {
    let mut said = Vec::new();
    while let Some(output) = seating.poll() {
        match output {
            SeatingOutput::Send(bytes) => said.push(bytes),
            SeatingOutput::Ready(_) | SeatingOutput::Drawn(_) | SeatingOutput::Seated(_) => {}
        }
    }
    said
}

/// The first bytes of what goes between people who sit down: which word it is.
const READY: u8 = 0;
const LOT: u8 = 1;
const SIGNED: u8 = 2;

fn word(kind: u8, proposal: &Proposal, rest: &[u8]) -> Vec<u8> {
    [&[kind], proposal.digest().0.as_slice(), rest].concat()
}

fn waits_for(seating: &Seating) -> Vec<PlayerKey> {
    seating.waits_for().copied().collect()
}

/// A genesis of these lots, signed by all.
fn signed(proposal: Proposal, lots: Vec<Lot>) -> SignedGenesis {
    let genesis = Genesis { proposal, lots };
    let keys = genesis.keys();
    let by = |seat: Seat| -> Identity {
        (0..5)
            .map(identity)
            .find(|identity| keys[seat] == Some(identity.public()))
            .unwrap()
    };
    let signatures = genesis
        .people()
        .iter()
        .map(|seat| by(seat).sign(&genesis.signed()))
        .collect();
    SignedGenesis {
        genesis,
        signatures,
    }
}

#[test]
fn nobody_shows_a_lot_before_all_are_ready() {
    let proposal = proposal(3, SeatSet::EMPTY, false);
    let mut ada = sit(&proposal, 0, [1; 32]).unwrap();
    assert_eq!(waits_for(&ada).len(), 3);
    assert!(said(&mut ada).is_empty(), "nothing is said before ready");
    ada.be_ready();
    let mut words = said(&mut ada);
    // Somebody is ready, and shows a lot at once: no reason to show one's own.
    let lot = [2; 32];
    let promise = commitment(&proposal.digest(), &key(1), &lot);
    for word in [
        word(READY, &proposal, &promise.0),
        word(LOT, &proposal, &lot),
    ] {
        assert_eq!(ada.receive(&key(1), &word), Ok(()));
    }
    ada.handle_timeout(1_000);
    words.extend(said(&mut ada));
    assert!(words.iter().all(|word| word[0] == READY), "{words:?}");
    assert_eq!(waits_for(&ada), [key(2)], "the one who is not ready");
    let promise = commitment(&proposal.digest(), &key(2), &[3; 32]);
    ada.receive(&key(2), &word(READY, &proposal, &promise.0))
        .unwrap();
    assert!(said(&mut ada).iter().any(|word| word[0] == LOT));
    assert_eq!(waits_for(&ada), [key(2)], "the one who shows no lot");
    ada.handle_timeout(100_000);
    assert!(said(&mut ada).iter().all(|word| word[0] != SIGNED));
}

/// Whoever has seen all other lots cannot choose another, take over somebody else's promise, or promise anew.
#[test]
fn who_shows_the_lot_last_cannot_steer() {
    let proposal = proposal(3, SeatSet::EMPTY, true);
    let mut ada = sit(&proposal, 0, [1; 32]).unwrap();
    let mut bob = sit(&proposal, 1, [2; 32]).unwrap();
    ada.be_ready();
    bob.be_ready();
    let adas = said(&mut ada);
    for word in said(&mut bob) {
        ada.receive(&key(1), &word).unwrap();
    }
    // The late one says what Ada has said: her promise, and later her lot.
    let mut copier = sit(&proposal, 0, [1; 32]).unwrap();
    copier.be_ready();
    copier.receive(&key(2), &adas[0]).unwrap();
    assert_eq!(
        copier.receive(&key(2), &word(LOT, &proposal, &[1; 32])),
        Err(SeatingError::FalseLot)
    );
    let promise = |lot: &Lot| commitment(&proposal.digest(), &key(2), lot);
    let ready = word(READY, &proposal, &promise(&[3; 32]).0);
    ada.receive(&key(2), &ready).unwrap();
    bob.receive(&key(2), &ready).unwrap();
    for word in adas {
        bob.receive(&key(0), &word).unwrap();
    }
    let (adas, bobs) = (said(&mut ada), said(&mut bob));
    assert!(adas.iter().chain(&bobs).any(|word| word[0] == LOT));
    for word in bobs {
        ada.receive(&key(1), &word).unwrap();
    }
    // Now all other lots are known. Another one would give another phrase and other seats.
    let lots = |last: u8| vec![[1; 32], [2; 32], [last; 32]];
    let genesis = |last| signed(proposal.clone(), lots(last)).genesis;
    assert_ne!(genesis(3).phrase(), genesis(4).phrase());
    assert_eq!(
        ada.receive(&key(2), &word(LOT, &proposal, &[4; 32])),
        Err(SeatingError::FalseLot)
    );
    assert_eq!(
        ada.receive(&key(2), &word(READY, &proposal, &promise(&[4; 32]).0)),
        Err(SeatingError::Changed)
    );
    assert_eq!(waits_for(&ada), [key(2)], "who does not show it is named");
    ada.receive(&key(2), &word(LOT, &proposal, &[3; 32]))
        .unwrap();
    let drawn = std::iter::from_fn(|| ada.poll()).find_map(|output| match output {
        SeatingOutput::Drawn(genesis) => Some(genesis.phrase()),
        _ => None,
    });
    assert_eq!(drawn, Some(genesis(3).phrase()));
    // A signature under another table is none.
    let other = identity(2).sign(&genesis(4).signed()).to_bytes();
    assert_eq!(
        ada.receive(&key(2), &word(SIGNED, &proposal, &other)),
        Err(SeatingError::FalseSignature)
    );
    let mut others = vec![key(1), key(2)];
    others.sort();
    assert_eq!(waits_for(&ada), others, "they have not signed yet");
}

/// Chosen seats stay; drawn ones hang on everyone's lot, and each person comes to sit everywhere.
#[test]
fn seats_are_chosen_or_drawn_by_all() {
    let phantoms = SeatSet::one(Seat(1));
    let chosen = signed(proposal(4, phantoms, false), vec![[9; 32]; 3]).genesis;
    assert_eq!(chosen.holders(), chosen.proposal.holders);
    for steered in 0..3 {
        // Two lots stay the same; the third alone moves everyone about.
        let mut at: BTreeMap<(PlayerKey, Seat), u32> = BTreeMap::new();
        for n in 0..=239 {
            let mut lots = vec![[7; 32]; 3];
            lots[steered] = [n; 32];
            let genesis = signed(proposal(4, phantoms, true), lots).genesis;
            assert_eq!(genesis.holders()[1], Holder::Phantom, "phantoms stay");
            for seat in genesis.people().iter() {
                let key = genesis.keys()[seat].unwrap();
                *at.entry((key, seat)).or_default() += 1;
            }
        }
        // 9 places of 80 each on average; four times the standard deviation either way.
        assert_eq!(at.len(), 9);
        assert!(
            at.values().all(|&times| (50..=110).contains(&times)),
            "{at:?}"
        );
    }
}

/// A bot is one of the people, with the name of whoever runs it; what stood in records before there were bots stands as it did.
#[test]
fn a_bot_sits_down_as_a_bot() {
    let mut with_bot = proposal(3, SeatSet::one(Seat(1)), false);
    with_bot.holders[2] = Holder::Bot {
        key: key(2),
        name: "Robot".into(),
        operator: "Eva".into(),
    };
    let table = signed(with_bot.clone(), vec![[3; 32]; 2]);
    assert_eq!(table.check(), Ok(()));
    assert_eq!(table.genesis.people().len(), 2, "it signs like everyone");
    assert_eq!(table.genesis.holders()[2].operator(), Some("Eva"));
    let kinds: Vec<u8> = with_bot
        .holders
        .iter()
        .map(|holder| codec::encode(holder)[0])
        .collect();
    assert_eq!(kinds, [0, 1, 2]);
    let refused = |operator: &str| {
        let mut changed = with_bot.clone();
        changed.holders[2] = Holder::Bot {
            key: key(2),
            name: "Robot".into(),
            operator: operator.into(),
        };
        matches!(changed.check(), Err(GenesisError::Seats(_)))
    };
    assert!(refused("") && refused("a\nb") && refused(&"x".repeat(65)));
    assert!(!refused("Jan"));
    // Whoever changed it later would break every signature.
    let mut forged = table.clone();
    forged.genesis.proposal.holders[2] = Holder::Person {
        key: key(2),
        name: "Robot".into(),
    };
    assert!(matches!(forged.check(), Err(GenesisError::Unsigned(_))));
}

/// Another lot, name, option, seat or game: other words.
#[test]
fn the_phrase_stands_for_the_whole_table() {
    let mut all = vec![signed(proposal(3, SeatSet::EMPTY, false), vec![[1; 32]; 3])];
    let mut change = |change: &dyn Fn(&mut Genesis)| {
        let mut genesis = all[0].genesis.clone();
        change(&mut genesis);
        all.push(signed(genesis.proposal, genesis.lots));
    };
    change(&|genesis| genesis.lots[2][31] ^= 1);
    change(&|genesis| genesis.proposal.options.grace_ms += 1);
    change(&|genesis| genesis.proposal.holders.swap(0, 1));
    change(&|genesis| genesis.proposal.setup[2] += 1);
    change(&|genesis| genesis.proposal.previous = Some(Digest([1; 32])));
    for (i, a) in all.iter().enumerate() {
        for b in &all[..i] {
            assert_ne!(a.genesis.phrase(), b.genesis.phrase());
            assert_ne!(a.genesis.table(), b.genesis.table());
        }
    }
}

/// The game's phantoms are the seats that nobody holds: otherwise nobody sits down, and no such record is fair.
#[test]
fn phantoms_are_the_seats_without_a_key() {
    let refused = GenesisError::Seats("the game's phantoms are not the seats that nobody holds");
    let right = proposal(3, SeatSet::one(Seat(2)), false);
    assert!(sit(&right, 0, [1; 32]).is_ok());
    // The set-up says another seat, one too few, one too many.
    for phantoms in [
        SeatSet::one(Seat(1)),
        SeatSet::EMPTY,
        SeatSet::EMPTY.with(Seat(1)).with(Seat(2)),
    ] {
        let mut wrong = right.clone();
        wrong.setup = codec::encode(&setup(3, phantoms));
        let error = sit(&wrong, 0, [1; 32]).err();
        assert_eq!(error, Some(SeatingError::Genesis(refused.clone())));
        // Everyone may agree to it all the same: whoever reads the record does not.
        let genesis = signed(wrong, vec![[1; 32], [2; 32]]);
        assert_eq!(
            Replica::<HighCard>::new(&genesis, None).err(),
            Some(refused.clone())
        );
        let report = verify::<HighCard>(&Record::new(&genesis, &[]));
        let Finding::Unfair { step: 0, .. } = report.finding else {
            panic!("{:?}", report.finding);
        };
    }
}

/// More seats than any table has, in a message of a stranger or in a record: refused, whoever looks first, and nobody falls over it.
#[test]
fn a_table_of_thirty_five_seats_is_refused() {
    let mut crowd = proposal(5, SeatSet::EMPTY, false);
    for _ in 0..30 {
        crowd.holders.push(Holder::Phantom);
    }
    for drawn in [false, true] {
        crowd.options.draw_seats = drawn;
        let genesis = signed(crowd.clone(), vec![[1; 32]; 5]);
        let refused = Some(GenesisError::Seats("one to five seats"));
        let (by_anyone, by_one) = (None, Some(&identity(1)));
        for reader in [by_anyone, by_one] {
            assert_eq!(Replica::<HighCard>::new(&genesis, reader).err(), refused);
        }
        let record = Record::new(&genesis, &[]);
        let read = Record::read(&record.write());
        let finding = read.map(|record| verify::<HighCard>(&record).finding);
        assert!(
            matches!(finding, Err(_) | Ok(Finding::Unfair { step: 0, .. })),
            "{finding:?}"
        );
    }
}

#[test]
fn what_makes_no_game_is_sat_down_to_by_nobody() {
    let right = proposal(3, SeatSet::EMPTY, false);
    let mut wrong = right.clone();
    wrong.game = "another game".into();
    assert!(sit(&wrong, 0, [1; 32]).is_err());
    let mut wrong = right.clone();
    wrong.setup.pop();
    assert!(sit(&wrong, 0, [1; 32]).is_err());
    let mut wrong = right.clone();
    wrong.holders.pop();
    assert!(sit(&wrong, 0, [1; 32]).is_err());
    let mut wrong = right.clone();
    wrong.protocol += 1;
    assert_eq!(
        sit(&wrong, 0, [1; 32]).err(),
        Some(GenesisError::Protocol(PROTOCOL + 1).into())
    );
    assert_eq!(
        sit(&right, 3, [1; 32]).err(),
        Some(SeatingError::Stranger),
        "somebody else"
    );
}

/// Once more with the same people: a table of its own that names the one before.
#[test]
fn a_rematch_names_the_table_before() {
    let first = sit_down::<HighCard>(&setup(3, SeatSet::EMPTY), &[true; 3], Options::default());
    let play = |genesis: SignedGenesis| {
        let mut sim = Sim::<HighCard>::new(genesis, 1, Weather::CALM, |seat| {
            Box::new(Anything::new(u64::from(seat.0), 30))
        });
        assert!(sim.run(60_000, Sim::all_over));
        Record::new(&sim.genesis, sim.table(0).log())
    };
    let before = play(first);
    let table = before.genesis.genesis.table();
    let again = Proposal {
        previous: Some(table),
        ..before.genesis.genesis.proposal.clone()
    };
    // Even with the same lots it is another table: no entry of the one counts at the other.
    let genesis = signed(again, before.genesis.genesis.lots.clone());
    let after = play(genesis);
    assert_eq!(after.genesis.genesis.proposal.previous, Some(table));
    assert_ne!(after.genesis.genesis.table(), table);
    assert_eq!(after.genesis.genesis.keys(), before.genesis.genesis.keys());
    assert_eq!(verify::<HighCard>(&after).finding, Finding::Fair);
    let mut mixed = after.clone();
    mixed.steps[0] = before.steps[0].clone();
    let finding = verify::<HighCard>(&mixed).finding;
    assert!(
        matches!(finding, Finding::Unfair { step: 1, .. }),
        "{finding:?}"
    );
    // Its link cannot be cut or changed: the genesis is signed.
    let mut cut = after;
    cut.genesis.genesis.proposal.previous = None;
    let finding = verify::<HighCard>(&cut).finding;
    assert!(
        matches!(finding, Finding::Unfair { step: 0, .. }),
        "{finding:?}"
    );
}
