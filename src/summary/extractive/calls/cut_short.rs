//! Commands that the harness or the user ended before their time.

use super::run::Command;
use crate::facts::program_name;
use crate::summary::text::last_bytes;

/// The end of a search that was stopped, since it did not end.
pub(super) const STOPPED: &str = "did not end, was stopped";
/// Beginnings of what a harness says of a command that it or the user ended (opencode).
const ENDED: [&str; 5] = [
    "User aborted the command",
    "Tool execution aborted",
    "bash tool terminated command after exceeding timeout",
    "shell tool terminated command after exceeding timeout",
    "command terminated by user",
];
/// The end of the block in which it says so.
const BLOCK: &str = "_metadata>";
/// Bytes at the end of a result that can have such a block.
const END: usize = 400;
/// Programs that search and end on their own.
const SEARCHES: [&str; 8] = ["grep", "egrep", "rg", "ag", "find", "fd", "du", "tree"];

/// What the harness says at the end of a result if it or the user ended the command.
pub(super) fn ended(result: &str) -> Option<&str> {
    let (before, _) = last_bytes(result.trim_end(), END).rsplit_once("</").filter(|(_, end)| end.ends_with(BLOCK))?;
    before.lines().map(str::trim).rfind(|line| is_ended(line))
}

/// Whether an error says that a command was ended before its time.
pub(in crate::summary::extractive) fn is_ended(error: &str) -> bool {
    error == STOPPED || ENDED.iter().any(|start| error.starts_with(start))
}

/// Whether a command only looks and searches: it ends on its own, unless there is too much to search.
pub(super) fn searches(command: &Command) -> bool {
    let mut programs = command.steps().iter().filter_map(|step| step.first());
    command.is_quiet() && programs.any(|program| SEARCHES.contains(&program_name(program)))
}

#[cfg(test)]
mod tests {
    use super::super::outcome::{CallOutcome, Flags};
    use super::*;

    #[test]
    fn a_command_that_the_user_or_the_harness_ended_failed() {
        let of = |result: &str| CallOutcome::of_run("npm install", result, Flags::default());
        let told = |said: &str| format!("(no output)\n\n<shell_metadata>\n{said}\n</shell_metadata>");
        let aborted = "User aborted the command";
        assert_eq!(of(&told(aborted)), CallOutcome::Failed(aborted.into()));
        let late = "bash tool terminated command after exceeding timeout 120000 ms";
        assert_eq!(of(&told(late)), CallOutcome::Failed(late.into()));
        assert_eq!(of("added 7 packages\nUser aborted the command"), CallOutcome::Ended, "a program may print it");
        assert_eq!(of(&told("took 3 s")), CallOutcome::Ended);
    }

    #[test]
    fn a_search_is_a_look_that_ends_on_its_own() {
        assert!(
            searches(&"grep -r lamp /quay 2>/dev/null | head".into()) && searches(&"cd /quay; find . -name x".into())
        );
        assert!(!searches(&"tail -f quay.log".into()) && !searches(&"make | grep lamp".into()));
    }
}
