//! The observable mirror of one seat's view: a card, a seat, a world, a line of the log. They hold, they do not decide.

mod card;
mod line;
mod seat;
mod world;

pub use card::CardModel;
pub use line::LineModel;
pub use seat::SeatModel;
pub use world::WorldModel;

/// Sets a property only if that changes it, so that nothing redraws for nothing.
macro_rules! mirror {
    ($model:expr, $get:ident, $set:ident, $value:expr) => {{
        let value = $value;
        if $model.$get() != value {
            $model.$set(value);
        }
    }};
}
pub(crate) use mirror;
