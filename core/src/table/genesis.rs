//! The first thing all sign: which game, with which data, under which protocol, who sits where.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use crate::codec;
use crate::game::{Game, MAX_SEATS, PerSeat, Seat, SeatSet};
use crate::log::{Digest, PlayerKey, Signature, TableId, digest};

/// The version of everything in `protocol.md`. Peers of different versions do not sit down together.
pub const PROTOCOL: u16 = 1;
/// The longest player name, in bytes.
pub const MAX_NAME: usize = 64;
/// The largest set-up of a game, in bytes.
pub const MAX_SETUP: usize = 64 * 1024;

/// Who holds a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Holder {
    /// A person, known by a key.
    Person {
        /// Signs for the seat.
        key: PlayerKey,
        /// How the person wants to be called.
        name: String,
    },
    /// Nobody, for the whole game.
    Phantom,
    /// A program that plays by itself. Whoever runs it can see its cards, and all agree to that by signing.
    Bot {
        /// Signs for the seat.
        key: PlayerKey,
        /// What it is called.
        name: String,
        /// Who runs it.
        operator: String,
    },
}

impl Holder {
    /// The key that signs for the seat; a phantom has none.
    pub fn key(&self) -> Option<&PlayerKey> {
        match self {
            Holder::Person { key, .. } | Holder::Bot { key, .. } => Some(key),
            Holder::Phantom => None,
        }
    }

    /// How whoever sits there is called; a phantom has no name.
    pub fn name(&self) -> Option<&str> {
        match self {
            Holder::Person { name, .. } | Holder::Bot { name, .. } => Some(name),
            Holder::Phantom => None,
        }
    }

    /// Who runs the bot that sits there, if it is one.
    pub fn operator(&self) -> Option<&str> {
        match self {
            Holder::Bot { operator, .. } => Some(operator),
            Holder::Person { .. } | Holder::Phantom => None,
        }
    }
}

/// What the table agrees on beside the game's own set-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// How long, in milliseconds, a silent seat is waited for before the others may go on without it.
    pub grace_ms: u32,
    /// Are the people's places drawn by lot? Phantoms stay where they are.
    pub draw_seats: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            grace_ms: 60_000,
            draw_seats: false,
        }
    }
}

/// What one of them proposes to all, before the lots are drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// [`PROTOCOL`].
    pub protocol: u16,
    /// [`crate::game::Game::NAME`].
    pub game: String,
    /// The canonical encoding of the game's set-up, all numbers from data included.
    pub setup: Vec<u8>,
    /// The table's options.
    pub options: Options,
    /// One for each seat, in seat order (before lots).
    pub holders: Vec<Holder>,
    /// The table this one is a rematch of.
    pub previous: Option<TableId>,
}

/// Why a genesis makes no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GenesisError {
    /// Made by another version.
    #[error("protocol version {0}, this program speaks {PROTOCOL}")]
    Protocol(u16),
    /// For another game, or another version of its rules.
    #[error("this is a table of another game: {0}")]
    OtherGame(String),
    /// The set-up cannot be read, or the game refuses it.
    #[error("the game's set-up is refused: {0}")]
    Setup(String),
    /// No seats or too many, nobody there, one key twice, a bad key, a long name, or lots missing.
    #[error("the seats are refused: {0}")]
    Seats(&'static str),
    /// A signature is missing or wrong.
    #[error("seat {} has not signed", .0.0)]
    Unsigned(Seat),
    /// The bytes are damaged.
    #[error(transparent)]
    Codec(#[from] codec::CodecError),
}

impl Proposal {
    /// The digest that commitments to lots name.
    pub fn digest(&self) -> Digest {
        digest("shamans 1 proposal", &[&codec::encode(self)])
    }

    /// The keys of the people, in holder order.
    pub fn keys(&self) -> impl Iterator<Item = &PlayerKey> {
        self.holders.iter().filter_map(Holder::key)
    }

    /// The game it sets up. Its phantoms must be the seats that no person holds: nobody could act for any other.
    pub fn set_up<G: Game>(&self) -> Result<G, GenesisError> {
        if self.game != G::NAME {
            return Err(GenesisError::OtherGame(self.game.clone()));
        }
        let setup: G::Setup =
            codec::decode(&self.setup).map_err(|error| GenesisError::Setup(error.to_string()))?;
        let game = G::new(&setup).map_err(|illegal| GenesisError::Setup(illegal.to_string()))?;
        if game.seats() != self.holders.len() {
            return Err(GenesisError::Seats("not as many as the game has"));
        }
        let unheld: SeatSet = (0..)
            .map(Seat)
            .zip(&self.holders)
            .filter(|(_, holder)| **holder == Holder::Phantom)
            .map(|(seat, _)| seat)
            .collect();
        if game.permanent_phantoms() != unheld {
            return Err(GenesisError::Seats(
                "the game's phantoms are not the seats that nobody holds",
            ));
        }
        Ok(game)
    }

    /// Is it well-formed, whatever the game?
    pub fn check(&self) -> Result<(), GenesisError> {
        if self.protocol != PROTOCOL {
            return Err(GenesisError::Protocol(self.protocol));
        }
        if self.setup.len() > MAX_SETUP || self.game.len() > MAX_NAME {
            return Err(GenesisError::Setup(String::from("too large")));
        }
        if self.holders.is_empty() || self.holders.len() > MAX_SEATS {
            return Err(GenesisError::Seats("one to five seats"));
        }
        let mut seen = Vec::new();
        for holder in &self.holders {
            let Some(key) = holder.key() else { continue };
            if !key.is_usable() {
                return Err(GenesisError::Seats("a key that is none"));
            }
            if seen.contains(key) {
                return Err(GenesisError::Seats("one key at two seats"));
            }
            let mut names = holder.name().into_iter().chain(holder.operator());
            if names.any(|name| name.len() > MAX_NAME || name.chars().any(char::is_control)) {
                return Err(GenesisError::Seats("a name that is too long or not plain"));
            }
            if holder.operator().is_some_and(str::is_empty) {
                return Err(GenesisError::Seats("a bot that nobody runs"));
            }
            seen.push(*key);
        }
        if seen.is_empty() {
            return Err(GenesisError::Seats("nobody sits there"));
        }
        Ok(())
    }
}

/// A player's share in the lots.
pub type Lot = [u8; 32];

/// The commitment to a lot.
pub fn commitment(proposal: &Digest, key: &PlayerKey, lot: &Lot) -> Digest {
    digest("shamans 1 lot", &[&proposal.0, &key.0, lot])
}

/// A proposal with everyone's lot. Its digest names the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Genesis {
    /// What was proposed.
    pub proposal: Proposal,
    /// The people's lots, in holder order.
    pub lots: Vec<Lot>,
}

