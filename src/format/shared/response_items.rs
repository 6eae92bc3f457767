//! Reads items of OpenAI's Responses API as messages: the table of item types. Codex stores such items in its
//! rollouts; other clients of the API store them as they are.

use super::json::{Json, Object};
use super::slot;
use crate::format::shared::synthetic::is_stub;
use crate::format::{Fault, openai};
use crate::transcript::{Author, Media, Message, Part, PartKind, Role, Shape, Slot, Transcript};
use std::borrow::Cow;

/// The result of reading an item.
#[expect(clippy::large_enum_variant, reason = "one is read at a time, and none is stored")]
pub(in crate::format) enum Item<'a> {
    /// An item that the model reads.
    Message(Message<'a>),
    /// A known item that the model does not read.
    Hidden,
    /// An item of unknown type.
    Unknown,
}

/// Decides from its parts who wrote a message with role `user`; instructions count as the system's.
pub(in crate::format) type Asked<'u> = &'u dyn Fn(&[Part<'_>]) -> Author;

/// Reads one item.
pub(in crate::format) fn read<'a>(source: &[u8], item: Json<'a>, asked: Asked<'_>) -> Item<'a> {
    let stored = Stored { source, item, fields: item.object().unwrap_or_default() };
    let message = match &*stored.fields.text("type").unwrap_or_default() {
        "message" => stored.spoken(asked),
        // The API accepts messages without a `type`, and some writers of Codex rollouts omit it.
        "" if stored.fields.has("role") && stored.fields.has("content") => stored.spoken(asked),
        "agent_message" => stored.sent_by_agent(),
        "reasoning" => model_message(vec![stored.reasoning()]),
        "ghost_snapshot" => return Item::Hidden,
        kind => match stored.called(kind).or_else(|| stored.answered(kind)).or_else(|| stored.hosted(kind)) {
            Some(message) => message,
            None => return Item::Unknown,
        },
    };
    Item::Message(message)
}

/// The type of an item with a message of another agent.
const FROM_AGENT: &[u8] = b"\"agent_message\"";
/// Beginning of the message with which another agent starts this one: its task, which may be encrypted behind it.
const NEW_TASK: &str = "Message Type: NEW_TASK\n";

/// Faults for reasoning items not followed by the item they belong to, where `binds` says that the message with an
/// index needs it: the API refuses such a request (FORMATS §18). Messages of other agents may arrive between both.
pub(in crate::format) fn lone_reasoning(transcript: &Transcript<'_>, binds: &dyn Fn(usize) -> bool) -> Vec<Fault> {
    let messages = &transcript.messages;
    let of_agent = |index: usize| {
        let stored = transcript.source.get(transcript.record_of(index).span.clone()).unwrap_or_default();
        messages[index].role == Role::User && memchr::memmem::find(stored, FROM_AGENT).is_some()
    };
    let is_told = |index: &usize| !messages[*index].abandoned && !of_agent(*index);
    let told: Vec<usize> = (0..messages.len()).filter(is_told).collect();
    let alone = |pair: &&[usize]| binds(pair[0]) && messages[pair[1]].role != Role::Assistant;
    let fault = |pair: &[usize]| transcript.fault(messages[pair[0]].record, "reasoning_without_item", "");
    told.windows(2).filter(alone).map(fault).collect()
}

/// A message of the model.
fn model_message(parts: Vec<Part<'_>>) -> Message<'_> {
    Message { role: Role::Assistant, author: Author::Model, parts, ..Message::default() }
}

/// A message with a tool result.
fn returned(part: Part<'_>) -> Message<'_> {
    Message { role: Role::Tool, author: Author::Tool, parts: vec![part], ..Message::default() }
}

/// Text, media and slot of a tool's output.
type Output<'a> = (Cow<'a, str>, Vec<Media>, Slot);

/// An item as stored.
struct Stored<'s, 'a> {
    source: &'s [u8],
    item: Json<'a>,
    fields: Object<'a>,
}

impl<'a> Stored<'_, 'a> {
    /// The text of a field that holds an id; `None` if empty.
    fn id(&self, key: &str) -> Option<Cow<'a, str>> {
        self.fields.text(key).filter(|id| !id.is_empty())
    }

    /// The string in a field, or the raw JSON of any other value.
    fn text(&self, key: &str) -> Cow<'a, str> {
        let raw = || self.fields.get(key).filter(|value| !value.is_null()).map(Json::raw).unwrap_or_default();
        self.fields.text(key).unwrap_or_else(|| Cow::Borrowed(raw()))
    }

    fn fixed(&self) -> Slot {
        slot::fixed(self.source, self.item)
    }

    /// The content as a message with role user.
    fn user_message(&self) -> Message<'a> {
        let parts = self.fields.get("content").map(|content| openai::parts(self.source, content)).unwrap_or_default();
        Message { role: Role::User, author: Author::Person, parts, ..Message::default() }
    }

    /// A message of another agent: to a subagent, its task is what a person's request is to others.
    fn sent_by_agent(&self) -> Message<'a> {
        let message = self.user_message();
        let is_task = message.parts.first().is_some_and(|part| part.text.starts_with(NEW_TASK));
        Message { author: if is_task { Author::Person } else { Author::Harness }, ..message }
    }

    fn spoken(&self, asked: Asked<'_>) -> Message<'a> {
        let message = self.user_message();
        let (role, author) = match &*self.fields.text("role").unwrap_or_default() {
            "assistant" => (Role::Assistant, Author::Model),
            "user" => match asked(&message.parts) {
                Author::System => (Role::System, Author::System),
                author => (Role::User, author),
            },
            _ => (Role::System, Author::System),
        };
        Message { role, author, ..message }
    }

    fn reasoning(&self) -> Part<'a> {
        let signed = self.fields.text("encrypted_content").is_some_and(|content| !content.is_empty());
        let blocks = ["summary", "content"].iter().filter_map(|key| self.fields.array(key)).flatten();
        let texts = blocks.filter_map(Json::object).filter_map(|block| block.text("text")).collect();
        slot::part(PartKind::Reasoning { signed }, joined(texts), self.fixed())
    }

    /// Reads a call whose output is a separate item.
    fn called(&self, kind: &str) -> Option<Message<'a>> {
        let id = || self.id("call_id");
        let named = || self.fields.text("name").unwrap_or_default();
        let (id, name, key) = match kind {
            "function_call" => (id(), named(), "arguments"),
            "custom_tool_call" => (id(), named(), "input"),
            "local_shell_call" => (id().or_else(|| self.id("id")), "local_shell".into(), "action"),
            "shell_call" => (id(), "shell".into(), "action"),
            "computer_call" if self.fields.has("actions") => (id(), "computer".into(), "actions"),
            "computer_call" => (id(), "computer".into(), "action"),
            "apply_patch_call" => (id(), "apply_patch".into(), "operation"),
            "tool_search_call" => (id(), "tool_search".into(), "arguments"),
            // A request for approval of a server tool's call; the approval is a separate item.
            "mcp_approval_request" => (self.id("id"), named(), "arguments"),
            _ => return None,
        };
        Some(model_message(vec![self.call(id, name, key)]))
    }

    /// Makes a call part. A call without an id can't be answered, so it is opaque. Arguments in a string that holds
    /// an object follow the tool's own schema and can be cleared. Other text (a patch) stays, and so does an object
    /// (`action`): it belongs to the item's schema, and an API would not read the item without its fields.
    fn call(&self, id: Option<Cow<'a, str>>, name: Cow<'a, str>, key: &str) -> Part<'a> {
        let arguments = self.fields.get(key).filter(|value| value.is_string());
        let slot = match id {
            Some(_) => slot::arguments(self.source, self.item, arguments),
            None => self.fixed(),
        };
        slot::part(id.map_or(PartKind::Opaque, |id| PartKind::Call { id, name }), self.text(key), slot)
    }

    /// Reads the output of a call.
    fn answered(&self, kind: &str) -> Option<Message<'a>> {
        let (id, output) = match kind {
            "function_call_output" | "custom_tool_call_output" | "apply_patch_call_output" => {
                (self.id("call_id"), self.output())
            }
            "local_shell_call_output" => (self.id("call_id").or_else(|| self.id("id")), self.output()),
            "shell_call_output" => (self.id("call_id"), self.printed().unwrap_or_else(|| self.output())),
            // A screenshot, which nothing can replace.
            "computer_call_output" => (self.id("call_id"), (Cow::default(), vec![Media::Image], self.fixed())),
            // The tools that a search found, which nothing can replace.
            "tool_search_output" => (self.id("call_id"), (self.text("tools"), Vec::new(), self.fixed())),
            "mcp_approval_response" => {
                let approved = self.fields.is_true("approve");
                let said = if approved { "approved" } else { "not approved" };
                (self.id("approval_request_id"), (said.into(), Vec::new(), self.fixed()))
            }
            _ => return None,
        };
        Some(returned(result(id, false, output)))
    }

    /// Text and media of an output: a string, an array of content, or an object around one of these.
    fn output(&self) -> Output<'a> {
        let Some(output) = self.fields.get("output") else { return (Cow::default(), Vec::new(), self.fixed()) };
        let Some(fields) = output.object() else { return openai::result(self.source, output) };
        let inner = ["content", "text"].iter().find_map(|key| fields.get(key).filter(|value| value.is_string()));
        match inner {
            Some(inner) => openai::result(self.source, inner),
            None => openai::result(self.source, output),
        }
    }

    /// The output of shell commands, each with two streams.
    fn printed(&self) -> Option<Output<'a>> {
        let commands: Vec<_> = self.fields.array("output")?.into_iter().filter_map(Json::object).collect();
        let streams = commands.iter().flat_map(|command| ["stdout", "stderr"].map(|key| command.get(key)));
        Some(self.one_of(streams.flatten().collect(), Vec::new()))
    }

    /// Reads a call that the API's server carries out, with its result in the same item.
    fn hosted(&self, kind: &str) -> Option<Message<'a>> {
        let opaque = |text| model_message(vec![slot::part(PartKind::Opaque, text, self.fixed())]);
        let pair = |name, key: &str, output: Option<(bool, Output<'a>)>| match (self.id("id"), output) {
            (Some(id), Some((error, output))) => {
                model_message(vec![self.call(Some(id.clone()), name, key), result(Some(id), error, output)])
            }
            _ => opaque(self.text(key)),
        };
        Some(match kind {
            "mcp_call" => pair(self.fields.text("name").unwrap_or_default(), "arguments", self.served()),
            "code_interpreter_call" => pair("code_interpreter".into(), "code", self.logged()),
            "web_search_call" => opaque(self.text("action")),
            "file_search_call" => opaque(joined(vec![self.text("queries"), self.text("results")])),
            "image_generation_call" => opaque(self.fields.text("revised_prompt").unwrap_or_default()),
            "mcp_list_tools" => opaque(self.text("tools")),
            "item_reference" | "compaction" | "context_compaction" | "compaction_summary" => opaque(Cow::default()),
            _ => return None,
        })
    }

    /// The output of a server tool, and whether it is an error.
    fn served(&self) -> Option<(bool, Output<'a>)> {
        let said = |key: &str| self.fields.get(key).filter(|value| !value.is_null());
        let (error, value) = match (said("error"), said("output")) {
            (Some(error), _) => (true, error),
            (None, output) => (false, output?),
        };
        match value.is_string() {
            true => Some((error, self.one_of(vec![value], Vec::new()))),
            false => Some((error, (Cow::Borrowed(value.raw()), Vec::new(), self.fixed()))),
        }
    }

    /// The text that code printed, and the images that it drew.
    fn logged(&self) -> Option<(bool, Output<'a>)> {
        let outputs: Vec<_> = self.fields.array("outputs")?.into_iter().filter_map(Json::object).collect();
        let images = outputs.iter().filter(|output| output.is("type", "image"));
        let images = images.map(|_| Media::Image).collect();
        Some((false, self.one_of(outputs.iter().filter_map(|output| output.get("logs")).collect(), images)))
    }

    /// An output of several strings; replaceable only if exactly one is not empty.
    fn one_of(&self, strings: Vec<Json<'a>>, media: Vec<Media>) -> Output<'a> {
        let says = |value: &Json<'a>| value.text().is_some_and(|text| !text.is_empty());
        let strings: Vec<_> = strings.into_iter().filter(says).collect();
        let only = if let [only] = strings[..] { Some((only, Shape::Text)) } else { None };
        let slot = slot::within(self.source, self.item, only);
        (joined(strings.into_iter().filter_map(Json::text).collect()), media, slot)
    }
}

fn result<'a>(id: Option<Cow<'a, str>>, error: bool, (text, media, slot): Output<'a>) -> Part<'a> {
    let pruned = is_stub(&text);
    let kind = id.map_or(PartKind::Opaque, |id| PartKind::Result { id, tool: None, error, pruned, media });
    slot::part(kind, text, slot)
}

/// Joins texts with newlines.
fn joined(mut texts: Vec<Cow<'_, str>>) -> Cow<'_, str> {
    texts.retain(|text| !text.is_empty());
    slot::joined(texts)
}
