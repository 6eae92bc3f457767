//! Reads messages: content, calls wherever LangChain finds them, and results.

use super::frame::Framed;
use crate::format::openai::{self, Waiting};
use crate::format::shared::json::{Json, Object};
use crate::format::shared::slot::{arguments, fixed, joined, part};
use crate::format::shared::synthetic;
use crate::transcript::{Author, Message, Part, PartKind, Role, Status, Tokens, Usage};
use std::borrow::Cow;
use std::collections::HashSet;

/// Opening of the summaries that LangChain's middleware writes in a human's name, and the mark that newer versions put
/// into `additional_kwargs.lc_source`.
const SUMMARY: &str = "Here is a summary of the conversation to date:";
const MARK: &str = "summarization";
/// Reasons for which an answer ended at its length limit, as providers spell them.
const CUT_OFF: [&str; 3] = ["length", "max_tokens", "MAX_TOKENS"];
/// Beginning of the ids of reasoning that OpenAI's API takes only together with the item behind it.
const BOUND: &str = "rs_";

/// Reads the messages of one transcript in order.
pub(super) struct Reader<'a> {
    source: &'a [u8],
    /// Calls that wait for a result, for results without an id.
    waiting: Waiting<'a>,
    /// Number of messages read.
    count: usize,
}

/// A call as it is written: the value, its id, the tool, and the arguments.
struct Written<'a> {
    value: Json<'a>,
    id: Option<Cow<'a, str>>,
    name: Cow<'a, str>,
    arguments: Option<Json<'a>>,
}

impl<'a> Reader<'a> {
    /// Makes a reader for messages within `source`.
    pub(super) fn new(source: &'a [u8]) -> Self {
        Self { source, waiting: Waiting::default(), count: 0 }
    }

