//! Seats, sets of seats, and one value for each seat.

use core::fmt;
use core::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// The largest table.
pub const MAX_SEATS: usize = 5;

/// A place at the table. Turn order is ascending and wraps round; left is the next seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat's position, for use as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The next seat in turn order at a table of `seats`.
    pub const fn left(self, seats: usize) -> Seat {
        let next = self.0 + 1;
        Seat(if next as usize >= seats { 0 } else { next })
    }

    /// The seat before in turn order.
    pub const fn right(self, seats: usize) -> Seat {
        Seat(if self.0 == 0 {
            seats as u8 - 1
        } else {
            self.0 - 1
        })
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
pub struct SeatSet(u8);

impl SeatSet {
    /// No seat.
    pub const EMPTY: SeatSet = SeatSet(0);

    /// The first `n` seats.
    pub const fn first(n: usize) -> SeatSet {
        SeatSet(((1u16 << n) - 1) as u8)
    }

    /// Just this one.
    pub const fn one(seat: Seat) -> SeatSet {
        SeatSet(1 << seat.0)
    }

    /// Is `seat` in it?
    pub const fn contains(self, seat: Seat) -> bool {
        seat.0 < 8 && self.0 & (1 << seat.0) != 0
    }

    /// This set and `seat`.
    #[must_use]
    pub const fn with(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 | 1 << seat.0)
    }

    /// This set but `seat`.
    #[must_use]
    pub const fn without(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 & !(1 << seat.0))
    }

    /// What is in both.
    #[must_use]
    pub const fn and(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & other.0)
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 | other.0)
    }

    /// What is in this and not in `other`.
    #[must_use]
    pub const fn minus(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & !other.0)
    }

    /// How many seats.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// None at all?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Seat> + Clone {
        (0..8).map(Seat).filter(move |&seat| self.contains(seat))
    }

    /// The first seat of the set in turn order from `start` on, `start` included.
    pub fn next_from(self, start: Seat, seats: usize) -> Option<Seat> {
        let mut seat = start;
        for _ in 0..seats {
            if self.contains(seat) {
                return Some(seat);
            }
            seat = seat.left(seats);
        }
        None
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        seats.into_iter().fold(SeatSet::EMPTY, SeatSet::with)
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.iter().map(|seat| seat.0))
            .finish()
    }
}

/// One value for each seat of the largest table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
pub struct PerSeat<T>([T; MAX_SEATS]);

impl<T> PerSeat<T> {
    /// Each seat's value from its number.
    pub fn from_fn(mut f: impl FnMut(Seat) -> T) -> PerSeat<T> {
        PerSeat(core::array::from_fn(|i| f(Seat(i as u8))))
    }

    /// Seats and values in ascending order, those beyond the table's size too.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        (0..).map(Seat).zip(&self.0)
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;
    #[inline]
    fn index(&self, seat: Seat) -> &T {
        self.0
            .get(seat.index())
            .expect("seats are below MAX_SEATS: checked where they enter")
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        self.0
            .get_mut(seat.index())
            .expect("seats are below MAX_SEATS: checked where they enter")
    }
}
