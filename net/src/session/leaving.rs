//! Getting up from a table in the middle of a game. The player is free at once; the table goes on in the background until the others
//! know, because they settle the step in which this player leaves with its signature.

use shamans_core::game::Game;
use shamans_core::table::ActError;

use super::SessionEvent;
use super::driver::{Driver, Phase};
use super::playing::{Playing, hex};

/// How long a table that was left still answers those who have not got its last signature.
const LINGER_MS: u64 = 20_000;

/// How far a player has got up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Departure {
    /// Sits there.
    Not,
    /// The game is over, and the player is elsewhere: only the others still hear of it.
    After,
    /// Has not been able to say so yet: the open step is being settled.
    Wanted,
    /// Has said so.
    Said,
    /// All know; until then the table lingers.
    Done(u64),
    /// The rules of the table do not allow it: the others wait, or close.
    Refused,
}

impl<G: Game> Playing<G> {
    /// Goes on with getting up. True when the table has changed.
    pub(super) fn depart(&mut self, now: u64) -> bool {
        let seated = self.table.me();
        let gone = seated.is_none_or(|me| !self.table.replica().signers().contains(me));
        let next = match self.departure {
            Departure::Not | Departure::After | Departure::Refused | Departure::Done(_) => {
                self.departure
            }
            Departure::Wanted | Departure::Said if gone || self.is_over() => {
                Departure::Done(now + LINGER_MS)
            }
            Departure::Said => Departure::Said,
            Departure::Wanted => match self.table.leave() {
                Ok(()) => Departure::Said,
                Err(ActError::Settling) => Departure::Wanted,
                Err(_) => Departure::Refused,
            },
        };
        std::mem::replace(&mut self.departure, next) != next
    }
}

impl<G: Game> Driver<G> {
    /// Gets up from the table: a game that is over or only watched is simply left.
    pub(super) fn leave_table(&mut self) {
        let Phase::Playing(mut playing) = std::mem::replace(&mut self.phase, Phase::Lobby) else {
            return;
        };
        if playing.table.me().is_none() {
            self.forget_table(&playing);
        } else {
            playing.departure = if playing.is_over() {
                Departure::After
            } else {
                Departure::Wanted
            };
            self.set_aside(playing);
        }
        self.announce();
    }

    /// Keeps a table beside the present one, for those who still need something of it. One at most.
    pub(super) fn set_aside(&mut self, playing: Box<Playing<G>>) {
        if let Some(before) = self.finished.replace(playing) {
            self.forget_table(&before);
        }
    }

    /// Helps the table that is being left along, and lets it go when all is said.
    pub(super) fn depart(&mut self) {
        let now = self.now();
        let Some(mut playing) = self.finished.take() else {
            return;
        };
        if playing.depart(now) {
            match playing.departure {
                Departure::Done(_) => {
                    // There is nothing to go on with: the seat is a phantom's.
                    let removed = self
                        .store
                        .as_ref()
                        .map(|store| store.remove_table(&hex(&playing.id)));
                    playing.close_journal();
                    if let Some(Err(error)) = removed {
                        self.emit(SessionEvent::Trouble(error.to_string()));
                    }
                    self.emit(SessionEvent::Left {
                        table: playing.id,
                        for_good: true,
                    });
                }
                Departure::Refused => {
                    self.emit(SessionEvent::Left {
                        table: playing.id,
                        for_good: false,
                    });
                    self.forget_table(&playing);
                    return;
                }
                Departure::Not | Departure::After | Departure::Wanted | Departure::Said => {}
            }
            playing.carry_out(&self.node, &self.events, self.store.as_ref(), now);
        }
        match playing.departure {
            Departure::Done(until) if until <= now => self.forget_table(&playing),
            Departure::Not
            | Departure::After
            | Departure::Wanted
            | Departure::Said
            | Departure::Done(_)
            | Departure::Refused => self.finished = Some(playing),
        }
    }

    /// Its people need not be linked for its sake any more.
    fn forget_table(&self, playing: &Playing<G>) {
        for peer in playing.others() {
            if !self.is_of_our_table(&peer) {
                self.node.unwant(peer);
            }
        }
    }
}
