//! Runs a task on every original, for gates that judge the compactor rather than one pair.

use super::pairs::Gatekeeper;
use crate::batch::{Batch, BatchError, Input, Work, fenced, pool};
use crate::format::Format;
use crate::transcript::apply;
use rayon::prelude::*;

/// The originals of given inputs.
#[derive(Clone, Copy)]
pub(super) struct Originals<'r> {
    pub(super) keeper: &'r Gatekeeper,
    pub(super) batch: &'r Batch,
    pub(super) inputs: &'r [Input],
}

/// A task for one original transcript: takes its format, its bytes, and its first line.
pub(super) type Task<'t, T> = dyn Fn(&'static dyn Format, &[u8], usize) -> T + Sync + 't;

impl Originals<'_> {
    /// Runs a task on all transcripts of all originals. Returns the answers by input and by position in it, in order;
    /// an unreadable original has none, as its pair reports the reason.
    pub(super) fn each<T: Send>(&self, threads: usize, task: &Task<'_, T>) -> Result<Vec<Vec<T>>, BatchError> {
        self.in_order(threads, false, task)
    }

    /// The same in reverse order.
    pub(super) fn backwards<T: Send>(&self, threads: usize, task: &Task<'_, T>) -> Result<Vec<Vec<T>>, BatchError> {
        self.in_order(threads, true, task)
    }

    fn in_order<T: Send>(
        &self,
        threads: usize,
        backwards: bool,
        task: &Task<'_, T>,
    ) -> Result<Vec<Vec<T>>, BatchError> {
        let pool = pool(threads)?;
        let mut inputs: Vec<&Input> = self.inputs.iter().collect();
        if backwards {
            inputs.reverse();
        }
        let mut all: Vec<Vec<T>> = pool.install(|| inputs.par_iter().map(|input| self.one(input, task)).collect());
        if backwards {
            all.reverse();
        }
        Ok(all)
    }

    fn one<T: Send>(&self, input: &Input, task: &Task<'_, T>) -> Vec<T> {
        let Some(original) = self.keeper.original(input) else { return Vec::new() };
        let Ok(file) = self.keeper.load_original(self.batch, &original) else { return Vec::new() };
        let one = |at: usize| {
            let row = file.row(at);
            fenced(|| task(file.format, row.source, row.line)).ok()
        };
        // A panic ends the list: later answers would get the wrong position.
        let done: Vec<Option<T>> = (0..file.places.len()).into_par_iter().map(one).collect();
        done.into_iter().map_while(|one| one).collect()
    }
}

/// The resulting bytes of a transcript, changed or not, or the reason of the failure.
pub(super) fn output(work: &dyn Work, format: &'static dyn Format, source: &[u8], line: usize) -> Vec<u8> {
    let done = work.run(format, source, line);
    match done.line.outcome {
        crate::report::Outcome::Failed => done.line.reason.unwrap_or_default().into_bytes(),
        _ => apply(source, &done.patches).into_owned(),
    }
}
