//! The terminal behind one type: results to standard output, messages to standard error.

use std::io::{self, IsTerminal, Write};

/// Where results and messages go.
#[derive(Clone, Copy)]
pub(super) struct Terminal {
    quiet: bool,
    progress: bool,
}

/// What is not wanted on standard error.
#[derive(Clone, Copy)]
pub(super) struct Unwanted {
    /// Messages, and progress with them.
    pub(super) messages: bool,
    /// Progress.
    pub(super) progress: bool,
}

impl Terminal {
    /// A terminal for what is wanted.
    pub(super) fn without(Unwanted { messages, progress }: Unwanted) -> Self {
        Self { quiet: messages, progress: !messages && !progress }
    }

    /// Whether a bar may be drawn, which only a terminal can show.
    pub(super) fn shows_progress(&self) -> bool {
        self.progress && io::stderr().is_terminal()
    }

    /// Whether lines tell of the progress, where a bar can't be shown.
    pub(super) fn logs_progress(&self) -> bool {
        self.progress && !io::stderr().is_terminal()
    }

    /// Writes a result.
    pub(super) fn result(&self, text: &str) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }

    /// Writes a message; a standard error that is gone is no reason to stop.
    pub(super) fn message(&self, text: &str) {
        if !self.quiet {
            drop(io::stderr().lock().write_all(text.as_bytes()));
        }
    }

    /// Writes what failed, also if quiet.
    pub(super) fn failures(&self, text: &str) {
        drop(io::stderr().lock().write_all(text.as_bytes()));
    }

    /// Writes an error, also if quiet.
    pub(super) fn error(&self, text: &str) {
        drop(writeln!(io::stderr().lock(), "error: {text}"));
    }
}

/// A text from a transcript or a file name as it may be shown: control characters are replaced.
pub(super) fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}
