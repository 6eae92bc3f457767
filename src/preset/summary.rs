//! T12: the settings of the summary, the only ones that can differ by file.

use super::{SummarizerKind, SummaryPlace};
use crate::transcript::SummaryRole;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// T12: the summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct SummarySettings {
    /// Who writes it.
    pub by: SummarizerKind,
    /// Its budget, wrapper included; never more than half of the head.
    pub tokens: u64,
    /// Whose message it is where the format has no record of its own for it.
    pub role: SummaryRole,
    /// Where it stands.
    pub place: SummaryPlace,
    /// The newest tokens of the head that it is made from; all by default.
    pub sees: Option<u64>,
    /// What stands for a head that is only dropped; `{messages}` and `{tokens}` are filled in.
    pub note: String,
    /// A file that replaces the template.
    pub template: Option<PathBuf>,
    /// The same, as text.
    pub template_text: Option<String>,
    /// Sections appended to the template's.
    pub sections: Vec<String>,
    /// The template may have no headings (then nothing can be validated).
    pub free_form: bool,
    /// Say behind each line which line of the input it comes from.
    pub provenance: bool,
    /// What a model is told besides the template.
    pub instructions: Option<String>,
    /// A program that is asked what each summary is to heed.
    pub hook: Option<PathBuf>,
    /// Seconds that it has for its answer.
    pub hook_timeout: u64,
}

impl Default for SummarySettings {
    fn default() -> Self {
        Self {
            by: SummarizerKind::Extractive,
            tokens: 3_000,
            role: SummaryRole::Auto,
            place: SummaryPlace::Before,
            sees: None,
            note: "[{messages} messages were left out]".into(),
            template: None,
            template_text: None,
            sections: Vec::new(),
            free_form: false,
            provenance: false,
            instructions: None,
            hook: None,
            hook_timeout: 30,
        }
    }
}
