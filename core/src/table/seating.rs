//! Sitting down: proposal, commitments to lots, lots, signatures.
//!
//! One of the people (whoever opened the table; it gives no power) makes a [`Proposal`]. Being *ready* is committing to a lot; when all
//! are ready the lots are shown, everyone computes the same [`Genesis`], and signs it. Since every lot was fixed before any was
//! seen, nobody can choose the table phrase or the drawn seats, and a stranger between two people cannot make both phrases agree.
//!
//! Driven like the table: [`Seating::receive`], [`Seating::handle_timeout`], [`Seating::poll`]. It remembers nothing across a
//! restart: until the genesis is signed there is nothing to lose.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::genesis::{Genesis, GenesisError, Lot, Proposal, SignedGenesis, commitment};
use crate::codec;
use crate::game::{Game, Seat};
use crate::log::{Digest, Identity, PlayerKey, Signature};

/// The largest message while sitting down.
pub const MAX_SEATING: usize = 128 * 1024;
/// How often everything is said again, in milliseconds.
const AGAIN_MS: u64 = 400;

/// What goes between people who sit down. All of it names the proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Words {
    Ready {
        proposal: Digest,
        commitment: Digest,
    },
    Lot {
        proposal: Digest,
        lot: Lot,
    },
    Signed {
        proposal: Digest,
        signature: Signature,
    },
}

/// What the driver is to do, and what it should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeatingOutput {
    /// To everyone else at the table.
    Send(Vec<u8>),
    /// This person is ready.
    Ready(PlayerKey),
    /// All are ready and the lots are drawn: show the phrase.
    Drawn(Genesis),
    /// All have signed: the table stands.
    Seated(SignedGenesis),
}

/// Why a message was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeatingError {
    /// Not one of the people of the proposal.
    #[error("a stranger speaks")]
    Stranger,
    /// Not a message, or too large.
    #[error("not a message of this protocol")]
    Garbage,
    /// It is about another proposal.
    #[error("it is about another proposal")]
    OtherProposal,
    /// The lot is not the one committed to.
    #[error("the lot is not the one committed to")]
    FalseLot,
    /// Said before, differently.
    #[error("it was said before, differently")]
    Changed,
    /// The signature is not under this genesis.
    #[error("the signature is not under this table")]
    FalseSignature,
    /// The proposal itself is refused.
    #[error(transparent)]
    Genesis(#[from] GenesisError),
}

#[derive(Default)]
struct Person {
    commitment: Option<Digest>,
    lot: Option<Lot>,
    signature: Option<Signature>,
    /// A signature that came before the last lot and could not be checked yet.
    early: Option<Signature>,
}

/// One person's side of sitting down to one proposal.
pub struct Seating {
    proposal: Proposal,
    name: Digest,
    identity: Identity,
    lot: Lot,
    ready: bool,
    people: BTreeMap<PlayerKey, Person>,
    genesis: Option<Genesis>,
    seated: bool,
    out: VecDeque<SeatingOutput>,
    again: u64,
}

impl core::fmt::Debug for Seating {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Seating")
            .field("proposal", &self.name)
            .field("ready", &self.ready)
            .field("seated", &self.seated)
            .finish_non_exhaustive()
    }
}

impl Seating {
    /// Sits down to a proposal of a game of `G`, if it makes one. `lot` is 32 fresh random bytes.
    pub fn new<G: Game>(
        proposal: Proposal,
        identity: Identity,
        lot: Lot,
        now: u64,
    ) -> Result<Seating, SeatingError> {
        proposal.check()?;
        proposal.set_up::<G>()?;
        let people: BTreeMap<PlayerKey, Person> = proposal
            .keys()
            .map(|key| (*key, Person::default()))
            .collect();
        if !people.contains_key(&identity.public()) {
            return Err(SeatingError::Stranger);
        }
        Ok(Seating {
            name: proposal.digest(),
            proposal,
            identity,
            lot,
            ready: false,
            people,
            genesis: None,
            seated: false,
            out: VecDeque::new(),
            again: now + AGAIN_MS,
        })
    }

    /// What is being sat down to.
    pub fn proposal(&self) -> &Proposal {
        &self.proposal
    }

    /// Who is ready.
    pub fn ready(&self) -> impl Iterator<Item = &PlayerKey> {
        self.people
            .iter()
            .filter(|(_, person)| person.commitment.is_some())
            .map(|(key, _)| key)
    }

    /// Whose word is missing: who is not ready; once all are, who has not shown the lot; then who has not signed.
    pub fn waits_for(&self) -> impl Iterator<Item = &PlayerKey> {
        let ready = self.all_committed();
        let drawn = self.people.values().all(|person| person.lot.is_some());
        self.people
            .iter()
            .filter(move |(_, person)| match (ready, drawn) {
                (false, _) => person.commitment.is_none(),
                (true, false) => person.lot.is_none(),
                (true, true) => person.signature.is_none(),
            })
            .map(|(key, _)| key)
    }

