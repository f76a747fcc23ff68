//! The public state that everybody replays from the same log: the game, the public side of its decks, who signs.
//!
//! A [`Replica`] is fed settled steps and nothing else moves it. Peers, spectators and the verifier all use this one; a peer's own
//! replica holds its deal secrets too, which change nothing public. It sends nothing and knows no time: that is [`super::Table`].

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use super::genesis::{GenesisError, SignedGenesis};
use super::words::{Move, Remedy, TableWord, Vote};
use crate::codec;
use crate::deal::{Deal, DealContext, DealError, DealFault, DealSeed, Misuse, StepKind, Verdict};
use crate::game::{Awaits, DeckRequest, Game, Known, PerSeat, Seat, SeatSet};
use crate::log::{
    Digest, Identity, Kind, Lane, LogError, PlayerKey, Settled, SignedEntry, Step, TableId,
};

mod seats;
mod settle;

/// What the open step waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    /// Moves of these seats; others may interrupt.
    Game {
        /// Must move.
        awaited: SeatSet,
        /// May move.
        interrupts: SeatSet,
    },
    /// Contributions of these seats to the decks.
    Deal {
        /// Must contribute.
        awaited: SeatSet,
    },
    /// Nothing: the votes are cast, the absence step follows.
    Absence,
    /// Nothing: the game is over.
    Over,
}

/// Something that happened in a settled step.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening<G: Game> {
    /// The game reports.
    Event {
        /// Whose move brought it about; `None` if the decks did.
        by: Option<Seat>,
        /// What.
        event: G::Event,
    },
    /// A move came too late: an interrupt of the same step had made it impossible.
    Overtaken(Seat),
    /// A deal begins.
    DealBegins(u32),
    /// The secrets of the deal are revealed and checked.
    Audited {
        /// Which deal.
        deal: u32,
        /// What the check found.
        verdict: Verdict,
    },
    /// The others go on without these seats.
    Gone {
        /// Whom.
        seats: SeatSet,
        /// How.
        remedy: Remedy,
    },
    /// The player is back.
    Back(Seat),
    /// The player has left for good.
    Left(Seat),
}

/// Why an entry or step is refused at its place in the history. All but the last five are provable: anyone with the same history sees the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nobody asked this seat.
    #[error("seat {} was not asked", .0.0)]
    NotAsked(Seat),
    /// The bytes are no move, vote or word.
    #[error("seat {}: the entry cannot be read", .0.0)]
    Garbage(Seat),
    /// Against the rules of the game.
    #[error("seat {seat}: {1}", seat = .0.0)]
    Illegal(Seat, String),
    /// Against the rules of the decks.
    #[error(transparent)]
    Deal(#[from] DealFault),
    /// The game asks something of the decks that they cannot do, or our own bug.
    #[error(transparent)]
    Decks(#[from] Misuse),
    /// A word about the table that does not hold.
    #[error("seat {}: this is not to be said now", .0.0)]
    Table(Seat),
    /// Entries missing, too many, or out of order.
    #[error("step {0} is not put together as it must be")]
    Order(u64),
    /// A signature is missing or wrong.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Signed by too few.
    #[error("step {step}: the signature of seat {} is missing", .seat.0)]
    Unsigned {
        /// Which step.
        step: u64,
        /// Whose signature.
        seat: Seat,
    },
    /// Not the next step, or one of another history.
    #[error("step {0} does not follow here")]
    NotNext(u64),
}

impl Refusal {
    /// Whose wrong it is, if it is one seat's.
    pub fn culprit(&self) -> Option<Seat> {
        match self {
            Refusal::NotAsked(seat)
            | Refusal::Garbage(seat)
            | Refusal::Illegal(seat, _)
            | Refusal::Table(seat)
            | Refusal::Unsigned { seat, .. } => Some(*seat),
            Refusal::Deal(fault) => Some(fault.culprit),
            Refusal::Log(error) => match error {
                LogError::Signature(seat) | LogError::NoKey(seat) | LogError::TooLarge(seat) => {
                    Some(*seat)
                }
                LogError::Key => None,
            },
            Refusal::Decks(_) | Refusal::Order(_) | Refusal::NotNext(_) => None,
        }
    }
}

impl From<DealError> for Refusal {
    fn from(error: DealError) -> Refusal {
        match error {
            DealError::Misuse(misuse) => Refusal::Decks(misuse),
            DealError::Fault(fault) => Refusal::Deal(fault),
        }
    }
}

/// The votes that a coming absence step is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decided {
    pub gone: SeatSet,
    pub remedy: Remedy,
    pub entries: Vec<SignedEntry>,
}

