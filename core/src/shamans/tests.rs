//! Whole random games, quickly: that they end, and that what is listed is accepted.
use alloc::vec::Vec;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::game::ClearDealer;

#[test]
fn random_games_end() {
    for players in 3..=5u8 {
        for seed in 0..60u64 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let phantoms = SeatSet::first((seed % u64::from(players)) as usize);
            let mut game = Shamans::new(&Setup::new(players).with_phantoms(phantoms)).unwrap();
            let mut dealer = ClearDealer::new(game.seats());
            let mut actions = Vec::new();
            let mut count = 0;
            loop {
                dealer.serve(&mut game, &mut rng, |_| {}).unwrap();
                let Awaits::Seats(seats) = game.awaits() else {
                    break;
                };
                let seat = seats.iter().next().unwrap();
                actions.clear();
                game.legal_into(seat, dealer.known(seat), &mut actions);
                let action = actions[rng.random_range(0..actions.len())];
                dealer.check(&game.claims(seat, &action)).unwrap();
                game.apply(seat, action).unwrap();
                count += 1;
                assert!(count < 100_000);
            }
            assert!(game.points.iter().any(|(_, &points)| points >= 8));
        }
    }
}
