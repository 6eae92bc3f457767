//! Patches inside kept events: stubs and excerpts, removed parts, copies that no model reads.

use super::render::events_of;
use crate::format::Marks;
use crate::format::shared::document::{self, stub_copies};
use crate::format::shared::json::Object;
use crate::format::shared::part_edits::{copies_of, replacement, stub};
use crate::format::shared::session_lines::{stub_strings_over, without_field};
use crate::transcript::{EditScript, Message, Part, Patch, Shape, Transcript, UiCopies};
use std::collections::HashSet;
use std::ops::Range;

/// Fields that hold pictures: their values are sent as images, so a text stub would be an invalid image.
const PICTURES: [&str; 4] = ["screenshot", "set_of_marks", "screenshot_data", "image_urls"];
/// Fields that hold reasoning and may be null.
const REASONING: [&str; 2] = ["reasoning_content", "responses_reasoning_item"];

/// The patches inside the event that holds a message.
pub(super) fn patches(transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>, index: usize) -> Vec<Patch> {
    let changes = script.changes_of(index);
    if changes.is_empty() && script.ui_copies != UiCopies::Drop {
        return Vec::new();
    }
    let source = transcript.source;
    let message = &transcript.messages[index];
    let gone = document::removed(transcript, script, index);
    let changed = changes.iter().filter_map(|edit| Some((message.parts.get(edit.part)?, &edit.change)));
    let mut patches: Vec<_> = changed
        .clone()
        .filter(|(part, _)| can_change(part) && !gone.contains(&part.slot.part))
        .filter_map(|(part, change)| replacement(part, change))
        .collect();
    let shortened = changed.clone().any(|(part, _)| part.is_result());
    let pruned = copies_of(transcript, script, (index, marks.stub));
    for event in events_of(transcript, index) {
        patches.extend(removals(source, &event, &gone));
        let copies = match script.ui_copies {
            UiCopies::Stub if shortened => copies(source, &event, pruned),
            UiCopies::Drop => all_copies(source, &event, pruned),
            UiCopies::Stub | UiCopies::Keep => Vec::new(),
        };
        patches.extend(copies.into_iter().filter(|copy| !is_content(message, &copy.span)));
    }
    patches
}

/// Whether a span is inside content that the model reads: the outputs of a delegate are not a copy.
fn is_content(message: &Message<'_>, span: &Range<usize>) -> bool {
    let contents = message.parts.iter().map(|part| &part.slot.content);
    contents.into_iter().any(|content| content.start <= span.start && span.end <= content.end)
}

/// Whether a part can be replaced: text and results can; list elements such as pictures can only be removed.
fn can_change(part: &Part<'_>) -> bool {
    part.slot.shape != Shape::Fixed && !part.is_media()
}

/// The patches that remove parts: elements of lists, and reasoning in fields of its own.
fn removals(source: &[u8], event: &Object<'_>, gone: &HashSet<Range<usize>>) -> Vec<Patch> {
    if gone.is_empty() {
        return Vec::new();
    }
    let inner = ["llm_message", "args"].into_iter().filter_map(|key| event.object(key));
    let mut patches = Vec::new();
    for fields in std::iter::once(event).chain(inner.collect::<Vec<_>>().iter()) {
        let lists = ["content", "thought", "thinking_blocks", "extended_content", "image_urls", "images_urls"];
        let lists = lists.iter().filter_map(|key| fields.get(key));
        patches.extend(lists.flat_map(|list| document::without(source, list, gone)));
        let reasoning = REASONING.iter().filter_map(|key| Some(fields.get(key)?.span_in(source)));
        patches.extend(reasoning.filter(|span| gone.contains(span)).map(|span| stub(span, "null".to_owned())));
    }
    patches
}

/// The patches that stub copies beside a result: its sources, and displayed copies.
fn copies(source: &[u8], event: &Object<'_>, text: &str) -> Vec<Patch> {
    let mut patches = Vec::new();
    for beside in ["extras", "observation"].into_iter().filter_map(|key| event.object(key)) {
        for (key, value) in beside.fields().iter().filter(|(key, _)| key != "content") {
            patches.extend(match PICTURES.contains(&&**key) {
                true => stub_strings_over(0, source, *value, ""),
                false => stub_copies(source, *value, text),
            });
        }
    }
    patches.extend(event.get("message").map(|shown| stub_copies(source, shown, text)).unwrap_or_default());
    patches
}

/// The patches that remove or stub all copies: displayed texts, and the model's answer repeated beside its result.
fn all_copies(source: &[u8], event: &Object<'_>, text: &str) -> Vec<Patch> {
    let mut patches = Vec::new();
    if event.has("observation") {
        let shown = event.get("message").map(|shown| shown.span_in(source));
        patches = copies(source, event, text);
        patches.retain(|patch| Some(&patch.span) != shown.as_ref());
        let answer = event.object("tool_call_metadata").and_then(|metadata| metadata.get("model_response"));
        patches.extend(answer.map(|answer| stub_copies(source, answer, text)).unwrap_or_default());
    }
    let is_v0 = event.has("action") != event.has("observation") && !event.has("kind");
    let shown = event.get("message").filter(|shown| is_v0 && shown.is_string());
    patches.extend(shown.and_then(|shown| without_field(source, shown)));
    patches
}
