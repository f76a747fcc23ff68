//! Decisions as prompts: what is asked, the choices with their names, and why a card cannot be chosen now.

use super::{artefact, card, fill, happened::Names, mark, ritual, ritual_use, tr, tr_n, world};
use crate::{
    pieces::{Action, Moment, Pick, Seat, Side, Way},
    session::snapshot::{Ask, Snapshot},
};

/// A button of the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What stands on it.
    pub label: String,
    /// What it does, or why it cannot be pressed.
    pub description: String,
    /// What it sends; `None` for a choice that is shown but not open.
    pub action: Option<Action>,
    /// A style class: "suggested-action", "destructive-action" or none.
    pub class: &'static str,
    /// The advice is to choose it.
    pub advised: bool,
}

impl Choice {
    /// Marks it if this is what is advised. Two daggers or two Portals are two ways to the same end: one button.
    pub fn mark(&mut self, advised: Option<Action>) {
        let same = match (self.action, advised) {
            (Some(Action::Strike { target, .. }), Some(Action::Strike { target: other, .. })) => {
                target == other
            }
            (Some(Action::Portal { way, .. }), Some(Action::Portal { way: other, .. })) => {
                way == other
            }
            (Some(action), Some(advised)) => action == advised,
            (None, _) | (_, None) => false,
        };
        if same {
            self.advised = true;
            self.description = format!("{} {}", tr("Advised."), self.description);
        }
    }
}

fn choice(
    label: String,
    description: String,
    action: Option<Action>,
    class: &'static str,
) -> Choice {
    Choice {
        label,
        description,
        action,
        class,
        advised: false,
    }
}

/// What the banner asks of the reader.
pub fn question(ask: Ask, table: &Snapshot, names: Names<'_>) -> String {
    match ask {
        Ask::Play => match table.trick.destination {
            None => tr("You are the Guide: lead any card. Its world is the Destination."),
            Some(led) => fill(
                "Your turn. {world} is led: another world moves the Shadow.",
                &[("world", &world(led))],
            ),
        },
        Ask::Take => tr("Choose an artefact: one that lies face up, or the top of the pile."),
        Ask::Stabilise => tr("Stabilisation: move the Shadow back two steps, or take an artefact."),
        Ask::Permute => tr("Permutation: choose a player to swap identity cards with."),
        Ask::Strike { must: true } => {
            tr("Neutralisation: your Ritual Dagger must strike. Whom do you eliminate?")
        }
        Ask::Strike { must: false } => {
            tr("Neutralisation: turn up a face-down dagger and eliminate someone?")
        }
        Ask::Order => tr("Several worlds are complete: which ritual is next?"),
        Ask::React(moment) => format!("{} {}", moment_words(moment, names), tr("Open a Portal?")),
        Ask::Give(Side::Left) => tr("Eclipse: choose a card to pass to the left."),
        Ask::Give(Side::Right) => tr("Eclipse: choose a card to pass to the right."),
        Ask::NameGuide => tr("You were highest, but are out: name the next Guide."),
    }
}

fn moment_words(moment: Moment, names: Names<'_>) -> String {
    match moment {
        Moment::Moon { steps } => tr_n(
            "The Shadow is about to take 1 step and reach the Moon.",
            "The Shadow is about to take {n} steps and reach the Moon.",
            usize::from(steps),
        ),
        Moment::Dagger { by, target } => {
            let values = [("by", &*names.of(by)), ("target", &*names.of(target))];
            if target == names.me {
                fill("{by} is about to eliminate you.", &values)
            } else if by == names.me {
                fill("You are about to eliminate {target}.", &values)
            } else {
                fill("{by} is about to eliminate {target}.", &values)
            }
        }
        Moment::LastCards => {
            tr("No cards are left and the Moon is near: the round is about to end.")
        }
    }
}

/// What the banner says while others decide.
pub fn waiting(ask: Ask, who: &str) -> String {
    let message = match ask {
        Ask::Play => mark("{who} to play a card."),
        Ask::Take => mark("{who} chooses an artefact."),
        Ask::Stabilise => mark("{who} chooses: back two steps, or an artefact."),
        Ask::Permute => mark("{who} chooses whose identity to take."),
        Ask::Strike { must: _ } => mark("{who} decides about a dagger."),
        Ask::Order => mark("{who} chooses the next ritual."),
        Ask::React(_) => mark("{who} may open a Portal."),
        Ask::Give(_) => mark("Waiting for {who} to choose a card."),
        Ask::NameGuide => mark("{who} names the next Guide."),
    };
    fill(message, &[("who", who)])
}

fn targets<'a>(
    table: &'a Snapshot,
    names: Names<'a>,
    class: &'static str,
    message: &'static str,
    target: impl Fn(&Action) -> Option<Seat> + 'a,
) -> impl Iterator<Item = Choice> + 'a {
    let mut seen = Vec::new();
    table.legal.iter().filter_map(move |action| {
        let seat = target(action)?;
        // Two daggers are two ways to the same end: one button.
        if seen.contains(&seat) {
            return None;
        }
        seen.push(seat);
        let name = names.of(seat);
        Some(choice(
            name.clone(),
            fill(message, &[("name", &name)]),
            Some(*action),
            class,
        ))
    })
}

/// The first legal portal in that direction.
pub fn portal(table: &Snapshot, towards: Way) -> Option<Action> {
    table
        .legal
        .iter()
        .copied()
        .find(|action| matches!(action, Action::Portal { way, .. } if *way == towards))
}

