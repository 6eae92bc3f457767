//! Which of the user's sentences bind the agent, among those with a cue word such as “never”.

use super::orders::is_order;
use crate::measure::{constraints, pattern};
use crate::summary::{binds_nobody, is_firm, only_closes, trails_off};
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Clauses in which users say what they lack, do not know or cannot reach.
static UNABLE: LazyLock<Regex> = LazyLock::new(|| {
    let never = r"(?:do not|don['’]?t)(?: (?:really|actually|currently|even|yet))*";
    let lack = r"(?:have|know|remember|recall|understand)";
    let reach = r"(?:cannot|can not|can['’]?t)(?: (?:really|actually|currently|even|seem to))* (?:find|remember|recall|reach|access|open|see|tell|understand)";
    pattern(&format!(
        r"(?i)\b(?:i(?: (?:also|still|really|just|actually|currently|unfortunately|honestly))* (?:{never} {lack}|{reach})|we {never} (?:know|remember|recall|have (?:any )?access))\b.*?(?:[.,;:!?—]|\b(?:but|so|and|therefore)\b|$)"
    ))
});

/// Phrases that ask for something to be done once, without any other cue: “I need to cancel the order.”
static REQUEST: LazyLock<Regex> = LazyLock::new(|| {
    let also = r"(?: (?:also|just|now|only|really|still|then))*";
    pattern(&format!(
        r"(?i)\b(?:(?:i|we){also} (?:need|want)(?: you)? to|(?:i|we){also} need you to|i want you to|please|let['’]?s)\b"
    ))
});

/// Words that make a request hold for more than once.
static LASTING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:always|every|each|from now on|in (?:the )?future|whenever|answer|reply|respond|write all)\b")
});
/// A leading list number: “1.”, “(a)”.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\(?\w{1,3}[.)]\s+"));

/// Words that cannot end a sentence.
const LEADING_ON: [&str; 7] = ["a", "an", "and", "as", "or", "that", "the"];

/// Beginnings of sentences that only suppose something.
static MUSES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:(?:and|but|so|hm+|well|also|ok|okay)[, ]+)*(?:maybe|perhaps|possibly|probably|(?:just )?thinking (?:aloud|out loud)|i wonder|i(?:['’]m| am) not sure)\b",
    )
});

/// A clause behind such a beginning that is a rule all the same: “maybe it is obvious, but never …”.
static RULES_STILL: LazyLock<Regex> = LazyLock::new(|| {
    let cue =
        r"never|always|do not|don['’]?t|make sure|ensure|only|no|keep|use|(?:\w+ ){1,3}(?:must|should)(?: not|n['’]t)?";
    pattern(&format!(r"(?i)(?:[,;:—–] ?|\bbut |- )(?:(?:but|and|so|still|yet|however|please|you|we)[, ]+)*(?:{cue})\b"))
});

/// Whether a sentence only supposes what might be done: “Maybe we should …”.
pub(super) fn is_musing(sentence: &str) -> bool {
    let supposed =
        MUSES.find(sentence).map(|found| sentence[found.end()..].trim_start_matches([',', ':', '—', '–', '…', ' ']));
    supposed.is_some_and(|rest| !RULES_STILL.is_match(rest))
}

/// Whether a sentence is only a piece of one that was pasted with its line breaks.
pub(super) fn is_torn(sentence: &str) -> bool {
    let sentence = NUMBERED.replace(sentence, "");
    let count = |sign: char| sentence.matches(sign).count();
    let last = sentence.rsplit(char::is_whitespace).next().unwrap_or_default();
    // The last line of a quotation.
    let closes = count('“') == 0 && !count('”').is_multiple_of(2);
    count('(') != count(')') || closes || LEADING_ON.contains(&last)
}

/// Beginning of a message that has the agent carry out a plan, which follows.
static PLAN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*(?:please )?(?:implement|execute|carry out|follow|work through) (?:the following|this|the(?: below| attached)?) (?:[\w-]+ )?plan\b",
    )
});
/// Sentences of a plan that are rules, not its steps.
static RULE_OF_PLAN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:[-*•] |\d+[.)] )?(?:\*\*)?(?:important:? |note:? )?(?:never|always|do not|don['’]t|avoid|no|you must)\b|\b(?:must|should) (?:not|never)\b",
    )
});

