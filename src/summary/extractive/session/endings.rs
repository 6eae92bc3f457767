//! The outcome of the last run of each command, and the last change of each file, as used by all sections.

use super::arguments::Arguments;
use super::closed::closed;
use super::commits::Rewritten;
use super::later::Later;
use super::missing::{is_file, named, says_missing};
use super::turns::Turn;
use crate::facts::commands;
use crate::summary::extractive::calls::act::{Action, FileOp};
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::code_run::{compared, has_variable};
use crate::summary::extractive::calls::command::{resumed, shown, steps_of};
use crate::summary::extractive::calls::delivery::delivers;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::calls::output::{output, own_lines};
use crate::summary::extractive::calls::run::Command;
use crate::summary::extractive::calls::shell::only_said;
use crate::summary::extractive::calls::trials::{Change, change, is_trial};
use crate::summary::extractive::calls::verbs;
use crate::summary::extractive::files::paths::file_name;
use crate::summary::extractive::words::INTERPRETERS;
use crate::summary::text::{contains_any, has_digit};
use foldhash::{HashMap, HashSet};

/// Endings of a program with its first argument that do not say which script runs: `npm run`, `python -m`.
const RUNNERS: [&str; 7] = [" run", " -m", " exec", " -", " -c", " -e", " -s"];

/// Commands that print something whenever they work, unless an option forbids it.
const LOUD: [&str; 6] = ["git commit", "git merge", "git pull", "git push", "git rebase", "git stash"];
/// What `git stash` prints.
const SAVED: &str = "Saved working directory";
const SILENCES: [&str; 5] = [" -q", " --quiet", " --silent", "/dev/null", " > "];

/// The outcomes of the last runs of commands.
#[derive(Debug, Default)]
pub(in crate::summary) struct Commands {
    /// Whether the last run worked, by program with first argument, and by the command as shown.
    pub(in crate::summary) worked: HashMap<String, bool>,
    /// Program and argument pairs that occur only inside texts passed to commands and were not run.
    pub(in crate::summary) said: HashSet<String>,
    /// Commands whose last run ended without a visible status: in their shown form, unless `head`, `grep` or `sed`
    /// filtered the output; in their given form, also after `grep` without `tail`.
    ended: HashSet<String>,
    /// Program and argument pairs of commands that do more than look.
    acting: HashSet<String>,
    /// Program and argument pairs of tests that failed, each with a command that did not work since.
    red: HashSet<(String, String)>,
    /// The arguments with which programs worked.
    arguments: Arguments,
}

/// How the commands of a head ended, and when its files were changed.
pub(in crate::summary::extractive) struct Endings {
    /// The last run of each command: turn and message.
    pub(in crate::summary::extractive) last: HashMap<String, (usize, usize)>,
    /// The outcomes of the commands.
    pub(in crate::summary::extractive) commands: Commands,
    /// Messages of the last command, the last test run and the last delivery, if these failed and did not work since.
    pub(in crate::summary::extractive) unmended: Vec<usize>,
    /// Commits that were amended or reset.
    pub(in crate::summary::extractive) commits: Rewritten,
    /// The message of the last change of each file, by name without folders.
    changed: HashMap<String, usize>,
    /// The message of the last change or view of each file that worked, by path as given, and of each call that looks
    /// something up or changes something.
    reached: HashMap<String, usize>,
    /// The message of the last view or change of each file that worked, also by a command, by name without folders.
    seen: HashMap<String, usize>,
    /// The message of the last change of branch.
    pub(in crate::summary::extractive) switched: Option<usize>,
    /// Failed runs of tests, by message and call, that passed within another command.
    closed: HashSet<(usize, String)>,
    /// What later calls say of earlier ones.
    pub(in crate::summary::extractive) later: Later,
}

