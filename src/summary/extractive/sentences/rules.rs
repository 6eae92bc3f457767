//! Measures how strongly a sentence of the user is an instruction, and for how long: a lasting rule, or a request of
//! the moment.

use super::bans::{forbids, forbids_in_slavic};
use super::cues::{begins, begins_any, listed, lower, weighed};
use super::described::{only_describes, without_ability};
use super::errands::{is_about_now, is_errand, limits_work};
pub(in crate::summary::extractive) use super::farewells::is_farewell;
use super::faults::is_of_faults;
use super::forbidding::is_ban_list;
use super::hedged::{asks_inside, forbids_outward, hedges, is_only_polite, only_needs, points_back};
use super::hoped::{hopes, without_hopes};
use super::orders::{Order, order};
use super::personal::is_personal_term;
use super::phrases::Phrases;
use super::questions::{is_asked, is_inverted, is_polite, without_joint, without_tag};
use super::reactions::is_reaction;
use super::remembered::{Remembered, remembered};
use super::reported::{is_account, is_symptom, lacks_knowledge, only_reports, without_attributes, without_error};
use super::structure::is_code;
use super::terms::only_tells_from_now;
use super::weighed::is_weighed;
use crate::summary::extractive::words::{
    ACCOUNTS, BANS, DIRECT, GOES_ON, I_DONT, I_REALLY_DONT, INSTRUCTION_LEAST, MID_THOUGHT, MOMENTARY, NARROW, NO_BANS,
    NODS, NOT_TOLD, OF_FROM_NOW, OF_SPEAKER, ONLY, PLEAS, QUESTIONS, ROLES, STATES, WISHED, instruction,
};
use crate::summary::text::{
    contains_any, each_word, ends_any, has_words, is_dense, replaced, starts_any, unquoted, words,
};
use memchr::memmem;
use std::cell::RefCell;
use std::sync::LazyLock;

/// Lists: what always holds, bans and duties, wishes, mere requests; what only looks like a rule; two kinds of
/// phrases that limit a rule to its request.
static USER: LazyLock<Phrases<7>> = LazyLock::new(|| {
    let list = |strength: i64| match strength {
        BAN => DUTY,
        more if more > BAN => ALWAYS,
        less if less > INSTRUCTION_LEAST => WISH,
        _ => WEAK,
    };
    let cues = weighed(instruction(), 0).map(move |(phrase, _, strength)| (phrase, list(strength), strength));
    Phrases::new(cues.chain(listed(NOT_TOLD, REMARK)).chain(listed(MOMENTARY, MOMENT)).chain(listed(NARROW, PASSING)))
});
const ALWAYS: usize = 0;
const DUTY: usize = 1;
const WISH: usize = 2;
const WEAK: usize = 3;
const REMARK: usize = 4;
const MOMENT: usize = 5;
const PASSING: usize = 6;

