//! Choosing, and confirming what is chosen: a card, a tile, or a player who is to be struck or swapped with. Choosing sends nothing.

use gtk::{prelude::*, subclass::prelude::*};

use super::Session;
use crate::{
    pieces::Action,
    session::models::{CardModel, mirror},
};

/// Is this asked about once more? It cannot be taken back, and a finger slips. Cards have a way of their own.
pub fn is_weighty(action: Action) -> bool {
    match action {
        Action::Take(_) | Action::Strike { .. } | Action::Swap { .. } => true,
        Action::Play { .. }
        | Action::Give { .. }
        | Action::Portal { .. }
        | Action::MoveBack
        | Action::TakeInstead
        | Action::Spare
        | Action::Perform { .. }
        | Action::Decline
        | Action::NameGuide { .. } => false,
    }
}

impl Session {
    /// The card chosen and not yet confirmed.
    pub fn selected(&self) -> Option<CardModel> {
        self.hand()
            .iter::<CardModel>()
            .flatten()
            .find(|card| card.selected())
    }

    /// The tile or player chosen and not yet confirmed.
    pub fn picked(&self) -> Option<Action> {
        self.imp().picked.get()
    }

    pub(super) fn clear_selection(&self) {
        self.imp().picked.set(None);
        for card in self.hand().iter::<CardModel>().flatten() {
            mirror!(card, selected, set_selected, false);
        }
    }

    /// Chooses a card, or lets it go when it was chosen. With single clicks it is played.
    pub fn choose(&self, card: &CardModel) {
        let on = !card.selected();
        if self.settings().single_click() && self.card_action(card).is_some() {
            self.play(card);
            return;
        }
        self.clear_selection();
        card.set_selected(on);
        self.emit_by_name::<()>("changed", &[]);
    }

    /// Chooses a tile or a player, or lets them go; with single clicks, and where nothing hangs on it, it is done at once.
    pub fn pick(&self, action: Action) {
        if self.settings().single_click() || !is_weighty(action) {
            self.try_act(action);
            return;
        }
        let legal = self.with_table(|table| table.legal.contains(&action));
        if legal != Some(true) || self.is_busy() {
            return;
        }
        let on = self.picked() != Some(action);
        self.clear_selection();
        self.imp().picked.set(on.then_some(action));
        self.emit_by_name::<()>("changed", &[]);
    }

    /// Lets go what is chosen.
    pub fn unchoose(&self) {
        self.clear_selection();
        self.emit_by_name::<()>("changed", &[]);
    }

    /// Does what is chosen.
    pub fn confirm(&self) {
        if let Some(card) = self.selected() {
            self.play(&card);
        } else if let Some(action) = self.picked() {
            self.try_act(action);
        }
    }

    fn card_action(&self, card: &CardModel) -> Option<Action> {
        let slot = card.place();
        self.with_table(|table| {
            table.legal.iter().copied().find(|action| match action {
                Action::Play { slot: at, .. } | Action::Give { slot: at } => *at == slot,
                _ => false,
            })
        })
        .flatten()
    }

    fn play(&self, card: &CardModel) {
        if let Some(action) = self.card_action(card) {
            self.try_act(action);
        }
    }
}
