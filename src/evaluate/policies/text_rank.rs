//! TextRank (Mihalcea and Tarau 2004): ranks sentences by PageRank over shared words.

use super::sentences;
use crate::evaluate::agreement::stems;
use crate::pipeline::Tools;
use crate::transcript::Transcript;
use std::collections::{BTreeSet, HashMap};

/// Most sentences that are ranked: the newest.
const MOST: usize = 1_000;
const ROUNDS: usize = 30;
const DAMPING: f64 = 0.85;

/// Summarizes the head in `size` tokens.
pub(super) fn summary(transcript: &Transcript<'_>, head: &[usize], size: u64, tools: Tools<'_>) -> String {
    let mut all = sentences::spoken_sentences(transcript, head);
    let all = all.split_off(all.len().saturating_sub(MOST));
    let ranks = ranks(&all);
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|&a, &b| ranks[b].total_cmp(&ranks[a]).then(a.cmp(&b)));
    sentences::fitting(&all, &order, size, tools)
}

fn ranks(all: &[String]) -> Vec<f64> {
    let words: Vec<BTreeSet<String>> = all.iter().map(|sentence| stems(sentence).into_iter().collect()).collect();
    let links = links(&words);
    let degree: Vec<f64> = links.iter().map(|own| own.iter().map(|(_, weight)| weight).sum::<f64>()).collect();
    let mut ranks = vec![1.0; all.len()];
    for _ in 0..ROUNDS {
        ranks = links
            .iter()
            .map(|own| {
                let given = own.iter().map(|&(other, weight)| ranks[other] * weight / degree[other].max(1e-9));
                1.0 - DAMPING + DAMPING * given.sum::<f64>()
            })
            .collect();
    }
    ranks
}

/// Weights between sentences: common words over the sum of the logarithms of both lengths.
fn links(words: &[BTreeSet<String>]) -> Vec<Vec<(usize, f64)>> {
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, own) in words.iter().enumerate() {
        own.iter().for_each(|word| holders.entry(word).or_default().push(at));
    }
    let link = |at: usize| {
        let mut common: HashMap<usize, f64> = HashMap::new();
        for other in words[at].iter().flat_map(|word| &holders[word.as_str()]).filter(|&&other| other != at) {
            *common.entry(*other).or_default() += 1.0;
        }
        let length = |at: usize| (words[at].len() as f64).ln();
        let mut own: Vec<(usize, f64)> =
            common.into_iter().map(|(other, shared)| (other, shared / (length(at) + length(other)).max(1.0))).collect();
        own.sort_unstable_by_key(|(other, _)| *other);
        own
    };
    (0..words.len()).map(link).collect()
}
