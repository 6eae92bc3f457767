//! Bound recall: a fact counts only where it stands with some of the wording it had (QUALITY §2), which a bare list of
//! facts has not.

use super::cut::Cut;
use super::seen::Seen;
use crate::facts::Fact;
use crate::transcript::{PartKind, Transcript};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Words that a summary line shares with a source line of the fact.
const SHARED: usize = 2;
/// Words that say nothing.
const STOP: &[&str] = &[
    "the", "and", "for", "that", "this", "with", "from", "are", "was", "were", "you", "your", "have", "has", "had",
    "not", "but", "can", "will", "into", "they", "them", "then", "than", "also", "all", "any", "its", "our", "out",
];
/// What a line about a file or a command has in it.
const OPERATIONS: &[&str] = &[
    "created", "written", "wrote", "edited", "modified", "moved", "deleted", "read", "ran `", "failed", ": ok",
    "updated", "added",
];

/// The lines of the messages before a cut, to look wording up in.
pub(super) struct Bound<'s, 't> {
    transcript: &'s Transcript<'t>,
    seen: &'s Seen,
    cut: &'s Cut,
    mentions: HashMap<u32, Vec<usize>>,
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
            for (fact, _) in &seen.messages[index].facts {
                mentions.entry(*fact).or_default().push(index);
            }
        }
        Self { transcript, seen, cut, mentions }
    }

    /// The lines of a summary, read once.
    pub(super) fn lines(&self, summary: &str) -> Vec<Line> {
        let lines = summary.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("## "));
        let read = lines.map(|line| {
            let lower = line.to_lowercase();
            Line {
                facts: self.seen.read(line),
                flat: line.split_whitespace().collect::<Vec<_>>().join(" "),
                words: words(line),
                operation: OPERATIONS.iter().any(|word| lower.contains(word)),
            }
        });
        read.collect()
    }

    /// Whether a line ties the fact to what was said or done.
    pub(super) fn is_bound(&self, fact: u32, lines: &[Line]) -> bool {
        let value = &self.seen.facts[fact as usize].value;
        let mut holding = lines.iter().filter(|line| self.seen.holds(&line.facts, &line.flat, fact)).peekable();
        if holding.peek().is_none() {
            return false;
        }
        let holding: Vec<&Line> = holding.collect();
        let kind = self.seen.facts[fact as usize].class;
        let told = matches!(kind, crate::facts::Class::Path | crate::facts::Class::Cmd);
        if told && holding.iter().any(|line| line.operation) {
            return true;
        }
        let last = value.rsplit('/').next().unwrap_or(value);
        let sources = self.mentions.get(&fact).into_iter().flatten();
        sources.into_iter().any(|&index| self.message_shares(index, last, &holding))
    }

    fn message_shares(&self, index: usize, value: &str, holding: &[&Line]) -> bool {
        debug_assert!(self.cut.before.binary_search(&index).is_ok());
        let parts = self.transcript.messages[index].parts.iter();
        let texts = parts.filter(|part| !matches!(part.kind, PartKind::Reasoning { .. }));
        texts.flat_map(|part| part.text.lines()).filter(|line| line.contains(value)).any(|source| {
            let own = words(source);
            holding.iter().any(|line| line.words.intersection(&own).count() >= SHARED)
        })
    }
}

/// The words of a line that are no facts: small letters only, three or more.
fn words(line: &str) -> HashSet<String> {
    let plain = |word: &&str| {
        word.len() >= 3 && word.chars().all(char::is_alphabetic) && !word.chars().skip(1).any(char::is_uppercase)
    };
    let split = line.split(|char: char| !(char.is_alphanumeric() || "_./-".contains(char)));
    let words = split.map(|word| word.trim_matches(['.', '-', '/'])).filter(plain).map(str::to_lowercase);
    words.filter(|word| !STOP.contains(&word.as_str())).collect()
}
