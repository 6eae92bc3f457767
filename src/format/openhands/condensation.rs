//! Builds the events that a compaction adds: a condensation as OpenHands itself would write it, and the message that
//! sets the agent going again.

use super::tree::ROOT;
use crate::format::shared::document::uuid;
use crate::format::shared::json::quoted;

/// The generation of the events around the new ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Generation {
    /// Events with an action or an observation.
    V0,
    /// Events of the SDK.
    V1,
}

/// What a new event shares with those around it; values are raw JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Envelope {
    /// Its id, a number or a string; `None` if the events have no ids.
    pub(super) id: Option<String>,
    /// The timestamp of the newest event.
    pub(super) timestamp: Option<String>,
    /// The id of the previous event, if the events name their parents.
    pub(super) parent: Option<String>,
}

/// The content of a condensation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Condensed<'c> {
    /// The ids, as JSON, of the stored events that the model is no longer sent; empty if they are no longer stored.
    pub(super) forgotten: &'c [String],
    /// The summary of those events.
    pub(super) summary: &'c str,
    /// Number of remaining events before the summary.
    pub(super) offset: usize,
}

/// Writes a condensation.
pub(super) fn condensation(generation: Generation, envelope: &Envelope, condensed: Condensed<'_>) -> String {
    let summary = quoted(condensed.summary);
    let (forgotten, offset) = (condensed.forgotten.join(","), condensed.offset);
    let head = envelope.head();
    match generation {
        Generation::V0 => format!(
            r#"{{{head}"source":"agent","action":"condensation","args":{{"forgotten_event_ids":[{forgotten}],"forgotten_events_start_id":null,"forgotten_events_end_id":null,"summary":{summary},"summary_offset":{offset}}}}}"#
        ),
        Generation::V1 => {
            // There was no model response, but the field is required.
            let answer = uuid(&["response", &head, condensed.summary]);
            format!(
                r#"{{{head}"source":"environment",{}"forgotten_event_ids":[{forgotten}],"summary":{summary},"summary_offset":{offset},"llm_response_id":"{answer}","kind":"Condensation"}}"#,
                envelope.link()
            )
        }
    }
}

/// Writes a user message; `flat` is for old events, whose arguments are beside the action's name.
pub(super) fn words(generation: Generation, envelope: &Envelope, text: &str, flat: bool) -> String {
    let text = quoted(text);
    let head = envelope.head();
    match generation {
        Generation::V0 if flat => format!(r#"{{"content":{text},"wait_for_response":false,"action":"message"}}"#),
        Generation::V0 => format!(
            r#"{{{head}"source":"user","action":"message","args":{{"content":{text},"image_urls":null,"wait_for_response":false}}}}"#
        ),
        Generation::V1 => format!(
            r#"{{{head}"source":"user",{}"llm_message":{{"role":"user","content":[{{"cache_prompt":false,"type":"text","text":{text}}}]}},"kind":"MessageEvent"}}"#,
            envelope.link()
        ),
    }
}

/// The second half of a pair if an action had no observation.
pub(super) const NOTHING: &str = r#"{"message":"No observation","observation":"null","content":"","extras":{}}"#;

impl Envelope {
    fn head(&self) -> String {
        let field = |key: &str, value: &Option<String>| value.as_ref().map(|value| format!(r#""{key}":{value},"#));
        [field("id", &self.id), field("timestamp", &self.timestamp)].into_iter().flatten().collect()
    }

    fn link(&self) -> String {
        self.parent.as_ref().map(|parent| format!(r#""parent_id":{parent},"#)).unwrap_or_default()
    }
}

/// The parent id of an event after the one with this id, or of a root event.
pub(super) fn parent(id: Option<&str>) -> String {
    quoted(id.unwrap_or(ROOT))
}
