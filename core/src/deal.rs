//! Sealed decks: cards that everybody shuffles and nobody sees, with every step proved.
//!
//! One [`Deal`] is one peer's side of one deal: it takes a game's [`DeckRequest`], says whose messages it needs, makes its
//! own, checks everybody's and comes to the [`DeckOutcome`]. It does no I/O and keeps no time; it knows slots and numbers,
//! no rules. Spectators and verifiers drive one without a seat and check all the same. `core/docs/protocol.md` has every
//! byte; the comments here name its sections.
//!
//! A driver's loop for one request:
//! ```text
//! deal.request(&request)?;
//! loop {
//!     if deal.awaits() contains me { publish(deal.contribute(rng)?) }        // once: keep what was published
//!     for each message that arrives { deal.check(seat, &bytes)? }            // a fault names its culprit
//!     if let Some(outcome) = deal.settle(one message of each awaited seat)? { break outcome }
//! }
//! ```
//! When nobody is awaited, `settle` with no messages goes on.

use alloc::{collections::BTreeMap, vec::Vec};
use core::fmt;

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use rand::CryptoRng;
use serde::{Deserialize, Serialize};

use crate::codec;
use crate::game::{Claim, DeckId, DeckRequest, Known, Seat, SeatSet, Slot};

mod audit;
mod batch;
mod claim;
mod escrow;
mod fault;
mod group;
mod keys;
mod linear;
pub mod measure;
mod plan;
mod release;
mod seed;
mod settle;
mod shuffle;
mod transcript;

pub use audit::{SeatVerdict, Verdict};
pub use fault::{DealError, DealFault, Misuse, StepKind, Wrong};
pub use seed::{DealContext, DealSeed};

use audit::Record;
use batch::{Batch, WeightKey};
use claim::Claiming;
use escrow::{Complaining, Complaint, Dealing, Escrow, EscrowMessage, Share};
use group::{Ciphertext, Faces, Generators, MaskKey, Secrets};
use keys::{KeysMessage, PublicKeys, SecretKeys};
use linear::LinearProof;
use plan::{Lock, Place, Stage};
use release::{ReleaseMessage, Released};
use shuffle::{Before, Mixed, Moves};
use transcript::{Digest, digest};

/// The messages of the protocol, one for each kind of step, and the complaint that can stand for a seat's turn.
#[derive(Serialize, Deserialize)]
enum Message {
    Keys(KeysMessage),
    Escrow(EscrowMessage),
    Mixed(Vec<Mixed>),
    Complaint(Complaint),
    Release(ReleaseMessage),
    Seed([u8; 32]),
}

/// A message that has passed its check.
#[derive(Clone)]
enum Checked {
    Keys(PublicKeys),
    Escrow(Escrow),
    Mixed(Vec<Vec<Ciphertext>>),
    Release(Vec<Released>),
    Seed(DealSeed),
}

/// What only this peer has.
#[derive(Clone)]
struct Me {
    seat: Seat,
    seed: DealSeed,
    keys: SecretKeys,
    /// Parts of the others' keys.
    shares: BTreeMap<Seat, Share>,
    /// Whose part for us was wrong.
    cheated_by: Option<Seat>,
}

/// The request being answered and its open step.
#[derive(Clone)]
struct Open {
    request: DeckRequest,
    stage: Stage,
    /// Never the same for two steps of a deal, planned-anew ones included.
    serial: u32,
    /// Stands for the deal up to this step, and for who takes part in it.
    step: Digest,
    checked: BTreeMap<Seat, (blake3::Hash, Checked)>,
}

/// How far the deal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Fresh,
    Dealt,
    Revealed,
}

/// One peer's side of one deal.
#[derive(Clone)]
pub struct Deal {
    context: DealContext,
    root: Digest,
    me: Option<Me>,
    weights: WeightKey,
    phase: Phase,
    /// Stands for every request and settled message so far.
    digest: Digest,
    /// The digest when the decks lay shuffled: what claims are bound to.
    dealt: Digest,
    serial: u32,
    absent: SeatSet,
    keys: BTreeMap<Seat, PublicKeys>,
    escrow: BTreeMap<Seat, Escrow>,
    joint: Option<MaskKey>,
    hand_keys: BTreeMap<Seat, MaskKey>,
    faces: BTreeMap<DeckId, Faces>,
    generators: Generators,
    slots: BTreeMap<Slot, Place>,
    open: Option<Open>,
    /// Claims that were checked and not yet taken in.
    claims: Vec<blake3::Hash>,
    known: Known,
    records: Vec<Record>,
    seeds: BTreeMap<Seat, DealSeed>,
}

