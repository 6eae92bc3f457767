//! Commits that were replaced by `--amend` or taken off their branch by `git reset`.

use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::calls::output::output;
use crate::summary::extractive::calls::shell::ancestor;
use crate::summary::extractive::calls::trials::NEW;
use crate::summary::text::{first_bytes, fold, starts_any};
use foldhash::{HashMap, HashSet};

/// Commits that are no longer on their branch, by the index of the message whose call made them.
#[derive(Debug, Default)]
pub(in crate::summary::extractive) struct Rewritten {
    /// Replaced by `git commit --amend`, or by a commit of what `git reset --soft` took off.
    amended: HashSet<usize>,
    /// Taken off the branch by `git reset`.
    taken_off: HashSet<usize>,
}

/// Commands after which the next commit may lack what was staged.
const UNSTAGE: [&str; 3] = ["restore", "rm", "stash"];
/// Words of `git stash` that put nothing away, or leave what is staged.
const UNSTASH: [&str; 6] = ["apply", "clear", "drop", "list", "pop", "show"];
const KEEP_INDEX: [&str; 2] = ["-k", "--keep-index"];
/// Commands that make commits, take them off, change the branch, or name the last commit.
const COUNT: [&str; 7] = ["branch", "checkout", "commit", "merge", "reset", "switch", "tag"];
const FOLLOW: [&str; 2] = ["checkout", "switch"];
const MARK: [&str; 2] = ["branch", "tag"];
/// Names of branches that a repository usually has.
const USUAL: [&str; 5] = ["develop", "main", "master", "staging", "trunk"];
/// Words of git after it changed to another branch, and after it restored files.
const SWITCHED: [&str; 2] = ["Switched to ", "Already on "];
const RESTORED: [&str; 2] = ["Updated ", "Recreated "];
/// Options with which `git checkout` restores files.
const FILES: [&str; 4] = ["--", "--ours", "--theirs", "-p"];
/// Options of `git branch` that rename one, and those with which a new name is one of the last commit.
const RENAME: [&str; 3] = ["-m", "-M", "--move"];
const PLAIN: [&str; 3] = ["-f", "--force", "-q"];
/// Options of `git tag` with which a new name is one of the last commit, and those with a text behind them.
const TAGS: [&str; 8] = ["-a", "--annotate", "-s", "--sign", "-f", "--force", "-m", "-am"];
const MESSAGE: [&str; 2] = ["-m", "-am"];
/// Options of `git reset` that leave nothing staged.
const EMPTIES: [&str; 3] = ["--hard", "--merge", "--keep"];
/// Beginnings of names that are no branches, or full ones.
const NO_BRANCH: [&str; 3] = ["ORIG_HEAD", "FETCH_HEAD", "refs/"];
/// Names of the head, and of the whole tree.
const ALL: [&str; 4] = ["HEAD", "@", ".", ":/"];
/// Maximum length of the extension of a file, in bytes.
const EXTENSION: usize = 5;

/// A commit as `git commit` reports it: `[branch hash] title`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::summary::extractive) struct Made {
    pub(in crate::summary::extractive) branch: String,
    pub(in crate::summary::extractive) hash: String,
    pub(in crate::summary::extractive) title: String,
}

/// Length of output in bytes in which a commit is reported.
const REPORTED: usize = 2_000;
/// What git prints behind the branch of a first commit, and in place of one.
const ROOT: &str = " (root-commit)";
const DETACHED: &str = "detached HEAD";
/// Lengths of hashes of commits.
const HASH: std::ops::RangeInclusive<usize> = 7..=40;

impl Made {
    /// The commit that a call reports; what stands behind it in the same command may have failed.
    pub(in crate::summary::extractive) fn of(act: &Act<'_>) -> Option<Self> {
        let Action::Run(command) = &act.action else { return None };
        let has_run = act.outcome.worked() || matches!(act.outcome, CallOutcome::Failed(_));
        if !has_run || !command.contains("git") || !command.contains("commit") {
            return None;
        }
        let printed = output(act.result);
        let line = first_bytes(&printed, REPORTED).lines().find(|line| line.starts_with('[') && line.contains("] "))?;
        let (place, title) = line[1..].split_once("] ")?;
        let (branch, hash) = place.rsplit_once(' ')?;
        let branch = branch.strip_suffix(ROOT).unwrap_or(branch).to_owned();
        is_hash(hash).then(|| Self { branch, hash: hash.to_owned(), title: fold(title) })
    }

