//! Shamans on the LAN: who is nearby, how to reach them, and the streams over which peers play; what is kept on disk.
//!
//! Everything that needs sockets stands behind the feature `lan` (on by default). Rules, deals and the signed table are
//! `shamans-core`'s; this crate only drives them. Drivers of this crate: `shamans-table` and the window.

pub mod account;
pub mod data_folder;
#[cfg(feature = "lan")]
pub mod demo;
#[cfg(feature = "lan")]
pub mod discovery;
#[cfg(feature = "lan")]
pub mod doctor;
pub mod identity;
pub mod invite;
pub mod papers;
pub mod phrase;
pub mod proof;
pub mod scenario;
pub mod sentences;
#[cfg(feature = "lan")]
pub mod session;
pub mod simulate;
pub mod store;
#[cfg(feature = "lan")]
pub mod swarm;
pub mod wire;
pub mod words;

/// The version of everything peers say to each other. Peers of different versions see each other and say so, and do not sit down.
pub const PROTOCOL_VERSION: u16 = 1;
