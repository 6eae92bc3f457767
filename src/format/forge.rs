//! The format `forge`: conversations of Forge, one JSON document with `context.messages`.
//!
//! An entry holds one of `text`, `tool` and `image`, with the usage beside it (tailcallhq/forgecode,
//! `forge_domain/src/context.rs`). Forge itself puts a summary into a user message with a fixed opening, so epitome's
//! is a user message, too. Messages marked `droppable` are attached files, not a person's words.

use super::detect::Evidence;
use super::openai;
use super::shared::document::{self, Document};
use super::shared::json::{Json, Object, escaped, quoted};
use super::shared::new::New;
use super::shared::slot::{arguments as arguments_slot, fixed, joined, part};
use super::shared::synthetic;
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::format::shared::array::Members;
use crate::transcript::{
    Author, Change, EditScript, InsertKind, Media, Message, Part, PartKind, Patch, PatchKind, Role, Shape, Slot,
    Tokens, Traits, Transcript, Usage,
};
use std::borrow::Cow;
use std::collections::HashSet;

/// The path of the field that holds the messages.
const MESSAGES: &str = "context.messages";
/// Opening of Forge's own summaries.
const SUMMARY: &str = "Use the following summary frames as the authoritative reference";

/// The `forge` format.
pub(super) struct Forge;

impl Format for Forge {
    fn name(&self) -> &'static str {
        "forge"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let context = sample.fields.as_ref().and_then(|fields| fields.object("context"));
        let is = |context: Object<'_>| context.has("conversation_id") && context.has("messages");
        context.is_some_and(is).then(|| Evidence::certain("`context` with `conversation_id` and `messages`"))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let Some(document) = options.forgive(Document::read(source, options.first_line, MESSAGES))? else {
            return Ok(document::opaque(source, options, Traits::default()));
        };
        let mut transcript = document.transcript(options.first_line, Traits::default());
        for (at, element) in document.elements.iter().enumerate() {
            if let Some(message) = entry(source, *element) {
                document::push(&mut transcript, at, message);
            }
        }
        super::shared::session_lines::name_tools(&mut transcript.messages);
        synthetic::classify(&mut transcript.messages, &[]);
        synthetic::name_summary(&mut transcript.messages, &|message| message.text().starts_with(SUMMARY));
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let Ok(document) = Document::read(transcript.source, 1, MESSAGES) else { return Vec::new() };
        let new = New::all(script, |insert| new_messages(&insert.kind));
        let inside = script.kept(transcript).flat_map(|index| changes(transcript, script, index)).collect();
        document.patches(script, &new, inside)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        openai::faults(transcript)
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        openai::mend(transcript, faults, script);
        Vec::new()
    }
}

/// The message of an entry.
fn entry<'a>(source: &'a [u8], value: Json<'a>) -> Option<Message<'a>> {
    let fields = value.object()?;
    if let Some(tool) = fields.object("tool") {
        let parts = vec![result(source, value, &tool)];
        return Some(Message { role: Role::Tool, author: Author::Tool, parts, live: true, ..Message::default() });
    }
    if fields.has("image") {
        let parts = vec![part(PartKind::Media(Media::Image), Cow::default(), fixed(source, value))];
        return Some(Message { role: Role::User, author: Author::Harness, parts, live: true, ..Message::default() });
    }
    let text = fields.object("text")?;
    let (role, author) = match &*text.text("role")? {
        "System" => (Role::System, Author::System),
        "User" if text.is_true("droppable") => (Role::User, Author::Harness),
        "User" => (Role::User, Author::Person),
        "Assistant" => (Role::Assistant, Author::Model),
        _ => return None,
    };
    Some(Message {
        role,
        author,
        parts: parts(source, &text),
        live: true,
        model: text.text("model"),
        usage: fields.object("usage").map(|usage| self::usage(&usage)),
        ..Message::default()
    })
}

/// Reasoning, text, and calls. An empty text beside calls is left out.
fn parts<'a>(source: &'a [u8], text: &Object<'a>) -> Vec<Part<'a>> {
    let mut parts = openai::reasoning(source, text);
    let calls = text.array("tool_calls").unwrap_or_default();
    let words = text.get("content").map(|content| openai::parts(source, content)).unwrap_or_default();
    parts.extend(words.into_iter().filter(|part| calls.is_empty() || !part.text.is_empty()));
    for value in calls {
        let call = value.object().unwrap_or_default();
        let (id, name) = (call.text("call_id").unwrap_or_default(), call.text("name").unwrap_or_default());
        let arguments = call.get("arguments");
        let text = Cow::Borrowed(arguments.map(Json::raw).unwrap_or_default());
        parts.push(part(PartKind::Call { id, name }, text, arguments_slot(source, value, arguments)));
    }
    parts
}

/// A result: texts, images, and the answers of subagents.
fn result<'a>(source: &'a [u8], whole: Json<'a>, tool: &Object<'a>) -> Part<'a> {
    let output = tool.object("output").unwrap_or_default();
    let values = output.get("values").and_then(|values| Some((values, values.array()?)));
    let (mut texts, mut media) = (Vec::new(), Vec::new());
    for value in values.iter().flat_map(|(_, values)| values).filter_map(|value| value.object()) {
        let agent = || value.object("ai").and_then(|agent| agent.text("value"));
        texts.extend(value.text("text").or_else(agent));
        media.extend(value.has("image").then_some(Media::Image));
    }
    let text = joined(texts);
    let kind = PartKind::Result {
        id: tool.text("call_id").unwrap_or_default(),
        tool: tool.text("name"),
        error: output.is_true("is_error"),
        pruned: synthetic::is_stub(&text),
        media,
    };
    let slot = match values {
        Some((values, _)) => {
            let content = values.span_in(source);
            Slot { part: whole.span_in(source), content, shape: Shape::TextBlocks }
        }
        None => fixed(source, whole),
    };
    part(kind, text, slot)
}

