//! Renders an edit script over a conversation: dropped messages, new ones, the links of those around them, and what
//! changes inside the others.

use super::{ID, NAMES, PARENT, ROOT, USERS};
use crate::format::shared::chain::{Fresh, ParentList};
use crate::format::shared::document::{Document, removed, replacements, without};
use crate::format::shared::json::{Json, quoted};
use crate::format::shared::new::New;
use crate::format::shared::part_edits::json_of;
use crate::transcript::{EditScript, Patch, Role, Transcript};

/// The patches that carry out a script.
pub(super) fn render(document: &Document<'_>, transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    let mut inside: Vec<_> = script.kept(transcript).flat_map(|index| changed(transcript, script, index)).collect();
    let mut chain = ParentList::new(&NAMES, (document, &document.elements), (transcript, script));
    inside.extend(chain.follow());
    let new = chain.fresh.iter().map(|fresh| New { before: fresh.before, text: message(document, fresh) });
    document.patches(script, &new.collect::<Vec<_>>(), inside)
}

/// The patches inside a kept message. A file has only its name here: nothing could stand for it.
fn changed(transcript: &Transcript<'_>, script: &EditScript, index: usize) -> Vec<Patch> {
    let message = &transcript.messages[index];
    let gone = removed(transcript, script, index);
    let mut patches = replacements(transcript, script, index, &gone);
    let media: Vec<_> = message.parts.iter().filter(|part| part.is_media()).collect();
    patches.retain(|patch| !media.iter().any(|part| part.slot.part == patch.span));
    let fields = json_of(transcript, index).and_then(Json::object).unwrap_or_default();
    for list in ["content", "files"].iter().filter_map(|key| fields.get(key)) {
        patches.extend(without(transcript.source, list, &gone));
    }
    patches
}

/// The JSON of a new message, with the times and the conversation of the one beside it.
fn message(document: &Document<'_>, fresh: &Fresh<'_>) -> String {
    let at = |index: usize| document.elements.get(index).and_then(|element| element.object());
    let beside = [fresh.before.checked_sub(1).and_then(at), at(fresh.before)];
    let copied = |key: &str| {
        let value = beside.iter().flatten().find_map(|fields| fields.get(key));
        value.map(|value| format!(r#","{key}":{}"#, value.raw())).unwrap_or_default()
    };
    let copied: String =
        ["conversationId", "endpoint", "createdAt", "updatedAt"].iter().map(|key| copied(key)).collect();
    let (id, text) = (quoted(&fresh.id), quoted(fresh.text));
    let parent = quoted(fresh.parent.as_deref().unwrap_or(ROOT));
    let (sender, is_users) = if fresh.role == Role::Assistant { ("Assistant", false) } else { ("User", true) };
    let who = format!(r#""sender":"{sender}","{USERS}":{is_users}"#);
    format!(r#"{{"{ID}":{id},"{PARENT}":{parent},{who},"text":{text}{copied},"error":false,"unfinished":false}}"#)
}
