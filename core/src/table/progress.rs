//! What a table does by itself: contribute, pass on, sign, settle.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::Table;
use super::message::{Message, Stored};
use super::open::Open;
use super::output::{Notice, Output};
use super::replica::{Refusal, Waits};
use super::vote::Bound;
use super::words::TableWord;
use crate::codec;
use crate::game::{Game, SeatSet};
use crate::log::{Evidence, Kind, Lane, Settle, Settled, SignedEntry, Step};

/// The others pass on the word of a seat that is back if the first of them has not done so after this time.
const PASS_ON_MS: u64 = 1_000;

impl<G: Game> Table<G> {
    /// May I put an entry into the open step? Not once I have signed it or am bound by a vote: that is what keeps settlement unique.
    pub(super) fn may_speak(&self) -> bool {
        self.unheard.is_empty() && self.may_contribute()
    }

    /// The same for what follows from identity and history, and is no contradiction whatever I have said before.
    fn may_contribute(&self) -> bool {
        let Some(me) = self.me() else { return false };
        self.replica.signers().contains(me)
            && (self.unheard.is_empty() || self.had_time_to_hear())
            && self.open.settles_of(me).next().is_none()
            && matches!(self.bound(), Bound::Free)
            && match self.replica.waits() {
                Waits::Game { .. } | Waits::Deal { .. } => true,
                Waits::Absence | Waits::Over => false,
            }
    }

    /// Goes on as far as it can.
    pub(super) fn go_on(&mut self) {
        // Signing comes before voting: two that wait for each other's signature would else vote for ever.
        while self.settle() || self.recall() || self.speak() || self.sign() || self.vote() {}
        self.replica.prepare();
    }

    /// Says what my program says by itself. True if something was said.
    fn speak(&mut self) -> bool {
        let Some(me) = self.me() else { return false };
        if !self.may_contribute() {
            return false;
        }
        if self.may_speak()
            && !self.open.has(Lane::Table, me)
            && let Some(back) = self.back_to_pass_on()
        {
            let word = TableWord::Readmit(Box::new(back));
            if let Some(signed) = self.sign_entry(Lane::Table, codec::encode(&word)) {
                self.say(signed);
                return true;
            }
        }
        if !self.open.has(Lane::Deal, me)
            && let Some(body) = self.replica.contribution()
            && let Some(signed) = self.sign_entry(Lane::Deal, body)
        {
            self.replica.contributed(&signed.entry.body);
            self.say(signed);
            return true;
        }
        false
    }

    fn back_to_pass_on(&self) -> Option<SignedEntry> {
        let first = self.replica.signers().iter().next();
        self.backs
            .iter()
            .find(|(seat, (back, since))| {
                !self.faults.contains_key(seat)
                    && self.replica.check_back(back).is_ok()
                    && (first == self.me() || self.now.saturating_sub(*since) > PASS_ON_MS)
            })
            .map(|(_, (back, _))| back.clone())
    }

    /// Says that I am back, if the others have gone on without me.
    pub(super) fn say_back(&mut self) {
        let Some(me) = self.me() else { return };
        if self.replica.gone().contains(me)
            && !self.replica.is_over()
            && let Some(signed) = self.sign_entry(Lane::Table, codec::encode(&TableWord::Back))
        {
            self.broadcast(&Message::Entry(signed));
        }
    }

    /// The step I would sign now, the votes that excuse missing signatures under it, and whose signatures it then needs.
    pub(super) fn target(&self) -> Option<(Step, Vec<SignedEntry>, SeatSet)> {
        // Everyone signs a forced absence before anything else, so it stands.
        let forced = self.replica.decided();
        let forced = forced.map(|first| self.absence(first.entries.clone()));
        match self.bound() {
            Bound::Undecided { .. } => None,
            Bound::Decided(decided) => {
                let step = match forced {
                    Some(step) => step,
                    None => self.outcome(&decided)?,
                };
                let quorum = self.quorum(&step)?;
                // Votes that give up nobody else excuse nothing: there is one way to settle a step.
                if quorum.and(decided.gone).is_empty() {
                    return Some((step, Vec::new(), quorum));
                }
                Some((step, decided.entries, quorum.minus(decided.gone)))
            }
            Bound::Free => {
                let step = match forced {
                    Some(step) => step,
                    None => {
                        let shape = self.open.shape();
                        let complete = self.replica.is_complete(&shape);
                        self.open.step(&self.replica, &shape).filter(|_| complete)?
                    }
                };
                let quorum = self.quorum(&step)?;
                Some((step, Vec::new(), quorum))
            }
        }
    }