impl fmt::Debug for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deal")
            .field("number", &self.context.number)
            .field("phase", &self.phase)
            .field("awaits", &self.awaits())
            .finish_non_exhaustive()
    }
}

impl Deal {
    /// The deal of `context`, as seen from the seat in `me`; without one it only watches and checks.
    pub fn new(context: DealContext, me: Option<(Seat, DealSeed)>) -> Result<Deal, Misuse> {
        let seated = me
            .as_ref()
            .is_none_or(|(seat, _)| context.people.contains(*seat));
        if !context.is_sound() || !seated {
            return Err(Misuse::Context);
        }
        let root = context.root();
        // A spectator has no secret: its weights hang on the message alone.
        let weights = me.as_ref().map_or(root, |(_, seed)| {
            digest("shamans deal 1 weight key", &[seed.bytes(), &root])
        });
        let me = me.map(|(seat, seed)| Me {
            seat,
            keys: SecretKeys::derive(&seed, &root),
            seed,
            shares: BTreeMap::new(),
            cheated_by: None,
        });
        Ok(Deal {
            weights: WeightKey::new(weights),
            digest: root,
            dealt: root,
            root,
            context,
            me,
            phase: Phase::Fresh,
            serial: 0,
            absent: SeatSet::EMPTY,
            keys: BTreeMap::new(),
            escrow: BTreeMap::new(),
            joint: None,
            hand_keys: BTreeMap::new(),
            faces: BTreeMap::new(),
            generators: Generators::new(0),
            slots: BTreeMap::new(),
            open: None,
            claims: Vec::new(),
            known: Known::new(),
            records: Vec::new(),
            seeds: BTreeMap::new(),
        })
    }

    /// What this deal is bound to.
    pub fn context(&self) -> &DealContext {
        &self.context
    }

    /// What this peer's seat has seen in private.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// The seats that are away and for whom the others act.
    pub fn away(&self) -> SeatSet {
        self.absent
    }

    /// Does `seat` have keys in this deal? One that was gone before it had any is a phantom until the next.
    pub fn has_key(&self, seat: Seat) -> bool {
        self.keys.contains_key(&seat)
    }

    /// Begins to work on a request.
    pub fn request(&mut self, request: &DeckRequest) -> Result<(), Misuse> {
        if self.open.is_some() {
            return Err(Misuse::Busy);
        }
        let fits = match request {
            DeckRequest::Shuffle { .. } => self.phase == Phase::Fresh,
            DeckRequest::Open { .. }
            | DeckRequest::Pass { .. }
            | DeckRequest::Remix { .. }
            | DeckRequest::Reveal => self.phase == Phase::Dealt,
        };
        if !fits {
            return Err(Misuse::OutOfOrder);
        }
        match request {
            DeckRequest::Shuffle { decks, sealed } => {
                Deal::check_decks(decks)?;
                if *sealed
                    != SeatSet::first(usize::from(self.context.seats)).minus(self.context.people)
                {
                    return Err(Misuse::Sealed);
                }
            }
            DeckRequest::Open { .. } | DeckRequest::Pass { .. } => {
                self.release_tasks(request)?;
            }
            DeckRequest::Remix { hands } => {
                self.remix_piles(hands)?;
            }
            DeckRequest::Reveal => {}
        }
        self.digest = digest(
            "shamans deal 1 request",
            &[&self.digest, &codec::encode(request)],
        );
        self.start(request.clone())
    }

    /// Whose messages the open step needs. None, with a request open: it needs only [`Deal::settle`].
    pub fn awaits(&self) -> SeatSet {
        self.open
            .as_ref()
            .map_or(SeatSet::EMPTY, |open| self.awaited(&open.stage))
    }

    /// Is a request being answered?
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// The kind of the open step.
    pub fn step(&self) -> Option<StepKind> {
        self.open.as_ref().map(|open| open.stage.kind())
    }

    fn awaited(&self, stage: &Stage) -> SeatSet {
        match stage {
            Stage::Keys => self.context.people.minus(self.absent),
            Stage::Escrow | Stage::Seeds => self.present_keyed(),
            Stage::Chain { turns, piles } => match turns.first() {
                Some(seat) if !piles.is_empty() => SeatSet::one(*seat),
                Some(_) | None => SeatSet::EMPTY,
            },
            Stage::Own { piles, .. } => piles.iter().map(|(seat, _)| *seat).collect(),
            Stage::Release { tasks } => tasks.iter().fold(SeatSet::EMPTY, |seats, task| {
                seats.or(self.holders(task.lock))
            }),
        }
    }

