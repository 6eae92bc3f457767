//! Lines in which tests pass that do not claim it of all tests at the end: parts of them, stories, and quotations.

use super::lines::Line;
use super::status::{PASS, of_all};
use super::{SourceText, pattern};
use crate::transcript::Author;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// Words between quotation marks.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| pattern(r#"[“"]([^“”"]+)[”"]"#));
/// Words that tell of a run, not of the state at the end: “Ran the tests: 12 passed”.
static ONCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:ran|re-?ran|running)\b.*\bpassed\b"));
/// Words for what came behind something.
const BEHIND: &str = "then|later|afterwards?|after (?:that|this)|next|subsequently|since then|finally";
/// Words with which a line goes on in time.
static THEN: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?i)^(?:{BEHIND})\b")));
/// A line that tells of a change.
static CHANGES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)^(?:(?:{BEHIND}|also|and|i|we|the agent)[, ]+)*(?:changed|edited|updated|modified|added|mended|fixed|wrote|rewrote|renamed|removed|deleted|created|moved|replaced|refactored|patched|switched|made|put|set)\b",
    ))
});
/// A part of the tests that passes: “92 % of the tests pass”, “most of our tests pass”; the word for the part.
static PART: LazyLock<Regex> = LazyLock::new(|| {
    let share = r"(?:\d{1,2}(?:[.,]\d+)?[ \u{a0}]?(?:%|percent)|(most|half|some|many|few|a few|the majority))";
    let pass = "(?:(?:now|still|again|already|do|is|are) )*(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)";
    pattern(&format!(r"(?i)(?:^|\W){share} of (?:the |all |our |its |these |\d+ )*(?:\w+ )?tests? {pass}\b"))
});
/// Counts of tests by their outcome.
static PASSED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(\d+) (?:tests? )?pass(?:ed|ing)\b"));
static FAILED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(\d+) (?:tests? )?fail(?:ed|ing|ures?)\b"));

/// Whether each clause of a line in which tests pass is about a part of them.
pub(super) fn is_of_part(text: &str) -> bool {
    PART.is_match(text) && !PASS.is_match(&PART.replace_all(text, " "))
}

/// Whether fewer tests are said to pass than there are.
pub(super) fn some_fail(text: &str) -> bool {
    is_less(text) || is_of_part(text)
}

/// Whether a line gives a count of tests that is less than that of all: “11 of 12”.
pub(super) fn is_less(text: &str) -> bool {
    of_all(text).is_some_and(|(some, all)| some < all)
}

/// Whether the counts of a run are those of the part that a line tells by a word: of “most”, more passed than failed.
/// What percentage passed is judged with the numbers.
pub(super) fn holds_of_part(text: &str, run: &str) -> bool {
    let count = |form: &Regex| form.captures(run).and_then(|found| found[1].parse::<u64>().ok());
    let holds = |part: &str| {
        let (Some(passed), Some(failed)) = (count(&PASSED), count(&FAILED)) else { return false };
        match part.to_lowercase().as_str() {
            "most" | "the majority" => passed > failed,
            "half" => passed.abs_diff(failed) <= 1 && passed > 0,
            _ => passed > 0,
        }
    };
    PART.captures_iter(text).all(|found| found.get(1).is_none_or(|part| holds(part.as_str())))
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

/// Words by which a line gives what stands in quotation marks behind them as said by the user.
static SAID_BY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:users?|they|he|she|asked|asks|asking|requests?|requested|messages?|wants?|wanted|said|told|goals?)\b[^.;]*$",
    )
});

/// Whether only questions or words of the user between quotation marks say that tests pass, and the line gives them as
/// such.
pub(super) fn quotes(text: &str, source: &SourceText<'_>) -> bool {
    let people = source.messages().iter().filter(|message| message.author == Author::Person);
    let said = |words: &str| people.clone().any(|message| message.said().contains(words));
    let bare = QUOTED.replace_all(text, |found: &Captures<'_>| {
        let words = found[1].trim_end_matches(['.', '…', ' ']);
        let before = found.get(0).map_or("", |quoted| &text[..quoted.start()]);
        if words.ends_with('?') || SAID_BY.is_match(before) && said(words) {
            String::new()
        } else {
            found[0].to_owned()
        }
    });
    !PASS.is_match(&bare)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::sketch::sketch;

    #[test]
    fn a_quotation_of_the_user_is_given_as_such() {
        let mut transcript = sketch("ua");
        transcript.messages[0].parts[0].text = "Make sure all tests pass.".into();
        let source = SourceText::new(&transcript.messages.iter().collect::<Vec<_>>());
        for line in ["The user asked: \"all tests pass\"", "User messages: “all tests pass.”", "Are “all tests pass?”"]
        {
            assert!(quotes(line, &source), "{line}");
        }
        for line in ["Result of the run: \"all tests pass\".", "The user asked. Now “all tests pass”"] {
            assert!(!quotes(line, &source), "{line}");
        }
    }

    #[test]
    fn a_part_holds_by_the_counts_of_its_run() {
        let run = "1 failed, 11 passed in 0.44s";
        for line in ["Most of the tests pass", "Some of the tests pass now", "92 % of the tests pass"] {
            assert!(is_of_part(line) && holds_of_part(line, run), "{line}");
        }
        assert!(!holds_of_part("Half of the tests pass", run) && !holds_of_part("Most of the tests pass", "2 failed"));
        assert!(!holds_of_part("Most of the tests pass", "11 failed, 1 passed"));
    }
}
