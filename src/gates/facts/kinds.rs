//! Kinds of work that a summary may say was done, and the commands that do it.

use crate::measure::{is_build, pattern};
use regex::Regex;
use std::sync::LazyLock;

/// A kind of work.
pub(super) struct Kind {
    /// What its verbs and names begin with.
    pub(super) stem: &'static str,
    /// Sentences that say the work was done by whoever writes.
    said: Regex,
    /// Words for what the work is done to, one of which such a sentence must have.
    of: Regex,
    /// A text says that it was done.
    pub(super) is_done: Regex,
    /// Programs and the words behind them that do the work; an empty word stands for any.
    by: &'static [(&'static str, &'static str)],
    /// It is also done by commands that build a program, or by any with the stem in their names.
    more: More,
    /// It is done to commits.
    pub(super) of_commits: bool,
    /// That no command did it is told.
    pub(super) may_be_missed: bool,
}

/// Commands besides those that are listed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum More {
    None,
    Builds,
    WithStem,
}

/// All kinds.
pub(super) static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    vec![
        Kind { of_commits: true, ..kind("push", "pushed", "push", BRANCHES, PUSHES) },
        kind(
            "commit",
            "committed",
            "commit",
            "changes?|it|that|this|everything|all|both|as|on|with|fix|work|files?",
            COMMITS,
        ),
        kind("merge", "merged", "merge", "branch|pull request|merge request|pr|mr|main|master|develop|x/x", MERGES),
        opened(),
        kind(
            "publish",
            "published",
            "publication",
            "crates\\.io|npm|pypi|registry|package|crate|version|\\d+\\.\\d+",
            PUBLISHES,
        ),
        kind("tag", "tagged", "tag", "release|commit|version|v?\\d+\\.\\d+", TAGS),
        migrated(),
        Kind { more: More::WithStem, ..kind("deploy", "deployed", "deployment", ".", DEPLOYS) },
        kind("build", "built", "(?:docker|image|container)(?: image)? build", "image|container|docker", IMAGES),
        Kind {
            more: More::Builds,
            may_be_missed: false,
            ..kind("build", "built", "release build", "binary|wheel|release|project|workspace|bundle", &[])
        },
    ]
});

const BRANCHES: &str = "branch|commits?|changes|tags?|origin|remote|main|master|github|gitlab|repo|repository|it|that|this|them|everything|all|both|x/x";
const PUSHES: &[(&str, &str)] = &[("git", "push"), ("jj", "git"), ("gh", "repo"), ("gt", "submit"), ("hg", "push")];
const COMMITS: &[(&str, &str)] = &[
    ("git", "commit"),
    ("git", "merge"),
    ("git", "cherry-pick"),
    ("git", "revert"),
    ("git", "rebase"),
    ("git", "am"),
    ("jj", ""),
    ("hg", "commit"),
    ("gt", ""),
];
const MERGES: &[(&str, &str)] =
    &[("git", "merge"), ("git", "pull"), ("git", "rebase"), ("gh", "pr"), ("glab", "mr"), ("gh", "api"), ("gt", "")];
const OPENS: &[(&str, &str)] =
    &[("gh", "pr"), ("gh", "api"), ("glab", "mr"), ("hub", "pull-request"), ("az", "repos"), ("gt", ""), ("curl", "")];
const PUBLISHES: &[(&str, &str)] = &[
    ("cargo", "publish"),
    ("npm", "publish"),
    ("pnpm", "publish"),
    ("yarn", "publish"),
    ("yarn", "npm"),
    ("bun", "publish"),
    ("twine", "upload"),
    ("poetry", "publish"),
    ("uv", "publish"),
    ("gem", "push"),
    ("docker", "push"),
    ("vsce", "publish"),
    ("gh", "release"),
    ("mvn", "deploy"),
];
const TAGS: &[(&str, &str)] = &[("git", "tag"), ("gh", "release"), ("docker", "tag"), ("npm", "version")];
const MIGRATES: &[(&str, &str)] =
    &[("alembic", "upgrade"), ("prisma", "db"), ("flyway", ""), ("psql", ""), ("mysql", "")];
