//! Rules of the format's validator for steps (FORMATS §18), as far as a compaction could break them.

use super::STEPS;
use crate::format::Fault;
use crate::format::shared::document::Document;
use crate::format::shared::json::Object;
use crate::transcript::Transcript;
use std::collections::HashSet;

/// Fields that only a step of the agent may have.
const AGENTS: [&str; 5] = ["model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"];

/// Returns the faults of a trajectory.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let Ok(document) = Document::read(transcript.source, 1, STEPS) else { return Vec::new() };
    let mut faults = Vec::new();
    if document.elements.is_empty() {
        faults.push(Fault::new(1, "no_steps", ""));
    }
    let mut sequential = true;
    for (at, element) in document.elements.iter().enumerate().take(transcript.records.len()) {
        let fields = element.object().unwrap_or_default();
        let id = fields.whole("step_id");
        if sequential && id != Some(at as u64 + 1) {
            sequential = false;
            faults.push(transcript.fault(at, "step_ids_not_sequential", ""));
        }
        step(&fields, |rule, subject| faults.push(transcript.fault(at, rule, subject)));
    }
    faults
}

fn step(fields: &Object<'_>, mut fault: impl FnMut(&'static str, &str)) {
    if !fields.is("source", "agent") {
        let given = |key: &&&str| fields.get(key).is_some_and(|value| !value.is_null());
        AGENTS.iter().filter(given).for_each(|key| fault("agent_only_field", key));
    }
    let calls = fields.array("tool_calls").unwrap_or_default().into_iter();
    let calls: HashSet<_> = calls.filter_map(|call| call.object()?.text("tool_call_id")).collect();
    let results = fields.object("observation").and_then(|observation| observation.array("results"));
    let ids = results.unwrap_or_default().into_iter().filter_map(|result| result.object()?.text("source_call_id"));
    ids.filter(|id| !calls.contains(id)).for_each(|id| fault("unknown_source_call", &id));
}
