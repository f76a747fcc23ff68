//! What must hold in every simulation, and what to print when it does not.

use shamans_core::game::Game;
use shamans_core::log::{Digest, Settled};
use shamans_core::record::{Finding, Record, verify};
use shamans_core::table::Table;

use super::Sim;

/// The first step that two records have in different forms, both ways: its number, kind, signers, and the excuses' votes.
fn first_difference(a: &Record, b: &Record) -> Option<[String; 2]> {
    let tell = |settled: &Settled| {
        let votes = settled.excuses.iter().map(|vote| &vote.entry);
        let votes: Vec<_> = votes
            .map(|vote| (vote.step, vote.lane, vote.seat))
            .collect();
        let step = &settled.step;
        let signers = settled.signers();
        format!("{} {:?} by {signers:?}, {votes:?}", step.number, step.kind)
    };
    let mut pairs = a.steps.iter().zip(&b.steps);
    let (a, b) = pairs.find(|(a, b)| a != b)?;
    Some([tell(a), tell(b)])
}

impl<G: Game> Sim<G> {
    /// The tables of those who are alive.
    pub fn living(&self) -> impl Iterator<Item = &Table<G>> {
        self.peers.iter().filter_map(|peer| peer.table.as_ref())
    }

    /// How far the first of the living is: the number of its open step.
    pub fn reached(&self) -> u64 {
        let numbers = self.living().map(|table| table.replica().number());
        numbers.max().unwrap_or(0)
    }

    /// Are all living peers at the end?
    pub fn all_over(&self) -> bool {
        self.living().all(|table| table.replica().is_over())
    }

    /// A peer holds a step as settled: from now on nobody may ever hold another in its place, whoever dies.
    pub(super) fn note_settled(&mut self, step: u64, digest: Option<Digest>) {
        let digest = digest.expect("a settled step has a digest");
        let known = *self.history.entry(step).or_insert(digest);
        assert!(known == digest, "step {step} was settled in two ways");
    }

    /// All histories agree as far as they go, with each other and with whatever was once settled. Fails with the reason otherwise.
    pub fn check_agreement(&self) {
        for table in self.living() {
            let replica = table.replica();
            for (step, digest) in self.history.range(..replica.number()) {
                assert_eq!(
                    replica.digest_of(*step).as_ref(),
                    Some(digest),
                    "seat {:?} has another step {step}",
                    table.me()
                );
            }
        }
        let tables: Vec<&Table<G>> = self.living().collect();
        for pair in tables.windows(2) {
            let (a, b) = (pair[0].replica(), pair[1].replica());
            if a.number() == b.number() {
                assert!(a.game() == b.game(), "games differ at {}", a.number());
            }
        }
    }

    /// The game is over for all who live: they agree, nothing that was ever settled is lost, all write the same record, it verifies,
    /// and nobody is accused. Returns the record.
    pub fn check_end(&self) -> Record {
        assert!(self.all_over(), "not over: {}", self.describe());
        self.check_agreement();
        let (last, _) = self.history.last_key_value().expect("something settled");
        let mut first: Option<(Record, Vec<u8>)> = None;
        for table in self.living() {
            assert!(table.faults().is_empty(), "{:?}", table.faults());
            assert_eq!(table.log().len() as u64, *last, "something is lost");
            let record = Record::new(&self.genesis, table.log());
            let bytes = record.write();
            match &first {
                None => first = Some((record, bytes)),
                Some((first, same)) => assert!(
                    bytes == *same,
                    "seat {:?} differs: {:#?}",
                    table.me(),
                    first_difference(first, &record)
                ),
            }
        }
        let (record, bytes) = first.expect("somebody lives");
        assert_eq!(Record::read(&bytes).as_ref(), Ok(&record));
        assert_eq!(verify::<G>(&record).finding, Finding::Fair);
        record
    }

    /// Where everyone is, for a failing test.
    pub fn describe(&self) -> String {
        let mut text = format!("at {} ms\n", self.now);
        for peer in &self.peers {
            match &peer.table {
                Some(table) => {
                    let replica = table.replica();
                    text += &format!(
                        "  seat {}: step {} {:?}, signers {:?}, gone {:?}, missing {:?}, faults {:?}\n    {}\n",
                        peer.seat.0,
                        replica.number(),
                        replica.waits(),
                        replica.signers(),
                        replica.gone(),
                        table.missing(),
                        table.faults(),
                        table.describe_open(),
                    );
                    for notice in peer.notices.iter().rev().take(6) {
                        text += &format!("    {notice:.300?}\n")
                            .chars()
                            .take(300)
                            .collect::<String>();
                    }
                }
                None => text += &format!("  seat {} is dead\n", peer.seat.0),
            }
        }
        text
    }
}
