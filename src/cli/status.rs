//! Exit statuses.

use std::process::ExitCode;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// Everything was done. Also when the reader of our output went away.
    Done,
    /// Some files failed; the others are done.
    SomeFailed,
    /// The run could not start: usage, configuration, folders.
    Unusable,
    /// Nothing could be judged.
    NothingJudged,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        match status {
            ExitStatus::Done => Self::SUCCESS,
            ExitStatus::SomeFailed => Self::from(1),
            ExitStatus::Unusable => Self::from(2),
            ExitStatus::NothingJudged => Self::from(3),
        }
    }
}