/// Headings over rules of a plan.
static RULES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:constraints?|rules?|guard ?rails?|conventions?|non[- ]goals|restrictions?|forbidden|out of scope)\b",
    )
});
/// Lines that head others: “## Rules”, “**Rules:**”, “Rules:”.
static HEADING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:#{1,6}\s+\S.*|\*\*[^*]+\*\*:?|[A-Z][^.:]{0,60}:)\s*$"));
/// Beginnings of lines of a list, a table, a heading or code, which people write less behind a plan.
static MARKED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(?:[-*•+#|>`~<]|\d+[.)]\s)"));

/// Whether a sentence of a message is prose or a step of a plan that the message has carried out: no rule by its
/// words, not under a heading about rules, and not in the text behind the plan.
pub(super) fn is_of_plan(sentence: &str, message: &str) -> bool {
    let in_plan = PLAN.is_match(message) && !RULE_OF_PLAN.is_match(sentence) && !is_order(sentence);
    let Some(at) = message.find(sentence).filter(|_| in_plan) else { return in_plan };
    let heading = || message[..at].lines().rev().find(|line| HEADING.is_match(line));
    at > 0 && at < behind_plan(message) && !heading().is_some_and(|line| RULES.is_match(line))
}

/// Where the text behind a plan begins: its last paragraph, if that is plain text, and what is before it has headings
/// or lists; otherwise the end.
fn behind_plan(message: &str) -> usize {
    let end = message.trim_end().len();
    let Some(at) = message[..end].rfind("\n\n").map(|at| at + 2) else { return message.len() };
    let plain = !message[at..end].lines().any(|line| MARKED.is_match(line) || HEADING.is_match(line));
    // What stands right behind a heading is of the plan.
    let before = message[..at].trim_end().lines();
    let headed = before.clone().next_back().is_some_and(|line| HEADING.is_match(line));
    if plain && !headed && before.skip(1).any(|line| MARKED.is_match(line)) { at } else { message.len() }
}

/// Least width of a line that was wrapped, in characters.
const WRAPPED: usize = 70;
/// Least length of a paragraph that describes a product, of a sentence in it, and its least number of sentences.
const PARAGRAPH: usize = 1_000;
const LONG: usize = 120;
const SENTENCES: usize = 5;
/// Words that address the agent.
static ADDRESSES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:you|your|yourself|please|do not|don['’]?t|never|always|make sure|ensure|let['’]?s)\b")
});

/// Whether a sentence of a message is but a part of a long text that states no rule for the agent: a line in the midst
/// of a wrapped sentence, or a sentence of a paragraph that describes a product.
pub(super) fn is_of_prose(sentence: &str, message: &str) -> bool {
    is_midst(sentence, message) || is_described(sentence, message)
}

/// Whether a sentence is a wrapped line of a longer one, which begins before it and goes on behind it.
fn is_midst(sentence: &str, message: &str) -> bool {
    let small = |line: &str| line.starts_with(char::is_lowercase);
    let open = |line: &str| !line.ends_with(['.', '!', '?', ':', ';', '…', '。', '！', '？', '؟', '।', '：', '；']);
    let wide = |line: &str| line.chars().count() >= WRAPPED;
    let lines: Vec<&str> = message.lines().map(str::trim).collect();
    let is_midst = |three: &[&str]| {
        let [before, line, next] = three else { return false };
        wide(before) && wide(line) && open(before) && open(line) && small(line) && small(next) && *line == sentence
    };
    lines.windows(3).any(is_midst)
}

/// Whether a long sentence stands in a long paragraph and addresses nobody.
fn is_described(sentence: &str, message: &str) -> bool {
    let long = || message.lines().filter(|line| line.len() >= PARAGRAPH && line.contains(sentence));
    let is_text = |line: &str| constraints::split(line).count() >= SENTENCES;
    sentence.len() >= LONG && !ADDRESSES.is_match(sentence) && !is_order(sentence) && long().any(is_text)
}

