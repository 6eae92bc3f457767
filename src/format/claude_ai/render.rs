//! Renders an edit script over a conversation: dropped messages, new ones, the links of those around them, and what
//! changes inside the others.

use super::{NAMES, PARENT, read};
use crate::format::Marks;
use crate::format::shared::array::Members;
use crate::format::shared::chain::{Fresh, ParentList};
use crate::format::shared::document::{self, Document, set_field};
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::new::New;
use crate::format::shared::part_edits::{copy_of, json_of};
use crate::transcript::{EditScript, Part, PartKind, Patch, PatchKind, Role, Transcript, UiCopies};
use std::collections::HashSet;
use std::ops::Range;

/// Fields of a block that show a call or a result again.
const COPIES: [&str; 2] = ["display_content", "structured_content"];
/// Length in bytes above which what a tool returned is looked for in `text`; shorter texts may stand there by chance.
const RETURNED: usize = 200;

/// The patches that carry out a script.
pub(super) fn render(
    document: &Document<'_>,
    transcript: &Transcript<'_>,
    script: &EditScript,
    marks: &Marks<'_>,
) -> Vec<Patch> {
    let mut patches: Vec<_> =
        script.kept(transcript).flat_map(|index| inside(transcript, script, index, marks)).collect();
    let order = read::order(document);
    let said: Vec<_> = order.iter().map(|element| document.elements[*element]).collect();
    let mut links = ParentList::new(&NAMES, (document, &said), (transcript, script));
    if said.iter().filter_map(|element| element.object()).any(|message| message.has(PARENT)) {
        patches.extend(links.follow());
    }
    patches.extend(places((transcript.source, document), &order, script, &links));
    Patch::in_order(patches)
}

