//! At the table: carries out what [`Table`] says, in its order, storing before sending. A full disk stops the player's own words,
//! never loses them: the rest waits until there is space again.

use std::collections::VecDeque;
use std::path::PathBuf;

use shamans_core::codec;
use shamans_core::game::{Game, Seat};
use shamans_core::log::{PlayerKey, TableId};
use shamans_core::record::Record;
use shamans_core::table::{Happening, Output, Seating, SeatingOutput, Table};
use tokio::sync::mpsc;

use super::leaving::Departure;
use super::packet::{Packet, Word};
use super::relay::speak;
use super::room::RoomState;
use super::{SessionEvent, Snapshot};
use crate::identity::PublicId;
use crate::store::{Journal, Store};
use crate::swarm::Node;

/// How many may watch.
const SPECTATORS: usize = 16;
/// How long to wait before a disk that refused is tried again.
const DISK_AGAIN_MS: u64 = 2000;

pub(super) struct Playing<G: Game> {
    pub(super) table: Table<G>,
    pub(super) id: TableId,
    /// Kept until the first step is settled: somebody may still miss a signature under the genesis.
    pub(super) seating: Option<Seating>,
    pub(super) began: u64,
    /// As it was before the game, for the announcement.
    pub(super) room: Option<RoomState>,
    keeping: Keeping,
    todo: VecDeque<Output<G>>,
    disk_again: Option<u64>,
    spectators: Vec<PublicId>,
    /// The step for which it was last told that it is this player's turn.
    told_turn: Option<u64>,
    told_over: bool,
    /// When a record that the disk refused is tried again.
    record_again: Option<u64>,
    pub(super) departure: Departure,
}

/// How a table is kept on disk.
enum Keeping {
    /// Not at all: there is no store, it is only watched, or nothing more is to be kept of it.
    Nothing,
    /// Its journal is to be opened. Until then nothing is said.
    ToOpen,
    /// In this journal.
    In(Journal),
}

impl<G: Game> Playing<G> {
    pub(super) fn new(
        mut table: Table<G>,
        kept: bool,
        seating: Option<Seating>,
        room: Option<RoomState>,
        began: u64,
    ) -> Playing<G> {
        let id = *table.replica().table();
        table.defer_audits();
        Playing {
            table,
            id,
            seating,
            began,
            room,
            keeping: match kept {
                true => Keeping::ToOpen,
                false => Keeping::Nothing,
            },
            todo: VecDeque::new(),
            disk_again: None,
            spectators: Vec::new(),
            told_turn: None,
            told_over: false,
            record_again: None,
            departure: Departure::Not,
        }
    }

    /// Nothing more is kept of it.
    pub(super) fn close_journal(&mut self) {
        self.keeping = Keeping::Nothing;
    }

    /// Whoever has got up does not hear of the game any more.
    fn tell(&self, events: &mpsc::UnboundedSender<SessionEvent<G>>, event: SessionEvent<G>) {
        if self.departure == Departure::Not {
            events.send(event).ok();
        }
    }

    /// Is the game over?
    pub(super) fn is_over(&self) -> bool {
        self.table.replica().is_over()
    }

    /// Which attempt at sitting down made this table.
    pub(super) fn attempt(&self) -> Option<u32> {
        self.room.as_ref().map(|room| room.attempt)
    }

    /// Who sits in a seat.
    fn peer(&self, seat: Seat) -> Option<PublicId> {
        self.table.replica().key(seat).map(|key| PublicId(key.0))
    }

    /// Where a peer sits.
    pub(super) fn seat_of(&self, peer: &PublicId) -> Option<Seat> {
        let people = self.table.replica().people();
        people
            .iter()
            .find(|seat| self.table.replica().key(*seat) == Some(&PlayerKey(peer.0)))
    }

    /// All other people of the table.
    pub(super) fn others(&self) -> Vec<PublicId> {
        let me = self.table.me();
        self.table
            .replica()
            .people()
            .iter()
            .filter(|seat| Some(*seat) != me)
            .filter_map(|seat| self.peer(seat))
            .collect()
    }

    /// Lets somebody watch. False if too many do.
    pub(super) fn watched_by(&mut self, peer: PublicId) -> bool {
        if self.spectators.contains(&peer) {
            return true;
        }
        if self.spectators.len() >= SPECTATORS {
            return false;
        }
        self.spectators.push(peer);
        true
    }

    pub(super) fn unwatched_by(&mut self, peer: &PublicId) {
        self.spectators.retain(|spectator| spectator != peer);
    }

