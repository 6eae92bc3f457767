//! The command line: one file per command; the only code that talks to a terminal.

mod args;
mod check;
mod compact;
mod config;
mod convert;
mod detect;
mod environment;
mod evaluate;
mod explain;
mod fixtures;
mod flags;
mod gate_outputs;
mod gates;
mod interrupt;
mod llm;
mod named_presets;
mod policy;
mod presets;
mod programs;
mod progress;
mod reading;
mod reproduce;
mod restore;
mod selected;
mod shell;
mod stats;
mod status;
mod target;
mod templates;
mod terminal;
mod totals;

pub use args::Cli;
pub use status::ExitStatus;

use crate::batch::BatchError;
use args::Command;
use clap::Parser;
use terminal::{Terminal, Unwanted};

/// Parses the arguments of the process and runs; every error is printed here and nowhere else.
pub fn main() -> ExitStatus {
    interrupt::outlives_limits();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let asked = !error.use_stderr();
            // A mistake stays one though nobody can be told of it.
            let _ = error.print();
            return if asked { ExitStatus::Done } else { ExitStatus::Unusable };
        }
    };
    let terminal = Terminal::without(Unwanted { messages: cli.quiet, progress: cli.no_progress });
    run(cli.command, &terminal).unwrap_or_else(|error| {
        if is_broken_pipe(&error) {
            return ExitStatus::Done;
        }
        terminal.error(&with_causes(&error));
        ExitStatus::Unusable
    })
}

/// An error with its causes, each told once.
fn with_causes(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string).collect::<Vec<_>>() {
        if !text.ends_with(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

/// Runs one command.
fn run(command: Command, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    if !matches!(command, Command::Completions(_) | Command::Man(_)) {
        environment::check()?;
    }
    match command {
        Command::Compact(args) => compact::run(&args, terminal),
        Command::Convert(args) => convert::run(&args, terminal),
        Command::Stats(args) => stats::run(&args, terminal),
        Command::Check(args) => check::run(&args, terminal),
        Command::Evaluate(args) => evaluate::run(&args, terminal),
        Command::Presets(args) => presets::run(&args, terminal),
        Command::Detect(args) => detect::run(&args, terminal),
        Command::Restore(args) => restore::run(&args, terminal),
        Command::Totals(args) => totals::run(&args, terminal),
        Command::Fixtures(args) => fixtures::run(&args, terminal),
        Command::Completions(args) => shell::completions(&args, terminal),
        Command::Man(args) => shell::man(&args, terminal),
    }
}

/// The reader of our output went away, which is no error of ours.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    if error.downcast_ref::<BatchError>().is_some_and(BatchError::is_broken_pipe) {
        return true;
    }
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    causes.any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
