//! Sentences of users and the agent, the material of the classical baselines, and the oracle that chooses among them.

use crate::evaluate::agreement::stems;
use crate::pipeline::Tools;
use crate::summary::sentences;
use crate::transcript::{Author, Transcript};
use std::collections::HashMap;

/// Most sentences that are looked at: the newest.
const MOST: usize = 2_000;

/// Share of a sentence's words that have to be new and wanted.
const LEAST: f64 = 0.3;

/// The sentences of these messages, in order.
pub(super) fn of(transcript: &Transcript<'_>, messages: &[usize]) -> Vec<String> {
    let spoken = messages.iter().map(|&index| &transcript.messages[index]);
    let spoken = spoken.filter(|message| matches!(message.author, Author::Person | Author::Model));
    let mut all: Vec<String> = spoken.flat_map(|message| sentences(&message.text())).collect();
    let extra = all.len().saturating_sub(MOST);
    all.split_off(extra)
}

/// Those of the sentences that fit, best first, printed in their order.
pub(super) fn fitting(all: &[String], order: &[usize], size: u64, tools: Tools<'_>) -> String {
    let mut left = size;
    let mut chosen = Vec::new();
    for &at in order {
        let cost = (tools.count)(&all[at]).0 + 1;
        if let Some(rest) = left.checked_sub(cost) {
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

/// The sentences that add most of the words of `recorded` for their length: what an extract could agree with at best.
pub(super) fn oracle(
    transcript: &Transcript<'_>,
    head: &[usize],
    (recorded, size): (&str, u64),
    tools: Tools<'_>,
) -> String {
    let all = of(transcript, head);
    let words: Vec<Vec<String>> = all.iter().map(|sentence| stems(sentence)).collect();
    let mut wanted: HashMap<String, i64> = HashMap::new();
    for word in stems(recorded) {
        *wanted.entry(word).or_default() += 1;
    }
    let (mut chosen, mut left) = (Vec::new(), size);
    let mut open: Vec<usize> = (0..all.len()).filter(|&at| words[at].len() >= 3).collect();
    loop {
        let gain = |at: usize| {
            let mut rest = wanted.clone();
            let hits = words[at].iter().filter(|word| {
                rest.get_mut(*word).is_some_and(|count| {
                    *count -= 1;
                    *count >= 0
                })
            });
            hits.count() as f64 / words[at].len() as f64
        };
        let best = open.iter().copied().map(|at| (gain(at), at)).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let Some((_, at)) = best.filter(|(worth, _)| *worth > LEAST) else { break };
        open.retain(|&other| other != at);
        let cost = (tools.count)(&all[at]).0 + 1;
        let Some(rest) = left.checked_sub(cost) else { continue };
        left = rest;
        for word in &words[at] {
            wanted.entry(word.clone()).and_modify(|count| *count -= 1);
        }
        chosen.push(at);
    }
    chosen.sort_unstable();
    chosen.iter().map(|&at| all[at].as_str()).collect::<Vec<_>>().join("\n")
}
