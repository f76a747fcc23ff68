//! Finds messages in one Rust file: literals in calls of `tr`, `tr_c`, `tr_n`, `fill`, `fill_n`, `mark` and `say`, in macros too, and
//! the doc comments of what clap derives.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::Message;

/// What clap derives: doc comments in it are shown as help.
const DERIVES: [&str; 4] = ["Parser", "Args", "Subcommand", "ValueEnum"];

/// The messages of a file, in its order, without its unit tests.
pub fn find(source: &str) -> Result<Vec<Message>, String> {
    let stream: TokenStream = source.parse().map_err(|e| format!("no Rust: {e}"))?;
    let mut found = Vec::new();
    walk(stream, &mut found)?;
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

fn walk(stream: TokenStream, found: &mut Vec<Message>) -> Result<(), String> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let group = match tokens.get(at + 1) {
            Some(TokenTree::Group(group)) => Some(group),
            _ => None,
        };
        match (token, group) {
            // A call, not the function's own definition.
            (TokenTree::Ident(name), Some(group))
                if group.delimiter() == Delimiter::Parenthesis =>
            {
                let defined = at > 0 && is_ident(&tokens[at - 1], "fn");
                if !defined {
                    call(&name.to_string(), group, found)?;
                }
            }
            (TokenTree::Ident(word), Some(_))
                if word == "tests" && at > 0 && is_ident(&tokens[at - 1], "mod") =>
            {
                at += 2;
                continue;
            }
            // The derive stands in an attribute of its own, the item's body in the next braces.
            (TokenTree::Punct(sign), Some(group))
                if sign.as_char() == '#' && derives_help(group) =>
            {
                let first = tokens[..at]
                    .iter()
                    .rposition(|token| !is_attribute(token))
                    .map_or(0, |last| last + 1);
                let body = tokens[at..]
                    .iter()
                    .position(is_braces)
                    .map(|offset| at + offset);
                if let Some(body) = body {
                    if derive_names(group).contains("Parser") {
                        docs(&tokens[first..body], found);
                    }
                    if let TokenTree::Group(body) = &tokens[body] {
                        docs(&body.stream().into_iter().collect::<Vec<_>>(), found);
                    }
                }
            }
            _ => {}
        }
        if let Some(TokenTree::Group(group)) = tokens.get(at) {
            walk(group.stream(), found)?;
        }
        at += 1;
    }
    Ok(())
}

fn call(name: &str, group: &Group, found: &mut Vec<Message>) -> Result<(), String> {
    if !["tr", "tr_c", "tr_n", "fill", "fill_n", "mark", "say"].contains(&name) {
        return Ok(());
    }
    // Only arguments of the call itself: what is nested is a value, or a call of its own.
    let mut literals = Vec::new();
    for token in group.stream() {
        if let TokenTree::Literal(literal) = token {
            literals.extend(string(&literal.to_string())?);
        }
    }
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

/// Doc comments among these tokens, as clap reads them: lines of a paragraph joined; the first paragraph, without its full stop, is the
/// short help, all of them the long one.
fn docs(tokens: &[TokenTree], found: &mut Vec<Message>) {
    let mut lines: Vec<String> = Vec::new();
    for pair in tokens.windows(2) {
        match pair {
            [TokenTree::Punct(sign), TokenTree::Group(group)] if sign.as_char() == '#' => {
                if let Some(line) = doc_line(group) {
                    lines.push(line);
                }
            }
            [TokenTree::Group(_), TokenTree::Punct(sign)] if sign.as_char() == '#' => {}
            _ => help(std::mem::take(&mut lines), found),
        }
    }
    help(lines, found);
}

fn help(lines: Vec<String>, found: &mut Vec<Message>) {
    let text = lines
        .iter()
        .map(|line| line.trim())
        .collect::<Vec<_>>()
        .join("\n");
    let paragraphs: Vec<String> = text
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

fn doc_line(group: &Group) -> Option<String> {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    match tokens.as_slice() {
        [
            TokenTree::Ident(doc),
            TokenTree::Punct(_),
            TokenTree::Literal(text),
        ] if doc == "doc" => string(&text.to_string()).ok()?,
        _ => None,
    }
}

fn derive_names(group: &Group) -> BTreeSet<String> {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Ident(derive), TokenTree::Group(names)] if derive == "derive" => names
            .stream()
            .into_iter()
            .filter_map(|token| match token {
                TokenTree::Ident(name) => Some(name.to_string()),
                _ => None,
            })
            .collect(),
        _ => BTreeSet::new(),
    }
}

fn derives_help(group: &Group) -> bool {
    let names = derive_names(group);
    DERIVES.iter().any(|derive| names.contains(*derive))
}

fn is_ident(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn is_attribute(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(sign) => sign.as_char() == '#',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Bracket,
        _ => false,
    }
}

fn is_braces(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// A string literal's value; `None` for other literals.
fn string(literal: &str) -> Result<Option<String>, String> {
    if let Some(raw) = literal.strip_prefix('r').map(|raw| raw.trim_matches('#')) {
        return Ok(raw
            .strip_prefix('"')
            .and_then(|raw| raw.strip_suffix('"'))
            .map(str::to_owned));
    }
    let Some(inner) = literal
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
    else {
        return Ok(None);
    };
    let mut text = String::new();
    let mut signs = inner.chars().peekable();
    while let Some(sign) = signs.next() {
        if sign != '\\' {
            text.push(sign);
            continue;
        }
        match signs.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some(sign @ ('"' | '\\' | '\'')) => text.push(sign),
            Some('\n') => while signs.next_if(|sign| sign.is_whitespace()).is_some() {},
            Some('u') => {
                let code: String = signs
                    .by_ref()
                    .skip(1)
                    .take_while(|sign| *sign != '}')
                    .collect();
                let sign = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
                text.push(sign.ok_or_else(|| format!("no character: {literal}"))?);
            }
            other => {
                return Err(format!(
                    "an escape nobody reads here: \\{other:?} in {literal}"
                ));
            }
        }
    }
    Ok(Some(text))
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
            struct Other { /** not shown */ a: u8 }
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
    fn two_plurals_or_none_are_refused() {
        assert!(find(r#"fn f() { tr_n("1 card", 3) }"#).is_err());
    }
}
