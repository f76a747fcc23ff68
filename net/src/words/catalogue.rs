//! A gettext catalogue: reads a `.po` file as translators' tools write it, and looks messages up.

use std::collections::HashMap;

use thiserror::Error;

use super::Plural;

/// One message of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// Which of several meanings.
    pub context: Option<String>,
    /// English; the singular where there is a plural.
    pub message: String,
    /// English plural.
    pub plural: Option<String>,
    /// The translation, or one for each plural form.
    pub forms: Vec<String>,
    /// A guess of a tool, that nobody has looked at.
    pub fuzzy: bool,
    /// Comment lines as they stand.
    pub comments: Vec<String>,
}

/// All messages of a language.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    plural: Plural,
    entries: Vec<Entry>,
    found: HashMap<String, usize>,
}

/// What is wrong with the file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct Unreadable {
    /// Counted from 1.
    pub line: usize,
    /// In words.
    pub problem: String,
}

/// Where the next quoted string belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    None,
    Context,
    Message,
    Plural,
    Form,
}

/// gettext's own way to put context and message into one key.
fn key(context: Option<&str>, message: &str) -> String {
    match context {
        Some(context) => format!("{context}\u{4}{message}"),
        None => message.to_owned(),
    }
}

impl Catalogue {
    /// Reads the text of a `.po` file. Obsolete messages (`#~`) are left out.
    pub fn read(text: &str) -> Result<Catalogue, Unreadable> {
        let mut catalogue = Catalogue::default();
        let mut entry = Entry::default();
        let mut part = Part::None;
        for (index, line) in text.lines().enumerate() {
            let wrong = |problem: &str| Unreadable {
                line: index + 1,
                problem: problem.to_owned(),
            };
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                if part == Part::Form {
                    catalogue
                        .take(std::mem::take(&mut entry))
                        .map_err(|e| wrong(&e))?;
                    part = Part::None;
                }
                if line.starts_with("#~") {
                    continue;
                }
                if let Some(flags) = line.strip_prefix("#,") {
                    entry.fuzzy = flags.split(',').any(|flag| flag.trim() == "fuzzy");
                }
                if line.starts_with('#') {
                    entry.comments.push(line.to_owned());
                }
                continue;
            }
            let (word, quoted) = match line.find('"') {
                Some(at) => line.split_at_checked(at).unwrap_or(("", line)),
                None => return Err(wrong("a message needs quotes")),
            };
            let string = unquote(quoted).ok_or_else(|| wrong("the quotes or escapes are wrong"))?;
            match word.trim() {
                "" => match part {
                    Part::None => return Err(wrong("a string that belongs to nothing")),
                    Part::Context => entry.context.get_or_insert_default().push_str(&string),
                    Part::Message => entry.message.push_str(&string),
                    Part::Plural => entry.plural.get_or_insert_default().push_str(&string),
                    Part::Form => entry
                        .forms
                        .last_mut()
                        .into_iter()
                        .for_each(|form| form.push_str(&string)),
                },
                word @ ("msgctxt" | "msgid") => {
                    if part == Part::Form {
                        catalogue
                            .take(std::mem::take(&mut entry))
                            .map_err(|e| wrong(&e))?;
                    }
                    if word == "msgid" {
                        entry.message = string;
                        part = Part::Message;
                    } else {
                        entry.context = Some(string);
                        part = Part::Context;
                    }
                }
                "msgid_plural" => {
                    entry.plural = Some(string);
                    part = Part::Plural;
                }
                word => {
                    let expected = match entry.plural {
                        Some(_) => format!("msgstr[{}]", entry.forms.len()),
                        None => "msgstr".to_owned(),
                    };
                    if word != expected {
                        return Err(wrong(&format!("{word} where {expected} was expected")));
                    }
                    entry.forms.push(string);
                    part = Part::Form;
                }
            }
        }
        let last = text.lines().count();
        if part == Part::Form {
            catalogue.take(entry).map_err(|problem| Unreadable {
                line: last,
                problem,
            })?;
        } else if part != Part::None {
            let problem = "the last message has no msgstr".to_owned();
            return Err(Unreadable {
                line: last,
                problem,
            });
        }
        Ok(catalogue)
    }

    fn take(&mut self, entry: Entry) -> Result<(), String> {
        if entry.message.is_empty() && entry.context.is_none() {
            let header = entry.forms.first().map_or("", String::as_str);
            for line in header.lines() {
                if let Some(rule) = line.strip_prefix("Plural-Forms:") {
                    self.plural = Plural::read(rule).map_err(|e| e.to_string())?;
                }
            }
        }
        let at = self.entries.len();
        let key = key(entry.context.as_deref(), &entry.message);
        if self.found.insert(key, at).is_some() {
            return Err(format!("“{}” stands here twice", entry.message));
        }
        self.entries.push(entry);
        Ok(())
    }

    /// All messages in the order of the file, the header (an empty message) first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The rule for numbers.
    pub fn plural(&self) -> &Plural {
        &self.plural
    }

    /// The entry of a message.
    pub fn entry(&self, context: Option<&str>, message: &str) -> Option<&Entry> {
        let at = match context {
            None => self.found.get(message),
            Some(_) => self.found.get(&key(context, message)),
        };
        at.and_then(|at| self.entries.get(*at))
    }

    /// The translation, if there is one that somebody has looked at.
    pub fn message(&self, context: Option<&str>, message: &str) -> Option<&str> {
        let entry = self.entry(context, message)?;
        shown(entry, entry.forms.first())
    }

    /// The translation for `n` things.
    pub fn counted(&self, one: &str, n: usize) -> Option<&str> {
        let entry = self.entry(None, one)?;
        shown(entry, entry.forms.get(self.plural.form(n)))
    }
}

