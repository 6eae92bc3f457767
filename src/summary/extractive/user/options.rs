//! The options that a user's question brings along, as in a quiz: “Which lamp? A) the red one B) the blue one”. They
//! are not the agent's points, and what they say is no rule.

use crate::summary::extractive::words::NAMING;
use crate::summary::text::{QUESTION_MARKS, contains_any};

/// Number of words that the question before its options must exceed.
const LEAST_STEM: usize = 2;
/// Maximum number of words of a label before the options: “Alternatives:”
const LABEL: usize = 3;
/// Number of letters that can mark options.
const LETTERS: u8 = 26;
/// Words of a text that has one of its options chosen.
const CHOOSES: [&str; 12] = [
    "select one",
    "select all",
    "choose the",
    "choose one",
    "alternatives:",
    "options:",
    "alternativas:",
    "opciones:",
    "antworten:",
    "варианты:",
    "选项",
    "選択肢",
];
/// Words of a text whose options are rules.
const RULES: [&str; 12] = [
    "rule",
    "must hold",
    "requirement",
    "constraint",
    "regel",
    "règle",
    "regla",
    "regra",
    "правил",
    "规则",
    "ルール",
    "규칙",
];

/// Whether a text brings the options of its own question.
pub(super) fn defines_points(text: &str) -> bool {
    starts(text).len() > 1
}

/// The text of a quiz without its options and the sentence before them; `None` if it is none.
pub(super) fn without_quiz(text: &str) -> Option<String> {
    let starts = starts(text);
    let (&first, &last) = (starts.first()?, starts.get(1..)?.last()?);
    let lettered = || !text[first..].trim_start_matches(['(', '*']).starts_with(|char: char| char.is_ascii_digit());
    let lower = text.to_lowercase();
    let labeled = || NAMING.iter().any(|label| lower.lines().any(|line| line.trim() == format!("{label} a")));
    let stem = stem(&text[..first]);
    // A question elsewhere is not about options on lines of their own.
    let inline = !text[..first].trim_end_matches([' ', '(', '*']).ends_with('\n');
    let asks = text[if inline { 0 } else { stem }..if inline { text.len() } else { first }].contains(QUESTION_MARKS);
    if !lettered() || contains_any(&lower, &RULES) || !(asks || contains_any(&lower, &CHOOSES) || labeled()) {
        return None;
    }
    let option = &text[last..];
    let line = end_of_line(option, 0);
    // “Option B” stands on a line above its words.
    let bare = !option[..line].split_whitespace().any(|word| word.ends_with([')', '.', ':']));
    let line = if bare { end_of_line(option, (line + 1).min(option.len())) } else { line };
    let end = option[..line].match_indices(['.', '!', '?']).map(|(at, _)| at + 1);
    let end = end.skip_while(|at| *at <= 3).find(|at| option[*at..].starts_with([' ', '\n'])).unwrap_or(line);
    Some(format!("{}\n\n{}", &text[..stem], &option[end..]))
}

/// Where the line that begins at a place of a text ends.
fn end_of_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end)
}

/// Where the sentence at the end of a text begins; a label there belongs to the sentence before it.
fn stem(before: &str) -> usize {
    let begin = |text: &str| {
        let bare = text.trim_end().trim_end_matches(['.', ':', '!', '?', '？', '؟', '。', '：']);
        let ends = bare.char_indices().rev().find(|(at, char)| {
            let behind = &bare[at + char.len_utf8()..];
            matches!(char, '\n' | '。' | '？') || matches!(char, '.' | '!' | '?') && behind.starts_with(' ')
        });
        ends.map_or(0, |(at, char)| at + char.len_utf8())
    };
    let at = begin(before);
    let label = before[at..].trim_end().ends_with([':', '：']) && before[at..].split_whitespace().count() <= LABEL;
    if label { begin(&before[..at]) } else { at }
}

/// Where the options of a text begin, in order.
fn starts(text: &str) -> Vec<usize> {
    let (mut found, mut between, mut before) = (Vec::new(), 0, "");
    for line in text.lines() {
        let mut words = line.split_whitespace().peekable();
        let mut first = true;
        while let Some(word) = words.next() {
            let labeled = words.peek().is_none() && {
                let label = before.trim_matches(|char: char| !char.is_alphanumeric()).to_lowercase();
                NAMING.contains(&&*label)
            };
            let opens = !found.is_empty()
                || labeled
                || first
                || before.ends_with(QUESTION_MARKS)
                || before.ends_with([':', '.', '：']);
            let marked = labeled || word.ends_with([')', '.', ':']);
            let enough = between > if found.is_empty() { LEAST_STEM } else { 0 };
            if marked && opens && enough && is_sign(word, found.len()) {
                let first = if labeled { before } else { word };
                found.push(first.as_ptr() as usize - text.as_ptr() as usize);
                between = 0;
            } else {
                between += 1;
            }
            (before, first) = (word, false);
        }
    }
    // Without words behind it, the last mark is no option.
    found.truncate(if between == 0 { 0 } else { found.len() });
    found
}

/// Whether a word is the mark at a position of a list, from 0: “A)”, “1.”.
fn is_sign(word: &str, place: usize) -> bool {
    let core = word.trim_matches(|char: char| !char.is_alphanumeric());
    let letter =
        |place: u8| place < LETTERS && core.len() == 1 && core.as_bytes()[0].to_ascii_uppercase() == b'A' + place;
    core.parse() == Ok(place + 1) || u8::try_from(place).is_ok_and(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiz_is_no_rule_of_the_user() {
        for (text, left) in [
            (
                "Keepers send back a: A) lamp B) flag. You must never guess. Which is right? C) Only the harbour may.",
                "",
            ),
            ("The keeper was head. Alternativas: A) Não integra, apenas participa. B) Integra, apenas com voz.", ""),
            (
                "Answer only with the letter. Which lamp must never burn?\n\nOption A\nThe red one\n\nOption B\nThe blue one",
                "Answer only with the letter.",
            ),
            (
                "Always say why.\nWhich is true?\nA. Never row.\nB. Always row.\n\nKeep it short.",
                "Always say why. Keep it short.",
            ),
        ] {
            let told = without_quiz(text).map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
            assert_eq!(told.as_deref(), Some(left), "{text}");
        }
        for text in [
            "These are the rules: A) never row B) always light the lamp. Is that clear?",
            "What do you think? 1) never row 2) always light the lamp",
            "A) never row, B) always light the lamp",
            "Should we row? I like A. B is too slow. Never row.",
            "Light the lamps in this order: A) red, never by day B) blue",
        ] {
            assert_eq!(without_quiz(text), None, "{text}");
        }
    }
}
