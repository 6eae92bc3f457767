//! Verdicts: the lines with which test runners, builders and git report the result of a run.

use super::count_words::{
    FAILED_LABELS, FAILURES, PASSED_LABELS, PASSES, counts_of_run, is_failure, names_number, names_passed,
};
use super::outcome::DETAIL;
use super::output::is_wrapper;
use super::zeros::{counts_none, own_count};
use crate::summary::extractive::sentences::sieve::Sieve;
use crate::summary::text::{contains_any, cut, fold, is_number, starts_any};
use std::sync::LazyLock;

/// Maximum length of a verdict, in bytes.
const LONGEST: usize = 300;

/// The result of a run, in the words of its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RunVerdict {
    pub(super) line: String,
    pub(super) failed: bool,
}

impl RunVerdict {
    fn of(line: &str, failed: bool) -> Self {
        let bare =
            fold(line.strip_prefix("ok").filter(|rest| rest.trim_start_matches(' ').starts_with('\t')).unwrap_or(line));
        Self {
            line: cut(bare.trim_start_matches("[INFO] ").trim_matches(['=', '-', '#', 'ℹ', ' ']), DETAIL).into_owned(),
            failed,
        }
    }
}

/// A verdict from the last block of them in the last `lines` lines of a text: one that failed, else the last one that
/// does not only count zeros, else the last one.
pub(super) fn verdict(text: &str, lines: usize) -> Option<RunVerdict> {
    // Beside no count of what passed or failed, such a label is none of a run: “Upload failed: 404”.
    let own = |line: &str| own_count(line.trim());
    let counts: Vec<bool> = text.lines().rev().take(lines).filter_map(own).map(|(fails, _)| fails).collect();
    let both = counts.contains(&true) && counts.contains(&false);
    let of_own = |line| own(line).filter(|_| both).map(|(fails, number)| fails && number > 0);
    let verdicts = text.lines().rev().take(lines).map(|line| (line, says_failed(line).or_else(|| of_own(line))));
    let mut told = verdicts.peekable();
    let behind = std::iter::from_fn(|| told.next_if(|(_, failed)| failed.is_none()));
    let stops = |line: &&str| starts_any(line, &STOPS) && !is_wrapper(line);
    let stopped = behind.map(|(line, _)| line).filter(stops).reduce(|last, _| last);
    let block: Vec<(&str, bool)> = told.map_while(|(line, failed)| Some((line, failed?))).collect();
    let failed = block.iter().find(|(_, failed)| *failed);
    let counting = || block.iter().find(|(line, _)| !is_zero(line));
    let (line, failed) = failed.or_else(counting).or(block.first())?;
    // A commit or fetch may have worked before a later step failed.
    if let Some(stopped) = stopped.filter(|_| !failed && of_git(line.trim()).is_some()) {
        return Some(RunVerdict::of(stopped, true));
    }
    if !failed && is_package(line) {
        return Some(of_packages(text, line));
    }
    if starts_any(line.trim_start(), &LEGEND) {
        let compiled = text.lines().find(|line| line.trim_start().starts_with(COMPILED));
        return Some(RunVerdict::of(compiled.unwrap_or_default(), false));
    }
    // The last of several suites may have had no tests, and a build does not mention its tests.
    let built = line.trim_start().starts_with("Finished `");
    let most = (!failed && (built || passed(line) == Some(0))).then(|| most_passed(text, built)).flatten();
    Some(RunVerdict::of(most.unwrap_or(line), *failed))
}

/// Whether a line is Go's verdict on a package that passed.
fn is_package(line: &str) -> bool {
    line.trim_start().strip_prefix("ok").is_some_and(|rest| rest.trim_start_matches(' ').starts_with('\t'))
}