/// Minimum strength of a ban or duty: a question below it is no rule.
const BAN: i64 = 3;
/// Ends of the first word of a line of program output.
const ERRORS: &[&str] = &["error:", "exception:", "fatal:", "panic:"];
/// Words before an example of what to say.
const SAYS_LIKE: [&str; 3] = ["say something like", "say like", "something like:"];
/// Labels before text that does not hold (any more): “Bad: `always use …`”.
const SHOWN: [&str; 8] = ["bad:", "before:", "current:", "currently:", "instead of:", "old:", "was:", "wrong:"];
/// Minimum number of words around a quote that say something without it, and maximum of those that lead up to it.
const LEAST_OUTSIDE: usize = 3;
const LEADS: usize = 3;
/// Maximum number of words of a heading.
const HEADING: usize = 4;
/// Words that point at something below, last words of what goes on below and of headings of duties, and words that
/// forbid.
const POINTING: [&str; 4] = ["following", "below", "these", "this"];
const DANGLING: [&str; 8] = ["as", "be", "can", "for", "like", "option", "to", "with"];
const DUE: [&str; 3] = ["required", "mandatory", "needed"];
const FORBIDDING: [&str; 7] = ["never", "not", "no", "nothing", "cannot", "avoid", "without"];
/// First words of a question.
const ASKING: [&str; 6] = ["how", "what", "when", "where", "who", "why"];
/// Words of a question that reminds of a rule: “Did I not tell you to never push?”
const REMINDING: [&str; 5] = ["did i ", "didn't i ", "is it clear", "you must", "you were told"];
/// Participles behind “no …” that make it a ban.
const GRANTS: [&str; 8] = ["accepted", "allowed", "expected", "needed", "permitted", "required", "tolerated", "wanted"];
/// Beginnings of an order to have something confirmed first.
const FIRST: [&str; 4] = ["ask ", "check with ", "consult ", "talk to "];
/// The same where it says before what the agent does.
const BEFORE_YOU: [&str; 6] = ["confirm ", "describe ", "explain ", "list ", "show me ", "tell me "];
/// Two words of which the second says what comes behind the first, or holds whenever that happens.
const ORDERED: [[&str; 2]; 5] =
    [["erst", "bevor du"], ["d'abord", "avant de"], ["сначала покажи", "потом"], ["以后", "都用"], ["每次", "再"]];
/// Maximum weight of a sentence.
const HEAVY: i64 = 8;
/// Maximum number of words of a sentence that is a ban by its start or end.
pub(in crate::summary::extractive) const SHORT: usize = 8;

/// Whether a sentence of the user is a rule, not merely a request or remark.
pub(in crate::summary) fn is_rule(sentence: &str) -> bool {
    instruction_strength(sentence) > Some(INSTRUCTION_LEAST)
}

/// The strength of a sentence of the user as an instruction beyond its own request; `None` if it is none.
pub(in crate::summary) fn instruction_strength(sentence: &str) -> Option<i64> {
    let measured = measured(sentence)?;
    Some(if measured.momentary { measured.strength.min(INSTRUCTION_LEAST) } else { measured.strength })
}

/// The strength of a sentence while its request is current: “don't commit yet” binds until the next one.
pub(in crate::summary::extractive) fn strength_now(sentence: &str) -> Option<i64> {
    measured(sentence).map(|measured| measured.strength)
}

/// Whether a sentence limits itself to its own request or a part of it: “do not code yet”.
pub fn is_of_its_request(sentence: &str) -> bool {
    measured(sentence).is_some_and(|measured| measured.limits(sentence))
}

/// Whether a sentence is over with its request: a question, a report, an order that is done once, or one that limits
/// itself to it.
pub(in crate::summary::extractive) fn is_over(sentence: &str) -> bool {
    measured(sentence).is_some_and(|measured| measured.passes || measured.limits(sentence))
}

/// The sum of all cues in a sentence, at most [`HEAVY`]: ranks sentences with several wishes above those with one.
pub(in crate::summary) fn weight(sentence: &str) -> i64 {
    measured(sentence).map_or(0, |measured| measured.weight.min(HEAVY))
}

/// Whether a sentence that binds little only says what the user needs.
pub(in crate::summary::extractive) fn is_need(sentence: &str) -> bool {
    only_needs(&lower(sentence))
}

/// Whether a sentence that binds little is over with its request: it doubts, or is only polite.
pub(in crate::summary::extractive) fn is_of_the_moment(sentence: &str) -> bool {
    let lower = lower(sentence);
    hedges(&lower) || asks_inside(&lower) || is_only_polite(&lower, weight(sentence))
}

/// Whether a sentence of the user holds for good: a rule, or a short ban.
pub fn is_firm(sentence: &str) -> bool {
    is_rule(sentence) || is_short_ban(sentence, SHORT)
}

/// Whether a sentence of at most `most` words forbids or limits something: “Don't push.”
pub(in crate::summary::extractive) fn is_short_ban(sentence: &str, most: usize) -> bool {
    let dense = sentence.chars().filter(|&char| is_dense(char)).count();
    let count = words(sentence);
    (count >= 2 || dense >= 3) && count <= most && binds(sentence)
}

