//! Formats a call as one line of a frame: a replacement of the head by its texts and calls, without results.

use super::act::{Action, FileOp, StepChange};
use super::args::Args;
use super::plan::Step;

/// Argument keys that hold the pattern of a search.
const PATTERN_KEYS: &[&str] = &["pattern", "query", "regex", "glob"];

/// The text of a call in a frame (HARNESSES 5).
pub(in crate::summary) struct FrameLine {
    /// The text; several lines for commands and plans.
    pub(in crate::summary) line: String,
    /// Whether equal lines in a row are merged; never for plans.
    pub(in crate::summary) merges: bool,
}

/// Formats a call; `None` for one that updates a step, sends input to a command, or only looks without a pattern.
pub(in crate::summary) fn frame_line(tool: &str, arguments: &str) -> Option<FrameLine> {
    let lines = |lines: Vec<String>| (!lines.is_empty()).then(|| FrameLine { line: lines.join("\n"), merges: true });
    match Action::of(tool, arguments) {
        Action::Files(files) => lines(files.iter().map(|(op, path)| format!("**{}:** `{path}`", verb(*op))).collect()),
        Action::Run(command) => lines(vec![format!("**Execute:**\n```\n{}\n```", command.replace("```", "'``"))]),
        Action::Plan(steps) => {
            let steps: Vec<String> = steps.iter().map(|step| format!("- [{}] {}", state(step), step.content)).collect();
            (!steps.is_empty())
                .then(|| FrameLine { line: format!("**Task Plan:**\n{}", steps.join("\n")), merges: false })
        }
        Action::Step(StepChange::Added(step)) => {
            Some(FrameLine { line: format!("**Task Plan:**\n- [ADD] {step}"), merges: false })
        }
        Action::Step(StepChange::Moved(..) | StepChange::Listed) | Action::Input => None,
        Action::Other(call) => lines(vec![format!("**MCP:** `{call}`")]),
        Action::Quiet => {
            let args = Args::read(arguments);
            lines(args.text(PATTERN_KEYS).map(|pattern| format!("**Search:** `{pattern}`")).into_iter().collect())
        }
    }
}

fn verb(op: FileOp) -> &'static str {
    match op {
        FileOp::Read => "Read",
        FileOp::Deleted => "Delete",
        FileOp::Created | FileOp::Written | FileOp::Edited | FileOp::Moved | FileOp::Restored | FileOp::Arrived => {
            "Update"
        }
    }
}

fn state(step: &Step) -> &'static str {
    match &*step.status {
        "cancelled" | "canceled" => "CANCELLED",
        _ if step.is_closed() => "DONE",
        _ if step.is_begun() => "IN_PROGRESS",
        _ => "ADD",
    }
}
