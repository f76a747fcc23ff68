//! The first frames of the play screen: part by part, for all at once would hold the window up. No part is seen where it will not stay.

use adw::prelude::*;

use super::TableScreen;
use crate::components::soon::{after_first_frame, frames_later};

impl TableScreen {
    /// The first frame shows the sky alone: where a whole page changes, that is enough to paint.
    pub(super) fn veil(&self) {
        self.child().iter().for_each(|all| all.set_visible(false));
        let parts = self.parts();
        self.show_content(false);
        parts.board.set_visible(false);
        parts.worlds.set_visible(false);
        parts.middle.set_visible(false);
        parts.tiles.set_visible(false);
        after_first_frame(self, TableScreen::show_frame);
    }

    /// The log comes before the table: together they would take the whole window.
    fn show_frame(&self) {
        self.child().iter().for_each(|all| all.set_visible(true));
        frames_later(self, 0, |screen| {
            screen.show_content(true);
            screen.mind_focus();
            frames_later(screen, 0, TableScreen::show_board);
        });
    }

    // Not its frame: that keeps its place beside the log.
    fn show_content(&self, shown: bool) {
        let content = self.parts().frame.content();
        content.iter().for_each(|all| all.set_visible(shown));
    }

    /// Half a board would be pushed up again by the rest: each part takes its place unseen, and is seen when all have theirs.
    fn show_board(&self) {
        let parts = self.parts();
        let rows = self.rows();
        rows.iter().for_each(|row| row.set_opacity(0.0));
        parts.board.set_visible(true);
        frames_later(self, 0, |screen| {
            screen.parts().worlds.set_visible(true);
            frames_later(screen, 0, |screen| {
                screen.parts().middle.set_visible(true);
                frames_later(screen, 0, |screen| {
                    screen.parts().tiles.set_visible(true);
                    screen.unveil(rows.into_iter());
                });
            });
        });
    }

    /// Seats, path, worlds, and the trick with the artefacts.
    fn rows(&self) -> Vec<gtk::Widget> {
        let first = self.parts().board.first_child();
        std::iter::successors(first, |row| row.next_sibling()).collect()
    }

    /// One row a frame.
    fn unveil(&self, mut rows: impl Iterator<Item = gtk::Widget> + 'static) {
        if let Some(row) = rows.next() {
            row.set_opacity(1.0);
            frames_later(self, 0, |screen| screen.unveil(rows));
        }
    }
}
