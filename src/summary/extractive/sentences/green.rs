//! Claims that the tests pass, and what a sentence says besides them.

use super::cues::{Kind, kind, lower};
use crate::summary::extractive::words::{NEGATIONS, PARTLY, PASSED, PASSES, TESTS};
use crate::summary::text::{all_digits, capitalized};
use memchr::memmem;
use std::borrow::Cow;
use std::ops::Range;

/// What such a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::summary::extractive) enum Scope {
    /// A number of tests, which may be some of them: “3 tests pass”.
    Some,
    /// All tests: “The whole suite is green”, “`cargo test` passes”.
    All,
}

/// Words that say which tests without leaving some out, and programs that run tests.
const GENERAL: [&str; 34] = [
    "all",
    "and",
    "bun",
    "cargo",
    "complete",
    "dotnet",
    "each",
    "entire",
    "every",
    "existing",
    "flutter",
    "full",
    "go",
    "gradle",
    "integration",
    "make",
    "mvn",
    "npm",
    "now",
    "of",
    "our",
    "pnpm",
    "project",
    "project's",
    "so",
    "still",
    "swift",
    "that",
    "the",
    "these",
    "unit",
    "with",
    "whole",
    "yarn",
];
/// Programs that are named for their tests.
const RUNNERS: [&str; 6] = ["jest", "nextest", "phpunit", "pytest", "rspec", "vitest"];
/// Words between the tests and their passing.
const BETWEEN: [&str; 16] = [
    "again", "all", "already", "also", "are", "both", "cases", "do", "finally", "has", "have", "is", "now", "run",
    "runs", "still",
];
/// Words before which another thing is said.
const JOINS: [&str; 8] = ["and", "as", "because", "but", "since", "so", "then", "while"];
/// Words for all that there is.
const EVERYTHING: [&str; 3] = ["all", "both", "everything"];
/// Words that may follow “pass”, besides [`PASSED`], and words of a sentence that claims nothing.
const FOLLOWS: [&str; 12] =
    ["also", "as", "because", "for", "green", "including", "since", "so", "under", "using", "via", "without"];
const UNSURE: [&str; 20] = [
    "after", "before", "check", "confirm", "ensure", "expect", "expected", "goal", "must", "need", "needs", "once",
    "sure", "unless", "verify", "want", "wanted", "wants", "were", "whether",
];
/// Other verbs for passing, and for failing.
const SUCCEEDS: [&str; 4] = ["succeed", "succeeded", "succeeds", "successful"];
const FAILS: [&str; 6] = ["fail", "failed", "failing", "fails", "failure", "failures"];
const NONE: [&str; 3] = ["0", "no", "zero"];
/// Verbs by which the rest of a sentence is one.
const VERBS: [&str; 14] =
    ["are", "can", "does", "has", "have", "is", "keeps", "now", "reads", "stops", "uses", "was", "were", "works"];
/// What joins two clauses.
const JOINTS: [&str; 4] = [" and ", " but ", " so ", " while "];

/// What a sentence claims of the tests, if it says that they pass.
pub(in crate::summary::extractive) fn scope(sentence: &str) -> Option<Scope> {
    if !may_claim(sentence) {
        return None;
    }
    let lower = lower(sentence);
    let is_one = is_no_count(&lower);
    clauses(&lower).into_iter().filter_map(|clause| of_clause(&lower[clause])).filter(is_one).max()
}

/// A sentence without the clauses that make such claims; empty if nothing is left that is a sentence.
pub(in crate::summary::extractive) fn without(sentence: &str, claims: &dyn Fn(Scope) -> bool) -> String {
    let all = clauses(sentence);
    let is_one = is_no_count(&lower(sentence));
    let is_claim =
        |clause: &Range<usize>| of_clause(&lower(&sentence[clause.clone()])).filter(&is_one).is_some_and(claims);
    let (mut left, mut is_cut) = (String::new(), false);
    for clause in all {
        let own = &sentence[clause.clone()];
        if is_claim(&clause) {
            is_cut = true;
        } else if is_cut && bare(own).is_empty() {
            continue;
        } else if is_cut {
            let joint = if left.is_empty() { "" } else { ", and " };
            left = [bare(&left), joint, bare(own)].concat();
            is_cut = false;
        } else {
            left += own;
        }
    }
    let left = bare(&left);
    let left = if sentence.ends_with(['.', '!', '。']) && !left.ends_with(['.', '!', '。']) {
        format!("{left}.")
    } else {
        left.to_owned()
    };
    if stands(&left) { capitalized(&left) } else { String::new() }
}

