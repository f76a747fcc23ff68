//! Where things lie on the play screen, by the room there is.

use adw::{prelude::*, subclass::prelude::*};

use super::TableScreen;
use crate::{
    components::{
        adaptive::{height_class, is_narrow},
        seat::SeatPanel,
    },
    session::models::SeatModel,
};

/// How wide cards are in the trick and in the hand of a window that is not narrow, by its height.
const TRICK: [i32; 3] = [68, 92, 124];
const HAND: [i32; 3] = [80, 96, 128];

/// The same at this height; at last those of a trick in a record, where less height is left for the table.
pub fn card_widths(height: i32) -> [i32; 3] {
    let class = height_class(height) as usize;
    let less = class.saturating_sub(1);
    [(TRICK, class), (HAND, class), (TRICK, less)]
        .map(|(widths, class)| widths.get(class).copied().unwrap_or_default())
}

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
            parts.seats.append(panel);
        }
        if let Some(own) = panels.last().filter(|_| me.is_some()) {
            own.add_css_class("own");
        }
        self.imp().panels.replace(panels);
        self.lay_out();
    }

    pub(super) fn lay_out(&self) {
        let parts = self.parts();
        let narrow = parts.frame.narrow();
        let high = parts.frame.height_class();
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
        // Pictures grow too where text is larger, but half as much: what they show is large already, and room is short.
        let larger = 1.0 + (parts.frame.text_scale() - 1.0) / 2.0;
        let size = |usual: i32| (f64::from(usual) * larger).round() as i32;
        let by_height =
            |sizes: [i32; 3]| size(sizes.get(high as usize).copied().unwrap_or_default());
        for panel in self.imp().panels.borrow().iter() {
            panel.set_narrow(narrow, larger);
        }
        parts.notices.show_one(narrow);
        parts.seats.set_spacing(if narrow { 4 } else { 8 });
        let path = if narrow {
            size(62)
        } else {
            by_height([88, 100, 140])
        };
        parts.path.set_high(path.unsigned_abs());
        let (across, gap) = match (narrow, parts.frame.phone()) {
            (false, _) => (gtk::Orientation::Horizontal, 48),
            (true, false) => (gtk::Orientation::Horizontal, 24),
            (true, true) => (gtk::Orientation::Vertical, 6),
        };
        parts.middle.set_orientation(across);
        parts.middle.set_spacing(gap);
        let (tile, trick, hand) = if narrow {
            (size(54), size(52), size(66))
        } else {
            (by_height([70, 86, 112]), by_height(TRICK), by_height(HAND))
        };
        parts.tiles.set_size(tile);
        parts.worlds.set_narrow(narrow, larger);
        parts.prompt.set_narrow(narrow);
        parts.trick.set_wide(trick);
        parts.hand.set_wide(hand);
        parts
            .identity
            .set_wide(if narrow { size(50) } else { hand });
        parts.board.set_spacing(if narrow {
            6
        } else {
            [8, 10, 22].get(high as usize).copied().unwrap_or(8)
        });
        parts.bottom.set_spacing(if narrow { 6 } else { 14 });
        parts.side.set_width_request(size(250));
        self.place_speakers();
        parts
            .flap
            .set_fold_threshold_policy(adw::FoldThresholdPolicy::Minimum);
    }

    /// Whoever explains needs height, and the board has none to spare: where the log stands beside the table, there.
    pub(super) fn place_speakers(&self) {
        let parts = self.parts();
        // By the room there is for both, and not by what is left when they stand there: that would change with the answer.
        let room = parts.flap.width() - parts.side.width_request();
        let wide = parts.flap.width() == 0 || !is_narrow(room);
        let beside = self.log_shown() && !parts.flap.is_folded() && wide;
        let place = if beside { &parts.side } else { &parts.column };
        if parts.speakers.parent().as_ref() == Some(place.upcast_ref()) {
            return;
        }
        let focus = self.root().and_then(|root| root.focus());
        let focus = focus.filter(|widget| widget.is_ancestor(&parts.speakers));
        if let Some(before) = parts.speakers.parent().and_downcast::<gtk::Box>() {
            before.remove(&parts.speakers);
        }
        if beside {
            place.prepend(&parts.speakers);
        } else {
            place.insert_child_after(&parts.speakers, Some(&parts.scroll));
        }
        self.set_beside(beside);
        if let Some(widget) = focus {
            widget.grab_focus();
        }
    }
}