/// Whether a sentence is a ban or duty, not merely a wish.
fn binds(sentence: &str) -> bool {
    measured(sentence).is_some_and(|measured| measured.binds && measured.strength >= BAN)
}

thread_local! {
    static MEASURED: RefCell<Remembered<Option<Measured>>> = const { RefCell::new(Remembered::new()) };
}

/// The measured strength of a sentence.
#[derive(Clone, Copy)]
struct Measured {
    strength: i64,
    weight: i64,
    /// Whether it is a ban or duty.
    binds: bool,
    /// Whether it is a ban, duty or wish.
    strong: bool,
    /// Whether it holds for its own request only.
    momentary: bool,
    /// Whether it says so itself.
    scoped: bool,
    /// Whether it is a question that only wants to know something.
    direct: bool,
    /// Whether it is any question, a report, or an order that is done once.
    passes: bool,
}

impl Measured {
    /// Whether the sentence that was measured limits itself to its own request.
    fn limits(&self, sentence: &str) -> bool {
        let limits = |lower: &str| lower.contains("only") || limits_work(lower);
        self.scoped && (self.binds || limits(&lower(sentence)))
    }
}

/// The user's own words of a sentence in lower case: empty for program output, and without what is only quoted.
fn own(sentence: &str) -> String {
    // In lower case, the country would be an order in Spanish.
    let lower = lower(&replaced(sentence, &["USA"], "America"));
    let lower = replaced(without_error(&lower), I_REALLY_DONT, I_DONT);
    let unknown = lacks_knowledge(&lower);
    let lower = without_hopes(&lower);
    if unknown || is_account(&lower) || is_of_faults(sentence) {
        return String::new();
    }
    let lower = without_attributes(&lower);
    let lower = without_ability(&lower);
    let example = SAYS_LIKE.iter().filter_map(|words| memmem::find(lower.as_bytes(), words.as_bytes())).min();
    let lower = &lower[..example.unwrap_or(lower.len())];
    let first = lower.split_whitespace().next().unwrap_or_default();
    if ends_any(first, ERRORS) || starts_any(lower, &SHOWN) {
        return String::new();
    }
    let (outside, behind) = unquoted(lower);
    // A sentence that begins with a quote is about the quoted words.
    let only_quotes = lower.starts_with(['"', '“'])
        || words(&outside) < LEAST_OUTSIDE
        || outside.trim_end().ends_with(':') && words(&outside) <= LEADS;
    if only_quotes { lower.to_owned() } else { outside + behind }
}

/// Whether a sentence with a binding word is no rule: a heading, a line of code, a question, an account, or a mere
/// urging (“continue please”).
pub fn binds_nobody(sentence: &str) -> bool {
    let lower = lower(sentence);
    let asks = is_asked(&lower) && !is_polite(&lower) || is_account(&lower) || hopes(&lower);
    asks || only_nods(&lower) || is_heading(&lower) || is_code(sentence.trim_end_matches(';')) || is_statement(sentence)
}

/// Whether a sentence is a short question without binding words, or an account of the speaker's experience: “I've
/// never seen that on my bill.”
pub(in crate::summary::extractive) fn only_tells(sentence: &str) -> bool {
    let lower = lower(sentence);
    let text = without_joint(&lower);
    let opens = || QUESTIONS.iter().chain(&ASKING).any(|start| begins(text, start)) || is_inverted(text);
    let asks = words(text) <= SHORT && opens() && !is_polite(&lower);
    let accounts = || begins_any(text, ACCOUNTS) && !text.contains([',', '…']);
    asks && measured(sentence).is_none_or(|it| !it.strong) || accounts() && !has_words(text, "and")
}

