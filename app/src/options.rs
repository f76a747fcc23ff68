//! The command line of the client, as one list. GApplication parses it when the program runs; manual page and completions are
//! made from the same list when a package is built.
//!
//! What an option does stands in the application.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, Command, ValueHint};
use gtk::{gio, glib, prelude::*};

use crate::words;

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

/// Writes what a package brings; known to packaging, not shown to players.
const PAPERS: &str = "papers";

fn choices() -> [Choice; 6] {
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
            "practise",
            Int,
            words::tr("Sit down at a practise table at once"),
        )
        .value("SEATS"),
        Choice::new("seed", Int, words::tr("Deal this practise game again")).value("NUMBER"),
        Choice::new("version", None, words::tr("Print version")).letter('V'),
    ]
}

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
    app.set_option_context_parameter_string(Some(&format!("[{PARAMETER}]")));
    app.set_option_context_summary(Some(&summary()));
}

fn summary() -> String {
    words::tr("Shamans, a card game for three to five people on one network.")
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