    /// This peer's message for the open step. `rng` gives proof nonces only, which are mixed with the statement; a second
    /// call makes another valid message, so a driver keeps the first.
    pub fn contribute<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> Result<Vec<u8>, Misuse> {
        let open = self.open.as_ref().ok_or(Misuse::Idle)?;
        let me = self.me.as_ref().ok_or(Misuse::NotAwaited)?;
        if !self.awaits().contains(me.seat) {
            return Err(Misuse::NotAwaited);
        }
        let message = match &open.stage {
            Stage::Keys => Message::Keys(KeysMessage::new(
                &open.step, &self.root, me.seat, &me.seed, &me.keys, rng,
            )),
            Stage::Escrow => {
                let to: Vec<(Seat, RistrettoPoint)> = self
                    .keys
                    .iter()
                    .filter(|(seat, _)| **seat != me.seat)
                    .map(|(seat, keys)| (*seat, keys.hand))
                    .collect();
                Message::Escrow(
                    self.dealing(open, me.seat)
                        .message(&self.root, &me.seed, &me.keys, &to, rng),
                )
            }
            Stage::Chain { .. } | Stage::Own { .. } => match self.complaint(open, me, rng) {
                Some(complaint) => Message::Complaint(complaint),
                None => Message::Mixed(self.mix(open, me, rng)),
            },
            Stage::Release { tasks } => match self.complaint(open, me, rng) {
                Some(complaint) => Message::Complaint(complaint),
                None => {
                    let jobs = self.jobs(&open.step, open.serial, me.seat, tasks);
                    let locks = self.job_locks(me.seat, tasks);
                    let mut parts = Secrets(Vec::with_capacity(locks.len()));
                    for lock in locks {
                        parts.0.push(self.secret_part(me, lock)?);
                    }
                    Message::Release(jobs.message(&self.root, &parts, &me.seed, rng))
                }
            },
            Stage::Seeds => Message::Seed(*me.seed.bytes()),
        };
        Ok(codec::encode(&message))
    }

