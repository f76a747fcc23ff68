//! Advice as sentences: what to do, how likely it wins, and why. The reasons are the bot's, from what the player can see.

use super::{artefact, artefact_use, card, fill, happened::Names, ritual, tr, tr_n, world};
use crate::{
    pieces::{Action, Pick, Way},
    session::snapshot::Snapshot,
};
use shamans_core::bot::advice::{Counsel, Reason};

/// The most reasons said for and against.
const MOST: usize = 3;

/// What the hint says, part by part.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hint {
    /// What to do.
    pub title: String,
    /// How likely that wins, and what else comes near.
    pub chance: String,
    /// What speaks for it, in sentences; may be empty.
    pub good: String,
    /// What speaks against it; may be empty.
    pub bad: String,
}

/// From 0 to 100.
fn percent(likely: f32) -> String {
    format!("{:.0}", likely.clamp(0.0, 1.0) * 100.0)
}

/// An action as something that can be advised: "play River 4".
fn deed(action: &Action, table: &Snapshot, names: Names<'_>) -> String {
    match *action {
        Action::Play { slot: _, card: c } => match table.trick.destination {
            None => fill("lead {card}", &[("card", &card(c))]),
            Some(_) => fill("play {card}", &[("card", &card(c))]),
        },
        Action::Take(Pick::FaceUp(place)) => {
            let tile = table.offer.get(usize::from(place)).copied().flatten();
            let name = tile.map(artefact).unwrap_or_default();
            fill("take this tile: {tile}", &[("tile", &name)])
        }
        Action::Take(Pick::Pile) => tr("take the top of the pile"),
        Action::MoveBack => tr("move the Shadow back two steps"),
        Action::TakeInstead => tr("take an artefact"),
        Action::Swap { with } => fill("swap identities with {name}", &[("name", &names.of(with))]),
        Action::Strike {
            tile: _,
            face: _,
            target,
        } => fill("eliminate {name}", &[("name", &names.of(target))]),
        Action::Spare => tr("eliminate nobody"),
        Action::Portal {
            tile: _,
            face: _,
            way: Way::Back,
        } => tr("open a Portal: one step away from the Moon"),
        Action::Portal {
            tile: _,
            face: _,
            way: Way::Forward,
        } => tr("open a Portal: one step to the Moon"),
        Action::Decline => tr("open no Portal"),
        Action::Give { slot } => {
            let held = table.hand.iter().find(|seen| seen.slot == slot);
            let name = held.map(|seen| card(seen.card)).unwrap_or_default();
            fill("pass on {card}", &[("card", &name)])
        }
        Action::Perform { world: w } => {
            let seen = table.worlds.iter().find(|seen| seen.world == w);
            let name = seen.map(|seen| ritual(seen.ritual)).unwrap_or_default();
            fill("perform this ritual first: {ritual}", &[("ritual", &name)])
        }
        Action::NameGuide { seat } => fill("name {name}", &[("name", &names.of(seat))]),
    }
}

/// A reason in a sentence.
fn reason(reason: Reason, names: Names<'_>) -> String {
    match reason {
        Reason::Follows => tr("It serves the Destination, and the Shadow stays where it is."),
        Reason::Strays { forced: true } => {
            tr("You have no card of the Destination, so the Shadow moves a step.")
        }
        Reason::Strays { forced: false } => tr("The Shadow moves a step."),
        Reason::OthersStray { steps } if steps < 0.5 => tr("The others can probably follow it."),
        Reason::OthersStray { steps } => tr_n(
            "Probably 1 player will not follow it.",
            "Probably {n} players will not follow it.",
            steps.round() as usize,
        ),
        Reason::MovesPawn { steps: ..=-1 } => tr("The Shadow moves away from the Moon."),
        Reason::MovesPawn { steps: 0.. } => tr("The Shadow moves a step."),
        Reason::ReachesMoon => {
            tr("The Shadow reaches the Moon: the Shadows win the round at once.")
        }
        Reason::KeepsFromMoon => tr("It keeps the Shadow away from the Moon."),
        Reason::Lowest { likely } => fill(
            "With {percent} % it stays the lowest and brings you an artefact.",
            &[("percent", &percent(likely))],
        ),
        Reason::Highest { likely } => fill(
            "With {percent} % it stays the highest and you lead the next trick.",
            &[("percent", &percent(likely))],
        ),
        Reason::Completes {
            world: w,
            ritual: r,
        } => fill(
            "{world} may become complete: {ritual}.",
            &[("world", &world(w)), ("ritual", &ritual(r))],
        ),
        Reason::LastOf { world: w } => fill(
            "It is your last card of {world}: when that world is led, you cannot follow.",
            &[("world", &world(w))],
        ),
        Reason::GivesAway => tr("Others may find out later that you could have followed."),
        Reason::StaysHidden => tr("You play like a Shaman and stay hidden."),
        Reason::ShowsIdentity => tr("Everyone sees your identity."),
        Reason::Takes {
            artefact: Some(tile),
        } => artefact_use(tile),
        Reason::Takes { artefact: None } => tr("A tile that only you know may be worth much."),
        Reason::CompletesMoonstones => {
            tr("Two Moonstones at the end of the round are worth points.")
        }
        Reason::Hits { target, shadow } => fill(
            "From what was played, {name} is a Shadow with {percent} %.",
            &[("name", &names.of(target)), ("percent", &percent(shadow))],
        ),
        Reason::Becomes { with: _, shadow } => fill(
            "After the swap you are a Shadow with {percent} %.",
            &[("percent", &percent(shadow))],
        ),
        Reason::Waits => tr("What you hold is kept for a better moment."),
        Reason::HoldsBack { seat } => fill(
            "{name} leads then, and has points already.",
            &[("name", &names.of(seat))],
        ),
    }
}

