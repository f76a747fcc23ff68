//! `shamans-table scenario` as a person starts it: what it prints and with which code it ends.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn start(arguments: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_shamans-table"))
        .arg("scenario")
        .args(arguments)
        .output()
        .expect("the program starts")
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("a file for the test");
    path
}

const HOLDS: &str =
    "Players: Jan, Petr, Radka\nJan holds dream 1\n---\nJan is asked to play a card\n";

#[test]
fn all_hold() {
    let folder = folder("all-hold");
    let file = write(&folder, "one.txt", HOLDS.as_bytes());
    write(&folder, "notes.md", b"no scenario");
    for argument in [&file, &folder] {
        let output = start(&[argument]);
        assert_eq!(output.status.code(), Some(0));
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed, 0 failed"));
    }
}

#[test]
fn a_line_does_not_hold() {
    let folder = folder("a-line");
    let text = HOLDS.replace("Jan is asked", "Petr is asked");
    let file = write(&folder, "two.txt", text.as_bytes());
    let output = start(&[&file]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stdout);
    let expected = "two.txt:4: expected Petr asked to play a card, found Jan asked to play a card";
    assert!(told.contains(expected), "{told}");
}

#[test]
fn what_is_no_scenario() {
    let folder = folder("no-scenario");
    let empty = folder.join("empty");
    fs::create_dir_all(&empty).expect("a folder for the test");
    let cases = [
        (
            write(&folder, "empty.txt", b""),
            "empty.txt:1: expected a line such as Players",
        ),
        (
            write(&folder, "bytes.txt", b"Players\xff"),
            "bytes.txt:1: expected text in UTF-8, found byte 8",
        ),
        (
            write(&folder, "huge.txt", &vec![b'\n'; 100_000]),
            "huge.txt:1: expected at most 65536 bytes",
        ),
        (folder.join("missing.txt"), "missing.txt: "),
        (empty, "found none in this folder"),
    ];
    for (path, sentence) in cases {
        let output = start(&[&path]);
        assert_eq!(output.status.code(), Some(1), "{}", path.display());
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(sentence), "{told}");
    }
    assert_eq!(start(&[]).status.code(), Some(2));
}
