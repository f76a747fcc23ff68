//! The table: log, decks and game joined to one state machine between peers that trust neither each other nor the network.
//!
//! [`Table`] does no I/O and knows no clock. The driver feeds it messages ([`Table::receive`]), its player's wishes ([`Table::act`])
//! and time in milliseconds ([`Table::handle_timeout`]), and carries out what [`Table::poll`] says, in order: above all it
//! writes what is to be stored before it sends what comes after. Messages may be lost, doubled, reordered and delayed.
//!
//! Public state lives in [`Replica`], which only settled steps move; `Table` adds what is not settled yet, who is
//! heard, and what to send. What bytes mean stands in `core/docs/protocol.md`.

mod audit;
mod chat;
mod genesis;
mod message;
mod open;
mod output;
mod presence;
mod progress;
mod recall;
mod replica;
mod seating;
mod sync;
mod vote;
mod words;

pub use audit::{Audit, Audited};
pub use genesis::{
    Genesis, GenesisError, Holder, Lot, MAX_NAME, MAX_SETUP, Options, PROTOCOL, Proposal,
    SignedGenesis, commitment,
};
pub use message::{Line, MAX_CHAT, MAX_MESSAGE, Message, STEPS_BYTES, Status, Stored};
pub use output::{ActError, Notice, Output, Suspicion};
pub use replica::{Happening, Refusal, Replica, Waits};
pub use seating::{MAX_SEATING, Seating, SeatingError, SeatingOutput};
pub use vote::Consent;
pub use words::{MAX_VOTES, Move, Remedy, TableWord, Vote};

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

use crate::codec;
use crate::game::{Game, Known, PerSeat, Seat, SeatSet};
use crate::log::{Entry, Evidence, Identity, Lane, Settled, SignedEntry};
use chat::Chatter;
use open::Open;
use presence::Presence;
use vote::Ballot;

/// One peer's side of a table. Of a table and its clones only one may speak: two would contradict each other.
#[derive(Clone)]
pub struct Table<G: Game> {
    replica: Replica<G>,
    genesis: SignedGenesis,
    me: Option<(Seat, Identity)>,
    log: Vec<Settled>,
    open: Open,
    /// Messages for the step after the open one.
    early: Vec<(Seat, Message)>,
    presence: Presence,
    ballot: Ballot,
    chatter: Chatter,
    /// Words of seats that are back, to be passed on.
    backs: BTreeMap<Seat, (SignedEntry, u64)>,
    faults: BTreeMap<Seat, Evidence>,
    /// After a restart without one's own journal: who has not yet said what they hold of the open step.
    unheard: SeatSet,
    /// When there has been time enough to hear them.
    unheard_until: u64,
    /// Others have gone on from another form of the last settled step: they are asked for it.
    asks_before: bool,
    now: u64,
    next_status: u64,
    answered: PerSeat<u64>,
    /// For the driver to run.
    audits: VecDeque<Audit>,
    out: VecDeque<Output<G>>,
}

impl<G: Game> core::fmt::Debug for Table<G> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Table")
            .field("me", &self.me())
            .field("replica", &self.replica)
            .field("open", &self.open)
            .finish_non_exhaustive()
    }
}

impl<G: Game> Table<G> {
    /// Begins a game to which all have just sat down. Without an `identity` of one of its people this is a spectator.
    pub fn new(
        genesis: SignedGenesis,
        identity: Option<Identity>,
        now: u64,
    ) -> Result<Table<G>, GenesisError> {
        let mut table = Table::bare(genesis, identity, now)?;
        let stored = Stored::Genesis(table.genesis.clone());
        table
            .out
            .push_front(Output::Persist(codec::encode(&stored)));
        table.go_on();
        Ok(table)
    }

    /// Comes back with nothing but the identity: everything is learned from the others, one's own words of the open step
    /// too, so nothing is said in it before all others were heard. Once the grace time is over, it votes with those who are
    /// heard about those who are not.
    pub fn recover(
        genesis: SignedGenesis,
        identity: Identity,
        now: u64,
    ) -> Result<Table<G>, GenesisError> {
        let mut table = Table::bare(genesis, Some(identity), now)?;
        table.forget();
        let genesis = Stored::Genesis(table.genesis.clone());
        for stored in [Stored::Forgetful(true), genesis] {
            let bytes = codec::encode(&stored);
            table.out.push_front(Output::Persist(bytes));
        }
        table.go_on();
        Ok(table)
    }

    /// What I have said of the open step is known to the others alone.
    fn forget(&mut self) {
        if let Some(me) = self.me() {
            self.unheard = self.replica.people().without(me);
            self.unheard_until = self.now + u64::from(self.grace());
        }
    }

    /// Has there been time to learn from the others what I had said?
    fn had_time_to_hear(&self) -> bool {
        self.now >= self.unheard_until
    }

