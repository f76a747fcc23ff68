//! What a bot says at the table: quick phrases, by their numbers, at fitting moments and not too many.
//!
//! From public events and chance alone. What it says never depends on what it holds, so it tells nothing, whatever it sounds like.

use rand::{Rng, RngExt};

use crate::{
    game::Seat,
    shamans::{Event, event::PawnCause},
};

/// The phrases it uses, by the numbers under which every client knows them.
pub mod phrase {
    /// "Hello!"
    pub const HELLO: u16 = 0;
    /// "Good luck."
    pub const GOOD_LUCK: u16 = 1;
    /// "Trust me."
    pub const TRUST_ME: u16 = 2;
    /// "Somebody here is lying."
    pub const SOMEBODY_LIES: u16 = 4;
    /// "That was no accident."
    pub const NO_ACCIDENT: u16 = 5;
    /// "I had no choice."
    pub const NO_CHOICE: u16 = 6;
    /// "Interesting…"
    pub const INTERESTING: u16 = 8;
    /// "Oh no!"
    pub const OH_NO: u16 = 9;
    /// "Well played."
    pub const WELL_PLAYED: u16 = 12;
    /// "Thank you for the game."
    pub const THANKS: u16 = 13;
}

/// Cards that are played before it speaks again.
const QUIET: u32 = 7;

/// One bot's manners.
#[derive(Debug, Clone)]
pub struct Manners {
    me: Seat,
    /// Cards played since it last spoke.
    quiet: u32,
}

impl Manners {
    /// For the bot at `me`.
    pub fn new(me: Seat) -> Manners {
        Manners { me, quiet: QUIET }
    }

    /// Hears what everyone sees; the number of a phrase, if it wants to say one.
    pub fn hear(&mut self, event: &Event, rng: &mut dyn Rng) -> Option<u16> {
        if let Event::Led { .. } | Event::Followed { .. } | Event::Strayed { .. } = event {
            self.quiet = self.quiet.saturating_add(1);
        }
        let (phrase, one_in) = self.wish(event)?;
        // Greetings and farewells are never too many: there is one of each.
        let polite = matches!(phrase, phrase::HELLO | phrase::THANKS);
        if !polite && (self.quiet < QUIET || rng.random_range(0..one_in) != 0) {
            return None;
        }
        self.quiet = 0;
        Some(phrase)
    }

    /// What would fit, and how seldom it is said.
    fn wish(&self, event: &Event) -> Option<(u16, u32)> {
        let mine = |seat: &Seat| *seat == self.me;
        match event {
            Event::RoundBegan { round: 1, .. } => Some((phrase::HELLO, 1)),
            Event::RoundBegan { .. } => Some((phrase::GOOD_LUCK, 3)),
            Event::Strayed { seat, .. } if mine(seat) => Some((phrase::NO_CHOICE, 4)),
            Event::Strayed { .. } => Some((phrase::NO_ACCIDENT, 10)),
            Event::Took { seat, .. } if !mine(seat) => Some((phrase::INTERESTING, 6)),
            Event::RitualBegan { seat, .. } if mine(seat) => Some((phrase::TRUST_ME, 5)),
            Event::PawnMoved {
                cause: PawnCause::Elimination,
                ..
            } => Some((phrase::SOMEBODY_LIES, 3)),
            Event::Eliminated { seat, .. } if mine(seat) => Some((phrase::OH_NO, 1)),
            Event::RoundEnded { .. } => Some((phrase::WELL_PLAYED, 3)),
            Event::GameEnded { .. } => Some((phrase::THANKS, 1)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

    use super::*;
    use crate::shamans::{Card, World};

    #[test]
    fn it_greets_and_says_no_more_than_a_phrase_for_some_cards() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut manners = Manners::new(Seat(1));
        let begun = Event::RoundBegan {
            round: 1,
            pawn: 0,
            phantoms: crate::game::SeatSet::EMPTY,
        };
        assert_eq!(manners.hear(&begun, &mut rng), Some(phrase::HELLO));
        let card = Card {
            world: World(0),
            value: 1,
        };
        let (mut said, mut since) = (0, 0);
        for _ in 0..2000 {
            let stray = Event::Strayed {
                seat: Seat(1),
                card,
            };
            since += 1;
            if manners.hear(&stray, &mut rng).is_some() {
                assert!(since >= QUIET, "after {since} cards");
                said += 1;
                since = 0;
            }
        }
        assert!(said > 50, "{said}");
        let over = Event::GameEnded { winner: Seat(0) };
        assert_eq!(manners.hear(&over, &mut rng), Some(phrase::THANKS));
    }
}
