//! Commands that change files, run tests and put the files back, and changes of git that nothing takes back.

use super::command::without_documents;
use super::run::Command;
use super::shell::words;
use super::testing::runs_tests;
use crate::facts::commands;
use crate::summary::text::contains_any;
use std::collections::BTreeSet;

/// Marks of the names of copies that files are put back from.
const COPIES: [&str; 8] = [".bak", ".orig", ".old", ".save", ".keep", "backup", "/tmp/", "stash"];
/// Subcommands of `git stash` that bring changes back.
const BRING: [&str; 2] = ["pop", "apply"];
/// Options of git before its subcommand that take a value.
const PLACES: [&str; 3] = ["-C", "-c", "--git-dir"];
/// Options with which `git branch` makes, renames and deletes none.
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
pub(in crate::summary::extractive) const NEW: [&str; 6] = ["-b", "-B", "-c", "-C", "--create", "--orphan"];

/// Subcommands of git behind which the files are other ones for good.
const MOVES_ON: [&str; 7] = ["am", "cherry-pick", "commit", "merge", "pull", "rebase", "reset"];

/// Whether a command changes files only for a test run in it and then puts all of them back, whatever the run says:
/// that the tests fail there is what it was to show.
pub(in crate::summary::extractive) fn is_trial(line: &str) -> bool {
    if !contains_any(line, &["git ", "cp ", "mv ", "patch "]) {
        return false;
    }
    let line = without_documents(line);
    let statements: Vec<&str> = line.split([';', '\n']).collect();
    let Some(tested) = statements.iter().rposition(|one| runs_tests(one)) else { return false };
    let mut trial = Trial::default();
    for one in &statements[..=tested] {
        for step in one.split("&&").take_while(|step| !runs_tests(step)) {
            trial.before(step);
        }
    }
    // The exit status of a pipe is that of its end.
    let tested_step = statements[tested].split("&&").find(|step| runs_tests(step)).unwrap_or_default();
    let mut piped: Vec<&str> = statements[tested].rsplit("&&").take_while(|step| !runs_tests(step)).collect();
    piped.retain(|_| tested_step.contains('|'));
    let behind = statements[tested + 1..].iter().flat_map(|one| one.split("&&"));
    for step in piped.into_iter().rev().chain(behind) {
        trial.after(step);
    }
    trial.is_over()
}

/// What a change for a trial was made to.
#[derive(Debug, PartialEq, Eq)]
enum Altered {
    File(String),
    Stash,
    /// A patch, by program and arguments, and whether it was taken off.
    Patch(Vec<String>, bool),
}

/// The changes before a test run that were not put back, and copies of files.
#[derive(Default)]
struct Trial {
    altered: Vec<Altered>,
    copies: Vec<[String; 2]>,
    /// Whether it altered anything, and whether that cannot be put back.
    begun: bool,
    spoiled: bool,
    /// Changes of branch.
    switches: usize,
}

impl Trial {
    /// Whether all that was altered is back.
    fn is_over(&self) -> bool {
        self.begun && self.altered.is_empty() && !self.spoiled && self.switches.is_multiple_of(2)
    }

    /// Reads a step before the run.
    fn before(&mut self, text: &str) {
        let taken = taken_earlier(text).map(Altered::File);
        let made: Vec<Altered> = words(text).iter().flat_map(|step| self.alters(step)).chain(taken).collect();
        self.begun |= !made.is_empty();
        self.altered.extend(made);
    }

    /// Reads a step behind the run.
    fn after(&mut self, text: &str) {
        for step in words(text) {
            self.restores(&step);
        }
    }

    fn note(&mut self, step: &[String]) {
        self.switches += usize::from(of_step(step) == Some(Change::Switched));
    }

