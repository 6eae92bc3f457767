//! A line of `report.jsonl`: everything measured and decided for one transcript.

use super::totals::is_zero;
use super::{CutReport, Finding, LlmReport, SummaryReport, UsageReport};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The result of the work on one transcript.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Content was removed or replaced.
    Compacted,
    /// It was written in another format.
    Converted,
    /// Broken rules were mended.
    Mended,
    /// Only credentials were masked.
    Redacted,
    /// There was nothing to do; the output is the input.
    Unchanged,
    /// It is no transcript; the output is the input.
    Skipped,
    /// It failed; there is no output (for rows of a file see [`Line::failed_row`]).
    #[default]
    Failed,
}

/// What happened to a failed row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailedRow {
    /// Kept in the output as it was.
    Kept,
    /// Left out of the output.
    Dropped,
}

/// The report on one transcript. Of a line by an older version only what became of which transcript must be there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// [`super::SCHEMA_VERSION`].
    #[serde(default)]
    pub schema_version: u32,
    /// Path relative to the root of the input, as in the output tree.
    pub path: String,
    /// Line (or, for arrays of conversations, the line where the element starts), for files of many conversations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The range of lines that it belongs to, if jobs share the file; `line` then counts from the start of the range.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub part: Option<PartReport>,
    /// The format's name; absent if none was recognized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The format that it was written in, if that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Path of the output, if that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The outcome.
    pub outcome: Outcome,
    /// The reason, as a stable word (none for `compacted`); for failures `error` has the details.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The full error, with line and column if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What happened to a failed row, in files whose rows keep their places.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failed_row: Option<FailedRow>,
    /// The preset in force.
    #[serde(default)]
    pub preset: String,
    /// The encoding in which tokens were counted.
    #[serde(default)]
    pub tokenizer: String,
    /// What was counted: always `text`, the content itself, not what a chat template makes of it.
    #[serde(default)]
    pub counting: String,
    /// Tokens.
    #[serde(default)]
    pub tokens: TokensReport,
    /// Bytes.
    #[serde(default)]
    pub bytes: BytesReport,
    /// Messages; records of the same API message count as one.
    #[serde(default)]
    pub messages: MessagesReport,
    /// Tokens and bytes by part kind, before and after.
    #[serde(default)]
    pub kinds: BTreeMap<String, KindReport>,
    /// Number of records by what was done with them.
    #[serde(default)]
    pub edits: Edits,
    /// The numbers behind the decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// The messages that were summarized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<RangeReport>,
    /// The messages that were kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail: Option<RangeReport>,
    /// Messages carried out of the head.
    #[serde(default)]
    pub carried: CarriedReport,
    /// Pruned parts and their tokens.
    #[serde(default)]
    pub pruned: PrunedReport,
    /// The summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<SummaryReport>,
    /// The work of a model, if one was to write the summary.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub llm: Option<LlmReport>,
    /// Credentials masked before anything else was done, by kind. All numbers but `bytes.before` describe the masked
    /// transcript.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub redacted: BTreeMap<String, u64>,
    /// The continuation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continuation: Option<ContinuationReport>,
    /// Subagents inlined in the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sidechains: Option<SidechainReport>,
    /// Usage recorded in removed messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage_dropped: Option<UsageReport>,
    /// Numbers of faults before and after.
    #[serde(default)]
    pub faults: FaultCount,
    /// What a conversion lost, added or changed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub losses: Vec<LossReport>,
    /// Whether it is a training row that ends on a question or a result; set for converted and checked rows.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub unanswered_end: bool,
    /// Whether the result, or what is left as it is, still reaches the usable tokens.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub overflows: bool,
    /// Findings of a check; also set if an array of conversations can't be read.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub findings: Vec<Finding>,
    /// Results of an evaluation, by cut.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub cuts: Vec<CutReport>,
    /// Warnings, one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<String>,
}

impl Line {
    /// Sets the numbers after compaction by part kind, as measured on the output.
    pub fn kinds_after(&mut self, after: BTreeMap<String, KindReport>) {
        for kind in self.kinds.values_mut() {
            (kind.tokens_after, kind.bytes_after) = (0, 0);
        }
        for (kind, report) in after {
            let own = self.kinds.entry(kind).or_default();
            own.tokens_after = report.tokens_before;
            own.bytes_after = report.bytes_before;
        }
    }
}

/// A range of whole lines of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PartReport {
    /// Path of the whole file, relative to the root of the input.
    pub of: String,
    /// Byte offset of the start of the first line.
    pub start: u64,
    /// Byte offset of the end of the last line.
    pub end: u64,
}

/// One kind of loss of a conversion.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LossReport {
    /// Its stable name.
    pub kind: String,
    /// How often it occurred.
    pub count: u64,
}

/// Tokens of one transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TokensReport {
    /// Everything stored.
    pub before: u64,
    /// Everything that the harness would load.
    pub live: u64,
    /// Everything stored in the output.
    pub after: u64,
    /// Everything that the harness would load of the output.
    pub live_after: u64,
    /// The head, before pruning.
    pub head: u64,
    /// The tail, as kept.
    pub tail: u64,
    /// The summary, wrapper included.
    pub summary: u64,
    /// The longest answer stored beside the messages of a row; not included in the other numbers.
    #[serde(skip_serializing_if = "is_zero")]
    pub beside: u64,
}

/// Bytes of one transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BytesReport {
    /// Size of the input.
    pub before: u64,
    /// Size of the output.
    pub after: u64,
    /// Size of the input after `zstd -3`; only for whole files, absent for single lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_zstd: Option<u64>,
    /// Size of the output after `zstd -3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_zstd: Option<u64>,
    /// Number of files above 4 MiB whose compressed sizes are estimated from a sample.
    #[serde(skip_serializing_if = "is_zero")]
    pub zstd_sampled: u64,
}