/// Where the deal secrets of a replica's own seat come from.
#[derive(Clone)]
enum Secrets {
    /// A player at the table.
    Identity(Identity),
    /// Seeds that were revealed long ago, by deal: a recorded game from this seat's eyes.
    Seeds(BTreeMap<u32, DealSeed>),
}

/// The table's public state after some settled steps.
#[derive(Clone)]
pub struct Replica<G: Game> {
    table: TableId,
    keys: PerSeat<Option<PlayerKey>>,
    people: SeatSet,
    me: Option<(Seat, Secrets)>,
    game: G,
    deal: Option<Deal>,
    deals: u32,
    /// The request the deal is working on.
    request: Option<DeckRequest>,
    /// Who signs steps.
    signers: SeatSet,
    /// Who signed the last settled step: votes about it are theirs.
    before: SeatSet,
    /// Given up, with the step since when; they may come back.
    gone: PerSeat<Option<u64>>,
    left: SeatSet,
    /// Back at the table, but without keys in this deal: they play again from the next one on.
    waiting: SeatSet,
    decided: Option<Decided>,
    /// Digests of all steps, the genesis first.
    digests: Vec<Digest>,
    audits: Vec<(u32, Verdict)>,
    /// The seeds of the last revealed deal, public since then.
    revealed: Vec<(Seat, DealSeed)>,
}

impl<G: Game> core::fmt::Debug for Replica<G> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Replica")
            .field("table", &self.table)
            .field("step", &self.number())
            .field("game", &self.game)
            .field("signers", &self.signers)
            .finish_non_exhaustive()
    }
}

impl<G: Game> Replica<G> {
    /// The state after the genesis. `me` brings the deal secrets of one seat; without it nothing private is known.
    pub fn new(
        signed: &SignedGenesis,
        identity: Option<&Identity>,
    ) -> Result<(Replica<G>, Vec<Happening<G>>), GenesisError> {
        let keys = signed.genesis.keys();
        let people = signed.genesis.people();
        let me = identity.and_then(|identity| {
            people
                .iter()
                .find(|&seat| keys[seat] == Some(identity.public()))
                .map(|seat| (seat, Secrets::Identity(identity.clone())))
        });
        Replica::begin(signed, me)
    }

    /// The same, with the seeds that a seat revealed.
    pub(crate) fn with_seeds(
        signed: &SignedGenesis,
        seat: Seat,
        seeds: BTreeMap<u32, DealSeed>,
    ) -> Result<(Replica<G>, Vec<Happening<G>>), GenesisError> {
        Replica::begin(signed, Some((seat, Secrets::Seeds(seeds))))
    }

    fn begin(
        signed: &SignedGenesis,
        me: Option<(Seat, Secrets)>,
    ) -> Result<(Replica<G>, Vec<Happening<G>>), GenesisError> {
        signed.check()?;
        let genesis = &signed.genesis;
        let game = genesis.proposal.set_up::<G>()?;
        let keys = genesis.keys();
        let people = genesis.people();
        let mut replica = Replica {
            table: genesis.table(),
            keys,
            people,
            me,
            game,
            deal: None,
            deals: 0,
            request: None,
            signers: people,
            before: people,
            gone: PerSeat::default(),
            left: SeatSet::EMPTY,
            waiting: SeatSet::EMPTY,
            decided: None,
            digests: alloc::vec![genesis.table()],
            audits: Vec::new(),
            revealed: Vec::new(),
        };
        let mut happened = Vec::new();
        replica
            .advance(&mut happened)
            .map_err(|refusal| GenesisError::Setup(refusal.to_string()))?;
        Ok((replica, happened))
    }

    /// The table's name.
    pub fn table(&self) -> &TableId {
        &self.table
    }

    /// The number of the open step.
    pub fn number(&self) -> u64 {
        self.digests.len() as u64
    }

    /// The digest of the last settled step.
    pub fn prev(&self) -> Digest {
        self.digests.last().copied().unwrap_or(self.table)
    }

