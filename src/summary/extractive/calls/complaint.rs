//! Finds the line of an output that says what went wrong; empty if there is none.

use super::cut_short::timed_out;
use super::footer::says_passed;
use super::outcome::DETAIL;
use super::output::{is_success, is_wrapper, lines, own_lines};
use super::zeros::counts_none;
use crate::summary::extractive::words::COMPLAINS;
use crate::summary::text::{contains_any, cut, first_bytes, fold, has_any, is_number, starts_any, words};

/// Labels before a command that a harness quotes in a list of shells (Copilot CLI).
const QUOTES: [&str; 2] = ["current command:", "last command:"];
/// Minimum length of a line that can be an echo of the command, in bytes.
const ECHO: usize = 4;
/// Number of bytes in which a line begins to say something.
const START: usize = 40;
/// Maximum length of a line that can state an error, in bytes.
const LONGEST: usize = 400;
/// Minimum number of words of a sentence that says why a command did not run.
const FEWEST: usize = 5;
/// Maximum number of lines after an opening in which its first point is looked for.
const BELOW: usize = 6;

/// Beginnings of a failed result.
const STARTS: &[&str] = &[
    "error:",
    "error ",
    "traceback",
    "fatal:",
    "exception",
    "<tool_use_error>",
    "panic:",
    "your proposed edit has introduced",
    "aborted by user",
    "exec command rejected by user",
    "no replacement was performed",
];
/// Beginnings of a failed result that lists the problems before it shows code.
const OPENINGS: &[&str] = &["your proposed edit has introduced"];

/// Texts that name an error.
const ERRORS: &[&str] = &[
    "error:",
    "error[",
    "error TS",
    "Error:",
    "Exception:",
    "fatal:",
    "panic:",
    "panicked at",
    "[rejected]",
    "[remote rejected]",
    "FAIL",
    "(fail)",
    "✗",
    "✕",
    "✘",
    "❌",
];
/// Texts by which script runners report any failure.
const VAGUE: &[&str] = &[
    "task failed",
    "ommand failed",
    "ELIFECYCLE",
    "exited with code",
    "npm ERR! code",
    "*** [",
    "Build failed in ",
    "failed to push some refs",
    "!!! stopping after ",
];
/// Texts that may name an error but also occur in logs and searches.
const HINTS: &[&str] = &["ERROR", "not found"];
/// Beginnings of lines of code.
const CODE: &[&str] = &[
    "except ",
    "} catch",
    "catch ",
    "raise ",
    "throw ",
    "return ",
    "def ",
    "fn ",
    "func ",
    "function ",
    "import ",
    "use ",
    "const ",
    "let ",
    "var ",
    "if ",
    "elif ",
    "//",
    "/*",
];
/// Prefixes of a line with which a program aborts.
const STOPS: &[&str] =
    &["fatal:", "error:", "Error:", "ERROR:", "ssh:", "panic:", "npm ERR!", "npm error", "CONFLICT ("];

/// Texts of lines after which a program goes on.
const GOES_ON: [&str; 7] = ["continu", "fall back", "falling back", "ignor", "retries", "retry", "skip"];
/// Minimum number of letters of a single word that is a reason: “AuthenticationFailed”.
const TELLING: usize = 8;
/// Texts behind “error:” of a line that tells of none.
const NONE: [&str; 4] = ["0", "no error", "none", "nothing"];

/// Prefixes of lines that a program prints for whoever debugs it (`ssh -v`, loggers).
const DEBUGS: &[&str] =
    &["debug1:", "debug2:", "debug3:", "debug:", "DEBUG:", "DEBUG ", "[debug]", "[DEBUG]", "TRACE "];
/// Texts of lines that only warn.
const WARNS: [&str; 2] = ["deprecat", "warning"];

/// Verdicts without any detail.
const BARE: &[&str] = &["FAIL", "FAILED", "BUILD FAILED", "test result: FAILED"];
/// Prefixes of lines that name what failed.
const NAMING: &[&str] = &["--- FAIL: ", "FAIL ", "FAIL\t", "FAILED ", "E   ", "✗ ", "✕ ", "not ok ", "(fail) "];

