//! A share of games with the interval that it lies in with 95 % confidence (Wilson).

use serde::Serialize;

/// So many of so many.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// The share found.
    pub share: f64,
    /// The true one is hardly below this,
    pub low: f64,
    /// and hardly above this.
    pub high: f64,
}

impl Share {
    /// `part` of `all`.
    pub fn of(part: u64, all: u64) -> Share {
        let (n, z) = (all.max(1) as f64, 1.96_f64);
        let p = part as f64 / n;
        let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        Share {
            share: p,
            low: (middle - half).max(0.0),
            high: (middle + half).min(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_holds_the_share_and_narrows() {
        let few = Share::of(30, 100);
        let many = Share::of(3000, 10_000);
        assert!(few.low < 0.3 && 0.3 < few.high);
        assert!((few.low - 0.219).abs() < 0.001 && (few.high - 0.396).abs() < 0.001);
        assert!(many.high - many.low < few.high - few.low);
        assert_eq!(Share::of(0, 0).share, 0.0);
    }
}
