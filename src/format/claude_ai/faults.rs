//! Rules of conversations: who speaks is known, and links lead to messages that are there.

use super::{LEAF, read};
use crate::format::Fault;
use crate::format::shared::json::Json;
use crate::format::shared::links::{broken_chain, by_id};
use crate::format::shared::speakers;
use crate::transcript::Transcript;

/// Returns all faults of a conversation.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut faults = speakers::unknown(transcript, &|record| read::unheard(transcript.source, record));
    faults.extend(broken_chain(transcript));
    let whole = std::str::from_utf8(transcript.source).ok().and_then(|text| Json::parse(text).ok());
    let leaf = whole.and_then(Json::object).and_then(|whole| whole.text(LEAF)).filter(|leaf| !leaf.is_empty());
    let leaf = leaf.filter(|leaf| !transcript.messages.is_empty() && !by_id(transcript).contains_key(leaf));
    let line = transcript.first_line();
    faults.extend(leaf.map(|leaf| Fault::new(line, "broken_tree", leaf)));
    faults.sort();
    faults
}
