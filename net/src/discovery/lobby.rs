//! The list of tables and people nearby, made of what is heard. Pure: time is an argument (milliseconds).

use std::collections::BTreeMap;

use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;

use super::{Neighbour, TableState};
use crate::PROTOCOL_VERSION;
use crate::identity::PublicId;

/// After how long unheard a neighbour is gone: three announcements missed.
const GONE_MS: u64 = 9500;
/// How many neighbours are listed at most.
pub(super) const MOST: usize = 512;
/// How many of them at one address.
const MOST_EACH: usize = 16;

/// One table, as a row to show.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Row {
    /// Tells tables apart.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Who sits there.
    pub who: Vec<String>,
    /// Places for people.
    pub seats: u8,
    /// How many of them are taken.
    pub taken: u8,
    /// Whether one can sit down.
    pub state: TableState,
    /// The protocol version spoken there.
    pub protocol: u16,
    /// Why one cannot sit down there, for people; none if one can.
    pub greyed: Option<String>,
    /// Keys of members, to knock at.
    #[serde(skip)]
    pub members: Vec<PublicId>,
}

/// Everyone heard lately.
#[derive(Debug, Default)]
pub struct Lobby {
    neighbours: BTreeMap<PublicId, (Neighbour, u64)>,
}

impl Lobby {
    /// Nobody yet.
    pub fn new() -> Lobby {
        Lobby::default()
    }

    /// A neighbour was heard. False if there is no room for it: one machine that invents players does not hide all others.
    pub fn seen(&mut self, neighbour: Neighbour, now: u64) -> bool {
        let known = self.neighbours.contains_key(&neighbour.id);
        let room = self.neighbours.len() < MOST && self.neighbours_at(&neighbour) < MOST_EACH;
        if known || room {
            self.neighbours.insert(neighbour.id, (neighbour, now));
        }
        known || room
    }

    /// How many say that they live where this one does.
    fn neighbours_at(&self, one: &Neighbour) -> usize {
        let place = |neighbour: &Neighbour| {
            let mut parts = neighbour.addresses.first()?.iter();
            parts
                .find(|part| matches!(part, Protocol::Ip4(_) | Protocol::Ip6(_)))
                .map(|part| part.to_string())
        };
        let at = place(one);
        self.people().filter(|other| place(other) == at).count()
    }

    /// A neighbour said goodbye.
    pub fn gone(&mut self, id: &PublicId) {
        self.neighbours.remove(id);
    }

    /// Removes who has not been heard for long; true if anyone was.
    pub fn expire(&mut self, now: u64) -> bool {
        let before = self.neighbours.len();
        self.neighbours
            .retain(|_, (_, heard)| now.saturating_sub(*heard) < GONE_MS);
        self.neighbours.len() != before
    }

    /// Everyone nearby.
    pub fn people(&self) -> impl Iterator<Item = &Neighbour> {
        self.neighbours.values().map(|(neighbour, _)| neighbour)
    }

    /// Where a peer says it can be reached.
    pub fn addresses(&self, id: &PublicId) -> Vec<Multiaddr> {
        self.neighbours
            .get(id)
            .map(|(neighbour, _)| neighbour.addresses.clone())
            .unwrap_or_default()
    }

    /// The tables, open ones first, then by name.
    pub fn tables(&self) -> Vec<Row> {
        let mut rows: BTreeMap<(u64, u16), Row> = BTreeMap::new();
        for neighbour in self.people() {
            let Some(table) = &neighbour.presence.table else {
                continue;
            };
            let taken = u8::try_from(table.who.len())
                .unwrap_or(u8::MAX)
                .min(table.seats);
            let greyed = greyed(neighbour.protocol, table.state, taken >= table.seats);
            let row = rows
                .entry((table.id, neighbour.protocol))
                .or_insert_with(|| Row {
                    id: table.id,
                    name: table.name.clone(),
                    who: table.who.clone(),
                    seats: table.seats,
                    taken,
                    state: table.state,
                    protocol: neighbour.protocol,
                    greyed: greyed.clone(),
                    members: Vec::new(),
                });
            // Members may be a moment apart: the fullest word is the newest.
            if (taken, table.state) > (row.taken, row.state) {
                row.who.clone_from(&table.who);
                row.taken = taken;
                row.state = table.state;
                row.greyed = greyed;
            }
            row.members.push(neighbour.id);
        }
        let mut rows: Vec<Row> = rows.into_values().collect();
        rows.sort_by(|a, b| {
            (a.greyed.is_some(), &a.name, a.id).cmp(&(b.greyed.is_some(), &b.name, b.id))
        });
        rows
    }

    /// The table called so, case aside.
    pub fn table_named(&self, name: &str) -> Option<Row> {
        self.tables()
            .into_iter()
            .find(|row| row.name.to_lowercase() == name.to_lowercase())
    }

    /// The table at which somebody of this name sits, case aside.
    pub fn table_of(&self, person: &str) -> Option<Row> {
        let person = person.to_lowercase();
        let ids: Vec<PublicId> = self
            .people()
            .filter(|peer| peer.presence.name.to_lowercase() == person)
            .map(|peer| peer.id)
            .collect();
        self.tables()
            .into_iter()
            .find(|row| row.members.iter().any(|member| ids.contains(member)))
    }
}