impl Genesis {
    /// The table's name: proposal and lots.
    pub fn table(&self) -> TableId {
        digest("shamans 1 table", &[&codec::encode(self)])
    }

    /// What each person signs.
    pub fn signed(&self) -> Digest {
        digest("shamans 1 genesis", &[&self.table().0])
    }

    /// Who sits where, lots drawn.
    pub fn holders(&self) -> Vec<Holder> {
        let holders = &self.proposal.holders;
        if !self.proposal.options.draw_seats {
            return holders.clone();
        }
        // Each person draws a number from the lots; lower numbers sit down first.
        let table = self.table();
        let mut drawn: Vec<(Digest, &Holder)> = holders
            .iter()
            .filter_map(|holder| {
                let key = holder.key()?;
                Some((digest("shamans 1 seat", &[&table.0, &key.0]), holder))
            })
            .collect();
        drawn.sort_by_key(|(number, _)| *number);
        let mut drawn = drawn.into_iter().map(|(_, holder)| holder.clone());
        holders
            .iter()
            .map(|holder| match holder {
                Holder::Person { .. } | Holder::Bot { .. } => {
                    drawn.next().unwrap_or(Holder::Phantom)
                }
                Holder::Phantom => Holder::Phantom,
            })
            .collect()
    }

    /// The key of each seat, lots drawn. There are no more seats than a table has, even where this was not checked yet.
    pub fn keys(&self) -> PerSeat<Option<PlayerKey>> {
        let mut keys = PerSeat::default();
        let seats = (0..MAX_SEATS as u8).map(Seat);
        for (seat, holder) in seats.zip(self.holders()) {
            keys[seat] = holder.key().copied();
        }
        keys
    }

    /// The seats that somebody holds: a person or a bot.
    pub fn people(&self) -> SeatSet {
        let keys = self.keys();
        keys.iter()
            .filter(|(_, key)| key.is_some())
            .map(|(seat, _)| seat)
            .collect()
    }

    /// Four numbers for the table phrase: every screen shows the same four words if and only if all see the same table.
    pub fn phrase(&self) -> [u8; 4] {
        let Digest(bytes) = digest("shamans 1 phrase", &[&self.table().0]);
        let [a, b, c, d, ..] = bytes;
        [a, b, c, d]
    }
}

/// The genesis with everyone's signature: step 0 of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedGenesis {
    /// What is signed.
    pub genesis: Genesis,
    /// The people's signatures, ascending by seat (lots drawn).
    pub signatures: Vec<Signature>,
}

impl SignedGenesis {
    /// Well-formed, and signed by everyone?
    pub fn check(&self) -> Result<(), GenesisError> {
        self.genesis.proposal.check()?;
        if self.genesis.lots.len() != self.genesis.proposal.keys().count() {
            return Err(GenesisError::Seats("not one lot for each person"));
        }
        let people = self.genesis.people();
        let keys = self.genesis.keys();
        let signed = self.genesis.signed();
        if self.signatures.len() != people.len() {
            return Err(GenesisError::Seats("not one signature for each person"));
        }
        for (seat, signature) in people.iter().zip(&self.signatures) {
            if !keys[seat].is_some_and(|key| key.verifies(&signed, signature)) {
                return Err(GenesisError::Unsigned(seat));
            }
        }
        Ok(())
    }
}
