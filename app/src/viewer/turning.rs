//! Turning the pages: back, on, to a round, through whose eyes; and playing on by itself.

use std::time::{Duration, Instant};

use adw::{prelude::*, subclass::prelude::*};
use gtk::{gdk, glib};

use super::{
    Viewer,
    book::{Eyes, Page},
};
use crate::{
    components::soon::{Region, once_a_frame_in},
    pieces::Event,
    session::{Leaf, snapshot::Update},
    words::{self, happened::Names},
};

/// How long a page stands while the record plays by itself.
const BEAT: Duration = Duration::from_millis(900);

fn begins_round(page: &Page) -> bool {
    page.events
        .iter()
        .any(|event| matches!(event, Event::RoundBegan { .. }))
}

impl Viewer {
    pub(super) fn connect_controls(&self) {
        let parts = self.parts();
        let turn = |button: &gtk::Button, turn: fn(&Viewer)| {
            button.connect_clicked(glib::clone!(
                #[weak(rename_to = viewer)]
                self,
                move |_| {
                    viewer.parts().play.set_active(false);
                    turn(&viewer);
                }
            ));
        };
        turn(&parts.back, Viewer::back);
        turn(&parts.on, Viewer::on);
        turn(&parts.round_back, Viewer::round_back);
        turn(&parts.round_on, Viewer::round_on);
        parts.eyes.connect_selected_notify(glib::clone!(
            #[weak(rename_to = viewer)]
            self,
            move |list| viewer.look_through(list.selected() as usize)
        ));
        parts.play.connect_toggled(glib::clone!(
            #[weak(rename_to = viewer)]
            self,
            move |button| {
                let (icon, name) = if button.is_active() {
                    ("media-playback-pause-symbolic", words::tr("Pause"))
                } else {
                    ("media-playback-start-symbolic", words::tr("Play"))
                };
                button.set_icon_name(icon);
                button.set_tooltip_text(Some(&name));
                button.update_property(&[gtk::accessible::Property::Label(&name)]);
                if button.is_active() {
                    viewer.play_on();
                }
            }
        ));
        let moved = once_a_frame_in(Region::Foot, self, Viewer::refresh_foot);
        self.imp().moved.get_or_init(|| Box::new(moved));
        self.refresh_controls();
    }

    /// Left and right turn pages, Page Up and Page Down rounds, Home and End go to the first page and the last; digits choose
    /// through whose eyes, 0 everyone's, A all.
    pub(super) fn add_keys(&self) {
        let keys = gtk::EventControllerKey::new();
        keys.set_propagation_phase(gtk::PropagationPhase::Capture);
        keys.connect_key_pressed(glib::clone!(
            #[weak(rename_to = viewer)]
            self,
            #[upgrade_or]
            glib::Propagation::Proceed,
            move |_, key, _, state| {
                let focus = viewer.root().and_then(|root| root.focus());
                let in_popover = focus
                    .is_some_and(|widget| widget.ancestor(gtk::Popover::static_type()).is_some());
                let other = gdk::ModifierType::CONTROL_MASK | gdk::ModifierType::ALT_MASK;
                if in_popover || state.intersects(other) {
                    return glib::Propagation::Proceed;
                }
                match key {
                    gdk::Key::Left => viewer.back(),
                    gdk::Key::Right => viewer.on(),
                    gdk::Key::Page_Up => viewer.round_back(),
                    gdk::Key::Page_Down => viewer.round_on(),
                    gdk::Key::Home => viewer.turn_to(0),
                    gdk::Key::End => viewer.to_end(),
                    gdk::Key::a | gdk::Key::A => {
                        let last = viewer.imp().names.borrow().len() + 1;
                        viewer.parts().eyes.set_selected(last as u32);
                    }
                    _ => {
                        let digit = key.to_unicode().and_then(|c| c.to_digit(10));
                        let seats = viewer.imp().names.borrow().len() as u32;
                        let Some(digit) = digit.filter(|digit| *digit <= seats) else {
                            return glib::Propagation::Proceed;
                        };
                        viewer.parts().eyes.set_selected(digit);
                    }
                }
                glib::Propagation::Stop
            }
        ));
        // On the window: keys work wherever the focus is, as long as the record is shown.
        self.connect_map(glib::clone!(
            #[strong]
            keys,
            move |viewer| {
                if let Some(root) = viewer.root() {
                    root.add_controller(keys.clone());
                }
            }
        ));
        self.connect_unmap(move |_| {
            if let Some(widget) = keys.widget() {
                widget.remove_controller(&keys);
            }
        });
    }