    /// Reads a message; `None` if the value is none.
    pub(super) fn message(&mut self, value: Json<'a>) -> Option<Message<'a>> {
        let Framed { fields, role, .. } = Framed::new(&value.object()?)?;
        if role != Role::Tool {
            self.waiting.clear();
        }
        let parts = match role {
            Role::Tool => vec![self.result(value, &fields)],
            Role::Assistant => self.answer(&fields),
            Role::System | Role::User => self.content(&fields, &HashSet::new()),
        };
        let author = match role {
            Role::System => Author::System,
            Role::User if is_summary(&fields, &parts) => Author::Summary,
            Role::User => synthetic::user_author(&parts),
            Role::Assistant => Author::Model,
            Role::Tool => Author::Tool,
        };
        let role = if author == Author::Tool { Role::Tool } else { role };
        let told = fields.object("response_metadata").unwrap_or_default();
        let text = |keys: &[&str]| keys.iter().find_map(|key| told.text(key));
        self.count += 1;
        Some(Message {
            role,
            author,
            parts,
            model: text(&["model_name", "model", "model_id"]),
            usage: fields.object("usage_metadata").and_then(|usage| self::usage(&usage)),
            cut_off: text(&["finish_reason", "stop_reason"]).is_some_and(|reason| CUT_OFF.contains(&&*reason)),
            ..Message::default()
        })
    }

    /// The content and the calls of an answer. An empty text beside calls is left out.
    fn answer(&mut self, fields: &Object<'a>) -> Vec<Part<'a>> {
        let calls: Vec<_> = calls(fields).into_iter().map(|written| self.call(written)).collect();
        let told: HashSet<_> = calls.iter().filter_map(|call| call.kind.call().map(str::to_owned)).collect();
        let mut parts = self.content(fields, &told);
        parts.retain(|part| calls.is_empty() || part.kind != PartKind::Text || !part.text.is_empty());
        parts.extend(calls);
        parts
    }

    /// The parts of a content, without the calls whose ids are `told` elsewhere.
    fn content(&mut self, fields: &Object<'a>, told: &HashSet<String>) -> Vec<Part<'a>> {
        let Some(content) = fields.get("content") else { return Vec::new() };
        let Some(blocks) = content.array() else { return openai::parts(self.source, content) };
        let mut parts = Vec::new();
        for block in blocks {
            let fields = block.object().unwrap_or_default();
            match &*fields.text("type").unwrap_or_default() {
                "tool_result" => {
                    let id = fields.text("tool_use_id");
                    parts.push(self.answered(block, &fields, (id, fields.is_true("is_error"))));
                }
                "reasoning" | "reasoning_content" | "redacted_thinking" => parts.push(reasoning(self.source, block)),
                _ => match written(block) {
                    Some(call) if call.id.as_ref().is_some_and(|id| told.contains(&**id)) => {}
                    Some(call) => parts.push(self.call(call)),
                    None => parts.extend(openai::parts(self.source, block)),
                },
            }
        }
        parts
    }

    fn call(&mut self, Written { value, id, name, arguments: given }: Written<'a>) -> Part<'a> {
        let made_up = || Cow::Owned(format!("#{}.{}", self.count, self.waiting.count()));
        let id = id.filter(|id| !id.is_empty()).unwrap_or_else(made_up);
        self.waiting.add(id.clone(), name.clone());
        let text = given.map(Json::spelled).unwrap_or_default();
        part(PartKind::Call { id, name }, text, arguments(self.source, value, given))
    }

    fn result(&mut self, value: Json<'a>, fields: &Object<'a>) -> Part<'a> {
        let status = fields.text("status").unwrap_or_default();
        let result = self.answered(value, fields, (fields.text("tool_call_id"), status == "error"));
        Part { status: (status == "success").then_some(Status::Unflagged), ..result }
    }

    /// The result in the `content` of these fields. Without an id it answers the first waiting call of its tool.
    fn answered(
        &mut self,
        value: Json<'a>,
        fields: &Object<'a>,
        (id, error): (Option<Cow<'a, str>>, bool),
    ) -> Part<'a> {
        let tool = fields.text("name").filter(|name| !name.is_empty());
        let id = match id.filter(|id| !id.is_empty()) {
            Some(id) => {
                self.waiting.answer(id.clone());
                id
            }
            None => self.waiting.take(tool.as_deref()).unwrap_or_else(|| Cow::Owned(format!("#{}", self.count))),
        };
        let content = fields.get("content").map(|content| openai::result(self.source, content));
        let (text, media, slot) = content.unwrap_or_else(|| (Cow::default(), Vec::new(), fixed(self.source, value)));
        let pruned = synthetic::is_stub(&text);
        part(PartKind::Result { id, tool, error, pruned, media }, text, slot)
    }
}

/// The calls of an answer. Those that a provider's library left in `additional_kwargs` count where `tool_calls` is
/// empty, as in messages from before there was such a field.
fn calls<'a>(fields: &Object<'a>) -> Vec<Written<'a>> {
    let listed = |fields: &Object<'a>, key: &str| fields.array(key).unwrap_or_default();
    let mut values = listed(fields, "tool_calls");
    values.extend(listed(fields, "invalid_tool_calls"));
    let more = fields.object("additional_kwargs").unwrap_or_default();
    if values.is_empty() {
        values = listed(&more, "tool_calls");
    }
    if values.is_empty() {
        values.extend(more.get("function_call").filter(|call| call.object().is_some_and(|call| call.has("name"))));
    }
    values.into_iter().filter_map(of_list).collect()
}

/// A call in a list of calls, in LangChain's form or in OpenAI's.
fn of_list(value: Json<'_>) -> Option<Written<'_>> {
    let call = value.object()?;
    let body = call.object("function").unwrap_or_else(|| call.clone());
    let arguments = body.get("args").or_else(|| body.get("arguments"));
    Some(Written { value, id: call.text("id"), name: body.text("name").unwrap_or_default(), arguments })
}

/// The call in a block of a content: of LangChain's standard, Anthropic's, or an item of OpenAI's Responses API.
fn written(value: Json<'_>) -> Option<Written<'_>> {
    let block = value.object()?;
    let (id, arguments) = match &*block.text("type")? {
        "tool_use" => ("id", "input"),
        "tool_call" => ("id", "args"),
        "function_call" => ("call_id", "arguments"),
        _ => return None,
    };
    let name = block.text("name").unwrap_or_default();
    Some(Written { value, id: block.text(id), name, arguments: block.get(arguments) })
}

/// A block of reasoning in the forms that OpenAI's chat messages do not have.
fn reasoning<'a>(source: &[u8], block: Json<'a>) -> Part<'a> {
    let fields = block.object().unwrap_or_default();
    let inner = fields.object("reasoning_content").unwrap_or_else(|| fields.clone());
    let said = ["reasoning", "text"].iter().find_map(|key| inner.text(key));
    let summary = || inner.array("summary").unwrap_or_default().into_iter().filter_map(|it| it.object()?.text("text"));
    let text = said.unwrap_or_else(|| joined(summary().collect()));
    let extras = fields.object("extras").unwrap_or_default();
    let states = |key: &&str| [&inner, &extras].iter().any(|fields| fields.text(key).is_some_and(|it| !it.is_empty()));
    let kind = match fields.text("id").is_some_and(|id| id.starts_with(BOUND)) {
        true => PartKind::Opaque,
        false => PartKind::Reasoning { signed: ["signature", "data", "encrypted_content"].iter().any(states) },
    };
    part(kind, text, fixed(source, block))
}

/// Whether a human's message is a summary that LangChain's own middleware wrote.
fn is_summary(fields: &Object<'_>, parts: &[Part<'_>]) -> bool {
    let mark = fields.object("additional_kwargs").and_then(|more| more.text("lc_source"));
    mark.is_some_and(|mark| mark == MARK) || parts.first().is_some_and(|part| part.text.starts_with(SUMMARY))
}

/// Reads usage. Cached tokens are part of the input.
fn usage(usage: &Object<'_>) -> Option<Usage> {
    let input = usage.whole("input_tokens")?;
    let details = usage.object("input_token_details").unwrap_or_default();
    let [read, write] = ["cache_read", "cache_creation"].map(|key| details.whole(key).unwrap_or_default());
    Some(Usage {
        input: Tokens(input.saturating_sub(read.saturating_add(write))),
        cache_read: Tokens(read),
        cache_write: Tokens(write),
        output: Tokens(usage.whole("output_tokens").unwrap_or_default()),
    })
}
