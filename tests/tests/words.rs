//! Every message of the programs has a translation that fits, in every language; nothing else stands in the catalogues.

use std::collections::BTreeMap;

use shamans_net::sentences::spoken;
use shamans_net::words::{Catalogue, Entry, Language, Plural, in_language, is_pseudo};
use shamans_tests::{
    house,
    words::{Bare, Message, bare, messages, placeholders},
};

fn catalogue(file: &str) -> Catalogue {
    let path = house::root().join("data/po").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Catalogue::read(&text).unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// The catalogue has the source's messages, no fewer and no more.
fn same_messages(
    file: &str,
    catalogue: &Catalogue,
    source: &[Message],
    problems: &mut Vec<String>,
) {
    let wanted: BTreeMap<_, _> = source
        .iter()
        .map(|message| (message.key(), message))
        .collect();
    let headless = || {
        catalogue
            .entries()
            .iter()
            .filter(|entry| !entry.message.is_empty())
    };
    for entry in headless() {
        match wanted.get(&(entry.context.as_deref(), entry.message.as_str())) {
            None => problems.push(format!("{file}: stale: {}", entry.message)),
            Some(message) if message.plural != entry.plural => {
                problems.push(format!("{file}: its plural changed: {}", entry.message));
            }
            Some(_) => {}
        }
    }
    for message in source {
        if catalogue
            .entry(message.context.as_deref(), &message.text)
            .is_none()
        {
            problems.push(format!("{file}: missing: {}", message.text));
        }
    }
}

/// What is wrong with a translation, if anything is.
fn wrong(entry: &Entry, plural: &Plural) -> Option<String> {
    if entry.fuzzy {
        return Some("fuzzy".to_owned());
    }
    let forms = if entry.plural.is_some() {
        plural.forms()
    } else {
        1
    };
    if entry.forms.len() != forms {
        return Some(format!("{} forms instead of {forms}", entry.forms.len()));
    }
    let mut wanted = placeholders(&entry.message);
    wanted.extend(entry.plural.iter().flat_map(|plural| placeholders(plural)));
    for (index, form) in entry.forms.iter().enumerate() {
        if form.trim().is_empty() {
            return Some("not translated".to_owned());
        }
        let mut has = placeholders(form);
        // A form that stands for one number only may write it out ("one card").
        if entry.plural.is_some()
            && (0..1000).filter(|n| plural.form(*n) == index).count() == 1
            && wanted.contains("n")
        {
            has.insert("n".to_owned());
        }
        if has != wanted {
            return Some(format!(
                "placeholders {has:?} instead of {wanted:?} in “{form}”"
            ));
        }
        let blank = |text: &str| {
            (
                text.starts_with(char::is_whitespace),
                text.ends_with(char::is_whitespace),
            )
        };
        if blank(form) != blank(&entry.message) {
            return Some(format!("blanks at the ends differ in “{form}”"));
        }
    }
    None
}

/// A letter that stands alone at the end of a line: Czech and Russian keep it with the next word.
fn stray_letter(language: Language, text: &str) -> bool {
    let letters = match language {
        Language::English | Language::German | Language::Pseudo => return false,
        Language::Czech => "kKsSvVzZoOuUaAiI",
        Language::Russian => "вВкКсСоОуУиИаАяЯ",
    };
    text.split_inclusive([' ', '\n'])
        .filter_map(|word| word.strip_suffix(' '))
        .any(|word| word.chars().count() == 1 && word.contains(|c| letters.contains(c)))
}

/// Quotes of another language.
fn foreign_quotes(language: Language) -> &'static [char] {
    match language {
        Language::English | Language::Pseudo => &[],
        Language::Czech | Language::German => &['"', '”', '«', '»'],
        Language::Russian => &['"', '“', '”'],
    }
}

#[test]
fn every_message_is_in_every_catalogue_and_nothing_else() {
    let source = messages().expect("the source can be searched");
    let mut problems = Vec::new();
    same_messages(
        "shamans.pot",
        &catalogue("shamans.pot"),
        &source,
        &mut problems,
    );
    for language in Language::offered().filter(|language| language.source().is_some()) {
        let file = format!("{}.po", language.code());
        same_messages(&file, &catalogue(&file), &source, &mut problems);
    }
    assert!(
        problems.is_empty(),
        "run tests/words, then translate what is new:\n{}",
        problems.join("\n")
    );
}

