//! The command line's own words in the reader's language: help, headings, and what is wrong with the arguments.
//!
//! The English stands where it is defined, as doc comments of the arguments.

use std::process::ExitCode;

use clap::{
    Arg, Command,
    builder::{Resettable, StyledStr},
    error::{ContextKind, ContextValue, ErrorKind},
};
use shamans_net::words::{Language, fill, language, tr};

/// The whole command line with every text looked up.
pub fn spoken(command: Command) -> Command {
    if language() == Language::English {
        return command;
    }
    let mut command = command;
    // Built, it has its own `help` and `version` too.
    command.build();
    translated(command)
}

fn translated(command: Command) -> Command {
    let usage = format!("{}:", tr("Usage"));
    let template =
        format!("{{about-with-newline}}\n{usage} {{usage}}\n\n{{all-args}}{{after-help}}");
    let about = match command.get_name() {
        "help" => Some(tr("Print help for a command")),
        _ => command.get_about().map(look_up),
    };
    let long = command.get_long_about().map(look_up);
    let mut command = command
        .help_template(template)
        .subcommand_help_heading(heading(tr("Commands")))
        .mut_args(argument)
        .mut_subcommands(translated);
    if let Some(about) = about {
        command = command.about(about);
    }
    if let Some(long) = long {
        command = command.long_about(long);
    }
    command
}

/// clap wants headings for ever; the few there are live as long as the program.
fn heading(text: String) -> &'static str {
    text.leak()
}

fn look_up(text: &StyledStr) -> String {
    tr(&text.to_string())
}

fn argument(arg: Arg) -> Arg {
    // clap's own arguments have clap's own English.
    let own = match arg.get_id().as_str() {
        "help" => Some(tr("Print help")),
        "version" => Some(tr("Print version")),
        "subcommand" => Some(tr("Which command")),
        _ => None,
    };
    let long = match own {
        Some(_) => None,
        None => arg.get_long_help().map(look_up),
    };
    let mut help = own
        .or_else(|| arg.get_help().map(look_up))
        .unwrap_or_default();
    let defaults: Vec<String> = arg
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    let flag = !arg.get_action().takes_values();
    if !defaults.is_empty() && !flag {
        let note = fill("[default: {value}]", &[("value", &defaults.join(" "))]);
        help = format!("{help} {note}");
    }
    let above = heading(if arg.is_positional() {
        tr("Arguments")
    } else {
        tr("Options")
    });
    arg.help(help)
        .long_help(long.map_or(Resettable::Reset, |text| Resettable::Value(text.into())))
        .help_heading(above)
        .hide_default_value(true)
}

/// Prints what clap has to say: help as it is, a mistake as a sentence.
pub fn answer(error: &clap::Error) -> ExitCode {
    let asked = matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    if asked || language() == Language::English {
        // Nobody reads it: that is no mistake of ours.
        error.print().ok();
    } else {
        eprintln!("{}", mistake(error));
        eprintln!("{}", tr("More with --help."));
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

fn mistake(error: &clap::Error) -> String {
    let about = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(" "),
        Some(_) | None => String::new(),
    };
    let arg = about(ContextKind::InvalidArg);
    let value = about(ContextKind::InvalidValue);
    match error.kind() {
        ErrorKind::UnknownArgument => fill("There is no {arg} here.", &[("arg", &arg)]),
        ErrorKind::InvalidSubcommand => {
            let name = about(ContextKind::InvalidSubcommand);
            fill("There is no command “{name}”.", &[("name", &name)])
        }
        ErrorKind::MissingRequiredArgument | ErrorKind::MissingSubcommand => {
            fill("Something is missing: {arg}", &[("arg", &arg)])
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation if value.is_empty() => {
            fill("{arg} needs a value.", &[("arg", &arg)])
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => fill(
            "“{value}” does not fit {arg}.",
            &[("value", &value), ("arg", &arg)],
        ),
        // The kinds are clap's and may grow.
        _ => tr("These arguments do not fit together."),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use shamans_net::words::{in_language, is_pseudo};

    use super::*;
    use crate::Cli;

    /// Every text of the help, with the command it belongs to.
    fn texts(command: &Command, found: &mut Vec<(String, String)>) {
        let mut note = |text: Option<&StyledStr>| {
            if let Some(text) = text {
                found.push((command.get_name().to_owned(), text.to_string()));
            }
        };
        note(command.get_about());
        note(command.get_long_about());
        for arg in command.get_arguments() {
            note(arg.get_help());
            note(arg.get_long_help());
        }
        for inner in command.get_subcommands() {
            texts(inner, found);
        }
    }

    #[test]
    fn no_text_of_the_help_is_left_in_english() {
        let mut all = Vec::new();
        in_language(Language::Pseudo, || {
            texts(&spoken(Cli::command()), &mut all)
        });
        assert!(all.len() > 50);
        for (command, text) in all {
            assert!(is_pseudo(&text), "{command}: {text}");
        }
    }

    #[test]
    fn every_text_of_the_help_is_in_the_catalogues() {
        let (mut english, mut german) = (Vec::new(), Vec::new());
        let mut command = Cli::command();
        command.build();
        texts(&command, &mut english);
        in_language(Language::German, || {
            texts(&spoken(Cli::command()), &mut german);
        });
        for (command, text) in german {
            let same = english.iter().any(|(_, known)| *known == text);
            assert!(!same, "{command}: {text}: tests/words did not find it");
        }
    }

    #[test]
    fn a_mistake_is_a_sentence() {
        let wrong = |line: &[&str]| {
            in_language(Language::Czech, || {
                let read = spoken(Cli::command()).try_get_matches_from(line);
                mistake(&read.expect_err("a mistake"))
            })
        };
        assert!(wrong(&["shamans-table", "versions", "--colour"]).contains("--colour"));
        assert!(wrong(&["shamans-table", "sing"]).contains("„sing“"));
        assert!(wrong(&["shamans-table", "verify"]).contains("<FILE>"));
        assert!(wrong(&["shamans-table", "bench", "--players", "x"]).contains("„x“"));
    }
}
