//! What the tests share: kits that several test files build on.
//!
//! Not a place for tests themselves (those are in `tests/`, one file a subject) and not used by any program.

pub mod damage;
pub mod decoders;
pub mod high_card;
pub mod house;
pub mod matrix;
pub mod muffle;
pub mod phase;
pub mod play;
pub mod property;
pub mod quick;
pub mod sealed;
pub mod sim;
pub mod storm;
pub mod words;
