//! A player's side of everything: hears who is nearby, opens or joins a table, sits down, and drives [`shamans_core::table::Table`] over the links.
//!
//! [`Session`] is a handle: wishes go in as [`Request`]s, what happens comes out as [`SessionEvent`]s. The work is done by one
//! task (`driver`) that owns network, disk and table; it stores before it sends, as the table demands. Whatever game is
//! played is a parameter. Not here: who decides (a person, a bot), and how anything looks.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use shamans_core::game::{Game, Known, Seat, SeatSet};
use shamans_core::log::TableId;
use shamans_core::table::{Happening, Holder, Line, Notice, Options, Remedy, Waits};
use tokio::sync::mpsc;

use crate::discovery::Row;
use crate::identity::{Identity, PublicId};
use crate::invite::{FIRST_PORT, Invite, PORTS};
use crate::store::Store;
use crate::swarm::{ListenError, Node, NodeConfig, NodeEvent, Target};

mod beginning;
mod driver;
mod gathering;
mod joining;
mod leaving;
mod links;
mod neighbours;
mod playing;
mod relay;
mod round;
mod seating;
mod talk;

pub use crate::wire::{Member, Refused, RoomState};
use crate::wire::{packet, room};

/// How to take part.
pub struct SessionConfig<G: Game> {
    /// The name others see.
    pub name: String,
    /// A bot plays here, and this person runs it: everyone is told so before they agree to play. None for a person.
    pub operator: Option<String>,
    /// The address to listen on; none for all.
    pub ip: Option<IpAddr>,
    /// The port; none for the program's own.
    pub port: Option<u16>,
    /// Where others reach this player from outside, if a router forwards a port: told beside the addresses listened on.
    pub external: Vec<SocketAddr>,
    /// Announce and listen on mDNS?
    pub mdns: bool,
    /// Agree to a proposal without asking; otherwise [`Request::Ready`] is waited for.
    pub auto_ready: bool,
    /// Go on without a player as soon as the grace time is over, without asking.
    pub auto_go_on: bool,
    /// The lot to draw with; none for a fresh one. Only for games that are to be repeatable.
    pub lot: Option<[u8; 32]>,
    /// Is this set-up one that this installation plays? The sentence says why not.
    pub accepts: fn(&G::Setup) -> Result<(), String>,
}

/// What the player wants.
#[derive(Debug, Clone)]
pub enum Request<G: Game> {
    /// Open a table.
    Open {
        /// Its name.
        name: String,
        /// The game's set-up.
        setup: G::Setup,
        /// For each seat: is it a phantom's?
        phantoms: Vec<bool>,
        /// The table's options.
        options: Options,
        /// By invitation only?
        private: bool,
    },
    /// Other seats or options for the table one has opened. Everyone is asked anew whether they are ready.
    Change {
        /// The game's set-up.
        setup: G::Setup,
        /// For each seat: is it a phantom's? Those who sit there already keep a seat.
        phantoms: Vec<bool>,
        /// The table's options.
        options: Options,
        /// By invitation only?
        private: bool,
        /// Seconds to think about a move, 0 for as long as one likes. A courtesy: nothing happens to whoever takes longer.
        think_s: u16,
    },
    /// Sit down at a table.
    Join {
        /// Which.
        at: Whereto,
        /// Only to watch.
        watch: bool,
    },
    /// Use a relay from now on, so that others beyond this network can come: by its code, address or name.
    Relay(String),
    /// Take up a game from its log on disk.
    Resume {
        /// The table's name in the store.
        table: String,
    },
    /// I agree to what is proposed.
    Ready,
    /// A move.
    Act(G::Action),
    /// Go on without seats that are gone.
    GoOnWithout(SeatSet, Remedy),
    /// Rather wait for them.
    KeepWaiting,
    /// Once more, after a game is over, with those who want to.
    Rematch,
    /// Say something.
    Chat(Line),
    /// The player has asked: whoever uses this name with this other key than before is the same person.
    Trust {
        /// The name.
        name: String,
        /// The key that was compared.
        key: PublicId,
    },
    /// Get up: before the game the seat is free again, in the game it becomes a phantom's.
    Leave,
    /// End everything.
    Close,
}

/// Which table to go to.
#[derive(Debug, Clone)]
pub enum Whereto {
    /// One of the list, by its number.
    Listed(u64),
    /// One that will be on the list, by its name; or wherever a person of this name sits, nearby or met before.
    Named(String),
    /// By code or address.
    At(Target),
}

/// How things stand at the table, as this player may know it.
#[derive(Debug, Clone)]
pub struct Snapshot<G: Game> {
    /// The number of the open step.
    pub step: u64,
    /// The public state.
    pub game: G,
    /// What this player has seen in private.
    pub known: Known,
    /// This player's seat; none for a spectator.
    pub me: Option<Seat>,
    /// What the table waits for.
    pub waits: Waits,
    /// Is a move of this player awaited?
    pub my_turn: bool,
}

