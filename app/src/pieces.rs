//! The names of the rules that the client uses, in one place.

pub use shamans_core::{
    game::{Seat, SeatSet, Slot},
    shamans::{
        Action, Artefact, Card, Event, Moment, Pick, Ritual, Role, Side, Way, World,
        event::{EndCause, PawnCause, PointCause},
    },
};
