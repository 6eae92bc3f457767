//! The cores, for the stages: pieces of one transcript are done by all threads of the run.

use crate::tokens::{Known, Tokenizer};
use crate::transcript::{Spread, Transcript};
use rayon::prelude::*;

/// Bytes of a transcript from which on it is worth more than one core.
const LONG: usize = 1 << 20;

/// Does pieces of work on all threads of the run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cores;

impl Spread for Cores {
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        match count {
            0 | 1 => (0..count).for_each(work),
            _ => (0..count).into_par_iter().for_each(work),
        }
    }
}

/// Counts every part of a transcript that is not known, each once.
pub(super) fn measure(tokenizer: Tokenizer, transcript: &mut Transcript<'_>, known: &Known<'_>) {
    if transcript.source.len() < LONG {
        tokenizer.measure_beside(transcript, known);
    } else {
        transcript.messages.par_iter_mut().for_each(|message| tokenizer.measure_message(message, known));
    }
}
