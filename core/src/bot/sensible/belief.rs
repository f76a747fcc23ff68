//! Who is probably a Shadow: what the plays of the round say, put together with every identity the viewer knows.
//!
//! Who strays from a Destination that they could have followed pushes the pawn on purpose. Whether they could is seldom certain:
//! it is, when they play that world later; else the cards that are still out say how likely it was. The evidence speaks about
//! identity cards, so it follows them through swaps.

use crate::{
    game::{MAX_SEATS, PerSeat, Seat, SeatSet, Slot},
    shamans::{Role, View, World, state::Played},
};

/// How often a Shadow strays who could follow.
const SHADOW_STRAYS: f32 = 0.35;
/// How often a Shaman does, for a ritual.
const SHAMAN_STRAYS: f32 = 0.08;

/// How likely each seat is a Shadow, as the viewer sees it.
pub fn shadows(view: &View<'_>) -> PerSeat<f32> {
    let rules = view.rules();
    let n = rules.seats();
    let known = PerSeat::from_fn(|seat| {
        if seat.index() < n {
            view.role(seat)
        } else {
            Some(Role::Shaman)
        }
    });
    let of = |role| {
        known
            .iter()
            .take(n)
            .filter(|(_, r)| **r == Some(role))
            .count()
    };
    let left = (n - usize::from(rules.shamans)).saturating_sub(of(Role::Shadow));
    let open = n - of(Role::Shadow) - of(Role::Shaman);
    if left == 0 || left >= open {
        // Everything follows from what is known.
        return PerSeat::from_fn(|seat| match known[seat] {
            Some(Role::Shadow) => 1.0,
            Some(Role::Shaman) => 0.0,
            None => {
                if left == 0 {
                    0.0
                } else {
                    1.0
                }
            }
        });
    }
    let odds = odds(view);
    // One or two Shadows are hidden: weigh every pair, or every single one.
    let mut sums = [0.0f32; MAX_SEATS];
    let mut all = 0.0f32;
    let open_seats = || {
        SeatSet::first(n)
            .iter()
            .filter(|&seat| known[seat].is_none())
    };
    let mut add = |seats: &[Seat], weight: f32| {
        all += weight;
        for seat in seats {
            if let Some(sum) = sums.get_mut(seat.index()) {
                *sum += weight;
            }
        }
    };
    for one in open_seats() {
        if left == 1 {
            add(&[one], odds[one]);
        } else {
            for other in open_seats().filter(|&other| other > one) {
                add(&[one, other], odds[one] * odds[other]);
            }
        }
    }
    PerSeat::from_fn(|seat| match known[seat] {
        Some(Role::Shadow) => 1.0,
        Some(Role::Shaman) => 0.0,
        None => sums.get(seat.index()).copied().unwrap_or(0.0) / all.max(f32::MIN_POSITIVE),
    })
}

/// For each seat, how much likelier its plays are for a Shadow than for a Shaman.
fn odds(view: &View<'_>) -> PerSeat<f32> {
    let plays = view.plays();
    let phantoms = view.phantoms();
    let first = Slot(view.rules().cards());
    let mut by_card = [1.0f32; MAX_SEATS];
    let mut out = PerWorldCount::new(view);
    for (at, play) in plays.iter().enumerate() {
        out.played(play);
        // A phantom plays blindly; a Guide's card says little.
        if play.led || phantoms.contains(play.seat) || Some(play.seat) == view.seat() {
            continue;
        }
        let factor = if play.card.world == play.destination {
            (1.0 - SHADOW_STRAYS) / (1.0 - SHAMAN_STRAYS)
        } else {
            let void = if could_follow(view, plays, at, play) {
                0.0
            } else {
                out.void(play.destination, play.left + 1)
            };
            let strays = |on_purpose: f32| void + (1.0 - void) * on_purpose;
            strays(SHADOW_STRAYS) / strays(SHAMAN_STRAYS)
        };
        let card = usize::from(play.identity.0.saturating_sub(first.0));
        if let Some(odds) = by_card.get_mut(card) {
            *odds = (*odds * factor).clamp(0.01, 100.0);
        }
    }
    PerSeat::from_fn(|seat| {
        let card = usize::from(view.identity(seat).0.saturating_sub(first.0));
        by_card.get(card).copied().unwrap_or(1.0)
    })
}

/// Did the player show later that they had held the Destination? A card that the Eclipse may have brought proves nothing.
fn could_follow(view: &View<'_>, plays: &[Played], at: usize, stray: &Played) -> bool {
    let until = match view.eclipse_after() {
        Some(passed) if passed > at => passed,
        Some(_) | None => plays.len(),
    };
    plays
        .get(at + 1..until)
        .unwrap_or_default()
        .iter()
        .any(|later| later.seat == stray.seat && later.card.world == stray.destination)
}

/// Cards of each world that the viewer had not seen at a time.
struct PerWorldCount {
    hidden: [u8; 8],
    all: u8,
}

impl PerWorldCount {
    fn new(view: &View<'_>) -> PerWorldCount {
        let rules = view.rules();
        let mut hidden = [0u8; 8];
        for slot in hidden.iter_mut().take(usize::from(rules.worlds)) {
            *slot = rules.values;
        }
        let mut count = PerWorldCount {
            hidden,
            all: rules.cards() as u8,
        };
        for (_, card) in view.hand() {
            count.see(card.world);
        }
        count
    }

    fn see(&mut self, world: World) {
        if let Some(hidden) = self.hidden.get_mut(world.index()) {
            *hidden = hidden.saturating_sub(1);
            self.all = self.all.saturating_sub(1);
        }
    }

    fn played(&mut self, play: &Played) {
        self.see(play.card.world);
    }

    /// How likely a hand of so many cards has none of `world`.
    fn void(&self, world: World, hand: u8) -> f32 {
        let of_world = self.hidden.get(world.index()).copied().unwrap_or(0);
        power(share(self.all.saturating_sub(of_world), self.all), hand)
    }
}

/// `part` of `all`.
pub fn share(part: u8, all: u8) -> f32 {
    if all == 0 {
        0.0
    } else {
        f32::from(part) / f32::from(all)
    }
}

/// A probability for each of `times` cards.
pub fn power(base: f32, mut times: u8) -> f32 {
    let (mut result, mut square) = (1.0, base);
    while times > 0 {
        if times & 1 == 1 {
            result *= square;
        }
        square *= square;
        times >>= 1;
    }
    result
}