/// Numbers of messages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MessagesReport {
    /// Messages in the input.
    pub before: u64,
    /// Messages in the output.
    pub after: u64,
}

/// Tokens and stored bytes of one kind of part.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KindReport {
    /// Tokens before.
    pub tokens_before: u64,
    /// Tokens afterwards.
    pub tokens_after: u64,
    /// Bytes as stored before.
    pub bytes_before: u64,
    /// Bytes as stored afterwards.
    pub bytes_after: u64,
}

/// Number of records by what was done with them. Kept records are byte-identical, except for masked credentials;
/// relinked ones also for one value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Edits {
    /// Kept byte for byte.
    pub kept: u64,
    /// Kept, except for a changed link or counter.
    pub relinked: u64,
    /// Kept with stubbed, shortened or removed parts or UI copies.
    pub stubbed: u64,
    /// Dropped.
    pub dropped: u64,
    /// Inserted.
    pub inserted: u64,
}

/// The numbers behind the decision.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Decision {
    /// Usable tokens: what fits besides the answer; `None` if the context is unlimited.
    pub usable: Option<u64>,
    /// The formula of `usable`, term by term.
    pub formula: String,
    /// Tokens at which it overflows; `None` if it never does.
    pub trigger: Option<u64>,
    /// Counted tokens of what the harness would load.
    pub counted: u64,
    /// The newest usage recorded since the last compaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<u64>,
    /// Which of the two was compared: `counted` or `recorded`.
    pub decided_by: String,
    /// Whether it overflows.
    pub overflow: bool,
    /// Budget of the tail in tokens.
    pub tail_budget: u64,
    /// Budget of the summary in tokens.
    pub summary_budget: u64,
}

/// A range of messages, with their lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RangeReport {
    /// Number of messages.
    pub messages: u64,
    /// Number of pieces that they are stored in: of an API message, each one counts.
    pub pieces: u64,
    /// First line, or element of an array.
    pub first: u64,
    /// Last line, or element of an array.
    pub last: u64,
}

/// Messages carried out of the head.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CarriedReport {
    /// Number of messages.
    pub messages: u64,
    /// Their tokens.
    pub tokens: u64,
    /// Calls of protected tools whose newest result did not fit, and a slash command whose prompt did not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub did_not_fit: Vec<String>,
}

/// Pruned parts and their tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PrunedReport {
    /// Parts stubbed by the prune rule, including those of the head, which were removed afterwards.
    pub parts: u64,
    /// Tokens of those parts.
    pub tokens: u64,
    /// Stubbed parts in the output.
    pub parts_in_output: u64,
    /// Results of the tail that were shortened.
    pub excerpts: u64,
    /// Reasoning parts removed because the edit made their signature invalid.
    pub reasoning: u64,
}

/// The continuation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContinuationReport {
    /// `unanswered`, `media`, `open_call`, `mid_task`, or `idle`.
    pub state: String,
    /// What was done: `none`, `kept`, `continue`, `replayed`, `described`.
    pub action: String,
    /// The place: `end` or `boundary`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// Subagents inlined in the session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SidechainReport {
    /// Records of subagents.
    pub records: u64,
    /// Records of subagents in the output.
    pub records_after: u64,
}

/// Numbers of faults.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FaultCount {
    /// Faults of the input, by rule.
    pub before: BTreeMap<String, u64>,
    /// Faults of the output, by rule.
    pub after: BTreeMap<String, u64>,
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::report::{ModelCall, SectionReport};
    use serde_json::Value;

    #[test]
    fn a_line_of_an_older_version_may_lack_any_field() {
        assert!(serde_json::from_str::<Line>(r#"{"path":"a","outcome":"unchanged"}"#).is_ok());
        let llm = LlmReport { calls: vec![ModelCall::default()], ..LlmReport::default() };
        let whole = Line {
            kinds: BTreeMap::from([("text".to_owned(), KindReport::default())]),
            decision: Some(Decision::default()),
            summary: Some(SummaryReport { sections: vec![SectionReport::default()], ..SummaryReport::default() }),
            continuation: Some(ContinuationReport::default()),
            usage_dropped: Some(UsageReport::default()),
            losses: vec![LossReport::default()],
            findings: vec![Finding::default()],
            cuts: vec![CutReport::default()],
            llm: Some(llm),
            ..Line::default()
        };
        let whole = serde_json::to_value(whole).unwrap();
        let mut pointers = vec![];
        collect(&whole, "", &mut pointers);
        assert!(pointers.len() > 60, "{}", pointers.len());
        for (parent, key) in pointers {
            let mut line = whole.clone();
            line.pointer_mut(&parent).and_then(Value::as_object_mut).unwrap().remove(&key);
            let read = serde_json::from_value::<Line>(line);
            assert_eq!(read.is_ok(), !(parent.is_empty() && ["path", "outcome"].contains(&&*key)), "{parent}/{key}");
        }
    }

    /// Every key, with the pointer to its object.
    fn collect(value: &Value, at: &str, found: &mut Vec<(String, String)>) {
        match value {
            Value::Object(fields) => fields.iter().for_each(|(key, value)| {
                found.push((at.to_owned(), key.clone()));
                collect(value, &format!("{at}/{key}"), found);
            }),
            Value::Array(list) => {
                list.iter().enumerate().for_each(|(place, value)| collect(value, &format!("{at}/{place}"), found));
            }
            _ => {}
        }
    }
}