/// A text of several lines without the claims; lines that are nothing else go.
pub(in crate::summary::extractive) fn without_in<'t>(text: &'t str, claims: &dyn Fn(Scope) -> bool) -> Cow<'t, str> {
    let is_claim = |piece: &str| scope(piece).is_some_and(claims);
    let pieces = |line: &'t str| line.split_inclusive(". ").flat_map(|piece| piece.split_inclusive("! "));
    if !text.lines().flat_map(pieces).any(is_claim) {
        return Cow::Borrowed(text);
    }
    let without_claims = |line: &'t str| {
        let body = line.trim_start_matches(|sign: char| !sign.is_alphanumeric() && sign != '`');
        if !pieces(body).any(is_claim) {
            return Some(Cow::Borrowed(line));
        }
        let left = pieces(body).map(|piece| match piece.trim_end() {
            piece if is_claim(piece) => without(piece, claims),
            piece => piece.to_owned(),
        });
        let left = left.filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join(" ");
        (!left.is_empty()).then(|| Cow::Owned([&line[..line.len() - body.len()], &left].concat()))
    };
    Cow::Owned(text.lines().filter_map(without_claims).collect::<Vec<_>>().join("\n"))
}

/// Whether any word of a claim may be there; a quick test.
pub(in crate::summary::extractive) fn may_claim(text: &str) -> bool {
    // Without the first letter, which may be a capital.
    ["ass", "reen", "ucce"].iter().any(|word| memmem::find(text.as_bytes(), word.as_bytes()).is_some())
}

/// The clauses of a sentence, each with the sign or word that joins it to the one before.
fn clauses(sentence: &str) -> Vec<Range<usize>> {
    let mut starts: Vec<usize> = sentence.match_indices([',', ';', '—', '–', '(']).map(|(at, _)| at).collect();
    starts.extend(sentence.match_indices(": ").map(|(at, _)| at));
    for joint in JOINTS {
        starts.extend(sentence.match_indices(joint).map(|(at, _)| at));
    }
    // A number with a comma is one word.
    let inner = |at: usize| {
        sentence[at + 1..].starts_with(|next: char| next.is_ascii_digit())
            && sentence[..at].ends_with(|last: char| last.is_ascii_digit())
    };
    starts.retain(|at| *at > 0 && !(sentence[*at..].starts_with(',') && inner(*at)));
    starts.sort_unstable();
    starts.dedup();
    let ends = starts.iter().copied().chain([sentence.len()]);
    [0].into_iter().chain(starts.iter().copied()).zip(ends).map(|(start, end)| start..end).collect()
}

/// The words of a clause, with the signs of names and paths in them.
pub(super) fn words_of(clause: &str) -> Vec<&str> {
    let inner = |char: char| char.is_alphanumeric() || "'_-/".contains(char);
    clause.split(|char| !inner(char)).filter(|word| !word.is_empty()).collect()
}

/// What a clause claims, given in lower case.
fn of_clause(clause: &str) -> Option<Scope> {
    if !may_claim(clause) {
        return None;
    }
    let words = words_of(clause);
    let at = words.iter().position(|word| PASSES.contains(word) || SUCCEEDS.contains(word))?;
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let denied = has(NEGATIONS)
        || has(&UNSURE)
        || words[..at].iter().any(|word| NONE.contains(word))
        || words.iter().any(|word| word.ends_with("n't"));
    let alone = words.get(at + 1).is_none_or(|next| PASSED.contains(next) || FOLLOWS.contains(next));
    if denied || !alone || fails(&words) || is_partly(&words[..at]) {
        return None;
    }
    let verb = words[..at].iter().rposition(|word| !BETWEEN.contains(word) || EVERYTHING.contains(word))?;
    let subject = words[verb];
    if EVERYTHING.contains(&subject) && verb + 1 == at || subject == "everything" {
        // “The tests all pass.”
        let tests = verb.checked_sub(1).map(|before| words[before]).filter(|before| TESTS.contains(before));
        return tests.map_or(Some(Scope::All), |_| of_subject(&words[..verb]));
    }
    if all_digits(subject) {
        let is_all = verb.checked_sub(1).is_some_and(|before| EVERYTHING.contains(&words[before]));
        return Some(if is_all { Scope::All } else { Scope::Some });
    }
    of_subject(&words[..=verb])
}

/// The scope of tests that end these words.
fn of_subject(words: &[&str]) -> Option<Scope> {
    let (subject, before) = words.split_last()?;
    if RUNNERS.contains(subject) {
        return Some(Scope::All);
    }
    if !TESTS.contains(subject) {
        return None;
    }
    let own: Vec<&&str> = before.iter().rev().take_while(|word| !JOINS.contains(word)).collect();
    let is_general =
        |word: &str| GENERAL.contains(&word) || RUNNERS.contains(&word) || TESTS.contains(&word) || all_digits(word);
    let named = own.iter().any(|word| !is_general(word));
    let counted = own.iter().any(|word| all_digits(word)) && !own.iter().any(|word| EVERYTHING.contains(word));
    (!named).then_some(if counted { Scope::Some } else { Scope::All })
}

