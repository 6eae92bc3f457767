//! Renders an edit script over a sample as patches.

use super::{MESSAGES, copies};
use crate::format::shared::document::{Document, hash};
use crate::format::shared::json::quoted;
use crate::format::shared::marks;
use crate::format::shared::new::New;
use crate::format::shared::part_edits;
use crate::format::{Marks, openai};
use crate::transcript::{EditScript, Insert, Patch, Role, Transcript};

/// The alphabet of Inspect's message ids, without letters that look alike.
const LETTERS: &[u8] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/// Length of those ids in characters.
const ID: usize = 22;

/// The patches that carry out a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
    let Ok(document) = Document::read(transcript.source, 1, MESSAGES) else { return Vec::new() };
    let keeps = |record: usize| script.keeps(record);
    let new = New::all(script, |insert| inserted(&document, insert));
    let mut inside = Vec::new();
    for (index, _) in transcript.messages.iter().enumerate().filter(|(_, message)| keeps(message.record)) {
        inside.extend(part_edits::patches(transcript, script, index));
        inside.extend(marks.compacted_at.iter().flat_map(|at| openai::marks(transcript, script, index, *at)));
    }
    let mut patches = document.patches(script, &new, inside);
    patches.extend(copies::patches(transcript, script, (document.whole, marks.stub), &patches));
    Patch::in_order(patches)
}

/// The messages that an insertion adds, with ids if the others have them.
fn inserted(document: &Document<'_>, insert: &Insert) -> Vec<String> {
    let beside = document.elements.get(insert.before).or(document.elements.last());
    let beside = beside.and_then(|element| element.object()?.text("id"));
    let message = |(role, text, marks): (Role, &str, &str)| {
        let role = role.name();
        let id = beside.as_deref().map(|beside| format!(r#""id":"{}","#, id(&["inspect", beside, role, text])));
        let metadata = if marks.is_empty() { String::new() } else { format!(r#","metadata":{{{marks}}}"#) };
        format!(r#"{{{}"content":{},"role":"{role}"{metadata}}}"#, id.unwrap_or_default(), quoted(text))
    };
    marks::turns(&insert.kind).into_iter().map(message).collect()
}

/// An id in Inspect's alphabet, derived from content.
fn id(texts: &[&str]) -> String {
    let hex = hash(texts);
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| usize::try_from(digit).ok());
    let number = |pair: &[u8]| pair.iter().filter_map(digit).fold(0, |sum, digit| sum * 16 + digit);
    let letters = hex.as_bytes().chunks(2).take(ID).map(|pair| number(pair) % LETTERS.len());
    letters.filter_map(|at| LETTERS.get(at).map(|letter| char::from(*letter))).collect()
}
