//! Conclusions in the agent's thoughts, used for stretches of a turn where it said nothing: many agents report only at
//! the end, or never.

use super::turns::Turn;
use crate::summary::extractive::sentences::cues::{Kind, is_plan};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::user::tags::ends;
use crate::summary::extractive::words::{FOR_A_REASON, GUESSES, TAKES_BACK, TALKS_TO_ITSELF, THE_CAUSE, WOULD};
use crate::summary::text::{has_any, unquoted};

/// Maximum number of thoughts read per stretch, the last ones.
const THOUGHTS: usize = 12;
/// Least number of thoughts between two texts of the agent that make it a silent one.
const SILENT: usize = 3;
/// Strength of a thought where the agent says something too: what it said is worth more.
const ASIDE: i64 = 1;
/// Number of first words of a sentence among which stands what takes back the one before: “Oh wait, it does not.”
const FIRST: usize = 4;

impl Turn<'_> {
    /// Adds the conclusions of the agent's thoughts where it said nothing.
    pub(super) fn think(&mut self) {
        let thoughts = std::mem::take(&mut self.thoughts);
        if thoughts.is_empty() {
            return;
        }
        self.thinks = true;
        let said = std::mem::take(&mut self.said);
        let mut concluded = without_former_causes(concluded(&said, &thoughts)).peekable();
        for (place, said) in said.into_iter().enumerate() {
            self.said
                .extend(std::iter::from_fn(|| concluded.next_if(|(before, _)| *before <= place)).map(|(_, it)| it));
            self.said.push(said);
        }
        self.said.extend(concluded.map(|(_, it)| it));
    }
}

/// What was concluded in silence, each with the index of the sentence before which it stands.
fn concluded(said: &[Said], thoughts: &[(usize, &str)]) -> Vec<(usize, Said)> {
    let (mut rest, mut place, mut all) = (thoughts, 0, Vec::new());
    loop {
        let next = said.get(place).map(|said| said.message);
        let (stretch, behind) =
            rest.split_at(rest.partition_point(|(message, _)| next.is_none_or(|next| *message < next)));
        if said.is_empty() {
            all.extend(conclusions(stretch).map(|it| (place, it)));
        } else if stretch.len() >= SILENT {
            all.extend(conclusions(stretch).filter_map(aside).map(|it| (place, it)));
        }
        let Some(next) = next else { return all };
        place += said[place..].iter().take_while(|said| said.message == next).count();
        // What was thought beside a text is said in it.
        rest = &behind[behind.iter().take_while(|(message, _)| *message == next).count()..];
    }
}

/// Of several thoughts that tell a cause, the last one is what the agent found.
fn without_former_causes(all: Vec<(usize, Said)>) -> impl Iterator<Item = (usize, Said)> {
    let is_cause = |said: &Said| has_any(&said.sentence.to_lowercase(), THE_CAUSE);
    let last = all.iter().rposition(|(_, said)| is_cause(said));
    all.into_iter().enumerate().filter(move |(at, (_, said))| Some(*at) == last || !is_cause(said)).map(|(_, it)| it)
}

/// The conclusions of the last thoughts of a stretch.
fn conclusions(thoughts: &[(usize, &str)]) -> impl Iterator<Item = Said> {
    let read = &thoughts[thoughts.len().saturating_sub(THOUGHTS)..];
    read.iter().filter_map(|(message, thought)| conclusion(*message, thought))
}

/// A finding that names something, or why something is not so, as one that is worth less than what the agent says.
fn aside(said: Said) -> Option<Said> {
    let is_exact = said.sentence.contains(|char: char| char == '`' || char.is_ascii_digit());
    let lower = said.sentence.to_lowercase();
    let tells =
        is_exact || lower.contains("n't ") || [THE_CAUSE, FOR_A_REASON].iter().any(|signs| has_any(&lower, signs));
    tells.then_some(Said { kind: Kind::Finding(ASIDE), ..said })
}

/// The last finding of a thought is its result, unless what follows takes it back. What it did is told by its calls.
fn conclusion(message: usize, thought: &str) -> Option<Said> {
    let only_thinks = |sentence: &str| {
        let lower = unquoted(&sentence.to_lowercase()).0;
        [TALKS_TO_ITSELF, GUESSES, WOULD].iter().any(|signs| has_any(&lower, signs))
    };
    let concludes = |said: &Said| {
        matches!(said.kind, Kind::Finding(_))
            && !said.standing.may_end()
            && !is_plan(&said.sentence)
            && said.sentence.starts_with(|first: char| !first.is_ascii_lowercase() && first != '(')
            && !only_thinks(&said.sentence)
    };
    let takes_back = |said: &Said| {
        let lower = said.sentence.to_lowercase();
        let first = lower.match_indices(' ').nth(FIRST - 1).map_or(&*lower, |(at, _)| &lower[..at]);
        has_any(first, TAKES_BACK)
    };
    let mut all: Vec<Said> = Said::all(message, &ends(thought)).collect();
    let at = all.iter().rposition(concludes)?;
    let is_over = all[at..].iter().any(takes_back);
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
        assert_eq!(told(&[thought]), std::slice::from_ref(&cause));
        assert_eq!(told(&[thought, "Now I light it."]).len(), 1, "it says something");
        let silent = [thought, "<think>Let me look.</think>", "<think>I look on.</think>", "Now I light it."];
        assert_eq!(told(&silent)[0], cause, "it says something behind a silent stretch");
        let empty = ["<think>I've identified the last few lamps.</think>"; 3];
        assert_eq!(told(&[&empty[..], &["Now I light it."]].concat()).len(), 1, "beside speech it names nothing");
        for taken_back in
            ["Wait, it does not spill.", "But `fill()` is never called.", "Oh wait, it is not.", "That can't be it."]
        {
            let thought: &'static str =
                format!("<think>The root cause is that `fill()` spills the oil. {taken_back}</think>").leak();
            assert_eq!(told(&[thought]), []);
        }
        for guess in [
            "The root cause is probably that `fill()` spills the oil.",
            "What if the root cause is that `fill()` spills the oil.",
            "I've mended `fill()`.",
        ] {
            let thought: &'static str = format!("<think>{guess}</think>").leak();
            assert_eq!(told(&[thought]), []);
        }
        let later = "<think>The root cause is that `wick` is wet, and `should_light` is right.</think>";
        let wet = "The root cause is that `wick` is wet, and `should_light` is right.";
        assert_eq!(told(&[thought, later]), [(wet.to_owned(), false)], "the last cause counts");
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
