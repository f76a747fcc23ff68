//! A whole deal as it might be: everything the viewer knows stays, everything else is dealt anew. For bots that search, and for
//! the test that a view leaks nothing.

use alloc::vec::Vec;

use arrayvec::ArrayVec;
use rand::{Rng, RngExt, seq::SliceRandom};

use super::{
    Shamans,
    card::{Artefact, Card, MAX_CARDS, Role},
    data::MAX_TILES,
    setup::DeckKind,
    state::{Decision, Moment, WorldSet},
    view::View,
};
use crate::game::{ClearDealer, Face, Game, MAX_SEATS, PerSeat, Seat, SeatSet, Slot};

/// What the viewer assumes beyond what it knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assumed {
    /// The seats that are Shadows, the known ones among them.
    pub shadows: SeatSet,
    /// Worlds of which a seat is thought to have no card; followed as far as the cards allow.
    pub none_of: PerSeat<WorldSet>,
}

impl View<'_> {
    /// The game as it stands, and a dealer with a deal that fits all the viewer knows and, as far as possible, what it assumes.
    pub fn imagine(&self, assumed: &Assumed, rng: &mut dyn Rng) -> (Shamans, ClearDealer) {
        let game = self.game.clone();
        let mut dealer = ClearDealer::new(game.seats());
        self.deal_hands(assumed, &mut dealer, rng);
        self.deal_identities(assumed.shadows, &mut dealer);
        self.deal_keepsakes(&mut dealer, rng);
        self.deal_pile(&mut dealer, rng);
        self.show_own(&mut dealer);
        (game, dealer)
    }

    fn everyone(&self) -> SeatSet {
        self.game.rules.everyone()
    }

    /// World cards: those the viewer cannot see go to the hands it cannot see.
    fn deal_hands(&self, assumed: &Assumed, dealer: &mut ClearDealer, rng: &mut dyn Rng) {
        let (game, rules) = (self.game, &self.game.rules);
        let mut seen = [0u8; super::card::MAX_WORLDS];
        let mut see = |card: Card| {
            if let Some(values) = seen.get_mut(card.world.index()) {
                *values |= 1 << (card.value - 1);
            }
        };
        let trick = &game.round.trick;
        let on_table = trick.cards.iter().filter_map(|(_, card)| *card);
        on_table
            .chain(trick.stray.map(|(_, card)| card))
            .for_each(&mut see);
        // The viewer's own hand; every hand for eyes that have seen them all.
        let in_hands = || {
            self.everyone().iter().flat_map(|seat| {
                let hand = game.round.places[seat].hand.iter();
                hand.map(move |&slot| (seat, slot))
            })
        };
        for (_, slot) in in_hands() {
            if let Some(face) = self.known.face(slot) {
                dealer.place(slot, face);
                if let Some(card) = rules.card(face) {
                    see(card);
                }
            }
        }
        let mut free: ArrayVec<Card, MAX_CARDS> = ArrayVec::new();
        for world in rules.all_worlds() {
            let gone = game.round.laid[world].0 | seen.get(world.index()).copied().unwrap_or(0);
            let values = (1..=rules.values).filter(|value| gone & (1 << (value - 1)) == 0);
            free.extend(values.map(|value| Card { world, value }));
        }
        free.shuffle(rng);
        let hidden = in_hands().filter(|&(_, slot)| self.known.face(slot).is_none());
        let mut dealt: ArrayVec<(Seat, Slot, Card), MAX_CARDS> = hidden
            .zip(free)
            .map(|((seat, slot), card)| (seat, slot, card))
            .collect();
        self.place_gift(&mut dealt);
        self.mend(assumed, &mut dealt, rng);
        for (_, slot, card) in dealt {
            if let Some(face) = rules.face(card) {
                dealer.place(slot, face);
            }
        }
    }

    /// ECL-3: the giver knows who has the card it gave, until it is played.
    fn place_gift(&self, dealt: &mut ArrayVec<(Seat, Slot, Card), MAX_CARDS>) {
        let Some((gift, to)) = self.gift() else {
            return;
        };
        let here = dealt.iter().position(|&(_, _, card)| card == gift);
        let there = dealt.iter().position(|&(seat, _, _)| seat == to);
        if let (Some(here), Some(there)) = (here, there)
            && dealt.get(here).is_some_and(|&(seat, _, _)| seat != to)
        {
            trade(dealt, here, there);
        }
    }

    /// Trades away cards that a seat is thought not to have.
    fn mend(
        &self,
        assumed: &Assumed,
        dealt: &mut ArrayVec<(Seat, Slot, Card), MAX_CARDS>,
        rng: &mut dyn Rng,
    ) {
        let gift = self.gift().map(|(card, _)| card);
        for i in 0..dealt.len() {
            for _ in 0..4 {
                let Some(&(seat, _, card)) = dealt.get(i) else {
                    break;
                };
                if Some(card) == gift || !assumed.none_of[seat].contains(card.world) {
                    break;
                }
                let j = rng.random_range(0..dealt.len());
                if let Some(&(other, _, theirs)) = dealt.get(j)
                    && other != seat
                    && Some(theirs) != gift
                    && !assumed.none_of[seat].contains(theirs.world)
                    && !assumed.none_of[other].contains(card.world)
                {
                    trade(dealt, i, j);
                }
            }
        }
    }

    /// Identities: known cards as they are, the others by what is assumed.
    fn deal_identities(&self, shadows: SeatSet, dealer: &mut ClearDealer) {
        let (game, rules) = (self.game, &self.game.rules);
        let mut free: ArrayVec<Face, MAX_SEATS> = (0..rules.players).map(Face).collect();
        for seat in self.everyone().iter() {
            let slot = game.round.places[seat].identity;
            if let Some(face) = self.known.face(slot) {
                free.retain(|other| *other != face);
                dealer.place(slot, face);
            }
        }
        for seat in self.everyone().iter() {
            let place = &game.round.places[seat];
            if self.known.face(place.identity).is_some() {
                continue;
            }
            let thought = if shadows.contains(seat) {
                Role::Shadow
            } else {
                Role::Shaman
            };
            let role = place.role.unwrap_or(thought);
            let at = free.iter().position(|&face| rules.role(face) == Some(role));
            if let Some(face) = at
                .or((!free.is_empty()).then_some(0))
                .and_then(|at| free.pop_at(at))
            {
                dealer.place(place.identity, face);
            }
        }
    }

    /// Face-down tiles of others and what is still in the pile.
    fn deal_keepsakes(&self, dealer: &mut ClearDealer, rng: &mut dyn Rng) {
        let (game, rules) = (self.game, &self.game.rules);
        // Face-down tiles that the viewer has seen lie under their own faces.
        let own: ArrayVec<Face, MAX_TILES> = self
            .everyone()
            .iter()
            .flat_map(|seat| game.round.places[seat].tiles.iter())
            .filter(|tile| tile.up.is_none())
            .filter_map(|tile| self.known.face(tile.slot))
            .collect();
        let others = (0..rules.keepsakes).map(Face);
        let mut free: ArrayVec<Face, MAX_TILES> =
            others.filter(|face| !own.contains(face)).collect();
        let mut take = |wanted: Artefact| {
            let at = free
                .iter()
                .position(|&face| rules.keepsake(face) == Some(wanted));
            at.and_then(|at| free.pop_at(at))
        };
        let mut open: ArrayVec<Slot, MAX_TILES> = ArrayVec::new();
        let mut lying = 0;
        let in_front = self
            .everyone()
            .iter()
            .flat_map(|seat| game.round.places[seat].tiles.iter());
        for tile in in_front.chain(game.round.offer.iter().flatten()) {
            let known = self
                .known
                .face(tile.slot)
                .and_then(|face| rules.keepsake(face));
            match tile.up.or(known) {
                Some(Artefact::Mask) => continue,
                Some(artefact) => {
                    if let Some(face) = self.known.face(tile.slot).or_else(|| take(artefact)) {
                        dealer.place(tile.slot, face);
                    }
                }
                None => open.push(tile.slot),
            }
            lying += 1;
        }
        // What was discarded: a dagger for each elimination and for one under way, else portals.
        let gone = usize::from(game.round.kept).saturating_sub(lying);
        let struck = self
            .everyone()
            .iter()
            .filter(|&seat| self.is_eliminated(seat))
            .count()
            + usize::from(matches!(
                game.decision(),
                Some(Decision::React {
                    seat: _,
                    waiting: _,
                    moment: Moment::Dagger { .. }
                })
            ));
        for i in 0..gone {
            let _ = take(if i < struck {
                Artefact::Dagger
            } else {
                Artefact::Portal
            });
        }
        free.shuffle(rng);
        let first = rules.first(DeckKind::Keepsakes);
        let pile =
            (usize::from(game.round.kept)..usize::from(rules.keepsakes)).map(|i| first.after(i));
        for (slot, face) in open.into_iter().chain(pile).zip(free) {
            dealer.place(slot, face);
        }
    }

    /// Which of the tiles to come are masks, and where the Eclipse is.
    fn deal_pile(&self, dealer: &mut ClearDealer, rng: &mut dyn Rng) {
        let (game, rules) = (self.game, &self.game.rules);
        let drawn = usize::from(game.round.drawn);
        let left = usize::from(game.pile_left());
        let in_front = self
            .everyone()
            .iter()
            .flat_map(|seat| game.round.places[seat].tiles.iter());
        let seen = in_front
            .chain(game.round.offer.iter().flatten())
            .filter(|tile| tile.up == Some(Artefact::Mask))
            .count();
        let masks = usize::from(rules.masks).saturating_sub(seen);
        let mut marks: Vec<Face> = (0..left)
            .map(|i| Face(if i < masks { 0 } else { rules.masks }))
            .collect();
        marks.shuffle(rng);
        let first = rules
            .first(DeckKind::Marks)
            .after(usize::from(rules.face_up) + drawn);
        for (i, face) in marks.into_iter().enumerate() {
            dealer.place(first.after(i), face);
        }
        let depth = rules.first(DeckKind::Depth).after(drawn);
        let shows = if left > 0 {
            rng.random_range(0..left)
        } else {
            0
        };
        for i in 0..left {
            let here = game.round.eclipse && i == shows;
            dealer.place(depth.after(i), Face(u8::from(!here)));
        }
        let side = u8::from(rng.random_bool(0.5));
        dealer.place(rules.first(DeckKind::Side), Face(side));
    }

    /// Every person sees their own hand, identity and tiles.
    fn show_own(&self, dealer: &mut ClearDealer) {
        for seat in self.everyone().minus(self.phantoms()).iter() {
            let place = &self.game.round.places[seat];
            let down = place.tiles.iter().filter(|tile| tile.up.is_none());
            let slots = place.hand.iter().copied().chain(down.map(|tile| tile.slot));
            for slot in slots.chain([place.identity]) {
                // A slot that nothing was dealt to shows nothing.
                let _ = dealer.show(slot, seat);
            }
        }
        // The viewer remembers where cards went that it has seen; of the identities that matters.
        if let Some(me) = self.seat {
            for seat in self.everyone().iter() {
                let slot = self.game.round.places[seat].identity;
                if self.known.face(slot).is_some() {
                    let _ = dealer.show(slot, me);
                }
            }
        }
    }
}

/// Two places exchange their cards.
fn trade(dealt: &mut ArrayVec<(Seat, Slot, Card), MAX_CARDS>, one: usize, other: usize) {
    let card = |at: usize| dealt.get(at).map(|&(_, _, card)| card);
    if let (Some(first), Some(second)) = (card(one), card(other)) {
        for (at, card) in [(one, second), (other, first)] {
            if let Some(place) = dealt.get_mut(at) {
                place.2 = card;
            }
        }
    }
}
