//! What the agent says of a look-up before it looks on: plain facts that the result has, and nothing that a later text
//! may refute, such as a conclusion or what still runs.

use super::sources::is_exact;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::sentences::cues::is_underway;
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::text::{first_bytes, has_any, has_digit};

/// First words of sentences about what the agent does, or what the user wants.
const TALKS: [&str; 8] = ["i", "let", "next", "now", "then", "we", "you", "your"];
/// First words of orders that the agent gives to itself.
const ORDERS: [&str; 28] = [
    "ask", "call", "check", "click", "compare", "confirm", "continue", "fetch", "find", "get", "go", "inspect", "look",
    "open", "proceed", "query", "read", "repeat", "retry", "run", "scroll", "search", "see", "start", "test", "try",
    "verify", "wait",
];
/// Words of conclusions and guesses.
const CONCLUDES: [&str; 34] = [
    "apparently",
    "appears",
    "because",
    "best",
    "cause",
    "caused",
    "causes",
    "culprit",
    "daher",
    "deshalb",
    "donc",
    "explains",
    "hence",
    "indicates",
    "least",
    "likely",
    "looks like",
    "means",
    "most",
    "must be",
    "perhaps",
    "por eso",
    "probably",
    "quindi",
    "reason",
    "seems",
    "should",
    "so",
    "suggests",
    "therefore",
    "thus",
    "to blame",
    "worst",
    "would",
];
/// The end of what is more so than all others, and nouns with it.
const SUPERLATIVE: &str = "est";
const NOUNS: [&str; 8] = ["forest", "guest", "interest", "latest", "request", "rest", "test", "west"];
/// Words of what goes on, or may soon be otherwise.
const RUNS: [&str; 14] = [
    "awaiting",
    "background",
    "not yet",
    "once",
    "ongoing",
    "pending",
    "progress",
    "queue",
    "queued",
    "running",
    "runs",
    "still",
    "until",
    "waiting",
];
/// Words that deny what was said.
const DENIES: [&str; 10] =
    ["actually", "cannot", "false", "instead", "mistaken", "never", "no longer", "not", "refuted", "wrong"];
/// Bytes of a result in which a fact is looked for.
const BEGINNING: usize = 40_000;

/// Whether a sentence tells a plain fact that the result before it has, and nothing later in the turn denies it.
pub(super) fn is_found(said: &Said, turn: &Turn<'_>) -> bool {
    !said.closing && tells_fact(&said.sentence) && was_read(said, turn) && !is_denied(said, turn)
}

/// Whether a sentence has a number or a name, is about no one of the two who talk, and is no conclusion or state.
fn tells_fact(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let mut words = lower.split([' ', ',', '\'', '’']);
    let first = words.next().unwrap_or_default();
    let talks = TALKS.contains(&first) && !words.next().is_some_and(|second| ["found", "see"].contains(&second));
    let is_superlative = |word: &str| word.len() > 4 && word.ends_with(SUPERLATIVE) && !NOUNS.contains(&word);
    let mut bare = lower.split(|char: char| !char.is_alphanumeric());
    is_exact(sentence)
        && !talks
        && !ORDERS.contains(&first)
        && !has_any(&lower, &CONCLUDES)
        && !has_any(&lower, &RUNS)
        && !bare.any(is_superlative)
        && !is_underway(sentence)
}

/// Whether the newest call before a sentence worked and changed no file, and the results since the text before it have a
/// number or a name of the sentence.
fn was_read(said: &Said, turn: &Turn<'_>) -> bool {
    let calls = &turn.acts[..turn.acts.partition_point(|act| act.message < said.message)];
    let Some(newest) = calls.last().filter(|act| act.outcome.worked() && !act.changes_files()) else { return false };
    let texts = &turn.said[..turn.said.partition_point(|own| own.message < said.message)];
    let from = texts.last().map_or(0, |own| own.message).min(newest.message);
    let has = |act: &Act<'_>| {
        let result = first_bytes(act.result, BEGINNING);
        marks(&said.sentence).any(|mark| result.contains(mark))
    };
    calls.iter().rev().take_while(|act| act.message >= from).any(has)
}

/// Whether a later sentence of the turn has a number or a name of this one, and a word that denies.
fn is_denied(said: &Said, turn: &Turn<'_>) -> bool {
    let later = &turn.said[turn.said.partition_point(|own| own.message <= said.message)..];
    let denies = |sentence: &str| {
        let lower = sentence.to_lowercase();
        has_any(&lower, &DENIES) || lower.contains("n't ") || lower.contains("n’t ")
    };
    later.iter().any(|own| marks(&said.sentence).any(|mark| own.sentence.contains(mark)) && denies(&own.sentence))
}

/// The numbers of a text, and the names behind its first word.
fn marks(text: &str) -> impl Iterator<Item = &str> {
    let bare = text.split_whitespace().map(|word| word.trim_matches(|char: char| !char.is_alphanumeric()));
    let is_mark = |(at, word): &(usize, &str)| {
        let is_name = *at > 0 && word.len() > 1 && word.starts_with(char::is_uppercase);
        is_name || has_digit(word)
    };
    bare.enumerate().filter(is_mark).map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::{act, agent, user};
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    /// Whether what is said of a result is a finding, before another text and look-up.
    fn found(result: &'static str, said: &'static str, later: &'static str) -> bool {
        let look = |result| act("get_host", r#"{"name":"web"}"#, result, false);
        let first = [&[user("Why is the site down?")], &look(result)[..], &[agent(said)], &look("-")].concat();
        let last = [&[agent(later)], &look("-")[..], &[agent("The certificate of the gate has ended.")]].concat();
        let messages = [first, last].concat();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        let mut all = turns.iter().flat_map(|turn| turn.said.iter().map(move |own| (own, turn)));
        all.any(|(own, turn)| own.sentence == said && is_found(own, turn))
    }

    #[test]
    fn only_a_plain_fact_of_the_result_is_found_between_two_look_ups() {
        let plain = "The gate has two lamps.";
        let load = "Host web-1 has a load of 97 percent at night.";
        assert!(found(r#"{"load":97}"#, load, plain));
        assert!(found(r#"{"place":"Gullwick"}"#, "The host stands at Gullwick in the old quay.", plain));
        assert!(!found(r#"{"load":3}"#, load, plain), "the result has nothing of it");
        let denied = "The load of web-1 was that of a backup, and is not the trouble.";
        assert!(!found(r#"{"load":97}"#, load, denied));
        for said in [
            "Host web-1 has 97 percent load, so web-1 is the culprit.",
            "Flight F-11 for 97 euros is the cheapest.",
            "The review workflow is running in the background with 97 lenses.",
            "The queue still has 97 jobs before ours.",
            "Test the 97 lamps again once the deploy completes.",
            "I take the first 97 lamps of the pier.",
        ] {
            assert!(!found(r#"{"load":97}"#, said, plain), "{said}");
        }
    }
}
