//! Bots answer whatever the rules can ask of them, and only with what is legal; what they imagine fits what they know. Advice and the
//! story of a round say what they should.
//!
//! `SHAMANS_POSITIONS=1000000 cargo test --release --package shamans-tests --test bots every_decision` asks every bot in a million
//! positions.

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use shamans_core::{
    bot::{
        Bot, Random, Skill,
        advice::{self, Reason},
        moments::Story,
    },
    game::{Awaits, ClearDealer, Game, Known, PerSeat, Seat, SeatSet},
    shamans::{Action, Decision, Role, Setup, Shamans, View, Way, imagine::Assumed},
};

/// Random games at every table, with every number of phantoms; `look` sees each position through the eyes of the seat that decides.
fn walk(
    games: std::ops::Range<u64>,
    mut look: impl FnMut(&View<'_>, &mut Xoshiro256PlusPlus),
) -> usize {
    let mut positions = 0;
    for players in 3..=5u8 {
        for phantoms in 0..players {
            for game in games.clone() {
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

/// Enough to search with, not to find anything.
const TINY: u32 = 2;

#[test]
fn every_decision_is_answered_with_a_legal_action() {
    let wanted = std::env::var("SHAMANS_POSITIONS").ok();
    let wanted: Option<usize> = wanted.map(|n| n.parse().expect("SHAMANS_POSITIONS is a number"));
    // A position in so many asks the bot that searches.
    let seldom = if wanted.is_some() { 1 } else { 25 };
    let mut bots = Skill::ALL.map(|skill| (skill, skill.bot_with(TINY)));
    let mut asked = [0usize; 9];
    let (mut positions, mut first) = (0, 0);
    while positions < wanted.unwrap_or(100_000) {
        let mut at = 0;
        positions += walk(first..first + 120, |view, rng| {
            at += 1;
            let legal = view.legal();
            for (skill, bot) in &mut bots {
                if *skill == Skill::Strong && at % seldom != 0 {
                    continue;
                }
                let action = bot.choose(view, rng).expect("an awaited seat can act");
                assert!(legal.contains(&action), "{skill}: {action:?} of {legal:?}");
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
        first += 120;
    }
    println!("{positions} positions, by kind of decision: {asked:?}");
    assert!(
        asked.iter().all(|&times| times > 0),
        "every kind of decision comes up: {asked:?}"
    );
}

#[test]
fn advice_is_about_what_is_legal_and_the_same_for_the_same_chance() {
    let (mut every, mut winning) = (0, 0);
    walk(0..2, |view, rng| {
        every += 1;
        let me = view.seat().unwrap();
        let legal = view.legal();
        let wins_now = |action: &Action| {
            matches!(
                action,
                Action::Portal {
                    way: Way::Forward,
                    ..
                }
            ) && view.steps_to_moon() == 1
                && view.role(me) == Some(Role::Shadow)
        };
        let can_win = legal.iter().any(wins_now) && view.round() == 1;
        if every % 40 != 0 && !can_win {
            return;
        }
        let seed = rng.random();
        let ask = || advice::advise(view, 24, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let counsels = ask();
        assert_eq!(counsels, ask());
        let mut listed: Vec<_> = counsels.iter().map(|counsel| counsel.action).collect();
        assert!(!listed.is_empty());
        assert!(listed.iter().all(|action| legal.contains(action)));
        listed.dedup();
        assert_eq!(listed.len(), counsels.len(), "no action twice");
        for counsel in &counsels {
            assert!((0.0..=1.0).contains(&counsel.chance));
            assert!(counsel.tries > 0 || legal.len() == 1);
            let heavier = counsel.arguments.windows(2);
            assert!(
                heavier
                    .map(|pair| pair[0].weight.abs() - pair[1].weight.abs())
                    .all(|gap| gap >= 0.0),
                "the weightiest first"
            );
            let follows = |reason: &Reason| matches!(reason, Reason::Follows);
            if counsel.arguments.iter().any(|a| follows(&a.reason)) {
                let Action::Play { slot: _, card } = counsel.action else {
                    panic!("only a card follows");
                };
                assert_eq!(view.trick().destination, Some(card.world));
            }
        }
        // In the first round nobody's points stand against it.
        if can_win {
            winning += 1;
            let best = counsels.first().unwrap();
            assert!(wins_now(&best.action), "{best:?}");
            assert_eq!(best.arguments[0].reason, Reason::ReachesMoon);
        }
    });
    assert!(winning > 0, "nobody could win with a Portal");
}

/// After the round all hands may be looked into: eyes that have seen them all imagine nothing else.
#[test]
fn eyes_that_have_seen_everything_imagine_every_hand_as_it_is() {
    for players in 3..=5 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(players.into());
        let mut game = Shamans::new(&Setup::new(players)).unwrap();
        let mut dealer = ClearDealer::new(game.seats());
        let mut bot = Skill::Sensible.bot();
        for _ in 0..150 {
            dealer.serve(&mut game, &mut rng, |_| {}).unwrap();
            let Awaits::Seats(seats) = game.awaits() else {
                break;
            };
            let all = SeatSet::first(game.seats());
            let mut eyes = Known::new();
            for (slot, face) in all.iter().flat_map(|seat| dealer.known(seat).faces()) {
                eyes.learn(slot, face);
            }
            let open = game.view(None, &eyes);
            let shadows = all
                .iter()
                .filter(|&seat| open.role(seat) == Some(Role::Shadow))
                .collect();
            let assumed = Assumed {
                shadows,
                none_of: PerSeat::default(),
            };
            let (imagined, cards) = open.imagine(&assumed, &mut rng);
            for seat in all.iter() {
                let (theirs, real) = (
                    imagined.view(Some(seat), cards.known(seat)),
                    game.view(Some(seat), dealer.known(seat)),
                );
                assert!(theirs.hand().eq(real.hand()));
                assert!(theirs.tiles(seat).eq(real.tiles(seat)));
                assert_eq!(theirs.role(seat), real.role(seat));
            }
            let seat = seats.iter().next().unwrap();
            let view = game.view(Some(seat), dealer.known(seat));
            let action = bot.choose(&view, &mut rng).unwrap();
            game.apply(seat, action).unwrap();
        }
    }
}

/// Plays one round sensibly and tells its story; gives the winner too.
fn story(players: u8, seed: u64, tries: u32) -> (Story, Role) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = Shamans::new(&Setup::new(players)).unwrap();
    let mut dealer = ClearDealer::new(game.seats());
    let mut bot = Skill::Sensible.bot();
    let mut story = Story::new(tries, 7);
    for step in 0.. {
        while let Awaits::Decks(request) = game.awaits() {
            let winner = game.view(None, dealer.known(Seat(0))).round_winner();
            let answer = dealer.answer(request, &mut rng).unwrap();
            if let Some(winner) = winner {
                game.supply(answer).unwrap();
                story.observe(step, &game, []);
                return (story, winner);
            }
            game.supply(answer).unwrap();
        }
        let everyone = SeatSet::first(game.seats());
        story.observe(step, &game, everyone.iter().map(|seat| dealer.known(seat)));
        let Awaits::Seats(seats) = game.awaits() else {
            panic!("a round ends with its reveal");
        };
        let seat = seats.iter().next().unwrap();
        let view = game.view(Some(seat), dealer.known(seat));
        let action = bot.choose(&view, &mut rng).unwrap();
        game.apply(seat, action).unwrap();
    }
    unreachable!("steps do not end")
}

#[test]
fn the_story_of_a_round_ends_with_its_winner_and_finds_the_greatest_swings() {
    let (mut right, mut rounds) = (0.0, 0.0f32);
    for players in 3..=5 {
        for seed in 0..4 {
            let (told, winner) = story(players, seed, 12);
            let scenes = told.scenes();
            let won = f32::from(u8::from(winner == Role::Shadow));
            assert_eq!(scenes.last().unwrap().shadows, won);
            for scene in scenes {
                assert!((0.0..=1.0).contains(&scene.shadows));
                let all: f32 = (0..players).map(|seat| scene.chances[Seat(seat)]).sum();
                assert!((all - 1.0).abs() < 1e-3, "somebody wins the game: {all}");
            }
            // Not long before the end the curve should know.
            let late = &scenes[scenes.len() * 3 / 4].shadows;
            right += 1.0 - (late - won).abs();
            rounds += 1.0;
            let swings = told.swings(3);
            assert!(swings.len() <= 3 && !swings.is_empty());
            assert!(swings.windows(2).all(|pair| pair[0].step < pair[1].step));
            let least = swings.iter().map(|swing| swing.size()).fold(1.0, f32::min);
            let larger = told.swings(usize::MAX);
            let larger = larger.iter().filter(|swing| swing.size() > least).count();
            assert!(larger < 3, "there are greater swings");
            assert_eq!(story(players, seed, 12).0.scenes(), scenes);
        }
    }
    assert!(right / rounds > 0.6, "{}", right / rounds);
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
    walk(0..4, |view, rng| {
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
