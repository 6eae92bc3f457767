//! Sentences of the user that suppose, muse or tell of what is, in words of a duty or a ban: “the bus isn't always on
//! time”, “it must be nine by now”, “I should have known better”, “the lamp should blink, and it does not”.

use crate::summary::text::{contains_any, each_word, ends_any, has_any, has_digit, has_words};

/// Words with which a sentence orders something all the same.
const ORDERS: [&str; 9] = ["please", "ensure", "never", "sure", "bitte", "only", "let's", "dont", "don't"];
const DUTIES: [&str; 5] = ["must", "should", "shall", "need", "needs"];
/// Negated verbs before “always” that tell what sometimes is, and verbs before “not always” that do.
const NEGATED: [&str; 9] = ["isn't", "aren't", "wasn't", "weren't", "doesn't", "didn't", "hasn't", "haven't", "hadn't"];
const VERBS: [&str; 9] = ["is", "are", "was", "were", "does", "did", "has", "have", "had"];
/// The same in other languages.
const NOT_ALWAYS: [&str; 17] = [
    "ist nicht immer",
    "sind nicht immer",
    "war nicht immer",
    "geht nicht immer",
    "kommt nicht immer",
    "klappt nicht immer",
    "funktioniert nicht immer",
    "n'est pas toujours",
    "ne sont pas toujours",
    "ne marche pas toujours",
    "no siempre es",
    "no siempre está",
    "no siempre funciona",
    "nem sempre",
    "niet altijd",
    "nie zawsze",
    "не всегда",
];
const NOT_ALWAYS_DENSE: [&str; 3] = ["不总是", "不是总", "とは限らない"];
/// Words of a doubt before what the speaker should do.
const WAVERS: [&str; 8] =
    ["maybe", "perhaps", "probably", "i guess", "i suppose", "i wonder", "i feel like", "possibly"];
/// Beginnings of a sentence about what the speaker may do.
const DOUBTFUL: [&str; 3] = ["i should probably ", "i should maybe ", "i probably should "];
/// Ends of participles.
const PARTICIPLES: [&str; 14] =
    ["ed", "en", "wn", "ilt", "ept", "ent", "one", "ade", "old", "ound", "ought", "eft", "aid", "ung"];
/// What somebody or something is supposed to be, behind “you must be” and the like.
const SUPPOSED: [&str; 18] = [
    "joking",
    "kidding",
    "crazy",
    "mad",
    "tired",
    "busy",
    "bored",
    "mistaken",
    "mixed",
    "confused",
    "wrong",
    "dreaming",
    "wondering",
    "thinking",
    "laughing",
    "exhausted",
    "insane",
    "proud",
];
/// Adverbs before those words.
const DEGREES: [&str; 8] = ["all", "completely", "just", "quite", "really", "so", "totally", "very"];
/// Maximum number of words before the person of whom a sentence tells, with that one, and words by which that person
/// has a say: “she needs to approve all of it”.
const LEAD: usize = 3;
const CONSENTS: [&str; 9] = ["agree", "approve", "before", "confirm", "every", "first", "review", "see", "sign"];
/// Verbs of what never happened, whatever the subject, and first words of a subject.
const HAPPENED: [&str; 16] = [
    "worked",
    "existed",
    "arrived",
    "happened",
    "finished",
    "started",
    "stopped",
    "passed",
    "failed",
    "showed",
    "appeared",
    "compiled",
    "completed",
    "responded",
    "answered",
    "replied",
];
const DETERMINERS: [&str; 10] = ["the", "my", "our", "his", "her", "their", "this", "that", "these", "those"];
/// Verbs that end like a past.
const NO_PAST: [&str; 4] = ["bed", "embed", "shed", "shred"];
/// Ends of a sentence that say that it is not so.
const BUT_NOT: [&str; 10] =
    ["does not", "doesn't", "do not", "is not", "isn't", "are not", "aren't", "did not", "didn't", "won't"];

/// Whether a lower-case sentence supposes, muses or tells what is, and orders nothing.
pub(super) fn only_muses(lower: &str) -> bool {
    let words: Vec<&str> = each_word(lower).collect();
    if tried(lower) || tells_of_another(lower, &words) {
        return true;
    }
    // Behind a colon or a comma an order may stand.
    if contains_any(lower, &[": ", "; ", ", so ", ", keep", ", use"]) {
        return false;
    }
    not_always(lower, &words)
        || should_have(&words)
        || doubts_itself(lower, &words)
        || supposes(lower, &words)
        || never_did(&words)
        || is_not_so(lower)
}

