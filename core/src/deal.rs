//! Sealed decks: cards that everybody shuffles and nobody sees, with every step proved.
//!
//! One [`Deal`] is one peer's side of one deal: it takes a game's [`DeckRequest`], says whose messages it needs, makes its
//! own, checks everybody's and comes to the [`DeckOutcome`](crate::game::DeckOutcome). It does no I/O and keeps no time; it knows slots and numbers,
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
//! When nobody is awaited, `settle` with no messages goes on. While it waits, a driver may call `prepare`; what it has published itself it
//! may tell by `made`, so that it is not checked here.

use alloc::{collections::BTreeMap, vec::Vec};
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::codec;
use crate::game::{DeckId, DeckRequest, Known, Seat, SeatSet, Slot};

mod absence;
mod audit;
mod batch;
mod check;
mod claim;
mod contribute;
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

pub use audit::{Audit, SeatVerdict, Verdict};
pub use fault::{DealError, DealFault, Misuse, StepKind, Wrong};
pub use seed::{DealContext, DealSeed};

use audit::Record;
use batch::WeightKey;
use escrow::{Complaint, Escrow, EscrowMessage, Share};
use group::{Ciphertext, Faces, Generators, MaskKey};
use keys::{KeysMessage, PublicKeys, SecretKeys};
use plan::{Place, Stage};
use release::{ReleaseMessage, Released};
use shuffle::{Mixed, Prepared};
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
    /// The last message that was made here.
    made: Option<blake3::Hash>,
    /// Work done ahead for the step of this serial.
    prepared: Option<(u32, Vec<Prepared>)>,
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
            made: None,
            prepared: None,
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
}

#[cfg(test)]
mod tests;
