//! Players of one table who cannot reach each other (two networks, one host on both; a firewall between two) speak through a
//! third who can.
//!
//! Whoever passes a word on cannot change it: what counts at a table is signed by its author, and so is what is sat down to. What
//! is not signed (chat, where a peer is) is not taken from a third.

use shamans_core::codec;
use shamans_core::game::Game;
use shamans_core::table::Message;

use super::driver::{Driver, Phase};
use super::packet::{Packet, Word};
use crate::identity::PublicId;
use crate::store::Trust;
use crate::swarm::Node;

/// Says a word to players of the table, to those without a link through another of them.
pub(super) fn speak(node: &Node, to: &[PublicId], others: &[PublicId], word: Word) {
    let packet = Packet::Word(word);
    let bytes = packet.encode();
    for peer in to {
        if node.send(*peer, bytes.clone()).is_ok() {
            continue;
        }
        let Packet::Word(word) = &packet else { return };
        let pass_on = Packet::PassOn {
            to: *peer,
            word: word.clone(),
        };
        let bytes = pass_on.encode();
        // Whoever hears nothing this way either hears it again when linked, or by repetition.
        let mut through = others.iter().filter(|other| *other != peer);
        through.any(|other| node.send(*other, bytes.clone()).is_ok());
    }
}

impl<G: Game> Driver<G> {
    /// A player asks to pass a word on.
    pub(super) fn pass_on(&self, from: PublicId, to: PublicId, word: Word) {
        if self.is_of_our_table(&from) && self.is_of_our_table(&to) {
            self.send(to, &Packet::Passed { from, word });
        }
    }

    /// A word came through a third.
    pub(super) fn passed(&mut self, through: PublicId, from: PublicId, word: Word) {
        let ours = self.is_of_our_table(&through) && self.is_of_our_table(&from);
        if !ours || !self.lets_in(from) {
            return;
        }
        let signed = match &word {
            Word::Seating { .. } => true,
            Word::Table { bytes, .. } => match codec::decode::<Message>(bytes) {
                Ok(
                    Message::Entry(_)
                    | Message::Settle(_)
                    | Message::Steps(_)
                    | Message::Evidence(_),
                ) => true,
                Ok(Message::Status(_) | Message::Chat(_)) | Err(_) => false,
            },
        };
        if signed {
            self.on_word(from, word);
        }
    }

    /// Is this member, who was never linked, one who may come under this name?
    fn lets_in(&mut self, peer: PublicId) -> bool {
        if self.names.contains_key(&peer) {
            return true;
        }
        let Some(name) = self.name_of(&peer) else {
            return false;
        };
        let known = self.store.as_ref().and_then(|store| store.peers().ok());
        match known.map(|known| known.trust(&name, &peer)) {
            Some(Trust::ChangedKey { before }) => {
                self.ask_about_key(name, before, peer);
                false
            }
            Some(Trust::New | Trust::Known | Trust::Renamed { .. }) | None => {
                self.names.insert(peer, name);
                true
            }
        }
    }

    fn name_of(&self, peer: &PublicId) -> Option<String> {
        let room = match &self.phase {
            Phase::Lobby => None,
            Phase::Gathering(gathering) => Some(&gathering.room),
            Phase::Playing(playing) => playing.room.as_ref(),
        };
        let member = room?.members.iter().find(|member| member.id == *peer)?;
        Some(member.name.clone())
    }
}
