//! Steps that others have settled: which may be taken over, from whom, and in which form.

use alloc::vec::Vec;

use super::ANSWER_MS;
use crate::codec;
use crate::game::{Game, Seat};
use crate::log::{Kind, Lane, Settled};
use crate::table::Table;
use crate::table::message::{Message, Stored};
use crate::table::output::{Output, Suspicion};
use crate::table::vote::Bound;

impl<G: Game> Table<G> {
    pub(super) fn hear_steps(&mut self, from: Seat, steps: Vec<Settled>) {
        let mut before: Option<Settled> = None;
        let mut steps = steps.into_iter().peekable();
        while let Some(settled) = steps.next() {
            if settled.step.number < self.replica.number() {
                before = Some(settled);
                continue;
            }
            if settled.step.number > self.replica.number() {
                return;
            }
            if self.is_voted_off(from, &settled, steps.peek().is_some()) {
                return self.hear_signatures(from, &settled);
            }
            let forced = self.replica.decided().is_some() && before.is_none();
            let fits = self.replica.check_settled(&settled).is_ok()
                || before
                    .take()
                    .is_some_and(|before| self.settle_anew(before, Some(&settled)));
            if !fits && forced {
                // They may follow from the last step as it was settled in another way than here.
                self.asks_before = true;
                return;
            }
            if !fits {
                return self.suspect(from, Suspicion::FalseHistory);
            }
            if !self.take(settled) {
                return;
            }
        }
        if let Some(before) = before {
            self.hear_excuses(from, before);
        }
        if self.now.saturating_sub(self.answered[from]) >= ANSWER_MS {
            // There may be more where these came from.
            self.answered[from] = self.now;
            let status = Message::Status(self.status());
            self.send(from, &status);
        }
    }

    /// Does my vote forbid to take over this step from `from`? Whom I have voted to go on without may hold every signature under it, given
    /// before the vote, or have carried out an earlier vote of mine: only when one of those who stay goes on so is the vote off, or
    /// when it is beyond doubt what followed.
    fn is_voted_off(&self, from: Seat, settled: &Settled, followed: bool) -> bool {
        let Some((number, _)) = self.binding_vote().filter(|(_, gone)| gone.contains(from)) else {
            return false;
        };
        match (settled.step.kind, settled.excuses.first()) {
            (Kind::Play, None) => true,
            (Kind::Absence, None) => false,
            (Kind::Play | Kind::Absence, Some(vote)) => {
                !followed && vote.entry.lane < Lane::Vote(number)
            }
        }
    }

    /// A step that I may not take over from `from`. Its signatures count all the same: whoever gave one keeps nobody waiting.
    fn hear_signatures(&mut self, from: Seat, settled: &Settled) {
        let table = *self.replica.table();
        for seat in settled.signers().iter() {
            if let Some(settle) = settled.settle(&table, seat) {
                self.hear_settle(from, settle);
            }
        }
    }

    /// Takes the last settled step as others have settled it, if `next` then follows. False if it does not.
    fn settle_anew(&mut self, last: Settled, next: Option<&Settled>) -> bool {
        let was = self.replica.decided().cloned();
        let fits = self.replica.settle_anew(&last).is_ok()
            && next.is_none_or(|next| self.replica.check_settled(next).is_ok());
        if !fits {
            self.replica.force(was);
            return false;
        }
        self.out
            .push_back(Output::Persist(codec::encode(&Stored::Settled(
                last.clone(),
            ))));
        self.log.pop();
        self.log.push(last);
        true
    }

    /// Others have settled the last step by votes, and wait for signatures under the absence that these decide. Who has signed nothing of
    /// the open step goes along with its own vote, unless whoever tells it was given up in a later one. Once one of the voters has signed the absence, all
    /// others do, whatever they have signed before: that one has never signed anything else, so nothing else can be settled by all.
    fn hear_excuses(&mut self, from: Seat, last: Settled) {
        let Some(me) = self.me() else { return };
        let about_last = last.step.number + 1 == self.replica.number();
        if last.excuses.is_empty() || !about_last || self.replica.decided().is_some() {
            return;
        }
        let absence = self.absence(last.excuses.clone());
        let mark = absence.mark(self.replica.table());
        let free = match self.bound() {
            Bound::Free => true,
            Bound::Undecided { .. } => false,
            Bound::Decided(decided) => decided.names(&mark),
        };
        let mine = || self.open.settles_of(me).map(|settle| settle.mark);
        let unsigned = mine().all(|other| other == mark);
        let other_absence = mine().any(|other| other != mark && other.kind == Kind::Absence);
        let voted = last.excuses.iter().any(|vote| vote.entry.seat == me);
        let signed = !self.open.signers_of(&mark).without(me).is_empty();
        let told = voted && unsigned && !self.ballot.doubted.contains(from);
        if free && !other_absence && (told || signed) {
            self.settle_anew(last, None);
        }
    }
}
