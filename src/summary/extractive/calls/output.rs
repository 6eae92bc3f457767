//! The output of a command, without what harnesses, shells and transfers add to it.

use super::args::Args;
use super::script::printed;
use crate::summary::text::{contains_any, starts_any, without_escapes};
use crate::transcript::fixed_texts::TOOL_ERROR;
use std::borrow::Cow;

/// The output in a result, without the object around it (Codex, OpenClaw) and without colors.
pub(in crate::summary::extractive) fn output(result: &str) -> Cow<'_, str> {
    let text = unwrapped(result);
    match of_sandbox(&text).map_or(text, Cow::Owned) {
        Cow::Borrowed(text) => without_escapes(text),
        Cow::Owned(text) => Cow::Owned(without_escapes(&text).into_owned()),
    }
}

/// What a command printed that failed in a sandbox (Codex): `failed in sandbox …, stdout: …, stderr: …`.
fn of_sandbox(text: &str) -> Option<String> {
    let (_, printed) = text.trim_start().strip_prefix(SANDBOX)?.split_once(", stdout: ")?;
    let (out, err) = printed.split_once(", stderr: ").unwrap_or((printed, ""));
    let both = format!("{}\n{}", out.trim_end(), err.trim_end());
    (!both.trim().is_empty()).then_some(both)
}

/// Start of such a result.
const SANDBOX: &str = "failed in sandbox ";

/// A result without the label that some harnesses put before it: `Observation 2: …`.
pub(super) fn unlabeled(result: &str) -> &str {
    let start = result.trim_start();
    let is_label = start.get(..LABEL.len()).is_some_and(|label| label.eq_ignore_ascii_case(LABEL));
    let behind = start.get(LABEL.len()..).filter(|_| is_label).map(|rest| {
        rest.trim_start_matches([' ', '#']).trim_start_matches(|char: char| char.is_ascii_digit()).trim_start()
    });
    behind.and_then(|rest| rest.strip_prefix(':')).map_or(result, str::trim_start)
}

/// The word of that label.
const LABEL: &str = "observation";

fn unwrapped(result: &str) -> Cow<'_, str> {
    let result = unlabeled(result);
    if let Some(printed) = printed(result) {
        return Cow::Owned(printed.output);
    }
    let start = result.trim_start();
    let wrapped = start.starts_with("{\"output\":") || start.starts_with("{\"metadata\":");
    let key = if start.starts_with(TOOL_ERROR) { "error" } else { "output" };
    let inside = || Args::read(result).text(&[key]);
    (wrapped || key == "error").then(inside).flatten().map_or(Cow::Borrowed(result), Cow::Owned)
}

/// The lines of words, at most 60: no rules, boxes or status lines.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let bare = text.lines().map(|line| line.trim().trim_start_matches("<tool_use_error>"));
    let bare = bare.map(|line| line.strip_prefix("Output: ").unwrap_or(line));
    let signs = |line: &str| line.starts_with(['=', '-', '#', '*', '│', '┌', '└', '╭', '╰', '>']);
    bare.filter(move |line| !line.is_empty() && !is_wrapper(line) && !signs(line)).take(60)
}

/// The lines of an [`output`] that the program itself printed.
pub(in crate::summary::extractive) fn own_lines(output: &str) -> impl DoubleEndedIterator<Item = &str> {
    output.lines().map(str::trim).filter(|line| !line.is_empty() && !is_wrapper(line))
}

/// Whether a line was added around the program's output.
pub(super) fn is_wrapper(line: &str) -> bool {
    starts_any(line, WRAPPERS)
}

/// Prefixes of lines that harnesses, shells and transfers add.
const WRAPPERS: &[&str] = &[
    "Exit code",
    "[exit code",
    "[Exit code",
    "(exit code",
    "Command exited with",
    "Command executed.",
    "Chunk ID:",
    "Wall time",
    "Process exited with",
    "Original token count:",
    "Output:",
    "Total output lines:",
    "Command:",
    "Directory:",
    "Error: (none)",
    "(no output)",
    "(Bash completed with no output)",
    "Exit Code:",
    "Signal:",
    "Background PIDs:",
    "Process Group PGID:",
    "% Total",
    "Dload ",
    "<shellId:",
    "<command with shellId:",
    "Shell cwd was reset to",
    "Script completed",
    "Script failed",
    "Script running",
    "Script error:",
    "Saved working directory",
    // Of SWE-agent.
    "Your command ran successfully and did not produce any output.",
    "(Open file:",
    "(Current Step:",
    "(Current directory:",
    "bash-$",
    "$ ",
    "+ ",
];

/// Prefixes of lines that report a pass.
const PASSES: &[&str] = &["(pass)", "✓", "✔", "PASS", "ok ", "ok\t", "--- PASS"];
/// Words of lines that report a success.
const GOOD: &[&str] = &["pass", "passed", "ok", "success", "successful", "successfully", "succeeded", "✓", "✔"];
/// Pieces of words of lines that report a failure as well.
const BAD: &[&str] = &["fail", "rror", "not ok"];

/// Whether a line reports only a success.
pub(super) fn is_success(line: &str) -> bool {
    if starts_any(line, PASSES) || line.ends_with("... ok") {
        return true;
    }
    let lower = line.to_lowercase();
    let mut words = lower.split(|char: char| char.is_whitespace() || ",;:()!.".contains(char));
    words.any(|word| GOOD.contains(&word)) && !contains_any(&lower, BAD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_in_a_sandbox_is_told_by_what_it_printed() {
        let result = "failed in sandbox Quay with execution error: denied, exit code: 1, stdout: [quay 3f2a91c] Mend the lamp\n 1 file changed\n, stderr: ssh: no such host\n";
        assert_eq!(output(result), "[quay 3f2a91c] Mend the lamp\n 1 file changed\nssh: no such host");
        let silent = "failed in sandbox Quay with execution error: denied, exit code: 1, stdout: , stderr: ";
        assert_eq!(output(silent), silent);
    }

    #[test]
    fn what_an_agents_shell_adds_is_no_output() {
        let result = "OBSERVATION:\nThe lamp is out!\n(Open file: n/a)\n(Current directory: /quay)\nbash-$";
        let printed = output(result);
        assert_eq!(own_lines(&printed).collect::<Vec<_>>(), ["The lamp is out!"]);
        let silent = output("Your command ran successfully and did not produce any output.\n(Open file: n/a)\nbash-$")
            .into_owned();
        assert_eq!(own_lines(&silent).count(), 0);
        assert_eq!(own_lines("The lamp is out!\n[exit code 0]").collect::<Vec<_>>(), ["The lamp is out!"]);
    }

    #[test]
    fn the_label_of_a_result_is_no_part_of_it() {
        for result in ["Observation: high tide", "Observation 2: high tide", "OBSERVATION:\nhigh tide"] {
            assert_eq!(unlabeled(result), "high tide", "{result}");
        }
        for other in ["Observations: high tide", "observation tower", "high tide"] {
            assert_eq!(unlabeled(other), other);
        }
    }
}
