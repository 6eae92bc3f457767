//! Renders an edit script over events as patches.
//!
//! A condensation is placed after the events that the model still reads, as in the harness's own stream, so every id
//! is kept and the new one is the newest. Old rows without ids have no condensations; there the summary is a message.

use super::condensation::{self, Condensed, Envelope, Generation, NOTHING};
use super::{inside, stream, tree};
use crate::format::Marks;
use crate::format::shared::document;
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::new::New;
use crate::transcript::{Author, Class, EditScript, Insert, InsertKind, Message, Patch, Record, Transcript};

/// The patches that carry out a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
    let keeps = |record: usize| script.keeps(record);
    let mut changes = tree::relinks(transcript, script);
    let kept = transcript.messages.iter().enumerate().filter(|(_, message)| keeps(message.record));
    changes.extend(kept.flat_map(|(index, _)| inside::patches(transcript, script, marks, index)));
    stream::patches(transcript, script, new_events(transcript, script), changes)
}

/// The events that a script adds.
fn new_events(transcript: &Transcript<'_>, script: &EditScript) -> Vec<New> {
    if script.inserts.is_empty() {
        return Vec::new();
    }
    let mut writer = Writer::over(transcript, script);
    script.inserts.iter().map(|insert| writer.insert(insert)).collect()
}

/// Writes new events that continue the stream.
struct Writer<'w, 't> {
    transcript: &'w Transcript<'t>,
    script: &'w EditScript,
    generation: Generation,
    paired: bool,
    flat: bool,
    timestamp: Option<String>,
    /// The newest id of a V0 event.
    newest: Option<u64>,
    /// The id of the last node, if the events form a tree.
    leaf: Option<String>,
}

impl<'w, 't> Writer<'w, 't> {
    fn over(transcript: &'w Transcript<'t>, script: &'w EditScript) -> Self {
        let values = || transcript.records.iter().filter_map(|record| value(transcript, record));
        let first = values().find(|value| value.raw().starts_with(['{', '[']));
        let paired = first.is_some_and(|first| first.raw().starts_with('['));
        let event = first.and_then(|first| stream::events(first).into_iter().next()).unwrap_or_default();
        let time = |value: Json<'_>| {
            let events = stream::events(value);
            events.iter().rev().find_map(|event| Some(event.get("timestamp")?.raw().to_owned()))
        };
        let ids = |value: Json<'_>| {
            let events = stream::events(value);
            events.iter().filter_map(|event| event.whole("id")).max()
        };
        let nodes = transcript.records.iter().zip(&script.keep).rev();
        let leaf = nodes.filter(|(record, keep)| **keep && !matches!(record.class, Class::Session(_)));
        Self {
            transcript,
            script,
            generation: if event.has("kind") { Generation::V1 } else { Generation::V0 },
            paired,
            flat: !event.has("args") && !event.has("extras"),
            timestamp: transcript.records.iter().rev().filter_map(|record| value(transcript, record)).find_map(time),
            newest: values().filter_map(ids).max(),
            leaf: leaf.filter_map(|(record, _)| record.id.as_deref()).next().map(str::to_owned),
        }
    }

    /// The event of an insertion. Events with ids are placed at the end.
    fn insert(&mut self, insert: &Insert) -> New {
        let text = insert.kind.text();
        let is_summary = matches!(insert.kind, InsertKind::Summary { .. });
        let envelope = self.envelope(text);
        let event = if is_summary && envelope.id.is_some() {
            let forgotten = self.forgotten();
            let condensed = Condensed { forgotten: &forgotten, summary: text, offset: self.offset(insert.before) };
            condensation::condensation(self.generation, &envelope, condensed)
        } else {
            condensation::words(self.generation, &envelope, text, self.flat)
        };
        let before = if envelope.id.is_some() { self.transcript.records.len() } else { insert.before };
        New { before, text: if self.paired { format!("[{event},{NOTHING}]") } else { event } }
    }

    /// The next envelope: with the id after the newest one (V0), or one derived from content (V1).
    fn envelope(&mut self, text: &str) -> Envelope {
        let timestamp = self.timestamp.clone();
        if self.generation == Generation::V0 {
            self.newest = self.newest.and_then(|newest| newest.checked_add(1));
            return Envelope { id: self.newest.map(|id| id.to_string()), timestamp, parent: None };
        }
        let id = document::uuid(&[self.leaf.as_deref().unwrap_or_default(), text]);
        let parent = tree::is_tree(self.transcript).then(|| condensation::parent(self.leaf.as_deref()));
        self.leaf = Some(id.clone());
        Envelope { id: Some(quoted(&id)), timestamp, parent }
    }

    /// The ids of stored events that the model is no longer sent.
    fn forgotten(&self) -> Vec<String> {
        if self.script.appended.is_none() {
            return Vec::new();
        }
        let messages = self.transcript.messages.iter().enumerate();
        let gone = messages.filter(|(index, message)| message.live && !self.is_loaded(*index, message));
        let ids = gone.flat_map(|(index, message)| {
            let summary = message.author == Author::Summary;
            let ids = events_of(self.transcript, index).into_iter().filter_map(|event| event.get("id"));
            ids.map(move |id| match id.text().filter(|_| summary) {
                Some(id) => quoted(&format!("{id}-summary")),
                None => id.raw().to_owned(),
            })
        });
        ids.collect()
    }

    /// Whether the model is sent a message besides the summary.
    fn is_loaded(&self, index: usize, message: &Message<'_>) -> bool {
        match &self.script.appended {
            Some(loaded) => loaded.binary_search(&index).is_ok(),
            None => {
                let stays = self.script.keeps(message.record);
                stays && message.author != Author::Summary && !message.abandoned
            }
        }
    }

    /// Number of messages before a record that the model is sent.
    fn offset(&self, before: usize) -> usize {
        let messages = self.transcript.messages.iter().enumerate();
        messages.filter(|(index, message)| message.record < before && self.is_loaded(*index, message)).count()
    }
}

/// The JSON value of a record.
pub(super) fn value<'a>(transcript: &Transcript<'a>, record: &Record<'_>) -> Option<Json<'a>> {
    Json::at(transcript.source, &record.span)
}

/// The events of the record that holds a message.
pub(super) fn events_of<'a>(transcript: &Transcript<'a>, message: usize) -> Vec<Object<'a>> {
    value(transcript, transcript.record_of(message)).map(stream::events).unwrap_or_default()
}
