//! What must hold on disk, tried on a real one.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

/// A folder that goes when the test does.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("shamans-store-{}-{n}", std::process::id()));
        fs::create_dir_all(&path).expect("the temporary folder is writable");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path)
        .expect("the file is there")
        .permissions()
        .mode()
        & 0o777
}

#[test]
fn an_empty_log_is_no_table() {
    let folder = Folder::new();
    let store = Store::open(Some(&folder.0)).expect("opens");
    let mut journal = store.journal("night").expect("made");
    assert!(store.tables().expect("read").is_empty());
    journal.append([b"a word".as_slice()]).expect("written");
    assert_eq!(store.tables().expect("read"), ["night"]);
}

#[test]
fn an_identity_is_made_once_and_private() {
    let folder = Folder::new();
    let first = Store::open(Some(&folder.0))
        .expect("opens")
        .identity()
        .expect("is made")
        .public();
    let store = Store::open(Some(&folder.0)).expect("the lock went with the first store");
    assert_eq!(store.identity().expect("is read").public(), first);
    assert_eq!(mode(&folder.0.join("identity.key")), 0o600);
    fs::set_permissions(
        folder.0.join("identity.key"),
        fs::Permissions::from_mode(0o644),
    )
    .expect("own file");
    assert!(matches!(
        store.identity(),
        Err(StoreError::Exposed { mode: 0o644, .. })
    ));
}

#[test]
fn a_second_copy_is_told_which_process_holds_the_folder() {
    let folder = Folder::new();
    let _first = Store::open(Some(&folder.0)).expect("opens");
    match Store::open(Some(&folder.0)) {
        Err(StoreError::InUse { pid, .. }) => assert_eq!(pid, std::process::id()),
        other => panic!("two copies of one identity: {other:?}"),
    }
}

#[test]
fn a_journal_keeps_what_was_acknowledged_and_drops_what_was_cut() {
    let folder = Folder::new();
    let store = Store::open(Some(&folder.0)).expect("opens");
    let frames: Vec<Vec<u8>> = vec![b"genesis".to_vec(), vec![], vec![7; 30]];
    let mut journal = store.journal("t").expect("opens");
    for frame in &frames {
        journal.append([frame.as_slice()]).expect("there is space");
    }
    let path = journal.path().to_owned();
    assert_eq!(mode(&path), 0o600);
    drop(journal);
    let whole = fs::read(&path).expect("is there");
    // Cut anywhere: what comes back is always a beginning of what was written, and the file can be continued.
    for cut in 0..=whole.len() {
        fs::write(&path, whole.get(..cut).expect("within")).expect("own file");
        let mut journal = store.journal("t").expect("a cut file opens");
        let found = journal.take_frames();
        assert!(frames.starts_with(&found), "cut at {cut}");
        journal.append([b"next".as_slice()]).expect("continues");
        drop(journal);
        let again = store.journal("t").expect("opens").take_frames();
        assert_eq!(again.len(), found.len() + 1, "cut at {cut}");
        assert_eq!(again.last().map(Vec::as_slice), Some(b"next".as_slice()));
    }
    assert_eq!(store.tables().expect("lists"), ["t"]);
    store.remove_table("t").expect("own file");
    assert!(store.tables().expect("lists").is_empty());
}

#[test]
fn damage_in_the_middle_of_a_journal_is_said_and_not_skipped() {
    let folder = Folder::new();
    let store = Store::open(Some(&folder.0)).expect("opens");
    let mut journal = store.journal("t").expect("opens");
    journal
        .append([b"one".as_slice(), b"two".as_slice()])
        .expect("there is space");
    let path = journal.path().to_owned();
    drop(journal);
    let mut bytes = fs::read(&path).expect("is there");
    if let Some(byte) = bytes.get_mut(HEAD_OF_FIRST_BODY) {
        *byte ^= 1;
    }
    fs::write(&path, &bytes).expect("own file");
    assert!(matches!(
        store.journal("t"),
        Err(StoreError::Damaged { .. })
    ));
}
const HEAD_OF_FIRST_BODY: usize = 12;

#[test]
fn a_full_disk_is_a_sentence() {
    // /dev/full answers every write like a full disk.
    let mut full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("every Linux has it");
    let error = full.write_all(b"x").expect_err("it is full");
    let error = StoreError::at(Path::new("/somewhere/table.log"), "written", error);
    assert!(matches!(error, StoreError::DiskFull { .. }));
    assert!(error.to_string().starts_with("the disk is full"), "{error}");
}

