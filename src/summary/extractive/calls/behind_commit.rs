//! What stands behind a commit in a command that failed though git reported the commit: `git commit && git push`.

use super::command::{first_step, in_one_line};
use super::complaint::stop;
use super::footer::reports_commit;
use super::output::output;
use super::run::Command;
use super::trials::git_verbs;
use crate::summary::text::fold;

/// The steps behind the last commit of a command, and the line with which the last of them aborted, if there is one.
/// `None` if the command ends with the commit, or only looks behind it.
pub(in crate::summary::extractive) fn behind_commit(command: &str, result: &str) -> Option<(Command, Option<String>)> {
    let line = in_one_line(command);
    let (mut rest, mut behind) = (&*line, None);
    while let Some((step, next)) = first_step(rest) {
        if git_verbs(&step.into()).iter().any(|verb| verb == "commit") {
            behind = Some(next);
        }
        rest = next;
    }
    let behind = Command::from(behind?);
    let printed = output(result);
    let mut lines = printed.split_inclusive('\n');
    let before: usize = lines.by_ref().take_while(|line| !reports_commit(line.trim())).map(str::len).sum();
    let after = &printed[before..];
    let refused = || after.lines().map(str::trim).find(|line| line.starts_with("! [")).map(fold);
    let line = refused().or_else(|| stop(["", after]));
    (!behind.is_quiet()).then_some((behind, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(command: &str, result: &str) -> Option<(String, String)> {
        behind_commit(command, result).map(|(rest, line)| (rest.shown().to_owned(), line.unwrap_or_default()))
    }

    #[test]
    fn what_stands_behind_a_commit_failed() {
        let printed = "error: an old one\n[quay 3f2a91c] Mend the lamp\n 1 file changed\nssh: Could not resolve hostname quay.example\nfatal: Could not read from remote repository.\nExit code: 128";
        let pushed = ("git push origin quay".to_owned(), "ssh: Could not resolve hostname quay.example".to_owned());
        for command in [
            "git commit -m 'Mend the lamp' && git push origin quay",
            "git add -A; git commit -m \"Mend the lamp && the pier\"; git push origin quay 2>&1",
            "cd /quay && git -C . commit -m \"$(cat <<'EOF'\nMend the lamp\n\ngit push\nEOF\n)\" && git push origin quay",
        ] {
            assert_eq!(told(command, printed).as_ref(), Some(&pushed), "{command}");
        }
        for command in ["git commit -m a", "git push && git commit -m a", "git commit -m a && git log -1", "make && ls"]
        {
            assert_eq!(told(command, printed), None, "{command}");
        }
    }
}
