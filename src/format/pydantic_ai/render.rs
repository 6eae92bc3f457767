//! Renders an edit script over a history: dropped parts and messages, new ones, and what replaces a part.

use super::places::{Place, Stored, inside, places};
use super::{KIND, MESSAGES, PART_KIND, PARTS, REQUEST};
use crate::format::shared::array::Members;
use crate::format::shared::document::laid_out;
use crate::format::shared::held::{Held, changes};
use crate::format::shared::json::{Json, quoted};
use crate::format::shared::message_columns::{self, Columns};
use crate::format::shared::new::New;
use crate::format::shared::part_edits;
use crate::format::shared::synthetic::turns;
use crate::transcript::{
    Change, EditScript, Insert, InsertKind, Part, PartKind, Patch, PatchKind, Role, Shape, Transcript,
};
use std::collections::BTreeMap;

/// The patches that carry out a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    let Ok(held) = MESSAGES.held(transcript.source, 1) else { return Vec::new() };
    let places = places(&held.document.elements);
    let mut new = Vec::new();
    let mut within: BTreeMap<usize, Vec<New>> = BTreeMap::new();
    for insert in &script.inserts {
        let time = time(&places, insert.before);
        match inside(&places, insert.before) {
            Some((message, before)) => {
                let text = part_of(&insert.kind, time);
                within.entry(message).or_default().push(New { before, text });
            }
            None => {
                let before = places.get(insert.before).map_or(held.document.elements.len(), |place| place.message);
                let instructions = instructions((&held, &places), script, before);
                new.extend(messages_of(insert, time, instructions).into_iter().map(|text| New { before, text }));
            }
        }
    }
    let mut keep = vec![false; held.document.elements.len()];
    for (record, place) in places.iter().enumerate() {
        keep[place.message] |= script.keeps(record) || within.contains_key(&place.message);
    }
    let mut patches = replaced(transcript, script);
    patches.extend(requests((transcript.source, &held), &places, (script, &keep, &within)));
    let row = Columns { fields: &held.fields, conversation: held.document.array, elements: &held.document.elements };
    let stays = |message: usize| keep.get(message).copied().unwrap_or(true);
    patches.extend(message_columns::patches(transcript.source, row, stays, &new));
    held.document.patches(&EditScript { keep, ..EditScript::default() }, &new, patches)
}

/// The patches that drop parts of requests that stay, and add new ones to them.
fn requests(
    (source, held): (&[u8], &Held<'_>),
    places: &[Place<'_>],
    (script, keep, within): (&EditScript, &[bool], &BTreeMap<usize, Vec<New>>),
) -> Vec<Patch> {
    let mut gone: BTreeMap<usize, Vec<usize>> = within.keys().map(|message| (*message, Vec::new())).collect();
    for (record, place) in places.iter().enumerate().filter(|(_, place)| keep[place.message]) {
        match place.stored {
            Stored::Part(part) if !script.keeps(record) => gone.entry(place.message).or_default().push(part),
            _ => {}
        }
    }
    let patches = gone.into_iter().filter_map(|(message, gone)| {
        let array = held.document.elements.get(message)?.object()?.get(PARTS)?;
        let parts = array.array()?;
        let text = |text: &str| laid_out(source, parts.iter().copied(), text);
        let new = within.get(&message).map(Vec::as_slice).unwrap_or_default();
        let new: Vec<_> = new.iter().map(|new| New { before: new.before, text: text(&new.text) }).collect();
        let members = Members::of_array(source, array, &parts);
        Some(members.patches(|part| !gone.contains(&part), &new, PatchKind::Drop))
    });
    patches.flatten().collect()
}

/// The time of what is stored before a record.
fn time<'a>(places: &[Place<'a>], before: usize) -> Option<Json<'a>> {
    let place = places.get(before.checked_sub(1)?)?;
    place.value.object()?.get("timestamp").filter(|time| time.is_string())
}

/// The instructions for a new request that no kept one follows: Pydantic AI sends those of the last request, so it has
/// those of the newest that stays.
fn instructions<'a>((held, places): (&Held<'a>, &[Place<'_>]), script: &EditScript, before: usize) -> Option<Json<'a>> {
    let stays = |(record, place): (usize, &Place<'_>)| script.keeps(record).then_some(place.message);
    let request = |message: usize| {
        let fields = held.document.elements.get(message)?.object()?;
        fields.is(KIND, REQUEST).then_some((message, fields))
    };
    let mut kept = places.iter().enumerate().filter_map(stays).collect::<Vec<_>>().into_iter().rev();
    let (newest, fields) = kept.find_map(request)?;
    fields.get("instructions").filter(|it| newest < before && it.says())
}

/// The JSON of a part of a request.
fn request_part(role: Role, text: &str, time: Option<Json<'_>>) -> String {
    let kind = if role == Role::System { "system-prompt" } else { "user-prompt" };
    let time = time.map(|time| format!(r#""timestamp":{},"#, time.raw())).unwrap_or_default();
    format!(r#"{{"content":{},{time}"{PART_KIND}":"{kind}"}}"#, quoted(text))
}

/// The JSON of a new part inside a request, where no answer of the model's can stand.
fn part_of(kind: &InsertKind, time: Option<Json<'_>>) -> String {
    let text = kind.text();
    let system = turns(kind).iter().all(|(role, _)| *role == Role::System);
    request_part(if system { Role::System } else { Role::User }, text, time)
}

/// The JSON of the new messages that an insertion adds.
fn messages_of(insert: &Insert, time: Option<Json<'_>>, instructions: Option<Json<'_>>) -> Vec<String> {
    let instructions = instructions.map(|it| format!(r#""instructions":{},"#, it.raw())).unwrap_or_default();
    let message = |(role, text): (Role, &str)| match role {
        Role::Assistant => {
            let time = time.map(|time| format!(r#""timestamp":{},"#, time.raw())).unwrap_or_default();
            format!(r#"{{"parts":[{{"content":{},"part_kind":"text"}}],{time}"kind":"response"}}"#, quoted(text))
        }
        _ => format!(r#"{{"parts":[{}],{instructions}"kind":"request"}}"#, request_part(role, text, time)),
    };
    turns(&insert.kind).into_iter().map(message).collect()
}

/// The patches for stubs, excerpts and removed parts in kept messages.
fn replaced(transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    let replace = |part: &Part<'_>, change: &Change| replacement(transcript.source, part, change);
    let key = |index: usize| if transcript.messages[index].role == Role::Assistant { PARTS } else { "content" };
    script.kept(transcript).flat_map(|index| changes(transcript, script, (index, key(index)), &replace)).collect()
}

/// The patch that replaces a part's content; a text stands for a medium.
fn replacement(source: &[u8], part: &Part<'_>, change: &Change) -> Option<Patch> {
    let text = change.text()?;
    let of_response = || {
        let stored = Json::at(source, &part.slot.part).and_then(Json::object);
        stored.is_some_and(|stored| stored.has(PART_KIND))
    };
    match (&part.kind, part.slot.shape) {
        (PartKind::Media(_), _) if of_response() => {
            let text = format!(r#"{{"content":{},"{PART_KIND}":"text"}}"#, quoted(text));
            Some(part_edits::stub(part.slot.part.clone(), text))
        }
        (PartKind::Media(_), _) => Some(part_edits::stub(part.slot.part.clone(), quoted(text))),
        (PartKind::Result { .. }, Shape::Json) => Some(part_edits::stub(part.slot.content.clone(), quoted(text))),
        _ => part_edits::replacement(part, change),
    }
}
