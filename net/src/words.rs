//! Words in the reader's language: messages are written in English at the place that says them, and looked up here.
//!
//! ```text
//! tr("Create a table")                                     one message
//! tr_c("a button", "Play")                                 the same English with another meaning
//! tr_n("1 card", "{n} cards", n)                           by number
//! fill("{name} leads {card}.", &[("name", name), …])       values after translation, in any order
//! fill_n("{name} holds 1 card.", "{name} holds {n} cards.", n, &[("name", name)])
//! mark("Off")                                              a message for a table or `match`; `tr` it where it is shown
//! ```
//!
//! `tests/words` finds these calls in the source and brings `data/po/` up to date; a test fails while a message is missing,
//! stale or has lost a placeholder in any language. The catalogues are part of the program, so it needs no installed files
//! and no locale of the system. The language can change at any moment ([`speak`]); who shows words then asks again.
//!
//! No words travel between peers: everybody reads their own language. Core is wordless.

mod catalogue;
mod language;
mod plural;
mod pseudo;

use std::{
    cell::Cell,
    sync::atomic::{AtomicUsize, Ordering},
};

pub use catalogue::{Catalogue, Entry, Unreadable};
pub use language::Language;
pub use plural::{BadPlural, Plural};
pub use pseudo::{is_pseudo, pseudo};

/// Index into [`Language::ALL`] plus one; 0 until somebody chose: then the system is asked.
static CHOSEN: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static HERE: Cell<Option<Language>> = const { Cell::new(None) };
}

/// From now on, in this language; `None`: as the system says.
pub fn speak(language: Option<Language>) {
    let language = language.unwrap_or_else(Language::of_system);
    let index = Language::ALL.iter().position(|one| *one == language);
    CHOSEN.store(index.map_or(0, |index| index + 1), Ordering::Relaxed);
}

/// The language in which [`tr`] answers on this thread.
pub fn language() -> Language {
    if let Some(language) = HERE.get() {
        return language;
    }
    let chosen = CHOSEN.load(Ordering::Relaxed).checked_sub(1);
    match chosen.and_then(|index| Language::ALL.get(index)) {
        Some(language) => *language,
        None => {
            speak(None);
            Language::of_system()
        }
    }
}

/// What `say` says in `language`, whatever the rest of the program speaks. For tests and pages in several languages.
pub fn in_language<T>(language: Language, say: impl FnOnce() -> T) -> T {
    let before = HERE.replace(Some(language));
    let said = say();
    HERE.set(before);
    said
}

/// The message.
pub fn tr(message: &str) -> String {
    language().message(None, message)
}

/// The message where the same English means several things; `context` tells a translator which.
pub fn tr_c(context: &str, message: &str) -> String {
    language().message(Some(context), message)
}

/// The message for `n` things; `{n}` is filled in.
pub fn tr_n(one: &str, many: &str, n: usize) -> String {
    fill_n(one, many, n, &[])
}

/// The message with each `{key}` replaced by its value.
pub fn fill(message: &str, values: &[(&str, &str)]) -> String {
    filled(&tr(message), values)
}

/// The message for `n` things, with `{n}` and each `{key}` replaced.
pub fn fill_n(one: &str, many: &str, n: usize, values: &[(&str, &str)]) -> String {
    let number = n.to_string();
    let mut values = values.to_vec();
    values.push(("n", &number));
    filled(&language().counted(one, many, n), &values)
}

/// A message that is looked up later: it does nothing, but the words' own search finds it.
pub const fn mark(message: &'static str) -> &'static str {
    message
}

/// One pass, so that a value with braces (somebody's name) stays as it is.
fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let value = after.split_once('}').and_then(|(key, tail)| {
            let (_, value) = values.iter().find(|(name, _)| *name == key)?;
            Some((*value, tail))
        });
        match value {
            Some((value, tail)) => {
                text.push_str(value);
                rest = tail;
            }
            None => {
                text.push('{');
                rest = after;
            }
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_filled_once_and_in_any_order() {
        let values = [("name", "{card}"), ("card", "River 4")];
        assert_eq!(
            filled("{card}: {name}, {else} {", &values),
            "River 4: {card}, {else} {"
        );
    }

    #[test]
    fn numbers_choose_the_form() {
        in_language(Language::English, || {
            assert_eq!(tr_n("1 card", "{n} cards", 1), "1 card");
            assert_eq!(tr_n("1 card", "{n} cards", 0), "0 cards");
        });
        in_language(Language::Russian, || {
            let said = [1, 2, 5, 21].map(|n| tr_n("1 card", "{n} cards", n));
            assert_eq!(
                said,
                [
                    "1\u{a0}карта",
                    "2\u{a0}карты",
                    "5\u{a0}карт",
                    "21\u{a0}карта"
                ]
            );
        });
    }

    #[test]
    fn an_unknown_message_stays_english_and_the_pseudo_language_shows_what_went_through() {
        let message = "No catalogue has this {thing}";
        in_language(Language::Czech, || assert_eq!(tr(message), message));
        let said = in_language(Language::Pseudo, || fill(message, &[("thing", "x")]));
        assert!(said.contains(" x"), "{said}");
        assert!(is_pseudo(&said), "{said}");
    }

    #[test]
    fn a_thread_speaks_for_itself() {
        let outer = language();
        in_language(Language::German, || {
            assert_eq!(language(), Language::German);
            std::thread::scope(|s| {
                s.spawn(|| assert_eq!(language(), outer));
            });
        });
        assert_eq!(language(), outer);
    }
}