    /// What a step changes in a way that can be for a trial.
    fn alters(&mut self, step: &[String]) -> Vec<Altered> {
        self.note(step);
        let Some((command, args)) = git(step) else { return self.alters_files(step) };
        let first = args.first().map(String::as_str);
        let files =
            |rest: &[String]| rest.iter().filter(|arg| !arg.starts_with('-')).cloned().map(Altered::File).collect();
        self.spoiled |=
            MOVES_ON.contains(&command) || command == "stash" && first.is_some_and(|own| BRING.contains(&own));
        match (command, args.iter().position(|arg| arg == "--")) {
            ("checkout", Some(at)) if at > 0 => files(&args[at..]),
            ("restore", _) if args.iter().any(|arg| arg.starts_with("--source=")) => files(args),
            ("stash", _) if first.is_none_or(|own| own.starts_with('-') || ["push", "save"].contains(&own)) => {
                vec![Altered::Stash]
            }
            ("apply", _) => vec![patch(step)],
            _ => Vec::new(),
        }
    }

    fn alters_files(&mut self, step: &[String]) -> Vec<Altered> {
        let in_place = || step.iter().any(|word| word.starts_with("-i") || word.starts_with("-pi"));
        let mut plain = step.iter().skip(1).filter(|word| !word.starts_with('-') && !word.is_empty());
        match step.first().map(String::as_str) {
            // The first word is the script.
            Some("sed" | "perl") if in_place() => plain.skip(1).cloned().map(Altered::File).collect(),
            Some("cp" | "mv") => match (plain.next(), plain.next()) {
                (Some(from), Some(to)) if is_copy(to) && !is_copy(from) => {
                    self.copies.push([from.clone(), to.clone()]);
                    vec![Altered::File(from.clone())]
                }
                (_, Some(to)) => vec![Altered::File(to.clone())],
                _ => Vec::new(),
            },
            Some("patch") => vec![patch(step)],
            _ => Vec::new(),
        }
    }

    /// Takes note of what a step puts back.
    fn restores(&mut self, step: &[String]) {
        self.note(step);
        let Some((command, args)) = git(step) else { return self.restores_files(step) };
        let has = |options: &[&str]| args.iter().any(|arg| options.contains(&arg.as_str()));
        let first = args.first().map(String::as_str);
        match command {
            "checkout" | "restore" => {
                let takes_other = has(&["--staged", "-S", "-s"])
                    || args.iter().any(|arg| arg.starts_with("--source=") && arg != "--source=HEAD");
                let is_old = |arg: &&String| !arg.starts_with('-') && *arg != "HEAD";
                let named: Vec<&String> = args.iter().filter(is_old).collect();
                let own = |file: &str| named.iter().any(|arg| covers(arg, file));
                let is_known = |arg: &&String| {
                    self.altered.iter().any(|one| matches!(one, Altered::File(file) if covers(arg, file)))
                };
                if !takes_other && named.iter().all(is_known) {
                    self.altered.retain(|one| !matches!(one, Altered::File(file) if own(file)));
                }
            }
            "stash" if first.is_some_and(|own| BRING.contains(&own)) => self.put_back(&Altered::Stash),
            "stash" => self.spoiled |= has(&["drop", "clear"]),
            "apply" => self.take_off(step),
            "reset" if has(&["--hard"]) && args.iter().all(|arg| arg == "--hard" || arg == "HEAD" || arg == "-q") => {
                self.altered.retain(|one| !matches!(one, Altered::File(_)));
            }
            _ => self.spoiled |= MOVES_ON.contains(&command),
        }
    }

    fn restores_files(&mut self, step: &[String]) {
        let mut plain = step.iter().skip(1).filter(|word| !word.starts_with('-'));
        match step.first().map(String::as_str) {
            Some("cp" | "mv") => {
                if let (Some(from), Some(to)) = (plain.next(), plain.next())
                    && self.copies.iter().any(|copy| [&copy[1], &copy[0]] == [from, to])
                {
                    self.altered.retain(|one| !matches!(one, Altered::File(file) if file == to));
                }
            }
            Some("patch") => self.take_off(step),
            _ => {}
        }
    }

    /// Takes note of a patch that is the reverse of an earlier one.
    fn take_off(&mut self, step: &[String]) {
        if let Altered::Patch(args, reversed) = patch(step) {
            self.put_back(&Altered::Patch(args, !reversed));
        }
    }

    fn put_back(&mut self, made: &Altered) {
        if let Some(at) = self.altered.iter().rposition(|one| one == made) {
            self.altered.remove(at);
        }
    }
}

