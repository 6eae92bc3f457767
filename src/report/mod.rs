//! Reports: typed data first, then one renderer per output.

mod evaluation;
mod finding;
mod json;
mod line;
mod llm;
mod planned;
mod settings;
mod stats;
mod sum;
mod summary;
mod table;
mod totals;
mod usage;

pub use crate::header::SCHEMA_VERSION;
pub use crate::question_outcome::{CostEstimate, DroppedLine, ModelCall};
pub use evaluation::{AgreementReport, CutReport, ModelUse, PolicyScores, ShareOf};
pub use finding::Finding;
pub use json::{Failure, Failures, MAX_FAILURES, MemoryReport, Report, write_line};
pub use line::{
    BytesReport, CarriedReport, ContinuationReport, Decision, Edits, FailedRow, FaultCount, KindReport, Line,
    LossReport, MessagesReport, Outcome, PartReport, PrunedReport, RangeReport, SidechainReport, TokensReport,
};
pub use llm::{LlmReport, LlmTotals, SummaryOrigin, cost_in_words};
pub use planned::Planned;
pub use settings::{CheckSettings, CheckedRules, ConversionSettings, Omissions, OverrideSettings, RunSettings};
pub use stats::{Amount, Quantile, Stats, StatsInput, Tally};
pub use sum::{Stored, Sum};
pub use summary::{OriginReport, SectionReport, SummaryReport};
pub use table::{Purpose, grouped, on_one_line, unanswered, write_failures, write_left_out, write_table};
pub use totals::{FailedTotals, FileTotals, OutcomeCounts, Totals};
pub use usage::UsageReport;

impl Line {
    /// Whether this is its reason.
    pub fn is_for(&self, reason: crate::reason::Reason) -> bool {
        self.reason.as_deref() == Some(reason.name())
    }
}
