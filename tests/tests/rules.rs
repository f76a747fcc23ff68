//! The rules as a whole: properties that hold in every reachable state. Single rules are shown by the scenarios.

use proptest::prelude::*;
use shamans_core::{
    codec,
    game::{Awaits, DeckId, DeckOutcome, DeckRequest, Face, Game, Seat, SeatSet, Slot},
    shamans::{
        Action, Card, Data, Illegal, Pick, Role, Setup, Shamans, Values, Way, World,
        event::{EndCause, Event},
        setup::DeckKind,
    },
};
use shamans_tests::{
    play::{Input, Play, replay},
    property::cases,
};

fn setup(players: u8, phantoms: usize) -> Setup {
    Setup::new(players).with_phantoms(SeatSet::first(phantoms))
}

/// Every action there could be, with faces as they truly are and as they are not.
fn every_action(play: &Play) -> Vec<Action> {
    let rules = play.game.rules();
    let seats = || (0..=rules.players).map(Seat);
    let slots = (0..play.game.slots() as u16 + 2).map(Slot);
    let mut all = vec![
        Action::MoveBack,
        Action::TakeInstead,
        Action::Spare,
        Action::Decline,
    ];
    all.extend(
        [
            Pick::FaceUp(0),
            Pick::FaceUp(1),
            Pick::FaceUp(2),
            Pick::Pile,
        ]
        .map(Action::Take),
    );
    all.extend(seats().map(|with| Action::Swap { with }));
    all.extend(seats().map(|seat| Action::NameGuide { seat }));
    all.extend((0..=rules.worlds).map(|world| Action::Perform {
        world: World(world),
    }));
    for slot in slots {
        let truth = play.dealer.face(slot);
        let card = truth.and_then(|face| rules.card(face)).unwrap_or(Card {
            world: World(0),
            value: 1,
        });
        all.push(Action::Play { slot, card });
        all.push(Action::Play {
            slot,
            card: Card {
                world: World(0),
                value: 9,
            },
        });
        all.push(Action::Give { slot });
        for face in [None, truth, Some(Face(0)), Some(Face(6)), Some(Face(99))] {
            all.extend(seats().map(|target| Action::Strike {
                tile: slot,
                face,
                target,
            }));
            all.extend([Way::Forward, Way::Back].map(|way| Action::Portal {
                tile: slot,
                face,
                way,
            }));
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(24)))]

    /// What is listed is accepted, what is not listed is refused, and a refusal changes nothing.
    #[test]
    fn legal_equals_apply(seed: u64, players in 3..=5u8, phantoms in 0..3usize, stride in 7..40usize) {
        let mut play = Play::new(&setup(players, phantoms), seed);
        for step in 0..400 {
            if step % stride == 0 && let Awaits::Seats(_) = play.game.awaits() {
                for seat in (0..players).map(Seat) {
                    let legal = play.legal(seat);
                    for action in every_action(&play) {
                        let mut after = play.game.clone();
                        let claims = play.game.claims(seat, &action);
                        let accepted = play.dealer.check(&claims).is_ok() && after.apply(seat, action).is_ok();
                        prop_assert_eq!(accepted, legal.contains(&action), "{:?} by {:?} in {:?}", action, seat, play.game.decision());
                        if !accepted && play.dealer.check(&claims).is_ok() {
                            prop_assert!(after == play.game);
                        }
                    }
                    let awaited = matches!(play.game.awaits(), Awaits::Seats(seats) if seats.contains(seat));
                    prop_assert!(!awaited || !legal.is_empty(), "nothing to do for an awaited seat");
                    prop_assert!(legal.is_empty() || play.actors().contains(seat));
                }
            }
            if !play.random_step() {
                break;
            }
        }
    }

    /// Every game ends, however people come and go, and playing its inputs again gives equal states and events.
    #[test]
    fn every_game_ends_and_replays(seed: u64, players in 3..=5u8, phantoms in 0..5usize) {
        let setup = setup(players, phantoms.min(usize::from(players) - 1));
        let mut play = Play::new(&setup, seed);
        let mut steps = 0;
        while play.random_step() {
            play.random_absence();
            steps += 1;
            prop_assert!(steps < 50_000, "this game does not end");
        }
        prop_assert!(play.game.awaits() == Awaits::Nothing);
        let ended = matches!(play.events.last(), Some(Event::GameEnded { .. }));
        prop_assert!(ended, "nothing happens after the end");
        for seat in (0..players).map(Seat) {
            prop_assert_eq!(play.game.clone().take_back(seat), Err(Illegal::GameOver));
            prop_assert_eq!(play.game.clone().stand_in(seat), Err(Illegal::GameOver));
        }
        prop_assert_eq!(play.game.clone().void_round(), Err(Illegal::GameOver));
        let (game, events) = replay(&setup, &play.inputs);
        prop_assert!(game == play.game);
        prop_assert_eq!(events, play.events);
    }

    /// Re-deal what a seat cannot see: its view and its events stay equal, all the way to that moment.
    #[test]
    fn nothing_hidden_leaks(seed: u64, players in 3..=5u8, phantoms in 0..2usize, steps in 1..60usize, seat in 0..3u8, turn in 1..50usize) {
        let setup = setup(players, phantoms);
        let seat = Seat(players - 1 - seat);
        let mut play = Play::new(&setup, seed);
        for _ in 0..steps {
            // Only the first deal can be stacked below.
            let mut next = play.clone();
            if !next.random_step() || next.deal_start != play.deal_start {
                break;
            }
            play = next;
        }
        let rules = *play.game.rules();
        let first = Play::new(&setup, seed);
        let mut stacked = Vec::new();
        let mut moved = 0;
        for kind in DeckKind::ALL {
            let slots: Vec<Slot> = (0..rules.size(kind)).map(|i| rules.first(kind).after(i.into())).collect();
            let seen = play.seen_faces(kind.id(), seat);
            let unseen: Vec<Slot> = slots.into_iter().filter(|&slot| first.dealer.face(slot).is_some_and(|face| !seen.contains(&face))).collect();
            // A true turn: never all the way round, or nothing would move.
            let by = 1 + turn % unseen.len().saturating_sub(1).max(1);
            for (i, &slot) in unseen.iter().enumerate() {
                let from = unseen[(i + by) % unseen.len()];
                stacked.push((slot, first.dealer.face(from).unwrap()));
                moved += usize::from(from != slot);
            }
        }
        // A seat that has seen all but one card of every deck has nothing left to be re-dealt.
        prop_assume!(moved > 0);
        let mut other = Play::stacked(&setup, seed, Some(stacked));
        for input in &play.inputs {
            if let Input::Act(by, action) = input {
                other.act(*by, *action);
            }
        }
        prop_assert!(other.dealer != play.dealer, "nothing was re-dealt");
        prop_assert_eq!(&other.events, &play.events);
        let (view, other) = (
            play.game.view(Some(seat), play.dealer.known(seat)),
            other.game.view(Some(seat), other.dealer.known(seat)),
        );
        prop_assert!(view == other);
        prop_assert_eq!(view.legal(), other.legal());
        prop_assert!(view.hand().eq(other.hand()));
    }

    /// Any bytes as an action, in any state: taken or refused, never a panic, and a refusal changes nothing.
    #[test]
    fn arbitrary_action_bytes(seed: u64, players in 3..=5u8, steps in 0..200usize, bytes: Vec<[u8; 12]>) {
        let mut play = Play::new(&setup(players, 0), seed);
        for _ in 0..steps {
            play.random_step();
        }
        for bytes in bytes {
            // The first byte chooses a kind there is, so that more than the decoder is tried.
            let mut bytes = bytes;
            bytes[1] %= 13;
            for len in 1..bytes.len() {
                let Ok(action) = codec::decode::<Action>(&bytes[1..=len]) else { continue };
                let mut game = play.game.clone();
                let seat = Seat(bytes[0] % 7);
                if game.apply(seat, action).is_err() {
                    prop_assert!(game == play.game);
                }
            }
        }
    }

    /// Any answer of the decks: the one asked for goes on, every other is refused and changes nothing.
    #[test]
    fn arbitrary_deck_outcomes(players in 3..=5u8, faces: Vec<Option<u8>>) {
        let game = Shamans::new(&Setup::new(players)).unwrap();
        let open: Vec<Face> = faces.iter().copied().flatten().map(Face).collect();
        let all: Vec<Option<Face>> = faces.iter().map(|face| face.map(Face)).collect();
        for outcome in [DeckOutcome::Opened(open), DeckOutcome::Passed, DeckOutcome::Remixed, DeckOutcome::Revealed(all)] {
            let mut after = game.clone();
            prop_assert_eq!(after.supply(outcome.clone()), Err(Illegal::WrongOutcome));
            prop_assert!(after == game);
            let mut dealt = game.clone();
            dealt.supply(DeckOutcome::Shuffled).unwrap();
            let before = dealt.clone();
            if dealt.supply(outcome).is_err() {
                prop_assert!(dealt == before);
            }
        }
    }
}

