//! Plans that an answer proposes in a block of its own (Codex): a version that was replaced by a later one says nothing
//! that holds, and what the user approved is told as planned.

use super::turns::Turn;
use crate::summary::extractive::calls::approved::{Decision, Shown, proposed};
use crate::summary::extractive::sentences::planned::Planned;
use crate::summary::extractive::sentences::said::Said;
use crate::summary::text::each_word;
use crate::transcript::{Author, Message, PartKind};
use foldhash::HashSet;

/// A proposed plan: the index of its message, its title, and its text.
struct Version<'t> {
    message: usize,
    title: String,
    text: &'t str,
}

/// Removes the sentences of such plans that have a later version, or that the user approved.
pub(super) fn without_told_plans(turns: &mut [Turn<'_>], head: &[&Message<'_>]) {
    let all: Vec<Version<'_>> = head.iter().enumerate().filter_map(|(at, message)| version(at, message)).collect();
    for (at, plan) in all.iter().enumerate() {
        let is_replaced = all[at + 1..].iter().any(|later| is_of_same(&later.title, &plan.title));
        let mut decided = turns.iter().flat_map(|turn| &turn.plans);
        let approves = |it: &Shown| it.decision == Decision::Approved && it.message >= plan.message;
        if !is_replaced && !decided.any(|it| approves(it) && it.title == plan.title) {
            continue;
        }
        let told: HashSet<String> = Said::all(plan.message, plan.text).map(|said| said.sentence).collect();
        for turn in turns.iter_mut() {
            turn.said.retain(|said| said.message != plan.message || !told.contains(&said.sentence));
        }
    }
}

/// Words of titles that say nothing of the plan.
const EMPTY: [&str; 12] = ["a", "add", "fix", "for", "implement", "of", "page", "plan", "revised", "the", "to", "v2"];

/// Whether two titles are of versions of one plan: they share at least half of the words of the longer one.
fn is_of_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let [one, other]: [HashSet<&str>; 2] =
        [&one, &other].map(|title| each_word(title).filter(|word| !EMPTY.contains(word)).collect());
    2 * one.intersection(&other).count() >= one.len().max(other.len())
}

/// The plan that a message of the agent proposes.
fn version<'t>(at: usize, message: &'t Message<'_>) -> Option<Version<'t>> {
    let mut texts = message.parts.iter().filter(|part| message.author == Author::Model && part.kind == PartKind::Text);
    let text = texts.find_map(|part| proposed(&part.text))?;
    Some(Version { message: at, title: Planned::read(text)?.title, text })
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
        let ferry = "<proposed_plan>\n# Ferry times\n\n## Steps\n- The ferry leaves at ten.\n</proposed_plan>";
        let two = [user("Plan the light."), plan(first), user("Plan the ferries too."), agent(ferry)];
        assert_eq!(said(&two), [looked, first, "The ferry leaves at ten."]);
        let other = [user("Plan the light."), plan(second), user("Which lamp is the oldest?")];
        assert_eq!(said(&other), [looked, second]);
    }
}
