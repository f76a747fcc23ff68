//! Going on without someone: votes about the open step.
//!
//! A vote binds its voter: until it is decided or fails, the voter signs nothing more of the open step. It also says what the voter
//! had signed before, so that a step which someone may already hold fully signed is never lost: the votes then excuse
//! the missing signatures under that step, and the absence follows as the next one. Each number of a vote takes one
//! word from each seat, and it is decided when all who stay say the same; more than half must stay. So of all
//! votes about a step at most one leads on.

use alloc::vec::Vec;

use super::message::Message;
use super::output::{ActError, Notice, Output, Suspicion};
use super::replica::Decided;
use super::words::{MAX_VOTES, Remedy, Vote};
use super::{Table, presence};
use crate::codec;
use crate::game::{Game, Seat, SeatSet};
use crate::log::{Kind, Lane, Mark, SignedEntry, Step};

mod delay;

/// The pause before voting again, times the number of votes so far,
const PAUSE_MS: u64 = 500;
/// but no longer than this.
const LONGEST_PAUSE_MS: u64 = 16_000;

/// Who decides about going on without someone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Consent {
    /// The player is asked: [`Notice::GraceOver`], then [`Table::go_on_without`] or [`Table::keep_waiting`].
    #[default]
    Ask,
    /// The program agrees by itself once the grace time is over: a phantom if possible, else a new deal.
    Auto,
}

#[derive(Clone, Default)]
pub(super) struct Ballot {
    pub consent: Consent,
    /// What the player wants.
    opinion: Option<(SeatSet, Remedy)>,
    /// The player has said no to what the others vote.
    refused: bool,
    /// When I last voted.
    last: u64,
    /// Whom my last vote about the step before gave up.
    pub doubted: SeatSet,
    /// In which ways the others may go on without whom, as far as it was asked in this step: only the decks know, and asking them is dear.
    ways: Vec<(SeatSet, Remedy, bool)>,
}

impl Ballot {
    /// Another step: the player is asked anew.
    pub fn begin(&mut self, doubted: SeatSet) {
        self.opinion = None;
        self.refused = false;
        self.doubted = doubted;
        self.ways.clear();
    }
}

/// Where my votes leave me.
pub(super) enum Bound {
    /// Nothing binds me.
    Free,
    /// I have voted, and it is not decided.
    Undecided {
        /// Those who would stay and have not voted.
        unvoted: SeatSet,
    },
    /// This is decided.
    Decided(Decided),
}

impl<G: Game> Table<G> {
    /// Who decides when someone is missing.
    pub fn set_consent(&mut self, consent: Consent) {
        self.ballot.consent = consent;
        self.go_on();
    }

    /// The player wants to go on without these seats. All who stay must want the same.
    pub fn go_on_without(&mut self, gone: SeatSet, remedy: Remedy) -> Result<(), ActError> {
        let me = self.me().ok_or(ActError::NotSeated)?;
        let away = self.missing();
        if !gone.minus(away).is_empty() || !self.replica.may_go_on(gone, remedy) {
            return Err(ActError::Refused(super::Refusal::Table(me)));
        }
        self.ballot.opinion = Some((gone, remedy));
        self.ballot.refused = false;
        self.go_on();
        Ok(())
    }

    /// The player would rather wait.
    pub fn keep_waiting(&mut self) {
        self.ballot.opinion = None;
        self.ballot.refused = true;
        self.go_on();
    }

    fn my_vote(&self, number: u8) -> Option<Vote> {
        self.vote_of(number, self.me()?)
    }

    fn vote_of(&self, number: u8, seat: Seat) -> Option<Vote> {
        read(self.open.entry(Lane::Vote(number), seat)?)
    }

