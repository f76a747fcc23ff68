//! What can go wrong in a deal: our own misuse, and a peer's fault with its culprit.
//!
//! A [`DealFault`] is provable: whoever has replayed the deal up to the same step gets the same fault from the same bytes.

use crate::game::{DeckId, Seat, Slot};

/// The steps of a deal, as far as a message belongs to one.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum StepKind {
    /// Seed commitment and public keys, with proofs of possession.
    Keys,
    /// Shares of one's keys for the others.
    Escrow,
    /// One seat's turn in permuting and re-masking.
    Mix,
    /// Key switches and shares of openings.
    Release,
    /// An own slot opened together with an action.
    Claim,
    /// The seed, after the round.
    Seed,
    /// The check of everything against the seeds.
    Audit,
}

/// What is wrong with a seat's message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// The bytes are no message of this step.
    #[error("the message is not of the expected form")]
    Malformed,
    /// Nobody waits for this seat in this step.
    #[error("the seat has no part in this step")]
    NotAwaited,
    /// 32 bytes that are no canonical point or scalar.
    #[error("a point or scalar is not in its canonical form")]
    Encoding,
    /// The identity where a key must be.
    #[error("a key is the identity")]
    IdentityKey,
    /// The proof that the seat knows its own secret keys does not hold.
    #[error("the proof of possession does not hold")]
    Possession,
    /// The parts of a shared key do not add up to it.
    #[error("the shares do not add up to the key")]
    EscrowSum,
    /// A share that its receiver can show to be wrong.
    #[error("the share for seat {} is wrong", .to.0)]
    FalseShare {
        /// Who was to receive it.
        to: Seat,
    },
    /// A complaint about a share that is right, or one without proof.
    #[error("the complaint about seat {} is false", .against.0)]
    FalseComplaint {
        /// The accused.
        against: Seat,
    },
    /// The proof of shuffle does not hold.
    #[error("the shuffle is not proved")]
    Shuffle,
    /// The proof of the key switches and shares does not hold.
    #[error("the key switch or share is not proved")]
    Release,
    /// The seat does not hold the slot it opens.
    #[error("the seat does not hold the slot")]
    NotHeld,
    /// The face is none of this deck.
    #[error("the deck has no such face")]
    NoSuchFace,
    /// The proof that a slot shows what its holder says does not hold.
    #[error("the slot is not proved to show what was claimed")]
    FalseClaim,
    /// The revealed seed is not the one that was committed to.
    #[error("the revealed seed is not the committed one")]
    Seed,
    /// A key is not the one that the seed gives.
    #[error("a key does not come from the seed")]
    KeyNotFromSeed,
    /// A share or its encryption is not the one that the seed gives.
    #[error("the share for seat {} does not come from the seed", .to.0)]
    ShareNotFromSeed {
        /// Who received it.
        to: Seat,
    },
    /// A slot was not permuted and masked as the seed says.
    #[error("a slot of deck {} was not mixed as the seed says", .deck.0)]
    MixNotFromSeed {
        /// Of which deck.
        deck: DeckId,
    },
    /// A key switch or share is not the one that the seed gives.
    #[error("a key switch or share does not come from the seed")]
    ReleaseNotFromSeed,
}

/// A provable wrong of one seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("seat {}, step {step:?}{}: {wrong}", .culprit.0, At(.slot))]
pub struct DealFault {
    /// Who did it.
    pub culprit: Seat,
    /// In which step.
    pub step: StepKind,
    /// At which slot, where it can be told.
    pub slot: Option<Slot>,
    /// What it is.
    pub wrong: Wrong,
}

struct At<'a>(&'a Option<Slot>);

impl core::fmt::Display for At<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.0 {
            Some(slot) => write!(f, ", slot {}", slot.0),
            None => Ok(()),
        }
    }
}

/// Our own side asks for what cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Misuse {
    /// The context names no person, a person beyond the table, or too many seats; or `me` is no person.
    #[error("the deal's context does not fit the table")]
    Context,
    /// A request while another is open.
    #[error("a request is already open")]
    Busy,
    /// A message or settlement while no request is open.
    #[error("no request is open")]
    Idle,
    /// A request that needs shuffled decks comes first, or a second shuffle in the same deal.
    #[error("the request does not fit the state of the deal")]
    OutOfOrder,
    /// A deck of fewer than 2 or more than 256 cards, a deck twice, overlapping slots, or slots beyond the last number.
    #[error("the decks cannot be laid out")]
    Decks,
    /// The seats that hold no key are not those of the context.
    #[error("the sealed seats are not those of the context")]
    Sealed,
    /// The slot is not of this deal, or is named twice.
    #[error("slot {} is not of this deal or is named twice", .0.0)]
    NoSuchSlot(Slot),
    /// The seat is not of this table.
    #[error("seat {} is not of this table", .0.0)]
    NoSuchSeat(Seat),
    /// A hand to be mixed lies under several keys or decks, or its new slots are taken.
    #[error("the hand of seat {} cannot be mixed", .0.0)]
    Hand(Seat),
    /// This peer has no message in the open step.
    #[error("this peer has no part in the open step")]
    NotAwaited,
    /// Only the holder of a slot can claim it.
    #[error("slot {} is not ours to open", .0.0)]
    NotHeld(Slot),
    /// The messages are not exactly one of each awaited seat.
    #[error("the messages are not those of the awaited seats")]
    Messages,
    /// Too many are gone, or too few share keys: the round can only wait or be voided.
    #[error("nobody can stand in for seat {}", .0.0)]
    NoEscrow(Seat),
    /// The seat was gone before it had a key: it stays sealed until the next deal.
    #[error("seat {} has no key in this deal", .0.0)]
    NoKey(Seat),
    /// The deal has not been revealed.
    #[error("the deal is not revealed")]
    NotRevealed,
    /// A sum of checked shares shows no face of the deck: a proof system is broken.
    #[error("slot {} shows no face of its deck", .0.0)]
    NoFace(Slot),
}

/// Why a step is not settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DealError {
    /// Our own bug.
    #[error(transparent)]
    Misuse(#[from] Misuse),
    /// A peer's wrong.
    #[error(transparent)]
    Fault(#[from] DealFault),
}