    pub(super) fn is_watched_by(&self, peer: &PublicId) -> bool {
        self.spectators.contains(peer)
    }

    /// When time has to be told again.
    pub(super) fn next_due(&self) -> u64 {
        let seating = self
            .seating
            .as_ref()
            .map_or(u64::MAX, Seating::poll_timeout);
        self.table
            .poll_timeout()
            .min(seating)
            .min(self.disk_again.unwrap_or(u64::MAX))
            .min(self.record_again.unwrap_or(u64::MAX))
    }

    pub(super) fn handle_timeout(&mut self, now: u64) {
        if self.disk_again.is_some_and(|at| at <= now) {
            self.disk_again = None;
        }
        if self.table.poll_timeout() <= now {
            self.table.handle_timeout(now);
        }
        if let Some(seating) = &mut self.seating {
            seating.handle_timeout(now);
        }
    }

    /// Carries out everything that can be carried out now.
    pub(super) fn carry_out(
        &mut self,
        node: &Node,
        events: &mpsc::UnboundedSender<SessionEvent<G>>,
        store: Option<&Store>,
        now: u64,
    ) {
        self.carry_out_seating(node);
        while let Some(output) = self.table.poll() {
            self.todo.push_back(output);
        }
        if self.disk_again.is_some() || !self.open_journal(events, store, now) {
            return;
        }
        let before = self.table.replica().number();
        while !self.todo.is_empty() {
            if !self.store_first(events, now) {
                return;
            }
            if let Some(output) = self.todo.pop_front() {
                self.carry_out_one(output, node, events);
            }
        }
        if before > 1 {
            self.seating = None;
        }
        self.tell_turn(events);
        self.tell_over(events, store, now);
        if self.record_again.is_some_and(|at| at <= now) {
            self.keep_record(events, store, now);
        }
    }

    /// Opens the journal if that is still to be done. False if the disk refuses.
    fn open_journal(
        &mut self,
        events: &mpsc::UnboundedSender<SessionEvent<G>>,
        store: Option<&Store>,
        now: u64,
    ) -> bool {
        let Some(store) = store.filter(|_| matches!(self.keeping, Keeping::ToOpen)) else {
            return true;
        };
        let name = hex(&self.id);
        match store.journal(&name) {
            Ok(journal) => self.keeping = Keeping::In(journal),
            Err(error) => {
                events.send(SessionEvent::Stuck(error.to_string())).ok();
                self.disk_again = Some(now + DISK_AGAIN_MS);
                return false;
            }
        }
        // Without it there is no rematch after a restart, which is no reason not to play.
        if let Some(room) = &self.room
            && let Err(error) = store.keep_room(&name, &codec::encode(room))
        {
            events.send(SessionEvent::Trouble(error.to_string())).ok();
        }
        true
    }

    /// Stores all that is at the front of the list with one sync. False if the disk refuses.
    fn store_first(&mut self, events: &mpsc::UnboundedSender<SessionEvent<G>>, now: u64) -> bool {
        let frames: Vec<&[u8]> = self
            .todo
            .iter()
            .map_while(|output| match output {
                Output::Persist(bytes) => Some(bytes.as_slice()),
                _ => None,
            })
            .collect();
        let count = frames.len();
        if count == 0 {
            return true;
        }
        if let Keeping::In(journal) = &mut self.keeping {
            let stored = tokio::task::block_in_place(|| journal.append(frames));
            if let Err(error) = stored {
                events.send(SessionEvent::Stuck(error.to_string())).ok();
                self.disk_again = Some(now + DISK_AGAIN_MS);
                return false;
            }
        }
        self.todo.drain(..count);
        true
    }