/// SET-1, SET-4, SET-5: as many cards, identities and left-over cards as the table says.
#[test]
fn set_1_tables() {
    for (players, shamans, shadows, cards, hand, left_over) in [
        (3, 2, 1, 30, 9, 3),
        (4, 3, 1, 36, 9, 0),
        (5, 3, 2, 56, 11, 1),
    ] {
        let play = Play::new(&Setup::new(players), 1);
        let rules = play.game.rules();
        assert_eq!(rules.cards(), cards);
        let mut roles = Vec::new();
        let mut held = 0;
        for seat in (0..players).map(Seat) {
            let view = play.game.view(Some(seat), play.dealer.known(seat));
            assert_eq!(view.hand().count(), hand);
            held += hand;
            roles.extend(view.role(seat));
            // SET-4: never another's.
            assert!(
                (0..players)
                    .map(Seat)
                    .filter(|&other| other != seat)
                    .all(|other| view.role(other).is_none())
            );
        }
        assert_eq!(
            roles.iter().filter(|role| **role == Role::Shaman).count(),
            shamans
        );
        assert_eq!(
            roles.iter().filter(|role| **role == Role::Shadow).count(),
            shadows
        );
        let laid = play
            .events
            .iter()
            .filter(|event| matches!(event, Event::LeftOver { .. }))
            .count();
        assert_eq!((laid, held + laid), (left_over, usize::from(cards)));
        assert_eq!(play.game.rules().moon, 24);
    }
    for players in [0, 1, 2, 6, 255] {
        assert_eq!(Shamans::new(&Setup::new(players)), Err(Illegal::BadSetup));
    }
}

