//! Renders an edit script over items as patches, in an array or in lines.

use super::ITEMS;
use crate::format::shared::document;
use crate::format::shared::held::{Places, changes};
use crate::format::shared::json::{Json, quoted};
use crate::format::shared::new::New;
use crate::format::shared::part_edits::{json_of, replacement_by};
use crate::format::shared::synthetic::QUESTION;
use crate::transcript::{
    Author, EditScript, Insert, InsertKind, Message, Patch, PatchKind, Role, SummaryRole, Transcript,
};
use std::collections::HashSet;

/// Types of items that the API accepts without an id.
const NAMELESS: [&str; 4] = ["message", "function_call", "custom_tool_call", "reasoning"];

/// The patches that carry out a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    let places = ITEMS.places(transcript);
    let new = New::all(script, |insert| inserted(transcript, script, insert));
    let mut inside = without_reasoning(transcript, script, &places);
    inside.extend(places.kept(transcript, script).into_iter().flat_map(|index| {
        let answers = transcript.messages[index].role == Role::Assistant;
        let kind = if answers { "output_text" } else { "input_text" };
        changes(transcript, script, (index, "content"), &|part, change| replacement_by(part, change, kind))
    }));
    places.patches(transcript, script, (new, inside))
}

/// Removes the ids of kept items whose response loses its reasoning: the API looks up what belongs to an id.
fn without_reasoning(transcript: &Transcript<'_>, script: &EditScript, places: &Places<'_>) -> Vec<Patch> {
    let gone = |message: &&Message<'_>| reasons(message) && !script.keeps(message.record);
    let bereft: HashSet<_> = transcript.messages.iter().filter(gone).filter_map(|it| it.group.as_deref()).collect();
    if bereft.is_empty() {
        return Vec::new();
    }
    let of_it = |index: &usize| transcript.messages[*index].group.as_deref().is_some_and(|it| bereft.contains(it));
    let kept = places.kept(transcript, script).into_iter().filter(of_it);
    kept.flat_map(|index| without_id(transcript, index)).collect()
}

fn reasons(message: &Message<'_>) -> bool {
    message.parts.iter().any(|part| part.is_reasoning())
}

fn without_id(transcript: &Transcript<'_>, index: usize) -> Vec<Patch> {
    let item = json_of(transcript, index);
    let kind = item.and_then(Json::object).and_then(|fields| fields.text("type"));
    let nameless = kind.is_some_and(|kind| NAMELESS.contains(&&*kind));
    let unset = |item| document::unset_field(transcript.source, item, "id", PatchKind::Relink);
    item.filter(|_| nameless).map(unset).unwrap_or_default()
}

/// The items that an insertion adds.
fn inserted(transcript: &Transcript<'_>, script: &EditScript, insert: &Insert) -> Vec<String> {
    let asked = |role: &str, text: &str| {
        format!(r#"{{"type":"message","role":"{role}","content":[{{"type":"input_text","text":{}}}]}}"#, quoted(text))
    };
    match &insert.kind {
        InsertKind::Summary { text, role, .. } => match role_of(transcript, script, insert.before, *role) {
            SummaryRole::Assistant => {
                let answer = format!(r#"{{"type":"message","role":"assistant","content":{}}}"#, quoted(text));
                vec![asked("user", QUESTION), answer]
            }
            SummaryRole::User => vec![asked("user", text)],
            SummaryRole::Auto | SummaryRole::System => vec![asked(instructing(transcript), text)],
        },
        InsertKind::Continuation { text, .. } => vec![asked("user", text)],
    }
}

/// The role of a summary. By default it is an instruction, as among chat messages; in a training row a user message
/// if an answer follows.
fn role_of(transcript: &Transcript<'_>, script: &EditScript, before: usize, role: SummaryRole) -> SummaryRole {
    let mut kept = transcript.messages.iter().filter(|it| it.record >= before && script.keeps(it.record));
    let mut answered = || kept.next().is_some_and(|next| next.role == Role::Assistant);
    match role {
        SummaryRole::Auto if transcript.traits.training_row && answered() => SummaryRole::User,
        role => role,
    }
}

/// The role of instructions in these items: `developer` if the file uses it, else `system`.
fn instructing(transcript: &Transcript<'_>) -> &'static str {
    let system = |index: &usize| transcript.messages[*index].author == Author::System;
    let role = |index: usize| json_of(transcript, index).and_then(|item| item.object()?.text("role"));
    let mut roles = (0..transcript.messages.len()).filter(system).filter_map(role);
    if roles.any(|role| role == "developer") { "developer" } else { "system" }
}
