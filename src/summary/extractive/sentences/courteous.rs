//! Courtesies of the agent before what it has to say: apologies, thanks, agreements, and words that ask to note it.

use super::cues::{announces, is_question, lower, offers, without_filler};
use super::sieve::AnyOf;
use super::splitting::{Hand, split};
use crate::summary::extractive::words;
use crate::summary::extractive::words::{ADMITS, AGREES, NOTES};
use crate::summary::text::{behind, contains_any, first_bytes, has_any, has_digit, is_dense, starts_any, words};

static APOLOGIES: AnyOf = AnyOf::new(words::APOLOGIES);
static ADMITTED: AnyOf = AnyOf::new(ADMITS);

/// Maximum number of courtesies at the start of a text, and of bytes in which the first of its sentences is looked for.
const MOST: usize = 4;
const FAR: usize = 400;
/// Maximum number of words of a clause beside an apology, a greeting, and of its letters in scripts without spaces.
const GREETING: usize = 2;
const DENSE: usize = 3;
/// Maximum number of words of a sentence that only admits an error.
const ADMISSION: usize = 9;
/// Words behind which a fact stands in the clause of an apology.
const BUT: [&str; 9] = ["aber", "ale", "but", "ma", "maar", "mais", "mas", "pero", "но"];
const BUT_DENSE: [&str; 4] = ["が", "但", "지만", "可是"];
/// First words of what follows from a condition.
const FOLLOWS: [&str; 7] = ["it ", "that ", "the ", "there ", "they ", "you ", "your "];

/// Whether a lower-case sentence only apologizes: “Bonjour, je suis désolé pour ce désagrément.”
pub(super) fn apologizes(lower: &str) -> bool {
    let greets =
        |clause: &str| words(clause) <= GREETING && clause.chars().filter(|char| is_dense(*char)).count() <= DENSE;
    APOLOGIES.is_in(lower)
        && !goes_on(lower)
        && !lower.contains(|char: char| char.is_ascii_digit() || char == '`')
        && lower.split([',', ';', '，', '、']).all(|clause| APOLOGIES.is_in(clause) || greets(clause))
}

/// Whether a lower-case sentence goes on behind a courtesy: “I'm sorry, but …”
pub(super) fn goes_on(lower: &str) -> bool {
    has_any(lower, &BUT) || contains_any(lower, &BUT_DENSE)
}

/// Whether a sentence only admits that the agent was wrong: “Then I misunderstood you.”
pub(in crate::summary::extractive) fn admits(sentence: &str) -> bool {
    words(sentence) <= ADMISSION && ADMITTED.is_in(&lower(sentence)) && !sentence.contains([':', '：', ';'])
}

/// A text behind the courtesies at its start: “Sure! The total is 12 euros.” is the total.
pub(in crate::summary::extractive) fn without_courtesies(text: &str) -> &str {
    let mut rest = text.trim();
    for _ in 0..MOST {
        let line = first_bytes(rest.lines().next().unwrap_or_default(), FAR);
        // The first sentence may lack a sign before it.
        let mut first = None;
        let end = |sentence: &str| sentence.as_ptr() as usize - line.as_ptr() as usize + sentence.len();
        split(line, Hand::Careful, |sentence| first = first.or(Some(end(sentence))));
        let (sentence, behind) = rest.split_at(first.unwrap_or_default());
        if behind.trim().is_empty() || !is_courtesy(sentence) {
            break;
        }
        rest = behind.trim_start();
    }
    rest
}

/// Whether a sentence says nothing but a courtesy or what the agent does next.
fn is_courtesy(sentence: &str) -> bool {
    let lower = lower(sentence);
    let is_fact = sentence.contains(|char: char| char.is_ascii_digit() || "`:：".contains(char)) || is_question(&lower);
    let is_filler = || without_filler(&lower).is_empty() && !starts_any(&lower, &["yes", "done"]);
    !is_fact && (apologizes(&lower) || admits(sentence) || announces(sentence) || offers(sentence) || is_filler())
}

/// A sentence without an agreement at its start: “Okay, the total is 12 euros.”
pub(in crate::summary::extractive) fn without_agreement(sentence: &str) -> &str {
    let begun = |start: &&&str| sentence.get(..start.len()).is_some_and(|own| own.to_lowercase() == **start);
    AGREES.iter().find(begun).map_or(sentence, |start| sentence[start.len()..].trim_start())
}

/// Whether a sentence states with a figure what follows from what the user does: “If you cancel before 5 May, you get 300
/// euros back.”
pub(in crate::summary::extractive) fn states_condition(sentence: &str) -> bool {
    let lower = lower(sentence);
    let rest = lower.strip_prefix("if you ").and_then(|rest| rest.split_once(", "));
    let tells = |rest: &str| starts_any(rest, &FOLLOWS) && !rest.starts_with("you can ");
    has_digit(&lower) && rest.is_some_and(|(_, rest)| tells(rest))
}

/// A lower-case sentence without the words that ask to note it: “Please note that the pier is closed.”
pub(super) fn without_note(lower: &str) -> &str {
    NOTES.iter().find_map(|start| behind(lower, start)).unwrap_or(lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courtesies_stand_before_what_is_said() {
        let total = "The ferry costs 2,098.10 euros.";
        for before in [
            "Sure!",
            "Great question!",
            "Thanks for your patience!",
            "I'm sorry for the wait.",
            "I'm very sorry for the wait.",
            "I'd be happy to help!",
            "Let me check.",
            "Great! Let me check.",
            "Por supuesto.",
            "Конечно!",
            "물론입니다!",
            "大変失礼いたしました。",
            "Bonjour, je suis désolé pour ce désagrément.",
            "Lo siento mucho.",
        ] {
            assert_eq!(without_courtesies(&format!("{before} {total}")), total, "{before}");
        }
        for whole in ["Yes! The pier is free.", "The pier is closed. It opens at nine.", "Sure!", "Here it is: a lamp."]
        {
            assert_eq!(without_courtesies(whole), whole);
        }
        assert_eq!(without_agreement("Okay, the pier is free."), "the pier is free.");
    }

    #[test]
    fn an_apology_with_a_fact_is_told() {
        assert!(apologizes("lo siento mucho.") && apologizes("i'm very sorry for the delay of your ferry."));
        assert!(!apologizes("lo siento, el hotel del muelle está lleno."));
        assert!(!apologizes("the keeper of the pier feels sorry for the lamp."));
        for fact in [
            "lo siento mucho pero el hotel del muelle está completo.",
            "申し訳ありませんが満席です。",
            "抱歉，房间已满。",
        ] {
            assert!(!apologizes(fact), "{fact}");
        }
        assert!(apologizes("您好，抱歉。"));
        assert!(without_courtesies("*OK！航班已取消。*").contains("航班已取消"), "no place inside a letter");
    }
}
