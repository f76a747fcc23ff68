//! What the play screen does when the session changes.

use std::cell::Cell;

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use super::{TableScreen, notices::About, round_end};
use crate::{
    aloud,
    components::soon::{Region, once_a_frame, once_a_frame_in},
    pieces::Event,
    session::{Session, snapshot::Ask},
    words,
};

impl TableScreen {
    pub(super) fn follow(&self) {
        let parts = self.parts();
        let session = &parts.session;
        let screen = self;
        session.seats().connect_items_changed(glib::clone!(
            #[weak]
            screen,
            move |_, _, _, _| screen.seat_players()
        ));
        self.seat_players();
        let walk = once_a_frame_in(Region::Path, screen, TableScreen::walk);
        for property in ["pawn", "moon"] {
            let walk = walk.clone();
            session.connect_notify_local(Some(property), move |_, _| walk());
        }
        self.walk();
        for property in ["narrow", "height-class", "text-scale"] {
            parts.frame.connect_notify_local(
                Some(property),
                glib::clone!(
                    #[weak]
                    screen,
                    move |_, _| screen.lay_out()
                ),
            );
        }
        self.lay_out();
        // Not in the middle of an allocation, where a flap folds.
        let place = glib::clone!(
            #[weak]
            screen,
            move || {
                glib::idle_add_local_once(move || screen.place_speakers());
            }
        );
        parts.flap.connect_folded_notify(glib::clone!(
            #[strong]
            place,
            move |_| place()
        ));
        self.connect_log_shown_notify(move |_| place());
        session.connect_asked_notify(glib::clone!(
            #[weak]
            screen,
            move |session| match session.asked() {
                true => screen.parts().log.announce(&session.banner()),
                false => screen.parts().log.decided(),
            }
        ));
        let settings = session.settings();
        session.connect_heard(glib::clone!(
            #[weak]
            screen,
            move |_, event| screen.feel(event)
        ));
        session.connect_changed(glib::clone!(
            #[weak]
            screen,
            move |session| screen.bring_into_view(session)
        ));
        // Somebody begins to explain, or hands are opened: there is less room for the board.
        let less_room = once_a_frame(self, |screen| {
            screen.imp().in_view.take();
            screen.bring_into_view(&screen.parts().session);
        });
        let room = parts.scroll.vadjustment();
        room.connect_page_size_notify(move |_| less_room());
        let pace = glib::clone!(
            #[weak]
            screen,
            move |settings: &crate::settings::Settings| {
                screen
                    .parts()
                    .path
                    .set_pace((300.0 * settings.tempo()) as u32);
                for class in ["still", "slow", "fast"] {
                    screen.remove_css_class(class);
                }
                match settings.tempo() {
                    0.0 => screen.add_css_class("still"),
                    tempo if tempo > 1.0 => screen.add_css_class("slow"),
                    tempo if tempo < 1.0 => screen.add_css_class("fast"),
                    _ => {}
                }
            }
        );
        settings.connect_pace_notify(pace.clone());
        pace(settings);
        // The system may ask for less motion while a game goes on.
        if let Some(system) = gtk::Settings::default() {
            let settings = settings.downgrade();
            let handler = system.connect_gtk_enable_animations_notify(move |_| {
                settings.upgrade().iter().for_each(&pace);
            });
            let handler = Cell::new(Some(handler));
            self.connect_destroy(move |_| {
                handler
                    .take()
                    .into_iter()
                    .for_each(|handler| system.disconnect(handler));
            });
        }
        session.connect_asked_notify(glib::clone!(
            #[weak]
            screen,
            move |session| {
                let focus = screen.root().and_then(|root| root.focus());
                // Whoever has nothing in focus gets a card, so that keys and screen reader have a place to begin.
                if session.asked() && focus.is_none_or(|widget| !widget.is_ancestor(&screen)) {
                    screen.focus_hand();
                }
            }
        ));
        session.connect_resting_notify(glib::clone!(
            #[weak]
            screen,
            move |session| screen.rest(session.resting())
        ));
        if session.resting() {
            // The window is another one, the page is the same.
            self.rest(true);
        }
    }

    /// The pawn goes where it stands by now.
    fn walk(&self) {
        let parts = self.parts();
        let (pawn, moon) = (parts.session.pawn(), parts.session.moon());
        if parts.path.moon() != moon {
            parts.path.set_moon(moon);
        }
        if parts.session.turned() {
            parts.path.stand(pawn);
        } else if parts.path.pawn() != pawn {
            // Told again while it walks it would be there at once.
            parts.path.set_pawn(pawn);
        }
        let left = moon.saturating_sub(pawn);
        parts.steps.set_label(&words::steps_left(left as usize));
    }

    pub(super) fn rest(&self, resting: bool) {
        let parts = self.parts();
        if resting {
            self.stop_peeking();
            let page = round_end::RoundEnd::new(&parts.session);
            if let Some(old) = parts.stack.child_by_name("rest") {
                parts.stack.remove(&old);
            }
            parts.stack.add_named(&page, Some("rest"));
            aloud::quiet(&parts.stack);
            parts.stack.set_visible_child_name("rest");
        } else {
            parts.stack.set_visible_child_name("play");
            if let Some(old) = parts.stack.child_by_name("rest") {
                parts.stack.remove(&old);
            }
            self.focus_hand();
        }
    }

    /// Big moments are felt: the style darkens the sky or shakes a seat, once.
    pub(super) fn feel(&self, event: &Event) {
        if matches!(event, Event::TrickEnded { .. }) {
            // By now the four words are read.
            self.notice(About::Phrase, None);
        }
        self.fly(event);
        let class = match event {
            Event::EclipseBegan { .. } => "eclipse",
            Event::Eliminated { .. } => "struck",
            Event::RoundEnded { .. } | Event::RoundBegan { .. } | Event::CardsPassed { .. } => "",
            _ => return,
        };
        for old in ["eclipse", "struck"] {
            self.remove_css_class(old);
        }
        if !class.is_empty() {
            self.add_css_class(class);
        }
    }

    /// Where the board is higher than its room, what it is about lies below the edge: the artefacts when one is to be taken, else the
    /// trick when it changes. Whoever scrolls away meanwhile is left in peace.
    pub(super) fn bring_into_view(&self, session: &Session) {
        let parts = self.parts();
        let now = (session.ask(), session.trick().played);
        if self.imp().in_view.replace(Some(now.clone())).as_ref() == Some(&now) {
            return;
        }
        let widget: &gtk::Widget = match now.0 {
            Some(Ask::Take) => parts.tiles.upcast_ref(),
            Some(_) | None => parts.trick.upcast_ref(),
        };
        let adjustment = parts.scroll.vadjustment();
        if let Some(place) = widget.compute_bounds(&parts.board) {
            let (top, end) = (f64::from(place.y()), f64::from(place.y() + place.height()));
            let (value, page) = (adjustment.value(), adjustment.page_size());
            let hidden = end > value + page || top < value;
            // Where nobody has scrolled, as little as needed: the seats are worth seeing too. More room pushes it back by itself.
            let pushed = adjustment.upper() - page;
            if hidden || value == self.imp().scrolled.get().min(pushed) {
                let least = (end - page + 8.0).min(top.max(0.0)).max(0.0);
                adjustment.set_value(least);
                self.imp().scrolled.set(adjustment.value());
            }
        }
    }
}