const DEPLOYS: &[(&str, &str)] = &[
    ("kubectl", "apply"),
    ("kubectl", "rollout"),
    ("kubectl", "set"),
    ("helm", "upgrade"),
    ("helm", "install"),
    ("terraform", "apply"),
    ("ansible-playbook", ""),
    ("vercel", ""),
    ("fly", ""),
    ("netlify", ""),
    ("gcloud", ""),
    ("aws", ""),
    ("docker", "compose"),
    ("docker-compose", ""),
    ("git", "push"),
    ("ssh", ""),
    ("scp", ""),
    ("rsync", ""),
];
const IMAGES: &[(&str, &str)] = &[
    ("docker", "build"),
    ("docker", "buildx"),
    ("docker", "compose"),
    ("docker-compose", "build"),
    ("podman", "build"),
    ("buildah", ""),
    ("make", ""),
];

/// A kind whose verb has this participle and whose noun is named so.
fn kind(stem: &'static str, done: &str, noun: &str, of: &str, by: &'static [(&'static str, &'static str)]) -> Kind {
    let start = r"(?:^|[,;:] | and | then |\()(?:(?:i|we|it|also|then|later|finally|now|successfully|all|have|has|the agent|the assistant) )*";
    let passive = r"\b(?:was|were|has been|have been|got) (?:now |also |then |finally |successfully )*";
    let well = r"(?:now |also |finally |again )*(?:succeed(?:s|ed)|works?|worked|passe[sd]|went through|(?:was|is) (?:successful|green|done)|(?:completed|finished)(?: successfully)?)";
    let name = format!(r"^(?:the |our )?(?:git )?{noun}(?: (?:of|to) \S+)? {well}\b");
    Kind {
        stem,
        said: pattern(&format!(r"(?i)(?:{start}{done}\b|{passive}{done}\b|{name})")),
        of: pattern(&format!(r"(?i)(?:^|\b)(?:{of})(?:\b|$)|{done}\)?$|{name}")),
        is_done: pattern(&format!(r"(?i)\b{done}\b")),
        by,
        more: More::None,
        of_commits: false,
        may_be_missed: true,
    }
}

/// Requests to merge that are opened.
fn opened() -> Kind {
    let what = r"(?:pull request|merge request|PR|MR)";
    let verb = "(?:opened|created|submitted|raised|filed)";
    let said = format!(
        r"(?i)(?:^|[,;:] | and | then )(?:(?:i|we|also|then|later|finally|successfully) )*{verb} (?:a |the |an )?{what}\b|\b{what}(?: \S+)? (?:was|has been|is) (?:now )?(?:opened|created|open)\b"
    );
    Kind {
        said: pattern(&said),
        is_done: pattern(&format!(r"(?i)\b{verb} .{{0,20}}{what}\b|/pull/\d|merge_requests/")),
        ..kind("merge", "opened", "merge request", ".", OPENS)
    }
}

/// Migrations of databases.
fn migrated() -> Kind {
    let said = r"(?i)(?:^|[,;:] | and | then )(?:(?:i|we|also|then|later|finally|successfully) )*(?:applied|ran|executed) (?:the |all |both )?(?:\S+ )?migrations?\b|\bmigrations? (?:was|were|has been|have been) (?:also |successfully )?(?:applied|run|executed)\b|^the migration (?:succeeded|went through|worked)\b";
    Kind { said: pattern(said), more: More::WithStem, ..kind("migrat", "migrated", "migration", ".", MIGRATES) }
}

impl Kind {
    /// Whether a sentence without quotes says that the work was done.
    pub(super) fn claims(&self, sentence: &str) -> bool {
        self.said.is_match(sentence) && self.of.is_match(sentence)
    }

