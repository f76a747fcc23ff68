//! A seat goes and comes back: the open step is planned anew, with the others acting for it or without it.

use alloc::vec::Vec;

use super::fault::Misuse;
use super::plan::Stage;
use super::{Deal, Open, Phase};
use crate::game::{DeckRequest, Seat, SeatSet, Slot};

impl Deal {
    /// From here on the others act for `seat`, with their parts of its keys; an open step is planned anew, and a
    /// shuffle begins again without it. Refused where nobody can: then the round waits or is voided.
    pub fn absent(&mut self, seat: Seat) -> Result<(), Misuse> {
        if seat.0 >= self.context.seats {
            return Err(Misuse::NoSuchSeat(seat));
        }
        if !self.context.people.contains(seat) || self.absent.contains(seat) {
            return Ok(());
        }
        let dealt = self.phase != Phase::Fresh;
        let others_here = self.present_keyed().without(seat);
        if dealt && self.has_key(seat) {
            let another_gone = !self.keyed().and(self.absent).is_empty();
            if another_gone || !self.escrow.contains_key(&seat) {
                return Err(Misuse::NoEscrow(seat));
            }
        }
        let people_here = self.context.people.minus(self.absent).without(seat);
        if people_here.is_empty() || (!self.keys.is_empty() && others_here.is_empty()) {
            return Err(Misuse::NoEscrow(seat));
        }
        self.absent = self.absent.with(seat);
        self.plan_again()
    }

    /// `seat` is back and acts for itself again. Refused if it has no key in this deal.
    pub fn present(&mut self, seat: Seat) -> Result<(), Misuse> {
        if !self.absent.contains(seat) {
            return Ok(());
        }
        let early = self.phase == Phase::Fresh
            && self.open.as_ref().is_none_or(|open| match open.stage {
                Stage::Keys => true,
                Stage::Escrow
                | Stage::Chain { .. }
                | Stage::Own { .. }
                | Stage::Release { .. }
                | Stage::Seeds => false,
            });
        if !early && !self.has_key(seat) {
            return Err(Misuse::NoKey(seat));
        }
        self.absent = self.absent.without(seat);
        self.plan_again()
    }

    /// Plans the open step anew after a seat has gone or come.
    fn plan_again(&mut self) -> Result<(), Misuse> {
        // Serials go on from here with other piles and keys.
        self.prepared = None;
        let Some(Open { request, stage, .. }) = self.open.take() else {
            return Ok(());
        };
        let stage = match (&request, stage) {
            (DeckRequest::Shuffle { .. }, Stage::Keys) => Stage::Keys,
            (DeckRequest::Shuffle { .. }, Stage::Escrow) => {
                self.drop_absent_keys();
                self.after_keys(&request)
            }
            (DeckRequest::Shuffle { .. }, _) => {
                // One who is gone keeps its key while all the others hold its parts; else the keys begin anew without it.
                let gone = self.keyed().and(self.absent);
                if gone.len() <= 1 && gone.iter().all(|seat| self.escrow.contains_key(&seat)) {
                    self.decks_stage(&request)
                } else {
                    self.drop_absent_keys();
                    self.after_keys(&request)
                }
            }
            (DeckRequest::Open { .. } | DeckRequest::Pass { .. }, _) => Stage::Release {
                tasks: self.release_tasks(&request)?,
            },
            (DeckRequest::Remix { hands }, _) => {
                let new: Vec<Slot> = hands
                    .iter()
                    .flat_map(|hand| (0..hand.from.len()).map(|i| hand.into.after(i)))
                    .collect();
                self.slots.retain(|slot, _| !new.contains(slot));
                self.lay_remix(hands)?
            }
            (DeckRequest::Reveal, _) => Stage::Seeds,
        };
        self.begin(request, stage);
        Ok(())
    }

    fn drop_absent_keys(&mut self) {
        let gone: SeatSet = self.absent;
        self.keys.retain(|seat, _| !gone.contains(*seat));
        self.hand_keys.retain(|seat, _| !gone.contains(*seat));
    }
}
