//! Commands that only read: the work is done on every input, and nothing is written.

use super::Terminal;
use super::args::SelectionArgs;
use super::compact::filters;
use super::progress::Bar;
use super::terminal::shown;
use crate::batch::{Batch, Summary, Target, Work};
use crate::report::write_failures;
use std::path::PathBuf;
use std::time::SystemTime;

/// Does the work on all inputs, with a bar.
pub(super) fn read(
    inputs: &[PathBuf],
    selection: &SelectionArgs,
    work: &dyn Work,
    terminal: &Terminal,
) -> anyhow::Result<Summary> {
    run(&batch(inputs, selection), work, terminal)
}

/// A run over inputs that writes nothing.
pub(super) fn batch(inputs: &[PathBuf], selection: &SelectionArgs) -> Batch {
    let mut batch = Batch::new(inputs.to_vec(), Target::DryRun { in_place: false }, SystemTime::now());
    batch.filters = filters(selection);
    batch.threads = selection.threads;
    batch.shard = selection.shard;
    batch.measure_zstd = false;
    batch.reads_only = true;
    batch
}

/// Says which inputs failed.
pub(super) fn failed(summary: &Summary, terminal: &Terminal) -> anyhow::Result<()> {
    let mut failed = String::new();
    write_failures(&summary.failures, &mut failed)?;
    terminal.failures(&shown(&failed));
    Ok(())
}

/// Does the work, with a bar.
pub(super) fn run(batch: &Batch, work: &dyn Work, terminal: &Terminal) -> anyhow::Result<Summary> {
    let bar = Bar::new(terminal);
    let summary = batch.run(work, &bar);
    bar.finish();
    Ok(summary?)
}
