//! How a call ended, by the flags and the first and last lines of its result only: results can be huge.

use super::absent::{finds_nothing, shows_nothing};
use super::command::{ends_with_look, ends_with_search, tells_status};
use super::complaint::{aborted, begins_with_error, complaint, sentence, stop, telling};
use super::cut_short::{ended, served, watches};
use super::diagnostics::{denial, diagnostic, echoed_status};
use super::edits::refusal;
use super::footer::{RunVerdict, Sentences, clean, failure, labeled_failure, last_words, verdict};
use super::output::{lines, output, unlabeled};
use super::polled;
use super::refusal::is_refused;
use super::run::Command;
use super::script;
use super::shown_logs::before_logs;
use super::stated;
use super::verbs;
use crate::summary::extractive::sentences::sieve::Sieve;
use crate::summary::extractive::words::{HARNESS_ERRORS, QUIET_PROGRAMS};
use crate::summary::text::{contains_any, cut, first_bytes, last_bytes, starts_any};
use crate::transcript::Status;
use memchr::memmem;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Bytes looked at at each end of a result.
pub(in crate::summary::extractive) const ENDS: usize = 2_000;
/// Bytes at each end that can have an exit status.
const STATUS: usize = 400;
/// Lines at each end that can have a verdict.
const LINES: usize = 12;
/// Such lines for a call that is known to have failed.
const ALL: usize = 200;
pub(super) const DETAIL: usize = 160;
/// Maximum size of a result that is parsed as an object, in bytes.
pub(in crate::summary::extractive) const LARGEST_OBJECT: usize = 16_000;

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::summary::extractive) enum CallOutcome {
    /// Its result is missing.
    Unknown,
    /// It worked; the text is the result's statement on that, or empty.
    Done(String),
    /// It ended, but whether it worked is unknown.
    Ended,
    /// It failed; the text is the line of its error.
    Failed(String),
    /// It was not executed: a person or the harness refused it.
    Refused,
    /// It still runs in the background.
    Running,
}

/// What is known about a result besides its text.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::summary::extractive) struct Flags {
    /// The tool flags a failure.
    pub(in crate::summary::extractive) error: bool,
    /// The exit status of its command.
    pub(in crate::summary::extractive) status: Option<i32>,
    /// The tool flags failures, and did not flag this result.
    pub(super) unflagged: bool,
}

impl Flags {
    /// The flags of a result.
    pub(in crate::summary::extractive) fn of(error: bool, status: Option<Status>) -> Self {
        let exit = if let Some(Status::Exit(code)) = status { Some(code) } else { None };
        Self { error, status: exit, unflagged: status == Some(Status::Unflagged) }
    }

    /// The exit status by the flags; zero if failures are flagged and this one is not.
    fn stated(self) -> Option<i32> {
        self.status.or(self.unflagged.then_some(0))
    }
}

impl CallOutcome {
    /// The outcome of a call in its shown form, by a result. It counts as worked if its tool flags failures, or if the
    /// result says so.
    pub(super) fn of_call(shown: &str, result: &str, flags: Flags) -> Self {
        match Self::by(shown, result, flags) {
            Self::Done(detail) if detail.is_empty() => {
                let status = flags.stated().or_else(|| stated_status(result));
                let is_proven = status == Some(0) && !stated::denies(result);
                if is_proven || stated::says_well(shown, unlabeled(result)) { Self::Done(detail) } else { Self::Ended }
            }
            ended => ended,
        }
    }

    /// The outcome by a result.
    pub(super) fn of(result: &str, flags: Flags) -> Self {
        Self::by("", result, flags)
    }

    fn by(shown: &str, result: &str, flags: Flags) -> Self {
        if is_refused(result) {
            return Self::Refused;
        }
        if let Some(why) = stated::failure(shown, unlabeled(result)) {
            return Self::Failed(why);
        }
        let flags = Flags { status: flags.stated().or_else(|| stated_status(result)), ..flags };
        let output = output(result);
        match Self::told(&output, flags, None) {
            Self::Done(detail)
                if detail.is_empty() && flags.status.is_none() && verbs::runs_or_changes(tool(shown)) =>
            {
                aborted(last_bytes(&output, ENDS)).map_or(Self::Done(detail), Self::Failed)
            }
            told => told,
        }
    }