/// The file that a step overwrites with an earlier state of one: `git show HEAD~1:lamp.rs > lamp.rs`.
fn taken_earlier(step: &str) -> Option<String> {
    let (shown, into) = step.rsplit_once('>')?;
    let file = into.split_whitespace().next()?.trim_matches(['"', '\'']);
    (shown.contains("git show ") && shown.contains(':')).then(|| file.to_owned())
}

/// A patch that a step puts on or takes off.
fn patch(step: &[String]) -> Altered {
    let is_reverse = |word: &&String| ["-R", "--reverse"].contains(&word.as_str());
    let reversed = step.iter().any(|word| is_reverse(&word));
    Altered::Patch(step.iter().filter(|word| !is_reverse(word)).cloned().collect(), reversed)
}

/// Whether a path given to git is a file or a folder that it is in.
fn covers(path: &str, file: &str) -> bool {
    let bare = |path: &str| path.strip_prefix("./").unwrap_or(path).to_owned();
    let (path, file) = (bare(path), bare(file));
    let is_below = || file.strip_prefix(path.trim_end_matches('/')).is_some_and(|rest| rest.starts_with('/'));
    path == "." || path == file || is_below()
}

fn is_copy(word: &str) -> bool {
    contains_any(word, &COPIES)
}

/// The subcommands of git in a command, in whatever folder: `git -C /quay push` pushes.
pub(in crate::summary::extractive) fn git_verbs(command: &Command) -> BTreeSet<String> {
    if !command.contains("git ") {
        return BTreeSet::new();
    }
    let named = commands(command).into_iter().filter_map(|ran| Some(ran.value.strip_prefix("git ")?.to_owned()));
    let of_steps = command.steps().iter().filter_map(|step| git(step)).map(|(verb, _)| verb.to_owned());
    named.chain(of_steps).collect()
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
    /// Creates or renames a branch, tag or work tree, or removes a work tree.
    Made,
    /// Deletes branches or tags, or drops commits, changes or files.
    Final,
}

/// The most final change of git in a command.
pub(in crate::summary::extractive) fn change(command: &Command) -> Option<Change> {
    let may = command.contains("git ");
    may.then(|| command.steps().iter().filter_map(|step| of_step(step)).max()).flatten()
}

fn of_step(step: &[String]) -> Option<Change> {
    let (command, args) = git(step)?;
    let has = |options: &[&str]| args.iter().any(|arg| options.contains(&arg.as_str()));
    let plain = || args.iter().filter(|arg| !arg.starts_with('-'));
    let is_some = |is: bool| is.then_some(Change::Final);
    let deletes = || has(&["-d", "-D", "--delete"]);
    let made = |is: bool| is.then(|| if deletes() { Change::Final } else { Change::Made });
    match command {
        "checkout" | "switch" if has(&NEW) => Some(Change::Made),
        "switch" => Some(Change::Switched),
        "checkout" if !has(&["--", ".", "-p"]) && plain().count() <= 1 => {
            let is_path =
                |arg: &String| arg.rsplit('/').next().is_some_and(|own| own.contains('.') && !own.starts_with('v'));
            let is_known = |arg: &String| !is_path(arg) && !arg.contains('$');
            (plain().all(is_known) && !args.is_empty()).then_some(Change::Switched)
        }
        "branch" => made(!args.is_empty() && !args.iter().any(|arg| is_look(arg)) && plain().next().is_some()),
        "push" => is_some(
            has(&["--delete", "-d", "--mirror"]) || args.iter().any(|arg| arg.starts_with(':') && arg.len() > 1),
        ),
        "reset" => is_some(has(&["--hard"])),
        "tag" => made(plain().next().is_some() && !has(&["-l", "--list", "-n", "--contains", "--points-at", "-v"])),
        "clean" => is_some(
            !has(&["-n", "--dry-run", "-nd", "-ndx"])
                && args.iter().any(|arg| arg.starts_with('-') && arg.contains('f')),
        ),
        "update-ref" | "filter-branch" | "filter-repo" => Some(Change::Final),
        "worktree" => made(args.first().is_some_and(|arg| ["add", "remove"].contains(&arg.as_str()))),
        "stash" if has(&["drop", "clear"]) => Some(Change::Final),
        "stash" if !has(&["list", "show"]) => Some(Change::Stashed),
        _ => None,
    }
}

