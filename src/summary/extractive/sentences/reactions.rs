//! Reactions to a piece of work that was just done: “no, the block should stay as is”, “should be dimmer”, “ok, make it a
//! bit less red”. The next step answers them, so they are no rules later, unless they forbid something or say that they
//! last.

use super::cues::{begins, begins_any, begins_done};
use crate::summary::text::{each_word, ends_any, has_any, has_words};

/// Words with which a user reacts.
const OPENERS: [&str; 29] = [
    "ah", "alright", "argh", "cool", "great", "hm", "hmm", "hmmm", "huh", "nah", "nice", "no", "nope", "oh", "ok",
    "okay", "perfect", "wait", "well", "yeah", "yep", "yes", "gut", "genau", "oui", "non", "bien", "vale", "perfecto",
];
/// Words behind them with which a sentence is about what is in front of the user.
const AT_HAND: [&str; 24] = [
    "it", "it's", "let", "now", "still", "that", "that's", "the", "these", "this", "those", "das", "der", "die", "es",
    "ce", "cette", "la", "le", "les", "el", "esto", "este", "esta",
];
/// Words behind “the” in which what is shown is named.
const NEAR: usize = 3;
/// Words that compare it with what it was.
const COMPARES: [&str; 18] = [
    "a bit", "a little", "as is", "as it is", "bigger", "brighter", "darker", "dimmer", "larger", "less", "lighter",
    "shorter", "smaller", "stay", "too", "was", "were", "wider",
];
/// Beginnings of a sentence without its subject, which was just talked about.
const SUBJECTLESS: [&str; 12] = [
    "needs to be",
    "should also be",
    "should be",
    "should have been",
    "should just be",
    "should look",
    "should say",
    "should still be",
    "sollte",
    "devrait",
    "debería",
    "должно быть",
];
/// Words for what a user points at on a screen or page.
const SHOWN: [&str; 32] = [
    "banner", "button", "card", "chart", "color", "colour", "dialog", "error", "field", "footer", "form", "header",
    "heading", "icon", "image", "label", "line", "link", "list", "menu", "message", "modal", "one", "page", "popup",
    "row", "screen", "section", "sidebar", "tab", "table", "text",
];
/// Phrases of what the user should be able to do in the product.
const MY_DUE: [&str; 8] = [
    "i should also be able to",
    "i should also have",
    "i should also see",
    "i should be able to",
    "i should have the",
    "i should have a",
    "i should see",
    "i should still see",
];
/// Phrases that choose among what was just offered, and what they may name.
const CHOOSES: [&str; 5] = ["i choose", "i'll choose", "i'll take", "i pick", "let's take"];
const OFFERED: [&str; 5] = ["option", "number", "variant", "choice", "proposal"];
/// Ends of a sentence that says what only is left to do.
const LEFT: [&str; 4] = [" is left", " are left", " remains", " remain"];
/// Beginnings of a guess.
const SUPPOSES: [&str; 5] = ["i guess", "i suppose", "i assume", "ich nehme an", "supongo que"];
/// What the user does now, and phrases of the next step of the work.
const TRIES: [&str; 5] = ["let me check", "let me look", "let me see", "let me test", "let me try"];
const STEPS: [&str; 4] = ["we need a", "we need an", "we need to", "we also need to"];
/// Words of somebody who looks at it.
const THINKS: &str = "i think";
/// Words that make such a sentence last.
const LASTS: [&str; 27] = [
    "all",
    "always",
    "any",
    "anywhere",
    "before you",
    "convention",
    "conventions",
    "each",
    "every",
    "everywhere",
    "from now on",
    "in future",
    "in the future",
    "instead of",
    "keep",
    "nobody",
    "only",
    "whenever",
    "without",
    "alle",
    "immer",
    "jede",
    "toujours",
    "tous",
    "todos",
    "siempre",
    "всегда",
];