/// What happens.
#[derive(Debug, Clone)]
pub enum SessionEvent<G: Game> {
    /// Others can reach this player here.
    Reachable {
        /// The address; a relay's, if the code says so ([`Invite::relay`]).
        ip: IpAddr,
        /// The port.
        port: u16,
        /// The code to tell them.
        invite: Invite,
    },
    /// Others cannot reach this player here any more: the network is gone, and its code with it.
    Unreachable {
        /// The address.
        ip: IpAddr,
        /// The port.
        port: u16,
    },
    /// The relay cannot be reached, and why: codes through it do not work until it can. It is tried again.
    RelayLost(String),
    /// Tables and people nearby.
    Nearby {
        /// Rows of the list.
        tables: Vec<Row>,
        /// Names of people who sit nowhere.
        people: Vec<String>,
    },
    /// Something does not work as it should; for people.
    Trouble(String),
    /// The disk refuses, and why: the game stands still on this side until it takes what is to be kept. Told every two seconds meanwhile.
    Stuck(String),
    /// A known name comes with another key: the link was refused until the player decides.
    ChangedKey {
        /// The name.
        name: String,
        /// The key it had.
        before: PublicId,
        /// The key it has now.
        now: PublicId,
    },
    /// Another program plays with this identity.
    Copy,
    /// How things stand before the game.
    Room(RoomState),
    /// Somebody says something before the game.
    Said {
        /// Who.
        name: String,
        /// What.
        line: Line,
    },
    /// Another version of the protocol is spoken at the table that was to be joined: which. [`SessionEvent::NoSeat`] follows.
    OtherVersion(String),
    /// Joining failed, or the table was closed.
    NoSeat(String),
    /// Everyone is there: agree with [`Request::Ready`].
    Proposed,
    /// Somebody is ready.
    Ready(PublicId),
    /// The lots are drawn: the four numbers of the table phrase.
    Phrase([u8; 4]),
    /// The game begins, or goes on after a restart.
    Seated {
        /// The table.
        table: TableId,
        /// This player's seat; none for a spectator.
        me: Option<Seat>,
        /// Who sits where.
        holders: Vec<Holder>,
        /// The table's options.
        options: Options,
        /// Seconds to think about a move, as far as it is known here; 0 for as long as one likes.
        think_s: u16,
    },
    /// Something happened in a settled step.
    Happened {
        /// Which.
        step: u64,
        /// What.
        happening: Happening<G>,
    },
    /// A round is over and its cards are revealed; the next one begins.
    Revealed {
        /// The record of the game so far, as bytes.
        record: Vec<u8>,
    },
    /// How things stand now: after every settled step, when this player's move is awaited, and after a move that was refused.
    Now(Box<Snapshot<G>>),
    /// News beside the log.
    Notice(Notice),
    /// A move was refused; nothing was sent.
    Refused(String),
    /// A link came or went.
    Link {
        /// Whose.
        peer: PublicId,
        /// Its name.
        name: String,
        /// Did it come?
        up: bool,
        /// Does it go round a relay?
        relayed: bool,
    },
    /// The game is over.
    Over {
        /// The record, as bytes.
        record: Vec<u8>,
        /// Where it was kept.
        kept: Option<PathBuf>,
    },
    /// This player has got up from a table in the middle of its game.
    Left {
        /// Which.
        table: TableId,
        /// The others go on without; otherwise the table's rules did not allow it, and the seat is kept.
        for_good: bool,
    },
    /// The session has ended.
    Closed,
}

/// A handle to a running session. Dropping it ends the session.
pub struct Session<G: Game> {
    local: PublicId,
    port: u16,
    requests: mpsc::UnboundedSender<Request<G>>,
}

impl<G> Session<G>
where
    G: Game + Send + 'static,
    G::Setup: Send,
    G::Action: Send,
    G::Event: Send,
{
    /// Starts listening. Without a store nothing is remembered: for tests and the demonstration.
    pub fn start(
        identity: &Identity,
        store: Option<Store>,
        config: SessionConfig<G>,
    ) -> Result<(Session<G>, mpsc::UnboundedReceiver<SessionEvent<G>>), ListenError> {
        let node_config = NodeConfig {
            name: config.name.clone(),
            ip: config.ip,
            port: config.port,
        };
        let (node, heard) = start_node(identity, store.as_ref(), node_config)?;
        let (requests, asked) = mpsc::unbounded_channel();
        let (events, happened) = mpsc::unbounded_channel();
        let session = Session {
            local: node.local(),
            port: node.port(),
            requests,
        };
        tokio::spawn(driver::Driver::new(identity, store, config, node, events).run(heard, asked));
        Ok((session, happened))
    }

    /// Asks for something; what comes of it is an event.
    pub fn request(&self, request: Request<G>) {
        // The task only ends on request: what comes after that has no effect.
        self.requests.send(request).ok();
    }

    /// This player.
    pub fn local(&self) -> PublicId {
        self.local
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }
}

/// Where this player was found last, if that place is free: else at any of the program's own ports.
fn start_node(
    identity: &Identity,
    store: Option<&Store>,
    config: NodeConfig,
) -> Result<(Node, mpsc::Receiver<NodeEvent>), ListenError> {
    let own = FIRST_PORT..FIRST_PORT + PORTS;
    let last = store
        .filter(|_| config.port.is_none())
        .and_then(Store::port);
    if let Some(port) = last.filter(|port| own.contains(port)) {
        let there = NodeConfig {
            port: Some(port),
            ..config.clone()
        };
        if let Ok(started) = Node::start(identity, there) {
            return Ok(started);
        }
    }
    let chosen = config.port.is_some();
    let (node, heard) = Node::start(identity, config)?;
    if let Some(store) = store.filter(|_| !chosen) {
        // A convenience: what does not stay on this disk is no reason not to play.
        let _ = store.keep_port(node.port());
    }
    Ok((node, heard))
}

#[cfg(test)]
mod tests;
