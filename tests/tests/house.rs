//! The house keeps its shape: what lies at the top, and how every Rust file begins and ends.

use std::{collections::BTreeSet, fs};

use shamans_tests::house;

/// What may lie at the top beside dotfiles. All of it must be there.
const TOP: [&str; 11] = [
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "app",
    "core",
    "data",
    "net",
    "tests",
];

#[test]
fn the_top_level_is_as_designed() {
    let Some(kept) = house::kept_by_git() else {
        eprintln!(
            "skipped: not a git clone, or no git here, so there is no list of what belongs to the project"
        );
        return;
    };
    let top: BTreeSet<&str> = kept
        .iter()
        .filter_map(|path| path.split('/').next())
        .filter(|name| !name.starts_with('.'))
        .collect();
    assert_eq!(top, BTreeSet::from(TOP));
}

#[test]
fn every_rust_file_says_what_it_is_and_stays_readable() {
    let mut complaints = Vec::new();
    let files = house::rust_files();
    assert!(files.len() > 5, "the walk over the tree finds files");
    for path in files {
        let name = house::short(&path);
        let text = fs::read_to_string(&path).unwrap_or_else(|trouble| panic!("{name}: {trouble}"));
        if !text.starts_with("//!") {
            complaints.push(format!("{name}: does not open with `//!`"));
        }
        if path.file_name().is_some_and(|file| file == "mod.rs") {
            complaints.push(format!("{name}: use foo.rs beside foo/, not mod.rs"));
        }
        let lines = text.lines().count();
        if lines > 800 {
            complaints.push(format!("{name}: {lines} lines, 800 are the limit"));
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// Rules know no decks and no log; decks, log and table know no rules. So another game fits on the same table.
#[test]
fn rules_and_dealing_do_not_know_each_other() {
    let apart = [
        ("shamans", &["crate::deal", "crate::log"][..]),
        ("deal", &["crate::shamans", "crate::log"]),
        ("log", &["crate::shamans", "crate::deal"]),
        ("table", &["crate::shamans"]),
    ];
    let mut complaints = Vec::new();
    for (module, strangers) in apart {
        let own = [
            format!("core/src/{module}.rs"),
            format!("core/src/{module}/"),
        ];
        let files = house::files("core/src")
            .into_iter()
            .map(|path| (house::short(&path), path));
        for (name, path) in files.filter(|(name, _)| own.iter().any(|own| name.starts_with(own))) {
            let text =
                fs::read_to_string(&path).unwrap_or_else(|trouble| panic!("{name}: {trouble}"));
            let named = strangers
                .iter()
                .filter(|stranger| text.contains(**stranger));
            complaints.extend(named.map(|stranger| format!("{name} names {stranger}")));
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}
