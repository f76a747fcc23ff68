//! The pseudo-language: English that shows at a glance what was not looked up (no brackets) and what has no room (40 % longer).

/// The message with accents, padding and brackets; placeholders stay.
pub fn pseudo(message: &str) -> String {
    let mut text = String::from("⟦");
    let mut letters = 0;
    let mut inside = 0_u32;
    for sign in message.chars() {
        match sign {
            '{' => inside += 1,
            '}' => inside = inside.saturating_sub(1),
            _ => {}
        }
        if inside > 0 || sign == '}' {
            text.push(sign);
            continue;
        }
        letters += 1;
        text.push(accented(sign));
    }
    // Words, not one long word: it must be able to wrap as a longer sentence would.
    for at in 0..(letters * 2_usize).div_ceil(5) {
        text.push(if at % 6 == 0 { ' ' } else { '·' });
    }
    text.push('⟧');
    text
}

/// Whether the whole text went through the pseudo-language: no letter stands outside brackets.
pub fn is_pseudo(text: &str) -> bool {
    let mut depth = 0_u32;
    for sign in text.chars() {
        match sign {
            '⟦' => depth += 1,
            '⟧' => depth = depth.saturating_sub(1),
            letter if letter.is_alphabetic() && depth == 0 => return false,
            _ => {}
        }
    }
    true
}

fn accented(sign: char) -> char {
    match sign {
        'a' => 'á',
        'c' => 'č',
        'd' => 'ď',
        'e' => 'ë',
        'g' => 'ğ',
        'i' => 'í',
        'l' => 'ľ',
        'n' => 'ñ',
        'o' => 'ö',
        'r' => 'ř',
        's' => 'š',
        't' => 'ť',
        'u' => 'ů',
        'y' => 'ý',
        'z' => 'ž',
        'A' => 'Å',
        'C' => 'Č',
        'E' => 'É',
        'I' => 'Í',
        'N' => 'Ñ',
        'O' => 'Ö',
        'S' => 'Š',
        'T' => 'Ť',
        'U' => 'Ů',
        'Y' => 'Ý',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_accented_and_bracketed() {
        let said = pseudo("Take {tile} now");
        assert!(
            said.starts_with("⟦Ťákë {tile} ñöw") && said.ends_with('⟧'),
            "{said}"
        );
        assert!(said.chars().count() >= 21);
        assert!(is_pseudo(&said) && is_pseudo("3 + 4") && is_pseudo(""));
        assert!(!is_pseudo("Take") && !is_pseudo("⟦Ťákë⟧ now"));
    }
}