/// Whether a lower-case text has only words that agree, urge or thank.
pub(in crate::summary::extractive) fn only_nods(lower: &str) -> bool {
    // The signs of Indian scripts belong to their words.
    let is_of_word =
        |char: char| char.is_alphanumeric() || matches!(char, '\u{900}'..='\u{963}' | '\u{966}'..='\u{dff}');
    lower.split(|char: char| !is_of_word(char)).all(|word| word.is_empty() || NODS.contains(&word))
}

/// Whether a line ends in a semicolon and has another sign of code.
fn is_statement(line: &str) -> bool {
    line.ends_with(';') && line.contains(['(', '=', '{', '<'])
}

/// Whether it only introduces something below that is missing: “Charts I'd like:”.
pub(in crate::summary::extractive) fn heads_nothing(sentence: &str) -> bool {
    let text = lower(sentence.trim_end_matches(['…', ' ']));
    let Some(lead) = text.strip_suffix(':') else { return false };
    let wants = ends_any(lead, &["'d like", " want", " need"]) || lead.starts_with("use these ");
    // “No lamp:” is a label, “Never touch these:” is a ban.
    let bans = || lead.split(' ').any(|word| ["never", "not", "dont"].contains(&word) || word.ends_with("n't"));
    let labels = !sentence.ends_with('…') && words(lead) <= HEADING && !bans();
    // Without what it points at, an order says little: “Please do the following one at a time:”
    let points = || each_word(lead).any(|word| POINTING.contains(&word)) && !binds(sentence);
    // “… the commands that I need to:”
    let dangles =
        || each_word(lead).next_back().is_some_and(|last| DANGLING.contains(&last) || ONLY.contains(&last)) && !bans();
    wants && is_heading(&text) || labels || !sentence.ends_with('…') && (points() || dangles())
}

/// Whether it is a heading of what follows and forbids nothing itself: “Required changes:”, “Keep to the following:”.
fn is_heading(lower: &str) -> bool {
    let text = lower.trim_start_matches('#');
    let (marked, announces) = (text.len() < lower.len(), text.trim_end().ends_with([':', '：']));
    let mut all = each_word(text);
    let forbids = all.clone().any(|word| FORBIDDING.contains(&word) || word.ends_with("n't"));
    let due = all.clone().next_back().is_some_and(|word| DUE.contains(&word));
    let brief = words(text) <= HEADING || due || all.any(|word| POINTING.contains(&word));
    (marked || announces && brief) && !forbids
}

/// Whether a question only wants to know something, in words of a rule: “Is there a reason to never close it?”
pub(in crate::summary::extractive) fn asks_about_rule(sentence: &str) -> bool {
    measure(sentence).is_some_and(|it| it.direct && it.strong)
}

/// The strength of a sentence, unless it only wants to know something.
fn measured(sentence: &str) -> Option<Measured> {
    measure(sentence).filter(|measured| !measured.direct)
}

/// The strength of a sentence by its cues, even if it is only a question.
fn measure(sentence: &str) -> Option<Measured> {
    remembered(&MEASURED, sentence, measured_anew)
}