/// The buttons of the prompt. Choices made on the table itself (a card, a tile) get none.
pub fn choices(ask: Ask, table: &Snapshot, names: Names<'_>) -> Vec<Choice> {
    let legal = |action: Action| table.legal.contains(&action).then_some(action);
    match ask {
        Ask::Play | Ask::Take | Ask::Give(_) => Vec::new(),
        Ask::Stabilise => vec![
            choice(
                tr("Back two steps"),
                tr("The Shadow moves away from the Moon."),
                legal(Action::MoveBack),
                "suggested-action",
            ),
            choice(
                tr("Take an artefact"),
                tr("The Shadow stays where it is."),
                legal(Action::TakeInstead),
                "",
            ),
        ],
        Ask::Permute => targets(
            table,
            names,
            "",
            mark("Swap identity cards with {name}."),
            |action| match action {
                Action::Swap { with } => Some(*with),
                _ => None,
            },
        )
        .collect(),
        Ask::Strike { must } => {
            let mut choices: Vec<Choice> = targets(
                table,
                names,
                "destructive-action",
                mark("Discard a dagger and eliminate {name}."),
                |action| match action {
                    Action::Strike { target, .. } => Some(*target),
                    _ => None,
                },
            )
            .collect();
            if !must {
                choices.push(choice(
                    tr("Eliminate nobody"),
                    tr("Your face-down tiles stay down."),
                    legal(Action::Spare),
                    "",
                ));
            }
            choices
        }
        Ask::Order => {
            let ritual_of = |w| {
                table
                    .worlds
                    .iter()
                    .find(|seen| seen.world == w)
                    .map(|seen| seen.ritual)
            };
            let perform = |action: &Action| match action {
                Action::Perform { world: w } => {
                    let done = ritual_of(*w);
                    let label = done.map(ritual).unwrap_or_default();
                    Some(choice(
                        format!("{}: {label}", world(*w)),
                        done.map(ritual_use).unwrap_or_default(),
                        Some(*action),
                        "",
                    ))
                }
                _ => None,
            };
            table.legal.iter().filter_map(perform).collect()
        }
        Ask::React(_) => {
            let none = tr(
                "You have no Portal. Everyone with a face-down tile is asked, so that being asked tells nothing.",
            );
            let way = |label: String, way: Way| {
                let action = portal(table, way);
                let description = if action.is_some() {
                    tr("Discards your Portal.")
                } else {
                    none.clone()
                };
                choice(label, description, action, "")
            };
            vec![
                choice(
                    tr("No Portal"),
                    tr("Play goes on."),
                    legal(Action::Decline),
                    "suggested-action",
                ),
                way(tr("One step away"), Way::Back),
                way(tr("One step to the Moon"), Way::Forward),
            ]
        }
        Ask::NameGuide => targets(
            table,
            names,
            "",
            mark("{name} leads the next trick."),
            |action| match action {
                Action::NameGuide { seat } => Some(*seat),
                _ => None,
            },
        )
        .collect(),
    }
}

/// The confirm button for a chosen card that is covered: nothing of what it is.
pub fn confirm_covered(ask: Ask) -> String {
    match ask {
        Ask::Give(_) => tr("Pass the covered card"),
        Ask::Play
        | Ask::Take
        | Ask::Stabilise
        | Ask::Permute
        | Ask::Strike { .. }
        | Ask::Order
        | Ask::React(_)
        | Ask::NameGuide => tr("Play the covered card"),
    }
}

/// The confirm button for a chosen card.
pub fn confirm(ask: Ask, chosen: crate::pieces::Card) -> String {
    let message = match ask {
        Ask::Give(_) => mark("Pass {card}"),
        Ask::Play
        | Ask::Take
        | Ask::Stabilise
        | Ask::Permute
        | Ask::Strike { .. }
        | Ask::Order
        | Ask::React(_)
        | Ask::NameGuide => mark("Play {card}"),
    };
    fill(message, &[("card", &card(chosen))])
}

/// The confirm button for a tile or player; none for what is done at once.
pub fn confirm_pick(picked: Action, table: &Snapshot, names: Names<'_>) -> Option<String> {
    match picked {
        Action::Take(Pick::FaceUp(place)) => {
            let tile = table.offer.get(usize::from(place)).copied().flatten()?;
            Some(fill("Take {tile}", &[("tile", &artefact(tile))]))
        }
        Action::Take(Pick::Pile) => Some(tr("Take from the pile")),
        Action::Strike { target, .. } => {
            Some(fill("Eliminate {name}", &[("name", &names.of(target))]))
        }
        Action::Swap { with } => Some(fill(
            "Swap identities with {name}",
            &[("name", &names.of(with))],
        )),
        _ => None,
    }
}

/// What choosing this card does, or why it cannot be chosen.
pub fn card_reason(table: &Snapshot, mine: bool, chosen: crate::pieces::Card) -> String {
    match table.ask {
        Some(Ask::Play) if mine => match table.trick.destination {
            None => fill("Leads {world}.", &[("world", &world(chosen.world))]),
            Some(led) if led == chosen.world => tr("Serves the Destination."),
            Some(_) => fill(
                "Moves the Shadow one step and goes to {world}.",
                &[("world", &world(chosen.world))],
            ),
        },
        Some(Ask::Give(_)) if mine => tr("Passes this card on."),
        Some(_) if mine => tr("There is something else to decide first."),
        Some(_) | None => tr("It is not your turn."),
    }
}
