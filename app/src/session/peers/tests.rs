//! Practise tables played through.

use shamans_core::{
    bot::Skill,
    record::{Finding, Record, verify},
    shamans::Event,
};

use super::*;

fn beginning(seats: usize, phantoms: usize, seed: u64, skill: Skill) -> Beginning {
    Beginning {
        names: (0..seats).map(|i| format!("P{i}")).collect(),
        phantoms,
        seed,
        skill,
    }
}

/// Plays one round, the player's moves by a bot, and gives the record with what was done.
fn play_a_round(beginning: &Beginning) -> (Record, Vec<(Seat, Action)>) {
    let mut peers = Peers::new(beginning).unwrap();
    let mut bot = Skill::Sensible.bot();
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let (mut ended, mut fair, mut done) = (0, None, Vec::new());
    for _ in 0..200 {
        let told = peers.run(|told| {
            let happened = match told {
                Told::Settled(_, happened) => happened,
                Told::Acted(seat, action) => {
                    done.push((seat, action));
                    return Ok(None);
                }
                Told::MayInterrupt(_) | Told::Recalled => return Ok(None),
            };
            for happening in happened {
                match happening {
                    Happening::Event {
                        event: Event::RoundEnded { .. },
                        ..
                    } => ended += 1,
                    Happening::Audited { verdict, .. } => fair = Some(verdict.is_complete()),
                    _ => {}
                }
            }
            Ok::<_, ()>(None)
        });
        assert_eq!(told, Ok(()));
        if fair.is_some() {
            break;
        }
        let known = peers.mine().known();
        let view = peers.mine().game().view(Some(ME), &known);
        let action = bot.choose(&view, &mut rng).unwrap();
        assert!(peers.act(&action).is_ok());
        done.push((ME, action));
    }
    assert_eq!(ended, 1, "one round was played");
    assert_eq!(fair, Some(true), "and its deal was checked");
    let mine = peers.mine();
    (Record::new(mine.genesis(), mine.log()), done)
}

#[test]
fn a_round_among_peers_is_played_out_and_audited_as_fair() {
    play_a_round(&beginning(3, 0, 5, Skill::Sensible));
}

/// PHA-1, PHA-3: phantoms fill a practise table, one person alone with them too; the record verifies, and the game goes on after the
/// same moves with the same cards.
#[test]
fn phantoms_fill_a_practise_table() {
    for (seats, phantoms) in [(3, 1), (3, 2), (5, 2), (4, 3)] {
        let beginning = beginning(seats, phantoms, 11, Skill::Easy);
        let (record, done) = play_a_round(&beginning);
        let report = verify::<Shamans>(&record);
        // The game has more rounds to come.
        assert_eq!(report.finding, Finding::Unfinished);
        let audited: Vec<usize> = report
            .audits
            .iter()
            .map(|deal| deal.audited.len())
            .collect();
        assert_eq!(audited, [seats - phantoms], "all who hold a key");
        let unheld = report.players.iter().filter(|player| player.is_none());
        assert_eq!(unheld.count(), phantoms);
        let mut again = Peers::new(&beginning).unwrap();
        let half = done.len() / 2;
        again.recall(done.get(..half).unwrap().to_vec());
        let mut recalled = 0;
        again
            .run(|told| {
                match told {
                    Told::Recalled => recalled += 1,
                    Told::Settled(..) | Told::Acted(..) | Told::MayInterrupt(_) => {}
                }
                Ok::<_, ()>(None)
            })
            .unwrap();
        assert_eq!(recalled, half, "all that was done can be done again");
        assert_eq!(again.mine().game().phantoms().len(), phantoms);
    }
}

#[test]
fn the_same_seed_deals_the_same_hand() {
    let hand = |seed| {
        let mut peers = Peers::new(&beginning(4, 0, seed, Skill::Random)).unwrap();
        peers.run(|_| Ok::<_, ()>(None)).unwrap();
        let known = peers.mine().known();
        let view = peers.mine().game().view(Some(ME), &known);
        view.hand().map(|(_, card)| card).collect::<Vec<_>>()
    };
    assert_eq!(hand(7), hand(7));
    assert_ne!(hand(7), hand(8));
}

#[test]
fn a_portal_can_be_used_on_another_players_turn() {
    // Games are played until the player holds a Portal while another is awaited.
    for seed in 0..40 {
        let mut peers = Peers::new(&beginning(3, 0, seed, Skill::Sensible)).unwrap();
        let mut bot = Skill::Sensible.bot();
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (mut sent, mut used) = (false, 0);
        for _ in 0..12 {
            let told = peers.run(|told| {
                match told {
                    Told::Settled(_, happened) => {
                        let portal = |happening: &Happening<Shamans>| {
                            matches!(happening, Happening::Event { event: Event::PortalUsed { seat, .. }, .. } if *seat == ME)
                        };
                        used += happened.iter().filter(|happening| portal(happening)).count();
                    }
                    Told::MayInterrupt(table) if !sent => {
                        sent = true;
                        let known = table.known();
                        let legal = table.game().view(Some(ME), &known).legal();
                        let portal = |action: &Action| matches!(action, Action::Portal { .. });
                        return Ok(legal.into_iter().find(portal));
                    }
                    Told::MayInterrupt(_) | Told::Acted(..) | Told::Recalled => {}
                }
                Ok::<_, ()>(None)
            });
            assert_eq!(told, Ok(()));
            if sent {
                assert_eq!(used, 1, "the Portal was used out of turn");
                return;
            }
            let known = peers.mine().known();
            let view = peers.mine().game().view(Some(ME), &known);
            // Portals are kept for the turns of others.
            let mut actions = view.legal();
            actions.retain(|action| !matches!(action, Action::Portal { .. }));
            let wise = bot.choose(&view, &mut rng);
            let action = wise
                .filter(|action| actions.contains(action))
                .or(actions.first().copied());
            let Some(action) = action else { break };
            assert!(peers.act(&action).is_ok());
        }
    }
    panic!("no Portal came to the player in forty games");
}

#[test]
fn long_names_are_cut_between_letters() {
    assert_eq!(short("Eliška"), "Eliška");
    let long = "š".repeat(40);
    assert_eq!(short(&long), "š".repeat(30));
}
