//! What a request asks of whom: stages, piles to mix, cards to release.
//!
//! Pure planning over the deal's public state, so that every peer comes to the same plan; `settle` carries it out.

use alloc::{vec, vec::Vec};

use curve25519_dalek::ristretto::RistrettoPoint;

use super::Deal;
use super::fault::{Misuse, StepKind};
use super::group::{Ciphertext, MaskKey};
use super::release::{Job, Jobs};
use super::transcript::{Digest, Transcript};
use crate::game::{Audience, Deck, DeckId, DeckRequest, Face, Remix, Seat, SeatSet, Slot};

/// What locks a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lock {
    /// Everyone together.
    Joint,
    /// The hand key of one seat.
    Hand(Seat),
}

/// A card in its slot.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub deck: DeckId,
    pub card: Ciphertext,
    pub lock: Lock,
    /// What it shows, once it is open to all.
    pub face: Option<Face>,
}

/// Cards in a row of slots that are mixed among themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pile {
    pub deck: DeckId,
    pub first: Slot,
    pub size: usize,
    pub lock: Lock,
}

impl Pile {
    pub(crate) fn slots(&self) -> impl Iterator<Item = Slot> + use<> {
        let first = self.first;
        (0..self.size).map(move |i| first.after(i))
    }
}

/// A card on its way from under a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Task {
    pub slot: Slot,
    pub lock: Lock,
    /// The new lock; none: open to all.
    pub goal: Option<Lock>,
}

/// What the open step of a request is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stage {
    Keys,
    Escrow,
    /// Seats mix the same piles one after another; the first of `turns` is on turn.
    Chain {
        piles: Vec<Pile>,
        turns: Vec<Seat>,
    },
    /// Holders mix their own hands at the same time; `rest` is for the chain that follows.
    Own {
        piles: Vec<(Seat, Pile)>,
        rest: Vec<Pile>,
    },
    Release {
        tasks: Vec<Task>,
    },
    Seeds,
}

impl Stage {
    pub(crate) fn kind(&self) -> StepKind {
        match self {
            Stage::Keys => StepKind::Keys,
            Stage::Escrow => StepKind::Escrow,
            Stage::Chain { .. } | Stage::Own { .. } => StepKind::Mix,
            Stage::Release { .. } => StepKind::Release,
            Stage::Seeds => StepKind::Seed,
        }
    }
}

/// Piles under one key, with the cards in them.
#[derive(Clone)]
pub(crate) struct Group {
    pub key: MaskKey,
    pub piles: Vec<Pile>,
    pub cards: Vec<Ciphertext>,
    pub tags: Vec<u32>,
}

impl Group {
    /// The transcript of mixing this group.
    pub(crate) fn statement(&self, step: &Digest, seat: Seat) -> Transcript {
        let mut transcript = Transcript::new("shuffle", step, seat);
        for pile in &self.piles {
            transcript.bytes("deck", &[pile.deck.0]);
            transcript.number("first", u32::from(pile.first.0));
            transcript.number("size", pile.size as u32);
        }
        transcript
    }
}

impl Deal {
    /// Seats that have keys and are here.
    pub(crate) fn present_keyed(&self) -> SeatSet {
        self.keyed().minus(self.absent)
    }

    /// Seats that have keys.
    pub(crate) fn keyed(&self) -> SeatSet {
        self.keys.keys().copied().collect()
    }

    /// Who must act to take a card from under `lock`.
    pub(crate) fn holders(&self, lock: Lock) -> SeatSet {
        match lock {
            Lock::Joint => self.present_keyed(),
            Lock::Hand(seat) if self.absent.contains(seat) => self.present_keyed(),
            Lock::Hand(seat) => SeatSet::one(seat),
        }
    }

    /// The public side of the part that `seat` has in `lock`: its own key and, for a seat that is away, the committed
    /// share of that one's key.
    pub(crate) fn part(&self, seat: Seat, lock: Lock) -> Option<RistrettoPoint> {
        let own = self.keys.get(&seat)?;
        match lock {
            Lock::Joint => {
                let mut part = own.deck;
                for gone in self.keyed().and(self.absent).iter() {
                    part += self.escrow.get(&gone)?.share(seat)?.deck;
                }
                Some(part)
            }
            Lock::Hand(holder) if holder == seat => Some(own.hand),
            Lock::Hand(holder) => Some(self.escrow.get(&holder)?.share(seat)?.hand),
        }
    }

