//! What comes in: messages, time, and the regular word that brings lost messages back.

use alloc::vec::Vec;

use super::Table;
use super::message::{MAX_MESSAGE, Message, STEPS_BYTES, Status, Stored};
use super::output::{Notice, Output, Suspicion};
use super::presence;
use super::replica::Refusal;
use crate::codec;
use crate::game::{Game, Seat, SeatSet};
use crate::log::{Evidence, Kind, Lane, Settle, Settled, SignedEntry};

mod steps;

/// How often a peer says where it is, in milliseconds.
const STATUS_MS: u64 = 500;
/// The shortest pause between two answers to one peer.
const ANSWER_MS: u64 = 50;
/// How many messages are kept for the step after the open one.
const MAX_EARLY: usize = 64;

impl<G: Game> Table<G> {
    /// A message from the person at `from`, as the transport has them authenticated.
    pub fn receive(&mut self, from: Seat, bytes: &[u8], now: u64) {
        self.now = self.now.max(now);
        if !self.replica.people().contains(from) || self.me() == Some(from) {
            return;
        }
        if self.presence.hear(from, self.now) {
            self.out.push_back(Output::Notice(Notice::Heard(from)));
        }
        if bytes.len() > MAX_MESSAGE {
            return self.suspect(from, Suspicion::Garbage);
        }
        match codec::decode::<Message>(bytes) {
            Ok(message) => self.handle(from, message),
            Err(_) => return self.suspect(from, Suspicion::Garbage),
        }
        self.go_on();
    }

    /// Time has passed.
    pub fn handle_timeout(&mut self, now: u64) {
        self.now = self.now.max(now);
        self.forget_unheard();
        self.watch();
        self.go_on();
        if self.now >= self.next_status {
            self.next_status = self.now + STATUS_MS;
            let status = match core::mem::take(&mut self.asks_before) {
                true => self.status_before(),
                false => self.status(),
            };
            self.broadcast(&Message::Status(status));
            self.say_back();
        }
    }

    /// After the grace time only seats that nobody hears are still waited for: what the others hold of my words they have
    /// passed on to those whom I hear.
    fn forget_unheard(&mut self) {
        if self.had_time_to_hear() {
            let signers = self.unheard.and(self.replica.signers());
            let silent = |seat: &Seat| {
                self.presence.silence(*seat, self.now) >= presence::RECONNECTING_MS / 2
            };
            self.still_unheard(signers.iter().filter(silent).collect());
        }
    }

    fn still_unheard(&mut self, seats: SeatSet) {
        if seats.is_empty() && !self.unheard.is_empty() {
            let stored = Stored::Forgetful(false);
            self.out.push_back(Output::Persist(codec::encode(&stored)));
        }
        self.unheard = seats;
    }

    /// The link to a seat is up again: it hears at once where I am.
    pub fn connected(&mut self, seat: Seat, now: u64) {
        self.now = self.now.max(now);
        let status = Message::Status(self.status());
        self.send(seat, &status);
    }

    /// The answer to a spectator who said where it is: settled steps and nothing else.
    pub fn answer_spectator(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        match codec::decode::<Message>(bytes) {
            Ok(Message::Status(status)) => self.steps_from(status.step),
            _ => None,
        }
    }

    fn steps_from(&self, step: u64) -> Option<Vec<u8>> {
        let next = usize::try_from(step.checked_sub(1)?).ok()?;
        // Votes that an absence step carries out may be others than those by which the receiver has settled the step before.
        let from = match self.log.get(next)?.step.kind {
            Kind::Play => next,
            Kind::Absence => next.saturating_sub(1),
        };
        let mut steps: Vec<Settled> = Vec::new();
        let mut bytes = 0;
        for settled in self.log.get(from..)? {
            bytes += codec::encode(settled).len();
            if bytes > STEPS_BYTES && from + steps.len() > next {
                break;
            }
            steps.push(settled.clone());
        }
        (!steps.is_empty()).then(|| codec::encode(&Message::Steps(steps)))
    }

    fn status(&self) -> Status {
        let shape = self.open.shape();
        let held = match self.replica.decided() {
            Some(first) => Some(self.absence(first.entries.clone())),
            None => self.open.step(&self.replica, &shape),
        };
        let held = held.map(|step| step.mark(self.replica.table()));
        Status {
            step: self.replica.number(),
            prev: self.replica.prev(),
            shape,
            held: held.map_or(self.replica.prev(), |mark| mark.digest),
            heard: self
                .presence
                .heard_directly(self.replica.people(), self.now),
            signed: held.map_or(SeatSet::EMPTY, |mark| self.open.signers_of(&mark)),
            votes: self.open.last_vote().map(|number| {
                let voters = self.open.votes(number).map(|signed| signed.entry.seat);
                (number, voters.collect())
            }),
        }
    }

