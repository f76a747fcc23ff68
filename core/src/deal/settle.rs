//! Carrying a request out: from stage to stage, and anew when a seat goes or comes back.
//!
//! Everything here is public and the same on every peer, but for the few lines that let this peer's seat read its own
//! cards and parts.

use alloc::{collections::BTreeMap, vec, vec::Vec};

use curve25519_dalek::ristretto::RistrettoPoint;

use super::audit::{MixRecord, Record, ReleaseRecord};
use super::fault::{DealError, Misuse};
use super::group::{Ciphertext, Faces, Generators, MaskKey};
use super::plan::{Lock, Pile, Place, Stage, Task};
use super::release::Released;
use super::transcript::digest;
use super::{Checked, Deal, Open, Phase};
use crate::codec;
use crate::game::{Audience, Deck, DeckOutcome, DeckRequest, Face, Remix, Seat, Slot};

impl Deal {
    /// Opens the first step of a request that was found sound.
    pub(super) fn start(&mut self, request: DeckRequest) -> Result<(), Misuse> {
        self.prepared = None;
        let stage = match &request {
            DeckRequest::Shuffle { decks, .. } => {
                self.faces = decks
                    .iter()
                    .map(|deck| (deck.id, Faces::new(&self.context.game, deck.id, deck.size)))
                    .collect();
                Stage::Keys
            }
            DeckRequest::Open { .. } | DeckRequest::Pass { .. } => Stage::Release {
                tasks: self.release_tasks(&request)?,
            },
            DeckRequest::Remix { hands } => self.lay_remix(hands)?,
            DeckRequest::Reveal => Stage::Seeds,
        };
        self.begin(request, stage);
        Ok(())
    }

    /// Opens a step. Its digest stands for all before it and for who takes part.
    pub(super) fn begin(&mut self, request: DeckRequest, stage: Stage) {
        self.serial += 1;
        let cards = match &stage {
            Stage::Chain { piles, .. } => piles.iter().map(|pile| pile.size).sum(),
            Stage::Own { piles, .. } => piles.iter().map(|(_, pile)| pile.size).sum(),
            Stage::Keys | Stage::Escrow | Stage::Release { .. } | Stage::Seeds => 0,
        };
        if self.generators.points().len() < cards {
            self.generators = Generators::new(cards);
        }
        let step = digest(
            "shamans deal 1 step",
            &[
                &self.digest,
                &self.serial.to_le_bytes(),
                &codec::encode(&stage.kind()),
                &codec::encode(&self.awaited(&stage)),
                &codec::encode(&self.absent),
            ],
        );
        self.open = Some(Open {
            request,
            stage,
            serial: self.serial,
            step,
            checked: BTreeMap::new(),
        });
    }

    /// The deck key of everyone together, the decks in their first order, and everybody's turn.
    fn lay_decks(&mut self, decks: &[Deck]) -> Stage {
        let joint: RistrettoPoint = self.keys.values().map(|keys| keys.deck).sum();
        self.joint = Some(MaskKey::with_table(joint));
        self.slots.clear();
        let mut piles = Vec::with_capacity(decks.len());
        for deck in decks {
            let pile = Pile {
                deck: deck.id,
                first: deck.first,
                size: usize::from(deck.size),
                lock: Lock::Joint,
            };
            if let Some(faces) = self.faces.get(&deck.id) {
                for (slot, face) in pile.slots().zip(faces.points()) {
                    self.slots.insert(
                        slot,
                        Place {
                            deck: deck.id,
                            card: Ciphertext::bare(face),
                            lock: Lock::Joint,
                            face: None,
                        },
                    );
                }
            }
            piles.push(pile);
        }
        Stage::Chain {
            piles,
            turns: self.present_keyed().iter().collect(),
        }
    }