/// What the strong bot advises, in words; `None` if there is nothing to advise.
pub fn hint(counsels: &[Counsel], table: &Snapshot, names: Names<'_>) -> Option<Hint> {
    let best = counsels.first()?;
    let what = |counsel: &Counsel| deed(&counsel.action, table, names);
    let title = fill("Advice: {what}.", &[("what", &what(best))]);
    let mut chance = Vec::new();
    if best.tries > 0 {
        chance.push(fill(
            "With it you win the game about {percent} times out of 100.",
            &[("percent", &percent(best.chance))],
        ));
    } else {
        chance.push(tr("There is no other choice."));
    }
    if let Some(next) = counsels.get(1).filter(|next| next.tries > 0) {
        chance.push(fill(
            "Next best: {what}, {percent} times.",
            &[("what", &what(next)), ("percent", &percent(next.chance))],
        ));
    }
    let side = |good: bool| {
        let told = best.arguments.iter().filter(|a| (a.weight > 0.0) == good);
        let told = told.take(MOST).map(|a| reason(a.reason, names));
        told.collect::<Vec<_>>().join(" ")
    };
    Some(Hint {
        title,
        chance: chance.join(" "),
        good: side(true),
        bad: side(false),
    })
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use shamans_core::{
        bot::{Bot, Sensible, advice::advise},
        game::{Awaits, ClearDealer, Game},
        shamans::{Setup, Shamans},
    };

    use super::*;
    use crate::session::look::look;

    /// Whole games: whatever is asked, the advice is a sentence about a legal action, without a gap.
    #[test]
    fn every_decision_has_its_advice_in_whole_sentences() {
        let names = ["Ada", "Bruno", "Cyril", "Dana", "Eva"].map(str::to_owned);
        let (mut told, mut kinds) = (0, std::collections::BTreeSet::new());
        for seed in 0..12 {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let mut game = Shamans::new(&Setup::new(5)).unwrap();
            let mut dealer = ClearDealer::new(5);
            let mut bot = Sensible::new();
            loop {
                dealer
                    .serve_into(&mut game, &mut rng, &mut Vec::new())
                    .unwrap();
                let seat = match game.awaits() {
                    Awaits::Seats(seats) => seats.iter().next().unwrap(),
                    Awaits::Decks(_) | Awaits::Nothing => break,
                };
                let view = game.view(Some(seat), dealer.known(seat));
                let table = look(&view, seat, &names);
                let people = Names {
                    names: &names,
                    me: seat,
                };
                let counsels = advise(&view, 4, &mut rng);
                assert!(table.legal.contains(&counsels.first().unwrap().action));
                let hint = hint(&counsels, &table, people).unwrap();
                for text in [&hint.title, &hint.chance, &hint.good, &hint.bad] {
                    assert!(!text.contains(['{', '}']), "{text}");
                    assert!(!text.contains(" ."), "{text}");
                    assert!(text.is_empty() || text.ends_with('.'), "{text}");
                }
                told += 1;
                kinds.insert(
                    format!("{:?}", table.ask)
                        .chars()
                        .take(9)
                        .collect::<String>(),
                );
                let action = bot.choose(&view, &mut rng).unwrap();
                game.apply(seat, action).unwrap();
            }
        }
        assert!(told > 500, "{told}");
        assert!(kinds.len() >= 7, "{kinds:?}");
    }
}
