//! Before the game, as the driver does it: asking and being asked for a seat, telling who is there, sitting down together.
//!
//! Every change of who sits there is a new attempt at sitting down, with a number that all its messages carry: what belongs to
//! an older one is not listened to.

use shamans_core::codec;
use shamans_core::game::Game;
use shamans_core::log::TableId;
use shamans_core::table::{Genesis, Seating};

use super::SessionEvent;
use super::driver::{Driver, Phase};
use super::leaving::Departure;
use super::packet::Packet;
use super::room::{Refused, RoomState};
use super::talk::Talk;
use crate::identity::{PublicId, clean_name};

/// How long a seat is kept for somebody whose link is gone.
const SEAT_KEPT_MS: u64 = 10_000;
/// After how long it is looked whether all are still there who are to agree.
pub(super) const SEATING_MS: u64 = 20_000;

/// How many messages are kept before the table stands here, and how large.
const EARLY: usize = 32;
const EARLY_BYTES: usize = 256 * 1024;
const EARLY_WORDS_BYTES: usize = 1024;

pub(super) struct Gathering {
    pub(super) room: RoomState,
    pub(super) seating: Option<Seating>,
    /// What was last drawn here: others may have all signatures under it.
    pub(super) drawn: Option<Genesis>,
    pub(super) seating_until: u64,
    /// Has this player agreed? Holds as long as the proposal stays the same.
    pub(super) ready: bool,
    pub(super) talk: Talk,
    /// Members whose link is gone, and since when.
    lost: Vec<(PublicId, u64)>,
    /// Messages of a table that others have already and we not yet.
    pub(super) early: Vec<(PublicId, TableId, Vec<u8>)>,
    /// Words of an attempt that the opener has told others of and us not yet.
    early_words: Vec<(PublicId, u32, Vec<u8>)>,
}

impl Gathering {
    pub(super) fn new(room: RoomState, ready: bool) -> Box<Gathering> {
        Box::new(Gathering {
            room,
            seating: None,
            drawn: None,
            seating_until: u64::MAX,
            ready,
            talk: Talk::default(),
            lost: Vec::new(),
            early: Vec::new(),
            early_words: Vec::new(),
        })
    }

    pub(super) fn next_due(&self) -> u64 {
        let seating = self
            .seating
            .as_ref()
            .map_or(u64::MAX, Seating::poll_timeout);
        let lost = self
            .lost
            .iter()
            .map(|(_, since)| since + SEAT_KEPT_MS)
            .min();
        seating
            .min(self.seating_until)
            .min(lost.unwrap_or(u64::MAX))
    }

    pub(super) fn lose(&mut self, peer: PublicId, now: u64) {
        if self.room.has(&peer) {
            self.lost.push((peer, now));
        }
    }

    /// Keeps a few messages of members until the table stands here too; what is too much comes again.
    pub(super) fn keep_early(&mut self, peer: PublicId, table: TableId, bytes: &[u8]) {
        if self.room.has(&peer) && self.early.len() < EARLY && bytes.len() < EARLY_BYTES {
            self.early.push((peer, table, bytes.to_vec()));
        }
    }

    /// What was agreed to is not what is proposed now.
    pub(super) fn not_ready(&mut self) {
        self.ready = false;
    }

    pub(super) fn keep_early_words(&mut self, peer: PublicId, attempt: u32, bytes: &[u8]) {
        self.early_words
            .retain(|(_, of, _)| *of > self.room.attempt);
        // Perhaps from somebody who has only just sat down. What is too much comes again.
        if self.early_words.len() < EARLY && bytes.len() < EARLY_WORDS_BYTES {
            self.early_words.push((peer, attempt, bytes.to_vec()));
        }
    }

    pub(super) fn be_ready(&mut self) {
        self.ready = true;
        if let Some(seating) = &mut self.seating {
            seating.be_ready();
        }
    }
}

