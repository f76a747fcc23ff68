//! Who is nearby, as the driver hears it: keeps the list, and links whoever belongs to this player's table.

use shamans_core::game::Game;

use super::SessionEvent;
use super::driver::{Driver, Phase};
use super::leaving::Departure;
use super::playing::Playing;
use crate::discovery::DiscoveryEvent;
use crate::identity::PublicId;

impl<G: Game> Driver<G> {
    pub(super) fn on_discovery(&mut self, event: DiscoveryEvent) {
        match event {
            DiscoveryEvent::Seen(neighbour) => {
                // Whoever belongs to our table is linked wherever they turn up.
                if self.is_of_our_table(&neighbour.id) {
                    self.node.want(neighbour.id, neighbour.addresses.clone());
                }
                if self.lobby.seen(neighbour, self.now()) {
                    self.tell_nearby();
                }
            }
            DiscoveryEvent::Gone(id) => {
                self.lobby.gone(&id);
                self.tell_nearby();
            }
            DiscoveryEvent::Copy { .. } => self.emit(SessionEvent::Copy),
            DiscoveryEvent::Trouble(what) => self.emit(SessionEvent::Trouble(what)),
        }
    }

    /// Tells the list if it is another than before.
    pub(super) fn tell_nearby(&mut self) {
        let nowhere = self
            .lobby
            .people()
            .filter(|peer| peer.presence.table.is_none());
        let people: Vec<String> = nowhere.map(|peer| peer.presence.name.clone()).collect();
        let list = (self.lobby.tables(), people);
        if list != self.nearby {
            self.nearby = list.clone();
            let (tables, people) = list;
            self.emit(SessionEvent::Nearby { tables, people });
        }
        if self.joining.is_some() {
            self.look();
        }
    }

    pub(super) fn is_of_our_table(&self, id: &PublicId) -> bool {
        let present = match &self.phase {
            Phase::Lobby => false,
            Phase::Gathering(gathering) => gathering.room.has(id),
            Phase::Playing(playing) => playing.seat_of(id).is_some(),
        };
        // Until the others know, they are needed at a table that this player leaves.
        let leaving = |playing: &Playing<G>| match playing.departure {
            Departure::Wanted | Departure::Said | Departure::Done(_) => {
                playing.seat_of(id).is_some()
            }
            Departure::Not | Departure::After | Departure::Refused => false,
        };
        present || self.finished.as_deref().is_some_and(leaving)
    }
}
