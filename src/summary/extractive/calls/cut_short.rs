//! Commands that the harness or the user ended before their time.

use super::outcome::ENDS;
use super::run::Command;
use crate::facts::program_name;
use crate::summary::text::{contains_any, first_bytes, last_bytes, starts_any};

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
/// Beginnings of the line with which a harness ends what takes too long.
const TIMED_OUT: [&str; 2] = ["command timed out", "timed out after"];
/// What a line has in common that says that a command was ended at its limit.
const LATE: &str = "exceeding timeout";
/// Texts by which a server says that it serves, in lower case.
const SERVES: [&str; 6] = ["listening", "ready on ", "ready in ", "running at http", "running on http", "serving http"];
/// The end of the block in which it says so.
const BLOCK: &str = "_metadata>";
/// Bytes at the end of a result that can have such a block.
const END: usize = 400;
/// Number of bytes in which a line begins to say so.
const START: usize = 40;
/// Programs that search and end on their own.
const SEARCHES: [&str; 8] = ["grep", "egrep", "rg", "ag", "find", "fd", "du", "tree"];
/// Programs that can follow a log, and the argument with which others do.
const FOLLOWERS: [&str; 2] = ["tail", "journalctl"];
const LOGS: &str = "logs";
/// First words of steps that go on until someone ends them, or as often as they say.
const GO_ON: [&str; 4] = ["for", "until", "watch", "while"];

/// What the harness says at the end of a result if it or the user ended the command.
pub(super) fn ended(result: &str) -> Option<&str> {
    let (before, _) = last_bytes(result.trim_end(), END).rsplit_once("</").filter(|(_, end)| end.ends_with(BLOCK))?;
    before.lines().map(str::trim).rfind(|line| is_ended(line))
}

/// Whether an error says that a command was ended before its time.
pub(in crate::summary::extractive) fn is_ended(error: &str) -> bool {
    error == STOPPED || starts_any(error, &ENDED)
}

/// Whether a line says that a command was ended since it took too long.
pub(in crate::summary::extractive) fn timed_out(line: &str) -> bool {
    let start = first_bytes(line, START).to_lowercase();
    starts_any(&start, &TIMED_OUT)
}

/// Whether a command that the harness ended at its limit, as it `said`, is a server that served until then.
pub(super) fn served(result: &str, said: &str) -> bool {
    let serves = |part: &str| {
        let lower = part.to_lowercase();
        contains_any(&lower, &SERVES)
    };
    said.contains(LATE) && (serves(first_bytes(result, ENDS)) || serves(last_bytes(result, ENDS)))
}

/// Whether a command watches something until someone ends it: `tail -f quay.log`.
pub(super) fn watches(command: &Command) -> bool {
    command.steps().iter().any(|step| {
        let Some((program, args)) = step.split_first() else { return false };
        let prints = FOLLOWERS.contains(&program_name(program)) || args.iter().any(|arg| arg == LOGS);
        let is_short = |arg: &String| arg.starts_with('-') && !arg.starts_with("--") && arg.contains(['f', 'F']);
        let follows = |arg: &String| arg.starts_with("--follow") || prints && is_short(arg);
        GO_ON.contains(&&**program) || args.iter().any(follows)
    })
}

/// Whether a command only looks and searches: it ends on its own, unless there is too much to search.
pub(super) fn searches(command: &Command) -> bool {
    let mut programs = command.steps().iter().filter_map(|step| step.first());
    let searches = programs.any(|program| SEARCHES.contains(&program_name(program)));
    searches && command.is_quiet() && !watches(command)
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
        assert!(searches(&"grep -F -r lamp /quay | cut -d: -f1".into()) && !searches(&"make | grep lamp".into()));
    }

    #[test]
    fn a_watch_that_was_ended_did_not_fail() {
        for command in [
            "tail -f quay.log | grep ERROR",
            "tail -n 20 -F quay.log | grep ERROR",
            "journalctl --follow -u quay | grep lamp",
            "while true; do ps aux | grep quay; sleep 5; done",
            "cd quay; for n in 1 2; do grep lamp $n.log; done",
            "docker logs -f quay | grep lamp",
            "watch 'ps aux | grep quay'",
        ] {
            assert!(!searches(&command.into()), "{command}");
        }
        let ended =
            "lamp\n\n<bash_metadata>\nbash tool terminated command after exceeding timeout 9 ms\n</bash_metadata>";
        let of = |command: &str| CallOutcome::of_look(&command.into(), ended, Flags::default());
        assert_eq!(of("tail -f quay.log | grep lamp"), CallOutcome::Ended);
        assert!(matches!(of("grep -r lamp /quay"), CallOutcome::Failed(_)));
    }

    #[test]
    fn a_server_that_served_up_to_its_limit_did_not_fail() {
        let of = |printed: &str, said: &str| {
            let result = format!("{printed}\n\n<bash_metadata>\n{said}\n</bash_metadata>");
            CallOutcome::of_run("npm run dev", &result, Flags::default())
        };
        let late = "bash tool terminated command after exceeding timeout 120000 ms";
        for printed in ["ready on http://localhost:3000", "VITE ready in 320 ms", "Listening on port 7"] {
            assert_eq!(of(printed, late), CallOutcome::Ended, "{printed}");
        }
        assert_eq!(of("Compiling the lamp", late), CallOutcome::Failed(late.into()));
    }
}
