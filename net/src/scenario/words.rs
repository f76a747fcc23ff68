//! A line of a scenario as words, and how far a word is from the one that was meant.
//!
//! Small words and punctuation that only make a line read well are dropped here, so the grammar need not know them.

/// One word of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// As written: names are told apart by case.
    pub text: String,
    /// In small letters: the grammar's own words are not.
    pub low: String,
}

/// Words without meaning of their own.
pub(super) const FILLERS: [&str; 4] = ["a", "an", "and", "the"];

fn is_mark(c: char) -> bool {
    matches!(c, ',' | ':' | ';' | '.')
}

/// The words of a line, up to a `#`.
pub(super) fn words(line: &str) -> Vec<Word> {
    let line = line.split('#').next().unwrap_or_default();
    let mut found = Vec::new();
    for chunk in line.split(|c: char| c.is_whitespace() || is_mark(c)) {
        // Brackets are words; `Jan's` is two, and so is `face-down`.
        let mut rest = chunk;
        while let Some(at) = rest.find(['(', ')']) {
            let (before, bracket) = rest.split_at(at);
            push_chunk(&mut found, before);
            let (bracket, after) = bracket.split_at(1);
            push(&mut found, bracket);
            rest = after;
        }
        push_chunk(&mut found, rest);
    }
    found
}

fn push_chunk(found: &mut Vec<Word>, chunk: &str) {
    for ending in ["'s", "’s"] {
        if let Some(owner) = chunk.strip_suffix(ending) {
            push(found, owner);
            push(found, "'s");
            return;
        }
    }
    let parts = match chunk.to_lowercase().as_str() {
        "face-up" => ["face", "up"],
        "face-down" => ["face", "down"],
        _ => [chunk, ""],
    };
    for part in parts {
        push(found, part);
    }
}

fn push(found: &mut Vec<Word>, text: &str) {
    let low = text.to_lowercase();
    if !text.is_empty() && !FILLERS.contains(&low.as_str()) {
        found.push(Word {
            text: text.to_string(),
            low,
        });
    }
}

/// A word for a sentence about what is wrong: in quotes, and not endlessly long.
pub(super) fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("\"{}\"", short.escape_debug())
}

/// The candidate nearest to `found`, if it is near enough to be what was meant.
pub(super) fn nearest<'a>(
    found: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let found: Vec<char> = found.to_lowercase().chars().take(24).collect();
    let allowed = (found.len() / 3).clamp(1, 2);
    candidates
        .filter(|candidate| candidate.chars().count() > 1)
        .map(|candidate| (distance(&found, &candidate.to_lowercase()), candidate))
        .filter(|&(far, _)| far > 0 && far <= allowed)
        .min_by_key(|&(far, _)| far)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be put in, left out or changed.
fn distance(one: &[char], other: &str) -> usize {
    // Letters that only changed places are one slip.
    let sorted = |mut letters: Vec<char>| {
        letters.sort_unstable();
        letters
    };
    if sorted(one.to_vec()) == sorted(other.chars().collect()) {
        return usize::from(!one.iter().copied().eq(other.chars()));
    }
    let mut row: Vec<usize> = (0..=one.len()).collect();
    for (i, letter) in other.chars().take(24).enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (&same, &above) in one.iter().zip(row.iter().skip(1)) {
            left = (diagonal + usize::from(same != letter))
                .min(above + 1)
                .min(left + 1);
            diagonal = above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn low(line: &str) -> Vec<String> {
        words(line).into_iter().map(|word| word.low).collect()
    }

    #[test]
    fn fillers_marks_and_comments_are_dropped() {
        assert_eq!(low("The pawn is on 8.  # here"), ["pawn", "is", "on", "8"]);
        assert_eq!(
            low("Jan's hand, (face-down)"),
            ["jan", "'s", "hand", "(", "face", "down", ")"]
        );
        assert!(low("  # only this").is_empty());
    }

    #[test]
    fn near_words_are_found_and_far_ones_not() {
        let worlds = || ["dream", "river", "sun"].into_iter();
        assert_eq!(nearest("draem", worlds()), Some("dream"));
        assert_eq!(nearest("snu", worlds()), Some("sun"));
        assert_eq!(nearest("rivr", worlds()), Some("river"));
        assert_eq!(nearest("elephant", worlds()), None);
        assert_eq!(nearest("dream", worlds()), None);
    }
}
