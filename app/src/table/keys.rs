//! The keys of the play screen.

use std::{cell::Cell, rc::Rc};

use adw::prelude::*;
use gtk::{gdk, glib};

use super::TableScreen;
use crate::{
    aloud,
    components::{card::CardButton, tile::TileButton},
    session::snapshot::Ask,
};

impl TableScreen {
    pub(super) fn add_keys(&self) {
        let keys = gtk::EventControllerKey::new();
        keys.set_propagation_phase(gtk::PropagationPhase::Capture);
        keys.connect_key_pressed(glib::clone!(
            #[weak(rename_to = screen)]
            self,
            #[upgrade_or]
            glib::Propagation::Proceed,
            move |_, key, _, state| {
                let control =
                    state.intersects(gdk::ModifierType::CONTROL_MASK | gdk::ModifierType::ALT_MASK);
                if control || !screen.key(key) {
                    glib::Propagation::Proceed
                } else {
                    glib::Propagation::Stop
                }
            }
        ));
        keys.connect_key_released(glib::clone!(
            #[weak(rename_to = screen)]
            self,
            // Wherever the focus and the page are by now: what was held is let go.
            move |_, key, _, _| match key {
                gdk::Key::i | gdk::Key::I => screen.parts().identity.peek(false),
                gdk::Key::l | gdk::Key::L => screen.parts().session.peek_last_trick(false),
                _ => {}
            }
        ));
        // On the window: keys work wherever the focus is, as long as this screen is shown.
        let away: Rc<Cell<Option<(gtk::Window, glib::SignalHandlerId)>>> = Rc::default();
        self.connect_map(glib::clone!(
            #[strong]
            keys,
            #[strong]
            away,
            move |screen| {
                aloud::quiet(&screen.parts().stack);
                let Some(root) = screen.root() else { return };
                root.add_controller(keys.clone());
                if let Ok(window) = root.downcast::<gtk::Window>() {
                    // A key that goes up in another window is not heard here.
                    let handler = window.connect_is_active_notify(glib::clone!(
                        #[weak]
                        screen,
                        move |window| {
                            if !window.is_active() {
                                screen.stop_peeking();
                            }
                        }
                    ));
                    away.set(Some((window, handler)));
                }
            }
        ));
        self.connect_unmap(move |screen| {
            if let Some(widget) = keys.widget() {
                widget.remove_controller(&keys);
            }
            if let Some((window, handler)) = away.take() {
                window.disconnect(handler);
            }
            screen.stop_peeking();
        });
    }

    /// Whatever is shown while something is held is shown no more.
    pub(super) fn stop_peeking(&self) {
        self.parts().identity.peek(false);
        self.parts().session.peek_last_trick(false);
    }

    /// Digits choose a card or whatever else is to be chosen, Escape lets it go, Enter on what is chosen confirms; H covers the hand, L shows the last
    /// trick, I the identity while held, A asks for advice, N goes to the news and back to the hand.
    pub(super) fn key(&self, key: gdk::Key) -> bool {
        let parts = self.parts();
        let session = &parts.session;
        let focus = self.root().and_then(|root| root.focus());
        let elsewhere = |widget: &gtk::Widget| {
            widget.is::<gtk::Text>() || widget.ancestor(gtk::Popover::static_type()).is_some()
        };
        if focus.as_ref().is_some_and(elsewhere) {
            return false;
        }
        if parts.stack.visible_child_name().as_deref() != Some("play") {
            return false;
        }
        match key {
            gdk::Key::i | gdk::Key::I => parts.identity.peek(true),
            gdk::Key::l | gdk::Key::L => session.peek_last_trick(true),
            gdk::Key::h | gdk::Key::H => session.set_covered(!session.covered()),
            gdk::Key::a | gdk::Key::A if session.advises() => session.ask_advice(),
            gdk::Key::n | gdk::Key::N => {
                self.set_log_shown(true);
                if !parts.log.focus_news() {
                    self.focus_hand();
                }
            }
            gdk::Key::Escape if session.selected().is_some() || session.picked().is_some() => {
                session.unchoose();
            }
            gdk::Key::Return | gdk::Key::KP_Enter => {
                let on_chosen = |widget: &gtk::Widget| {
                    let card = widget.downcast_ref::<CardButton>();
                    let tile = widget.downcast_ref::<TileButton>();
                    card.is_some_and(|card| card.model().selected())
                        || tile.is_some_and(TileButton::is_chosen)
                };
                if !focus.as_ref().is_some_and(on_chosen) {
                    return false;
                }
                session.confirm();
            }
            _ => {
                let Some(digit) = key.to_unicode().and_then(|c| c.to_digit(10)) else {
                    return false;
                };
                let index = if digit == 0 { 9 } else { digit as usize - 1 };
                if !matches!(session.ask(), None | Some(Ask::Play | Ask::Give(_))) {
                    // No card is asked for: digits go through the tiles that can be taken and the buttons.
                    let mut choices = Vec::new();
                    buttons(parts.tiles.upcast_ref(), &mut choices);
                    buttons(parts.prompt.upcast_ref(), &mut choices);
                    let Some(choice) = choices.get(index) else {
                        return false;
                    };
                    choice.grab_focus();
                    // What is asked about once more is chosen by its digit, as a card is.
                    let asks = choice.is::<TileButton>() || choice.has_css_class("weighty");
                    if asks && !session.settings().single_click() {
                        session.unchoose();
                        choice.emit_clicked();
                    }
                    return true;
                }
                let Some(card) = parts.hand.card_at(index) else {
                    return false;
                };
                card.grab_focus();
                session.choose(card.model());
            }
        }
        true
    }
}

/// The buttons in `widget` that can be pressed, in their order.
fn buttons(widget: &gtk::Widget, found: &mut Vec<gtk::Button>) {
    if let Some(button) = widget.downcast_ref::<gtk::Button>() {
        // A tile stays sensitive, for its description, when it cannot be taken.
        let idle = widget.has_css_class("tile-button") && !widget.has_css_class("choice");
        if widget.is_sensitive() && widget.is_mapped() && !idle {
            found.push(button.clone());
        }
        return;
    }
    let mut child = widget.first_child();
    while let Some(at) = child {
        buttons(&at, found);
        child = at.next_sibling();
    }
}
