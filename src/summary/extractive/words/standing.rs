//! How things are said to stand for now.

/// Words without which no sentence says so.
pub(in crate::summary::extractive) const MAY_STAND: &[&str] = &[
    "ahead",
    "behind",
    "branch",
    "committed",
    "currently",
    "diverged",
    "draft",
    "empty",
    "exist",
    "exists",
    "green",
    "in progress",
    "in_progress",
    "need",
    "needs",
    "open",
    "pass",
    "passed",
    "passes",
    "passing",
    "pending",
    "pushed",
    "queued",
    "still",
    "uncommitted",
    "unpushed",
    "unstaged",
    "yet",
];

/// What a clause denies with, before what it denies.
pub(in crate::summary::extractive) const NEGATIONS: &[&str] =
    &["no", "not", "nothing", "none", "never", "neither", "cannot"];

/// What is empty until something is put there.
pub(in crate::summary::extractive) const FOLDERS: &[&str] =
    &["directory", "folder", "project", "repo", "repository", "workspace"];

/// What says that something goes on.
pub(in crate::summary::extractive) const LASTS: &[&str] = &["still", "pending", "queued", "in_progress", "progress"];

/// What is at its end some time after.
pub(in crate::summary::extractive) const RUNS: &[&str] = &[
    "action",
    "actions",
    "build",
    "check",
    "checks",
    "ci",
    "deploy",
    "deployment",
    "job",
    "jobs",
    "pipeline",
    "run",
    "runs",
    "server",
    "suite",
    "test",
    "tests",
    "worker",
    "workers",
    "workflow",
    "workflows",
];

/// What is open until somebody closes it.
pub(in crate::summary::extractive) const TICKETS: &[&str] =
    &["bead", "beads", "issue", "issues", "mr", "pr", "prs", "pull", "request", "story", "ticket", "tickets"];

/// What says that something is not as it was.
pub(in crate::summary::extractive) const CLOSED: &[&str] =
    &["closed", "merged", "resolved", "now", "landed", "released"];

/// What of git changes the branch, or what it is behind of.
pub(in crate::summary::extractive) const OF_BRANCHES: &[&str] =
    &["branch", "checkout", "cherry-pick", "merge", "pull", "push", "rebase", "reset", "switch", "worktree"];

/// What says that something is a guess.
pub(in crate::summary::extractive) const GUESSES: &[&str] = &[
    "appears",
    "could be",
    "i guess",
    "i suspect",
    "it looks like",
    "likely",
    "looks like",
    "may be",
    "maybe",
    "might",
    "perhaps",
    "possibly",
    "presumably",
    "probably",
    "seem",
    "seems",
    "vermutlich",
    "wahrscheinlich",
    "vielleicht",
    "scheint",
    "peut-être",
    "probablement",
    "quizás",
    "probablemente",
    "parece",
    "talvez",
    "provavelmente",
    "возможно",
    "наверное",
    "похоже",
    "кажется",
    "мабуть",
    "chyba",
    "być może",
    "có lẽ",
    "可能",
    "也许",
    "好像",
    "たぶん",
    "おそらく",
    "かもしれ",
    "아마",
];

/// What passes, and how that is said.
pub(in crate::summary::extractive) const TESTS: &[&str] = &["test", "tests", "suite", "checks"];
pub(in crate::summary::extractive) const PASSES: &[&str] = &["pass", "passes", "passed", "passing", "green"];
/// What may stand behind that, and words with which it is said of some.
pub(in crate::summary::extractive) const PASSED: &[&str] =
    &["again", "and", "but", "cleanly", "here", "in", "locally", "now", "on", "successfully", "too", "with"];
pub(in crate::summary::extractive) const PARTLY: &[&str] =
    &["of", "fail", "fails", "failed", "failing", "if", "most", "should", "some", "until", "when", "will", "would"];