impl<G: Game> Driver<G> {
    pub(super) fn on_ask(
        &mut self,
        peer: PublicId,
        table: Option<u64>,
        watch: bool,
        addresses: Vec<String>,
        operator: Option<String>,
    ) {
        let name = self.names.get(&peer).cloned().unwrap_or_default();
        let local = self.node.local();
        let answer = match &mut self.phase {
            Phase::Lobby => Packet::Refused(Refused::NoTable),
            Phase::Gathering(gathering)
                if table.is_some_and(|table| table != gathering.room.id) =>
            {
                Packet::Refused(Refused::NoTable)
            }
            Phase::Gathering(_) if watch => Packet::Refused(Refused::NothingToWatch),
            Phase::Gathering(gathering) if gathering.room.opener != local => {
                let opener = gathering.room.opener;
                let known = gathering
                    .room
                    .members
                    .iter()
                    .find(|member| member.id == opener);
                Packet::AskThere {
                    opener,
                    addresses: known
                        .map(|member| member.addresses.clone())
                        .unwrap_or_default(),
                }
            }
            // Asked twice, since the answer took its time.
            Phase::Gathering(gathering) if gathering.room.has(&peer) => {
                Packet::Room(gathering.room.clone())
            }
            Phase::Gathering(gathering) => {
                // A name that cannot be shown is not a name; a bot stays a bot.
                let operator =
                    operator.map(|name| clean_name(&name).unwrap_or_else(|_| "?".into()));
                match gathering.room.admit(peer, &name, addresses, operator) {
                    Ok(()) => {
                        self.tell_room();
                        return;
                    }
                    Err(refused) => Packet::Refused(refused),
                }
            }
            Phase::Playing(playing) if playing.is_over() => Packet::Refused(Refused::NoTable),
            // One of us, come back with nothing but the key; or somebody who may watch.
            Phase::Playing(playing) if playing.seat_of(&peer).is_some() => {
                Packet::Genesis(playing.table.genesis().clone())
            }
            Phase::Playing(playing) if watch => {
                if playing.watched_by(peer) {
                    Packet::Genesis(playing.table.genesis().clone())
                } else {
                    Packet::Refused(Refused::Full)
                }
            }
            Phase::Playing(_) => Packet::Refused(Refused::Playing),
        };
        self.send(peer, &answer);
    }

    /// The opener tells everyone how things stand after a change, and sits down when all are there.
    pub(super) fn tell_room(&mut self) {
        let local = self.node.local();
        let own = self.own_addresses();
        let Phase::Gathering(gathering) = &mut self.phase else {
            return;
        };
        gathering.room.attempt += 1;
        gathering.seating = None;
        if let Some(me) = gathering
            .room
            .members
            .iter_mut()
            .find(|member| member.id == local)
        {
            me.addresses = own;
        }
        let room = gathering.room.clone();
        self.want_members(&room);
        for member in room.members.iter().filter(|member| member.id != local) {
            self.send(member.id, &Packet::Room(room.clone()));
        }
        self.announce();
        self.emit(SessionEvent::Room(room));
        self.sit_down();
    }

    fn want_members(&mut self, room: &RoomState) {
        let local = self.node.local();
        for member in room.members.iter().filter(|member| member.id != local) {
            self.remember(member.id);
            let addresses = member
                .addresses
                .iter()
                .filter_map(|text| text.parse().ok())
                .collect();
            self.node.want(member.id, addresses);
        }
    }

    /// The opener told how things stand.
    pub(super) fn on_room(&mut self, peer: PublicId, room: RoomState) {
        if room.opener != peer || !room.is_sound() {
            return;
        }
        self.fetch_left_behind(peer);
        let ready = match &self.phase {
            Phase::Lobby if self.has_asked(&peer) => false,
            Phase::Gathering(gathering)
                if gathering.room.id == room.id && gathering.room.opener == peer =>
            {
                if gathering.room.attempt >= room.attempt {
                    return;
                }
                gathering.ready && gathering.room.proposal() == room.proposal()
            }
            Phase::Lobby | Phase::Gathering(_) | Phase::Playing(_) => return,
        };
        if !room.has(&self.node.local()) {
            self.leave_room(crate::words::tr("the seat was given away"));
            return;
        }
        // Nobody is told that a person sits where a bot does, nor of another who runs it.
        if room.operator(&self.node.local()) != self.config.operator.as_deref() {
            self.send(peer, &Packet::GetUp);
            self.joining = None;
            self.leave_room(crate::words::tr(
                "the others are told something else about who runs this player",
            ));
            return;
        }
        let setup: Result<(), String> = match codec::decode::<G::Setup>(&room.setup) {
            Ok(setup) if room.game == G::NAME => (self.config.accepts)(&setup),
            Ok(_) | Err(_) => Err(crate::words::tr(
                "another game, or another version of it, is played there",
            )),
        };
        if let Err(why) = setup {
            self.send(peer, &Packet::GetUp);
            self.joining = None;
            self.leave_room(why);
            return;
        }
        self.joining = None;
        self.want_members(&room);
        self.emit(SessionEvent::Room(room.clone()));
        let mut gathering = Gathering::new(room, ready);
        let mut early = Vec::new();
        if let Phase::Gathering(before) = &mut self.phase {
            early = std::mem::take(&mut before.early_words);
            gathering.drawn = before.drawn.take();
            gathering.lost = std::mem::take(&mut before.lost);
            gathering.talk = std::mem::take(&mut before.talk);
        }
        self.phase = Phase::Gathering(gathering);
        self.announce();
        self.sit_down();
        for (peer, attempt, bytes) in early {
            self.on_seating(peer, attempt, &bytes);
        }
    }

