//! The columns `images`, `videos` and `audios` of a training row: one entry per placeholder in the messages, in order.
//!
//! Trainers refuse a row in which the numbers differ, so entries are removed together with the messages that show them.

use super::array::Members;
use super::json::{Json, Object};
use crate::format::Fault;
use crate::reason::Reason;
use crate::transcript::columns::{MEDIA, MEDIA_COLUMNS, MediaColumn, has_word};
use crate::transcript::{Message, PartKind, Patch, PatchKind, Transcript};

/// A column of a row, with its entries.
struct Found<'a> {
    column: &'static MediaColumn,
    value: Json<'a>,
    entries: Vec<Json<'a>>,
}

/// The media columns of a row.
fn columns<'a>(fields: &Object<'a>) -> Vec<Found<'a>> {
    let found = MEDIA.iter().filter_map(|column| {
        let value = fields.get(column.name)?;
        Some(Found { column, value, entries: value.array()? })
    });
    found.collect()
}

/// Number of placeholders and media parts in a message, each of which needs an entry of the column.
fn places(message: &Message<'_>, column: &MediaColumn) -> usize {
    let of_part = |kind: &PartKind<'_>, text: &str| match kind {
        PartKind::Media(media) if *media == column.medium => 1,
        PartKind::Text | PartKind::Result { .. } => text.matches(column.placeholder).count(),
        _ => 0,
    };
    message.parts.iter().map(|part| of_part(&part.kind, &part.text)).sum()
}

/// The patches that remove the entries of dropped messages; a column whose numbers differ already is left alone.
pub(in crate::format) fn patches(transcript: &Transcript<'_>, fields: &Object<'_>, keep: &[bool]) -> Vec<Patch> {
    let mut patches = Vec::new();
    for Found { column, value, entries } in columns(fields) {
        let stays = |message: &Message<'_>| keep.get(message.record).copied().unwrap_or(true);
        let of_message = |message| std::iter::repeat_n(stays(message), places(message, column));
        let stay: Vec<bool> = transcript.messages.iter().flat_map(of_message).collect();
        if stay.len() == entries.len() {
            let members = Members::of_array(transcript.source, value, &entries);
            patches.extend(members.patches(|index| stay.get(index) != Some(&false), &[], PatchKind::Relink));
        }
    }
    patches
}

/// A fault for each column whose number of entries differs from the number of placeholders.
pub(in crate::format) fn faults(transcript: &Transcript<'_>, fields: &Object<'_>) -> Vec<Fault> {
    let line = transcript.first_line();
    let wrong = columns(fields).into_iter().filter(|found| {
        let places = transcript.messages.iter().map(|message| places(message, found.column));
        places.sum::<usize>() != found.entries.len()
    });
    wrong.map(|found| Fault::new(line, "media_count", found.column.name)).collect()
}

