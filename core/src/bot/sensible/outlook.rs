//! What the round is worth: the viewer's hand against what is still out, how near the Moon is, and who is probably who.

use core::cell::OnceCell;

use crate::{
    game::{PerSeat, Seat},
    shamans::{Artefact, Role, Values, View, World, card::MAX_WORLDS, state::WorldSet},
};

use crate::bot::belief;

/// Everything the bot weighs an action with, worked out once for a decision.
pub struct Outlook<'a> {
    pub view: &'a View<'a>,
    pub me: Seat,
    pub role: Role,
    /// How likely each seat is a Shadow,
    shadow: OnceCell<PerSeat<f32>>,
    /// and what it strayed from: worked out when first asked for.
    strayed: OnceCell<PerSeat<WorldSet>>,
    /// The viewer's cards of each world.
    mine: [Values; MAX_WORLDS],
    /// Cards of each world that the viewer cannot see.
    unseen: [Values; MAX_WORLDS],
    /// How many those are.
    pub hidden: u8,
    /// Portals the viewer can use.
    pub portals: u8,
    /// Daggers the viewer can use, and whether one lies up.
    pub daggers: u8,
    pub dagger_up: bool,
    pub moonstones: u8,
    /// Steps the pawn will probably still be moved.
    drift: f32,
    /// How far that may be wrong.
    spread: f32,
    /// Victory points of a win in the viewer's role.
    pub stake: f32,
    /// Worked out once, when first asked for.
    pub best_tile: OnceCell<f32>,
    pub best_strike: OnceCell<f32>,
}

impl<'a> Outlook<'a> {
    pub fn new(view: &'a View<'a>, me: Seat) -> Outlook<'a> {
        let rules = view.rules();
        let role = view.role(me).unwrap_or(Role::Shaman);
        let mut mine = [Values::default(); MAX_WORLDS];
        for (_, card) in view.hand() {
            if let Some(values) = mine.get_mut(card.world.index()) {
                *values = values.with(card.value);
            }
        }
        let trick = view.trick();
        let mut unseen = [Values::default(); MAX_WORLDS];
        let mut hidden = 0;
        for (world, (unseen, mine)) in rules.all_worlds().zip(unseen.iter_mut().zip(&mine)) {
            let mut seen = Values(view.laid(world).0 | mine.0);
            if trick.destination == Some(world) {
                for card in trick.cards.iter().filter_map(|(_, card)| *card) {
                    seen = seen.with(card.value);
                }
            }
            if let Some((_, card)) = trick.stray.filter(|(_, card)| card.world == world) {
                seen = seen.with(card.value);
            }
            *unseen = Values(rules.whole().0 & !seen.0);
            hidden += unseen.len() as u8;
        }
        let (mut portals, mut daggers, mut dagger_up, mut moonstones) = (0, 0, false, 0);
        for tile in view.tiles(me) {
            match tile.artefact {
                Some(Artefact::Portal) => portals += 1,
                Some(Artefact::Dagger) => {
                    daggers += 1;
                    dagger_up |= tile.face_up;
                }
                Some(Artefact::Moonstone) => moonstones += 1,
                Some(Artefact::Mask) | None => {}
            }
        }
        let (drift, spread) = drift(view);
        Outlook {
            view,
            me,
            role,
            shadow: OnceCell::new(),
            strayed: OnceCell::new(),
            mine,
            unseen,
            hidden,
            portals,
            daggers,
            dagger_up,
            moonstones,
            drift,
            spread,
            stake: f32::from(match role {
                Role::Shaman => rules.shaman_points,
                Role::Shadow => rules.shadow_points,
            }),
            best_tile: OnceCell::new(),
            best_strike: OnceCell::new(),
        }
    }

    /// How likely a seat is a Shadow.
    pub fn shadow(&self, seat: Seat) -> f32 {
        self.shadow.get_or_init(|| belief::shadows(self.view))[seat]
    }

    /// Worlds that a seat strayed from.
    fn strayed(&self, seat: Seat) -> WorldSet {
        self.strayed.get_or_init(|| belief::strayed_from(self.view))[seat]
    }

    pub fn mine(&self, world: World) -> Values {
        self.mine.get(world.index()).copied().unwrap_or_default()
    }

    pub fn unseen(&self, world: World) -> Values {
        self.unseen.get(world.index()).copied().unwrap_or_default()
    }

    /// How likely the pawn gets to the Moon if it is `steps` nearer than it is now, and no longer moved by `played` of the cards
    /// that are still out.
    pub fn moon(&self, steps: f32) -> f32 {
        let distance = f32::from(self.view.steps_to_moon()) - steps;
        if distance <= 0.0 {
            return 1.0;
        }
        let x = (self.drift - distance) / self.spread;
        (0.5 + 0.5 * x / (1.0 + x.max(-x))).clamp(0.01, 0.99)
    }

    /// What a role is worth with the pawn `steps` nearer to the Moon.
    pub fn value(&self, role: Role, steps: f32) -> f32 {
        let rules = self.view.rules();
        match role {
            Role::Shaman => f32::from(rules.shaman_points) * (1.0 - self.moon(steps)),
            Role::Shadow => f32::from(rules.shadow_points) * self.moon(steps),
        }
    }

    /// What so many steps towards the Moon are worth to the viewer now.
    pub fn steps(&self, steps: f32) -> f32 {
        self.value(self.role, steps) - self.value(self.role, 0.0)
    }

    /// How likely a seat has no card of `world`.
    pub fn void(&self, seat: Seat, world: World) -> f32 {
        let of_world = self.unseen(world).len() as u8;
        if of_world == 0 {
            return 1.0;
        }
        let without = belief::share(self.hidden.saturating_sub(of_world), self.hidden);
        let hand = self.view.hand_size(seat) as u8;
        if self.view.phantoms().contains(seat) {
            // It plays its first card, whatever that is.
            return without;
        }
        let void = belief::power(without, hand);
        let strayed = self.strayed(seat).contains(world);
        let void = if strayed {
            // A Shaman who strayed had none.
            void.max(0.9 - 0.5 * self.shadow(seat))
        } else {
            void
        };
        // A Shadow may stray anyway.
        void + (1.0 - void) * 0.3 * self.shadow(seat)
    }
}

/// How many steps the cards still out will probably bring, and how unsure that is.
///
/// The number of steps at the start is tuned to what cards usually bring, so that is what is expected; what the round has brought
/// so far says how this table differs. Strays get more frequent as hands get small.
fn drift(view: &View<'_>) -> (f32, f32) {
    let rules = view.rules();
    let all = f32::from(rules.hand) * f32::from(rules.players);
    let usual = f32::from(rules.moon - rules.start(view.phantoms().len()));
    let plays = view.plays();
    let strays = plays
        .iter()
        .filter(|p| p.card.world != p.destination)
        .count();
    let left: usize = view.in_play().iter().map(|seat| view.hand_size(seat)).sum();
    let left = left as f32;
    // Cards of eliminated players never come.
    let done = plays.len() as f32;
    let part = done / all;
    let so_far = usual * part * (0.4 + 0.6 * part);
    let pace = ((strays as f32 + 4.0) / (so_far + 4.0)).clamp(0.5, 2.5);
    let rest = (usual - so_far) * left / (all - done).max(1.0);
    (rest * pace, 0.8 + 0.05 * left)
}