pub(super) fn begins_with_error(text: &str) -> bool {
    let start = first_bytes(text.trim_start(), START).to_lowercase();
    starts_any(&start, STARTS) && !text.trim_start().lines().next().is_some_and(counts_none)
}

/// What went wrong, in the words of the tool or of the command's output, cut to [`DETAIL`] characters; “exit code N”
/// if no line says it.
pub(super) fn complaint(body: [&str; 2], status: Option<i32>, command: Option<&str>) -> String {
    let line = said(body, command).map(|line| with_next(line, body)).unwrap_or_default();
    match status {
        Some(status) if line.is_empty() => format!("exit code {status}"),
        _ => cut(line.trim_end_matches("</tool_use_error>"), DETAIL).into_owned(),
    }
}

/// The line that says what went wrong: an opening, a line that names an error, or one that sounds like trouble. For a
/// tool other than a command, the first line is the fallback; a command may print anything.
fn said<'t>(body: [&'t str; 2], command: Option<&str>) -> Option<&'t str> {
    let debugs = |line: &str| starts_any(line, DEBUGS);
    said_beside(body, command, &debugs).or_else(|| said_beside(body, command, &|_| false))
}

/// The same among the lines that are not `skipped`.
fn said_beside<'t>(
    [first, last]: [&'t str; 2],
    command: Option<&str>,
    skipped: &dyn Fn(&str) -> bool,
) -> Option<&'t str> {
    let is_good = |line: &str| is_success(line) || says_passed(line) || counts_none(line);
    let is_detail = |line: &str| is_source(line) || skipped(line);
    let is_told = |line: &&str| !is_echo(line, command.unwrap_or_default()) && !is_detail(line) && !is_good(line);
    let lines = |part| lines(part).filter(is_told);
    let is_vague = |line: &str| contains_any(line, VAGUE);
    let named = |words: &'static [&'static str], vague: bool| {
        let names = move |line: &&str| names(line, words) && is_vague(line) == vague;
        lines(first).find(names).or_else(|| lines(last).filter(names).last())
    };
    let find = |tells: &dyn Fn(&&str) -> bool| lines(first).find(tells).or_else(|| lines(last).filter(tells).last());
    let exact = || find(&|line| tells_trouble(line) && !warns(line) && !is_vague(line));
    let troubled = || find(&|line| tells_trouble(line) && !warns(line)).or_else(|| find(&tells_trouble));
    let own = || lines(first).find(|line| words(line) >= 3 && !line.ends_with('>')).or_else(|| lines(first).next());
    lines(first)
        .next()
        .filter(|line| is_opening(line))
        .or_else(|| late([first, last]))
        .or_else(|| named(ERRORS, false))
        .or_else(|| named(HINTS, false))
        .or_else(exact)
        .or_else(|| named(ERRORS, true))
        .or_else(|| named(HINTS, true))
        .or_else(troubled)
        .or_else(|| own().filter(|_| command.is_none()))
}

/// Words with which a harness refuses.
const REFUSES: [&str; 18] = [
    "blocked",
    "can't",
    "cannot",
    "closed",
    "denied",
    "disabled",
    "forbidden",
    "must",
    "not allowed",
    "not available",
    "not permitted",
    "not supported",
    "only",
    "refused",
    "rejected",
    "required",
    "unavailable",
    "until",
];

/// The first sentence of a short text of prose, in which a harness says why it did not run a command.
pub(super) fn sentence(text: &str) -> Option<String> {
    let line =
        lines(text).next().filter(|line| text.trim().len() <= LONGEST && line.starts_with(char::is_uppercase))?;
    let end = line.find(". ").map_or(line.len(), |end| end + 1);
    let is_prose = line[..end].ends_with('.') && words(&line[..end]) >= FEWEST && !is_source(line);
    let lower = line[..end].to_lowercase();
    let refuses = has_any(&lower, &REFUSES);
    (is_prose && refuses).then(|| cut(&fold(&line[..end]), DETAIL).into_owned())
}

