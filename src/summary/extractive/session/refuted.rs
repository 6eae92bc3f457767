//! Removes claims that the tests pass where their last run before failed: alone, in a sentence that says more, or in
//! the text that answers.

use super::turns::Turn;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::narrower::{has_failed_tests, is_narrower};
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::calls::run::Command;
use crate::summary::extractive::calls::trials::is_trial;
use crate::summary::extractive::sentences::cues::{Kind, kind};
use crate::summary::extractive::sentences::green::{Scope, may_claim, scope, without, without_in};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::sentences::state::StateClaim;

/// The last run of tests, if it failed, or the last failed one, if only fewer tests than its own ran since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::summary::extractive) struct Red {
    /// Index of its message.
    pub(in crate::summary::extractive) message: usize,
    /// Whether some of its tests worked since.
    some_worked: bool,
}

impl Red {
    /// Reads calls, in order.
    pub(in crate::summary::extractive) fn of<'a, 't: 'a>(
        acts: impl DoubleEndedIterator<Item = &'a Act<'t>>,
    ) -> Option<Self> {
        let mut since: Vec<&Command> = Vec::new();
        for (command, act) in acts.rev().filter_map(run) {
            if !matches!(act.outcome, CallOutcome::Failed(_)) {
                since.push(command);
                continue;
            }
            let is_less =
                |later: &&Command| is_narrower(later, command) && !has_failed_tests(later, command, act.result);
            return since.iter().all(is_less).then_some(Self { message: act.message, some_worked: !since.is_empty() });
        }
        None
    }

    /// Whether it refutes a claim that follows it.
    pub(in crate::summary::extractive) fn refutes(self, scope: Scope) -> bool {
        scope == Scope::All || !self.some_worked
    }
}

/// A call that ran tests to an end.
fn run<'a, 't>(act: &'a Act<'t>) -> Option<(&'a Command, &'a Act<'t>)> {
    let Action::Run(command) = &act.action else { return None };
    let ended = !matches!(act.outcome, CallOutcome::Unknown | CallOutcome::Running | CallOutcome::Refused);
    (ended && command.is_test() && !is_trial(command)).then_some((command, act))
}

/// Removes the claims of all turns that are refuted when they are made.
pub(super) fn without_refuted(turns: &mut [Turn<'_>]) {
    let claims = |turn: &Turn<'_>| {
        turn.said.iter().any(|said| may_claim(&said.sentence))
            || turn.last_text().is_some_and(|(_, text)| may_claim(text))
    };
    if !turns.iter().any(claims) {
        return;
    }
    let Some(red) = Red::of(turns.iter().flat_map(|turn| &turn.acts)) else { return };
    let refutes = |scope: Scope| red.refutes(scope);
    for turn in turns {
        let is_later = |said: &Said| said.message >= red.message && !said.of_another;
        turn.said
            .retain_mut(|said| !is_later(said) || !scope(&said.sentence).is_some_and(refutes) || cut(said, &refutes));
        if let Some((_, text)) = turn.last.as_mut().filter(|(message, _)| *message >= red.message) {
            *text = without_in(text, &refutes).into_owned().into();
        }
    }
}

/// Removes the claims of a sentence; whether something is left.
fn cut(said: &mut Said, refutes: &dyn Fn(Scope) -> bool) -> bool {
    let left = without(&said.sentence, refutes);
    if left.is_empty() {
        return false;
    }
    let is_done = said.kind == Kind::Done;
    said.kind = if is_done { Kind::Done } else { kind(&left) };
    said.standing = StateClaim::of(&left);
    said.sentence = left;
    true
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use crate::summary::builders::{act, agent, user};
    use crate::transcript::Message;

    const RED: &str = "test oil ... FAILED\ntest result: FAILED. 1 passed; 1 failed";
    const GREEN: &str = "test result: ok. 1 passed; 0 failed";

    fn run(command: &str, printed: &str) -> Vec<Message<'static>> {
        act("bash", &serde_json::json!({ "command": command }).to_string(), printed, printed == RED).to_vec()
    }

    /// What is left of words after these messages: the sentences, and the last text.
    fn left(then: &[Vec<Message<'static>>], said: &'static str) -> (Vec<String>, String) {
        let messages = [vec![user("Mend the lamp.")], then.concat(), vec![agent(said)]].concat();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        let last = turns[1].last_text().map(|(_, text)| text.to_owned());
        (turns[1].said.iter().map(|said| said.sentence.clone()).collect(), last.unwrap_or_default())
    }

    #[test]
    fn what_a_failed_run_refutes_goes_whatever_was_done_between() {
        let red = || run("cargo test", RED);
        let edit = act("Edit", r#"{"file_path":"/w/lamp.rs"}"#, "ok", false).to_vec();
        let mut unanswered = run("cargo test -- --nocapture", GREEN);
        unanswered.truncate(1);
        let refused = run("cargo test", "[Request interrupted by user for tool use]");
        for then in [
            vec![red()],
            vec![red(), edit],
            vec![red(), run("cargo build", "Finished dev in 0.1s")],
            vec![red(), unanswered],
            vec![red(), refused],
            vec![red(), run("cargo test wick", GREEN)],
        ] {
            assert_eq!(left(&then, "All tests pass.").0, [""; 0]);
            let (said, last) = left(&then, "The lamp is lit at dusk now, and all tests pass.");
            assert_eq!((&*said.concat(), &*last), ("The lamp is lit at dusk now.", "The lamp is lit at dusk now."));
        }
        for then in [
            vec![red(), run("cargo test", GREEN)],
            vec![red(), run("cargo test oil", GREEN)],
            vec![red(), run("make check-all test", GREEN)],
        ] {
            assert_eq!(left(&then, "All tests pass.").0, ["All tests pass."]);
        }
        let (said, _) = left(&[red(), run("cargo test wick", GREEN)], "3 tests of the wick pass, and 3 tests pass.");
        assert_eq!(said.len(), 1, "these are the ones that ran");
    }
}
