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
    "aborted by user",
    "exec command rejected",
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
    "while", "if", "jq", "xargs", "test", "[", "set", "printenv",
];

/// Subcommands of `git` that only look.
pub(in crate::summary::extractive) const QUIET_GIT: &[&str] = &[
    "status",
    "diff",
    "log",
    "show",
    "branch",
    "add",
    "blame",
    "rev-parse",
    "remote",
    "ls-files",
    "config",
    "fetch",
    "merge-base",
    "ls-tree",
    "ls-remote",
    "grep",
    "check-ignore",
    "cat-file",
    "for-each-ref",
    "rev-list",
    "describe",
    "shortlog",
    "reflog",
];

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

/// Tools that only look, by their whole names in lower case.
pub(in crate::summary::extractive) const QUIET_NAMES: &[&str] = &[
    "ls",
    "rg",
    "grep",
    "find",
    "view",
    "cat",
    "head",
    "tail",
    "tree",
    "pwd",
    "wc",
    "stat",
    "report_intent",
    "list_bash",
    "read_bash",
    "stop_bash",
];

/// Subcommands that only look.
pub(in crate::summary::extractive) const LOOKING: &[&str] = &[
    "view", "list", "ls", "show", "search", "status", "get", "info", "describe", "log", "logs", "ps", "images",
    "inspect", "help", "version", "diff",
];

/// Programs whose subcommand stands behind what it is about: `gh issue view`.
pub(in crate::summary::extractive) const NESTED: &[&str] =
    &["gh", "glab", "docker", "podman", "aws", "az", "gcloud", "flyctl", "fly", "doctl"];

/// What subcommands are about, in any program.
pub(in crate::summary::extractive) const NOUNS: &[&str] = &[
    "issue",
    "pr",
    "repo",
    "release",
    "workflow",
    "session",
    "project",
    "config",
    "auth",
    "context",
    "container",
    "image",
    "volume",
    "network",
    "checkpoint",
    "label",
    "change",
    "spec",
    "stash",
    "worktree",
    "remote",
    "notes",
    "submodule",
    "pip",
    "secret",
    "plugin",
    "extension",
    "cache",
    "profile",
    "env",
    "owner",
    "access",
];

/// Programs that run what they are given, or that get things: a word behind them is no subcommand that looks.
pub(in crate::summary::extractive) const RUNNERS: &[&str] = &[
    "make",
    "just",
    "task",
    "rake",
    "python",
    "python3",
    "node",
    "ruby",
    "perl",
    "bash",
    "sh",
    "zsh",
    "bun",
    "deno",
    "tsx",
    "go",
    "npx",
    "sudo",
    "timeout",
    "time",
    "exec",
    "eval",
    "xargs",
    "curl",
    "wget",
    "ssh",
    "terraform",
    "flutter",
    "dart",
    "mise",
];

/// Programs whose first argument is a script or an address, never a subcommand.
pub(in crate::summary::extractive) const INTERPRETERS: &[&str] =
    &["python", "python3", "node", "ruby", "perl", "bash", "sh", "zsh", "tsx", "curl", "wget", "ssh", "mkdir", "chmod"];
