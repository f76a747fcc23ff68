//! Which card to play: TRK-1, TRK-2, weighed in victory points.

use super::outlook::Outlook;
use crate::{
    bot::belief,
    game::Seat,
    shamans::{Card, Role, Values, World},
};

/// Values below one value.
const fn below(value: u8) -> Values {
    Values(((1u16 << (value - 1)) - 1) as u8)
}

/// Values above one value.
const fn above(value: u8) -> Values {
    Values(!(((1u16 << value) - 1) as u8))
}

/// What may come of a card of the Destination.
pub struct Standing {
    /// How likely it stays the lowest,
    pub lowest: f32,
    /// and the highest.
    pub highest: f32,
    /// What the ritual is worth that it may complete.
    pub completes: f32,
}

impl Outlook<'_> {
    /// What playing a card is worth.
    pub fn play(&self, card: Card) -> f32 {
        let hand = -self.keeping(card.world);
        hand + match self.view.trick().destination {
            None => self.lead(card),
            Some(world) if world == card.world => self.follow(card),
            Some(world) => self.stray(card, world),
        }
    }

    /// Who plays after the viewer.
    fn to_come(&self) -> impl Iterator<Item = Seat> + use<> {
        self.view.trick().to_play.without(self.me).iter()
    }

    fn lead(&self, card: Card) -> f32 {
        self.steps(self.strays(card.world)) + self.stand(card)
    }

    /// How many of those to come will probably not follow `world`.
    pub fn strays(&self, world: World) -> f32 {
        self.to_come().map(|seat| self.void(seat, world)).sum()
    }

    fn follow(&self, card: Card) -> f32 {
        self.stand(card)
    }

    /// What may come of a card of the Destination: the lowest takes a tile, the highest performs the ritual and leads.
    fn stand(&self, card: Card) -> f32 {
        let Standing {
            lowest,
            highest,
            completes,
        } = self.standing(card);
        lowest * self.best_tile().max(0.0) + highest * (self.leading() + completes)
            - (1.0 - highest) * 0.3 * completes.max(0.0)
    }

    /// How a card of the Destination will probably stand at the end of the trick.
    pub fn standing(&self, card: Card) -> Standing {
        let world = card.world;
        let trick = self.view.trick();
        let out = self.unseen(world);
        let follow: f32 = self
            .to_come()
            .map(|seat| 1.0 - self.void(seat, world))
            .sum();
        let in_play = self.view.in_play();
        let on_table = trick
            .cards
            .iter()
            .filter(|(seat, _)| in_play.contains(*seat));
        let (mut lowest, mut highest) = (1.0f32, 1.0f32);
        for other in on_table.filter_map(|(_, card)| *card) {
            if other.value < card.value {
                lowest = 0.0;
            } else {
                highest = 0.0;
            }
        }
        let out_of = out.len() as u8;
        let spoil = |rivals: Values| {
            let rivals = Values(rivals.0 & out.0).len() as u8;
            // Each follower plays any of them.
            1.0 - belief::share(rivals, out_of) * follow.min(1.0)
                - belief::share(rivals, out_of) * 0.25 * (follow - 1.0).max(0.0)
        };
        lowest *= spoil(below(card.value)).max(0.0);
        highest *= spoil(above(card.value)).max(0.0);
        Standing {
            lowest,
            highest,
            completes: self.completes(card, follow),
        }
    }

    /// What the next lead is worth.
    pub fn leading(&self) -> f32 {
        let step = self.steps(1.0);
        match self.role {
            // A Shaman leads what others can follow, a Shadow what they cannot.
            Role::Shaman => -0.5 * step,
            Role::Shadow => 0.8 * step,
        }
    }

    /// The ritual, if all that is missing of the card's world may come in this trick.
    fn completes(&self, card: Card, follow: f32) -> f32 {
        let missing = self.unseen(card.world).len() as f32;
        if self.mine(card.world).len() > 1 || missing > follow + 0.5 {
            return 0.0;
        }
        let likely = if missing == 0.0 { 1.0 } else { 0.5 };
        likely * self.rite(self.view.rules().ritual(card.world))
    }

    fn stray(&self, card: Card, destination: World) -> f32 {
        let ritual = if self.completes_at_once(card) {
            self.rite(self.view.rules().ritual(card.world))
        } else {
            0.0
        };
        let suspicion = if self.mine(destination).is_empty() {
            0.0
        } else {
            self.suspicion()
        };
        self.steps(1.0) + ritual - suspicion
    }

    /// TRK-4: a stray card that completes its world, unless the round may be over before it.
    pub fn completes_at_once(&self, card: Card) -> bool {
        let laid = self.view.laid(card.world).with(card.value);
        laid == self.view.rules().whole() && self.view.steps_to_moon() > 1
    }

    /// What it costs to be seen straying from a Destination one could have followed.
    pub fn suspicion(&self) -> f32 {
        let rest =
            f32::from(self.view.hand_size(self.me) as u8) / f32::from(self.view.rules().hand);
        match (self.role, self.view.shown_role(self.me)) {
            // What all know cannot be given away.
            (Role::Shaman | Role::Shadow, Some(_)) => 0.0,
            (Role::Shaman, None) => 0.15,
            (Role::Shadow, None) => (0.25 + 0.6 * self.danger()) * rest,
        }
    }
}
