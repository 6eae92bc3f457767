//! Finds the call of each result, and what it reads.

use super::Place;
use crate::transcript::{FILE_PATH_KEYS, PartKind, Transcript, parsed};
use foldhash::HashMap;
use serde_json::{Map, Value};

/// Argument key that holds an address.
const ADDRESS: &str = "url";
/// Argument keys that select a part of a file.
const PARTS: [&str; 13] = [
    "offset",
    "limit",
    "start_line",
    "end_line",
    "view_range",
    "line_range",
    "startLine",
    "endLine",
    "StartLine",
    "EndLine",
    "Offset",
    "Limit",
    "pages",
];
/// Substrings of the names of tools that show a file.
const READERS: [&str; 4] = ["read", "view", "open", "cat"];
/// Parts of names of tools that show something else about a file than its lines (Antigravity's `view_file_outline`).
const EXTRACTS: [&str; 3] = ["outline", "symbol", "item"];

/// Calls by result, and results by call id.
pub(super) struct Calls<'t> {
    of_result: HashMap<Place, Place>,
    /// The results of each call id, in order.
    by_id: HashMap<&'t str, Vec<Place>>,
}

/// The file that a call reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Read {
    /// File path or address.
    pub(super) path: String,
    /// The arguments that select a part of it; empty for the whole file.
    pub(super) part: String,
}

impl<'t> Calls<'t> {
    /// Finds the call of every result: the newest earlier one with the same id.
    pub(super) fn of(transcript: &'t Transcript<'_>) -> Self {
        let mut open: HashMap<&str, Place> = HashMap::default();
        let mut calls = Self { of_result: HashMap::default(), by_id: HashMap::default() };
        let half = transcript.messages.len() / 2;
        open.reserve(half);
        calls.of_result.reserve(half);
        calls.by_id.reserve(half);
        for (index, message) in transcript.messages.iter().enumerate() {
            for (at, part) in message.parts.iter().enumerate() {
                match &part.kind {
                    PartKind::Call { id, .. } => drop(open.insert(id, (index, at))),
                    PartKind::Result { id, .. } => {
                        calls.by_id.entry(id).or_default().push((index, at));
                        calls.of_result.extend(open.get(&**id).map(|call| ((index, at), *call)));
                    }
                    _ => {}
                }
            }
        }
        calls
    }

    /// The call of a result.
    pub(super) fn call(&self, result: Place) -> Option<Place> {
        self.of_result.get(&result).copied()
    }

    /// The results with a call id.
    pub(super) fn results(&self, id: &str) -> &[Place] {
        self.by_id.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    fn arguments(&self, transcript: &Transcript<'_>, result: Place) -> Option<(String, Map<String, Value>)> {
        let (message, part) = self.call(result)?;
        let part = &transcript.messages[message].parts[part];
        let PartKind::Call { name, .. } = &part.kind else { return None };
        match parsed(&part.text)? {
            Value::Object(fields) => Some((name.to_lowercase(), fields)),
            _ => None,
        }
    }

    /// The file path or address in the arguments of a result's call.
    pub(super) fn path(&self, transcript: &Transcript<'_>, result: Place) -> Option<String> {
        path(&self.arguments(transcript, result)?.1)
    }

    /// The file that a result's call reads, if reading is all it does.
    pub(super) fn read(&self, transcript: &Transcript<'_>, result: Place) -> Option<Read> {
        let (name, fields) = self.arguments(transcript, result)?;
        let command = fields.get("command").and_then(Value::as_str);
        let has = |piece: &&str| name.contains(piece);
        let reads = READERS.iter().any(&has) && !EXTRACTS.iter().any(has) && command.is_none();
        let path = path(&fields).filter(|_| reads || command == Some("view"))?;
        let parts =
            PARTS.iter().filter_map(|key| Some(format!("{key}={} ", fields.get(*key).filter(|v| !v.is_null())?)));
        Some(Read { path, part: parts.collect() })
    }
}

fn path(fields: &Map<String, Value>) -> Option<String> {
    let keys = FILE_PATH_KEYS.iter().copied().chain([ADDRESS]);
    keys.into_iter().find_map(|key| fields.get(key)?.as_str().map(str::to_owned))
}
