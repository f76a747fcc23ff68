//! The time before a game: someone has opened a table, others come and go. Pure; driven by the session.
//!
//! Whoever opened the table keeps the list of who sits there and tells it to all; it gives no power over the game, which
//! begins only when everyone has agreed to the same proposal.

use serde::{Deserialize, Serialize};
use shamans_core::log::{PlayerKey, TableId};
use shamans_core::table::{Holder, Options, PROTOCOL, Proposal};

use super::presence::{TableAdvert, TableState};
use crate::identity::{PublicId, clean_name};

/// How many addresses are told of one peer.
const ADDRESSES: usize = 12;

/// Why one cannot sit down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Refused {
    /// No free seat.
    #[error("{}", crate::words::tr("all seats are taken"))]
    Full,
    /// The game has begun.
    #[error("{}", crate::words::tr("a game is going on; one can only watch"))]
    Playing,
    /// This peer sits at no table.
    #[error("{}", crate::words::tr("there is no table any more"))]
    NoTable,
    /// Somebody there has this name already.
    #[error(
        "{}",
        crate::words::tr("somebody of that name sits there already; choose another name")
    )]
    NameTaken,
    /// The opener knows another key under this name.
    #[error(
        "{}",
        crate::words::tr("the one who opened the table knows somebody else by your name")
    )]
    OtherKey,
    /// Watching is not possible (yet, or not any more).
    #[error("{}", crate::words::tr("there is nothing to watch"))]
    NothingToWatch,
}

/// One who sits there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its key.
    pub id: PublicId,
    /// Its name.
    pub name: String,
    /// Where it can be reached.
    pub addresses: Vec<String>,
    /// It is a bot, and this person runs it.
    pub operator: Option<String>,
}

/// How things stand, as the opener tells everyone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomState {
    /// Tells tables apart.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// By invitation only?
    pub private: bool,
    /// Who opened it.
    pub opener: PublicId,
    /// The game and its rules version.
    pub game: String,
    /// The game's set-up, encoded.
    pub setup: Vec<u8>,
    /// The table's options.
    pub options: Options,
    /// For each seat: is it a phantom's?
    pub phantoms: Vec<bool>,
    /// Seconds to think about a move, 0 for as long as one likes.
    pub think_s: u16,
    /// Counts the changes; each is a new attempt at sitting down.
    pub attempt: u32,
    /// The table this one is a rematch of.
    pub previous: Option<TableId>,
    /// Who sits there, in the order of coming.
    pub members: Vec<Member>,
}

impl Member {
    /// As the table knows it.
    fn holder(&self) -> Holder {
        let (key, name) = (PlayerKey(self.id.0), self.name.clone());
        match &self.operator {
            Some(operator) => Holder::Bot {
                key,
                name,
                operator: operator.clone(),
            },
            None => Holder::Person { key, name },
        }
    }
}

impl RoomState {
    /// Seats for people.
    pub fn seats(&self) -> usize {
        self.phantoms.iter().filter(|phantom| !**phantom).count()
    }

    /// Is every one of them taken?
    pub fn is_full(&self) -> bool {
        self.members.len() >= self.seats()
    }

    /// Who runs `id`, as everyone is told; `None` for a person.
    pub fn operator(&self, id: &PublicId) -> Option<&str> {
        let member = self.members.iter().find(|member| member.id == *id)?;
        member.operator.as_deref()
    }

    /// Does `id` sit there?
    pub fn has(&self, id: &PublicId) -> bool {
        self.members.iter().any(|member| member.id == *id)
    }

    /// Sits somebody down, or says why not. Coming again is no harm.
    pub fn admit(
        &mut self,
        id: PublicId,
        name: &str,
        mut addresses: Vec<String>,
        operator: Option<String>,
    ) -> Result<(), Refused> {
        addresses.truncate(ADDRESSES);
        if let Some(member) = self.members.iter_mut().find(|member| member.id == id) {
            member.addresses = addresses;
            return Ok(());
        }
        if self.is_full() {
            return Err(Refused::Full);
        }
        if self
            .members
            .iter()
            .any(|member| member.name.to_lowercase() == name.to_lowercase())
        {
            return Err(Refused::NameTaken);
        }
        self.members.push(Member {
            id,
            name: name.to_owned(),
            addresses,
            operator,
        });
        Ok(())
    }