    /// As if the last settled step were still open, so that the others tell it again, and what followed.
    fn status_before(&self) -> Status {
        let step = self.replica.number().saturating_sub(1);
        let before = self.replica.digest_of(step.saturating_sub(1));
        Status {
            step,
            prev: before.unwrap_or(self.replica.prev()),
            ..self.status()
        }
    }

    pub(super) fn suspect(&mut self, seat: Seat, why: Suspicion) {
        if self.open.newly_suspect(seat, why) {
            self.out
                .push_back(Output::Notice(Notice::Suspect { seat, why }));
        }
    }

    pub(super) fn handle(&mut self, from: Seat, message: Message) {
        let next = self.replica.number() + 1;
        match message {
            Message::Entry(signed) if signed.entry.step == next => {
                self.keep_early(from, Message::Entry(signed));
            }
            Message::Settle(settle) if settle.step == next => {
                self.keep_early(from, Message::Settle(settle));
            }
            Message::Entry(signed) => self.hear_entry(from, signed),
            Message::Settle(settle) => self.hear_settle(from, settle),
            Message::Status(status) => self.hear_status(from, &status),
            Message::Steps(steps) => self.hear_steps(from, steps),
            Message::Evidence(evidence) => self.hear_evidence(from, evidence),
            Message::Chat(line) => self.hear_chat(from, line),
        }
    }

    fn keep_early(&mut self, from: Seat, message: Message) {
        let share = MAX_EARLY / self.replica.people().len().max(1);
        let kept = self.early.iter().filter(|(by, _)| *by == from).count();
        if kept < share && !self.early.contains(&(from, message.clone())) {
            self.early.push((from, message));
        }
    }

    fn hear_entry(&mut self, from: Seat, signed: SignedEntry) {
        let entry = &signed.entry;
        let seat = entry.seat;
        if self.replica.gone().contains(seat) {
            if self.replica.check_back(&signed).is_ok() {
                let now = self.now;
                let kept = self.backs.entry(seat).or_insert((signed.clone(), now));
                if self.replica.check_back(&kept.0).is_err() {
                    *kept = (signed, now);
                }
            }
            return;
        }
        if entry.step != self.replica.number() || self.faults.contains_key(&seat) {
            return;
        }
        let held = self.open.entry(entry.lane, seat);
        if held == Some(&signed) {
            return;
        }
        if entry.prev != self.replica.prev() {
            return self.suspect(from, Suspicion::FalseHistory);
        }
        let key = self.replica.key(seat).copied();
        if signed.check(self.replica.table(), key.as_ref()).is_err() {
            return self.suspect(from, Suspicion::Forged);
        }
        if let Some(held) = held.cloned() {
            if held.entry.body != entry.body {
                self.open.keep_rival(signed.clone());
                self.accuse(Evidence::TwoEntries(held, signed), None);
            }
            return;
        }
        if let Err(refusal) = self.replica.check_entry(&signed) {
            return self.refuse(signed, refusal);
        }
        if let Lane::Vote(number) = entry.lane
            && !self.may_open_vote(number, seat)
        {
            return;
        }
        let without = self
            .open
            .settles_of(seat)
            .find(|settle| signed_without(settle, &signed))
            .copied();
        if let Some(settle) = without {
            self.open.keep_rival(signed.clone());
            return self.accuse(Evidence::Late(settle, signed), None);
        }
        self.open.since = self.now;
        self.open.keep(signed.clone());
        if Some(seat) == self.me() {
            // My own word from before a restart, as the others heard it.
            let stored = Stored::Entry(signed);
            self.out.push_back(Output::Persist(codec::encode(&stored)));
        } else if matches!(signed.entry.lane, Lane::Vote(_)) {
            self.note_vote(&signed);
        }
    }

    fn hear_settle(&mut self, from: Seat, settle: Settle) {
        let seat = settle.seat;
        let known = self.open.settles().contains(&settle);
        if settle.step != self.replica.number() || !self.replica.signers().contains(seat) || known {
            return;
        }
        let key = self.replica.key(seat).copied();
        if settle.check(self.replica.table(), key.as_ref()).is_err() {
            return self.suspect(from, Suspicion::Forged);
        }
        let other = self
            .open
            .settles_of(seat)
            .find(|other| !other.mark.compatible(&settle.mark, seat))
            .copied();
        if let Some(other) = other {
            return self.accuse(Evidence::TwoSettlements(other, settle), None);
        }
        let entry = self
            .open
            .inside()
            .find(|signed| signed.entry.seat == seat && signed_without(&settle, signed))
            .cloned();
        if let Some(signed) = entry {
            return self.accuse(Evidence::Late(settle, signed), None);
        }
        self.open.keep_settle(settle);
    }

