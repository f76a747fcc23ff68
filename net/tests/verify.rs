//! `shamans-table verify` and `replay` as a person starts them, on the records of `tests/records`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn start(arguments: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_shamans-table"))
        .args(arguments)
        .arg(file)
        .env("LANGUAGE", "en")
        .output()
        .expect("the program starts")
}

fn records() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/records")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn every_shipped_record_has_its_code_and_as_much_explanation_as_was_found() {
    let mut seen = [0; 4];
    for entry in fs::read_dir(records()).expect("shipped records") {
        let path = entry.expect("read").path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.expect("a plain name").to_owned();
        let (code, verdict) = match name.split(['-', '.']).next() {
            _ if !name.ends_with(".record") => continue,
            Some("unfair") => (1, "unfair"),
            Some("unreadable") => (2, "unreadable"),
            Some("unfinished") => (3, "unfinished"),
            _ => (0, "fair"),
        };
        seen[code as usize] += 1;
        let told = start(&["verify", "--explain"], &path);
        assert_eq!(told.status.code(), Some(code), "{name}");
        let told = String::from_utf8_lossy(&told.stdout).into_owned();
        let output = start(&["verify", "--json", "--explain"], &path);
        assert_eq!(output.status.code(), Some(code), "{name}");
        let value = json(&output);
        assert_eq!(value["verdict"], verdict, "{name}");
        if code == 2 {
            assert!(told.is_empty(), "{told}");
            continue;
        }
        let explained = value["explain"].as_array().expect("a list");
        for line in explained {
            assert!(told.contains(line.as_str().expect("a line")), "{name}");
        }
        let says = |words: &str| told.contains(words);
        assert!(says("What was checked") && says("What it does not prove"));
        // In each of these a seed is missing.
        assert!(
            !says("Nobody chose") && !says("seeds were revealed"),
            "{told}"
        );
        assert_eq!(says("nothing is missing"), code != 1, "{told}");
        assert_eq!(says("not the record of a fair game"), code == 1, "{told}");
        assert_eq!(says("is not over. What"), code == 3, "{told}");
        let plain = start(&["verify", "--json"], &path);
        assert!(json(&plain).get("explain").is_none(), "nobody asked");
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

/// Another protocol in the genesis means another version, not a cheat.
#[test]
fn another_protocol_is_another_version() {
    let mut bytes = fs::read(records().join("unfinished.record")).expect("shipped");
    bytes.truncate(bytes.len() - 32);
    assert_eq!(bytes[10], 1, "the protocol stands first in the body");
    bytes[10] = 2;
    bytes.extend_from_slice(blake3::hash(&bytes).as_bytes());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("another-protocol.record");
    fs::write(&path, bytes).expect("written");
    let output = start(&["verify", "--json"], &path);
    assert_eq!(output.status.code(), Some(2));
    let reason = json(&output)["reason"].to_string();
    assert!(reason.contains("another version"), "{reason}");
}

/// However long a file is, no more of it is read than a record can have.
#[test]
fn a_file_without_end_is_no_record() {
    let output = start(&["verify"], Path::new("/dev/zero"));
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("too large"), "{told}");
}

#[test]
fn a_record_is_told_from_a_seat_by_number_or_name() {
    let path = records().join("away-and-back.record");
    let tell = |eyes: &str| {
        let output = start(&["replay", "--json", "--as", eyes], &path);
        assert_eq!(output.status.code(), Some(0), "{eyes}");
        let text = String::from_utf8(output.stdout).expect("words");
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<Vec<Value>, _>>().expect("JSON")
    };
    // P1 sits in the first seat, P0 in the second.
    for (number, name, seat) in [("1", "P1", 0), ("2", "P0", 1)] {
        let told = tell(number);
        assert_eq!(told, tell(name));
        let mut saw = told.iter().filter_map(|line| line.get("saw")).peekable();
        assert!(saw.peek().is_some());
        assert!(saw.all(|saw| saw["seat"] == seat), "{number}");
    }
    for nobody in ["0", "4", "P9"] {
        let output = start(&["replay", "--as", nobody], &path);
        assert_eq!(output.status.code(), Some(2), "{nobody}");
    }
    let told = start(&["verify"], &path);
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains("P1 (seat 1), P0 (seat 2)"), "{told}");
}
