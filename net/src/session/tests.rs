//! Whole games over loopback sockets, with guests who behave badly.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use shamans_core::bot::Skill;
use shamans_core::codec;
use shamans_core::game::Seat;
use shamans_core::log::{Entry, Kind, Lane, Mark, Settle, Shape, TableId, digest};
use shamans_core::record::Record;
use shamans_core::table::{Holder, Message};

use super::packet::{Packet, Word};
use super::{SessionEvent, start_node};
use crate::demo::{self, DemoConfig, DemoError, play};
use crate::identity::Identity;
use crate::store::Store;
use crate::swarm::{FRAME_LIMIT, Node, NodeConfig};

mod again;
mod beginning;
mod disk;
mod leaving;
mod player;
mod refusing;

fn config(players: u8, phantoms: u8, seed: u64) -> DemoConfig {
    DemoConfig {
        players,
        phantoms,
        seed,
        skill: Skill::Random,
        operator: None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_peers_play_one_game_and_have_one_record() {
    let outcome = play(config(3, 0, 11), |_| {}).await.expect("they play");
    assert_eq!(outcome.records.len(), 3);
    assert!(
        outcome
            .records
            .windows(2)
            .all(|pair| pair.first() == pair.last())
    );
    assert!(outcome.steps > 50, "{}", outcome.steps);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_say_who_runs_them_and_all_sign_it() {
    let config = DemoConfig {
        operator: Some("Eva".to_owned()),
        ..config(2, 1, 13)
    };
    let told = std::sync::Mutex::new(0);
    let outcome = play(config, |event| {
        if let SessionEvent::Room(room) = event
            && room
                .members
                .iter()
                .all(|m| m.operator.as_deref() == Some("Eva"))
        {
            *told.lock().expect("not poisoned") += 1;
        }
    })
    .await
    .expect("they play");
    assert!(*told.lock().expect("not poisoned") > 0, "told in the room");
    let record = outcome.records.first().expect("a record");
    let record = Record::read(record).expect("a sound record");
    record.genesis.check().expect("signed by all");
    let holders = record.genesis.genesis.holders();
    let operators: Vec<_> = holders.iter().map(Holder::operator).collect();
    assert_eq!(operators, [Some("Eva"), Some("Eva"), None]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_and_a_phantom_play() {
    let outcome = play(config(2, 1, 12), |_| {}).await.expect("they play");
    assert!(
        outcome
            .records
            .windows(2)
            .all(|pair| pair.first() == pair.last())
    );
}

#[tokio::test]
async fn no_game_without_enough_seats() {
    for (players, phantoms) in [(2, 0), (6, 0), (0, 3), (200, 100)] {
        let result = play(config(players, phantoms, 1), |_| {}).await;
        assert!(matches!(result, Err(DemoError::Seats)));
    }
}

#[tokio::test]
async fn a_player_is_found_after_a_restart_where_they_were_before() {
    let folder = std::env::temp_dir().join(format!("shamans-port-{}", std::process::id()));
    let store = Store::open(Some(&folder)).expect("the temporary folder is writable");
    let start = |seed: u8| {
        let config = NodeConfig {
            name: "Eva".to_owned(),
            ip: Some(Ipv4Addr::LOCALHOST.into()),
            port: None,
        };
        let identity = Identity::from_seed(&[seed; 32]);
        start_node(&identity, Some(&store), config).expect("loopback")
    };
    // One comes first, so that the first free port is not the one that was kept.
    let (first, _heard) = start(70);
    let (eva, _heard) = start(71);
    let kept = store.port().expect("kept");
    assert_eq!(kept, eva.port());
    first.close();
    eva.close();
    // The sockets close a moment later.
    let mut again = start(71).0;
    for _ in 0..50 {
        if again.port() == kept {
            break;
        }
        again.close();
        tokio::time::sleep(Duration::from_millis(100)).await;
        store.keep_port(kept).expect("kept");
        again = start(71).0;
    }
    assert_eq!(again.port(), kept, "where she was");
    let (other, _heard) = start(72);
    assert_ne!(other.port(), kept, "that place is taken");
    std::fs::remove_dir_all(&folder).ok();
}

/// Links to whoever is at `addresses` and says `what` to them, again and again, until told to stop.
async fn pester(
    identity: Identity,
    name: &'static str,
    addresses: Vec<libp2p::Multiaddr>,
    what: impl Fn(u64) -> Vec<u8>,
    stop: Arc<AtomicBool>,
) -> u64 {
    let config = NodeConfig {
        name: name.to_owned(),
        ip: Some(Ipv4Addr::LOCALHOST.into()),
        port: Some(0),
    };
    let (node, mut events) = Node::start(&identity, config).expect("loopback");
    let mut said = 0;
    while !stop.load(Ordering::Relaxed) {
        node.knock(said, addresses.clone());
        let until = tokio::time::Instant::now() + Duration::from_millis(300);
        while let Ok(Some(_)) = tokio::time::timeout_at(until, events.recv()).await {
            for peer in node.linked() {
                for _ in 0..10 {
                    said += 1;
                    node.send(peer, what(said)).ok();
                }
            }
        }
    }
    node.close();
    said
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn pests_harm_nobody() {
    let stop = Arc::new(AtomicBool::new(false));
    let mut pests = Vec::new();
    let before = resident_kb();
    let kinds: [fn(u64) -> Vec<u8>; 5] = [
        |n| vec![n as u8; 1000],
        |_| vec![0xff; FRAME_LIMIT],
        |_| {
            Packet::Ask {
                table: None,
                watch: false,
                addresses: vec!["/ip4/127.0.0.1/tcp/1".to_owned(); 50],
                operator: None,
            }
            .encode()
        },
        |n| {
            Packet::Word(Word::Table {
                table: shamans_core::log::digest("pest", &[&n.to_le_bytes()]),
                bytes: vec![7; 500],
            })
            .encode()
        },
        |n| {
            Packet::Word(Word::Seating {
                attempt: n as u32,
                bytes: vec![9; 100],
            })
            .encode()
        },
    ];
    let outcome = play(config(3, 0, 13), |event| {
        if let SessionEvent::Room(room) = event
            && pests.is_empty()
        {
            let opener = room.members.first().expect("the opener sits there");
            let addresses: Vec<libp2p::Multiaddr> = opener
                .addresses
                .iter()
                .filter_map(|text| text.parse().ok())
                .collect();
            for (seed, what) in (100..).zip(kinds) {
                pests.push(tokio::spawn(pester(
                    Identity::from_seed(&[seed; 32]),
                    "Pest",
                    addresses.clone(),
                    what,
                    stop.clone(),
                )));
            }
        }
    })
    .await
    .expect("they play all the same");
    stop.store(true, Ordering::Relaxed);
    assert!(
        outcome
            .records
            .windows(2)
            .all(|pair| pair.first() == pair.last())
    );
    let mut said = Vec::new();
    for pest in pests {
        said.push(pest.await.expect("a pest does not panic"));
    }
    assert_eq!(said.len(), 5);
    assert!(said.iter().all(|n| *n > 0), "all were heard: {said:?}");
    // Each of the five may have a few megabytes waiting in queues on both sides, which are all in this process.
    let after = resident_kb();
    assert!(
        after < before + 400 * 1024,
        "{before} kB before, {after} kB after"
    );
}

/// The memory of this process; 0 where the system does not tell.
fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|rest| rest.split_whitespace().next()?.parse().ok())
        .unwrap_or_default()
}

/// What a seated player could say against the others: words of theirs that they never said.
fn lie(table: TableId, number: u64) -> Vec<u8> {
    let stranger = shamans_core::log::Identity::from_secret(&[99; 32]);
    let prev = digest("a lie", &[&number.to_le_bytes()]);
    let message = if number.is_multiple_of(2) {
        let entry = Entry {
            step: number % 64,
            prev,
            seat: Seat((number % 3) as u8),
            lane: Lane::Deal,
            body: vec![7; 100],
        };
        Message::Entry(entry.sign(&table, &stranger))
    } else {
        let mark = Mark {
            kind: Kind::Play,
            shape: Shape::default(),
            digest: prev,
        };
        let seat = Seat((number % 3) as u8);
        Message::Settle(Settle::sign(&table, number % 64, seat, mark, &stranger))
    };
    let bytes = codec::encode(&message);
    Packet::Word(Word::Table { table, bytes }).encode()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_seated_player_who_forges_words_harms_nobody() {
    let stop = Arc::new(AtomicBool::new(false));
    let config = config(3, 0, 14);
    let liar = demo::identity(&config, 1);
    let (mut addresses, mut lying, mut suspected) = (Vec::new(), None, false);
    let outcome = play(config, |event| match event {
        SessionEvent::Room(room) => {
            let opener = room.members.first().expect("the opener sits there");
            addresses = opener
                .addresses
                .iter()
                .filter_map(|text| text.parse::<libp2p::Multiaddr>().ok())
                .collect();
        }
        // A second program with a seated player's key: its link takes the place of the first one's for a while.
        SessionEvent::Seated { table, .. } => {
            let (table, addresses) = (*table, addresses.clone());
            let words = move |number| lie(table, number);
            let lies = pester(liar.clone(), "Bruno", addresses, words, stop.clone());
            lying = Some(tokio::spawn(lies));
            let stop = stop.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(1500)).await;
                stop.store(true, Ordering::Relaxed);
            });
        }
        SessionEvent::Notice(shamans_core::table::Notice::Suspect { .. }) => suspected = true,
        _other => {}
    })
    .await
    .expect("they play all the same");
    stop.store(true, Ordering::Relaxed);
    let lies = lying.expect("was begun").await.expect("does not panic");
    assert!(lies > 0 && suspected, "{lies} lies");
    assert!(
        outcome
            .records
            .windows(2)
            .all(|pair| pair.first() == pair.last())
    );
}