/// The verdict on the packages of Go: on the last one that has tests, and whether there are more.
fn of_packages(text: &str, last: &str) -> RunVerdict {
    let mut tested = text.lines().filter(|line| is_package(line) && !line.trim_end().ends_with("[no tests to run]"));
    let shown = tested.clone().next_back().unwrap_or(last);
    let RunVerdict { line, failed } = RunVerdict::of(shown, false);
    let more = if tested.nth(1).is_some() { ", and more packages" } else { "" };
    RunVerdict { line: line + more, failed }
}

/// The first of a tool's last words in the last `lines` lines of a text that say that it failed.
pub(super) fn last_words(text: &str, lines: usize) -> Option<&str> {
    let last = text.lines().rev().take(lines).map(str::trim);
    last.filter(|line| starts_any(line, &FATAL)).last()
}

/// The number of passed tests that a line counts.
fn passed(line: &str) -> Option<u64> {
    counts(line).find(|(_, verb)| PASSES.contains(verb)).and_then(|(number, _)| number.parse().ok())
}

/// The line with the largest count of passed tests, if none failed; after a build, only `test result:` lines.
fn most_passed(text: &str, built: bool) -> Option<&str> {
    let told = text.lines().filter_map(|line| Some((line, says_failed(line)?)));
    let mut best: Option<(u64, &str)> = None;
    for (line, failed) in told {
        if failed {
            return None;
        }
        let own = !built || line.trim_start().starts_with("test result: ");
        let Some(number) = passed(line).filter(|number| own && *number > 0) else { continue };
        if best.is_none_or(|(most, _)| number > most) {
            best = Some((number, line));
        }
    }
    best.map(|(_, line)| line)
}

/// Texts of which every verdict of failure has at least one.
static FAILING: LazyLock<Sieve> =
    LazyLock::new(|| Sieve::new(&["pass", "Pass", "PASS", "fail", "Fail", "FAIL", "Tests", "rejected]", ": ok="]));

/// Whether a number of failures in a sentence counts: where something passed, or a log is shown, it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sentences {
    Count,
    Tell,
}

/// The first verdict of failure in a text.
pub(super) fn failure(text: &str, sentences: Sentences) -> Option<String> {
    let line = FAILING.lines(text).find(|line| judged(line, sentences) == Some(true))?;
    Some(RunVerdict::of(line, true).line)
}

/// Whether a line is a verdict of success: “test result: ok. 3 passed; 0 failed”.
pub(in crate::summary::extractive) fn says_passed(line: &str) -> bool {
    says_failed(line) == Some(false)
}

/// Whether a verdict reports a failure; `None` if the line is no verdict.
fn says_failed(line: &str) -> Option<bool> {
    judged(line, Sentences::Tell)
}

fn judged(line: &str, sentences: Sentences) -> Option<bool> {
    let bare = line.trim();
    let is_noise = |word: &str| NOISE.iter().any(|noise| noise.eq_ignore_ascii_case(word));
    if line.len() > LONGEST || memchr::memchr2(b'{', b'}', line.as_bytes()).is_some() || is_noise(first_word(bare)) {
        return None;
    }
    let counts =
        |count: &Counted| !count.failed || count.surely || sentences == Sentences::Count && !names_passed(bare);
    let counted = || counted(bare).filter(counts).map(|count| count.failed);
    labeled(bare).or_else(|| named(bare)).or_else(|| of_git(bare)).or_else(|| of_hosts(bare)).or_else(counted)
}

