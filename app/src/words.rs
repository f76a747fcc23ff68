//! The sentences of play: names of the pieces, events, reasons and prompts. What a screen alone says stands with the screen.
//!
//! Every message goes through `shamans_net::words`, in the language of the moment.

pub mod advice;
pub mod asked;
pub mod happened;
pub mod talk;
pub mod trouble;
pub mod tutorial;

pub use shamans_net::words::{Language, fill, mark, speak, tr, tr_n};

use shamans_core::bot::Skill;

use crate::{
    pieces::{Artefact, Card, Ritual, Role, World},
    session::snapshot::Bot,
};

/// What stands on a button, without the mark of its mnemonic: a screen reader would read it out twice, once with the mark.
pub fn answer(label: &str) -> String {
    label.replace('_', "")
}

/// What the art files and style classes call a world.
pub fn world_key(world: World) -> &'static str {
    ["dream", "river", "forest", "sun", "wind", "stone", "fire"]
        .get(world.index())
        .copied()
        .unwrap_or("stone")
}

/// A world's name.
pub fn world(world: World) -> String {
    match world_key(world) {
        "dream" => tr("Dream"),
        "river" => tr("River"),
        "forest" => tr("Forest"),
        "sun" => tr("Sun"),
        "wind" => tr("Wind"),
        "fire" => tr("Fire"),
        _ => tr("Stone"),
    }
}

/// A card: "River 4".
pub fn card(card: Card) -> String {
    fill(
        "{world} {value}",
        &[
            ("world", &world(card.world)),
            ("value", &card.value.to_string()),
        ],
    )
}

/// What the art files call an artefact.
pub fn artefact_key(artefact: Artefact) -> &'static str {
    match artefact {
        Artefact::Dagger => "tile-dagger",
        Artefact::Portal => "tile-portal",
        Artefact::Moonstone => "tile-moonstone",
        Artefact::Mask => "tile-mask",
    }
}

/// An artefact's name.
pub fn artefact(artefact: Artefact) -> String {
    match artefact {
        Artefact::Dagger => tr("Ritual Dagger"),
        Artefact::Portal => tr("Portal"),
        Artefact::Moonstone => tr("Moonstone"),
        Artefact::Mask => tr("Mask of Truth"),
    }
}

/// What an artefact is good for, in a sentence.
pub fn artefact_use(artefact: Artefact) -> String {
    match artefact {
        Artefact::Dagger => tr("Eliminates a player when you complete a world of Neutralisation."),
        Artefact::Portal => tr("Discard it at any moment to move the Shadow one step either way."),
        Artefact::Moonstone => tr("Two of them at the end of the round are worth 2 points."),
        Artefact::Mask => tr("Whoever takes it must show their identity."),
    }
}

/// What the art files call a ritual.
pub fn ritual_key(ritual: Ritual) -> &'static str {
    match ritual {
        Ritual::Stabilisation => "glyph-stabilisation",
        Ritual::Permutation => "glyph-permutation",
        Ritual::Illumination => "glyph-illumination",
        Ritual::Neutralisation => "glyph-neutralisation",
    }
}

/// A ritual's name.
pub fn ritual(ritual: Ritual) -> String {
    match ritual {
        Ritual::Stabilisation => tr("Stabilisation"),
        Ritual::Permutation => tr("Permutation"),
        Ritual::Illumination => tr("Illumination"),
        Ritual::Neutralisation => tr("Neutralisation"),
    }
}

/// What a ritual does, in a sentence.
pub fn ritual_use(ritual: Ritual) -> String {
    match ritual {
        Ritual::Stabilisation => tr("Move the Shadow back two steps, or take an artefact."),
        Ritual::Permutation => tr("Swap identity cards with another player."),
        Ritual::Illumination => tr("One point at once."),
        Ritual::Neutralisation => tr("With a Ritual Dagger, eliminate another player."),
    }
}

/// What the art files call an identity.
pub fn role_key(role: Role) -> &'static str {
    match role {
        Role::Shaman => "identity-shaman",
        Role::Shadow => "identity-shadow",
    }
}

/// An identity's name.
pub fn role(role: Role) -> String {
    match role {
        Role::Shaman => tr("Shaman"),
        Role::Shadow => tr("Shadow"),
    }
}

/// How well a bot plays.
pub fn skill(skill: Skill) -> String {
    match skill {
        Skill::Random => tr("Random"),
        Skill::Easy => tr("Easy"),
        Skill::Sensible => tr("Sensible"),
        Skill::Strong => tr("Strong"),
    }
}

/// The honest mark of a bot.
pub fn bot(bot: &Bot) -> String {
    match bot {
        Bot::Here => tr("bot"),
        Bot::RunBy(operator) => fill(
            "bot, run by {name}, who can see its cards",
            &[("name", operator)],
        ),
    }
}

/// What a phantom's seat is called, counted from 0.
pub fn phantom(seat: usize) -> String {
    fill("Phantom {n}", &[("n", &(seat + 1).to_string())])
}

/// "9 cards".
pub fn cards(n: usize) -> String {
    tr_n("1 card", "{n} cards", n)
}

/// "2 points".
pub fn points(n: usize) -> String {
    tr_n("1 point", "{n} points", n)
}

/// How far the Moon is.
pub fn steps_left(n: usize) -> String {
    match n {
        0 => tr("The Shadow has reached the Moon"),
        _ => tr_n("1 step to the Moon", "{n} steps to the Moon", n),
    }
}

/// What the check of a deal proves, and what it does not.
pub fn deal_proof() -> String {
    let proved = tr(
        "Every player shuffled the sealed cards in turn. After the round all secrets were revealed, and your computer has done every shuffle and every deal again and found the same cards: nobody chose, swapped or doubled a card, and everybody played by the rules.",
    );
    format!("{proved}\n\n{}", deal_limits())
}

/// What no check of a deal can prove.
pub fn deal_limits() -> String {
    tr(
        "It does not prove what no computer can see: who looked at whose screen, or what players told each other away from the table.",
    )
}