    /// The outcome of a command: it counts as worked only by its status or by a count of passes.
    pub(super) fn of_run(command: &str, result: &str, flags: Flags) -> Self {
        if is_refused(result) && flags.status != Some(0) {
            return Self::Refused;
        }
        if let Some(said) = ended(result) {
            return if served(result, said) { Self::Ended } else { Self::Failed(said.to_owned()) };
        }
        let printed = output(result);
        let output = before_logs(command, &printed);
        let body = [first_bytes(output, ENDS), last_bytes(output, ENDS)];
        let stated = flags.stated().or_else(|| stated_status(result));
        let echoed = echoed_status(command, last_bytes(&printed, ENDS));
        let status = echoed.or_else(|| stated.filter(|_| tells_status(command)));
        // The status of a look at the end, at nothing: `make; ls quay`.
        let looked = echoed.is_none() && matches!(stated, Some(1 | 2)) && ends_with_look(command);
        let known = match status.filter(|status| *status != 0).or(stated) {
            _ if looked => Flags::default(),
            // The status of what only cuts the output: `cargo test | tail`.
            Some(0) if status.is_none() => Flags { status: None, ..flags },
            status => Flags { status, ..flags },
        };
        match Self::told(output, known, Some(command)) {
            Self::Done(detail) => match denial(command, output, body) {
                Some(refused) => Self::Failed(refused),
                None if status == Some(0) => Self::zero(detail, flags.unflagged && echoed.is_none(), body),
                None => {
                    // Other lines with which a program aborts may be warnings of one that goes on.
                    let is_last = |line: &String| starts_any(line, &["fatal: ", "ssh: "]);
                    let ends = || aborted(body[1]).filter(|_| !may_show_log(command));
                    let stopped = || stop(body).filter(is_last).or_else(ends).filter(|_| detail.is_empty());
                    let tells = !detail.is_empty() || may_show_log(command);
                    failing(&detail, body, if tells { Sentences::Tell } else { Sentences::Count })
                        .or_else(stopped)
                        .map_or_else(|| Self::unproven(detail), Self::Failed)
                }
            },
            Self::Failed(_) if ends_with_search(command) && is_empty(result) => Self::Ended,
            Self::Failed(_) if greets(command, body[1]) => Self::Done(String::new()),
            ended => ended,
        }
    }

    /// The outcome of a command with status zero, or that its tool did not flag. A line with which a program aborts,
    /// and no verdict, outweighs a missing flag.
    fn zero(detail: String, unflagged: bool, body: [&str; 2]) -> Self {
        match stop(body).filter(|_| detail.is_empty()) {
            Some(line) if unflagged => Self::Failed(line),
            Some(_) => Self::Ended,
            None => Self::Done(detail),
        }
    }

    fn unproven(detail: String) -> Self {
        if detail.is_empty() { Self::Ended } else { Self::Done(detail) }
    }

    /// The outcome of a call that changes files, by the words before any text of a file.
    pub(super) fn of_change(result: &str, flags: Flags) -> Self {
        if is_refused(result) {
            return Self::Refused;
        }
        let status = flags.stated().or_else(|| exit_status(first_bytes(result, STATUS)));
        let output = output(result);
        let failed = flags.error || status.is_some_and(|status| status != 0);
        match refusal(&output) {
            Some(line) => Self::Failed(line),
            None if failed => Self::Failed(complaint([first_bytes(&output, ENDS), ""], status, None)),
            None => Self::Done(String::new()),
        }
    }

    /// The outcome by an output; the flags have the status already.
    fn told(output: &str, Flags { error, status, .. }: Flags, command: Option<&str>) -> Self {
        let (first, last) = (first_bytes(output, ENDS), last_bytes(output, ENDS));
        if error || status.is_some_and(|status| status != 0) {
            // A count of failures comes first; the details can be many lines.
            let of = |part| verdict(part, ALL).filter(|verdict| verdict.failed);
            return Self::Failed(match of(last).or_else(|| of(first)) {
                Some(verdict) => telling(verdict.line, [first, last]),
                None => {
                    let line = complaint([first, last], status, command);
                    Some(line).filter(|line| !line.is_empty()).or_else(|| sentence(output)).unwrap_or_default()
                }
            });
        }
        // The first lines alone can prove a failure, but not that all passed.
        let is_begun = command.is_some_and(|command| command.contains("| head"));
        let fatal = || command.filter(|_| status.is_none()).and_then(|_| last_words(last, LINES));
        match verdict(last, LINES).or_else(|| verdict(first, LINES)) {
            Some(RunVerdict { line, failed: true }) => Self::Failed(telling(line, [first, last])),
            Some(verdict) if !is_begun => Self::Done(verdict.line),
            None if begins_with_error(first) => Self::Failed(complaint([first, last], status, command)),
            None if fatal().is_some() => {
                let line = Some(complaint([first, last], status, command)).filter(|line| !line.is_empty());
                Self::Failed(line.unwrap_or_else(|| cut(fatal().unwrap_or_default(), DETAIL).into_owned()))
            }
            _ => labeled_failure([first, last])
                .map_or_else(|| Self::Done(clean(last).filter(|_| !is_begun).unwrap_or_default()), Self::Failed),
        }
    }

