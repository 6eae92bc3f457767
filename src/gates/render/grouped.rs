//! Groups equal findings: one line with the places, since a file of many rows can break one gate in hundreds of them.

use super::{Options, place, plain};
use crate::gates::{GateReport, Verdict};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Most equal findings in one file that are shown one by one; also the number of places named of a group.
const FEW: usize = 3;
/// Most equal findings in several files that are shown one by one.
const FEW_FILES: usize = 10;

/// A finding at one place, or a group of equal findings.
pub(super) struct Told<'r> {
    /// Id of the gate.
    pub(super) gate: &'static str,
    /// `error`, `warn` or `not comparable`.
    pub(super) level: &'static str,
    /// The message; `…` replaces words that differ from place to place.
    message: String,
    /// The quoted text, if it is shown.
    content: Option<String>,
    /// Places of the finding; never empty.
    places: Vec<Place<'r>>,
}

/// Place of a finding.
struct Place<'r> {
    /// Index among all findings.
    number: usize,
    /// Index of the transcript in the report.
    transcript: usize,
    file: &'r str,
    line: usize,
    /// Place in the summary or in the original, in parentheses.
    inside: String,
}

impl<'r> Told<'r> {
    /// File of the first place.
    pub(super) fn file(&self) -> &'r str {
        self.places[0].file
    }

    /// Line of the first place.
    pub(super) fn line(&self) -> usize {
        self.places[0].line
    }

    /// Index of the only transcript with this finding; `None` if there are several.
    pub(super) fn transcript(&self) -> Option<usize> {
        let first = self.places[0].transcript;
        self.places.iter().all(|place| place.transcript == first).then_some(first)
    }

    /// The message; for several places, followed by their number and the first of them.
    pub(super) fn text(&self) -> String {
        let content = self.content.as_ref().map_or(String::new(), |content| format!(": {content}"));
        match &self.places[..] {
            [only] => format!("{}{}{content}", self.message, only.inside),
            all => format!("{}{content}: {}", self.message, named(all)),
        }
    }

    /// Merges an equal finding at another place.
    fn take(&mut self, other: Self) {
        self.message = common(&self.message, &other.message);
        self.places.extend(other.places);
    }
}

/// Text with the number of places, and the first few.
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

/// All findings, and outcomes that are not comparable, by their first places. Equal findings are merged if there are
/// more than `FEW` in one file, or more than `FEW_FILES` in several files.
pub(super) fn grouped(report: &GateReport, options: Options) -> Vec<Told<'_>> {
    let all = by_key(each(report, options), |told| Some(told.file()), |several| several > FEW);
    by_key(all, |_| None, |several| several > FEW_FILES)
}

/// Merges findings with equal keys (and equal files, if `file` returns one) if there are enough of them.
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

/// The message without measured numbers: those of budgets and baselines differ from place to place. Other numbers are
/// kept, such as that of an expected fact.
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

/// A message with `…` for the words that differ in the other one.
fn common(message: &str, other: &str) -> String {
    let words = message.split(' ').zip(other.split(' ')).map(|(own, other)| if own == other { own } else { "…" });
    words.collect::<Vec<_>>().join(" ")
}

/// Each finding separately, then outcomes that are not comparable.
fn each(report: &GateReport, options: Options) -> Vec<Told<'_>> {
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
