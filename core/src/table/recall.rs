//! One's own lost words.
//!
//! Who came back with nothing but the identity may learn from the others that it has signed the open step, with entries of its own that
//! reached nobody. Saying anything else would be a contradiction, so it finds out what it had said: contributions follow from identity and
//! history, and of the few moves it could have made one fits the digest that it signed.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::Table;
use super::words::TableWord;
use crate::codec;
use crate::game::{Game, Seat};
use crate::log::{Kind, Lane, Mark, SignedEntry};

const LANES: [Lane; 3] = [Lane::Game, Lane::Deal, Lane::Table];

impl<G: Game> Table<G> {
    /// Says again what I have signed and nobody holds. True if something was found and said.
    pub(super) fn recall(&mut self) -> bool {
        let Some(me) = self.me() else { return false };
        let found = self.open.settles_of(me).find_map(|settle| {
            let mark = &settle.mark;
            let lost: Vec<Lane> = LANES
                .into_iter()
                .filter(|&lane| mark.shape.contains(lane, me) && !self.open.has(lane, me))
                .collect();
            match mark.kind {
                Kind::Play if !lost.is_empty() => self.fitting(mark, me, &lost, Vec::new()),
                Kind::Play | Kind::Absence => None,
            }
        });
        match found {
            Some(words) => {
                words.into_iter().for_each(|signed| self.say(signed));
                true
            }
            None => false,
        }
    }

    /// Entries of mine in these lanes with which the open step has the digest of the mark.
    fn fitting(
        &self,
        mark: &Mark,
        me: Seat,
        lost: &[Lane],
        words: Vec<SignedEntry>,
    ) -> Option<Vec<SignedEntry>> {
        let others = self.open.inside().filter(|signed| {
            let (lane, seat) = (signed.entry.lane, signed.entry.seat);
            mark.shape.contains(lane, seat)
        });
        let Some((&lane, rest)) = lost.split_first() else {
            let entries = others.chain(&words).cloned().collect();
            let step = self.replica.put_together(entries);
            return (step.mark(self.replica.table()) == *mark).then_some(words);
        };
        // Without the others' entries nothing fits.
        let all = mark.shape.game.len() + mark.shape.deal.len() + mark.shape.table.len();
        if others.count() + words.len() + lost.len() < all {
            return None;
        }
        let mut could = self.could_have_said(me, lane).into_iter();
        could.find_map(|signed| {
            let mut words = words.clone();
            words.push(signed);
            self.fitting(mark, me, rest, words)
        })
    }

    /// Everything that I could have said in this lane.
    fn could_have_said(&self, me: Seat, lane: Lane) -> Vec<SignedEntry> {
        let bodies: Vec<Vec<u8>> = match lane {
            Lane::Deal => self.replica.contribution().into_iter().collect(),
            Lane::Game => self
                .game()
                .legal(me, &self.known())
                .iter()
                .filter_map(|action| self.replica.movement(action))
                .collect(),
            Lane::Table => self
                .backs
                .values()
                .map(|(back, _)| TableWord::Readmit(Box::new(back.clone())))
                .chain([TableWord::Leave])
                .map(|word| codec::encode(&word))
                .collect(),
            Lane::Vote(_) => Vec::new(),
        };
        bodies
            .into_iter()
            .filter_map(|body| self.sign_entry(lane, body))
            .collect()
    }
}
