//! Commits that were replaced by `--amend` or taken off their branch by `git reset`.

use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::output::output;
use crate::summary::extractive::calls::shell::{steps_back, words};
use crate::summary::text::{first_bytes, fold};
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
/// Words of `git stash` that put nothing away.
const UNSTASH: [&str; 6] = ["apply", "clear", "drop", "list", "pop", "show"];
/// Commands that make commits, take them off, or change the branch.
const COUNT: [&str; 4] = ["checkout", "commit", "reset", "switch"];
const FOLLOW: [&str; 2] = ["checkout", "switch"];
/// Beginnings of names that are no branches, or full ones.
const NO_BRANCH: [&str; 3] = ["ORIG_HEAD", "FETCH_HEAD", "refs/"];
/// Names of the head, and of the whole tree.
const ALL: [&str; 4] = ["HEAD", "@", ".", ":/"];

/// A commit as `git commit` reports it: `[branch hash] title`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::summary::extractive) struct Made {
    pub(in crate::summary::extractive) branch: String,
    pub(in crate::summary::extractive) hash: String,
    pub(in crate::summary::extractive) title: String,
}

/// Length of output in bytes in which a commit is reported.
const REPORTED: usize = 2_000;
/// Lengths of hashes of commits.
const HASH: std::ops::RangeInclusive<usize> = 7..=40;

