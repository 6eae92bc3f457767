//! Commands that change files, run tests and put the files back, and changes of git that nothing takes back.

use super::command::{runs_tests, without_documents};
use super::shell::words;

/// Marks of the names of copies that files are put back from.
const COPIES: [&str; 8] = [".bak", ".orig", ".old", ".save", ".keep", "backup", "/tmp/", "stash"];
/// Subcommands of `git stash` that look, put away and bring back.
const BRING: [&str; 2] = ["pop", "apply"];
/// Options of git before its subcommand that take a value.
const PLACES: [&str; 3] = ["-C", "-c", "--git-dir"];
/// Options of `git branch` that only look.
const LOOKS: &[&str] = &[
    "-a",
    "-r",
    "-v",
    "-vv",
    "-l",
    "--all",
    "--list",
    "--remotes",
    "--contains",
    "--no-contains",
    "--merged",
    "--no-merged",
    "--show-current",
    "--sort",
    "--format",
    "--points-at",
    "-u",
    "--set-upstream-to",
    "--unset-upstream",
    "--column",
    "--no-column",
    "--color",
    "--no-color",
    "--verbose",
    "--edit-description",
];
/// Options behind which the name of a new branch stands.
const NEW: [&str; 5] = ["-b", "-B", "-c", "-C", "--create"];

/// Whether a command changes files only for a test run in it and then puts them back, whatever the run says: that the
/// tests fail there is what it was to show.
pub(in crate::summary::extractive) fn is_trial(line: &str) -> bool {
    if !["git ", "cp ", "mv ", "patch "].iter().any(|program| line.contains(program)) {
        return false;
    }
    let line = without_documents(line);
    let statements: Vec<&str> = line.split([';', '\n']).collect();
    let Some(tested) = statements.iter().rposition(|one| runs_tests(one)) else { return false };
    let all = |own: &str, is: fn(&[String]) -> bool| words(own).iter().any(|step| is(step));
    let before = statements[..=tested].iter().any(|one| {
        let first = one.split("&&").take_while(|step| !runs_tests(step)).collect::<Vec<_>>().join("&&");
        all(&first, alters) || takes_earlier(&first)
    });
    // The exit status of a pipe is that of its end.
    let piped = statements[tested].rsplit("&&").take_while(|step| !runs_tests(step)).collect::<Vec<_>>().join("&&");
    let tested_step = statements[tested].split("&&").find(|step| runs_tests(step)).unwrap_or_default();
    let goes_on = tested_step.contains('|') && all(&piped, restores);
    before && (goes_on || statements[tested + 1..].iter().any(|one| all(one, restores)))
}

/// Whether a text writes an earlier state of a file: `git show HEAD~1:lamp.rs > lamp.rs`.
fn takes_earlier(text: &str) -> bool {
    text.split("&&").any(|step| step.contains("git show ") && step.contains(':') && step.contains('>'))
}

/// Whether a step changes files in a way that can be for a trial.
fn alters(step: &[String]) -> bool {
    let has = |word: &str| step.iter().any(|own| own == word);
    let Some((command, args)) = git(step) else {
        let in_place = step.iter().any(|word| word.starts_with("-i") || word.starts_with("-pi"));
        return match step.first().map(String::as_str) {
            Some("sed" | "perl") => in_place,
            Some("cp" | "mv") => step.iter().any(|word| is_copy(word)),
            Some("patch") => true,
            _ => false,
        };
    };
    match command {
        "checkout" => args.iter().any(|arg| arg == "--") && args.first().is_some_and(|arg| arg != "--"),
        "restore" => args.iter().any(|arg| arg.starts_with("--source") || arg == "-s"),
        "stash" => {
            let puts = |arg: &String| !BRING.iter().chain(&["list", "show", "drop"]).any(|own| arg == own);
            args.first().is_none_or(puts)
        }
        "apply" => has("-R") || has("--reverse"),
        "revert" => has("-n") || has("--no-commit"),
        _ => false,
    }
}

/// Whether a step puts files back.
fn restores(step: &[String]) -> bool {
    let Some((command, args)) = git(step) else {
        let first = step.first().map(String::as_str);
        let from = step.iter().skip(1).find(|word| !word.starts_with('-'));
        return ["cp", "mv"].map(Some).contains(&first) && from.is_some_and(|from| is_copy(from))
            || first == Some("patch");
    };
    let is_file =
        |arg: &String| arg == "." || arg == "--" || arg.rsplit('/').next().is_some_and(|own| own.contains('.'));
    match command {
        "checkout" | "restore" => args.iter().any(is_file) && !args.iter().any(|arg| NEW.contains(&arg.as_str())),
        "stash" => args.first().is_some_and(|arg| BRING.contains(&arg.as_str())),
        "apply" => true,
        "reset" => args.iter().any(|arg| arg == "--hard"),
        _ => false,
    }
}

fn is_copy(word: &str) -> bool {
    COPIES.iter().any(|mark| word.contains(mark))
}

/// The subcommand of git in a step, with its arguments.
fn git(step: &[String]) -> Option<(&str, &[String])> {
    let at = step.iter().position(|word| !["sudo", "then", "do", "else", "!"].contains(&word.as_str()))?;
    let mut rest = step[at..].strip_prefix(&["git".to_owned()])?;
    while let [option, others @ ..] = rest
        && option.starts_with('-')
    {
        rest = if PLACES.contains(&option.as_str()) { others.get(1..)? } else { others };
    }
    let (command, args) = rest.split_first()?;
    Some((command, args))
}

