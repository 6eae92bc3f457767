//! One line of `report.jsonl`: everything that was measured and decided for one transcript.

use super::totals::is_zero;
use super::{CutReport, Finding, LlmReport};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the shape of all reports; raised when a field changes its meaning or goes.
pub const SCHEMA_VERSION: u32 = 1;

/// What became of one transcript.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Something was taken away.
    Compacted,
    /// It was written in another format.
    Converted,
    /// Broken rules were mended.
    Mended,
    /// Nothing was taken away but credentials.
    Redacted,
    /// There was nothing to do; the output is the input.
    Unchanged,
    /// It is no transcript; the output is the input.
    Skipped,
    /// It could not be done; there is no output (of a row of many see [`Line::failed_row`]).
    #[default]
    Failed,
}

/// Where a row is that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailedRow {
    /// In the output, as it was.
    Kept,
    /// Left out of the output.
    Dropped,
}

/// The report on one transcript.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Path relative to the root of the input, as in the output tree.
    pub path: String,
    /// Line in the file, for conversation-per-line files and arrays of conversations (where the element starts).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Which lines of its file it is among, where jobs share the file; `line` counts from the first of these.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub part: Option<PartReport>,
    /// The format's name; absent where none was recognised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The format that it was written in, where that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Path of the output, where that is another than the input's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// What became of it.
    pub outcome: Outcome,
    /// Why, as a stable word (`compacted` has none); for failures a word and then the details in `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The error in full, with line and column where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Where it is, if it is a row that failed and rows keep their places in the output.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failed_row: Option<FailedRow>,
    /// The preset in force.
    pub preset: String,
    /// The encoding that tokens were counted in.
    pub tokenizer: String,
    /// What was counted: always `text`, what is said, not what a chat template renders.
    pub counting: String,
    /// Tokens.
    pub tokens: TokensReport,
    /// Bytes.
    pub bytes: BytesReport,
    /// Messages; records of one API message count as one.
    pub messages: MessagesReport,
    /// Tokens and bytes per part kind, before and after.
    pub kinds: BTreeMap<String, KindReport>,
    /// Records by what became of them.
    pub edits: Edits,
    /// The numbers that the decision was made with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// The messages that were summarized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<RangeReport>,
    /// The messages that were kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail: Option<RangeReport>,
    /// What was carried out of the head.
    pub carried: CarriedReport,
    /// What was pruned.
    pub pruned: PrunedReport,
    /// The summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<SummaryReport>,
    /// What a model did, where one was to write the summary.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub llm: Option<LlmReport>,
    /// Credentials that were taken out of the transcript before anything else, by kind; all numbers but `bytes.before` are
    /// of what was left.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub redacted: BTreeMap<String, u64>,
    /// The continuation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continuation: Option<ContinuationReport>,
    /// Subagents inlined in the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sidechains: Option<SidechainReport>,
    /// Usage recorded in messages that went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage_dropped: Option<UsageReport>,
    /// Faults of the transcript.
    pub faults: FaultCount,
    /// What a conversion lost, added or changed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub losses: Vec<LossReport>,
    /// It is a row for training that ends on a question or a result; told of what was converted or checked.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub unanswered_end: bool,
    /// What a check found; otherwise only where an array of conversations cannot be read.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub findings: Vec<Finding>,
    /// What an evaluation measured, by cut.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub cuts: Vec<CutReport>,
    /// Warnings, one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<String>,
}

impl Line {
    /// States what is left of each kind of part, as measured of the output alone.
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
pub struct PartReport {
    /// Path of the whole file, relative to the root of the input.
    pub of: String,
    /// Where in the file the first line starts, in bytes.
    pub start: u64,
    /// Where in the file the last line ends, in bytes.
    pub end: u64,
}

/// One kind of loss.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LossReport {
    /// Its stable name.
    pub kind: String,
    /// How often.
    pub count: u64,
}

/// Tokens of one transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokensReport {
    /// All that is stored.
    pub before: u64,
    /// What the harness would load.
    pub live: u64,
    /// All that is stored afterwards.
    pub after: u64,
    /// What the harness would load afterwards.
    #[serde(default)]
    pub live_after: u64,
    /// Of the head, as it was.
    pub head: u64,
    /// Of the tail, as it is kept.
    pub tail: u64,
    /// Of the summary, wrapper included.
    pub summary: u64,
    /// Of the longest answer that stands beside the messages of a row; in none of the others.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub beside: u64,
}

