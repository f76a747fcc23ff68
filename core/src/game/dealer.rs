//! The clear-text dealer: answers a game's deck requests from shuffled lists, for tests, simulation and a bot's imagination.
//!
//! It sees every card, so it has no place at a table of people.

use alloc::vec::Vec;
use core::fmt;

use rand::{Rng, seq::SliceRandom};

use super::{Audience, Awaits, Claim, DeckOutcome, DeckRequest, Face, Game, Known, Seat, Slot};

/// Why the dealer refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DealerError {
    /// The slot is not of this deal.
    #[error("slot {} is not of this deal", .0.0)]
    NoSuchSlot(Slot),
    /// The face claimed for a slot is not the one it shows.
    #[error("slot {} does not show what was claimed", .0.0)]
    FalseClaim(Slot),
}

/// One deal in clear text, with what each seat has seen of it.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ClearDealer {
    faces: Vec<Option<Face>>,
    known: Vec<Known>,
}

impl fmt::Debug for ClearDealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClearDealer(..)")
    }
}

impl ClearDealer {
    /// A dealer for a table of `seats`.
    pub fn new(seats: usize) -> ClearDealer {
        ClearDealer {
            faces: Vec::new(),
            known: (0..seats).map(|_| Known::new()).collect(),
        }
    }

    /// What `seat` has seen in this deal.
    pub fn known(&self, seat: Seat) -> &Known {
        self.known
            .get(seat.index())
            .expect("one Known for each seat of the table")
    }

    /// What `slot` shows.
    pub fn face(&self, slot: Slot) -> Option<Face> {
        self.faces.get(usize::from(slot.0)).copied().flatten()
    }

    /// Lays `face` into `slot`, whatever was there: positions made by hand and re-dealt ones.
    pub fn place(&mut self, slot: Slot, face: Face) {
        let at = usize::from(slot.0);
        if self.faces.len() <= at {
            self.faces.resize(at + 1, None);
        }
        if let Some(place) = self.faces.get_mut(at) {
            *place = Some(face);
        }
    }

    /// Lets `seat` see `slot`.
    pub fn show(&mut self, slot: Slot, seat: Seat) -> Result<(), DealerError> {
        let face = self.face(slot).ok_or(DealerError::NoSuchSlot(slot))?;
        if let Some(known) = self.known.get_mut(seat.index()) {
            known.learn(slot, face);
        }
        Ok(())
    }

    /// Does every slot show what is claimed of it?
    pub fn check(&self, claims: &[Claim]) -> Result<(), DealerError> {
        for claim in claims {
            if self.face(claim.slot) != Some(claim.face) {
                return Err(DealerError::FalseClaim(claim.slot));
            }
        }
        Ok(())
    }

    /// Answers one request.
    pub fn answer(
        &mut self,
        request: &DeckRequest,
        rng: &mut impl Rng,
    ) -> Result<DeckOutcome, DealerError> {
        match request {
            DeckRequest::Shuffle { decks, sealed: _ } => {
                self.faces.clear();
                self.known.iter_mut().for_each(Known::clear);
                for deck in decks {
                    let first = usize::from(deck.first.0);
                    let end = first + usize::from(deck.size);
                    if self.faces.len() < end {
                        self.faces.resize(end, None);
                    }
                    let slots = self.faces.get_mut(first..end).unwrap_or_default();
                    for (face, slot) in (0..=u8::MAX).zip(slots.iter_mut()) {
                        *slot = Some(Face(face));
                    }
                    slots.shuffle(rng);
                }
                Ok(DeckOutcome::Shuffled)
            }
            DeckRequest::Open { slots } => {
                let mut open = Vec::new();
                for &(slot, audience) in slots {
                    match audience {
                        Audience::All => {
                            open.push(self.face(slot).ok_or(DealerError::NoSuchSlot(slot))?)
                        }
                        Audience::One(seat) => self.show(slot, seat)?,
                    }
                }
                Ok(DeckOutcome::Opened(open))
            }
            DeckRequest::Pass { slots } => {
                for &(slot, seat) in slots {
                    self.show(slot, seat)?;
                }
                Ok(DeckOutcome::Passed)
            }
            DeckRequest::Remix { hands } => {
                for hand in hands {
                    let mut faces = Vec::with_capacity(hand.from.len());
                    for &slot in &hand.from {
                        faces.push(self.face(slot).ok_or(DealerError::NoSuchSlot(slot))?);
                    }
                    let seen = hand
                        .from
                        .iter()
                        .all(|&slot| self.known(hand.seat).face(slot).is_some());
                    faces.shuffle(rng);
                    for (i, face) in faces.into_iter().enumerate() {
                        self.place(hand.into.after(i), face);
                        if seen {
                            self.show(hand.into.after(i), hand.seat)?;
                        }
                    }
                }
                Ok(DeckOutcome::Remixed)
            }
            DeckRequest::Reveal => Ok(DeckOutcome::Revealed(self.faces.clone())),
        }
    }

    /// Answers every request the game has until it waits for seats or is over; `note` hears the events.
    pub fn serve<G: Game>(
        &mut self,
        game: &mut G,
        rng: &mut impl Rng,
        note: impl FnMut(G::Event),
    ) -> Result<(), DealerError> {
        let mut events = Vec::new();
        self.serve_into(game, rng, &mut events)?;
        events.into_iter().for_each(note);
        Ok(())
    }

    /// The same, with the events appended to a list that is kept from one call to the next.
    pub fn serve_into<G: Game>(
        &mut self,
        game: &mut G,
        rng: &mut impl Rng,
        events: &mut Vec<G::Event>,
    ) -> Result<(), DealerError> {
        while let Awaits::Decks(request) = game.awaits() {
            let outcome = self.answer(request, rng)?;
            game.supply_into(outcome, events)
                .expect("an answer of the request's own kind is taken");
        }
        Ok(())
    }
}