    /// I agree to the proposal. There is no way back but a new proposal.
    pub fn be_ready(&mut self) {
        if self.ready {
            return;
        }
        self.ready = true;
        let me = self.identity.public();
        let commitment = commitment(&self.name, &me, &self.lot);
        if let Some(person) = self.people.get_mut(&me) {
            person.commitment = Some(commitment);
        }
        self.out.push_back(SeatingOutput::Ready(me));
        self.say_all();
        self.go_on();
    }

    /// A message from `from`, as the transport has it authenticated.
    pub fn receive(&mut self, from: &PlayerKey, bytes: &[u8]) -> Result<(), SeatingError> {
        if bytes.len() > MAX_SEATING {
            return Err(SeatingError::Garbage);
        }
        let words: Words = codec::decode(bytes).map_err(|_| SeatingError::Garbage)?;
        let (Words::Ready { proposal, .. }
        | Words::Lot { proposal, .. }
        | Words::Signed { proposal, .. }) = &words;
        if *proposal != self.name {
            return Err(SeatingError::OtherProposal);
        }
        let signed = self.genesis.as_ref().map(Genesis::signed);
        let person = self.people.get_mut(from).ok_or(SeatingError::Stranger)?;
        match words {
            Words::Ready { commitment, .. } => {
                if person.commitment.is_some_and(|old| old != commitment) {
                    return Err(SeatingError::Changed);
                }
                if person.commitment.replace(commitment).is_none() {
                    self.out.push_back(SeatingOutput::Ready(*from));
                }
            }
            Words::Lot { lot, .. } => {
                // A lot that comes before its commitment has been lost on the way comes again.
                let Some(committed) = person.commitment else {
                    return Ok(());
                };
                if committed != commitment(&self.name, from, &lot) {
                    return Err(SeatingError::FalseLot);
                }
                person.lot = Some(lot);
            }
            Words::Signed { signature, .. } => {
                // Before all lots are here it cannot be checked.
                let Some(signed) = signed else {
                    person.early = Some(signature);
                    return Ok(());
                };
                if !from.verifies(&signed, &signature) {
                    return Err(SeatingError::FalseSignature);
                }
                person.signature = Some(signature);
            }
        }
        self.go_on();
        Ok(())
    }

    /// Says everything again when it is time.
    pub fn handle_timeout(&mut self, now: u64) {
        if now >= self.again {
            self.again = now + AGAIN_MS;
            self.say_all();
        }
    }

    /// Somebody is only now within reach: everything is said again at once.
    pub fn connected(&mut self) {
        self.say_all();
    }

    /// When [`Seating::handle_timeout`] wants to be called.
    pub fn poll_timeout(&self) -> u64 {
        self.again
    }

    /// The next thing to do.
    pub fn poll(&mut self) -> Option<SeatingOutput> {
        self.out.pop_front()
    }

    fn all_committed(&self) -> bool {
        self.people.values().all(|p| p.commitment.is_some())
    }

    fn go_on(&mut self) {
        let me = self.identity.public();
        if self.ready && self.all_committed() {
            let lot = self.lot;
            if let Some(person) = self.people.get_mut(&me)
                && person.lot.is_none()
            {
                person.lot = Some(lot);
                self.say_all();
            }
        }
        if self.genesis.is_none() && self.ready {
            let lots: Option<Vec<Lot>> = self
                .proposal
                .keys()
                .map(|key| self.people.get(key).and_then(|person| person.lot))
                .collect();
            if let Some(lots) = lots {
                let genesis = Genesis {
                    proposal: self.proposal.clone(),
                    lots,
                };
                let signed = genesis.signed();
                // What is false here is only dropped: whoever sent it says the right one again.
                for (key, person) in &mut self.people {
                    person.signature = person
                        .early
                        .take()
                        .filter(|early| key.verifies(&signed, early));
                }
                let signature = self.identity.sign(&signed);
                if let Some(person) = self.people.get_mut(&me) {
                    person.signature = Some(signature);
                }
                self.out.push_back(SeatingOutput::Drawn(genesis.clone()));
                self.genesis = Some(genesis);
                self.say_all();
            }
        }
        if let (Some(genesis), false) = (&self.genesis, self.seated) {
            let keys = genesis.keys();
            let signatures: Option<Vec<Signature>> = genesis
                .people()
                .iter()
                .map(|seat: Seat| keys[seat].and_then(|key| self.people.get(&key)?.signature))
                .collect();
            if let Some(signatures) = signatures {
                self.seated = true;
                self.out.push_back(SeatingOutput::Seated(SignedGenesis {
                    genesis: genesis.clone(),
                    signatures,
                }));
            }
        }
    }

    fn say_all(&mut self) {
        let Some(mine) = self.people.get(&self.identity.public()) else {
            return;
        };
        let proposal = self.name;
        let words = [
            mine.commitment.map(|commitment| Words::Ready {
                proposal,
                commitment,
            }),
            mine.lot.map(|lot| Words::Lot { proposal, lot }),
            mine.signature.map(|signature| Words::Signed {
                proposal,
                signature,
            }),
        ];
        for words in words.into_iter().flatten() {
            self.out
                .push_back(SeatingOutput::Send(codec::encode(&words)));
        }
    }
}
