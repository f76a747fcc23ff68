//! Lines of a name and what belongs to it, the second below each other whatever the language.

/// One line for each row.
pub fn lines(rows: &[(String, String)]) -> Vec<String> {
    let width = rows.iter().map(|(head, _)| head.chars().count()).max();
    let width = width.unwrap_or(0);
    rows.iter()
        .map(|(head, text)| format!("{head:width$}  {text}"))
        .collect()
}
