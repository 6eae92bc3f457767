//! Findings of a check about one transcript, as data; other modules print them.

use serde::{Deserialize, Serialize};

/// A broken rule and where it was broken.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct Finding {
    /// Line in the input file, from 1.
    pub line: usize,
    /// Column in bytes, from 1, for rules about bytes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub column: Option<usize>,
    /// Number of the message, from 1, in a row or a transcript stored on one line.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<usize>,
    /// The rule's stable name.
    pub rule: String,
    /// The subject: a call id, a record id, a section; empty for the whole transcript.
    pub subject: String,
    /// Details, where the meaning of the rule does not say everything.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub detail: Option<String>,
    /// Whether the output no longer has the fault.
    pub mended: bool,
}
