//! Sitting down together, as the driver does it: words to and from all who gather, and the game that begins when all have signed.

use shamans_core::game::Game;
use shamans_core::log::PlayerKey;
use shamans_core::table::{Seating, SeatingOutput, SignedGenesis, Table};

use super::SessionEvent;
use super::driver::{Driver, Phase};
use super::gathering::SEATING_MS;
use super::packet::{Packet, Word};
use super::relay::speak;
use crate::identity::PublicId;

/// Words of sitting down that come so much later than the beginning of the game are no echo of our own.
const LEFT_BEHIND_MS: u64 = 1_000;

impl<G: Game> Driver<G> {
    /// Begins to sit down, if everyone is there.
    pub(super) fn sit_down(&mut self) {
        let identity = self.table_identity();
        let now = self.now();
        let auto = self.config.auto_ready;
        let mut lot = self.config.lot.unwrap_or_default();
        if self.config.lot.is_none() && getrandom::fill(&mut lot).is_err() {
            self.emit(SessionEvent::Trouble(
                crate::identity::NoRandomness.to_string(),
            ));
            return;
        }
        let Phase::Gathering(gathering) = &mut self.phase else {
            return;
        };
        if !gathering.room.is_full() {
            return;
        }
        match Seating::new::<G>(gathering.room.proposal(), identity, lot, now) {
            Ok(mut seating) => {
                gathering.ready |= auto;
                let asked = !gathering.ready;
                if gathering.ready {
                    seating.be_ready();
                }
                gathering.seating = Some(seating);
                gathering.seating_until = now + SEATING_MS;
                if asked || auto {
                    self.emit(SessionEvent::Proposed);
                }
            }
            Err(error) => self.emit(SessionEvent::Trouble(error.to_string())),
        }
    }

    /// A message of sitting down.
    pub(super) fn on_seating(&mut self, peer: PublicId, attempt: u32, bytes: &[u8]) {
        self.fetch_left_behind(peer);
        let seating = match &mut self.phase {
            Phase::Gathering(gathering) if gathering.room.attempt == attempt => {
                gathering.seating.as_mut()
            }
            Phase::Gathering(gathering) if gathering.room.attempt < attempt => {
                gathering.keep_early_words(peer, attempt, bytes);
                None
            }
            Phase::Playing(playing) if playing.attempt() == Some(attempt) => {
                playing.seating.as_mut()
            }
            Phase::Lobby | Phase::Gathering(_) | Phase::Playing(_) => None,
        };
        if let Some(seating) = seating
            && let Err(error) = seating.receive(&PlayerKey(peer.0), bytes)
        {
            tracing::debug!(%peer, %error, "while sitting down");
        }
    }

    pub(super) fn carry_out_seating(&mut self) {
        let local = self.node.local();
        loop {
            let Phase::Gathering(gathering) = &mut self.phase else {
                return;
            };
            let Some(output) = gathering.seating.as_mut().and_then(Seating::poll) else {
                return;
            };
            match output {
                SeatingOutput::Send(bytes) => {
                    let attempt = gathering.room.attempt;
                    let members = gathering.room.members.iter().map(|member| member.id);
                    let others: Vec<PublicId> = members.filter(|id| *id != local).collect();
                    speak(
                        &self.node,
                        &others,
                        &others,
                        Word::Seating { attempt, bytes },
                    );
                }
                SeatingOutput::Ready(key) => self.emit(SessionEvent::Ready(PublicId(key.0))),
                SeatingOutput::Drawn(genesis) => {
                    let phrase = genesis.phrase();
                    gathering.drawn = Some(genesis);
                    self.emit(SessionEvent::Phrase(phrase));
                }
                SeatingOutput::Seated(genesis) => return self.seated(genesis),
            }
        }
    }

    /// All have signed what was drawn: the game begins.
    pub(super) fn seated(&mut self, genesis: SignedGenesis) {
        let Phase::Gathering(gathering) = &mut self.phase else {
            return;
        };
        let seating = gathering.seating.take();
        let room = gathering.room.clone();
        let early = std::mem::take(&mut gathering.early);
        let table = Table::new(genesis, Some(self.table_identity()), self.now());
        self.begin(table, seating, Some(room));
        for (peer, table, bytes) in early {
            self.on_word(peer, Word::Table { table, bytes });
        }
        // What comes of it is carried out at once.
        self.carry_out();
    }

    /// Somebody who plays here still sits down: whoever had the last signature has died before it reached all. The genesis brings it.
    pub(super) fn fetch_left_behind(&mut self, peer: PublicId) {
        let now = self.now();
        if let Phase::Playing(playing) = &self.phase
            && playing.seat_of(&peer).is_some()
            && !playing.is_over()
            && now.saturating_sub(playing.began) > LEFT_BEHIND_MS
        {
            let genesis = Packet::Genesis(playing.table.genesis().clone());
            self.send(peer, &genesis);
        }
    }
}
