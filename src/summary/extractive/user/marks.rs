//! Marks by which a user refers to points of a list: “option 2”, “let's do 1 and 3”, “1-3”, “C)”.

use super::options::defines_points;
use crate::summary::extractive::sentences::prose::without_marker;
use crate::summary::extractive::words::{JOINING, LEADING, NAMING, ORDINALS, PICKED, TRAILING};
use crate::summary::text::{QUESTION_MARKS, all_digits, each_word, list_number};
use std::borrow::Cow;

/// The highest number of a point, and the maximum number of points in a range.
const FARTHEST: usize = 40;
const RANGE: usize = 6;
/// Maximum number of words of a request that is only the place of a point: “the second, please”.
const FEW: usize = 4;
/// Words by which a question refers to what was said.
const POINTING: [&str; 8] = ["it", "its", "that", "them", "these", "they", "this", "those"];
/// Words before “#” and a number that may be a point.
const BEFORE_HASHES: [&str; 7] = ["about", "also", "for", "now", "on", "then", "to"];
/// Signs around amounts: “$2”, “~2”, “2%”.
const BEFORE_AMOUNTS: [char; 7] = ['$', '~', '+', '-', '<', '>', '='];
const BEHIND_AMOUNTS: [char; 2] = ['%', '+'];

/// A reference to a point.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// The number, or the letter in upper case.
    pub(super) sign: String,
    /// The word before it: “option”.
    pub(super) label: String,
    /// Whether it may be the number of an issue: “#4”.
    pub(super) hashed: bool,
    /// Whether it is the position of a point, whatever its own mark is: “the second one”.
    pub(super) by_place: bool,
}

/// The marks in a request, in order.
pub(super) fn marks(text: &str) -> Vec<Mark> {
    let outside = without_placeholders(text);
    let words: Vec<&str> = outside.split_whitespace().collect();
    // A list of the user's own is an answer point by point.
    let numbered = text.lines().filter(|line| without_marker(line.trim()).0).count() > 1;
    if !numbered && (defines_points(text) || is_numbered_question(text)) {
        return Vec::new();
    }
    let mut found: Vec<Mark> = Vec::new();
    // The label of the marks that follow: “options 1 and 3”.
    let mut series: Option<String> = None;
    for at in (0..words.len()).filter(|at| !JOINING.contains(&&*bare(words[*at]))) {
        let place = Place { words: &words, at };
        let signs = if numbered { Vec::new() } else { place.signs(series.is_some()) };
        if signs.is_empty() {
            series = None;
            continue;
        }
        let label = place.label().or(series).unwrap_or_default();
        let (hashed, by_place) = (words[at].starts_with('#'), ORDINALS.contains(&&*bare(words[at])));
        found.extend(signs.into_iter().map(|sign| Mark { sign, label: label.clone(), hashed, by_place }));
        series = Some(label);
    }
    found
}

/// Whether a text is a question with a number before it: “3. What is a tide?”, unlike “3. Is that slower?”
fn is_numbered_question(text: &str) -> bool {
    let Some((_, question)) = list_number(text.trim()) else { return false };
    let points = each_word(&question.to_lowercase()).any(|word| POINTING.contains(&word));
    question.ends_with(QUESTION_MARKS) && question.split_whitespace().count() > FEW && !points
}

/// The text without placeholders of a harness for missing content: “[Image #1]”.
fn without_placeholders(text: &str) -> Cow<'_, str> {
    if !text.contains('#') || !text.contains('[') {
        return Cow::Borrowed(text);
    }
    let mut pieces = text.split('[');
    let mut outside = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once(']').filter(|(inside, _)| inside.contains('#')) {
            Some((_, behind)) => outside.push_str(behind),
            None => outside.extend(["[", piece]),
        }
    }
    Cow::Owned(outside)
}

/// The marks of a request that is only a numbered list, answering point by point.
pub(super) fn answered(text: &str) -> Vec<Mark> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let sign = |line: &str| {
        let (digits, _) = list_number(line)?;
        number(digits).map(|number| Mark {
            sign: number.to_string(),
            label: String::new(),
            hashed: false,
            by_place: false,
        })
    };
    let marks: Vec<Mark> = lines().map_while(sign).collect();
    if marks.len() > 1 && marks.len() == lines().count() { marks } else { Vec::new() }
}

/// A word of a request.
#[derive(Clone, Copy)]
struct Place<'w> {
    words: &'w [&'w str],
    at: usize,
}