/// Whether a command of git for branches deletes or renames none. A new one is often a copy before other steps; it is
/// kept only if it is called a backup.
pub(super) fn keeps_branches(words: &[&str]) -> bool {
    let is_loud = |word: &&str| {
        ["-d", "-D", "--delete", "-m", "-M", "--move"].contains(word) || word.contains("backup") && !is_look(words[2])
    };
    !words.iter().skip(2).any(is_loud)
}

fn is_look(arg: &str) -> bool {
    LOOKS.contains(&arg.split('=').next().unwrap_or(arg))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_command_of_git_is_not_its_subcommand() {
        let verbs = |line: &str| git_verbs(&Command::from(line));
        for (line, verb) in [
            ("git -C /quay add . && git -C /quay commit -m one", "commit"),
            ("git -C \"$(git rev-parse --show-toplevel)\" push", "push"),
            ("git --no-pager -c user.name=x commit -m one", "commit"),
        ] {
            assert!(verbs(line).contains(verb), "{line}");
        }
        assert!(verbs("make lamp").is_empty() && !verbs("echo 'git -C /quay commit later'").contains("commit"));
    }

    #[test]
    fn a_run_with_files_changed_only_for_it_is_a_trial() {
        for trial in [
            "git show HEAD~1:lamp.go > lamp.go && go test ./lamps; git checkout lamp.go",
            "git stash && cargo test; git stash pop",
            "cp lamp.py lamp.py.bak; sed -i 's/7/8/' lamp.py; pytest -q | tail -3; mv lamp.py.bak lamp.py",
            "git checkout HEAD~2 -- lamp.go\ngo test ./...\ngit checkout HEAD -- lamp.go",
            "sed -i 's/7/8/' lamp.py && pytest -q | tail -3 && git checkout -- lamp.py",
            "git apply -R fix.patch && pytest; git apply fix.patch",
            "sed -i 's/7/8/' src/lamp.py; pytest; git restore src/",
            "git stash; git checkout main; pytest; git checkout -; git stash pop",
        ] {
            assert!(is_trial(trial), "{trial}");
        }
        for other in [
            "go test ./lamps; git checkout main",
            "sed -i 's/7/8/' lamp.py && pytest -q",
            "git show HEAD~1:lamp.go > lamp.go && go test ./lamps && git checkout lamp.go",
            "git stash; git stash pop",
            "pytest; git checkout lamp.py",
            "git stash; git pull; pytest; git stash pop",
            "git stash; pytest; git stash pop; git merge quay",
            "git stash; git checkout main; pytest; git stash pop",
            "sed -i 's/7/8/' lamp.py; pytest; git checkout feature.x",
            "sed -i 's/7/8/' lamp.py; pytest; git checkout feature.x lamp.py",
            "sed -i 's/7/8/' lamp.py; pytest; git checkout quay.py",
            "sed -i 's/7/8/' lamp.py; pytest; git apply fix.patch",
            "sed -i 's/7/8/' lamp.py; pytest; git restore --staged lamp.py",
            "sed -i 's/7/8/' lamp.py; pytest; git stash pop",
            "patch -p1 < fix.patch; pytest; patch -p1 < more.patch",
            "cp .env.orig .env; pytest; cp .env.orig .env.bak",
        ] {
            assert!(!is_trial(other), "{other}");
        }
    }

    #[test]
    fn changes_of_git_that_stay_are_told_from_others() {
        for (line, kind) in [
            ("git checkout -b quay", Some(Change::Made)),
            ("cd /quay && git -C lamps branch -D old", Some(Change::Final)),
            ("git push origin --delete old", Some(Change::Final)),
            ("git push origin :old", Some(Change::Final)),
            ("git reset --hard HEAD~1", Some(Change::Final)),
            ("git tag v1.2", Some(Change::Made)),
            ("git tag -d v1.2", Some(Change::Final)),
            ("git worktree add ../quay", Some(Change::Made)),
            ("git stash drop", Some(Change::Final)),
            ("git branch quay", Some(Change::Made)),
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
            assert_eq!(change(&line.into()), kind, "{line}");
        }
    }
}