    /// Has one of those who would stay said something else, or gone on to a later vote without a word in this one? Nobody goes back.
    fn failed(&self, number: u8, mine: &Vote) -> bool {
        let stay = self.replica.signers().minus(mine.gone);
        let passed_over = |seat: Seat| {
            !self.open.has(Lane::Vote(number), seat)
                && self
                    .open
                    .last_vote_of(seat)
                    .is_some_and(|last| last > number)
        };
        mine.gone.is_empty()
            || stay.iter().any(passed_over)
            || self.open.votes(number).any(|signed| {
                stay.contains(signed.entry.seat)
                    && read(signed)
                        .is_some_and(|vote| (vote.gone, vote.remedy) != (mine.gone, mine.remedy))
            })
    }

    /// The votes of those who stay, if all have voted as I did.
    fn decided(&self, number: u8, mine: &Vote) -> Option<Decided> {
        let stay = self.replica.signers().minus(mine.gone);
        let votes: Vec<SignedEntry> = self
            .open
            .votes(number)
            .filter(|signed| stay.contains(signed.entry.seat))
            .cloned()
            .collect();
        self.replica.decide(&votes, self.replica.number()).ok()
    }

    pub(super) fn bound(&self) -> Bound {
        let Some(last) = self.open.last_vote() else {
            return Bound::Free;
        };
        for number in (0..=last).rev() {
            let Some(mine) = self.my_vote(number) else {
                continue;
            };
            if self.failed(number, &mine) {
                continue;
            }
            return match self.decided(number, &mine) {
                Some(decided) => Bound::Decided(decided),
                None => {
                    let voters = self.open.votes(number).map(|signed| signed.entry.seat);
                    let stay = self.replica.signers().minus(mine.gone);
                    Bound::Undecided {
                        unvoted: stay.minus(voters.collect()),
                    }
                }
            };
        }
        Bound::Free
    }

    /// The number of the vote that binds me, and whom it gives up.
    pub(super) fn binding_vote(&self) -> Option<(u8, SeatSet)> {
        let last = self.open.last_vote()?;
        (0..=last)
            .rev()
            .filter_map(|number| Some((number, self.my_vote(number)?)))
            .find(|(number, mine)| !self.failed(*number, mine))
            .map(|(number, mine)| (number, mine.gone))
    }

    /// Whom the vote that binds me gives up.
    pub(super) fn given_up(&self) -> SeatSet {
        self.binding_vote().map_or(SeatSet::EMPTY, |(_, gone)| gone)
    }

    /// The step that a decided vote leads to; `None` while entries of it have still to come. It follows from the votes alone, so that
    /// all who stay find the same.
    pub(super) fn outcome(&self, decided: &Decided) -> Option<Step> {
        let marks: Vec<Mark> = decided
            .entries
            .iter()
            .filter_map(|signed| read(signed)?.signed)
            .collect();
        if let Some(mark) = marks.iter().find(|mark| mark.kind == Kind::Absence) {
            // An earlier vote was decided and someone has signed its absence step: it stands.
            return self.absence_marked(mark);
        }
        let largest = marks
            .iter()
            .fold(None, |best: Option<&Mark>, mark| match best {
                Some(best) if mark.shape.within(&best.shape) => Some(best),
                _ => Some(mark),
            });
        let conflict = |largest: &Mark| {
            marks
                .iter()
                .any(|mark| mark.shape == largest.shape && mark.digest != largest.digest)
        };
        match largest {
            Some(largest) if !conflict(largest) => self.open.step_marked(&self.replica, largest),
            // Nobody has signed anything, or somebody told different things to different seats: nobody can hold a settled step.
            _ => Some(self.absence(decided.entries.clone())),
        }
    }

    /// The absence step that this mark names, if the votes for it are here.
    fn absence_marked(&self, mark: &Mark) -> Option<Step> {
        (0..=self.open.last_vote()?)
            .filter_map(|number| self.absence_of(number))
            .find(|step| step.digest(self.replica.table()) == mark.digest)
    }

