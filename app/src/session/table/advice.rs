//! Advice at a practise table: asked for by the player, thought out by the worker, kept until something happens.

use gtk::{prelude::*, subclass::prelude::*};
use shamans_core::bot::advice::Counsel;

use super::Session;
use crate::{
    pieces::Action,
    session::worker::Command,
    words::{
        advice::{self, Hint},
        happened::Names,
    },
};

impl Session {
    /// Asks what to do, if that can be asked now.
    pub fn ask_advice(&self) {
        let known = !self.imp().advice.borrow().is_empty();
        if !self.advises() || !self.asked() || self.thinking() || known {
            return;
        }
        if self.send(Command::Advise) {
            self.set_thinking(true);
            self.emit_by_name::<()>("changed", &[]);
        }
    }

    /// The answer, unless the player has moved on meanwhile.
    pub(super) fn take_advice(&self, counsels: Vec<Counsel>) {
        let wanted = self.thinking() && self.asked();
        let legal = |counsel: &Counsel| {
            self.with_table(|table| table.legal.contains(&counsel.action))
                .unwrap_or(false)
        };
        self.set_thinking(false);
        if wanted && counsels.iter().all(legal) {
            self.imp().advice.replace(counsels);
        }
        self.refresh();
    }

    /// It was about a moment that is over.
    pub(super) fn forget_advice(&self) {
        self.set_thinking(false);
        self.imp().advice.borrow_mut().clear();
    }

    /// What is advised now.
    pub fn advised(&self) -> Option<Action> {
        let advice = self.imp().advice.borrow();
        advice.first().map(|counsel| counsel.action)
    }

    /// The advice in words.
    pub fn hint(&self) -> Option<Hint> {
        let counsels = self.imp().advice.borrow();
        self.with_table(|table| {
            let names: Vec<String> = table.seats.iter().map(|seat| seat.name.clone()).collect();
            let people = Names {
                names: &names,
                me: table.me,
            };
            advice::hint(&counsels, table, people)
        })
        .flatten()
    }
}
