//! Reversed statements, found by the words around them: a line of a summary has the words of the source with one
//! negation more or less. This applies to any line, not only to rules.

use super::lines::{Line, claims};
use super::{SourceText, constraints, pattern};
use crate::facts::readable_text;
use crate::summary::without_ending;
use crate::transcript::Author;
use foldhash::fast::FixedState;
use regex::Regex;
use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use std::sync::LazyLock;

/// A reversed statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turned {
    /// Index of the text that it is in, from 0.
    pub of_text: usize,
    /// Line of that text, from 1.
    pub line: usize,
    /// The words around the place of the negation.
    pub text: String,
    /// The user instructs otherwise; if false, somebody only says otherwise, which others may dispute.
    pub of_order: bool,
}

/// Number of words compared before a place, after it, and, at the beginning of a sentence, after it alone.
const BEFORE: usize = 3;
const BEHIND: usize = 3;
const LEADING: usize = 4;
/// Letters of a significant word, and the least number of such words.
const TELLING: usize = 4;
const LEAST: usize = 2;
/// Number of words before a place that may hold its negation.
const NEAR: usize = 6;
/// Endings of verbs, and the least number of bytes left before one.
const ENDINGS: [&str; 7] = ["ies", "ied", "es", "ed", "s", "y", "e"];
const STEM: usize = 3;

/// Words that limit a sentence to a time or a condition.
static CONDITIONS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:unless|until|till|once|except|as long as|in case)\b"));
/// A mark behind what was proposed and is not done: “move the lamp to the mole (rejected)”.
static REJECTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:[(—–,:] ?| -+ )(?:was |were )?(?:rejected|declined|discarded|dismissed|turned down|ruled out|decided against|not wanted)(?:\s*[).,;:—–]|\s*$| (?:by|as|because|for|since|in favou?r)\b)",
    )
});
/// Beginnings of sentences in which the user gives a lasting instruction.
static ORDERS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:\d+[.)]\s+)?(?:please\s+)?(?:never|under no circumstances|on no account|do not|don['’]?t|always|make sure|keep|use)\b",
    )
});
/// The user speaking of what to do; in contrast, “the tests don't pass” is only a report.
static OF_ONESELF: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:i|we|you)\s+(?:do not|don['’]?t)\b"));
static THEY_DO_NOT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:do not|don['’]?t)\b"));

/// Hash state for places.
const KEYS: FixedState = FixedState::with_seed(0);

/// Phrases that mean “never”.
static NEVER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:under no circumstances|on no account|at no time)\b"));

/// Negations without “n't”.
const NEGATING: [&str; 5] = ["not", "never", "dont", "doesnt", "didnt"];
/// Auxiliaries that take the ending of a negated verb, and words that come and go with a negation.
const DOES: [&str; 4] = ["does", "did", "doesnt", "didnt"];
const CARRYING: [&str; 6] = ["do", "does", "did", "always", "ever", "please"];

/// The words of a sentence in lower case, without negations; `negated` says for each, and for the end, whether a
/// negation precedes it.
#[derive(Debug, Default, Clone)]
struct Sentence<'l> {
    words: Vec<&'l str>,
    negated: Vec<bool>,
    /// Indices of verbs after “does not”, which lack the ending that they have elsewhere.
    bare_verbs: Vec<usize>,
    /// The sentence was cut off.
    open: bool,
}

/// A sentence in lower case, as [`Sentence::of`] reads it.
fn lowered(text: &str) -> String {
    let lower = text.to_lowercase().replace('’', "'");
    if let Cow::Owned(plain) = NEVER.replace_all(&lower, "never") { plain } else { lower }
}

impl<'l> Sentence<'l> {
    fn of(lower: &'l str) -> Self {
        let mut sentence = Self { open: lower.trim_end().ends_with('…'), ..Self::default() };
        let (mut negated, mut does) = (false, false);
        let inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '\'');
        for word in lower.split(|letter| !inside(letter)).map(|word| word.trim_matches('\'')) {
            let (bare, negates) = match word.strip_suffix("n't") {
                Some("ca") => ("can", true),
                Some("wo") => ("will", true),
                Some(verb) => (verb, true),
                None if word == "cannot" => ("can", true),
                None if NEGATING.contains(&word) => ("", true),
                None => (word, false),
            };
            if !bare.is_empty() && !CARRYING.contains(&bare) {
                if std::mem::take(&mut does) && negated {
                    sentence.bare_verbs.push(sentence.words.len());
                }
                sentence.words.push(bare);
                sentence.negated.push(std::mem::take(&mut negated));
            }
            does |= DOES.contains(&word.trim_end_matches("n't"));
            negated ^= negates;
        }
        sentence.negated.push(negated);
        sentence
    }

    /// The given number of words before a place, and those after it; `None` if they are too few to compare.
    fn around(&self, at: usize, before: usize) -> Option<(&[&'l str], &[&'l str])> {
        let behind = if before == 0 { LEADING } else { BEHIND };
        self.telling((at.checked_sub(before)?, at), at + behind)
    }

    /// The words that identify a place: those after it, and up to `BEFORE` words before it.
    fn place(&self, at: usize) -> Option<(&[&'l str], &[&'l str])> {
        self.around(at, at.min(BEFORE))
    }

    fn telling(&self, (start, at): (usize, usize), end: usize) -> Option<(&[&'l str], &[&'l str])> {
        if end > self.words.len() && self.open {
            return None;
        }
        let (before, behind) = self.words[start..end.min(self.words.len())].split_at(at - start);
        let telling = before.iter().chain(behind).filter(|word| word.chars().count() >= TELLING).count();
        (telling >= LEAST && !behind.is_empty() && before.len() + behind.len() >= BEFORE).then_some((before, behind))
    }

    /// Whether a negation is directly before a place, or up to `NEAR` words before it.
    fn is_near(&self, at: usize) -> bool {
        self.negated[at.saturating_sub(NEAR)..=at].iter().any(|negated| *negated)
    }
}