/// Beginnings of the last words of a builder or tool that failed, which count nothing.
const FATAL: [&str; 22] = [
    "** BUILD FAILED **",
    "** TEST FAILED **",
    "-- Configuring incomplete, errors occurred!",
    "Build FAILED.",
    "ELIFECYCLE ",
    "ERROR: No matching distribution found",
    "ERROR: failed to solve:",
    "Error from server (",
    "Errors while running CTest",
    "Failed to compile.",
    "Oh no! ",
    "[ERROR] Failed to execute goal",
    "error Command failed with exit code",
    "error during build:",
    "error: Test failed",
    "error: could not compile `",
    "error: test failed, to rerun",
    "evaluation failed :(",
    "make: *** [",
    "ninja: build stopped:",
    "npm ERR! ",
    "npm error ",
];
/// Prefixes of lines with which git aborts.
const STOPS: [&str; 5] = ["fatal:", "error:", "Error:", "CONFLICT", "Automatic merge failed"];
/// First words of log lines.
const NOISE: [&str; 6] = ["error:", "warning:", "warn:", "info:", "at", "caused"];

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// Prefixes of lines in which each count follows its label.
const LABELED: [&str; 13] = [
    "Tests run:",
    "[INFO] Tests run:",
    "[WARNING] Tests run:",
    "[ERROR] Tests run:",
    "Tests:",
    "Passed!",
    "Failed!",
    "# PASS:",
    "# FAIL:",
    "# pass ",
    "# fail ",
    "ℹ pass ",
    "ℹ fail ",
];

/// Labeled counts: `Failed!  - Failed: 1, Passed: 11` (dotnet), `Tests run: 12, Failures: 0, Errors: 0` (Maven), `#
/// FAIL: 1` (automake), `# fail 1` (Node), `Tests: 12, Assertions: 30, Failures: 1.` (PHPUnit).
fn labeled(line: &str) -> Option<bool> {
    LABELED.iter().find(|start| line.starts_with(**start))?;
    let mut words = line.split([' ', ',', '!', '\t', '#', 'ℹ']).filter(|word| !word.is_empty()).peekable();
    let mut found = None;
    while let Some(word) = words.next() {
        let Some(number) = words.peek().and_then(|next| next.trim_end_matches('.').parse::<u64>().ok()) else {
            continue;
        };
        let label = word.trim_end_matches(':').to_lowercase();
        let names = word.ends_with(':') || ["pass", "fail"].contains(&word);
        if names && (FAILED_LABELS.contains(&&*label) || label == "errors") {
            found = Some(found == Some(true) || number > 0);
        } else if names && PASSED_LABELS.contains(&&*label) {
            found = found.or(Some(false));
        }
    }
    // Maven prints this for a part before it aborts.
    found.filter(|failed| *failed || !line.starts_with("[ERROR]"))
}

/// What Next.js prints below the routes that it built.
const LEGEND: [&str; 2] = ["○  (Static)", "ƒ  (Dynamic)"];
const COMPILED: &str = "✓ Compiled successfully";

/// Prefixes of verdicts, each with whether it is good.
const STARTS: [(&str, bool); 28] = [
    ("test result: FAILED", false),
    ("test result: ok", true),
    ("BUILD SUCCESS", true),
    ("[INFO] BUILD SUCCESS", true),
    ("BUILD FAILED", false),
    ("BUILD FAILURE", false),
    ("[INFO] BUILD FAILURE", false),
    ("[ERROR] BUILD FAILURE", false),
    ("Build succeeded", true),
    ("Finished `", true),
    ("FAILED (", false),
    ("FAILURES!", false),
    ("FAIL\t", false),
    ("--- FAIL", false),
    ("ok  \t", true),
    ("ok\t", true),
    ("OK (", true),
    ("✓ built in ", true),
    (COMPILED, true),
    ("Compiled successfully", true),
    ("Failed to compile", false),
    ("** BUILD SUCCEEDED **", true),
    ("** BUILD FAILED **", false),
    ("** TEST SUCCEEDED **", true),
    ("** TEST FAILED **", false),
    (LEGEND[0], true),
    (LEGEND[1], true),
    ("✅ All tests passed", true),
];

fn named(line: &str) -> Option<bool> {
    if line == "FAIL" || line.ends_with("Some tests failed.") {
        return Some(true);
    }
    let good = STARTS.iter().find(|(start, _)| line.starts_with(start)).map(|(_, good)| *good);
    let bundled = || line.strip_prefix("webpack ").filter(|rest| rest.contains("compiled successfully")).map(|_| true);
    let all = || line.ends_with("All tests passed!") || bare(line) == "ALL TESTS PASSED";
    good.or_else(bundled).or_else(|| all().then_some(true)).map(|good| !good)
}