impl Place<'_> {
    fn before(self) -> String {
        self.at.checked_sub(1).map_or_else(String::new, |before| bare(self.words[before]))
    }

    /// The label before it.
    fn label(self) -> Option<String> {
        let before = self.before();
        let one = before.strip_suffix('s').unwrap_or(&before);
        NAMING.contains(&one).then(|| one.to_owned())
    }

    /// The marks in this word; within a series, less context is required.
    fn signs(self, in_series: bool) -> Vec<String> {
        let word = self.words[self.at];
        let next = self.words.get(self.at + 1).map_or_else(String::new, |next| bare(next));
        if let Some(place) = ORDINALS.iter().position(|ordinal| *ordinal == bare(word)) {
            // “The first one that finishes” is not known yet.
            let goes_on = self.words.get(self.at + 2).is_some_and(|word| ["that", "which", "who"].contains(word));
            let picks = PICKED.contains(&&*next) && !goes_on || next.is_empty() && self.words.len() <= FEW;
            return picks.then(|| (place + 1).to_string()).into_iter().collect();
        }
        // “b”, “B it is”, “b please”
        let picks = next.is_empty() || next == "please" || next == "it" && words_are(self.words, &["it", "is"]);
        if self.at == 0 && picks && self.words.len() <= FEW && bare(word).len() == 1 {
            return signs(&format!("{})", bare(word)), true, true);
        }
        let ends = next.is_empty() || word.ends_with(['.', ',', ';', ':', '!', '?', ')']);
        let before = self.at.checked_sub(1).map(|before| self.words[before]);
        let opens = before.is_none_or(|before| before.ends_with([',', '.', '!', ':', ';']));
        // “Go for 2”, but not a table for two.
        let goes = || self.at > 1 && ["go", "going", "opt"].contains(&&*bare(self.words[self.at - 2]));
        let leads = opens || in_series || LEADING.contains(&&*self.before()) || self.before() == "for" && goes();
        // “issue #4” and “PR #4” are not points of the list.
        let hashed = word.starts_with('#') && (leads || BEFORE_HASHES.contains(&&*self.before()));
        // “Feature number 1 Lamps” is called by its name.
        let is_name = || self.words.get(self.at + 1).is_some_and(|next| next.starts_with(char::is_uppercase));
        let names_another = self.before() == "number" && !word.ends_with(['.', ',', ';', ':', '!']) && is_name();
        let exact = self.label().is_some() && !names_another || hashed;
        // “do B, C and D”
        let lists = word.ends_with(',') && next.len() == 1 && next.bytes().all(|byte| byte.is_ascii_alphabetic());
        if exact || leads && (ends || TRAILING.contains(&&*next)) {
            signs(word, exact, opens || in_series || lists)
        } else {
            Vec::new()
        }
    }
}

/// Whether exactly these words follow the first one.
fn words_are(words: &[&str], rest: &[&str]) -> bool {
    words.len() == rest.len() + 1 && words[1..].iter().zip(rest).all(|(word, wanted)| bare(word) == *wanted)
}

fn bare(word: &str) -> String {
    word.trim_matches(|char: char| !char.is_alphanumeric() && char != '&').to_lowercase()
}

/// The marks that a word consists of: a number, a range of numbers, or a letter.
fn signs(word: &str, exact: bool, opens: bool) -> Vec<String> {
    if word.starts_with(BEFORE_AMOUNTS) || word.ends_with(BEHIND_AMOUNTS) {
        return Vec::new();
    }
    let core = word.trim_matches(|char: char| !char.is_alphanumeric());
    if let Some(number) = number(core) {
        return vec![number.to_string()];
    }
    if let Some((from, to)) = core.split_once(['-', '–']).and_then(|(from, to)| Some((number(from)?, number(to)?))) {
        return (from..=to).map(|number| number.to_string()).take(if to < from + RANGE { RANGE } else { 0 }).collect();
    }
    let is_letter = core.len() == 1 && core.as_bytes()[0].is_ascii_alphabetic();
    // “I” and “a” are words.
    let alone = opens && core.len() == 1 && core.as_bytes()[0].is_ascii_uppercase() && !["I", "A"].contains(&core);
    let marked = word.ends_with(')') || opens && word.ends_with(['.', ':', ',']);
    if is_letter && (exact || marked || alone) { vec![core.to_uppercase()] } else { Vec::new() }
}

fn number(digits: &str) -> Option<usize> {
    let short = (1..=2).contains(&digits.len()) && all_digits(digits);
    digits.parse().ok().filter(|number| short && (1..=FARTHEST).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_named_by_number_and_letter() {
        let named =
            |text: &str| marks(text).into_iter().map(|mark| mark.label + &mark.sign).collect::<Vec<_>>().join(" ");
        for (text, expected) in [
            ("let's do 2", "2"),
            ("I'll go with Option 2, please.", "option2"),
            ("yeah let's tackle 2 and 3", "2 3"),
            ("Lets go for 1-3, with benchmarks", "1 2 3"),
            ("let's go with #4 and #5 please", "4 5"),
            ("C) update this branch, then go on", "C"),
            ("options A and C", "optionA optionC"),
            ("2", "2"),
            ("B", "B"),
            ("Please go on with A) and B) now.", "A B"),
            ("2. Is that slower at night?", "2"),
            ("b", "B"),
            ("b please", "B"),
            ("B it is", "B"),
            ("the second one please", "2"),
            ("ok now #4", "4"),
            ("ok, ignore A, do B, C, D and E too", "B C D E"),
            ("5 seems like a great one to tackle", "5"),
            ("[Image #1] let's do 2", "2"),
        ] {
            assert_eq!(named(text), expected, "{text}");
        }
        for none in [
            "wait for 2 minutes",
            "use 3 columns, please",
            "mend feature number 1 Role-Based Lamps",
            "bump it to 2",
            "I like it",
            "I do",
            "a it",
            "a lamp",
            "make it 2% wider",
            "port 8080",
            "first of all mend the lamp",
            "version 1.2",
            "[Image #1] the lamp is still out",
            "[Pasted text #2 +40 lines] still the same",
            "issue #2 is still open",
            "look at PR #1 again",
            "Book a table for 2, please.",
            "Make the margin between 1 and 2.",
            "Set the timeout to 4 and 3.",
            "Let's go with 2 of these.",
            "Which lamp burns longest? A) the red one B) the blue one",
            "Which lamp burns longest?\n\nOption A\nRed\n\nOption B\nBlue",
            "The harbour was built in the year: 1) 1620 2) 1720",
            "3. What does a spring tide mean?",
            "4) Was bedeutet Springflut am Hafen?",
            "No, 3 is too many for me.",
            "A cabin for 2 and a cot please",
            "2 of the lamps are red, 1 is not.",
            "first one that finishes wins; implement it with a race",
        ] {
            assert_eq!(named(none), "", "{none}");
        }
    }
}