fn orders(words: &[&str]) -> bool {
    words.iter().any(|word| ORDERS.contains(word) || DUTIES.contains(word))
}

/// “The bus to the harbour isn't always on time.”, “The lamp does not always burn.”
fn not_always(lower: &str, words: &[&str]) -> bool {
    let tells = |at: usize| match words[at - 1] {
        "not" => at > 2 && (VERBS.contains(&words[at - 2]) || words[at - 2].ends_with("'s")),
        before => at > 1 && NEGATED.contains(&before),
    };
    let told = || (1..words.len()).any(|at| words[at] == "always" && tells(at));
    let begun = |phrase: &&str| lower.starts_with(*phrase) && *phrase != "nem sempre";
    let others = || has_any(lower, &NOT_ALWAYS) && !NOT_ALWAYS.iter().any(begun);
    let dense = || contains_any(lower, &NOT_ALWAYS_DENSE);
    let once = words.iter().filter(|word| **word == "always").count() < 2;
    (told() || others() || dense()) && once && !orders(words)
}

/// “I should have known better than that.”
fn should_have(words: &[&str]) -> bool {
    let [i, should, have, verb, rest @ ..] = words else { return false };
    let is_past = ends_any(verb, &PARTICIPLES) || *verb == "been";
    [*i, *should, *have] == ["i", "should", "have"] && is_past && !orders(rest)
}

/// “Maybe I should try to embrace it.”
fn doubts_itself(lower: &str, words: &[&str]) -> bool {
    let wavers =
        WAVERS.iter().find_map(|start| lower.strip_prefix(start)).map(|rest| rest.trim_start_matches([' ', ',']));
    let own =
        wavers.and_then(|rest| ["i should ", "if i should ", "i must "].iter().find_map(|own| rest.strip_prefix(own)));
    let own = own.or_else(|| DOUBTFUL.iter().find_map(|start| lower.strip_prefix(start)));
    own.is_some_and(|rest| !orders(&words[words.len() - each_word(rest).count()..]))
}

/// “It must be about nine by now.”, “You must be joking about the tides, right?”
fn supposes(lower: &str, words: &[&str]) -> bool {
    let at = words.windows(2).position(|two| two == ["must", "be"]).filter(|at| *at > 0);
    let mut rest = at.into_iter().flat_map(|at| &words[at + 2..]).filter(|word| !DEGREES.contains(word));
    let behind = rest.next().copied().unwrap_or_default();
    let by_now = at.is_some() && (has_words(lower, "by now") || has_words(lower, "by this time"));
    let others = words.iter().filter(|word| DUTIES.contains(word)).count() > 1;
    let person = at.is_some_and(|at| ["i", "you", "he", "she", "we", "they", "it"].contains(&words[at - 1]));
    (by_now || person && SUPPOSED.contains(&behind)) && !others && !words.iter().any(|word| ORDERS.contains(word))
}

/// “He needs to increase his mileage by half a mile a week.”: a task tells of somebody, who has no say in the work.
fn tells_of_another(lower: &str, words: &[&str]) -> bool {
    let at = words.iter().take(LEAD).position(|word| ["he", "she"].contains(word));
    // “She must pay 3 euros per lesson.” may be a rule of what is built.
    let owes = |at: usize| match words.get(at + 1) {
        Some(&"needs") => words.get(at + 2) == Some(&"to"),
        Some(duty) => words[..at].contains(&"so") && DUTIES.contains(duty),
        None => false,
    };
    at.is_some_and(owes)
        && has_digit(lower)
        && !has_any(lower, &CONSENTS)
        && !words.iter().any(|word| ORDERS.contains(word))
}

/// Whether a verb has the ending of a past.
pub(super) fn is_past(verb: &str) -> bool {
    verb.ends_with("ed") && !verb.ends_with("eed") && !NO_PAST.contains(&verb)
}

