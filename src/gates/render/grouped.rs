//! Findings that say the same, told once with their places: a file of many rows can break one gate in hundreds of them.

use super::{Options, place, plain};
use crate::gates::{Report, Verdict};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// So many in one file are told one by one, and so many places of more than these are named.
const FEW: usize = 3;
/// So many lines of several files are told one by one.
const FEW_FILES: usize = 10;

/// What is wrong, at one place or at more than a few.
pub(super) struct Told<'r> {
    /// The gate's id.
    pub(super) gate: &'static str,
    /// `error`, `warn` or `not comparable`.
    pub(super) level: &'static str,
    /// What is wrong; a measure that differs from place to place is `…`.
    message: String,
    /// The words that it is about, if they are shown.
    content: Option<String>,
    /// Never empty.
    places: Vec<Place<'r>>,
}

/// Where something is wrong.
struct Place<'r> {
    /// Its number among all findings.
    number: usize,
    /// The transcript, by its number in the report.
    transcript: usize,
    file: &'r str,
    line: usize,
    /// Where in the summary or in the original, in parentheses.
    inside: String,
}

impl<'r> Told<'r> {
    /// The file of the first place.
    pub(super) fn file(&self) -> &'r str {
        self.places[0].file
    }

    /// The line of the first place.
    pub(super) fn line(&self) -> usize {
        self.places[0].line
    }

    /// The transcript that all of it is about, by its number in the report; none where it is about several.
    pub(super) fn transcript(&self) -> Option<usize> {
        let first = self.places[0].transcript;
        self.places.iter().all(|place| place.transcript == first).then_some(first)
    }

    /// What is wrong; behind it how often and where, if that is more than one place.
    pub(super) fn text(&self) -> String {
        let content = self.content.as_ref().map_or(String::new(), |content| format!(": {content}"));
        match &self.places[..] {
            [only] => format!("{}{}{content}", self.message, only.inside),
            all => format!("{}{content}: {}", self.message, named(all)),
        }
    }

    /// Takes in what says the same elsewhere.
    fn take(&mut self, other: Self) {
        self.message = common(&self.message, &other.message);
        self.places.extend(other.places);
    }
}

/// How many places there are, and the first of them.
fn named(places: &[Place<'_>]) -> String {
    let mut files: Vec<&str> = places.iter().map(|place| place.file).collect();
    files.dedup();
    let one_file = files.len() == 1;
    let name = |place: &Place<'_>| match one_file {
        true => format!("{}{}", place.line, place.inside),
        false => format!("{}:{}{}", plain(place.file), place.line, place.inside),
    };
    let first: Vec<String> = places.iter().take(FEW).map(name).collect();
    let scope = if one_file { ", lines".to_owned() } else { format!(" in {} files,", files.len()) };
    format!("{} times{scope} {} … and {} more", places.len(), first.join(", "), places.len() - FEW)
}

/// Everything that breaks a gate or could not be compared, in the order of its first places. More than a few of one file
/// that say the same are one, and so are more than some lines of several files.
pub(super) fn grouped(report: &Report, options: Options) -> Vec<Told<'_>> {
    let all = by_key(each(report, options), |told| Some(told.file()), |several| several > FEW);
    by_key(all, |_| None, |several| several > FEW_FILES)
}

/// Puts together what has one key, and is in one file where that counts, if there is enough of it.
fn by_key<'r>(
    all: Vec<Told<'r>>,
    file: impl Fn(&Told<'r>) -> Option<&'r str>,
    is_enough: impl Fn(usize) -> bool,
) -> Vec<Told<'r>> {
    let mut groups: HashMap<_, Vec<Told<'r>>> = HashMap::new();
    for told in all {
        let key = (told.gate, told.level, measured(&told), told.content.clone(), file(&told));
        match groups.entry(key) {
            Entry::Occupied(mut group) => group.get_mut().push(told),
            Entry::Vacant(place) => drop(place.insert(vec![told])),
        }
    }
    let mut out = Vec::new();
    for group in groups.into_values() {
        if !is_enough(group.len()) {
            out.extend(group);
            continue;
        }
        out.extend(group.into_iter().reduce(|mut first, other| {
            first.take(other);
            first
        }));
    }
    out.sort_by_key(|told| told.places[0].number);
    out
}

/// What is wrong without what was measured: budgets and falls differ from place to place, numbers of expectations tell
/// which of them it is.
fn measured(told: &Told<'_>) -> String {
    if !told.gate.starts_with(['B', 'R']) {
        return told.message.clone();
    }
    let words = told.message.split(' ').map(|word| if is_number(word) { "…" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

fn is_number(word: &str) -> bool {
    word.contains(|letter: char| letter.is_ascii_digit())
        && word.bytes().all(|byte| byte.is_ascii_digit() || b".,:".contains(&byte))
}

/// A message with `…` for the words in which another one differs.
fn common(message: &str, other: &str) -> String {
    let words = message.split(' ').zip(other.split(' ')).map(|(own, other)| if own == other { own } else { "…" });
    words.collect::<Vec<_>>().join(" ")
}

/// Each finding by itself, then what could not be compared.
fn each(report: &Report, options: Options) -> Vec<Told<'_>> {
    let mut all = Vec::new();
    for (transcript, one) in report.all().enumerate() {
        let findings =
            one.outcomes.iter().flat_map(|outcome| outcome.findings.iter().map(|found| (outcome.gate, found)));
        for (gate, finding) in findings {
            let content = finding.content.as_deref().filter(|_| options.show_content).map(plain);
            let (file, line, inside) = (one.file.as_str(), finding.line, place(finding));
            let places = vec![Place { number: all.len(), transcript, file, line, inside }];
            let (level, message) = (finding.level.name(), plain(&finding.message));
            all.push(Told { gate, level, message, content, places });
        }
    }
    for (transcript, one) in report.all().enumerate() {
        for outcome in one.outcomes.iter().filter(|outcome| outcome.verdict == Verdict::NotComparable) {
            let (file, line, inside) = (one.file.as_str(), one.first_line, String::new());
            let places = vec![Place { number: all.len(), transcript, file, line, inside }];
            let (gate, level, message) = (outcome.gate, outcome.verdict.name(), outcome.note.to_owned());
            all.push(Told { gate, level, message, content: None, places });
        }
    }
    all
}
