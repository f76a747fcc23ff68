//! Who is probably a Shadow: what the plays of the round say, put together with every identity the viewer knows.
//!
//! Who strays from a Destination that they could have followed pushes the pawn on purpose. Whether they could is seldom certain:
//! it is, when they play that world later; else the cards that are still out say how likely it was. The evidence speaks about
//! identity cards, so it follows them through swaps.

use arrayvec::ArrayVec;
use rand::Rng;

use crate::{
    game::{MAX_SEATS, PerSeat, SeatSet, Slot},
    shamans::{
        Role, View, World,
        card::MAX_WORLDS,
        state::{Played, WorldSet},
    },
};

/// How often a Shadow strays who could follow.
const SHADOW_STRAYS: f32 = 0.45;
/// How often a Shaman does, for a ritual.
const SHAMAN_STRAYS: f32 = 0.05;

/// At most two Shadows among at most four other seats, or among five for a spectator.
pub const MAX_SETS: usize = 10;

/// Every set of seats that may be the Shadows, as the viewer sees it, with how likely it is against the others.
pub fn shadow_sets(view: &View<'_>) -> ArrayVec<(SeatSet, f32), MAX_SETS> {
    let rules = view.rules();
    let everyone = SeatSet::first(rules.seats());
    let with = |role| -> SeatSet {
        let seats = everyone.iter();
        seats
            .filter(|&seat| view.role(seat) == Some(role))
            .collect()
    };
    let sure = with(Role::Shadow);
    let open = everyone.minus(sure).minus(with(Role::Shaman));
    let left = (rules.seats() - usize::from(rules.shamans)).saturating_sub(sure.len());
    let mut sets = ArrayVec::new();
    if left == 0 || left >= open.len() {
        // Everything follows from what is known.
        let rest = if left == 0 { SeatSet::EMPTY } else { open };
        sets.push((sure.or(rest), 1.0));
        return sets;
    }
    let odds = odds(view);
    for one in open.iter() {
        if left == 1 {
            // More sets than there is room for come only of data with more Shadows than this game has.
            let _ = sets.try_push((sure.with(one), odds[one]));
        } else {
            for other in open.iter().filter(|&other| other > one) {
                let _ = sets.try_push((sure.with(one).with(other), odds[one] * odds[other]));
            }
        }
    }
    sets
}

/// How likely each seat is a Shadow, as the viewer sees it.
pub fn shadows(view: &View<'_>) -> PerSeat<f32> {
    let sets = shadow_sets(view);
    let all: f32 = sets.iter().map(|(_, weight)| weight).sum();
    PerSeat::from_fn(|seat| {
        let of = sets.iter().filter(|(set, _)| set.contains(seat));
        of.map(|(_, weight)| weight).sum::<f32>() / all.max(f32::MIN_POSITIVE)
    })
}

/// One of the sets that may be the Shadows, by chance, each as often as it is likely.
pub fn guess_shadows(sets: &[(SeatSet, f32)], rng: &mut dyn Rng) -> SeatSet {
    let all: f32 = sets.iter().map(|(_, weight)| weight).sum();
    let mut at = all * ((rng.next_u32() >> 8) as f32 / 16_777_216.0);
    for &(set, weight) in sets {
        at -= weight;
        if at < 0.0 {
            return set;
        }
    }
    sets.last().map_or(SeatSet::EMPTY, |&(set, _)| set)
}

/// Worlds of which each seat has probably none, if it is a Shaman: it strayed from them and nothing since speaks against it.
pub fn strayed_from(view: &View<'_>) -> PerSeat<WorldSet> {
    let since = view.eclipse_after().unwrap_or(0);
    let mut none = PerSeat::<WorldSet>::default();
    for play in view.plays().get(since..).unwrap_or_default() {
        let theirs = &mut none[play.seat];
        if play.card.world != play.destination {
            *theirs = theirs.with(play.destination);
        }
        *theirs = theirs.without(play.card.world);
    }
    none
}

/// For each seat, how much likelier its plays are for a Shadow than for a Shaman.
fn odds(view: &View<'_>) -> PerSeat<f32> {
    let plays = view.plays();
    let phantoms = view.phantoms();
    let first = Slot(view.rules().cards());
    let mut by_card = [1.0f32; MAX_SEATS];
    let mut out = PerWorldCount::new(view);
    let shown = LastPlays::new(view);
    for (at, play) in plays.iter().enumerate() {
        out.played(play);
        // A phantom plays blindly; a Guide's card says little.
        if play.led || phantoms.contains(play.seat) || Some(play.seat) == view.seat() {
            continue;
        }
        let factor = if play.card.world == play.destination {
            (1.0 - SHADOW_STRAYS) / (1.0 - SHAMAN_STRAYS)
        } else {
            let void = if shown.could_follow(at, play) {
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

/// When each seat last played each world, before the cards were passed and after: whoever plays a world had held it before. A card
/// that the Eclipse may have brought proves nothing.
struct LastPlays {
    /// Plays before the Eclipse; none without one.
    passed: usize,
    /// Counted from 1; 0 is never.
    before: PerSeat<[u8; MAX_WORLDS]>,
    after: PerSeat<[u8; MAX_WORLDS]>,
}

impl LastPlays {
    fn new(view: &View<'_>) -> LastPlays {
        let mut last = LastPlays {
            passed: view.eclipse_after().unwrap_or(0),
            before: PerSeat::default(),
            after: PerSeat::default(),
        };
        for (at, play) in view.plays().iter().enumerate() {
            let when = last.when_mut(at)[play.seat].get_mut(play.card.world.index());
            if let Some(when) = when {
                *when = at as u8 + 1;
            }
        }
        last
    }

    fn when_mut(&mut self, at: usize) -> &mut PerSeat<[u8; MAX_WORLDS]> {
        if at < self.passed {
            &mut self.before
        } else {
            &mut self.after
        }
    }

    /// Did the player of the card at this place show later that they had held the Destination?
    fn could_follow(&self, at: usize, stray: &Played) -> bool {
        let when = if at < self.passed {
            &self.before
        } else {
            &self.after
        };
        let last = when[stray.seat].get(stray.destination.index());
        last.is_some_and(|&last| usize::from(last) > at + 1)
    }
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
