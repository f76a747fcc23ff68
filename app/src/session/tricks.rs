//! The trick on the table and the one before, as events tell them. Used by the live table and by records.

use crate::pieces::{Card, Event, Seat};

use super::TrickShown;

/// Two tricks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tricks {
    /// The one being played, or just finished.
    pub now: TrickShown,
    /// The one before.
    pub last: TrickShown,
}

impl Tricks {
    /// Takes in what happened at a table of `seats`.
    pub fn hear(&mut self, event: &Event, seats: usize) {
        match event {
            Event::RoundBegan { .. } => *self = Tricks::default(),
            Event::TrickBegan { guide } => {
                let begun = TrickShown {
                    guide: guide.index(),
                    played: vec![None; seats],
                    ..TrickShown::default()
                };
                let over = std::mem::replace(&mut self.now, begun);
                if over.destination.is_some() {
                    self.last = over;
                }
            }
            Event::Led { seat, card } => {
                self.now.destination = Some(card.world);
                self.play(*seat, *card, seats);
            }
            Event::Followed { seat, card } | Event::Strayed { seat, card } => {
                self.play(*seat, *card, seats);
            }
            Event::TrickEnded { lowest, highest } => {
                self.now.lowest = lowest.map(Seat::index);
                self.now.highest = highest.map(Seat::index);
            }
            _ => {}
        }
    }

    fn play(&mut self, seat: Seat, card: Card, seats: usize) {
        self.now.played.resize(seats, None);
        if let Some(place) = self.now.played.get_mut(seat.index()) {
            *place = Some(card);
        }
    }
}
