//! Rules that an exported session must meet to be loaded (FORMATS §18).

use super::{BANNER, banner};
use crate::format::Fault;
use crate::format::shared::json::{Json, Object};
use crate::format::shared::links::by_id;
use crate::transcript::{Record, Transcript};
use std::collections::HashSet;

/// Returns the faults of a session.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let Ok(document) = super::document(transcript.source, 1) else { return Vec::new() };
    let index = by_id(transcript);
    let known: &dyn Fn(&str) -> bool = &|id| index.contains_key(id);
    let mut rules = Rules { transcript, at: 0, faults: Vec::new(), known, seen: HashSet::new(), newest: 0 };
    for (at, (record, element)) in transcript.records.iter().zip(&document.elements).enumerate() {
        rules.at = at;
        if let Some(fields) = element.object() {
            rules.message(record, &fields);
        }
    }
    if !banner::span(transcript.source).is_empty() {
        rules.faults.push(Fault::new(1, BANNER, ""));
    }
    rules.faults.sort();
    rules.faults
}

struct Rules<'r> {
    transcript: &'r Transcript<'r>,
    /// Index of the record that is judged.
    at: usize,
    faults: Vec<Fault>,
    known: &'r dyn Fn(&str) -> bool,
    /// Ids of messages and parts so far.
    seen: HashSet<String>,
    newest: i64,
}

impl Rules<'_> {
    fn fault(&mut self, rule: &'static str, subject: &str) {
        self.faults.push(self.transcript.fault(self.at, rule, subject));
    }

    fn message(&mut self, record: &Record<'_>, fields: &Object<'_>) {
        let info = fields.object("info").unwrap_or_default();
        let id = record.id.as_deref().unwrap_or_default();
        if id.is_empty() {
            self.fault("no_id", "");
        }
        self.unique(id);
        if info.is("role", "assistant") {
            match record.parent.as_deref() {
                Some(parent) if (self.known)(parent) => {}
                _ => self.fault("dangling_parent", id),
            }
        }
        let created =
            info.object("time").and_then(|time| time.get("created")?.raw().parse().ok()).unwrap_or(self.newest);
        if created < self.newest {
            self.fault("time_goes_back", id);
        }
        self.newest = self.newest.max(created);
        let parts = fields.array("parts").unwrap_or_default();
        if parts.is_empty() {
            self.fault("no_parts", id);
        }
        for part in parts.into_iter().filter_map(Json::object) {
            self.part(record, &part);
        }
    }

    fn part(&mut self, record: &Record<'_>, part: &Object<'_>) {
        let id = part.text("id").unwrap_or_default();
        self.unique(&id);
        if part.text("messageID").as_deref().is_some_and(|message| Some(message) != record.id.as_deref()) {
            self.fault("part_of_another_message", &id);
        }
        if let Some(tail) = part.text("tail_start_id").filter(|tail| !(self.known)(tail)) {
            self.fault("dangling_tail_start", &tail);
        }
    }

    fn unique(&mut self, id: &str) {
        if !id.is_empty() && !self.seen.insert(id.to_owned()) {
            self.fault("duplicate_id", id);
        }
    }
}