/// The first or last line of an output, if it says that the command was ended since it took too long.
fn late([first, last]: [&str; 2]) -> Option<&str> {
    let ends = [own_lines(last).next_back(), own_lines(first).next()];
    ends.into_iter().flatten().find(|line| timed_out(line))
}

/// Whether a line only warns.
fn warns(line: &str) -> bool {
    let lower = line.to_lowercase();
    contains_any(&lower, &WARNS)
}

/// A line folded, joined with the next one if it ends in a colon, or with the first point below an opening.
pub(super) fn with_next(line: &str, body: [&str; 2]) -> String {
    if is_opening(line) {
        let below = body[0].lines().map(str::trim).skip_while(|other| *other != line).skip(1).take(BELOW);
        let point = below.into_iter().find_map(|line| line.strip_prefix("- "));
        let opening = line.split_once(". ").map_or(line, |(opening, _)| opening);
        return point.map_or_else(|| fold(line), |point| fold(&format!("{opening}: {point}")));
    }
    let behind = |part| lines(part).skip_while(|other| *other != line).nth(1);
    match body.into_iter().find_map(behind).filter(|_| line.ends_with(':')) {
        Some(next) => fold(&format!("{line} {next}")),
        None => fold(line),
    }
}

fn is_opening(line: &str) -> bool {
    let start = first_bytes(line.trim_start_matches('['), 60).to_lowercase();
    starts_any(&start, OPENINGS)
}

/// Whether a line only repeats part of the command.
fn is_echo(line: &str, command: &str) -> bool {
    line.len() >= ECHO && command.contains(line) || starts_any(line, &QUOTES)
}

/// Whether a line is code: numbered like a listing, or with a start or end that only code has.
fn is_source(line: &str) -> bool {
    let behind = line.trim_start_matches(|char: char| char.is_ascii_digit());
    let is_place = behind.get(1..).is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_digit()));
    let signs = [':', '|', '│', '→', '\t'];
    let numbered = behind.len() < line.len() && behind.trim_start_matches(' ').starts_with(signs) && !is_place;
    numbered || line.ends_with([';', '{']) || starts_any(line, CODE)
}

/// Whether a line sounds like trouble without naming an error: by a word, or since it starts with a position in a
/// file like a compiler message.
fn tells_trouble(line: &&str) -> bool {
    let lower = line.to_lowercase();
    let goes_on = line.ends_with("...") || line.ends_with('…');
    !goes_on && (is_placed(line) || contains_any(&lower, COMPLAINS))
}

/// Whether a line starts with a position: `quay.go:14:2: …`, `quay.ts(14,2): …`.
pub(super) fn is_placed(line: &str) -> bool {
    let Some((place, _)) = line.split_once(": ") else { return false };
    let mut pieces = place.trim_end_matches(')').rsplit([':', ',', '(']);
    let numbered = |piece: Option<&str>| piece.is_some_and(is_number);
    numbered(pieces.next()) && numbered(pieces.next()) && pieces.next().is_some_and(|path| path.contains('.'))
}

/// Whether a program aborts with a line.
fn stops(line: &&str) -> bool {
    let starts = || starts_any(line, STOPS);
    line.len() <= LONGEST && starts() && !is_source(line) && !is_wrapper(line) && !counts_none(line)
}

/// The line with which a program aborts, if its output ends with it: it is no warning of a program that goes on.
pub(super) fn aborted(last: &str) -> Option<String> {
    let line = own_lines(last).next_back().filter(stops)?.to_lowercase();
    if contains_any(&line, &GOES_ON) || is_value(&line) {
        return None;
    }
    stop(["", last])
}

