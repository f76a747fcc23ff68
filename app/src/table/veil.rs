//! The first frames of the play screen: part by part, for all at once would hold the window up. No part is seen where it will not stay.

use std::cell::Cell;

use adw::prelude::*;

use super::TableScreen;
use crate::components::soon::frames_later;

impl TableScreen {
    /// The first frame shows the sky alone: where a whole page changes, that is enough to paint.
    pub(super) fn veil(&self) {
        self.child().iter().for_each(|all| all.set_visible(false));
        let parts = self.parts();
        parts.frame.set_visible(false);
        parts.board.set_visible(false);
        parts.worlds.set_visible(false);
        parts.middle.set_visible(false);
        parts.tiles.set_visible(false);
        let begun = Cell::new(false);
        self.connect_map(move |screen| {
            if !begun.replace(true) {
                frames_later(screen, 1, TableScreen::show_frame);
            }
        });
    }

    /// The log comes before the table: together they would take the whole window.
    fn show_frame(&self) {
        self.child().iter().for_each(|all| all.set_visible(true));
        frames_later(self, 0, |screen| {
            screen.parts().frame.set_visible(true);
            screen.mind_focus();
            frames_later(screen, 0, TableScreen::show_upper);
        });
    }

    /// Half a board would be pushed up again by the rest: it takes its place unseen.
    fn show_upper(&self) {
        let parts = self.parts();
        parts.board.set_opacity(0.0);
        parts.board.set_visible(true);
        frames_later(self, 0, |screen| {
            screen.parts().worlds.set_visible(true);
            frames_later(screen, 0, TableScreen::show_lower);
        });
    }

    fn show_lower(&self) {
        let parts = self.parts();
        parts.middle.set_opacity(0.0);
        parts.middle.set_visible(true);
        frames_later(self, 0, |screen| {
            let parts = screen.parts();
            parts.tiles.set_visible(true);
            parts.board.set_opacity(1.0);
            frames_later(screen, 0, |screen| screen.parts().middle.set_opacity(1.0));
        });
    }
}