    /// The key that `lock` masks under.
    pub(crate) fn lock_key(&self, lock: Lock) -> Option<&MaskKey> {
        match lock {
            Lock::Joint => self.joint.as_ref(),
            Lock::Hand(seat) => self.hand_keys.get(&seat),
        }
    }

    /// The lock of what belongs to `seat`: its own key, or everybody's for a phantom.
    pub(crate) fn lock_of(&self, seat: Seat) -> Lock {
        if self.keys.contains_key(&seat) {
            Lock::Hand(seat)
        } else {
            Lock::Joint
        }
    }

    pub(crate) fn place(&self, slot: Slot) -> Result<&Place, Misuse> {
        self.slots.get(&slot).ok_or(Misuse::NoSuchSlot(slot))
    }

    /// Are these decks that can be laid out?
    pub(crate) fn check_decks(decks: &[Deck]) -> Result<(), Misuse> {
        let mut ranges: Vec<(u32, u32)> = Vec::with_capacity(decks.len());
        for (i, deck) in decks.iter().enumerate() {
            let (first, size) = (u32::from(deck.first.0), u32::from(deck.size));
            let twice = decks.iter().take(i).any(|other| other.id == deck.id);
            let overlaps = ranges
                .iter()
                .any(|&(start, end)| first < end && start < first + size);
            let fits = (2..=256).contains(&size) && first + size <= 1 << 16;
            if twice || overlaps || !fits {
                return Err(Misuse::Decks);
            }
            ranges.push((first, first + size));
        }
        Ok(())
    }

    /// The tasks of an opening or passing. Slots that need nobody's work have none.
    pub(crate) fn release_tasks(&self, request: &DeckRequest) -> Result<Vec<Task>, Misuse> {
        let wanted: Vec<(Slot, Option<Seat>)> = match request {
            DeckRequest::Open { slots } => slots
                .iter()
                .map(|&(slot, audience)| match audience {
                    Audience::All => (slot, None),
                    Audience::One(seat) => (slot, Some(seat)),
                })
                .collect(),
            DeckRequest::Pass { slots } => slots
                .iter()
                .map(|&(slot, seat)| (slot, Some(seat)))
                .collect(),
            DeckRequest::Shuffle { .. } | DeckRequest::Remix { .. } | DeckRequest::Reveal => {
                Vec::new()
            }
        };
        let mut tasks = Vec::new();
        for (i, &(slot, to)) in wanted.iter().enumerate() {
            let place = self.place(slot)?;
            if wanted.iter().take(i).any(|&(other, _)| other == slot) {
                return Err(Misuse::NoSuchSlot(slot));
            }
            if let Some(seat) = to
                && seat.0 >= self.context.seats
            {
                return Err(Misuse::NoSuchSeat(seat));
            }
            let goal = to.map(|seat| self.lock_of(seat));
            let done = match goal {
                None => place.face.is_some(),
                Some(lock) => place.face.is_some() || place.lock == lock,
            };
            if !done {
                tasks.push(Task {
                    slot,
                    lock: place.lock,
                    goal,
                });
            }
        }
        Ok(tasks)
    }

