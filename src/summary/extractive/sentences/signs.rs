//! Signs before the words of a line: which of them belong to it.

use crate::summary::text::{each_word, first_bytes, starts_any, words};

/// Maximum length of a text in brackets at the start of a line, in bytes.
const BRACKETED: usize = 400;

/// Removes signs before the first word, except a bracket or emphasis that is closed after words.
pub(super) fn without_signs(mut line: &str) -> &str {
    let opens = |char: char| char.is_alphanumeric() || "`\"'“‘«(/.@~<$€£¥₹₩#¿¡「『".contains(char);
    while let Some(sign) = line.chars().next().filter(|&char| !opens(char) && !is_bracketed(line) && !is_flag(line)) {
        line = &line[sign.len_utf8()..];
    }
    line
}

/// Whether a line begins with an option of a command: “--all-refs must …”, “-v must …”. A bullet has a space behind it,
/// or, where a person types fast, a word.
fn is_flag(line: &str) -> bool {
    let Some(name) = line.strip_prefix('-') else { return false };
    let is_end = |behind: &str| !behind.starts_with(|char: char| char.is_alphanumeric() || char == '-');
    let long = name.strip_prefix('-').is_some_and(|name| name.starts_with(|char: char| char.is_ascii_lowercase()));
    // “-I would …” is an item.
    let is_letter = |char: char| char.is_ascii_alphabetic() && !"AaI".contains(char);
    long || name.starts_with(is_letter) && is_end(&name[1..])
}

/// A line behind its first signs, without the star that ends an emphasis which began with these: “*Pier* — a walk”.
pub(super) fn without_closing_star(whole: &str, line: &str) -> String {
    let begun = || whole.split_once(line).is_some_and(|(signs, _)| signs.ends_with('*'));
    let mut stars = line.match_indices('*').map(|(at, _)| at);
    match (stars.next(), stars.next()) {
        (Some(at), None) if begun() => [&line[..at], &line[at + 1..]].concat(),
        _ => line.to_owned(),
    }
}

/// Whether a line begins with a bracket or emphasis around at least two letters or digits, or with the box of a task.
pub(super) fn is_bracketed(line: &str) -> bool {
    const BRACKETS: [(char, char); 7] =
        [('[', ']'), ('_', '_'), ('【', '】'), ('（', '）'), ('《', '》'), ('〔', '〕'), ('［', '］')];
    let closed =
        |(open, close)| line.strip_prefix(open).and_then(|after: &str| first_bytes(after, BRACKETED).split_once(close));
    let inside = BRACKETS.into_iter().find_map(closed).map(|(inside, _)| inside);
    let is_box = starts_any(line, &["[ ] ", "[x] "]);
    is_box || inside.is_some_and(|inside| inside.chars().filter(|char| char.is_alphanumeric()).nth(1).is_some())
}

/// Words of a harness about what it left out.
const LEFT_OUT: [&str; 11] = [
    "collapsed",
    "compacted",
    "elided",
    "evicted",
    "hidden",
    "omitted",
    "pruned",
    "removed",
    "skipped",
    "trimmed",
    "truncated",
];

/// Whether a text is all in square brackets: a notice of a harness in place of words, such as “[content truncated]”.
pub(in crate::summary::extractive) fn is_notice(text: &str) -> bool {
    let inner = text.trim_end_matches('.').strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let is_told = |inner: &str| each_word(inner).any(|word| LEFT_OUT.contains(&&*word.to_lowercase()));
    inner.is_some_and(|inner| !inner.contains(['[', ']']) && words(inner) > 1 && is_told(inner))
}

/// Whether two stars are part of a glob pattern.
pub(super) fn is_glob(before: &str, after: &str) -> bool {
    let in_name = before.ends_with(|char: char| char.is_alphanumeric());
    let extends = || after.strip_prefix('.').is_some_and(|end| end.starts_with(|char: char| char.is_alphanumeric()));
    after.starts_with('/') || !in_name && extends()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_brackets_is_a_notice() {
        for notice in ["[content truncated]", "[Compacted history of the quay evicted: 3 messages]."] {
            assert!(is_notice(notice), "{notice}");
        }
        for said in ["[Note] Mend the lamp.", "[a] and [b]", "[x]", "The lamp [the red one]", "[L1]"] {
            assert!(!is_notice(said), "{said}");
        }
    }

    #[test]
    fn an_option_of_a_command_keeps_its_dashes() {
        for (line, left) in [
            ("--all-refs must never delete a ref.", "--all-refs must never delete a ref."),
            ("- --force deletes it.", "--force deletes it."),
            ("-v must stay short.", "-v must stay short."),
            ("- light the lamp", "light the lamp"),
            ("-light the lamp", "light the lamp"),
            ("-I light the lamp", "I light the lamp"),
            ("-- Light the lamp", "Light the lamp"),
            ("--Light the lamp", "Light the lamp"),
            ("---", ""),
        ] {
            assert_eq!(without_signs(line), left);
        }
    }

    #[test]
    fn an_emphasis_without_its_start_loses_its_end() {
        for (whole, line, left) in [
            ("*Pier* — a walk", "Pier* — a walk", "Pier — a walk"),
            ("- *Pier* and *quay*", "Pier* and *quay*", "Pier* and *quay*"),
            ("* pier/*.rs", "pier/*.rs", "pier/*.rs"),
        ] {
            assert_eq!(without_closing_star(whole, line), left);
        }
    }

    #[test]
    fn many_signs_take_linear_time() {
        assert_eq!(without_signs(&"[".repeat(500_000)), "");
        assert_eq!(without_signs("[quay] lamp"), "[quay] lamp");
        assert_eq!(without_signs("→ ₹40,000 per lamp"), "₹40,000 per lamp");
    }
}
