//! What the tutorial says: a title and a text for each lesson, and what to do where a move is asked for.

use super::tr;
use crate::tutorial::lesson::Lesson;

/// Title and text of a page.
pub fn page(lesson: Lesson) -> (String, String) {
    match lesson {
        Lesson::Welcome => (
            tr("Welcome to the table"),
            tr(
                "You join Mila and Oto in the middle of a round. Everyone has a secret identity: most are Shamans, who protect the worlds, and one of you is a Shadow, who wants the dark to reach the Moon.",
            ),
        ),
        Lesson::Identity => (
            tr("Who you are"),
            tr(
                "Your identity lies face down beside your hand. Hold the I key, or press and hold the card, to look at it: you are a Shaman. Nobody else can see it.",
            ),
        ),
        Lesson::Path => (
            tr("The Shadow path"),
            tr(
                "The pawn at the top walks towards the Moon and is five steps away from it. If it gets there, the Shadows win the round. If all cards are played first, the Shamans win.",
            ),
        ),
        Lesson::Lead => (
            tr("You are the Guide"),
            tr(
                "The Guide leads the trick with any card. Choose Sun 2 and confirm: Sun becomes the Destination, the world that Shamans try to protect in this trick.",
            ),
        ),
        Lesson::Followed => (
            tr("Following"),
            tr(
                "Mila has followed with Sun 5. A card of the Destination stays in front of its player until the trick is over. Nobody has to follow, though. Watch Oto.",
            ),
        ),
        Lesson::Strayed => (
            tr("Straying"),
            tr(
                "Oto has not followed: the pawn took a step towards the Moon, and his card went to its own world. Perhaps he had no Sun. Perhaps he is in no hurry to help.",
            ),
        ),
        Lesson::Take => (
            tr("The lowest card takes an artefact"),
            tr(
                "Of the Destination cards yours was the lowest, so you take an artefact: one that lies face up, or the unseen top of the pile. Take the Portal. It will save us later.",
            ),
        ),
        Lesson::NextGuide => (
            tr("The highest card leads"),
            tr(
                "Mila’s card was the highest. She has put both Sun cards to their world and is the next Guide.",
            ),
        ),
        Lesson::Complete => (
            tr("Completing a world"),
            tr(
                "You could follow with River 5. But look at the Forest: only the 4 is missing, and you hold it. Playing it costs a step towards the Moon, yet whoever completes a world performs its ritual. Play Forest 4.",
            ),
        ),
        Lesson::Permutation => (
            tr("Permutation"),
            tr(
                "The Forest’s ritual makes you swap identity cards with another player. Only the two of you will see the cards. Swap with Mila.",
            ),
        ),
        Lesson::Deduce => (
            tr("What you know now"),
            tr(
                "Look at your identity again: still a Shaman. So Mila was one, and she is one now, with the card that was yours. There is one Shadow among three players. It can only be Oto.",
            ),
        ),
        Lesson::FaceDown => (
            tr("A tile nobody has seen"),
            tr(
                "Mila took the top of the pile. She looks at it in secret and keeps it face down: a dagger, a Portal, a Moonstone? Oto’s River 6 was the highest, so now he leads.",
            ),
        ),
        Lesson::Highest => (
            tr("The highest card completes"),
            tr(
                "Oto leads Dream 1. The Dream lacks only the 1 and the 6, and at the end of a trick it is the highest card that puts all of them to their world. Follow with Dream 6.",
            ),
        ),
        Lesson::Moonstones => (
            tr("Moonstones"),
            tr(
                "Oto’s card was the lowest, and he took a Moonstone. Two of them in front of one player are worth 2 points when the round ends.",
            ),
        ),
        Lesson::Eclipse => (
            tr("Eclipse"),
            tr(
                "The gap was filled from the pile, and below that tile lay the Eclipse: everyone passes a card to the left, in secret. Only giver and receiver know it. Pass Wind 6 to Mila.",
            ),
        ),
        Lesson::Illumination => (
            tr("Illumination"),
            tr(
                "You have completed the Dream. Its ritual is worth a point at once, and nobody can take that from you.",
            ),
        ),
        Lesson::LeadRiver => (
            tr("Now the River"),
            tr(
                "You are the Guide. The River lacks only the 4 and the 5. Lead River 5 and hope that nobody can beat it.",
            ),
        ),
        Lesson::Stabilisation => (
            tr("Stabilisation"),
            tr(
                "The River is complete. Its ritual moves the pawn back two steps, or gives you an artefact instead. The Moon is one step away, but you hold a Portal and you know who the Shadow is. Be bold: choose the artefact.",
            ),
        ),
        Lesson::Dagger => (
            tr("The Ritual Dagger"),
            tr(
                "Take the Ritual Dagger. It lies face up in front of you, so everyone knows what you are up to.",
            ),
        ),
        Lesson::LeadSun => (
            tr("One world is enough"),
            tr(
                "The Sun lacks the 1 and the 4. Its ritual is Neutralisation, the one that a dagger is for. Lead Sun 4.",
            ),
        ),
        Lesson::Portal => (
            tr("The Portal"),
            tr(
                "Oto’s card would take the pawn to the Moon. Before that, everyone who might have a Portal is asked, so that being asked tells nothing. You do have one: move the pawn one step away.",
            ),
        ),
        Lesson::Mask => (
            tr("The Mask of Truth"),
            tr(
                "The pawn stopped one step before the Moon. Mila’s Sun 1 was the lowest, she took the Mask of Truth, and whoever takes that must show their identity: a Shaman, as you knew.",
            ),
        ),
        Lesson::Neutralisation => (
            tr("Neutralisation"),
            tr(
                "You have completed the Sun, and with a dagger that lies face up you must eliminate another player. A wrong guess is costly: for an eliminated Shaman the pawn takes a step for every card in their hand. But you know better. Choose Oto.",
            ),
        ),
        Lesson::Scoring => (
            tr("The round is won"),
            tr(
                "The last Shadow is out, so the Shamans win at once. Each Shaman still at the table gets 2 points; Shadows would have got 3 each. Then all identities are dealt anew. Whoever leads with 8 points or more wins the game.",
            ),
        ),
        Lesson::Badge => (
            tr("Was it dealt fairly?"),
            tr(
                "This round was made up for you. In every other game all players shuffle the sealed cards together, and after each round your computer checks the whole deal again. A badge at the end of the round says what it found.",
            ),
        ),
        Lesson::Farewell => (
            tr("That is all you need"),
            tr(
                "The rules are one press on F1 away. Now play: practise against the computer, or open a table and wait for people nearby.",
            ),
        ),
    }
}
