//! Whether a compacted transcript stays as it is when it is compacted again by the settings that it was compacted by.

use super::checker::Judged;
use super::pairs::Gatekeeper;
use super::reports::REPORT;
use super::{Compactor, OWN_FOLDER, Work};
use crate::format::Format;
use crate::gates::Again;
use crate::preset::Settings;
use crate::report::Outcome;
use crate::summary::{DEFAULT_TEMPLATE, Template};
use crate::transcript::{Author, Fault, Transcript, apply, new_faults};
use serde::Deserialize;
use std::path::Path;

/// What a `report.json` says of how its folder was written; other keys do not matter here.
#[derive(Deserialize)]
struct Written {
    settings: Stated,
}

#[derive(Deserialize)]
struct Stated {
    preset: String,
    settings: Settings,
    #[serde(default)]
    lenient: bool,
    #[serde(default)]
    from: Option<String>,
    /// What was written is of another format, and not what the compactor wrote.
    #[serde(default)]
    to: Option<String>,
    /// Not all files were written by the same settings.
    #[serde(default)]
    overrides: Option<serde_json::Value>,
}

/// The compactor that wrote a folder, if its report says so.
pub(super) fn writer(folder: &Path) -> Option<Compactor<'static>> {
    let text = std::fs::read(folder.join(OWN_FOLDER).join(REPORT)).ok()?;
    let Written { settings: stated } = serde_json::from_slice(&text).ok()?;
    if stated.to.is_some() || stated.overrides.is_some() || stated.settings.summary.hook.is_some() {
        return None;
    }
    let summary = &stated.settings.summary;
    let file = summary.template.as_ref().map(std::fs::read_to_string).transpose().ok()?;
    let text = file.or_else(|| summary.template_text.clone());
    let free = summary.free_form && text.is_some();
    let template = Template::parse(text.as_deref().unwrap_or(DEFAULT_TEMPLATE), &summary.sections, free).ok()?;
    let compactor = Compactor::new(&stated.preset, stated.settings, template).ok()?;
    let from = stated.from.as_deref().and_then(crate::format::by_name);
    Some(Compactor { lenient: stated.lenient, from, ..compactor })
}

/// Compacts it again, and compares the structure.
pub(super) fn again(
    keeper: &Gatekeeper,
    work: &dyn Work,
    format: &'static dyn Format,
    (before, line): (&Judged<'_>, usize),
) -> Again {
    let source = before.transcript.source;
    let done = work.run(format, source, line);
    match done.line.outcome {
        Outcome::Failed => {
            return Again::Failed(done.line.error.or(done.line.reason).unwrap_or_default());
        }
        Outcome::Compacted => {}
        _ => return Again::Same,
    }
    let bytes = apply(source, &done.patches);
    let after = keeper.read(format, &bytes, line);
    let new = new_faults(&before.faults, &after.faults);
    let count = |of: &dyn Fn(&Fault) -> bool| new.iter().filter(|fault| of(fault)).count();
    let sections = count(&|fault| fault.rule.starts_with("section_"));
    Again::Other {
        summaries: summaries(&after.transcript),
        sections,
        pairs: new.len() - sections,
        dropped: messages(&before.transcript).saturating_sub(messages(&after.transcript)),
    }
}

/// Summaries that are loaded.
fn summaries(transcript: &Transcript<'_>) -> usize {
    transcript.messages.iter().filter(|message| message.live && message.author == Author::Summary).count()
}

/// Messages that are neither a summary nor synthetic.
fn messages(transcript: &Transcript<'_>) -> usize {
    transcript.messages.iter().filter(|message| message.is_content()).count()
}