/// The patches that drop messages and insert new ones: behind the message before them if that one stays, as both have
/// the same time, or else in front of the one behind them.
fn places(
    (source, document): (&[u8], &Document<'_>),
    order: &[usize],
    script: &EditScript,
    links: &ParentList<'_, '_>,
) -> Vec<Patch> {
    let shape = Shape::of(links.said);
    let mut kept = vec![true; order.len()];
    order.iter().enumerate().for_each(|(record, element)| kept[*element] = script.keeps(record));
    let new = links.fresh.iter().map(|fresh| {
        let before = fresh.before.checked_sub(1).filter(|record| script.keeps(*record));
        let behind = || order.get(fresh.before).copied().unwrap_or(order.len());
        let text = document::laid_out(source, document.elements.iter().copied(), &shape.message(links.said, fresh));
        New { before: before.map_or_else(behind, |record| order[record] + 1), text }
    });
    let mut new: Vec<_> = new.collect();
    new.sort_by_key(|new| new.before);
    Members::of_array(source, document.array, &document.elements).patches(|at| kept[at], &new, PatchKind::Drop)
}

/// What messages of a conversation have, which differs between the ages of exports.
struct Shape {
    /// The texts are said in `content`, too, with these fields before and behind them.
    content: Option<(bool, bool)>,
    /// `text` says them.
    text: bool,
}

impl Shape {
    fn of(said: &[Json<'_>]) -> Self {
        let messages: Vec<_> = said.iter().filter_map(|element| element.object()).collect();
        let blocks = messages.iter().filter_map(|message| message.array("content")).flatten();
        let mut blocks = blocks.filter_map(Json::object).filter(|block| block.has("text"));
        let content = blocks.next().map(|block| (block.has("start_timestamp"), block.has("citations")));
        let says = |message: &Object<'_>| message.text("text").is_some_and(|text| !text.is_empty());
        Self { text: content.is_none() || messages.iter().any(says), content }
    }

    /// The JSON of a new message.
    fn message(&self, said: &[Json<'_>], fresh: &Fresh<'_>) -> String {
        let fields = |at: usize| said.get(at).and_then(|element| element.object());
        let (before, behind) = (fresh.before.checked_sub(1).and_then(fields), fields(fresh.before));
        let time = [&before, &behind].into_iter().flatten().find_map(|fields| fields.get("created_at"));
        let time = time.map_or("null", Json::raw);
        let (id, text) = (quoted(&fresh.id), quoted(fresh.text));
        let mut out = format!(r#"{{"uuid":{id},"text":{}"#, if self.text { &text } else { "\"\"" });
        if let Some((timed, cited)) = self.content {
            let times = format!(r#""start_timestamp":{time},"stop_timestamp":{time},"#);
            let (times, citations) = (if timed { &*times } else { "" }, if cited { r#","citations":[]"# } else { "" });
            out += &format!(r#","content":[{{{times}"type":"text","text":{text}{citations}}}]"#);
        }
        let sender = if fresh.role == Role::Assistant { "assistant" } else { "human" };
        out += &format!(r#","sender":"{sender}""#);
        // The messages before it that went leave numbers free.
        if let Some(index) = behind.and_then(|fields| fields.whole("index")) {
            out += &format!(r#","index":{}"#, index.saturating_sub(fresh.left as u64));
        }
        out += &format!(r#","created_at":{time},"updated_at":{time},"attachments":[],"files":[]"#);
        if let Some(parent) = &fresh.parent {
            out += &format!(r#","{PARENT}":{}"#, quoted(parent));
        }
        out + "}"
    }
}

/// The patches inside a kept message.
fn inside(transcript: &Transcript<'_>, script: &EditScript, index: usize, marks: &Marks<'_>) -> Vec<Patch> {
    let edited = !script.changes_of(index).is_empty();
    if !edited && script.ui_copies != UiCopies::Drop {
        return Vec::new();
    }
    let source = transcript.source;
    let Some(fields) = json_of(transcript, index).and_then(Json::object) else { return Vec::new() };
    let gone = document::removed(transcript, script, index);
    let files = fields.get("files").map(|files| files.span_in(source)).unwrap_or_default();
    // A file has only its name here: nothing could stand for it.
    let is_file = |patch: &Patch| files.contains(&patch.span.start);
    let mut patches = document::replacements(transcript, script, index, &gone);
    patches.retain(|patch| !is_file(patch));
    for key in ["content", "attachments", "files"] {
        let list = fields.get(key).filter(|list| list.array().is_some());
        patches.extend(list.map(|list| document::without(source, list, &gone)).unwrap_or_default());
    }
    patches.extend(told_again(transcript, script, index, &fields));
    patches.extend(copies(transcript, (script, marks), index, &gone));
    patches
}

/// The patch that changes what `text` says once more alike.
fn told_again(transcript: &Transcript<'_>, script: &EditScript, index: usize, fields: &Object<'_>) -> Option<Patch> {
    let parts = &transcript.messages[index].parts;
    let copy = fields.get("text")?;
    let span = copy.span_in(transcript.source);
    let before = copy.text().filter(|_| parts.iter().all(|part| part.slot.part != span))?;
    let (mut after, mut from) = (before.clone().into_owned(), 0);
    for edit in script.changes_of(index) {
        let Some(old) = parts.get(edit.part).filter(|part| may_be_copied(part)) else { continue };
        let new = edit.change.text().unwrap_or_default();
        let found = after.get(from..).and_then(|rest| rest.find(&*old.text)).map(|at| from + at);
        if let Some(at) = found {
            after.replace_range(at..at + old.text.len(), new);
            from = at + new.len();
        }
    }
    (after != before).then(|| Patch { span, with: quoted(&after).into_bytes(), kind: PatchKind::Stub })
}

fn may_be_copied(part: &Part<'_>) -> bool {
    match part.kind {
        PartKind::Text => !part.text.is_empty(),
        PartKind::Result { .. } => part.text.len() > RETURNED,
        _ => false,
    }
}

/// The patches for what shows calls and results again, in blocks that stay.
fn copies(
    transcript: &Transcript<'_>,
    (script, marks): (&EditScript, &Marks<'_>),
    index: usize,
    gone: &HashSet<Range<usize>>,
) -> Vec<Patch> {
    let source = transcript.source;
    let mut patches = Vec::new();
    for (at, part) in transcript.messages[index].parts.iter().enumerate() {
        let returns = part.is_result();
        if !returns && !part.is_call() || gone.contains(&part.slot.part) {
            continue;
        }
        let change = script.change(index, at);
        let stub = copy_of(change.filter(|_| returns), marks.stub);
        let Some(block) = Json::at(source, &part.slot.part) else { continue };
        let Some(fields) = block.object() else { continue };
        for key in COPIES {
            let Some(copy) = fields.get(key).filter(|copy| copy.holds_something()) else { continue };
            patches.extend(match (script.ui_copies, change) {
                (UiCopies::Drop, _) => set_field(source, block, key, "null", PatchKind::UiCopy),
                (UiCopies::Stub, Some(_)) => document::stub_copies(source, copy, stub),
                _ => Vec::new(),
            });
        }
    }
    patches
}
