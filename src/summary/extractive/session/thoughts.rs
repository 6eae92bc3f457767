//! Conclusions in the agent's thoughts, used for turns where it said nothing.

use super::turns::Turn;
use crate::summary::extractive::sentences::cues::{Kind, is_plan};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::user::tags::ends;

/// Maximum number of thoughts read per turn, the last ones.
const THOUGHTS: usize = 12;

impl Turn<'_> {
    /// Uses the conclusions of the agent's thoughts if it said nothing.
    pub(super) fn think(&mut self) {
        let thoughts = std::mem::take(&mut self.thoughts);
        if !self.said.is_empty() {
            return;
        }
        let read = &thoughts[thoughts.len().saturating_sub(THOUGHTS)..];
        let concludes = |said: &Said| {
            matches!(said.kind, Kind::Done | Kind::Finding(_)) && !said.standing.may_end() && !is_plan(&said.sentence)
        };
        // The last conclusion of a thought is its result.
        let last = |(message, thought): &(usize, &str)| Said::all(*message, &ends(thought)).filter(concludes).last();
        self.said = read.iter().filter_map(last).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use crate::summary::builders::{act, agent, user};
    use crate::transcript::Message;

    #[test]
    fn an_agent_that_only_thinks_is_told_by_what_it_concludes() {
        let told = |texts: &[&'static str]| {
            let run =
                |text: &&'static str| [vec![agent(text)], act("bash", r#"{"command":"make"}"#, "lit", false).to_vec()];
            let mut messages = vec![user("Mend the lamp of the pier.")];
            messages.extend(texts.iter().flat_map(run).flatten());
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let said = turns(&head, &[]).into_iter().flat_map(|turn| turn.said);
            said.map(|said| (said.sentence, said.closing)).collect::<Vec<_>>()
        };
        let thought = "<think>\nLet me look. The root cause is that `fill()` spills the oil.\n</think>\n";
        let cause = ("The root cause is that `fill()` spills the oil.".to_owned(), false);
        assert_eq!(told(&[thought]), [cause]);
        assert_eq!(told(&[thought, "Now I light it."]).len(), 1, "it says something");
    }
}