/// How the source states something: with a negation, or without (`plain`).
#[derive(Debug, Default, Clone, Copy)]
struct Known {
    negated: bool,
    plain: bool,
    /// The user instructs it.
    ordered: bool,
    /// It holds for a time only, or the user only reports it, so it may have changed.
    passing: bool,
}

impl Known {
    fn with(self, other: Self) -> Self {
        Self {
            negated: self.negated || other.negated,
            plain: self.plain || other.plain,
            ordered: self.ordered || other.ordered,
            passing: self.passing || other.passing,
        }
    }
}

/// Returns the lines of the texts of a summary that state with a negation what the source states only without one, or
/// the reverse. The source is read once for all texts.
pub fn turned(texts: &[&str], source: &SourceText<'_>) -> Vec<Turned> {
    let of_line = |(of_text, line): (usize, Line<'_>)| {
        let told = sentences(line.text).filter(|sentence| !is_list_of_names(sentence) && !REJECTED.is_match(line.text));
        let lasting = told.filter(|sentence| !CONDITIONS.is_match(sentence));
        lasting.map(|sentence| ((of_text, line.number), lowered(sentence))).collect::<Vec<_>>()
    };
    let claimed = texts.iter().enumerate().flat_map(|(at, text)| claims(text).map(move |line| (at, line)));
    let lines: Vec<((usize, usize), String)> = claimed.flat_map(of_line).collect();
    let lines: Vec<_> = lines.iter().map(|(place, lower)| (*place, Sentence::of(lower))).collect();
    let mut places = Places::of(&lines);
    for message in source.messages() {
        let of_user = message.author == Author::Person;
        for text in message.parts.iter().map(readable_text) {
            text.lines().flat_map(sentences).for_each(|sentence| places.learn(sentence, of_user));
        }
    }
    let wrong = |&((of_text, line), ref one): &((usize, usize), Sentence<'_>)| {
        places.turned(one).map(|(text, of_order)| Turned { of_text, line, text, of_order })
    };
    lines.iter().filter_map(wrong).collect()
}

/// What the source says at the places of a summary.
#[derive(Debug, Default)]
struct Places<'l> {
    /// The words of the summary: a place with another one is none of its places.
    words: HashSet<&'l str>,
    known: HashMap<u64, Known>,
    /// By verb stems, for places where the summary says “does not live”.
    negated: HashMap<u64, Known>,
    /// By verb stems, for places where it says “lives”; only statements of the source with “does not” are added.
    plain: HashMap<u64, Known>,
}