    /// Copies the hands into their new slots and says who mixes them there.
    pub(super) fn lay_remix(&mut self, hands: &[Remix]) -> Result<Stage, Misuse> {
        let piles = self.remix_piles(hands)?;
        for hand in hands {
            for (i, &slot) in hand.from.iter().enumerate() {
                let mut place = self.place(slot)?.clone();
                place.face = None;
                self.slots.insert(hand.into.after(i), place);
            }
        }
        let (mut own, mut rest) = (Vec::new(), Vec::new());
        for (_, pile) in piles.into_iter().filter(|(_, pile)| pile.size > 1) {
            match pile.lock {
                Lock::Hand(holder) if !self.absent.contains(holder) => own.push((holder, pile)),
                Lock::Hand(_) | Lock::Joint => rest.push(pile),
            }
        }
        Ok(if own.is_empty() {
            self.chain(rest)
        } else {
            Stage::Own { piles: own, rest }
        })
    }

    fn chain(&self, piles: Vec<Pile>) -> Stage {
        let turns = if piles.is_empty() {
            vec![]
        } else {
            self.present_keyed().iter().collect()
        };
        Stage::Chain { piles, turns }
    }

    /// Takes one message of each awaited seat. Goes on to the request's next step (`None`) or finishes it; on a fault the
    /// step stays open and nothing has changed.
    pub fn settle(
        &mut self,
        mut messages: Vec<(Seat, Vec<u8>)>,
    ) -> Result<Option<DeckOutcome>, DealError> {
        let open = self.open.as_ref().ok_or(Misuse::Idle)?;
        messages.sort_by_key(|(seat, _)| *seat);
        if !messages
            .iter()
            .map(|(seat, _)| *seat)
            .eq(self.awaits().iter())
        {
            return Err(Misuse::Messages.into());
        }
        let checked = self.check_all(open, &messages)?;
        let Some(Open {
            request,
            stage,
            serial,
            step,
            checked: _,
        }) = self.open.take()
        else {
            return Err(Misuse::Idle.into());
        };
        let mut parts: Vec<Vec<u8>> = vec![step.to_vec()];
        for (seat, bytes) in messages {
            parts.push(vec![seat.0]);
            parts.push(bytes);
        }
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        self.digest = digest("shamans deal 1 settled", &parts);
        self.claims.clear();
        if self.prepared.as_ref().is_some_and(|(of, _)| *of <= serial) {
            self.prepared = None;
        }
        self.advance(request, stage, serial, checked)
    }

    /// Checks what [`Deal::check`] has not seen, all at once; if that fails, one by one, to name the culprit.
    fn check_all(
        &self,
        open: &Open,
        messages: &[(Seat, Vec<u8>)],
    ) -> Result<Vec<(Seat, Checked)>, DealError> {
        let mut checked = Vec::with_capacity(messages.len());
        let mut together: Option<super::batch::Batch> = None;
        let mut fresh = Vec::new();
        for (seat, bytes) in messages {
            let seen = open
                .checked
                .get(seat)
                .filter(|(hash, _)| *hash == blake3::hash(bytes));
            if let Some((_, seen)) = seen {
                checked.push((*seat, seen.clone()));
                continue;
            }
            let (new, batch) = self.examine(*seat, bytes)?;
            checked.push((*seat, new));
            // What was made here was proved here; said by another seat it is no proof of that seat's.
            let mine = self.me.as_ref().is_some_and(|me| me.seat == *seat);
            if mine && self.made == Some(blake3::hash(bytes)) {
                continue;
            }
            match &mut together {
                Some(together) => together.append(batch),
                None => together = Some(batch),
            }
            fresh.push((*seat, bytes));
        }
        if together.is_none_or(|together| together.holds(&self.generators)) {
            return Ok(checked);
        }
        for (seat, bytes) in fresh {
            let (_, batch) = self.examine(seat, bytes)?;
            if !batch.holds(&self.generators) {
                return Err(self.unproved(seat).into());
            }
        }
        Ok(checked)
    }