fn shown<'a>(entry: &Entry, form: Option<&'a String>) -> Option<&'a str> {
    form.map(String::as_str)
        .filter(|text| !text.is_empty() && !entry.fuzzy && !entry.message.is_empty())
}

fn unquote(quoted: &str) -> Option<String> {
    let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::with_capacity(inner.len());
    let mut signs = inner.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '"' => return None,
            '\\' => text.push(match signs.next()? {
                'n' => '\n',
                't' => '\t',
                '"' => '"',
                '\\' => '\\',
                _ => return None,
            }),
            plain => text.push(plain),
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r##"# Somebody's file.
msgid ""
msgstr ""
"Language: cs\n"
"Plural-Forms: nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;\n"

#: app/src/help.rs
msgid "Rules"
msgstr "Pravidla"

msgctxt "verb"
msgid "Play"
msgstr ""
"Zahrát "
"\"teď\"\n"
msgid "Play"
msgstr "Hra"
#, fuzzy
msgid "Sky"
msgstr "Nebo"

msgid "1 card"
msgid_plural "{n} cards"
msgstr[0] "{n} karta"
msgstr[1] "{n} karty"
msgstr[2] "{n} karet"

#~ msgid "Gone"
#~ msgstr "Pryč"
"##;

    #[test]
    fn a_file_is_read() {
        let read = Catalogue::read(TEXT).expect("a good file");
        assert_eq!(read.message(None, "Rules"), Some("Pravidla"));
        assert_eq!(read.message(Some("verb"), "Play"), Some("Zahrát \"teď\"\n"));
        assert_eq!(read.message(None, "Play"), Some("Hra"));
        assert_eq!(read.message(None, "Sky"), None, "nobody has looked at it");
        assert_eq!(read.message(None, "Gone"), None);
        assert_eq!(read.message(None, ""), None, "the header is no message");
        let cards = [1, 3, 5].map(|n| read.counted("1 card", n));
        assert_eq!(
            cards,
            [Some("{n} karta"), Some("{n} karty"), Some("{n} karet")]
        );
        let rules = read.entry(None, "Rules").expect("it is there");
        assert_eq!(rules.comments, ["#: app/src/help.rs"]);
    }

    #[test]
    fn a_broken_file_names_the_line() {
        let line = |text: &str| Catalogue::read(text).expect_err("broken").line;
        assert_eq!(line("msgid \"a\"\nmsgstr \"b"), 2);
        assert_eq!(line("\"a\""), 1);
        assert_eq!(line("msgid \"a\"\nmsgstr \"\\q\""), 2);
        assert_eq!(line("msgid \"a\"\nmsgid_plural \"b\"\nmsgstr \"c\""), 3);
        assert_eq!(
            line("msgid \"a\"\nmsgstr \"b\"\n\nmsgid \"a\"\nmsgstr \"c\"\n"),
            5
        );
        assert_eq!(line("msgid \"a\""), 1);
        assert_eq!(line("msgid \"\"\nmsgstr \"Plural-Forms: x\\n\"\n"), 2);
    }
}
