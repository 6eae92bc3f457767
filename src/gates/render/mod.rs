//! Reports of gates for people and programs. Text of a transcript is left out unless asked for, since CI logs are read
//! by more people than transcripts.

mod github;
mod grouped;
mod json;
mod junit;
mod markdown;
mod sarif;
mod text;

use super::{Finding, GateReport, GateResult, Judged, Spot};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Lines for a terminal.
    Text,
    /// JSON for programs.
    Json,
    /// JUnit XML: a suite per transcript, a case per gate.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
    /// GitHub annotations.
    Github,
    /// Markdown for GitHub's step summary.
    Summary,
    /// Markdown for a sticky comment, with differences from the baseline.
    Markdown,
}

/// All formats by name.
const KINDS: &[(&str, Kind)] = &[
    ("text", Kind::Text),
    ("json", Kind::Json),
    ("junit", Kind::Junit),
    ("sarif", Kind::Sarif),
    ("github", Kind::Github),
    ("summary", Kind::Summary),
    ("markdown", Kind::Markdown),
];

impl FromStr for Kind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = || KINDS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let kind = KINDS.iter().find(|(own, _)| *own == name).map(|(_, kind)| *kind);
        kind.ok_or_else(|| format!("{name}: no such output; there are {}", known()))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = KINDS.iter().find(|(_, kind)| kind == self).map_or("", |(name, _)| *name);
        f.write_str(name)
    }
}

/// Options of a report.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Text of transcripts is shown.
    pub show_content: bool,
}

/// A report that can't be written.
#[derive(Debug, Error)]
pub enum RenderError {
    /// As XML.
    #[error("{0}")]
    Xml(#[from] quick_junit::SerializeError),
    /// As JSON.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
}

/// Renders a report in one format.
///
/// # Errors
/// The report can't be written as XML or JSON.
pub fn render(kind: Kind, report: &GateReport, options: Options) -> Result<String, RenderError> {
    match kind {
        Kind::Text => Ok(text::render(report, options)),
        Kind::Json => Ok(json::render(report, options)),
        Kind::Junit => junit::render(report, options),
        Kind::Sarif => sarif::render(report, options),
        Kind::Github => Ok(github::render(report, options)),
        Kind::Summary => Ok(markdown::summary(report, options)),
        Kind::Markdown => Ok(markdown::comment(report, options)),
    }
}

/// A text on one line without control characters, cut to `LONGEST` characters: transcripts have many terminal escapes.
fn plain(text: &str) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = folded.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect();
    match shown.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &shown[..at]),
        None => shown,
    }
}

const LONGEST: usize = 200;

/// The text of a finding on one line.
fn message(finding: &Finding, options: Options) -> String {
    let place = place(finding);
    let content = finding.content.as_deref().filter(|_| options.show_content);
    let content = content.map_or(String::new(), |content| format!(": {}", plain(content)));
    format!("{}{place}{content}", finding.message)
}

/// Text with the number of unchanged transcripts among those with an original; empty if there are none.
fn unchanged(report: &GateReport) -> String {
    let some = report.unchanged().filter(|share| share.kept > 0);
    some.map_or_else(String::new, |share| format!(", {} of {} unchanged", share.kept, share.of))
}

/// The message of a finding, and its place in the summary and in the original, each in parentheses.
fn place(finding: &Finding) -> String {
    let section = finding.section.as_ref().map_or_else(String::new, |name| format!(", {}", plain(name)));
    let in_summary = finding.summary_line.map(|line| format!(" (summary line {line}{section})"));
    let message = finding.message_number.map(|number| format!(" (message {number})"));
    let in_original = finding.original.map(|Spot { line, message }| {
        let message = message.map_or_else(String::new, |number| format!(", message {number}"));
        format!(" (line of the original: {line}{message})")
    });
    message.into_iter().chain(in_summary).chain(in_original).collect()
}

/// All findings with their transcript and gate.
fn findings(report: &GateReport) -> impl Iterator<Item = (&Judged, &GateResult, &Finding)> {
    report.all().flat_map(|one| {
        one.outcomes.iter().flat_map(move |outcome| outcome.findings.iter().map(move |finding| (one, outcome, finding)))
    })
}
