//! What a gate says about one transcript.

use super::Level;
use crate::measure::Share;
use serde::Serialize;

/// How a gate was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It holds.
    Pass,
    /// There is nothing to judge it by.
    Insufficient,
    /// It is broken, which only warns.
    Warn,
    /// What it is to be compared with is about something else. Never passed.
    NotComparable,
    /// It is broken.
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

/// One thing that breaks a gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Whether it fails the gate.
    pub level: Level,
    /// Line of the compacted file, from 1.
    pub line: usize,
    /// Line in the text of the summary, from 1.
    pub summary_line: Option<usize>,
    /// The section of the template that this line stands in.
    pub section: Option<String>,
    /// Line of the original's file of what is missing, from 1.
    pub original_line: Option<usize>,
    /// What is wrong, without words of the transcript.
    pub message: String,
    /// The words of the transcript that it is about; shown only if asked for.
    pub content: Option<String>,
}

impl Finding {
    /// An error in a line of the file.
    pub fn new(line: usize, message: impl Into<String>) -> Self {
        let message = message.into();
        let (summary_line, section, original_line, content) = (None, None, None, None);
        Self { level: Level::Error, line, summary_line, section, original_line, message, content }
    }

    /// The same with the words that it is about.
    #[must_use]
    pub fn about(mut self, content: impl Into<String>) -> Self {
        self.content = Some(content.into());
        self
    }

    /// The same in a line of the summary.
    #[must_use]
    pub fn at(mut self, summary_line: usize) -> Self {
        self.summary_line = Some(summary_line);
        self
    }

    /// The same as a warning.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.level = Level::Warn;
        self
    }
}

/// A gate judged on one transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The gate's id.
    pub gate: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// What was counted: so many of so many are as they should be.
    pub share: Share,
    /// What breaks it.
    pub findings: Vec<Finding>,
    /// Why it could not be judged; empty otherwise.
    pub note: &'static str,
    /// What is wrong with less than all is bearable: findings are told and do not count.
    pub(super) bearable: bool,
}

impl Outcome {
    /// An outcome by its findings; none: it holds.
    pub(super) fn of(share: Share, findings: Vec<Finding>) -> Self {
        Self { gate: "", verdict: Verdict::Pass, share, findings, note: "", bearable: false }
    }

    /// The same where it is enough that the share reaches `least`.
    pub(super) fn at_least(least: f64, share: Share, findings: Vec<Finding>) -> Self {
        let bearable = share.value().is_none_or(|value| value + 1e-9 >= least);
        Self { bearable, ..Self::of(share, findings) }
    }

    /// A yes or no about the whole transcript.
    pub(super) fn whole(finding: Option<Finding>) -> Self {
        let share = Share { kept: usize::from(finding.is_none()), of: 1 };
        Self::of(share, finding.into_iter().collect())
    }

    /// There was nothing to judge.
    pub(super) fn insufficient(note: &'static str) -> Self {
        Self { verdict: Verdict::Insufficient, note, ..Self::of(Share::default(), Vec::new()) }
    }

    /// Counts the errors that are of nothing that was counted: a share of all that fails tells nothing.
    pub(super) fn count_errors(&mut self) {
        let errors = self.findings.iter().filter(|finding| finding.level == Level::Error).count();
        let counted = self.share.of - self.share.kept;
        // Where nothing is as it should be, the share tells that already.
        if self.share.kept > 0 || self.share.of == 0 {
            self.share.of += errors.saturating_sub(counted);
        }
    }

    /// Settles the verdict by what was found.
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
            Level::Error => Verdict::Fail,
        };
        if self.bearable {
            self.findings.clear();
        }
        self
    }
}