    pub(super) fn on_gathering_time(&mut self, now: u64) {
        let local = self.node.local();
        let linked = self.node.linked();
        let Phase::Gathering(gathering) = &mut self.phase else {
            return;
        };
        if let Some(seating) = &mut gathering.seating {
            seating.handle_timeout(now);
        }
        if gathering.seating_until <= now {
            gathering.seating_until = now + SEATING_MS;
            let here = |id: &PublicId| *id == local || linked.contains(id);
            let all = gathering.room.members.iter().all(|member| here(&member.id));
            // Whoever is linked only takes their time; whoever is not is gone.
            if !all && gathering.room.opener == local {
                gathering.room.members.retain(|member| here(&member.id));
                self.tell_room();
                return;
            }
        }
        self.remove_lost(now);
    }

    /// Somebody is linked again. They may have lost what was said: the opener begins a new attempt.
    pub(super) fn found_again(&mut self, peer: PublicId) {
        let local = self.node.local();
        if let Phase::Gathering(gathering) = &mut self.phase {
            gathering.lost.retain(|(lost, _)| *lost != peer);
            if !gathering.room.has(&peer) {
                return;
            }
            if gathering.room.opener == local {
                self.tell_room();
            } else if let Some(seating) = &mut gathering.seating {
                seating.connected();
            }
        }
    }

    fn remove_lost(&mut self, now: u64) {
        let local = self.node.local();
        let Phase::Gathering(gathering) = &mut self.phase else {
            return;
        };
        let over = gathering
            .lost
            .iter()
            .filter(|(_, since)| since + SEAT_KEPT_MS <= now);
        let gone: Vec<PublicId> = over.map(|(id, _)| *id).collect();
        if gone.is_empty() {
            return;
        }
        gathering.lost.retain(|(id, _)| !gone.contains(id));
        if gathering.room.opener == local {
            for id in gone {
                self.get_up(id);
            }
        } else if gone.contains(&gathering.room.opener) {
            self.leave_room(crate::words::tr("the one who opened the table is gone"));
        }
    }

    /// Somebody gets up, or is taken to have.
    pub(super) fn get_up(&mut self, peer: PublicId) {
        let local = self.node.local();
        if let Phase::Gathering(gathering) = &mut self.phase
            && gathering.room.opener == local
            && peer != local
            && gathering.room.remove(&peer)
        {
            self.node.unwant(peer);
            self.tell_room();
        }
    }

    pub(super) fn leave_room(&mut self, why: String) {
        if let Phase::Gathering(gathering) = &self.phase {
            for member in &gathering.room.members {
                self.node.unwant(member.id);
            }
        }
        self.phase = Phase::Lobby;
        self.announce();
        self.emit(SessionEvent::NoSeat(why));
    }

    pub(super) fn say_goodbye(&mut self) {
        if let Phase::Gathering(gathering) = &self.phase {
            let local = self.node.local();
            if gathering.room.opener == local {
                for member in &gathering.room.members {
                    self.send(member.id, &Packet::Closed);
                }
            } else {
                self.send(gathering.room.opener, &Packet::GetUp);
            }
        }
    }

    /// Once more with those who want to: the opener gathers anew, the others ask it for a seat.
    pub(super) fn rematch(&mut self) {
        let local = self.node.local();
        let playing = match &self.phase {
            Phase::Playing(playing) => Some(playing),
            // Asked before, and in vain.
            Phase::Lobby => self
                .finished
                .as_ref()
                .filter(|playing| playing.departure == Departure::After),
            Phase::Gathering(_) => None,
        };
        let Some(playing) = playing else {
            self.emit(SessionEvent::Refused(crate::words::tr(
                "there was no game yet",
            )));
            return;
        };
        if !playing.is_over() {
            self.emit(SessionEvent::Refused(crate::words::tr(
                "the game is not over",
            )));
            return;
        }
        let (id, room, others) = (playing.id, playing.room.clone(), playing.others());
        // The finished table still answers those who have not got its end yet.
        if let Phase::Playing(mut playing) = std::mem::replace(&mut self.phase, Phase::Lobby) {
            playing.departure = Departure::After;
            self.set_aside(playing);
        }
        match room {
            Some(mut room) if room.opener == local => {
                room.previous = Some(id);
                room.members.retain(|member| member.id == local);
                self.phase = Phase::Gathering(Gathering::new(room, false));
                self.tell_room();
            }
            Some(room) => {
                self.announce();
                self.ask_again(vec![room.opener], Some(room.id));
            }
            // Who came back with nothing but the key does not know who opened it.
            None => {
                self.announce();
                self.ask_again(others, None);
            }
        }
    }
}