    /// Puts a settled stage into effect and opens the next one.
    fn advance(
        &mut self,
        request: DeckRequest,
        stage: Stage,
        serial: u32,
        checked: Vec<(Seat, Checked)>,
    ) -> Result<Option<DeckOutcome>, DealError> {
        let next = match stage {
            Stage::Keys => {
                for (seat, checked) in checked {
                    if let Checked::Keys(keys) = checked {
                        self.hand_keys.insert(seat, MaskKey::new(keys.hand));
                        self.keys.insert(seat, keys);
                    }
                }
                Some(self.after_keys(&request))
            }
            Stage::Escrow => {
                self.escrow.clear();
                for (seat, checked) in checked {
                    if let Checked::Escrow(escrow) = checked {
                        self.records.push(Record::Escrow(
                            seat,
                            escrow.clone(),
                            escrow
                                .shares
                                .iter()
                                .filter_map(|share| {
                                    Some((share.to, self.keys.get(&share.to)?.hand))
                                })
                                .collect(),
                        ));
                        self.escrow.insert(seat, escrow);
                    }
                }
                self.take_shares();
                Some(self.decks_stage(&request))
            }
            Stage::Chain { piles, mut turns } => {
                self.put_mixed(
                    &Stage::Chain {
                        piles: piles.clone(),
                        turns: turns.clone(),
                    },
                    serial,
                    checked,
                );
                if !turns.is_empty() {
                    turns.remove(0);
                }
                (!turns.is_empty()).then_some(Stage::Chain { piles, turns })
            }
            Stage::Own { piles, rest } => {
                self.put_mixed(
                    &Stage::Own {
                        piles,
                        rest: rest.clone(),
                    },
                    serial,
                    checked,
                );
                (!rest.is_empty()).then(|| self.chain(rest))
            }
            Stage::Release { tasks } => {
                self.put_released(&tasks, serial, checked)?;
                None
            }
            Stage::Seeds => {
                for (seat, checked) in checked {
                    if let Checked::Seed(seed) = checked {
                        self.seeds.insert(seat, seed);
                    }
                }
                None
            }
        };
        match next {
            Some(stage) => {
                self.begin(request, stage);
                Ok(None)
            }
            None => Ok(Some(self.finish(&request)?)),
        }
    }

    /// With three or more people keys are shared out; two have nobody to share with.
    pub(super) fn after_keys(&mut self, request: &DeckRequest) -> Stage {
        self.escrow.clear();
        if self.keys.len() >= 3 {
            Stage::Escrow
        } else {
            self.decks_stage(request)
        }
    }

    pub(super) fn decks_stage(&mut self, request: &DeckRequest) -> Stage {
        match request {
            DeckRequest::Shuffle { decks, .. } => self.lay_decks(decks),
            DeckRequest::Open { .. }
            | DeckRequest::Pass { .. }
            | DeckRequest::Remix { .. }
            | DeckRequest::Reveal => Stage::Keys,
        }
    }

    /// Reads the parts that the others gave this seat, and remembers who gave a wrong one.
    fn take_shares(&mut self) {
        let Some(me) = &mut self.me else { return };
        me.shares.clear();
        me.cheated_by = None;
        for (dealer, escrow) in &self.escrow {
            if escrow.share(me.seat).is_none() {
                continue;
            }
            match escrow.open(*dealer, me.seat, &(escrow.ephemeral * me.keys.hand)) {
                Some(share) => {
                    me.shares.insert(*dealer, share);
                }
                None => me.cheated_by = Some(*dealer),
            }
        }
    }

    fn put_mixed(&mut self, stage: &Stage, serial: u32, checked: Vec<(Seat, Checked)>) {
        for (seat, checked) in checked {
            let Checked::Mixed(after) = checked else {
                continue;
            };
            for (group, after) in self.groups(stage, seat).into_iter().zip(after) {
                let slots = group.piles.iter().flat_map(Pile::slots);
                for (slot, card) in slots.zip(&after) {
                    if let Some(place) = self.slots.get_mut(&slot) {
                        place.card = *card;
                    }
                }
                self.records.push(Record::Mix(MixRecord {
                    seat,
                    serial,
                    group,
                    after,
                }));
            }
        }
    }

