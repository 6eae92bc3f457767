//! What a dry run would do with one transcript, for `--json`.

use super::{Decision, Line, Outcome, TokensReport};
use serde::Serialize;

/// The plan for one transcript.
#[derive(Debug, Clone, Serialize)]
pub struct Planned {
    /// Path as in the report line.
    pub path: String,
    /// Line in the file, for conversation-per-line files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The format's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// What would become of it.
    pub outcome: Outcome,
    /// Why it would not be compacted, as a stable word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The error in full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The preset in force.
    pub preset: String,
    /// Tokens before and after.
    pub tokens: TokensReport,
    /// The numbers behind the decision, such as the trigger.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// Warnings, one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What would be done with each unit, as in the plan for people; none where nothing would be done.
    pub units: Vec<String>,
}

impl Planned {
    /// The heading of a transcript in the plan for people: one line that does not begin with a space, as units do.
    pub fn heading(line: &Line) -> String {
        let path = line.path.replace(char::is_control, " ");
        let path = path.trim_start();
        line.line.map_or_else(|| path.to_owned(), |number| format!("{path}:{number}"))
    }

    /// The plan for a transcript with this report line.
    pub fn of(line: Line, units: Vec<String>) -> Self {
        let Line { path, line, format, outcome, reason, error, preset, tokens, decision, warnings, .. } = line;
        // Of what is not compacted nothing is done.
        let units = if outcome == Outcome::Compacted { units } else { Vec::new() };
        Self { path, line, format, outcome, reason, error, preset, tokens, decision, warnings, units }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_one_line_and_no_unit() {
        let line = Line { path: "  two\nlamps.jsonl".into(), line: Some(7), ..Line::default() };
        assert_eq!(Planned::heading(&line), "two lamps.jsonl:7");
    }
}
