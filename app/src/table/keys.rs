//! The keys of the play screen.

use adw::prelude::*;
use gtk::{gdk, glib};

use super::TableScreen;
use crate::{aloud, session::snapshot::Ask};

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
                if control || !screen.key(key, true) {
                    glib::Propagation::Proceed
                } else {
                    glib::Propagation::Stop
                }
            }
        ));
        keys.connect_key_released(glib::clone!(
            #[weak(rename_to = screen)]
            self,
            move |_, key, _, _| {
                screen.key(key, false);
            }
        ));
        // On the window: keys work wherever the focus is, as long as this screen is shown.
        self.connect_map(glib::clone!(
            #[strong]
            keys,
            move |screen| {
                aloud::quiet(&screen.parts().stack);
                if let Some(root) = screen.root() {
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

    /// Digits choose a card or whatever else is to be chosen, Escape lets it go, Enter on the chosen card confirms; H covers the hand, L shows the last
    /// trick, I the identity while held, A asks for advice, N goes to the news and back to the hand.
    pub(super) fn key(&self, key: gdk::Key, pressed: bool) -> bool {
        let parts = self.parts();
        let session = &parts.session;
        let typing = self.root().and_then(|root| root.focus());
        if typing.is_some_and(|widget| widget.is::<gtk::Text>()) {
            return false;
        }
        if parts.stack.visible_child_name().as_deref() != Some("play") {
            return false;
        }
        match key {
            gdk::Key::i | gdk::Key::I => parts.identity.peek(pressed),
            gdk::Key::l | gdk::Key::L => session.peek_last_trick(pressed),
            gdk::Key::h | gdk::Key::H if pressed => session.set_covered(!session.covered()),
            gdk::Key::a | gdk::Key::A if pressed && session.advises() => session.ask_advice(),
            gdk::Key::n | gdk::Key::N if pressed => {
                self.set_log_shown(true);
                if !parts.log.focus_news() {
                    self.focus_hand();
                }
            }
            gdk::Key::Escape if pressed && session.selected().is_some() => session.unchoose(),
            gdk::Key::Return | gdk::Key::KP_Enter if pressed => {
                let focus = self.root().and_then(|root| root.focus());
                let on_chosen = focus
                    .and_downcast::<crate::components::card::CardButton>()
                    .is_some_and(|card| card.model().selected());
                if !on_chosen {
                    return false;
                }
                session.confirm();
            }
            _ if pressed => {
                let Some(digit) = key.to_unicode().and_then(|c| c.to_digit(10)) else {
                    return false;
                };
                let index = if digit == 0 { 9 } else { digit as usize - 1 };
                if !matches!(session.ask(), None | Some(Ask::Play | Ask::Give(_))) {
                    // No card is asked for: digits go through the tiles that can be taken and the buttons.
                    let mut choices = Vec::new();
                    buttons(parts.tiles.upcast_ref(), &mut choices);
                    buttons(parts.prompt.upcast_ref(), &mut choices);
                    return choices.get(index).is_some_and(WidgetExt::grab_focus);
                }
                let Some(card) = parts.hand.card_at(index) else {
                    return false;
                };
                card.grab_focus();
                session.choose(card.model());
            }
            _ => return false,
        }
        true
    }
}

/// The buttons in `widget` that can be pressed, in their order.
fn buttons(widget: &gtk::Widget, found: &mut Vec<gtk::Widget>) {
    if widget.is::<gtk::Button>() {
        // A tile stays sensitive, for its description, when it cannot be taken.
        let idle = widget.has_css_class("tile-button") && !widget.has_css_class("choice");
        if widget.is_sensitive() && widget.is_mapped() && !idle {
            found.push(widget.clone());
        }
        return;
    }
    let mut child = widget.first_child();
    while let Some(at) = child {
        buttons(&at, found);
        child = at.next_sibling();
    }
}
