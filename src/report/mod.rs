//! Reports: typed data first, then one renderer per output.

mod line;

pub use line::{
    BytesReport, CarriedReport, ContinuationReport, Decision, Edits, FaultCount, KindReport, Line, MessagesReport,
    Outcome, PrunedReport, RangeReport, SCHEMA_VERSION, SectionReport, SidechainReport, SummaryReport, TokensReport,
    UsageReport,
};