impl Made {
    /// The commit that a call reports.
    pub(in crate::summary::extractive) fn of(act: &Act<'_>) -> Option<Self> {
        let Action::Run(command) = &act.action else { return None };
        if !act.outcome.worked() || !command.contains("git") || !command.contains("commit") {
            return None;
        }
        let printed = output(act.result);
        let line = first_bytes(&printed, REPORTED).lines().find(|line| line.starts_with('[') && line.contains("] "))?;
        let (place, title) = line[1..].split_once("] ")?;
        let (branch, hash) = place.rsplit_once(' ')?;
        is_hash(hash).then(|| Self { branch: branch.to_owned(), hash: hash.to_owned(), title: fold(title) })
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

/// The commits of a folder, with the index of their messages; `None` for those made behind the head.
#[derive(Default)]
struct Standing {
    commits: Vec<(Option<usize>, Option<Made>)>,
    /// The current branch, if it is known.
    branch: Option<String>,
    /// Those that `git reset --soft` took off: the next commit has their changes.
    staged: Vec<usize>,
}

impl Standing {
    /// The number of commits that a reset leaves on the branch: those up to the one that it names, or, if it is soft, all
    /// but the newest ones of the current branch if it names another plain one. What other names mean is unknown.
    fn left_by(&self, step: &[String], back: usize) -> usize {
        let all = self.commits.len();
        let mut names = step[2..].iter().filter(|word| !word.starts_with('-') && !ALL.contains(&&***word));
        let Some(name) = names.next().filter(|_| back == 0) else { return all.saturating_sub(back) };
        let last = |is: &dyn Fn(&Made) -> bool| {
            self.commits.iter().rposition(|(_, made)| made.as_ref().is_some_and(is)).map(|at| at + 1)
        };
        if let Some(left) = last(&|made| made.is(name)) {
            return left;
        }
        let is_tag = name.strip_prefix('v').is_some_and(|tag| tag.starts_with(|char: char| char.is_ascii_digit()));
        let is_branch = !is_tag
            && !is_hash(name)
            && !name.contains(['~', '^', '@', ':'])
            && !NO_BRANCH.iter().any(|it| name.starts_with(it));
        if !is_branch || !step.iter().any(|word| word == "--soft") {
            return all;
        }
        let is_own = |(_, made): &&(Option<usize>, Option<Made>)| {
            made.as_ref().is_some_and(|made| Some(&made.branch) == self.branch.as_ref() && !made.is_on(name))
        };
        all - self.commits.iter().rev().take_while(is_own).count()
    }

    /// Follows `git checkout` and `git switch` to a branch.
    fn follow(&mut self, step: &[String]) {
        let mut names = step[2..].iter().filter(|word| !word.starts_with('-'));
        if let (Some(name), None) = (names.next(), names.next()) {
            self.branch = Some(name.clone());
        }
    }
}

impl Rewritten {
    /// Reads the calls of a head in order, then those `behind` it, which may rewrite its commits.
    pub(super) fn of<'a, 't: 'a>(acts: impl Iterator<Item = &'a Act<'t>>, behind: &'a [Act<'t>]) -> Self {
        let mut all = Self::default();
        // Current commits by folder.
        let mut standing: HashMap<Option<Vec<String>>, Standing> = HashMap::default();
        let made = acts.map(|act| (act, Some(act.message))).chain(behind.iter().map(|act| (act, None)));
        for (act, message) in made.filter(|(act, _)| act.outcome.worked()) {
            let steps = steps(act);
            let counts = |step: &Vec<String>| UNSTAGE.iter().chain(&COUNT).any(|own| is_git(step, own));
            if !steps.iter().any(counts) {
                continue;
            }
            let own = standing.entry(folder(&steps).cloned()).or_default();
            for step in &steps {
                if is_git(step, "commit") {
                    all.commit(own, (message, Made::of(act)), step.iter().any(|word| word == "--amend"));
                } else if is_git(step, "reset") {
                    all.reset(own, step);
                } else if FOLLOW.iter().any(|own| is_git(step, own)) {
                    own.follow(step);
                } else if unstages(step) {
                    own.staged.clear();
                }
            }
        }
        // A message that still has a current commit amended only its own.
        let commits = standing.into_values().flat_map(|own| own.commits);
        let stands: HashSet<usize> = commits.filter_map(|(message, _)| message).collect();
        all.amended.retain(|message| !stands.contains(message));
        all
    }

    fn commit(&mut self, own: &mut Standing, commit: (Option<usize>, Option<Made>), amends: bool) {
        for folded in own.staged.drain(..) {
            self.taken_off.remove(&folded);
            self.amended.insert(folded);
        }
        if amends {
            self.amended.extend(own.commits.pop().and_then(|(message, _)| message));
        }
        own.branch = commit.1.as_ref().map(|made| made.branch.clone()).or(own.branch.take());
        own.commits.push(commit);
    }

    fn reset(&mut self, own: &mut Standing, step: &[String]) {
        let back = step[2..].iter().map(|word| steps_back(word)).max().unwrap_or(0);
        let gone = own.commits.drain(own.left_by(step, back)..);
        let gone: Vec<usize> = gone.filter_map(|(message, _)| message).collect();
        if step.iter().any(|word| word == "--soft") {
            own.staged.extend(&gone);
        } else if back > 0 || !gone.is_empty() || is_of_all(&step[2..]) {
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
            "stash" => words.first().is_none_or(|word| !UNSTASH.contains(&&**word)),
            "restore" => words.iter().any(|word| word == "--staged" || word == "-S") && is_of_all(words),
            "rm" => is_of_all(words),
            _ => false,
        }
}

/// Whether the words of a git command are about the whole tree: they name no file.
fn is_of_all(words: &[String]) -> bool {
    let mut named = words.iter().filter(|word| !word.starts_with('-'));
    named.all(|word| ALL.contains(&&**word))
}

/// The last `cd` or `pushd` step of a command: it sets the command's final folder.
pub(in crate::summary::extractive) fn folder(steps: &[Vec<String>]) -> Option<&Vec<String>> {
    steps.iter().rfind(|step| step.first().is_some_and(|program| ["cd", "pushd"].contains(&&**program)))
}

/// Whether a step runs this git command.
pub(in crate::summary::extractive) fn is_git(step: &[String], command: &str) -> bool {
    matches!(step, [git, own, ..] if git == "git" && own == command)
}

/// The steps of a call's shell command, each split into words; none for other calls.
pub(in crate::summary::extractive) fn steps(act: &Act<'_>) -> Vec<Vec<String>> {
    if let Action::Run(command) = &act.action { words(command) } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use super::*;
    use crate::summary::corpus::act;
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
            (&[commit, "git reset"], &[], &[]),
            (&[commit, "git reset HEAD lamp.rs"], &[], &[]),
            (&["cd /quay && git commit -m a", "cd /pier && git reset --hard HEAD~1"], &[], &[]),
            (&["git commit -m a && git commit --amend -m b"], &[], &[]),
            (&["git reset --hard HEAD~9", commit], &[], &[]),
        ] {
            assert_eq!(rewritten(commands), (amended.to_vec(), taken_off.to_vec()), "{commands:?}");
        }
    }
}
