//! The share of rounds won, over the rounds played: what the curve shows.

/// How many rounds a point of the curve looks back on.
const WINDOW: usize = 10;

/// The share of the last rounds won, after each round.
pub fn shares(won: &[bool]) -> Vec<f64> {
    let share = |end: usize| {
        let last = won.get(end.saturating_sub(WINDOW)..end).unwrap_or_default();
        let wins = last.iter().filter(|won| **won).count();
        wins as f64 / last.len().max(1) as f64
    };
    (1..=won.len()).map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_looks_back_on_the_last_rounds_only() {
        assert_eq!(shares(&[]), Vec::<f64>::new());
        assert_eq!(shares(&[true, false]), [1.0, 0.5]);
        let mut won = vec![false; 10];
        won.extend([true; 10]);
        assert_eq!(shares(&won).last(), Some(&1.0));
    }
}
