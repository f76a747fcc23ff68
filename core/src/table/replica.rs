//! The public state that everybody replays from the same log: the game, the public side of its decks, who signs.
//!
//! A [`Replica`] is fed settled steps and nothing else moves it. Peers, spectators and the verifier all use this one; a peer's own
//! replica holds its deal secrets too, which change nothing public. It sends nothing and knows no time: that is [`super::Table`].

use alloc::{collections::BTreeMap, string::ToString, vec::Vec};

use super::genesis::{GenesisError, SignedGenesis};
use super::words::{Remedy, Vote};
use crate::codec;
use crate::deal::{Audit, Deal, DealSeed, StepKind, Verdict};
use crate::game::{Awaits, DeckRequest, Game, Known, PerSeat, Seat, SeatSet};
use crate::log::{Digest, Identity, Mark, PlayerKey, SignedEntry, TableId};

mod entry;
mod happening;
mod play;
mod refusal;
mod seats;
mod settle;

pub use happening::{Happening, Waits};
pub use refusal::Refusal;

/// The votes that a coming absence step is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decided {
    pub gone: SeatSet,
    pub remedy: Remedy,
    pub entries: Vec<SignedEntry>,
}

impl Decided {
    /// Has one of the voters signed this?
    pub fn names(&self, mark: &Mark) -> bool {
        let votes = self.entries.iter();
        votes
            .filter_map(|signed| codec::decode::<Vote>(&signed.entry.body).ok())
            .any(|vote| vote.signed.as_ref() == Some(mark))
    }
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
    /// How many deals were revealed.
    revealed_deals: usize,
    /// Does somebody else run the audits?
    defers: bool,
    /// The revealed deal of the last step, if somebody else is to audit it.
    unaudited: Option<(u32, Audit)>,
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
            revealed_deals: 0,
            defers: false,
            unaudited: None,
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

    /// People who left for good.
    pub fn left(&self) -> SeatSet {
        self.left
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

    pub(crate) fn defer_audits(&mut self) {
        self.defers = true;
    }

    pub(crate) fn take_unaudited(&mut self) -> Option<(u32, Audit)> {
        self.unaudited.take()
    }

    pub(crate) fn revealed_deals(&self) -> usize {
        self.revealed_deals
    }

    /// Keeps a verdict that came later than its step. False if it is known or of no deal here.
    pub(crate) fn note_verdict(&mut self, deal: u32, verdict: Verdict) -> bool {
        let new = deal <= self.deals && self.audits.iter().all(|(known, _)| *known != deal);
        if new {
            self.audits.push((deal, verdict));
        }
        new
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

    /// What the next step must carry out is this instead.
    pub(crate) fn force(&mut self, decided: Option<Decided>) {
        self.decided = decided;
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
}
