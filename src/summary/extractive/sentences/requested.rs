//! Labels of lists of what the agent needs from the user: “To book the ferry, I'll need:”.

use super::cues::lower;
use super::sieve::AnyOf;
use crate::summary::extractive::words;
use crate::summary::text::is_dense;

static ASKS_FOR: AnyOf = AnyOf::new(words::ASKS_FOR);

/// Whether a line heads items that the agent asks for, not what it has to do itself: “I'll need to:”.
pub(super) fn asks_for_items(line: &str) -> bool {
    let Some(label) = line.trim_end_matches(['*', '_', ' ']).strip_suffix([':', '：']) else { return false };
    let label = lower(label);
    ASKS_FOR.any(&label, |label, asks| {
        let found =
            label.find(asks).map(|at| (label[..at].ends_with(char::is_alphanumeric), &label[at + asks.len()..]));
        let acts = |rest: &str| rest.starts_with(" to ") && !rest.starts_with(" to know") || rest.starts_with("'");
        found.is_some_and(|(within, rest)| (!within || asks.starts_with(is_dense)) && !acts(rest))
    })
}

#[cfg(test)]
mod tests {
    use super::super::prose;
    use super::*;

    /// The sentences of a text without its labels.
    fn sentences(text: &str) -> Vec<String> {
        prose::sentences(text).into_iter().filter(|sentence| !sentence.ends_with(':')).collect()
    }

    #[test]
    fn what_the_agent_asks_for_is_not_told_as_done() {
        let text = "To book the ferry, I'll need:\n- The pier where you are (north or south)\n- Date of birth: as in your pass\n- Why you take it (a trip, or work)";
        assert_eq!(sentences(text), [""; 0]);
        let asked = "Could you share the following details:\n- Whether you would like to add a lamp";
        assert_eq!(sentences(asked), [""; 0]);
        for label in ["Bitte geben Sie an:", "J'aurai besoin de:", "Necesito los siguientes datos:", "请提供以下信息："]
        {
            assert!(asks_for_items(label), "{label}");
        }
        for other in ["I'll need to change:", "The lamp needs oil:", "I've changed the lamps:", "I'll need it"] {
            assert!(!asks_for_items(other), "{other}");
        }
    }
}