    fn carry_out_one(
        &mut self,
        output: Output<G>,
        node: &Node,
        events: &mpsc::UnboundedSender<SessionEvent<G>>,
    ) {
        let table = self.id;
        // Whoever is not linked hears it again when they are: the table's statuses see to that.
        let send = |peer: PublicId, packet: &[u8]| {
            node.send(peer, packet.to_vec()).ok();
        };
        match output {
            Output::Persist(_) => {}
            Output::Send { to, bytes } => {
                let to: Vec<PublicId> = self.peer(to).into_iter().collect();
                speak(node, &to, &self.others(), Word::Table { table, bytes });
            }
            Output::Broadcast(bytes) => {
                let others = self.others();
                match self.table.me() {
                    Some(_) => speak(node, &others, &others, Word::Table { table, bytes }),
                    // A spectator's word is an asking for steps, which any one player can answer.
                    None => {
                        let packet = Packet::Watching { table, bytes }.encode();
                        for peer in others {
                            send(peer, &packet);
                        }
                    }
                }
            }
            Output::Publish(bytes) => {
                let packet = Packet::Word(Word::Table { table, bytes }).encode();
                for peer in &self.spectators {
                    send(*peer, &packet);
                }
            }
            Output::Happened { step, happening } => {
                if matches!(happening, Happening::DealBegins(2..)) {
                    // The cards of the deal before lie open in the log.
                    let record = self.record();
                    self.tell(events, SessionEvent::Revealed { record });
                }
                // The verdict on a deal comes whenever its check is done, with or without a step.
                let verdict = matches!(happening, Happening::Audited { .. });
                self.tell(events, SessionEvent::Happened { step, happening });
                if verdict {
                    self.tell(events, SessionEvent::Now(Box::new(self.snapshot())));
                }
            }
            Output::Settled(_) => {
                self.tell(events, SessionEvent::Now(Box::new(self.snapshot())));
                if self.table.my_turn() {
                    self.told_turn = Some(self.table.replica().number());
                }
            }
            Output::Notice(notice) => {
                self.tell(events, SessionEvent::Notice(notice));
            }
        }
    }

    fn carry_out_seating(&mut self, node: &Node) {
        let others = self.others();
        let attempt = self.attempt().unwrap_or_default();
        let Some(seating) = &mut self.seating else {
            return;
        };
        while let Some(output) = seating.poll() {
            match output {
                SeatingOutput::Send(bytes) => {
                    speak(node, &others, &others, Word::Seating { attempt, bytes });
                }
                SeatingOutput::Ready(_) | SeatingOutput::Drawn(_) | SeatingOutput::Seated(_) => {}
            }
        }
    }

    /// It can become this player's turn without a step being settled (after a vote, after a restart).
    fn tell_turn(&mut self, events: &mpsc::UnboundedSender<SessionEvent<G>>) {
        let step = self.table.replica().number();
        if !self.table.my_turn() {
            // If the turn comes back in the same step, it is told again.
            self.told_turn = None;
        } else if self.told_turn != Some(step) {
            self.told_turn = Some(step);
            self.tell(events, SessionEvent::Now(Box::new(self.snapshot())));
        }
    }

    fn tell_over(
        &mut self,
        events: &mpsc::UnboundedSender<SessionEvent<G>>,
        store: Option<&Store>,
        now: u64,
    ) {
        let leaves = !matches!(self.departure, Departure::Not | Departure::After);
        if self.told_over || leaves || !self.table.replica().is_over() || self.table.is_auditing() {
            return;
        }
        self.told_over = true;
        let kept = self.keep_record(events, store, now);
        let record = self.record();
        self.tell(events, SessionEvent::Over { record, kept });
    }

    /// Keeps the record instead of the journal. If the disk refuses, the journal stays and the record is tried again.
    fn keep_record(
        &mut self,
        events: &mpsc::UnboundedSender<SessionEvent<G>>,
        store: Option<&Store>,
        now: u64,
    ) -> Option<PathBuf> {
        let again = self.record_again.take().is_some();
        self.table.me()?;
        let store = store?;
        let name = hex(&self.id);
        match store.keep_record(&name, &self.record()) {
            Ok(path) => {
                // The log is in the record now.
                if let Err(error) = store.remove_table(&name) {
                    events.send(SessionEvent::Trouble(error.to_string())).ok();
                }
                self.close_journal();
                Some(path)
            }
            Err(error) => {
                // The game is over and waits for nothing: once is enough.
                if !again {
                    events.send(SessionEvent::Trouble(error.to_string())).ok();
                }
                self.record_again = Some(now + DISK_AGAIN_MS);
                None
            }
        }
    }

    fn record(&self) -> Vec<u8> {
        Record::new(self.table.genesis(), self.table.log()).write()
    }

    pub(super) fn snapshot(&self) -> Snapshot<G> {
        Snapshot {
            step: self.table.replica().number(),
            game: self.table.game().clone(),
            known: self.table.known(),
            me: self.table.me(),
            waits: self.table.replica().waits(),
            my_turn: self.table.my_turn(),
        }
    }
}

/// A table's name in the store.
pub(super) fn hex(id: &TableId) -> String {
    id.0.iter().map(|byte| format!("{byte:02x}")).collect()
}
