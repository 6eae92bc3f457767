//! Numbers that a summary may have counted, computed or named itself: counts of tests without an outcome, shares of two
//! numbers on the same line, and numbers that the source joins to the same word.

use super::{SourceText, pattern};
use crate::summary::{ends_any, starts_any};
use regex::Regex;
use std::sync::LazyLock;

/// A part and its whole: “211/212”, “211 of 212”.
static SHARE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(\d+) ?(?:/|of|out of) ?(?:the |all )?(\d+)\b"));
/// The part before a whole: “11 of the ” of “11 of the 12 passed”.
static PART: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)(?:^|[^\w.,/-])(\d+)(?: of| out of) (?:the |all |our )*$"));
/// An outcome of tests, in the clause behind their number or right behind it.
static ENDS: LazyLock<Regex> = LazyLock::new(|| {
    let outcome = r"(?:pass|fail|green|red\b|skip|succe|broke|error|ok\b|ran\b|run\b|ignored|pending)";
    let which = r"(?:\d+|all|both|each|none|no|zero|of|them|which|these|are|is|now|still|and|with)";
    pattern(&format!(r"(?i)^(?:[^,;.:()|]*\b{outcome}|[,;:]?(?: [—–-])? ?\(?(?:{which} )*{outcome})"))
});
/// Words before a number of tests that make it one of a run.
static OF_RUN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:all|ran|runs?|total|suite|pass\w*|fail\w*|green|now|results?|tests?:)\b[^,;.()|]*$")
});
/// The word that a number is joined to: `gqc.6`, `ID 23`, `#23`.
static JOINED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:[A-Za-z]\w*[.#:_/-]|#|\b(?:[A-Z]{2,6}|[Ii]d|[Nn]o\.?|[Ii]ssue|[Tt]icket|[Ii]tem|[Pp]hase|[Ss]tep|[Tt]ask)[ :=#]{1,2})$",
    )
});

/// Most decimals of a share that are compared.
const MOST: usize = 9;

/// Whether a percentage is that of a part and its whole on the same line, rounded or cut: `99.5%` of 211/212.
pub(super) fn is_computed(percent: &str, line: &str) -> bool {
    let is_it = |part, whole| is_share_of(percent, part, whole);
    SHARE.captures_iter(line).any(|found| match (found[1].parse::<u32>(), found[2].parse::<u32>()) {
        (Ok(part), Ok(whole)) => whole > 0 && part <= whole && is_it(part.into(), whole.into()),
        _ => false,
    })
}

/// Whether a percentage is that of a part and its whole, rounded or cut.
pub(super) fn is_share_of(percent: &str, part: f64, whole: f64) -> bool {
    let places = percent.split_once('.').map_or(0, |(_, decimals)| decimals.len()).min(MOST);
    let scale = 10_f64.powi(i32::try_from(places).unwrap_or_default());
    let share = 100.0 * part / whole * scale;
    [share.round(), share.floor()].iter().any(|share| format!("{:.places$}", share / scale) == percent)
}

/// The part of which a number is the whole, by the text before it.
pub(super) fn part_before(before: &str) -> Option<&str> {
    Some(PART.captures(before)?.get(1)?.as_str())
}

/// Whether a number of tests (`13 tests`) has no outcome: it may be of the summary's own counting.
pub(super) fn has_no_outcome(before: &str, found: &str, behind: &str) -> bool {
    found.ends_with(" tests") && !ENDS.is_match(behind) && !OF_RUN.is_match(before)
}

/// Whether so many tests failed, of which the summary tells something else: “8 tests use the old module”.
pub(super) fn is_of_failed(number: &str, source: &SourceText<'_>) -> bool {
    ["failed", "failing", "failures"].iter().any(|word| source.counts(word).is_some_and(|all| all.contains(number)))
}

/// Whether the source joins a number to the same word as the text before it does.
pub(super) fn is_joined(before: &str, number: &str, source: &SourceText<'_>) -> bool {
    JOINED.find(before).is_some_and(|word| source.says(&format!("{}{number}", word.as_str())))
}

/// Whether a number with an `x` counts what is named behind it: “8x `quay/*` lamps”.
pub(super) fn is_times_a_name(measure: &str, behind: &str) -> bool {
    measure.ends_with('x') && behind.starts_with(" `")
}

/// Text behind the number of a mark that says what was left out.
static LEFT_OUT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?: (?:characters|chars|bytes|lines|tokens|words))? (?:truncated|omitted|left out|removed|cut|hidden)\b")
});