    /// The outcome of a command that only looks.
    pub(super) fn of_look(command: &Command, result: &str, flags: Flags) -> Self {
        if let Some(said) = ended(result) {
            return if watches(command) { Self::Ended } else { Self::Failed(said.to_owned()) };
        }
        let status = flags.stated().or_else(|| stated_status(result));
        if shows_nothing(command, result, status) {
            return Self::Failed(String::new());
        }
        match Self::of_shown(result, flags) {
            Self::Failed(_) if finds_nothing(command, &output(result), status) => Self::Ended,
            outcome => outcome,
        }
    }

    /// The outcome of a call that shows text of others: the content of a file says nothing about the call.
    pub(super) fn of_shown(text: &str, flags: Flags) -> Self {
        let start = first_bytes(text, 40).to_lowercase();
        let failed = starts_any(&start, &["error", "<tool_use_error>", "fatal:"]);
        let status = flags.stated().or_else(|| exit_status(first_bytes(text, STATUS)));
        // A search without matches exits with 1 too, and prints nothing.
        let nothing = status == Some(1) && is_empty(text);
        let ended = status.is_some_and(|status| status != 0) && !nothing;
        if flags.error && !nothing || failed || ended || lines(first_bytes(text, ENDS)).next().is_some_and(complains) {
            return Self::of(text, Flags { error: true, ..flags });
        }
        Self::Done(String::new())
    }

    /// Whether it ended and no failure is known.
    pub(in crate::summary::extractive) fn worked(&self) -> bool {
        matches!(self, Self::Done(_) | Self::Ended)
    }

    /// The session of a background command, if its result says at its start or end that the command still runs.
    pub(in crate::summary::extractive) fn session(result: &str) -> Option<Cow<'_, str>> {
        if let Some(printed) = script::printed(result) {
            return printed.session.map(Cow::Owned);
        }
        let ends = [first_bytes(result, STATUS), last_bytes(result, STATUS)].into_iter();
        ends.filter(|part| RUNS.is_in(part)).find_map(|part| {
            let behind = RUNNING
                .iter()
                .find_map(|words| Some(&part[memmem::find(part.as_bytes(), words.as_bytes())? + words.len()..]))?;
            let id = behind.split(|char: char| !(char.is_ascii_alphanumeric() || "_-".contains(char))).next()?;
            (!id.is_empty()).then_some(Cow::Borrowed(id))
        })
    }

    /// Whether a result states how a command ended.
    pub(in crate::summary::extractive) fn tells_end(result: &str) -> bool {
        let by_signal = || last_bytes(result, STATUS).contains("\nProcess exited with signal ");
        stated_status(result).is_some() || polled::has_ended(result) || by_signal()
    }

    /// Whether a result only says that a session still runs (OpenClaw, Claude Code).
    pub(in crate::summary::extractive) fn goes_on(result: &str) -> bool {
        polled::goes_on(result) || result.trim_end().ends_with("\nProcess still running.")
    }

    /// The error line of a failed call, which may be empty; `None` if the error is only about how the harness works.
    pub(in crate::summary::extractive) fn failure(&self) -> Option<&str> {
        let Self::Failed(line) = self else { return None };
        let lower = line.to_lowercase();
        // “Found 2 matches of the string to replace, but …”
        let many = lower.starts_with("found ") && lower.contains(" of the string to replace");
        (!many && !starts_any(&lower, HARNESS_ERRORS)).then_some(line)
    }

    /// The error line of a failed call, if it has one.
    pub(in crate::summary::extractive) fn error(&self) -> Option<&str> {
        self.failure().filter(|line| !line.is_empty())
    }
}

/// What a server says to a login that opens no shell, and so ends with status 1 (`ssh -T git@…`).
const GREETED: [&str; 2] = ["successfully authenticated", "Welcome to GitLab, "];

/// Whether a command only logs in, and its last line greets.
fn greets(command: &str, output: &str) -> bool {
    let last = lines(output).last().unwrap_or_default();
    command.starts_with("ssh ") && !command.contains(['&', ';', '|']) && contains_any(last, &GREETED)
}

/// Whether the last line of an output may be one of a log that a command shows.
pub(super) fn may_show_log(command: &str) -> bool {
    let is_log = |word: &str| word == "logs" || word == "log" || word.ends_with("journalctl");
    let mut words = command.split(|char: char| !char.is_alphanumeric());
    let fetches = contains_any(command, &["curl ", "http ", "psql ", "wget "]);
    words.any(is_log) || fetches || ends_with_look(command) || ends_with_search(command)
}

/// The tool of a call in its shown form; empty for one that only looks.
fn tool(shown: &str) -> &str {
    shown.split_once('(').map_or("", |(tool, _)| tool)
}

