//! Orders that are done once: “Remove the old line and make sure that it still builds.”, “You must restart it now.” They
//! bind for their request only, whatever words of a duty they have.

use super::cues::{begins, begins_any};
use crate::summary::text::{each_word, starts_any};

/// Words before the verb of an order.
const LEADS: [&str; 30] = [
    "also", "and", "can", "could", "d", "finally", "first", "hi", "i", "i'd", "let's", "lets", "like", "need", "next",
    "now", "ok", "okay", "please", "pls", "so", "then", "to", "want", "we", "would", "yeah", "yep", "yes", "you",
];
/// Verbs of work that changes something once. Verbs of what is done again and again (“run”, “commit”, “write”) may begin
/// a rule.
const WORK: [&str; 46] = [
    "add",
    "adjust",
    "apply",
    "bump",
    "change",
    "clean",
    "convert",
    "copy",
    "create",
    "delete",
    "drop",
    "extend",
    "extract",
    "finish",
    "fix",
    "generate",
    "implement",
    "improve",
    "increase",
    "insert",
    "install",
    "integrate",
    "introduce",
    "investigate",
    "merge",
    "migrate",
    "modify",
    "move",
    "port",
    "rebuild",
    "reduce",
    "refactor",
    "remove",
    "rename",
    "reorganize",
    "replace",
    "restore",
    "restructure",
    "revert",
    "rewrite",
    "simplify",
    "split",
    "undo",
    "unify",
    "update",
    "upgrade",
];
/// Words that make an order one for good, or a ban.
const LASTING: [&str; 38] = [
    "after",
    "all",
    "alongside",
    "always",
    "any",
    "anything",
    "avoid",
    "before",
    "cannot",
    "dont",
    "each",
    "every",
    "everywhere",
    "except",
    "if",
    "must",
    "never",
    "new",
    "no",
    "not",
    "nothing",
    "often",
    "once",
    "only",
    "possible",
    "rather",
    "unless",
    "until",
    "whatever",
    "when",
    "whenever",
    "where",
    "wherever",
    "with",
    "without",
    "you",
    "your",
    "yours",
];
/// Words before what is proposed for now, and what is: “let's keep going”, “we should do a commit as well”.
const PROPOSES: [&[&str]; 4] = [&["let's"], &["lets"], &["we", "should"], &["we", "could"]];
const GOES_ON: [&[&str]; 11] = [
    &["begin"],
    &["continue"],
    &["do", "a"],
    &["do", "another"],
    &["go"],
    &["keep", "going"],
    &["move", "on"],
    &["proceed"],
    &["see"],
    &["start"],
    &["tackle"],
];
/// Orders of a service, each with a word behind it: “switch to the red one”. They are done once, even with conditions.
const SERVICES: [(&str, &[&str]); 11] = [
    ("book", &OBJECTS),
    ("cancel", &OBJECTS),
    ("change", &["it", "my", "to"]),
    ("downgrade", &OBJECTS),
    ("exchange", &OBJECTS),
    ("go", &["ahead", "with"]),
    ("proceed", &["with"]),
    ("rebook", &OBJECTS),
    ("return", &["my", "these"]),
    ("switch", &["from", "to"]),
    ("upgrade", &["both", "it", "my", "to"]),
];
const OBJECTS: [&str; 10] = ["a", "an", "both", "it", "my", "that", "the", "them", "these", "this"];
/// Orders to tell or hand over something once, and words by which they are a step before another one.
const TELLS: [&str; 5] = ["clarify", "confirm", "issue", "provide", "quote"];
const STEPS: [&str; 4] = ["before", "first", "if", "when"];
/// What makes such an order one for good.
const NOW_ON: &str = "from now on";
/// Words that make such an order one for good, or a ban.
const FOR_GOOD: [&str; 11] =
    ["always", "any", "dont", "each", "every", "never", "no", "not", "unless", "whenever", "without"];
/// Words before the one thing that such an order is about.
const ONE: [&str; 12] = ["a", "an", "both", "his", "it", "its", "my", "our", "that", "the", "this", "these"];
/// Words that go on to what must hold when the work is done: “then make sure …”.
const THEN: [&[&str]; 2] = [&["then", "make", "sure"], &["then", "ensure"]];

