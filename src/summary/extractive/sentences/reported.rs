//! Sentences of the user with a word of a ban that only report what happens: “the gate is never closed”.

use crate::summary::text::each_word;

/// Words that make a sentence with “never” or “always” an order, whatever its verb.
const ORDERS: [&str; 11] =
    ["must", "should", "shall", "don't", "dont", "not", "please", "ensure", "sure", "need", "needs"];
/// Verbs after which “never” and “always” only report (“the gate is never closed”), and endings of participles after
/// them.
const STATES: [&str; 13] =
    ["is", "are", "was", "were", "gets", "has", "have", "had", "i've", "we've", "you've", "they've", "it's"];
const PARTICIPLES: [&str; 11] = ["ed", "en", "wn", "ilt", "ept", "ent", "one", "ade", "old", "ound", "ing"];
/// Verbs of what was, the words of a state behind them (“that was never the point”; “is never an option” forbids), and
/// those whose past a verb tells (“it never stopped”).
const WAS: [&str; 2] = ["was", "were"];
const ARTICLES: [&str; 6] = ["the", "a", "an", "my", "our", "about"];
const PERSONS: [&str; 5] = ["he", "i", "it", "she", "they"];
/// Verbs of what happens to the user: “I always get a 500”.
const MEETS: [&str; 8] = ["get", "got", "hit", "see", "saw", "find", "found", "had"];
/// Verbs of what a program fails to do.
const SYMPTOMS: [&str; 27] = [
    "appear", "compile", "complete", "display", "end", "exist", "finish", "fit", "happen", "line", "load", "look",
    "match", "open", "pass", "refresh", "render", "respond", "resolve", "scroll", "seem", "show", "start", "stop",
    "sync", "update", "work",
];
/// Words before a negated verb that is an order: “please don't start”.
const ADDRESSED: [&str; 16] = [
    "and", "but", "must", "ok", "okay", "or", "please", "pls", "should", "so", "then", "to", "too", "we", "well", "you",
];
/// Words with which a sentence about a symptom orders something too.
const URGES: [&str; 9] = ["always", "ensure", "make", "must", "need", "please", "shall", "should", "sure"];
/// Adverbs between a subject and “don't”.
const BETWEEN: [&str; 4] = ["also", "just", "really", "still"];

/// Whether it reports what never or always happens and orders nothing: “the lamp never warns the ferries”.
pub(super) fn only_reports(lower: &str) -> bool {
    let words: Vec<&str> = each_word(lower).collect();
    let ends = |word: &str, endings: &[&str]| endings.iter().any(|end| word.ends_with(end));
    let told = |(at, word): (usize, &&str)| {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let verb = words.get(at + 1).copied().unwrap_or_default();
        let acts = verb.len() > 3 && verb.ends_with('s') && !ends(verb, &["ss", "us", "as", "is"]);
        let state = || before.is_some_and(|before| STATES.contains(before));
        let was = || ARTICLES.contains(&verb) && before.is_some_and(|before| WAS.contains(before));
        let suffers = state() && ends(verb, &PARTICIPLES) || was();
        let past = || before.is_some_and(|before| PERSONS.contains(before)) && verb.ends_with("ed");
        let meets = || before == Some(&"i") && MEETS.contains(&verb);
        ["never", "always"].contains(word) && (acts || suffers || past() || meets())
    };
    words.iter().enumerate().any(told) && !words.iter().any(|word| ORDERS.contains(word))
}

/// Whether it describes what does not work: “the images don't load on mobile”. The verb has a subject before it, and
/// nothing else orders.
pub(super) fn is_symptom(lower: &str) -> bool {
    let words: Vec<&str> = each_word(lower).collect();
    let negates = |at: usize| match words[at] {
        "don't" | "dont" | "doesn't" | "doesnt" | "never" => Some(at),
        "not" if at > 0 && ["do", "does"].contains(&words[at - 1]) => Some(at - 1),
        _ => None,
    };
    let is_subject = |word: &str| !ADDRESSED.contains(&word) && !BETWEEN.contains(&word);
    let fails = |at: usize| {
        let subject = negates(at).and_then(|begun| words.get(begun.checked_sub(1)?));
        subject.is_some_and(|word| is_subject(word)) && words.get(at + 1).is_some_and(|verb| SYMPTOMS.contains(verb))
    };
    let mut negated = (0..words.len()).filter(|&at| negates(at).is_some()).peekable();
    negated.peek().is_some() && negated.all(fails) && !words.iter().any(|word| URGES.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::rules::is_firm;
    use super::*;

    #[test]
    fn what_does_not_work_is_no_rule() {
        for symptom in [
            "the tide bar don't show the height of the water",
            "images don't load on mobile",
            "the tests never finish on my machine",
            "the gate does not open",
        ] {
            assert!(is_symptom(symptom) && !is_firm(symptom), "{symptom}");
        }
        for rule in [
            "don't open the gate",
            "please don't show the height",
            "you must make sure that the images don't load twice",
            "so don't start the ferry",
            "the keeper never opens the gate, so don't start it",
            "the logs never have secrets",
        ] {
            assert!(!is_symptom(rule), "{rule}");
        }
    }

    #[test]
    fn what_never_was_or_happened_is_no_rule() {
        for told in [
            "the pier was never the point",
            "it never stopped raining there",
            "I always get a 500 there.",
            "The crews were never a part of it.",
        ] {
            assert!(only_reports(&told.to_lowercase()) && !is_firm(told), "{told}");
        }
        for rule in ["It is never an option to delete data/raw.", "There is never a reason to touch the pier."] {
            assert!(!only_reports(&rule.to_lowercase()) && is_firm(rule), "{rule}");
        }
        assert!(is_firm("They never close it, so you must not open it."));
    }

    #[test]
    fn a_report_that_begins_like_a_ban_is_none() {
        assert!(!is_firm("No fixes applied.") && !is_firm("No lamps detected."));
        assert!(is_firm("No shortcuts allowed.") && is_firm("No new lamps."));
    }
}
