//! Words by which a user takes back a request, puts it right, or has what came of it undone.

use crate::summary::text::{contains_any, each_word, first_bytes, starts_any, words};
use foldhash::HashMap;

/// Maximum number of words that a request has more than the one that it puts right, and of those that it lacks; minimum
/// number of words that both have, for each such word.
const OTHERS: usize = 2;
const SHARED: usize = 3;
/// Words that make a request one more: “also the lamp”.
const ADDS: [&str; 6] = ["also", "too", "auch", "aussi", "también", "anche"];

/// Phrases by which a user retracts the last message, and the number of bytes of the next message searched for them.
const RETRACTIONS: [&str; 4] =
    ["ignore my last message", "ignore last message", "ignore the last message", "ignore my previous message"];
const TAKEN_BACK: usize = 80;
/// Maximum number of words of a clause that takes back.
const FEW: usize = 5;
/// Places to which a message may have gone by mistake (“sorry, wrong chat”): one that is only that, others, and the words
/// around one.
const CHAT: &str = "chat";
const PLACES: [&str; 4] = [CHAT, "window", "session", "thread"];
const AROUND: [&str; 9] = ["sorry", "oops", "wrong", "this", "that", "was", "the", "in", "it"];
/// Phrases by which a user has what came of the last message undone.
const UNDOES: [&str; 9] = [
    "undo that",
    "undo this",
    "undo it",
    "revert that",
    "revert this",
    "revert it",
    "roll that back",
    "roll this back",
    "roll it back",
];
/// Words before such a phrase.
const BEFORE: [&str; 41] = [
    "actually", "ah", "and", "but", "can", "could", "go", "hm", "hmm", "i", "i'd", "just", "let", "let's", "lets",
    "like", "need", "no", "nope", "now", "oh", "ok", "okay", "oops", "please", "should", "so", "sorry", "then", "to",
    "uh", "us", "wait", "want", "we", "well", "will", "would", "yeah", "yes", "you",
];
/// Beginnings of clauses that also only take back.
const ALSO: [&str; 7] =
    ["ignore", "please ignore", "disregard", "please disregard", "never mind", "nevermind", "back to"];
/// Words behind “to” that tell how it was.
const AS_BEFORE: [&str; 6] = ["before", "how", "its", "original", "previous", "what"];
/// Words right behind it; another one says that something else is undone: “undo that button”.
const BEHIND: [&str; 25] = [
    "again",
    "all",
    "and",
    "as",
    "back",
    "because",
    "before",
    "but",
    "change",
    "commit",
    "completely",
    "edit",
    "entirely",
    "i",
    "immediately",
    "it",
    "now",
    "please",
    "since",
    "thanks",
    "then",
    "too",
    "until",
    "we",
    "when",
];
/// Words behind it with which the word after them counts, if there is one.
const BETWEEN: [&str; 5] = ["first", "for", "last", "next", "one"];

/// Whether a request is another one, which was stopped, with but a word or two changed.
pub(super) fn is_corrected([stopped, next]: [String; 2]) -> bool {
    let [stopped, next] = [stopped, next].map(|text| text.to_lowercase());
    let mut left: HashMap<&str, usize> = HashMap::default();
    each_word(&stopped).for_each(|word| *left.entry(word).or_default() += 1);
    let is_new = |word: &&str| match left.get_mut(*word) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    let new: Vec<&str> = each_word(&next).filter(is_new).collect();
    let missing: usize = left.values().sum();
    let shared = each_word(&next).count() - new.len();
    let most = new.len().max(missing);
    (1..=OTHERS).contains(&most) && shared >= SHARED * most && !new.iter().any(|word| ADDS.contains(word))
}

/// Whether the start of a message retracts the message before it.
pub(super) fn takes_back(start: &str) -> bool {
    let start = first_bytes(start, TAKEN_BACK).to_lowercase();
    let mut clauses = start.split(['.', '!', ',', ';']).filter(|clause| words(clause) > 0);
    let says = |clause: &str| contains_any(clause, &RETRACTIONS) || is_mistaken(clause, &[CHAT]);
    clauses.clone().any(|clause| words(clause) <= FEW && says(clause))
        || clauses.clone().any(|clause| is_mistaken(clause, &PLACES)) && clauses.all(only_takes_back)
}

/// Whether a clause only says that a message went to the wrong one of these places.
fn is_mistaken(clause: &str, places: &[&str]) -> bool {
    let has = |wanted: &dyn Fn(&str) -> bool| each_word(clause).any(wanted);
    has(&|word| places.contains(&word)) && has(&|word| word == "wrong") && is_around(clause)
}

/// Whether a clause says nothing but that a message is to be forgotten.
fn only_takes_back(clause: &str) -> bool {
    is_around(clause) || starts_any(clause.trim_start(), &ALSO)
}

