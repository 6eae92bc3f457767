//! Statements that nothing in the source is about: no few consecutive lines of it have enough of their words.
//!
//! How much is enough depends on the other statements of the summary: one that quotes has nearly all words of each
//! statement in one place, one in its own words has fewer, and one in another language can't be judged.

use super::lines::{Line, claims};
use super::{SourceText, pattern};
use crate::facts::readable_text;
use crate::summary;
use regex::Regex;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A statement unrelated to the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unrelated {
    /// Line of the summary, from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
}

/// Least number of significant words of a statement that is judged.
const LEAST: usize = 5;
/// Least number of statements in a summary for their median to tell how it is written.
const FEWEST: usize = 4;
/// Least number of statements of a smaller summary that have to quote: one alone may be just the request, in the words
/// of the user.
const QUOTES: usize = 2;
/// Number of consecutive lines of the source that form one place; places overlap by half.
const PLACE: usize = 8;
/// (Median share of a statement's words in one place, share at or below which a statement is unrelated), for a summary
/// that quotes, and for one in its own words in the same language.
const QUOTING: (f64, f64) = (0.9, 0.35);
const TELLING: (f64, f64) = (0.5, 0.2);

/// Words in scripts that separate words; the first `STEM` letters usually tell the subject.
static WORD: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"[\p{{Latin}}\p{{Cyrillic}}\p{{Greek}}]{{{SHORTEST},}}")));
const SHORTEST: usize = 4;
const STEM: usize = 6;
/// Longer words without meaning of their own.
const EMPTY: &str = "about after also been before being could does done each from have into just more only other over \
    should some such than that their them then there they this under were what when where which while will with would";
static EMPTY_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| EMPTY.split_whitespace().collect());
/// Beginnings of lines that list what calls did, or that a harness adds.
static LISTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?:Ran|Called|Edited|Created|Named|User|Wrote|Deleted|Moved|Read)\b|`[^`]+`(?:, code `[^`]+`)? (?:failed, later|returned|has) |This session is being continued|Please continue|Continue the conversation from where it left off|Resume directly)",
    )
});
/// The section of files, whose lines each begin with one.
const FILES: &str = summary::SectionSource::Files.heading();

/// Returns the number of statements that were judged, and those that nothing in the source is about.
pub fn unrelated(text: &str, shares: &Shares) -> (usize, Vec<Unrelated>) {
    let all = judged(text);
    let Some(least) = least(&shares.0) else { return (0, Vec::new()) };
    let foreign = all.iter().zip(&shares.0).filter(|(_, share)| **share <= least);
    let told = foreign.map(|((line, _), _)| Unrelated { line: line.number, text: line.text.to_owned() });
    (all.len(), told.collect())
}

/// The statements of a text with enough significant words, with these words' stems.
fn judged(text: &str) -> Vec<(Line<'_>, HashSet<String>)> {
    let states = |line: &Line<'_>| line.tells() && line.section != FILES && !LISTED.is_match(line.text);
    let all = claims(text).filter(states).map(|line| (line, stems(line.text)));
    all.filter(|(_, words)| words.len() >= LEAST).collect()
}

/// For each judged statement of a text, the greatest share of its words in one place of the source.
#[derive(Debug, Clone, PartialEq)]
pub struct Shares(Vec<f64>);

impl Shares {
    /// Reads the whole source.
    pub fn of(text: &str, source: &SourceText<'_>) -> Self {
        Self(shares(&judged(text), source))
    }

    /// Whether the statements quote the source: most have nearly all of their words in one place of it; `None` if there
    /// are too few to say.
    pub(super) fn quote(&self) -> Option<bool> {
        (self.0.len() >= FEWEST).then(|| least(&self.0) == Some(QUOTING.1))
    }
}

/// The stems of all words of a source.
pub(super) fn known_stems(source: &SourceText<'_>) -> HashSet<String> {
    source.messages().iter().flat_map(|message| &message.parts).flat_map(|part| stems(&readable_text(part))).collect()
}

