//! Taking over a whole table into the models: what is gone goes, what is new comes, the rest stays.

use gtk::{glib, prelude::*, subclass::prelude::*};

use super::{Session, TrickShown};
use crate::{
    components::avatar,
    pieces::{Action, Seat},
    session::{
        models::{CardModel, LineModel, SeatModel, WorldModel, mirror},
        snapshot::{CardSeen, Snapshot},
    },
    words::{
        asked,
        happened::{self, Names},
    },
};

impl Session {
    /// Takes over a whole table.
    pub(super) fn follow(&self, table: Snapshot) {
        let seats = self.seats();
        if seats.n_items() as usize != table.seats.len() {
            let models: Vec<SeatModel> = (0..table.seats.len()).map(SeatModel::new).collect();
            let names: Vec<String> = table.seats.iter().map(|seat| seat.name.clone()).collect();
            let mine = Some((table.me.index(), self.settings().avatar() as usize));
            for (model, animal) in models.iter().zip(avatar::assign(&names, mine)) {
                model.set_avatar(animal);
            }
            for (i, (model, seen)) in models.iter().zip(&table.seats).enumerate() {
                model.set_me(i == table.me.index());
                model.follow(seen);
            }
            seats.splice(0, seats.n_items(), &models);
            self.follow_ways();
        }
        for (model, seen) in seats.iter::<SeatModel>().flatten().zip(&table.seats) {
            model.follow(seen);
        }
        let worlds = self.worlds();
        if worlds.n_items() as usize != table.worlds.len() {
            let models: Vec<WorldModel> = table.worlds.iter().map(WorldModel::new).collect();
            worlds.splice(0, worlds.n_items(), &models);
        }
        for (model, seen) in worlds.iter::<WorldModel>().flatten().zip(&table.worlds) {
            mirror!(model, laid, set_laid, u32::from(seen.laid));
        }
        mirror!(self, pawn, set_pawn, u32::from(table.pawn));
        mirror!(self, moon, set_moon, u32::from(table.moon));
        // The table counts on as soon as a round is scored; for the player it lasts until the next one is dealt.
        if self.replayed() || self.imp().round_events.borrow().is_empty() {
            mirror!(self, round, set_round, table.round as u32);
        }
        self.deal(&table);
        self.imp().table.replace(Some(table));
        self.sort_hand();
    }

    /// Shows the trick as it lies, without the events that led to it.
    pub(super) fn take_up_trick(&self, table: &Snapshot) {
        let seen = &table.trick;
        self.imp().tricks.borrow_mut().now = TrickShown {
            guide: seen.guide.map(Seat::index).unwrap_or_default(),
            destination: seen.destination,
            played: seen.played.clone(),
            ..TrickShown::default()
        };
        for seat in self.seats().iter::<SeatModel>().flatten() {
            let leads = seen.guide == Some(Seat(seat.index() as u8));
            mirror!(seat, guide, set_guide, leads);
        }
        for world in self.worlds().iter::<WorldModel>().flatten() {
            let led = seen.destination == Some(world.world());
            mirror!(world, destination, set_destination, led);
        }
    }

    /// The hand by its differences: what is gone goes, what is new comes, the rest stays. Within a round a card is known by its face,
    /// for an Eclipse puts all of them into new slots; until these are open to us again, nothing goes.
    fn deal(&self, table: &Snapshot) {
        let hand = self.hand();
        let same_round = self.with_table(|shown| shown.round) == Some(table.round);
        let holds = table
            .seats
            .get(table.me.index())
            .map_or(0, |seat| seat.cards);
        let mixing = same_round && !self.replayed() && table.hand.len() < holds;
        let mut new: Vec<CardSeen> = table.hand.clone();
        let mut at = 0;
        while let Some(card) = hand.item(at).and_downcast::<CardModel>() {
            let is_it = |seen: &CardSeen| {
                seen.card == card.card() && (same_round || seen.slot == card.place())
            };
            match new.iter().position(is_it) {
                Some(there) => card.move_to(new.swap_remove(there).slot),
                None if mixing => {}
                None => {
                    hand.remove(at);
                    continue;
                }
            }
            at += 1;
        }
        let mut new: Vec<CardModel> = new.iter().map(CardModel::new).collect();
        new.iter().for_each(|card| card.set_covered(self.covered()));
        new.sort_by_key(self.order());
        if !new.is_empty() {
            hand.splice(hand.n_items(), 0, &new);
        }
    }

