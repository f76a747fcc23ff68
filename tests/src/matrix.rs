//! The kill matrix: a game is played once, and at the first step of each kind it is forked for every seat and every fate of that seat.

use std::collections::BTreeSet;

use shamans_core::game::SeatSet;
use shamans_core::table::Waits;

use crate::phase::{Asks, Phase};
use crate::sim::Sim;

/// What becomes of the one who is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Never seen again.
    ForGood,
    /// Back at once, with the disk.
    FromDisk,
    /// Back at once, with nothing but the identity.
    FromIdentity,
    /// Back after the others have gone on, with the disk.
    Late,
}

/// All of them.
pub const FATES: [Fate; 4] = [
    Fate::ForGood,
    Fate::FromDisk,
    Fate::FromIdentity,
    Fate::Late,
];

/// How a matrix is gone through.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The grace time of the table, in milliseconds.
    pub grace: u64,
    /// After how many outputs of its next work the victim dies; 0: here and now.
    pub fuses: Vec<u32>,
    /// Which fates are tried.
    pub fates: Vec<Fate>,
    /// Whether each fork is played to its end.
    pub finish: bool,
}

/// What was met.
#[derive(Debug, Default)]
pub struct Met {
    /// Kinds of steps at which somebody was killed.
    pub phases: BTreeSet<Phase>,
    /// How many forks.
    pub forks: usize,
    /// Votes excused missing signatures under a step, and the absence followed as the next one.
    pub excused: bool,
    /// The absence was the very step that was open.
    pub absence: bool,
}

/// Plays `sim` to its end, with forks at the first step of each kind that is not in `met` yet.
pub fn matrix<G: Asks>(mut sim: Sim<G>, plan: &Plan, met: &mut Met) {
    let mut seen = 0;
    loop {
        let replica = sim.table(0).replica();
        if replica.number() > seen {
            seen = replica.number();
            if let Some(phase) = Phase::of(replica)
                && !met.phases.contains(&phase)
            {
                met.phases.insert(phase);
                kill_each(&sim, plan, phase, met);
            }
        }
        if sim.all_over() || !sim.step() {
            return;
        }
    }
}

fn kill_each<G: Asks>(sim: &Sim<G>, plan: &Plan, phase: Phase, met: &mut Met) {
    for victim in 0..sim.peers.len() {
        for &fuse in &plan.fuses {
            for &fate in &plan.fates {
                let place = format!("{phase:?}, peer {victim} after {fuse} outputs, {fate:?}");
                let mut fork = Fork {
                    sim: sim.fork(),
                    victim,
                    place,
                    grace: plan.grace,
                };
                fork.play(fuse, fate, plan.finish);
                met.forks += 1;
                fork.note(met);
            }
        }
    }
}

struct Fork<G: Asks> {
    sim: Sim<G>,
    victim: usize,
    place: String,
    grace: u64,
}

impl<G: Asks> Fork<G> {
    fn run(&mut self, limit: u64, what: &str, done: impl FnMut(&Sim<G>) -> bool) {
        let done = self.sim.run(limit, done);
        assert!(done, "{}: {what}: {}", self.place, self.sim.describe());
    }

    fn play(&mut self, fuse: u32, fate: Fate, finish: bool) {
        let (victim, place) = (self.victim, self.place.clone());
        let seat = SeatSet::one(self.sim.peers[victim].seat);
        let known = self.sim.table(victim).known();
        let deals = self.sim.table(victim).replica().deals();
        if fuse > 0 {
            self.sim.kill_after(victim, fuse);
            self.sim.run(100, |sim| sim.peers[victim].table.is_none());
        }
        self.sim.kill(victim);
        let open = self.sim.reached();
        // Those who stay give the seat up, or have no need to: the game is over, or will be without it.
        let without =
            |sim: &Sim<G>| sim.all_over() || sim.living().all(|t| t.replica().gone() == seat);
        match fate {
            Fate::ForGood => {}
            Fate::FromDisk | Fate::FromIdentity => {
                self.sim.run(300, |_| false);
                self.sim.restart(victim, fate == Fate::FromDisk);
            }
            Fate::Late => {
                self.run(self.grace + 3_000, "never given up", without);
                self.sim.run(100, |_| false);
                self.sim.restart(victim, true);
            }
        }
        match fate {
            Fate::ForGood => self.run(self.grace + 3_000, "never given up", without),
            Fate::FromDisk | Fate::FromIdentity | Fate::Late => {
                let back = |sim: &Sim<G>| {
                    sim.all_over() || sim.living().all(|table| table.replica().gone().is_empty())
                };
                self.run(self.grace, "never back", back);
            }
        }
        // And they go on: some more steps, all of them together.
        let further = open + 3;
        let on = |sim: &Sim<G>| {
            sim.all_over() || sim.living().all(|table| table.replica().number() > further)
        };
        self.run(self.grace, "they do not go on", on);
        self.sim.check_agreement();
        if let Some(table) = &self.sim.peers[victim].table
            && table.replica().deals() == deals
        {
            let now = table.known();
            let mut faces = known.faces();
            let same = faces.all(|(slot, face)| now.face(slot) == Some(face));
            assert!(same, "{place}: other cards after a restart");
        }
        for table in self.sim.living() {
            assert!(table.faults().is_empty(), "{place}: {:?}", table.faults());
        }
        if finish {
            self.run(4_000_000, "never over", Sim::all_over);
            self.sim.check_end();
        }
    }

    fn note(&self, met: &mut Met) {
        for table in self.sim.living() {
            let mut log = table.log().iter();
            met.excused |= log.any(|settled| !settled.excuses.is_empty());
            met.absence |= table.log().windows(2).any(|pair| {
                pair[0].excuses.is_empty() && pair[1].step.kind == shamans_core::log::Kind::Absence
            });
            met.excused |= table.replica().waits() == Waits::Absence;
        }
    }
}
