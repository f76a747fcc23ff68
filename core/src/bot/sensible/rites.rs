//! Tiles, rituals and the Eclipse, weighed in victory points.

use super::outlook::Outlook;
use crate::{
    game::{Seat, Slot},
    shamans::{Artefact, Pick, Ritual, Role, World},
};

impl Outlook<'_> {
    /// ART-1: what taking this is worth.
    pub fn tile(&self, pick: Pick) -> f32 {
        match pick {
            Pick::FaceUp(place) => {
                let tile = self.view.offer().nth(usize::from(place)).flatten();
                tile.map_or(0.0, |artefact| self.artefact(artefact, true))
            }
            Pick::Pile => self.pile(),
        }
    }

    /// The best there is to take.
    pub fn best_tile(&self) -> f32 {
        *self.best_tile.get_or_init(|| {
            let up = self.view.offer().flatten();
            let best = up.map(|artefact| self.artefact(artefact, true));
            let pile = if self.view.pile() > 0 {
                self.pile()
            } else {
                0.0
            };
            best.fold(pile, f32::max)
        })
    }

    /// The best there is to strike.
    fn best_strike(&self) -> f32 {
        *self.best_strike.get_or_init(|| {
            let others = self.others().map(|seat| self.strike(seat));
            others.fold(-9.0, f32::max)
        })
    }

    /// The top of the pile: each tile not seen yet is as likely as the other.
    fn pile(&self) -> f32 {
        let rules = self.view.rules();
        let stones = rules.keepsakes - rules.daggers - rules.portals;
        let kinds = [
            (Artefact::Dagger, rules.daggers),
            (Artefact::Portal, rules.portals),
            (Artefact::Moonstone, stones),
            (Artefact::Mask, rules.masks),
        ];
        let (mut sum, mut tiles) = (0.0, 0.0f32);
        for (artefact, all) in kinds {
            let out = f32::from(all.saturating_sub(self.in_sight(artefact)));
            sum += out * self.artefact(artefact, artefact == Artefact::Mask);
            tiles += out;
        }
        if tiles > 0.0 { sum / tiles } else { 0.0 }
    }

    /// Tiles of a kind that the viewer can see.
    fn in_sight(&self, artefact: Artefact) -> u8 {
        let offered = self
            .view
            .offer()
            .flatten()
            .filter(|&a| a == artefact)
            .count();
        let everyone = crate::game::SeatSet::first(self.view.rules().seats());
        let held = everyone.iter().flat_map(|seat| self.view.tiles(seat));
        (offered + held.filter(|tile| tile.artefact == Some(artefact)).count()) as u8
    }

    fn artefact(&self, artefact: Artefact, face_up: bool) -> f32 {
        match artefact {
            Artefact::Moonstone => {
                let rules = self.view.rules();
                let stones = rules.keepsakes - rules.daggers - rules.portals;
                match self.moonstones {
                    0 if self.in_sight(Artefact::Moonstone) >= stones => 0.3,
                    0 => 0.75,
                    1 => f32::from(rules.moonstone_points) * 0.95,
                    _ => 0.35,
                }
            }
            Artefact::Dagger => {
                let rites = self.neutralisations();
                let best = self.best_strike();
                // One that lies up must be used, well or badly.
                let use_of_it = if face_up {
                    best.max(-0.4)
                } else {
                    best.max(0.0)
                };
                let first = if self.daggers == 0 { 1.0 } else { 0.3 };
                first * rites * (0.15 + 0.5 * use_of_it)
            }
            Artefact::Portal => {
                let near = match self.role {
                    Role::Shaman => -self.steps(1.0),
                    Role::Shadow => self.steps(1.0),
                };
                0.2 + 1.2 * near
            }
            // ART-5: a Shadow shown is a target; a Shaman shown is trusted, and hunted by the Shadows.
            Artefact::Mask => match (self.view.shown_role(self.me), self.role) {
                (Some(_), _) => 0.05,
                (None, Role::Shaman) => 0.1,
                (None, Role::Shadow) => -0.3 - 1.2 * self.danger(),
            },
        }
    }

    /// How likely a Neutralisation is still to come to the viewer.
    fn neutralisations(&self) -> f32 {
        let rules = self.view.rules();
        let open = rules.all_worlds().filter(|&world| {
            rules.ritual(world) == Ritual::Neutralisation && self.view.laid(world) != rules.whole()
        });
        (open.count() as f32 / self.view.in_play().len().max(1) as f32).min(1.0)
    }

    /// How likely the others can strike, from 0 to 1.
    pub fn danger(&self) -> f32 {
        let mut daggers = 0.0f32;
        for seat in self.others() {
            for tile in self.view.tiles(seat) {
                daggers += match tile.artefact {
                    Some(Artefact::Dagger) => 0.5,
                    Some(Artefact::Portal | Artefact::Moonstone | Artefact::Mask) => 0.0,
                    None => 0.2,
                };
            }
        }
        daggers.min(1.0)
    }

    /// RIT-1
    pub fn back(&self) -> f32 {
        self.steps(-f32::from(self.view.rules().back))
    }

    /// What performing a ritual is worth to the viewer.
    pub fn rite(&self, ritual: Ritual) -> f32 {
        match ritual {
            Ritual::Stabilisation => self.back().max(self.best_tile()),
            Ritual::Permutation => self
                .others()
                .map(|seat| self.swap(seat))
                .fold(-9.0, f32::max),
            Ritual::Illumination => f32::from(self.view.rules().illumination),
            Ritual::Neutralisation => match (self.dagger_up, self.daggers) {
                (true, _) => self.best_strike(),
                (false, 0) => 0.0,
                (false, _) => self.best_strike().max(0.0),
            },
        }
    }

    /// RIT-2: the other's role for one's own.
    pub fn swap(&self, with: Seat) -> f32 {
        let shadow = self.shadow(with);
        let theirs =
            shadow * self.value(Role::Shadow, 0.0) + (1.0 - shadow) * self.value(Role::Shaman, 0.0);
        // A role that lies open for all draws daggers if it is a Shadow's.
        let shown = match self.view.shown_role(with) {
            Some(Role::Shadow) => 0.6 * self.danger(),
            Some(Role::Shaman) | None => 0.0,
        };
        theirs - shown - self.value(self.role, 0.0)
    }

    /// RIT-4: what eliminating a seat is worth.
    pub fn strike(&self, target: Seat) -> f32 {
        let shadow = self.shadow(target);
        let now = self.value(self.role, 0.0);
        let cards = self.view.hand_size(target) as f32;
        // One rival less for the points, whoever it is; the one in front first.
        let rival = 0.1 + 0.02 * f32::from(self.view.points(target));
        // ELI-2
        let shaman = self.value(self.role, cards) - now;
        // ELI-3, ELI-4
        let hit = match (self.role, self.shadows_in_play()) {
            (Role::Shaman, 0 | 1) => self.stake - now,
            (Role::Shaman, _) => self.value(Role::Shaman, -5.0) - now,
            (Role::Shadow, _) => self.value(Role::Shadow, -3.0) - now,
        };
        shadow * hit + (1.0 - shadow) * shaman + rival
    }

    fn shadows_in_play(&self) -> usize {
        let rules = self.view.rules();
        let everyone = crate::game::SeatSet::first(rules.seats());
        let out = everyone.iter().filter(|&seat| {
            self.view.is_eliminated(seat) && self.view.shown_role(seat) == Some(Role::Shadow)
        });
        usize::from(rules.players - rules.shamans) - out.count()
    }

    /// ECL-2: what the hand misses least.
    pub fn give(&self, slot: Slot) -> f32 {
        let card = self.view.hand().find(|&(held, _)| held == slot);
        card.map_or(0.0, |(_, card)| -self.keeping(card.world))
    }

    /// What keeping one more card of a world is worth: being able to follow it, and not having to lead it.
    pub fn keeping(&self, world: World) -> f32 {
        let step = self.steps(1.0);
        let out = self.unseen(world).len() as f32;
        match self.mine(world).len() {
            0 => 0.0,
            // The last one: without it the viewer strays when the world is led. To a Shadow that is an excuse.
            1 => -step * (0.25 * out).min(0.8),
            held => -step * (0.05 * out).min(0.3) / held as f32,
        }
    }
}