    /// How the hand is sorted.
    fn order(&self) -> impl Fn(&CardModel) -> (u32, u32) + Copy + 'static {
        let by_value = self.settings().sort_by_value();
        move |card| match by_value {
            true => (card.value(), card.world()),
            false => (card.world(), card.value()),
        }
    }

    pub(super) fn sort_hand(&self) {
        let key = self.order();
        let hand = self.hand();
        let cards: Vec<CardModel> = hand.iter::<CardModel>().flatten().collect();
        if !cards.is_sorted_by_key(key) {
            hand.sort(move |a, b| {
                let key_of = |object: &glib::Object| object.downcast_ref::<CardModel>().map(key);
                key_of(a).cmp(&key_of(b))
            });
        }
    }

    /// Says everything once more, in the language of the moment.
    pub fn speak_again(&self) {
        let Some((me, seen)) = self.with_table(|table| (table.me, table.seats.clone())) else {
            return;
        };
        let names: Vec<String> = seen.iter().map(|seat| seat.name.clone()).collect();
        let people = Names { names: &names, me };
        for line in self.log().iter::<LineModel>().flatten() {
            if let Some((text, _)) = line
                .event()
                .and_then(|event| happened::event(&event, people))
            {
                line.set_text(text);
            }
        }
        for (model, seen) in self.seats().iter::<SeatModel>().flatten().zip(&seen) {
            model.follow(seen);
        }
        self.refresh();
    }

    /// What follows from the table and from whether something is still being shown.
    pub(super) fn refresh(&self) {
        let busy = self.is_busy();
        let held = self.imp().table.borrow();
        let Some(table) = held.as_ref() else { return };
        let mine = !busy
            && table.awaited.contains(table.me)
            && table.ask.is_some()
            && !table.legal.is_empty();
        if !mine {
            self.imp().picked.set(None);
        }
        for seat in self.seats().iter::<SeatModel>().flatten() {
            let awaited = !busy && table.awaited.contains(Seat(seat.index() as u8));
            mirror!(seat, awaited, set_awaited, awaited);
        }
        for card in self.hand().iter::<CardModel>().flatten() {
            let slot = card.place();
            let playable = mine
                && table.legal.iter().any(|action| match action {
                    Action::Play { slot: at, .. } | Action::Give { slot: at } => *at == slot,
                    _ => false,
                });
            mirror!(card, playable, set_playable, playable);
            let advised = matches!(
                self.advised(),
                Some(Action::Play { slot: at, .. } | Action::Give { slot: at }) if at == slot
            );
            mirror!(card, advised, set_advised, advised);
            mirror!(
                card,
                reason,
                set_reason,
                asked::card_reason(table, mine, card.card())
            );
        }
        let names: Vec<String> = table.seats.iter().map(|s| s.name.clone()).collect();
        let people = Names {
            names: &names,
            me: table.me,
        };
        let banner = match table.ask {
            Some(ask) if mine => Some(asked::question(ask, table, people)),
            Some(ask) if !busy => Some(asked::waiting(ask, &people.all(table.awaited))),
            Some(_) | None => None,
        };
        drop(held);
        if let Some(banner) = banner {
            mirror!(self, banner, set_banner, banner);
        }
        mirror!(self, asked, set_asked, mine);
        self.emit_by_name::<()>("changed", &[]);
    }
}

#[cfg(test)]
mod tests {
    use shamans_net::scenario::Scenario;

    use super::*;
    use crate::{session::look::look, settings::Settings};

    fn shown(session: &Session) -> Vec<CardModel> {
        session.hand().iter().flatten().collect()
    }

    /// ECL-3: all cards lie in new slots then. On the screen those that were kept stay, also while the new slots are still sealed.
    #[test]
    fn an_eclipse_changes_one_card_of_the_hand() {
        let file = include_bytes!("../../../../tests/scenarios/ecl-2-left.txt");
        let scenario = Scenario::read(file).unwrap();
        let mut walk = scenario.walk().unwrap();
        let me = Seat(1);
        let mut tables = Vec::new();
        while walk.next_move().is_some() {
            tables.push(walk.look(me, |view| look(view, me, scenario.players())));
            walk.advance().unwrap();
        }
        let after = tables.pop().expect("the trick goes on after the Eclipse");
        let before = tables.iter().rfind(|table| table.hand.len() == 2);
        let before = before.expect("two cards to choose from").clone();
        let mixing = Snapshot {
            hand: Vec::new(),
            ..after.clone()
        };

        let context = glib::MainContext::new();
        let session = context.with_thread_default(|| {
            let (commands, _) = async_channel::unbounded();
            Session::new(
                &glib::Object::new::<Settings>(),
                commands,
                async_channel::unbounded().1,
            )
        });
        let session = session.unwrap();
        session.follow(before);
        let held = shown(&session);
        session.follow(mixing);
        assert_eq!(shown(&session), held);
        session.follow(after.clone());
        let now = shown(&session);
        assert_eq!(now.len(), 2);
        let stayed: Vec<_> = now.iter().filter(|card| held.contains(card)).collect();
        assert_eq!(stayed.len(), 1);
        for card in &now {
            let seen = after.hand.iter().find(|seen| seen.card == card.card());
            assert_eq!(seen.map(|seen| seen.slot), Some(card.place()));
        }
    }
}
