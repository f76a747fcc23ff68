//! What peers say of themselves, to each other and around a table, and how it is read.
//!
//! Words only: no sockets, so that any bytes can be tried on it. Spoken by [`Hello`]'s link, by the announcements of who is nearby, and by
//! the session, all of which stand behind the feature `lan`. What is said at a table itself is `shamans_core::table`'s.

pub mod hello;
pub mod packet;
pub mod presence;
pub mod room;
pub mod txt;

pub use hello::Hello;
pub use packet::{Packet, Word};
pub use room::{Member, Refused, RoomState};