    /// Whose signatures settle a step that no votes excuse.
    fn quorum(&self, step: &Step) -> Option<SeatSet> {
        let signers = self.replica.signers();
        match step.kind {
            Kind::Play => Some(signers),
            Kind::Absence => Some(signers.minus(self.replica.decision_of(step).ok()?.gone)),
        }
    }

    /// Signs the open step when there is something new to sign. True if it was signed.
    fn sign(&mut self) -> bool {
        let Some((me, identity)) = self.me.clone() else {
            return false;
        };
        let knows = match self.bound() {
            Bound::Free | Bound::Undecided { .. } => self.unheard.is_empty(),
            Bound::Decided(_) => true,
        };
        if !self.replica.signers().contains(me) || !knows {
            return false;
        }
        let Some((step, _, quorum)) = self.target() else {
            return false;
        };
        let mark = step.mark(self.replica.table());
        let fits = self
            .open
            .settles_of(me)
            .all(|settle| settle.mark != mark && settle.mark.compatible(&mark, me));
        // Who has signed an absence, perhaps before it lost its memory, has given up the play.
        let absent = self
            .open
            .settles_of(me)
            .any(|settle| settle.mark.kind == Kind::Absence);
        let taken_back = absent && mark.kind == Kind::Play;
        if !fits || taken_back || !quorum.contains(me) {
            return false;
        }
        let settle = Settle::sign(self.replica.table(), step.number, me, mark, &identity);
        self.out
            .push_back(Output::Persist(codec::encode(&Stored::Signed {
                settle,
                entries: step.entries,
            })));
        self.broadcast(&Message::Settle(settle));
        self.open.keep_settle(settle);
        true
    }

    /// Settles the open step if the signatures are there. True if it did.
    fn settle(&mut self) -> bool {
        let Some(settled) = self.find_settled() else {
            return false;
        };
        self.take(settled)
    }

    fn find_settled(&self) -> Option<Settled> {
        let signers = self.replica.signers();
        // Who is bound by a vote settles by the vote alone; else those who stay could part ways over who saw which signature first.
        let free = matches!(self.bound(), Bound::Free) && self.replica.decided().is_none();
        for settle in self.open.settles() {
            if free
                && settle.mark.kind == Kind::Play
                && signers.minus(self.open.signers_of(&settle.mark)).is_empty()
                && let Some(step) = self.open.step_marked(&self.replica, &settle.mark)
                && self.replica.is_complete(&settle.mark.shape)
            {
                return Some(self.certify(step, Vec::new(), signers));
            }
        }
        let (step, excuses, quorum) = self.target()?;
        let signed = self.open.signers_of(&step.mark(self.replica.table()));
        if quorum.is_empty() || !quorum.minus(signed).is_empty() {
            return None;
        }
        Some(self.certify(step, excuses, quorum))
    }

    fn certify(&self, step: Step, excuses: Vec<SignedEntry>, quorum: SeatSet) -> Settled {
        let mark = step.mark(self.replica.table());
        let signatures = quorum
            .iter()
            .filter_map(|seat| {
                let settle = self.open.settles_of(seat).find(|s| s.mark == mark)?;
                Some((seat, settle.signature))
            })
            .collect();
        Settled {
            step,
            signatures,
            excuses,
        }
    }

