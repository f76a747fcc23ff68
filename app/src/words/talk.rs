//! Quick phrases: sent by number, read in everyone's own language. Fit for bluffing; none can name a colour, a world or a
//! value.

use super::tr;

/// How many there are.
pub const PHRASES: u16 = 14;

/// The phrase of a number; `None` for one that this program does not know.
pub fn phrase(number: u16) -> Option<String> {
    let text = match number {
        0 => tr("Hello!"),
        1 => tr("Good luck."),
        2 => tr("Trust me."),
        3 => tr("I do not trust you."),
        4 => tr("Somebody here is lying."),
        5 => tr("That was no accident."),
        6 => tr("I had no choice."),
        7 => tr("Wait and see."),
        8 => tr("Interesting…"),
        9 => tr("Oh no!"),
        10 => tr("One moment, please."),
        11 => tr("Your turn, I think."),
        12 => tr("Well played."),
        13 => tr("Thank you for the game."),
        _ => return None,
    };
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_below_the_count_has_its_phrase() {
        assert!((0..PHRASES).all(|number| phrase(number).is_some()));
        assert_eq!(phrase(PHRASES), None);
    }
}
