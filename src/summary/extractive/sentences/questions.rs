//! Questions of the user, with or without a question mark, and those that ask the agent to do something.

use super::cues::{begins, begins_any, is_question, lower};
use super::rules::only_nods;
use crate::summary::extractive::words::{ASKS, ASKS_BRIEFLY, JOINTS, NODS, QUESTIONS, RULES_ANYWAY, SUBJECTS, VERBS};
use crate::summary::text::{QUESTION_MARKS, contains_any, each_word, is_dense, words};

/// Maximum number of words of a question that is no full sentence.
const FEW: usize = 3;
/// Questions that only ask for a nod.
const TAGS: [&str; 12] = [
    ", alright?",
    ", do you understand?",
    ", got it?",
    ", is that clear?",
    ", ok?",
    ", okay?",
    ", please?",
    ", right?",
    ", shouldn't you?",
    ", understand?",
    ", understood?",
    ", yes?",
];
/// Words between “should” and “be” where the subject is omitted.
const ADVERBS: [&str; 8] = ["also", "always", "just", "never", "not", "only", "really", "still"];

/// Verbs without an ending behind the subject of such a question, words behind these, and verbs that take another one:
/// “should help open the gate”.
const BARE: [&str; 22] = [
    "accept", "add", "allow", "call", "create", "delete", "fail", "handle", "have", "include", "keep", "open", "print",
    "read", "remove", "return", "send", "show", "store", "support", "use", "write",
];
const OBJECTS: [&str; 8] = ["a", "all", "an", "any", "its", "that", "the", "this"];
const NO_SUBJECTS: [&str; 16] = [
    "also", "always", "and", "at", "be", "both", "first", "go", "help", "instead", "just", "let", "never", "not",
    "still", "then",
];

/// A sentence without the question at its end that only asks for a nod: “…, ok?”
pub(super) fn without_tag(lower: &str) -> &str {
    TAGS.iter().find_map(|tag| lower.strip_suffix(tag)).unwrap_or(lower)
}

/// Whether it is a question, with or without a question mark.
pub(super) fn is_asked(lower: &str) -> bool {
    let text = without_joint(lower);
    let starts = || begins_any(text, QUESTIONS) || is_inverted(text);
    is_question(lower) || starts() || contains_any(text, &ASKS) && !contains_any(text, &RULES_ANYWAY)
}

/// A sentence without the words that join it to the one before: “so should we …”.
pub(super) fn without_joint(lower: &str) -> &str {
    let joint = |text: &str| JOINTS.iter().find_map(|joint| Some(text.strip_prefix(joint)?.len()));
    let mut text = lower;
    while let Some(left) = joint(text) {
        text = text[text.len() - left..].trim_start();
    }
    text
}

/// Whether the verb precedes the subject, as in “should the table be a list”, but not in “should be a list”.
pub(super) fn is_inverted(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let (first, second, third) = (words.next(), words.next(), words.next());
    let is = |word: Option<&str>, list: &[&str]| word.is_some_and(|word| list.contains(&word));
    let of_subject = is(first, VERBS) && is(second, SUBJECTS);
    let of_name = is(first, &["should", "shouldn't"]) && third == Some("be") && !is(second, &ADVERBS);
    // A condition: “Should the gate be open, never close it.”
    (of_subject || of_name || is_of_named(text)) && !text.contains(", ")
}