fn measured_anew(sentence: &str) -> Option<Measured> {
    let lower = own(sentence);
    let [always, duty, wish, weak, remarks, moment, passing] = USER.strengths(&lower);
    let always = if always > 0 && only_tells_from_now(&lower) { (always - OF_FROM_NOW).max(0) } else { always };
    let bans = || is_ban(&lower) || is_ban_list(&lower) || forbids(&lower);
    let duty = if always + duty == 0 && bans() { BAN } else { duty };
    let by_mood = if always + duty + wish == 0 { order(&lower) } else { None };
    let (duty, wish) = match by_mood {
        Some(Order::Duty) => (BAN, wish),
        Some(Order::Wish) => (duty, INSTRUCTION_LEAST + 1),
        None => (duty, wish),
    };
    let (strong, binds) = (always + duty + wish, always + duty > 0);
    // Mere requests never add up to a rule.
    let strength = if strong > 0 { strong + weak } else { weak.min(INSTRUCTION_LEAST) };
    if strength < INSTRUCTION_LEAST || points_back(&lower) || is_weighed(&lower) {
        return None;
    }
    let asked = is_asked(without_tag(&lower)) || always == 0 && asks_inside(&lower);
    let polite = is_polite(&lower);
    // A question or remark binds less, but may still be meant.
    let personal = strong > 0 && is_personal_term(&lower);
    let wanted = personal || contains_any(&lower, WISHED);
    let asks = asked && !(polite && binds);
    let remarks = remarks > 0 || only_reports(&lower) || is_symptom(&lower) || only_describes(&lower);
    let doubts = always == 0 && !binds && hedges(&lower);
    let most = if asks || (remarks && !wanted) || doubts { INSTRUCTION_LEAST } else { i64::MAX };
    let scoped = always == 0 && (moment > 0 || is_about_now(&lower) || limits_work(&lower)) && !forbids_outward(&lower);
    let errand = is_errand(&lower) || !binds && is_reaction(&lower, strong == 0);
    let momentary = scoped || always == 0 && passing > 0 && !binds && !personal || errand;
    let weight = (strong + weak).min(most);
    let reminds = || contains_any(&lower, &REMINDING);
    let direct = asked && !polite && !reminds() && begins_any(without_joint(&lower), DIRECT);
    let passes = most == INSTRUCTION_LEAST || errand;
    let (strong, capped) = (strong > 0, strength.min(most));
    Some(Measured { strength: capped, weight, binds, strong, momentary, scoped, direct, passes })
}

/// Whether a sentence is a ban by its grammar: “No push.”, “Commit only.”, “Не пушь.”
fn is_ban(lower: &str) -> bool {
    let few = words(lower) <= SHORT;
    let words = || each_word(lower);
    // “No fixes applied.”, but not “No shortcuts allowed.”
    let last = words().next_back().unwrap_or_default();
    let applied = last.ends_with("ed") && !GRANTS.contains(&last);
    let reports = || {
        applied
            || words().any(|word| NO_BANS.contains(&word) && !(word == "the" && starts_any(lower, PLEAS)))
            || !lower.contains(',') && words().nth(1).is_some_and(|verb| OF_SPEAKER.contains(&verb))
    };
    let ends = || {
        words().next_back() == Some("only") && words().count() > 1 && !words().skip(1).any(|it| STATES.contains(&it))
    };
    let begins = || BANS.iter().any(|start| lower.strip_prefix(start).is_some_and(|rest| !rest.is_empty()));
    // “Leave the lamps alone.”, “Nothing in quay/ may be changed.”
    let named = || words().nth(1).is_some_and(|object| !["it", "that", "them", "this"].contains(&object));
    let leaves = || lower.starts_with("leave ") && words().next_back() == Some("alone") && named();
    let nothing = || lower.starts_with("nothing ") && words().any(|word| ["may", "must", "should"].contains(&word));
    // “Ask the keeper before you light it.”
    let defers = || {
        let of_agent = || has_words(lower, "before you") || has_words(lower, "before asking");
        !lower.ends_with('?')
            && (starts_any(lower, &FIRST) && has_words(lower, "before") || starts_any(lower, &BEFORE_YOU) && of_agent())
    };
    let ordered = || ORDERED.iter().any(|both| both.iter().all(|word| has_words(lower, word)) && !lower.ends_with('?'));
    let end = lower.trim_end_matches(['。', '！', '.', '!', '।']);
    few && (ends() || leaves() || end.ends_with("ないで") || begins() && !reports())
        || nothing()
        || defers()
        || ordered()
        || forbids_in_slavic(lower)
}

/// Whether a sentence says little without the one before it: “If not, use the old one.”
pub(in crate::summary::extractive) fn is_mid_thought(sentence: &str) -> bool {
    let lower = lower(sentence);
    begins_any(&lower, MID_THOUGHT) || begins_any(&lower, GOES_ON) && (!binds(sentence) || lacks_object(&lower))
}

