//! The words of the programs as a translator meets them: found in the source, written to `data/po/`.
//!
//! [`messages`] reads the source of `app/` and `net/` token by token and finds the calls of `shamans_net::words`; doc comments that
//! the command line shows as help count too. Driven by `tests/words` (writes) and `tests/tests/words.rs` (checks).

pub mod po;
mod source;
mod tokens;

use std::{collections::BTreeSet, fs};

use crate::house;

pub use source::{Bare, bare, find};

/// A message of the source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message {
    /// Which meaning.
    pub context: Option<String>,
    /// English; the singular where there is a plural.
    pub text: String,
    /// English plural.
    pub plural: Option<String>,
    /// The files that say it, relative to the top.
    pub files: BTreeSet<String>,
}

impl Message {
    /// What tells it from other messages.
    pub fn key(&self) -> (Option<&str>, &str) {
        (self.context.as_deref(), &self.text)
    }
}

/// Every message of the programs, in the order of files and lines. A message said twice with different plurals is an error of the source.
pub fn messages() -> Result<Vec<Message>, String> {
    let mut all: Vec<Message> = Vec::new();
    for path in house::rust_files() {
        let file = house::short(&path);
        let own = file.starts_with("net/src/words");
        if own
            || !(file.starts_with("app/src/") || file.starts_with("net/src/"))
            || file.ends_with("tests.rs")
        {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|e| format!("{file}: {e}"))?;
        for mut found in find(&text).map_err(|e| format!("{file}: {e}"))? {
            found.files.insert(file.clone());
            match all.iter_mut().find(|known| known.key() == found.key()) {
                None => all.push(found),
                Some(known) => {
                    if found.plural.is_some()
                        && known.plural.is_some()
                        && known.plural != found.plural
                    {
                        return Err(format!("{file}: “{}” has two plurals", found.text));
                    }
                    known.plural = known.plural.take().or(found.plural);
                    known.files.append(&mut found.files);
                }
            }
        }
    }
    Ok(all)
}

/// The placeholders of a message: every `{name}`.
pub fn placeholders(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('{') {
        let Some((name, tail)) = after.split_once('}') else {
            break;
        };
        if !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
            found.insert(name.to_owned());
        }
        rest = tail;
    }
    found
}
