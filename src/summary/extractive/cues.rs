//! What kind of sentence one is, by the phrases in it.

use super::words::{
    ANNOUNCED, Cue, DONE, DONE_VERBS, FILLERS, FINDING, FINDING_LEAST, INSTRUCTION, INSTRUCTION_LEAST, NOT_TOLD,
};
use crate::summary::text::has_phrase;

/// What a sentence of the agent is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Something is done.
    Done,
    /// Something was found out; with how much it tells.
    Finding(i64),
    /// It says something else.
    Other,
    /// It announces, asks, or fills.
    Empty,
}

/// Tells what a sentence of the agent is.
pub(super) fn kind(sentence: &str) -> Kind {
    let lower = lower(sentence);
    let text = without_filler(&lower);
    let asks = text.ends_with(['?', '？', ':', '：']);
    if asks || ANNOUNCED.iter().any(|start| begins(text, start)) {
        return Kind::Empty;
    }
    if is_done(text) {
        return Kind::Done;
    }
    match strength(text, FINDING) + facts(sentence) {
        telling if telling >= FINDING_LEAST => Kind::Finding(telling),
        _ => Kind::Other,
    }
}

/// How much a sentence of the user tells what to do; `None` where it does not.
pub(in crate::summary) fn instruction_strength(sentence: &str) -> Option<i64> {
    let lower = lower(sentence);
    let asks = lower.ends_with(['?', '？'])
        && !["can you", "could you", "would you", "please"].iter().any(|start| lower.contains(start));
    if asks || NOT_TOLD.iter().any(|phrase| has_phrase(&lower, phrase)) {
        return None;
    }
    Some(strength(&lower, INSTRUCTION)).filter(|&strength| strength >= INSTRUCTION_LEAST)
}

/// A sentence without the word or two that open it and say nothing.
pub(super) fn without_filler(lower: &str) -> &str {
    FILLERS.iter().find_map(|filler| lower.strip_prefix(filler)).map_or(lower, str::trim_start)
}

fn lower(sentence: &str) -> String {
    sentence.to_lowercase().replace('’', "'")
}

fn begins(text: &str, start: &str) -> bool {
    text.strip_prefix(start).is_some_and(|rest| {
        start.ends_with([',', ':']) || !start.is_ascii() || !rest.starts_with(|char: char| char.is_alphanumeric())
    })
}

fn strength(lower: &str, cues: &[Cue]) -> i64 {
    cues.iter().filter(|(phrase, _)| has_phrase(lower, phrase)).map(|(_, strength)| strength).sum()
}

fn is_done(lower: &str) -> bool {
    let mut text = lower;
    for start in ["i've ", "i have ", "we've ", "we have ", "i ", "we "] {
        text = text.strip_prefix(start).unwrap_or(text);
    }
    for adverb in ["successfully ", "also ", "now ", "just ", "already "] {
        text = text.strip_prefix(adverb).unwrap_or(text);
    }
    let first = text.split(|char: char| !char.is_alphabetic()).next().unwrap_or_default();
    DONE_VERBS.binary_search(&first).is_ok() || DONE.iter().any(|phrase| has_phrase(lower, phrase))
}

/// How many exact things a sentence names, three at most: code, paths, numbers, names with an inner capital.
fn facts(sentence: &str) -> i64 {
    let names = sentence.split_whitespace().filter(|word| {
        let exact =
            word.starts_with('`') || word.contains(['_', '/']) || word.bytes().any(|byte| byte.is_ascii_digit());
        let inner = word.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
        exact || inner
    });
    names.take(3).fold(0, |count, _| count + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verbs_can_be_searched() {
        let mut sorted = DONE_VERBS.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, DONE_VERBS);
    }

    #[test]
    fn finished_steps_findings_and_announcements_are_told_apart() {
        assert_eq!(kind("I've added a test for `parse`."), Kind::Done);
        assert_eq!(kind("Perfect! All tests pass."), Kind::Done);
        assert_eq!(kind("已修复登录页面的错误。"), Kind::Done);
        assert!(matches!(kind("The problem is that `load` never closes the file."), Kind::Finding(_)));
        assert_eq!(kind("Let me look at the failing test."), Kind::Empty);
        assert_eq!(kind("Should I go on?"), Kind::Empty);
        assert_eq!(kind("This is a small project."), Kind::Other);
    }

    #[test]
    fn instructions_are_told_from_reports_and_questions() {
        assert!(instruction_strength("Please don’t use unwrap in library code.").is_some());
        assert!(instruction_strength("Bitte niemals direkt auf main pushen.").is_some());
        assert!(instruction_strength("不要修改数据库。").is_some());
        assert!(instruction_strength("I don't see the button.").is_none());
        assert!(instruction_strength("Why must it be so?").is_none());
        assert!(instruction_strength("The page is blank.").is_none());
    }
}