fn greyed(protocol: u16, state: TableState, full: bool) -> Option<String> {
    let versions = |message: &str| {
        let (theirs, ours) = (protocol.to_string(), PROTOCOL_VERSION.to_string());
        crate::words::fill(message, &[("theirs", &theirs), ("ours", &ours)])
    };
    if protocol > PROTOCOL_VERSION {
        return Some(versions(crate::words::mark(
            "speaks the newer protocol {theirs}; this program speaks {ours}: please update it",
        )));
    }
    if protocol < PROTOCOL_VERSION {
        return Some(versions(crate::words::mark(
            "speaks the older protocol {theirs}; this program speaks {ours}: they need to update",
        )));
    }
    match state {
        TableState::Playing => Some(crate::words::tr("a game is going on")),
        TableState::Private => Some(crate::words::tr("by invitation only")),
        TableState::Open if full => Some(crate::words::tr("all seats are taken")),
        TableState::Open => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Presence, TableAdvert};
    use super::*;
    use crate::identity::Identity;

    fn at(seed: u8, table: u64, who: &[&str], state: TableState, protocol: u16) -> Neighbour {
        let table = TableAdvert {
            id: table,
            name: format!("Table {table}"),
            who: who.iter().map(|name| (*name).to_owned()).collect(),
            seats: 3,
            state,
        };
        Neighbour {
            id: Identity::from_seed(&[seed; 32]).public(),
            run: 1,
            protocol,
            presence: Presence {
                name: "Eva".to_owned(),
                table: Some(table),
            },
            addresses: Vec::new(),
        }
    }

    #[test]
    fn members_of_one_table_make_one_row() {
        let mut lobby = Lobby::new();
        lobby.seen(at(1, 7, &["Eva"], TableState::Open, PROTOCOL_VERSION), 0);
        lobby.seen(
            at(2, 7, &["Eva", "Jan"], TableState::Open, PROTOCOL_VERSION),
            0,
        );
        let rows = lobby.tables();
        assert_eq!(rows.len(), 1);
        let row = rows.first().expect("one");
        assert_eq!(
            (row.taken, row.seats, row.members.len(), row.greyed.clone()),
            (2, 3, 2, None)
        );
        assert_eq!(lobby.table_named("TABLE 7").map(|row| row.id), Some(7));
        assert_eq!(lobby.table_of("eva").map(|row| row.id), Some(7));
        assert_eq!(lobby.table_of("Jan"), None);
    }

    #[test]
    fn one_machine_does_not_fill_the_list() {
        let mut lobby = Lobby::new();
        let there = |seed: u8, address: &str| {
            let mut neighbour = at(
                seed,
                seed.into(),
                &["Eva"],
                TableState::Open,
                PROTOCOL_VERSION,
            );
            neighbour.addresses = vec![address.parse().expect("is one")];
            neighbour
        };
        for seed in 0..MOST_EACH as u8 {
            assert!(lobby.seen(there(seed, "/ip4/10.0.0.1/tcp/1"), 0));
        }
        assert!(!lobby.seen(there(100, "/ip4/10.0.0.1/tcp/2"), 0));
        assert!(lobby.seen(there(1, "/ip4/10.0.0.1/tcp/1"), 0), "is known");
        assert!(lobby.seen(there(101, "/ip4/10.0.0.2/tcp/1"), 0));
    }

    #[test]
    fn other_versions_full_and_playing_tables_are_greyed_with_the_reason() {
        let mut lobby = Lobby::new();
        lobby.seen(
            at(1, 1, &["Eva"], TableState::Open, PROTOCOL_VERSION + 1),
            0,
        );
        lobby.seen(
            at(
                2,
                2,
                &["Eva", "Jan", "Ida"],
                TableState::Open,
                PROTOCOL_VERSION,
            ),
            0,
        );
        lobby.seen(at(3, 3, &["Eva"], TableState::Playing, PROTOCOL_VERSION), 0);
        lobby.seen(at(4, 4, &["Eva"], TableState::Private, PROTOCOL_VERSION), 0);
        lobby.seen(at(5, 5, &["Eva"], TableState::Open, PROTOCOL_VERSION), 0);
        let reasons: Vec<Option<String>> =
            lobby.tables().into_iter().map(|row| row.greyed).collect();
        assert_eq!(reasons.len(), 5);
        assert_eq!(
            reasons.first(),
            Some(&None),
            "the one that can be joined comes first"
        );
        assert_eq!(reasons.iter().flatten().count(), 4);
        assert!(
            reasons
                .iter()
                .flatten()
                .any(|reason| reason.contains("newer protocol"))
        );
    }

    #[test]
    fn who_is_silent_or_says_goodbye_is_gone() {
        let mut lobby = Lobby::new();
        let eva = at(1, 1, &["Eva"], TableState::Open, PROTOCOL_VERSION);
        lobby.seen(eva.clone(), 1000);
        assert!(!lobby.expire(10_000));
        assert!(lobby.expire(10_500));
        assert!(lobby.tables().is_empty());
        lobby.seen(eva.clone(), 20_000);
        lobby.gone(&eva.id);
        assert!(lobby.tables().is_empty());
    }
}
