//! The peers met at a table so far: a name belongs to the key that used it first. A known name with another key is a warning that the
//! player has to answer ([`KnownPeers::forget`]), never something that passes by itself.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{StoreError, read, write_atomically};
use crate::identity::PublicId;

/// How many are remembered. Who never played with this player goes first, of these the one not seen for longest.
const REMEMBERED: usize = 256;
/// How many addresses of one peer are remembered.
const ADDRESSES: usize = 8;
/// Meetings that follow so closely, in seconds, and tell nothing new are one.
const ANEW: u64 = 60;

/// One remembered peer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownPeer {
    /// What it calls itself.
    pub name: String,
    /// Its key in hexadecimal.
    pub key: String,
    /// Where it was reached last, newest first.
    pub addresses: Vec<String>,
    /// Seconds since 1970.
    pub last_seen: u64,
    /// Was there a game with them?
    #[serde(default)]
    pub played: bool,
}

/// What a name and a key together say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// Neither was seen before.
    New,
    /// The name with the key it always had.
    Known,
    /// A known key under a new name.
    Renamed {
        /// What it called itself before.
        before: String,
    },
    /// A known name with another key: someone else, or the same person with a new installation. Only people can tell.
    ChangedKey {
        /// The key this name had before.
        before: PublicId,
    },
}

/// All remembered peers.
#[derive(Debug)]
pub struct KnownPeers {
    path: PathBuf,
    peers: Vec<KnownPeer>,
}

/// The peers in a file's bytes, if they are a list of some.
pub fn read_peers(bytes: &[u8]) -> Option<Vec<KnownPeer>> {
    serde_json::from_slice(bytes).ok()
}

impl KnownPeers {
    pub(super) fn open(path: PathBuf) -> Result<KnownPeers, StoreError> {
        if !path.exists() {
            return Ok(KnownPeers {
                path,
                peers: Vec::new(),
            });
        }
        let bytes = read(&path)?;
        match read_peers(&bytes) {
            Some(peers) => Ok(KnownPeers { path, peers }),
            None => Err(StoreError::Damaged {
                path,
                what: "it is not a list of peers",
            }),
        }
    }

    /// What `name` with `key` says.
    pub fn trust(&self, name: &str, key: &PublicId) -> Trust {
        let hex = key.to_hex();
        let same_name = self
            .peers
            .iter()
            .find(|peer| peer.name.to_lowercase() == name.to_lowercase());
        let same_key = self.peers.iter().find(|peer| peer.key == hex);
        match (same_name, same_key) {
            (Some(by_name), _) if by_name.key == hex => Trust::Known,
            (Some(by_name), _) => match PublicId::from_hex(&by_name.key) {
                Ok(before) => Trust::ChangedKey { before },
                // A key that cannot be read back can belong to nobody.
                Err(_) => Trust::New,
            },
            (None, Some(by_key)) => Trust::Renamed {
                before: by_key.name.clone(),
            },
            (None, None) => Trust::New,
        }
    }

    /// Remembers a meeting. Refuses nothing: ask [`KnownPeers::trust`] first; a name with a changed key stays with the old one.
    pub fn remember(
        &mut self,
        name: &str,
        key: &PublicId,
        address: Option<&str>,
        played: bool,
        now: u64,
    ) -> Result<(), StoreError> {
        if matches!(self.trust(name, key), Trust::ChangedKey { .. }) {
            return Ok(());
        }
        let hex = key.to_hex();
        let nothing_new = |peer: &KnownPeer| {
            peer.key == hex
                && peer.name == name
                && peer.played >= played
                && now < peer.last_seen + ANEW
                && address
                    .is_none_or(|address| peer.addresses.first().is_some_and(|a| a == address))
        };
        if self.peers.iter().any(nothing_new) {
            return Ok(());
        }
        let mut peer = match self.peers.iter().position(|peer| peer.key == hex) {
            Some(at) => self.peers.remove(at),
            None => KnownPeer {
                name: String::new(),
                key: hex,
                addresses: Vec::new(),
                last_seen: 0,
                played: false,
            },
        };
        peer.name = name.to_owned();
        peer.last_seen = now;
        peer.played |= played;
        if let Some(address) = address {
            peer.addresses.retain(|known| known != address);
            peer.addresses.insert(0, address.to_owned());
            peer.addresses.truncate(ADDRESSES);
        }
        self.peers.insert(0, peer);
        if self.peers.len() > REMEMBERED {
            let stranger = self.peers.iter().rposition(|peer| !peer.played);
            self.peers.remove(stranger.unwrap_or(REMEMBERED));
        }
        self.save()
    }

    /// Forgets who had this name, so that whoever uses it next is taken as new.
    pub fn forget(&mut self, name: &str) -> Result<(), StoreError> {
        self.peers
            .retain(|peer| peer.name.to_lowercase() != name.to_lowercase());
        self.save()
    }

    /// All of them, the last seen first.
    pub fn iter(&self) -> impl Iterator<Item = &KnownPeer> {
        self.peers.iter()
    }

    fn save(&self) -> Result<(), StoreError> {
        let bytes = serde_json::to_vec_pretty(&self.peers)
            .expect("plain strings and numbers always encode");
        write_atomically(&self.path, &bytes)
    }
}
