//! Copies of messages in the events of a sample, and attachments that hold long texts of both.

use super::{ATTACHMENTS, PROTOCOL};
use crate::format::shared::array::Members;
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::part_edits::copy_of;
use crate::transcript::{EditScript, Patch, PatchKind, Transcript, UiCopies};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Fields of a sample with its course of events and copies of its messages: events, the pools that they refer to, and
/// an older form of both.
const EVENTS: [&str; 5] = ["events", "events_data", "message_pool", "call_pool", "transcript"];
/// Maximum length in bytes of texts that are not treated as copies of outputs.
const COPY: usize = 200;

/// The patches outside a sample's messages; `edits` are those inside them.
pub(super) fn patches(
    transcript: &Transcript<'_>,
    script: &EditScript,
    (sample, stub): (Json<'_>, &str),
    edits: &[Patch],
) -> Vec<Patch> {
    let Some(fields) = sample.object() else { return Vec::new() };
    let source = transcript.source;
    let mut patches = match script.ui_copies {
        UiCopies::Keep => Vec::new(),
        UiCopies::Stub => {
            let copies = Copies { source, gone: &gone(transcript, script, stub) };
            EVENTS
                .iter()
                .chain([&ATTACHMENTS])
                .filter_map(|key| fields.get(key))
                .flat_map(|it| copies.patches_in(it))
                .collect()
        }
        UiCopies::Drop => dropped(source, sample, &fields),
    };
    let edited: Vec<_> = edits.iter().chain(&patches).cloned().collect();
    let unnamed = unnamed(source, (sample, &fields), &edited);
    patches.retain(|patch| {
        !unnamed.iter().any(|gone| gone.span.start <= patch.span.start && patch.span.end <= gone.span.end)
    });
    patches.extend(unnamed);
    Patch::in_order(patches)
}

/// The long results that are stubbed, shortened or dropped, except texts that are also kept somewhere; each with the
/// text for its copies, as JSON.
fn gone<'t>(transcript: &'t Transcript<'_>, script: &EditScript, general: &str) -> HashMap<&'t str, String> {
    let (mut gone, mut stays) = (HashMap::new(), HashSet::new());
    for (index, message) in transcript.messages.iter().enumerate() {
        let dropped = !script.keeps(message.record);
        for (at, part) in message.parts.iter().enumerate().filter(|(_, part)| part.text.len() > COPY) {
            let result = part.is_result();
            let change = script.change(index, at);
            match dropped || change.is_some() {
                true if result => drop(gone.insert(&*part.text, quoted(copy_of(change, general)))),
                true => {}
                false => drop(stays.insert(&*part.text)),
            }
        }
    }
    gone.retain(|text, _| !stays.contains(text));
    gone
}

/// Stubs copies of results.
struct Copies<'c> {
    source: &'c [u8],
    /// The texts to stub, each with its stub as JSON.
    gone: &'c HashMap<&'c str, String>,
}

impl Copies<'_> {
    /// The stub for a value, if that is a copy.
    fn stub(&self, value: Json<'_>) -> Option<&str> {
        let text = value.text().filter(|_| value.raw().len() > COPY)?;
        self.gone.get(&*text).map(String::as_str)
    }

    /// The patches that stub every copy in a value.
    fn patches_in(&self, value: Json<'_>) -> Vec<Patch> {
        let mut patches = Vec::new();
        let mut open = if self.gone.is_empty() { Vec::new() } else { vec![value] };
        while let Some(value) = open.pop() {
            if let Some(object) = value.object() {
                open.extend(object.fields().iter().map(|(_, value)| *value));
            } else if let Some(array) = value.array() {
                open.extend(array);
            } else if let Some(stub) = self.stub(value) {
                let with = stub.as_bytes().to_vec();
                patches.push(Patch { span: value.span_in(self.source), with, kind: PatchKind::UiCopy });
            }
        }
        patches
    }
}

/// The patches that empty the events and remove the fields that events refer to.
fn dropped(source: &[u8], sample: Json<'_>, fields: &Object<'_>) -> Vec<Patch> {
    let old = fields.object("transcript").unwrap_or_default();
    let lists = [fields.get("events"), old.get("events")].into_iter().flatten();
    let lists = lists.filter(|list| list.raw().starts_with('[') && list.raw().len() > 2);
    let empty = |list: Json<'_>| Patch { span: list.span_in(source), with: b"[]".to_vec(), kind: PatchKind::UiCopy };
    let gone = ["events_data", "message_pool", "call_pool", "timelines"];
    let stays = |at: usize| fields.fields().get(at).is_none_or(|(key, _)| !gone.contains(&&**key));
    let members = Members::of_object(source, sample, fields);
    lists.map(empty).chain(members.patches(stays, &[], PatchKind::UiCopy)).collect()
}

/// The patches that remove attachments to which only removed text refers.
fn unnamed(source: &[u8], (sample, fields): (Json<'_>, &Object<'_>), edits: &[Patch]) -> Vec<Patch> {
    let Some((value, attachments)) = fields.get(ATTACHMENTS).and_then(|value| Some((value, value.object()?))) else {
        return Vec::new();
    };
    let start = sample.span_in(source).start;
    let mut taken: Vec<_> = edits.iter().map(|patch| &patch.span).filter(|span| !span.is_empty()).collect();
    taken.sort_by_key(|span| span.start);
    let goes = |at: &Range<usize>| {
        let before = taken.partition_point(|span| span.start <= at.start);
        before.checked_sub(1).and_then(|last| taken.get(last)).is_some_and(|span| at.end <= span.end)
    };
    let (mut lost, mut named) = (HashSet::new(), HashSet::new());
    for (at, hash) in references(sample.raw()) {
        let set = if goes(&(start + at.start..start + at.end)) { &mut lost } else { &mut named };
        set.insert(hash);
    }
    let stays = |at: usize| {
        let hash = attachments.fields().get(at).map(|(hash, _)| &**hash);
        hash.is_none_or(|hash| named.contains(hash) || !lost.contains(hash))
    };
    Members::of_object(source, value, &attachments).patches(stays, &[], PatchKind::UiCopy)
}

/// All references to attachments in a text: their ranges and hashes.
pub(super) fn references(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    memchr::memmem::find_iter(text.as_bytes(), PROTOCOL).filter_map(move |at| {
        let start = at + PROTOCOL.len();
        let rest = text.get(start..)?;
        let length = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        let whole = at > 0 && text.as_bytes().get(at - 1) == Some(&b'"') && rest.as_bytes().get(length) == Some(&b'"');
        (whole && length > 0).then(|| (at..start + length, rest.get(..length).unwrap_or_default()))
    })
}
