//! The `Plural-Forms` of a catalogue: which form a number takes, as the C expression in its header says.

use thiserror::Error;

/// How many forms there are and which one a number takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plural {
    forms: usize,
    rule: Node,
}

/// The header's rule cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("this is no Plural-Forms: {0}")]
pub struct BadPlural(pub String);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    Number(usize),
    N,
    Not(Box<Node>),
    Two(Sign, Box<Node>, Box<Node>),
    If(Box<Node>, Box<Node>, Box<Node>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Or,
    And,
    Equal,
    Unequal,
    LessEqual,
    GreaterEqual,
    Less,
    Greater,
    Plus,
    Minus,
    Times,
    Divide,
    Rest,
}

/// Weakest binding first; within a line, longer signs first.
const SIGNS: [&[(&str, Sign)]; 6] = [
    &[("||", Sign::Or)],
    &[("&&", Sign::And)],
    &[("==", Sign::Equal), ("!=", Sign::Unequal)],
    &[
        ("<=", Sign::LessEqual),
        (">=", Sign::GreaterEqual),
        ("<", Sign::Less),
        (">", Sign::Greater),
    ],
    &[("+", Sign::Plus), ("-", Sign::Minus)],
    &[("*", Sign::Times), ("/", Sign::Divide), ("%", Sign::Rest)],
];

impl Default for Plural {
    /// As in English and German.
    fn default() -> Plural {
        Plural {
            forms: 2,
            rule: Node::Two(Sign::Unequal, Box::new(Node::N), Box::new(Node::Number(1))),
        }
    }
}

impl Plural {
    /// Reads `nplurals=3; plural=(n==1) ? 0 : …;`.
    pub fn read(header: &str) -> Result<Plural, BadPlural> {
        let bad = || BadPlural(header.trim().to_owned());
        let mut forms = None;
        let mut rule = None;
        for part in header.split(';') {
            match part.trim().split_once('=') {
                Some(("nplurals", count)) => forms = count.trim().parse().ok(),
                Some(("plural", expression)) => {
                    let mut text = Text(expression.trim());
                    rule = text.ternary(0).filter(|_| text.0.is_empty());
                }
                Some(_) => return Err(bad()),
                None if part.trim().is_empty() => {}
                None => return Err(bad()),
            }
        }
        let plural = Plural {
            forms: forms.filter(|n| (1..=6).contains(n)).ok_or_else(bad)?,
            rule: rule.ok_or_else(bad)?,
        };
        // A rule that names a form that is not there is found now, not at the table.
        let within =
            (0..1000).all(|n| plural.rule.value(n).is_some_and(|form| form < plural.forms));
        if within { Ok(plural) } else { Err(bad()) }
    }

    /// How many forms.
    pub fn forms(&self) -> usize {
        self.forms
    }

    /// The form for `n`.
    pub fn form(&self, n: usize) -> usize {
        self.rule
            .value(n)
            .filter(|form| *form < self.forms)
            .unwrap_or(0)
    }
}

impl Node {
    fn value(&self, n: usize) -> Option<usize> {
        Some(match self {
            Node::Number(number) => *number,
            Node::N => n,
            Node::Not(node) => usize::from(node.value(n)? == 0),
            Node::If(condition, yes, no) => {
                if condition.value(n)? == 0 {
                    no.value(n)?
                } else {
                    yes.value(n)?
                }
            }
            Node::Two(sign, a, b) => {
                let (a, b) = (a.value(n)?, b.value(n)?);
                match sign {
                    Sign::Or => usize::from(a != 0 || b != 0),
                    Sign::And => usize::from(a != 0 && b != 0),
                    Sign::Equal => usize::from(a == b),
                    Sign::Unequal => usize::from(a != b),
                    Sign::LessEqual => usize::from(a <= b),
                    Sign::GreaterEqual => usize::from(a >= b),
                    Sign::Less => usize::from(a < b),
                    Sign::Greater => usize::from(a > b),
                    Sign::Plus => a.checked_add(b)?,
                    Sign::Minus => a.checked_sub(b)?,
                    Sign::Times => a.checked_mul(b)?,
                    Sign::Divide => a.checked_div(b)?,
                    Sign::Rest => a.checked_rem(b)?,
                }
            }
        })
    }
}

