//! What a session keeps: a disk that refuses at the beginning and at the end of a game, and who is remembered.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use shamans_core::shamans::Shamans;

use super::super::{Request, SessionEvent, Whereto};
use super::player::{player, player_with};
use crate::identity::Identity;
use crate::store::Store;
use crate::swarm::{Node, NodeConfig, Target, addresses_of};

/// A file where a folder belongs refuses every name in it, to the superuser too.
fn refuse(folder: &Path) {
    fs::remove_dir(folder).expect("empty");
    fs::write(folder, b"").expect("own folder");
}

fn allow(folder: &Path) {
    fs::remove_file(folder).expect("own folder");
    fs::create_dir(folder).expect("own folder");
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(folder).expect("a folder");
    listed
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_said_before_it_can_be_kept_and_the_record_is_tried_again() {
    let folder = std::env::temp_dir().join(format!("shamans-disk-{}", std::process::id()));
    let store = Store::open(Some(&folder)).expect("the temporary folder is writable");
    let (tables, records) = (folder.join("tables"), folder.join("records"));
    refuse(&tables);
    refuse(&records);
    let mut opener = player(21);
    let invite = opener.invite().await;
    opener.open();
    let mut others = [player(22), player_with(23, Some(store))];
    for other in &others {
        let at = Whereto::At(Target::Invite(invite));
        other.session.request(Request::Join { at, watch: false });
    }
    let [second, third] = &mut others;
    let over = |event: &SessionEvent<Shamans>| matches!(event, SessionEvent::Over { .. });
    let refused = async {
        for _ in 0..3 {
            let event = third
                .until(|event| match event {
                    SessionEvent::Stuck(_) => true,
                    SessionEvent::Now(now) => now.step > 1,
                    _other => false,
                })
                .await;
            assert!(matches!(event, SessionEvent::Stuck(_)), "it went on unkept");
        }
        allow(&tables);
        third
            .until(|event| matches!(event, SessionEvent::Now(now) if now.step > 1))
            .await;
        assert!(
            files(&tables)
                .iter()
                .any(|path| fs::metadata(path).is_ok_and(|about| about.len() > 0)),
            "what was said is kept"
        );
        let SessionEvent::Over { kept, .. } = third.until(over).await else {
            unreachable!("that was waited for")
        };
        assert_eq!(kept, None);
        assert!(!files(&tables).is_empty(), "the journal stays");
        allow(&records);
        let kept = async {
            while !files(&tables).is_empty() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        let kept = tokio::time::timeout(Duration::from_secs(30), kept).await;
        kept.expect("the record is tried again");
        assert_eq!(files(&records).len(), 1);
    };
    let (_, _, ()) = tokio::join!(opener.until(over), second.until(over), refused);
    fs::remove_dir_all(&folder).ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_sits_down_is_remembered_and_a_stranger_is_not() {
    let folder = std::env::temp_dir().join(format!("shamans-met-{}", std::process::id()));
    let store = Store::open(Some(&folder)).expect("the temporary folder is writable");
    let mut opener = player_with(31, Some(store));
    let invite = opener.invite().await;
    opener.open();
    let config = NodeConfig {
        name: "Eva".to_owned(),
        ip: Some(std::net::Ipv4Addr::LOCALHOST.into()),
        port: Some(0),
    };
    let stranger = Identity::from_seed(&[32; 32]);
    let (stranger, _heard) = Node::start(&stranger, config).expect("loopback");
    stranger.knock(0, addresses_of(invite.ip, invite.port, None));
    opener
        .until(|event| matches!(event, SessionEvent::Link { name, up: true, .. } if name == "Eva"))
        .await;
    let guest = player(33);
    let at = Whereto::At(Target::Invite(invite));
    guest.session.request(Request::Join { at, watch: false });
    opener
        .until(|event| matches!(event, SessionEvent::Room(room) if room.members.len() == 2))
        .await;
    let met = fs::read(folder.join("peers.json")).expect("somebody is remembered");
    let met: serde_json::Value = serde_json::from_slice(&met).expect("a list");
    let names: Vec<_> = met
        .as_array()
        .expect("a list")
        .iter()
        .map(|peer| &peer["name"])
        .collect();
    assert_eq!(names, ["Player 33"]);
    stranger.close();
    fs::remove_dir_all(&folder).ok();
}
