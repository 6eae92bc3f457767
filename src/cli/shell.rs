//! Completion scripts and the manual page.

use super::args::CompletionsArgs;
use super::{Cli, ExitStatus, Terminal};
use clap::CommandFactory;

/// Prints a completion script.
pub(super) fn completions(args: &CompletionsArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "epitome", &mut script);
    terminal.result(&String::from_utf8_lossy(&script))?;
    Ok(ExitStatus::Done)
}

/// Prints the manual page in roff.
pub(super) fn man(terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    terminal.result(&String::from_utf8_lossy(&page))?;
    Ok(ExitStatus::Done)
}
