//! The open step: what is here of it so far.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::game::{Game, Seat, SeatSet};
use crate::log::{Kind, Lane, Mark, Settle, Shape, SignedEntry, Step};

use super::output::Suspicion;
use super::replica::Replica;

/// How many settlements of one seat are kept: an honest one signs a growing set, and a table has few seats.
const MAX_SETTLES: usize = 16;
/// How many second entries are kept.
const MAX_RIVALS: usize = 8;

/// Entries and signatures of the step that is not settled yet. All of them are checked.
#[derive(Clone)]
pub(super) struct Open {
    entries: BTreeMap<(Lane, Seat), SignedEntry>,
    settles: Vec<Settle>,
    /// The highest number of a vote of each seat.
    last_votes: BTreeMap<Seat, u8>,
    /// Second entries for a taken place: the others may have signed a step with them.
    rivals: Vec<SignedEntry>,
    /// Why whom was suspected: each is told once in a step, however many messages give reason to.
    told: Vec<(Seat, Suspicion)>,
    /// How many entries were tried again because a seat said that they are to be refused.
    tried: BTreeMap<Seat, usize>,
    /// When it was opened, or last grew.
    pub since: u64,
}

impl core::fmt::Debug for Open {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Open")
            .field("entries", &self.entries.keys().collect::<Vec<_>>())
            .field(
                "settles",
                &self
                    .settles
                    .iter()
                    .map(|settle| (settle.seat, settle.mark))
                    .collect::<Vec<_>>(),
            )
            .finish_non_exhaustive()
    }
}

impl Open {
    pub fn new(now: u64) -> Open {
        Open {
            entries: BTreeMap::new(),
            settles: Vec::new(),
            last_votes: BTreeMap::new(),
            rivals: Vec::new(),
            told: Vec::new(),
            tried: BTreeMap::new(),
            since: now,
        }
    }

    /// Is this suspicion new in this step?
    pub fn newly_suspect(&mut self, seat: Seat, why: Suspicion) -> bool {
        let new = !self.told.contains(&(seat, why));
        if new {
            self.told.push((seat, why));
        }
        new
    }

    /// May an entry be tried again on the word of this seat? An honest one asks for it at most once for each seat.
    pub fn may_try(&mut self, from: Seat, seats: usize) -> bool {
        let tried = self.tried.entry(from).or_default();
        *tried += 1;
        *tried <= seats
    }

    pub fn has(&self, lane: Lane, seat: Seat) -> bool {
        self.entries.contains_key(&(lane, seat))
    }

    pub fn entry(&self, lane: Lane, seat: Seat) -> Option<&SignedEntry> {
        self.entries.get(&(lane, seat))
    }

    pub fn keep(&mut self, signed: SignedEntry) {
        if let Lane::Vote(number) = signed.entry.lane {
            let last = self.last_votes.entry(signed.entry.seat).or_insert(number);
            *last = number.max(*last);
        }
        self.entries
            .insert((signed.entry.lane, signed.entry.seat), signed);
    }

    pub fn keep_rival(&mut self, signed: SignedEntry) {
        let known = self.entry(signed.entry.lane, signed.entry.seat) == Some(&signed);
        if !known && self.rivals.len() < MAX_RIVALS && !self.rivals.contains(&signed) {
            self.rivals.push(signed);
        }
    }

    pub fn keep_settle(&mut self, settle: Settle) {
        let of_seat = self.settles_of(settle.seat).count();
        if of_seat < MAX_SETTLES && !self.settles.contains(&settle) {
            self.settles.push(settle);
        }
    }

    pub fn settles(&self) -> &[Settle] {
        &self.settles
    }

    pub fn settles_of(&self, seat: Seat) -> impl Iterator<Item = &Settle> {
        self.settles
            .iter()
            .filter(move |settle| settle.seat == seat)
    }

    /// Who has signed exactly this.
    pub fn signers_of(&self, mark: &Mark) -> SeatSet {
        self.settles
            .iter()
            .filter(|settle| settle.mark == *mark)
            .map(|settle| settle.seat)
            .collect()
    }

    /// The largest thing a seat has signed of this step: an absence step counts most.
    pub fn last_signed(&self, seat: Seat) -> Option<Mark> {
        let mut best: Option<Mark> = None;
        for settle in self.settles_of(seat) {
            let better = match best {
                None => true,
                Some(best) => match (best.kind, settle.mark.kind) {
                    (Kind::Play, Kind::Absence) => true,
                    (Kind::Absence, _) => false,
                    (Kind::Play, Kind::Play) => best.shape.within(&settle.mark.shape),
                },
            };
            if better {
                best = Some(settle.mark);
            }
        }
        best
    }

    /// The entries that belong into a step (votes are about it, not in it).
    pub fn inside(&self) -> impl Iterator<Item = &SignedEntry> {
        self.entries
            .values()
            .filter(|signed| !matches!(signed.entry.lane, Lane::Vote(_)))
    }

    pub fn shape(&self) -> Shape {
        Shape::of(self.inside())
    }

    /// All entries, votes too.
    pub fn all(&self) -> impl Iterator<Item = &SignedEntry> {
        self.entries.values()
    }

    /// The votes with this number, ascending by seat.
    pub fn votes(&self, number: u8) -> impl Iterator<Item = &SignedEntry> {
        self.entries
            .range((Lane::Vote(number), Seat(0))..=(Lane::Vote(number), Seat(u8::MAX)))
            .map(|(_, signed)| signed)
    }

    /// The highest number of a vote.
    pub fn last_vote(&self) -> Option<u8> {
        self.last_votes.values().copied().max()
    }

    /// The highest number of a vote of this seat.
    pub fn last_vote_of(&self, seat: Seat) -> Option<u8> {
        self.last_votes.get(&seat).copied()
    }

    /// The step of this shape, if all its entries are here.
    pub fn step<G: Game>(&self, replica: &Replica<G>, shape: &Shape) -> Option<Step> {
        if !shape.within(&self.shape()) {
            return None;
        }
        let entries = self
            .inside()
            .filter(|signed| shape.contains(signed.entry.lane, signed.entry.seat))
            .cloned()
            .collect();
        Some(replica.put_together(entries))
    }

    /// The step that this mark names, if all its entries are here, second ones included.
    pub fn step_marked<G: Game>(&self, replica: &Replica<G>, mark: &Mark) -> Option<Step> {
        let fits = |step: &Step| step.digest(replica.table()) == mark.digest;
        if let Some(step) = self.step(replica, &mark.shape).filter(fits) {
            return Some(step);
        }
        self.rivals.iter().find_map(|rival| {
            let place = (rival.entry.lane, rival.entry.seat);
            let mut entries: Vec<SignedEntry> = self
                .inside()
                .filter(|signed| (signed.entry.lane, signed.entry.seat) != place)
                .filter(|signed| mark.shape.contains(signed.entry.lane, signed.entry.seat))
                .cloned()
                .collect();
            entries.push(rival.clone());
            Some(replica.put_together(entries)).filter(fits)
        })
    }
}
