//! What lies on a disk, or comes as a file: proofs against players, journals, the list of those who were met.

use shamans_net::identity::PublicId;
use shamans_net::proof::Proof;
use shamans_net::store::{read_peers, split};

use super::{evidence, with_toy};
use crate::sim::identity;

pub(super) fn proof(bytes: &[u8]) {
    let _ = Proof::begins(bytes);
    if let Ok(proof) = Proof::read(&String::from_utf8_lossy(bytes)) {
        let _ = proof.check();
        assert!(Proof::read(&proof.write()).is_ok());
    }
}

pub(super) fn proofs() -> Vec<Vec<u8>> {
    let table = with_toy(|toy| toy.genesis.genesis.table());
    let proof = |evidence| Proof {
        who: "Eva".to_owned(),
        what: "two words for one place".to_owned(),
        key: PublicId(identity(2).public().0),
        table,
        evidence,
    };
    let texts = evidence()
        .into_iter()
        .map(|evidence| proof(evidence).write());
    let texts = texts.inspect(|text| assert!(Proof::read(text).is_ok()));
    texts.map(String::into_bytes).collect()
}

pub(super) fn journal(bytes: &[u8]) {
    if let Ok((frames, sound)) = split(bytes) {
        let sound = usize::try_from(sound).expect("no longer than the bytes");
        let again = split(&bytes[..sound]).expect("what is sound stays so");
        assert_eq!(again, (frames, sound as u64));
    }
}

/// Each frame with its length and the first bytes of its hash before it.
pub(super) fn journals() -> Vec<Vec<u8>> {
    let disk = with_toy(|toy| toy.disk.clone());
    let frame = |frame: &Vec<u8>| {
        let length = u32::try_from(frame.len()).expect("short").to_le_bytes();
        let sum = blake3::hash(frame);
        [&length, &sum.as_bytes()[..8], frame.as_slice()].concat()
    };
    let whole: Vec<Vec<u8>> = [1, 3, disk.len()]
        .map(|count| disk.iter().take(count).flat_map(frame).collect())
        .to_vec();
    let all = whole
        .last()
        .map(|bytes| split(bytes).map(|(frames, _)| frames));
    assert_eq!(all, Some(Ok(disk)));
    whole
}

pub(super) fn peers(bytes: &[u8]) {
    if let Some(peers) = read_peers(bytes) {
        for peer in peers {
            let _ = PublicId::from_hex(&peer.key);
        }
    }
}

pub(super) fn lists() -> Vec<Vec<u8>> {
    let key = PublicId(identity(2).public().0).to_hex();
    let peer = format!(
        r#"{{"name":"Eva","key":"{key}","addresses":["/ip4/10.0.0.1/tcp/47000"],"last_seen":1,"played":true}}"#
    );
    let lists = ["[]".to_owned(), format!("[{peer},{peer}]")];
    assert!(
        lists
            .iter()
            .all(|list| read_peers(list.as_bytes()).is_some())
    );
    lists.map(String::into_bytes).to_vec()
}