impl Endings {
    /// Reads the calls of a head, and those `behind` it.
    pub(in crate::summary::extractive) fn of(turns: &[Turn<'_>], behind: &[Act<'_>]) -> Self {
        let acts = || turns.iter().flat_map(|turn| &turn.acts);
        let commands = Commands::of(acts().chain(behind));
        let mut changed = changed(acts(), |act| act.message);
        changed.extend(self::changed(behind, |_| usize::MAX));
        let commits = Rewritten::of(acts(), behind);
        let all = || acts().map(|act| (act, act.message)).chain(behind.iter().map(|act| (act, usize::MAX)));
        let reached = all().flat_map(|(act, at)| targets(act).into_iter().map(move |target| (target, at))).collect();
        let seen = all().filter(|(act, _)| act.outcome.worked()).flat_map(|(act, at)| {
            act.files().iter().filter_map(move |(_, path)| Some((file_name(path)?.to_owned(), at)))
        });
        let seen = seen.collect();
        let switched = acts().rfind(|act| switches(act)).map(|act| act.message);
        let (last, closed) = (last_runs(turns), closed(turns, behind));
        let unmended = unmended(turns, &commands, &closed);
        let later = Later::of(turns, behind);
        Self { last, unmended, commits, changed, commands, reached, seen, switched, closed, later }
    }

    /// Marks commands as run again behind the head: none of their runs in the head is the last.
    pub(in crate::summary::extractive) fn ran_again(&mut self, commands: &[String]) {
        self.last.extend(commands.iter().map(|shown| (shown.clone(), (usize::MAX, usize::MAX))));
    }

    /// Whether the last run of a command worked, as a whole or all commands in it.
    pub(in crate::summary::extractive) fn worked_later(&self, command: &Command) -> bool {
        let worked = |ran: &str| self.commands.worked.get(ran) == Some(&true);
        let all = commands(command);
        // `npm run build` and `npm run lint` share only the runner.
        let told = |one: &str| {
            RUNNERS.iter().all(|runner| !one.ends_with(runner)) && worked(one) && !self.commands.is_red(one)
        };
        // A failed last run of the whole command outweighs successful runs of its single steps.
        let failed = all.len() > 1 && self.commands.worked.get(command.key()) == Some(&false);
        // With other code, on another machine or with another variable it is another command.
        let is_other = command.code().is_some() || command.shown().starts_with("ssh ") || has_variable(command.key());
        let all_worked = || !all.is_empty() && all.iter().all(|one| told(&one.value));
        self.commands.worked_whole(command.key())
            || !failed && !is_other && all_worked() && self.commands.arguments.cover(command)
    }

    /// Whether the tests of a failed run passed later within another command.
    pub(in crate::summary::extractive) fn passed_later(&self, act: &Act<'_>) -> bool {
        self.closed.contains(&(act.message, act.call.to_owned()))
    }

    /// Whether a call that views files, looks something up or changes something worked for the same in a later message.
    pub(in crate::summary::extractive) fn reached_later(&self, act: &Act<'_>) -> bool {
        let own = keys(act);
        let is_later = |key: &String| self.reached.get(key).is_some_and(|message| *message > act.message);
        let is_same = !own.is_empty() && own.iter().all(is_later);
        is_same || matches!(act.outcome, CallOutcome::Failed(_)) && (self.found_later(act) || self.made_otherwise(act))
    }

    /// Whether a lookup worked later with fewer of the same arguments.
    fn found_later(&self, act: &Act<'_>) -> bool {
        let Action::Other(shown) = &act.action else { return false };
        let Some((tool, args)) = arguments(shown).filter(|_| verbs::looks(act.tool)) else { return false };
        let is_less = |key: &str| {
            arguments(key).is_some_and(|(own, fewer)| own == tool && fewer.iter().all(|one| args.contains(one)))
        };
        self.reached.iter().any(|(key, message)| *message > act.message && key.starts_with(tool) && is_less(key))
    }

    /// Whether a change was made later in another way: by the same tool, with the same first argument, which has digits
    /// like an id.
    fn made_otherwise(&self, act: &Act<'_>) -> bool {
        let Action::Other(shown) = &act.action else { return false };
        let Some(own) = begun(shown).filter(|own| verbs::changes(act.tool) && has_digit(own)) else { return false };
        let is_same = |key: &str| key.starts_with(own) && begun(key) == Some(own);
        self.reached.iter().any(|(key, message)| *message > act.message && is_same(key))
    }

    /// Whether the last run of a command ended and nothing says that it failed: its status is hidden.
    pub(in crate::summary::extractive) fn ended_later(&self, command: &Command) -> bool {
        let ended = &self.commands.ended;
        ended.contains(command.key()) || ended.contains(command.trim())
    }

