//! Who will win the game, from the points alone: what the end of a round is worth.
//!
//! Fitted to games of sensible bots: with `most` points at the head of the table, one point more makes a seat so many times
//! likelier to win. Late in the game a point counts for more, and a lead that ends it for everything.

use crate::{
    game::{PerSeat, Seat, SeatSet},
    shamans::Rules,
};

use super::belief::power;

/// How much likelier one point more makes a seat to win, by the points of whoever is ahead, from 0 to 8 of 8; for 3, 4 and 5 seats.
const POINT: [[f32; 9]; 3] = [
    [1.0, 1.48, 1.50, 1.45, 1.45, 1.51, 1.74, 1.64, 2.0],
    [1.0, 1.60, 1.60, 1.52, 1.58, 1.60, 1.96, 1.93, 2.0],
    [1.0, 1.40, 1.38, 1.42, 1.42, 1.54, 1.65, 1.69, 1.8],
];

/// How likely each seat is to win the game when a round has ended with these points.
pub fn chances(rules: &Rules, points: impl Fn(Seat) -> u16) -> PerSeat<f32> {
    let everyone = SeatSet::first(rules.seats());
    let most = everyone.iter().map(&points).max().unwrap_or(0);
    let leaders = everyone.iter().filter(|&seat| points(seat) == most).count();
    let goal = u16::from(rules.goal).max(1);
    // END-6
    let over = most >= goal && leaders == 1;
    let by_lead = POINT.get(rules.seats().saturating_sub(3));
    let stage = usize::from((most * 8 / goal).min(8));
    let point = by_lead
        .and_then(|row| row.get(stage))
        .copied()
        .unwrap_or(1.5);
    let weight = |seat: Seat| {
        let behind = most - points(seat);
        match (everyone.contains(seat), over) {
            (false, _) => 0.0,
            (true, true) => f32::from(u8::from(behind == 0)),
            (true, false) => 1.0 / power(point, behind.min(30) as u8),
        }
    };
    let weights = PerSeat::from_fn(|seat| {
        if everyone.contains(seat) {
            weight(seat)
        } else {
            0.0
        }
    });
    let all: f32 = everyone.iter().map(|seat| weights[seat]).sum();
    PerSeat::from_fn(|seat| weights[seat] / all.max(f32::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shamans::Setup;

    fn of(points: [u16; 4]) -> PerSeat<f32> {
        let rules = Rules::new(&Setup::new(4)).expect("the shipped data are sound");
        chances(&rules, |seat| {
            points.get(seat.index()).copied().unwrap_or(0)
        })
    }

    #[test]
    fn equal_points_are_equal_chances_and_a_lead_counts_more_later() {
        let even = of([3, 3, 3, 3]);
        assert!((even[Seat(2)] - 0.25).abs() < 1e-6);
        assert_eq!(even[Seat(4)], 0.0, "no such seat at this table");
        let (early, late) = (of([2, 0, 0, 0]), of([7, 5, 5, 5]));
        assert!(early[Seat(0)] > 0.25 && late[Seat(0)] > early[Seat(0)]);
        let all: f32 = (0..4).map(|seat| late[Seat(seat)]).sum();
        assert!((all - 1.0).abs() < 1e-5);
    }

    #[test]
    fn the_game_is_won_by_whoever_leads_alone_with_enough() {
        let won = of([8, 7, 0, 0]);
        assert_eq!((won[Seat(0)], won[Seat(1)]), (1.0, 0.0));
        let tied = of([9, 9, 0, 0]);
        assert!(tied[Seat(0)] < 0.6 && tied[Seat(2)] < 0.01);
    }
}
