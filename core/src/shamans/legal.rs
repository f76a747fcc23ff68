//! What a seat may do, and why not: [`Shamans::check`] refuses, [`Shamans::legal_into`] lists. A property test holds them together.

use alloc::vec::Vec;

use super::{
    Shamans,
    action::{Action, Illegal, Pick},
    card::{Artefact, Way},
    state::{Decision, Phase, Tile},
};
use crate::game::{Claim, Face, Known, Seat, SeatSet, Slot};

impl Shamans {
    pub(super) fn check_seat(&self, seat: Seat) -> Result<(), Illegal> {
        if seat.index() < self.rules.seats() {
            Ok(())
        } else {
            Err(Illegal::NoSuchSeat(seat))
        }
    }

    /// May `by` do this now? Claims about faces are taken at their word here; the dealing side checks them.
    pub fn check(&self, by: Seat, action: &Action) -> Result<(), Illegal> {
        self.check_seat(by)?;
        let decision = match &self.phase {
            Phase::Deciding(decision) => decision,
            Phase::Over => return Err(Illegal::GameOver),
            Phase::Asking { .. } | Phase::Running => return Err(Illegal::CardsUnderway),
        };
        if self.phantoms().contains(by) {
            return Err(Illegal::Phantom);
        }
        if let Action::Portal { tile, face, way } = *action {
            return self.check_portal(by, tile, face, way);
        }
        if !decision.seats().contains(by) {
            return Err(Illegal::NotAwaited);
        }
        match (*action, *decision) {
            (Action::Play { slot, card }, Decision::Play { .. }) => {
                self.check_in_hand(by, slot)?;
                self.rules.face(card).map(|_| ()).ok_or(Illegal::NoSuchCard)
            }
            (Action::Take(pick), Decision::Take { .. }) => {
                if self.can_take(pick) {
                    Ok(())
                } else {
                    Err(Illegal::NoTileThere)
                }
            }
            (Action::MoveBack | Action::TakeInstead, Decision::Stabilise { .. })
            | (Action::Decline, Decision::React { .. }) => Ok(()),
            (Action::Swap { with }, Decision::Permute { .. }) => self.check_other(by, with),
            (Action::Strike { tile, face, target }, Decision::Strike { must, .. }) => {
                self.check_other(by, target)?;
                if self.artefact(by, tile, face)? != Artefact::Dagger {
                    return Err(Illegal::NotADagger);
                }
                if must && face.is_some() {
                    Err(Illegal::MustUseFaceUp)
                } else {
                    Ok(())
                }
            }
            (Action::Spare, Decision::Strike { must, .. }) => {
                if must {
                    Err(Illegal::MustUseFaceUp)
                } else {
                    Ok(())
                }
            }
            (Action::Give { slot }, Decision::Give { .. }) => self.check_in_hand(by, slot),
            (Action::Perform { world }, Decision::Order { worlds, .. }) => {
                if worlds.contains(world) {
                    Ok(())
                } else {
                    Err(Illegal::NoSuchRitual)
                }
            }
            // TRK-9
            (Action::NameGuide { seat }, Decision::NameGuide { .. }) => self.check_in_play(seat),
            (
                Action::Play { .. }
                | Action::Take(_)
                | Action::MoveBack
                | Action::TakeInstead
                | Action::Swap { .. }
                | Action::Strike { .. }
                | Action::Spare
                | Action::Portal { .. }
                | Action::Decline
                | Action::Give { .. }
                | Action::Perform { .. }
                | Action::NameGuide { .. },
                Decision::Play { .. }
                | Decision::Take { .. }
                | Decision::Stabilise { .. }
                | Decision::Permute { .. }
                | Decision::Strike { .. }
                | Decision::Order { .. }
                | Decision::React { .. }
                | Decision::Give { .. }
                | Decision::NameGuide { .. },
            ) => Err(Illegal::OtherDecision),
        }
    }

    fn check_in_hand(&self, seat: Seat, slot: Slot) -> Result<(), Illegal> {
        if self.round.places[seat].hand.contains(&slot) {
            Ok(())
        } else {
            Err(Illegal::NotInHand)
        }
    }

    fn check_in_play(&self, seat: Seat) -> Result<(), Illegal> {
        self.check_seat(seat)?;
        if self.round.places[seat].eliminated {
            Err(Illegal::Eliminated)
        } else {
            Ok(())
        }
    }

    fn check_other(&self, by: Seat, other: Seat) -> Result<(), Illegal> {
        if by == other {
            Err(Illegal::Oneself)
        } else {
            self.check_in_play(other)
        }
    }

    /// POR-1
    fn check_portal(
        &self,
        by: Seat,
        tile: Slot,
        face: Option<Face>,
        way: Way,
    ) -> Result<(), Illegal> {
        self.check_in_play(by)?;
        if self.artefact(by, tile, face)? != Artefact::Portal {
            return Err(Illegal::NotAPortal);
        }
        if way == Way::Back && self.round.pawn == 0 {
            Err(Illegal::AtStart)
        } else {
            Ok(())
        }
    }

