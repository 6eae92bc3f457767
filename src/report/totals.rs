//! Totals: the sum of report lines, as a type that all renderers use, so that they show the same numbers.

use super::{
    BytesReport, FailedRow, FaultCount, KindReport, Line, LlmTotals, MessagesReport, Outcome, PrunedReport,
    TokensReport, UsageReport,
};
use crate::reason::Reason;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// The sum of the report lines of any number of files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// The stored files; the only field that is not a sum over lines.
    pub files: FileTotals,
    /// Lines whose format was recognized.
    pub transcripts: u64,
    /// Lines by outcome.
    pub outcomes: OutcomeCounts,
    /// Lines by reason.
    pub reasons: BTreeMap<String, u64>,
    /// Files whose format is known but can't be read, by format.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub unread: BTreeMap<String, u64>,
    /// Tokens.
    pub tokens: TokensReport,
    /// Bytes; zstd sizes only of lines that have them.
    pub bytes: BytesReport,
    /// Messages.
    pub messages: MessagesReport,
    /// Tokens and bytes by part kind.
    pub kinds: BTreeMap<String, KindReport>,
    /// Pruned parts and their tokens.
    pub pruned: PrunedReport,
    /// Usage recorded in removed messages.
    pub usage_dropped: UsageReport,
    /// Faults by rule.
    pub faults: FaultCount,
    /// Losses of conversions, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub losses: BTreeMap<String, u64>,
    /// Training rows that end on no answer, among converted and checked rows.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub unanswered_ends: u64,
    /// Transcripts, compacted or left as they are, that still reach the usable tokens.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub overflows: u64,
    /// The work of models.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub llm: Option<LlmTotals>,
    /// Credentials masked in transcripts, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub redacted: BTreeMap<String, u64>,
    /// The failed lines' part of `tokens` and `bytes`, to be left out when comparing before and after.
    pub failed: FailedTotals,
}

/// Stored files, including line breaks, blank lines and byte order marks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileTotals {
    /// Number of files found, failed ones included.
    pub count: u64,
    /// Bytes of the files that did not fail.
    pub bytes: BytesReport,
}

/// Lines by outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeCounts {
    /// Content was removed or replaced.
    pub compacted: u64,
    /// They were written in another format.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub converted: u64,
    /// Broken rules were mended.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub mended: u64,
    /// Only credentials were masked.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub redacted: u64,
    /// There was nothing to do.
    pub unchanged: u64,
    /// Not a transcript.
    pub skipped: u64,
    /// Failed.
    pub failed: u64,
}

/// Whether a number is left out of the JSON.
pub(super) fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The sum of failed lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedTotals {
    /// Tokens.
    pub tokens: TokensReport,
    /// Bytes.
    pub bytes: BytesReport,
    /// Rows that stayed in an output as they were.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub rows_kept: u64,
    /// Rows that were left out of an output.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub rows_dropped: u64,
}

/// Implements `+=` field by field, so that no field of a sum is forgotten by hand.
macro_rules! sum {
    ($($name:ident { $($field:ident),+ })+) => {
        $(impl AddAssign<&$name> for $name {
            fn add_assign(&mut self, other: &Self) {
                let $name { $($field),+ } = other;
                $(self.$field.add($field);)+
            }
        }

        impl Add for $name {
            fn add(&mut self, other: &Self) {
                *self += other;
            }
        })+
    };
}

/// Adds one field; a private trait, since `AddAssign` can't be implemented for maps and options.
trait Add {
    fn add(&mut self, other: &Self);
}

impl Add for u64 {
    fn add(&mut self, other: &Self) {
        *self = self.saturating_add(*other);
    }
}

impl Add for Option<u64> {
    fn add(&mut self, other: &Self) {
        if let Some(other) = other {
            *self = Some(self.unwrap_or(0).saturating_add(*other));
        }
    }
}

impl Add for Option<LlmTotals> {
    fn add(&mut self, other: &Self) {
        if let Some(other) = other {
            self.get_or_insert_default().add(other);
        }
    }
}

impl<T: Add + Default> Add for BTreeMap<String, T> {
    fn add(&mut self, other: &Self) {
        for (key, value) in other {
            self.entry(key.clone()).or_default().add(value);
        }
    }
}

sum! {
    Totals {
        files, transcripts, outcomes, reasons, unread, tokens, bytes, messages, kinds, pruned, usage_dropped, faults, losses, unanswered_ends, overflows, llm, redacted, failed
    }
    FileTotals { count, bytes }
    OutcomeCounts { compacted, converted, mended, redacted, unchanged, skipped, failed }
    FailedTotals { tokens, bytes, rows_kept, rows_dropped }
    TokensReport { before, live, after, live_after, head, tail, summary, beside }
    BytesReport { before, after, before_zstd, after_zstd, zstd_sampled }
    MessagesReport { before, after }
    KindReport { tokens_before, tokens_after, bytes_before, bytes_after }
    PrunedReport { parts, tokens, parts_in_output, excerpts, reasoning }
    UsageReport { messages, input, cache_read, cache_write, output }
    FaultCount { before, after }
    LlmTotals { transcripts, extractive, estimated, unasked, unasked_rows, calls, requests, cached, input_tokens, output_tokens, cost_micros, redacted, failures, causes }
}

