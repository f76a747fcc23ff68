//! Why an action is good or bad: the parts of what the sensible bot thinks it is worth, each with its name.

use super::{cards::Standing, outlook::Outlook};
use crate::{
    bot::advice::{Argument, Arguments, Reason},
    shamans::{Action, Artefact, Card, Pick, Role, Way, World},
};

/// A weight below this, in victory points, is not worth a word.
const SLIGHT: f32 = 0.01;

impl Outlook<'_> {
    /// What speaks for and against an action, the weightiest first.
    pub fn arguments(&self, action: Action) -> Arguments {
        let mut all = Arguments::new();
        let mut say = |reason, weight: f32| {
            if weight.abs() >= SLIGHT {
                // More than fit are the least of it.
                let _ = all.try_push(Argument { reason, weight });
            }
        };
        match action {
            Action::Play { slot: _, card } => self.play_reasons(card, &mut say),
            Action::Take(pick) => self.take_reasons(pick, &mut say),
            Action::MoveBack => {
                let steps = -(self.view.rules().back as i8);
                say(Reason::MovesPawn { steps }, self.back());
            }
            Action::TakeInstead => say(Reason::Takes { artefact: None }, self.best_tile()),
            Action::Swap { with } => {
                let shadow = self.shadow(with);
                say(Reason::Becomes { with, shadow }, self.swap(with));
            }
            Action::Strike {
                tile: _,
                face: _,
                target,
            } => {
                let shadow = self.shadow(target);
                say(Reason::Hits { target, shadow }, self.strike(target));
            }
            Action::Spare | Action::Decline => say(Reason::Waits, SLIGHT),
            Action::Portal {
                tile: _,
                face: _,
                way,
            } => self.portal_reasons(way, &mut say),
            Action::Give { slot } => {
                let card = self.view.hand().find(|&(held, _)| held == slot);
                if let Some((_, card)) = card {
                    self.hand_reasons(card.world, &mut say);
                }
            }
            Action::Perform { world } => {
                let ritual = self.view.rules().ritual(world);
                say(Reason::Completes { world, ritual }, self.rite(ritual));
            }
            Action::NameGuide { seat } => {
                let ahead = f32::from(self.view.points(seat));
                say(Reason::HoldsBack { seat }, -0.1 * ahead);
            }
        }
        all.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
        all
    }

    fn play_reasons(&self, card: Card, say: &mut impl FnMut(Reason, f32)) {
        let step = self.steps(1.0);
        let ritual = self.view.rules().ritual(card.world);
        let completes = Reason::Completes {
            world: card.world,
            ritual,
        };
        match self.view.trick().destination {
            Some(world) if world != card.world => {
                let forced = self.mine(world).is_empty();
                if self.view.steps_to_moon() <= 1 {
                    say(Reason::ReachesMoon, step);
                } else {
                    say(Reason::Strays { forced }, step);
                }
                if self.completes_at_once(card) {
                    say(completes, self.rite(ritual));
                }
                if !forced {
                    say(Reason::GivesAway, -self.suspicion());
                }
            }
            led => {
                if led.is_some() {
                    say(Reason::Follows, -step);
                    if self.role == Role::Shadow {
                        say(Reason::StaysHidden, self.suspicion());
                    }
                } else {
                    let steps = self.strays(card.world);
                    say(Reason::OthersStray { steps }, self.steps(steps));
                }
                let Standing {
                    lowest,
                    highest,
                    completes: worth,
                } = self.standing(card);
                let tile = lowest * self.best_tile().max(0.0);
                say(Reason::Lowest { likely: lowest }, tile);
                let lead = highest * self.leading();
                say(Reason::Highest { likely: highest }, lead);
                say(completes, worth * (1.3 * highest - 0.3));
            }
        }
        self.hand_reasons(card.world, say);
    }

    /// What the hand loses with a card of `world`.
    fn hand_reasons(&self, world: World, say: &mut impl FnMut(Reason, f32)) {
        if self.mine(world).len() == 1 {
            say(Reason::LastOf { world }, -self.keeping(world));
        }
    }

    fn take_reasons(&self, pick: Pick, say: &mut impl FnMut(Reason, f32)) {
        let artefact = match pick {
            Pick::FaceUp(place) => self.view.offer().nth(usize::from(place)).flatten(),
            Pick::Pile => None,
        };
        let worth = self.tile(pick);
        let reason = match artefact {
            Some(Artefact::Moonstone) if self.moonstones == 1 => Reason::CompletesMoonstones,
            Some(Artefact::Mask) => Reason::ShowsIdentity,
            Some(Artefact::Dagger | Artefact::Portal | Artefact::Moonstone) | None => {
                Reason::Takes { artefact }
            }
        };
        say(reason, worth);
    }

    fn portal_reasons(&self, way: Way, say: &mut impl FnMut(Reason, f32)) {
        let distance = self.view.steps_to_moon();
        match way {
            Way::Forward if distance <= 1 => say(Reason::ReachesMoon, self.steps(1.0)),
            Way::Forward => say(Reason::MovesPawn { steps: 1 }, self.steps(1.0)),
            Way::Back => {
                say(Reason::KeepsFromMoon, self.steps(-1.0));
            }
        }
    }
}
