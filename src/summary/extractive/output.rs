//! What a command printed, without what harnesses, shells and transfers put around it.

use super::args::Args;
use std::borrow::Cow;

/// What a command printed, without the object around it (Codex).
pub(super) fn output(result: &str) -> Cow<'_, str> {
    let start = result.trim_start();
    let wrapped = start.starts_with("{\"output\":") || start.starts_with("{\"metadata\":");
    wrapped.then(|| Args::read(result).text(&["output"])).flatten().map_or(Cow::Borrowed(result), Cow::Owned)
}

/// Lines of words: no rules, boxes, or the status itself.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let bare = text.lines().map(|line| line.trim().trim_start_matches("<tool_use_error>"));
    let bare = bare.map(|line| line.strip_prefix("Output: ").unwrap_or(line));
    let signs = |line: &str| line.starts_with(['=', '-', '#', '*', '│', '┌', '└', '╭', '╰', '>']);
    let wraps = |line: &str| WRAPPERS.iter().any(|start| line.starts_with(start));
    bare.filter(move |line| !line.is_empty() && !wraps(line) && !signs(line)).take(60)
}

/// What harnesses, shells and transfers put around an output.
pub(super) const WRAPPERS: &[&str] = &[
    "Exit code",
    "Chunk ID:",
    "Wall time:",
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
    "Saved working directory",
    "$ ",
    "+ ",
];