/// Whether a clause says nothing but that a message went to the wrong place.
fn is_around(clause: &str) -> bool {
    each_word(clause).all(|word| PLACES.contains(&word) || AROUND.contains(&word))
}

/// Whether a sentence has what came of the message before it undone.
pub(super) fn undoes(sentence: &str) -> bool {
    let lower = first_bytes(sentence, TAKEN_BACK).to_lowercase();
    let found = UNDOES.iter().find_map(|phrase| lower.split_once(phrase));
    let Some((before, behind)) = found.filter(|(before, _)| !before.ends_with(char::is_alphanumeric)) else {
        return false;
    };
    let leads: Vec<&str> = each_word(before).collect();
    let mut words = each_word(behind);
    let next = words.next().filter(|_| behind.starts_with(' '));
    let after = words.next();
    let as_before = next == Some("to") && after.is_some_and(|word| AS_BEFORE.contains(&word));
    let between = next.is_some_and(|it| BETWEEN.contains(&it)) && after.is_none_or(|word| BEHIND.contains(&word));
    let apart = !behind.starts_with(char::is_alphanumeric)
        && (next.is_none_or(|it| BEHIND.contains(&it)) || as_before || between);
    // “Can I undo that?” wants to know something.
    let asks = ["can", "could", "should", "would"]
        .iter()
        .any(|verb| leads.windows(2).any(|two| two[0] == *verb && ["i", "we"].contains(&two[1])));
    let wanted = !sentence.ends_with('?') || leads.iter().any(|word| ["you", "please"].contains(word));
    // “I will undo that” is no request.
    let own = leads.contains(&"i") && !leads.iter().any(|word| ["like", "need", "want"].contains(word));
    leads.iter().all(|word| BEFORE.contains(word)) && apart && !asks && wanted && !own
}

#[cfg(test)]
mod tests {
    use super::{is_corrected, takes_back, undoes};

    #[test]
    fn a_stopped_request_is_put_right_by_one_of_nearly_the_same_words() {
        let stopped = "Have a look at lamp PIER-108, we will mend that here";
        let is_it = |next: &str| is_corrected([stopped, next].map(str::to_owned));
        assert!(is_it("have a look at lamp QUAY-108, we will mend that here"));
        assert!(is_it("have a look at the lamp PIER-180, we will mend that here."));
        for other in [
            stopped,
            "have a look at lamp QUAY-108 too, we will mend that here",
            "also have a look at lamp PIER-109, we will mend that here",
            "Mend the lamp PIER-108.",
            "Have a look at the ferry, we will paint that there",
            "",
        ] {
            assert!(!is_it(other), "{other}");
        }
        assert!(!is_corrected(["go on", "go up"].map(str::to_owned)));
    }

    #[test]
    fn a_message_to_the_wrong_chat_is_taken_back() {
        for start in [
            "Sorry, wrong chat.",
            "oops wrong window",
            "Wrong chat! Go on with the pier.",
            "That was the wrong thread, sorry",
            "Sorry, wrong window. Please ignore that.",
            "Oops, wrong session! Back to the lamp of the pier.",
        ] {
            assert!(takes_back(start), "{start}");
        }
        for start in [
            "That was the wrong window, open the settings window instead.",
            "Wrong thread. The panel must be painted on the main thread.",
            "The chat has the wrong colour.",
            "sorry",
        ] {
            assert!(!takes_back(start), "{start}");
        }
    }

    #[test]
    fn what_came_of_a_message_is_undone_in_many_words() {
        for sentence in [
            "Oops, undo that.",
            "Nope, revert that please.",
            "Let's undo that.",
            "I want you to undo that.",
            "wait undo that",
            "Hmm, well, undo that",
            "roll that back please",
            "Can you undo that?",
            "Undo that, it was the fog.",
            "yeah you can undo that, it was the fog",
            "Revert it back.",
            "Undo that last change please.",
            "Revert that for now.",
            "undo this one",
            "Please revert that to how it was before.",
        ] {
            assert!(undoes(sentence), "{sentence}");
        }
        for sentence in [
            "Undo that button of the toolbar is grey.",
            "Revert it to the blue colour in lamp.css only.",
            "revert this line in quay.py, keep the rest",
            "Can I undo that?",
            "How do I undo that?",
            "I will undo that now.",
            "Undo that one button on the left.",
            "Revert that last paragraph.",
            "Undo that for the blue button only.",
            "Never undo that.",
            "You didn't undo it.",
            "Undo this?",
            "undo items of the menu",
        ] {
            assert!(!undoes(sentence), "{sentence}");
        }
        let long = format!("Undo that, {}?", "or is it the lamp of the outer pier that makes the fog ".repeat(2));
        assert!(!undoes(&long));
    }
}
