//! The pieces of the table as widgets, one a file. They show models and say what was pressed; they know no rules.

pub mod adaptive;
pub mod avatar;
pub mod badge;
pub mod card;
pub mod curve;
pub mod face;
pub mod hand;
pub mod header;
pub mod hint;
pub mod identity;
pub mod line;
pub mod log;
pub mod path;
pub mod prompt;
pub mod seat;
pub mod sky;
pub mod soon;
pub mod strip;
pub mod talk;
pub mod tile;
pub mod tiles;
pub mod trick;
pub mod world;
pub mod worlds;