    fn hear_status(&mut self, from: Seat, status: &Status) {
        for seat in status.heard.and(self.replica.people()).iter() {
            if Some(seat) != self.me() && self.presence.hear_of(seat, self.now) {
                self.out.push_back(Output::Notice(Notice::Heard(seat)));
            }
        }
        let mine = self.replica.number();
        let rested = self.now.saturating_sub(self.answered[from]) >= ANSWER_MS;
        if status.step == mine {
            if status.prev != self.replica.prev() {
                return self.suspect(from, Suspicion::FalseHistory);
            }
            if status.shape.within(&self.open.shape()) {
                self.still_unheard(self.unheard.without(from));
            }
        }
        if !rested {
            return;
        }
        self.answered[from] = self.now;
        if status.step < mine {
            if let Some(bytes) = self.steps_from(status.step) {
                self.out.push_back(Output::Send { to: from, bytes });
            }
            return;
        }
        let own = self.status();
        if status.step == mine
            && self.replica.decided().is_some()
            && status.held != own.held
            && let Some(last) = self.log.last().cloned()
        {
            self.send(from, &Message::Steps(alloc::vec![last]));
        }
        if status.step > mine {
            return self.send(from, &Message::Status(own));
        }
        let differ = status.shape == own.shape && status.held != own.held;
        let lacking: Vec<SignedEntry> = self
            .open
            .inside()
            .filter(|signed| differ || !status.shape.contains(signed.entry.lane, signed.entry.seat))
            .cloned()
            .collect();
        for signed in lacking {
            self.send(from, &Message::Entry(signed));
        }
        if own.votes != status.votes && own.votes.is_some() {
            self.send_votes(from);
        }
        let all = own.votes.is_some() || status.votes.is_some() || own.held != status.held;
        let settles: Vec<Settle> = self
            .open
            .settles()
            .iter()
            .filter(|settle| {
                settle.seat != from
                    && (all
                        || settle.mark.kind == Kind::Absence
                        || (settle.mark.digest == own.held && !status.signed.contains(settle.seat)))
            })
            .copied()
            .collect();
        for settle in settles {
            self.send(from, &Message::Settle(settle));
        }
        // A peer that lost its memory learns its own signatures from the others.
        if !status.signed.contains(from) {
            let theirs: Vec<Settle> = self.open.settles_of(from).copied().collect();
            for settle in theirs {
                self.send(from, &Message::Settle(settle));
            }
        }
    }

    fn hear_evidence(&mut self, from: Seat, evidence: Evidence) {
        let culprit = evidence.culprit();
        if !self.replica.people().contains(culprit) || self.faults.contains_key(&culprit) {
            return;
        }
        let key = self.replica.key(evidence.signer()).copied();
        if evidence.check(self.replica.table(), key.as_ref()).is_err() {
            return self.suspect(from, Suspicion::Forged);
        }
        match &evidence {
            Evidence::TwoEntries(..) | Evidence::TwoSettlements(..) | Evidence::Late(..) => {
                if let Evidence::TwoEntries(a, b) = &evidence {
                    self.open.keep_rival(a.clone());
                    self.open.keep_rival(b.clone());
                }
                self.accuse(evidence, None);
            }
            // Trying an entry may mean checking long proofs: no seat can have that done without end.
            Evidence::Refused { .. } if !self.open.may_try(from, self.replica.people().len()) => {}
            Evidence::Refused { entry, culprit } => match self.replica.check_entry(entry) {
                // Not the step that is open here: nothing to say about it.
                Err(Refusal::NotNext(_)) => {}
                Err(refusal) if refusal.culprit() == Some(*culprit) => {
                    self.accuse(evidence, Some(refusal));
                }
                Err(_) | Ok(()) => self.suspect(from, Suspicion::Forged),
            },
        }
    }
}

/// Does the settlement leave out an entry of its own signer?
fn signed_without(settle: &Settle, signed: &SignedEntry) -> bool {
    settle.mark.kind == Kind::Play
        && !matches!(signed.entry.lane, Lane::Vote(_))
        && !settle
            .mark
            .shape
            .contains(signed.entry.lane, signed.entry.seat)
}