/// Which claims of a sentence are some: “11 passed” beside “1 failed” only counts.
fn is_no_count(lower: &str) -> impl Fn(&Scope) -> bool + use<> {
    let words: Vec<&str> = lower.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let beside_failures = fails(&words);
    move |scope| *scope == Scope::All || !beside_failures
}

/// Whether words say that something fails: “1 failed”, not “0 failed”.
fn fails(words: &[&str]) -> bool {
    let is_none = |at: usize| at.checked_sub(1).is_some_and(|before| NONE.contains(&words[before]));
    (0..words.len()).any(|at| FAILS.contains(&words[at]) && !is_none(at))
}

/// Whether words before “pass” leave some out: “7 of the 9 tests”, not “all of the tests”.
fn is_partly(words: &[&str]) -> bool {
    let other = words.iter().enumerate().filter(|(_, word)| PARTLY.contains(word));
    let is_whole = |at: usize| {
        let before = at.checked_sub(1).map(|before| words[before]);
        let behind = words[at + 1..].iter().find(|word| !["the", "all"].contains(word));
        before.is_some_and(|before| EVERYTHING.contains(&before)) || before == behind.copied()
    };
    let mut other = other.filter(|(at, word)| **word != "of" || !is_whole(*at));
    other.next().is_some()
}

/// Whether what is left of a sentence is one.
fn stands(left: &str) -> bool {
    let words: Vec<&str> = left.split_whitespace().collect();
    let has_verb = || {
        words.iter().any(|word| VERBS.contains(&word.to_lowercase().trim_matches(|sign: char| !sign.is_alphanumeric())))
    };
    let reports = || words[0].to_lowercase().ends_with("ed");
    words.len() > 2 && (reports() || matches!(kind(left), Kind::Done | Kind::Finding(_)) || has_verb())
}

/// A clause without signs and joining words around it.
fn bare(clause: &str) -> &str {
    let sign = |sign: char| sign.is_whitespace() || ",;—–(:".contains(sign);
    let mut own = clause.trim_start_matches(|it: char| sign(it) || it == ')').trim_end_matches(sign);
    for joint in JOINTS {
        own = own.strip_prefix(joint.trim_start()).unwrap_or(own);
        own = own.strip_suffix(joint.trim_end()).unwrap_or(own);
    }
    own.trim_end_matches(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_said_to_pass() {
        for all in [
            "All tests pass.",
            "All of the tests pass now.",
            "The tests all pass.",
            "Fixed; the whole suite passes.",
            "The loop stops one step earlier now; cargo test passes.",
            "`pytest` is green.",
            "All 12 tests pass ✅ and linting is clean ✅",
            "Everything passes.",
            "All green.",
            "All 12 pass, 0 failed.",
            "The test suite now passes",
            "12 of 12 tests pass, all green",
        ] {
            assert_eq!(scope(all), Some(Scope::All), "{all}");
        }
        for some in ["The loop stops one step earlier now, and 3 tests pass.", "12 passed", "3 of 3 tests pass."] {
            assert_eq!(scope(some), Some(Scope::Some), "{some}");
        }
        for none in [
            "7 of the 9 tests pass.",
            "The tests pass a clock to the board.",
            "The new test passes.",
            "The tests of the quay pass.",
            "Make sure that all tests pass.",
            "All tests should pass.",
            "Most tests pass.",
            "11 passed and 1 failed",
            "The lamp passes the quay.",
            "No tests pass.",
            "All ships pass the quay.",
        ] {
            assert_eq!(scope(none), None, "{none}");
        }
    }

    #[test]
    fn the_rest_of_a_sentence_stays() {
        let left = |sentence: &str| without(sentence, &|_| true);
        for (sentence, rest) in [
            ("The lamp is lit at dusk now, and 3 tests pass.", "The lamp is lit at dusk now."),
            ("All tests pass ✅ and linting is clean ✅", "Linting is clean ✅"),
            ("The tests pass and there are no dark lamps.", "There are no dark lamps."),
            ("Mended the lamp; the whole suite passes.", "Mended the lamp."),
            ("Mended the lamp, all tests pass, and the quay is dry.", "Mended the lamp, and the quay is dry."),
            ("All tests pass.", ""),
            ("Fixed; the whole suite passes.", ""),
            ("The lint and tests pass.", ""),
        ] {
            assert_eq!(left(sentence), rest, "{sentence}");
        }
    }

    #[test]
    fn lines_of_a_text_lose_their_claims() {
        let text = "Done.\n\n- Lit the lamp. All tests pass.\n- All 12 tests pass ✅\n- **Tests**: 3 of 9 pass";
        let left = "Done.\n\n- Lit the lamp.\n- **Tests**: 3 of 9 pass";
        assert_eq!(without_in(text, &|_| true), left);
    }
}
