//! Open steps that were reached without a call that says so: another agent of the team, or this one, told that they are
//! done.

use super::since::{SHARE, puts_off, words};
use super::steps::List;
use crate::summary::extractive::calls::args::Args;
use crate::summary::extractive::calls::plan::Step;
use crate::summary::extractive::sentences::cues::{Kind, kind};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::extractive::words::TICKS;
use crate::summary::text::{QUESTION_MARKS, each_word, is_number};
use foldhash::{HashMap, HashSet};

/// Words of a clause that says that something is done.
const DONE: [&str; 6] = ["complete", "completed", "done", "finished", "merged", "shipped"];
/// What else a clause may say that tells nothing but this.
const BESIDE: [&str; 19] = [
    "all",
    "and",
    "are",
    "as",
    "been",
    "both",
    "fully",
    "has",
    "have",
    "is",
    "marked",
    "now",
    "stories",
    "successfully",
    "the",
    "too",
    "was",
    "were",
    "with",
];
/// Words before the number of a step: “task 3”, “Tasks #3 and #4”.
const LABELS: [&str; 8] = ["batch", "item", "part", "phase", "step", "story", "task", "ticket"];
/// Words of a line with a tick that is not all done.
const OPEN: [&str; 12] =
    ["almost", "but", "except", "half", "mostly", "nearly", "not", "open", "partly", "pending", "still", "until"];
/// Number of words before the name of a step in a line with a tick.
const FIRST: usize = 3;
/// Maximum length of a clause that is looked at, in bytes.
const CLAUSE: usize = 300;
/// Minimum number of words behind the first of a step that is known by its words, and how many of them a sentence about
/// it has, if there are so many.
const FEWEST: usize = 2;
const MOST: usize = 3;
/// Number of a step that another agent ended, in a notice of its harness.
const ENDED: &str = "completedTaskId";

