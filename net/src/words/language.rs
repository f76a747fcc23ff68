//! The languages there are, and which of them the system asks for.

use std::sync::LazyLock;

use super::{Catalogue, pseudo};

/// A language the programs speak. To add one, see `data/po/README.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// As it stands in the source.
    English,
    /// Čeština.
    Czech,
    /// Deutsch.
    German,
    /// Русский.
    Russian,
    /// English with accents and brackets, 40 % longer: shows what is not translated or has no room. Nobody's choice in the preferences;
    /// `LANGUAGE=en@pseudo` asks for it.
    Pseudo,
}

static CZECH: LazyLock<Catalogue> = LazyLock::new(|| read(Language::Czech));
static GERMAN: LazyLock<Catalogue> = LazyLock::new(|| read(Language::German));
static RUSSIAN: LazyLock<Catalogue> = LazyLock::new(|| read(Language::Russian));

/// A catalogue that cannot be read leaves the program English; a test reads them all.
fn read(language: Language) -> Catalogue {
    Catalogue::read(language.source().unwrap_or_default()).unwrap_or_default()
}

impl Language {
    /// All of them; those people choose from come first.
    pub const ALL: [Language; 5] = [
        Language::English,
        Language::Czech,
        Language::German,
        Language::Russian,
        Language::Pseudo,
    ];

    /// What the preferences offer.
    pub fn offered() -> impl Iterator<Item = Language> {
        Language::ALL
            .into_iter()
            .filter(|language| *language != Language::Pseudo)
    }

    /// ISO 639 code, the catalogue's file name.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Czech => "cs",
            Language::German => "de",
            Language::Russian => "ru",
            Language::Pseudo => "en@pseudo",
        }
    }

    /// What its speakers call it.
    pub fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Czech => "Čeština",
            Language::German => "Deutsch",
            Language::Russian => "Русский",
            Language::Pseudo => "Pseudo",
        }
    }

    /// The catalogue's text, as a translator writes it; English and the pseudo-language have none.
    pub fn source(self) -> Option<&'static str> {
        match self {
            Language::English | Language::Pseudo => None,
            Language::Czech => Some(include_str!("../../../data/po/cs.po")),
            Language::German => Some(include_str!("../../../data/po/de.po")),
            Language::Russian => Some(include_str!("../../../data/po/ru.po")),
        }
    }

    fn catalogue(self) -> Option<&'static Catalogue> {
        match self {
            Language::English | Language::Pseudo => None,
            Language::Czech => Some(&CZECH),
            Language::German => Some(&GERMAN),
            Language::Russian => Some(&RUSSIAN),
        }
    }

    /// From a code, or a locale such as `cs_CZ.UTF-8`.
    pub fn from_code(locale: &str) -> Option<Language> {
        if locale == "xx" || locale.ends_with("@pseudo") {
            return Some(Language::Pseudo);
        }
        let code = locale.split(['_', '.', '@']).next()?;
        Language::offered().find(|language| language.code().eq_ignore_ascii_case(code))
    }

    /// What the environment asks for, as gettext reads it: `LANGUAGE` (a list), then the locale; English if it asks for nothing
    /// we have.
    pub fn of_system() -> Language {
        Language::of_environment(|name| std::env::var(name).ok())
    }

    fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Language {
        let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(set);
        // Who says "C" wants no translation, whatever the list says.
        if matches!(locale.as_deref(), Some("C" | "POSIX")) {
            return Language::English;
        }
        let list = set(&"LANGUAGE").unwrap_or_default();
        list.split(':')
            .chain(locale.as_deref())
            .find_map(Language::from_code)
            .unwrap_or(Language::English)
    }

    pub(super) fn message(self, context: Option<&str>, message: &str) -> String {
        match self {
            Language::Pseudo => pseudo(message),
            Language::English | Language::Czech | Language::German | Language::Russian => self
                .catalogue()
                .and_then(|catalogue| catalogue.message(context, message))
                .unwrap_or(message)
                .to_owned(),
        }
    }

    pub(super) fn counted(self, one: &str, many: &str, n: usize) -> String {
        let english = if n == 1 { one } else { many };
        match self {
            Language::Pseudo => pseudo(english),
            Language::English | Language::Czech | Language::German | Language::Russian => self
                .catalogue()
                .and_then(|catalogue| catalogue.counted(one, n))
                .unwrap_or(english)
                .to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(variables: &[(&str, &str)]) -> Language {
        Language::of_environment(|name| {
            let found = variables.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_environment_is_read_as_gettext_reads_it() {
        assert_eq!(asked(&[]), Language::English);
        assert_eq!(asked(&[("LANG", "cs_CZ.UTF-8")]), Language::Czech);
        assert_eq!(
            asked(&[("LANG", "cs_CZ.UTF-8"), ("LC_MESSAGES", "de_AT")]),
            Language::German
        );
        assert_eq!(
            asked(&[("LC_ALL", "ru_RU"), ("LC_MESSAGES", "de_AT")]),
            Language::Russian
        );
        assert_eq!(
            asked(&[("LANG", "C.UTF-8"), ("LANGUAGE", "fr:de:cs")]),
            Language::German
        );
        assert_eq!(
            asked(&[("LANG", "C"), ("LANGUAGE", "de")]),
            Language::English
        );
        assert_eq!(
            asked(&[("LC_ALL", ""), ("LANG", "cs_CZ"), ("LANGUAGE", "")]),
            Language::Czech
        );
        assert_eq!(
            asked(&[("LANGUAGE", "en_GB:de"), ("LANG", "de_DE")]),
            Language::English
        );
        assert_eq!(asked(&[("LANGUAGE", "en@pseudo")]), Language::Pseudo);
        assert_eq!(asked(&[("LANG", "fr_FR.UTF-8")]), Language::English);
    }

    #[test]
    fn every_catalogue_can_be_read() {
        for language in Language::ALL {
            if let Some(source) = language.source() {
                let read = Catalogue::read(source);
                assert!(read.is_ok(), "{}: {:?}", language.code(), read.err());
            }
        }
    }
}