    fn look_through(&self, choice: usize) {
        let seats = self.imp().names.borrow().len();
        let eyes = match choice {
            0 => Eyes::Everyone,
            n if n > seats => Eyes::All,
            n => Eyes::Seat(n - 1),
        };
        if self.imp().looking.replace(eyes) != eyes {
            self.turn_to(self.imp().at.get());
        }
    }

    /// One page back.
    pub fn back(&self) {
        let at = self.imp().at.get();
        self.turn_to(at.saturating_sub(1));
    }

    /// One page on, told at the player's pace; pressed while the last one is still being told, it is told at once.
    pub fn on(&self) {
        let session = &self.parts().session;
        if session.resting() {
            session.next_round();
            self.refresh_controls();
            return;
        }
        let at = self.imp().at.get();
        if session.is_busy() {
            self.turn_to(at);
        }
        let update = {
            let pages = self.imp().pages.borrow();
            let Some(page) = pages.get(at + 1) else {
                return;
            };
            let eyes = self.imp().looking.get();
            for note in &page.notes {
                session.note(note, "strike");
            }
            Update {
                events: page.events.clone(),
                check: page.check.clone(),
                record: None,
                advice: None,
                said: Vec::new(),
                table: page.table(eyes),
                settled: Instant::now(),
            }
        };
        self.imp().at.set(at + 1);
        self.imp().read.set(self.imp().read.get().max(at + 1));
        session.tell_on(update);
        self.refresh_controls();
    }

    /// To where the round begins, or the one before.
    pub fn round_back(&self) {
        let at = self.imp().at.get();
        let before = self
            .round_starts()
            .into_iter()
            .rev()
            .find(|start| *start < at);
        self.turn_to(before.unwrap_or(0));
    }

    /// To where the next round begins.
    pub fn round_on(&self) {
        let at = self.imp().at.get();
        match self.round_starts().into_iter().find(|start| *start > at) {
            Some(start) => self.turn_to(start),
            None => self.to_end(),
        }
    }

    fn to_end(&self) {
        let pages = self.imp().pages.borrow().len();
        self.turn_to(pages.saturating_sub(1));
    }

    fn round_starts(&self) -> Vec<usize> {
        let pages = self.imp().pages.borrow();
        let starts = pages
            .iter()
            .enumerate()
            .filter(|(_, page)| begins_round(page));
        starts.map(|(at, _)| at).collect()
    }

    /// Lays the page open.
    pub fn turn_to(&self, at: usize) {
        let Some(leaf) = self.leaf(at) else { return };
        self.imp().at.set(at);
        self.imp().read.set(self.imp().read.get().max(at));
        self.parts().session.turn_to(leaf);
        self.refresh_controls();
    }

