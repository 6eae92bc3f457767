//! Rules of earlier summaries: which are carried beside those of the head, and their rank.

use super::Prior;
use super::merge::LEFT_OUT;
use crate::summary::extractive::{LATER, is_rule, sentences, weight};
use crate::summary::items::Item;
use crate::summary::template::SectionSource;
use crate::summary::text::{contains_any, key};
use foldhash::HashSet;

/// Minimum weight of an instruction, even without a known cue.
const LIGHT: i64 = 2;
/// Rank lost for being older than the head: less than a point of weight, otherwise remarks would displace rules over
/// five compactions.
const AGE: i64 = 5;
/// Divisor for rules that a model of another system wrote: it paraphrases the user at length.
const FOREIGN: i64 = 2;
/// Signs of omitted words.
const OMISSIONS: [&str; 2] = ["...", "…"];

/// Adds the rules of earlier summaries to those of the head, without those that only repeat another in quotes, with a
/// remark or shortened.
pub(super) fn merge(instructions: &mut Vec<Item>, prior: &Prior) {
    let lines: Vec<_> = prior.lines.iter().filter(|line| line.source == SectionSource::Instructions).collect();
    let bare = |line: &str| user_words(line) == line;
    let mut told: HashSet<String> = instructions.iter().map(|item| key(&item.text)).collect();
    told.extend(lines.iter().filter(|line| bare(&line.text)).map(|line| key(&line.text)));
    let all = || instructions.iter().map(|item| &*item.text).chain(lines.iter().map(|line| &*line.text));
    let whole: Vec<String> = if lines.iter().any(|line| is_abridged(&line.text)) {
        all().filter(|text| !is_abridged(text)).map(letters).collect()
    } else {
        Vec::new()
    };
    let ended: HashSet<String> = instructions.iter().filter_map(|item| ended(&item.text)).map(key).collect();
    for line in lines {
        if is_abridged(&line.text) && is_within(user_words(&line.text), &whole) || ended.contains(&key(&line.text)) {
            continue;
        }
        if bare(&line.text) || !is_told(user_words(&line.text), &mut told) {
            let lost = if line.left_out { LEFT_OUT } else { AGE };
            let rank = weight(&line.text).max(LIGHT) * 10 / if line.foreign { FOREIGN } else { 1 } - lost;
            instructions.push(Item::carried(without_open_quote(&line.text).to_owned(), rank));
        }
    }
}

/// A rule that a later request ended, without what we say of that.
fn ended(rule: &str) -> Option<&str> {
    rule.split_once(LATER).map(|(rule, _)| rule)
}

/// Whether a line omits words.
fn is_abridged(line: &str) -> bool {
    contains_any(line, &OMISSIONS)
}

/// Whether all pieces of a shortened text occur in order in one of the lines.
fn is_within(words: &str, whole: &[String]) -> bool {
    let pieces = words.split(OMISSIONS[0]).flat_map(|piece| piece.split(OMISSIONS[1])).map(letters);
    let pieces: Vec<String> = pieces.filter(|piece| !piece.is_empty()).collect();
    let behind = |rest: &str, piece: &String| rest.find(piece.as_str()).map(|at| at + piece.len());
    let holds = |line: &String| pieces.iter().try_fold(0, |at, piece| Some(at + behind(&line[at..], piece)?)).is_some();
    !pieces.is_empty() && whole.iter().any(holds)
}

/// The letters and digits of a text, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether all rules in a text are in `told` already; adds their keys to it.
fn is_told(words: &str, told: &mut HashSet<String>) -> bool {
    let rules: Vec<String> =
        sentences(words).iter().filter(|sentence| is_rule(sentence)).map(|rule| key(rule)).collect();
    let all = if rules.is_empty() { vec![key(words)] } else { rules };
    let new = all.into_iter().filter(|rule| told.insert(rule.clone())).count();
    new == 0
}

/// A line without a quote before it that nothing closes: its end was cut.
fn without_open_quote(line: &str) -> &str {
    let rest = line.strip_prefix(['"', '“']);
    rest.filter(|rest| !rest.contains(['"', '”'])).unwrap_or(line)
}

/// The user's words in a line: without quotes, the words before them, and a bracketed remark after them.
pub(super) fn user_words(line: &str) -> &str {
    let line = without_remark(line);
    quote(line).unwrap_or(line)
}

/// A quote without the bracketed remark after it; in other text the brackets may hold an exception and stay.
fn without_remark(text: &str) -> &str {
    let inside = text.strip_suffix(')').and_then(|inside| inside.rsplit_once(" ("));
    inside
        .filter(|(before, remark)| before.ends_with(['"', '”']) && !remark.contains(')'))
        .map_or(text, |(before, _)| before)
}