/// Bytes of one transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BytesReport {
    /// Of the input.
    pub before: u64,
    /// Of the output.
    pub after: u64,
    /// Of the input after `zstd -3`; of the whole file, so absent for single lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_zstd: Option<u64>,
    /// Of the output after `zstd -3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_zstd: Option<u64>,
    /// Files above 4 MiB, whose compressed sizes are told from a sample.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub zstd_sampled: u64,
}

/// Numbers of messages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessagesReport {
    /// Stored.
    pub before: u64,
    /// Stored afterwards.
    pub after: u64,
}

/// Tokens and stored bytes of one kind of part.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// Records by what became of them. Kept records are byte-identical, but for credentials where those go; relinked ones but
/// for that value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edits {
    /// Kept byte for byte.
    pub kept: u64,
    /// Kept but for a link.
    pub relinked: u64,
    /// Kept with stubbed, shortened or removed parts or UI copies.
    pub stubbed: u64,
    /// Dropped.
    pub dropped: u64,
    /// Inserted.
    pub inserted: u64,
}

/// The numbers that the decision was made with.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// Tokens that fit beside the answer.
    pub usable: u64,
    /// How `usable` came about, term by term.
    pub formula: String,
    /// The number that counts as overflow.
    pub trigger: u64,
    /// Tokens counted of what the harness would load.
    pub counted: u64,
    /// The newest usage recorded since the last compaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<u64>,
    /// Which of the two decided: `counted` or `recorded`.
    pub decided_by: String,
    /// It overflows.
    pub overflow: bool,
    /// The budget of the tail.
    pub tail_budget: u64,
    /// The budget of the summary.
    pub summary_budget: u64,
}

/// A range of messages, with the lines they stand on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RangeReport {
    /// Number of messages.
    pub messages: u64,
    /// First line, or element of the array.
    pub first: u64,
    /// Last line, or element of the array.
    pub last: u64,
}

/// What was carried out of the head.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedReport {
    /// Messages.
    pub messages: u64,
    /// Tokens.
    pub tokens: u64,
    /// Protected tools whose newest result did not fit.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub did_not_fit: Vec<String>,
}

/// What was pruned.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrunedReport {
    /// Parts stubbed by the prune rule; those of the head went with it afterwards.
    pub parts: u64,
    /// Tokens of those parts.
    pub tokens: u64,
    /// Stubbed parts that are left in the output.
    pub parts_in_output: u64,
    /// Results of the tail shortened to an excerpt.
    pub excerpts: u64,
    /// Reasoning parts removed since the edit made their signature dead.
    pub reasoning: u64,
}

/// The summary.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryReport {
    /// `extractive`, or `extractive+prior` where an earlier summary was merged in; `llm` or `hybrid`, and `+extractive`
    /// behind them where sections were filled.
    pub by: String,
    /// Its sections in order.
    pub sections: Vec<SectionReport>,
    /// Faults of the whole text, by name.
    pub faults: Vec<String>,
    /// How often a summarizer was asked.
    pub attempts: u32,
    /// Where each of its lines comes from, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub origins: Vec<OriginReport>,
}

/// Where a line of a summary comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginReport {
    /// Its section.
    pub section: String,
    /// Line of the input of the message that it comes from; none for what an earlier summary said.
    pub line: Option<usize>,
    /// Which of the messages it is, from 1, in a row or in a transcript that is one line as a whole.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<usize>,
}

/// One section of a summary.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionReport {
    /// Its heading without marks.
    pub name: String,
    /// Lines with content; `(none)` has 0.
    pub lines: u64,
    /// Its faults, by name.
    pub faults: Vec<String>,
}

/// The continuation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContinuationReport {
    /// `unanswered`, `media`, `open_call`, `mid_task`, or `idle`.
    pub state: String,
    /// What was done: `none`, `kept`, `continue`, `replayed`, `described`.
    pub action: String,
    /// Where: `end` or `boundary`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// Subagents inlined in the session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SidechainReport {
    /// Their records.
    pub records: u64,
    /// Their records that are left.
    pub records_after: u64,
}

/// Usage recorded in messages that went, summed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageReport {
    /// API messages that recorded usage.
    pub messages: u64,
    /// Input tokens that were neither read from nor written to a cache.
    pub input: u64,
    /// Input tokens read from a cache.
    pub cache_read: u64,
    /// Input tokens written to a cache.
    pub cache_write: u64,
    /// Output tokens.
    pub output: u64,
}

/// Numbers of faults.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultCount {
    /// Of the input, by rule.
    pub before: BTreeMap<String, u64>,
    /// Of the output, by rule.
    pub after: BTreeMap<String, u64>,
}