/// Whether a line in lower case gives a number or a single word, and no reason: “error: 0.013”, “error: none”.
fn is_value(line: &str) -> bool {
    let Some((_, reason)) = line.split_once(':') else { return false };
    let mut words = reason.split_whitespace();
    let first = words.next().unwrap_or_default();
    let has_letter = |word: &str| word.contains(char::is_alphabetic);
    let is_long = first.chars().count() >= TELLING;
    starts_any(reason.trim_start(), &NONE)
        || !first.starts_with(|char: char| !char.is_ascii_digit())
        || !is_long && !words.any(has_letter)
}

/// The last line with which a program aborts; of several in a row the first, which gives the reason.
pub(super) fn stop(body: [&str; 2]) -> Option<String> {
    let line = body[1].lines().rev().skip_while(|line| !stops(line)).take_while(stops).last()?;
    Some(cut(&with_next(line.trim_end(), [body[1], ""]), DETAIL).into_owned())
}

/// A verdict, or a more telling line instead of it if the verdict neither counts nor names anything.
pub(super) fn telling(verdict: String, body: [&str; 2]) -> String {
    // A count of failures says more than any other line, except one that names what failed.
    let counts = verdict.ends_with(" fail");
    let refused = verdict.starts_with("! [");
    if !counts && !refused && !BARE.contains(&verdict.trim_end_matches(['.', '!', ':'])) {
        return verdict;
    }
    let names = |line: &&str| starts_any(line, NAMING);
    let named = body.into_iter().find_map(|part| part.lines().map(str::trim).find(names));
    let named = named.map(|line| cut(&fold(line), DETAIL).into_owned());
    let other =
        || Some(complaint(body, None, Some(""))).filter(|line| !BARE.contains(&line.as_str()) && !line.is_empty());
    named.or_else(|| other().filter(|_| !counts)).unwrap_or(verdict)
}