/// SET-2, TRK-5: the worlds in use, and that every table has all four rituals.
#[test]
fn set_2_worlds() {
    use shamans_core::shamans::Ritual;
    let data = Data::shipped();
    for (players, worlds) in [(3, 5), (4, 6), (5, 7)] {
        let play = Play::new(&Setup::new(players), 1);
        let rules = play.game.rules();
        assert_eq!(rules.all_worlds().count(), worlds);
        for ritual in [
            Ritual::Stabilisation,
            Ritual::Permutation,
            Ritual::Illumination,
            Ritual::Neutralisation,
        ] {
            assert!(
                rules
                    .all_worlds()
                    .any(|world| rules.ritual(world) == ritual)
            );
        }
        assert_eq!(rules.whole(), Values::all(rules.values));
    }
    let of = |colour: &str| {
        data.worlds
            .iter()
            .find(|world| world.colour == colour)
            .unwrap()
            .ritual
    };
    assert_eq!(
        (of("purple"), of("brown")),
        (Ritual::Illumination, Ritual::Neutralisation)
    );
}

/// SET-3: the tiles, and an Eclipse that is anywhere in the pile but on top; SET-6: any seat may be the first Guide.
#[test]
fn set_3_tiles_and_set_6_first_guide() {
    let mut depths = [0; 10];
    let mut guides = [0; 5];
    for seed in 0..400 {
        let play = Play::new(&Setup::new(5), seed);
        let rules = play.game.rules();
        assert_eq!(
            (rules.tiles(), rules.pile(), rules.keepsakes, rules.masks),
            (12, 10, 10, 2)
        );
        let view = play.game.view(None, play.dealer.known(Seat(0)));
        assert!(view.offer().all(|tile| tile.is_some()));
        assert_eq!((view.offer().count(), view.pile()), (2, 10));
        let depth = rules.first(DeckKind::Depth);
        let at = (0..10)
            .position(|i| rules.is_eclipse(play.dealer.face(depth.after(i)).unwrap()))
            .unwrap();
        depths[at] += 1;
        guides[view.first_guide().unwrap().index()] += 1;
    }
    assert!(depths.iter().all(|&count| count > 10), "{depths:?}");
    assert!(guides.iter().all(|&count| count > 40), "{guides:?}");
}

