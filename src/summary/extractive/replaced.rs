//! Rules in whose place the user put another one later: “Use spaces from now on, not tabs.”, “Switch back to English.”

use super::orders::LANGUAGES;
use crate::summary::text::has_words;

/// What stands before the thing that is to be used no more.
const NO_MORE: [&str; 5] = [" not ", "instead of ", "rather than ", "no longer ", "no more "];
/// What says that an order is one.
const ORDERS: [&str; 8] = ["use", "switch", "from now on", "prefer", "go with", "ab jetzt", "verwende", "nimm"];
/// What stands before the thing that a rule says to use, and what may stand before its name.
const USES: [&str; 7] = ["use", "using", "with", "prefer", "write", "verwende", "nimm"];
const ARTICLES: [&str; 5] = ["a ", "an ", "the ", "any ", "use "];
/// Verbs of an order about the language of answers, and what says that it is new.
const SPEAKS: [&str; 10] =
    ["answer", "reply", "respond", "write", "speak", "talk", "switch", "antworte", "réponds", "responde"];

/// A sentence that puts something in the place of something else.
pub(super) struct Replacing<'a> {
    /// Which request of the user it stands in.
    request: usize,
    sentence: &'a str,
    lower: String,
}

/// The sentences that do so, among those of requests.
pub(super) fn replacing<'a>(requests: impl Iterator<Item = &'a [String]>) -> Vec<Replacing<'a>> {
    let all = requests.enumerate().flat_map(|(request, own)| own.iter().map(move |sentence| (request, sentence)));
    all.filter_map(|(request, sentence)| {
        let lower = sentence.to_lowercase().replace('’', "'");
        let tells = !lower.ends_with(['?', '？']) && !has_words(&lower, "but");
        let replaces = || thing(&lower).is_some() || language(&lower).is_some();
        (tells && replaces()).then_some(Replacing { request, sentence, lower })
    })
    .collect()
}

/// The first sentence behind a request that replaces a rule of it.
pub(super) fn replaced<'a>(rule: &str, request: usize, all: &[Replacing<'a>]) -> Option<&'a str> {
    let behind = &all[all.partition_point(|one| one.request <= request)..];
    if behind.is_empty() {
        return None;
    }
    let lower = rule.to_lowercase();
    let spoken = language(&lower);
    let is_it = |one: &&Replacing<'_>| {
        let other = || spoken.zip(language(&one.lower)).is_some_and(|(own, other)| own != other);
        thing(&one.lower).is_some_and(|thing| is_used(&lower, thing)) || other()
    };
    behind.iter().find(is_it).map(|one| one.sentence)
}

/// The one word behind “not” or “instead of” in an order.
fn thing(lower: &str) -> Option<&str> {
    ORDERS.iter().find(|words| has_words(lower, words))?;
    let (_, behind) = NO_MORE.iter().find_map(|sign| lower.split_once(sign))?;
    let name = ARTICLES.iter().fold(behind, |name, article| name.strip_prefix(article).unwrap_or(name));
    let name = name.trim_end_matches(['.', '!']).trim_end_matches(" any more").trim_end_matches(" anymore");
    (name.len() > 2 && !name.contains([' ', ',', ';', ':'])).then_some(name)
}

/// Whether a rule says to use a thing, and forbids nothing.
fn is_used(rule: &str, thing: &str) -> bool {
    let words: Vec<&str> = rule.split(|char: char| !(char.is_alphanumeric() || "-_.+#".contains(char))).collect();
    let bare = |word: &str| word.trim_end_matches('.').to_owned();
    let at = words.iter().position(|word| bare(word) == thing).and_then(|at| at.checked_sub(1));
    let uses = at.is_some_and(|before| USES.contains(&words[before]));
    uses && !["not", "never", "don't", "no", "avoid"].iter().any(|word| has_words(rule, word))
}

/// The language that an order is about.
fn language(lower: &str) -> Option<&'static str> {
    let first = lower.split(' ').take(3);
    let speaks = first.into_iter().any(|word| SPEAKS.contains(&word.trim_matches(',')));
    let named = || LANGUAGES.iter().find(|language| has_words(lower, language)).copied();
    if speaks { named() } else { None }
}

#[cfg(test)]
mod tests {
    use super::{replaced, replacing};

    #[test]
    fn a_rule_is_replaced_by_a_later_one_about_the_same() {
        let found = |rule: &str, later: &str| {
            let requests = [vec![rule.to_owned()], vec![later.to_owned()]];
            replaced(rule, 0, &replacing(requests.iter().map(Vec::as_slice))).is_some()
        };
        for (rule, later) in [
            ("Always use tabs.", "Use spaces from now on, not tabs."),
            ("Prefer yarn for all scripts.", "From now on use pnpm instead of yarn."),
            ("Answer in German from now on.", "switch back to English please"),
            ("Always reply in French.", "Reply in Polish now."),
        ] {
            assert!(found(rule, later), "{later}");
        }
        for (rule, other) in [
            ("Always use tabs.", "Use the new board, not the old one."),
            ("Never use tabs.", "Use spaces from now on, not tabs."),
            ("Always use tabs.", "Do you use spaces, not tabs?"),
            ("Answer in German from now on.", "Answer in German, and be brief."),
            ("Answer in German from now on.", "The board in English is wrong."),
            ("Keep the tabs of the board open.", "Use spaces, not tabs."),
        ] {
            assert!(!found(rule, other), "{other}");
        }
    }
}