/// A change of git that another one does not take back, or that moves work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::summary::extractive) enum Change {
    /// Goes to another branch that exists.
    Switched,
    /// Puts changes away or brings them back.
    Stashed,
    /// Creates, renames or deletes branches or tags, or drops commits, changes or files.
    Final,
}

/// The most final change of git in a command.
pub(in crate::summary::extractive) fn change(line: &str) -> Option<Change> {
    let may = line.contains("git ");
    may.then(|| words(line).iter().filter_map(|step| of_step(step)).max()).flatten()
}

fn of_step(step: &[String]) -> Option<Change> {
    let (command, args) = git(step)?;
    let has = |options: &[&str]| args.iter().any(|arg| options.contains(&arg.as_str()));
    let plain = || args.iter().filter(|arg| !arg.starts_with('-'));
    let is_some = |is: bool| is.then_some(Change::Final);
    match command {
        "checkout" | "switch" if has(&NEW) || has(&["--orphan"]) => Some(Change::Final),
        "switch" => Some(Change::Switched),
        "checkout" if !has(&["--", ".", "-p"]) && plain().count() <= 1 => {
            let is_path =
                |arg: &String| arg.rsplit('/').next().is_some_and(|own| own.contains('.') && !own.starts_with('v'));
            let is_known = |arg: &String| !is_path(arg) && !arg.contains('$');
            (plain().all(is_known) && !args.is_empty()).then_some(Change::Switched)
        }
        "branch" => is_some(!args.is_empty() && !args.iter().any(|arg| is_look(arg)) && plain().next().is_some()),
        "push" => is_some(
            has(&["--delete", "-d", "--mirror"]) || args.iter().any(|arg| arg.starts_with(':') && arg.len() > 1),
        ),
        "reset" => is_some(has(&["--hard"])),
        "tag" => is_some(plain().next().is_some() && !has(&["-l", "--list", "-n", "--contains", "--points-at", "-v"])),
        "clean" => is_some(
            !has(&["-n", "--dry-run", "-nd", "-ndx"])
                && args.iter().any(|arg| arg.starts_with('-') && arg.contains('f')),
        ),
        "update-ref" | "filter-branch" | "filter-repo" => Some(Change::Final),
        "worktree" => is_some(args.first().is_some_and(|arg| ["add", "remove"].contains(&arg.as_str()))),
        "stash" if has(&["drop", "clear"]) => Some(Change::Final),
        "stash" if !has(&["list", "show"]) => Some(Change::Stashed),
        _ => None,
    }
}

/// Whether a command of git for branches deletes or renames none. A new one is often a copy before other steps.
pub(super) fn keeps_branches(words: &[&str]) -> bool {
    !words.iter().any(|word| ["-d", "-D", "--delete", "-m", "-M", "--move"].contains(word))
}

fn is_look(arg: &str) -> bool {
    LOOKS.contains(&arg.split('=').next().unwrap_or(arg))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_with_files_changed_only_for_it_is_a_trial() {
        for trial in [
            "git show HEAD~1:lamp.go > lamp.go && go test ./lamps; git checkout lamp.go",
            "git stash && cargo test; git stash pop",
            "cp lamp.py lamp.py.bak; sed -i 's/7/8/' lamp.py; pytest -q | tail -3; mv lamp.py.bak lamp.py",
            "git checkout HEAD~2 -- lamp.go\ngo test ./...\ngit checkout HEAD -- lamp.go",
            "sed -i 's/7/8/' lamp.py && pytest -q | tail -3 && git checkout -- lamp.py",
        ] {
            assert!(is_trial(trial), "{trial}");
        }
        for other in [
            "go test ./lamps; git checkout main",
            "sed -i 's/7/8/' lamp.py && pytest -q",
            "git show HEAD~1:lamp.go > lamp.go && go test ./lamps && git checkout lamp.go",
            "git stash; git stash pop",
            "pytest; git checkout lamp.py",
        ] {
            assert!(!is_trial(other), "{other}");
        }
    }

    #[test]
    fn changes_of_git_that_stay_are_told_from_others() {
        for (line, kind) in [
            ("git checkout -b quay", Some(Change::Final)),
            ("cd /quay && git -C lamps branch -D old", Some(Change::Final)),
            ("git push origin --delete old", Some(Change::Final)),
            ("git push origin :old", Some(Change::Final)),
            ("git reset --hard HEAD~1", Some(Change::Final)),
            ("git tag v1.2", Some(Change::Final)),
            ("git branch quay", Some(Change::Final)),
            ("git stash pop", Some(Change::Stashed)),
            ("git checkout main && make", Some(Change::Switched)),
            ("git switch -", Some(Change::Switched)),
            ("git branch", None),
            ("git branch -a | grep quay", None),
            ("git branch --contains 3f2a91c", None),
            ("git tag -l", None),
            ("git stash list", None),
            ("git checkout -- lamp.rs", None),
            ("git checkout src/lamp.rs", None),
            ("git push origin quay", None),
            ("echo 'git reset --hard'", None),
        ] {
            assert_eq!(change(line), kind, "{line}");
        }
    }
}
