//! Rules of conversations: who speaks is known, and links lead to messages that are there.

use super::{LEAF, PARENT, read};
use crate::format::Fault;
use crate::format::shared::json::Json;
use crate::format::shared::links::{by_id, cycles, fault, parent_in};
use crate::format::shared::session_lines::fields;
use crate::format::shared::speakers;
use crate::transcript::Transcript;

/// Returns all faults of a conversation.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut faults = speakers::unknown(transcript, &|record| read::unheard(transcript.source, record));
    let index = by_id(transcript);
    // What the first message follows is the root, whatever it is called.
    let root = transcript.records.first().and_then(|record| fields(transcript, record).text(PARENT));
    let lost = transcript.records.iter().filter(|record| {
        let named = record.parent.as_ref().filter(|parent| Some(*parent) != root.as_ref());
        named.is_some_and(|parent| !index.contains_key(parent))
    });
    faults.extend(lost.map(|record| fault(record, "broken_tree")));
    let whole = std::str::from_utf8(transcript.source).ok().and_then(|text| Json::parse(text).ok());
    let leaf = whole.and_then(Json::object).and_then(|whole| whole.text(LEAF)).filter(|leaf| !leaf.is_empty());
    let leaf = leaf.filter(|leaf| !transcript.messages.is_empty() && !index.contains_key(leaf));
    let line = transcript.records.first().map_or(1, |record| record.line);
    faults.extend(leaf.map(|leaf| Fault { line, rule: "broken_tree", subject: leaf.into_owned() }));
    faults.extend(cycles(transcript, parent_in(transcript, &index)));
    faults.sort();
    faults
}