    /// Whether a file named in a sentence was changed in this message or later.
    pub(in crate::summary::extractive) fn changed_later(&self, sentence: &str, message: usize) -> bool {
        named(sentence).any(|name| self.changed.get(name).is_some_and(|change| *change >= message))
    }

    /// Whether all files that a call was to change were changed in a later message, by name without folders.
    pub(in crate::summary::extractive) fn all_changed_later(&self, act: &Act<'_>) -> bool {
        let mut files = act.files().iter().filter(|(op, _)| op.changes()).filter_map(|(_, path)| file_name(path));
        files.all(|name| self.changed.get(name).is_some_and(|change| *change > act.message))
    }

    /// Whether a file of this name was viewed or changed in this message or later.
    pub(in crate::summary::extractive) fn seen_later(&self, path: &str, message: usize) -> bool {
        file_name(path).and_then(|name| self.seen.get(name)).is_some_and(|last| *last >= message)
    }

    /// Whether a sentence says that files are missing, all of which were written in this message or later.
    pub(in crate::summary::extractive) fn made_later(&self, sentence: &str, message: usize) -> bool {
        self.written_later(sentence, message) && says_missing(sentence)
    }

    /// Whether a sentence names files, all of which were written in this message or later.
    pub(in crate::summary::extractive) fn written_later(&self, sentence: &str, message: usize) -> bool {
        let mut files = named(sentence).filter(|name| is_file(name)).peekable();
        let is_made = |name: &str| self.changed.get(name).is_some_and(|change| *change >= message);
        files.peek().is_some() && files.all(is_made)
    }
}

/// The files that a call views, and a call that looks something up or changes something as a whole; none for other
/// calls.
fn keys(act: &Act<'_>) -> Vec<String> {
    match &act.action {
        Action::Files(files) if files.iter().all(|(op, _)| *op == FileOp::Read) => {
            files.iter().map(|(_, path)| path.clone()).collect()
        }
        Action::Other(shown) if verbs::looks(act.tool) || verbs::changes(act.tool) => vec![shown.clone()],
        _ => Vec::new(),
    }
}

/// The same of a call that worked; a file that was changed could be viewed too.
fn targets(act: &Act<'_>) -> Vec<String> {
    match &act.action {
        _ if !act.outcome.worked() => Vec::new(),
        Action::Files(files) => files.iter().map(|(_, path)| path.clone()).collect(),
        _ => keys(act),
    }
}

/// The tool and the arguments of a call in its shown form, if it has some and none is cut.
fn arguments(shown: &str) -> Option<(&str, Vec<&str>)> {
    let (tool, args) = shown.strip_suffix(')')?.split_once('(')?;
    (!args.is_empty() && !args.contains('…')).then(|| (tool, args.split(", ").collect()))
}

/// A shown call up to its first argument.
fn begun(shown: &str) -> Option<&str> {
    let (tool, args) = shown.strip_suffix(')')?.split_once('(')?;
    let first = args.split(", ").next().filter(|first| !first.is_empty())?;
    shown.get(..tool.len() + 1 + first.len())
}

/// Whether a command went to another branch.
fn switches(act: &Act<'_>) -> bool {
    let Action::Run(command) = &act.action else { return false };
    let is_new = || contains_any(command, &["checkout", "switch"]);
    let goes = || match change(command) {
        Some(Change::Switched) => true,
        Some(Change::Made | Change::Final) => is_new(),
        _ => false,
    };
    act.outcome.worked() && goes()
}

/// The names of files that a call changed.
pub(super) fn changed_by<'a>(act: &'a Act<'_>) -> impl Iterator<Item = &'a str> {
    let worked = act.outcome.worked();
    let files = act.files().iter().filter(move |(op, _)| worked && op.changes());
    files.filter_map(|(_, path)| file_name(path))
}

/// The last change of every file, by its name without folders; `at` gives the position of a call.
fn changed<'a, 't: 'a>(
    acts: impl IntoIterator<Item = &'a Act<'t>>,
    at: impl Fn(&Act<'t>) -> usize,
) -> HashMap<String, usize> {
    let mut changed = HashMap::default();
    for act in acts {
        changed.extend(changed_by(act).map(|name| (name.to_owned(), at(act))));
    }
    changed
}

