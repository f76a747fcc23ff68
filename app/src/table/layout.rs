//! Where things lie on the play screen, by the room there is.

use adw::{prelude::*, subclass::prelude::*};

use super::TableScreen;
use crate::{components::seat::SeatPanel, session::models::SeatModel};

impl TableScreen {
    pub(super) fn seat_players(&self) {
        let parts = self.parts();
        while let Some(child) = parts.seats.first_child() {
            parts.seats.remove(&child);
        }
        // Opponents in turn order from the left, the player last.
        let models: Vec<SeatModel> = parts
            .session
            .seats()
            .iter::<SeatModel>()
            .flatten()
            .collect();
        let me = models.iter().position(SeatModel::me);
        // A record is nobody's: from the first seat on.
        let first = me.map_or(0, |me| me + 1);
        let order = (0..models.len()).map(|i| (first + i) % models.len().max(1));
        let panels: Vec<SeatPanel> = order
            .filter_map(|i| models.get(i))
            .map(SeatPanel::new)
            .collect();
        for panel in &panels {
            panel.set_narrow(parts.frame.narrow());
            parts.seats.append(panel);
        }
        if let Some(own) = panels.last().filter(|_| me.is_some()) {
            own.add_css_class("own");
        }
        self.imp().panels.replace(panels);
    }

    pub(super) fn lay_out(&self) {
        let parts = self.parts();
        let (narrow, high) = (parts.frame.narrow(), parts.frame.height_class());
        let class = |class: &str, on: bool| {
            if on {
                self.add_css_class(class)
            } else {
                self.remove_css_class(class)
            }
        };
        class("narrow", narrow);
        class("short", high == 0);
        class("tall", high == 2 && !narrow);
        for panel in self.imp().panels.borrow().iter() {
            panel.set_narrow(narrow);
        }
        parts.seats.set_spacing(if narrow { 4 } else { 8 });
        parts.path.set_high(if narrow {
            62
        } else {
            [88, 100, 140].get(high as usize).copied().unwrap_or(96)
        });
        parts.middle.set_orientation(if narrow {
            gtk::Orientation::Vertical
        } else {
            gtk::Orientation::Horizontal
        });
        parts.middle.set_spacing(if narrow { 6 } else { 48 });
        parts.tiles.set_size(if narrow {
            54
        } else {
            [70, 86, 112].get(high as usize).copied().unwrap_or(70)
        });
        let (trick, hand) = match (narrow, high) {
            (true, _) => (52, 66),
            (false, 0) => (68, 80),
            (false, 1) => (92, 96),
            (false, _) => (124, 128),
        };
        parts.worlds.set_narrow(narrow);
        parts.prompt.set_narrow(narrow);
        parts.trick.set_wide(trick);
        parts.hand.set_wide(hand);
        parts.identity.set_wide(if narrow { 50 } else { hand });
        parts.board.set_spacing(if narrow {
            6
        } else {
            [8, 10, 22].get(high as usize).copied().unwrap_or(8)
        });
        parts.bottom.set_spacing(if narrow { 6 } else { 14 });
        parts
            .flap
            .set_fold_threshold_policy(adw::FoldThresholdPolicy::Minimum);
    }
}
