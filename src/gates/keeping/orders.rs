//! Rules of the user without a cue word of the measure (QUALITY §2), told by their form: “Ask me before you delete
//! anything.”, “Leave the tests alone.”, “No new dependencies, please.”

use super::forbidding::{BANS, LIFTS, STAYS};
use super::reasons::without_reason;
use super::rephrased::REPORTING;
use super::stems::{stem, stems};
use crate::measure::constraints::split;
use crate::measure::pattern;
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Words before an order that say nothing of it.
const LEAD: &str = r"^(?:(?:please|also|and|but|so|oh|ok|okay|again|important|note|nb|reminder|remember|one more thing|rules?)[,:]? )*";
/// Signs and words with which an order may end.
const END: &str = r"(?:,? (?:please|thanks|thank you|though|ok|okay))*\s*[.!]*$";
/// Verbs for changes.
const CHANGED: &str = r"(?:changed|touched|edited|modified|altered|deleted|removed|renamed|moved|reformatted|rewritten|overwritten|committed|pushed|reverted|disabled|skipped)";

/// “Ask me before you delete anything”, “Get my approval before pushing”.
static ASKS: LazyLock<Regex> = LazyLock::new(|| {
    let who = r"(?:me|us|first)";
    let word = r"(?:ok|okay|approval|permission|consent|confirmation|sign-?off|go-ahead)";
    let asks = format!(
        r"(?:ask|check with|consult|talk to|confirm with|warn|tell|notify|check in with|run it by)(?: {who})*(?: for (?:my |our )?{word})?"
    );
    let gets = format!(r"(?:get|wait for|obtain) (?:my|our|an?|explicit) (?:explicit )?{word}(?: first)?");
    pattern(&format!(r"(?i){LEAD}(?:always )?(?:{asks}|{gets}),? before \w.*"))
});
/// The verbs of such orders that need somebody to be asked: “tell before” is none.
static OF_SOMEBODY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:ask(?: first| for \w+(?: \w+)?)?,? before|me|us|my|our|approval|permission|consent)\b")
});
/// “Leave the tests alone”, “leave src/api as it is: others own it”; what is left.
static LEAVES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i){LEAD}leave (.+?) (?:completely |entirely |strictly )?(?:alone|untouched|unchanged|unmodified|intact|as is|as (?:it|they) (?:is|are))(?:{END}|[,;:.!(—–-].*| (?:for|because|since|as|when|until|unless|at)\b.*)"
    ))
});
/// “Hands off the migrations”, “The migrations are off limits”.
static OFF_LIMITS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i){LEAD}(?:(?:keep your )?hands off (?:of )?(.+?){END}|off[- ]limits\s*[:–—]\s+(\S.*?){END}|(.+?) (?:is|are) (?:strictly )?off[- ]limits\b.*)"
    ))
});
/// “Nothing under quay/ is to be changed”, “The schema is not to be changed”.
static NOT_CHANGED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i){LEAD}(?:nothing (?:in|under|inside|within|of) (.+?) (?:may|is to|shall) be {CHANGED}|(.+?) (?:is not to|are not to|shall not) be {CHANGED})\b.*"
    ))
});
/// “You may not push”, “Under no circumstances push”, “It is forbidden to push”, “Refrain from pushing”.
static FORBIDDEN: LazyLock<Regex> = LazyLock::new(|| {
    // “You may not need it” supposes something.
    let deed = r"(?:push|commit|touch|change|edit|modify|delete|remove|add|install|use|run|create|rename|move|merge|deploy|publish|write|call)";
    let start = format!(
        r"you (?:may not (?:ever )?{deed}\b|are not (?:allowed|permitted) to|are forbidden (?:to|from)|shall not)"
    );
    pattern(&format!(
        r"(?i){LEAD}(?:{start}|it is (?:strictly |absolutely )?(?:forbidden|prohibited) to|under no circumstances,?(?: \w+)?|(?:please )?refrain from) \w.*"
    ))
});
/// What may be added to a project.
const THINGS: &str = r"(?:dependenc(?:y|ies)|packages?|librar(?:y|ies)|crates?|frameworks?|plugins?|modules?|files?|features?|endpoints?|abstractions?|flags?|options?|comments?|tests?)";
/// “No new dependencies”, “No force pushes.”, “No emojis”.
static NONE_OF: LazyLock<Regex> = LazyLock::new(|| {
    let new = r"(?:new|extra|additional|further|more|external|third[- ]party|other|unneeded|unnecessary)";
    let deeds = r"(?:(?:force[- ]?)?push(?:es|ing)|(?:direct|unreviewed) (?:commits|merges|edits)|committing|merging|rebasing|refactoring|renaming|reformatting|deleting|installing|deploying|publishing|guessing|mocking)";
    let banned =
        r"(?:emojis?|mocks|hacks|workarounds|shortcuts|placeholders|unwraps?|globals?|abbreviations|semicolons)";
    let place = r"(?: (?:in|on|to|at|for|of|into|under|outside|from|with)\b[^.!?]*)?";
    pattern(&format!(
        r"(?i){LEAD}no (?:{new}(?: {new})* (?:[\w-]+ )?{THINGS}|{deeds}|{banned})(?:,? (?:and|or|nor) (?:no )?[\w -]+)?{place}{END}"
    ))
});
/// “No blue buoys, please”, “Please no blue buoys”: a wish, whatever it names.
static NO_PLEASE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:no (?:[\w'’/.-]+ ){1,6}?please|(?:and |but |also )?please,? no (?:[\w'’/.-]+ ?){1,6}|no [\w'’/.-]+(?: [\w'’/.-]+){0,5}, please)\s*[.!]*$",
    )
});
/// “Stay on the branch quay”, “Stay within src/quay”.
static STAYS_ON: LazyLock<Regex> = LazyLock::new(|| {
    let place = r"(?:branch|folder|directory|repo|repository|worktree|scope|module|crate|package)";
    pattern(&format!(
        r"(?i){LEAD}(?:stay|remain) (?:on|in|within|inside) (?:(?:the |this |that |my |our )?(?:\S+ )?{place}\b.*|`?[\w.-]*/[\w./-]*`?{END})"
    ))
});
/// What cannot be told apart by its words: “leave it alone”, and what reports a state.
static VAGUE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)^(?:it|this|that|them|those|these|me|us)$"));
/// Words of a report.
static TELLS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:is|are|was|were|has|have|errors?|fails?|failed|found|shown?|appears?|exists?)\b|^\W*no,? (?:problems?|worr(?:y|ies)|need|idea|that|this|it|its|i|we|you|the|thanks|not|just|hurry|rush|changes?)\b",
    )
});
static QUESTION: LazyLock<Regex> = LazyLock::new(|| pattern(r"[?？]\s*$"));

