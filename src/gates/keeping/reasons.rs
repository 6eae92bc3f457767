//! Reasons behind a rule: a summary may tell a rule without its reason, but not without a part of the rule.

use super::clauses;
use super::forbidding::{FORBIDS_ANY, STAYS};
use crate::measure::pattern;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// What parts a rule from a clause behind it: a sign (1), a word that gives a reason behind a sign (2) or alone (3).
static PARTS: LazyLock<Regex> = LazyLock::new(|| {
    let word = r"because|since|as|so that|so";
    pattern(&format!(r"(?i)([,;:] | [—–-]+ | ?\()(?:({word}) )?|,? ({word}) "))
});
/// Words with which a reason begins that is given without such a word.
static BEGINS: LazyLock<Regex> = LazyLock::new(|| {
    let who = "it|its|they|this|that['’]s|that is|these|those|we|i|he|she|another|others?|the|our|my|somebody|someone|there|nobody|everyone";
    pattern(&format!(r"(?i)^(?:{who})\b"))
});
/// Verbs that show a clause to be a sentence of its own.
static VERB: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(?:is|are|was|were|has|have|had|owns?|owned|depends?|needs?|belongs?|breaks?|broke|would|will|might|may|can",
        r"|could|does|do|did|handles?|maintains?|relies|rely|manages?|runs?|reads?|relied|wants?)\b|['’]s\b"
    ))
});
/// “As it is”, “as they were”: a manner.
static AS_IT_IS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)^(?:it|they|he|she|this|that|these|those) (?:is|are|was|were)\b\s*(?:[^\s\w]|$)"));
/// What makes a clause a part of the rule, or another rule: a demand, one more object.
static DEMANDS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:must|should|shall)\b|[/_`]| and |,? (?:or|nor) |\)[^\w]*\w|[—–] "));
/// Words before the subject of a clause.
const BEFORE_SUBJECT: [&str; 15] =
    ["a", "an", "another", "each", "every", "her", "his", "its", "my", "other", "our", "some", "that", "the", "their"];
/// Subjects with the verb of one, and of many.
const ONE: [&str; 9] = ["everybody", "everyone", "he", "it", "nobody", "she", "somebody", "someone", "this"];
const MANY: [&str; 5] = ["i", "others", "people", "they", "we"];
/// Adverbs between a subject and its verb.
const BETWEEN: [&str; 8] = ["already", "also", "always", "often", "sometimes", "still", "usually", "just"];
/// Words for what the rule is about, or that begin another object.
const OBJECTS: [&str; 8] = ["a", "an", "each", "every", "it", "that", "them", "this"];
/// Words between a verb and such an object.
const TOWARDS: [&str; 9] = ["about", "after", "at", "by", "for", "from", "on", "to", "with"];

/// A rule without the clause that gives its reason.
pub(super) fn without_reason(order: &str) -> &str {
    let cut = PARTS.captures_iter(order).find(|found| found.get(0).is_some_and(|parts| gives(order, found, parts)));
    cut.and_then(|found| found.get(0)).map_or(order, |parts| &order[..parts.start()])
}

/// Whether what stands behind a sign or word is a reason, and nothing else.
fn gives(order: &str, found: &Captures<'_>, parts: regex::Match<'_>) -> bool {
    let (rule, clause) = (&order[..parts.start()], &order[parts.end()..]);
    let bans = || FORBIDS_ANY.is_match(rule) || STAYS.is_match(rule);
    let word = found.get(2).or(found.get(3)).map(|word| word.as_str().to_lowercase());
    let begins = || BEGINS.is_match(clause) && VERB.is_match(clause);
    let given = match word.as_deref() {
        Some("because" | "since") => true,
        Some("as") if AS_IT_IS.is_match(clause) => false,
        Some("as") if found.get(1).is_some() => begins() || is_sentence(clause),
        // Without a sign it may say how.
        Some("as") => bans() && is_sentence(clause),
        Some(_) => bans() && (begins() || is_sentence(clause)),
        // A number may be a limit.
        None => (begins() || is_sentence(clause)) && !clause.contains(|sign: char| sign.is_ascii_digit()),
    };
    let whole = &order[parts.start()..];
    // A clause that names something may be one more object of the constraint.
    given && !DEMANDS.is_match(clause) && !FORBIDS_ANY.is_match(clause) && !clauses::has_another(whole)
}

/// Whether a clause has a subject and its verb, and tells of what stands before it: “the pilot edits it by hand”.
fn is_sentence(clause: &str) -> bool {
    let bare = clause.split_whitespace().map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric()));
    let words: Vec<&str> = bare.filter(|word| !word.is_empty() && !has(&BETWEEN, word)).collect();
    let limited = words.first().is_some_and(|word| has(&BEFORE_SUBJECT, word));
    let first = 1 + usize::from(limited);
    (first..words.len().min(first + 4)).any(|at| {
        let (noun, verb, rest) = (words[at - 1], words[at], &words[at + 1..]);
        let (one, many) = (has(&ONE, noun), has(&MANY, noun) || is_many(noun));
        // “CI deploys from it”
        let name = noun.len() > 1 && noun.chars().all(char::is_uppercase);
        let agrees = if many { !is_many(verb) } else { is_many(verb) };
        let about = |object: Option<&&str>| object.is_some_and(|object| has(&OBJECTS, object));
        // “The test tables for it” are no sentence.
        let towards = rest.first().is_some_and(|word| has(&TOWARDS, word)) && (many || !limited);
        verb.len() > 2
            && !has(&TOWARDS, verb)
            && (limited || at == 1 && (one || many || name))
            && (agrees || verb.ends_with("ed"))
            && (about(rest.first()) || towards && about(rest.get(1)))
    })
}

/// Whether a word has the ending of a noun of many, or of a verb of one.
fn is_many(word: &str) -> bool {
    word.len() > 2 && word.ends_with('s') && !word.ends_with("ss")
}

fn has(words: &[&str], word: &str) -> bool {
    words.iter().any(|one| one.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::without_reason;

    #[test]
    fn a_rule_is_told_without_its_reason() {
        let rule = "Don't touch the berth list";
        for reason in [
            ": the pilot edits it by hand.",
            ", the pilot edits it by hand.",
            " - the pilot edits it by hand.",
            " – the harbour office always edits it by hand.",
            "; the pilots edit it by hand.",
            " (the pilot edits it by hand).",
            ", as the pilot edits it by hand.",
            " as the pilot edits it by hand.",
            " because the pilot edits it 3 times a day.",
            ", since the pilot edits it by hand.",
            " so that the pilot can edit it by hand.",
            ": HQ prints from it.",
            ", the volunteers look for it.",
            ", people rely on it.",
        ] {
            assert_eq!(without_reason(&format!("{rule}{reason}")), rule, "{reason}");
        }
        let kept = "Keep the berth list as it is, the harbour office edits it by hand.";
        assert_eq!(without_reason(kept), "Keep the berth list as it is");
    }

    #[test]
    fn a_part_of_a_rule_is_no_reason() {
        for rule in [
            "Don't touch the berth list, the tide tables there.",
            "Don't touch the berth list, the test tables for it.",
            "Don't touch the berth list, the old copies of it or the lamp list.",
            "Don't touch the berth list, never rename it.",
            "Don't touch the berth list: ask me about it first.",
            "Don't touch the berth list; rename it.",
            "Don't read the berth list directly, you read it through the office.",
            "Don't touch the berth list (the pilot edits it) or the lamp list.",
            "Don't touch the berth list: the pilot edits it, use the copy.",
            "Don't touch the berth list, it must stay sorted.",
            "Keep the lists short: they have 40 lines.",
            "Keep the berth list as it is.",
            "Write the berth list as the pilot does.",
            "Name the branch so that the ticket is in it.",
            "Use the berth list, as a rule.",
        ] {
            assert_eq!(without_reason(rule), rule);
        }
    }
}