/// Whether a ban takes its object from the sentence before it: “but don't show if there is none”.
fn lacks_object(lower: &str) -> bool {
    let mut all = each_word(lower).skip(1).skip_while(|word| ["please", "do"].contains(word));
    let forbids = all.next().is_some_and(|word| ["don't", "dont", "not", "never"].contains(&word));
    let behind = all.nth(1);
    forbids && behind.is_none_or(|word| ["if", "when", "unless", "until", "yet"].contains(&word))
}

/// Whether a sentence only assigns the reader a role: “You are a careful engineer.”
pub(in crate::summary::extractive) fn is_role(sentence: &str) -> bool {
    let lower = lower(sentence);
    let named = sentence.strip_prefix("You are ").is_some_and(|rest| rest.starts_with(char::is_uppercase));
    named || starts_any(&lower, ROLES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_with_a_colon_says_little_unless_it_forbids() {
        assert!(heads_nothing("Please execute the following plan one step at a time:"));
        assert!(heads_nothing("Once the pier stands, you must show me the lamps that I need to:"));
        assert!(!heads_nothing("Never give the ferry to:"));
        assert!(!heads_nothing("Never touch any of these lamps at night:"));
        assert!(!heads_nothing("Please keep the names of files in lower case, as the others are:"));
    }

    #[test]
    fn a_ban_without_an_object_needs_the_sentence_before_it() {
        for leaning in
            ["But don't show if there is no ice.", "but please do not light yet", "And never paint when wet."]
        {
            assert!(is_mid_thought(leaning), "{leaning}");
        }
        for whole in ["But don't show the ice.", "But never paint it when wet.", "Don't show if there is none."] {
            assert!(!is_mid_thought(whole), "{whole}");
        }
    }

    #[test]
    fn a_question_that_wants_to_know_something_is_no_instruction() {
        for asked in [
            "Does the lamp support oil, or does this require a new wick?",
            "do you think the quay was clear enough or it needs to be rebuilt?",
            "So is the gate only used at night?",
            "Can I still use an old ticket for it?",
            "Unfortunately, I don't remember the number of the ferry.",
        ] {
            assert_eq!(instruction_strength(asked), None, "{asked}");
        }
        assert!(asks_about_rule("Is there a reason to never close the gate?"));
        for meant in [
            "Is it clear that you must never push?",
            "I don't know the harbour, so don't push.",
            "Did I not tell you to never push?",
            "Shouldn't the gate always be closed?",
            "Can you never touch the gate?",
        ] {
            assert!(instruction_strength(meant).is_some(), "{meant}");
        }
    }

    #[test]
    fn rules_without_a_ban_word_are_rules() {
        for rule in [
            "Ask me before you delete anything.",
            "Under no circumstances push to main.",
            "Nothing in quay/ may be changed.",
            "Leave the lamps alone.",
            "Ask the keeper before you light anything on the pier.",
            "Hands off the tide table!",
            "Stay away from the quay.",
            "Wait for my OK before deploying.",
            "Please no lamps on the pier.",
            "Mend the lamp, not the pier.",
            "Ferries only.",
            "Lists only.",
            "Let me keep the old pier: never paint it.",
            "Never delete the logs, let's keep them.",
        ] {
            assert!(is_firm(rule), "{rule}");
        }
        for none in [
            "Leave it in the quay.",
            "Nothing is lit.",
            "The board shows ferries only.",
            "Mend the lamp, not sure how.",
            "Test fails in the port, not on the quay.",
            "Build works on main, not on my branch.",
            "Run it again, not working here.",
            "Text the pilot at noon, not urgent.",
            "Let me keep the red lamps then.",
            "The lamps look well, let's keep it.",
            "I'll keep an eye out for the ferry.",
        ] {
            assert!(!is_firm(none), "{none}");
        }
    }

    #[test]
    fn what_holds_from_now_on_is_a_rule_and_the_next_task_is_none() {
        for rule in [
            "今後は日本語で返答してください。",
            "Впредь пиши тест для каждой лампы.",
            "отвечай на русском",
            "Ab jetzt auf Deutsch.",
            "Jangan hapus lampu.",
            "Next task or not, you must never push.",
            "let's continue, and each commit should have a ticket number",
        ] {
            assert!(is_rule(rule), "{rule}");
        }
        for other in [
            "lets continue with the next task which should be 2.4",
            "今後の予定を教えてください。",
            "Пиши тест для лампы на русском причале.",
        ] {
            assert!(!is_rule(other), "{other}");
        }
    }

    #[test]
    fn a_ban_above_what_it_forbids_is_no_label() {
        assert!(
            heads_nothing("No lamp there:") && !heads_nothing("Never touch these:") && !heads_nothing("Don't touch:")
        );
    }

    #[test]
    fn instructions_are_told_from_reports_and_questions() {
        assert!(instruction_strength("Please don’t use unwrap in library code.").is_some());
        assert!(instruction_strength("Bitte niemals direkt auf main pushen.").is_some());
        assert!(instruction_strength("不要修改数据库。").is_some());
        assert_eq!(instruction_strength("I don't see the button."), Some(INSTRUCTION_LEAST));
        assert!(is_rule("I don't want any padding."));
        assert_eq!(instruction_strength("Why must it be so?"), Some(INSTRUCTION_LEAST));
        assert_eq!(instruction_strength("should we always keep it in the cache"), Some(INSTRUCTION_LEAST));
        assert!(instruction_strength("The page is blank.").is_none());
        assert!(!is_rule("The board currently never writes to the log."));
        assert_eq!(instruction_strength("pier: 22 Harbour Ave, Quay, NC 28801, USA"), None);
    }

    #[test]
    fn questions_without_their_sign_are_no_rules() {
        for asked in [
            "so should we always keep it in the map",
            "also, should the tide table never be sorted",
            "shouldn't harbours be only a list",
            "and is the board never rebuilt",
            "我应该如何做 才能看到潮汐",
        ] {
            assert!(!is_rule(asked), "{asked}");
        }
        for told in ["should be only a list", "so never sort the tide table", "should only be read"] {
            assert!(is_rule(told), "{told}");
        }
        assert!(is_rule("Should the gate be open, never close it."), "an order on a condition");
        assert!(is_rule("不管什么时候都不要关灯"), "a ban whatever happens");
    }

    #[test]
    fn what_only_reports_is_no_rule() {
        for told in [
            "The prompt never warns the ferry about the tide.",
            "`Tide` never updates, so old heights stay.",
            "Root cause: `lamp.init()` is never called.",
            "Since the table always comes first, the cache never helps.",
            "don't change anything, just let me know",
        ] {
            assert!(!is_rule(told), "{told}");
        }
        for told in [
            "The lamp must never go out.",
            "Always keep this table first.",
            "Never process the old heights.",
            "The rendering should always use the data.",
            "The table always comes first, don't sort it.",
        ] {
            assert!(is_rule(told), "{told}");
        }
    }

    #[test]
    fn words_of_others_are_no_rules() {
        for quoted in [
            "Bad: `You must run the tides before committing`",
            "Current: `When in doubt, always prefer a table.`",
            "The page says \"harbours never close\" in its head.",
            "The header of the board shows “Only use it at low tide”.",
            "There is a line `always = true` in the map.",
            "TypeError: tides must not be empty",
            "never mind, we look at it later.",
        ] {
            assert!(!is_rule(quoted), "{quoted}");
        }
        for own in [
            "Never print `tide`, it is slow.",
            "\"Never push\" (said twice)",
            "The rule is: \"never push\"",
            "Never \"push\".",
            "No \"tides\" please",
        ] {
            assert!(is_rule(own) || is_short_ban(own, SHORT), "{own}");
        }
        assert!(is_rule("Call it \"5\" tides\", and never change the map."), "a sign that ends no quote");
    }

    #[test]
    fn a_rule_that_asks_for_a_nod_is_one() {
        for rule in ["You must not edit the map, do you understand?", "The lamp must never flicker, right?"] {
            assert!(is_rule(rule) && !is_over(rule), "{rule}");
        }
        assert!(is_over("Should we always use the old map?"));
    }

    #[test]
    fn what_comes_first_is_a_rule() {
        for told in [
            "Explain each tide to me before you write it down.",
            "Bitte erst fragen, bevor du etwas malst.",
            "Сначала покажи карту, потом крась.",
            "每次修改地图时，先备份再改。",
            "以后说明都用中文写",
            "You're supposed to be reading the tides.",
            "その灯台は触らないで",
            "别用旧的地图",
            "Never do that again on your own.",
        ] {
            assert!(is_firm(told), "{told}");
        }
        assert!(!is_firm("What did I explain to you before?"));
    }

    #[test]
    fn few_words_forbid_in_many_languages() {
        let bans = [
            "Don't push.",
            "No push.",
            "Commit only.",
            "Nicht pushen.",
            "Keine Kommentare.",
            "不要 push。",
            "别再提交。",
            "Не пушь.",
            "Не трогать базу!",
            "Не чіпай базу.",
            "푸시하지 마세요.",
            "Não faça push.",
            "No toques la base.",
            "Ne touche pas au parser.",
            "Đừng push.",
            "Nie wolno pushować.",
            "pushしないで。",
        ];
        for ban in bans {
            assert!(is_short_ban(ban, SHORT), "{ban}");
        }
        for report in
            ["No problem.", "No tests were found.", "No funciona.", "Не работает.", "Only this.", "Don't.", "Никак."]
        {
            assert!(!is_short_ban(report, SHORT), "{report}");
        }
    }

    #[test]
    fn rules_are_known_in_many_languages() {
        let rules = [
            "Ничего не перезапускай без моего разрешения.",
            "В master напрямую нельзя.",
            "Завжди пиши тести.",
            "항상 한국어로 답해 주세요.",
            "main 브랜치에 직접 푸시하지 마세요.",
            "Responda sempre em português.",
            "Zawsze uruchamiaj testy.",
            "Không được sửa file cấu hình.",
            "これからは必ずテストを書いてください。",
            "Mình chọn tàu hỏa, không đi máy bay.",
            "Haus 3 hat eine Lücke, die darfst du nicht interpolieren.",
        ];
        for rule in rules {
            assert!(is_rule(rule), "{rule}");
        }
        for question in [
            "上司が不在の場合の代理承認は必要ですか。",
            "这个必须改吗？",
            "能不能改用 Redis",
            "tôi muốn giữ đèn cũ, nhưng đổi dầu thì có được ko",
            "muốn đèn cháy thì phải làm ntn",
        ] {
            assert!(!is_rule(question), "{question}");
        }
    }

    #[test]
    fn requests_of_the_moment_are_no_rules() {
        for request in
            ["Please use the new branch.", "can you use the cache instead of the file?", "please only look first"]
        {
            assert!(!is_rule(request), "{request}");
        }
        assert!(!is_rule("Don't commit yet.") && strength_now("Don't commit yet.") >= Some(BAN));
        assert!(is_rule("Can you make sure that it never blocks?") && is_rule("Always run the tests first."));
    }

    #[test]
    fn what_limits_a_step_is_of_its_request() {
        for limit in [
            "Do not paint the pier yet.",
            "Light no lamp, don't, in this step.",
            "For now work only on quay 1.",
            "Your answer must be a single number.",
        ] {
            assert!(is_of_its_request(limit), "{limit}");
        }
        for rule in ["Do not paint the pier.", "Never light a lamp in this step.", "I'd like a red lamp for now."] {
            assert!(!is_of_its_request(rule), "{rule}");
        }
    }

    #[test]
    fn a_role_is_no_request() {
        assert!(
            is_role("You are a careful engineer.")
                && is_role("You are Lina Sturm.")
                && !is_role("You are right, mend it.")
        );
    }
}
