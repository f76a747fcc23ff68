//! The own hand: one button a card, side by side while there is room, overlapping when there is not.
//!
//! Follows a list of [`CardModel`]s by its changes, so that a card keeps its widget and its focus while others come and go.

use std::cell::{Cell, RefCell};

use gtk::{gio, glib, graphene, prelude::*, subclass::prelude::*};

use super::{
    card::CardButton,
    face::RATIO,
    soon::{frames_later, in_turn, take_frames},
};
use crate::session::models::CardModel;

/// How far a chosen card stands out.
const RAISE: i32 = 14;
/// Between cards that need not overlap.
const GAP: i32 = 6;

/// So many cards are dealt a frame: the letters of each are shaped when it is first seen.
const A_FRAME: usize = 1;
/// So many frames the last one moves, as `data/style.css` has it.
const MOVES: i64 = 16;
/// So many frames pass before a whole hand is dealt: all else that a deal changes is shown first.
const BEFORE: u32 = 4;

type Chosen = Box<dyn Fn(&CardModel)>;

mod imp {
    use super::*;

    #[derive(Default, glib::Properties)]
    #[properties(wrapper_type = super::Hand)]
    pub struct Hand {
        pub cards: RefCell<Vec<CardButton>>,
        #[property(get, set = Self::set_wide, default = 84)]
        pub wide: Cell<i32>,
        pub chosen: RefCell<Option<Chosen>>,
        pub left_from: Cell<Option<graphene::Rect>>,
        /// The focus waits for the first card.
        pub focus_due: Cell<bool>,
        /// More cards are about to be put down.
        pub dealing: Cell<bool>,
    }

    impl Hand {
        fn set_wide(&self, wide: i32) {
            if self.wide.replace(wide) != wide {
                for card in self.cards.borrow().iter() {
                    card.set_wide(wide);
                }
                self.obj().queue_resize();
            }
        }
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Hand {
        const NAME: &'static str = "ShamansHand";
        type Type = super::Hand;
        type ParentType = gtk::Widget;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("hand");
            class.set_accessible_role(gtk::AccessibleRole::Group);
        }
    }

    #[glib::derived_properties]
    impl ObjectImpl for Hand {
        fn dispose(&self) {
            for card in self.cards.take() {
                card.unparent();
            }
        }
    }

    impl WidgetImpl for Hand {
        fn measure(&self, orientation: gtk::Orientation, _for_size: i32) -> (i32, i32, i32, i32) {
            let wide = self.wide.get().max(40);
            let count = self.cards.borrow().len() as i32;
            match orientation {
                gtk::Orientation::Horizontal => {
                    let least = wide + 10 * 20;
                    (least, (count * (wide + GAP)).max(least), -1, -1)
                }
                _ => {
                    let high = (f64::from(wide) * RATIO).round() as i32 + RAISE + 4;
                    (high, high, -1, -1)
                }
            }
        }

        fn size_allocate(&self, width: i32, height: i32, _baseline: i32) {
            let cards = self.cards.borrow();
            let count = cards.len() as i32;
            if count == 0 {
                return;
            }
            let wide = self.wide.get();
            let high = (f64::from(wide) * RATIO).round() as i32;
            let step = if count > 1 {
                ((width - wide) / (count - 1)).min(wide + GAP)
            } else {
                0
            };
            let left = (width - wide - step * (count - 1)) / 2;
            let right_to_left = self.obj().direction() == gtk::TextDirection::Rtl;
            for (i, card) in cards.iter().enumerate() {
                let i = if right_to_left {
                    count - 1 - i as i32
                } else {
                    i as i32
                };
                let raise = if card.model().selected() { 0 } else { RAISE };
                let top = (height - high - RAISE).max(0) / 2 + raise;
                card.size_allocate(&gtk::Allocation::new(left + i * step, top, wide, high), -1);
            }
        }

        fn snapshot(&self, snapshot: &gtk::Snapshot) {
            crate::motion::hold_place(snapshot, 0, 0);
            // In hand order, so that overlapping cards show their left edge.
            for card in self.cards.borrow().iter() {
                self.obj().snapshot_child(card, snapshot);
            }
        }
    }
}

