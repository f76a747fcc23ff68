//! When a bot answers: a schedule of public things only, so that its thinking time tells nothing about what it holds.
//!
//! How long a search takes depends on the cards a little, and a decision with one legal answer takes no time at all: whether a
//! face-down tile is a dagger would show. So whoever drives a bot starts a clock when the decision opens, lets the bot think, and
//! sends the answer only when a whole number of beats has passed. The beat follows from the kind of decision alone, which everyone
//! sees. A bot's budget is a number of tries, not a time, so that on any machine that is fast enough one beat is always enough,
//! and the answer is the same on all.
//!
//! No clock here: times are arguments, in milliseconds.

use crate::shamans::Decision;

/// The longest that a strong bot may think on one core, with its usual budget.
pub const LONGEST: u32 = 1000;

/// How long a decision of this kind takes, whoever decides and whatever they hold.
pub const fn beat(decision: &Decision) -> u32 {
    match decision {
        Decision::Play { .. } => LONGEST,
        Decision::Take { .. }
        | Decision::Stabilise { .. }
        | Decision::Permute { .. }
        | Decision::Strike { .. }
        | Decision::Order { .. }
        | Decision::Give { .. }
        | Decision::NameGuide { .. } => LONGEST + 200,
        // Several seats are asked one after the other, mostly for nothing.
        Decision::React { .. } => LONGEST - 200,
    }
}

/// The moment to answer a decision that opened at `opened` and was thought through at `ready`: the first beat not before it. On a
/// machine too slow for one beat, only the number of beats shows.
pub const fn answer_at(decision: &Decision, opened: u64, ready: u64) -> u64 {
    let beat = beat(decision) as u64;
    let beats = ready.saturating_sub(opened).div_ceil(beat);
    opened + beat * if beats == 0 { 1 } else { beats }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seat;

    #[test]
    fn every_answer_falls_on_a_beat_whatever_the_thinking_took() {
        let decision = Decision::Strike {
            seat: Seat(1),
            must: false,
        };
        let beat = u64::from(beat(&decision));
        // With one legal answer or a long search: the same moment.
        for thought in [0, 1, 300, beat] {
            assert_eq!(answer_at(&decision, 5000, 5000 + thought), 5000 + beat);
        }
        assert_eq!(answer_at(&decision, 5000, 5001 + beat), 5000 + 2 * beat);
        // A clock that was set back changes nothing.
        assert_eq!(answer_at(&decision, 5000, 10), 5000 + beat);
    }
}
