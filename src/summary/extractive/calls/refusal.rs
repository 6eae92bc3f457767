//! Calls that were not executed since a person or the harness refused or canceled them, recognized by the start of
//! their result.

use crate::summary::text::{contains_any, first_bytes, starts_any};

/// Bytes at the start of a result that are looked at.
const BEGINNING: usize = 160;
/// Prefixes before the statement.
const LEADS: [&str; 4] = ["error: ", "error executing tool: ", "tool error: ", "<tool_use_error>"];
/// Beginnings by which harnesses say that a call was refused (Claude Code, Codex, Cline, Gemini CLI, opencode,
/// Copilot CLI, OpenHands).
const REFUSED: &[&str] = &[
    "the user doesn't want to proceed",
    "the user doesn't want to take this action",
    "the user does not want to proceed",
    "the user does not want to take this action",
    "user rejected",
    "the user rejected",
    "the user has rejected",
    "user denied",
    "the user denied",
    "the user has denied",
    "user declined",
    "the user declined",
    "user refused",
    "the user refused",
    "the user chose not to",
    "user chose not to",
    "rejected by user",
    "rejected by the user",
    "denied by user",
    "denied by the user",
    "command denied by",
    "command rejected by",
    "exec command rejected",
    "tool use was rejected",
    "claude requested permissions",
    "this command requires approval",
    "this bash command contains multiple operations. the following part",
    "[request interrupted by user for tool use]",
    "cannot execute multiple commands at once",
    "[operation cancelled] reason: user cancelled",
    "cancelled: parallel tool call",
    "sibling tool call errored",
];
/// All that a harness says of a call that was canceled. What a tool or program canceled itself is told in more
/// words.
const CANCELED: [&str; 10] = [
    "cancelled by user",
    "cancelled by the user",
    "command cancelled",
    "command was cancelled",
    "execution cancelled",
    "execution was cancelled",
    "the tool call was cancelled",
    "the user cancelled",
    "tool call cancelled",
    "tool call was cancelled",
];
/// Most bytes of such a result.
const SHORT: usize = 80;

/// Words after “permission to use” by which a tool was not permitted; a license is worded differently.
const UNPERMITTED: [&str; 3] = ["denied", "not granted", "haven't granted"];

/// Whether a result says that its call was refused.
pub(super) fn is_refused(result: &str) -> bool {
    let lower = first_bytes(result.trim_start(), BEGINNING).replace('’', "'").to_lowercase();
    let text = LEADS.iter().find_map(|lead| lower.strip_prefix(lead)).unwrap_or(&lower).trim_start();
    let canceled = || {
        let text = text.replace("canceled", "cancelled");
        let bare = text.trim_end_matches(['.', '!', ' ', '\n']);
        let act = bare.strip_suffix(" by the user").unwrap_or(bare);
        result.trim().len() <= SHORT && (CANCELED.contains(&bare) || CANCELED.contains(&act))
    };
    let permitted = |rest: &str| !contains_any(rest, &UNPERMITTED);
    starts_any(text, REFUSED)
        || canceled()
        || text.strip_prefix("permission to use ").is_some_and(|rest| !permitted(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_call_says_so_at_its_beginning() {
        for refused in [
            "The user doesn't want to proceed with this tool use. The tool use was rejected.",
            "Error: User rejected the command.",
            "Permission to use Write has been denied.",
            "exec command rejected by user",
            "The tool call was cancelled.",
            "This Bash command contains multiple operations. The following parts require approval: make lamps",
            "Error: Command canceled by the user",
            "<tool_use_error>Cancelled: parallel tool call Bash(make lamps) errored</tool_use_error>",
        ] {
            assert!(is_refused(refused), "{refused}");
        }
        for ran in [
            "",
            "rm: denied.txt: No such file",
            "42 users rejected the lamp",
            "ok: the user rejected nothing",
            "Permission to use, copy, modify, and distribute this software is granted.",
            "The user does not want the lamp to be lit by day.",
            "Request cancelled",
            "The order was cancelled.",
            "The user cancelled the berth of the third boat, and the harbour office has found another one for it since.",
        ] {
            assert!(!is_refused(ran), "{ran}");
        }
    }
}