glib::wrapper! {
    /// The own hand.
    pub struct Hand(ObjectSubclass<imp::Hand>)
        @extends gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

impl Hand {
    /// Follows `cards`; `chosen` is called with the card that was pressed.
    pub fn new(cards: &gio::ListStore, chosen: impl Fn(&CardModel) + 'static) -> Hand {
        let hand: Hand = glib::Object::new();
        hand.imp().wide.set(84);
        hand.imp().chosen.replace(Some(Box::new(chosen)));
        hand.update_property(&[gtk::accessible::Property::Label(&crate::words::tr(
            "Your hand",
        ))]);
        cards.connect_items_changed(glib::clone!(
            #[weak]
            hand,
            move |cards, at, removed, added| hand.change(cards, at, removed, added)
        ));
        hand.change(cards, 0, 0, cards.n_items());
        hand
    }

    /// The card at `index`, from 0 on.
    pub fn card_at(&self, index: usize) -> Option<CardButton> {
        self.imp().cards.borrow().get(index).cloned()
    }

    /// Where the card was that left the hand last.
    pub fn left_from(&self) -> Option<graphene::Rect> {
        self.imp().left_from.get()
    }

    /// Puts the focus on the first card, as soon as it is dealt.
    pub fn focus_first(&self) {
        let first = self.card_at(0);
        self.imp()
            .focus_due
            .set(first.is_none() && self.imp().dealing.get());
        if let Some(card) = first {
            card.grab_focus();
        }
    }

    fn change(&self, cards: &gio::ListStore, at: u32, removed: u32, added: u32) {
        let imp = self.imp();
        let there = imp.cards.borrow().len();
        // What is still to come is not there to be changed.
        let at = (at as usize).min(there);
        let removed = (removed as usize).min(there - at);
        let at_end = at + removed == there;
        let mut gone: Vec<CardButton> = imp.cards.borrow_mut().drain(at..at + removed).collect();
        // In the middle all come at once, for there the order would be lost; so do those that only changed places. At the end a few,
        // and the rest frame by frame.
        if removed > 0 || !at_end {
            self.put(cards, at, added as usize, &mut gone);
        } else if added > 0 && !imp.dealing.replace(true) {
            let cards = cards.clone();
            match added as usize > A_FRAME {
                true => frames_later(self, BEFORE, move |hand| hand.deal(&cards)),
                false => {
                    self.deal_some(&cards);
                }
            }
        }
        let lost_focus = gone.iter().any(|card| card.is_focus());
        if let [card] = gone.as_slice() {
            self.imp().left_from.set(card.compute_bounds(self));
        }
        for card in gone {
            card.unparent();
        }
        if lost_focus {
            // The card that was played had the focus: hand it to its neighbour.
            let count = imp.cards.borrow().len();
            if let Some(card) = self.card_at(at.min(count.saturating_sub(1))) {
                card.grab_focus();
            }
        }
        self.queue_resize();
    }

    /// Puts down a hand, a few cards a frame. All else waits until they lie still.
    fn deal(&self, cards: &gio::ListStore) {
        if !self.deal_some(cards) {
            take_frames(self, MOVES);
            return;
        }
        let cards = cards.clone();
        in_turn(self, move |hand| hand.deal(&cards));
    }

    /// Puts down the next few cards; are there more?
    fn deal_some(&self, cards: &gio::ListStore) -> bool {
        let there = self.imp().cards.borrow().len();
        let left = (cards.n_items() as usize).saturating_sub(there);
        self.put(cards, there, left.min(A_FRAME), &mut Vec::new());
        if self.imp().focus_due.take() {
            self.focus_first();
        }
        self.queue_resize();
        let more = left > A_FRAME;
        self.imp().dealing.set(more);
        more
    }

    /// Puts down so many cards at `at`, those that were taken up again first.
    fn put(&self, cards: &gio::ListStore, at: usize, count: usize, taken_up: &mut Vec<CardButton>) {
        let imp = self.imp();
        for at in at..at + count {
            let Some(model) = cards.item(at as u32).and_downcast::<CardModel>() else {
                continue;
            };
            let known = taken_up.iter().position(|card| *card.model() == model);
            let button = match known {
                Some(known) => taken_up.swap_remove(known),
                None => self.button(&model),
            };
            let before = imp.cards.borrow().get(at).cloned();
            button.insert_before(self, before.as_ref());
            imp.cards.borrow_mut().insert(at, button);
        }
    }

    fn button(&self, model: &CardModel) -> CardButton {
        let button = CardButton::new(model, self.imp().wide.get());
        button.connect_clicked(glib::clone!(
            #[weak(rename_to = hand)]
            self,
            move |button| {
                if let Some(chosen) = hand.imp().chosen.borrow().as_ref() {
                    chosen(button.model());
                }
            }
        ));
        model.connect_selected_notify(glib::clone!(
            #[weak(rename_to = hand)]
            self,
            move |_| hand.queue_allocate()
        ));
        button
    }
}
