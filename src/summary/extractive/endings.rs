//! How commands ended, whatever section tells of them.

use super::act::Action;
use super::command::{is_quiet, resumed, runs_tests, shown};
use super::outcome::Outcome;
use super::turns::{Act, Turn};
use crate::facts::commands;
use foldhash::HashMap;

/// How the commands of a head ended.
pub(super) struct Endings {
    /// The last run of each: turn and message.
    pub(super) last: HashMap<String, (usize, usize)>,
    /// Commands, by program and first argument and as they are shown, and whether their last run worked.
    pub(super) worked: HashMap<String, bool>,
    /// Messages with the last command and the last tests, where they failed.
    pub(super) unmended: Vec<usize>,
}

impl Endings {
    pub(super) fn of(turns: &[Turn<'_>]) -> Self {
        let worked = worked(turns);
        Self { last: last_runs(turns), unmended: unmended(turns, &worked), worked }
    }
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
        Action::Run(command) if !matches!(act.outcome, Outcome::Unknown | Outcome::Running) => {
            Some((shown(command), act))
        }
        _ => None,
    });
    let loud: Vec<_> = runs.filter(|(shown, _)| !is_quiet(shown)).collect();
    let ends = [loud.last(), loud.iter().rfind(|(shown, _)| runs_tests(shown))];
    let fails = |(shown, act): &&(String, &Act<'_>)| act.outcome.error().is_some() && worked.get(shown) != Some(&true);
    ends.into_iter().flatten().filter(fails).map(|(_, act)| act.message).collect()
}

/// How the last run of each command ended, by program and first argument, and as it is shown: whether it worked.
fn worked(turns: &[Turn<'_>]) -> HashMap<String, bool> {
    let mut endings = HashMap::default();
    for act in turns.iter().flat_map(|turn| &turn.acts) {
        let known = match act.outcome {
            Outcome::Unknown | Outcome::Running => continue,
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
