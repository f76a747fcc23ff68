//! What the network shows, as plain data: tables, the room before play, who is missing, what the doctor found.

use std::time::Instant;

use crate::pieces::{Seat, SeatSet};

/// How much time there is to think. A courtesy: nothing happens to whoever takes longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Timer {
    /// As long as one likes.
    #[default]
    Off,
    /// A minute and a half.
    Relaxed,
    /// Half a minute.
    Fast,
}

impl Timer {
    /// In seconds; 0 for none.
    pub fn seconds(self) -> u16 {
        match self {
            Timer::Off => 0,
            Timer::Relaxed => 90,
            Timer::Fast => 30,
        }
    }

    /// The nearest of them.
    pub fn of_seconds(seconds: u16) -> Timer {
        match seconds {
            0 => Timer::Off,
            1..=60 => Timer::Fast,
            _ => Timer::Relaxed,
        }
    }
}

/// How a table is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableOptions {
    /// Seats in all.
    pub seats: u8,
    /// How many of them are phantoms'.
    pub phantoms: u8,
    /// The places are drawn by lot.
    pub shuffle: bool,
    /// How long a silent player is waited for, in seconds.
    pub grace: u32,
    /// Time to think.
    pub timer: Timer,
    /// Not on others' lists: by code only.
    pub private: bool,
}

impl Default for TableOptions {
    fn default() -> TableOptions {
        TableOptions {
            seats: 3,
            phantoms: 0,
            shuffle: true,
            grace: 60,
            timer: Timer::Off,
            private: false,
        }
    }
}

/// A table nearby.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRow {
    /// Tells tables apart.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Who sits there.
    pub who: Vec<String>,
    /// Places and how many are taken.
    pub seats: (u8, u8),
    /// Why one cannot sit down there.
    pub closed: Option<String>,
    /// A game is going on and can be watched.
    pub watch: bool,
}

/// One who sits at the table before play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberSeen {
    /// The name.
    pub name: String,
    /// Has agreed.
    pub ready: bool,
    /// Is this the player?
    pub me: bool,
    /// Has opened the table.
    pub opener: bool,
    /// How this player and they are linked.
    pub way: Way,
    /// Who runs it, if it is a bot.
    pub operator: Option<String>,
}

/// How two players are linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Way {
    /// Not, or not known.
    #[default]
    None,
    /// One computer to the other.
    Direct,
    /// Through a relay that passes on.
    Relayed,
}

impl Way {
    /// In words; nothing for none.
    pub fn words(self) -> Option<String> {
        match self {
            Way::None => None,
            Way::Direct => Some(crate::words::tr("linked directly")),
            Way::Relayed => Some(crate::words::tr("through a relay")),
        }
    }
}

/// The table before play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomSeen {
    /// Its name.
    pub name: String,
    /// Who sits there.
    pub members: Vec<MemberSeen>,
    /// How it is to be.
    pub options: TableOptions,
    /// All are there: who is ready?
    pub asked: bool,
}

impl RoomSeen {
    /// Did this player open it?
    pub fn mine(&self) -> bool {
        self.members.iter().any(|member| member.me && member.opener)
    }

    /// The bots here with those who run them: whoever plays agrees to that.
    pub fn bots(&self) -> impl Iterator<Item = (&str, &str)> {
        self.members
            .iter()
            .filter_map(|member| Some((member.name.as_str(), member.operator.as_deref()?)))
    }

    /// Seats for people that nobody has.
    pub fn free(&self) -> usize {
        usize::from(self.options.seats.saturating_sub(self.options.phantoms))
            .saturating_sub(self.members.len())
    }
}

/// An interrupted game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interrupted {
    /// Its name in the store.
    pub table: String,
    /// The others.
    pub with: Vec<String>,
}

/// Something said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Talk {
    /// Free words.
    Words(String),
    /// A quick phrase by its number.
    Phrase(u16),
}

/// Who is missing at the table, and what the others say to that.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Absence {
    /// Names by seat.
    pub names: Vec<String>,
    /// Not heard, and when the waiting for them ends.
    pub silent: Vec<(Seat, Instant)>,
    /// The waiting is over for these.
    pub overdue: SeatSet,
    /// They may be replaced by phantoms, or the round made void.
    pub votes: Vec<(Seat, Said)>,
    /// The last votes differed.
    pub failed: bool,
    /// How many people sit here, the player among them.
    pub people: usize,
}

/// What somebody says about going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// A phantom is to play the missing player's cards.
    StandIn,
    /// The round is to be void and dealt anew.
    Void,
    /// Rather wait.
    Wait,
}

/// What the doctor found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Advice {
    /// One can play from here.
    pub can_play: bool,
    /// What is wrong, and the line that mends it.
    pub findings: Vec<(String, Option<String>)>,
    /// Each interface: its name, and how it fares.
    pub interfaces: Vec<(String, String)>,
    /// Who is heard.
    pub heard: Vec<String>,
}
