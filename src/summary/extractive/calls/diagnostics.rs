//! Finds failures in an output whose status is hidden by a pager, a `; …` or a `|| …` after the command.

use super::command::first_step;
use super::complaint::{is_placed, names, with_next};
use super::count_words::{is_failure, names_passed};
use super::footer::counts;
use super::outcome::{DETAIL, may_show_log};
use super::output::own_lines;
use super::quiet::is_quiet_step;
use super::stated;
use super::zeros::counts_none;
use crate::facts::commands;
use crate::summary::extractive::sentences::sieve::Sieve;
use crate::summary::text::{all_digits, contains_any, cut, ends_any, fold, starts_any, words};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Texts that name an error in the output of compilers, test runners and package managers.
const DIAGNOSTICS: &[&str] = &[
    ": error ",
    ": error:",
    "error TS",
    "error[E",
    "--- FAIL",
    "Traceback (most recent",
    "npm ERR!",
    "panicked at",
    ": No module named ",
    ": can't open file ",
    ": command not found",
    "ERROR: file or directory not found: ",
    "ERROR: not found: ",
    "CONFLICT (",
    "npm error code",
    "curl: (",
    "[emerg]",
    "Segmentation fault",
    "Type error:",
    "SCRIPT ERROR",
    "TEST FAILED",
    "! Undefined control sequence",
];
/// Maximum length in bytes of a line that labels a count of errors, or states that checks failed.
const LABELED: usize = 80;
/// Options by which curl shows the status of a response.
const SHOWS_STATUS: &[&str] = &[" -I", " -sI", " -i ", " -si ", "--head ", "http_code"];

/// Texts of which every line about a failure has at least one.
static TELLING: LazyLock<Sieve> = LazyLock::new(|| Sieve::new(DIAGNOSTICS.iter().chain(&MARKS)));
/// The same of the other lines.
const MARKS: [&str; 9] =
    ["FAILED", "fail", "error", "Error", "Fail", ": E", ": F", "no tests ran in ", " deselected in "];

/// Maximum number of words looked at in a line where curl prints the status.
const WRITTEN: usize = 6;

/// The first line of an output that names an error or, if there is none, that states a failure: a log of what a test
/// tries may say “failed” too. Of a traceback, its last exception line.
pub(super) fn diagnostic(body: [&str; 2]) -> Option<String> {
    let states = |line: &str| {
        is_failed(line)
            || ran_nothing(line)
            || is_job(line)
            || counts_errors(line)
            || labels_errors(line)
            || is_verdict(line)
            || is_coded(line)
    };
    let find = |part: &str| {
        let tells = |line: &&str| (names(line, DIAGNOSTICS) || states(line)) && !counts_none(line);
        let mut lines = TELLING.lines(part).map(str::trim).filter(tells);
        let first = lines.next();
        let named = first.into_iter().chain(lines).find(|line| names(line, DIAGNOSTICS));
        let line = named.or(first).or_else(|| of_maven(part))?;
        let line = line.trim_matches(['=', ' ']);
        // A traceback ends with the exception.
        let traces = line.contains("Traceback (most recent");
        let ending = traces.then(|| own_lines(part).rfind(|line| is_exception(line))).flatten();
        Some(ending.map_or_else(|| with_next(line, body), fold))
    };
    let line = body.into_iter().find_map(find)?;
    Some(cut(&line, DETAIL).into_owned())
}

/// The first line with words in which Maven says why it stopped; its last line of that kind points at help.
fn of_maven(text: &str) -> Option<&str> {
    let says = |rest: &str| words(rest) > 2 && !rest.starts_with('[');
    let told = |line: &&str| line.strip_prefix("[ERROR] ").is_some_and(says);
    text.contains("[Help 1]").then(|| text.lines().map(str::trim).find(told)).flatten()
}

/// An exception line, such as `ValueError: bad`, `tides.errors.NoGauge: bad` or a bare `AssertionError`.
fn is_exception(line: &str) -> bool {
    let (name, said) = line.split_once(':').map_or((line.trim_end(), None), |(name, said)| (name, Some(said)));
    let is_name = |part: &str| {
        part.starts_with(|char: char| char.is_alphabetic() || char == '_')
            && part.chars().all(|char| char.is_alphanumeric() || char == '_')
    };
    let class = name.rsplit('.').next().unwrap_or_default();
    let is_class = class.starts_with(|char: char| char.is_uppercase());
    let of_type = ends_any(class, &["Error", "Exception", "Interrupt", "Exit"]);
    is_class && name.split('.').all(is_name) && (of_type || name.contains('.') && said.is_some())
}