/// Whether a name of one or two words, none of which is a verb here, stands between “should” and a verb with its
/// object: “should ferryd send the list”. The rule “should send the list” has no name there.
fn is_of_named(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(5).collect();
    let names = |word: &&str| {
        let is_verb = BARE.contains(word) || VERBS.contains(word) || NO_SUBJECTS.contains(word);
        !is_verb
            && !ADVERBS.contains(word)
            && !word.ends_with("ly")
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let asks = |at: usize| {
        let acts = words.get(at).is_some_and(|verb| BARE.contains(verb));
        acts && words.get(at + 1).is_some_and(|object| OBJECTS.contains(object)) && words[1..at].iter().all(names)
    };
    matches!(words.first(), Some(&("should" | "shouldn't"))) && (asks(2) || asks(3))
}

/// Whether it asks the agent to do something.
pub(super) fn is_polite(lower: &str) -> bool {
    contains_any(
        lower,
        &["can you", "could you", "would you", "will you", "please", "can we stick", "can we agree", "can we keep"],
    )
}

/// Whether a question of a few words asks for a fact: “How much?”, not “Really?”
pub(in crate::summary::extractive) fn asks_briefly(text: &str) -> bool {
    let lower = lower(text.trim());
    let Some(asked) = lower.strip_suffix(QUESTION_MARKS) else { return false };
    let asked = asked.trim_start_matches(['¿', ' ']);
    let has = |word: &&&str| begins(asked, word) || word.starts_with(is_dense) && asked.contains(**word);
    (1..=FEW).contains(&words(asked)) && (ASKS_BRIEFLY.iter().any(|word| has(&word)) || names_a_thing(asked))
}

/// Whether a lower-case question of a word or two names what it asks about: “refund?”, “et l'île ?”
fn names_a_thing(asked: &str) -> bool {
    let names = |word: &str| word.chars().count() >= THING && !ECHOES.contains(&word) && !NODS.contains(&word);
    words(asked) <= FEW && !only_nods(asked) && each_word(asked).any(|word| word.split('\'').any(names))
}

/// Fewest letters of a word that names a thing, and words of a question that only echoes or urges.
const THING: usize = 4;
const ECHOES: [&str; 40] = [
    "again",
    "anyone",
    "anything",
    "clear",
    "correct",
    "davvero",
    "done",
    "echt",
    "else",
    "everything",
    "fine",
    "finished",
    "going",
    "hello",
    "more",
    "next",
    "nothing",
    "okay",
    "oder",
    "progress",
    "ready",
    "really",
    "right",
    "sense",
    "seriously",
    "some",
    "still",
    "stimmt",
    "sure",
    "that",
    "there",
    "this",
    "true",
    "updates",
    "verdad",
    "vraiment",
    "well",
    "what",
    "wirklich",
    "правда",
];

/// Words behind “how” that ask for a number, and other beginnings of a question for one.
const MEASURES: [&str; 18] = [
    "big", "cold", "deep", "far", "fast", "heavy", "high", "hot", "large", "late", "long", "many", "much", "often",
    "old", "soon", "tall", "wide",
];
/// Those before what is counted, and other words than `INVERTED` behind the rest.
const COUNTS: [&str; 2] = ["many", "much"];
const BEHIND_MEASURES: [&str; 20] = [
    "a", "ago", "an", "away", "has", "have", "he", "his", "i", "it", "its", "must", "my", "our", "she", "the", "they",
    "we", "you", "your",
];
const WHEN: [&str; 7] =
    ["at what time", "at which time", "on which day", "what day", "what price", "what time", "when"];
/// Words behind “when” that ask.
const INVERTED: [&str; 12] =
    ["are", "can", "could", "did", "do", "does", "is", "should", "was", "were", "will", "would"];

/// Whether a sentence asks for a number, with or without a mark: “how high is it”.
pub(in crate::summary::extractive) fn asks_for_number(sentence: &str) -> bool {
    let lower = lower(sentence);
    let first = |text: &'_ str, list: &[&str]| each_word(text).next().is_some_and(|word| list.contains(&word));
    // “Explain how long polling works” asks for none.
    let goes_on = |rest: &str| {
        let mut all = each_word(rest);
        let counts = all.next().is_some_and(|measure| COUNTS.contains(&measure));
        let next = all.next();
        counts || next.is_none_or(|next| INVERTED.contains(&next) || BEHIND_MEASURES.contains(&next))
    };
    let of_how = || {
        let asked = lower.split_once("how ").filter(|(before, _)| words(before) <= FEW);
        asked.is_some_and(|(_, rest)| first(rest, &MEASURES) && goes_on(rest))
    };
    let of_when = |start: &str| lower.strip_prefix(start).is_some_and(|rest| first(rest, &INVERTED));
    of_how() || WHEN.iter().any(|start| of_when(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_for_a_number_needs_no_mark() {
        for asked in [
            "how high is the pier",
            "So how long does the ferry take?",
            "When does it leave?",
            "what time is it",
            "how long it takes",
            "how far",
            "How many lamps burn?",
        ] {
            assert!(asks_for_number(asked), "{asked}");
        }
        for other in [
            "Show me how it works.",
            "When it rains, stay.",
            "how do we light the long pier?",
            "Explain how long polling works.",
            "Document how large lamps are lit.",
        ] {
            assert!(!asks_for_number(other), "{other}");
        }
    }

    #[test]
    fn few_words_may_ask_for_a_fact() {
        for asked in [
            "How much?",
            "When?",
            "Why?",
            "¿Cuándo?",
            "Wie teuer?",
            "얼마예요?",
            "언제 와요?",
            "一共多少钱?",
            "为什么？",
        ] {
            assert!(asks_briefly(asked), "{asked}");
        }
        for other in ["Really?", "ok?", "How much", "Continue?", "How much oil is in the lamp of the pier?"] {
            assert!(!asks_briefly(other), "{other}");
        }
    }

    #[test]
    fn a_question_without_a_mark_may_have_a_name_as_subject() {
        for asked in ["also should ferryd send the list.", "should ferryd prepare send the list of the quays."] {
            assert!(is_asked(asked), "{asked}");
        }
        for rule in [
            "should send the list.",
            "should always send the list.",
            "should probably send the list.",
            "should help send the list.",
            "should render and send the list.",
            "should work without a lamp.",
            "should the gate be open, never close it.",
        ] {
            assert!(!is_asked(rule), "{rule}");
        }
    }
}