    /// Carries out a settled step whose parts have been checked. False if the decks refuse it after all, which names a culprit.
    pub(super) fn take(&mut self, settled: Settled) -> bool {
        let step = settled.step.number;
        // Moves were tried when they came in; what the decks make of all contributions together shows only now.
        let mut entries = settled.step.entries.iter();
        let dealing = entries.any(|signed| signed.entry.lane == Lane::Deal);
        let before = dealing.then(|| self.replica.clone());
        let doubted = self.given_up();
        match self.replica.apply(&settled) {
            Ok(happened) => {
                self.compare_settlements(&settled);
                self.out
                    .push_back(Output::Persist(codec::encode(&Stored::Settled(
                        settled.clone(),
                    ))));
                self.out
                    .push_back(Output::Publish(codec::encode(&Message::Steps(
                        alloc::vec![settled.clone()],
                    ))));
                self.log.push(settled);
                for happening in happened {
                    self.out.push_back(Output::Happened { step, happening });
                }
                self.out.push_back(Output::Settled(step));
                self.queue_audit(step);
                self.ballot.begin(doubted);
                self.open_next();
                true
            }
            Err(refusal) => {
                if let Some(before) = before {
                    self.replica = before;
                }
                let accused = settled
                    .step
                    .entries
                    .iter()
                    .find(|signed| Some(signed.entry.seat) == refusal.culprit());
                if let Some(signed) = accused {
                    self.refuse(signed.clone(), refusal);
                }
                false
            }
        }
    }

    /// Has someone signed this step and told me of another?
    fn compare_settlements(&mut self, settled: &Settled) {
        let table = *self.replica.table();
        let contradiction = self.open.settles().iter().find_map(|told| {
            let signed = settled.settle(&table, told.seat)?;
            let fits = told.mark.compatible(&signed.mark, told.seat);
            (!fits).then_some((*told, signed))
        });
        if let Some((told, signed)) = contradiction {
            self.accuse(Evidence::TwoSettlements(told, signed), None);
        }
    }

    fn open_next(&mut self) {
        self.open = Open::new(self.now);
        self.say_back();
        for (from, message) in core::mem::take(&mut self.early) {
            self.handle(from, message);
        }
    }

    /// An entry is against the rules: its culprit is caught.
    pub(super) fn refuse(&mut self, entry: SignedEntry, refusal: Refusal) {
        if let Some(culprit) = refusal.culprit() {
            self.accuse(Evidence::Refused { entry, culprit }, Some(refusal));
        }
    }

    /// Remembers and tells everyone that a seat was caught.
    pub(super) fn accuse(&mut self, evidence: Evidence, refusal: Option<Refusal>) {
        let culprit = evidence.culprit();
        if self.faults.contains_key(&culprit) || Some(culprit) == self.me() {
            return;
        }
        self.faults.insert(culprit, evidence.clone());
        self.broadcast(&Message::Evidence(evidence.clone()));
        self.out.push_back(Output::Notice(Notice::Fault {
            culprit,
            evidence: Box::new(evidence),
            refusal,
        }));
    }

    /// Takes back one stored item. False if it does not fit, which ends the journal.
    pub(super) fn restore(&mut self, item: Stored) -> bool {
        match item {
            Stored::Genesis(_) => false,
            Stored::Settled(settled) => {
                if settled.step.number < self.replica.number() {
                    // The last one, as others have settled it.
                    let fits = self.replica.settle_anew(&settled).is_ok();
                    if fits {
                        self.log.pop();
                        self.log.push(settled);
                    }
                    return fits;
                }
                if self.replica.accept(&settled).is_err() {
                    return false;
                }
                self.log.push(settled);
                self.open = Open::new(self.now);
                true
            }
            Stored::Entry(signed) => {
                if signed.entry.step == self.replica.number() {
                    self.open.keep(signed);
                }
                true
            }
            Stored::Signed { settle, entries } => {
                if settle.step == self.replica.number() {
                    if settle.mark.kind == Kind::Play {
                        entries
                            .into_iter()
                            .for_each(|signed| self.open.keep(signed));
                    }
                    self.open.keep_settle(settle);
                }
                true
            }
            Stored::Forgetful(true) => {
                self.forget();
                true
            }
            Stored::Forgetful(false) => {
                self.unheard = SeatSet::EMPTY;
                true
            }
        }
    }
}
