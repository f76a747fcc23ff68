//! Sitting down, also while one of the people dies.

use std::time::Duration;

use shamans_core::log::PlayerKey;
use shamans_core::shamans::{Setup, Shamans};
use shamans_core::table::{Options, Seating, SeatingOutput};

use super::super::packet::{Packet, Word};
use super::super::{Request, SessionEvent, Whereto};
use super::player::player;
use crate::identity::{Identity, PublicId};
use crate::invite::Invite;
use crate::swarm::{Node, NodeConfig, NodeEvent, Target, addresses_of};

/// The first byte of a signature under the genesis, among the words of sitting down.
const SIGNED: u8 = 2;

/// What was said, and by whom, if it was passed on.
fn unwrapped(peer: PublicId, bytes: &[u8]) -> (PublicId, Option<Packet>) {
    match Packet::decode(bytes).ok() {
        Some(Packet::Passed { from, word }) => (from, Some(Packet::Word(word))),
        said => (peer, said),
    }
}

/// Sits down at the table behind the invite, says its signature to the opener alone, and dies.
async fn dies_with_the_last_signature(number: u8, invite: Invite) {
    let identity = Identity::from_seed(&[number; 32]);
    let config = NodeConfig {
        name: format!("Player {number}"),
        ip: Some(std::net::Ipv4Addr::LOCALHOST.into()),
        port: Some(0),
    };
    let (node, mut events) = Node::start(&identity, config).expect("loopback");
    node.knock(0, addresses_of(invite.ip, invite.port, None));
    let mut table: Option<(PublicId, u32, Vec<PublicId>, Seating)> = None;
    let mut signed = false;
    while !signed {
        match events.recv().await.expect("goes on") {
            NodeEvent::Up { peer, .. } => {
                node.want(peer, Vec::new());
                let ask = Packet::Ask {
                    table: None,
                    watch: false,
                    addresses: Vec::new(),
                    operator: None,
                };
                node.send(peer, ask.encode()).ok();
            }
            NodeEvent::Frame { peer, bytes } => match unwrapped(peer, &bytes) {
                (_, Some(Packet::Room(room))) if room.is_full() => {
                    let others = room.members.iter().map(|member| member.id);
                    let others: Vec<PublicId> = others.filter(|id| *id != node.local()).collect();
                    let key = shamans_core::log::Identity::from_secret(&identity.seed());
                    let mut seating =
                        Seating::new::<Shamans>(room.proposal(), key, [number; 32], 0)
                            .expect("a sound proposal");
                    seating.be_ready();
                    table = Some((peer, room.attempt, others, seating));
                }
                (from, Some(Packet::Word(Word::Seating { attempt, bytes }))) => {
                    if let Some((_, number, _, seating)) = &mut table
                        && attempt == *number
                    {
                        seating.receive(&PlayerKey(from.0), &bytes).ok();
                    }
                }
                _other => {}
            },
            _other => {}
        }
        let Some((opener, attempt, others, seating)) = &mut table else {
            continue;
        };
        let opener = &*opener;
        while let Some(output) = seating.poll() {
            let SeatingOutput::Send(bytes) = output else {
                continue;
            };
            let last = bytes.first() == Some(&SIGNED);
            let word = Word::Seating {
                attempt: *attempt,
                bytes,
            };
            for &other in others.iter().filter(|other| !last || *other == opener) {
                let linked = node.linked().contains(&other);
                let (to, packet) = match linked {
                    true => (other, Packet::Word(word.clone())),
                    false => {
                        let word = word.clone();
                        (*opener, Packet::PassOn { to: other, word })
                    }
                };
                node.send(to, packet.encode()).ok();
            }
            signed |= last;
        }
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    node.close();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_left_behind_when_one_dies_with_the_last_signature() {
    let mut opener = player(1);
    let invite = opener.invite().await;
    opener.open();
    let mut second = player(2);
    let at = Whereto::At(Target::Invite(invite));
    second.session.request(Request::Join { at, watch: false });
    let seated = |event: &SessionEvent<Shamans>| matches!(event, SessionEvent::Seated { .. });
    tokio::join!(
        opener.until(seated),
        second.until(seated),
        dies_with_the_last_signature(3, invite)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_to_think_is_told_with_the_seat() {
    let mut opener = player(4);
    let at = Whereto::At(Target::Invite(opener.invite().await));
    opener.open();
    opener.session.request(Request::Change {
        setup: Setup::new(3),
        phantoms: vec![false; 3],
        options: Options::default(),
        private: false,
        think_s: 30,
    });
    let (mut second, mut third) = (player(5), player(6));
    for guest in [&second, &third] {
        let at = at.clone();
        guest.session.request(Request::Join { at, watch: false });
    }
    let seated = |event: &SessionEvent<Shamans>| matches!(event, SessionEvent::Seated { .. });
    let told = tokio::join!(
        opener.until(seated),
        second.until(seated),
        third.until(seated)
    );
    for event in [told.0, told.1, told.2] {
        assert!(
            matches!(event, SessionEvent::Seated { think_s: 30, .. }),
            "{event:?}"
        );
    }
}