/// The quote at the end of a text, if it is the whole or follows words that name the user: “User: "never push"”.
fn quote(text: &str) -> Option<&str> {
    let pairs = [('"', '"'), ('“', '”')];
    pairs.into_iter().find_map(|(open, close)| {
        let (lead, inside) = text.strip_suffix(close)?.split_once(open)?;
        let speaks = lead.is_empty() || lead.ends_with(": ") && lead.to_lowercase().contains("user");
        speaks.then_some(inside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(head: &[&str], text: &str) -> Vec<Item> {
        let mut items = head.iter().map(|rule| Item::new((*rule).to_owned(), 0, 30)).collect();
        merge(&mut items, &Prior::read(text));
        items
    }

    #[test]
    fn a_rule_that_is_quoted_stands_once() {
        let text = "## Instructions\n- \"never dredge at night\" (about the quay)\n- Never dredge at night.\n\
                    - User said: \"The pier is old. Do not paint the pier.\"\n- \"Never ring the bell.\" (twice)\n\
                    - “never ring the bell”\n";
        let told: Vec<String> = merged(&["Do not paint the pier."], text).into_iter().map(|item| item.text).collect();
        assert_eq!(told, ["Do not paint the pier.", "Never dredge at night.", "\"Never ring the bell.\" (twice)"]);
    }

    #[test]
    fn a_rule_that_has_ended_stands_once_and_a_cut_quote_is_none() {
        let text = "## Instructions\n- we need no buoys\n- \"Never dredge at night and\n";
        let told: Vec<String> =
            merged(&["we need no buoys (later: “set two buoys”)"], text).into_iter().map(|item| item.text).collect();
        assert_eq!(told, ["we need no buoys (later: “set two buoys”)", "Never dredge at night and"]);
    }

    #[test]
    fn a_rule_that_leaves_words_out_gives_way_to_the_whole_one() {
        let text = "## Instructions\n- \"never dredge at night... mind the fish below...\"\n- Always ring the bell before…\n\
                    - Do not paint … the quay, never sail\n- Never sail … the ferry is in.\n";
        let head = [
            "Before all else, never dredge at night but mind the fish below.",
            "Always ring the bell before the ferry is in.",
        ];
        let told: Vec<String> = merged(&head, text).into_iter().map(|item| item.text).collect();
        let others = ["Do not paint … the quay, never sail", "Never sail … the ferry is in."];
        assert_eq!(told, [&head[..], &others].concat());
    }

    #[test]
    fn a_remark_is_no_part_of_a_rule_but_what_it_says_besides_stays() {
        assert_eq!(user_words("\"Never push\" (to main)"), "Never push");
        for whole in [
            "Never push (to main)",
            "Always end with the word: \"done\"",
            "(never push)",
            "Call `push()`",
            "Never say \"push\" or \"pull\" here",
            "The sign says \"never push\"",
        ] {
            assert_eq!(user_words(whole), whole);
        }
        assert_eq!(merged(&["Never push."], "## Instructions\n- \"Never push. Always ring twice.\"\n").len(), 2);
    }

    #[test]
    fn a_rule_that_a_model_wrote_weighs_less_than_that_of_the_user() {
        let rank = |heading: &str| merged(&[], &format!("## {heading}\n- Never dredge at night.\n"))[0].rank;
        assert!(2 * rank("Constraints & Preferences") < rank("Instructions"));
        let own = "## Constraints & Preferences\n- Never dredge at night.\n## Accomplished\n- Asked: “Mend the quay”\n";
        assert_eq!(merged(&[], own)[0].rank, rank("Instructions"));
    }

    #[test]
    fn of_a_message_of_the_user_the_rules_are_told_one_by_one() {
        let text = "6. **All user messages:**\n   - \"Mend the quay. Never dredge at night. Then paint it.\"\n   - \"Never ring the bell.\"\n";
        let prior = Prior::read(text);
        assert_eq!(prior.lines(SectionSource::Instructions), ["Never dredge at night.", "Never ring the bell."]);
        assert_eq!(
            prior.lines(SectionSource::Accomplished),
            ["Asked: “Mend the quay. Never dredge at night. Then paint it.”"]
        );
        let text = "6. All user messages:\n   - \"is the quay dry\" (must be answered next)\n   - The prompt: \"This session is \
                    being continued from a previous conversation. Please go on without asking.\"\n";
        let prior = Prior::read(text);
        assert_eq!(prior.lines(SectionSource::Instructions), [""; 0]);
        assert_eq!(prior.lines(SectionSource::Accomplished), ["Asked: “is the quay dry” (must be answered next)"]);
    }
}
