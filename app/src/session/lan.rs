//! People on the network, as the main thread sees them: [`Wish`]es go in, [`News`] come out. Neither sockets nor keys here.

mod network;

use std::{net::IpAddr, path::PathBuf};

use super::{snapshot::Update, worker::Command};

/// What the player wants of the network.
#[derive(Debug, Clone)]
pub enum Wish {
    /// Open a table.
    Open {
        /// Its name.
        name: String,
        /// Seats in all.
        seats: u8,
        /// How many of them are phantoms'.
        phantoms: u8,
    },
    /// Sit down at a listed table.
    Join(u64),
    /// Sit down by code or address.
    JoinText(String),
    /// Go on with a game that was interrupted.
    Resume(String),
    /// Agree to what is proposed.
    Ready,
    /// Say something.
    Say(String),
    /// Get up.
    Leave,
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
}

/// The table before play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomSeen {
    /// Its name.
    pub name: String,
    /// Who sits there.
    pub members: Vec<String>,
    /// Places for people.
    pub seats: usize,
    /// Phantoms beside them.
    pub phantoms: usize,
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
}

/// What comes from the network.
#[derive(Debug)]
pub enum News {
    /// The code by which others find this player.
    Code(String),
    /// Who is around.
    Nearby {
        /// Tables.
        tables: Vec<TableRow>,
        /// People who sit nowhere.
        people: Vec<String>,
    },
    /// Games that were interrupted, by their names in the store.
    Unfinished(Vec<String>),
    /// Something does not work, in a sentence.
    Trouble(String),
    /// The table before play.
    Room(RoomSeen),
    /// No seat there; why.
    NoSeat(String),
    /// Everyone is there.
    Proposed,
    /// How many are ready.
    Ready(usize),
    /// The game begins.
    Begun(Begun),
    /// Somebody says something.
    Said {
        /// Who.
        name: String,
        /// What.
        text: String,
    },
    /// A sentence about somebody at the table: away, back, caught.
    Notice(String),
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
    /// Where key, games and records are kept; none for the usual folder.
    pub folder: Option<PathBuf>,
}

/// Starts listening.
pub fn start(name: String, place: Place) -> Lan {
    let (wishes, wanted) = async_channel::unbounded();
    let (tell, news) = async_channel::unbounded();
    network::start(name, place, wanted, tell);
    Lan { wishes, news }
}
