//! Files that a commit, merge or pull says to be gone: “delete mode 100644 quay/lamp.rs”, “rename quay/{lamp.rs =>
//! light/lamp.rs} (90%)”. Who deleted or moved them may be unknown: another agent, or a program.

use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::trials::git_verbs;

/// Subcommands of git that print what their commits did to files.
const TELL: [&str; 3] = ["commit", "merge", "pull"];

/// A file that is gone from its path, and its new path if it was moved; both below the folder of the repository.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Gone {
    pub(super) path: String,
    pub(super) to: Option<String>,
}

/// The files that the result of an act says to be gone, in order.
pub(super) fn gone(act: &Act<'_>) -> Vec<Gone> {
    let Action::Run(command) = &act.action else { return Vec::new() };
    // Most commands are none of git, so that their results need not be searched.
    if !git_verbs(command).iter().any(|verb| TELL.contains(&verb.as_str())) {
        return Vec::new();
    }
    act.result.lines().filter_map(of_line).collect()
}

fn of_line(line: &str) -> Option<Gone> {
    if let Some(rest) = line.strip_prefix(" delete mode ") {
        let (_, path) = rest.split_once(' ')?;
        return Some(Gone { path: path.to_owned(), to: None });
    }
    let (moved, _) = line.strip_prefix(" rename ")?.rsplit_once(" (")?;
    let (before, inner, behind) = match moved.split_once('{') {
        Some((before, rest)) => {
            let (inner, behind) = rest.split_once('}')?;
            (before, inner, behind)
        }
        None => ("", moved, ""),
    };
    let (from, to) = inner.split_once(" => ")?;
    // Of “quay/{ => light}/lamp.rs”, one side is empty.
    let whole = |own: &str| format!("{before}{own}{behind}").replace("//", "/");
    Some(Gone { path: whole(from), to: Some(whole(to)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deleted_and_renamed_files_are_read() {
        let of = |line: &str| of_line(line).map(|gone| (gone.path, gone.to.unwrap_or_default()));
        let pair = |path: &str, to: &str| Some((path.to_owned(), to.to_owned()));
        assert_eq!(of(" delete mode 100644 quay/old lamp.rs"), pair("quay/old lamp.rs", ""));
        assert_eq!(of(" rename lamp.rs => light.rs (100%)"), pair("lamp.rs", "light.rs"));
        assert_eq!(of(" rename quay/{lamp.rs => a/light.rs} (88%)"), pair("quay/lamp.rs", "quay/a/light.rs"));
        assert_eq!(of(" rename quay/{ => a}/lamp.rs (99%)"), pair("quay/lamp.rs", "quay/a/lamp.rs"));
        for other in [" create mode 100644 a.rs", "delete mode of the lamp", " rename the lamp", " 3 files changed"] {
            assert_eq!(of_line(other), None, "{other}");
        }
    }
}
