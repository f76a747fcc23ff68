//! One seat's view as plain data: the only place where the client reads the rules' state.

use shamans_core::shamans::{Decision, View};

use super::snapshot::{Ask, CardSeen, NOBODY, SeatSeen, Snapshot, TileSeen, TrickSeen, WorldSeen};
use crate::pieces::{Card, Seat};

/// What `view` shows to `me`; `names` by seat.
pub fn look(view: &View<'_>, me: Seat, names: &[String]) -> Snapshot {
    let rules = view.rules();
    let seat_seen = |(i, name): (usize, &String)| {
        let seat = Seat(i as u8);
        SeatSeen {
            name: name.clone(),
            cards: view.hand_size(seat),
            points: usize::from(view.points(seat)),
            role: view.shown_role(seat),
            tiles: view
                .tiles(seat)
                .map(|tile| TileSeen {
                    artefact: tile.artefact,
                    up: tile.face_up,
                })
                .collect(),
            eliminated: view.is_eliminated(seat),
            phantom: view.phantoms().contains(seat),
            bot: None,
        }
    };
    let world_seen = |world| WorldSeen {
        world,
        ritual: rules.ritual(world),
        laid: view.laid(world).0,
        values: rules.values,
    };
    let trick = view.trick();
    Snapshot {
        round: usize::from(view.round()),
        me,
        pawn: view.pawn(),
        moon: rules.moon,
        seats: names.iter().enumerate().map(seat_seen).collect(),
        worlds: rules.all_worlds().map(world_seen).collect(),
        hand: view
            .hand()
            .map(|(slot, card)| CardSeen { slot, card })
            .collect(),
        role: if me == NOBODY { None } else { view.role(me) },
        offer: view.offer().collect(),
        pile: usize::from(view.pile()),
        trick: TrickSeen {
            guide: Some(trick.guide),
            destination: trick.destination,
            played: played(view),
        },
        awaited: view.awaited(),
        ask: view.decision().map(ask),
        legal: view.legal(),
        open: false,
        winner: view.round_winner(),
    }
}

/// The cards of the trick that is being played, by seat.
fn played(view: &View<'_>) -> Vec<Option<Card>> {
    let mut played = vec![None; usize::from(view.rules().players)];
    if view.trick().destination.is_none() {
        return played;
    }
    let plays = view.plays();
    let led = plays
        .iter()
        .rposition(|play| play.led)
        .unwrap_or(plays.len());
    for play in plays.iter().skip(led) {
        if let Some(place) = played.get_mut(play.seat.index()) {
            *place = Some(play.card);
        }
    }
    played
}

fn ask(decision: &Decision) -> Ask {
    match *decision {
        Decision::Play { seat: _ } => Ask::Play,
        Decision::Take { seat: _ } => Ask::Take,
        Decision::Stabilise { seat: _ } => Ask::Stabilise,
        Decision::Permute { seat: _ } => Ask::Permute,
        Decision::Strike { seat: _, must } => Ask::Strike { must },
        Decision::Order { seat: _, worlds: _ } => Ask::Order,
        Decision::React {
            seat: _,
            waiting: _,
            moment,
        } => Ask::React(moment),
        Decision::Give {
            waiting: _,
            side,
            chosen: _,
        } => Ask::Give(side),
        Decision::NameGuide { seat: _ } => Ask::NameGuide,
    }
}
