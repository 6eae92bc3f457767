//! How commands ended and when files were changed, whatever section tells of it.

use super::act::Action;
use super::acts::Act;
use super::command::{is_quiet, resumed, runs_tests, shown};
use super::outcome::Outcome;
use super::turns::Turn;
use crate::facts::commands;
use foldhash::HashMap;

/// How the commands of a head ended, and when its files were changed.
pub(super) struct Endings {
    /// The last run of each: turn and message.
    pub(super) last: HashMap<String, (usize, usize)>,
    /// Commands, by program and first argument and as they are shown, and whether their last run worked.
    pub(super) worked: HashMap<String, bool>,
    /// Messages with the last command and the last tests, where they failed.
    pub(super) unmended: Vec<usize>,
    /// Files by their names without folders, and the message that changed each last.
    changed: HashMap<String, usize>,
}

impl Endings {
    pub(super) fn of(turns: &[Turn<'_>]) -> Self {
        let worked = worked(turns);
        Self { last: last_runs(turns), unmended: unmended(turns, &worked), changed: changed(turns), worked }
    }

    /// Whether a command, or all that it consists of, worked when it ran last.
    pub(super) fn worked_later(&self, command: &str) -> bool {
        let worked = |ran: &str| self.worked.get(ran) == Some(&true);
        let all = commands(command);
        worked(&shown(command)) || !all.is_empty() && all.iter().all(|one| worked(&one.value))
    }

    /// Whether a file that a sentence names was changed in the same message or behind it.
    pub(super) fn changed_later(&self, sentence: &str, message: usize) -> bool {
        let inner = |char: char| char.is_alphanumeric() || char == '_' || char == '-' || char == '.';
        let mut names = sentence.split(|char| !inner(char)).map(|word| word.trim_end_matches('.'));
        names.any(|name| self.changed.get(name).is_some_and(|change| *change >= message))
    }
}

/// The name of a file, where it has an ending that no word has.
pub(super) fn file_name(path: &str) -> Option<&str> {
    path.rsplit(['/', '\\']).next().filter(|name| name.trim_start_matches('.').contains('.'))
}

/// The last change of every file, by its name.
fn changed(turns: &[Turn<'_>]) -> HashMap<String, usize> {
    let mut changed = HashMap::default();
    for act in turns.iter().flat_map(|turn| &turn.acts).filter(|act| act.outcome.worked()) {
        for (_, path) in act.files().iter().filter(|(op, _)| op.changes()) {
            changed.extend(file_name(path).map(|name| (name.to_owned(), act.message)));
        }
    }
    changed
}

/// The last run of every command: turn and message.
fn last_runs(turns: &[Turn<'_>]) -> HashMap<String, (usize, usize)> {
    let mut last = HashMap::default();
    for (place, turn) in turns.iter().enumerate() {
        for act in &turn.acts {
            if let Action::Run(command) = &act.action {
                last.insert(shown(command), (place, act.message));
            }
        }
    }
    last
}

/// The last command and the last tests, as messages, where they failed: an agent that goes on has to know.
fn unmended(turns: &[Turn<'_>], worked: &HashMap<String, bool>) -> Vec<usize> {
    let runs = turns.iter().flat_map(|turn| &turn.acts).filter_map(|act| match &act.action {
        Action::Run(command) if !matches!(act.outcome, Outcome::Unknown | Outcome::Running | Outcome::Refused) => {
            Some((shown(command), act))
        }
        _ => None,
    });
    let loud: Vec<_> = runs.filter(|(shown, _)| !is_quiet(shown)).collect();
    let ends = [loud.last(), loud.iter().rfind(|(shown, _)| runs_tests(shown))];
    let fails =
        |(shown, act): &&(String, &Act<'_>)| act.outcome.failure().is_some() && worked.get(shown) != Some(&true);
    ends.into_iter().flatten().filter(fails).map(|(_, act)| act.message).collect()
}

/// How the last run of each command ended, by program and first argument, and as it is shown: whether it worked.
fn worked(turns: &[Turn<'_>]) -> HashMap<String, bool> {
    let mut endings = HashMap::default();
    for act in turns.iter().flat_map(|turn| &turn.acts) {
        let known = match act.outcome {
            Outcome::Unknown | Outcome::Running | Outcome::Refused => continue,
            Outcome::Ended => None,
            Outcome::Done(_) => Some(true),
            Outcome::Failed(_) => Some(false),
        };
        let Action::Run(line) = &act.action else { continue };
        let facts = commands(line);
        // Which of several commands failed is not known.
        if let Some(worked) = known.filter(|worked| *worked || facts.len() == 1) {
            endings.extend(facts.into_iter().map(|fact| (fact.value, worked)));
            let line = shown(line);
            if let Some(begun) = resumed(&line).filter(|_| worked) {
                endings.iter_mut().filter(|(ran, _)| ran.contains(begun)).for_each(|(_, worked)| *worked = true);
            }
            endings.insert(line, worked);
        } else {
            facts.iter().for_each(|fact| {
                endings.remove(&fact.value);
            });
            endings.remove(&shown(line));
        }
    }
    endings
}
