//! Whole games over loopback sockets.

use crate::demo::{DemoConfig, DemoError, play};
use crate::identity::Identity;
use crate::swarm::{FRAME_LIMIT, Node, NodeConfig};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use shamans_core::bot::Skill;

use super::SessionEvent;
use super::packet::Packet;

fn config(players: u8, phantoms: u8, seed: u64) -> DemoConfig {
    DemoConfig {
        players,
        phantoms,
        seed,
        skill: Skill::Random,
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

/// Links to whoever is at `addresses` and says `what` to them, again and again, until told to stop.
async fn pester(
    seed: u8,
    addresses: Vec<libp2p::Multiaddr>,
    what: fn(u64) -> Vec<u8>,
    stop: Arc<AtomicBool>,
) -> u64 {
    let config = NodeConfig {
        name: format!("Pest {seed}"),
        ip: Some(Ipv4Addr::LOCALHOST.into()),
        port: Some(0),
    };
    let (node, mut events) =
        Node::start(&Identity::from_seed(&[seed; 32]), config).expect("loopback");
    let mut said = 0;
    while !stop.load(Ordering::Relaxed) {
        node.knock(said, addresses.clone());
        let until = tokio::time::Instant::now() + Duration::from_millis(300);
        while let Ok(Some(_)) = tokio::time::timeout_at(until, events.recv()).await {
            for peer in node.linked() {
                for _ in 0..100 {
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
    let kinds: [fn(u64) -> Vec<u8>; 5] = [
        |n| vec![n as u8; 1000],
        |_| vec![0xff; FRAME_LIMIT],
        |_| {
            Packet::Ask {
                table: None,
                watch: false,
                addresses: vec!["/ip4/127.0.0.1/tcp/1".to_owned(); 50],
            }
            .encode()
        },
        |n| {
            Packet::Table {
                table: shamans_core::log::digest("pest", &[&n.to_le_bytes()]),
                bytes: vec![7; 500],
            }
            .encode()
        },
        |n| {
            Packet::Seating {
                attempt: n as u32,
                bytes: vec![9; 100],
            }
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
                    seed,
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
}
