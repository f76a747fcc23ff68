//! The tutorial: one scripted round in the middle of which the player sits down, makes the moves and is told why.
//!
//! The round is a scenario (`data/tutorial.txt`), so the rules core plays it like any other; its comment lines name the
//! lessons. [`lesson`] reads them, [`coach`] shows them, [`play`] brings both and the table together. No deal is sealed
//! and nothing is sent: all this happens in memory, on the main thread.

pub mod coach;
pub mod lesson;
pub mod play;

pub use play::begin;
