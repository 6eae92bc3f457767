//! Tools, programs and errors whose calls tell nothing later.

/// Beginnings of tool errors that only say how the harness works.
pub(in crate::summary::extractive) const HARNESS_ERRORS: &[&str] = &[
    "the user doesn't want",
    "file has not been read",
    "file has been modified since",
    "file has been unexpectedly modified",
    "string to replace not found",
    "no changes to make",
    "no matches found",
    "request interrupted",
    "[request interrupted",
    "sibling tool call errored",
    "this command requires approval",
    "claude requested permissions",
    "permission to use",
    "user rejected",
    "file content (",
    "file does not exist",
    "tool permission",
    "cancelled",
    "found ",
];

/// Programs whose runs tell nothing later.
pub(in crate::summary::extractive) const QUIET_PROGRAMS: &[&str] = &[
    "ls", "cat", "head", "tail", "grep", "rg", "find", "echo", "pwd", "cd", "wc", "sed", "awk", "sleep", "which", "nl",
    "bat", "xxd", "du", "df", "tree", "file", "stat", "printf", "true", "export", "source", "type", "less", "more",
    "sort", "uniq", "cut", "diff", "whoami", "date", "env", "ps", "kill", "pkill", "lsof", "touch", "chmod", "for",
    "while", "if", "jq", "xargs", "test", "[",
];

/// Subcommands of `git` that only look.
pub(in crate::summary::extractive) const QUIET_GIT: &[&str] =
    &["status", "diff", "log", "show", "branch", "add", "blame", "rev-parse", "remote", "ls-files", "config", "fetch"];

/// Tools that only look, plan or wait, by pieces of their names in lower case.
pub(in crate::summary::extractive) const QUIET_TOOLS: &[&str] = &[
    "grep",
    "glob",
    "search_files",
    "searchfiles",
    "codebase_search",
    "file_search",
    "list_dir",
    "list_files",
    "todo",
    "taskcreate",
    "taskupdate",
    "tasklist",
    "taskget",
    "toolsearch",
    "exitplanmode",
    "exit_plan",
    "enterplanmode",
    "bashoutput",
    "taskoutput",
    "killshell",
    "kill_shell",
    "think",
    "update_plan",
    "write_stdin",
    "wait",
    "sleep",
    "slashcommand",
];
