//! The pure heart of Shamans: rules, sealed decks, the signed table and the record of a game.
//!
//! Nothing here knows a clock, a file, a socket, a thread or the operating system's randomness:
//! time, randomness and bytes are arguments. The crate is `no_std`, so the compiler keeps it that way.
//! Drivers: `shamans-net` (sockets and disk), `shamans` (the window), and the tests.
#![no_std]

extern crate alloc;

pub mod bot;
pub mod codec;
pub mod deal;
pub mod game;
pub mod log;
pub mod record;
pub mod shamans;
pub mod table;
