//! Lines in which tests pass that do not claim it of all tests at the end: parts of them, stories, and quotations.

use super::lines::Line;
use super::status::PASS;
use super::{SourceText, pattern};
use crate::transcript::Author;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// Words between quotation marks.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| pattern(r#"[“"]([^“”"]+)[”"]"#));
/// Words that tell of a run, not of the state at the end: “Ran the tests: 12 passed”.
static ONCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:ran|re-?ran|running)\b.*\bpassed\b"));
/// Words with which a line goes on in time.
static THEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)^(?:then|later|afterwards?|after (?:that|this)|next|subsequently|since then|finally)\b")
});
/// A line that tells of a change.
static CHANGES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:(?:then|later|afterwards?|after (?:that|this)|next|subsequently|since then|finally|also|and|i|we|the agent)[, ]+)*(?:changed|edited|updated|modified|added|mended|fixed|wrote|rewrote|renamed|removed|deleted|created|moved|replaced|refactored|patched|switched|made|put|set)\b",
    )
});
/// Words for a part of the tests: “92 % of the tests”, “most of our tests”.
static PART: LazyLock<Regex> = LazyLock::new(|| {
    let share = r"(?:\d{1,2}(?:[.,]\d+)?[ \u{a0}]?(?:%|percent)|most|half|some|many|few|a few|the majority)";
    pattern(&format!(r"(?i)(?:^|\W){share} of (?:the |all |our |its |these |\d+ )*(?:\w+ )?tests?\b"))
});

/// Whether a line is about a part of the tests.
pub(super) fn is_of_part(text: &str) -> bool {
    PART.is_match(text)
}

/// Whether a line is one of a story: a later line, or the rest of this one, tells of a change that came behind the run.
pub(super) fn is_story(line: &Line<'_>, later: &[Line<'_>]) -> bool {
    let follows = |other: &Line<'_>| {
        let next = other.section == line.section && ONCE.is_match(line.text);
        CHANGES.is_match(other.text) && (next || THEN.is_match(other.text))
    };
    let rest = PASS.find(line.text).map_or("", |found| &line.text[found.end()..]);
    let mut clauses = rest.split([';', '.', ',']).map(str::trim);
    clauses.any(|clause| THEN.is_match(clause) && CHANGES.is_match(clause)) || later.iter().any(follows)
}

/// Whether only questions or words of the user between quotation marks say that tests pass.
pub(super) fn quotes(text: &str, source: &SourceText<'_>) -> bool {
    let people = source.messages().iter().filter(|message| message.author == Author::Person);
    let said = |words: &str| people.clone().any(|message| message.said().contains(words));
    let bare = QUOTED.replace_all(text, |found: &Captures<'_>| {
        let words = found[1].trim_end_matches(['.', '…', ' ']);
        if words.ends_with('?') || said(words) { String::new() } else { found[0].to_owned() }
    });
    !PASS.is_match(&bare)
}
