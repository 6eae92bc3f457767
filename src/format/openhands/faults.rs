//! Rules that events must meet to be loaded (FORMATS §12, §18); pairing of calls and results is checked elsewhere.

use super::event::id;
use super::render::value;
use super::stream;
use super::tree::ROOT;
use crate::format::Fault;
use crate::format::shared::json::Object;
use crate::transcript::Transcript;
use std::borrow::Cow;
use std::collections::HashSet;

/// Returns the faults of a session or a row.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let events: Vec<(usize, Object<'_>)> = transcript
        .records
        .iter()
        .enumerate()
        .filter_map(|(at, record)| Some((at, value(transcript, record)?)))
        .flat_map(|(at, value)| stream::events(value).into_iter().map(move |event| (at, event)))
        .collect();
    let known: HashSet<Cow<'_, str>> = events.iter().filter_map(|(_, event)| id(event, "id")).collect();
    let mut faults = Vec::new();
    let mut seen = HashSet::new();
    let mut newest = None;
    for (at, event) in &events {
        let own = id(event, "id").unwrap_or_default();
        let mut fault = |rule, subject: &str| faults.push(transcript.fault(*at, rule, subject));
        if !own.is_empty() && !seen.insert(own.clone()) {
            fault("duplicate_id", &own);
        }
        if let Some(number) = event.whole("id") {
            if newest.is_some_and(|newest| number < newest) {
                fault("ids_out_of_order", &own);
            }
            newest = newest.max(Some(number));
        }
        for (key, rule) in LINKS {
            let target = id(event, key).filter(|target| target != ROOT && !known.contains(target));
            target.iter().for_each(|target| fault(rule, target));
        }
        broken(event).iter().for_each(|rule| fault(rule, &own));
    }
    faults
}

/// Fields that refer to another event, and the rule broken if it is missing.
const LINKS: [(&str, &str); 3] =
    [("cause", "cause_without_target"), ("action_id", "action_without_target"), ("parent_id", "parent_without_target")];

/// The rule that an event breaks by itself, so that loading it fails.
fn broken(event: &Object<'_>) -> Option<&'static str> {
    match (event.text("kind"), event.text("action")) {
        (Some(kind), _) if kind == "Condensation" => {
            let answered = event.text("llm_response_id").is_some();
            (!answered).then_some("condensation_without_response")
        }
        (Some(_), _) => None,
        (None, _) if event.has("action") == event.has("observation") => Some("not_one_of_action_and_observation"),
        (None, Some(action)) if action == "condensation" => {
            let args = event.object("args").unwrap_or_default();
            let given = |key: &str| args.get(key).is_some_and(|value| !value.is_null());
            let range = given("forgotten_events_start_id") && given("forgotten_events_end_id");
            let valid = given("forgotten_event_ids") != range && given("summary") == given("summary_offset");
            (!valid).then_some("invalid_condensation")
        }
        _ => None,
    }
}