    /// What `seat` has to do for the tasks.
    pub(crate) fn jobs<'a>(
        &self,
        step: &'a Digest,
        serial: u32,
        seat: Seat,
        tasks: &[Task],
    ) -> Jobs<'a> {
        let mut jobs = Jobs {
            step,
            serial,
            seat,
            parts: Vec::new(),
            targets: Vec::new(),
            jobs: Vec::new(),
        };
        let mut locks = Vec::new();
        let mut goals = Vec::new();
        for task in tasks {
            let (Ok(place), true) = (
                self.place(task.slot),
                self.holders(task.lock).contains(seat),
            ) else {
                continue;
            };
            let part = index_of(&mut locks, task.lock);
            let target = task.goal.map(|goal| index_of(&mut goals, goal));
            jobs.jobs.push(Job {
                slot: task.slot,
                part,
                target,
                a: place.card.a,
            });
        }
        jobs.parts = locks
            .iter()
            .map(|&lock| {
                self.part(seat, lock)
                    .expect("holders of a lock have a part in it")
            })
            .collect();
        jobs.targets = goals
            .iter()
            .map(|&lock| {
                self.lock_key(lock)
                    .expect("cards go to keys that exist")
                    .clone()
            })
            .collect();
        jobs
    }

    /// The locks that the parts of [`Deal::jobs`] belong to, in the same order.
    pub(crate) fn job_locks(&self, seat: Seat, tasks: &[Task]) -> Vec<Lock> {
        let mut locks = Vec::new();
        for task in tasks {
            if self.holders(task.lock).contains(seat) {
                index_of(&mut locks, task.lock);
            }
        }
        locks
    }

    /// Checks the hands to be mixed and says where their cards go; a hand of one card only changes its slot.
    pub(crate) fn remix_piles(&self, hands: &[Remix]) -> Result<Vec<(Seat, Pile)>, Misuse> {
        let mut piles = Vec::with_capacity(hands.len());
        let mut taken: Vec<Slot> = Vec::new();
        for hand in hands {
            if hand.seat.0 >= self.context.seats {
                return Err(Misuse::NoSuchSeat(hand.seat));
            }
            let size = hand.from.len();
            if usize::from(hand.into.0) + size > 1 << 16 {
                return Err(Misuse::Hand(hand.seat));
            }
            let mut kind = None;
            for &slot in &hand.from {
                let place = self.place(slot)?;
                if taken.contains(&slot) {
                    return Err(Misuse::NoSuchSlot(slot));
                }
                taken.push(slot);
                match kind {
                    None => kind = Some((place.deck, place.lock)),
                    Some(kind) if kind != (place.deck, place.lock) => {
                        return Err(Misuse::Hand(hand.seat));
                    }
                    Some(_) => {}
                }
            }
            let Some((deck, lock)) = kind else { continue };
            let pile = Pile {
                deck,
                first: hand.into,
                size,
                lock,
            };
            if pile
                .slots()
                .any(|slot| self.slots.contains_key(&slot) || taken.contains(&slot))
            {
                return Err(Misuse::Hand(hand.seat));
            }
            taken.extend(pile.slots());
            piles.push((hand.seat, pile));
        }
        Ok(piles)
    }

    /// The piles that `seat` mixes now, those under one key together.
    pub(crate) fn groups(&self, stage: &Stage, seat: Seat) -> Vec<Group> {
        let piles: Vec<Pile> = match stage {
            Stage::Chain { piles, turns } if turns.first() == Some(&seat) => piles.clone(),
            Stage::Own { piles, .. } => piles
                .iter()
                .filter(|(holder, _)| *holder == seat)
                .map(|(_, pile)| *pile)
                .collect(),
            Stage::Chain { .. }
            | Stage::Keys
            | Stage::Escrow
            | Stage::Release { .. }
            | Stage::Seeds => vec![],
        };
        let mut locks = Vec::new();
        for pile in &piles {
            index_of(&mut locks, pile.lock);
        }
        locks
            .iter()
            .map(|&lock| {
                let piles: Vec<Pile> = piles
                    .iter()
                    .filter(|pile| pile.lock == lock)
                    .copied()
                    .collect();
                let mut cards = Vec::new();
                let mut tags = Vec::new();
                for (tag, pile) in (0..).zip(&piles) {
                    for slot in pile.slots() {
                        cards.push(
                            self.place(slot)
                                .expect("piles lie in slots of the deal")
                                .card,
                        );
                        tags.push(tag);
                    }
                }
                Group {
                    key: self
                        .lock_key(lock)
                        .expect("cards lie under keys that exist")
                        .clone(),
                    piles,
                    cards,
                    tags,
                }
            })
            .collect()
    }
}

/// The index of `value`, which is added if it is new.
fn index_of<T: PartialEq>(values: &mut Vec<T>, value: T) -> usize {
    match values.iter().position(|known| *known == value) {
        Some(at) => at,
        None => {
            values.push(value);
            values.len() - 1
        }
    }
}
