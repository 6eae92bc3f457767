//! Orders that hold whenever something happens: “After each release, update the changelog.”, “Commit as you go.”, “If in
//! doubt, ask me.” What a program is to do each time is no such order: “After each click, update the counter.”

use super::cues::begins_any;
use crate::summary::extractive::words::{EACH_TIME, RECORDING, RECORDS, ROUTINES, WHENEVER};
use crate::summary::text::{each_word, has_any};

/// Words before the verb of an order.
const LEADS: [&str; 10] = ["also", "always", "and", "first", "have", "just", "please", "pls", "then", "to"];
/// The same where the order says who is to do it, and words behind them.
const ADDRESSES: [&str; 5] = ["you must", "you need", "you have", "you should", "you shall"];
/// Conditions of who offers something.
const OFFERS: [&str; 4] = ["you are ready", "you need", "you want", "you're ready"];
/// Words before a verb that make it no order: “every time you run the tests”.
const SUBJECTS: [&str; 16] =
    ["a", "an", "and", "he", "i", "it", "or", "she", "that", "the", "they", "this", "to", "we", "who", "you"];
/// Words behind a verb without a comma before it that make it an order: “… run the tests”.
const OBJECTS: [&str; 9] = ["a", "all", "an", "it", "me", "my", "our", "the", "them"];

/// Whether a lower-case sentence orders what the agent does whenever something happens.
pub(super) fn is_routine(text: &str) -> bool {
    (has_any(text, EACH_TIME) || has_any(text, WHENEVER))
        && !has_any(text, &OFFERS)
        && (text.split([',', ';', ':', '—', '–']).any(is_order) || orders_behind(text) || orders_inside(text))
}

/// Whether the order stands right behind its condition: “If in doubt ask me.”
fn orders_behind(text: &str) -> bool {
    EACH_TIME.iter().chain(WHENEVER).filter_map(|start| text.strip_prefix(start)).any(is_order)
}

/// Whether a clause begins with a verb of a routine.
fn is_order(clause: &str) -> bool {
    let clause = clause.trim_start();
    let said = ADDRESSES.iter().find_map(|start| clause.strip_prefix(start)).unwrap_or(clause);
    let mut words = each_word(said).skip_while(|word| LEADS.contains(word));
    words.next().is_some_and(|verb| ROUTINES.contains(&verb) || RECORDING.contains(&verb) && keeps_records(clause))
}

/// Whether a clause names what an agent keeps up to date.
fn keeps_records(clause: &str) -> bool {
    clause.contains(".md") || each_word(clause).any(|word| RECORDS.contains(&word))
}

/// Whether the order follows its condition without a comma: “every time you change the code run the tests”.
fn orders_inside(text: &str) -> bool {
    let words: Vec<&str> = each_word(text).collect();
    let is_verb = |word: &str| ROUTINES.contains(&word) || RECORDING.contains(&word) && keeps_records(text);
    let orders = |own: &[&str]| !SUBJECTS.contains(&own[0]) && is_verb(own[1]) && OBJECTS.contains(&own[2]);
    (begins_any(text, EACH_TIME) || begins_any(text, WHENEVER))
        && text.contains(" you ")
        && words.windows(3).any(orders)
}

#[cfg(test)]
mod tests {
    use super::super::rules::is_rule;

    #[test]
    fn what_is_to_be_done_again_and_again_is_a_rule() {
        for rule in [
            "After each lamp is added, update the changelog and the notes files, and commit changes as you go.",
            "Whenever you are unsure about the oil, ask me.",
            "every time you change the code run the tests of the quay",
            "Commit as you go.",
            "If in doubt, stop and ask.",
            "If you have questions, ask them one at a time.",
            "Before any future refactoring, show me the plan.",
            "After every step you should run the linter.",
            "Quando houver mais de uma solução, apresente as opções antes de decidir.",
            "Im Zweifel frag mich bitte zuerst.",
            "После каждой правки, пожалуйста, запускай тесты.",
        ] {
            assert!(is_rule(rule), "{rule}");
        }
    }

    #[test]
    fn where_something_never_goes_and_what_holds_from_now_on_are_rules() {
        for rule in [
            "Material from the old pier never goes in the repo.",
            "A partir deste momento, considere os arquivos de `/docs` como fonte oficial do projeto.",
        ] {
            assert!(is_rule(rule), "{rule}");
        }
    }

    #[test]
    fn what_happens_each_time_or_is_to_be_built_is_none() {
        for other in [
            "Every time I run the tests they fail.",
            "After each click, update the counter of the lamp.",
            "Whenever the tide is high the lamp goes out.",
            "every time you load it, it does not remember the oil",
            "Did you run the tests after each change?",
            "The tests fail after each build.",
            "Tell me whenever you want another map of the pier.",
            "Ask me anytime you are ready for the next pier.",
        ] {
            assert!(!is_rule(other), "{other}");
        }
    }
}
