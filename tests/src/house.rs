//! The source tree as the tests see it: where it is and which files it has.
//!
//! Reads only. Driven by tests that look at the project itself.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The top of the source tree.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests package lives one folder below the top")
        .to_path_buf()
}

/// Every file under `folder` (relative to the top), in a fixed order, without what builds leave behind.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if name == "target" || name == "__pycache__" {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The Rust files of all packages.
pub fn rust_files() -> Vec<PathBuf> {
    ["app", "net", "core", "tests"]
        .iter()
        .flat_map(|folder| files(folder))
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .collect()
}

/// The path as people name it: relative to the top.
pub fn short(path: &Path) -> String {
    path.strip_prefix(root())
        .unwrap_or(path)
        .display()
        .to_string()
}

/// What git keeps, or `None` where this tree is not a clone (a release tarball) or git is missing.
pub fn kept_by_git() -> Option<Vec<String>> {
    let top = root();
    if !top.join(".git").exists() {
        return None;
    }
    let listing = Command::new("git")
        .arg("-c")
        .arg(format!("safe.directory={}", top.display()))
        .args(["ls-files", "-z"])
        .current_dir(&top)
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&listing.stdout).into_owned();
    Some(
        text.split('\0')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
    )
}

/// The ids of the rules page, `ABC-1` and its like, in its order: they stand there in bold.
pub fn rule_ids() -> Vec<String> {
    let page = fs::read_to_string(root().join("core/docs/rules.md")).expect("the rules page");
    page.split("**")
        .filter(|piece| is_rule_id(piece))
        .map(str::to_owned)
        .collect()
}

fn is_rule_id(piece: &str) -> bool {
    piece.split_once('-').is_some_and(|(letters, number)| {
        letters.len() == 3
            && letters.chars().all(|c| c.is_ascii_uppercase())
            && !number.is_empty()
            && number.chars().all(|c| c.is_ascii_digit())
    })
}

/// Whether `text` names the rule `id`; `ABC-1` is not in `ABC-12`.
pub fn names_rule(text: &str, id: &str) -> bool {
    text.match_indices(id).any(|(at, _)| {
        let after = text[at + id.len()..].chars().next();
        !after.is_some_and(|c| c.is_ascii_digit())
    })
}
