//! Lead baseline: the first sentences that fit.

use super::sentences;
use crate::pipeline::Tools;
use crate::transcript::Transcript;

/// Summarizes the head in `size` tokens.
pub(super) fn summary(transcript: &Transcript<'_>, head: &[usize], size: u64, tools: Tools<'_>) -> String {
    let all = sentences::spoken_sentences(transcript, head);
    let order: Vec<usize> = (0..all.len()).collect();
    sentences::fitting(&all, &order, size, tools)
}