/// Whether a statement is unrelated to a source with these stems, as a summary that quotes has none.
pub(super) fn is_foreign(statement: &str, known: &HashSet<String>) -> bool {
    let words = stems(statement);
    !words.is_empty() && words.intersection(known).count() as f64 <= QUOTING.1 * words.len() as f64
}

/// The share at or below which a statement is unrelated; `None` if the shares are too low. Of few statements, `QUOTES`
/// must quote, and the lower share counts, as the others may be in the summary's own words.
fn least(shares: &[f64]) -> Option<f64> {
    if shares.len() < FEWEST {
        return (shares.iter().filter(|share| **share >= QUOTING.0).count() >= QUOTES).then_some(TELLING.1);
    }
    let mut sorted = shares.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.get(sorted.len() / 2)?;
    [QUOTING, TELLING].into_iter().find(|(from, _)| middle >= from).map(|(_, least)| least)
}

/// For each statement, the greatest share of its words in one place of the source.
fn shares(all: &[(Line<'_>, HashSet<String>)], source: &SourceText<'_>) -> Vec<f64> {
    let mut wanted: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, (_, words)) in all.iter().enumerate() {
        words.iter().for_each(|word| wanted.entry(word).or_default().push(at));
    }
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let statements: Vec<&[usize]> = wanted.values().map(Vec::as_slice).collect();
    wanted.keys().enumerate().for_each(|(number, word)| _ = numbers.insert(word, number));
    let (mut best, mut found) = (vec![0; all.len()], vec![0; all.len()]);
    for text in source.messages().iter().flat_map(|message| message.parts.iter().map(readable_text)) {
        // Each line is read once, though places overlap.
        let lines: Vec<Vec<usize>> = text.lines().map(|line| known_words(line, &numbers)).collect();
        for start in (0..lines.len()).step_by(PLACE / 2) {
            let mut words = lines[start..lines.len().min(start + PLACE)].concat();
            words.sort_unstable();
            words.dedup();
            let told = || words.iter().flat_map(|word| statements[*word]);
            told().for_each(|at| found[*at] += 1);
            told().for_each(|at| best[*at] = best[*at].max(found[*at]));
            told().for_each(|at| found[*at] = 0);
        }
    }
    best.iter().zip(all).map(|(best, (_, words))| f64::from(*best) / words.len() as f64).collect()
}

/// The numbers of those words of a line that have one.
fn known_words(line: &str, numbers: &HashMap<&str, usize>) -> Vec<usize> {
    if numbers.is_empty() {
        return Vec::new();
    }
    if !line.is_ascii() {
        return stems(line).iter().filter_map(|word| numbers.get(word.as_str()).copied()).collect();
    }
    // Words of Latin letters: as `stems` finds them, without a copy of each.
    let words = line.split(|letter: char| !letter.is_ascii_alphabetic()).filter(|word| word.len() >= SHORTEST);
    let number = |word: &str| {
        let mut stem = [0; STEM];
        let stem = &mut stem[..word.len().min(STEM)];
        stem.copy_from_slice(&word.as_bytes()[..stem.len()]);
        stem.make_ascii_lowercase();
        let number = numbers.get(std::str::from_utf8(stem).ok()?).copied()?;
        (!EMPTY_WORDS.contains(word.to_ascii_lowercase().as_str())).then_some(number)
    };
    words.filter_map(number).collect()
}

/// The first letters of the significant words of a text, in lower case.
fn stems(text: &str) -> HashSet<String> {
    let lower = text.to_lowercase();
    let words = WORD.find_iter(&lower).map(|word| word.as_str()).filter(|word| !EMPTY_WORDS.contains(word));
    words.map(|word| word.chars().take(STEM).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::sketch::sketch;

    const SAID: [&str; 4] = [
        "The gauge of the northern harbour reports heights twice because its clock runs fast.",
        "The tide table rounds every height before printing, which hides small errors.",
        "Lamps along the southern mole switch off early when batteries drain overnight.",
        "Buoys drift towards the channel whenever storms loosen their old chains.",
    ];

    fn found(lines: &[&str]) -> Vec<usize> {
        judged_of(lines).1.into_iter().map(|one| one.line).collect()
    }

    /// The number of judged statements of a summary with these lines, and the unrelated ones.
    fn judged_of(lines: &[&str]) -> (usize, Vec<Unrelated>) {
        let mut transcript = sketch("u a u a");
        for (message, text) in transcript.messages.iter_mut().zip(SAID) {
            message.parts[0].text = text.into();
        }
        let messages: Vec<_> = transcript.messages.iter().collect();
        let text = format!("## Discoveries\n- {}", lines.join("\n- "));
        let shares = Shares::of(&text, &SourceText::new(&messages));
        unrelated(&text, &shares)
    }

    const FOREIGN: &str = "Payments failed since the currency converter cached yesterday's exchange rates.";

    #[test]
    fn a_statement_of_something_else_is_found_among_quotes() {
        assert_eq!(found(&[SAID[0], SAID[1], SAID[2], SAID[3], FOREIGN]), [6]);
        assert_eq!(found(&SAID), Vec::<usize>::new());
        assert_eq!(found(&[SAID[0], SAID[1], FOREIGN]), [4], "few statements, of which two quote");
    }

    #[test]
    fn lines_about_calls_do_not_hide_that_a_summary_quotes() {
        let derived = ["quay", "mole", "buoy", "lamp", "tide"].map(|name| {
            format!("`make {name} --harbour` failed, later without an error: linker cannot resolve symbol {name}")
        });
        let lines: Vec<&str> = SAID.into_iter().chain(derived.iter().map(String::as_str)).chain([FOREIGN]).collect();
        assert_eq!(found(&lines), [11]);
    }

    #[test]
    fn what_a_harness_says_behind_its_summary_is_no_statement() {
        let closing = "Continue the conversation from where it left off. Resume directly — do not acknowledge the summary, \
            do not recap what was happening, do not preface with an introduction.";
        assert_eq!(found(&[SAID[0], SAID[1], SAID[2], SAID[3], closing]), Vec::<usize>::new());
    }

    #[test]
    fn lines_of_latin_letters_have_the_same_words_as_others() {
        let said = "Should the Harbours' shoulder_tide be LIT about the gauges? tests/lamp_quay2.rs says so";
        let known = stems("shoulder harbours gauges tests lamp quays says");
        let numbers: HashMap<&str, usize> = known.iter().enumerate().map(|(at, word)| (word.as_str(), at)).collect();
        let words = |line: &str| known_words(line, &numbers).into_iter().collect::<HashSet<_>>();
        assert_eq!(words(said), words(&format!("{said} é")));
        assert_eq!(words(said).len(), 7 - usize::from(!known.contains("quays")) - 1, "“quay2” is no “quays”");
    }

    #[test]
    fn where_little_can_be_compared_nothing_is_said() {
        assert_eq!(found(&[FOREIGN]), Vec::<usize>::new(), "no other");
        let own = "Duplicate measurements come from timekeeping drift in firmware.";
        assert_eq!(found(&[SAID[0], own]), Vec::<usize>::new(), "the words of the user, and a finding in other words");
        for (lines, count) in [(&SAID[..1], 0), (&[SAID[0], own], 0), (&SAID[..2], 2)] {
            assert_eq!(judged_of(lines).0, count, "{lines:?}");
        }
        let german = [
            "Der Pegel im nördlichen Hafen meldet seine Werte doppelt.",
            "Die Tabelle rundet jede Höhe vorher und verdeckt kleine Fehler.",
            "Lampen entlang der südlichen Mole erlöschen nachts viel früher.",
            "Bojen treiben Richtung Fahrrinne, sobald Stürme ihre Ketten lösen.",
        ];
        assert_eq!(found(&german), Vec::<usize>::new(), "another language");
    }
}