    fn put_released(
        &mut self,
        tasks: &[Task],
        serial: u32,
        checked: Vec<(Seat, Checked)>,
    ) -> Result<(), Misuse> {
        let mut released: BTreeMap<Slot, Vec<Released>> = BTreeMap::new();
        for (seat, checked) in checked {
            let Checked::Release(given) = checked else {
                continue;
            };
            let jobs = self.jobs(&self.root, serial, seat, tasks);
            for (job, given) in jobs.jobs.iter().zip(&given) {
                released.entry(job.slot).or_default().push(*given);
            }
            self.records.push(Record::Release(ReleaseRecord {
                seat,
                serial,
                away: self.keyed().and(self.absent),
                locks: self.job_locks(seat, tasks),
                jobs: jobs.jobs,
                targets: jobs.targets,
                released: given,
            }));
        }
        for task in tasks {
            let given = released.remove(&task.slot).unwrap_or_default();
            let place = self
                .slots
                .get_mut(&task.slot)
                .ok_or(Misuse::NoSuchSlot(task.slot))?;
            let mut a = RistrettoPoint::default();
            let mut b = place.card.b;
            for given in given {
                match given {
                    Released::Share(share) => b -= share,
                    Released::Switch(u, d) => {
                        a += u;
                        b += d;
                    }
                }
            }
            match task.goal {
                Some(lock) => {
                    place.card = Ciphertext { a, b };
                    place.lock = lock;
                }
                None => {
                    let faces = self.faces.get(&place.deck);
                    let face = faces.and_then(|faces| faces.find(&b));
                    place.face = Some(face.ok_or(Misuse::NoFace(task.slot))?);
                }
            }
        }
        Ok(())
    }

    /// The request is answered.
    fn finish(&mut self, request: &DeckRequest) -> Result<DeckOutcome, Misuse> {
        Ok(match request {
            DeckRequest::Shuffle { .. } => {
                self.phase = Phase::Dealt;
                self.dealt = self.digest;
                DeckOutcome::Shuffled
            }
            DeckRequest::Open { slots } => {
                let mut open = Vec::new();
                for &(slot, audience) in slots {
                    match audience {
                        Audience::All => open.push(self.open_face(slot)?),
                        Audience::One(seat) => self.learn(seat, slot)?,
                    }
                }
                DeckOutcome::Opened(open)
            }
            DeckRequest::Pass { slots } => {
                for &(slot, seat) in slots {
                    self.learn(seat, slot)?;
                }
                DeckOutcome::Passed
            }
            DeckRequest::Remix { hands } => {
                for hand in hands {
                    for i in 0..hand.from.len() {
                        self.learn(hand.seat, hand.into.after(i))?;
                    }
                }
                DeckOutcome::Remixed
            }
            DeckRequest::Reveal => {
                self.phase = Phase::Revealed;
                DeckOutcome::Revealed(self.revealed_faces())
            }
        })
    }

    fn open_face(&self, slot: Slot) -> Result<Face, Misuse> {
        self.place(slot)?.face.ok_or(Misuse::NoFace(slot))
    }

    /// If `seat` is this peer's and the slot is its own, reads it.
    fn learn(&mut self, seat: Seat, slot: Slot) -> Result<(), Misuse> {
        let Some(me) = self.me.as_ref().filter(|me| me.seat == seat) else {
            return Ok(());
        };
        let place = self.place(slot)?;
        let face = match place.face {
            Some(face) => face,
            None if place.lock == Lock::Hand(seat) => self.read(me, slot, place)?,
            None => return Ok(()),
        };
        self.known.learn(slot, face);
        Ok(())
    }
}
