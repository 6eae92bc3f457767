//! `epitome stats`: where the tokens are, how long transcripts are, and what compaction would save.

use super::args::StatsArgs;
use super::compact::compactor;
use super::reading::{failed, none_taken, read, skipped};
use super::{ExitStatus, Terminal};
use crate::batch::RunResult;
use crate::report::{Amount, Line, Outcome, Purpose, Stats, StatsInput, Tally};
use std::sync::{Mutex, PoisonError};

/// Measures, and prints.
pub(super) fn run(args: &StatsArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    let (preset, merged) = args.policy.resolve()?;
    let tally = Mutex::new(Tally::default());
    let observer = |transcript: &crate::transcript::Transcript<'_>, beside: Option<Amount>, unread: Amount| {
        let own = Tally::of(transcript, beside, unread);
        *tally.lock().unwrap_or_else(PoisonError::into_inner) += own;
    };
    let mut work = compactor(&preset, &merged, &args.selection)?;
    work.observer = Some(&observer);
    let result = read(&args.inputs, &args.selection, &work, terminal)?;
    let tokenizer = work.tokenizer.name();
    let tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
    let lengths = lengths(&result)?;
    // Where nothing could be read, a table of zeros would hide that.
    if args.json || !lengths.is_empty() {
        let input = StatsInput { tokenizer, tally: &tally, lengths, over: &args.over, totals: &result.totals };
        let stats = Stats::new(input);
        terminal.result(&if args.json { stats.json()? } else { stats.table() })?;
    }
    terminal.message(none_taken(&result));
    skipped(&result, terminal)?;
    failed(&result, Purpose::Reading, terminal)?;
    Ok(if result.has_failures() { ExitStatus::SomeFailed } else { ExitStatus::Done })
}

/// Tokens of every transcript that was read; of a row, those of its longest answer, too.
fn lengths(result: &RunResult) -> anyhow::Result<Vec<u64>> {
    let mut lines = Vec::new();
    result.write_lines(&mut lines)?;
    let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let read = lines.map(serde_json::from_slice::<Line>).collect::<Result<Vec<_>, _>>()?;
    let transcripts = read
        .into_iter()
        .filter(|line| matches!(line.outcome, Outcome::Compacted | Outcome::Redacted | Outcome::Unchanged));
    Ok(transcripts.map(|line| line.tokens.before + line.tokens.beside).collect())
}
