//! What the agent said of a failure right after it: “These were there before.”

use super::LONGEST_LINE;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::items::Item;
use crate::summary::text::has_any;

/// Words with which a failure is judged to be no fault of the work.
const JUDGES: [&str; 16] = [
    "already failed",
    "already failing",
    "already fails",
    "flaky",
    "known failure",
    "known issue",
    "no relation",
    "not caused by",
    "not due to",
    "not from my",
    "not my change",
    "not related",
    "pre existing",
    "pre-existing",
    "preexisting",
    "unrelated",
];

/// Words of a sentence about a failure.
const FAILURES: [&str; 10] =
    ["error", "errors", "failed", "failing", "failure", "failures", "issue", "issues", "problem", "problems"];

/// The line of a run that failed, with the sentence in which the agent's next text judges the failure.
pub(super) fn judged(item: Item, turn: &Turn<'_>, act: &Act<'_>) -> Item {
    let behind = &turn.said[turn.said.partition_point(|said| said.message <= act.message)..];
    let Some(next) = behind.first().map(|said| said.message) else { return item };
    let fails = |other: &&Act<'_>| matches!((&other.action, &other.outcome), (Action::Run(_), CallOutcome::Failed(_)));
    // Of several failures it is the last one that is judged.
    let acts = &turn.acts[turn.acts.partition_point(|other| other.message <= act.message)..];
    if acts.iter().take_while(|other| other.message < next).any(|other| fails(&other)) {
        return item;
    }
    let of_it = behind.iter().take_while(|said| said.message == next).filter(|said| !said.of_another);
    let judges = |sentence: &str| {
        let lower = sentence.to_lowercase();
        has_any(&lower, &JUDGES) && has_any(&lower, &FAILURES)
    };
    let told = of_it.map(|said| &said.sentence).find(|sentence| judges(sentence) && !sentence.contains(['“', '”']));
    match told.map(|sentence| format!("{} (“{sentence}”)", item.text)) {
        Some(text) if text.chars().count() <= LONGEST_LINE => Item { text, ..item },
        _ => item,
    }
}

#[cfg(test)]
mod tests {
    use super::super::told_of_runs;
    use crate::summary::builders::{act, agent, user};

    fn told(next: &str) -> String {
        let mut messages = vec![user("Look after the tide table.")];
        messages.extend(act("bash", r#"{"command":"make quay"}"#, "error: no oil\nexit code: 2", true));
        messages.push(agent(next));
        told_of_runs(&messages)
    }

    #[test]
    fn a_failure_is_told_with_what_the_agent_said_of_it() {
        let failed = "Ran `make quay`: failed: error: no oil";
        let why = "This failure is pre-existing, the oil store is closed.";
        assert_eq!(told(why), format!("{failed} (“{why}”)"));
        assert_eq!(told("I'll bring some oil."), failed);
        assert_eq!(told("The latest map of the quay has unrelated changes."), failed, "not of the failure");
        assert_eq!(told(&format!("This is unrelated {}.", "to the failed lamps ".repeat(20))), failed, "too long");
    }
}
