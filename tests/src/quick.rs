//! Shamans with a designer's other numbers: few cards, many daggers, a long track and a near goal.
//!
//! The same rules in a tenth of the time, and worlds become complete in nearly every round, so that rare questions are asked often.

use shamans_core::shamans::Setup;
use shamans_core::shamans::data::{Data, SHIPPED, Texts};

const TABLES: &str = "
[[table]]
players = 3
shamans = 2
shadows = 1
values = 3
hand = 5
steps = [16, 16, 16]

[[table]]
players = 4
shamans = 3
shadows = 1
values = 3
hand = 4
steps = [20, 20, 20, 20]

[[table]]
players = 5
shamans = 3
shadows = 2
values = 3
hand = 4
steps = [24, 24, 24, 24, 24]
";

const TILES: &str = "
[tiles]
dagger = 8
portal = 1
moonstone = 1
mask = 2
face_up = 2
";

/// A table of people.
pub fn quick(players: u8) -> Setup {
    setup(players, TABLES, SHIPPED.track)
}

/// Five people with longer hands and a Moon far away: where nobody is in a hurry to complete worlds, hands are full of what does
/// when daggers come out, and the order of rituals is asked for (ELI-4).
pub fn patient() -> Setup {
    let hands = TABLES.replace(
        "values = 3\nhand = 4\nsteps = [24,",
        "values = 5\nhand = 7\nsteps = [60,",
    );
    setup(5, &hands, &SHIPPED.track.replace("moon = 24", "moon = 60"))
}

fn setup(players: u8, tables: &str, track: &str) -> Setup {
    let track = track.replace("goal = 8", "goal = 4");
    let texts = Texts {
        tables,
        tiles: TILES,
        track: &track,
        ..SHIPPED
    };
    Setup {
        data: Data::parse(&texts).expect("sound numbers"),
        ..Setup::new(players)
    }
}
