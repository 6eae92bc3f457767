//! The outcome of a gate for one transcript.

use super::Level;
use crate::measure::Share;
use crate::transcript::Transcript;
use serde::Serialize;

/// Result of a gate, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The gate holds.
    Pass,
    /// There is nothing to judge.
    Insufficient,
    /// The gate is broken at level `warn`.
    Warn,
    /// The baseline belongs to something else. Never counts as passed.
    NotComparable,
    /// The gate is broken at level `error`.
    Fail,
}

impl Verdict {
    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Insufficient => "insufficient",
            Self::Warn => "warn",
            Self::NotComparable => "not comparable",
            Self::Fail => "fail",
        }
    }
}

/// Where a message stands in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// Line, from 1.
    pub line: usize,
    /// Number of the message, from 1, in a row or a transcript stored on one line.
    pub message: Option<usize>,
}

impl Spot {
    /// The place of a message, given by its index; `None` if the transcript has no such message.
    pub(super) fn of(transcript: &Transcript<'_>, message: usize) -> Option<Self> {
        let line = transcript.records.get(transcript.messages.get(message)?.record)?.line;
        Some(Self { line, message: transcript.number_of(message) })
    }
}

impl From<usize> for Spot {
    /// A line as a whole.
    fn from(line: usize) -> Self {
        Self { line, message: None }
    }
}

/// One violation of a gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Whether the violation fails the gate.
    pub level: Level,
    /// Line of the compacted file, from 1.
    pub line: usize,
    /// Number of the message there, from 1, in a row or a transcript stored on one line.
    pub message_number: Option<usize>,
    /// Line in the text of the summary, from 1.
    pub summary_line: Option<usize>,
    /// The section of the template that contains this line.
    pub section: Option<String>,
    /// Where the lost text stands in the original file.
    pub original: Option<Spot>,
    /// What is wrong, without words of the transcript.
    pub message: String,
    /// The text of the transcript that it is about; shown only on request.
    pub content: Option<String>,
}

impl Finding {
    /// An error at a line of the file, or at a message.
    pub fn new(place: impl Into<Spot>, message: impl Into<String>) -> Self {
        let (Spot { line, message: message_number }, message) = (place.into(), message.into());
        let (summary_line, section, original, content) = (None, None, None, None);
        Self { level: Level::Error, line, message_number, summary_line, section, original, message, content }
    }

    /// Adds the text that the finding is about.
    #[must_use]
    pub fn about(mut self, content: impl Into<String>) -> Self {
        self.content = Some(content.into());
        self
    }

    /// Adds the line of the summary.
    #[must_use]
    pub fn at(mut self, summary_line: usize) -> Self {
        self.summary_line = Some(summary_line);
        self
    }

    /// Lowers the level to a warning.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.level = Level::Warn;
        self
    }
}

/// A gate judged on one transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateResult {
    /// The gate's id.
    pub gate: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// How many of the counted items are as they should be.
    pub share: Share,
    /// Violations.
    pub findings: Vec<Finding>,
    /// Why the gate could not be judged; empty if it was.
    pub note: &'static str,
    /// The share reaches the threshold: findings are reported but do not fail the gate.
    pub(super) bearable: bool,
}

impl GateResult {
    /// An outcome from its findings; without findings the gate holds.
    pub(super) fn of(share: Share, findings: Vec<Finding>) -> Self {
        Self { gate: "", verdict: Verdict::Pass, share, findings, note: "", bearable: false }
    }

    /// An outcome that passes if the share reaches `least`, whatever the findings.
    pub(super) fn at_least(least: f64, share: Share, findings: Vec<Finding>) -> Self {
        let bearable = share.value().is_none_or(|value| value + 1e-9 >= least);
        Self { bearable, ..Self::of(share, findings) }
    }

    /// An outcome about the whole transcript, which holds without a finding.
    pub(super) fn whole(finding: Option<Finding>) -> Self {
        let share = Share { kept: usize::from(finding.is_none()), of: 1 };
        Self::of(share, finding.into_iter().collect())
    }

    /// An outcome for nothing to judge, with the reason.
    pub(super) fn insufficient(note: &'static str) -> Self {
        Self { verdict: Verdict::Insufficient, note, ..Self::of(Share::default(), Vec::new()) }
    }

    /// Adds errors about items that were not counted to the total, so that a failing gate does not show a full share.
    pub(super) fn count_errors(&mut self) {
        let errors = self.findings.iter().filter(|finding| finding.level == Level::Error).count();
        let counted = self.share.of - self.share.kept;
        // A share of 0 shows the failure already.
        if self.share.kept > 0 || self.share.of == 0 {
            self.share.of += errors.saturating_sub(counted);
        }
    }

    /// Sets the verdict according to the findings.
    pub(super) fn settle(mut self) -> Self {
        if matches!(self.verdict, Verdict::Insufficient | Verdict::NotComparable) {
            return self;
        }
        if self.share.of == 0 && self.findings.is_empty() {
            self.verdict = Verdict::Insufficient;
            if self.note.is_empty() {
                self.note = "there is nothing of the kind";
            }
            return self;
        }
        let worst = self.findings.iter().map(|finding| finding.level).max().unwrap_or(Level::Off);
        self.verdict = match worst {
            _ if self.bearable => Verdict::Pass,
            Level::Off => Verdict::Pass,
            Level::Warn => Verdict::Warn,
            Level::Error | Level::Strict => Verdict::Fail,
        };
        if self.bearable {
            self.findings.clear();
        }
        self
    }
}
