//! On the way to a table: find someone who sits there, ask, be sent on to the opener, ask again.

use libp2p::Multiaddr;
use shamans_core::game::Game;

use super::driver::Driver;
use super::packet::Packet;
use super::room::Refused;
use super::{SessionEvent, Whereto};
use crate::PROTOCOL_VERSION;
use crate::identity::PublicId;
use crate::swarm::{Target, addresses_of};
use crate::words::fill;

/// How long a table is looked for.
const PATIENCE_MS: u64 = 30_000;
/// How long those one has played with are asked for another game: people take their time over the last one.
const REMATCH_PATIENCE_MS: u64 = 600_000;
/// How often it is tried again.
const AGAIN_MS: u64 = 1_500;

pub(super) struct Joining {
    /// Where to look; nowhere if it is known whom to ask.
    at: Option<Whereto>,
    watch: bool,
    until: u64,
    pub(super) again: u64,
    /// The table's number, once known.
    table: Option<u64>,
    /// Whom to ask.
    ask: Vec<PublicId>,
    /// What went wrong last.
    why: String,
}

impl<G: Game> Driver<G> {
    pub(super) fn join(&mut self, at: Whereto, watch: bool) {
        let now = self.now();
        let why = match &at {
            Whereto::Listed(_) => crate::words::tr("no such table is nearby"),
            Whereto::Named(_) => {
                crate::words::tr("no such table, and nobody of that name, is nearby")
            }
            Whereto::At(_) => crate::words::tr("nobody answered"),
        };
        self.joining = Some(Joining {
            at: Some(at),
            watch,
            until: now + PATIENCE_MS,
            again: now,
            table: None,
            ask: Vec::new(),
            why,
        });
        self.look();
    }

    /// Asks those one has played with, until one of them gathers again: at `table`, if that is still known.
    pub(super) fn ask_again(&mut self, ask: Vec<PublicId>, table: Option<u64>) {
        let now = self.now();
        self.joining = Some(Joining {
            at: table.map(Whereto::Listed),
            watch: false,
            until: now + REMATCH_PATIENCE_MS,
            again: now,
            table,
            ask,
            why: crate::words::tr("the one who opened the table does not want to play again"),
        });
        self.look();
    }

    /// Looks for the table, and asks whoever is linked already.
    pub(super) fn look(&mut self) {
        let now = self.now();
        let Some(mut joining) = self.joining.take() else {
            return;
        };
        if now >= joining.until {
            self.emit(SessionEvent::NoSeat(joining.why));
            return;
        }
        joining.again = now + AGAIN_MS;
        let row = match &joining.at {
            None => None,
            Some(Whereto::Listed(id)) => self.lobby.tables().into_iter().find(|row| row.id == *id),
            Some(Whereto::Named(name)) => {
                let row = self.lobby.table_named(name);
                let row = row.or_else(|| self.lobby.table_of(name));
                if row.is_none()
                    && let Some((person, addresses)) = self.remembered_as(name)
                {
                    self.node.want(person, addresses);
                    if !joining.ask.contains(&person) {
                        joining.ask.push(person);
                    }
                }
                row
            }
            Some(Whereto::At(target)) => {
                if joining.ask.is_empty() {
                    match target {
                        Target::Invite(invite) if invite.relay => {
                            self.await_relay();
                            self.node.seek(now, *invite);
                        }
                        Target::Invite(invite) => {
                            let addresses = addresses_of(invite.ip, invite.port, None);
                            self.node.knock(now, addresses);
                        }
                        Target::Address(addresses) => self.node.knock(now, addresses.clone()),
                    }
                }
                None
            }
        };
        if let Some(row) = row {
            if row.protocol != PROTOCOL_VERSION {
                self.other_version(row.protocol.to_string());
                return;
            }
            joining.table = Some(row.id);
            for member in row.members {
                self.node.want(member, self.lobby.addresses(&member));
                if !joining.ask.contains(&member) {
                    joining.ask.push(member);
                }
            }
        }
        let linked = self.node.linked();
        let ask: Vec<PublicId> = joining
            .ask
            .iter()
            .filter(|peer| linked.contains(peer))
            .copied()
            .collect();
        self.joining = Some(joining);
        for peer in ask {
            self.ask(peer);
        }
    }