/// What is still to be read, without leading blanks. The catalogues are our own, but brackets are bounded all the same.
struct Text<'a>(&'a str);

const DEEPEST: usize = 20;

impl Text<'_> {
    fn eat(&mut self, token: &str) -> bool {
        match self.0.strip_prefix(token) {
            Some(rest) => {
                self.0 = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn ternary(&mut self, depth: usize) -> Option<Node> {
        if depth > DEEPEST {
            return None;
        }
        let condition = self.binary(&SIGNS, depth)?;
        if !self.eat("?") {
            return Some(condition);
        }
        let yes = self.ternary(depth + 1)?;
        if !self.eat(":") {
            return None;
        }
        let no = self.ternary(depth + 1)?;
        Some(Node::If(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    fn binary(&mut self, signs: &[&[(&str, Sign)]], depth: usize) -> Option<Node> {
        let Some((line, tighter)) = signs.split_first() else {
            return self.unary(depth);
        };
        let mut left = self.binary(tighter, depth)?;
        while let Some((_, sign)) = line.iter().find(|(token, _)| self.eat(token)) {
            let right = self.binary(tighter, depth)?;
            left = Node::Two(*sign, Box::new(left), Box::new(right));
        }
        Some(left)
    }

    fn unary(&mut self, depth: usize) -> Option<Node> {
        if depth > DEEPEST {
            return None;
        }
        if self.eat("!") {
            return Some(Node::Not(Box::new(self.unary(depth + 1)?)));
        }
        if self.eat("(") {
            let node = self.ternary(depth + 1)?;
            return self.eat(")").then_some(node);
        }
        if self.eat("n") {
            return Some(Node::N);
        }
        let end = self
            .0
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at_checked(end)?;
        let number = digits.parse().ok()?;
        self.0 = rest.trim_start();
        Some(Node::Number(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(header: &str, numbers: &[usize]) -> Vec<usize> {
        let plural = Plural::read(header).expect("a rule");
        numbers.iter().map(|n| plural.form(*n)).collect()
    }

    #[test]
    fn rules_of_many_languages() {
        let some = [0, 1, 2, 4, 5, 11, 12, 21, 22, 25, 111];
        let czech = "nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;";
        assert_eq!(forms(czech, &some), [2, 0, 1, 1, 2, 2, 2, 2, 2, 2, 2]);
        let german = "nplurals=2; plural=(n != 1);";
        assert_eq!(forms(german, &some), [1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
        let russian = "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);";
        assert_eq!(forms(russian, &some), [2, 0, 1, 1, 2, 2, 2, 0, 1, 2, 2]);
        let japanese = "nplurals=1; plural=0;";
        assert_eq!(forms(japanese, &[0, 1, 9]), [0, 0, 0]);
        assert_eq!(forms("nplurals=2; plural=!(n-1*n+1>3/2);", &[1]), [1]);
        let english = Plural::default();
        assert_eq!([0, 1, 2].map(|n| english.form(n)), [1, 0, 1]);
    }

    #[test]
    fn nonsense_is_refused() {
        for bad in [
            "",
            "nplurals=2;",
            "nplurals=2; plural=n>;",
            "nplurals=2; plural=n ? 1;",
            "nplurals=2; plural=n;",
            "nplurals=2; plural=1/(n-n);",
            "nplurals=2; plural=(n>1",
            "nplurals=0; plural=0;",
            "nplurals=2; plural=n>1; x=1",
        ] {
            assert!(Plural::read(bad).is_err(), "{bad}");
        }
        let deep = format!("nplurals=1; plural={}0", "(".repeat(100_000));
        assert!(Plural::read(&deep).is_err());
    }
}
