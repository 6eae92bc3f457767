//! What sessions of linked lines have in common: a record looked into again, tools named through their calls.

use super::json::{Json, Object};
use crate::transcript::{Message, PartKind, Record, Transcript};
use std::collections::HashMap;

/// The fields of a record, looked into again: few are left when it comes to that.
pub(super) fn fields<'a>(transcript: &Transcript<'a>, record: &Record<'_>) -> Object<'a> {
    let text = std::str::from_utf8(&transcript.source[record.span.clone()]).unwrap_or_default();
    Json::parse(text).ok().and_then(Json::object).unwrap_or_default()
}

/// Fills in the tool of every result from the call with its id; a tool that the result names itself stays.
pub(super) fn name_tools(messages: &mut [Message<'_>]) {
    let mut names = HashMap::new();
    for part in messages.iter_mut().flat_map(|message| &mut message.parts) {
        match &mut part.kind {
            PartKind::Call { id, name } => drop(names.insert(id.clone(), name.clone())),
            PartKind::Result { id, tool, .. } if tool.is_none() => *tool = names.get(id).cloned(),
            _ => {}
        }
    }
}
