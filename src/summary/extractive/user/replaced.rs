//! Limits and languages that a later sentence replaced: “at most 400 words”, “make it 600 words instead”; “answer in
//! English”, “from now on answer in German”; choices against what somebody else asks for.

use super::withdrawn::{MOST, STEM, matter};
use crate::summary::extractive::sentences::cues::begins;
use crate::summary::extractive::sentences::orders::LANGUAGES;
use crate::summary::extractive::sentences::sieve::AnyOf;
use crate::summary::extractive::words::{
    ANSWERING, AROUND_LIMITS, BEFORE_HOUR, CHINESE_DIGITS, CURRENCIES, FORBIDS, FROM_HOUR, FROM_NOW, GIVES_WAY, HOURS,
    LIMITED, LIMITS_TO, NOW, REPLACES, UNITS, WITHIN,
};
use crate::summary::text::{QUESTION_MARKS, each_word, has_any, has_digit, has_words, is_dense};
use foldhash::HashSet;
use std::sync::LazyLock;

/// What a language is a value of.
const LANGUAGE: &str = "language";
/// What an hour is a value of.
const HOUR: &str = "hour";

static GIVING_WAY: AnyOf = AnyOf::new(GIVES_WAY);
/// Words with which a sentence sets a value for good.
static ANEW: [AnyOf; 3] = [AnyOf::new(FROM_NOW), AnyOf::new(NOW), AnyOf::new(REPLACES)];

/// The first letters of words that say nothing of what is limited.
static AROUND: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let lists = [AROUND_LIMITS, LIMITS_TO, WITHIN, GIVES_WAY, INTERJECTIONS];
    let all = lists.into_iter().flatten().flat_map(|phrase| each_word(phrase));
    all.map(|word| word.chars().take(STEM).collect()).collect()
});
/// Words with which a user begins to give way.
const INTERJECTIONS: &[&str] = &["alors", "bueno", "dobra", "dobrze", "egal", "neyse", "ладно", "хорошо", "гаразд"];

/// A value that a rule sets, of which only the newest holds.
pub(super) struct Term {
    /// The unit of a limit, or [`LANGUAGE`].
    kind: String,
    value: String,
    /// What is limited.
    about: HashSet<String>,
}

impl Term {
    /// The value that a lower-case sentence sets.
    pub(super) fn of(lower: &str) -> Option<Self> {
        if has_any(lower, ANSWERING) {
            let language = each_word(lower).rev().find(|word| LANGUAGES.contains(word))?;
            return Some(Self { kind: LANGUAGE.into(), value: language.into(), about: HashSet::default() });
        }
        let has_number = lower.contains(|char: char| char.is_ascii_digit() || CHINESE_DIGITS.contains(&char));
        if !has_number || !(has_any(lower, LIMITS_TO) || has_any(lower, WITHIN) || has_any(lower, LIMITED)) {
            return None;
        }
        let (value, kind) = counted(lower)?;
        let unit = |topic: &String| UNITS.iter().any(|unit| unit.chars().take(STEM).eq(topic.chars()));
        let digits = |topic: &String| has_digit(topic);
        let about = matter(lower).into_iter().filter(|topic| !AROUND.contains(topic) && !unit(topic) && !digits(topic));
        // In scripts without spaces, pairs of signs are of the limit itself.
        let about = if lower.contains(is_dense) { HashSet::default() } else { about.collect() };
        Some(Self { kind, value, about })
    }

    /// The hour before which a lower-case rule forbids something.
    pub(super) fn hour(lower: &str) -> Option<Self> {
        let value = if has_any(lower, FORBIDS) { hour_behind(lower, BEFORE_HOUR) } else { None };
        let value = value.or_else(|| if has_words(lower, "asla") { turkish_hour(lower, "önce") } else { None });
        value.map(|value| Self { kind: HOUR.into(), value, about: HashSet::default() })
    }

    /// The value that a lower-case sentence sets anew, for good.
    pub(super) fn anew(lower: &str) -> Option<Self> {
        let gives_way = GIVING_WAY.is_said_in(lower);
        let lasts = gives_way || ANEW.iter().any(|list| list.is_said_in(lower));
        let hour = || {
            let value = hour_behind(lower, FROM_HOUR).or_else(|| turkish_hour(lower, "sonra"));
            value.filter(|_| gives_way).map(|value| Self { kind: HOUR.into(), value, about: HashSet::default() })
        };
        if lower.ends_with(QUESTION_MARKS) || !lasts { None } else { Self::of(lower).or_else(hour) }
    }