    /// Comes back from what was stored, in the order in which it was stored. A last item that was cut off is forgotten.
    pub fn resume<'a>(
        stored: impl IntoIterator<Item = &'a [u8]>,
        identity: Identity,
        now: u64,
    ) -> Result<Table<G>, GenesisError> {
        let mut items = stored.into_iter();
        let first: Stored = codec::decode(items.next().unwrap_or_default())?;
        let Stored::Genesis(genesis) = first else {
            return Err(GenesisError::Seats("the journal has no beginning"));
        };
        let mut table: Table<G> = Table::bare(genesis, Some(identity), now)?;
        for bytes in items {
            let Ok(item) = codec::decode::<Stored>(bytes) else {
                break;
            };
            if !table.restore(item) {
                break;
            }
        }
        // What happened before the restart is no news.
        table.out.clear();
        table.go_on();
        Ok(table)
    }

    fn bare(
        genesis: SignedGenesis,
        identity: Option<Identity>,
        now: u64,
    ) -> Result<Table<G>, GenesisError> {
        let (replica, happened) = Replica::new(&genesis, identity.as_ref())?;
        let me = replica.me().zip(identity);
        let mut table = Table {
            presence: Presence::new(now),
            replica,
            genesis,
            me,
            log: Vec::new(),
            open: Open::new(now),
            early: Vec::new(),
            ballot: Ballot::default(),
            chatter: Chatter::default(),
            backs: BTreeMap::new(),
            faults: BTreeMap::new(),
            unheard: SeatSet::EMPTY,
            unheard_until: 0,
            asks_before: false,
            now,
            next_status: now,
            answered: PerSeat::default(),
            audits: VecDeque::new(),
            out: VecDeque::new(),
        };
        for happening in happened {
            table.out.push_back(Output::Happened { step: 0, happening });
        }
        Ok(table)
    }

    /// The public state.
    pub fn replica(&self) -> &Replica<G> {
        &self.replica
    }

    /// The game.
    pub fn game(&self) -> &G {
        self.replica.game()
    }

    /// What I know of the cards of this deal.
    pub fn known(&self) -> Known {
        self.replica.known()
    }

    /// My seat; `None` for a spectator.
    pub fn me(&self) -> Option<Seat> {
        self.me.as_ref().map(|(seat, _)| *seat)
    }

    /// The genesis, signed by all.
    pub fn genesis(&self) -> &SignedGenesis {
        &self.genesis
    }

    /// The settled steps so far.
    pub fn log(&self) -> &[Settled] {
        &self.log
    }

    /// Who was caught, with the evidence.
    pub fn faults(&self) -> &BTreeMap<Seat, Evidence> {
        &self.faults
    }

    /// Is the table waiting for a move of mine that I have not made yet?
    pub fn my_turn(&self) -> bool {
        match (self.me(), self.replica.waits()) {
            (Some(me), Waits::Game { awaited, .. }) => {
                awaited.contains(me) && self.may_speak() && !self.open.has(Lane::Game, me)
            }
            (_, Waits::Game { .. } | Waits::Deal { .. } | Waits::Absence | Waits::Over) => false,
        }
    }

    /// The open step in one line, for logs and failing tests: who has said and signed what.
    pub fn describe_open(&self) -> alloc::string::String {
        alloc::format!("{:?}, not yet heard {:?}", self.open, self.unheard)
    }

    /// The next thing to do. Things must be done in the order in which they come.
    pub fn poll(&mut self) -> Option<Output<G>> {
        self.out.pop_front()
    }

    /// When [`Table::handle_timeout`] wants to be called.
    pub fn poll_timeout(&self) -> u64 {
        self.next_status
    }

    /// Makes a move, awaited or as an interrupt.
    pub fn act(&mut self, action: &G::Action) -> Result<(), ActError> {
        let me = self.me().ok_or(ActError::NotSeated)?;
        if !self.may_speak() {
            return Err(ActError::Settling);
        }
        if self.open.has(Lane::Game, me) {
            return Err(ActError::AlreadyMoved);
        }
        let body = self.replica.movement(action).ok_or(ActError::Unproved)?;
        self.try_say(Lane::Game, body)
    }

    /// Leaves for good. The seat becomes a phantom's; the table goes on with those who stay.
    pub fn leave(&mut self) -> Result<(), ActError> {
        self.me().ok_or(ActError::NotSeated)?;
        if !self.may_speak() {
            return Err(ActError::Settling);
        }
        self.try_say(Lane::Table, codec::encode(&TableWord::Leave))
    }

    fn try_say(&mut self, lane: Lane, body: Vec<u8>) -> Result<(), ActError> {
        let entry = self.sign_entry(lane, body).ok_or(ActError::NotSeated)?;
        self.replica
            .check_entry(&entry)
            .map_err(ActError::Refused)?;
        self.say(entry);
        self.go_on();
        Ok(())
    }

    fn sign_entry(&self, lane: Lane, body: Vec<u8>) -> Option<SignedEntry> {
        let (seat, identity) = self.me.as_ref()?;
        let entry = Entry {
            step: self.replica.number(),
            prev: self.replica.prev(),
            seat: *seat,
            lane,
            body,
        };
        Some(entry.sign(self.replica.table(), identity))
    }

    /// Stores an entry of mine, keeps it and sends it.
    fn say(&mut self, signed: SignedEntry) {
        self.out
            .push_back(Output::Persist(codec::encode(&Stored::Entry(
                signed.clone(),
            ))));
        self.broadcast(&Message::Entry(signed.clone()));
        self.open.keep(signed);
    }

    fn broadcast(&mut self, message: &Message) {
        self.out
            .push_back(Output::Broadcast(codec::encode(message)));
    }

    fn send(&mut self, to: Seat, message: &Message) {
        self.out.push_back(Output::Send {
            to,
            bytes: codec::encode(message),
        });
    }

    fn grace(&self) -> u32 {
        self.genesis.genesis.proposal.options.grace_ms
    }
}