    fn absence_of(&self, number: u8) -> Option<Step> {
        let mut said: Vec<Vote> = self.open.votes(number).filter_map(read).collect();
        said.dedup_by_key(|vote| (vote.gone, vote.remedy));
        said.iter()
            .find_map(|vote| self.decided(number, vote))
            .map(|decided| self.absence(decided.entries))
    }

    pub(super) fn absence(&self, entries: Vec<SignedEntry>) -> Step {
        Step {
            number: self.replica.number(),
            prev: self.replica.prev(),
            kind: Kind::Absence,
            entries,
        }
    }

    /// What I would vote for now.
    fn opinion(&mut self) -> Option<(SeatSet, Remedy)> {
        let missing = self.missing();
        match self.ballot.consent {
            Consent::Ask => self.ballot.opinion.filter(|&(gone, remedy)| {
                gone.minus(missing).is_empty() && self.may_go_on(gone, remedy)
            }),
            Consent::Auto => [Remedy::StandIn, Remedy::Void]
                .into_iter()
                .find(|&remedy| self.may_go_on(missing, remedy))
                .map(|remedy| (missing, remedy)),
        }
    }

    fn may_go_on(&mut self, gone: SeatSet, remedy: Remedy) -> bool {
        let known = |&&(seats, way, _): &&(SeatSet, Remedy, bool)| (seats, way) == (gone, remedy);
        if let Some(&(_, _, may)) = self.ballot.ways.iter().find(known) {
            return may;
        }
        let may = self.replica.may_go_on(gone, remedy);
        self.ballot.ways.push((gone, remedy, may));
        may
    }

    /// Do I object to what others vote? Only if those they give up are plainly there.
    fn objects(&self, number: u8) -> bool {
        let given_up = self
            .open
            .votes(number)
            .filter_map(read)
            .fold(SeatSet::EMPTY, |all, vote| all.or(vote.gone));
        let Some(me) = self.me() else { return false };
        if given_up.is_empty() {
            return false;
        }
        if given_up.contains(me) {
            // I am here. It does not count among those who stay, but shows that I cast no word in an earlier vote.
            return true;
        }
        let missing = self.missing();
        match self.ballot.consent {
            Consent::Ask => {
                let behind = self.behind().or(missing);
                self.ballot.refused
                    || given_up.iter().any(|seat| {
                        self.presence.silence(seat, self.now) < presence::RECONNECTING_MS / 2
                            && !behind.contains(seat)
                    })
            }
            Consent::Auto => {
                // Who votes is bound and may look as if it stalled: where that leaves too few, nobody is to be given up.
                let behind = if missing.is_empty() {
                    self.behind()
                } else {
                    SeatSet::EMPTY
                };
                given_up.iter().any(|seat| {
                    self.presence.silence(seat, self.now) < presence::RECONNECTING_MS / 2
                        && !behind.contains(seat)
                })
            }
        }
    }

    /// After a restart without my journal: those who may know more of my words than I do are heard, or nobody hears them.
    fn may_vote(&self) -> bool {
        self.unheard.is_empty()
            || (self.had_time_to_hear() && self.unheard.minus(self.missing()).is_empty())
    }

