//! `shamans-table simulate` as a person starts it: its JSON, and what it says to wrong numbers and wrong data.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn start(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_shamans-table"))
        .arg("simulate")
        .args(arguments)
        .output()
        .expect("the program starts")
}

/// A copy of `data/` with one file replaced.
fn data_with(test: &str, file: &str, content: Option<&[u8]>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).expect("a folder for the test");
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    for name in ["worlds.toml", "tiles.toml", "tables.toml", "track.toml"] {
        fs::copy(shipped.join(name), folder.join(name)).expect("shipped data");
    }
    match content {
        Some(content) => fs::write(folder.join(file), content).expect("a file for the test"),
        None => fs::remove_file(folder.join(file)).expect("a file of the test"),
    }
    folder
}

#[test]
fn json_has_the_keys_and_a_seed_repeats() {
    let play = || {
        let output = start(&[
            "--players",
            "4",
            "--games",
            "20",
            "--seed",
            "3",
            "--bots",
            "random",
            "--json",
        ]);
        assert_eq!(output.status.code(), Some(0));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        for key in [
            "games",
            "rounds",
            "actions",
            "shadow_round_wins",
            "refused",
            "seconds",
            "actions_per_second_per_core",
            "wins",
        ] {
            assert!(json.get(key).is_some(), "{key} is missing");
        }
        assert_eq!(json["refused"], 0);
        (
            json["rounds"].clone(),
            json["actions"].clone(),
            json["wins"].clone(),
        )
    };
    assert_eq!(play(), play());
}

#[test]
fn wrong_data_is_told_in_a_sentence() {
    type Case<'a> = (&'a str, Option<&'a [u8]>, &'a [&'a str]);
    let cases: [Case<'_>; 5] = [
        (
            "tiles.toml",
            Some(b""),
            &["data/tiles.toml", "tiles", "expected a section [tiles]"],
        ),
        (
            "tiles.toml",
            Some(b"[tiles]\ndagger = 99"),
            &["tiles.dagger", "from 0 to 12", "99"],
        ),
        ("track.toml", Some(b"\xff\xfe"), &["track.toml", "UTF-8"]),
        ("worlds.toml", None, &["worlds.toml", "cannot be read"]),
        (
            "tables.toml",
            Some(&[b'#'; 70_000]),
            &["data/tables.toml", "at most 65536 bytes"],
        ),
    ];
    for (i, (file, content, sentences)) in cases.into_iter().enumerate() {
        let folder = data_with(&format!("wrong-data-{i}"), file, content);
        let output = start(&["--games", "1", "--data", &folder.to_string_lossy()]);
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8_lossy(&output.stderr);
        for sentence in sentences {
            assert!(told.contains(sentence), "{told:?} lacks {sentence:?}");
        }
    }
}

#[test]
fn other_data_is_played() {
    let track = b"[track]\nmoon = 24\nback = 2\nlast_call = 2\n[points]\ngoal = 1\nshaman = 2\nshadow = 3\nmoonstones = 2\nmoonstone_set = 2\nillumination = 1\n";
    let folder = data_with("other-data", "track.toml", Some(track));
    let rounds = |more: &[&str]| {
        let mut arguments = vec![
            "--players",
            "3",
            "--games",
            "50",
            "--bots",
            "random",
            "--json",
        ];
        arguments.extend(more);
        let json: serde_json::Value =
            serde_json::from_slice(&start(&arguments).stdout).expect("JSON");
        json["rounds"].as_u64().expect("a number")
    };
    // A goal of one point ends games much sooner.
    assert!(rounds(&["--data", &folder.to_string_lossy()]) < rounds(&[]));
}

#[test]
fn a_bot_for_each_seat_says_how_many_seats_and_its_share_has_an_interval() {
    let bots = "sensible,random,random,random";
    let output = start(&["--bots", bots, "--games", "40", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["players"], 4);
    assert_eq!(json["shares"].as_array().map(Vec::len), Some(4));
    let number = |key: &str| json["shares"][0][key].as_f64().expect("a number");
    assert!((number("times_fair") - number("share") * 4.0).abs() < 1e-9);
    assert!(number("times_low") < number("times_fair"));
    assert!(number("times_fair") < number("times_high"));

    let lines = start(&["--bots", bots, "--games", "4"]);
    let told = String::from_utf8_lossy(&lines.stdout);
    assert!(told.contains("× fair ("), "{told}");

    let phantom = start(&["--bots", "easy,random", "--phantoms", "2", "--games", "4"]);
    assert_eq!(phantom.status.code(), Some(0), "two bots and two phantoms");
    for (bots, phantoms) in [("easy,random", "0"), ("easy,random", "200")] {
        let refused = start(&["--bots", bots, "--phantoms", phantoms, "--games", "4"]);
        assert_eq!(refused.status.code(), Some(2), "{phantoms} phantoms");
    }
}