    /// Whether a name means this commit.
    fn is(&self, name: &str) -> bool {
        is_hash(name) && (self.hash.starts_with(name) || name.starts_with(&self.hash))
    }

    /// Whether a name means the branch of this commit, here or elsewhere.
    fn is_on(&self, name: &str) -> bool {
        name == self.branch || name.split_once('/').is_some_and(|(_, own)| own == self.branch)
    }
}

fn is_hash(word: &str) -> bool {
    HASH.contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A commit of a folder.
struct Commit {
    /// Index of its message; `None` if that is behind the head.
    message: Option<usize>,
    made: Option<Made>,
    /// Its branch, if that is known.
    branch: Option<String>,
    /// How many commits were made before it.
    number: usize,
}

/// The commits of a folder.
#[derive(Default)]
struct Standing {
    commits: Vec<Commit>,
    /// Number of commits that were made.
    count: usize,
    /// The current branch, and the one before it, if they are known.
    branch: Option<String>,
    before: Option<String>,
    /// For each tag and new branch, how many commits were made before it.
    marks: HashMap<String, usize>,
    /// Those that `git reset --soft` took off: the next commit has their changes.
    staged: Vec<usize>,
}

impl Standing {
    /// Whether a commit may be on the current branch.
    fn is_current(&self, commit: &Commit) -> bool {
        self.branch.is_none() || commit.branch.is_none() || commit.branch == self.branch
    }

    /// The places of the commits that a reset takes off the current branch: those behind the one that it names, or, if it
    /// is soft, the newest ones of the branch if it names another plain one. What other names mean is unknown.
    fn gone(&self, words: &[String]) -> Vec<usize> {
        let current: Vec<usize> = (0..self.commits.len()).filter(|at| self.is_current(&self.commits[*at])).collect();
        let Some(name) = plain(words).next() else { return Vec::new() };
        let (base, back) = ancestor(name);
        let up_to = |is: &dyn Fn(&Commit) -> bool| current.iter().filter(|at| is(&self.commits[**at])).count();
        let named = self.commits.iter().rfind(|commit| commit.made.as_ref().is_some_and(|made| made.is(base)));
        let left = if ALL.contains(&base) {
            current.len()
        } else if let Some(named) = named {
            up_to(&|commit| commit.number <= named.number)
        } else if let Some(mark) = self.marks.get(base) {
            up_to(&|commit| commit.number < *mark)
        } else if is_branch(name) && words.iter().any(|word| word == "--soft") {
            let is_own = |at: &&usize| self.is_own(&self.commits[**at], name);
            current.len() - current.iter().rev().take_while(is_own).count()
        } else {
            return Vec::new();
        };
        current[left.saturating_sub(back)..].to_vec()
    }

    /// Whether a commit is certainly on the current branch, and not on the one of this name.
    fn is_own(&self, commit: &Commit, name: &str) -> bool {
        let made = commit.made.as_ref();
        made.is_some_and(|made| Some(&made.branch) == self.branch.as_ref() && !made.is_on(name))
    }

    /// Follows `git checkout` and `git switch` to a branch; with paths they change none. A name of which it is unknown
    /// whether it is a branch or a file leaves the branch unknown.
    fn follow(&mut self, command: &str, words: &[String], printed: &str) {
        let created = words.iter().position(|word| NEW.contains(&&**word));
        let names: Vec<&String> = plain(words).collect();
        let says = |all: &[&str]| printed.lines().any(|line| starts_any(line, all));
        let restores = words.iter().any(|word| FILES.contains(&&**word)) || says(&RESTORED) && !says(&SWITCHED);
        let branch = match (created, &*names) {
            (Some(at), _) => words.get(at + 1).cloned(),
            (None, []) if words.iter().any(|word| word == "-") => self.before.clone(),
            (None, [name]) if !is_path(name) && !restores => {
                let known = command == "switch" || self.knows(name) || says(&SWITCHED);
                Some(*name).filter(|name| known && !is_hash(name) && ancestor(name).1 == 0).cloned()
            }
            _ => return,
        };
        self.before = std::mem::replace(&mut self.branch, branch);
    }

    /// Whether a name is one of a branch that was seen, or that most repositories have.
    fn knows(&self, name: &str) -> bool {
        let made = |commit: &Commit| commit.branch.as_deref() == Some(name);
        USUAL.contains(&name) || self.marks.contains_key(name) || self.commits.iter().any(made)
    }

    /// Notes which commit a new tag or branch names, or the new name of a branch.
    fn mark(&mut self, kind: &str, words: &[String]) {
        let names: Vec<&String> = plain(words).collect();
        let has = |options: &[&str]| words.iter().any(|word| options.contains(&&**word));
        let only = |options: &[&str]| words.iter().all(|word| !word.starts_with('-') || options.contains(&&**word));
        match (kind, &*names) {
            ("branch", [new]) if has(&RENAME) => self.rename(None, new),
            ("branch", [old, new]) if has(&RENAME) => self.rename(Some(old), new),
            ("branch", [name]) if only(&PLAIN) => drop(self.marks.insert((*name).clone(), self.count)),
            // The text of a message is behind its option, in whatever order.
            ("tag", [name]) if only(&TAGS) && !has(&MESSAGE) => drop(self.marks.insert((*name).clone(), self.count)),
            ("tag", [one, two]) if only(&TAGS) && has(&MESSAGE) => {
                let first = words.first().is_some_and(|word| MESSAGE.contains(&&**word));
                self.marks.insert(if first { (*two).clone() } else { (*one).clone() }, self.count);
            }
            _ => {}
        }
    }

    /// Renames a branch, or the current one.
    fn rename(&mut self, old: Option<&String>, new: &str) {
        let old = old.cloned().or_else(|| self.branch.clone());
        for commit in self.commits.iter_mut().filter(|commit| commit.branch == old) {
            commit.branch = Some(new.to_owned());
            commit.made.iter_mut().for_each(|made| new.clone_into(&mut made.branch));
        }
        if self.branch == old {
            self.branch = Some(new.to_owned());
        }
    }

    /// The current branch has the commits of a merged one, too.
    fn merge(&mut self, words: &[String]) {
        let merged: Vec<&String> = plain(words).collect();
        let own = self.commits.iter_mut().filter(|own| own.branch.as_ref().is_some_and(|own| merged.contains(&own)));
        own.for_each(|commit| commit.branch = None);
    }
}

/// The words of a command that are no options.
fn plain(words: &[String]) -> impl Iterator<Item = &String> {
    words.iter().filter(|word| !word.starts_with('-'))
}

/// Whether a name may be that of a branch.
fn is_branch(name: &str) -> bool {
    let is_tag = name.strip_prefix('v').is_some_and(|tag| tag.starts_with(|char: char| char.is_ascii_digit()));
    let begins = starts_any(name, &NO_BRANCH);
    !is_tag && !is_hash(name) && !name.contains(['~', '^', '@', ':']) && !begins
}

/// Whether a name is one of a file or folder rather than of a branch.
fn is_path(name: &str) -> bool {
    let extension = name.rsplit('/').next().and_then(|own| own.rsplit_once('.')).map(|(_, extension)| extension);
    let is_one = |it: &str| it.starts_with(|sign: char| sign.is_ascii_alphabetic()) && it.len() <= EXTENSION;
    name.ends_with('/') || ALL[2..].contains(&name) || extension.is_some_and(is_one)
}

impl Rewritten {
    /// Reads the calls of a head in order, then those `behind` it, which may rewrite its commits.
    pub(super) fn of<'a, 't: 'a>(acts: impl Iterator<Item = &'a Act<'t>>, behind: &'a [Act<'t>]) -> Self {
        let mut all = Self::default();
        // Current commits by folder.
        let mut standing: HashMap<Option<Vec<String>>, Standing> = HashMap::default();
        let made = acts.map(|act| (act, Some(act.message))).chain(behind.iter().map(|act| (act, None)));
        for (act, message) in made {
            let steps = done(act);
            let counts = |step: &Vec<String>| UNSTAGE.iter().chain(&COUNT).any(|own| is_git(step, own));
            if !steps.iter().any(counts) {
                continue;
            }
            let own = standing.entry(folder(steps).cloned()).or_default();
            for step in steps {
                if is_git(step, "commit") {
                    let new = Commit { message, made: Made::of(act), branch: None, number: own.count };
                    all.commit(own, new, step.iter().any(|word| word == "--amend"));
                } else if is_git(step, "reset") {
                    all.reset(own, &step[2..]);
                } else if FOLLOW.iter().any(|own| is_git(step, own)) {
                    own.follow(&step[1], &step[2..], first_bytes(&output(act.result), REPORTED));
                } else if MARK.iter().any(|own| is_git(step, own)) {
                    own.mark(&step[1], &step[2..]);
                } else if is_git(step, "merge") {
                    own.merge(&step[2..]);
                } else if unstages(step) {
                    own.staged.clear();
                }
            }
        }
        // A message that still has a current commit amended only its own.
        let commits = standing.into_values().flat_map(|own| own.commits);
        let stands: HashSet<usize> = commits.filter_map(|commit| commit.message).collect();
        all.amended.retain(|message| !stands.contains(message));
        all
    }

    fn commit(&mut self, own: &mut Standing, commit: Commit, amends: bool) {
        for folded in own.staged.drain(..) {
            self.taken_off.remove(&folded);
            self.amended.insert(folded);
        }
        own.branch =
            commit.made.as_ref().map(|made| made.branch.clone()).or(own.branch.take()).filter(|it| it != DETACHED);
        let last = own.commits.iter().rposition(|commit| own.is_current(commit)).filter(|_| amends);
        self.amended.extend(last.and_then(|last| own.commits.remove(last).message));
        own.marks.retain(|name, _| Some(name) != own.branch.as_ref());
        own.commits.push(Commit { branch: own.branch.clone(), ..commit });
        own.count += 1;
    }

    fn reset(&mut self, own: &mut Standing, words: &[String]) {
        if has_path(words) {
            return;
        }
        let mut gone = own.gone(words);
        gone.reverse();
        let gone: Vec<usize> = gone.into_iter().filter_map(|at| own.commits.remove(at).message).collect();
        let back = plain(words).any(|word| ancestor(word).1 > 0);
        if words.iter().any(|word| word == "--soft") {
            own.staged.extend(&gone);
        } else if back || !gone.is_empty() || is_of_all(words) || words.iter().any(|word| EMPTIES.contains(&&**word)) {
            own.staged.clear();
        }
        self.taken_off.extend(gone);
    }

    /// Whether the commit of a message was amended.
    pub(in crate::summary::extractive) fn is_amended(&self, message: usize) -> bool {
        self.amended.contains(&message)
    }

    /// Whether the commit of a message was taken off its branch.
    pub(in crate::summary::extractive) fn is_taken_off(&self, message: usize) -> bool {
        self.taken_off.contains(&message)
    }
}

/// Whether a step of git takes everything out of the next commit.
fn unstages(step: &[String]) -> bool {
    let [git, command, words @ ..] = step else { return false };
    git == "git"
        && match &**command {
            "stash" => {
                let keeps = words.iter().any(|word| KEEP_INDEX.contains(&&**word));
                !keeps && words.first().is_none_or(|word| !UNSTASH.contains(&&**word))
            }
            "restore" => words.iter().any(|word| word == "--staged" || word == "-S") && is_of_all(words),
            "rm" => is_of_all(words),
            _ => false,
        }
}

/// Whether `git reset` is about files: it names some behind a commit or `--`.
fn has_path(words: &[String]) -> bool {
    let (before, behind) = words.split_at(words.iter().position(|word| word == "--").unwrap_or(words.len()));
    plain(before).skip(1).chain(plain(behind)).any(|word| !ALL.contains(&&**word))
}

/// Whether the words of a git command are about the whole tree: they name no file.
fn is_of_all(words: &[String]) -> bool {
    plain(words).all(|word| ALL.contains(&&**word))
}

/// The last `cd` or `pushd` step of a command: it sets the command's final folder.
pub(in crate::summary::extractive) fn folder(steps: &[Vec<String>]) -> Option<&Vec<String>> {
    steps.iter().rfind(|step| step.first().is_some_and(|program| ["cd", "pushd"].contains(&&**program)))
}

/// Whether a step runs this git command.
pub(in crate::summary::extractive) fn is_git(step: &[String], command: &str) -> bool {
    matches!(step, [git, own, ..] if git == "git" && own == command)
}

/// The steps of a call that were run: all if it worked, up to its commit if it failed behind that.
fn done<'a>(act: &'a Act<'_>) -> &'a [Vec<String>] {
    let steps = steps(act);
    let commit = || steps.iter().rposition(|step| is_git(step, "commit")).filter(|_| Made::of(act).is_some());
    let end = if act.outcome.worked() { steps.len() } else { commit().map_or(0, |at| at + 1) };
    &steps[..end]
}

/// The steps of a call's shell command, each split into words; none for other calls.
pub(in crate::summary::extractive) fn steps<'a>(act: &'a Act<'_>) -> &'a [Vec<String>] {
    if let Action::Run(command) = &act.action { command.steps() } else { &[] }
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use super::*;
    use crate::summary::builders::act;
    use crate::transcript::Message;

    /// Indices of the commands whose commits were amended, and of those whose commits were taken off.
    fn rewritten(commands: &[&str]) -> (Vec<usize>, Vec<usize>) {
        let call = |command: &&str| serde_json::json!({ "command": command }).to_string();
        let made = |command: &&str| act("bash", &call(command), "exit code: 0\n[quay 3f2a91c] Mend the lamp", false);
        let messages: Vec<Message<'_>> = commands.iter().flat_map(made).collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        let all = Rewritten::of(turns.iter().flat_map(|turn| &turn.acts), &[]);
        let places = |is: &dyn Fn(usize) -> bool| (0..commands.len()).filter(|place| is(place * 2)).collect();
        (places(&|message| all.is_amended(message)), places(&|message| all.is_taken_off(message)))
    }

    #[test]
    fn an_amended_commit_and_one_that_was_reset_are_known() {
        let commit = "git commit -m 'Mend the lamp'";
        for (commands, amended, taken_off) in [
            (&[commit, commit][..], &[][..], &[][..]),
            (&[commit, "git commit --amend --no-edit"], &[0], &[]),
            (&[commit, commit, "git branch lamps && git reset --hard HEAD~2 && git checkout lamps"], &[], &[0, 1]),
            (&[commit, commit, "git reset --soft HEAD^", commit], &[1], &[]),
            (&[commit, commit, "git reset --soft HEAD^ && git commit --amend --no-edit"], &[0, 1], &[]),
            (&[commit, commit, "git reset --soft HEAD^"], &[], &[1]),
            (&[commit, commit, "git reset --soft HEAD^ && git stash", commit], &[], &[1]),
            (&[commit, commit, "git reset --soft HEAD^ && git reset HEAD lamp.rs", commit], &[1], &[]),
            (&[commit, commit, "git reset --soft HEAD^ && git stash list && git rm --cached .env", commit], &[1], &[]),
            (&[commit, commit, "git reset --soft HEAD^ && git reset -- lamp.rs", commit], &[1], &[]),
            (&[commit, commit, "git reset --soft HEAD^ && git restore --staged lamp.rs", commit], &[1], &[]),
            (&[commit, commit, "git reset --soft HEAD^ && git restore --staged .", commit], &[], &[1]),
            (&[commit, commit, "git reset --soft HEAD^ && git reset -q HEAD .", commit], &[], &[1]),
            (&[commit, commit, "git reset HEAD^", commit], &[], &[1]),
            (&[commit, commit, "git reset --soft main", commit], &[0, 1], &[]),
            (&[commit, commit, "git reset --soft main"], &[], &[0, 1]),
            (&[commit, commit, "git reset --soft origin/quay"], &[], &[]),
            (&[commit, "git reset --hard main"], &[], &[]),
            (&[commit, commit, "git reset --soft HEAD@{1}", commit], &[], &[]),
            (&[commit, commit, "git reset --soft ORIG_HEAD", commit], &[], &[]),
            (&[commit, commit, "git reset --soft main~1", commit], &[], &[]),
            (&[commit, "git checkout main", "git reset --soft origin/main"], &[], &[]),
            (&[commit, "git checkout -b dock", "git reset --soft main"], &[], &[]),
            (&[commit, commit, "git checkout -- lamp.rs", "git reset --soft main", commit], &[0, 1], &[]),
            (&[commit, commit, "git checkout lamp.rs && git reset --soft main", commit], &[0, 1], &[]),
            (&[commit, "git checkout main", "git checkout -", "git reset --soft main"], &[], &[0]),
            (&[commit, "git checkout -b dock main", "git reset --soft main"], &[], &[]),
            (&[commit, "git checkout main", "git reset --hard HEAD~1"], &[], &[]),
            (&[commit, "git reset HEAD~1 -- lamp.rs"], &[], &[]),
            (&[commit, "git tag before", commit, "git reset --soft before", commit], &[2], &[]),
            (&[commit, "git branch before", commit, "git reset --hard before"], &[], &[2]),
            (&[commit, "git tag -a v1 -m lit", commit, "git reset --hard v1~1"], &[], &[0, 2]),
            (&[commit, "git tag v1 -m lit", commit, "git reset --hard v1"], &[], &[2]),
            (&[commit, "git branch --merged main", commit, "git reset --soft main", commit], &[0, 2], &[]),
            (&[commit, "git branch -u origin/quay", commit, "git reset --hard origin/quay"], &[], &[]),
            (&[commit, "git branch -m quay dock", "git reset --hard HEAD~1"], &[], &[0]),
            (&[commit, "git checkout main", "git merge quay", "git reset --hard HEAD~1"], &[], &[0]),
            (&[commit, "git checkout main && git pull", "git reset --hard HEAD~1"], &[], &[]),
            (&[commit, "git switch -q release", "git reset --hard HEAD~1"], &[], &[]),
            (&[commit, "git checkout Makefile", "git reset --hard HEAD~1"], &[], &[0]),
            (&[commit, "git checkout --theirs LICENSE", "git reset --hard HEAD~1"], &[], &[0]),
            (&[commit, commit, "git reset --soft HEAD^ && git stash push -m pop", commit], &[], &[1]),
            (&[commit, "git tag -d before", "git reset --soft before~1"], &[], &[]),
            (&[commit, "git reset --soft HEAD~1", "git reset --hard origin/quay", commit], &[], &[0]),
            (&[commit, "git reset --soft 3f2a91c^", commit], &[0], &[]),
            (&[commit, commit, "git reset --soft HEAD^ && git stash -k", commit], &[1], &[]),
            (&[commit, "git reset"], &[], &[]),
            (&[commit, "git reset HEAD lamp.rs"], &[], &[]),
            (&["cd /quay && git commit -m a", "cd /pier && git reset --hard HEAD~1"], &[], &[]),
            (&["git commit -m a && git commit --amend -m b"], &[], &[]),
            (&["git reset --hard HEAD~9", commit], &[], &[]),
        ] {
            assert_eq!(rewritten(commands), (amended.to_vec(), taken_off.to_vec()), "{commands:?}");
        }
    }

    #[test]
    fn a_commit_of_another_branch_is_not_amended() {
        let run = |command: &str, printed: &str| {
            act(
                "bash",
                &serde_json::json!({ "command": command }).to_string(),
                &format!("exit code: 0\n{printed}"),
                false,
            )
        };
        let messages = [
            run("git commit -m 'Light the lamp'", "[quay 4b2a92d] Light the lamp"),
            run("git checkout main", ""),
            run("git commit --amend --no-edit", "[main 777a91c] Mend the mole"),
        ]
        .concat();
        let told = turns(&messages.iter().collect::<Vec<_>>(), &[]);
        assert!(!Rewritten::of(told.iter().flat_map(|turn| &turn.acts), &[]).is_amended(0));
        for branch in ["main (root-commit)", "detached HEAD"] {
            let messages = [
                run("git commit -m 'Light the lamp'", &format!("[{branch} 4b2a92d] Light the lamp")),
                run("git commit --amend --no-edit", "[main 777a91c] Light the lamp"),
            ]
            .concat();
            let told = turns(&messages.iter().collect::<Vec<_>>(), &[]);
            assert!(Rewritten::of(told.iter().flat_map(|turn| &turn.acts), &[]).is_amended(0), "{branch}");
        }
    }
}
