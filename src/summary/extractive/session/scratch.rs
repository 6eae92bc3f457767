//! Commits in temporary folders: one in a repository that the same command made there is a trial of git, and no
//! delivery.

use super::commits::{is_git, steps};
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::files::folders::below;
use crate::summary::extractive::files::paths::is_temporary;

/// Where a command commits.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::summary::extractive) enum Place {
    /// In the session's folder, or any other that is not temporary.
    Project,
    /// In a temporary folder, if its name is known.
    Aside(Option<String>),
    /// In a repository that it made itself in a temporary folder.
    Scratch,
}

/// The program that makes temporary folders.
const MAKES: &str = "mktemp";
const GOES: [&str; 2] = ["cd", "pushd"];

impl Place {
    /// Where a call commits. What is temporary for a session elsewhere is the project of one that works there.
    pub(in crate::summary::extractive) fn of(act: &Act<'_>) -> Self {
        if act.folder().is_some_and(is_in_temporary) {
            return Self::Project;
        }
        let (mut here, mut makes, mut begun) = (Here::Known(String::new()), false, false);
        for step in steps(act) {
            makes |= step.iter().any(|word| word.contains(MAKES));
            match &**step {
                [go, folder, ..] if GOES.contains(&&**go) => here = here.go(folder, makes),
                [git, option, folder, command, ..] if git == "git" && option == "-C" && command == "commit" => {
                    return here.go(folder, makes).place(begun);
                }
                _ if is_git(step, "init") => begun |= here.is_temporary(),
                _ if is_git(step, "commit") => return here.place(begun),
                _ => {}
            }
        }
        Self::Project
    }
}

/// The folder of a step.
enum Here {
    /// Its path, relative to where the command starts.
    Known(String),
    /// It has a variable in its name, behind a step that makes a temporary folder.
    Made,
}

impl Here {
    fn go(self, folder: &str, makes: bool) -> Self {
        match self {
            _ if folder.contains(['$', '`']) => {
                if makes {
                    Self::Made
                } else {
                    Self::Known(folder.to_owned())
                }
            }
            Self::Known(here) => Self::Known(below(&here, folder).into_owned()),
            Self::Made => Self::Made,
        }
    }

    fn is_temporary(&self) -> bool {
        match self {
            Self::Known(folder) => is_in_temporary(folder),
            Self::Made => true,
        }
    }

    fn place(self, begun: bool) -> Place {
        match self {
            _ if begun && self.is_temporary() => Place::Scratch,
            Self::Known(folder) if is_in_temporary(&folder) => Place::Aside(Some(folder)),
            Self::Known(_) => Place::Project,
            Self::Made => Place::Aside(None),
        }
    }
}

fn is_in_temporary(folder: &str) -> bool {
    is_temporary(&format!("{folder}/"))
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use super::*;
    use crate::summary::builders::act;

    fn place(command: &str) -> Place {
        let messages = act("bash", &serde_json::json!({ "command": command }).to_string(), "", false);
        let turns = turns(&messages.iter().collect::<Vec<_>>(), &[]);
        Place::of(&turns[0].acts[0])
    }

    #[test]
    fn a_commit_in_a_repository_made_for_a_trial_is_no_delivery() {
        for command in [
            "cd /tmp && mkdir quay && cd quay && git init && git add . && git commit -m one",
            "dir=$(mktemp -d) && cd \"$dir\" && git init -q; git commit --allow-empty -m one",
            "cd \"$(mktemp -d)\"\ngit init\ngit commit -m one",
        ] {
            assert_eq!(place(command), Place::Scratch, "{command}");
        }
        for command in [
            "git init && git add . && git commit -m one",
            "mkdir quay && cd quay && git init && git commit -m one",
            "cd /w/quay && git commit -m one",
            "cd $QUAY && git commit -m one",
            "cd /tmp && git init quay; cd /w/quay && git commit -m one",
            "git commit -m 'cd /tmp && git init'",
        ] {
            assert_eq!(place(command), Place::Project, "{command}");
        }
        let aside = Place::Aside(Some("/tmp/quay".to_owned()));
        assert_eq!(place("git worktree add /tmp/quay && cd /tmp/quay && git commit -m one"), aside);
        assert_eq!(place("git -C /tmp/quay commit -m one"), aside);
        assert_eq!(place("d=$(mktemp -d); git clone . $d; cd $d && git commit -m one"), Place::Aside(None));
    }
}
