//! Writes catalogues: the template, and a language's file brought up to date with the source.

use shamans_net::words::{Catalogue, Entry};

use super::Message;

/// The template: every message, no translation.
pub fn template(messages: &[Message]) -> String {
    let head = Entry {
        comments: vec!["# Every message of Shamans. Made by tests/words: do not edit.".to_owned()],
        forms: vec![
            "Project-Id-Version: Shamans\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n".to_owned(),
        ],
        ..Entry::default()
    };
    written(std::iter::once(head).chain(messages.iter().map(|message| entry(message, 2))))
}

/// The language's file with exactly the messages of the source: translations are kept, new messages are empty, gone ones are left out.
pub fn updated(old: &Catalogue, messages: &[Message]) -> String {
    let head = old.entry(None, "").cloned().unwrap_or_default();
    let entries = messages.iter().map(|message| {
        let mut new = entry(message, old.plural().forms());
        if let Some(known) = old.entry(message.context.as_deref(), &message.text) {
            if known.forms.len() == new.forms.len() {
                new.forms = known.forms.clone();
                new.fuzzy = known.fuzzy;
            }
            let own = known.comments.iter().filter(|line| line.starts_with("# "));
            new.comments.splice(0..0, own.cloned());
        }
        new
    });
    written(std::iter::once(head).chain(entries))
}

fn entry(message: &Message, forms: usize) -> Entry {
    let forms = if message.plural.is_some() { forms } else { 1 };
    Entry {
        context: message.context.clone(),
        message: message.text.clone(),
        plural: message.plural.clone(),
        forms: vec![String::new(); forms],
        fuzzy: false,
        comments: message
            .files
            .iter()
            .map(|file| format!("#: {file}"))
            .collect(),
    }
}

fn written(entries: impl Iterator<Item = Entry>) -> String {
    let mut text = String::new();
    for entry in entries {
        if !text.is_empty() {
            text.push('\n');
        }
        for line in entry.comments.iter().filter(|line| !line.starts_with("#,")) {
            text.push_str(line);
            text.push('\n');
        }
        if entry.fuzzy {
            text.push_str("#, fuzzy\n");
        }
        if let Some(context) = &entry.context {
            push(&mut text, "msgctxt", context);
        }
        push(&mut text, "msgid", &entry.message);
        match &entry.plural {
            None => push(
                &mut text,
                "msgstr",
                entry.forms.first().map_or("", String::as_str),
            ),
            Some(plural) => {
                push(&mut text, "msgid_plural", plural);
                for (n, form) in entry.forms.iter().enumerate() {
                    push(&mut text, &format!("msgstr[{n}]"), form);
                }
            }
        }
    }
    text
}

/// One line, or one for each line of the text.
fn push(text: &mut String, word: &str, value: &str) {
    let lines: Vec<&str> = value.split_inclusive('\n').collect();
    text.push_str(word);
    if lines.len() > 1 {
        text.push_str(" \"\"");
    }
    for line in if lines.is_empty() {
        vec![""]
    } else {
        lines.clone()
    } {
        text.push(if lines.len() > 1 { '\n' } else { ' ' });
        text.push('"');
        text.push_str(
            &line
                .replace('\\', "\\\\")
                .replace('"', "\\\"")
                .replace('\n', "\\n")
                .replace('\t', "\\t"),
        );
        text.push('"');
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn an_update_keeps_translations_and_forgets_what_is_gone() {
        let old = Catalogue::read(
            "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=3; plural=n>2 ? 2 : 1;\\n\"\n\n# A remark.\n#: old.rs\nmsgid \"a\\n\\\"b\\\"\"\nmsgstr \"A\\n\"\n\"B\"\n\nmsgid \"gone\"\nmsgstr \"pryč\"\n",
        )
        .expect("a good file");
        let message = |text: &str, plural: Option<&str>| Message {
            context: None,
            text: text.to_owned(),
            plural: plural.map(str::to_owned),
            files: BTreeSet::from(["new.rs".to_owned()]),
        };
        let text = updated(
            &old,
            &[message("a\n\"b\"", None), message("1 x", Some("{n} x"))],
        );
        let new = Catalogue::read(&text).expect("what we write we read");
        assert_eq!(new.message(None, "a\n\"b\""), Some("A\nB"));
        let kept = new.entry(None, "a\n\"b\"").expect("it is there");
        assert_eq!(kept.comments, ["# A remark.", "#: new.rs"]);
        assert_eq!(new.entry(None, "1 x").expect("it is new").forms.len(), 3);
        assert!(new.entry(None, "gone").is_none());
        assert_eq!(
            updated(
                &new,
                &[message("a\n\"b\"", None), message("1 x", Some("{n} x"))]
            ),
            text
        );
    }
}
