//! Rules that a chat must meet to be loaded (FORMATS §18); pairing of calls and results is checked for all formats.

use crate::format::Fault;
use crate::format::shared::json::Json;
use crate::transcript::{Append, Class, Transcript};
use std::collections::HashSet;

/// Returns the faults of a chat: messages without an id, ids that are loaded twice, rewinds to missing messages.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    let lines = transcript.traits.append != Append::Never; // among lines a later record replaces one with its id
    for (at, record) in transcript.records.iter().enumerate() {
        let mut fault = |rule, subject: &str| faults.push(transcript.fault(at, rule, subject));
        let abandoned = record.class == Class::Abandoned;
        match record.id.as_deref() {
            Some("") => fault("no_id", ""),
            Some(id) if !seen.insert(id) && !abandoned && !lines => fault("duplicate_id", id),
            Some(_) => {}
            None if abandoned => {
                let text = transcript.source.get(record.span.clone()).unwrap_or_default();
                let value = std::str::from_utf8(text).ok().and_then(|text| Json::parse(text).ok());
                let target = value.and_then(Json::object).and_then(|fields| fields.text("$rewindTo"));
                if let Some(target) = target.filter(|target| !seen.contains(&**target)) {
                    fault("dangling_rewind", &target);
                }
            }
            None => {}
        }
    }
    faults
}
