//! What the screens show: models that mirror one seat's view of the table, and the worker that plays it.
//!
//! [`worker`] runs on its own thread and knows the rules; it speaks in plain data ([`snapshot`]) over channels. [`Session`]
//! lives on the main thread, plays the updates at a pace that eyes can follow, and keeps the models ([`models`]).

pub mod kept;
pub mod lan;
pub mod look;
pub mod models;
mod peers;
pub mod scripted;
pub mod snapshot;
pub mod standing;
mod table;
pub mod tricks;
pub mod worker;

pub use table::{Leaf, Session, TrickShown, is_weighty};
