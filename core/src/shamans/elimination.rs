//! Elimination: ELI-1 to ELI-4, ART-7.

use alloc::vec::Vec;

use super::{
    Shamans,
    card::Role,
    event::{EndCause, Event, PawnCause},
    state::{Task, Then, WorldSet},
};
use crate::game::{Audience, DeckRequest, Face, Seat};

impl Shamans {
    /// ELI-1: reveals the identity, and is out until the round ends.
    pub(super) fn eliminate(&mut self, by: Seat, target: Seat, events: &mut Vec<Event>) {
        let place = &mut self.round.places[target];
        let Some(role) = place.role else {
            let slots = Vec::from([(place.identity, Audience::All)]);
            return self.ask(DeckRequest::Open { slots }, Then::Unveil { by, target });
        };
        // ART-7: what is eliminated takes part in nothing; face-down tiles stay down.
        place.eliminated = true;
        let cards = place.hand.len() as u8;
        events.push(Event::Eliminated {
            seat: target,
            by,
            role,
            cards,
        });
        // TRK-6
        self.round.trick.to_play = self.round.trick.to_play.without(target);
        match role {
            // ELI-2: one step for every card; the hand is laid aside face down.
            Role::Shaman if cards > 0 => self.push_advance(cards, PawnCause::Elimination),
            Role::Shaman => {}
            Role::Shadow if self.shadows_in_play() == 0 => {
                // ELI-3, END-2
                self.end_round(Role::Shaman, EndCause::LastShadow, events);
            }
            Role::Shadow if cards == 0 => {}
            Role::Shadow => {
                // ELI-4
                let hand = self.round.places[target].hand.iter();
                let slots = hand.map(|&slot| (slot, Audience::All)).collect();
                self.ask(DeckRequest::Open { slots }, Then::ShowHand { by, target });
            }
        }
    }

    /// Every Shadow that is out has been shown, so the rest are in play.
    fn shadows_in_play(&self) -> usize {
        let out = self
            .round
            .places
            .iter()
            .filter(|(_, p)| p.eliminated && p.role == Some(Role::Shadow))
            .count();
        usize::from(self.rules.players - self.rules.shamans) - out
    }

    /// ELI-4: the hand goes to the worlds; the player who eliminated performs every ritual this completes.
    pub(super) fn show_hand(
        &mut self,
        by: Seat,
        target: Seat,
        faces: &[Option<Face>],
        events: &mut Vec<Event>,
    ) {
        let rules = self.rules;
        let cards: Vec<_> = faces
            .iter()
            .copied()
            .flatten()
            .filter_map(|face| rules.card(face))
            .collect();
        self.round.places[target].hand.clear();
        let mut complete = WorldSet::default();
        for &card in &cards {
            self.lay(card);
            if self.round.laid[card.world] == rules.whole() {
                complete = complete.with(card.world);
            }
        }
        events.push(Event::HandShown {
            seat: target,
            cards,
        });
        self.push(Task::Rituals(by, complete));
    }
}
