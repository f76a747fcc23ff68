//! What the network brings: invite codes, the first word on a link, packets, announcements.

use shamans_core::table::Replica;
use shamans_net::identity::{Identity, PublicId};
use shamans_net::invite::Invite;
use shamans_net::wire::presence::Presence;
use shamans_net::wire::{Hello, Packet, RoomState, Word, txt};

use super::{message, seating, seating_words, with_toy};
use crate::high_card::HighCard;

pub(super) fn invite(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(invite) = text.parse::<Invite>() {
        assert_eq!(invite.to_string().parse(), Ok(invite));
    }
    let _ = Invite::looks_like(&text);
}

pub(super) fn invites() -> Vec<Vec<u8>> {
    let who = eva();
    [
        "192.168.1.7",
        "10.1.2.3",
        "172.16.0.9",
        "fe80::1",
        "2001:db8::5",
    ]
    .map(|ip| {
        let ip = ip.parse().expect("an address");
        Invite::new(ip, 47_000, &who).to_string().into_bytes()
    })
    .to_vec()
}

pub(super) fn hellos() -> Vec<Vec<u8>> {
    let hello = Hello {
        protocol: 1,
        program: "0.1.0".into(),
        name: "Eva".into(),
        port: 47_000,
    };
    vec![hello.encode()]
}

pub(super) fn hello(bytes: &[u8]) {
    if let Some(hello) = Hello::decode(bytes) {
        assert_eq!(Hello::decode(&hello.encode()), Some(hello));
    }
}

/// What a link brings, and what a peer makes of it at once.
pub(super) fn packet(bytes: &[u8]) {
    let Ok(packet) = Packet::decode(bytes) else {
        return;
    };
    assert_eq!(Packet::decode(&packet.encode()), Ok(packet.clone()));
    match packet {
        Packet::Room(mut room) => {
            if room.is_sound() {
                let _ = room.advert(false);
                let _ = room.proposal().check();
                let _ = room.admit(PublicId([9; 32]), "Jan", Vec::new(), None);
            }
        }
        Packet::Genesis(signed) => {
            let _ = Replica::<HighCard>::new(&signed, None);
        }
        Packet::Word(word) | Packet::PassOn { word, .. } | Packet::Passed { word, .. } => {
            match word {
                Word::Seating { bytes, .. } => seating(&bytes),
                Word::Table { bytes, .. } => message(&bytes),
            }
        }
        Packet::Watching { bytes, .. } => {
            with_toy(|toy| toy.table.answer_spectator(&bytes));
        }
        Packet::Ask { .. }
        | Packet::Refused(_)
        | Packet::AskThere { .. }
        | Packet::GetUp
        | Packet::Closed
        | Packet::Said(_) => {}
    }
}

fn eva() -> PublicId {
    Identity::from_seed(&[7; 32]).public()
}

fn room() -> RoomState {
    let proposal = with_toy(|toy| toy.genesis.genesis.proposal.clone());
    let opener = eva();
    let mut room = RoomState {
        id: 77,
        name: "Night".into(),
        private: false,
        opener,
        game: proposal.game,
        setup: proposal.setup,
        options: proposal.options,
        phantoms: vec![false; 3],
        think_s: 0,
        attempt: 1,
        previous: None,
        members: Vec::new(),
    };
    let address = vec!["/ip4/10.0.0.1/tcp/47000".into()];
    room.admit(opener, "Eva", address, None).expect("the first");
    room
}

pub(super) fn packets() -> Vec<Vec<u8>> {
    let (genesis, said) = with_toy(|toy| (toy.genesis.clone(), toy.said.clone()));
    let table = genesis.genesis.table();
    let opener = eva();
    let addresses = vec!["/ip4/10.0.0.1/tcp/47000".into()];
    let seating = seating_words().into_iter().take(3).map(|bytes| {
        let attempt = 1;
        Word::Seating { attempt, bytes }
    });
    let at_the_table = said
        .into_iter()
        .take(20)
        .map(|bytes| Word::Table { table, bytes });
    let words = seating.chain(at_the_table).flat_map(|word| {
        [
            Packet::Word(word.clone()),
            Packet::PassOn {
                to: opener,
                word: word.clone(),
            },
            Packet::Passed { from: opener, word },
        ]
    });
    let mut packets = vec![
        Packet::Ask {
            table: Some(77),
            watch: false,
            addresses: addresses.clone(),
            operator: Some("Eva".to_owned()),
        },
        Packet::AskThere { opener, addresses },
        Packet::Room(room()),
        Packet::GetUp,
        Packet::Closed,
        Packet::Genesis(genesis),
    ];
    packets.extend(words);
    packets.iter().map(Packet::encode).collect()
}

/// A TXT record as text: a pair of key and value on each line.
pub(super) fn announcement(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let pairs = || text.lines().filter_map(|line| line.split_once('='));
    let Some(heard) = txt::read(pairs()) else {
        return;
    };
    if let Some(table) = &heard.presence.table {
        assert!(table.who.len() <= 5 && (1..=5).contains(&table.seats));
    }
    let again = txt::write(&heard.id, heard.run, 1, &heard.presence);
    let again = txt::read(
        again
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str())),
    );
    assert!(again.is_some_and(|again| again.presence == heard.presence));
}

pub(super) fn announcements() -> Vec<Vec<u8>> {
    let id = eva();
    let table = room().advert(false);
    [None, Some(table)]
        .into_iter()
        .map(|table| {
            let name = "Eva".into();
            let pairs = txt::write(&id, 5, 1, &Presence { name, table });
            let lines = pairs.iter().map(|(key, value)| format!("{key}={value}\n"));
            lines.collect::<String>().into_bytes()
        })
        .collect()
}