    /// The digest of a settled step.
    pub fn digest_of(&self, step: u64) -> Option<Digest> {
        self.digests.get(usize::try_from(step).ok()?).copied()
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// My seat, if I have one.
    pub fn me(&self) -> Option<Seat> {
        self.me.as_ref().map(|(seat, _)| *seat)
    }

    /// What I know of the cards of this deal.
    pub fn known(&self) -> Known {
        self.deal
            .as_ref()
            .map(|deal| deal.known().clone())
            .unwrap_or_default()
    }

    /// Whose signatures settle the open step.
    pub fn signers(&self) -> SeatSet {
        self.signers
    }

    /// The seats that people hold, present or not.
    pub fn people(&self) -> SeatSet {
        self.people
    }

    /// People who were given up and may come back.
    pub fn gone(&self) -> SeatSet {
        self.gone
            .iter()
            .filter(|(_, since)| since.is_some())
            .map(|(seat, _)| seat)
            .collect()
    }

    /// The key of a seat.
    pub fn key(&self, seat: Seat) -> Option<&PlayerKey> {
        self.keys
            .iter()
            .find(|(at, _)| *at == seat)
            .and_then(|(_, key)| key.as_ref())
    }

    /// How many deals have begun.
    pub fn deals(&self) -> u32 {
        self.deals
    }

    /// What kind of step the decks are at, while they work on something.
    pub fn deal_step(&self) -> Option<StepKind> {
        self.deal.as_ref().and_then(Deal::step)
    }

    /// The verdicts on the deals so far.
    pub fn audits(&self) -> &[(u32, Verdict)] {
        &self.audits
    }

    /// Is the game over?
    pub fn is_over(&self) -> bool {
        self.waits() == Waits::Over
    }

    /// What the open step waits for.
    pub fn waits(&self) -> Waits {
        if self.decided.is_some() {
            return Waits::Absence;
        }
        match self.game.awaits() {
            Awaits::Seats(awaited) => Waits::Game {
                awaited,
                interrupts: self.game.may_interrupt().minus(awaited),
            },
            Awaits::Decks(_) => Waits::Deal {
                awaited: self
                    .deal
                    .as_ref()
                    .map_or(SeatSet::EMPTY, |deal| deal.awaits()),
            },
            Awaits::Nothing => Waits::Over,
        }
    }

    /// The votes that the next step must carry out.
    pub(crate) fn decided(&self) -> Option<&Decided> {
        self.decided.as_ref()
    }

    fn player(&self) -> Option<(Seat, &Identity)> {
        match self.me.as_ref()? {
            (seat, Secrets::Identity(identity)) => Some((*seat, identity)),
            (_, Secrets::Seeds(_)) => None,
        }
    }

    /// The seeds of the last revealed deal.
    pub(crate) fn revealed(&self) -> &[(Seat, DealSeed)] {
        &self.revealed
    }

    /// My part in the sealed decks of this step.
    pub(crate) fn contribution(&self) -> Option<Vec<u8>> {
        let (seat, identity) = self.player()?;
        let Waits::Deal { awaited } = self.waits() else {
            return None;
        };
        let deal = self.deal.as_ref().filter(|_| awaited.contains(seat))?;
        deal.contribute(&mut self.nonces(identity, &[])).ok()
    }

    /// Nothing to say just now: works ahead for my turn in the shuffle.
    pub(crate) fn prepare(&mut self) {
        if let Some(deal) = &mut self.deal {
            deal.prepare();
        }
    }

    /// An action of mine as the body of an entry, with its proofs.
    pub(crate) fn movement(&self, action: &G::Action) -> Option<Vec<u8>> {
        let (seat, identity) = self.player()?;
        let mut nonces = self.nonces(identity, &codec::encode(action));
        let mut proofs = Vec::new();
        for claim in self.game.claims(seat, action) {
            let (_, proof) = self.deal.as_ref()?.claim(claim.slot, &mut nonces).ok()?;
            proofs.push(proof);
        }
        Some(codec::encode(&Move {
            action: action.clone(),
            proofs,
        }))
    }

    /// Nonces are drawn from the identity and the whole history, so that a peer that was killed between making an entry and
    /// storing it makes the same entry again, and no nonce ever serves two statements.
    fn nonces(&self, identity: &Identity, more: &[u8]) -> rand_chacha::ChaCha20Rng {
        use rand::SeedableRng;
        rand_chacha::ChaCha20Rng::from_seed(identity.derive(
            "shamans 1 proof nonces",
            &[&self.table.0, &self.prev().0, more],
        ))
    }

    /// Would this entry be in order in the open step? Its signature is not looked at.
    pub fn check_entry(&mut self, signed: &SignedEntry) -> Result<(), Refusal> {
        let entry = &signed.entry;
        let seat = entry.seat;
        if entry.step != self.number() || entry.prev != self.prev() {
            return Err(Refusal::NotNext(entry.step));
        }
        // Who does not know yet that the others have voted to go on without it is not to blame.
        let vote = matches!(entry.lane, Lane::Vote(_));
        if self.decided.is_some() && !vote {
            return Err(Refusal::NotNext(entry.step));
        }
        if !self.signers.contains(seat) {
            return Err(Refusal::NotAsked(seat));
        }
        match entry.lane {
            Lane::Game => {
                let Waits::Game {
                    awaited,
                    interrupts,
                } = self.waits()
                else {
                    return Err(Refusal::NotAsked(seat));
                };
                if !awaited.or(interrupts).contains(seat) {
                    return Err(Refusal::NotAsked(seat));
                }
                let made: Move<G::Action> =
                    codec::decode(&entry.body).map_err(|_| Refusal::Garbage(seat))?;
                self.check_claims(seat, &made)?;
                self.try_move(seat, &made).map(|_| ())
            }
            Lane::Deal => {
                let Waits::Deal { awaited } = self.waits() else {
                    return Err(Refusal::NotAsked(seat));
                };
                if !awaited.contains(seat) {
                    return Err(Refusal::NotAsked(seat));
                }
                match &mut self.deal {
                    Some(deal) => Ok(deal.check(seat, &entry.body)?),
                    None => Err(Refusal::NotAsked(seat)),
                }
            }
            Lane::Table => {
                let word: TableWord =
                    codec::decode(&entry.body).map_err(|_| Refusal::Garbage(seat))?;
                self.check_word(seat, &word)
            }
            Lane::Vote(_) => {
                let vote: Vote = codec::decode(&entry.body).map_err(|_| Refusal::Garbage(seat))?;
                self.check_vote(seat, &vote)
            }
        }
    }

    /// Are the faces proved that the move shows?
    fn check_claims(&mut self, seat: Seat, made: &Move<G::Action>) -> Result<(), Refusal> {
        let claims = self.game.claims(seat, &made.action);
        if claims.len() != made.proofs.len() {
            return Err(Refusal::Garbage(seat));
        }
        for (claim, proof) in claims.iter().zip(&made.proofs) {
            match &mut self.deal {
                Some(deal) => deal.check_claim(seat, claim, proof)?,
                None => return Err(Refusal::NotAsked(seat)),
            }
        }
        Ok(())
    }

    /// Tries a move on a copy; what the game says of it.
    fn try_move(&self, seat: Seat, made: &Move<G::Action>) -> Result<(G, Vec<G::Event>), Refusal> {
        let mut game = self.game.clone();
        match game.apply(seat, made.action.clone()) {
            Ok(events) => Ok((game, events)),
            Err(illegal) => Err(Refusal::Illegal(seat, illegal.to_string())),
        }
    }

    /// Carries out one move of a settled step. An interrupt of the same step may have made it impossible: then it counts for nothing.
    fn apply_move(&mut self, seat: Seat, made: &Move<G::Action>) -> Result<Vec<G::Event>, Refusal> {
        let claims = self.game.claims(seat, &made.action);
        if claims.len() != made.proofs.len() {
            return Err(Refusal::Garbage(seat));
        }
        let (game, events) = self.try_move(seat, made)?;
        for (claim, proof) in claims.iter().zip(&made.proofs) {
            match &mut self.deal {
                Some(deal) => deal.open_claim(seat, claim, proof)?,
                None => return Err(Refusal::NotAsked(seat)),
            }
        }
        self.game = game;
        Ok(events)
    }

    /// Carries out a settled step. Entries and signatures have been checked.
    pub(crate) fn apply(&mut self, settled: &Settled) -> Result<Vec<Happening<G>>, Refusal> {
        let step = &settled.step;
        let digest = step.digest(&self.table);
        let mut happened = Vec::new();
        let signers = self.signers;
        let excused = match settled.excuses.is_empty() {
            true => None,
            false => Some(self.decide(&settled.excuses, step.number)?),
        };
        match step.kind {
            Kind::Play => self.apply_play(step, &mut happened)?,
            Kind::Absence => self.apply_absence(step, &mut happened)?,
        }
        if let Some(mut excused) = excused {
            // Who is gone by now need not be given up again.
            excused.gone = excused.gone.and(self.signers);
            self.decided = Some(excused).filter(|excused| !excused.gone.is_empty());
        }
        self.before = signers;
        self.digests.push(digest);
        Ok(happened)
    }

    fn apply_play(&mut self, step: &Step, happened: &mut Vec<Happening<G>>) -> Result<(), Refusal> {
        let dealing = matches!(self.waits(), Waits::Deal { .. });
        let mut messages = Vec::new();
        for signed in &step.entries {
            let entry = &signed.entry;
            let seat = entry.seat;
            match entry.lane {
                Lane::Game => {
                    let made: Move<G::Action> =
                        codec::decode(&entry.body).map_err(|_| Refusal::Garbage(seat))?;
                    match self.apply_move(seat, &made) {
                        Ok(events) => {
                            happened.extend(events.into_iter().map(|event| Happening::Event {
                                by: Some(seat),
                                event,
                            }));
                        }
                        Err(_) => happened.push(Happening::Overtaken(seat)),
                    }
                    self.advance(happened)?;
                }
                Lane::Deal => messages.push((seat, entry.body.clone())),
                Lane::Table => {
                    let word: TableWord =
                        codec::decode(&entry.body).map_err(|_| Refusal::Garbage(seat))?;
                    if dealing && !messages.is_empty() {
                        self.settle_deal(core::mem::take(&mut messages), happened)?;
                    }
                    self.apply_word(seat, word, happened)?;
                }
                Lane::Vote(_) => return Err(Refusal::Order(step.number)),
            }
        }
        if dealing && !messages.is_empty() {
            self.settle_deal(messages, happened)?;
        }
        Ok(())
    }

    fn settle_deal(
        &mut self,
        messages: Vec<(Seat, Vec<u8>)>,
        happened: &mut Vec<Happening<G>>,
    ) -> Result<(), Refusal> {
        let Some(deal) = &mut self.deal else {
            return Err(Refusal::Order(self.digests.len() as u64));
        };
        let outcome = deal.settle(messages)?;
        if let Some(outcome) = outcome {
            self.supply(outcome, happened)?;
        }
        self.advance(happened)
    }

    fn supply(
        &mut self,
        outcome: crate::game::DeckOutcome,
        happened: &mut Vec<Happening<G>>,
    ) -> Result<(), Refusal> {
        if let (Some(DeckRequest::Reveal), Some(deal)) = (&self.request, &self.deal) {
            let verdict = deal.audit()?;
            self.revealed = deal
                .revealed_seeds()
                .map(|(seat, seed)| (seat, seed.clone()))
                .collect();
            self.audits.push((self.deals, verdict.clone()));
            happened.push(Happening::Audited {
                deal: self.deals,
                verdict,
            });
            self.take_back_waiting(happened)?;
        }
        self.request = None;
        let events = self
            .game
            .supply(outcome)
            .map_err(|illegal| Refusal::Illegal(Seat(0), illegal.to_string()))?;
        happened.extend(
            events
                .into_iter()
                .map(|event| Happening::Event { by: None, event }),
        );
        Ok(())
    }

    /// Hands a new request of the game to the decks, until something must come from a seat.
    fn advance(&mut self, happened: &mut Vec<Happening<G>>) -> Result<(), Refusal> {
        loop {
            let Awaits::Decks(request) = self.game.awaits() else {
                self.request = None;
                return Ok(());
            };
            if self.request.as_ref() != Some(request) {
                let request = request.clone();
                if let DeckRequest::Shuffle { sealed, .. } = &request {
                    self.deals += 1;
                    happened.push(Happening::DealBegins(self.deals));
                    self.deal = Some(self.new_deal(*sealed)?);
                }
                let Some(deal) = &mut self.deal else {
                    return Err(Refusal::Order(self.number()));
                };
                deal.request(&request)?;
                self.request = Some(request);
            }
            match &mut self.deal {
                Some(deal) if deal.awaits().is_empty() => {
                    if let Some(outcome) = deal.settle(Vec::new())? {
                        self.supply(outcome, happened)?;
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    fn new_deal(&self, sealed: SeatSet) -> Result<Deal, Misuse> {
        let people = SeatSet::first(self.game.seats()).minus(sealed);
        let me = self
            .me
            .as_ref()
            .filter(|(seat, _)| people.contains(*seat))
            .and_then(|(seat, secrets)| {
                let seed = match secrets {
                    Secrets::Identity(identity) => {
                        DealSeed::derive(&identity.secret(), &self.table.0, self.deals)
                    }
                    Secrets::Seeds(seeds) => seeds.get(&self.deals)?.clone(),
                };
                Some((*seat, seed))
            });
        let context = DealContext {
            table: self.table.0,
            number: self.deals,
            seats: self.game.seats() as u8,
            people,
            game: String::from(G::NAME),
        };
        Deal::new(context, me)
    }
}