/// A line without signs around it.
fn bare(line: &str) -> &str {
    line.trim_matches(|char: char| !char.is_alphanumeric())
}

/// Whether a line is git's report of a commit: `[main 0ac166e] Mend the lamp`.
pub(super) fn reports_commit(line: &str) -> bool {
    line.starts_with('[') && of_git(line) == Some(false)
}

/// Results of git: `[main 0ac166e] Mend the lamp`, and the last lines of a push; hooks may have printed much before.
fn of_git(line: &str) -> Option<bool> {
    if line.starts_with("! [rejected]") || line.starts_with("! [remote rejected]") {
        return Some(true);
    }
    let inner = line.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(inner, _)| inner);
    let hash = inner.and_then(|inner| inner.rsplit_once(' ')).map(|(_, hash)| hash);
    // A plain number may be a process id.
    let is_hash = |hash: &str| {
        let digits =
            hash.bytes().all(|byte| byte.is_ascii_hexdigit()) && hash.bytes().any(|byte| byte.is_ascii_alphabetic());
        (7..=40).contains(&hash.len()) && digits
    };
    let committed = hash.is_some_and(is_hash);
    let from = line.bytes().take_while(u8::is_ascii_hexdigit).count();
    let range = line[from..].strip_prefix("..").filter(|rest| {
        is_hash(&line[..from]) && rest.split_once("  ").is_some_and(|(to, refs)| is_hash(to) && refs.contains(" -> "))
    });
    (committed || range.is_some() || line.starts_with("* [new branch]")).then_some(false)
}

/// Ansible's recap: `web : ok=3 changed=1 unreachable=0 failed=1`.
fn of_hosts(line: &str) -> Option<bool> {
    if !line.contains(": ok=") {
        return None;
    }
    let fields =
        line.split_once(": ok=").map(|(_, fields)| fields).filter(|fields| fields.contains(" unreachable="))?;
    let bad = ["unreachable=", "failed="];
    let number = |field: &str| bad.iter().find_map(|name| field.strip_prefix(name)).is_some_and(is_some);
    Some(fields.split_whitespace().any(number))
}

/// What a line with counts says.
struct Counted {
    /// Tests failed.
    failed: bool,
    /// It is no number in a sentence.
    surely: bool,
}

/// Counts before their label: `1 failed, 2 passed in 0.1s`, `12 examples, 1 failure`, ` 3 pass` (Bun), `11/12 tests
/// passed.` (Zig).
fn counted(line: &str) -> Option<Counted> {
    let shouts = line.contains("FAIL") && !counts_none(line);
    // “Attempt 1 FAILED, retrying” counts nothing.
    let begins = line.starts_with(|char: char| char.is_ascii_digit()) || line.contains("PASSED");
    let line = if begins { line.replace("PASSED", "passed").replace("FAILED", "failed") } else { line.to_owned() };
    if !line.contains("pass") && !line.contains("fail") {
        return None;
    }
    let line = line.replace(" tests ", " ");
    let share = line.strip_suffix(" passed.").and_then(|share| share.split_once('/'));
    if let Some((Ok(passed), Ok(all))) = share.map(|(passed, all)| (passed.parse::<u64>(), all.parse::<u64>())) {
        return Some(Counted { failed: passed < all, surely: true });
    }
    if let [number, word @ ("pass" | "fail")] = *line.split_whitespace().collect::<Vec<_>>() {
        let number: u64 = number.parse().ok()?;
        return Some(Counted { failed: word == "fail" && number > 0, surely: true });
    }
    counts(&line).find(|(_, verb)| FAILURES.contains(verb) || PASSES.contains(verb))?;
    // Errors beside such counts are tests that could not run.
    let bad = |(number, verb): (&str, &str)| is_failure(verb) && is_some(number);
    // Beside a count of what passed, one of failures is one whatever the words.
    let surely = counts(&line).any(|(_, verb)| PASSES.contains(&verb)) || counts_of_run(&line);
    Some(Counted { failed: shouts || counts(&line).any(bad), surely })
}