/// Beginnings of an order to the agent, last words of one that is about now, and of a ban that is about now: “not yet”.
const TO_AGENT: [&str; 11] = [
    "debes",
    "devi",
    "du musst",
    "make sure",
    "musisz",
    "please make sure",
    "tienes que",
    "tu dois",
    "vous devez",
    "you must",
    "you need to",
];
const NOW: [&str; 7] = ["now", "jetzt", "ahora", "agora", "maintenant", "adesso", "teraz"];
const NOT_YET: [&str; 2] = ["todavía", "aún"];
/// Words by which it lasts: “from now on”, “use this one now”, “all lamps must burn now”.
const LASTS: [&str; 22] = [
    "ab", "all", "any", "are", "be", "before", "bis", "da", "de", "desde", "dès", "each", "every", "from", "hasta",
    "is", "never", "od", "prefer", "until", "use", "von",
];
/// The same in Chinese.
const AT_ONCE: [&str; 2] = ["你现在必须", "现在请"];

/// Whether the first clause of a lower-case sentence orders something for now: “You must restart the ferry now.”
pub(super) fn is_about_now(lower: &str) -> bool {
    let clause = lower.split([',', ';', ':', '.', '!', '—', '，', '；', '。', '！']).next().unwrap_or_default();
    let last = each_word(clause).next_back().unwrap_or_default();
    let orders = NOW.contains(&last) && begins_any(clause, &TO_AGENT);
    let waits = NOT_YET.contains(&last) && begins(clause, "no");
    (orders || waits) && !each_word(clause).any(|word| LASTS.contains(&word)) || starts_any(clause, &AT_ONCE)
}

/// Verbs of one piece of work that a limit names, and words by which the limit is one.
const LIMITED: [&str; 24] = [
    "add",
    "finish",
    "fix",
    "implement",
    "mend",
    "redo",
    "refactor",
    "rename",
    "repair",
    "review",
    "rewrite",
    "update",
    "behebe",
    "korrigiere",
    "repariere",
    "überarbeite",
    "corrige",
    "corrigez",
    "répare",
    "réécris",
    "actualiza",
    "arregla",
    "repara",
    "reescribe",
];
const ONLY: [&str; 8] = ["only", "nur", "seulement", "uniquement", "solo", "sólo", "solamente", "únicamente"];
/// Words before the one thing that such a limit is about, in other languages than English.
const ONE_THERE: [&str; 8] = ["das", "den", "die", "la", "le", "les", "el", "los"];

/// Whether a lower-case sentence limits the work to one thing: “Only fix the view file.”
pub(super) fn limits_work(lower: &str) -> bool {
    let mut words = each_word(lower).skip_while(|word| LEADS.contains(word));
    let first = words.next().unwrap_or_default();
    let both = [first, words.next().unwrap_or_default()];
    let named = words.next().is_some_and(|word| ONE.contains(&word) || ONE_THERE.contains(&word));
    let has = |list: &[&str]| both.iter().any(|word| list.contains(word));
    let lasts = |word: &str| LASTING.contains(&word) && !ONLY.contains(&word);
    named && has(&LIMITED) && has(&ONLY) && !each_word(lower).any(lasts)
}

/// Whether a lower-case sentence orders one piece of work, and limits it by nothing.
pub(super) fn is_errand(lower: &str) -> bool {
    let words: Vec<&str> = each_word(lower).collect();
    let at = words.iter().position(|word| !LEADS.contains(word)).unwrap_or(words.len());
    let rest = &words[at..];
    let works = matches!(rest, [verb, object, ..] if WORK.contains(verb) && ONE.contains(object));
    let is_then = THEN.iter().any(|start| words.starts_with(start));
    let serves = |list: &[&str]| !rest.iter().skip(1).any(|word| list.contains(word) || word.ends_with("n't"));
    // “Change to use oil” orders work, “I'd like to change to the early ferry” a service.
    let is_service = at > 0
        && SERVICES.iter().any(|(verb, behind)| {
            matches!(rest, [first, second, ..] if first == verb && behind.contains(second))
                && serves(&FOR_GOOD)
                && !lower.contains(NOW_ON)
        });
    let tells = matches!(rest, [verb, object, ..] if TELLS.contains(verb) && OBJECTS.contains(object))
        && at > 0
        && serves(&FOR_GOOD)
        && serves(&STEPS);
    let lasts = |word: &&str| LASTING.contains(word) || word.ends_with("n't");
    is_service
        || tells
        || lists_contents(lower)
        || is_next(&words) && serves(&FOR_GOOD) && !lower.contains(NOW_ON)
        || (works || is_then) && !rest.iter().any(lasts) && !lower.contains("n’t")
}

/// What is written once, and ends of a label above what it is to have.
const WRITTEN: [&str; 9] = ["doc", "document", "essay", "issue", "page", "plan", "post", "report", "summary"];
const CONTENTS: [&str; 8] = [
    "must",
    "must contain",
    "must cover",
    "must include",
    "should",
    "should contain",
    "should cover",
    "should include",
];

