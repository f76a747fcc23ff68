//! Words before the game, and other options for it: what people settle while they sit and wait.

use shamans_core::codec;
use shamans_core::game::Game;
use shamans_core::table::{Line, Options};

use super::SessionEvent;
use super::driver::{Driver, Phase};
use super::packet::Packet;
use crate::identity::PublicId;

/// The longest line, in bytes.
const LINE_BYTES: usize = 500;
/// So many lines may one say in so much time; more are not heard.
const LINES: usize = 10;
const LINES_MS: u64 = 10_000;

/// Who has said something lately, and when.
#[derive(Default)]
pub(super) struct Talk(Vec<(PublicId, u64)>);

impl Talk {
    fn may_speak(&mut self, who: PublicId, now: u64) -> bool {
        self.0
            .retain(|(_, when)| now.saturating_sub(*when) < LINES_MS);
        let said = self.0.iter().filter(|(by, _)| *by == who).count();
        if said < LINES {
            self.0.push((who, now));
        }
        said < LINES
    }
}

fn fits(line: &Line) -> bool {
    match line {
        Line::Words(words) => {
            !words.is_empty() && words.len() <= LINE_BYTES && !words.chars().any(char::is_control)
        }
        Line::Phrase(_) => true,
    }
}

impl<G: Game> Driver<G> {
    /// Says a line to everyone at the table that has not begun. False if there is none.
    pub(super) fn say(&mut self, line: &Line) -> bool {
        let local = self.node.local();
        let Phase::Gathering(gathering) = &self.phase else {
            return false;
        };
        if fits(line) {
            let packet = Packet::Said(line.clone());
            for member in gathering.room.members.iter().filter(|m| m.id != local) {
                self.send(member.id, &packet);
            }
        }
        true
    }

    pub(super) fn on_said(&mut self, peer: PublicId, line: Line) {
        let now = self.now();
        let Phase::Gathering(gathering) = &mut self.phase else {
            return;
        };
        let member = gathering.room.members.iter().find(|m| m.id == peer);
        if let Some(name) = member.map(|m| m.name.clone())
            && fits(&line)
            && gathering.talk.may_speak(peer, now)
        {
            self.emit(SessionEvent::Said { name, line });
        }
    }

    /// The opener wants the table to be another. Nobody who sits there loses their seat.
    pub(super) fn change(
        &mut self,
        setup: &G::Setup,
        phantoms: Vec<bool>,
        options: Options,
        private: bool,
        think_s: u16,
    ) {
        let local = self.node.local();
        let Phase::Gathering(gathering) = &mut self.phase else {
            return;
        };
        let mut room = gathering.room.clone();
        room.setup = codec::encode(setup);
        room.phantoms = phantoms;
        room.options = options;
        room.private = private;
        room.think_s = think_s;
        if room.opener != local || room == gathering.room {
            return;
        }
        if room.is_sound() {
            gathering.room = room;
            gathering.not_ready();
            self.tell_room();
        } else {
            let why = crate::words::tr("more people sit there than the table would have seats");
            self.emit(SessionEvent::Refused(why));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Identity;

    #[test]
    fn whoever_talks_without_end_is_not_heard_for_a_while() {
        let (loud, quiet) = (
            Identity::from_seed(&[1; 32]).public(),
            Identity::from_seed(&[2; 32]).public(),
        );
        let mut talk = Talk::default();
        let heard = (0..50).filter(|_| talk.may_speak(loud, 0)).count();
        assert_eq!(heard, LINES);
        assert!(talk.may_speak(quiet, 1));
        assert!(talk.may_speak(loud, LINES_MS + 1));
    }

    #[test]
    fn lines_are_short_and_plain() {
        assert!(fits(&Line::Words("Shall we?".to_owned())));
        assert!(!fits(&Line::Words(String::new())));
        assert!(!fits(&Line::Words("a\u{7}".to_owned())));
        assert!(!fits(&Line::Words("a".repeat(LINE_BYTES + 1))));
        assert!(fits(&Line::Phrase(3)));
    }
}
