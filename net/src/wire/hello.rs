//! The first thing that is said on a link.

use serde::{Deserialize, Serialize};
use shamans_core::codec;

use crate::identity::{NAME_LENGTH, clean_name};

/// What a peer says of itself before anything else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The protocol's version.
    pub protocol: u16,
    /// The program's version, for people.
    pub program: String,
    /// The player's name.
    pub name: String,
    /// The port the peer listens on.
    pub port: u16,
}

impl Hello {
    /// For the link.
    pub fn encode(&self) -> Vec<u8> {
        codec::encode(self)
    }

    /// From a link. Nothing if it is no hello, or one whose words no honest program says.
    pub fn decode(bytes: &[u8]) -> Option<Hello> {
        let hello: Hello = codec::decode(bytes).ok()?;
        let plain = clean_name(&hello.name).is_ok_and(|clean| clean == hello.name);
        let short = hello.program.chars().count() <= NAME_LENGTH;
        (plain && short).then_some(hello)
    }
}