    /// Somebody answered at the address.
    pub(super) fn answered(&mut self, peer: PublicId) {
        self.answers(peer, Vec::new());
    }

    /// The relay knows who is meant by the code.
    pub(super) fn found(&mut self, peer: PublicId, address: Multiaddr) {
        self.answers(peer, vec![address]);
    }

    fn answers(&mut self, peer: PublicId, addresses: Vec<Multiaddr>) {
        let Some(joining) = &mut self.joining else {
            return;
        };
        if let Some(Whereto::At(Target::Invite(invite))) = &joining.at
            && !invite.is_from(&peer)
        {
            joining.why = crate::words::tr(
                "somebody else than the inviting player answers at that address: ask for a new code",
            );
            return;
        }
        if !joining.ask.contains(&peer) {
            joining.ask.push(peer);
        }
        self.node.want(peer, addresses);
        if self.node.linked().contains(&peer) {
            self.ask(peer);
        }
    }

    pub(super) fn unanswered(&mut self, why: String) {
        if let Some(joining) = &mut self.joining {
            joining.why = fill("nobody answered: {why}", &[("why", &why)]);
        }
    }

    /// Another version of the protocol is spoken where this player wants to sit down.
    pub(super) fn other_version(&mut self, version: String) {
        self.joining = None;
        let why = fill(
            "protocol {version} is spoken there, here it is {own}: one of you needs to update",
            &[
                ("version", &version),
                ("own", &PROTOCOL_VERSION.to_string()),
            ],
        );
        self.emit(SessionEvent::OtherVersion(version));
        self.emit(SessionEvent::NoSeat(why));
    }

    /// Asks `peer` for a seat, if that is one to ask.
    pub(super) fn ask(&mut self, peer: PublicId) {
        let Some(joining) = &self.joining else { return };
        // Others are to learn of the way round at once: it is asked again when there is one, or none is to be had.
        if self.rounds.is_empty() && self.now() < self.relay_until {
            return;
        }
        if joining.ask.contains(&peer) {
            let ask = Packet::Ask {
                table: joining.table,
                watch: joining.watch,
                addresses: self.own_addresses(),
                operator: self.config.operator.clone(),
            };
            self.send(peer, &ask);
        }
    }

    /// "Ask the opener."
    pub(super) fn ask_there(&mut self, opener: PublicId, addresses: Vec<String>) {
        let addresses = addresses
            .iter()
            .filter_map(|text| text.parse().ok())
            .collect();
        let Some(joining) = &mut self.joining else {
            return;
        };
        if !joining.ask.contains(&opener) {
            joining.ask.push(opener);
        }
        self.node.want(opener, addresses);
        if self.node.linked().contains(&opener) {
            self.ask(opener);
        }
    }

    /// Somebody said no.
    pub(super) fn refused(&mut self, peer: PublicId, refused: Refused) {
        let Some(joining) = &mut self.joining else {
            return;
        };
        if !joining.ask.contains(&peer) {
            return;
        }
        joining.why = refused.to_string();
        match refused {
            // These may pass: it is tried until patience ends.
            Refused::NoTable | Refused::NothingToWatch => {}
            Refused::Full | Refused::Playing | Refused::NameTaken | Refused::OtherKey => {
                let why = joining.why.clone();
                self.joining = None;
                self.emit(SessionEvent::NoSeat(why));
            }
        }
    }

    /// Is this peer one that was asked to watch?
    pub(super) fn wants_to_watch(&self) -> bool {
        self.joining.as_ref().is_some_and(|joining| joining.watch)
    }

    /// Was this peer asked?
    pub(super) fn has_asked(&self, peer: &PublicId) -> bool {
        self.joining
            .as_ref()
            .is_some_and(|joining| joining.ask.contains(peer))
    }
}