impl Line {
    /// Marks a failed row that is left out of the output, which has nothing of it then.
    pub fn leave_out(&mut self) {
        self.failed_row = Some(FailedRow::Dropped);
        self.redacted.clear();
        (self.tokens.after, self.tokens.live_after, self.messages.after) = (0, 0, 0);
        self.kinds_after(BTreeMap::new());
    }
}

impl AddAssign<&Line> for Totals {
    fn add_assign(&mut self, line: &Line) {
        self.transcripts += u64::from(line.format.is_some());
        self.outcomes.add(&OutcomeCounts::of(line.outcome));
        if let Some(reason) = &line.reason {
            self.reasons.entry(reason.clone()).or_default().add(&1);
        }
        if let Some(format) = line.format.as_ref().filter(|_| line.is_for(Reason::UnsupportedFormat)) {
            self.unread.entry(format.clone()).or_default().add(&1);
        }
        self.tokens.add(&line.tokens);
        self.bytes.add(&line.bytes);
        self.messages.add(&line.messages);
        self.kinds.add(&line.kinds);
        self.pruned.add(&line.pruned);
        self.faults.add(&line.faults);
        for loss in &line.losses {
            self.losses.entry(loss.kind.clone()).or_default().add(&loss.count);
        }
        self.unanswered_ends.add(&u64::from(line.unanswered_end));
        self.overflows.add(&u64::from(line.overflows));
        self.redacted.add(&line.redacted);
        if let Some(llm) = &line.llm {
            let of = if line.line.is_some() { LlmTotals::of_row } else { LlmTotals::of };
            self.llm.add(&Some(of(llm)));
        }
        if let Some(usage) = &line.usage_dropped {
            self.usage_dropped.add(usage);
        }
        if line.outcome == Outcome::Failed {
            self.failed.tokens.add(&line.tokens);
            self.failed.bytes.add(&line.bytes);
            self.failed.rows_kept.add(&u64::from(line.failed_row == Some(FailedRow::Kept)));
            self.failed.rows_dropped.add(&u64::from(line.failed_row == Some(FailedRow::Dropped)));
        }
    }
}

impl OutcomeCounts {
    /// The counts for one line.
    pub fn of(outcome: Outcome) -> Self {
        Self {
            compacted: u64::from(outcome == Outcome::Compacted),
            converted: u64::from(outcome == Outcome::Converted),
            mended: u64::from(outcome == Outcome::Mended),
            redacted: u64::from(outcome == Outcome::Redacted),
            unchanged: u64::from(outcome == Outcome::Unchanged),
            skipped: u64::from(outcome == Outcome::Skipped),
            failed: u64::from(outcome == Outcome::Failed),
        }
    }

    /// The number of all lines.
    pub fn all(&self) -> u64 {
        self.compacted + self.converted + self.mended + self.redacted + self.unchanged + self.skipped + self.failed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(outcome: Outcome, before: u64, after: u64) -> Line {
        Line {
            format: Some("openai-chat".into()),
            outcome,
            reason: (outcome == Outcome::Failed).then(|| "invalid".into()),
            tokens: TokensReport { before, after, ..TokensReport::default() },
            bytes: BytesReport { before, after, before_zstd: Some(1), after_zstd: None, zstd_sampled: 0 },
            ..Line::default()
        }
    }

    #[test]
    fn a_row_that_is_left_out_has_nothing_after() {
        let mut left = line(Outcome::Failed, 7, 7);
        left.kinds.insert("text".into(), KindReport { tokens_before: 7, tokens_after: 7, ..KindReport::default() });
        left.messages = MessagesReport { before: 2, after: 2 };
        left.leave_out();
        let mut all = Totals::default();
        all += &line(Outcome::Unchanged, 2, 2);
        all += &left;
        assert_eq!((all.tokens.before, all.tokens.after, all.messages.after), (9, 2, 0));
        assert_eq!((all.kinds["text"].tokens_before, all.kinds["text"].tokens_after), (7, 0));
        assert_eq!((all.failed.tokens.before, all.failed.tokens.after, all.failed.rows_dropped), (7, 0, 1));
    }

    #[test]
    fn totals_are_the_sum_of_the_lines_in_any_grouping() {
        let lines = [line(Outcome::Compacted, 10, 4), line(Outcome::Failed, 7, 7), line(Outcome::Unchanged, 2, 2)];
        let mut all = Totals::default();
        lines.iter().for_each(|line| all += line);
        let (mut left, mut right) = (Totals::default(), Totals::default());
        left += &lines[0];
        lines[1..].iter().for_each(|line| right += line);
        left += &right;
        assert_eq!(all, left);
        assert_eq!((all.tokens.before, all.tokens.after, all.bytes.before_zstd), (19, 13, Some(3)));
        assert_eq!((all.failed.tokens.before, all.outcomes.failed, all.reasons["invalid"]), (7, 1, 1));
    }
}
