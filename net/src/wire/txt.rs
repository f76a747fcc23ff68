//! What stands in the TXT record: a few short strings, read with suspicion.

use super::presence::{Presence, TableAdvert, TableState};
use crate::PROTOCOL_VERSION;
use crate::identity::{PublicId, clean_name};

/// Most names read from one record.
const PEOPLE: usize = 5;

/// A record as read.
pub struct Heard {
    /// The key it claims.
    pub id: PublicId,
    /// Which start of the program.
    pub run: u64,
    /// The protocol version it speaks.
    pub protocol: u16,
    /// What it announces.
    pub presence: Presence,
}

/// What is announced, as pairs of key and value.
pub fn write(id: &PublicId, run: u64, beat: u32, presence: &Presence) -> Vec<(String, String)> {
    let mut pairs = vec![
        ("v", PROTOCOL_VERSION.to_string()),
        ("id", id.to_hex()),
        ("run", format!("{run:x}")),
        ("n", presence.name.clone()),
    ];
    if let Some(table) = &presence.table {
        pairs.push(("t", format!("{:x}", table.id)));
        pairs.push(("tn", table.name.clone()));
        pairs.push(("ts", table.seats.to_string()));
        let state = match table.state {
            TableState::Open => "open",
            TableState::Playing => "playing",
            TableState::Private => "private",
        };
        pairs.push(("tt", state.to_owned()));
        for (key, name) in ["w0", "w1", "w2", "w3", "w4"].into_iter().zip(&table.who) {
            pairs.push((key, name.clone()));
        }
    }
    // Changes every time, so that hearing it again is news to the listening side.
    pairs.push(("b", beat.to_string()));
    pairs
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

/// Nothing for a record that is not ours or not right. Of another version only version, key and name have to be readable.
pub fn read<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Option<Heard> {
    let pairs: Vec<(&str, &str)> = pairs.take(32).collect();
    let value = |key: &str| pairs.iter().find(|(k, _)| *k == key).map(|(_, v)| *v);
    let plain = |text: &str| clean_name(text).ok().filter(|clean| clean == text);
    let protocol = value("v")?.parse().ok()?;
    let id = PublicId::from_hex(value("id")?).ok()?;
    let run = u64::from_str_radix(value("run")?, 16).ok()?;
    let name = plain(value("n")?)?;
    let table = || {
        let state = match value("tt")? {
            "open" => TableState::Open,
            "playing" => TableState::Playing,
            "private" => TableState::Private,
            _ => return None,
        };
        let who: Vec<String> = ["w0", "w1", "w2", "w3", "w4"]
            .into_iter()
            .map_while(value)
            .filter_map(plain)
            .take(PEOPLE)
            .collect();
        Some(TableAdvert {
            id: u64::from_str_radix(value("t")?, 16).ok()?,
            name: plain(value("tn")?)?,
            who,
            seats: value("ts")?
                .parse()
                .ok()
                .filter(|seats| (1..=5).contains(seats))?,
            state,
        })
    };
    Some(Heard {
        id,
        run,
        protocol,
        presence: Presence {
            name,
            table: table(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Identity;

    fn presence() -> Presence {
        let table = TableAdvert {
            id: 77,
            name: "Night".to_owned(),
            who: vec!["Eva".to_owned(), "Jan".to_owned()],
            seats: 4,
            state: TableState::Open,
        };
        Presence {
            name: "Eva".to_owned(),
            table: Some(table),
        }
    }

    fn reread(pairs: &[(String, String)]) -> Option<Heard> {
        read(pairs.iter().map(|(k, v)| (k.as_str(), v.as_str())))
    }

    #[test]
    fn what_is_said_is_heard() {
        let id = Identity::from_seed(&[1; 32]).public();
        let heard = reread(&write(&id, 5, 1, &presence())).expect("is ours");
        assert_eq!(
            (heard.id, heard.run, heard.protocol),
            (id, 5, PROTOCOL_VERSION)
        );
        assert_eq!(heard.presence, presence());
        let alone = Presence {
            name: "Eva".to_owned(),
            table: None,
        };
        assert_eq!(
            reread(&write(&id, 5, 1, &alone)).expect("is ours").presence,
            alone
        );
    }

    #[test]
    fn strangers_and_jokers_are_not_heard() {
        assert!(read([("dnsaddr", "/ip4/10.0.0.1/tcp/1")].into_iter()).is_none());
        let id = Identity::from_seed(&[1; 32]).public();
        let mut pairs = write(&id, 5, 1, &presence());
        for (key, value) in &mut pairs {
            if key == "n" {
                *value = "a\u{202e}b".to_owned();
            }
        }
        assert!(reread(&pairs).is_none());
    }

    #[test]
    fn the_longest_record_fits() {
        let id = Identity::from_seed(&[1; 32]).public();
        let long = "ř".repeat(24);
        let table = TableAdvert {
            id: u64::MAX,
            name: long.clone(),
            who: vec![long.clone(); 5],
            seats: 5,
            state: TableState::Playing,
        };
        let pairs = write(
            &id,
            u64::MAX,
            u32::MAX,
            &Presence {
                name: long,
                table: Some(table),
            },
        );
        let size: usize = pairs.iter().map(|(k, v)| k.len() + v.len() + 2).sum();
        assert!(pairs.iter().all(|(k, v)| k.len() + v.len() < 254));
        // With addresses and names of records it stays within one Ethernet frame.
        assert!(size < 700, "{size}");
    }
}
