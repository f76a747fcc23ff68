//! The command line of the client, as one list. GApplication parses it when the program runs; manual page and completions are
//! made from the same list when a package is built.
//!
//! What an option does stands in the application.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, Command, ValueHint};
use gtk::{gio, glib, prelude::*};
use shamans_net::swarm::linked_code;

use crate::{session::scripted::Script, words};

/// One option.
struct Choice {
    name: &'static str,
    letter: char,
    kind: glib::OptionArg,
    what: String,
    /// What its value is called.
    value: Option<&'static str>,
}

impl Choice {
    fn new(name: &'static str, kind: glib::OptionArg, what: String) -> Choice {
        Choice {
            name,
            letter: '\0',
            kind,
            what,
            value: None,
        }
    }

    fn value(self, value: &'static str) -> Choice {
        Choice {
            value: Some(value),
            ..self
        }
    }

    fn letter(self, letter: char) -> Choice {
        Choice { letter, ..self }
    }
}

/// Whose table to sit down at.
const JOIN: &str = "join";

/// Writes what a package brings; known to packaging, not shown to players.
const PAPERS: &str = "papers";

fn choices() -> [Choice; 9] {
    use glib::OptionArg::{Filename, Int, None, String};
    [
        Choice::new(
            "listen",
            String,
            words::tr("Take part on this address only"),
        )
        .value("ADDRESS"),
        Choice::new(
            "data-dir",
            Filename,
            words::tr("Keep key, games and records in this folder"),
        )
        .value("FOLDER"),
        Choice::new(
            "no-mdns",
            None,
            words::tr("Announce nothing: join by code or address only"),
        ),
        Choice::new(
            "relay",
            String,
            words::tr("Be reachable through this relay, for players beyond this network"),
        )
        .value("CODE|ADDRESS"),
        Choice::new(
            "external",
            String,
            words::tr("Others reach this computer here, where a router forwards a port to it"),
        )
        .value("ADDRESS[:PORT]"),
        Choice::new(
            JOIN,
            String,
            words::tr("Sit down at the table of this invite code or address"),
        )
        .value("CODE"),
        Choice::new(
            "practise",
            Int,
            words::tr("Sit down at a practise table at once"),
        )
        .value("SEATS"),
        Choice::new("seed", Int, words::tr("Deal this practise game again")).value("NUMBER"),
        Choice::new("version", None, words::tr("Print version")).letter('V'),
    ]
}

/// A scenario to sit down in, and as whom. For tests and pictures, not shown to players.
const SCENARIO: &str = "scenario";
const AS: &str = "as";

/// What may stand behind the options.
const PARAMETER: &str = "RECORD|INVITE";

/// Teaches the application its command line.
pub fn add_to(app: &impl IsA<gio::Application>) {
    for choice in choices() {
        app.add_main_option(
            choice.name,
            glib::Char::try_from(choice.letter).expect("letters of options are ASCII"),
            glib::OptionFlags::NONE,
            choice.kind,
            &choice.what,
            choice.value,
        );
    }
    app.add_main_option(
        PAPERS,
        glib::Char::from(0u8),
        glib::OptionFlags::HIDDEN,
        glib::OptionArg::Filename,
        "Write manual page, completions and firewall profiles for a package",
        Some("FOLDER"),
    );
    for (name, kind, what) in [
        (
            SCENARIO,
            glib::OptionArg::Filename,
            "Sit down in the position of this scenario file",
        ),
        (AS, glib::OptionArg::String, "Whose seat to take there"),
    ] {
        app.add_main_option(
            name,
            glib::Char::from(0u8),
            glib::OptionFlags::HIDDEN,
            kind,
            what,
            None,
        );
    }
    app.set_option_context_parameter_string(Some(&format!("[{PARAMETER}]")));
    app.set_option_context_summary(Some(&summary()));
}

fn summary() -> String {
    words::tr("Shamans, a card game for three to five people on one network.")
}

/// The arguments of the program with a link (`shamans:CODE`, as the desktop passes it) said as an option: GApplication would take it
/// for a file.
pub fn arguments() -> Vec<String> {
    std::env::args().map(unlink).collect()
}

fn unlink(argument: String) -> String {
    match linked_code(&argument) {
        Some(code) => format!("--{JOIN}={code}"),
        None => argument,
    }
}

/// Whoever says how to take part, or what to sit down at, means a program of its own beside the one that may run already.
pub fn apart(options: &glib::VariantDict) -> bool {
    let shared = [JOIN, "version"];
    choices()
        .iter()
        .map(|choice| choice.name)
        .filter(|name| !shared.contains(name))
        .chain([SCENARIO])
        .any(|name| options.contains(name))
}

/// The invite asked for.
pub fn invite(options: &glib::VariantDict) -> Option<String> {
    options.lookup(JOIN).ok().flatten()
}

/// The scenario asked for. A file that is none is told of in the terminal, as its line and what is wrong there.
pub fn script(options: &glib::VariantDict) -> Option<Result<Script, glib::ExitCode>> {
    let path: PathBuf = options.lookup(SCENARIO).ok().flatten()?;
    let name: Option<String> = options.lookup(AS).ok().flatten();
    let read = std::fs::read(&path).map_err(|error| error.to_string());
    let script = read.and_then(|bytes| Script::read(&bytes, name.as_deref()));
    Some(script.map_err(|why| {
        eprintln!("{}:{why}", path.display());
        glib::ExitCode::from(2)
    }))
}

/// Does what asks for no window, and gives the exit code then.
pub fn answer(options: &glib::VariantDict) -> Option<glib::ExitCode> {
    if options.contains("version") {
        println!("shamans {}", env!("CARGO_PKG_VERSION"));
        return Some(glib::ExitCode::SUCCESS);
    }
    let folder = options.lookup::<PathBuf>(PAPERS).ok().flatten()?;
    Some(match papers(&folder) {
        Ok(()) => glib::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", folder.display());
            glib::ExitCode::from(2)
        }
    })
}

fn papers(folder: &Path) -> std::io::Result<()> {
    shamans_net::papers::write(command(), "Shamans", folder)
}

/// The same command line in the words of clap.
fn command() -> Command {
    let options = choices().map(|choice| {
        let arg = Arg::new(choice.name).long(choice.name).help(choice.what);
        let arg = if choice.letter.is_ascii_alphabetic() {
            arg.short(choice.letter)
        } else {
            arg
        };
        match choice.value {
            None => arg.action(ArgAction::SetTrue),
            Some(value) if choice.kind == glib::OptionArg::Filename => {
                arg.value_name(value).value_hint(ValueHint::DirPath)
            }
            Some(value) => arg.value_name(value),
        }
    });
    let parameter = Arg::new("what")
        .value_name(PARAMETER)
        .value_hint(ValueHint::FilePath)
        .help(words::tr(
            "A record to open and check, or an invite to follow (shamans:CODE)",
        ));
    Command::new("shamans")
        .version(env!("CARGO_PKG_VERSION"))
        .disable_version_flag(true)
        .about(summary())
        .args(options)
        .arg(parameter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_an_invite_and_a_file_stays_a_file() {
        for (said, meant) in [
            ("shamans:7QK2-9F", "--join=7QK2-9F"),
            ("shamans://7qk2-9f/", "--join=7qk2-9f"),
            ("game.shamans", "game.shamans"),
            ("file:///game.shamans", "file:///game.shamans"),
            ("--seed=3", "--seed=3"),
        ] {
            assert_eq!(unlink(said.to_owned()), meant);
        }
    }

    #[test]
    fn the_command_line_is_whole_in_the_words_of_clap() {
        command().debug_assert();
    }
}