/// Whether a sentence binds the agent: it has a cue, and is no question, no pasted code, no announcement (“Keep this in
/// mind:”), no one-time request, no statement of what the user lacks, no thanks and no goodbye.
pub(super) fn is_binding(sentence: &str) -> bool {
    let aimed = || (has_own_cue(sentence) || is_order(sentence)) && !only_closes(sentence);
    let finds = || GAP.is_match(sentence) && !FORBIDDEN.is_match(sentence);
    !binds_nobody(sentence) && !trails_off(sentence) && aimed() && !sentence.starts_with("<!--") && !finds()
}

/// What a review finds missing: “Harbor lamps never tested.”
static GAP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:never|not) (?:covered|documented|exercised|handled|tested|validated|verified)[.!]?$")
});
/// Words with which such a sentence forbids.
static FORBIDDEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:be|must|should|shall|may|can|need|to)\b"));

/// What says that something is not as it is meant to be, which is no rule: “left of where it should be”.
static MEANT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:where|as|than|like|what|how) (?:it|they|this|that) (?:should|needs? to|must)(?: be)?\b")
});
/// What reports a fault: “the lamp does not work”, “Fatal error: …”.
static FAULT: LazyLock<Regex> = LazyLock::new(|| {
    let error = r"^\W*(?:(?:(?:php|fatal|parse|syntax|uncaught|runtime|build|compile) )*(?:error|exception)|php warning)(?: in [^:]{1,60})?:";
    let good = r"(?:work\w*|show(?:n|ing|s)?|visible|load(?:ed|ing|s)?|open(?:s|ing)?|appear\w*|display\w*|render\w*|correct|accurate|right|there|clickable|responsive|aligned|cent(?:er|re)d)";
    let not = r"(?:(?:do|does|did|is|are|was|were)(?: not|n['’]?t)|not)";
    pattern(&format!(r"(?i){error}|\b{not} (?:really |also |yet |even )?{good}\b"))
});
/// Words of a sentence that orders something beside what it reports.
static WANTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:please|must|never|always|make sure|ensure|(?:i|we) (?:want|need)|should|don['’]?t|do not|keep|only|let['’]?s|instead|avoid|prefer|needs? to|require[sd]?|rather than|no longer|stick to)\b|[,;] without\b|(?:^|[,;:.] |\b(?:and|so|but|then) )use\b",
    )
});
/// Verbs of a question that is put as an order, and the question: “Propose where each of them should go.”
static PUT: LazyLock<Regex> = LazyLock::new(|| {
    let verb = r"(?:propose|suggest|list|show(?: me)?|tell me|explain|describe|check|find out|look|see|decide|figure out|think about|recommend)";
    pattern(&format!(
        r"(?i)^\W*(?:(?:please|then|now|and|also) )*{verb} (?:[\w-]+ ){{0,3}}?(?:where|what|how|which|whether|why|who)\b[^.,;:!]*?\bshould\b"
    ))
});
/// What is done one time more.
static ONCE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\bone (?:last|more|final) time\b[^.;:!]*?\b(?:make sure|ensure)\b"));

/// Whether a sentence only reports how something behaves.
fn reports(sentence: &str) -> bool {
    FAULT.is_match(sentence) && !WANTS.is_match(&FAULT.replace_all(sentence, " "))
}

/// Whether a sentence has a cue beside phrases that ask for something once, and that say what the user lacks.
fn has_own_cue(sentence: &str) -> bool {
    if reports(sentence) {
        return false;
    }
    let told =
        [&MEANT, &PUT, &ONCE].into_iter().fold(Cow::Borrowed(sentence), |told, phrase| match phrase.is_match(&told) {
            true => phrase.replace_all(&told, " ").into_owned().into(),
            false => told,
        });
    let able = UNABLE.replace_all(&told, " ");
    let bare = if LASTING.is_match(&able) { able } else { Cow::Owned(REQUEST.replace_all(&able, " ").into_owned()) };
    constraints::has_cue(&bare)
}

