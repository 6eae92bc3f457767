//! Conclusions in the agent's thoughts, used for stretches of a turn where it said nothing: half of the agents report
//! only at the end, or never.

use super::turns::Turn;
use crate::summary::extractive::sentences::cues::{Kind, is_plan};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::user::tags::ends;

/// Maximum number of thoughts read per stretch, the last ones.
const THOUGHTS: usize = 12;
/// Least number of thoughts between two texts of the agent that make it a silent one.
const SILENT: usize = 3;
/// Beginnings of sentences that take back the one before.
const TAKES_BACK: [&str; 9] =
    ["wait", "but ", "actually", "hmm", "however", "no, ", "or maybe", "alternatively", "unless"];
/// Beginnings of sentences that an agent only tells itself.
const NARRATES: [&str; 12] =
    ["the user ", "good", "great", "ok", "now", "my ", "or ", "and ", "this confirms", "let me", "i need", "i should"];
/// Signs of a guess.
const GUESSES: [&str; 10] =
    ["might", "maybe", "perhaps", "probably", "likely", "could", "should", "would", "seems", "i think"];
/// Signs of a cause or a denial.
const CAUSES: [&str; 7] = ["n't ", " not ", " because ", " due to ", " cause", " since ", " why "];
/// Strength of a thought where the agent says something too: what it said is worth more.
const ASIDE: i64 = 1;

impl Turn<'_> {
    /// Adds the conclusions of the agent's thoughts where it said nothing.
    pub(super) fn think(&mut self) {
        let thoughts = std::mem::take(&mut self.thoughts);
        if thoughts.is_empty() {
            return;
        }
        let said = std::mem::take(&mut self.said);
        let says_nothing = said.is_empty();
        let mut thoughts = thoughts.into_iter().peekable();
        let mut said = said.into_iter().peekable();
        loop {
            let next = said.peek().map(|said| said.message);
            let is_before = |(message, _): &(usize, &str)| next.is_none_or(|next| *message < next);
            let stretch: Vec<_> = std::iter::from_fn(|| thoughts.next_if(is_before)).collect();
            if says_nothing {
                self.said.extend(conclusions(&stretch));
            } else if stretch.len() >= SILENT {
                self.said.extend(conclusions(&stretch).filter_map(aside));
            }
            let Some(next) = next else { break };
            self.said.extend(std::iter::from_fn(|| said.next_if(|said| said.message == next)));
            // What was thought beside a text is said in it.
            while thoughts.next_if(|(message, _)| *message == next).is_some() {}
        }
    }
}

/// The conclusions of the last thoughts of a stretch.
fn conclusions(thoughts: &[(usize, &str)]) -> impl Iterator<Item = Said> {
    let read = &thoughts[thoughts.len().saturating_sub(THOUGHTS)..];
    read.iter().filter_map(|(message, thought)| conclusion(*message, thought))
}

/// A finding that names something, or why something is not so, as one that is worth less than what the agent says.
fn aside(said: Said) -> Option<Said> {
    let is_exact = said.sentence.contains(|char: char| char == '`' || char.is_ascii_digit());
    let lower = || said.sentence.to_lowercase();
    let tells = is_exact || CAUSES.iter().any(|sign| lower().contains(sign));
    (tells && matches!(said.kind, Kind::Finding(_))).then_some(Said { kind: Kind::Finding(ASIDE), ..said })
}

/// The last conclusion of a thought is its result, unless what follows takes it back.
fn conclusion(message: usize, thought: &str) -> Option<Said> {
    let begins = |said: &Said, starts: &[&str]| {
        let lower = said.sentence.to_lowercase();
        starts.iter().any(|start| lower.starts_with(start))
    };
    let guesses = |said: &Said| {
        let lower = said.sentence.to_lowercase();
        GUESSES.iter().any(|sign| lower.contains(sign))
    };
    let concludes = |said: &Said| {
        matches!(said.kind, Kind::Done | Kind::Finding(_))
            && !said.standing.may_end()
            && !is_plan(&said.sentence)
            && said.sentence.starts_with(|first: char| !first.is_ascii_lowercase() && first != '(')
            && !begins(said, &NARRATES)
            && !guesses(said)
    };
    let mut all: Vec<Said> = Said::all(message, &ends(thought)).collect();
    let at = all.iter().rposition(concludes)?;
    let is_over = all[at..].iter().any(|said| begins(said, &TAKES_BACK));
    (!is_over).then(|| all.swap_remove(at))
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use crate::summary::builders::{act, agent, part, user};
    use crate::transcript::{Message, PartKind};

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
        assert_eq!(told(&[thought]), [cause.clone()]);
        assert_eq!(told(&[thought, "Now I light it."]).len(), 1, "it says something");
        let silent = [thought, "<think>Let me look.</think>", "<think>I look on.</think>", "Now I light it."];
        assert_eq!(told(&silent)[0], cause, "it says something behind a silent stretch");
        let empty = ["<think>I've identified the last few lamps.</think>"; 3];
        assert_eq!(told(&[&empty[..], &["Now I light it."]].concat()).len(), 1, "beside speech it names nothing");
        for taken_back in ["Wait, it does not spill.", "But `fill()` is never called."] {
            let thought: &'static str =
                format!("<think>The root cause is that `fill()` spills the oil. {taken_back}</think>").leak();
            assert_eq!(told(&[thought]), []);
        }
        assert_eq!(told(&["<think>The root cause is probably that `fill()` spills the oil.</think>"]), []);
    }

    #[test]
    fn reasoning_parts_are_thoughts() {
        let mut think = agent("");
        think.parts = vec![part(
            PartKind::Reasoning { signed: false },
            "Let me see. The root cause is that `fill()` spills the oil.",
        )];
        let messages = [user("Mend the lamp of the pier."), think];
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let said: Vec<_> = turns(&head, &[]).into_iter().flat_map(|turn| turn.said).map(|said| said.sentence).collect();
        assert_eq!(said, ["The root cause is that `fill()` spills the oil."]);
    }
}
