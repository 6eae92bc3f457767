//! Rules of several clauses, which a summary may tell one by one, or without what gives the reason for them: “do not push
//! and do not touch the tests”, “that does not fit, as I do not want to fly at night”.

use super::forbidding::BANS;
use super::orders::is_order;
use crate::measure::constraints::{content_words, has_cue};
use crate::measure::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// What joins a rule to what is before it, and the beginning of the rule.
static NEXT: LazyLock<Regex> = LazyLock::new(|| {
    let join = r"(?:[,;:.]? (?:and|but|or|nor|as|so|since|because)|[,;:]| [—–-])(?: (?:also|please|then))* ";
    let who = r"(?:(?:i|we|you|he|she|they) (?:really |also |just )?)?";
    let cues = concat!(
        r"do not|don['’]?t|does not|doesn['’]?t|never|must|should|may not|cannot|can['’]?t|no|avoid|always|only|use|keep",
        r"|make sure|ensure|prefer|want|need"
    );
    pattern(&format!(r"(?i){join}({who}(?:{cues}|{DOES})\b)"))
});
/// Verbs with which a clause without any other cue orders something.
const DOES: &str = r"(?:ask|tell|warn|notify|check with|consult) (?:me|us|first)|stick|stay|write|run|leave|follow|stop|wait|answer|reply|report|document|log|test|name|put";
static ORDERS: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?i)^(?:{DOES})\b")));
/// Verbs that order something where no clause before them forbids; behind a ban they may be forbidden, too.
static BARE: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?i)^(?:use|keep|prefer|{DOES})\b")));
/// What joins the last of several things: “never a, b or c”.
static EITHER: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:or|nor)\b"));
/// What begins another rule, whatever stands before it.
static ANEW: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\band\b|;"));
/// Least number of content words of a clause: fewer tell nothing alone.
const LEAST: usize = 2;
/// First words of a clause that limits the rule beside it.
const LIMITS: [&str; 9] = ["after", "before", "for", "if", "in", "unless", "until", "when", "while"];

/// The clauses of a sentence that are rules, each without what joins it to the one before; empty if the sentence has
/// only one clause, or one that tells nothing alone.
pub(super) fn rules(sentence: &str) -> Vec<&str> {
    let joins = joins(sentence);
    let starts = [0].into_iter().chain(joins.iter().map(|(_, start)| *start));
    let ends = joins.iter().map(|(end, _)| *end).chain([sentence.len()]);
    let all: Vec<&str> = starts.zip(ends).map(|(start, end)| &sentence[start..end]).collect();
    // What is asked for before a rule may be done once.
    let is_rule = |at: usize, clause: &str| has_cue(clause) || is_order(clause) || at > 0 && ORDERS.is_match(clause);
    let (mut rules, mut others): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for (at, clause) in all.iter().copied().enumerate() {
        if is_rule(at, clause) { rules.push(clause) } else { others.push(clause) }
    }
    let first = |clause: &str| clause.split_whitespace().next().unwrap_or_default().to_lowercase();
    let limited = others.iter().any(|clause| LIMITS.contains(&&*first(clause)));
    let whole = all.len() > 1 && !limited && rules.iter().all(|clause| content_words(clause).len() >= LEAST);
    if whole { rules } else { Vec::new() }
}

/// Whether another rule begins behind the first word of a clause.
pub(super) fn has_another(clause: &str) -> bool {
    let start = clause.find(char::is_alphanumeric).unwrap_or(clause.len());
    NEXT.is_match(&clause[start..]) || ORDERS.is_match(&clause[start..])
}

/// Where clauses end, and the next ones begin. A verb in a list behind a ban begins none: “never push, write to the log
/// or run the tests”.
fn joins(sentence: &str) -> Vec<(usize, usize)> {
    let found = NEXT.captures_iter(sentence).filter_map(|found| Some((found.get(0)?.start(), found.get(1)?.start())));
    let all: Vec<(usize, usize)> = found.collect();
    let is_bare = |start: usize| BARE.is_match(&sentence[start..]);
    let either = |(end, start): &(usize, usize)| is_bare(*start) && EITHER.is_match(&sentence[*end..*start]);
    let is_list = all.iter().any(either);
    let begins = |join: &(usize, usize)| {
        let (end, start) = *join;
        let is_order = is_list || ORDERS.is_match(&sentence[start..]);
        let forbidden = || BANS.is_match(&sentence[..end]) && !ANEW.is_match(&sentence[end..start]);
        !is_bare(start) || !(either(join) || is_order && forbidden())
    };
    all.iter().copied().filter(begins).collect()
}

#[cfg(test)]
mod tests {
    use super::rules;

    #[test]
    fn each_rule_of_a_sentence_is_one_of_its_own() {
        let three = "Do not ring the bell, do not touch the lamps, and use harbour oil only.";
        assert_eq!(rules(three), ["Do not ring the bell", "do not touch the lamps", "use harbour oil only."]);
        let asked = "Use harbour oil only through the old pump, and ask me before you add a lamp.";
        assert_eq!(rules(asked), ["Use harbour oil only through the old pump", "ask me before you add a lamp."]);
        let plain = "Never touch the old pump; write the tide tables first and stick to the style of the harbour.";
        let clauses = ["Never touch the old pump", "write the tide tables first", "stick to the style of the harbour."];
        assert_eq!(rules(plain), clauses);
        let kept = "Never touch the old pump, use harbour oil only.";
        assert_eq!(rules(kept), ["Never touch the old pump", "use harbour oil only."]);
        let reason = "Neither boat is right for me as I don't want to leave before noon.";
        assert_eq!(rules(reason), ["I don't want to leave before noon."]);
        for one in [
            "Never touch the lamps, the bell and the quay.",
            "Do not ring the bell.",
            "Use tabs, never.",
            "If the bell rings, do not touch the lamps.",
            "Do not commit, and use tabs only.",
            "Never commit the raw tables, write to the harbour database, or run the night migrations.",
            "Never touch the lamps, use the old pump, or keep the night tables.",
            "Do not delete the tide tables, leave the lamp burning at night or run the bell without me.",
            "Never touch the raw tables, test the old pump or report to the harbour master.",
        ] {
            assert!(rules(one).is_empty(), "{one}: {:?}", rules(one));
        }
    }
}