/// Whether a lower-case sentence is what something that is written once is to have: “The doc must: list the lamps.”
pub(in crate::summary::extractive) fn lists_contents(lower: &str) -> bool {
    let Some((label, _)) = lower.split_once(':') else { return false };
    let label = label.strip_prefix("the ").unwrap_or(label);
    WRITTEN.iter().filter_map(|own| label.strip_prefix(own)).any(|rest| CONTENTS.contains(&rest.trim()))
}

/// Whether a sentence proposes what to do next, behind words that agree and the letter of an option: “B) yeah, let's go on”.
fn is_next(words: &[&str]) -> bool {
    let agrees =
        |word: &&&str| word.len() == 1 || ["and", "ok", "okay", "yeah", "yep", "yes", "so", "then"].contains(word);
    let own = &words[words.iter().take_while(agrees).count()..];
    let behind = PROPOSES.iter().find_map(|start| own.strip_prefix(*start));
    behind.is_some_and(|rest| GOES_ON.iter().any(|next| rest.starts_with(next)))
}

#[cfg(test)]
mod tests {
    use super::super::rules::{is_over, is_rule, strength_now};
    use super::*;

    #[test]
    fn what_is_wanted_now_is_no_rule() {
        for now in [
            "You must restart the ferry now.",
            "Make sure the lamps burn now!",
            "Debes apagar la lámpara ahora.",
            "No apagues nada todavía, solo explica el error.",
            "你现在必须重启服务器。",
            "现在请重启服务器。",
        ] {
            assert!(!is_rule(now) && strength_now(now).is_some(), "{now}");
        }
        for rule in [
            "You must light two lamps from now on.",
            "Never touch the pier, it is wet now.",
            "You must use the red lamp now.",
            "A partir de ahora debes usar la lámpara roja.",
            "从现在开始必须使用红灯。",
            "所有提交现在必须签名。",
            "你现在要用红灯，不要用绿灯。",
            "All lamps must be red now.",
            "You must ask me before each trip now.",
            "Don't light the pier now, the harbour is closed until Monday.",
        ] {
            assert!(is_rule(rule), "{rule}");
        }
    }

    #[test]
    fn a_limit_of_one_piece_of_work_ends_with_its_request() {
        for limit in [
            "Only fix the lamp of the pier.",
            "Please fix only the lamp.",
            "Repariere nur die Lampe.",
            "Corrige uniquement la lampe.",
            "Arregla solo la lámpara.",
        ] {
            assert!(is_over(limit) && strength_now(limit).is_some(), "{limit}");
        }
        for rule in [
            "Only use the lamp of the pier.",
            "Only fix the lamp when it is out, never before.",
            "Only fix lamps.",
            "Only change the files in quay/.",
        ] {
            assert!(!limits_work(&rule.to_lowercase()), "{rule}");
        }
    }

    #[test]
    fn what_something_written_once_is_to_have_is_no_rule() {
        let contents = "The doc must: Summarize how the lamps burn, and never leave one out.";
        assert!(is_rule(&contents.replace("doc", "keeper")) && !is_rule(contents));
    }

    #[test]
    fn work_that_is_done_once_is_no_rule() {
        for errand in [
            "Remove the old sign and make sure that the pier stays open.",
            "Can you please fix the lamp, and ensure the keeper can reach it?",
            "Then make sure the ferries run.",
            "I need you to move the sign; it should stand at the quay.",
            "Add a lamp to the pier, it should be red.",
            "I'd like to exchange it for a lamp with a red glass instead of the green one.",
            "Please proceed with the booking, and make sure it is for two.",
            "Please confirm the fare, and keep the name of the ferry.",
            "ok let's keep going, the pier should be ready soon.",
            "B) yeah, let's go with the red lamp, it must be bright.",
            "We should do a test of the lamp as well.",
        ] {
            assert!(
                is_errand(&errand.to_lowercase()) && !is_rule(errand) && strength_now(errand).is_some(),
                "{errand}"
            );
        }
        for rule in [
            "Make sure that the pier stays open.",
            "Add a lamp, but never touch the pier.",
            "Fix the sign without moving it; the pier must stay.",
            "Then make sure that every ferry has a lamp.",
            "Update the log before each ferry and make sure it is signed.",
            "Write in short sentences, and make sure they rhyme.",
            "Merge requests should have two readers.",
            "Update the log with your changes and make sure that it is signed.",
            "Add lamps to whatever you build; they should be red.",
            "Please confirm the fare before you book, it should be low.",
            "I'd like to switch to short answers from now on, they should be clear.",
            "Let's always go with the red lamp.",
            "The lamp must: burn all night.",
            "Let's keep it simple: no lamp should have two wicks.",
            "I'd like to improve the way we work: you should show me a map of it.",
        ] {
            assert!(is_rule(rule), "{rule}");
        }
    }
}
