//! Findings: what a check says about one transcript, as data; who prints them stands elsewhere.

use serde::{Deserialize, Serialize};

/// A broken rule and its place.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// Line in the input file, from 1.
    pub line: usize,
    /// Column in bytes, from 1, where the rule is about bytes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub column: Option<usize>,
    /// The rule's stable name.
    pub rule: String,
    /// What breaks it: a call id, a record id, a section; empty for the whole transcript.
    pub subject: String,
    /// What is wrong, where the meaning of the rule does not say it all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub detail: Option<String>,
    /// The output does not have it any more.
    pub mended: bool,
}