/// Whether a sentence of the user is a rule by its form, whatever its words.
pub(super) fn is_order(sentence: &str) -> bool {
    let sentence = without_thanks(sentence);
    let named = |rule: &Regex| {
        let groups = |found: Captures<'_>| found.iter().skip(1).flatten().all(|what| !VAGUE.is_match(what.as_str()));
        rule.captures(sentence).is_some_and(groups)
    };
    let asks = || ASKS.is_match(sentence) && OF_SOMEBODY.is_match(sentence);
    let stays = || [&LEAVES, &OFF_LIMITS, &NOT_CHANGED].into_iter().any(|rule| named(rule));
    let forbids = || [&FORBIDDEN, &STAYS_ON].into_iter().any(|rule| rule.is_match(sentence));
    let none = || (NONE_OF.is_match(sentence) || NO_PLEASE.is_match(sentence)) && !TELLS.is_match(sentence);
    !QUESTION.is_match(sentence) && (asks() || stays() || forbids() || none())
}

/// A sentence without thanks behind it: “…, thanks!”
pub(super) fn without_thanks(sentence: &str) -> &str {
    THANKS.find(sentence).map_or(sentence, |found| &sentence[..found.start()])
}

static THANKS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)[,;.!—–-]*\s*\b(?:many )?(?:thanks|thank you|thx|cheers)(?: (?:a lot|so much|in advance))?\s*[.!]*$")
});
static ENDS: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("(?i){END}")));
static NO: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?i){LEAD}no ")));
static ADDED: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?i){THINGS}\b")));

/// A rule in the words of a plain ban, as rules are compared: “Never change the tests” for “Leave the tests alone”;
/// others as they are.
pub(super) fn as_ban(sentence: &str) -> Cow<'_, str> {
    let bare = without_thanks(sentence);
    let what = |rule: &Regex| {
        let found = rule.captures(bare)?;
        let what = found.iter().skip(1).flatten().next()?.as_str();
        Some(format!("Never change {what}"))
    };
    if let Some(ban) = [&LEAVES, &OFF_LIMITS, &NOT_CHANGED].into_iter().find_map(|rule| what(rule)) {
        return ban.into();
    }
    if !NONE_OF.is_match(bare) && !NO_PLEASE.is_match(bare) {
        return Cow::Borrowed(bare);
    }
    let verb = if ADDED.is_match(bare) { "Never add " } else { "No " };
    NO.replace(&ENDS.replace(bare, ""), verb).into_owned().into()
}

/// Whether a sentence of the lines states such a rule in other words.
pub(super) fn orders_alike(order: &str, lines: &[&str]) -> bool {
    is_order(order) && (forbids_alike(&as_ban(order), lines) || asks_alike(order, lines))
}

/// Whether a sentence forbids what a plain ban does, and says nothing else.
fn forbids_alike(ban: &str, lines: &[&str]) -> bool {
    let generic: HashSet<&str> = GENERIC.iter().chain(&REPORTING).map(|word| stem(word)).collect();
    let object: HashSet<String> = stems(ban).into_iter().filter(|word| !generic.contains(&**word)).collect();
    let says = |sentence: &str| {
        let sentence = without_reason(sentence);
        let once = BANS.find_iter(sentence).count() == 1 && !LIFTS.is_match(sentence);
        let own = stems(sentence);
        (once || STAYS.is_match(sentence))
            && object.is_subset(&own)
            && own.iter().all(|word| object.contains(word) || generic.contains(&**word))
    };
    !object.is_empty() && lines.iter().flat_map(|line| split(line)).flat_map(|part| part.split(';')).any(says)
}

