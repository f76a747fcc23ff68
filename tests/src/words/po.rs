//! Writes catalogues: the template, and a language's file brought up to date with the source.

use shamans_net::words::{Catalogue, Entry, Unreadable};

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

/// The messages that a file keeps as obsolete (`#~`): translated once, said no more.
pub fn obsolete(text: &str) -> Result<Catalogue, Unreadable> {
    let kept: Vec<&str> = text
        .lines()
        .map(|line| line.strip_prefix("#~").unwrap_or("").trim())
        .collect();
    Catalogue::read(&kept.join("\n"))
}

/// The language's file with exactly the messages of the source: translations are kept, new messages are empty, gone ones become obsolete
/// and come back with their translation if they are said again.
pub fn updated(old: &Catalogue, obsolete: &Catalogue, messages: &[Message]) -> String {
    let head = old.entry(None, "").cloned().unwrap_or_default();
    let entries = messages.iter().map(|message| {
        let mut new = entry(message, old.plural().forms());
        let (context, text) = message.key();
        let known = [old, obsolete]
            .into_iter()
            .filter_map(|catalogue| catalogue.entry(context, text))
            .find(|known| known.forms.len() == new.forms.len() && is_translated(known));
        if let Some(known) = known {
            new.forms = known.forms.clone();
            new.fuzzy = known.fuzzy;
            let own = known.comments.iter().filter(|line| line.starts_with("# "));
            new.comments.splice(0..0, own.cloned());
        }
        new
    });
    let mut text = written(std::iter::once(head).chain(entries));
    let said = |entry: &&Entry| {
        let key = (entry.context.as_deref(), entry.message.as_str());
        entry.message.is_empty() || messages.iter().any(|message| message.key() == key)
    };
    let gone = old.entries().iter().chain(obsolete.entries());
    let mut gone: Vec<Entry> = gone
        .filter(|entry| !said(entry) && is_translated(entry))
        .cloned()
        .collect();
    gone.sort_by(|a, b| (&a.message, &a.context).cmp(&(&b.message, &b.context)));
    gone.dedup_by(|a, b| (&a.message, &a.context) == (&b.message, &b.context));
    for entry in &mut gone {
        entry.comments.clear();
        let lines = written(std::iter::once(entry.clone()));
        text.push('\n');
        for line in lines.lines() {
            text.push_str(&format!("#~ {line}\n"));
        }
    }
    text
}

fn is_translated(entry: &Entry) -> bool {
    !entry.fuzzy && entry.forms.iter().all(|form| !form.is_empty())
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
    fn an_update_keeps_translations_and_gone_ones_come_back() {
        let old = "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=3; plural=n>2 ? 2 : 1;\\n\"\n\n# A remark.\n#: old.rs\nmsgid \"a\\n\\\"b\\\"\"\nmsgstr \"A\\n\"\n\"B\"\n\nmsgid \"gone\"\nmsgstr \"pryč\"\n";
        let message = |text: &str, plural: Option<&str>| Message {
            context: None,
            text: text.to_owned(),
            plural: plural.map(str::to_owned),
            files: BTreeSet::from(["new.rs".to_owned()]),
        };
        let update = |text: &str, messages: &[Message]| {
            let read = Catalogue::read(text).expect("what we write we read");
            updated(&read, &obsolete(text).expect("the rest too"), messages)
        };
        let said = [message("a\n\"b\"", None), message("1 x", Some("{n} x"))];
        let text = update(old, &said);
        let new = Catalogue::read(&text).expect("a good file");
        assert_eq!(new.message(None, "a\n\"b\""), Some("A\nB"));
        let kept = new.entry(None, "a\n\"b\"").expect("it is there");
        assert_eq!(kept.comments, ["# A remark.", "#: new.rs"]);
        assert_eq!(new.entry(None, "1 x").expect("it is new").forms.len(), 3);
        assert!(new.entry(None, "gone").is_none());
        assert_eq!(update(&text, &said), text);
        let again = update(&text, &[message("gone", None)]);
        let again = Catalogue::read(&again).expect("a good file");
        assert_eq!(again.message(None, "gone"), Some("pryč"));
    }
}