/// The last line of pytest where no test ran: `=== no tests ran in 0.01s ===`, `=== 5 deselected in 0.02s ===`.
fn ran_nothing(line: &str) -> bool {
    let told = line.trim_matches(['=', ' ']);
    told.starts_with("no tests ran in ") || told.contains(" deselected in ") && counts(told).count() == 1
}

fn is_failed(line: &str) -> bool {
    line.len() <= 300 && (line.starts_with("FAILED") || line.ends_with("FAILED"))
}

/// A unit that systemd could not start: `Job for lamp.service failed because …`.
fn is_job(line: &str) -> bool {
    line.strip_prefix("Job for ")
        .is_some_and(|told| told.contains(".service failed") || told.contains(" failed because"))
}

fn counts_errors(line: &str) -> bool {
    let some = |(number, word): (&str, &str)| is_failure(word) && number.bytes().any(|digit| digit != b'0');
    // pytest announces that it stops.
    let counts = line.len() <= 300 && !line.contains(['{', '}']) && !line.starts_with("!!!") && counts(line).any(some);
    counts && !names_passed(line)
}

/// An error of a Python linter: `quay.py:3:0: E0602: …`, `quay.py:3:1: F821 …`.
fn is_coded(line: &str) -> bool {
    let Some((_, told)) = line.split_once(": ").filter(|_| is_placed(line)) else { return false };
    let code = told.split([' ', ':']).next().unwrap_or_default();
    let digits = code.strip_prefix(['E', 'F']).unwrap_or_default();
    (3..=4).contains(&digits.len()) && all_digits(digits)
}

/// A labeled count, such as `Files with errors: 1` or `Failures: 2`.
fn labels_errors(line: &str) -> bool {
    let Some((label, number)) = line.rsplit_once(": ").filter(|_| line.len() <= LABELED) else { return false };
    let counts = all_digits(number) && number.bytes().any(|digit| digit != b'0');
    let last = label.rsplit(' ').next().unwrap_or_default().to_lowercase();
    counts && is_failure(&last)
}

/// A verdict, such as `Some linting checks failed.`
fn is_verdict(line: &str) -> bool {
    let sentence = line.strip_suffix("failed.").or_else(|| line.strip_suffix("failed")).unwrap_or_default();
    let of_all = ends_any(sentence, &["checks ", "tests ", "check ", "test ", "validation ", "validations "]);
    of_all
        && line.len() <= LABELED
        && !sentence.starts_with(['0', '-', '*'])
        && !starts_any(&sentence.to_lowercase(), &["no ", "not ", "none "])
}

/// The error status (4xx or 5xx) of a response, if curl was asked to show it.
fn answered(command: &str, body: [&str; 2]) -> Option<String> {
    if !command.contains("curl ") || !contains_any(command, SHOWS_STATUS) {
        return None;
    }
    let refuses = |word: &str| word.len() == 3 && word.starts_with(['4', '5']) && all_digits(word);
    let line = body[1].lines().map(str::trim).rfind(|line| line.starts_with("HTTP/"));
    let shown = line.filter(|line| line.split(' ').nth(1).is_some_and(refuses)).map(fold);
    let last = body[1].trim_end().lines().next_back().unwrap_or_default();
    let words = last.split([' ', ':', '=', ',', '|', '>']).filter(|_| command.contains("http_code"));
    let mut all = words.filter(|word| !word.is_empty()).collect::<Vec<_>>();
    all.truncate(WRITTEN);
    let is_status = |word: &&str| word.len() == 3 && word.parse().is_ok_and(|status: u16| (100..600).contains(&status));
    let written = || all.into_iter().find(is_status).filter(|word| refuses(word));
    shown.or_else(|| written().map(|status| format!("HTTP {status}"))).map(|line| cut(&line, DETAIL).into_owned())
}