/// Whether a sentence is a lasting rule by its form only, which may be a chance.
pub(super) fn is_by_form(sentence: &str) -> bool {
    is_order(sentence) && !(is_firm(sentence) && has_own_cue(sentence))
}

#[cfg(test)]
mod tests {
    use super::{is_binding, is_musing, is_of_plan, is_of_prose, is_torn};

    #[test]
    fn what_is_only_supposed_may_be_no_rule() {
        for sentence in [
            "Maybe we should use the old pump.",
            "thinking aloud: we probably don't need the pump",
            "Perhaps never light it.",
        ] {
            assert!(is_musing(sentence), "{sentence}");
        }
        for sentence in [
            "Never use the pump, maybe it leaks.",
            "Use the pump, probably.",
            "Maybe it is obvious, but never use the pump.",
            "Probably superfluous to say: always light the lamp.",
            "Perhaps it is known; the lamp must be lit.",
        ] {
            assert!(!is_musing(sentence), "{sentence}");
        }
    }

    #[test]
    fn what_is_asked_for_once_does_not_bind() {
        for sentence in [
            "I need to cancel the order of the tide tables.",
            "I understand, but I really need to find a berth.",
            "yes please add the missing harbours.",
            "ok, let's move to the next harbour.",
            "we need to mend the lamp of the mole.",
            "I want you to paint the buoys before you go on.",
            "Tag force-retarget never tested.",
        ] {
            assert!(!is_binding(sentence), "{sentence}");
        }
        for sentence in [
            "I need you to never touch the buoys.",
            "The old lamps must never be tested.",
            "Please answer in one short paragraph.",
            "Please write all commit messages in German.",
            "I want you to light the lamp from now on.",
            "please keep that style of the tables.",
            "let's use the small table instead.",
            "No blue buoys, please",
            "Please don't paint the buoys, thanks!",
            "Make sure the tide table stays as it is.",
            "I want the heights in metres only.",
            "The lamp needs to be configurable.",
        ] {
            assert!(is_binding(sentence), "{sentence}");
        }
    }

    #[test]
    fn what_reports_how_something_behaves_is_no_rule() {
        for sentence in [
            "The lamp is at the bottom and left of where it should be.",
            "The horn also does not work, it simply goes on to the next signal without a sound.",
            "Propose where each of these lamps should go.",
            "Fatal error: Cannot use quay as harbour because the name is already in use in /srv/quay.php on line 253",
            "Go through it one last time to make sure it's written as a tide table.",
        ] {
            assert!(!is_binding(sentence), "{sentence}");
        }
        for sentence in [
            "The lamp does not work, so use the small one.",
            "The lamp should not be visible from the quay.",
            "Show the tables, which should be sorted by harbour.",
            "The horn is not right, never sound it without a lamp.",
            "Error handling: return results rather than panics.",
            "Error codes: stick to the table of the harbour, without own numbers.",
            "Images that do not load need to be replaced by a grey box.",
            "Lamps that are not visible require a label on the chart.",
            "Tell me which lamps you want to touch, and you should wait for my word.",
            "Show how many lamps burn, and the count should not exceed 10.",
            "Make sure the lamp is where it should be.",
        ] {
            assert!(is_binding(sentence), "{sentence}");
        }
    }

    #[test]
    fn prose_of_a_plan_is_no_rule() {
        let plan = "Implement the following plan:\n\n# Lamps\nThe quay should use one lamp.\n- Never light two.";
        assert!(is_of_plan("The quay should use one lamp.", plan) && !is_of_plan("- Never light two.", plan));
        assert!(!is_of_plan("The quay should use one lamp.", "Mend it. The quay should use one lamp."));
    }