/// “The old importer never worked with Danish files.”
fn never_did(words: &[&str]) -> bool {
    let Some(at) = words.iter().position(|word| *word == "never").filter(|at| *at > 0) else { return false };
    let verb = words.get(at + 1).copied().unwrap_or_default();
    let tells = HAPPENED.contains(&verb) || is_past(verb) && at > 1 && DETERMINERS.contains(&words[0]);
    let rest = [&words[..at], &words[at + 1..]].concat();
    // “The keys are kept here, never printed.”
    let has_verb =
        words[..at].iter().any(|word| VERBS.contains(word) || ["be", "may", "can", "and", "but"].contains(word));
    tells && !has_verb && !orders(&rest) && !rest.iter().any(|word| ["always", "not"].contains(word))
}

/// “The lamp should blink at night, and it does not.”
fn is_not_so(lower: &str) -> bool {
    let end = lower.trim_end_matches(|char: char| !char.is_alphanumeric());
    let Some((wish, said)) = end.rsplit_once(", ") else { return false };
    let said = ["and ", "but "].iter().find_map(|joint| said.strip_prefix(joint)).unwrap_or(said);
    let of_it = ["it ", "they ", "he ", "she ", "that "].iter().find_map(|subject| said.strip_prefix(subject));
    of_it.is_some_and(|said| BUT_NOT.contains(&said)) && has_words(wish, "should") && !has_any(wish, &ORDERS)
}

/// Beginnings of what the speaker tried, and first words of clauses behind it that only tell what came of that.
const TRIED: [&str; 5] = ["i tried ", "i also tried ", "i already tried ", "i have tried ", "i've tried "];
const TELLS: [&str; 15] =
    ["and", "but", "he", "however", "i", "it", "my", "so", "that", "the", "then", "they", "this", "we", "which"];

/// “I also tried to run it, but the sandbox blocks that, so I couldn't use the tests.”
fn tried(lower: &str) -> bool {
    let Some(rest) = TRIED.iter().find_map(|start| lower.strip_prefix(start)) else { return false };
    let clauses = rest.split([',', ';', '—']).flat_map(|clause| clause.split(". "));
    let mut clauses = clauses.map(str::trim).filter(|clause| !clause.is_empty()).skip(1);
    let tells = |clause: &str| {
        let mut all = each_word(clause).skip_while(|word| ["and", "but", "so", "then", "however"].contains(word));
        all.next().is_some_and(|subject| TELLS.contains(&subject))
    };
    let words: Vec<&str> = each_word(rest).collect();
    clauses.all(tells) && !orders(&words) && !words.contains(&"instead")
}

#[cfg(test)]
mod tests {
    use super::super::rules::instruction_strength;

    #[test]
    fn what_only_muses_or_supposes_is_no_instruction() {
        for told in [
            "The bus to the harbour isn't always on time.",
            "My keeper's not always there, though.",
            "The lamp does not always burn at night.",
            "Der Bus ist nicht immer pünktlich.",
            "Le ferry n'est pas toujours à l'heure.",
            "Лампа не всегда горит ночью.",
            "Maybe I should try to light the mole instead of the pier.",
            "I should have known better than that.",
            "I should probably go to the harbour office instead.",
            "It must be about forty degrees in there by now.",
            "You must be joking about the tides, right?",
            "The old importer never worked with Danish files.",
            "The lamp should blink at night, and it does not.",
            "The lamp should blink at night, but it doesn't.",
            "He needs to increase his mileage by 0.5 miles per week.",
            "Right, so he must add 3 miles per week.",
            "Oh, I must be completely mixed up with my numbers.",
            "I also tried to light it, but the wind blocks that, so I couldn't use the lamp.",
        ] {
            assert_eq!(instruction_strength(told), None, "{told}");
        }
    }

    #[test]
    fn rules_in_such_words_stay() {
        for rule in [
            "Don't always light the lamp.",
            "It should not always be lit.",
            "The lamp isn't always lit, so always look first.",
            "The pier isn't always free, so never moor there.",
            "The first page must be crazy fast, never slow.",
            "Maybe we should light the mole first.",
            "You should have detailed docs for the pier.",
            "It must be about forty lines long.",
            "You must be careful with the oil.",
            "The keys are kept in the shed, never printed.",
            "Secrets never leave the harbour.",
            "Keys never committed, docs always built.",
            "The lamp should blink at night, and it must not do so by day.",
            "I tried the oil, use gas instead.",
            "She needs to approve all 3 pages before.",
            "She must pay 3 euros per lesson.",
            "I should really stress that the API must stay as it is.",
            "The lamp should never blink, and it does not.",
        ] {
            assert!(instruction_strength(rule).is_some(), "{rule}");
        }
    }
}