impl<'l> Places<'l> {
    fn of(lines: &[((usize, usize), Sentence<'l>)]) -> Self {
        let mut places = Self::default();
        places.words.extend(lines.iter().flat_map(|(_, one)| &one.words));
        for (_, one) in lines {
            for (at, place) in (0..one.words.len()).filter_map(|at| Some((at, one.place(at)?))) {
                places.known.insert(key(place), Known::default());
                match (one.negated[at], one.bare_verbs.contains(&at)) {
                    (true, true) => places.negated.insert(verb_key(place), Known::default()),
                    (true, false) => None,
                    (false, _) => places.plain.insert(verb_key(place), Known::default()),
                };
            }
        }
        places
    }

    /// Records how a sentence of the source states the places of the summary.
    fn learn(&mut self, text: &str, of_user: bool) {
        let lower = lowered(text);
        let sentence = Sentence::of(&lower);
        let is_known: Vec<bool> = sentence.words.iter().map(|word| self.words.contains(word)).collect();
        // Of the sentence as a whole, so that a long one is searched once.
        let orders = LazyCell::new(|| of_user && ORDERS.is_match(text));
        let passes = LazyCell::new(|| CONDITIONS.is_match(text) || of_user && only_reports(text));
        for at in 0..sentence.words.len() {
            let is_bare = sentence.bare_verbs.contains(&at);
            // Only a verb may have another form in the summary.
            let nearest = is_known[..at].iter().rev().take(BEFORE).take_while(|known| **known).count();
            let follows = is_known.get(at + 1).is_none_or(|known| *known);
            for place in (0..=nearest).filter(|_| follows).filter_map(|before| sentence.around(at, before)) {
                let own = if is_known[at] { self.known.get_mut(&key(place)) } else { None };
                let negated = if self.negated.is_empty() { None } else { self.negated.get_mut(&verb_key(place)) };
                let plain = if is_bare { self.plain.get_mut(&verb_key(place)) } else { None };
                for known in [own, negated, plain].into_iter().flatten() {
                    known.negated |= sentence.is_near(at);
                    known.plain |= !sentence.negated[at];
                    known.ordered |= *orders;
                    known.passing |= *passes;
                }
            }
        }
    }

    /// The words of the first reversed place in a sentence, and whether the user instructs otherwise.
    fn turned(&self, sentence: &Sentence<'_>) -> Option<(String, bool)> {
        (0..sentence.words.len()).find_map(|at| {
            let place = sentence.place(at)?;
            let own = self.known.get(&key(place)).copied().unwrap_or_default();
            let by_verb = if sentence.negated[at] { &self.negated } else { &self.plain };
            let known = own.with(by_verb.get(&verb_key(place)).copied().unwrap_or_default());
            let turned = match sentence.negated[at] {
                true => known.plain && !known.negated,
                false => known.negated && !known.plain,
            };
            (turned && !known.passing).then(|| ([place.0, place.1].concat().join(" "), known.ordered))
        })
    }
}

/// Whether a sentence of the user only reports how something is, rather than how it must be.
fn only_reports(text: &str) -> bool {
    let tells = || constraints::has_cue(&THEY_DO_NOT.replace_all(text, " "));
    !ORDERS.is_match(text) && !OF_ONESELF.is_match(text) && !tells()
}

/// Hash of a place.
fn key(place: (&[&str], &[&str])) -> u64 {
    KEYS.hash_one(place)
}

/// Hash of a place with its verb's stem, as the verb has another ending after “does not”: “lives”, “does not live”.
fn verb_key((before, behind): (&[&str], &[&str])) -> u64 {
    let (verb, rest) = behind.split_first().map_or(("", behind), |(verb, rest)| (stem(verb), rest));
    KEYS.hash_one((before, verb, rest))
}

/// A word without its verb ending; “passes”, “passed” and “pass” share a stem, as do “moves” and “move”.
fn stem(word: &str) -> &str {
    if word.ends_with("ss") { word } else { without_ending(word, &ENDINGS, STEM) }
}

/// Whether a clause only lists names: “has quay.env, lamp_ready, pier/lamp.js”. Words next to each other in it were not
/// next to each other in what it lists.
pub(super) fn is_list_of_names(clause: &str) -> bool {
    let is_name = |piece: &str| {
        let inner =
            piece.chars().zip(piece.chars().skip(1)).any(|(one, next)| one.is_lowercase() && next.is_uppercase());
        inner || piece.trim_end_matches(['.', '…']).contains(['_', '.', '/', '-', '`', '('])
    };
    // A name whose beginning is cut (“…/quay/lamp.rs”) ends the clause before it.
    let clause = clause.trim().trim_end_matches(',');
    let (first, rest) = clause.split_once(", ").unwrap_or((clause, ""));
    let mut last = rest.split(", ").map(|piece| piece.trim().trim_start_matches("and "));
    let names = [first.split_whitespace().next_back().unwrap_or_default()].into_iter().chain(last.clone());
    last.all(|piece| !piece.is_empty() && !piece.contains(char::is_whitespace))
        && names.filter(|name| is_name(name)).count() > 1
}

/// Splits a line into sentences and clauses.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    constraints::split(line).flat_map(|sentence| sentence.split([';', ':', '“', '”', '"', '(', ')']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::source::on_said;

    fn found(said: &str, summary: &str) -> usize {
        on_said(said, |source| turned(&[summary], source).len())
    }

    const SAID: &str = "Never touch the lamp of the mole. The harbour tables should be sorted by height.\n\
        the lamps must not be lit before dusk, and we don't need rusty buoys any more";

    #[test]
    fn the_same_words_with_a_negation_more_or_less_were_turned_round() {
        for line in [
            "- Touch the lamp of the mole.",
            "- Always touch the lamp of the mole.",
            "The harbour tables should not be sorted by height.",
            "- User: “the lamps must be lit before dusk”",
            "we need rusty buoys any more",
        ] {
            assert_eq!(found(SAID, line), 1, "{line}");
        }
        for (said, turned) in [
            ("The conversion lives in to_local_time.", "The conversion does not live in to_local_time."),
            ("The gauge does not pass the wall of the quay.", "The gauge passes the wall of the quay."),
            ("The importer moved the heights to the table.", "The importer didn't move the heights to the table."),
            ("The office does not carry the lamps home.", "The office carries the lamps home."),
        ] {
            // A state that a user reports may have changed since.
            let found = |said, summary| found(&format!("Make sure of it: it must be so that {said}"), summary);
            assert_eq!((found(said, turned), found(said, said), found(turned, turned)), (1, 0, 0), "{turned}");
        }
    }

    #[test]
    fn what_was_proposed_and_rejected_is_not_turned_round() {
        for line in
            ["- Ideas: touch the lamp of the mole (rejected)", "- Touch the lamp of the mole – declined by the user"]
        {
            assert_eq!(found(SAID, line), 0, "{line}");
        }
        for line in [
            "- Touch the lamp of the mole (the rejected buoys are old)",
            "- Touch the lamp of the mole: rejected buoys are old",
            "- Touch the lamp of the mole of the auto-declined buoys",
        ] {
            assert_eq!(found(SAID, line), 1, "{line}");
        }
    }

    #[test]
    fn names_in_a_list_are_no_statement() {
        let said = "fail(env, 'workspace_not_ready', 'Workspace must be ready')";
        let listed = "- `src/deploy.test.ts` — read; has process.env, workspace_ready, workspace/deploy.js";
        assert_eq!(found(said, listed), 0);
        assert!(is_list_of_names("has complex_model, nested_matrix, expected_cm, "), "what follows is cut");
        let told = "Never keep the lamp_table of the quay, the pier_map and the mole.rs in one file.";
        assert_eq!(found(told, "- Keep the lamp_table of the quay, the pier_map and the mole.rs in one file."), 1);
    }

    #[test]
    fn the_same_words_say_the_same_in_any_form() {
        for line in [
            "- Don't touch the lamp of the mole.",
            "Do not touch the lamp of the mole",
            "The harbour tables should always be sorted by height",
            "the lamps must not be lit before dusk",
            "No buoys must be lit before noon",
            "The tables are not sorted yet",
        ] {
            assert_eq!(found(SAID, line), 0, "{line}");
        }
        for (reported, mended) in [
            ("The export tests do not pass on Windows.", "The export tests pass on Windows."),
            ("The lamp of the mole is not visible at night.", "The lamp of the mole is visible at night again."),
            (
                "Do not merge the branch of the harbour until it is green.",
                "Merge the branch of the harbour once it is green.",
            ),
        ] {
            assert_eq!(found(reported, mended), 0, "{mended}");
        }
        let both = "Touch the lamp of the mole now. Never touch the lamp of the mole again.";
        assert_eq!(found(both, "- Touch the lamp of the mole"), 0);
        let rule = "Under no circumstances restart the lamp server at night.";
        assert_eq!(
            (found(rule, "Restart the lamp server at night."), found(rule, "Never restart the lamp server at night.")),
            (1, 0)
        );
        assert_eq!(found("You never ever may touch the lamp of the mole", "Never touch the lamp of the mole"), 0);
    }
}