/// Texts before the session's name by which harnesses say that a command or an agent still runs (Codex, Claude Code,
/// Copilot CLI, OpenClaw).
const RUNNING: &[&str] = &[
    "Async agent launched successfully.\nagentId: ",
    "Process running with session ID ",
    "running in background with ID: ",
    "command with shellId: ",
    "command started in background with shellId: ",
    "Script running with cell ID ",
    "Command still running (session ",
];

static RUNS: LazyLock<Sieve> = LazyLock::new(|| Sieve::new(RUNNING));

/// The exit status stated at the start or end of a result.
pub(super) fn stated_status(result: &str) -> Option<i32> {
    if let Some(stated) =
        polled::head(result).map(exit_status).or_else(|| script::printed(result).map(|own| own.status))
    {
        return stated;
    }
    let (first, last) = (first_bytes(result, STATUS), last_bytes(result, STATUS));
    headed_status(first)
        .or_else(|| exit_status(first))
        .or_else(|| exit_status(last))
        .or_else(|| (says_none(first, last) || says_executed(first)).then_some(0))
}

/// The status in a harness's own line before the output: `rc=1`.
pub(in crate::summary::extractive) fn headed_status(text: &str) -> Option<i32> {
    text.strip_prefix("rc=")?.lines().next()?.trim_end().parse().ok()
}

/// Gemini CLI states a status only if it is not zero.
fn says_none(first: &str, last: &str) -> bool {
    first.starts_with("Output: ") && last.contains("\nProcess Group PGID: ")
}

/// Cline reports a failed command in other words, and one that worked in these, below the command in brackets.
fn says_executed(first: &str) -> bool {
    let headed = first.split_once("] Result:\n").filter(|_| first.starts_with('['));
    headed.map_or(first, |(_, body)| body).lines().next() == Some("Command executed.")
}

/// Spellings of “exit code”, without the first letter.
const STATES: [&str; 6] = ["xit code", "xit Code", "xited with code", "exit_code", "returncode", "xit status"];
static STATED: LazyLock<Sieve> = LazyLock::new(|| Sieve::new(&STATES));

