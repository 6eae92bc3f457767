//! Plans that an answer proposes in a block of its own (Codex): a version that was replaced by a later one says nothing
//! that holds, and what the user approved is told as planned.

use super::turns::Turn;
use crate::summary::extractive::calls::approved::{Decision, proposed};
use crate::summary::extractive::sentences::said::Said;
use crate::transcript::{Author, Message, PartKind};
use foldhash::HashSet;

/// Removes the sentences of such plans but for the newest one, as long as the user has not approved that.
pub(super) fn without_told_plans(turns: &mut [Turn<'_>], head: &[&Message<'_>]) {
    let plans: Vec<(usize, &str)> =
        head.iter().enumerate().filter_map(|(at, message)| Some((at, plan(message)?))).collect();
    let Some((newest, _)) = plans.last() else { return };
    let approves =
        |turn: &Turn<'_>| turn.plans.iter().any(|it| it.decision == Decision::Approved && it.message >= *newest);
    let open = Some(*newest).filter(|_| !turns.iter().any(approves));
    for (at, plan) in plans.iter().filter(|(at, _)| Some(*at) != open) {
        let told: HashSet<String> = Said::all(*at, plan).map(|said| said.sentence).collect();
        for turn in turns.iter_mut() {
            turn.said.retain(|said| said.message != *at || !told.contains(&said.sentence));
        }
    }
}

/// The plan that a message of the agent proposes.
fn plan<'t>(message: &'t Message<'_>) -> Option<&'t str> {
    let mut texts = message.parts.iter().filter(|part| message.author == Author::Model && part.kind == PartKind::Text);
    texts.find_map(|part| proposed(&part.text))
}

#[cfg(test)]
mod tests {
    use crate::summary::builders::{agent, user};
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    fn said(messages: &[Message<'_>]) -> Vec<String> {
        let head: Vec<&Message<'_>> = messages.iter().collect();
        turns(&head, &[]).into_iter().flat_map(|turn| turn.said).map(|said| said.sentence).collect()
    }

    fn plan(step: &str) -> Message<'static> {
        agent(&format!(
            "I looked at the pier.\n\n<proposed_plan>\n# Light the pier\n\n## Steps\n- {step}\n</proposed_plan>"
        ))
    }

    #[test]
    fn of_versions_of_a_plan_the_open_one_is_told() {
        let [first, second] = ["The old oil stays in the lamp.", "The oil of the lamp is renewed."];
        let looked = "I looked at the pier.";
        let revised = [user("Plan the light."), plan(first), user("Revise it: use new oil."), plan(second)];
        assert_eq!(said(&revised), [looked, looked, second]);
        let approved = [user("Plan the light."), plan(second), user("Implement the plan.")];
        assert_eq!(said(&approved), [looked]);
        let other = [user("Plan the light."), plan(second), user("Which lamp is the oldest?")];
        assert_eq!(said(&other), [looked, second]);
    }
}
