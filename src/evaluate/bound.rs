//! Bound recall: a fact counts only together with some of its original wording (QUALITY §2), which a bare list of facts
//! lacks.

use super::cut::Cut;
use super::seen::Seen;
use crate::facts::{Class, Fact};
use crate::summary::{ALSO_FAILED, ALSO_WORKED, EARLIER, FILE_DEEDS, LATER_OK, STILL_RUNS};
use crate::transcript::Transcript;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Number of words that a summary line must share with a source line of the fact.
const SHARED: usize = 2;
/// Stop words.
const STOP: &[&str] = &[
    "the", "and", "for", "that", "this", "with", "from", "are", "was", "were", "you", "your", "have", "has", "had",
    "not", "but", "can", "will", "into", "they", "them", "then", "than", "also", "all", "any", "its", "our", "out",
];
/// Operations on a file, beside those that our lines tell: after its path, or at the beginning of a line about one.
const OPERATIONS: [&str; 5] = ["wrote", "modified", "deleted", "updated", "added"];

/// Index of the messages before a cut for comparing wording.
pub(super) struct Bound<'s, 't> {
    transcript: &'s Transcript<'t>,
    seen: &'s Seen,
    cut: &'s Cut,
    mentions: HashMap<u32, Vec<usize>>,
    commands: Vec<String>,
}

/// A line of a summary.
pub(super) struct Line {
    facts: BTreeSet<Fact>,
    flat: String,
    words: HashSet<String>,
    operation: bool,
}

impl<'s, 't> Bound<'s, 't> {
    pub(super) fn new(transcript: &'s Transcript<'t>, seen: &'s Seen, cut: &'s Cut) -> Self {
        let mut mentions: HashMap<u32, Vec<usize>> = HashMap::new();
        for &index in &cut.before {
            for (fact, _) in &seen.messages[index].all.facts {
                mentions.entry(*fact).or_default().push(index);
            }
        }
        let commands = seen.facts.iter().filter(|fact| fact.class == Class::Cmd);
        let commands = commands.map(|fact| fact.value.clone()).collect();
        Self { transcript, seen, cut, mentions, commands }
    }

    /// Parses the lines of a summary.
    pub(super) fn lines(&self, summary: &str) -> Vec<Line> {
        let lines = summary.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("## "));
        let read = lines.map(|line| {
            let lower = line.to_lowercase();
            Line {
                facts: self.seen.read(line),
                flat: line.split_whitespace().collect::<Vec<_>>().join(" "),
                words: self.words_beside_commands(line),
                operation: is_operation(lower.trim_start_matches([' ', '-', '*'])),
            }
        });
        read.collect()
    }

    /// The words of a line outside of commands that are facts.
    fn words_beside_commands(&self, line: &str) -> HashSet<String> {
        let commands = self.commands.iter().filter(|command| line.contains(command.as_str()));
        let named: HashSet<&str> = commands.flat_map(|command| command.split(' ')).collect();
        words(line).into_iter().filter(|word| !named.contains(word.as_str())).collect()
    }

    /// Whether a line has the fact together with some of its wording, or is an operation line.
    pub(super) fn is_bound(&self, fact: u32, lines: &[Line]) -> bool {
        let value = &self.seen.facts[fact as usize].value;
        let mut holding = lines.iter().filter(|line| self.seen.holds(&line.facts, &line.flat, fact)).peekable();
        if holding.peek().is_none() {
            return false;
        }
        let holding: Vec<&Line> = holding.collect();
        if holding.iter().any(|line| line.operation) {
            return true;
        }
        let last = value.rsplit('/').next().unwrap_or(value);
        let sources = self.mentions.get(&fact).into_iter().flatten();
        sources.into_iter().any(|&index| self.message_shares(index, last, &holding))
    }

    fn message_shares(&self, index: usize, value: &str, holding: &[&Line]) -> bool {
        debug_assert!(self.cut.before.binary_search(&index).is_ok());
        let parts = self.transcript.messages[index].parts.iter();
        let texts = parts.filter(|part| !part.is_reasoning());
        texts.flat_map(|part| part.text.lines()).filter(|line| line.contains(value)).any(|source| {
            let own = words(source);
            holding.iter().any(|line| line.words.intersection(&own).count() >= SHARED)
        })
    }
}

/// Whether a line says what was done with a file, or how a command ended.
fn is_operation(lower: &str) -> bool {
    let operations = || FILE_DEEDS.iter().chain(&OPERATIONS);
    let of_file = lower.split_once("` — ").is_some_and(|(path, story)| {
        path.starts_with('`') && operations().any(|operation| story.starts_with(operation))
    });
    let begins = operations().any(|operation| lower.strip_prefix(operation).is_some_and(|rest| rest.starts_with(" `")));
    let failed = |since: &&str| lower.contains(&format!("failed{since}: "));
    let of_command = (lower.starts_with("ran `") || lower.starts_with('`'))
        && (lower.contains("`: ok") || ["", EARLIER, LATER_OK].iter().any(failed));
    // The end may be unknown.
    let still = || lower.contains(&format!("`: {STILL_RUNS}"));
    let of_run = lower.starts_with("ran `") && (lower.ends_with('`') || still());
    let of_row = lower.starts_with("ran `") && lower.contains("` ") && lower.contains('×');
    let of_commands =
        [ALSO_WORKED, ALSO_FAILED].iter().any(|lead| lower.starts_with(&format!("{}`", lead.to_lowercase())));
    of_file || begins || of_command || of_run || of_row || of_commands
}

/// The words of a line that are no facts: letters only, no capital after the first, three bytes or more.
fn words(line: &str) -> HashSet<String> {
    let plain = |word: &&str| {
        word.len() >= 3 && word.chars().all(char::is_alphabetic) && !word.chars().skip(1).any(char::is_uppercase)
    };
    let split = line.split(|char: char| !(char.is_alphanumeric() || "_./-".contains(char)));
    let words = split.map(|word| word.trim_matches(['.', '-', '/'])).filter(plain).map(str::to_lowercase);
    words.filter(|word| !STOP.contains(&word.as_str())).collect()
}