/// Whether a lower-case sentence that forbids nothing only reacts to a piece of work; a `weak` one is hardly more than a
/// request.
pub(super) fn is_reaction(lower: &str, weak: bool) -> bool {
    let rests = || weak && begins(lower, "only") && ends_any(lower.trim_end_matches('.'), &LEFT);
    // “Created the lamp with all the oil that it requires.” is a report.
    if chooses_offered(lower) || weak && begins_done(lower) || rests() {
        return true;
    }
    if is_opened(lower) && weak && has_words(lower, THINKS) {
        return true;
    }
    if has_any(lower, &LASTS) {
        return false;
    }
    if is_opened(lower) && (has_any(lower, &STEPS) && weak || has_any(lower, &TRIES)) {
        return true;
    }
    // “ok, we should keep the charts in one folder”
    if has_words(lower, "we") {
        return false;
    }
    let due = || has_any(lower, &MY_DUE);
    let guesses = || weak && begins_any(lower, &SUPPOSES);
    let subjectless = || begins_any(lower, &SUBJECTLESS);
    subjectless() || due() || guesses() || points(lower) || is_opened(lower) && is_at_hand(lower)
}

/// “I choose option B”
fn chooses_offered(lower: &str) -> bool {
    let behind = CHOOSES.iter().find_map(|words| lower.split_once(words)).map(|(_, behind)| behind);
    behind.is_some_and(|behind| each_word(behind).take(2).any(|word| OFFERED.contains(&word)))
}

/// “this page should …”
fn points(lower: &str) -> bool {
    let mut words = each_word(lower);
    let first = words.next().unwrap_or_default();
    ["this", "that"].contains(&first) && words.next().is_some_and(|word| SHOWN.contains(&word))
}

/// Whether it begins with a word of a reaction.
fn is_opened(lower: &str) -> bool {
    each_word(lower).next().is_some_and(|first| OPENERS.contains(&first))
}

/// Whether what follows such a word is about what is in front of the user: it is named by a word for that, or compared.
fn is_at_hand(lower: &str) -> bool {
    let mut words = each_word(lower).skip_while(|word| OPENERS.contains(word));
    let next = words.next().unwrap_or_default();
    let shown = || next == "the" && words.take(NEAR).any(|word| SHOWN.contains(&word));
    next != "the" && AT_HAND.contains(&next) || shown() || has_any(lower, &COMPARES)
}

#[cfg(test)]
mod tests {
    use super::super::rules::{is_over, is_rule};
    use super::is_reaction;

    #[test]
    fn a_correction_of_one_piece_of_work_is_no_rule() {
        for reaction in [
            "no, the lamp should stay as it is",
            "should be dimmer, like the buoy",
            "ok, the lamps of the pier are too bright, they should be dimmer",
            "hmm, the chart needs to show the tide before the wind",
            "ok, make the lamp a little less red, same for what you use at the quay",
            "alright, i think there's only one chart left to use",
            "ok, let me try the lamp, then we should be good to go",
            "alright, we need a chart of the quay, and we need to name the buoy",
            "Created the lamp with all required oil.",
            "the chart is linked but i should also have a button for the tide",
            "this page should look like the old chart",
            "Berth of tomorrow: I choose Option B, the small quay.",
            "i suppose you use the old lamp for that",
            "gut, die Lampe sollte röter sein",
            "no, la lámpara debería quedar roja",
            "only the lamp of the pier is left.",
        ] {
            assert!(!is_rule(reaction) && is_over(reaction), "{reaction}");
        }
    }

    #[test]
    fn a_correction_that_forbids_or_lasts_stays_a_rule() {
        for rule in [
            "ok, the API of the quay should return snake_case keys",
            "no, use red lamps instead",
            "no, the lamp must never be red",
            "ok, the lamps should always be lit before the ferry comes",
            "ok, we should keep the charts in one folder",
            "should be lit every evening",
            "ok, the lamp must not be wider than the quay",
            "This harbour should stay free of oil.",
            "I choose oil lamps.",
            "I should be asked before each trip.",
        ] {
            assert!(is_rule(rule) && !is_over(rule), "{rule}");
        }
    }

    #[test]
    fn what_is_to_last_is_no_reaction_whatever_word_begins_it() {
        for lasting in [
            "ok, the api of the quay should return snake_case keys",
            "no, tests should use the buoy",
            "ok, let me know before you push to the quay",
            "i should see the plan before you run the ferries",
            "perfect, now we need to keep the berths compatible",
        ] {
            assert!(!is_reaction(lasting, true) && !is_reaction(lasting, false), "{lasting}");
        }
    }
}