    /// What a tile in front of `by` is: its face if it lies up, what is claimed of it if it lies down.
    fn artefact(&self, by: Seat, slot: Slot, claimed: Option<Face>) -> Result<Artefact, Illegal> {
        let tile = self.round.places[by]
            .tiles
            .iter()
            .find(|tile| tile.slot == slot)
            .ok_or(Illegal::NotYourTile)?;
        match (tile.up, claimed) {
            (Some(artefact), None) => Ok(artefact),
            (None, Some(face)) => self.rules.keepsake(face).ok_or(Illegal::NoSuchCard),
            (Some(_), Some(_)) | (None, None) => Err(Illegal::NoSuchCard),
        }
    }

    /// The slot an action opens, with the face it claims: the card played, or a face-down tile that is turned up.
    pub fn claim(&self, _by: Seat, action: &Action) -> Option<Claim> {
        match *action {
            Action::Play { slot, card } => self.rules.face(card).map(|face| Claim { slot, face }),
            Action::Strike {
                tile,
                face,
                target: _,
            } => face.map(|face| Claim { slot: tile, face }),
            Action::Portal { tile, face, way: _ } => face.map(|face| Claim { slot: tile, face }),
            Action::Take(_)
            | Action::MoveBack
            | Action::TakeInstead
            | Action::Swap { .. }
            | Action::Spare
            | Action::Decline
            | Action::Give { .. }
            | Action::Perform { .. }
            | Action::NameGuide { .. } => None,
        }
    }

    /// Appends all that `seat` may do now, as far as it knows its cards.
    pub fn legal_into(&self, seat: Seat, known: &Known, actions: &mut Vec<Action>) {
        let Phase::Deciding(decision) = &self.phase else {
            return;
        };
        if seat.index() >= self.rules.seats() || self.phantoms().contains(seat) {
            return;
        }
        if decision.seats().contains(seat) {
            self.list(seat, *decision, known, actions);
        }
        self.list_portals(seat, known, actions);
    }

    fn list(&self, seat: Seat, decision: Decision, known: &Known, actions: &mut Vec<Action>) {
        let place = &self.round.places[seat];
        let seats = |set: SeatSet| set.iter();
        match decision {
            Decision::Play { seat: _ } => actions.extend(place.hand.iter().filter_map(|&slot| {
                let card = known.face(slot).and_then(|face| self.rules.card(face))?;
                Some(Action::Play { slot, card })
            })),
            Decision::Take { seat: _ } => {
                let picks = [Pick::FaceUp(0), Pick::FaceUp(1), Pick::Pile];
                actions.extend(
                    picks
                        .into_iter()
                        .filter(|&pick| self.can_take(pick))
                        .map(Action::Take),
                );
            }
            Decision::Stabilise { seat: _ } => {
                actions.extend([Action::MoveBack, Action::TakeInstead])
            }
            Decision::Permute { seat: _ } => {
                actions.extend(seats(self.others(seat)).map(|with| Action::Swap { with }));
            }
            Decision::Strike { seat: _, must } => {
                for (tile, face) in self.usable(seat, known, Artefact::Dagger) {
                    // RIT-4: a face-up dagger goes before any face-down one.
                    if !(must && face.is_some()) {
                        let targets = seats(self.others(seat));
                        actions.extend(targets.map(|target| Action::Strike { tile, face, target }));
                    }
                }
                if !must {
                    actions.push(Action::Spare);
                }
            }
            Decision::Order { seat: _, worlds } => {
                actions.extend(worlds.iter().map(|world| Action::Perform { world }));
            }
            Decision::React {
                seat: _,
                waiting: _,
                moment: _,
            } => actions.push(Action::Decline),
            Decision::Give {
                waiting: _,
                side: _,
                chosen: _,
            } => {
                actions.extend(place.hand.iter().map(|&slot| Action::Give { slot }));
            }
            Decision::NameGuide { seat: _ } => {
                actions.extend(seats(self.in_play()).map(|seat| Action::NameGuide { seat }));
            }
        }
    }

    fn list_portals(&self, seat: Seat, known: &Known, actions: &mut Vec<Action>) {
        let place = &self.round.places[seat];
        if place.eliminated || place.tiles.is_empty() {
            return;
        }
        for (tile, face) in self.usable(seat, known, Artefact::Portal) {
            actions.push(Action::Portal {
                tile,
                face,
                way: Way::Forward,
            });
            if self.round.pawn > 0 {
                actions.push(Action::Portal {
                    tile,
                    face,
                    way: Way::Back,
                });
            }
        }
    }

    /// The tiles in front of `seat` that it knows to be this artefact, with the face to claim for those that lie down.
    fn usable<'a>(
        &'a self,
        seat: Seat,
        known: &'a Known,
        wanted: Artefact,
    ) -> impl Iterator<Item = (Slot, Option<Face>)> + 'a {
        self.round.places[seat]
            .tiles
            .iter()
            .filter_map(move |&Tile { slot, up }| match up {
                Some(artefact) => (artefact == wanted).then_some((slot, None)),
                None => {
                    let face = known.face(slot)?;
                    (self.rules.keepsake(face) == Some(wanted)).then_some((slot, Some(face)))
                }
            })
    }
}
