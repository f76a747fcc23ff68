//! Bots answer whatever the rules can ask of them, and only with what is legal; what they imagine fits what they know.

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use shamans_core::{
    bot::{Bot, Random, Sensible, Skill, Strong},
    game::{Awaits, ClearDealer, Game, PerSeat, Seat, SeatSet},
    shamans::{Decision, Role, Setup, Shamans, View, imagine::Assumed},
};

/// Random games at every table, with every number of phantoms; `look` sees each position through the eyes of the seat that decides.
fn walk(games: u64, mut look: impl FnMut(&View<'_>, &mut Xoshiro256PlusPlus)) -> usize {
    let mut positions = 0;
    for players in 3..=5u8 {
        for phantoms in 0..players {
            for game in 0..games {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(
                    u64::from(players) << 40 | u64::from(phantoms) << 32 | game,
                );
                let sealed = SeatSet::first(usize::from(phantoms));
                let setup = Setup::new(players).with_phantoms(sealed);
                let mut game = Shamans::new(&setup).unwrap();
                let mut dealer = ClearDealer::new(game.seats());
                // Some games are played well, so that long rounds come up too.
                let mut bot = [Skill::Random, Skill::Sensible][rng.random_range(0..2)].bot();
                loop {
                    dealer.serve(&mut game, &mut rng, |_| {}).unwrap();
                    let Awaits::Seats(seats) = game.awaits() else {
                        break;
                    };
                    for seat in seats.iter() {
                        look(&game.view(Some(seat), dealer.known(seat)), &mut rng);
                        positions += 1;
                    }
                    let seat = seats.iter().next().unwrap();
                    let view = game.view(Some(seat), dealer.known(seat));
                    let action = bot.choose(&view, &mut rng).unwrap();
                    dealer.check(&game.claims(seat, &action)).unwrap();
                    game.apply(seat, action).unwrap();
                }
            }
        }
    }
    positions
}

#[test]
fn bots_answer_every_decision_with_a_legal_action() {
    let mut bots: [Box<dyn Bot>; 2] = [Box::new(Random::new()), Box::new(Sensible::new())];
    let mut asked = [0usize; 9];
    let positions = walk(120, |view, rng| {
        let legal = view.legal();
        for bot in &mut bots {
            let action = bot.choose(view, rng).expect("an awaited seat can act");
            assert!(legal.contains(&action), "{action:?} of {legal:?}");
        }
        asked[match view.decision().unwrap() {
            Decision::Play { .. } => 0,
            Decision::Take { .. } => 1,
            Decision::Stabilise { .. } => 2,
            Decision::Permute { .. } => 3,
            Decision::Strike { .. } => 4,
            Decision::Order { .. } => 5,
            Decision::React { .. } => 6,
            Decision::Give { .. } => 7,
            Decision::NameGuide { .. } => 8,
        }] += 1;
    });
    assert!(positions >= 100_000, "only {positions} positions");
    assert!(
        asked.iter().all(|&times| times > 0),
        "every kind of decision comes up: {asked:?}"
    );
}

#[test]
fn the_strong_bot_answers_with_a_legal_action() {
    let mut strong = Strong::new(6);
    let mut every = 0;
    walk(2, |view, rng| {
        every += 1;
        if every % 7 == 0 {
            let action = strong.choose(view, rng).expect("an awaited seat can act");
            assert!(view.legal().contains(&action));
        }
    });
}

#[test]
fn who_is_not_awaited_has_nothing_to_choose() {
    let game = Shamans::new(&Setup::new(3)).unwrap();
    let dealer = ClearDealer::new(3);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for skill in Skill::ALL {
        let view = game.view(Some(Seat(0)), dealer.known(Seat(0)));
        assert_eq!(skill.bot().choose(&view, &mut rng), None);
        assert_eq!(skill.name().parse(), Ok(skill));
    }
    assert!("nobody".parse::<Skill>().is_err());
}

/// An imagined deal keeps all that the viewer sees, follows what it assumes, and can be played on.
#[test]
fn what_a_viewer_imagines_fits_what_it_knows() {
    let mut every = 0;
    walk(4, |view, rng| {
        every += 1;
        if every % 5 != 0 {
            return;
        }
        let me = view.seat().unwrap();
        let n = view.rules().seats();
        let all = SeatSet::first(n);
        let sure: SeatSet = all
            .iter()
            .filter(|&s| view.role(s) == Some(Role::Shadow))
            .collect();
        let mut shadows = sure;
        for seat in all.iter().filter(|&s| view.role(s).is_none()) {
            if shadows.len() < n - usize::from(view.rules().shamans) {
                shadows = shadows.with(seat);
            }
        }
        let assumed = Assumed {
            shadows,
            none_of: PerSeat::default(),
        };
        let (mut game, mut dealer) = view.imagine(&assumed, rng);
        let seen = game.view(Some(me), dealer.known(me));
        assert_eq!(seen.legal(), view.legal());
        assert_eq!(
            seen.hand().collect::<Vec<_>>(),
            view.hand().collect::<Vec<_>>()
        );
        assert_eq!(
            seen.tiles(me).collect::<Vec<_>>(),
            view.tiles(me).collect::<Vec<_>>()
        );
        for seat in all.iter() {
            if view.role(seat).is_some() {
                assert_eq!(seen.role(seat), view.role(seat));
            }
        }
        // No card lies in two hands, none that the viewer sees lies in another's, and roles are as assumed.
        let mut cards = std::collections::BTreeSet::new();
        for seat in all.minus(view.phantoms()).iter() {
            let theirs = game.view(Some(seat), dealer.known(seat));
            assert_eq!(
                theirs.role(seat) == Some(Role::Shadow),
                shadows.contains(seat)
            );
            for (_, card) in theirs.hand() {
                assert!(cards.insert(card), "{card:?} twice");
                assert!(!view.laid(card.world).contains(card.value));
            }
            assert_eq!(theirs.hand().count(), view.hand_size(seat));
        }
        if let Some((card, to)) = view.gift()
            && !view.laid(card.world).contains(card.value)
            && view.trick().cards.iter().all(|(_, c)| *c != Some(card))
            && view.trick().stray.is_none_or(|(_, c)| c != card)
            && !view.phantoms().contains(to)
        {
            let theirs = game.view(Some(to), dealer.known(to));
            assert!(
                theirs.hand().any(|(_, c)| c == card),
                "the gift stays with its receiver"
            );
        }
        // It goes on to the round's end.
        let round = view.round();
        let mut bot = Random::new();
        loop {
            dealer.serve(&mut game, rng, |_| {}).unwrap();
            let Awaits::Seats(seats) = game.awaits() else {
                break;
            };
            let seat = seats.iter().next().unwrap();
            let theirs = game.view(Some(seat), dealer.known(seat));
            if theirs.round() != round {
                break;
            }
            let action = bot.choose(&theirs, rng).unwrap();
            dealer.check(&game.claims(seat, &action)).unwrap();
            game.apply(seat, action).unwrap();
        }
    });
}