/// The last run of every command: turn and message.
fn last_runs(turns: &[Turn<'_>]) -> HashMap<String, (usize, usize)> {
    let mut last = HashMap::default();
    for (place, turn) in turns.iter().enumerate() {
        for act in &turn.acts {
            if let Action::Run(command) = &act.action {
                last.insert(command.key().to_owned(), (place, act.message));
            }
        }
    }
    last
}

/// Messages of the last command, the last test run and the last delivery, if these failed and did not work since: the
/// next agent must know of them.
fn unmended(turns: &[Turn<'_>], commands: &Commands, closed: &HashSet<(usize, String)>) -> Vec<usize> {
    let runs = turns.iter().flat_map(|turn| &turn.acts).filter_map(|act| match &act.action {
        Action::Run(command)
            if !matches!(act.outcome, CallOutcome::Unknown | CallOutcome::Running | CallOutcome::Refused) =>
        {
            Some((command, act))
        }
        _ => None,
    });
    let loud: Vec<_> = runs.filter(|(command, _)| !command.is_quiet() && !is_trial(command)).collect();
    let last = |is: fn(&Command) -> bool| loud.iter().rfind(|(command, _)| is(command));
    let ends = [loud.last(), last(Command::runs_tests), last(|command| delivers(command.shown()))];
    let fails = |(command, act): &&(&Command, &Act<'_>)| {
        let is_closed = || closed.contains(&(act.message, act.call.to_owned()));
        act.outcome.failure().is_some() && !commands.worked_whole(command.key()) && !is_closed()
    };
    ends.into_iter().flatten().filter(fails).map(|(_, act)| act.message).collect()
}

/// Whether a command whose status a pipe hides printed nothing, although it does where it works: `git stash | tail`.
/// Whether it worked is unknown.
pub(super) fn is_mute(act: &Act<'_>) -> bool {
    let Action::Run(command) = &act.action else { return false };
    // A filter that finds nothing may be the good case.
    let last = command.rsplit('|').next().unwrap_or_default().trim_start();
    let is_hidden = act.outcome == CallOutcome::Ended && command.contains('|') && !last.starts_with("grep");
    let is_loud = || contains_any(command.shown(), &LOUD) || command.runs_tests();
    let is_silenced = || contains_any(command, &SILENCES);
    // That line counts as one that git adds to what others print.
    let prints = || own_lines(&output(act.result)).next().is_some() || act.result.contains(SAVED);
    is_hidden && is_loud() && !is_silenced() && !prints()
}

/// Whether a program with its first argument is an interpreter, so that the argument is a piece of code.
fn runs_code(command: &str) -> bool {
    command.split(' ').next().is_some_and(|program| INTERPRETERS.contains(&program))
}

impl Commands {
    /// Whether tests by a program and argument failed, and only others by it worked since.
    pub(in crate::summary) fn is_red(&self, pair: &str) -> bool {
        self.red.iter().any(|(red, _)| red == pair)
    }

    /// Whether the last run of a command worked. That some of its tests worked since says nothing of the others, though
    /// the program and argument of both are the same.
    pub(in crate::summary::extractive) fn worked_whole(&self, key: &str) -> bool {
        self.worked.get(key) == Some(&true) && !self.red.iter().any(|(_, red)| red == key)
    }

    /// Reads calls, in order.
    fn of<'a, 't: 'a>(acts: impl IntoIterator<Item = &'a Act<'t>>) -> Self {
        let (mut all, mut ran) = (Self::default(), HashSet::default());
        for act in acts {
            let Action::Run(line) = &act.action else { continue };
            let mut own: Vec<String> = commands(line).into_iter().map(|fact| fact.value).collect();
            let in_texts = only_said(line, &own);
            let is_code = |command: &str| line.code().is_some() && runs_code(command);
            own.retain(|command| !in_texts.contains(command) && !is_code(command));
            if !is_mute(act) && !is_trial(line) {
                all.note(line, &own, &act.outcome);
            }
            all.said.extend(in_texts);
            ran.extend(own);
        }
        all.said.retain(|command| !ran.contains(command));
        all
    }

    /// Records the outcome of a command line and of the commands in it.
    fn note(&mut self, command: &Command, own: &[String], outcome: &CallOutcome) {
        let known = match outcome {
            CallOutcome::Unknown | CallOutcome::Running | CallOutcome::Refused => return,
            CallOutcome::Ended => None,
            CallOutcome::Done(_) => Some(true),
            CallOutcome::Failed(_) => Some(false),
        };
        let shows_all = !contains_any(command, &["| head", "| grep", "| sed"]);
        // A filter over the whole output does not hide the end of it.
        let is_filtered = ["| head", "| sed", "| tail"].iter().all(|stage| !command.contains(stage));
        let given = command.trim();
        let line = command.key();
        for (name, tells) in [(line, shows_all), (given, shows_all || is_filtered)] {
            if known.is_none() && tells {
                self.ended.insert(name.to_owned());
            } else {
                self.ended.remove(name);
            }
        }
        for step in known.filter(|well| *well).and(steps_of(given)).into_iter().flatten() {
            self.worked.insert(compared(&shown(step)), true);
        }
        // `gh pr view` says nothing of `gh pr create`.
        if !command.is_quiet() {
            self.acting.extend(own.iter().cloned());
        }
        let tells = |ran: &&String| !command.is_quiet() || !self.acting.contains(*ran);
        let (is_one, own) = (own.len() == 1, own.iter().filter(tells).cloned().collect::<Vec<String>>());
        // Which of several commands failed is unknown.
        known.into_iter().for_each(|well| self.arguments.note(command, well));
        let Some(well) = known.filter(|well| *well || is_one) else {
            for ran in own.iter().map(String::as_str).chain([line]) {
                self.worked.remove(ran);
            }
            return;
        };
        if command.runs_tests() && !well {
            self.red.extend(own.iter().map(|ran| (ran.clone(), line.to_owned())));
        } else if well {
            // `cargo test` runs what `cargo test lamps` does.
            let steps: Vec<String> = steps_of(given).into_iter().flatten().map(|step| compared(&shown(step))).collect();
            let covers = |red: &str| covers(line, red) || steps.iter().any(|step| covers(step, red));
            self.red.retain(|(pair, red)| !(own.contains(pair) && covers(red)));
        }
        self.worked.extend(own.iter().map(|command| (command.clone(), well)));
        if let Some(begun) = resumed(line).filter(|_| well) {
            self.worked.iter_mut().filter(|(ran, _)| ran.contains(begun)).for_each(|(_, worked)| *worked = true);
        }
        self.worked.insert(line.to_owned(), well);
    }
}

/// Options of test commands that only change what is printed.
const PRINTS: [&str; 6] = ["--color", "--quiet", "--reporter", "--verbose", "-q", "-v"];

/// Whether a test command runs what another does: `cargo test` covers `cargo test --lib lamps`.
pub(in crate::summary::extractive) fn covers(command: &str, other: &str) -> bool {
    let is_told = |word: &&str| !PRINTS.contains(&word.split('=').next().unwrap_or(word));
    let mut own = command.split_whitespace().filter(is_told);
    let mut others = other.split_whitespace().filter(is_told);
    own.all(|word| others.next() == Some(word))
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use super::*;
    use crate::summary::builders::act;
    use crate::transcript::Message;

    fn endings(calls: &[(&str, &str)]) -> Endings {
        let call = |command: &str| serde_json::json!({ "command": command }).to_string();
        let messages: Vec<_> =
            calls.iter().flat_map(|(command, printed)| act("Bash", &call(command), printed, false)).collect();
        Endings::of(&turns(&messages.iter().collect::<Vec<_>>(), &[]), &[])
    }

    #[test]
    fn files_that_are_there_now_are_neither_missing_nor_empty() {
        let write = |file: &str| act("Write", &format!(r#"{{"file_path":"docs/{file}","content":"x"}}"#), "ok", false);
        let messages = [write("TIDES.md"), write("quay.py")].concat();
        let made = Endings::of(&turns(&messages.iter().collect::<Vec<_>>(), &[]), &[]);
        for over in
            ["No TIDES.md or quay.py exist yet.", "`src/quay.py` is empty.", "`quay.py` 和 `TIDES.md` 都是空的。"]
        {
            assert!(made.made_later(over, 0), "{over}");
        }
        for holds in [
            "No LAMPS.md exists yet.",
            "TIDES.md is long.",
            "`quay.py` and `lamp.py` are both empty.",
            "`quay.py` fails if the list is empty.",
            "No keepers exist in the list that `quay.py` reads.",
            "`quay.py` 里不存在重试逻辑",
        ] {
            assert!(!made.made_later(holds, 0), "{holds}");
        }
    }

    #[test]
    fn steps_of_a_chain_that_worked_worked() {
        let failed = ("npm run build", "error TS2304: no lamp\nExit code 2");
        let of =
            |later: &str| endings(&[failed, (later, "Tests  12 passed (12)")]).worked_later(&"npm run build".into());
        assert!(of("npm run lint && npm run build && npm test"));
        let built = |with: &str, then: &str| {
            let calls = [(with, failed.1), (then, "Exit code 0\ndone")];
            endings(&calls).worked_later(&with.into())
        };
        assert!(!built("NODE_ENV=production npm run build", "NODE_ENV=development npm run build"));
        assert!(built("CI=1 npm run build", "npm run build"));
        assert!(!of("npm run lint && npm test") && !of("npm run build; npm test") && !of("npm run test"));
    }

    #[test]
    fn a_part_of_the_tests_that_works_tells_nothing_of_the_others() {
        let (red, green) = ("test result: FAILED. 1 passed; 2 failed", "test result: ok. 3 passed; 0 failed");
        let of = |calls: &[(&str, &str)]| endings(calls).commands.is_red("cargo test");
        assert!(of(&[("cargo test", red), ("cargo test --lib lamp", green)]));
        assert!(!of(&[("cargo test", red), ("cargo test 2>&1 | tail -3", green)]));
        assert!(!of(&[("cargo test --lib lamp", red), ("cargo test", green)]));
        assert!(of(&[("cargo test -p quay-core", red), ("cargo test -p quay", green)]));
    }

    #[test]
    fn a_filter_that_shows_no_error_any_more_tells_that_there_is_none() {
        let check = r#"cargo check -p quay | grep "^error""#;
        let of = |later: &str| endings(&[(check, "error: no lamp"), (later, "")]).ended_later(&check.into());
        assert!(of(check) && !of(r#"cargo check -p quay | grep "^warning""#));
    }

    #[test]
    fn a_command_that_only_a_pattern_names_has_not_run() {
        let call = r#"{"command":"npm view lamp | rg \"x|npm notice|npm test\""}"#;
        let test = r#"{"command":"npm test"}"#;
        let messages = [act("Bash", call, "done", false), act("Bash", test, "done", false)].concat();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let commands = Commands::of(turns(&head, &[]).iter().flat_map(|turn| &turn.acts));
        assert!(commands.said.contains("npm notice") && !commands.worked.contains_key("npm notice"));
        assert!(!commands.said.contains("npm test") && !commands.said.contains("npm view"));
        assert_eq!(commands.worked.get("npm view"), Some(&true));
    }

    #[test]
    fn what_looks_or_prints_nothing_clears_no_failure() {
        let failed = ("git stash", "error: could not write index\nExit code 1");
        let of = |later: &[(&str, &str)]| {
            let ended = endings(&[&[failed], later].concat());
            (ended.worked_later(&"git stash".into()), ended.ended_later(&"git stash".into()))
        };
        assert_eq!(of(&[("git stash 2>&1 | tail -5", ""), ("git stash list", "Exit code 0\n")]), (false, false));
        let quiet = endings(&[("git stash -q", failed.1), ("git stash -q 2>&1 | tail -5", "")]);
        assert!(quiet.ended_later(&"git stash -q".into()), "it prints nothing where it works");
        assert_eq!(of(&[("git stash 2>&1 | tail -5", "Saved working directory")]), (false, true));
        assert_eq!(of(&[("git stash", "Exit code 0\nSaved working directory")]), (true, false));
        let made = ("gh pr create", "error: no branch\nExit code 1");
        let looked = endings(&[made, ("gh pr view", "Exit code 0\nPR 7")]);
        assert!(!looked.worked_later(&"gh pr create".into()));
    }
}
