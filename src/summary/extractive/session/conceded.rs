//! Claims that the agent takes back after the user corrected it: “You're right, …”.

use super::turns::Turn;
use crate::summary::extractive::sentences::cues::{Kind, lower};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::words::CONCEDES;
use crate::summary::text::{each_word, first_bytes, is_dense};
use foldhash::HashSet;

/// Bytes at the start of an answer in which it concedes, and the number of words before that: “I'm very sorry, …”.
const START: usize = 120;
const BEFORE: usize = 4;
/// Number of first words of a claim that tell its subject, and the minimum length of such a word.
const SUBJECT: usize = 3;
const LETTERS: usize = 4;
/// Number of first characters that tell it in scripts without spaces.
const DENSE: usize = 3;

/// For each sentence of a turn, whether the agent concedes in the next one that it was wrong.
pub(super) fn conceded(turns: &[Turn<'_>]) -> Vec<bool> {
    let [turn, next, ..] = turns else { return Vec::new() };
    let Some(asked) = next.asked.as_ref().filter(|_| next.last_text().is_some_and(|(_, text)| concedes(text))) else {
        return Vec::new();
    };
    let corrected = lower(&if asked.sentences.is_empty() { asked.start.clone() } else { asked.sentences.join(" ") });
    let words: HashSet<&str> = each_word(&corrected).collect();
    if agrees(&words) {
        return Vec::new();
    }
    let is_told = |said: &Said| {
        let claim = lower(&said.sentence);
        let first: String = claim.chars().take(DENSE).collect();
        let is_dense = first.chars().all(is_dense) && corrected.contains(&first);
        let has = |word: &str| word.chars().count() >= LETTERS && words.contains(word);
        !matches!(said.kind, Kind::Done | Kind::Empty) && (is_dense || each_word(&claim).take(SUBJECT).any(has))
    };
    turn.said.iter().map(is_told).collect()
}

/// Whether an answer begins by saying that the user is right.
fn concedes(text: &str) -> bool {
    let start = lower(first_bytes(text.trim_start(), START));
    let first = start.split(['\n', '?']).next().unwrap_or_default();
    // “You're right to ask” takes nothing back.
    let behind = CONCEDES.iter().find_map(|words| first.split_once(words));
    behind.is_some_and(|(before, behind)| each_word(before).count() <= BEFORE && !behind.starts_with(" to "))
}

/// Whether the user agrees to what the agent said.
fn agrees(corrected: &HashSet<&str>) -> bool {
    ["agreed", "great", "perfect", "thank", "thanks", "works"].iter().any(|word| corrected.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use crate::summary::builders::{agent, user};
    use crate::transcript::Message;

    fn left(answer: &str) -> Vec<String> {
        let claim = "Quayworks is a private harbour, so it has no price for its berths. The ferry leaves at nine from the northern pier.";
        let messages =
            [user("What is Quayworks?"), agent(claim), user("Quayworks is public since March."), agent(answer)];
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let said = turns(&head, &[]).into_iter().take(2).flat_map(|turn| turn.said);
        said.map(|said| said.sentence).collect()
    }

    #[test]
    fn what_the_agent_takes_back_is_over() {
        assert_eq!(left("I'm very sorry, you are right. It went public.").len(), 1);
        assert_eq!(left("The berths of it cost 12 euros a night, as the list of the pier says.").len(), 2);
    }
}
