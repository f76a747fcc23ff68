//! What peers say to each other on a link: gathering at a table, sitting down, and the table's own messages.

use serde::{Deserialize, Serialize};
use shamans_core::codec;
use shamans_core::log::TableId;
use shamans_core::table::{Line, SignedGenesis};

use super::room::{Refused, RoomState};
use crate::identity::PublicId;

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Packet {
    /// "May I sit down (or watch)?" With the addresses the asking peer can be reached at.
    Ask {
        /// Which table; none for whatever table is there.
        table: Option<u64>,
        /// Only to watch.
        watch: bool,
        /// Where the asking peer listens.
        addresses: Vec<String>,
        /// It is a bot, and this person runs it.
        operator: Option<String>,
    },
    /// No, and why.
    Refused(Refused),
    /// "Ask this one: it opened the table."
    AskThere {
        /// Who.
        opener: PublicId,
        /// Where.
        addresses: Vec<String>,
    },
    /// How things stand before the game: from the opener to everyone who sits there.
    Room(RoomState),
    /// "I get up again."
    GetUp,
    /// The opener has closed the table.
    Closed,
    /// What players of one table say to each other.
    Word(Word),
    /// "Pass this on to a player whom I cannot reach."
    PassOn {
        /// To whom.
        to: PublicId,
        /// What.
        word: Word,
    },
    /// Passed on from a player who cannot reach you.
    Passed {
        /// From whom.
        from: PublicId,
        /// What.
        word: Word,
    },
    /// The beginning of a running game, to a player who lost it or to a spectator.
    Genesis(SignedGenesis),
    /// Words before the game.
    Said(Line),
    /// A spectator says where it is.
    Watching {
        /// Which table.
        table: TableId,
        /// What its table says.
        bytes: Vec<u8>,
    },
}

/// What players of one table say to each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Word {
    /// A message of sitting down.
    Seating {
        /// [`RoomState::attempt`].
        attempt: u32,
        /// What.
        bytes: Vec<u8>,
    },
    /// A message of the table.
    Table {
        /// Which.
        table: TableId,
        /// What.
        bytes: Vec<u8>,
    },
}

impl Packet {
    /// For the link.
    pub fn encode(&self) -> Vec<u8> {
        codec::encode(self)
    }

    /// From a link; what is inside is looked at by whoever it is for.
    pub fn decode(bytes: &[u8]) -> Result<Packet, codec::CodecError> {
        codec::decode(bytes)
    }
}
