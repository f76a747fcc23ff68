//! People on the network, as the main thread sees them: [`Wish`]es go in, [`News`] come out. Neither sockets nor keys here.

mod advice;
mod game;
mod network;
mod reach;
pub mod seen;

pub use game::bot;

use std::{net::IpAddr, path::PathBuf};

use self::seen::{Absence, Advice, Interrupted, RoomSeen, TableOptions, TableRow, Talk, Way};
use super::{snapshot::Update, worker::Command};
use crate::pieces::SeatSet;

/// What the player wants of the network.
#[derive(Debug, Clone)]
pub enum Wish {
    /// Be this from now on.
    Be(Who),
    /// Open a table.
    Open {
        /// Its name.
        name: String,
        /// How it is to be.
        options: TableOptions,
    },
    /// Change the table one has opened.
    Change(TableOptions),
    /// Sit down at a listed table.
    Join(u64),
    /// Watch a listed table.
    Watch(u64),
    /// Sit down by code or address.
    JoinText(String),
    /// Go on with a game that was interrupted.
    Resume(String),
    /// Throw an interrupted game away.
    Forget(String),
    /// Agree to what is proposed.
    Ready,
    /// Say something.
    Say(Talk),
    /// Go on without these seats: a phantom plays their cards, or the round is void.
    GoOn {
        /// Without whom.
        gone: SeatSet,
        /// Deal anew?
        void: bool,
    },
    /// Rather wait for whoever is missing.
    KeepWaiting,
    /// Once more, with the same people.
    Rematch,
    /// Whoever uses this name with this new key is the same person.
    Trust {
        /// The name.
        name: String,
        /// The key, as it was told.
        key: [u8; 32],
    },
    /// Find out what stands in the way.
    Examine,
    /// Get up.
    Leave,
}

/// A game has begun.
#[derive(Debug)]
pub struct Begun {
    /// Moves go here.
    pub commands: async_channel::Sender<Command>,
    /// What happens comes from here.
    pub updates: async_channel::Receiver<Update>,
    /// The four words.
    pub phrase: String,
    /// Only to watch.
    pub watching: bool,
    /// Seconds to think about a move; 0 for as long as one likes.
    pub think: u16,
}

/// What comes from the network.
#[derive(Debug)]
pub enum News {
    /// The code by which others find this player.
    Code {
        /// The code.
        code: String,
        /// It leads through a relay, and so from anywhere.
        relay: bool,
    },
    /// How the seats' links stand, by seat.
    Links(Vec<Way>),
    /// Who is around.
    Nearby {
        /// Tables.
        tables: Vec<TableRow>,
        /// People who sit nowhere.
        people: Vec<String>,
    },
    /// Games that were interrupted.
    Interrupted(Vec<Interrupted>),
    /// There is no network, or no place to keep anything; why.
    Offline(String),
    /// Something does not work, in a sentence.
    Trouble(String),
    /// The relay is lost, in a sentence. Its code comes again when it is back.
    RelayLost(String),
    /// The disk refuses and the game stands still here, in a sentence. Said again and again until it is mended.
    Stuck(String),
    /// A known name comes with another key.
    ChangedKey {
        /// The name.
        name: String,
        /// The key it had, shortened.
        before: String,
        /// The key it has now, shortened.
        now: String,
        /// And whole, to say that it is right.
        key: [u8; 32],
    },
    /// What stands in the way, and what mends it.
    Advice(Advice),
    /// On the way to a table.
    Joining,
    /// The table before play.
    Room(RoomSeen),
    /// No seat there; why.
    NoSeat(String),
    /// The game begins.
    Begun(Begun),
    /// Somebody says something.
    Said {
        /// Who.
        name: String,
        /// What.
        talk: Talk,
    },
    /// Who is missing at the table, and what the others say to that.
    Absence(Absence),
    /// Somebody was caught; what is provable.
    Caught {
        /// Who.
        name: String,
        /// What they did.
        what: String,
        /// The proof, as a file that anyone can check.
        proof: String,
    },
    /// A sentence about somebody at the table.
    Notice(String),
    /// The game is over and kept as a record, or not.
    Over(Vec<u8>),
}

/// How one is known and reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Who {
    /// The name others see.
    pub name: String,
    /// The relay to be reached through; empty for none.
    pub relay: String,
    /// Where a router forwards a port to this computer; empty for nowhere.
    pub external: String,
}

/// Both ends of the channels to the network.
#[derive(Debug, Clone)]
pub struct Lan {
    /// What the player wants.
    pub wishes: async_channel::Sender<Wish>,
    /// What happens.
    pub news: async_channel::Receiver<News>,
}

/// How to take part.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// The one address to listen on; none for all.
    pub ip: Option<IpAddr>,
    /// Announce nothing.
    pub quiet: bool,
    /// The relay to be reached through, instead of the preferences'.
    pub relay: Option<String>,
    /// Where a port is forwarded from, instead of the preferences'.
    pub external: Option<String>,
    /// Where key, games and records are kept; none for the usual folder.
    pub folder: Option<PathBuf>,
}

/// Starts listening.
pub fn start(who: Who, place: Place) -> Lan {
    let (wishes, wanted) = async_channel::unbounded();
    let (tell, news) = async_channel::unbounded();
    network::start(who, place, wanted, tell);
    Lan { wishes, news }
}
