//! Finds messages in one Rust file: literals in calls of `tr`, `tr_c`, `tr_n`, `fill`, `fill_n`, `mark` and `say`, in macros too, and
//! the doc comments of what clap derives.

use std::collections::BTreeSet;

use super::{
    Message,
    tokens::{Token, read},
};

/// What clap derives: doc comments in it are shown as help.
const DERIVES: [&str; 4] = ["Parser", "Args", "Subcommand", "ValueEnum"];

/// The messages of a file, in its order, without its unit tests.
pub fn find(source: &str) -> Result<Vec<Message>, String> {
    let mut found = Vec::new();
    walk(&read(source)?, &mut found)?;
    Ok(found)
}

fn message(text: String) -> Message {
    Message {
        context: None,
        text,
        plural: None,
        files: BTreeSet::new(),
    }
}

fn is_word(token: Option<&Token>, word: &str) -> bool {
    matches!(token, Some(Token::Word(own)) if own == word)
}

fn walk(tokens: &[Token], found: &mut Vec<Message>) -> Result<(), String> {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        match (token, tokens.get(at + 1)) {
            (Token::Word(word), Some(Token::Group('{', _)))
                if word == "tests" && is_word(before, "mod") =>
            {
                at += 2;
                continue;
            }
            // A call, not the function's own definition.
            (Token::Word(name), Some(Token::Group('(', inner))) if !is_word(before, "fn") => {
                call(name, inner, found)?;
            }
            // The derive stands in an attribute, the item's body in the next braces.
            (Token::Sign('#'), Some(Token::Group('[', inner))) if derives(inner, &DERIVES) => {
                let first = tokens[..at]
                    .iter()
                    .rposition(|token| {
                        !matches!(
                            token,
                            Token::Doc(_) | Token::Sign('#') | Token::Group('[', _)
                        )
                    })
                    .map_or(0, |last| last + 1);
                let body = tokens[at..]
                    .iter()
                    .position(|token| matches!(token, Token::Group('{', _)));
                if let Some(body) = body.map(|offset| at + offset) {
                    if derives(inner, &["Parser"]) {
                        docs(&tokens[first..body], found);
                    }
                    if let Some(Token::Group('{', inner)) = tokens.get(body) {
                        docs(inner, found);
                    }
                }
            }
            _ => {}
        }
        if let Token::Group(_, inner) = token {
            walk(inner, found)?;
        }
        at += 1;
    }
    Ok(())
}

fn call(name: &str, inner: &[Token], found: &mut Vec<Message>) -> Result<(), String> {
    if !["tr", "tr_c", "tr_n", "fill", "fill_n", "mark", "say"].contains(&name) {
        return Ok(());
    }
    // Only arguments of the call itself: what is nested is a value, or a call of its own.
    let literals: Vec<String> = inner
        .iter()
        .filter_map(|token| match token {
            Token::Text(text) => Some(text.clone()),
            Token::Word(_) | Token::Doc(_) | Token::Sign(_) | Token::Group(..) => None,
        })
        .collect();
    match (name, literals.as_slice()) {
        (_, []) => {}
        ("tr_c", [context, text]) => found.push(Message {
            context: Some(context.clone()),
            ..message(text.clone())
        }),
        ("tr_n" | "fill_n", [one, many]) => found.push(Message {
            plural: Some(many.clone()),
            ..message(one.clone())
        }),
        ("tr_c" | "tr_n" | "fill_n", odd) => {
            return Err(format!("{name} wants two literals here: {odd:?}"));
        }
        (_, texts) => found.extend(
            texts
                .iter()
                .filter(|text| !text.is_empty())
                .cloned()
                .map(message),
        ),
    }
    Ok(())
}

/// The macros that make text from a literal.
const PRINTS: [&str; 7] = [
    "print", "println", "eprint", "eprintln", "write", "writeln", "format",
];

/// Text that a file says without looking it up: the literals of `#[error("…")]` and of `println!("…")`, `format!("…")` and the like,
/// without its unit tests.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Bare {
    /// In errors.
    pub errors: Vec<String>,
    /// In macros.
    pub printed: Vec<String>,
}

/// Finds it.
pub fn bare(source: &str) -> Result<Bare, String> {
    let mut found = Bare::default();
    bare_in(&read(source)?, &mut found);
    Ok(found)
}

fn bare_in(tokens: &[Token], found: &mut Bare) {
    let literal = |inner: &[Token]| {
        inner.iter().find_map(|token| match token {
            Token::Text(text) => Some(text.clone()),
            Token::Word(_) | Token::Doc(_) | Token::Sign(_) | Token::Group(..) => None,
        })
    };
    let mut rest = tokens;
    while let [token, after @ ..] = rest {
        rest = after;
        match (token, after) {
            (Token::Word(word), [Token::Word(name), Token::Group('{', _), after @ ..])
                if word == "mod" && name == "tests" =>
            {
                rest = after;
            }
            (Token::Group('[', attribute), _) => match attribute.as_slice() {
                [Token::Word(name), Token::Group('(', inner)] if name == "error" => {
                    found.errors.extend(literal(inner));
                }
                _ => bare_in(attribute, found),
            },
            (Token::Word(name), [Token::Sign('!'), Token::Group('(', inner), ..])
                if PRINTS.contains(&name.as_str()) =>
            {
                found.printed.extend(literal(inner));
            }
            (Token::Group(_, inner), _) => bare_in(inner, found),
            _ => {}
        }
    }
}

