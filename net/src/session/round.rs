//! Relays, as the driver uses them: a way in for those who have no other, and what is told of it.

use std::net::IpAddr;

use libp2p::Multiaddr;
use shamans_core::game::Game;

use super::SessionEvent;
use super::driver::{Driver, Phase};
use crate::identity::PublicId;
use crate::invite::Invite;
use crate::words::{fill, tr};

/// How long a relay is waited for before somebody is asked for a seat without it.
const RELAY_MS: u64 = 6_000;

impl<G: Game> Driver<G> {
    /// The player wants to be reached through this relay.
    pub(super) fn use_relay(&mut self, text: String) {
        self.await_relay();
        self.node.relay(text);
    }

    /// A relay is on its way: what it is good for waits a moment for it.
    pub(super) fn await_relay(&mut self) {
        if self.rounds.is_empty() && self.relay_until == 0 {
            self.relay_until = self.now() + RELAY_MS;
        }
    }

    /// A place is reserved there.
    pub(super) fn relayed(&mut self, ip: IpAddr, port: u16, addresses: Vec<Multiaddr>) {
        for address in addresses.into_iter().rev() {
            self.rounds.retain(|known| *known != address);
            self.rounds.insert(0, address);
        }
        let invite = Invite::through_relay(ip, port, &self.node.local());
        self.emit(SessionEvent::Reachable { ip, port, invite });
        if self.joining.is_some() {
            self.look();
        }
        // Those who sit here already learn of the new way, unless they are about to begin.
        if let Phase::Gathering(gathering) = &self.phase
            && gathering.room.opener == self.node.local()
            && gathering.seating.is_none()
        {
            self.tell_room();
        }
    }

    /// The relay is out of reach.
    pub(super) fn relay_lost(&mut self, why: String) {
        self.relay_until = 0;
        let text = fill("The relay does not work: {why}", &[("why", &why)]);
        self.emit(SessionEvent::RelayLost(text));
    }

    /// A relay answered where a player was expected.
    pub(super) fn is_relay(&mut self, peer: PublicId) {
        if self.has_asked(&peer) {
            self.joining = None;
            self.emit(SessionEvent::NoSeat(tr(
                "a relay answers at that address, and no player: ask for the invite code of whoever opened the table",
            )));
        }
    }
}
