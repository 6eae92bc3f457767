//! Rules that a journal must meet to be loaded; pairing of calls and results is checked for all formats alike.

use super::event;
use crate::format::Fault;
use crate::format::shared::links::no_header;
use crate::format::shared::session_lines::fields;
use crate::transcript::Transcript;

/// Returns the faults of a journal.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut faults: Vec<_> = no_header(transcript, "metadata").into_iter().collect();
    let mut open = None;
    for record in &transcript.records {
        let fields = fields(transcript, record);
        let (kind, inside) = event::kind(&fields);
        let event = inside.as_ref().unwrap_or(&fields);
        let mut fault = |rule: &'static str, subject: Option<std::borrow::Cow<'_, str>>| {
            faults.push(Fault::new(record.line, rule, subject.unwrap_or_default()));
        };
        match &*kind {
            "step.begin" => open = event.text("uuid"),
            "step.end" if event::closes(event.text("finishReason").as_deref()) => open = None,
            "content.part" | "tool.call" if event.text("stepUuid") != open => {
                fault("part_without_step", event.text("uuid"));
            }
            "context.clear" | "context.undo" => open = None,
            "context.apply_compaction" => {
                open = None;
                let counts = event.has("compactedCount") || event.has("count");
                if !counts || !(event.has("summary") || event.has("contextSummary")) {
                    fault("invalid_compaction", None);
                }
            }
            _ => {}
        }
    }
    faults
}
