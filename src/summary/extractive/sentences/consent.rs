//! Whether an agent asks for consent before it acts, and to which list: what it lists then is not done.

use super::cues::lower;
use super::prose::{plain, without_marker};
use crate::summary::fence::Fence;
use crate::summary::text::{QUESTION_MARKS, contains_any, each_word, fold, has_any, starts_any};

/// Words of a request for consent, and words of a question for it.
const CONSENT: [&str; 9] = [
    "let me know if you agree",
    "please confirm",
    "bitte bestätigen",
    "por favor, confirma",
    "por favor confirm",
    "veuillez confirmer",
    "请确认",
    "請確認",
    "ご確認ください",
];
const CONFIRM: [&str; 22] = [
    "are you okay with",
    "do you agree",
    "do you want me to",
    "is that okay",
    "is this okay",
    "shall i",
    "shall we",
    "should i",
    "would you like me to",
    "would you like to proceed",
    "darf ich",
    "einverstanden",
    "soll ich",
    "sollen wir",
    "¿confirma",
    "¿desea",
    "¿quiere",
    "dois-je",
    "souhaitez-vous",
    "vuole che",
    "是否",
    "可以吗",
];

/// Whether a text ends by asking the reader for consent to what it lists: “Shall I book it?”, “Please confirm.”
pub(in crate::summary::extractive) fn asks_consent(text: &str) -> bool {
    let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(lower).unwrap_or_default();
    contains_any(&last, &CONSENT) || last.ends_with(QUESTION_MARKS) && contains_any(&last, &CONFIRM)
}

/// Verbs by which an agent bids the user to say yes, and words that may stand before them.
const SAY: [&str; 5] = ["answer ", "reply ", "respond ", "say ", "type "];
const BEFORE_SAY: [&str; 5] = ["please ", "just ", "to confirm, ", "to proceed, ", "if you agree, "];
/// Beginnings of a line that announces what the agent does when the user agrees, and whole lines that do.
const ANNOUNCES: [&str; 4] =
    ["if you agree, i", "if you confirm, i", "once you confirm, i", "upon your confirmation, i"];
const LEADS: [&str; 4] = ["i will:", "i'll:", "i will do this:", "i'll do this:"];
/// Words of a lead to something that the agent does not do.
const DENIES: [&str; 5] = ["keep", "leave", "need", "not", "won't"];

/// Whether a sentence bids the user to confirm something: “Reply “yes” to book it.”
pub(super) fn bids_confirm(sentence: &str) -> bool {
    let lower = lower(sentence);
    let bare = BEFORE_SAY.iter().fold(&*lower, |left, word| left.strip_prefix(word).unwrap_or(left));
    let behind = SAY.iter().find_map(|verb| bare.strip_prefix(verb)).map(|rest| rest.trim_start_matches("with "));
    lower.starts_with("please confirm") || behind.is_some_and(|behind| each_word(behind).next() == Some("yes"))
}

/// Whether a line announces what the agent does when the user agrees: “If you confirm, I will:”
fn announces(line: &str) -> bool {
    let lower = lower(&plain(line));
    let begins = lower.ends_with(':') && starts_any(&lower, &ANNOUNCES);
    LEADS.contains(&&*lower) || begins && !has_any(&lower, &DENIES)
}

/// Words by which an agent needs an answer before it goes on, and what it needs the user to do, or needs of them.
const NEEDS_YOU: [&str; 3] = ["i need you to ", "i'll need you to ", "i will need you to "];
const TELL: [&str; 9] =
    ["choose ", "clarify ", "confirm ", "give ", "pick ", "provide ", "share ", "specify ", "tell "];
const NEEDS_YOUR: [&str; 3] = ["i need your ", "i'll need your ", "i will need your "];
const WORD: [&str; 6] = ["approval", "confirmation", "consent", "explicit ", "go-ahead", "permission"];

/// Whether a sentence says that the agent needs a word of the user before it goes on: “I need your confirmation.”
pub(in crate::summary::extractive) fn needs_word(sentence: &str) -> bool {
    let lower = lower(sentence);
    // Most sentences do not have what all of these share.
    if !lower.contains("need you") {
        return false;
    }
    let asks = |needs: &[&str], what: &[&str]| {
        let behind = needs.iter().find_map(|words| Some(lower.split_once(words)?.1));
        behind.is_some_and(|rest| starts_any(rest, what))
    };
    asks(&NEEDS_YOU, &TELL) || asks(&NEEDS_YOUR, &WORD)
}

/// The list of a text on one line, if the paragraph right after it is the question, behind which words may stand only if
/// it bids the user to say yes. Of several lists, the last one, if the agent announces it alone as what it will do.
pub(super) fn list_before(text: &str, question: &str) -> Option<String> {
    let mut fence = Fence::default();
    let (mut list, mut open, mut behind): (Vec<String>, bool, Vec<&str>) = (Vec::new(), false, Vec::new());
    let mut announced = false;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let held = fence.holds(line);
        let (is_item, words) = without_marker(line.trim());
        if is_item && !open && !list.is_empty() {
            // Of several lists, the question is about the one that the agent announces as what it will do.
            behind.pop().filter(|lead| announces(lead) && !announced)?;
            list.clear();
            behind.clear();
            announced = true;
        }
        open = !held && (is_item || open && line.starts_with(' '));
        if open {
            list.push(plain(&fold(words)).trim_end_matches([':', ';', '.', ' ']).to_owned());
        } else if !list.is_empty() {
            behind.push(line.trim());
        }
    }
    let asked = fold(&plain(&behind.join(" ")));
    let is_asked = asked == question || bids_confirm(question) && asked.starts_with(question);
    (list.len() > 1 && is_asked).then(|| list.join("; "))
}

#[cfg(test)]
mod tests {
    use super::{announces, asks_consent, bids_confirm, needs_word};

    #[test]
    fn an_agent_bids_the_user_to_say_yes() {
        for bids in ["Please confirm the berth.", "Reply “yes” to book it.", "Please respond with \"yes\" or \"no\"."]
        {
            assert!(bids_confirm(bids), "{bids}");
        }
        for none in [
            "The crew will answer yes within the hour.",
            "The old form makes travelers say yes to every charge.",
            "Please reply by noon.",
        ] {
            assert!(!bids_confirm(none), "{none}");
        }
    }

    #[test]
    fn what_an_agent_does_when_the_user_agrees_is_announced() {
        assert!(announces("**If you confirm, I will:**") && announces("I will:"));
        for none in
            ["If you confirm, I will book it.", "I will not do this:", "If you agree, I won't touch:", "I'll need:"]
        {
            assert!(!announces(none), "{none}");
        }
    }

    #[test]
    fn an_agent_may_need_a_word_before_it_goes_on() {
        assert!(needs_word("Before I book it, I need you to specify a berth."));
        assert!(needs_word("Before I go on with the ferry, I need your explicit confirmation."));
        assert!(!needs_word("I need your lamp for it.") && !needs_word("I need you to know that it is dark."));
    }

    #[test]
    fn who_asks_for_consent_has_not_acted() {
        for text in [
            "I move the ferry:\n- to quay 4\n\nShall I do so?",
            "- quay 4\n\nPlease confirm, and I book it.\n",
            "- Kai 4\n\nSoll ich ihn buchen?",
            "- 四号码头\n\n请确认。",
        ] {
            assert!(asks_consent(text), "{text}");
        }
        for text in ["I moved the ferry. Should I be wrong, tell me.", "Shall I? I did.\n\n- quay 4", "- quay 4", ""] {
            assert!(!asks_consent(text), "{text}");
        }
    }
}
