//! Validity rules of a sample (FORMATS §18); pairing of calls and results is checked for all formats alike.

use super::copies::references;
use super::{ATTACHMENTS, MESSAGES};
use crate::format::Fault;
use crate::format::shared::document::Document;
use crate::transcript::Transcript;
use std::collections::{BTreeSet, HashSet};

/// Returns the faults of a sample: duplicate message ids, and references to missing attachments.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let Ok(document) = Document::read(transcript.source, 1, MESSAGES) else { return Vec::new() };
    let mut seen = HashSet::new();
    let mut faults = Vec::new();
    for (at, element) in document.elements.iter().enumerate().take(transcript.records.len()) {
        let id = element.object().and_then(|fields| fields.text("id"));
        if let Some(id) = id.filter(|id| !seen.insert(id.clone())) {
            faults.push(transcript.fault(at, "duplicate_id", id));
        }
    }
    let attachments = document.whole.object().and_then(|sample| sample.object(ATTACHMENTS)).unwrap_or_default();
    let named: BTreeSet<_> = references(document.whole.raw()).map(|(_, hash)| hash).collect();
    let line = transcript.first_line();
    let lost = named.into_iter().filter(|hash| !attachments.has(hash));
    faults.extend(lost.map(|hash| Fault::new(line, "lost_attachment", hash)));
    faults
}