#[test]
fn every_message_is_translated_and_fits() {
    let mut problems = Vec::new();
    for language in Language::offered().filter(|language| language.source().is_some()) {
        let file = format!("{}.po", language.code());
        let catalogue = catalogue(&file);
        for entry in catalogue
            .entries()
            .iter()
            .filter(|entry| !entry.message.is_empty())
        {
            if let Some(problem) = wrong(entry, catalogue.plural()) {
                problems.push(format!("{file}: {}: {problem}", entry.message));
            }
            if entry.forms.iter().any(|form| stray_letter(language, form)) {
                problems.push(format!(
                    "{file}: {}: a no-break space is missing after a one-letter word",
                    entry.message
                ));
            }
            let quoted = entry
                .forms
                .iter()
                .any(|form| form.contains(foreign_quotes(language)));
            if quoted && !entry.message.contains('"') {
                problems.push(format!(
                    "{file}: {}: quotes of another language",
                    entry.message
                ));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn what_does_not_fit_is_noticed() {
    let file = |body: &str| {
        let head = "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;\\n\"\n\n";
        Catalogue::read(&format!("{head}{body}")).expect("a file")
    };
    let verdict = |body: &str| {
        let catalogue = file(body);
        let entry = catalogue.entries().last().expect("an entry").clone();
        wrong(&entry, catalogue.plural())
    };
    assert_eq!(verdict("msgid \"{a} plays\"\nmsgstr \"{a} hraje\""), None);
    let cards = "msgid \"1 card of {a}\"\nmsgid_plural \"{n} cards of {a}\"\n";
    let good = "msgstr[0] \"karta {a}\"\nmsgstr[1] \"{n} karty {a}\"\nmsgstr[2] \"{n} karet {a}\"";
    assert_eq!(verdict(&format!("{cards}{good}")), None);
    for bad in [
        "msgid \"{a} plays\"\nmsgstr \"hraje\"",
        "msgid \"plays\"\nmsgstr \"{a} hraje\"",
        "msgid \"plays\"\nmsgstr \"\"",
        "msgid \"plays\"\nmsgstr \"hraje \"",
        "#, fuzzy\nmsgid \"plays\"\nmsgstr \"hraje\"",
        &format!("{cards}msgstr[0] \"karta {{a}}\"\nmsgstr[1] \"{{n}} karty {{a}}\""),
        &format!("{cards}{}", good.replace("{n} karet", "karet")),
    ] {
        assert!(verdict(bad).is_some(), "{bad}");
    }
    let message = |text: &str| Message {
        context: None,
        text: text.to_owned(),
        plural: None,
        files: Default::default(),
    };
    let mut problems = Vec::new();
    let kept = file("msgid \"old\"\nmsgstr \"staré\"");
    same_messages("cs.po", &kept, &[message("new")], &mut problems);
    assert_eq!(problems, ["cs.po: stale: old", "cs.po: missing: new"]);
}

/// The text without its `{places}`.
fn plain(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some((before, after)) = rest.split_once('{') {
        plain.push_str(before);
        rest = after.split_once('}').map_or("", |(_, tail)| tail);
    }
    plain + rest
}

/// Files of these folders with what each says without looking it up.
fn bare_in(folder: &str) -> Vec<(String, Bare)> {
    house::rust_files()
        .into_iter()
        .map(|path| (house::short(&path), path))
        .filter(|(file, _)| file.starts_with(folder) && !file.contains("/tests"))
        .map(|(file, path)| {
            let text = std::fs::read_to_string(path).expect("a file of the source");
            let found = bare(&text).unwrap_or_else(|e| panic!("{file}: {e}"));
            (file, found)
        })
        .collect()
}

#[test]
fn what_core_and_links_refuse_is_said_in_every_language() {
    let mut seen = 0;
    for (file, found) in bare_in("core/src/")
        .into_iter()
        .chain(bare_in("net/src/swarm"))
    {
        for error in found.errors {
            // Something in each place, as a seat's number would be.
            let text = error.replace("{{", "").replace("}}", "");
            let mut said = String::new();
            let mut rest = text.as_str();
            while let Some((before, after)) = rest.split_once('{') {
                said = said + before + "7";
                rest = after.split_once('}').map_or("", |(_, tail)| tail);
            }
            said += rest;
            if !said.contains(char::is_alphabetic) {
                continue;
            }
            seen += 1;
            let spoken = in_language(Language::Pseudo, || spoken(&said));
            assert!(
                is_pseudo(&spoken),
                "{file}: “{error}” is not in net/src/sentences.rs"
            );
        }
    }
    assert!(seen > 90, "{seen}");
}

#[test]
fn commands_print_nothing_that_was_not_looked_up() {
    let word = |text: &str| {
        plain(text)
            .split(|c: char| !c.is_alphabetic())
            // Units are the same in all languages.
            .any(|word| word.chars().count() > 2)
    };
    for (file, found) in bare_in("net/src/command") {
        for text in found.errors.iter().chain(&found.printed) {
            // The name under which the doctor shows itself to others: no words of ours for them to read.
            let known = text == "{name} (doctor)" || text.contains("{about-with-newline}");
            assert!(known || !word(text), "{file}: “{text}” is not looked up");
        }
    }
}

/// What the desktop shows of the program, line by line: the desktop entry's keys and the elements of the other files.
#[test]
fn the_desktop_files_speak_every_language() {
    let data = house::root().join("data");
    let read = |ending: &str| {
        let name = format!("io.github.shamans_table.Shamans.{ending}");
        std::fs::read_to_string(data.join(&name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    };
    let codes: Vec<&str> = Language::offered()
        .filter(|language| language.source().is_some())
        .map(Language::code)
        .collect();
    let desktop = read("desktop");
    for key in ["Name", "GenericName", "Comment", "Keywords"] {
        for code in &codes {
            let line = format!("\n{key}[{code}]=");
            assert!(
                desktop.contains(&line),
                "the desktop entry lacks {key}[{code}]"
            );
        }
    }
    for (file, elements) in [
        (
            "metainfo.xml",
            &["summary", "developer_name", "p", "li"][..],
        ),
        ("mime.xml", &["comment"][..]),
    ] {
        let text = read(file);
        for element in elements {
            let english = text.matches(&format!("<{element}>")).count();
            assert!(english > 0, "{file}: no {element}");
            for code in &codes {
                let translated = text
                    .matches(&format!("<{element} xml:lang=\"{code}\">"))
                    .count();
                assert_eq!(translated, english, "{file}: {element} in {code}");
            }
        }
    }
}
