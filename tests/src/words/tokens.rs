//! Rust text as nested tokens: just enough of the language to find calls, attributes and doc comments without being fooled by strings,
//! comments and lifetimes.

/// A token, or all tokens between a pair of brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A name or keyword.
    Word(String),
    /// A string literal's value.
    Text(String),
    /// A line of an outer doc comment, without its slashes.
    Doc(String),
    /// Any other character.
    Sign(char),
    /// Everything between `(`, `[` or `{` and its partner.
    Group(char, Vec<Token>),
}

/// Reads a whole file.
pub fn read(source: &str) -> Result<Vec<Token>, String> {
    let mut reader = Reader { rest: source };
    let tokens = reader.group(None)?;
    Ok(tokens)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let mut signs = self.rest.chars();
        let sign = signs.next()?;
        self.rest = signs.as_str();
        Some(sign)
    }

    fn eat(&mut self, start: &str) -> bool {
        match self.rest.strip_prefix(start) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Everything up to `end`, which is eaten too.
    fn until(&mut self, end: &str) -> Result<String, String> {
        let (text, rest) = self
            .rest
            .split_once(end)
            .ok_or_else(|| format!("no {end} any more"))?;
        self.rest = rest;
        Ok(text.to_owned())
    }

    fn group(&mut self, close: Option<char>) -> Result<Vec<Token>, String> {
        let mut tokens = Vec::new();
        loop {
            if self.eat("//") {
                let doc = self.rest.starts_with('/') && !self.rest.starts_with("//");
                let line = self.until("\n").unwrap_or_default();
                if doc {
                    tokens.push(Token::Doc(line.trim_start_matches('/').to_owned()));
                }
                continue;
            }
            if self.eat("/*") {
                self.comment()?;
                continue;
            }
            if let Some(text) = self.raw()? {
                tokens.push(Token::Text(text));
                continue;
            }
            let Some(sign) = self.next() else {
                return match close {
                    None => Ok(tokens),
                    Some(close) => Err(format!("no {close} any more")),
                };
            };
            match sign {
                _ if Some(sign) == close => return Ok(tokens),
                '(' => tokens.push(Token::Group('(', self.group(Some(')'))?)),
                '[' => tokens.push(Token::Group('[', self.group(Some(']'))?)),
                '{' => tokens.push(Token::Group('{', self.group(Some('}'))?)),
                ')' | ']' | '}' => return Err(format!("a {sign} too many")),
                '"' => tokens.push(Token::Text(self.string()?)),
                '\'' => self.character(),
                blank if blank.is_whitespace() => {}
                letter if letter == '_' || letter.is_alphanumeric() => {
                    let end = self
                        .rest
                        .find(|c: char| c != '_' && !c.is_alphanumeric())
                        .unwrap_or(self.rest.len());
                    let (word, rest) = self.rest.split_at(end);
                    tokens.push(Token::Word(format!("{letter}{word}")));
                    self.rest = rest;
                }
                other => tokens.push(Token::Sign(other)),
            }
        }
    }

    /// Block comments nest.
    fn comment(&mut self) -> Result<(), String> {
        let mut depth = 1;
        while depth > 0 {
            if self.eat("/*") {
                depth += 1;
            } else if self.eat("*/") {
                depth -= 1;
            } else {
                self.next().ok_or("a comment without an end")?;
            }
        }
        Ok(())
    }

    /// A raw string, if one begins here.
    fn raw(&mut self) -> Result<Option<String>, String> {
        let start = self.rest.strip_prefix('b').unwrap_or(self.rest);
        let Some(after) = start.strip_prefix('r') else {
            return Ok(None);
        };
        let marks = after.len() - after.trim_start_matches('#').len();
        let Some(rest) = after[marks..].strip_prefix('"') else {
            return Ok(None);
        };
        self.rest = rest;
        self.until(&format!("\"{}", "#".repeat(marks))).map(Some)
    }

    /// The rest of a string literal: its value.
    fn string(&mut self) -> Result<String, String> {
        let mut text = String::new();
        loop {
            match self.next().ok_or("a string without an end")? {
                '"' => return Ok(text),
                '\\' => match self.next().ok_or("a string without an end")? {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    'r' => text.push('\r'),
                    '0' => text.push('\0'),
                    sign @ ('"' | '\\' | '\'') => text.push(sign),
                    '\n' => self.rest = self.rest.trim_start(),
                    'x' => {
                        self.next();
                        self.next();
                        text.push('?');
                    }
                    'u' => {
                        let code = self.until("}")?;
                        let code = u32::from_str_radix(code.trim_start_matches('{'), 16);
                        let sign = code.ok().and_then(char::from_u32);
                        text.push(sign.ok_or("no such character")?);
                    }
                    other => return Err(format!("an escape nobody knows: \\{other}")),
                },
                plain => text.push(plain),
            }
        }
    }

    /// After a quote: a character literal is skipped, a lifetime is a word like any other.
    fn character(&mut self) {
        let mut signs = self.rest.chars();
        match (signs.next(), signs.next()) {
            (Some('\\'), _) => {
                self.next();
                self.next();
                // An escape may be long: \u{1f319}.
                while self.next().is_some_and(|sign| sign != '\'') {}
            }
            (Some(_), Some('\'')) => {
                self.next();
                self.next();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(tokens: &[Token]) -> Vec<String> {
        let mut found = Vec::new();
        for token in tokens {
            match token {
                Token::Text(text) => found.push(text.clone()),
                Token::Group(_, inner) => found.extend(texts(inner)),
                Token::Word(_) | Token::Doc(_) | Token::Sign(_) => {}
            }
        }
        found
    }

    #[test]
    fn only_strings_are_strings() {
        let source = r###"
            // "no"
            /* "no" /* "nor this" */ "no" */
            fn f<'a>(c: &'a str) { ('"', '\'', '\u{1f319}', b'"', "a\"b\u{a0}", r#"raw "quoted""#, br"bytes", "two \
                lines"); }
        "###;
        let tokens = read(source).expect("it is Rust");
        assert_eq!(
            texts(&tokens),
            ["a\"b\u{a0}", "raw \"quoted\"", "bytes", "two lines"]
        );
        assert!(read("fn f( {").is_err() && read("}").is_err() && read("\"").is_err());
    }
}