    /// The page with what the log says of its round so far.
    fn leaf(&self, at: usize) -> Option<Leaf> {
        let pages = self.imp().pages.borrow();
        let page = pages.get(at)?;
        let eyes = self.imp().looking.get();
        let table = page.table(eyes);
        let names = self.imp().names.borrow();
        let people = Names {
            names: &names,
            me: table.me,
        };
        let first = (0..=at)
            .rev()
            .find(|i| pages.get(*i).is_some_and(begins_round))
            .unwrap_or(0);
        let told = pages.get(first..=at).unwrap_or_default();
        let mut lines = Vec::new();
        for page in told {
            lines.extend(page.notes.iter().map(|note| (note.clone(), "strike")));
            lines.extend(
                page.events
                    .iter()
                    .filter_map(|event| words::happened::event(event, people)),
            );
        }
        let events: Vec<&Event> = told.iter().flat_map(|page| &page.events).collect();
        let ended = events
            .iter()
            .rposition(|event| matches!(event, Event::RoundEnded { .. }));
        let closing = ended
            .and_then(|from| events.get(from..))
            .unwrap_or_default();
        let scored = events
            .iter()
            .filter(|event| matches!(event, Event::Scored { .. }));
        Some(Leaf {
            table,
            tricks: page.tricks.clone(),
            lines,
            closing: closing.iter().map(|event| (*event).clone()).collect(),
            scored: scored.map(|event| (*event).clone()).collect(),
            check: told.iter().rev().find_map(|page| page.check.clone()),
        })
    }

    fn play_on(&self) {
        let weak = self.downgrade();
        glib::timeout_add_local(BEAT, move || {
            let Some(viewer) = weak.upgrade() else {
                return glib::ControlFlow::Break;
            };
            let parts = viewer.parts();
            let last = viewer.imp().at.get() + 1 >= viewer.imp().pages.borrow().len();
            if !parts.play.is_active() || last && viewer.imp().whole.get() {
                parts.play.set_active(false);
                return glib::ControlFlow::Break;
            }
            if parts.session.resting() || !parts.session.is_busy() {
                viewer.on();
            }
            glib::ControlFlow::Continue
        });
    }

    /// Another page, or more of them.
    pub(super) fn refresh_controls(&self) {
        self.imp().moved.get().iter().for_each(|moved| moved());
    }

    /// Open hands, what can be pressed, and where the reader is.
    fn refresh_foot(&self) {
        let imp = self.imp();
        let parts = self.parts();
        let at = imp.at.get();
        let pages = imp.pages.borrow();
        let last = at + 1 >= pages.len();
        parts.back.set_sensitive(at > 0);
        parts.round_back.set_sensitive(at > 0);
        parts.on.set_sensitive(!last || parts.session.resting());
        parts.round_on.set_sensitive(!last);
        parts.play.set_sensitive(!last);
        let Some(page) = pages.get(at) else { return };
        parts.hands.show_page(page, imp.looking.get());
        let place = words::fill(
            "Round {round}, step {step}",
            &[
                ("round", &page.round().to_string()),
                ("step", &page.step.to_string()),
            ],
        );
        parts.place_words.set_label(&place);
        let name = gtk::accessible::Property::Label(&place);
        parts.place.update_property(&[name]);
        drop(pages);
        self.refresh_rounds();
    }

    /// Rounds read so far: the others would tell how long the game goes on.
    fn refresh_rounds(&self) {
        let read = self.imp().read.get();
        let rounds = &self.parts().rounds;
        let starts: Vec<usize> = self
            .round_starts()
            .into_iter()
            .filter(|at| *at <= read)
            .collect();
        let shown = {
            let mut count = 0;
            let mut child = rounds.first_child();
            while let Some(widget) = child {
                count += 1;
                child = widget.next_sibling();
            }
            count
        };
        for at in starts.into_iter().skip(shown) {
            let round = self.imp().pages.borrow().get(at).map_or(0, Page::round);
            let button = gtk::Button::builder()
                .label(words::fill("Round {n}", &[("n", &round.to_string())]))
                .css_classes(["flat"])
                .build();
            button.connect_clicked(glib::clone!(
                #[weak(rename_to = viewer)]
                self,
                move |_| {
                    viewer.parts().place.popdown();
                    viewer.turn_to(at);
                }
            ));
            rounds.append(&button);
        }
    }
}
