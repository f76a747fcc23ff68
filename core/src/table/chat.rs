//! Chat beside the log: rate-limited on both sides, mutable, never recorded.

use super::Table;
use super::message::{Line, MAX_CHAT, Message};
use super::output::{ActError, Notice, Output};
use crate::game::{Game, PerSeat, Seat, SeatSet};

/// A seat may say this many lines at once,
const BURST: u64 = 5;
/// and one more after each of these many milliseconds.
const REFILL_MS: u64 = 2_000;

#[derive(Clone, Default)]
pub(super) struct Chatter {
    /// For each seat, the time up to which its lines are paid for.
    paid: PerSeat<u64>,
    muted: SeatSet,
}

impl Chatter {
    /// May this seat say a line now? A bucket of [`BURST`] lines that refills with time.
    fn allows(&mut self, seat: Seat, now: u64) -> bool {
        let paid = self.paid[seat].max(now);
        if paid - now > (BURST - 1) * REFILL_MS {
            return false;
        }
        self.paid[seat] = paid + REFILL_MS;
        true
    }
}

impl<G: Game> Table<G> {
    /// Says a line to everyone. False if it is too long or too soon.
    pub fn chat(&mut self, line: Line) -> Result<bool, ActError> {
        let me = self.me().ok_or(ActError::NotSeated)?;
        if !fits(&line) || !self.chatter.allows(me, self.now) {
            return Ok(false);
        }
        self.broadcast(&Message::Chat(line));
        Ok(true)
    }

    /// Hears no more chat from `seat`, or hears it again.
    pub fn mute(&mut self, seat: Seat, mute: bool) {
        self.chatter.muted = if mute {
            self.chatter.muted.with(seat)
        } else {
            self.chatter.muted.without(seat)
        };
    }

    pub(super) fn hear_chat(&mut self, from: Seat, line: Line) {
        let heard = fits(&line)
            && self.chatter.allows(from, self.now)
            && !self.chatter.muted.contains(from);
        if heard {
            self.out
                .push_back(Output::Notice(Notice::Chat { from, line }));
        }
    }
}

fn fits(line: &Line) -> bool {
    match line {
        Line::Words(words) => {
            !words.is_empty() && words.len() <= MAX_CHAT && !words.chars().any(char::is_control)
        }
        Line::Phrase(_) => true,
    }
}
