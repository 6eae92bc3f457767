//! Commands that only read: the work is done on every input, and nothing is written.

use super::args::SelectionArgs;
use super::progress::Bar;
use super::terminal::shown;
use super::{Terminal, selected};
use crate::batch::{Batch, RunResult, Target, Work};
use crate::format::hint;
use crate::report::{Outcome, Purpose, Totals, grouped, write_failures};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Does the work on all inputs, with a bar.
pub(super) fn read(
    inputs: &[PathBuf],
    selection: &SelectionArgs,
    work: &dyn Work,
    terminal: &Terminal,
) -> anyhow::Result<RunResult> {
    run(&batch(inputs, selection), work, terminal)
}

/// A run over inputs that writes nothing.
pub(super) fn batch(inputs: &[PathBuf], selection: &SelectionArgs) -> Batch {
    let mut batch = selected::batch(inputs, Target::DryRun { in_place: false }, selection);
    batch.measure_zstd = false;
    batch.reads_only = true;
    batch
}

/// Says which inputs failed.
pub(super) fn failed(result: &RunResult, purpose: Purpose, terminal: &Terminal) -> anyhow::Result<()> {
    let mut failed = String::new();
    write_failures(&result.failures_as_named, purpose, &mut failed)?;
    terminal.failures(&shown(&failed));
    Ok(())
}

/// What is said where no file was taken, which is no mistake. A run that was stopped may not have come to any.
pub(super) fn none_taken(result: &RunResult) -> &'static str {
    match result.totals.files.count {
        0 if !result.canceled => {
            "nothing  no file was taken: the inputs have none, or none that the filters and --shard leave\n"
        }
        _ => "",
    }
}

/// What can be done about files that were met and whose format is known and not read, one line a format.
pub(super) fn unread(totals: &Totals) -> String {
    let help = |name: &String| {
        let hint = hint(name).trim_start_matches("; ");
        (!hint.is_empty()).then(|| format!("help     {name}: {hint}\n"))
    };
    totals.unread.keys().filter(|_| totals.outcomes.skipped > 0).filter_map(help).collect()
}

/// What was passed over, and why.
pub(super) fn skipped(result: &RunResult, terminal: &Terminal) -> anyhow::Result<()> {
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    result.each_line(|_, line| {
        let format = line.format.filter(|_| line.outcome == Outcome::Skipped);
        if let Some(reason) = line.reason.filter(|_| line.outcome == Outcome::Skipped) {
            let format = format.map_or_else(String::new, |format| format!(" ({format})"));
            *reasons.entry(reason + &format).or_default() += 1;
        }
        Ok(())
    })?;
    let named: Vec<String> = reasons.iter().map(|(reason, count)| format!("{} {reason}", grouped(*count))).collect();
    if !named.is_empty() {
        terminal.message(&shown(&format!("skipped  {}\n{}", named.join(", "), unread(&result.totals))));
    }
    Ok(())
}

/// Does the work, with a bar.
pub(super) fn run(batch: &Batch, work: &dyn Work, terminal: &Terminal) -> anyhow::Result<RunResult> {
    let bar = Bar::new(terminal);
    let result = batch.run(work, &bar);
    bar.finish();
    Ok(result?)
}