pub(super) fn names(line: &str, words: &[&str]) -> bool {
    line.len() <= LONGEST && contains_any(line, words) && !is_success(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_behind_a_label_is_no_abort() {
        for line in ["error: 0.013", "Error: 2.1 % of all", "ERROR: none", "Error: no errors", "error: retrying in 5 s"]
        {
            assert_eq!(aborted(line), None, "{line}");
        }
        assert_eq!(aborted("error: permission denied").as_deref(), Some("error: permission denied"));
    }

    fn told(output: &str, status: Option<i32>) -> String {
        complaint([output, output], status, Some("make harbour"))
    }

    #[test]
    fn a_command_that_a_list_of_shells_quotes_is_no_complaint() {
        let listed = "shellId: 3 was already stopped.\n\nActive shell sessions:\n  shellId: 1, status: completed\n    current command: cat lamp.md || echo \"not found\"";
        assert_eq!(complaint([listed, listed], None, None), "shellId: 3 was already stopped.");
    }

    #[test]
    fn a_line_for_who_debugs_a_program_is_no_complaint() {
        let ssh = "debug1: provider $LAMP did not resolve; disabling\ndebug2: no key found\ngit@quay: Permission denied (publickey).";
        assert_eq!(told(ssh, Some(255)), "git@quay: Permission denied (publickey).");
        assert_eq!(told("[debug] Error: the lamp timed out", Some(1)), "[debug] Error: the lamp timed out");
    }

    #[test]
    fn what_only_says_that_something_failed_stands_behind_the_reason() {
        let pushed = "To https://quay.example/map.git\n ! [rejected]        main -> main (non-fast-forward)\nerror: failed to push some refs to 'https://quay.example/map.git'";
        assert_eq!(told(pushed, Some(1)), "! [rejected] main -> main (non-fast-forward)");
        let built = "x Build failed in 215ms\nerror during build:\n[vite]: Rollup failed to resolve import \"lamp\" from \"quay.ts\".";
        let why = "error during build: [vite]: Rollup failed to resolve import \"lamp\" from \"quay.ts\".";
        assert_eq!(told(built, Some(1)), why);
        assert_eq!(told("x Build failed in 215ms", Some(1)), "x Build failed in 215ms");
    }

    #[test]
    fn what_reports_success_or_progress_is_no_detail() {
        for output in [
            "ok quay/tides 0.308s\nlamps lit",
            "Lamps pass 3s https://lamps.example",
            "Building the quay ...\nTides: 7 of 9",
            "test tides::rejects_invalid ... ok",
            "✓ rejects an unknown lamp",
            "test result: ok. 3 passed; 0 failed\n./light.sh: 7: the pier is closed",
            "You've successfully signed in, but the harbour does not open at night.",
        ] {
            assert_eq!(told(output, Some(8)), "exit code 8", "{output}");
        }
        assert_eq!(told("Lighting 7 lamps", None), "");
    }

    #[test]
    fn code_is_no_detail() {
        for output in ["14: except TideError as error:", "throw new Error(\"Error: no tide\");", "7 │ + ····\"abort\","]
        {
            assert_eq!(told(output, Some(1)), "exit code 1", "{output}");
        }
    }

    #[test]
    fn a_line_that_tells_of_trouble_is_one() {
        for line in [
            "quay.go:14:2: declared and never lit",
            "src/quay.ts(14,2): lamp has no light",
            "bash: lamp: command not found",
            "The lamp is not allowed to burn.",
            "连接失败：港口",
        ] {
            assert_eq!(told(&format!("Lighting the lamps\n{line}\nDone"), Some(1)), line);
        }
    }

    #[test]
    fn a_long_line_that_tells_of_trouble_is_told_before_what_explains_it() {
        let long = format!("quay.ts(1,2): error TS1: {} is no lamp", "lamp ".repeat(100));
        let told = told(&format!("{long}\nThe lamp does not exist."), Some(1));
        assert!(told.starts_with("quay.ts(1,2): error TS1: lamp"), "{told}");
    }

    #[test]
    fn a_tool_tells_why_it_failed_with_its_first_words() {
        let told = |output: &str| complaint([output, ""], None, None);
        assert_eq!(told("The lamp takes an oil, and no water.\nmore"), "The lamp takes an oil, and no water.");
        assert_eq!(told("<call>\nThe lamp takes an oil, and no water."), "The lamp takes an oil, and no water.");
    }

    #[test]
    fn what_ends_a_command_is_told_before_what_it_warns_of() {
        let warned = "[lamps] oil_ratio is deprecated and will be removed. Use `oil` instead.\nLighting: 78%\n";
        for end in ["Command timed out after 180 seconds", "The lamp is not allowed to burn."] {
            assert_eq!(told(&format!("{warned}\n{end}"), None), end);
        }
        assert_eq!(
            told("error: no oil\n\nCommand timed out after 9 seconds", None),
            "Command timed out after 9 seconds"
        );
        assert!(told(warned, None).starts_with("[lamps] oil_ratio is deprecated"));
        assert_eq!(told("/quay/python: No module named lamp", Some(1)), "/quay/python: No module named lamp");
    }

    #[test]
    fn an_opening_is_told_with_its_first_point() {
        let refused = "Your proposed edit has introduced new syntax error(s). Please try again.\n\nERRORS:\n- E999 SyntaxError: unmatched ')'\n\nThis is how it would look\n14: except TideError as error:\n";
        let line = "Your proposed edit has introduced new syntax error(s): E999 SyntaxError: unmatched ')'";
        assert_eq!(complaint([refused, refused], None, None), line);
    }

    #[test]
    fn a_program_says_with_its_last_lines_that_it_stops() {
        let stopped = |output: &str| stop([output, output]);
        assert_eq!(stopped("Pulling\nfatal: no harbour\n\nPlease ask.\n").as_deref(), Some("fatal: no harbour"));
        assert_eq!(stopped("ssh: no route\nfatal: no harbour\n").as_deref(), Some("ssh: no route"));
        for output in ["Error: (none)\n", "  error: indented\n", "lamps: 7\n", "error: {\n"] {
            assert_eq!(stopped(output), None, "{output}");
        }
    }
}
