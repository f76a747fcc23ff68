//! How bad the network of a simulation is.

/// How bad the network is.
#[derive(Debug, Clone, Copy)]
pub struct Weather {
    /// Shortest delay, in milliseconds.
    pub least: u64,
    /// Longest delay.
    pub most: u64,
    /// Lost, of a thousand.
    pub lost: u32,
    /// Doubled, of a thousand.
    pub doubled: u32,
}

impl Weather {
    /// Nothing is lost, everything takes a millisecond.
    pub const CALM: Weather = Weather {
        least: 1,
        most: 1,
        lost: 0,
        doubled: 0,
    };
    /// Reordered, lost and doubled.
    pub const ROUGH: Weather = Weather {
        least: 1,
        most: 60,
        lost: 50,
        doubled: 50,
    };
}