fn is_some(number: &str) -> bool {
    number.bytes().any(|digit| digit != b'0')
}

/// Whether all counts in a line are zero: `0 fail`.
fn is_zero(line: &str) -> bool {
    let mut numbers = line.split(|char: char| !char.is_ascii_digit()).filter(|digits| !digits.is_empty()).peekable();
    numbers.peek().is_some() && numbers.all(|digits| !is_some(digits))
}

/// Pairs of a number and the word after it.
pub(super) fn counts(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let (mut before, mut first) = ("", "");
    line.split([' ', '\t', '(', '|', '=']).filter(|word| !word.is_empty()).filter_map(move |word| {
        let number = std::mem::replace(&mut before, word);
        let named = names_number(std::mem::replace(&mut first, number));
        let counts = is_number(number) && !named;
        counts.then(|| (number, word.trim_end_matches([',', ';', '.', ')', ':'])))
    })
}

/// Labels before the names of what passed, and of what failed.
const OF_PASSED: [&str; 8] = ["PASS: ", "PASSED: ", "PASS ", "OK: ", "ok: ", "✓ ", "✅ ", "✔ "];
const OF_FAILED: [&str; 6] = ["FAIL: ", "FAILED: ", "FAIL ", "✗ ", "❌ ", "✘ "];

/// The first line with a name that failed, of the ends of a text that is a list of such verdicts: `PASS: lamp`, `FAIL:
/// tide`.
pub(super) fn labeled_failure(ends: [&str; 2]) -> Option<String> {
    let may_be = |text: &&str| contains_any(text, &OF_FAILED);
    ends.into_iter().filter(may_be).find_map(|text| {
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && line.len() <= LONGEST);
        let count = |labels: &[&str]| lines().filter(|line| starts_any(line, labels)).count();
        let (passed, failed) = (count(&OF_PASSED), count(&OF_FAILED));
        // Labels among other text may be those of a log.
        let is_list = failed > 0 && passed > 0 && 2 * (passed + failed) > lines().count();
        is_list
            .then(|| lines().find(|line| starts_any(line, &OF_FAILED)).map(|line| RunVerdict::of(line, true).line))?
    })
}

