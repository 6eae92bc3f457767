//! Sentences of users and the agent, from which the classical baselines choose, and the oracle baseline.

use crate::evaluate::agreement::stems;
use crate::pipeline::Tools;
use crate::summary::sentences;
use crate::transcript::{Author, Transcript};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap, HashMap};

/// Most sentences that are considered: the newest.
const MOST: usize = 2_000;

/// Least share of a sentence's words that must be wanted and not yet covered.
const LEAST: f64 = 0.3;

/// The sentences of these messages, in order.
pub(super) fn spoken_sentences(transcript: &Transcript<'_>, messages: &[usize]) -> Vec<String> {
    let spoken = messages.iter().map(|&index| &transcript.messages[index]);
    let spoken = spoken.filter(|message| matches!(message.author, Author::Person | Author::Model));
    let mut all: Vec<String> = spoken.flat_map(|message| sentences(&message.text())).collect();
    let extra = all.len().saturating_sub(MOST);
    all.split_off(extra)
}

/// Takes sentences in the given order while they fit in `size` tokens; returns them in text order.
pub(super) fn fitting(all: &[String], order: &[usize], size: u64, tools: Tools<'_>) -> String {
    let mut left = size;
    let mut chosen = Vec::new();
    for &at in order {
        if let Some(rest) = left.checked_sub(size_of(&all[at], tools)) {
            left = rest;
            chosen.push(at);
        }
        if left < 8 {
            break;
        }
    }
    chosen.sort_unstable();
    chosen.iter().map(|&at| all[at].as_str()).collect::<Vec<_>>().join("\n")
}

/// The sentences that cover most words of `recorded` for their length: what an extract could agree with at best.
pub(super) fn oracle(
    transcript: &Transcript<'_>,
    head: &[usize],
    (recorded, size): (&str, u64),
    tools: Tools<'_>,
) -> String {
    let all = spoken_sentences(transcript, head);
    let chosen = most_like(recorded, &all, |at| size_of(&all[at], tools), size);
    chosen.iter().map(|&at| all[at].as_str()).collect::<Vec<_>>().join("\n")
}

/// Tokens of a sentence on its own line.
fn size_of(sentence: &str, tools: Tools<'_>) -> u64 {
    (tools.count)(sentence).0 + 1
}

/// Greedy choice: repeatedly the sentence with the largest gain that fits, the first of equal ones; returns indices,
/// ascending. Gains only shrink as others are taken, so a sentence whose gain is unchanged is the best of all.
fn most_like(recorded: &str, all: &[String], cost: impl Fn(usize) -> u64, mut left: u64) -> Vec<usize> {
    let (mut wanted, words) = Wanted::of(recorded, all);
    let mut chosen = Vec::new();
    let long = words.iter().enumerate().filter(|(_, words)| words.all >= 3);
    let mut open: BinaryHeap<_> = long.map(|(at, words)| (wanted.gain(words), Reverse(at))).collect();
    while let Some((worth, Reverse(at))) = open.pop().filter(|(worth, _)| worth.0 > LEAST) {
        let now = wanted.gain(&words[at]);
        if now < worth {
            open.push((now, Reverse(at)));
        } else if let Some(rest) = left.checked_sub(cost(at)) {
            left = rest;
            wanted.take(&words[at]);
            chosen.push(at);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// A share with a total order.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Share(f64);

impl Eq for Share {}

impl Ord for Share {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Share {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The words of a sentence.
struct Words {
    /// Number of words.
    all: usize,
    /// Ids of its words that are in the wanted text, with their counts.
    wanted: Vec<(usize, u64)>,
}

/// Remaining count of each wanted word, by id.
struct Wanted(Vec<u64>);

impl Wanted {
    /// Indexes the words of a text, and finds them in the sentences.
    fn of(text: &str, sentences: &[String]) -> (Self, Vec<Words>) {
        let (mut ids, mut left): (HashMap<String, usize>, _) = (HashMap::new(), Vec::new());
        for word in stems(text) {
            let id = *ids.entry(word).or_insert(left.len());
            left.resize(left.len().max(id + 1), 0);
            left[id] += 1;
        }
        let words = sentences.iter().map(|sentence| {
            let stems = stems(sentence);
            let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
            for id in stems.iter().filter_map(|word| ids.get(word)) {
                *counts.entry(*id).or_default() += 1;
            }
            Words { all: stems.len(), wanted: counts.into_iter().collect() }
        });
        let words = words.collect();
        (Self(left), words)
    }

    /// The share of a sentence's words that are still wanted.
    fn gain(&self, words: &Words) -> Share {
        let hits: u64 = words.wanted.iter().map(|&(id, count)| count.min(self.0[id])).sum();
        Share(hits as f64 / words.all as f64)
    }

    /// Subtracts the words of a chosen sentence.
    fn take(&mut self, words: &Words) {
        for &(id, count) in &words.wanted {
            self.0[id] = self.0[id].saturating_sub(count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference implementation: every sentence is scored again in every round.
    fn plainly(recorded: &str, all: &[String], cost: impl Fn(usize) -> u64, mut left: u64) -> Vec<usize> {
        let words: Vec<Vec<String>> = all.iter().map(|sentence| stems(sentence)).collect();
        let (mut wanted, mut chosen) = (stems(recorded), Vec::new());
        let mut open: Vec<usize> = (0..all.len()).filter(|&at| words[at].len() >= 3).collect();
        let without = |mut rest: Vec<String>, at: usize| {
            for word in &words[at] {
                rest.iter().position(|other| other == word).map(|found| rest.swap_remove(found));
            }
            rest
        };
        loop {
            let gain = |at: usize| (wanted.len() - without(wanted.clone(), at).len()) as f64 / words[at].len() as f64;
            let best = open.iter().map(|&at| (gain(at), at)).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            let Some((_, at)) = best.filter(|(worth, _)| *worth > LEAST) else { break };
            open.retain(|&other| other != at);
            let Some(rest) = left.checked_sub(cost(at)) else { continue };
            left = rest;
            wanted = without(wanted, at);
            chosen.push(at);
        }
        chosen.sort_unstable();
        chosen
    }

    #[test]
    fn the_oracle_takes_what_its_rule_says() {
        const WORDS: &[&str] = &["red", "blue", "green", "grey", "testing", "tested", "one", "two", "no", "none"];
        let mut state = 7_usize;
        let mut text = |longest: usize| {
            let mut next = || {
                state = (state * 1_103_515_245 + 12_345) % (1 << 31);
                state >> 8
            };
            let length = 1 + next() % longest;
            (0..length).map(|_| WORDS[next() % WORDS.len()]).collect::<Vec<_>>().join(" ")
        };
        for _ in 0..200 {
            let (recorded, all) = (text(30), (0..20).map(|_| text(9)).collect::<Vec<_>>());
            let cost = |at: usize| all[at].len() as u64;
            for size in [15, 60, 1_000] {
                assert_eq!(most_like(&recorded, &all, cost, size), plainly(&recorded, &all, cost, size), "{recorded}");
            }
        }
    }
}
