//! Where an agent says nothing: what it concludes in its thoughts, and whether it did so before the user asked for more.

use super::cues::{Kind, is_plan};
use super::tags::own_words;
use super::turns::{Said, Turn};
use crate::summary::text::words;
use crate::transcript::{Author, Message, PartKind, spoken};

/// Thoughts of a turn that are read, its last ones.
const THOUGHTS: usize = 12;
/// Words of a message that may only urge.
const URGES: usize = 2;

impl Turn<'_> {
    /// Where the agent said nothing, what it concluded in its thoughts.
    pub(super) fn think(&mut self) {
        let thoughts = std::mem::take(&mut self.thoughts);
        if !self.said.is_empty() {
            return;
        }
        let read = &thoughts[thoughts.len().saturating_sub(THOUGHTS)..];
        let concludes = |said: &Said| {
            matches!(said.kind, Kind::Done | Kind::Finding(_)) && !said.standing.may_end() && !is_plan(&said.sentence)
        };
        // The last words of a thought say what came of it.
        let last = |(message, thought): &(usize, &str)| Said::all(*message, thought).filter(concludes).last();
        self.said = read.iter().filter_map(last).collect();
    }
}

/// Whether the agent answered in messages behind the head, and the user asked for more then.
pub(super) fn asks_more(kept: &[&Message<'_>]) -> bool {
    let says = |message: &&Message<'_>| {
        let calls = message.parts.iter().any(|part| matches!(part.kind, PartKind::Call { .. }));
        message.author == Author::Model && !calls && !spoken(&message.text()).trim().is_empty()
    };
    let mut behind = kept.iter().skip_while(|message| !says(message));
    behind.any(|message| message.author == Author::Person && words(&own_words(&message.text())) > URGES)
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use super::asks_more;
    use crate::summary::corpus::{act, agent, user};
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

    #[test]
    fn a_request_behind_the_head_is_more_where_the_agent_answered_before() {
        let asks = |messages: &[Message<'static>]| asks_more(&messages.iter().collect::<Vec<_>>());
        assert!(asks(&[agent("All is mended."), user("Now draw the map.")]));
        assert!(!asks(&[user("Now draw the map."), agent("All is mended.")]));
        assert!(!asks(&[agent("All is mended."), user("go on")]));
    }
}