/// Doc comments among these tokens, as clap reads them: lines of a paragraph joined; the first paragraph, without its full stop, is the
/// short help, all of them the long one.
fn docs(tokens: &[Token], found: &mut Vec<Message>) {
    let mut lines: Vec<&str> = Vec::new();
    for token in tokens {
        match token {
            Token::Doc(line) => lines.push(line.trim()),
            Token::Sign('#') | Token::Group('[', _) => {}
            Token::Word(_) | Token::Text(_) | Token::Sign(_) | Token::Group(..) => {
                help(&lines, found);
                lines.clear();
            }
        }
    }
    help(&lines, found);
}

fn help(lines: &[&str], found: &mut Vec<Message>) {
    let paragraphs: Vec<String> = lines
        .join("\n")
        .split("\n\n")
        .map(|paragraph| paragraph.trim().replace('\n', " "))
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    if let [first, rest @ ..] = paragraphs.as_slice() {
        let short = first
            .strip_suffix('.')
            .filter(|text| !text.ends_with('.'))
            .unwrap_or(first);
        found.push(message(short.to_owned()));
        if !rest.is_empty() {
            found.push(message(paragraphs.join("\n\n")));
        }
    }
}

/// `#[derive(…)]` of any of these.
fn derives(attribute: &[Token], names: &[&str]) -> bool {
    match attribute {
        [Token::Word(derive), Token::Group('(', all)] if derive == "derive" => all
            .iter()
            .any(|token| matches!(token, Token::Word(name) if names.contains(&name.as_str()))),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found_wherever_they_stand() {
        let source = r##"
            /// Not this.
            fn tr(message: &str) -> String { message.to_owned() }
            fn main() {
                println!("{}", words::tr("In a \"macro\""));
                let text = fill("{who} goes\u{a0}on", &[("who", "nobody")]);
                n.say(seat, "You lead.", "{name} leads.", &[]);
                let m = match x { A => mark("a"), B => mark(r#"raw"#) };
                tr_n("1 card", "{n} cards", 3) + &tr_c("verb", "Play") + &tr(m) + &tr("long \
                    line");
            }
            #[cfg(test)]
            mod tests { fn t() { tr("Not this either"); } }
        "##;
        let found = find(source).expect("it is Rust");
        let texts: Vec<&str> = found.iter().map(|m| m.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "In a \"macro\"",
                "{who} goes\u{a0}on",
                "You lead.",
                "{name} leads.",
                "a",
                "raw",
                "1 card",
                "Play",
                "long line"
            ]
        );
        assert_eq!(found[6].plural.as_deref(), Some("{n} cards"));
        assert_eq!(found[7].context.as_deref(), Some("verb"));
    }

    #[test]
    fn help_of_the_command_line_is_found() {
        let source = r#"
            /// The program.
            #[derive(Debug, Parser)]
            #[command(name = "x")]
            struct Cli {
                /// How many. And
                /// more.
                #[arg(long, value_name = "N")]
                count: u8,
                /// Short.
                ///
                /// Long.
                long: bool,
            }
            /// Nobody's help.
            struct Other { /** not shown */ a: u8, /// nor this
 b: u8 }
            #[derive(Subcommand)]
            enum Command { /// Do it...
                Do(DoArgs) }
        "#;
        let found = find(source).expect("it is Rust");
        let texts: Vec<&str> = found.iter().map(|m| m.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "The program",
                "How many. And more",
                "Short",
                "Short.\n\nLong.",
                "Do it..."
            ]
        );
    }

    #[test]
    fn what_is_not_looked_up_is_found() {
        let source = r#"
            #[derive(Debug, thiserror::Error)]
            enum Trouble {
                #[error("seat {} burns", .0.0)] Burns(Seat),
                #[error("{}", tr("it burns"))] Known,
                #[error(transparent)] Other(Other),
            }
            fn f() { println!("{}", tr("Said")); write!(f, "Not {}", 1); let _ = format!("{n} ms"); tr("No") }
            mod tests { fn t() { println!("Nor this"); } }
        "#;
        let found = bare(source).expect("it is Rust");
        assert_eq!(found.errors, ["seat {} burns", "{}"]);
        assert_eq!(found.printed, ["{}", "Not {}", "{n} ms"]);
    }

    #[test]
    fn two_plurals_or_none_are_refused() {
        assert!(find(r#"fn f() { tr_n("1 card", 3) }"#).is_err());
    }
}