    /// Votes if there is reason to. True if a vote was cast.
    pub(super) fn vote(&mut self) -> bool {
        let Some(me) = self.me() else { return false };
        if self.replica.is_over() || !self.replica.signers().contains(me) || !self.may_vote() {
            return false;
        }
        let opinion = self.opinion();
        let pause = |number: u8| (PAUSE_MS * (u64::from(number) + 1)).min(LONGEST_PAUSE_MS);
        let rested = |number: u8| self.now.saturating_sub(self.ballot.last) >= pause(number);
        let cast = match self.open.last_vote() {
            None => opinion.map(|(gone, remedy)| (0, gone, remedy)),
            Some(last) => match (self.my_vote(last), opinion) {
                // Who runs ahead with numbers does not pull the others along.
                (None, Some((gone, remedy))) => {
                    (last == 0 || rested(last)).then_some((last, gone, remedy))
                }
                (None, None) if self.objects(last) => Some((last, SeatSet::EMPTY, Remedy::StandIn)),
                (None, None) => None,
                (Some(mine), Some((gone, remedy))) => {
                    let again =
                        self.failed(last, &mine) || (mine.gone, mine.remedy) != (gone, remedy);
                    // What is decided stands, unless one of those who were to stay holds it up.
                    let more = !gone.minus(mine.gone).is_empty();
                    let open = more || self.decided(last, &mine).is_none();
                    (again && open && rested(last)).then_some((last + 1, gone, remedy))
                }
                (Some(_), None) => None,
            },
        };
        let Some((number, gone, remedy)) = cast else {
            return false;
        };
        if number >= MAX_VOTES {
            return false;
        }
        let vote = Vote {
            gone,
            remedy,
            signed: self.open.last_signed(me),
        };
        self.watch();
        match self.sign_entry(Lane::Vote(number), codec::encode(&vote)) {
            Some(signed) if self.replica.check_entry(&signed).is_ok() => {
                self.ballot.last = self.now;
                self.say(signed);
                true
            }
            _ => false,
        }
    }

    /// Is it time for a vote of this number? Each needs one of somebody else before it, so that nobody uses the numbers up alone. What comes too
    /// early comes again.
    pub(super) fn may_open_vote(&self, number: u8, seat: Seat) -> bool {
        let Some(before) = number.checked_sub(1) else {
            return true;
        };
        self.open.votes(number).next().is_some()
            || self
                .open
                .votes(before)
                .any(|signed| signed.entry.seat != seat)
    }

    /// After a vote of another seat came in.
    pub(super) fn note_vote(&mut self, signed: &SignedEntry) {
        let Some(vote) = read(signed) else { return };
        self.out.push_back(Output::Notice(Notice::Vote {
            by: signed.entry.seat,
            gone: vote.gone,
            remedy: vote.remedy,
        }));
        if let (Lane::Vote(number), Consent::Ask) = (signed.entry.lane, self.ballot.consent)
            && let Some(mine) = self.my_vote(number)
            && self.failed(number, &mine)
            && self.ballot.opinion.take().is_some()
        {
            // The player is asked again rather than having the old answer repeated.
            self.out.push_back(Output::Notice(Notice::VoteFailed));
        }
    }

    /// Tells of seats that have just become silent, or whose grace time is over.
    pub(super) fn watch(&mut self) {
        let Some(me) = self.me() else { return };
        let others = self.replica.signers().without(me);
        for seat in self.presence.newly_silent(others, self.now).iter() {
            self.out
                .push_back(Output::Notice(Notice::Reconnecting(seat)));
        }
        let missing = self.missing();
        self.presence.announced = self.presence.announced.and(missing);
        if !missing.minus(self.presence.announced).is_empty() {
            for seat in missing.minus(self.presence.announced).iter() {
                let quiet = self.presence.silence(seat, self.now) > presence::RECONNECTING_MS;
                if !quiet && !self.faults.contains_key(&seat) {
                    self.suspect(seat, Suspicion::Stalling);
                }
            }
            self.presence.announced = self.presence.announced.or(missing);
            self.out
                .push_back(Output::Notice(Notice::GraceOver(missing)));
        }
    }

    /// Sends all votes of the open step to a seat that does not have them.
    pub(super) fn send_votes(&mut self, to: Seat) {
        let votes: Vec<SignedEntry> = self
            .open
            .all()
            .filter(|signed| matches!(signed.entry.lane, Lane::Vote(_)))
            .cloned()
            .collect();
        for vote in votes {
            self.send(to, &Message::Entry(vote));
        }
    }
}

fn read(signed: &SignedEntry) -> Option<Vote> {
    codec::decode(&signed.entry.body).ok()
}