/// The last line if it reports success without counts (linters, rebase), or the line before an `OK` of Python's
/// unittest, behind which Django says that it removes its database.
pub(super) fn clean(text: &str) -> Option<String> {
    let mut lines = text.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let line = lines.by_ref().find(|line| !line.starts_with("Destroying test database "))?;
    if line == "OK" {
        return lines.next().filter(|line| line.starts_with("Ran ")).map(|line| RunVerdict::of(line, false).line);
    }
    let clean = ["PASS", "0 issues.", "No errors found", "Successfully rebased"];
    starts_any(line, &clean).then(|| RunVerdict::of(line, false).line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<(String, bool)> {
        verdict(text, 12).map(|verdict| (verdict.line, verdict.failed))
    }

    #[test]
    fn a_host_that_failed_is_told() {
        let recap = |failed: u64| format!("quay : ok=3    changed=1    unreachable=0    failed={failed}    skipped=0");
        assert!(
            told(&recap(1)).is_some_and(|(_, failed)| failed) && told(&recap(0)).is_some_and(|(_, failed)| !failed)
        );
    }

    #[test]
    fn of_a_list_of_verdicts_those_that_failed_are_told() {
        let list = "PASS: lamp\nFAIL: tide\nFAIL: quay\nPASS: mole\n";
        assert_eq!(labeled_failure([list; 2]).as_deref(), Some("FAIL: tide"));
        for text in ["PASS: lamp\nPASS: tide", "FAIL: tide", "one\ntwo\nthree\nFAIL: tide\nPASS: lamp\nfour\nfive"] {
            assert_eq!(labeled_failure([text; 2]), None, "{text}");
        }
    }

    #[test]
    fn of_packages_one_with_tests_is_told() {
        let run = "ok  \tquay.example/lamp\t0.3s\nok  \tquay.example/tide\t(cached)\nok  \tquay.example/map\t0.1s [no tests to run]\n";
        assert_eq!(told(run), Some(("quay.example/tide (cached), and more packages".to_owned(), false)));
        assert_eq!(told("ok  \tquay.example/lamp\t0.3s\n"), Some(("quay.example/lamp 0.3s".to_owned(), false)));
        let django = "Ran 5 tests in 0.003s\n\nOK\nDestroying test database for alias 'quay'...\n";
        assert_eq!(clean(django).as_deref(), Some("Ran 5 tests in 0.003s"));
    }

    #[test]
    fn of_several_suites_the_largest_is_told() {
        let suite = |passed: u64| format!("test result: ok. {passed} passed; 0 failed; 0 ignored; finished in 0.1s\n");
        let run = format!("running 14 tests\n{}\n   Doc-tests quay\n\nrunning 0 tests\n\n{}", suite(14), suite(0));
        assert!(told(&run).is_some_and(|(line, failed)| line.contains("14 passed") && !failed), "{:?}", told(&run));
        let built = "    Finished `test` profile [unoptimized] target(s) in 0.04s\n";
        assert!(told(&format!("{}{built}", suite(3))).is_some_and(|(line, _)| line.contains("3 passed")));
        let other = format!("old run: 120 passed in 3s\n{built}");
        assert!(told(&other).is_some_and(|(line, _)| line.starts_with("Finished")));
        assert!(told(built).is_some_and(|(line, _)| line.starts_with("Finished")));
        assert!(told(&suite(0)).is_some_and(|(line, _)| line.contains("0 passed")));
    }

    #[test]
    fn runs_that_passed_say_so_behind_what_they_log() {
        for (footer, line) in [
            (" 1318 pass\n 0 fail\n 2881 expect() calls\nRan 1318 tests across 60 files.", "1318 pass"),
            ("# tests 12\n# pass 12\n# fail 0\n# cancelled 0", "pass 12"),
            ("Passed!  - Failed:     0, Passed:    12", "Passed! - Failed: 0, Passed: 12"),
            ("[INFO] Tests run: 12, Failures: 0, Errors: 0\n[INFO] BUILD SUCCESS", "BUILD SUCCESS"),
            ("OK (12 tests, 30 assertions)", "OK (12 tests, 30 assertions)"),
            ("00:03 +12: All tests passed!", "00:03 +12: All tests passed!"),
            ("100% tests passed, 0 tests failed out of 12", "100% tests passed, 0 tests failed out of 12"),
            ("ok  \ttides.example/quay\t0.4s", "tides.example/quay 0.4s"),
            ("# TOTAL: 12\n# PASS:  12\n# FAIL:  0", "PASS: 12"),
            ("✓ built in 2.1s", "✓ built in 2.1s"),
            (" ✓ Compiled successfully in 3.2s\n", "✓ Compiled successfully in 3.2s"),
            ("webpack 5.90.0 compiled successfully in 812 ms", "webpack 5.90.0 compiled successfully in 812 ms"),
            ("** BUILD SUCCEEDED **", "** BUILD SUCCEEDED **"),
            (
                " ✓ Compiled successfully\nRoute (app)\n├ ○ /quay\n└ ƒ /tides\n\n○  (Static)   prerendered\nƒ  (Dynamic)  on demand",
                "✓ Compiled successfully",
            ),
            ("└ ○ /quay 4 kB\n\n○  (Static)   prerendered as static content", ""),
            ("All 12 tests passed.", "All 12 tests passed."),
            ("PASSED: 12\nFAILED: 0", "PASSED: 12"),
            ("PASSED 12\nFAILED 0", "PASSED 12"),
            ("12 PASSED, 0 FAILED", "12 PASSED, 0 FAILED"),
            ("Total:  12\nPassed: 12\nFailed: 0\n\n  ALL TESTS PASSED!", "ALL TESTS PASSED!"),
            ("[main 0ac166e] Mend the lamp\n 2 files changed, 3 insertions(+)", "[main 0ac166e] Mend the lamp"),
            ("[main 0ac166e] Mend the lamp\nError: (none)\nExit Code: (none)", "[main 0ac166e] Mend the lamp"),
            ("To quay.example\n   0ac166e..1bd277f  main -> main", "0ac166e..1bd277f main -> main"),
        ] {
            let noise = "console.error\n    error: Tide 3 failed\n      at run (quay.ts:14:9)\n\n";
            assert_eq!(told(&format!("{noise}{footer}\n")), Some((line.to_owned(), false)), "{footer}");
        }
        assert_eq!(clean("....\nRan 12 tests in 0.2s\n\nOK\n").as_deref(), Some("Ran 12 tests in 0.2s"));
    }

    #[test]
    fn runs_that_failed_say_so_in_as_many_ways() {
        for (footer, line) in [
            (" 1317 pass\n 1 fail\nRan 1318 tests across 60 files.", "1 fail"),
            ("# pass 11\n# fail 1", "fail 1"),
            ("Failed!  - Failed:     1, Passed:    11", "Failed! - Failed: 1, Passed: 11"),
            ("[ERROR] Tests run: 12, Failures: 0, Errors: 2", "[ERROR] Tests run: 12, Failures: 0, Errors: 2"),
            ("[INFO] BUILD FAILURE", "BUILD FAILURE"),
            ("12 examples, 1 failure", "12 examples, 1 failure"),
            ("Failed to compile.\n", "Failed to compile."),
            ("Tests: 12, Assertions: 30, Failures: 1.", "Tests: 12, Assertions: 30, Failures: 1."),
            ("00:03 +11 -1: Some tests failed.", "00:03 +11 -1: Some tests failed."),
            ("92% tests passed, 1 tests failed out of 12", "92% tests passed, 1 tests failed out of 12"),
            ("  1 failed\n  11 passed (3.1s)", "1 failed"),
            ("11/12 tests passed.", "11/12 tests passed."),
            ("PASSED: 11\nFAILED: 1", "FAILED: 1"),
            ("11 PASSED, 1 FAILED", "11 PASSED, 1 FAILED"),
            ("2 passed, 1 error in 0.10s", "2 passed, 1 error in 0.10s"),
            ("[main 0ac166e] x\nTo quay.example\nfatal: unable to access it", "fatal: unable to access it"),
            (
                "   0ac166e..1bd277f  main -> main\nerror: could not apply 3f2a: tides",
                "error: could not apply 3f2a: tides",
            ),
            ("Test Suites: 1 failed, 1 total\nTests:       3 passed, 3 total", "Test Suites: 1 failed, 1 total"),
            (
                "[main 0ac166e] x\n ! [rejected]        main -> main (fetch first)",
                "! [rejected] main -> main (fetch first)",
            ),
        ] {
            assert_eq!(told(footer), Some((line.to_owned(), true)), "{footer}");
        }
    }

    #[test]
    fn other_lines_are_no_verdicts() {
        for line in [
            "error: Tide 3 failed",
            "[pid 1234567] killed",
            "[ERROR] Tests run: 12, Failures: 0, Errors: 0",
            "Warning: 2 failed logins",
            "let failed = 1;",
            "2 pass the quay",
            "Tests: none",
            "Passed: 41",
            "",
        ] {
            assert_eq!(told(line), None, "{line}");
        }
        assert_eq!(failure("12 passed\n2 failed\n1 failed", Sentences::Tell).as_deref(), Some("2 failed"));
        let told = "10 failures lock the account";
        assert_eq!(failure(told, Sentences::Count).as_deref(), Some(told));
        assert_eq!(failure(told, Sentences::Tell), None);
    }
}
