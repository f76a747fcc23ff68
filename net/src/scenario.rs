//! Scenarios: a position, moves and what must hold, as plain text that reads like the rulebook.
//!
//! Text in, report out: nothing here reads files or prints. The format is described in `tests/scenarios/README.md`.
//! Driven by `shamans-table scenario` and by the tests. Not a way to play: the runner sees every card.

use std::fmt;

use crate::words::fill;

mod grammar;
mod happening;
mod line;
mod parse;
mod position;
mod stage;
mod tell;
mod walk;
mod words;

pub use walk::{NextMove, Walk};

/// The largest scenario that is read, in bytes.
pub const MAX_SCENARIO: usize = 64 * 1024;

/// Why a text is no scenario: it was not run at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", place(*.line, .expected, .found))]
pub struct Flaw {
    /// The line, from 1 on.
    pub line: usize,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl Flaw {
    fn new(line: usize, expected: impl Into<String>, found: impl Into<String>) -> Flaw {
        Flaw {
            line,
            expected: expected.into(),
            found: found.into(),
        }
    }
}

/// A line that did not come out as stated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The line, from 1 on.
    pub line: usize,
    /// What the line states.
    pub expected: String,
    /// What is so.
    pub found: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&place(self.line, &self.expected, &self.found))
    }
}

/// A flaw or finding as a line, in the reader's language around the words of the format, which are English as the files are.
fn place(line: usize, expected: &str, found: &str) -> String {
    let values = [
        ("line", &*line.to_string()),
        ("expected", expected),
        ("found", found),
    ];
    fill("{line}: expected {expected}, found {found}", &values)
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Moves carried out.
    pub moves: usize,
    /// Statements and refusals looked at.
    pub checks: usize,
    /// Those that did not hold. The run ends at a move that is not allowed.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Did everything hold?
    pub fn holds(&self) -> bool {
        self.findings.is_empty()
    }
}

/// A scenario that was read and can be run.
#[derive(Debug, Clone)]
pub struct Scenario {
    parsed: parse::Parsed,
}

impl Scenario {
    /// Reads a scenario from the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Scenario, Flaw> {
        if bytes.len() > MAX_SCENARIO {
            return Err(Flaw::new(
                1,
                format!("at most {MAX_SCENARIO} bytes"),
                "more",
            ));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Scenario::parse(text),
            Err(error) => {
                let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
                let found = format!(
                    "byte {} of the file, which is no UTF-8",
                    error.valid_up_to() + 1
                );
                Err(Flaw::new(line, "text in UTF-8", found))
            }
        }
    }

    /// Reads a scenario.
    pub fn parse(text: &str) -> Result<Scenario, Flaw> {
        if text.len() > MAX_SCENARIO {
            return Err(Flaw::new(
                1,
                format!("at most {MAX_SCENARIO} bytes"),
                "more",
            ));
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Ok(Scenario {
            parsed: parse::parse(text)?,
        })
    }

    /// The rule ids that the comment at its top names.
    pub fn rules(&self) -> &[String] {
        &self.parsed.rules
    }

    /// The players' names, in turn order.
    pub fn players(&self) -> &[String] {
        &self.parsed.lexicon.names
    }

    /// Takes it move by move. `None` if its position cannot be built.
    pub fn walk(&self) -> Option<Walk<'_>> {
        Walk::new(self)
    }

    /// Plays it.
    pub fn run(&self) -> Report {
        stage::run(&self.parsed)
    }
}

/// Every pattern of the grammar, as the description of the format lists them.
pub fn patterns() -> impl Iterator<Item = &'static str> {
    parse::patterns()
}

/// Every reason of a refusal.
pub fn reasons() -> impl Iterator<Item = &'static str> {
    tell::REASONS.into_iter()
}
