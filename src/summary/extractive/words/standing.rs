//! Words of temporary states.

/// Words of which every statement of a temporary state has one.
pub(in crate::summary::extractive) const MAY_STAND: &[&str] = &[
    "ahead",
    "behind",
    "branch",
    "committed",
    "current",
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
    "there are no",
    "there is no",
    "there's no",
    "uncommitted",
    "unpushed",
    "unstaged",
    "yet",
];

/// Negations before the negated word.
pub(in crate::summary::extractive) const NEGATIONS: &[&str] =
    &["no", "not", "nothing", "none", "never", "neither", "cannot"];

/// Places that are empty until something is created in them.
pub(in crate::summary::extractive) const FOLDERS: &[&str] =
    &["directory", "folder", "project", "repo", "repository", "workspace"];

/// Words that say that something continues.
pub(in crate::summary::extractive) const LASTS: &[&str] = &["still", "pending", "queued", "in_progress", "progress"];

/// Things that run and come to an end.
pub(in crate::summary::extractive) const RUNS: &[&str] = &[
    "action",
    "actions",
    "build",
    "check",
    "checks",
    "ci",
    "deploy",
    "deployment",
    "hook",
    "hooks",
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

/// Things that are open until somebody closes them.
pub(in crate::summary::extractive) const TICKETS: &[&str] =
    &["bead", "beads", "issue", "issues", "mr", "pr", "prs", "pull", "request", "story", "ticket", "tickets"];

/// Words that say that something has changed.
pub(in crate::summary::extractive) const CLOSED: &[&str] =
    &["closed", "merged", "resolved", "now", "landed", "released"];

/// Git commands that change the branch, or what it is compared with.
pub(in crate::summary::extractive) const OF_BRANCHES: &[&str] =
    &["branch", "checkout", "cherry-pick", "merge", "pull", "push", "rebase", "reset", "switch", "worktree"];

/// Words of a guess.
pub(in crate::summary::extractive) const GUESSES: &[&str] = &[
    "appears",
    "could be",
    "guess",
    "i'm not",
    "i am not",
    "i suspect",
    "i think",
    "i wonder",
    "not sure",
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
    "ich glaube",
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

/// Subjects that pass, and words for passing and for failing.
pub(in crate::summary::extractive) const TESTS: &[&str] = &["test", "tests", "suite", "checks"];
pub(in crate::summary::extractive) const PASSES: &[&str] = &["pass", "passes", "passed", "passing", "green"];
pub(in crate::summary::extractive) const FAILS: &[&str] = &[
    "fail",
    "fails",
    "failed",
    "failing",
    "failure",
    "failures",
    "broken",
    "red",
    "fehl",
    "rot",
    "échoue",
    "échouent",
    "falla",
    "fallan",
];
/// Words that say that something is so until now.
pub(in crate::summary::extractive) const LASTS_SO_FAR: &[&str] = &[
    "still",
    "currently",
    "remaining",
    "yet",
    "noch",
    "derzeit",
    "encore",
    "actuellement",
    "todavía",
    "aún",
    "actualmente",
];
/// Words that say that something is so at present.
pub(in crate::summary::extractive) const AT_PRESENT: &[&str] = &[
    "currently",
    "right now",
    "at present",
    "as it stands",
    "current:",
    "hiện tại",
    "derzeit",
    "actuellement",
    "actualmente",
    "atualmente",
    "attualmente",
    "目前",
    "现状",
    "現状",
    "現在の",
    "현재",
];
/// What is so at present, behind “the current”.
pub(in crate::summary::extractive) const PRESENT_FORMS: &[&str] = &[
    "approach",
    "behavior",
    "behaviour",
    "code",
    "config",
    "configuration",
    "copy",
    "design",
    "implementation",
    "layout",
    "logic",
    "numbers",
    "regex",
    "setup",
    "text",
    "values",
    "version",
    "wording",
];
/// The states of a job or ticket: it failed, runs, waits, is done.
pub(in crate::summary::extractive) const JOB_STATES: [&[&str]; 4] = [
    &[
        "failed",
        "failing",
        "fails",
        "died",
        "crashed",
        "aborted",
        "cancelled",
        "canceled",
        "killed",
        "rejected",
        "fehlgeschlagen",
        "abgebrochen",
        "échoué",
        "falló",
        "упал",
        "упала",
        "失败",
    ],
    &["running", "läuft", "corriendo", "запущена", "запущен", "运行中", "正在运行"],
    &["pending", "queued", "waiting", "stuck", "blocked", "open", "wartet", "pendiente", "ожидает", "等待"],
    &[
        "completed",
        "complete",
        "done",
        "finished",
        "succeeded",
        "passed",
        "merged",
        "closed",
        "resolved",
        "fertig",
        "erledigt",
        "terminé",
        "terminado",
        "завершена",
        "завершено",
        "完成",
    ],
];
/// Words of a condition.
pub(in crate::summary::extractive) const CONDITIONS: &[&str] = &[
    "if",
    "when",
    "once",
    "until",
    "unless",
    "should",
    "would",
    "could",
    "may",
    "might",
    "will",
    "whether",
    "wenn",
    "sobald",
    "falls",
    "ob",
    "quand",
    "dès",
    "cuando",
    "если",
    "когда",
];
/// Words that may follow a word for passing, and words that limit the statement to some tests.
pub(in crate::summary::extractive) const PASSED: &[&str] =
    &["again", "and", "but", "cleanly", "here", "in", "locally", "now", "on", "successfully", "too", "with"];
pub(in crate::summary::extractive) const PARTLY: &[&str] =
    &["of", "fail", "fails", "failed", "failing", "if", "most", "should", "some", "until", "when", "will", "would"];

/// Beginnings of a clause in which an agent thinks aloud.
pub(in crate::summary::extractive) const DOUBTS: &[&str] = &[
    "i am not 100% sure",
    "i am not sure",
    "i guess",
    "i suspect",
    "i think",
    "i wonder",
    "i'm not 100% sure",
    "i'm not entirely sure",
    "i'm not sure",
    "maybe",
    "my guess",
    "not sure",
    "perhaps",
    "possibly",
    "ich glaube",
    "ich bin mir nicht sicher",
    "vielleicht",
    "peut-être",
    "quizás",
    "talvez",
    "возможно",
    "мабуть",
    "być może",
    "có lẽ",
    "也许",
    "可能",
    "たぶん",
    "おそらく",
    "아마",
];

/// Words that may precede those.
pub(in crate::summary::extractive) const HESITATES: &[&str] = &["but ", "actually ", "so ", "hmm "];

/// Words for troubles, and words that mark one as only possible.
pub(in crate::summary::extractive) const TROUBLES: &[&str] = &["bug", "cause", "culprit", "fix", "issue", "problem"];
pub(in crate::summary::extractive) const POSSIBLY: &[&str] = &["could", "may", "might"];

/// What says that no file was changed.
pub(in crate::summary::extractive) const UNTOUCHED: &[&str] = &[
    "did not change anything",
    "did not change any files",
    "didn't change anything",
    "didn't change any files",
    "have not changed anything",
    "have not made any changes",
    "haven't changed anything",
    "haven't made any changes",
    "made no changes",
    "made no code changes",
    "no changes have been made",
    "no changes made",
    "no changes were made",
    "no code changes were made",
    "no code was changed",
    "no edits made",
    "no edits were made",
    "no file was changed",
    "no files changed",
    "no files have been changed",
    "no files were changed",
    "no files were modified",
    "nothing has been changed",
    "nothing was changed",
    "aucun fichier n'a été modifié",
    "aucune modification n'a été",
    "keine änderungen vorgenommen",
    "nichts geändert",
    "no se ha modificado",
    "no se hicieron cambios",
    "ничего не изменено",
    "ничего не менял",
    "未做任何修改",
    "没有修改任何",
    "変更はしていません",
];