/// The indices of the steps that were told to be done after the message that last changed them; `kept` is what the
/// agent says behind the turns. A step is known by its number (`#7`, “task 7”), by a mark in its text with a digit that
/// no other step has (`2.2`, `LAMP-4`, “phase 2”), or by its words.
pub(super) fn told_done(list: &List, turns: &[Turn<'_>], kept: &[Said]) -> HashSet<usize> {
    let List { steps, numbers, changed, .. } = list;
    let (names, topics) = (names(steps, numbers), steps.iter().map(Topic::of).collect::<Vec<_>>());
    let mut told = HashSet::default();
    let mut take = |message: usize, sentence: &str, (kind, is_own): (Kind, bool)| {
        // The tasks that a report counts are its own.
        let known = reached(sentence).into_iter().filter(|name| is_own || !name.contains(' '));
        let by_name = known.filter_map(|name| names.get(&name).copied().flatten());
        let all = by_name.chain(told_by_words(&topics, sentence, kind));
        told.extend(all.filter(|at| changed.get(*at).is_some_and(|changed| *changed < message)));
    };
    for (message, text) in turns.iter().flat_map(|turn| &turn.heard) {
        if text.starts_with('{') {
            let ended = Args::read(text).text(&[ENDED]);
            ended.into_iter().for_each(|number| take(*message, &format!("#{number} done"), (Kind::Other, true)));
        } else {
            text.lines().for_each(|line| take(*message, line, (kind(line), true)));
        }
    }
    for said in turns.iter().flat_map(|turn| &turn.said).chain(kept) {
        take(said.message, &said.sentence, (said.kind, !said.of_another));
    }
    told
}

/// The steps by their names; `None` where several have the name.
fn names(steps: &[Step], numbers: &[String]) -> HashMap<String, Option<usize>> {
    let mut names = HashMap::default();
    let own = |step: &Step| read(&step.content).into_iter().find_map(Word::name);
    // “Task 1” may be no task with the number 1.
    let is_labeled = steps.iter().filter_map(own).any(|name| name.contains(' '));
    for (at, step) in steps.iter().enumerate() {
        let number = numbers.get(at);
        let told = number.filter(|_| !is_labeled).map(|number| format!("task {number}"));
        for name in own(step).into_iter().chain(number.map(|number| format!("#{number}"))).chain(told) {
            names.entry(name).and_modify(|step| *step = None).or_insert(Some(at));
        }
    }
    names
}

/// What a step is about.
struct Topic {
    /// Its first word, mostly a verb.
    verb: Option<String>,
    /// Its other words.
    object: HashSet<String>,
    /// Words in it with a sign, a digit or a capital inside, which a sentence about the step has too.
    exact: Vec<String>,
}

impl Topic {
    fn of(step: &Step) -> Self {
        let mut all = words(&step.content, |_| true);
        let (verb, object) = (all.next(), all.collect());
        let has_capital = |word: &str| {
            let behind = word.chars().skip(1);
            word.chars().zip(behind).any(|(char, next)| char.is_lowercase() && next.is_uppercase())
        };
        let is_exact = |word: &&str| word.contains(|char: char| "._".contains(char) || char.is_ascii_digit());
        let exact = tokens(&step.content).filter(|word| is_exact(word) || has_capital(word));
        Self { verb, object, exact: exact.map(str::to_lowercase).collect() }
    }

    /// How much of it a sentence with these words tells, in percent; zero if the sentence is about something else, such as
    /// a ticket to do it.
    fn share(&self, said: &HashSet<String>, lower: &str) -> usize {
        let has = self.object.iter().filter(|word| said.contains(*word)).count();
        let does = || {
            let verb = self.verb.as_ref().filter(|verb| said.contains(*verb));
            verb.is_some_and(|verb| !lower.contains(&format!("to {verb}")))
        };
        let all = self.object.len();
        let is_it = all >= FEWEST && has >= all.min(MOST) && has * SHARE.1 >= all * SHARE.0 && does();
        if is_it && self.exact.iter().all(|word| lower.contains(&**word)) { has * 100 / all } else { 0 }
    }
}

/// The steps of which a sentence about finished work has the most words.
fn told_by_words(topics: &[Topic], sentence: &str, kind: Kind) -> Vec<usize> {
    if kind != Kind::Done || sentence.len() > CLAUSE || puts_off(sentence) {
        return Vec::new();
    }
    let (said, lower) = (words(sentence, |_| true).collect(), sentence.to_lowercase());
    let shares: Vec<usize> = topics.iter().map(|topic| topic.share(&said, &lower)).collect();
    let most = shares.iter().copied().max().unwrap_or(0);
    (0..shares.len()).filter(|at| most > 0 && shares[*at] == most).collect()
}

/// The names of all steps of which a line says that they are done, in lower case.
fn reached(line: &str) -> Vec<String> {
    if line.len() > CLAUSE || line.ends_with(QUESTION_MARKS) {
        return Vec::new();
    }
    if let Some(name) = ticked(line).or_else(|| headed(line)) {
        return vec![name];
    }
    let clauses = line.split([',', ';', '—', '!']).flat_map(|part| part.split(". "));
    clauses.filter_map(done_in).flatten().collect()
}

/// The name of the step that a line with a tick at its start or end begins with: “✅ Story 2.2: the pier”.
fn ticked(line: &str) -> Option<String> {
    let line = line.trim().trim_start_matches(['-', '*', ' ']).trim_end_matches(['*', '|', ' ']);
    let is_ticked = line.starts_with(TICKS) || line.ends_with(TICKS);
    let mut first = read(line).into_iter().filter(|word| *word != Word::Done).take(FIRST + 1);
    let name = first.find_map(Word::name).filter(|name| !name.starts_with('#'))?;
    (is_ticked && !line.contains('%') && !is_open(line)).then_some(name)
}

/// The name of the step that heads a line about finished work, behind a label: “Task #3: Mended the pier”.
fn headed(line: &str) -> Option<String> {
    let (head, _) = line.split_once(": ").filter(|(_, rest)| kind(rest) == Kind::Done && !is_open(rest))?;
    match &read(head)[..] {
        [Word::Label, Word::Name(name)] => Some(name.clone()),
        _ => None,
    }
}

fn is_open(line: &str) -> bool {
    each_word(line).any(|word| OPEN.contains(&word.to_lowercase().as_str()) || word.ends_with("n't"))
}

/// The names of the steps that a clause says to be done, if it says nothing else; `None` if it does.
fn done_in(clause: &str) -> Option<Vec<String>> {
    let all = read(clause);
    let tells = !all.contains(&Word::Other) && all.contains(&Word::Done);
    tells.then(|| all.into_iter().filter_map(Word::name).collect())
}

/// A word of a clause about steps.
#[derive(PartialEq, Eq)]
enum Word {
    /// It names a step: `#7`, `2.2`, `LAMP-4`, or the number behind a label, with the label; in lower case.
    Name(String),
    /// It stands before the number of a step.
    Label,
    /// It says that something is done.
    Done,
    /// It tells nothing more.
    Beside,
    /// Any other.
    Other,
}

impl Word {
    fn name(self) -> Option<String> {
        if let Self::Name(name) = self { Some(name) } else { None }
    }
}

fn read(text: &str) -> Vec<Word> {
    let (mut all, mut before, mut label) = (Vec::new(), String::new(), None);
    for word in tokens(text) {
        let lower = word.to_lowercase();
        let own = LABELS.iter().find(|label| lower.trim_end_matches('s') == **label);
        let is_numbered = || before.is_empty() || before == "and" || LABELS.contains(&before.trim_end_matches('s'));
        let read = match label.filter(|_| is_number(word) && !before.is_empty() && is_numbered()) {
            Some(label) => Word::Name(format!("{label} {word}")),
            None if is_mark(word) && (!word.starts_with('#') || is_numbered()) => Word::Name(lower.clone()),
            None if own.is_some() => Word::Label,
            None if DONE.contains(&&*lower) || word.contains(TICKS) => Word::Done,
            None if word.is_empty() || BESIDE.contains(&&*lower) => Word::Beside,
            None => Word::Other,
        };
        label = own.or(label);
        before = lower;
        all.extend(Some(read).filter(|_| !word.is_empty()));
    }
    all
}

/// The words of a text, without the signs around them.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|char: char| char.is_whitespace() || "()[]*`:,;/|".contains(char));
    words.map(|word| word.trim_matches(|char: char| !(char.is_alphanumeric() || char == '#' || TICKS.contains(&char))))
}

