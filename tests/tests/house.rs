//! The house keeps its shape: what lies at the top, and how every Rust file begins and ends,
//! and that no rule is without code or without a test.

use std::{collections::BTreeSet, fs, path::Path};

use shamans_tests::house;

/// What may lie at the top beside dotfiles. All of it must be there.
const TOP: [&str; 10] = [
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

/// Tests inside the core are in files of their own, `tests.rs` or below `tests/`; what is not one of those is code.
fn is_test(path: &Path) -> bool {
    path.iter().any(|part| {
        Path::new(part)
            .file_stem()
            .is_some_and(|stem| stem == "tests")
    })
}

#[test]
fn every_rule_stands_in_code_and_in_a_test() {
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    let (mut code, mut tests) = (String::new(), String::new());
    for path in house::files("core/src") {
        let text = read(&path);
        if is_test(Path::new(&house::short(&path))) {
            tests.push_str(&text);
            continue;
        }
        // A file's own test module is at its end.
        let (body, own_tests) = text
            .split_once("#[cfg(test)]\nmod tests {")
            .unwrap_or((&text, ""));
        code.push_str(body);
        tests.push_str(own_tests);
    }
    for path in house::files("tests") {
        tests.push_str(&read(&path));
    }

    let ids = house::rule_ids();
    assert!(ids.len() > 50, "the rules page has its ids: {ids:?}");
    let missing = |text: &str| -> Vec<&String> {
        ids.iter()
            .filter(|id| !house::names_rule(text, id))
            .collect()
    };
    let (no_code, no_test) = (missing(&code), missing(&tests));
    assert!(
        no_code.is_empty() && no_test.is_empty(),
        "\nnot named in core/src: {no_code:?}\nnot named in a test: {no_test:?}"
    );
}
