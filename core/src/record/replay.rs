//! Telling a recorded game again, from the eyes of any seat or of all.
//!
//! The seeds that were revealed after each deal let anyone see what each seat saw. Where a seed was never revealed, that seat's
//! cards stay unknown. Replaying checks as much as verifying does.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::Record;
use crate::deal::DealSeed;
use crate::game::{Face, Game, Known, Seat, SeatSet, Slot};
use crate::table::{GenesisError, Happening, Refusal, Replica};

/// The revealed seeds of every seat, by deal.
pub fn seeds_of<G: Game>(
    record: &Record,
) -> Result<BTreeMap<Seat, BTreeMap<u32, DealSeed>>, Refusal> {
    let mut seeds: BTreeMap<Seat, BTreeMap<u32, DealSeed>> = BTreeMap::new();
    let Ok((mut replica, _)) = Replica::<G>::new(&record.genesis, None) else {
        return Err(Refusal::NotNext(0));
    };
    for settled in &record.steps {
        for happening in replica.accept(settled)? {
            if let Happening::Audited { deal, .. } = happening {
                for (seat, seed) in replica.revealed() {
                    seeds.entry(*seat).or_default().insert(deal, seed.clone());
                }
            }
        }
    }
    Ok(seeds)
}

/// One thing of a replayed game.
#[derive(Debug, Clone, PartialEq)]
pub enum Told<G: Game> {
    /// Everyone saw this.
    Happened(Happening<G>),
    /// Only this seat saw what a slot shows.
    Saw {
        /// Who.
        seat: Seat,
        /// Which slot.
        slot: Slot,
        /// What it shows.
        face: Face,
    },
}

/// A step's number and what happened in it.
pub type Chapter<G> = (u64, Vec<Told<G>>);

/// A recorded game, step by step.
pub struct Replay<'a, G: Game> {
    record: &'a Record,
    at: usize,
    public: Replica<G>,
    eyes: Vec<(Seat, Replica<G>, Known)>,
    begun: Vec<Told<G>>,
}

impl<'a, G: Game> Replay<'a, G> {
    /// From the eyes of these seats; of none: what everyone saw.
    pub fn new(record: &'a Record, eyes: SeatSet) -> Result<Replay<'a, G>, GenesisError> {
        let (public, begun) = Replica::new(&record.genesis, None)?;
        // A record that does not verify is told as far as it goes, without what was hidden.
        let mut seeds = match eyes.is_empty() {
            true => BTreeMap::new(),
            false => seeds_of::<G>(record).unwrap_or_default(),
        };
        let mut watching = Vec::new();
        for seat in eyes.iter() {
            let seeds = seeds.remove(&seat).unwrap_or_default();
            let (replica, _) = Replica::with_seeds(&record.genesis, seat, seeds)?;
            watching.push((seat, replica, Known::new()));
        }
        Ok(Replay {
            record,
            at: 0,
            public,
            eyes: watching,
            begun: begun.into_iter().map(Told::Happened).collect(),
        })
    }

    /// What happened before the first step.
    pub fn begun(&self) -> &[Told<G>] {
        &self.begun
    }

    /// The public state now.
    pub fn replica(&self) -> &Replica<G> {
        &self.public
    }

    /// What a seat knows now, if the replay has its eyes.
    pub fn known(&self, seat: Seat) -> Option<&Known> {
        self.eyes
            .iter()
            .find(|(at, _, _)| *at == seat)
            .map(|(_, _, known)| known)
    }

    /// The next step: its number and what happened in it. `None` at the end.
    #[allow(clippy::should_implement_trait)] // An iterator could not lend the state in between.
    pub fn next(&mut self) -> Option<Result<Chapter<G>, Refusal>> {
        let settled = self.record.steps.get(self.at)?;
        self.at += 1;
        let number = self.public.number();
        let happened = match self.public.accept(settled) {
            Ok(happened) => happened,
            Err(refusal) => {
                self.at = usize::MAX;
                return Some(Err(refusal));
            }
        };
        let mut told: Vec<Told<G>> = happened.into_iter().map(Told::Happened).collect();
        for (seat, replica, known) in &mut self.eyes {
            if replica.apply(settled).is_err() {
                continue;
            }
            let now = replica.known();
            for (slot, face) in now.faces() {
                if known.face(slot) != Some(face) {
                    told.push(Told::Saw {
                        seat: *seat,
                        slot,
                        face,
                    });
                }
            }
            *known = now;
        }
        Some(Ok((number, told)))
    }
}