/// The status that a command prints itself: `…; echo "exit: $?"`.
pub(in crate::summary::extractive) fn echoed_status(command: &str, last: &str) -> Option<i32> {
    if !contains_any(command, &["$?", "PIPESTATUS"]) {
        return None;
    }
    let stated = |line: &str| {
        let lower = line.to_lowercase();
        let behind = lower[lower.rfind("exit")? + "exit".len()..].trim_start_matches([' ', '_', '-']);
        let behind = ["code", "status"].iter().fold(behind, |rest, word| rest.trim_start_matches(word));
        behind.trim_matches([' ', ':', '=', '"', '\'', '*', '-']).parse().ok()
    };
    // If there are several, none is that of the whole command.
    let mut all = last.lines().filter_map(stated);
    all.next().filter(|_| all.next().is_none())
}

/// Lines in lower case that are all that a server says where it refuses.
const REFUSALS: [&str; 9] = [
    "404 page not found",
    "404 not found",
    "bad gateway",
    "forbidden",
    "internal server error",
    "invalid session id",
    "not found",
    "service unavailable",
    "unauthorized",
];

/// The only line of an output, if it is one with which a server refuses.
fn refused(output: &str) -> Option<String> {
    let mut lines = own_lines(output);
    let line = lines.next().filter(|_| lines.next().is_none())?;
    let lower = line.trim_end_matches(['.', '!']).to_lowercase();
    REFUSALS.contains(&&*lower).then(|| fold(line))
}

/// What denies that a command worked: the answer of a service, or the last words of a step before the last one.
pub(super) fn denial(command: &str, output: &str, body: [&str; 2]) -> Option<String> {
    let asks = command.split_whitespace().next() == Some("curl");
    let by_service = || asks.then(|| stated::refusal(output.trim()).or_else(|| refused(output))).flatten();
    answered(command, body).or_else(by_service).or_else(|| broken_step(command, body))
}

/// Last words of builders whose build is broken.
const BROKEN: [&str; 6] = [
    "Failed to compile.",
    "error during build:",
    "error: could not compile `",
    "make: *** [",
    "ninja: build stopped:",
    "npm ERR! ",
];
/// Signs of a command whose steps may fail.
const TOLERATES: [&str; 4] = ["||", "if ", "for ", "while "];