/// Words of bans that do not say what they are about.
const GENERIC: [&str; 35] = [
    "add",
    "additional",
    "alone",
    "alter",
    "change",
    "changes",
    "edit",
    "edits",
    "extra",
    "further",
    "hands",
    "intact",
    "introduce",
    "leave",
    "left",
    "limits",
    "modify",
    "modification",
    "new",
    "more",
    "remain",
    "request",
    "stay",
    "touch",
    "unchanged",
    "unmodified",
    "untouched",
    "without",
    "whatsoever",
    "anything",
    "any",
    "everything",
    "existing",
    "install",
    "project",
];

/// Words for asking somebody.
static CONFIRMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:ask(?:s|ed|ing)?|confirm\w*|approv\w*|permission|consent|consult\w*|check(?:s|ed|ing)? (?:with|in)|sign(?:ed)?[- ]?off|go-ahead|okay|ok|told|tell|warn(?:ed)?|notif\w+|wants? to (?:be|see|decide|know))\b",
    )
});
/// Words for the time before something is done.
static FIRST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:before|prior to|first|without|unless|until|only (?:with|after)|requires?|required|needs?)\b")
});

/// Whether a sentence has the user asked before the same is done.
fn asks_alike(order: &str, lines: &[&str]) -> bool {
    let order = without_thanks(order);
    let Some((_, deed)) = order.split_once("before ").filter(|_| ASKS.is_match(order)) else { return false };
    let wanted: HashSet<String> = stems(deed).into_iter().filter(|word| !NOTHING.contains(&word.as_str())).collect();
    let says = |sentence: &str| {
        let own = stems(sentence);
        let there = wanted.iter().filter(|word| own.contains(*word)).count();
        CONFIRMED.is_match(sentence) && FIRST.is_match(sentence) && there * 2 >= wanted.len() && there > 0
    };
    lines.iter().flat_map(|line| split(line)).any(says)
}

/// Stems of words that say nothing of a deed.
const NOTHING: [&str; 6] = ["any", "anyth", "ever", "everyth", "someth", "start"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_by_their_form() {
        for rule in [
            "Ask me before you delete anything.",
            "Please check with me first before pushing the lamps.",
            "Get my approval before you change the tide tables",
            "Leave the tests alone.",
            "And leave src/quay as it is: others own it.",
            "Hands off the northern mole!",
            "The tide tables are off limits.",
            "Nothing under quay/ may be changed.",
            "You may not push to the quay branch.",
            "Under no circumstances light the old lamp.",
            "No new dependencies, please",
            "No new external packages in the quay crate.",
            "No force pushes.",
            "Please no blue buoys",
            "No blue buoys on the quay, please.",
            "Stay on the branch quay.",
            "Stay within src/quay.",
            "Leave the error messages as they are, thanks!",
        ] {
            assert!(is_order(rule), "{rule}");
        }
    }

    #[test]
    fn reports_questions_and_requests_are_no_rules() {
        for other in [
            "Leave it alone.",
            "Shall I leave the tests alone?",
            "Leave a note in the harbour book.",
            "Ask the server for the tide before you draw it.",
            "No problem, please go on.",
            "No new tests were found",
            "No changes in the quay table, please look",
            "No new messages",
            "The lamp may not be changed by that at all.",
            "You may not need the lamp.",
            "Nothing in the table can be changed by the button.",
            "Stay on page after the submit does not work.",
            "Work on the quay module.",
            "Forbidden: 403",
        ] {
            assert!(!is_order(other), "{other}");
        }
    }

    #[test]
    fn the_same_rule_may_have_other_words() {
        for (rule, line) in [
            ("Leave the tests alone.", "- Do not touch the tests."),
            ("Leave the tests alone.", "- Tests are off limits"),
            ("Leave the tests alone.", "- The tests must not be modified; go on with the quay."),
            ("No new dependencies, please", "- Avoid adding dependencies."),
            ("No new dependencies, please", "- Never introduce dependencies"),
            ("Hands off the northern mole!", "- Leave the northern mole untouched, others own it"),
            ("Ask me before you delete anything.", "- The user wants to be asked before deletions"),
            ("Ask me before you delete anything.", "- Never delete files without confirmation."),
            ("Please check with me before pushing the lamps.", "- Pushing lamps requires approval by the user"),
        ] {
            assert!(orders_alike(rule, &[line]), "{rule} {line}");
        }
        for (rule, line) in [
            ("Leave the tests alone.", "- Do not touch the old tests of the quay."),
            ("Leave the tests alone.", "- The tests are not off limits"),
            ("Leave the tests alone.", "- Ran the tests"),
            ("No new dependencies, please", "- Add dependencies"),
            ("Ask me before you delete anything.", "- Deleted files before the run"),
            ("Ask me before you delete anything.", "- Ask before pushing"),
        ] {
            assert!(!orders_alike(rule, &[line]), "{rule} {line}");
        }
    }
}