#[test]
fn a_folder_that_cannot_be_made_is_a_sentence() {
    let folder = Folder::new();
    let file = folder.0.join("file");
    fs::write(&file, b"").expect("own folder");
    let error = Store::open(Some(&file.join("inside"))).expect_err("a file is no folder");
    assert!(error.to_string().contains("could not be used"), "{error}");
}

#[test]
fn a_room_lies_beside_its_log_and_goes_with_it() {
    let folder = Folder::new();
    let store = Store::open(Some(&folder.0)).expect("a new folder");
    store.keep_room("t", b"room").expect("there is space");
    assert_eq!(mode(&folder.0.join("tables/t.room")), 0o600);
    assert_eq!(
        store.room("t").expect("reads").as_deref(),
        Some(b"room".as_slice())
    );
    assert!(
        store.tables().expect("reads").is_empty(),
        "a room alone is no table"
    );
    store.remove_table("t").expect("own file");
    assert_eq!(store.room("t").expect("reads"), None);
}

#[test]
fn a_changed_key_is_noticed_and_does_not_replace_the_old_one() {
    let folder = Folder::new();
    let store = Store::open(Some(&folder.0)).expect("opens");
    let eva = Identity::from_seed(&[1; 32]).public();
    let other = Identity::from_seed(&[2; 32]).public();
    let mut peers = store.peers().expect("opens");
    assert_eq!(peers.trust("Eva", &eva), Trust::New);
    peers
        .remember("Eva", &eva, Some("/ip4/10.0.0.1/tcp/1"), false, 1)
        .expect("there is space");
    assert_eq!(peers.trust("eva", &eva), Trust::Known);
    assert_eq!(
        peers.trust("Eve", &eva),
        Trust::Renamed {
            before: "Eva".to_owned()
        }
    );
    peers
        .remember("Eva", &other, None, false, 2)
        .expect("there is space");
    let mut peers = store.peers().expect("opens again");
    assert_eq!(
        peers.trust("EVA", &other),
        Trust::ChangedKey { before: eva }
    );
    assert_eq!(peers.trust("Eva", &eva), Trust::Known);
    peers.forget("Eva").expect("there is space");
    assert_eq!(peers.trust("Eva", &other), Trust::New);
}

#[test]
fn peers_are_bounded() {
    let folder = Folder::new();
    let store = Store::open(Some(&folder.0)).expect("opens");
    let mut peers = store.peers().expect("opens");
    for n in 0..20u8 {
        peers
            .remember(
                "Eva",
                &Identity::from_seed(&[1; 32]).public(),
                Some(&format!("/ip4/10.0.0.{n}/tcp/1")),
                false,
                1,
            )
            .expect("there is space");
    }
    assert_eq!(
        peers
            .iter()
            .map(|peer| peer.addresses.len())
            .collect::<Vec<_>>(),
        [8]
    );
    assert_eq!(
        peers
            .iter()
            .next()
            .and_then(|peer| peer.addresses.first())
            .map(String::as_str),
        Some("/ip4/10.0.0.19/tcp/1")
    );
}

#[test]
fn who_was_played_with_is_not_pushed_out_by_strangers() {
    let folder = Folder::new();
    let store = Store::open(Some(&folder.0)).expect("opens");
    let eva = Identity::from_seed(&[1; 32]).public();
    let mut peers = store.peers().expect("opens");
    peers.remember("Eva", &eva, None, true, 1).expect("space");
    for n in 0..300u16 {
        let mut seed = [2; 32];
        seed[..2].copy_from_slice(&n.to_le_bytes());
        let stranger = Identity::from_seed(&seed).public();
        let name = format!("Stranger {n}");
        peers
            .remember(&name, &stranger, None, false, 2)
            .expect("space");
    }
    let mut peers = store.peers().expect("opens again");
    assert_eq!(peers.iter().count(), 256);
    assert_eq!(peers.trust("Eva", &eva), Trust::Known);
    let path = folder.0.join("peers.json");
    let before = fs::metadata(&path).and_then(|about| about.modified());
    // Coming and going costs nothing.
    for _ in 0..20 {
        peers.remember("Eva", &eva, None, false, 3).expect("space");
    }
    let after = fs::metadata(&path).and_then(|about| about.modified());
    assert_eq!(before.expect("is there"), after.expect("is there"));
}
