//! `epitome totals`: what several runs did together.

use super::args::TotalsArgs;
use super::terminal::shown;
use super::{ExitStatus, Terminal};
use crate::batch::add_up;
use crate::report::{Purpose, write_failures, write_table};

/// Adds up reports and prints the sum. Shares without a report are work that is not done.
pub(super) fn run(args: &TotalsArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    let sum = add_up(&args.reports)?;
    if args.json {
        terminal.result(&sum.json()?)?;
    } else {
        let mut text = String::new();
        write_table(&sum.totals, &mut text)?;
        write_failures(&sum.failures, Purpose::Writing, &mut text)?;
        terminal.result(&shown(&text))?;
    }
    for share in &sum.missing {
        terminal.error(&shown(&format!("{share}: no report yet; start this share, or wait for it")));
    }
    for report in &sum.stopped {
        terminal.error(&shown(&format!("{report}: this run was stopped; run it again to do the rest")));
    }
    let all = sum.stopped.is_empty() && sum.missing.is_empty() && sum.failures.count() == 0;
    Ok(if all { ExitStatus::Done } else { ExitStatus::SomeFailed })
}