/// Why a row may not be edited: a tool result, which might be pruned, contains a placeholder, or the media are in
/// columns that would be out of step.
pub(in crate::format) fn obstacle(messages: &[Message<'_>], fields: &Object<'_>) -> Option<Reason> {
    in_result(messages, fields).or_else(|| out_of_step(messages, fields))
}

fn in_result(messages: &[Message<'_>], fields: &Object<'_>) -> Option<Reason> {
    let parts = || messages.iter().flat_map(|message| &message.parts);
    let results = || parts().filter(|part| part.is_result());
    let mut columns = columns(fields).into_iter();
    let shown = columns.any(|found| results().any(|part| part.text.contains(found.column.placeholder)));
    shown.then_some(Reason::MediaInResult)
}

/// Columns that hold one medium, or a list, in the forms of other trainers, and their placeholder.
const OTHERS: [(&str, &str); 3] = [("image", "<image>"), ("video", "<video>"), ("audio", "<audio>")];
/// Placeholders of places in an image, whose values are in `objects`.
const GROUNDED: [&str; 2] = ["<bbox>", "<ref-object>"];
/// Words in names of columns with one entry per medium: `width_list`, `image_sizes`.
const BESIDE: [&str; 11] =
    ["image", "images", "video", "videos", "audio", "audios", "width", "height", "widths", "heights", "sizes"];

/// Why a row may not be edited: media in other columns than those that go along with the messages would be out of step
/// with the placeholders that are left.
fn out_of_step(messages: &[Message<'_>], fields: &Object<'_>) -> Option<Reason> {
    let parts = || messages.iter().flat_map(|message| &message.parts);
    let shows = |place: &str| parts().any(|part| part.text.contains(place));
    let stated = |key: &str| fields.get(key).is_some_and(Json::holds_something);
    let other = OTHERS.iter().any(|(key, place)| stated(key) && shows(place));
    let grounded = || stated("objects") && GROUNDED.iter().any(|place| shows(place));
    let lists = || columns(fields).into_iter().filter(|found| !found.entries.is_empty());
    let is_beside = |(name, value): &(std::borrow::Cow<'_, str>, Json<'_>), entries: usize| {
        let told = value.raw().starts_with('[')
            && !MEDIA_COLUMNS.contains(&&**name)
            && name.split('_').any(|word| BESIDE.contains(&word));
        told && value.array().is_some_and(|own| own.len() == entries)
    };
    let numbered = || lists().next().is_some() && fields.fields().iter().any(|(_, value)| has_numbered(*value));
    let sized = || lists().any(|found| fields.fields().iter().any(|field| is_beside(field, found.entries.len())));
    let bare = || fields.fields().iter().any(|(_, value)| has_block(*value, is_bare));
    // Words about HTML have a `<video>`, too.
    let placed =
        |name: &str| SHOWN.iter().any(|(place, words)| shows(place) && (words.is_empty() || has_word(name, words)));
    let is_shown = |name: &str, value: Json<'_>| holds_media(name, value) && (placed(name) || bare());
    let pathed = || lists().next().is_none() && fields.fields().iter().any(|(name, value)| is_shown(name, *value));
    (other || grounded() || numbered() || sized() || pathed()).then_some(Reason::MediaBeside)
}

/// Whether messages have blocks that say by a number which entry of a column they show:
/// `{"type":"image","index":1}`.
fn has_numbered(messages: Json<'_>) -> bool {
    has_block(messages, |block| block.has("index"))
}

/// Whether messages have a block of a medium that passes `is`.
fn has_block(messages: Json<'_>, is: fn(&Object<'_>) -> bool) -> bool {
    let found = |block: Json<'_>| {
        block.object().is_some_and(|block| {
            let kind = block.text("type").unwrap_or_default();
            OTHERS.iter().any(|(medium, _)| *medium == kind) && is(&block)
        })
    };
    let messages = messages.array().unwrap_or_default().into_iter().filter_map(Json::object);
    messages.filter_map(|message| message.array("content")).flatten().any(found)
}

/// Whether a block says that there is a medium, and not which: a column holds it.
fn is_bare(block: &Object<'_>) -> bool {
    !block.fields().iter().any(|(key, value)| key != "type" && value.holds_something())
}

/// Words in names of columns of media.
const HOLDING: [&str; 14] = [
    "image", "images", "img", "imgs", "picture", "pictures", "photo", "photos", "video", "videos", "frames", "audio",
    "audios", "media",
];
/// Words in names of columns of files, which may be media.
const FILES: [&str; 2] = ["file", "files"];
/// Ends of the names of files that are media.
const ENDINGS: [&str; 18] = [
    "png", "jpg", "jpeg", "webp", "gif", "bmp", "tif", "tiff", "svg", "mp4", "mov", "webm", "avi", "mkv", "mp3", "wav",
    "flac", "ogg",
];
/// Placeholders of media, each with the words in names of the columns that it counts beside; none: of any.
const SHOWN: [(&str, &[&str]); 3] =
    [("<image>", &[]), ("<video>", &["video", "videos", "frames"]), ("<audio>", &["audio", "audios"])];
/// Keys of an entry that is an object.
const STORED: [&str; 4] = ["path", "url", "bytes", "src"];

/// Whether a column holds media, or the paths of some.
fn holds_media(name: &str, value: Json<'_>) -> bool {
    let ends = |text: &str| text.rsplit_once('.').is_some_and(|(_, end)| ENDINGS.contains(&&*end.to_ascii_lowercase()));
    let is_path = |text: &str| match has_word(name, &HOLDING) {
        true => text.contains(['/', '.']) && !text.contains([' ', '\n']),
        false => ends(text),
    };
    let is_medium = |entry: Json<'_>| match entry.text() {
        Some(text) => is_path(&text) || text.starts_with("data:"),
        None => entry.object().is_some_and(|fields| STORED.iter().any(|key| fields.has(key))),
    };
    let told = has_word(name, &HOLDING) || has_word(name, &FILES);
    told && value.array().map_or_else(|| is_medium(value), |all| all.into_iter().any(is_medium))
}

/// Changes placeholders of the row's columns in a new text, so that they don't count: `<image>` becomes `(image)`.
pub(in crate::format) fn without_places(text: &str, fields: &Object<'_>) -> String {
    crate::transcript::columns::without_places(text, &placeholders(fields))
}

/// The placeholders of the row's columns.
pub(in crate::format) fn placeholders(fields: &Object<'_>) -> Vec<&'static str> {
    columns(fields).into_iter().map(|found| found.column.placeholder).collect()
}