    /// Whether two sentences set the same value.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        let shares = self.about.is_empty() || other.about.is_empty() || !self.about.is_disjoint(&other.about);
        self.kind == other.kind && shares
    }

    /// Whether it counts in a unit.
    pub(super) fn is_of(&self, unit: &str) -> bool {
        self.kind == unit
    }

    /// Whether it is this number.
    pub(super) fn is_worth(&self, number: &str) -> bool {
        self.value == number
    }

    /// Whether they set it to the same.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

/// The hour behind one of these words, if nothing but a word for hours follows it, or a few that give way.
fn hour_behind(lower: &str, before: &[&str]) -> Option<String> {
    before.iter().filter(|word| has_words(lower, word)).find_map(|word| {
        let (_, rest) =
            lower.match_indices(*word).map(|(at, _)| lower.split_at(at + word.len())).find(|(_, rest)| {
                rest.starts_with(' ') && rest.trim_start().starts_with(|char: char| char.is_ascii_digit())
            })?;
        let rest = rest.trim_start();
        let (number, behind) = rest.split_at(rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(rest.len()));
        let behind = behind.strip_prefix(":00").unwrap_or(behind).trim_start();
        let ends = behind.starts_with([',', '.', '!', ';']) || behind.is_empty();
        let named = HOURS.iter().chain(GIVES_WAY).chain(&["is", "ya", "já", "già"]).any(|word| begins(behind, word));
        let hour = number.parse::<u8>().is_ok_and(|hour| hour <= 24);
        (hour && (ends || named)).then(|| number.to_owned())
    })
}

/// The hour before such a word in Turkish: “9'dan önce”.
fn turkish_hour(lower: &str, behind: &str) -> Option<String> {
    let (before, _) = lower.split_once(behind)?;
    let (number, ending) = before.trim_end().rsplit(' ').next()?.split_once(['\'', '’'])?;
    let fits = ["den", "dan", "ten", "tan"].contains(&ending) && number.parse::<u8>().is_ok_and(|hour| hour <= 24);
    fits.then(|| number.to_owned())
}

/// The first number with a unit, and the unit without its plural: “900”, “euro”.
pub(super) fn counted(lower: &str) -> Option<(String, String)> {
    let mut rest = lower;
    let is_digit = |char: char| char.is_ascii_digit() || CHINESE_DIGITS.contains(&char);
    while let Some(at) = rest.find(is_digit) {
        let sign = rest[..at].trim_end().chars().next_back().filter(|sign| CURRENCIES.contains(sign));
        let behind = &rest[at..];
        let end = behind.find(|char: char| !is_digit(char) && ![',', '.', '万', '만'].contains(&char));
        let (number, behind) = behind.split_at(end.unwrap_or(behind.len()));
        let next = behind.trim_start();
        let word: String = next.chars().take_while(|char| char.is_alphabetic()).collect();
        let unit = UNITS.iter().find(|unit| *word == ***unit || !unit.is_ascii() && word.starts_with(**unit));
        let sign = sign.or_else(|| next.chars().next().filter(|sign| CURRENCIES.contains(sign)));
        let kind = unit.map(|unit| unit.trim_end_matches('s').to_owned()).or_else(|| sign.map(name));
        if let Some(kind) = kind {
            return Some((number.trim_end_matches(['.', ',']).replace([',', '.'], ""), kind));
        }
        rest = behind;
    }
    None
}

/// The unit that a sign stands for.
fn name(sign: char) -> String {
    match sign {
        '€' => "euro".into(),
        '$' => "dollar".into(),
        other => other.to_string(),
    }
}

/// Words before what somebody else asks for against the speaker's choice, and those that ask for it.
const THOUGH: [&str; 3] = ["although ", "though ", "even if "];
const ASKED_FOR: [&str; 8] =
    [" asks for ", " asks to use ", " mentions ", " requires ", " says to use ", " says ", " suggests ", " wants "];
/// Words of such a choice.
const CHOOSES: [&str; 4] = ["choose", "go with", "take", "use"];

/// The words of what a choice overrules, whether that was asked for in the same request or before: “although the paper
/// asks to use oil, use gas”.
pub(super) fn overruled(lower: &str) -> Option<Vec<String>> {
    let (before, behind) = THOUGH.iter().find_map(|word| lower.split_once(word))?;
    let (clause, rest) = behind.split_once([',', ';']).unwrap_or((behind, ""));
    let (_, thing) = ASKED_FOR.iter().find_map(|words| clause.split_once(words))?;
    let chooses = CHOOSES.iter().any(|words| has_words(before, words) || has_words(rest, words));
    let words: Vec<String> = each_word(thing).map(str::to_owned).collect();
    (chooses && (1..=MOST).contains(&words.len())).then_some(words)
}