    #[test]
    fn rules_in_and_behind_a_plan_are_the_users() {
        let plan = "Implement the following plan:\n\n# Lamps\nThe quay should use one lamp.\n\n## Constraints\n\
            - Keep the old switches.\n\n## Steps\n1. Use the new wires.\n\nUse the small ladder only.";
        for (sentence, is_of) in [
            ("The quay should use one lamp.", true),
            ("Keep the old switches.", false),
            ("Use the new wires.", true),
            ("Use the small ladder only.", false),
        ] {
            assert_eq!(is_of_plan(sentence, plan), is_of, "{sentence}");
        }
        let prose = "Implement the following plan:\n\n## Steps\n1. Wires\n\n## Checks\n\nUse the lamp only.";
        assert!(is_of_plan("Use the lamp only.", prose), "it stands under a heading of the plan");
    }

    #[test]
    fn a_line_in_the_midst_of_a_wrapped_sentence_is_prose() {
        let before = "we have one lamp at the quay and then there is the other one which we light at dusk";
        let line = "so that the keeper should see it and maybe the ferry will be potentially use both and";
        let next = "that is how we do it at the harbour. We do want more of them";
        assert!(is_of_prose(line, &format!("{before}\n  {line}\n  {next}")));
        for other in [
            format!("{before}.\n{line}\n{next}"),
            format!("{before}\n{line}\nWe do."),
            format!("short\n{line}\n{next}"),
            line.to_owned(),
        ] {
            assert!(!is_of_prose(line, &other), "{other}");
        }
    }

    #[test]
    fn what_a_long_paragraph_says_of_a_product_is_prose() {
        let told = "Keepers need to note the tide of each quay with its time, so that the ferries of the lake are kept on the board of the harbour.";
        let paragraph = format!("{told} ").repeat(9);
        assert!(is_of_prose(told, &paragraph));
        assert!(!is_of_prose(told, &format!("{told}\n").repeat(9)), "lines of their own");
        let rule = format!("You must never {}", told.to_lowercase());
        assert!(!is_of_prose(&rule, &format!("{rule} {paragraph}")));
        assert!(!is_of_prose("Keepers need to note the tide.", &format!("Keepers need to note the tide. {paragraph}")));
    }

    #[test]
    fn pieces_of_pasted_sentences_are_torn() {
        assert!(is_torn("instead close the gate and log (or") && is_torn("handle them) so that"));
        assert!(is_torn("ensure the lamp is lit, and avoid returning from the"));
        assert!(is_torn("but keepers will always remember it.” - Maya") && !is_torn("Always say “ahoy” to keepers."));
        assert!(!is_torn("Never close the gate (it is old)."));
        assert!(!is_torn("1) Never touch the northern buoys by hand.") && !is_torn("Keep what they come from"));
    }

    #[test]
    fn questions_comments_and_announcements_do_not_bind() {
        for sentence in ["Do we need to adjust the build?", "// never call this twice", "Keep this in mind:"] {
            assert!(!is_binding(sentence), "{sentence}");
        }
        for sentence in [
            "I don't have access to the production database.",
            "Sorry, I really don’t remember the number of the order.",
            "I can't find the email with the receipt, but I know the address.",
            "Thank you so much for never giving up!",
        ] {
            assert!(!is_binding(sentence), "{sentence}");
        }
        for sentence in [
            "Required changes:",
            "## What the export must do for harbours",
            "Mandatory coverage of the tide tables (explicitly required):",
            "Keep to the following order of the harbours:",
            "continue please",
            "should we use one table for both harbours",
            "Do we need to update the tables or anything",
            "def keep_heights(table, only=None)",
            "const only = keep(heights);",
        ] {
            assert!(!is_binding(sentence), "{sentence}");
        }
        for sentence in [
            "## Never change the heights by hand",
            "Do not touch the following files:",
            "Let us use the tables; keep them short;",
            "Always run the checks of the harbour office before each export:",
            "I don't have the key, so never call the live endpoint.",
            "I don't want you to touch the parser.",
            "We don't have tests in this folder.",
            "You don't have access to the network; don't try.",
        ] {
            assert!(is_binding(sentence), "{sentence}");
        }
        for sentence in ["Can you please never push?", "Never push to main:", "Use tabs, not spaces."] {
            assert!(is_binding(sentence), "{sentence}");
        }
    }
}
