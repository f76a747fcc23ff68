//! How a game begins here: just sat down to, taken up from disk, learned from the others, or watched.

use libp2p::Multiaddr;
use shamans_core::codec;
use shamans_core::game::Game;
use shamans_core::table::{Consent, GenesisError, Seating, SignedGenesis, Table};

use super::SessionEvent;
use super::driver::{Driver, Phase};
use super::playing::{Playing, hex};
use super::room::RoomState;
use crate::identity::PublicId;
use crate::store::{KnownPeer, Store, StoreError};

impl<G: Game> Driver<G> {
    pub(super) fn begin(
        &mut self,
        table: Result<Table<G>, GenesisError>,
        seating: Option<Seating>,
        room: Option<RoomState>,
    ) {
        let mut table = match table {
            Ok(table) => table,
            Err(error) => {
                self.phase = Phase::Lobby;
                self.emit(SessionEvent::NoSeat(error.to_string()));
                return;
            }
        };
        table.set_consent(if self.config.auto_go_on {
            Consent::Auto
        } else {
            Consent::Ask
        });
        let genesis = &table.genesis().genesis;
        let seated = SessionEvent::Seated {
            table: genesis.table(),
            me: table.me(),
            holders: genesis.holders(),
            options: genesis.proposal.options,
            think_s: room.as_ref().map_or(0, |room| room.think_s),
        };
        self.emit(SessionEvent::Phrase(genesis.phrase()));
        self.emit(seated);
        let kept = self.store.is_some() && table.me().is_some();
        let playing = Playing::new(table, kept, seating, room, self.now());
        self.joining = None;
        for peer in playing.others() {
            let addresses = self.lobby.addresses(&peer);
            self.node.want(
                peer,
                self.remembered(&peer)
                    .into_iter()
                    .chain(addresses)
                    .collect(),
            );
        }
        self.emit(SessionEvent::Now(Box::new(playing.snapshot())));
        let others = playing.others();
        self.phase = Phase::Playing(Box::new(playing));
        for peer in others {
            self.remember(peer);
        }
        self.announce();
    }

    /// Where somebody was reached before.
    pub(super) fn remembered(&self, peer: &PublicId) -> Vec<Multiaddr> {
        let hex = peer.to_hex();
        self.known(|known| known.key == hex)
            .map(|(_, addresses)| addresses)
            .unwrap_or_default()
    }

    /// Who was met under this name, and where.
    pub(super) fn remembered_as(&self, name: &str) -> Option<(PublicId, Vec<Multiaddr>)> {
        let name = name.to_lowercase();
        self.known(|known| known.name.to_lowercase() == name)
    }

    fn known(&self, which: impl Fn(&KnownPeer) -> bool) -> Option<(PublicId, Vec<Multiaddr>)> {
        let peers = self.store.as_ref()?.peers().ok()?;
        let known = peers.iter().find(|known| which(known))?;
        let addresses = known
            .addresses
            .iter()
            .filter_map(|text| text.parse().ok())
            .collect();
        Some((PublicId::from_hex(&known.key).ok()?, addresses))
    }

    /// A running game: just sat down to, ours, which we lost, or one to watch.
    pub(super) fn on_genesis(&mut self, peer: PublicId, genesis: SignedGenesis) {
        if let Phase::Gathering(gathering) = &self.phase
            && gathering.drawn.as_ref() == Some(&genesis.genesis)
            && genesis.check().is_ok()
        {
            return self.seated(genesis);
        }
        if !matches!(self.phase, Phase::Lobby) || !self.has_asked(&peer) {
            return;
        }
        let ours = genesis
            .genesis
            .proposal
            .keys()
            .any(|key| key.0 == self.node.local().0);
        let now = self.now();
        let name = hex(&genesis.genesis.table());
        let journal = |store: &Store| Ok(store.tables()?.contains(&name));
        let begun = match self.store.as_ref().map(journal) {
            Some(Err(error)) => {
                return self.emit(SessionEvent::Trouble(StoreError::to_string(&error)));
            }
            Some(Ok(begun)) => begun,
            None => false,
        };
        if ours && begun {
            // What was said before lies here: it is gone on with, not begun anew.
            self.resume(&name);
        } else if ours {
            self.begin(
                Table::recover(genesis, self.table_identity(), now),
                None,
                None,
            );
        } else if self.wants_to_watch() {
            self.begin(Table::new(genesis, None, now), None, None);
        }
    }

    pub(super) fn resume(&mut self, name: &str) {
        let Some(store) = &self.store else { return };
        let kept = store
            .journal(name)
            .and_then(|mut journal| Ok((journal.take_frames(), store.room(name)?)));
        let (frames, room) = match kept {
            Ok(kept) => kept,
            Err(error) => {
                self.emit(SessionEvent::Trouble(error.to_string()));
                return;
            }
        };
        // Without it there is no rematch, which is no reason not to play on.
        let room = room.and_then(|bytes| codec::decode::<RoomState>(&bytes).ok());
        let table = Table::resume(
            frames.iter().map(Vec::as_slice),
            self.table_identity(),
            self.now(),
        );
        self.begin(table, None, room);
    }
}