/// SET-6, END-7: the right to lead first passes to the left with each round; everyone is back in, and only points stay.
#[test]
fn end_7_new_rounds() {
    let mut play = Play::new(&Setup::new(4), 3);
    let mut guides = Vec::new();
    let mut rounds = 0;
    loop {
        let view = play.game.view(None, play.dealer.known(Seat(0)));
        if usize::from(view.round()) > rounds {
            rounds += 1;
            guides.push(view.first_guide().unwrap());
            assert_eq!(view.in_play().len(), 4);
            assert_eq!(view.trick().guide, view.first_guide().unwrap());
        }
        if !play.random_step() {
            break;
        }
    }
    assert!(guides.len() > 2);
    assert!(
        guides.windows(2).all(|pair| pair[1] == pair[0].left(4)),
        "{guides:?}"
    );
}

/// END-1 to END-6: each round ends for one of three reasons, and the points say so.
#[test]
fn end_1_to_6_over_many_games() {
    let mut causes = [0; 3];
    for seed in 0..150 {
        let mut play = Play::new(&Setup::new(3 + (seed % 3) as u8), seed);
        while play.random_step() {}
        for event in &play.events {
            if let Event::RoundEnded { winner, cause } = event {
                let expected = match cause {
                    EndCause::Moon => Role::Shadow,
                    EndCause::LastShadow | EndCause::NoCards => Role::Shaman,
                };
                assert_eq!(*winner, expected);
                causes[*cause as usize] += 1;
            }
        }
        let view = play.game.view(None, play.dealer.known(Seat(0)));
        let points: Vec<u16> = (0..play.game.seats() as u8)
            .map(|seat| view.points(Seat(seat)))
            .collect();
        let most = *points.iter().max().unwrap();
        assert!(most >= 8);
        assert_eq!(
            points.iter().filter(|&&p| p == most).count(),
            1,
            "END-6: one leads alone"
        );
    }
    assert!(causes.iter().all(|&count| count > 0), "{causes:?}");
}

/// PHA-1: nobody, the dealer's own view of any seat included, is shown a phantom's cards.
#[test]
fn pha_1_sealed_cards_are_nobodys() {
    let play = Play::new(&setup(3, 2), 5);
    let rules = play.game.rules();
    let request_slots: Vec<Slot> = (0..rules.cards() + u16::from(rules.players))
        .map(Slot)
        .collect();
    for seat in (0..3).map(Seat) {
        let known = request_slots
            .iter()
            .filter(|&&slot| play.dealer.known(seat).face(slot).is_some())
            .count();
        assert_eq!(known, if seat == Seat(2) { 10 } else { 0 });
    }
    assert_eq!(
        Shamans::new(&setup(3, 3)),
        Err(Illegal::BadSetup),
        "one seat at least is a person's"
    );
}

/// PHA-3: the pawn's start depends on the number of phantoms, by the table in data/.
#[test]
fn pha_3_steps_by_phantoms() {
    let mut data = Data::shipped();
    data.tables[0].steps = vec![9, 7, 5];
    for (phantoms, start) in [(0, 15), (1, 17), (2, 19)] {
        let play = Play::new(
            &Setup {
                data: data.clone(),
                ..setup(3, phantoms)
            },
            1,
        );
        let began = play.events.iter().find_map(|event| match event {
            Event::RoundBegan { pawn, .. } => Some(*pawn),
            _ => None,
        });
        assert_eq!(began, Some(start));
    }
}

/// TLK-1: nothing that a seat can send or that happens carries free text, so talk stays outside the game.
#[test]
fn tlk_1_no_words_in_the_game() {
    for seed in 0..20 {
        let mut play = Play::new(&Setup::new(5), seed);
        while play.random_step() {}
        for input in &play.inputs {
            if let Input::Act(_, action) = input {
                assert!(codec::encode(action).len() <= 8, "{action:?}");
            }
        }
    }
}

/// The decks of a round have the sizes that sealing them needs, and their slots do not overlap.
#[test]
fn decks_lie_side_by_side() {
    for players in 3..=5 {
        let game = Shamans::new(&Setup::new(players)).unwrap();
        let Awaits::Decks(DeckRequest::Shuffle { decks, sealed }) = game.awaits() else {
            panic!("a deal comes first")
        };
        assert!(sealed.is_empty());
        let mut next = Slot(0);
        for (i, deck) in decks.iter().enumerate() {
            assert_eq!((deck.id, deck.first), (DeckId(i as u8), next));
            assert!((2..=256).contains(&deck.size));
            next = next.after(deck.size.into());
        }
        assert_eq!(next, game.rules().end());
    }
}