/// Reads usage. Counts are written as `{"actual": 7}` or `{"approx": 7}`; cached tokens are part of the prompt.
fn usage(usage: &Object<'_>) -> Usage {
    let number = |key: &str| {
        let value = usage.get(key);
        let inner = value.and_then(Json::object).and_then(|value| value.fields().first()?.1.whole());
        Tokens(inner.or(value.and_then(Json::whole)).unwrap_or_default())
    };
    let prompt = number("prompt_tokens");
    let cached = number("cached_tokens").min(prompt);
    Usage { input: prompt - cached, cache_read: cached, output: number("completion_tokens"), ..Usage::default() }
}

/// The patches inside a kept entry.
fn changes(transcript: &Transcript<'_>, script: &EditScript, index: usize) -> Vec<Patch> {
    let parts = &transcript.messages[index].parts;
    let edits = script.changes_of(index).iter();
    let edits: Vec<_> = edits.filter_map(|edit| Some((parts.get(edit.part)?, &edit.change))).collect();
    let mut patches: Vec<_> = edits.iter().filter_map(|(part, change)| replacement(part, change)).collect();
    let gone: HashSet<_> = document::removed(transcript, script, index);
    let fields = super::shared::session_lines::fields(transcript, transcript.record_of(index));
    if let Some(value) = fields.get("text").filter(|_| !gone.is_empty())
        && let Some(text) = value.object()
    {
        let stays = |at: usize| text.fields().get(at).is_none_or(|it| !gone.contains(&it.1.span_in(transcript.source)));
        patches.extend(Members::of_object(transcript.source, value, &text).patches(stays, &[], PatchKind::Stub));
    }
    patches
}

/// The patch that replaces a part's content. A result's values are objects whose key names their kind.
fn replacement(part: &Part<'_>, change: &Change) -> Option<Patch> {
    let text = change.text()?;
    let with = match part.slot.shape {
        Shape::Text => quoted(text),
        Shape::InText => escaped(text),
        Shape::TextBlocks => format!(r#"[{{"text":{}}}]"#, quoted(text)),
        Shape::Json => super::shared::part_edits::object(text).to_owned(),
        Shape::Fixed => return None,
    };
    Some(super::shared::part_edits::stub(part.slot.content.clone(), with))
}

fn new_messages(kind: &InsertKind) -> Vec<String> {
    let entry = |role: &str, text: &str| format!(r#"{{"text":{{"role":"{role}","content":{}}}}}"#, quoted(text));
    let entry = |(role, text)| entry(if role == Role::Assistant { "Assistant" } else { "User" }, text);
    synthetic::turns(&kind.without_system()).into_iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
    use super::*;
    use crate::transcript::PartEdit;
    use crate::transcript::SummaryRole;

    const SAMPLE: &str = include_str!("../../samples/forge/choir-planner.json");

    #[test]
    fn a_conversation_is_read_and_comes_back_as_it_was() {
        assert_eq!(edited(&Forge, SAMPLE, |_, _| {}), SAMPLE);
        let transcript = read(&Forge, SAMPLE);
        use Author::{Harness, Model, Person, System, Tool};
        assert_eq!(authors(&transcript)[..6], [System, System, Person, Harness, Model, Tool]);
        let call = &transcript.messages[4];
        let kinds: Vec<_> = call.parts.iter().map(|part| part.kind.name()).collect();
        assert_eq!(kinds, ["reasoning", "text", "tool_call"]);
        assert_eq!(call.usage.map(|usage| usage.total().0), Some(1_860));
        assert_eq!((faults(&Forge, SAMPLE), crate::check::faults(&transcript)), (vec![], vec![]));
    }

    #[test]
    fn the_head_goes_and_a_users_message_tells_of_it() {
        let out = edited(&Forge, SAMPLE, |transcript, script| {
            let last = transcript.last_real_user().unwrap_or_default();
            (2..last).for_each(|at| script.keep[at] = false);
            script.inserts = vec![summary(last, SummaryRole::System, "it"), continuation(transcript.records.len())];
        });
        use Author::{Continuation, Model, Person, Summary, System};
        assert_eq!(authors(&read(&Forge, &out)), [System, System, Summary, Person, Model, Continuation]);
        assert!(out.contains("\"role\": \"User\",\n          \"content\": \"<prior-conversation-summary>"), "{out}");
        assert_eq!(faults(&Forge, &out), []);
    }

    #[test]
    fn stubs_are_values_and_reasoning_goes_with_its_field() {
        let out = edited(&Forge, SAMPLE, stub_results);
        assert!(out.contains(r#""values": [{"text":"<stub />"}]"#));
        assert_eq!(faults(&Forge, &out), []);
        let out = edited(&Forge, SAMPLE, |_, script| {
            script.parts = vec![PartEdit { message: 4, part: 0, change: Change::Remove }];
        });
        assert_eq!(out.matches("reasoning_details").count() + 1, SAMPLE.matches("reasoning_details").count());
        assert_eq!(faults(&Forge, &out), []);
    }

    #[test]
    fn a_summary_of_forge_ends_what_was_sent_before() {
        let source = format!(
            r#"{{"context":{{"conversation_id":"c","messages":[{{"text":{{"role":"User","content":"{SUMMARY} for all"}}}},{{"text":{{"role":"Assistant","content":"x"}}}}]}}}}"#
        );
        assert_eq!(authors(&read(&Forge, &source)), [Author::Summary, Author::Model]);
    }
}