/// Whether a word names a step: `#7`, `2.2`, `LAMP-4`.
fn is_mark(word: &str) -> bool {
    let is_key = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_uppercase());
    word.strip_prefix('#').is_some_and(is_number)
        || word.split('.').count() > 1 && word.split('.').all(is_number)
        || word.split_once('-').is_some_and(|(key, number)| is_key(key) && is_number(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_done_where_a_clause_says_so_of_it() {
        assert_eq!(reached("Stories 2.2 and LAMP-4 are done, 4.2 is next."), ["2.2", "lamp-4"]);
        assert_eq!(reached("Story 2.2: ✓"), ["2.2"]);
        assert_eq!(reached("- ✅ Story 2.2: the pier has lamps"), ["2.2"]);
        assert_eq!(reached("Task #3 is done."), ["#3"]);
        assert_eq!(reached("Tasks 2 and 3 are done; moving to task 4."), ["task 2", "task 3"]);
        assert_eq!(reached("Task #10: Moved the lamp to the pier"), ["#10"]);
        for other in [
            "Story 2.2 is not done yet.",
            "Once story 2.2 is complete we go on.",
            "Is story 2.2 done?",
            "14 lamps are done.",
            "Story 2.2 is almost complete.",
            "The design of LAMP-4 is complete.",
            "LAMP-4 is 90% complete",
            "The work on LAMP-4 isn’t done.",
            "Nothing of LAMP-4 is done.",
            "Issue #3 was completed by another crew.",
            "Task #3 done: 30%",
            "Task #3: move the lamp to the pier",
            "Task #3: Moved half of the lamps to the pier",
            "Seven lamps and 2 buoys are done.",
            "Upstream merged v2 last week.",
            "- ✅ Story 2.2: all but the lamp",
        ] {
            assert_eq!(reached(other), [""; 0], "{other}");
        }
    }

    #[test]
    fn a_name_of_two_steps_names_none() {
        let step = |content: &str| Step { content: content.to_owned(), status: String::new() };
        let names = names(&[step("Build 2.2"), step("Test 2.2"), step("Build 3.1")], &["7".to_owned()]);
        assert_eq!((names["2.2"], names["3.1"], names["#7"]), (None, Some(2), Some(0)));
        assert_eq!(names["task 7"], Some(0));
        let labeled = super::names(&[step("Task 1: the pier"), step("Task 2: the quay")], &["2".into(), "3".into()]);
        assert_eq!((labeled["task 1"], labeled["task 2"], labeled["#2"]), (Some(0), Some(1), Some(0)));
    }

    #[test]
    fn a_step_is_done_where_a_report_has_its_words() {
        let step = |content: &str, status: &str| Step { content: content.to_owned(), status: status.to_owned() };
        let steps = [
            step("Refactor the lamp code into a package", ""),
            step("Add tests of the north pier", ""),
            step("Add tests of the south pier", ""),
            step("Update Board.tsx with the new tide names", ""),
            step("Fix the oil of all lamps", "in_progress"),
        ];
        let topics: Vec<Topic> = steps.iter().map(Topic::of).collect();
        let told = |sentence: &str| told_by_words(&topics, sentence, kind(sentence));
        assert_eq!(told("Refactored the code of the lamp into its own package."), [0]);
        assert_eq!(told("Added tests for the south pier."), [2]);
        assert_eq!(told("Added tests for the north and the south pier."), [1, 2]);
        assert_eq!(told("Updated `src/Board.tsx` with the new names of the tides."), [3]);
        assert_eq!(told("Fixed the oil of all lamps."), [4]);
        for other in [
            "Updated `Quay.tsx` with the new names of the tides.",
            "Let me add the tests of the south pier.",
            "Added the south pier.",
            "Created a ticket to add tests of the south pier.",
            "Created a branch for the oil of all lamps.",
            "The code of the lamp package has been read.",
            "Added tests for the south pier, which will be run next.",
        ] {
            assert_eq!(told(other), [0; 0], "{other}");
        }
    }
}