    /// Somebody gets up. True if they sat there.
    pub fn remove(&mut self, id: &PublicId) -> bool {
        let before = self.members.len();
        self.members.retain(|member| member.id != *id);
        before != self.members.len()
    }

    /// What everyone is to agree to.
    pub fn proposal(&self) -> Proposal {
        let mut people = self.members.iter();
        let mut holders = Vec::new();
        for phantom in &self.phantoms {
            let person = if *phantom { None } else { people.next() };
            holders.push(match person {
                Some(member) => member.holder(),
                None => Holder::Phantom,
            });
        }
        Proposal {
            protocol: PROTOCOL,
            game: self.game.clone(),
            setup: self.setup.clone(),
            options: self.options,
            holders,
            previous: self.previous,
        }
    }

    /// A state that a peer told: are its words and numbers plausible?
    pub fn is_sound(&self) -> bool {
        let plain = |text: &str| clean_name(text).is_ok_and(|clean| clean == text);
        plain(&self.name)
            && (1..=5).contains(&self.phantoms.len())
            && self.members.len() <= self.seats()
            && self.has(&self.opener)
            && self
                .members
                .iter()
                .all(|member| plain(&member.name) && member.addresses.len() <= ADDRESSES)
            && self
                .members
                .iter()
                .all(|member| member.operator.as_deref().is_none_or(plain))
    }

    /// As it is announced.
    pub fn advert(&self, playing: bool) -> TableAdvert {
        let state = match (playing, self.private) {
            (true, _) => TableState::Playing,
            (false, true) => TableState::Private,
            (false, false) => TableState::Open,
        };
        TableAdvert {
            id: self.id,
            name: self.name.clone(),
            who: self
                .members
                .iter()
                .map(|member| member.name.clone())
                .collect(),
            seats: u8::try_from(self.seats()).unwrap_or(u8::MAX),
            state,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Identity;

    fn id(seed: u8) -> PublicId {
        Identity::from_seed(&[seed; 32]).public()
    }

    fn room() -> RoomState {
        let mut room = RoomState {
            id: 1,
            name: "Night".to_owned(),
            private: false,
            opener: id(1),
            game: "test".to_owned(),
            setup: vec![1],
            options: Options::default(),
            phantoms: vec![false, true, false],
            think_s: 0,
            attempt: 0,
            previous: None,
            members: Vec::new(),
        };
        room.admit(id(1), "Eva", Vec::new(), None)
            .expect("the first");
        room
    }

    #[test]
    fn people_come_until_it_is_full() {
        let mut room = room();
        assert_eq!(
            room.admit(id(2), "eva", Vec::new(), None),
            Err(Refused::NameTaken)
        );
        assert_eq!(room.admit(id(2), "Jan", Vec::new(), None), Ok(()));
        assert_eq!(
            room.admit(id(2), "Jan", vec!["/ip4/10.0.0.1/tcp/1".to_owned()], None),
            Ok(())
        );
        assert_eq!(room.members.len(), 2);
        assert_eq!(
            room.admit(id(3), "Ida", Vec::new(), None),
            Err(Refused::Full)
        );
        assert!(room.is_full() && room.is_sound());
        assert!(room.remove(&id(2)) && !room.remove(&id(2)));
    }

    #[test]
    fn a_proposal_seats_people_around_the_phantoms() {
        let mut room = room();
        room.admit(id(2), "Jan", Vec::new(), None)
            .expect("there is a seat");
        let proposal = room.proposal();
        let names: Vec<Option<String>> = proposal
            .holders
            .iter()
            .map(|holder| holder.name().map(str::to_owned))
            .collect();
        assert_eq!(
            names,
            [Some("Eva".to_owned()), None, Some("Jan".to_owned())]
        );
    }

    #[test]
    fn a_bot_is_proposed_as_one_with_whoever_runs_it() {
        let mut room = room();
        let operator = Some("Eva".to_owned());
        room.admit(id(2), "Robot", Vec::new(), operator)
            .expect("there is a seat");
        assert_eq!(room.operator(&id(2)), Some("Eva"));
        assert_eq!(room.operator(&id(1)), None);
        let proposal = room.proposal();
        let operators: Vec<_> = proposal.holders.iter().map(Holder::operator).collect();
        assert_eq!(operators, [None, None, Some("Eva")]);
        assert!(room.is_sound());
        if let Some(bot) = room.members.last_mut() {
            bot.operator = Some("E\u{202e}va".to_owned());
        }
        assert!(!room.is_sound(), "an operator's name is as plain as any");
    }
}