/// The number after a spelling of “exit code”.
fn exit_status(text: &str) -> Option<i32> {
    if !STATED.is_in(text) {
        return None;
    }
    STATES.iter().find_map(|words| {
        let rest = &text[memmem::find(text.as_bytes(), words.as_bytes())? + words.len()..];
        let digits = first_bytes(rest, 16).trim_start_matches([' ', ':', '>', '"', '=']);
        let end = digits.find(|char: char| !char.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse().ok()
    })
}

/// A line that reports a failure: a verdict, or a diagnostic if nothing counts as passed.
fn failing(passed: &str, body: [&str; 2], sentences: Sentences) -> Option<String> {
    let counted = body.into_iter().find_map(|part| failure(part, sentences)).map(|line| telling(line, body));
    counted.or_else(|| diagnostic(body).filter(|_| passed.is_empty()))
}

fn is_empty(result: &str) -> bool {
    lines(first_bytes(result, ENDS)).next().is_none()
}

/// Whether a program says that it cannot do its task: `cat: a.csv: No such file or directory`.
fn complains(line: &str) -> bool {
    let said = line
        .split_once(": ")
        .filter(|(program, _)| ["mv", "rm", "cp", "tee", "bash"].contains(program) || QUIET_PROGRAMS.contains(program));
    said.is_some_and(|(_, words)| contains_any(words, COMPLAINTS))
}

/// Texts of such errors.
const COMPLAINTS: &[&str] =
    &["No such file", "annot ", "can't ", "ermission denied", "s a directory", "ot a directory", "not found"];

#[cfg(test)]
mod tests {
    use super::*;

    const OK: Flags = Flags { error: false, status: None, unflagged: false };
    const ERROR: Flags = Flags { error: true, ..OK };

    fn failed(line: &str) -> CallOutcome {
        CallOutcome::Failed(line.into())
    }

    #[test]
    fn counts_of_a_test_run_tell_its_outcome() {
        let text = "running 3 tests\n\ntest result: ok. 3 passed; 0 failed; 0 ignored\n";
        assert_eq!(
            CallOutcome::of(text, OK),
            CallOutcome::Done("test result: ok. 3 passed; 0 failed; 0 ignored".into())
        );
        assert_eq!(CallOutcome::of("=== 1 failed, 2 passed in 0.1s ===", OK), failed("1 failed, 2 passed in 0.1s"));
    }

    #[test]
    fn colors_hide_no_verdict() {
        let text = "\u{1b}[31m\u{1b}[1m✗\u{1b}[22m tide\u{1b}[39m\n\u{1b}(B\u{1b}[m\u{1b}[2m Tests \u{1b}[22m \u{1b}[1m\u{1b}[31m2 failed\u{1b}[39m\u{1b}[22m\u{1b}[2m | \u{1b}[22m\u{1b}[32m7 passed\u{1b}[39m (9)\n";
        assert_eq!(CallOutcome::of_run("npx vitest run", text, OK), failed("Tests 2 failed | 7 passed (9)"));
        assert_eq!(
            CallOutcome::of("\u{1b}(Btest result: ok. 3 passed; 0 failed\u{1b}[m\n", OK),
            CallOutcome::Done("test result: ok. 3 passed; 0 failed".into())
        );
    }

    #[test]
    fn no_exit_code_of_gemini_cli_is_zero() {
        let printed = |end: &str| format!("Output: \n> quay build\n\n✓ Compiled in 2s\n{end}Process Group PGID: 7");
        assert!(matches!(CallOutcome::of_run("npm run build", &printed(""), OK), CallOutcome::Done(_)));
        assert!(matches!(
            CallOutcome::of_run("npm run build", &printed("Error: (none)\nExit Code: 1\n"), OK),
            CallOutcome::Failed(_)
        ));
    }

    #[test]
    fn a_failure_that_counts_zero_is_none() {
        let of = |output: &str| CallOutcome::of_run("./check.sh", output, OK);
        assert_eq!(of("[PASS] lamps\n\nPASSED: 4\nFAILED: 0"), CallOutcome::Done("PASSED: 4".into()));
        assert_eq!(of("4 PASSED, 0 FAILED"), CallOutcome::Done("4 PASSED, 0 FAILED".into()));
        assert_eq!(of("ERROR: 0 problems found"), CallOutcome::Ended);
        assert_eq!(of("ERROR: 2 problems found"), failed("ERROR: 2 problems found"));
        let shouted = "Total:  4\nPassed: 4\nFailed: 0\n\n  ALL TESTS PASSED!";
        assert_eq!(of(shouted), CallOutcome::Done("ALL TESTS PASSED!".into()));
    }

    #[test]
    fn a_command_of_cline_that_was_executed_exited_with_zero() {
        let of =
            |output: &str| CallOutcome::of_run("npm run build", &format!("Command executed.\nOutput:\n{output}"), OK);
        assert_eq!(of("lit"), CallOutcome::Done(String::new()));
        assert!(matches!(of("lit\n2 failed, 3 passed"), CallOutcome::Failed(_)));
        assert_eq!(of("lit\nnpm ERR! no oil"), CallOutcome::Ended);
        let headed = "[execute_command for 'cd quay\nnpm run build'] Result:\nCommand executed.";
        assert_eq!(CallOutcome::of_run("cd quay\nnpm run build", headed, OK), CallOutcome::Done(String::new()));
    }

    #[test]
    fn a_count_of_errors_is_no_error_of_the_harness() {
        assert_eq!(failed("Found 1 error.").failure(), Some("Found 1 error."));
        let many = failed("Found 2 matches of the string to replace, but replace_all is false.");
        assert_eq!(many.failure(), None);
    }

    #[test]
    fn a_look_at_nothing_at_the_end_does_not_tell_how_the_command_ended() {
        let flags = Flags { error: true, status: Some(1), unflagged: false };
        let of = |command, result| CallOutcome::of_run(command, result, flags);
        let output = "Exit code 1\n== lamps ==\nok  \tquay/lamps\t0.3s\nlamps.md";
        assert!(of("go test ./lamps; ls lamps.md tides.md", output).worked());
        assert!(!of("go test ./lamps && ls lamps.md tides.md", output).worked());
        let output = "Exit code 1\nFAIL\tquay/lamps\t0.3s\nlamps.md";
        assert!(!of("go test ./lamps; ls lamps.md tides.md", output).worked());
    }

    #[test]
    fn a_search_that_finds_nothing_did_not_fail_whoever_says_how_it_ended() {
        let command = "npx tsc --noEmit | grep 'error TS'";
        assert_eq!(
            CallOutcome::of_run(command, "(no output)\n\nCommand exited with code 1", ERROR),
            CallOutcome::Ended
        );
    }

    #[test]
    fn an_object_with_an_error_has_failed() {
        assert_eq!(CallOutcome::of(r#"{"error":"no such tide","response":""}"#, OK), failed("no such tide"));
        for none in ["", "None", "null"] {
            assert_eq!(
                CallOutcome::of(&format!(r#"{{"error":"{none}","response":"high"}}"#), OK),
                CallOutcome::Done(String::new())
            );
        }
    }

    #[test]
    fn an_exit_code_other_than_zero_is_a_failure_with_its_complaint() {
        assert_eq!(
            CallOutcome::of("Exit code 2\nmake: start\nsrc/a.c:1: error: no such thing\n", ERROR),
            failed("src/a.c:1: error: no such thing")
        );
        assert_eq!(CallOutcome::of("Process exited with code 7", OK), failed("exit code 7"));
        assert_eq!(CallOutcome::of("exit code: 0\nfine", OK), CallOutcome::Done(String::new()));
        assert_eq!(CallOutcome::of("rc=0", OK), CallOutcome::Done(String::new()));
        assert!(matches!(CallOutcome::of("rc=1\nthe lamp is out", OK), CallOutcome::Failed(_)));
    }

    #[test]
    fn a_tool_that_failed_says_so_at_its_end_without_a_status() {
        let ended = |command: &str, text: &str| {
            CallOutcome::of_run(command, &format!("{}{text}\n", "log of the quay\n".repeat(40)), OK)
        };
        for (command, line) in [
            ("cargo build", "error: could not compile `ferry` (lib) due to 2 previous errors"),
            ("make test", "make: *** [Makefile:12: test] Error 2"),
            ("mvn -q test", "[ERROR] Failed to execute goal on project quay: Could not resolve dependencies"),
            ("kubectl get pod quay", "Error from server (NotFound): pods \"quay\" not found"),
        ] {
            assert_eq!(ended(command, line), failed(line), "{command}");
        }
        let counted = "test result: FAILED. 3 passed; 1 failed; 0 ignored\n\nerror: test failed, to rerun pass `--lib`";
        assert_eq!(ended("cargo test", counted), failed("test result: FAILED. 3 passed; 1 failed; 0 ignored"));
        assert!(ended("cargo build", "error: no oil, a lamp is skipped").worked());
        let away = "ssh: connect to host quay.example port 22: Operation timed out\nfatal: Could not read from remote \
                    repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.";
        let unknown = Flags { error: false, status: None, unflagged: false };
        let pushed = CallOutcome::of_run("git pull --rebase && git push && git status", away, unknown);
        assert_eq!(pushed, failed("ssh: connect to host quay.example port 22: Operation timed out"));
    }

    #[test]
    fn a_step_that_failed_is_told_though_the_last_one_worked() {
        let output = "error: lamp is dark\nerror: could not compile `quay` (bin \"quay\") due to 1 previous error\n\
                      running 33 tests\ntest result: ok. 33 passed; 0 failed; 0 ignored";
        let line = "error: could not compile `quay` (bin \"quay\") due to 1 previous error";
        let of = |command| CallOutcome::of_run(command, output, OK);
        assert_eq!(of("cargo clippy | tail -12; cargo test | tail -4"), failed(line));
        for worked in [
            "cargo test",
            "cd quay; cargo test",
            "cargo build; docker logs quay",
            "git commit -qm 'Mend it; light it' && cargo test",
            "cargo test -q; git stash pop; cargo test -q",
            "(cargo clippy || true); cargo test",
            "cargo clippy && cargo test",
            "cat /tmp/build.txt; cargo test",
            "if ! cargo build; then cargo clean; fi; cargo test",
        ] {
            assert!(of(worked).worked(), "{worked}");
        }
    }

    #[test]
    fn an_output_that_ends_with_an_error_tells_a_failure() {
        let log = "log of the quay\n".repeat(40);
        let errors = ["ERROR: Net::SSH::AuthenticationFailed", "error: permission denied", "panic: no oil"];
        for line in errors {
            let output = format!("{log}{line}\n");
            assert_eq!(CallOutcome::of_run("./light.sh quay", &output, OK), failed(line));
            assert_eq!(CallOutcome::of_call("run_sql(sql=select 1)", &output, OK), failed(line));
            for command in ["docker logs quay", "make quay | grep rror", "make quay; cat lamp.txt"] {
                assert!(CallOutcome::of_run(command, &output, OK).worked(), "{command}");
            }
            for call in ["get_page(url=quay)", "console_messages(page=quay)"] {
                assert!(CallOutcome::of_call(call, &output, OK).worked(), "{call}");
            }
            let goes_on = format!("{log}{line}\nthe lamp burns\n");
            assert!(CallOutcome::of_run("./light.sh quay", &goes_on, OK).worked());
        }
    }

    #[test]
    fn a_login_that_opens_no_shell_worked() {
        let greeted = "Hi keeper! You've successfully authenticated, but this server does not provide shell access.";
        let flags = Flags::of(true, Some(Status::Exit(1)));
        assert_eq!(CallOutcome::of_run("ssh -T git@quay.example", greeted, flags), CallOutcome::Done(String::new()));
        let deployed = format!("{greeted}\nerror: no such image");
        assert!(matches!(CallOutcome::of_run("ssh quay ./light.sh", &deployed, flags), CallOutcome::Failed(_)));
        let refused = "git@quay.example: Permission denied (publickey).";
        assert!(matches!(CallOutcome::of_run("ssh -T git@quay.example", refused, flags), CallOutcome::Failed(_)));
    }

    #[test]
    fn a_status_that_is_stored_beside_the_text_counts() {
        let pushed = "To example.org\n! [rejected] main (fetch first)\nerror: failed to push some refs\n";
        let status = Flags { status: Some(1), ..OK };
        assert_eq!(CallOutcome::of(pushed, status), failed("! [rejected] main (fetch first)"));
        assert_eq!(CallOutcome::of("", status), failed("exit code 1"));
        assert_eq!(CallOutcome::of("7 passed", status), failed("exit code 1"));
    }

    #[test]
    fn what_failed_is_told_before_what_passed() {
        let tests = "ERROR: no extension\n(pass) reads a table\n(fail) error of a long row\n(pass) writes\n";
        assert_eq!(CallOutcome::of(tests, ERROR), failed("(fail) error of a long row"));
        let counted = format!("ok 1\n\n  41 passing\n  1 failing\n\n{}", "  at row.ts\n".repeat(30));
        assert_eq!(CallOutcome::of(&counted, ERROR), failed("1 failing"));
        assert_eq!(
            CallOutcome::of("Your proposed edit has introduced new syntax errors", OK),
            failed("Your proposed edit has introduced new syntax errors")
        );
    }

    #[test]
    fn a_search_that_finds_nothing_does_not_fail() {
        assert_eq!(
            CallOutcome::of_shown("Process exited with code 1\nOutput:\n", OK),
            CallOutcome::Done(String::new())
        );
        assert!(matches!(CallOutcome::of_shown("exit code 2\nrg: error: no such file", OK), CallOutcome::Failed(_)));
        let missing = "Exit code 1\ncat: tides.csv: No such file or directory";
        assert_eq!(CallOutcome::of_shown(missing, ERROR), failed("cat: tides.csv: No such file or directory"));
    }

    #[test]
    fn a_command_that_goes_on_names_its_session() {
        let codex = "Chunk ID: 1\nWall time: 1.0 seconds\nProcess running with session ID 4711\nOutput:\n";
        assert_eq!(CallOutcome::session(codex).as_deref(), Some("4711"));
        assert_eq!(
            CallOutcome::session("Command running in background with ID: b1f. Output is written").as_deref(),
            Some("b1f")
        );
        let agent = "Async agent launched successfully.\nagentId: a5a0533 (internal ID - do not mention to user.)";
        assert_eq!(CallOutcome::session(agent).as_deref(), Some("a5a0533"));
        assert_eq!(CallOutcome::session("Process exited with code 0").as_deref(), None);
        let copilot = format!("{}\n<command with shellId: 3 is still running after 30 seconds.>", "line\n".repeat(200));
        assert_eq!(CallOutcome::session(&copilot).as_deref(), Some("3"));
        assert!(CallOutcome::tells_end("<status>completed</status>\n<exit_code>0</exit_code>"));
        assert!(!CallOutcome::tells_end("Successfully killed shell: b1f"));
    }

    #[test]
    fn errors_of_the_harness_are_no_findings() {
        let harness = CallOutcome::of("<tool_use_error>File has not been read yet.</tool_use_error>", ERROR);
        assert_eq!(harness, failed("File has not been read yet."));
        assert_eq!(harness.error(), None);
        assert_eq!(CallOutcome::of("Error: no such user", OK).error(), Some("Error: no such user"));
    }

    #[test]
    fn a_command_is_only_ok_where_its_status_or_a_count_says_so() {
        let zero = Flags { status: Some(0), ..OK };
        let ok = || CallOutcome::Done(String::new());
        assert_eq!(CallOutcome::of_run("make", "done", OK), CallOutcome::Ended);
        assert_eq!(CallOutcome::of_run("make", "done", zero), ok());
        assert_eq!(CallOutcome::of_run("make", "Exit code: 0\nOutput:\ndone", OK), ok());
        assert_eq!(CallOutcome::of_run("make | tail -3", "done", zero), CallOutcome::Ended);
        assert_eq!(
            CallOutcome::of_run("make | tail -3", "a.c:1: error: no tide", zero),
            failed("a.c:1: error: no tide")
        );
        assert_eq!(CallOutcome::of_run("make; echo x", "npm ERR! no tide\nx", zero), failed("npm ERR! no tide"));
        assert_eq!(CallOutcome::of_run("make | tail -3; echo \"exit ${PIPESTATUS[0]}\"", "x\nexit 0", zero), ok());
        assert_eq!(CallOutcome::of_run("make | grep error", "Exit code 1", ERROR), CallOutcome::Ended);
        let both = "test result: FAILED. 1 passed; 2 failed\ntest result: ok. 3 passed; 0 failed";
        assert_eq!(
            CallOutcome::of_run("cargo test | grep result", both, zero),
            failed("test result: FAILED. 1 passed; 2 failed")
        );
        let counted = CallOutcome::Done("3 passed in 0.1s".into());
        assert_eq!(CallOutcome::of_run("pytest | tail -1", "=== 3 passed in 0.1s ===", zero), counted);
    }

    #[test]
    fn an_output_in_an_object_is_read_line_by_line() {
        let wrapped = |output: &str, code: i32| {
            serde_json::json!({ "output": output, "metadata": { "exit_code": code } }).to_string()
        };
        let passed = "running\n\ntest result: ok. 3 passed; 0 failed\n";
        let told = CallOutcome::of_run("cargo test", &wrapped(passed, 0), OK);
        assert_eq!(told, CallOutcome::Done("test result: ok. 3 passed; 0 failed".into()));
        let refused = "apply_patch verification failed: no such line in updated.rs";
        assert_eq!(CallOutcome::of_change(&wrapped(refused, 1), OK), failed(refused));
        let made = "Success. Updated the following files:\nM failed.rs\n";
        assert_eq!(CallOutcome::of_change(&wrapped(made, 0), OK), CallOutcome::Done(String::new()));
    }

    #[test]
    fn a_verdict_without_a_name_yields_to_a_line_that_names_what_failed() {
        let go = "=== RUN TestTide\n--- FAIL: TestTide (0.00s)\n    tide_test.go:7: too low\nFAIL\n";
        assert_eq!(CallOutcome::of(go, ERROR), failed("--- FAIL: TestTide (0.00s)"));
        assert_eq!(
            CallOutcome::of("> x\nE   AssertionError: 3 != 4\nFAILED\n", ERROR),
            failed("E AssertionError: 3 != 4")
        );
        assert_eq!(CallOutcome::of("FAIL", ERROR), failed("FAIL"));
        let announced = "error: these files would be overwritten:\n\ttides.csv\n";
        assert_eq!(CallOutcome::of(announced, ERROR), failed("error: these files would be overwritten: tides.csv"));
        let runner = "error: script exited with code 1\na.rs:1: error: no tide\n";
        assert_eq!(CallOutcome::of(runner, ERROR), failed("a.rs:1: error: no tide"));
        let echoed = "$ sh run the tides\nrun the tides\nno such water in the harbour\n";
        assert_eq!(CallOutcome::of_run("sh run the tides", echoed, ERROR), failed("no such water in the harbour"));
    }

    #[test]
    fn a_flag_is_no_exit_status() {
        let unflagged = Flags::of(false, Some(Status::Unflagged));
        let zero = Flags::of(false, Some(Status::Exit(0)));
        let refused =
            "ssh: no route to the harbour\nfatal: Could not read from the quay.\n\nPlease make sure it is there.\n";
        let told = |flags: Flags| CallOutcome::of_run("git pull && git push", refused, flags);
        assert_eq!(told(unflagged), failed("ssh: no route to the harbour"));
        assert_eq!(told(zero), CallOutcome::Ended);
        assert_eq!(CallOutcome::of_run("lamp push", "Error: no oil\n", unflagged), failed("Error: no oil"));
        let mended = "error: no oil, filled up\n3 passed in 0.1s\n";
        assert_eq!(CallOutcome::of_run("lamp test", mended, unflagged), CallOutcome::Done("3 passed in 0.1s".into()));
        assert_eq!(CallOutcome::of_run("lamp light", "lit", unflagged), CallOutcome::Done(String::new()));
        assert_eq!(CallOutcome::of_run("lamp; echo $?", "lit\nerror: no oil\nexit 0", unflagged), CallOutcome::Ended);
    }

    #[test]
    fn a_failure_without_a_line_of_its_own_tells_its_status() {
        let text = "<shellId: 51 completed with exit code 128>";
        assert_eq!(CallOutcome::of_run("lamp light", text, ERROR), failed("exit code 128"));
        assert_eq!(CallOutcome::of_run("lamp light", "Lighting", ERROR), failed(""));
        assert_eq!(failed("").failure(), Some(""));
        assert_eq!(failed("").error(), None);
    }

    #[test]
    fn a_command_that_the_harness_did_not_run_failed_for_its_reason() {
        let said = "The pier is closed to all tools until noon. Ask the keeper; go on with the map.";
        let of = |said: &str, flags| CallOutcome::of_run("lamp light", said, flags);
        assert_eq!(of(said, ERROR), failed("The pier is closed to all tools until noon."));
        assert_eq!(of("Lighting the lamps of the pier", ERROR), failed(""));
        assert_eq!(of(said, Flags { status: Some(3), ..ERROR }), failed("exit code 3"));
    }

    #[test]
    fn a_file_that_cannot_be_shown_is_a_failure_without_any_flag() {
        let missing = "cat: tides.csv: No such file or directory";
        assert_eq!(CallOutcome::of_shown(missing, OK), failed(missing));
        assert_eq!(CallOutcome::of_shown("note: not found here", OK), CallOutcome::Done(String::new()));
    }
}