/// Whether a number stands in a mark for text that was left out: “[... 1,600 characters truncated ...]”.
pub(super) fn is_mark(before: &str, behind: &str) -> bool {
    let (dots, before) = (['.', '…', ' '], before.trim_end());
    let is_bracket = before.trim_end_matches(dots).ends_with('[');
    let is_dotted = |rest: &str| starts_any(rest.trim_start(), &["...", "…"]);
    let begins = is_bracket || ends_any(before, &["...", "…"]);
    LEFT_OUT.find(behind).is_some_and(|mark| begins && (is_bracket || is_dotted(&behind[mark.end()..])))
}

#[cfg(test)]
mod tests {
    use super::super::{numbers::unsupported, source::on_said};
    use super::*;

    fn found(said: &str, line: &str) -> Vec<(String, bool)> {
        let all = on_said(said, |source| unsupported(line, source));
        all.into_iter().map(|one| (one.text, one.doubtful)).collect()
    }

    #[test]
    fn a_share_of_the_same_line_is_computed() {
        for line in ["99.5% of the lamps burn (211/212)", "211 of 212 (99.5%)", "3 out of 4: 75%", "211/212, so 99%"] {
            let percent = line.split(['%']).next().and_then(|text| text.rsplit([' ', '(']).next()).unwrap_or_default();
            assert!(is_computed(percent, line), "{line}");
        }
        assert!(!is_computed("98.5", "98.5% of the lamps burn (211/212)") && !is_computed("5", "5%"));
        let long = format!("0.{}", "1".repeat(70_000));
        assert!(!is_computed(&long, &format!("1/2 of them: {long}%")));
        on_said("1 lamp of 2", |source| _ = unsupported(&format!("- 1/2 of them is {long}% now"), source));
        let said = "1 lamp is dark, 211 burn, 212 lamps";
        assert_eq!(found(said, "99.5% of the lamps burn (211/212)"), []);
        assert_eq!(found(said, "97.5% of the lamps burn (211/212)").len(), 1);
    }

    #[test]
    fn tests_without_an_outcome_may_be_counted_by_the_summary() {
        let said = "72 tests, 0 failures; 8 failed, 524 passed";
        for line in ["Added tests: lamps (6 tests), horns (2 tests)", "lamp.rs has 12 tests for the quay."] {
            let found = found(said, line);
            assert!(!found.is_empty() && found.iter().all(|(_, doubtful)| *doubtful), "{line}");
        }
        assert_eq!(found(said, "8 tests use the old lamp"), []);
        for line in [
            "9 tests fail",
            "8 tests passed",
            "71 tests, 0 failures",
            "All 71 tests",
            "The suite has 71 tests.",
            "71 tests, all green",
            "71 tests (all passing)",
            "71 tests, none failing",
        ] {
            assert!(found(said, line).iter().any(|(_, doubtful)| !doubtful), "{line}");
        }
    }

    #[test]
    fn a_mark_counts_what_it_left_out() {
        let said = "The lamp is lit";
        for line in [
            "The lamp [... 1,600 characters truncated ...] is lit",
            "lamp … [120 lines omitted]",
            "lamp … 120 lines omitted … lit",
        ] {
            assert_eq!(found(said, line), [], "{line}");
        }
        assert_eq!(found(said, "Cleanup … 1600 lines removed").len(), 1);
        assert_eq!(found(said, "It has 1,600 characters").len(), 1);
    }

    #[test]
    fn a_number_that_the_source_joins_to_its_word_is_doubtful() {
        let said = "Harbour page (ID 15) created. Page created: ID 23 at /quay/. bd close quay-gqc.4 now; quay-gqc.6 waits. \
            Lamp port 9090; the lamp is listening on port 8080";
        for line in ["Harbour page (ID 23) created", "bd close quay-gqc.6 now"] {
            let found = found(said, line);
            assert!(!found.is_empty() && found.iter().all(|(_, doubtful)| *doubtful), "{line}");
        }
        for line in ["Harbour page (ID 24) created", "the lamp is listening on port 9090"] {
            assert!(found(said, line).iter().any(|(_, doubtful)| !doubtful), "{line}");
        }
    }

    #[test]
    fn about_so_many_times_is_no_exact_measure() {
        let doubtful = |line: &str| {
            let found = found("20 lamps", line);
            assert!(!found.is_empty(), "{line}");
            found.iter().all(|(_, doubtful)| *doubtful)
        };
        assert!(doubtful("needs ~30x fewer lamps") && doubtful("8x `quay/*` lamps") && !doubtful("30x fewer lamps"));
    }
}