/// The last words of a build before the last step, where each step does something else, and none may fail.
fn broken_step(command: &str, body: [&str; 2]) -> Option<String> {
    // Most commands have no such step, and most outputs no such line.
    if !command.contains("; ") || contains_any(command, &TOLERATES) || may_show_log(command) {
        return None;
    }
    let line = body.into_iter().flat_map(str::lines).map(str::trim).find(|line| starts_any(line, &BROKEN))?;
    let (mut steps, mut rest) = (Vec::new(), command);
    while let Some((step, others)) = first_step(rest) {
        steps.push((step.trim(), rest[step.len()..].starts_with(';')));
        rest = others;
    }
    steps.push((rest.trim(), false));
    steps.retain(|(step, _)| !is_quiet_step(step));
    let (_, before) = steps.split_last()?;
    let names: BTreeSet<String> =
        steps.iter().filter_map(|(step, _)| commands(step).pop_first()).map(|it| it.value).collect();
    let is_told = names.len() == steps.len() && before.iter().any(|(_, goes_on)| *goes_on);
    is_told.then(|| cut(line, DETAIL).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<String> {
        diagnostic([text, text])
    }

    #[test]
    fn a_server_that_refuses_says_no_more() {
        let of = |command: &str, said: &str| denial(command, said, [said, said]);
        for said in ["404 page not found", "Invalid session ID", "Not Found.\n"] {
            assert_eq!(of("curl -s quay.example/lamps", said).as_deref(), Some(said.trim()), "{said}");
        }
        assert_eq!(of("curl -s quay.example", "404 page not found\n7 lamps"), None);
        assert_eq!(of("./look", "Not Found"), None);
    }

    #[test]
    fn an_output_tells_a_failure_by_its_first_diagnostic() {
        for (text, told) in [
            (
                "Auto-merging a.rs\nCONFLICT (content): Merge conflict in a.rs",
                "CONFLICT (content): Merge conflict in a.rs",
            ),
            (
                "start\nsrc/a.ts(1,2): error TS2304: Cannot find name\nmore",
                "src/a.ts(1,2): error TS2304: Cannot find name",
            ),
            ("error[E0308]: mismatched types", "error[E0308]: mismatched types"),
            (
                "[Quay] Lamp 2 failed: 84 |\nsrc/a.ts(1,2): error TS2304: Cannot find name",
                "src/a.ts(1,2): error TS2304: Cannot find name",
            ),
            ("!!!! stopping after 1 failures !!!!\n=== 1 failed in 0.1s ===", "1 failed in 0.1s"),
            ("Traceback (most recent call last):\n  File \"a.py\"\nValueError: no tide", "ValueError: no tide"),
            (
                "Traceback (most recent call last):\n  File \"a.py\"\nharbour.core.NoGauge: no tide\n",
                "harbour.core.NoGauge: no tide",
            ),
            ("Traceback (most recent call last):\n  File \"a.py\"\n    assert 1\nAssertionError\n", "AssertionError"),
            (
                "------\nNameError         Traceback (most recent call last)\nCell In[1], line 1\n\nNameError: no tide",
                "NameError: no tide",
            ),
            ("/bin/bash: line 1: tide: command not found", "/bin/bash: line 1: tide: command not found"),
            ("Found 3 errors in 2 files", "Found 3 errors in 2 files"),
            ("Files processed: 1\nFiles with errors: 1", "Files with errors: 1"),
            ("Some linting checks failed.", "Some linting checks failed."),
            (
                "Job for lamp.service failed because the oil is out.",
                "Job for lamp.service failed because the oil is out.",
            ),
            ("ok\n--- FAIL: TestTide (0.0s)", "--- FAIL: TestTide (0.0s)"),
            ("/usr/bin/python: No module named lamptest", "/usr/bin/python: No module named lamptest"),
            ("collected 0 items\n\n=== no tests ran in 0.01s ===", "no tests ran in 0.01s"),
            ("collected 5 items\n=== 5 deselected in 0.02s ===", "5 deselected in 0.02s"),
            ("ERROR: not found: /quay/test_a.py::lamp\n(no match)", "ERROR: not found: /quay/test_a.py::lamp"),
            ("* Module a\na.py:3:0: E0602: no lamp", "a.py:3:0: E0602: no lamp"),
            ("a.py:3:1: F821 no lamp", "a.py:3:1: F821 no lamp"),
            (
                "[ERROR] The goal needs a POM in this directory -> [Help 1]\n[ERROR] [Help 1] http://tides.example",
                "[ERROR] The goal needs a POM in this directory -> [Help 1]",
            ),
            (
                "[ERROR] [ERROR] Some problems:\n[ERROR] No such BOM as that one\n[ERROR] [Help 1] http://tides.example",
                "[ERROR] No such BOM as that one",
            ),
        ] {
            assert_eq!(found(text).as_deref(), Some(told), "{text}");
        }
        for text in [
            "",
            "0 errors, 3 warnings",
            "PASS error TS",
            "let failed = 1;",
            "errors are shown",
            "Files with errors: 0",
            "No checks failed.",
            "=== 3 passed, 5 deselected in 0.02s ===",
            "None of the tests failed",
            "Not one test failed.",
            "Job for the keeper: light the lamp",
            "- tests failed",
            "error: 7 lamps",
            "a.py:3:0: W0602: no lamp",
            "a.py:3:0: E: no lamp",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn an_answer_with_another_status_than_success_is_one_where_it_is_shown() {
        let head = "HTTP/1.1 301 Moved\n\nHTTP/1.1 404 Not Found\nserver: x";
        assert_eq!(answered("curl -sI https://tides.example", [head, head]).as_deref(), Some("HTTP/1.1 404 Not Found"));
        assert_eq!(answered("curl https://tides.example", [head, head]), None);
        let written = "<p>no</p>503";
        let command = "curl -s -w '%{http_code}' https://tides.example";
        assert_eq!(answered(command, [written, written]).as_deref(), Some("HTTP 503"));
        assert_eq!(answered(command, ["404 text/html"; 2]).as_deref(), Some("HTTP 404"));
        assert_eq!(answered(command, ["200", "200"]), None);
    }

    #[test]
    fn a_command_may_print_its_status_itself() {
        assert_eq!(echoed_status("make | tail; echo \"EXIT: $?\"", "fine\nEXIT: 2\n"), Some(2));
        assert_eq!(echoed_status("make; echo exit_code=$?", "exit_code=0"), Some(0));
        assert_eq!(echoed_status("make a; echo exit=$?; make b; echo exit=$?", "exit=0\nexit=2"), None);
        assert_eq!(echoed_status("make", "exit code 3"), None);
    }
}