    fn dealing<'a>(&self, open: &'a Open, dealer: Seat) -> Dealing<'a> {
        Dealing {
            step: &open.step,
            serial: open.serial,
            dealer,
        }
    }

    fn complaint<R: CryptoRng + ?Sized>(
        &self,
        open: &Open,
        me: &Me,
        rng: &mut R,
    ) -> Option<Complaint> {
        let against = me.cheated_by?;
        let complaining = Complaining {
            step: &open.step,
            by: me.seat,
            key: &self.keys.get(&me.seat)?.hand,
            escrow: self.escrow.get(&against)?,
        };
        Some(complaining.message(against, &me.keys.hand, &me.seed, rng))
    }

    fn mix<R: CryptoRng + ?Sized>(&self, open: &Open, me: &Me, rng: &mut R) -> Vec<Mixed> {
        self.groups(&open.stage, me.seat)
            .iter()
            .map(|group| {
                let moves = Moves::derive(&me.seed, &self.root, open.serial, &group.piles);
                let before = Before {
                    key: &group.key,
                    cards: &group.cards,
                    tags: &group.tags,
                };
                let transcript = group.statement(&open.step, me.seat);
                before.prove(transcript, &moves, &self.generators, &me.seed, rng)
            })
            .collect()
    }

    /// The secret of [`Deal::part`].
    fn secret_part(&self, me: &Me, lock: Lock) -> Result<Scalar, Misuse> {
        let share = |seat: Seat| me.shares.get(&seat).ok_or(Misuse::NoEscrow(seat));
        Ok(match lock {
            Lock::Joint => {
                let mut part = me.keys.deck;
                for gone in self.keyed().and(self.absent).iter() {
                    part += share(gone)?.deck;
                }
                part
            }
            Lock::Hand(seat) if seat == me.seat => me.keys.hand,
            Lock::Hand(seat) => share(seat)?.hand,
        })
    }

    /// Checks the message of `by` in the open step in full. What is refused here every peer refuses, with the same culprit.
    pub fn check(&mut self, by: Seat, bytes: &[u8]) -> Result<(), DealError> {
        let hash = blake3::hash(bytes);
        let (checked, batch) = self.examine(by, bytes)?;
        if !batch.holds(&self.generators) {
            return Err(self.unproved(by).into());
        }
        if let Some(open) = &mut self.open {
            open.checked.insert(by, (hash, checked));
        }
        Ok(())
    }

    /// The fault of a message of the open step whose equations do not hold.
    fn unproved(&self, by: Seat) -> DealFault {
        let step = self.step().unwrap_or(StepKind::Claim);
        let wrong = match step {
            StepKind::Keys | StepKind::Escrow => Wrong::Possession,
            StepKind::Mix => Wrong::Shuffle,
            StepKind::Release => Wrong::Release,
            StepKind::Claim => Wrong::FalseClaim,
            StepKind::Seed | StepKind::Audit => Wrong::Seed,
        };
        DealFault {
            culprit: by,
            step,
            slot: None,
            wrong,
        }
    }

    /// Decodes a message, checks all but its equations, and gathers those.
    fn examine(&self, by: Seat, bytes: &[u8]) -> Result<(Checked, Batch), DealError> {
        let open = self.open.as_ref().ok_or(Misuse::Idle)?;
        let fault = |wrong| DealFault {
            culprit: by,
            step: open.stage.kind(),
            slot: None,
            wrong,
        };
        if !self.awaits().contains(by) {
            return Err(fault(Wrong::NotAwaited).into());
        }
        let message: Message = codec::decode(bytes).map_err(|_| fault(Wrong::Malformed))?;
        let mut batch = self.weights.batch(&open.step, by.0, bytes);
        let checked = match (&open.stage, message) {
            (Stage::Keys, Message::Keys(message)) => {
                Checked::Keys(message.verify(&open.step, by, &mut batch).map_err(fault)?)
            }
            (Stage::Escrow, Message::Escrow(message)) => {
                let keys = self.keys.get(&by).ok_or(fault(Wrong::NotAwaited))?;
                let to = self.keyed().without(by);
                let escrow = self
                    .dealing(open, by)
                    .verify(&message, keys, to, &mut batch);
                Checked::Escrow(escrow.map_err(fault)?)
            }
            (Stage::Chain { .. } | Stage::Own { .. }, Message::Mixed(mixed)) => {
                let groups = self.groups(&open.stage, by);
                if groups.len() != mixed.len() {
                    return Err(fault(Wrong::Malformed).into());
                }
                let mut after = Vec::with_capacity(groups.len());
                for (group, mixed) in groups.iter().zip(&mixed) {
                    let before = Before {
                        key: &group.key,
                        cards: &group.cards,
                        tags: &group.tags,
                    };
                    let transcript = group.statement(&open.step, by);
                    let cards = before.verify(transcript, mixed, &mut batch);
                    after.push(cards.ok_or(fault(Wrong::Encoding))?);
                }
                Checked::Mixed(after)
            }
            (
                Stage::Chain { .. } | Stage::Own { .. } | Stage::Release { .. },
                Message::Complaint(complaint),
            ) => {
                return Err(self.judge(open, by, &complaint, batch).into());
            }
            (Stage::Release { tasks }, Message::Release(message)) => {
                let jobs = self.jobs(&open.step, open.serial, by, tasks);
                Checked::Release(jobs.verify(&message, &mut batch).map_err(fault)?)
            }
            (Stage::Seeds, Message::Seed(bytes)) => {
                let seed = DealSeed::from_bytes(bytes);
                let keys = self.keys.get(&by).ok_or(fault(Wrong::NotAwaited))?;
                if seed.commitment(&self.root, by) != keys.commitment {
                    return Err(fault(Wrong::Seed).into());
                }
                Checked::Seed(seed)
            }
            (
                Stage::Keys
                | Stage::Escrow
                | Stage::Chain { .. }
                | Stage::Own { .. }
                | Stage::Release { .. }
                | Stage::Seeds,
                _,
            ) => return Err(fault(Wrong::Malformed).into()),
        };
        Ok((checked, batch))
    }

    /// Who is wrong when `by` complains: the accused if the proved point does not open the committed part, else `by`.
    fn judge(&self, open: &Open, by: Seat, complaint: &Complaint, mut batch: Batch) -> DealFault {
        let against = complaint.against;
        let false_complaint = DealFault {
            culprit: by,
            step: open.stage.kind(),
            slot: None,
            wrong: Wrong::FalseComplaint { against },
        };
        let (Some(keys), Some(escrow)) = (self.keys.get(&by), self.escrow.get(&against)) else {
            return false_complaint;
        };
        let complaining = Complaining {
            step: &open.step,
            by,
            key: &keys.hand,
            escrow,
        };
        let Some(common) = complaining.verify(complaint, &mut batch) else {
            return false_complaint;
        };
        if against == by
            || !batch.holds(&self.generators)
            || escrow.open(against, by, &common).is_some()
        {
            return false_complaint;
        }
        DealFault {
            culprit: against,
            step: StepKind::Escrow,
            slot: None,
            wrong: Wrong::FalseShare { to: by },
        }
    }

    /// Opens one of our own slots: the claim and its proof, for the log entry of the action that needs it.
    pub fn claim<R: CryptoRng + ?Sized>(
        &self,
        slot: Slot,
        rng: &mut R,
    ) -> Result<(Claim, Vec<u8>), Misuse> {
        let me = self.me.as_ref().ok_or(Misuse::NotHeld(slot))?;
        let place = self.place(slot)?;
        if let Some(face) = place.face {
            return Ok((Claim { slot, face }, Vec::new()));
        }
        if place.lock != Lock::Hand(me.seat) {
            return Err(Misuse::NotHeld(slot));
        }
        let claim = Claim {
            slot,
            face: self.read(me, slot, place)?,
        };
        let claiming = self
            .claiming(me.seat, &claim)
            .map_err(|_| Misuse::NoFace(slot))?;
        let proof = claiming.prove(&me.keys.hand, &me.seed, rng);
        Ok((claim, codec::encode(&proof)))
    }

    /// What lies under our own hand key.
    fn read(&self, me: &Me, slot: Slot, place: &Place) -> Result<crate::game::Face, Misuse> {
        if let Some(face) = self.known.face(slot) {
            return Ok(face);
        }
        let point = place.card.b - place.card.a * me.keys.hand;
        self.faces
            .get(&place.deck)
            .and_then(|faces| faces.find(&point))
            .ok_or(Misuse::NoFace(slot))
    }

    fn claiming(&self, by: Seat, claim: &Claim) -> Result<Claiming<'_>, DealFault> {
        let fault = |wrong| DealFault {
            culprit: by,
            step: StepKind::Claim,
            slot: Some(claim.slot),
            wrong,
        };
        let place = self.slots.get(&claim.slot).ok_or(fault(Wrong::NotHeld))?;
        let key = self.keys.get(&by).ok_or(fault(Wrong::NotHeld))?;
        if place.lock != Lock::Hand(by) {
            return Err(fault(Wrong::NotHeld));
        }
        let face = self
            .faces
            .get(&place.deck)
            .and_then(|faces| faces.point(claim.face))
            .ok_or(fault(Wrong::NoSuchFace))?;
        Ok(Claiming {
            dealt: &self.dealt,
            by,
            claim: *claim,
            deck: place.deck,
            key: &key.hand,
            card: &place.card,
            face,
        })
    }

    /// Checks that the slot is `by`'s and shows what is claimed.
    pub fn check_claim(&mut self, by: Seat, claim: &Claim, proof: &[u8]) -> Result<(), DealFault> {
        self.verify_claim(by, claim, proof)?;
        self.claims.push(claim_hash(by, claim, proof));
        Ok(())
    }

    fn verify_claim(&self, by: Seat, claim: &Claim, proof: &[u8]) -> Result<(), DealFault> {
        let fault = |wrong| DealFault {
            culprit: by,
            step: StepKind::Claim,
            slot: Some(claim.slot),
            wrong,
        };
        if let Some(face) = self.slots.get(&claim.slot).and_then(|place| place.face) {
            return if face == claim.face && proof.is_empty() {
                Ok(())
            } else {
                Err(fault(Wrong::FalseClaim))
            };
        }
        let claiming = self.claiming(by, claim)?;
        let parsed: LinearProof = codec::decode(proof).map_err(|_| fault(Wrong::Malformed))?;
        let mut batch = self.weights.batch(&self.dealt, by.0, proof);
        claiming
            .verify(&parsed, &mut batch)
            .ok_or(fault(Wrong::Encoding))?;
        if batch.holds(&self.generators) {
            Ok(())
        } else {
            Err(fault(Wrong::FalseClaim))
        }
    }

    /// Takes a claim in: the slot lies open to all. Checks it unless [`Deal::check_claim`] just did.
    pub fn open_claim(&mut self, by: Seat, claim: &Claim, proof: &[u8]) -> Result<(), DealFault> {
        let hash = claim_hash(by, claim, proof);
        match self.claims.iter().position(|known| *known == hash) {
            Some(at) => {
                self.claims.swap_remove(at);
            }
            None => self.verify_claim(by, claim, proof)?,
        }
        if let Some(place) = self.slots.get_mut(&claim.slot) {
            place.face = Some(claim.face);
        }
        Ok(())
    }
}

fn claim_hash(by: Seat, claim: &Claim, proof: &[u8]) -> blake3::Hash {
    let mut hash = blake3::Hasher::new();
    hash.update(&[by.0, claim.face.0]);
    hash.update(&claim.slot.0.to_le_bytes());
    hash.update(proof);
    hash.finalize()
}

#[cfg(test)]
mod tests;