    /// Whether the work is done in one of several environments.
    pub(super) fn has_place(&self) -> bool {
        ["deploy", "migrat", "publish"].contains(&self.stem)
    }

    /// Whether a step of a command does the work.
    pub(super) fn does(&self, step: &[String]) -> bool {
        let plain: Vec<&str> = step.iter().map(String::as_str).filter(|word| !word.contains('=')).collect();
        let is_it = |(program, word): &(&str, &str)| {
            let at = plain.iter().position(|own| own.rsplit('/').next() == Some(program));
            at.is_some_and(|at| at < 3 && (word.is_empty() || plain[at + 1..].iter().take(4).any(|own| own == word)))
        };
        let named = || match self.more {
            More::None => false,
            More::Builds => is_build(&step.join(" ")),
            More::WithStem => {
                !LOOKS.contains(&plain.first().copied().unwrap_or_default())
                    && plain.iter().any(|word| word.contains(self.stem))
            }
        };
        self.by.iter().any(is_it) || named()
    }

    /// Whether the text of a command may do the work in a way that its steps do not show.
    pub(super) fn does_in(&self, command: &str) -> bool {
        let runs =
            command.contains("-c ") || command.contains("<<") || command.contains("$(") || command.contains("ssh ");
        runs && command.to_lowercase().contains(self.stem)
    }
}

/// Programs that look, and `git`, whose own words are listed.
const LOOKS: [&str; 10] = ["cat", "cd", "echo", "find", "git", "grep", "head", "ls", "rg", "tail"];

#[cfg(test)]
mod tests {
    use super::*;

    fn claimed(sentence: &str) -> Option<&'static str> {
        KINDS.iter().find(|kind| kind.claims(sentence)).map(|kind| kind.stem)
    }

    #[test]
    fn sentences_say_what_was_done() {
        for (sentence, stem) in [
            ("Pushed the branch", "push"),
            ("I pushed fix/lamp to origin", "push"),
            ("Committed and pushed it", "push"),
            ("The push went through", "push"),
            ("Lit the lamp, all committed", "commit"),
            ("The branch was merged into main", "merge"),
            ("Lit the lamp and opened the merge request", "merge"),
            ("Published tide 0.9 to crates.io", "publish"),
            ("Tagged the release v2.1", "tag"),
            ("Applied the migration", "migrat"),
            ("Deployed to the quay", "deploy"),
            ("Built the Docker image quay:2", "build"),
            ("The Docker build now works", "build"),
        ] {
            assert_eq!(claimed(sentence), Some(stem), "{sentence}");
        }
        for sentence in [
            "Pushed back the date",
            "Built the lamp table",
            "Merged the two lists",
            "Tagged the lamps by height",
            "Migrated the parser to rows",
            "The pushed-in lamp is dark",
        ] {
            assert_eq!(claimed(sentence), None, "{sentence}");
        }
    }

    #[test]
    fn commands_do_what_their_words_say() {
        let does = |stem: &str, command: &str| {
            let step: Vec<String> = command.split(' ').map(str::to_owned).collect();
            KINDS.iter().filter(|kind| kind.stem == stem).any(|kind| kind.does(&step))
        };
        for (stem, command) in [
            ("push", "git push -u origin quay"),
            ("push", "git -C quay push"),
            ("commit", "git commit -am lamp"),
            ("build", "docker build -t quay ."),
            ("build", "cargo build --release"),
            ("migrat", "pnpm db:migrate --env staging"),
            ("deploy", "make deploy"),
        ] {
            assert!(does(stem, command), "{command}");
        }
        for (stem, command) in [
            ("push", "git log"),
            ("commit", "git log --oneline"),
            ("migrat", "ls db/migrations"),
            ("deploy", "make all"),
        ] {
            assert!(!does(stem, command), "{command}");
        }
    }
}
